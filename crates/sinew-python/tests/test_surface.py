"""The names, types and shapes of the reference's module exist here."""

import mujoco
import numpy as np
import pytest
from conftest import own_models

import sinew
import sinew.compat


def public(thing) -> list[str]:
    return [name for name in dir(thing) if not name.startswith("_")]


def test_every_field_of_a_model_has_the_type_and_shape_of_the_reference(ours, theirs):
    arrays = 0
    for name in theirs._all_fields:
        expected, actual = getattr(theirs, name), getattr(ours, name)
        assert name in dir(ours)
        if isinstance(expected, np.ndarray):
            arrays += 1
            assert actual.dtype == expected.dtype, name
            assert actual.shape == expected.shape, name
        else:
            assert type(actual) is type(expected), name
    assert arrays == 453
    assert sorted(ours._size_fields) == sorted(theirs._size_fields)


def test_sizes_and_names_equal_the_reference(ours, theirs):
    for name in theirs._size_fields:
        if name not in ("narena", "nbuffer"):
            assert getattr(ours, name) == getattr(theirs, name), name
    for name in ("names", "paths", "text_data"):
        assert getattr(ours, name) == getattr(theirs, name), name


def test_every_enum_has_the_members_of_the_reference():
    found = [name for name in public(sinew.compat) if name.startswith("mjt")]
    assert len(found) >= 43
    for name in found:
        expected = {member: int(value) for member, value in getattr(mujoco, name).__members__.items()}
        actual = {member: int(value) for member, value in getattr(sinew.compat, name).__members__.items()}
        assert actual == expected, name


def test_enum_members_behave_like_numbers():
    body = sinew.compat.mjtObj.mjOBJ_BODY
    assert body == 1 and int(body) == 1 and body + 1 == 2 and np.zeros(3)[body] == 0
    assert repr(body) == repr(mujoco.mjtObj.mjOBJ_BODY)
    assert sinew.compat.mjtObj(1) is body
    assert body.name == "mjOBJ_BODY" and body.value == 1


@pytest.mark.parametrize("group", ["opt", "stat"])
def test_records_have_the_fields_of_the_reference(ours, theirs, group):
    expected, actual = getattr(theirs, group), getattr(ours, group)
    assert public(actual) == public(expected)
    for name in public(expected):
        assert type(getattr(actual, name)) is type(getattr(expected, name)), name
        np.testing.assert_allclose(getattr(actual, name), getattr(expected, name), rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("part", ["global_", "quality", "headlight", "map", "scale", "rgba"])
def test_visual_settings_have_the_fields_of_the_reference(ours, theirs, part):
    expected, actual = getattr(theirs.vis, part), getattr(ours.vis, part)
    assert public(actual) == public(expected)
    for name in public(expected):
        # The reference shows two of its colours as empty arrays.
        if np.size(getattr(expected, name)):
            np.testing.assert_array_equal(getattr(actual, name), getattr(expected, name), err_msg=name)


def test_versions_parse():
    assert tuple(map(int, sinew.compat.__version__.split("."))) == (3, 5, 0)
    assert sinew.compat.mj_versionString() == mujoco.mj_versionString()
    assert sinew.compat.mj_version() == mujoco.mj_version()
    assert all(part.isdigit() for part in sinew.__version__.split("."))


@pytest.mark.parametrize("path", own_models(), ids=lambda path: path.stem)
def test_data_arrays_have_the_type_and_shape_of_the_reference(path):
    ours = sinew.compat.MjData(sinew.compat.MjModel.from_xml_path(path))
    theirs = mujoco.MjData(mujoco.MjModel.from_xml_path(str(path)))
    for name in ours._all_fields:
        expected, actual = getattr(theirs, name), getattr(ours, name)
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), name

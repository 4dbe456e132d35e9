"""Names, ids and access by name."""

import mujoco
import numpy as np
import pytest

from sinew.compat import MjData, mj_fwdPosition, mj_id2name, mj_name2id, mjtObj

KINDS = [
    "actuator", "body", "camera", "equality", "exclude", "geom", "hfield", "joint", "key", "light",
    "material", "mesh", "numeric", "pair", "sensor", "site", "tendon", "texture", "tuple",
]  # fmt: skip
DATA_KINDS = ["actuator", "body", "camera", "geom", "joint", "light", "site", "tendon"]


def attributes(view) -> list[str]:
    return [name for name in dir(view) if not name.startswith("__") and name != "_pybind11_conduit_v1_"]


def test_names_and_ids_agree_with_the_reference(ours, theirs):
    for kind in mjtObj:
        for index in range(-1, 8):
            name = mujoco.mj_id2name(theirs, int(kind), index)
            assert mj_id2name(ours, kind, index) == name
            if name is not None:
                assert mj_name2id(ours, kind, name) == mujoco.mj_name2id(theirs, int(kind), name)
        assert mj_name2id(ours, kind, "nobody") == -1
        assert mj_name2id(ours, kind, "") == -1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index", [0, 1])
def test_model_views_have_the_attributes_of_the_reference(ours, theirs, kind, index):
    name = f"{kind}{index}"
    expected, actual = getattr(theirs, kind)(name), getattr(ours, kind)(name)
    for attribute in attributes(expected):
        wanted, found = getattr(expected, attribute), getattr(actual, attribute)
        if attribute == "_lengthspring":
            # Two numbers per tendon, which the reference's view takes for one.
            np.testing.assert_array_equal(found, ours.tendon_lengthspring[index])
            continue
        if (kind, attribute) == ("texture", "adr"):
            # Stored with 64 bits, which the reference's view takes for 32.
            assert found.dtype == theirs.tex_adr.dtype
            found = found.astype(np.int32)
        if isinstance(wanted, np.ndarray):
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype), attribute
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=attribute)
        else:
            assert found == wanted, attribute
    assert getattr(ours, kind)(actual.id).name == name
    assert name in repr(actual)


@pytest.mark.parametrize("kind", DATA_KINDS)
def test_data_views_show_the_rows_of_the_reference(ours, theirs, kind):
    data, reference = MjData(ours), mujoco.MjData(theirs)
    mj_fwdPosition(ours, data)
    mujoco.mj_fwdPosition(theirs, reference)
    expected, actual = (
        getattr(reference, kind)(f"{kind}1"),
        getattr(data, kind)(f"{kind}1"),
    )
    wrong_in_the_reference = ("moment", "cdof", "cdof_dot")
    compared = [name for name in actual._fields if name not in wrong_in_the_reference]
    for attribute in compared:
        wanted, found = getattr(expected, attribute), getattr(actual, attribute)
        assert found.shape == wanted.shape, attribute
        np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=attribute)
    assert compared


def test_moments_and_motion_axes_are_those_of_the_object(ours):
    """The reference's views of these start at a wrong address for all but the first object."""
    data = MjData(ours)
    mj_fwdPosition(ours, data)
    np.testing.assert_array_equal(data.joint("joint1").cdof, data.cdof[1:4])
    np.testing.assert_array_equal(data.actuator("actuator1").moment, data.tendon("tendon1").J)
    assert data.actuator("actuator1").moment.any()


def test_views_write_through(ours):
    ours.body("body1").pos = 1, 2, 3
    ours.joint("joint1").damping[:] = 4
    assert ours.body_pos[ours.body("body1").id].tolist() == [1, 2, 3]
    assert ours.dof_damping.tolist() == [0.5, 4, 4, 4]


def test_short_names_are_the_same_objects(ours):
    for short, long in [
        ("jnt", "joint"),
        ("cam", "camera"),
        ("eq", "equality"),
        ("mat", "material"),
    ]:
        assert getattr(ours, short)(1).name == getattr(ours, long)(1).name
    assert ours.keyframe("key1").time == ours.key("key1").time
    assert ours.key(b"key1") is ours.key("key1")
    assert ours.tendon("tendon1").range.tolist() == ours.tendon("tendon1")._range.tolist() == [0, 2]


def test_wrong_names_and_indices_say_what_is_there(ours):
    with pytest.raises(KeyError, match=r"Invalid name 'bdy'. Valid names: \['body0'"):
        ours.body("bdy")
    with pytest.raises(IndexError, match="Invalid index 9. Valid indices from 0 to 3"):
        ours.body(9)
    with pytest.raises(IndexError):
        ours.body(-1)

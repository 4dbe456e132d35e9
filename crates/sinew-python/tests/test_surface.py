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
    assert len(found) == 67
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


def functions(module, *prefixes: str) -> set[str]:
    """Names of functions that begin like this."""
    return {name for name in dir(module) if name.startswith(prefixes) and callable(getattr(module, name))}


# What the reference's module has and ours does not, by what it belongs to. A name that is added here needs a reason;
# a name that sinew gets must be struck out.
MISSING = {
    "plugins, rays against skins, drawing": """
        mj_loadAllPluginLibraries mj_loadPluginLibrary mju_raySkin mj_printFormattedScene mj_printScene
    """,
}


def test_the_functions_of_the_reference_exist_but_for_a_known_list():
    expected = functions(mujoco, "mj_", "mju_", "mjd_")
    missing = expected - functions(sinew.compat, "mj_", "mju_", "mjd_")
    known = {name for names in MISSING.values() for name in names.split()}
    assert sorted(missing) == sorted(known)
    assert functions(sinew.compat, "mj_", "mju_", "mjd_") <= expected
    assert len(expected) - len(missing) >= 222


def test_functions_take_the_arguments_of_the_reference():
    import inspect

    for name in functions(sinew.compat, "mj_", "mju_"):
        text = getattr(mujoco, name).__doc__.splitlines()[0]
        ours = list(inspect.signature(getattr(sinew.compat, name)).parameters)
        wanted = [word.split(":")[0] for word in text[text.index("(") + 1 :].split(", ") if ": " in word]
        wanted = [word for word in wanted if word.isidentifier()]
        assert ours == wanted, name
        assert getattr(sinew.compat, name).__doc__, name


def test_a_missing_name_says_what_it_is_about():
    for name, text in {
        "mj_printScene": "does not have drawing yet",
        "mjs_addBody": "does not have editing models by functions yet",
        "mj_loadPluginLibrary": "does not have plugins yet",
        "nonsense": "has no attribute 'nonsense'",
    }.items():
        with pytest.raises(AttributeError, match=text):
            getattr(sinew.compat, name)
    assert not hasattr(sinew.compat, "mj_loadPluginLibrary")


def test_constants_are_those_of_the_reference():
    for name in (*sinew.compat._constants.__all__, *sinew.compat._drawing_names.CONSTANTS):
        assert getattr(sinew.compat, name) == getattr(mujoco, name), name


# Addresses, and access through objects of an editor of models.
MISSING_FIELDS = {"_address", "bind", "bind_scalar"}


@pytest.mark.parametrize("path", own_models(), ids=lambda path: path.stem)
def test_data_has_the_fields_of_the_reference(path):
    model = sinew.compat.MjModel.from_xml_path(path)
    ours = sinew.compat.MjData(model)
    reference_model = mujoco.MjModel.from_xml_path(str(path))
    theirs = mujoco.MjData(reference_model)
    sinew.compat.mj_forward(model, ours)
    mujoco.mj_forward(reference_model, theirs)
    missing = {name for name in dir(theirs) if not name.startswith(("__", "_py")) and name not in dir(ours)}
    assert missing <= MISSING_FIELDS
    skipped = {"narena", "nbuffer", "parena", "maxuse_arena", "maxuse_stack", "maxuse_con", "maxuse_efc"}
    for name in sorted(theirs._all_fields):
        expected, actual = getattr(theirs, name), getattr(ours, name)
        if isinstance(expected, np.ndarray):
            assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), name
        elif isinstance(expected, (int, float)) and name not in skipped | {"signature", "threadpool"}:
            assert actual == expected, name
    names = ["body_awake", "tree_asleep", "tree_awake", "body_awake_ind", "dof_awake_ind"]
    if theirs.nisland:
        # Without islands the reference shows what was in that memory before.
        names += ["tree_island", "dof_island"]
    for name in names:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    count = ours.nparent_awake
    np.testing.assert_array_equal(ours.parent_awake_ind[:count], theirs.parent_awake_ind[:count])


def test_arrays_by_island_are_those_of_the_reference():
    answers = []
    for module in (mujoco, sinew.compat):
        model = module.MjModel.from_xml_path(str(next(path for path in own_models() if path.stem == "box_pile")))
        data = module.MjData(model)
        if not answers:
            module.mj_step(model, data, 30)
        else:
            # The same bits: points of one pair of boxes may change places otherwise.
            for name in ("qpos", "qvel", "qacc_warmstart"):
                setattr(data, name, getattr(answers[0], name))
        answers.append(data)
        module.mj_forward(model, data)
    theirs, ours = answers
    assert ours.nisland == theirs.nisland > 1
    names = [name for name in dir(theirs) if name.startswith(("iefc_", "island_", "map_", "iacc", "ifrc"))]
    for name in names:
        if name in MISSING_FIELDS:
            continue
        expected, actual = getattr(theirs, name), getattr(ours, name)
        scale = max(1, float(np.max(np.abs(expected), initial=0)))
        np.testing.assert_allclose(actual, expected, atol=1e-6 * scale, err_msg=name)
    assert len(ours.solver) == len(theirs.solver) == 4000
    np.testing.assert_array_equal(ours.solver_niter, theirs.solver_niter)
    count = theirs.solver_niter[0]
    assert count > 0
    np.testing.assert_array_equal(ours.solver.nactive[:count], theirs.solver.nactive[:count])
    assert {name for name in dir(theirs.contact) if not name.startswith("_")} == set(dir(ours.contact))
    assert {name for name in dir(theirs.contact[0]) if not name.startswith("_")} == set(dir(ours.contact[0]))
    assert [contact.dist for contact in ours.contact] == ours.contact.dist.tolist()


def test_the_cache_of_assets_is_empty_and_remembers_its_capacity():
    for module in (mujoco, sinew.compat):
        cache = module.mj_getCache()
        before = module.mj_getCacheCapacity(cache)
        assert before == 500 * 2**20
        assert module.mj_setCacheCapacity(cache, 1000) == module.mj_getCacheCapacity(cache) == 1000
        assert module.mj_clearCache(cache) is None
        assert module.mj_getCacheSize(cache) == 0
        module.mj_setCacheCapacity(cache, before)
    with pytest.raises(TypeError, match="expected what mj_getCache returns, not NoneType"):
        sinew.compat.mj_getCacheSize(None)

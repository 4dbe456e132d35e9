"""Ids, addresses, counts and codes of a model can be written; the next call looks at them."""

import copy
import pickle
import re

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew
from sinew import compat

SCENE = """<mujoco><asset><mesh name="m" builtin="sphere" params="1" scale=".1 .1 .1"/></asset>
  <worldbody><geom type="plane" size="2 2 1"/>
    <body pos="0 0 .08"><freejoint/><geom name="a" type="{a}" size=".1 .1 .12"/><geom type="mesh" mesh="m" pos=".3 0 0"/>
      <geom name="b" type="{b}" size=".07 .1 .1" pos="-.3 0 0"/></body>
    <body pos="0 .15 .12"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="-.3 .13 .1"><freejoint/><geom type="capsule" size=".06 .05"/></body></worldbody></mujoco>"""

LINKED = """<mujoco><worldbody>
  <body name="a"><joint name="a" axis="0 1 0"/><geom size=".1"/><site name="a" pos=".1 0 0"/>
    <body name="b" pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom size=".1"/><site name="b" pos="0 0 .1"/>
      <body name="c" pos=".3 0 0"><joint name="c" axis="1 0 0"/><geom size=".1"/><site name="c"/></body></body></body>
  <camera name="eye" pos="0 -2 0"/><light name="lamp" pos="0 0 2"/></worldbody>
  <equality><joint joint1="a" joint2="b"/></equality>
  <tendon><fixed><joint joint="a" coef="1"/></fixed><spatial><site site="a"/><site site="b"/></spatial></tendon>
  <actuator><motor joint="a"/><general joint="b" dyntype="filter" dynprm=".1"/></actuator>
  <sensor><jointpos joint="a"/><framepos objtype="site" objname="a"/><accelerometer site="b"/></sensor></mujoco>"""

# Array, row and new number, all of which the reference takes.
CODES = (
    ("jnt_type", 2, 2),
    ("cam_mode", 0, 3),
    ("cam_targetbodyid", 0, 2),
    ("light_mode", 0, 1),
    ("eq_obj2id", 0, 2),
    ("wrap_objid", 0, 1),
    ("wrap_objid", 2, 2),
    ("actuator_trnid", (0, 0), 2),
    ("actuator_dyntype", 1, 3),
    ("sensor_objid", 0, 1),
    ("sensor_objid", 1, 2),
    ("sensor_objid", 2, 2),
)


def stepped(module, xml):
    model = module.MjModel.from_xml_string(xml)
    data = module.MjData(model)
    module.mj_step(model, data)
    module.mj_resetData(model, data)
    return model, data


def types(module):
    """Contacts as shapes take turns."""
    model, data = stepped(module, SCENE.format(a="box", b="sphere"))
    kinds = module.mjtGeom
    found = []
    for a, b in (
        (kinds.mjGEOM_BOX, kinds.mjGEOM_SPHERE),
        (kinds.mjGEOM_SPHERE, kinds.mjGEOM_SPHERE),
        (kinds.mjGEOM_ELLIPSOID, kinds.mjGEOM_BOX),
        (kinds.mjGEOM_CAPSULE, kinds.mjGEOM_CYLINDER),
        (kinds.mjGEOM_BOX, kinds.mjGEOM_SPHERE),
    ):
        model.geom("a").type[0] = a
        model.geom_type[model.geom("b").id] = b
        module.mj_forward(model, data)
        found.append((data.contact.geom.tolist(), data.contact.dist.copy(), data.qacc.copy()))
    return found


def test_types_of_geoms_count_from_the_next_step_on():
    theirs, ours = types(mujoco), types(compat)
    assert len({len(dist) for _, dist, _ in theirs}) > 1
    for expected, actual in zip(theirs, ours, strict=True):
        assert actual[0] == expected[0]
        np.testing.assert_allclose(actual[1], expected[1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(actual[2], expected[2], rtol=1e-9, atol=1e-9)


def borrowed_tree(module):
    """The bounding volumes and shapes of another model take the place of a model's own."""
    model, data = stepped(module, SCENE.format(a="box", b="sphere"))
    other = module.MjModel.from_xml_string(SCENE.format(a="sphere", b="box").replace("-.3 0 0", "-.1 .3 0"))
    names = ("type", "size", "pos", "rbound", "aabb")
    for name in [f"geom_{name}" for name in names] + ["bvh_aabb", "bvh_child", "bvh_depth", "bvh_nodeid"]:
        getattr(model, name)[:] = getattr(other, name)
    for _ in range(20):
        module.mj_step(model, data)
    return data.qpos.copy(), data.contact.geom.tolist(), np.array_equal(model.bvh_nodeid, other.bvh_nodeid)


def test_bounding_volumes_can_be_those_of_another_model():
    theirs, ours = borrowed_tree(mujoco), borrowed_tree(compat)
    np.testing.assert_allclose(ours[0], theirs[0], rtol=0, atol=1e-9)
    assert ours[1:] == theirs[1:]


def recoded(module, name, row, code):
    model, data = stepped(module, LINKED)
    before = getattr(model, name)[row]
    getattr(model, name)[row] = code
    data.qpos[:] = (0.3, -0.2, 0.4)
    data.qvel[:] = (1, 2, 3)
    data.ctrl[:] = (0.5, -0.5)
    module.mj_step(model, data)
    arrays = (data.qpos, data.act, data.sensordata, data.cam_xmat, data.light_xpos, data.ten_length, data.qfrc_actuator)
    return before, np.concatenate([np.ravel(array) for array in arrays])


@pytest.mark.parametrize(("name", "row", "code"), CODES)
def test_codes_and_ids_count_from_the_next_step_on(name, row, code):
    before, theirs = recoded(mujoco, name, row, code)
    same, ours = recoded(compat, name, row, code)
    assert before == same != code
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


def structure(model):
    """Every array that a step finds its way by."""
    arrays = {name: getattr(model, name) for name in model._all_fields if name not in model._size_fields}
    is_array = {name: array for name, array in arrays.items() if isinstance(array, np.ndarray) and array.size}
    return {name: array for name, array in is_array.items() if array.dtype.kind in "iu" and array.flags.writeable}


def outcome(model, data):
    """What a step and what else reads a model says of it: nothing, or a refusal."""
    said = set()
    for use in (compat.mj_step, compat.mj_resetData, lambda m, d: compat.MjData(m), lambda m, d: copy.copy(m)):
        try:
            use(model, data)
        except ValueError as error:
            said.add(str(error))
        except sinew.StepError:
            pass
    return said


BAD = (-(2**31), -2, -1, 0, 1, 3, 7, 255, 2**20, 2**31 - 1)
FILES = ("manipulator", "mesh_scene", "muscle_arm", "sensor_zoo", "terrain", "flex/flag", "flex/trilinear_jelly")


@pytest.mark.parametrize("file", [None, *FILES])
def test_what_leads_nowhere_is_refused_by_name(file):
    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{file}.xml")) if file else None
    model = model or compat.MjModel.from_xml_string(EVERYTHING)
    data = compat.MjData(model)
    state = np.random.default_rng(5)
    refused = taken = 0
    for name, array in structure(model).items():
        flat = array.reshape(-1)
        for entry in state.integers(0, flat.size, 3):
            for bad in state.choice(BAD, 4, replace=False):
                before = flat[entry]
                if array.dtype == np.uint8:
                    bad = bad % 256
                flat[entry] = bad
                said = outcome(model, data)
                assert len(said) <= 1, (name, entry, bad, said)
                taken += not said
                refused += len(said)
                row = entry // (flat.size // len(array))
                for message in said:
                    assert re.search(rf"\b{name}\[{row}\]", message), (name, row, message)
                flat[entry] = before
                compat.mj_resetData(model, data)
    compat.mj_step(model, data)
    assert refused > 300 and taken > 50, (refused, taken)


def test_a_model_with_a_wrong_id_is_refused_until_it_is_mended():
    model = compat.MjModel.from_xml_string(LINKED)
    data = compat.MjData(model)
    model.body_parentid[3] = 3
    uses = (
        lambda: compat.mj_step(model, data),
        lambda: compat.MjData(model),
        lambda: copy.deepcopy(model),
        lambda: pickle.dumps(model),
        lambda: compat.mj_setConst(model, data),
        lambda: compat.mj_fullM(model, np.zeros((3, 3)), data.qM),
        lambda: sinew.Batch(model, 2),
    )
    for use in uses:
        with pytest.raises(ValueError, match=re.escape("body_parentid[3]")):
            use()
    model.body_parentid[3] = 2
    for use in uses:
        use()


def test_names_and_texts_stay():
    model = compat.MjModel.from_xml_string(EVERYTHING)
    for name in ("name_bodyadr", "names_map", "mesh_pathadr"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(model, name)[0] = 1


def test_arrays_of_structure_are_the_same_at_every_access():
    model = compat.MjModel.from_xml_string(EVERYTHING)
    for name in structure(model):
        assert getattr(model, name) is getattr(model, name), name
    assert np.shares_memory(model.geom("geom1").type, model.geom_type)

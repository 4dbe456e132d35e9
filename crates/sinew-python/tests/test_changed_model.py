"""Values of a model that are written after the first step count in the next, as in the reference."""

import gc
import re

import mujoco
import numpy as np
import pytest

import sinew
import sinew.compat as compat

# Bodies 1, 2, 3 hang on each other, 4 and 5 are free; all overlap. Only the floor and body 1 have contact bits.
HEAP = """<mujoco><worldbody><geom type="plane" size="2 2 1"/>
  <body name="a" pos="0 0 .09"><freejoint/><geom size=".1"/>
    <body name="b" pos=".15 0 0"><joint/><geom size=".1" contype="0" conaffinity="0"/>
      <body name="c" pos="-.1 0 .1"><joint axis="1 0 0"/><geom size=".1" contype="0" conaffinity="0"/></body></body></body>
  <body name="d" pos="0 .15 .1"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
  <body name="e" pos="0 -.15 .1"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
  </worldbody><contact><exclude body1="a" body2="e"/></contact></mujoco>"""

# A ball made of triangles above the floor, beside a box.
MESH = """<mujoco><asset><mesh name="m" builtin="sphere" params="2" scale=".1 .1 .1"/></asset>
  <worldbody><geom type="plane" size="2 2 1"/>
    <body pos="0 0 .12"><freejoint/><geom type="mesh" mesh="m"/></body>
    <body pos=".24 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def stepped(module, xml):
    """A simulation that has made a step, and is back at the initial state."""
    model = module.MjModel.from_xml_string(xml)
    data = module.MjData(model)
    module.mj_step(model, data)
    module.mj_resetData(model, data)
    module.mj_forward(model, data)
    return model, data


def set_bits(model, contype, conaffinity):
    model.body_contype[:] = model.geom_contype[:] = contype
    model.body_conaffinity[:] = model.geom_conaffinity[:] = conaffinity


def bits(module):
    """The geoms in contact after each of several changes of contact bits and of the parent filter."""
    model, data = stepped(module, HEAP)
    found = [data.contact.geom.tolist()]

    def look():
        module.mj_forward(model, data)
        found.append(data.contact.geom.tolist())

    model.body_contype[:] = 1
    look()
    set_bits(model, 1, 1)
    look()
    model.opt.disableflags = module.mjtDisableBit.mjDSBL_FILTERPARENT
    look()
    model.geom_contype[2] = model.geom_conaffinity[2] = 0
    look()
    model.body_contype[3] = model.body_conaffinity[3] = 0
    look()
    model.opt.disableflags = 0
    set_bits(model, 2, 1)
    look()
    model.body_conaffinity[4] = model.geom_conaffinity[4] = 3
    look()
    set_bits(model, 0, 0)
    look()
    return found


def test_contact_bits_count_from_the_next_step_on():
    theirs, ours = bits(mujoco), bits(compat)
    assert [len(pairs) for pairs in theirs] == [1, 1, 8, 10, 7, 4, 0, 3, 0]
    assert ours == theirs


def vertices(module, change):
    model, data = stepped(module, MESH)
    found = []

    def look():
        module.mj_forward(model, data)
        apart = module.mj_geomDistance(model, data, 1, 2, 1, None)
        found.append((data.contact.geom.tolist(), data.contact.dist.tolist(), apart))

    look()
    change(model, look)
    return found


def scaled(model, look):
    model.mesh_vert[:] *= 1.5
    model.geom_rbound[1] *= 1.5
    model.geom_aabb[1] *= 1.5
    look()
    model.mesh_vert[:, 0] *= 0.5
    look()
    model.mesh_vert = model.mesh_vert / 1.5
    look()


def scaled_through_an_array_that_is_held(model, look):
    model.geom_rbound[1] *= 2
    model.geom_aabb[1] *= 2
    side = model.mesh_vert[:, 0]
    for factor in (2, 0.4, 2):
        side *= factor
        look()
    side *= 0.5
    del side
    gc.collect()
    look()
    look()


@pytest.mark.parametrize("change", [scaled, scaled_through_an_array_that_is_held])
def test_mesh_vertices_count_from_the_next_step_on(change):
    theirs, ours = vertices(mujoco, change), vertices(compat, change)
    assert len({len(pairs) for pairs, *_ in theirs}) > 1
    for expected, actual in zip(theirs, ours, strict=True):
        assert actual[0] == expected[0]
        np.testing.assert_allclose(actual[1], expected[1], rtol=0, atol=1e-12)
        assert actual[2] == pytest.approx(expected[2], abs=1e-12)


def test_arrays_of_vertices_outlive_their_model():
    model, _ = stepped(compat, MESH)
    part = model.mesh_vert[3:5]
    values = part.tolist()
    del model
    gc.collect()
    churn = [np.full(1000, 7.0) for _ in range(200)]
    assert part.tolist() == values and len(churn) == 200


@pytest.mark.parametrize("module", [mujoco, compat])
def test_contacts_of_geoms_have_no_flexes(module):
    _, data = stepped(module, HEAP)
    assert data.ncon == 1
    for name in ("flex", "elem", "vert"):
        assert getattr(data.contact, name).tolist() == [[-1, -1]]
        assert getattr(data.contact[0], name).tolist() == [-1, -1]


def test_a_negative_mass_is_named_by_the_next_step_and_by_set_const():
    model = compat.MjModel.from_xml_string(HEAP)
    data = compat.MjData(model)
    for array, entry, name in ((model.body_mass, 3, "body_mass[3]"), (model.body_inertia, (2, 1), "body_inertia[2]")):
        mass = array[entry]
        array[entry] = -1
        with pytest.raises(sinew.StepError, match=re.escape(f"{name} is negative")):
            compat.mj_step(model, data)
        with pytest.raises(ValueError, match=re.escape(f"{name} is negative")):
            compat.mj_setConst(model, data)
        array[entry] = mass
        compat.mj_setConst(model, data)
        compat.mj_step(model, data)


def test_constants_are_derived_in_the_arrays_of_the_simulation():
    """As the reference leaves them: at ``qpos_spring``, inertia, cameras and lights at ``qpos0``; bodies of motion capture stay."""
    text = """<mujoco><worldbody><camera name="c" mode="trackcom"/>
        <body name="hand" mocap="true" pos="0 0 2"><geom size=".1" contype="0"/></body>
        <body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0" springref="40" ref="10"/><geom type="capsule" size=".05 .3"/>
          <site name="s" pos="0 0 .3"/><light pos="0 0 1"/></body></worldbody>
        <equality><connect body1="arm" body2="hand" anchor="0 0 .3"/></equality>
        <tendon><spatial name="t"><site site="s"/><site site="w"/></spatial></tendon>
        <actuator><motor tendon="t"/></actuator></mujoco>""".replace("<worldbody>", '<worldbody><site name="w"/>', 1)
    answers = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        data.mocap_pos[0] = [0.2, 0, 1.5]
        module.mj_step(model, data, 30)
        model.body_mass[2] *= 2
        module.mj_setConst(model, data)
        answers.append((model, data))
    (theirs, their_data), (ours, our_data) = answers
    for name in ("eq_data", "body_invweight0", "tendon_length0", "tendon_lengthspring"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12, err_msg=name)
    poses = ("qpos", "xpos", "xmat", "site_xpos", "cam_xpos", "cam_xmat", "light_xpos", "subtree_com", "cdof")
    others = ("ten_length", "actuator_length", "actuator_moment", "qM", "qLD", "qvel", "time", "mocap_pos")
    for name in poses + others:
        expected, actual = getattr(their_data, name), getattr(our_data, name)
        np.testing.assert_allclose(actual, expected, atol=1e-12, err_msg=name)

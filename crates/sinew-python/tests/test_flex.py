"""Deformables through ``sinew.compat``: arrays, functions, names and rays, against the reference's module."""

from __future__ import annotations

import copy
import os
import pickle

import mujoco
import numpy as np
import pytest

import sinew.compat

CLOTH = """
<mujoco>
  <worldbody>
    <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" pos="0 0 1" radius=".02" mass=".2">
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <edge equality="true" damping=".1"/>
      <pin id="0 3"/>
    </flexcomp>
    <flexcomp name="jelly" type="grid" dim="3" dof="trilinear" count="4 4 4" spacing=".1 .1 .1" pos="1 0 1" radius=".01">
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <elasticity young="1e3" poisson=".3" damping=".01"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""

ARRAYS = (
    "flexvert_xpos", "flexelem_aabb", "flexedge_J", "flexedge_length", "flexedge_velocity", "flexvert_J",
    "flexvert_length", "bvh_aabb_dyn", "qfrc_spring", "qfrc_damper", "efc_pos", "efc_J", "qacc",
)  # fmt: skip


@pytest.fixture
def both():
    """The cloth in both modules, after 20 steps."""
    found = []
    for module in (mujoco, sinew.compat):
        model = module.MjModel.from_xml_string(CLOTH)
        data = module.MjData(model)
        for _ in range(20):
            module.mj_step(model, data)
        module.mj_forward(model, data)
        found.append((module, model, data))
    return found


def test_arrays_have_the_numbers_of_the_reference(both):
    (_, _, expected), (_, _, data) = both
    for name in ARRAYS:
        actual, wanted = getattr(data, name), getattr(expected, name)
        assert actual.shape == wanted.shape, name
        np.testing.assert_allclose(actual, wanted, rtol=1e-9, atol=1e-9, err_msg=name)


def test_flexes_have_names(both):
    _, model, _ = both[1]
    assert model.flex("cloth").id == 0
    assert model.flex(1).name == "jelly"
    assert model.flex("jelly").dim == 3
    assert model.flex("cloth").vertnum == 16


def test_a_stage_of_its_own(both):
    for module, model, data in both:
        data.qpos[0] += 0.1
        module.mj_kinematics(model, data)
        module.mj_comPos(model, data)
        module.mj_flex(model, data)
    np.testing.assert_allclose(both[1][2].flexvert_xpos, both[0][2].flexvert_xpos, atol=1e-9)


def test_rays_meet_the_same_parts(both):
    random = np.random.default_rng(0)
    met = 0
    for _ in range(300):
        flex = int(random.integers(2))
        flags = [int(flag) for flag in random.integers(2, size=4)]
        layer = int(random.integers(3))
        target = random.normal(size=3) * 0.15 + (flex, 0, 1)
        start = target + random.normal(size=3)
        answers = []
        for module, model, data in both:
            vertex, normal = np.full(1, -7, np.int32), np.zeros(3)
            distance = module.mj_rayFlex(model, data, layer, *flags, flex, start, target - start, vertex, normal)
            answers.append((distance, vertex[0], normal))
        (distance, vertex, normal), (actual, nearest, surface) = answers
        assert actual == pytest.approx(distance, abs=1e-8)
        assert nearest == vertex
        np.testing.assert_allclose(surface, normal, atol=1e-6)
        met += distance >= 0
    assert met > 50


def test_an_unknown_flex_is_an_error(both):
    _, model, data = both[1]
    with pytest.raises(IndexError):
        sinew.compat.mj_rayFlex(model, data, 0, 1, 1, 1, 1, 2, [0, 0, 1], [0, 0, -1])


FALLING = """
<mujoco>
  <option timestep=".001"><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos=".02 0 .2"><freejoint/><geom type="box" size=".05 .04 .03"/></body>
    <flexcomp name="sheet" type="grid" dim="2" count="5 5 1" spacing=".05 .05 .05" pos="0 0 .05" radius=".01" mass=".2">
      <edge equality="true" damping=".01"/>
    </flexcomp>
    <flexcomp name="line" type="grid" dim="1" count="5 1 1" spacing=".05 .05 .05" pos="0 0 .1" radius=".01" mass=".1">
      <edge stiffness="50" damping=".1"/>
    </flexcomp>
    <flexcomp name="cube" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos=".3 0 .06" radius=".005" mass=".3">
      <elasticity young="2e3" poisson=".2" damping=".001"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def fallen():
    """Flexes on a plane, under a box and on each other, after 150 steps."""
    model = sinew.compat.MjModel.from_xml_string(FALLING)
    data = sinew.compat.MjData(model)
    sinew.compat.mj_step(model, data, 150)
    return model, data


def test_contacts_say_what_touches(fallen):
    expected_model = mujoco.MjModel.from_xml_string(FALLING)
    expected = mujoco.MjData(expected_model)
    model, data = fallen
    expected.qpos, expected.qvel = data.qpos, data.qvel
    mujoco.mj_forward(expected_model, expected)
    sinew.compat.mj_forward(model, data)
    assert data.ncon == expected.ncon > 30
    for name in ("geom", "flex", "elem", "vert"):
        np.testing.assert_array_equal(getattr(data.contact, name), getattr(expected.contact, name), err_msg=name)
    assert data.energy == pytest.approx(expected.energy, rel=1e-9)


def test_copies_and_pickles_go_on_bit_for_bit(fallen):
    model, data = fallen
    others = [
        (model, copy.copy(data)),
        (copy.copy(model), copy.deepcopy(data)),
        (pickle.loads(pickle.dumps(model)), pickle.loads(pickle.dumps(data))),
    ]
    sinew.compat.mj_step(model, data, 50)
    for other_model, other in others:
        sinew.compat.mj_step(other_model, other, 50)
        np.testing.assert_array_equal(other.qpos, data.qpos)
        np.testing.assert_array_equal(other.flexvert_xpos, data.flexvert_xpos)


def test_a_forked_child_steps_on(fallen):
    model, data = fallen
    child = os.fork()
    if child == 0:
        status = 1
        try:
            copied = pickle.loads(pickle.dumps(model)), pickle.loads(pickle.dumps(data))
            for one_model, one in (fallen, copied):
                sinew.compat.mj_step(one_model, one, 20)
            status = int(not np.array_equal(copied[1].qpos, data.qpos))
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

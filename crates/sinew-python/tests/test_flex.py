"""Deformables through ``sinew.compat``: arrays, functions, names and rays, against the reference's module."""

from __future__ import annotations

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

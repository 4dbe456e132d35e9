"""Steps from Python: the same numbers as the reference, and calls that can be interrupted."""

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as compat

BALL = """
<mujoco>
  <option><flag energy="enable"/></option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="ball" pos="0 0 0.5"><freejoint/><geom name="ball" size="0.1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def ball():
    model = compat.MjModel.from_xml_string(BALL)
    return model, compat.MjData(model)


@pytest.mark.parametrize("name", ["pendulum", "cartpole", "arm_actuators", "swimmer", "drone"])
def test_a_hundred_steps_agree_with_the_reference(name):
    path = str(REPOSITORY / "models" / f"{name}.xml")
    ours, theirs = compat.MjModel.from_xml_path(path), mujoco.MjModel.from_xml_path(path)
    data, reference = compat.MjData(ours), mujoco.MjData(theirs)
    controls = np.random.default_rng(0).uniform(-0.3, 0.3, ours.nu)
    data.ctrl = controls
    reference.ctrl = controls
    compat.mj_step(ours, data, 100)
    mujoco.mj_step(theirs, reference, 100)
    assert data.time == pytest.approx(reference.time, rel=1e-12)
    np.testing.assert_allclose(data.qpos, reference.qpos, rtol=0, atol=1e-9)


def test_options_take_effect_at_the_next_step(ball):
    model, data = ball
    model.opt.timestep = 0.25
    model.opt.gravity = 0, 0, 0
    compat.mj_step(model, data)
    assert data.time == 0.25
    assert data.qvel.tolist() == [0] * 6


def test_step_in_two_halves_is_a_step(ball):
    model, data = ball
    other = compat.MjData(model)
    for _ in range(10):
        compat.mj_step(model, data)
        compat.mj_step1(model, other)
        compat.mj_step2(model, other)
    assert other.qpos.tolist() == data.qpos.tolist()


def test_contacts_are_listed(ball):
    model, data = ball
    assert data.ncon == 0 and len(data.contact) == 0
    compat.mj_step(model, data, 200)
    assert data.ncon == len(data.contact) == 1
    contact = data.contact[0]
    assert (contact.geom1, contact.geom2) == (model.geom("floor").id, model.geom("ball").id)
    assert contact.dist == data.contact.dist[0] < 0
    assert contact.frame.shape == (9,) and data.contact.frame.shape == (1, 9)
    assert data.nefc == 4
    with pytest.raises(IndexError):
        data.contact[1]


def test_energy_is_reported(ball):
    model, data = ball
    compat.mj_forward(model, data)
    mass = model.body("ball").mass[0]
    assert data.energy.tolist() == pytest.approx([mass * 9.81 * 0.5, 0])


def test_divergence_is_counted_and_reset(ball):
    model, data = ball
    data.qpos[0] = np.nan
    compat.mj_step(model, data)
    warning = data.warning[compat.mjtWarning.mjWARN_BADQPOS]
    assert warning.number > 0 and warning.lastinfo == 0
    assert np.isfinite(data.qpos).all()

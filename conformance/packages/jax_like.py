"""Packages that move models by ``mujoco.mjx``: what the engine gives them is loaded and compiled, and what comes back."""

from __future__ import annotations

from typing import Any

import numpy as np

from .motion import SEED, SINGLE, Motion, Use, controls, flat

_WORLD = """
<mujoco>
  <option timestep="0.004" iterations="4" ls_iterations="8" {option}/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .12"><freejoint/><geom type="{shape}" size=".1 .1 .1"/></body>
    <body pos=".5 0 .6">
      <joint name="shoulder" axis="0 1 0" range="-40 40" limited="true" damping=".1"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" frictionloss=".01"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .2 0 0"/>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="shoulder" joint2="elbow" polycoef="0 .5 0 0 0"/></equality>
  <actuator><motor joint="shoulder"/><position joint="elbow" kp="2"/></actuator>
  <sensor><jointpos joint="elbow"/><framelinacc objtype="body" objname="world"/></sensor>
</mujoco>
"""
_WORLDS = {
    "sphere": _WORLD.format(option="", shape="sphere"),
    "box": _WORLD.format(option="", shape="box"),
    "sphere, elliptic": _WORLD.format(option='cone="elliptic"', shape="sphere"),
    "sphere, sparse": _WORLD.format(option='jacobian="sparse"', shape="sphere"),
}


def _mjx(task: str) -> Motion:
    import jax
    import mujoco
    from mujoco import mjx

    model = mujoco.MjModel.from_xml_string(_WORLDS[task])
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    yield data.qpos
    device_model, device_data = mjx.put_model(model), mjx.put_data(model, data)
    step, random = jax.jit(mjx.step), controls()
    yield _summary(mjx.get_data(model, device_data))
    while True:
        device_data = device_data.replace(ctrl=jax.numpy.asarray(random.uniform(-1.0, 1.0, model.nu)))
        device_data = step(device_model, device_data)
        yield _summary(mjx.get_data(model, device_data))


def _summary(back: Any) -> np.ndarray:
    """What came back from the device. Rows come and go, so of them there are sums."""
    rows = (back.efc_J, back.efc_aref, back.efc_force, back.efc_D, back.contact.dist, back.contact.geom)
    counts = (back.ncon, back.nefc, np.sum(back.efc_type), np.sum(back.contact.efc_address))
    return flat(back.qpos, back.qvel, back.sensordata, back.qfrc_actuator, counts, *map(np.sum, rows))


def _brax(task: str) -> Motion:
    import jax
    from brax import envs

    name, backend = task.split("/")
    env = envs.get_environment(name, backend=backend)
    yield from _functional(env, jax, lambda state: (state.obs, state.pipeline_state.q))


def _playground(task: str) -> Motion:
    import jax
    from mujoco_playground import registry

    env = registry.load(task)
    yield from _functional(env, jax, lambda state: (state.obs, state.data.qpos))


def _functional(env: Any, jax: Any, numbers: Any) -> Motion:
    """An environment whose state is a value: a little change of its first control does what one of ``qpos`` does
    elsewhere."""
    state = jax.jit(env.reset)(jax.random.PRNGKey(SEED))
    step, random = jax.jit(env.step), controls()
    first = np.zeros(env.action_size)
    yield first
    while True:
        action = random.uniform(-1.0, 1.0, env.action_size) + first
        first = np.zeros(env.action_size)
        state = step(state, jax.numpy.asarray(action, dtype=jax.numpy.float32))
        yield flat(*numbers(state))


USES = {
    # All that moves is JAX's, which gets the same numbers or not, so that a change may be as small as anywhere.
    "mjx": Use("mujoco-mjx", tuple(_WORLDS), 50, _mjx),
    "brax": Use("brax", ("inverted_pendulum/mjx", "reacher/generalized", "ant/spring"), 50, _brax, SINGLE),
    "playground": Use("playground", ("CartpoleBalance", "PendulumSwingup", "FingerSpin"), 50, _playground, SINGLE),
}

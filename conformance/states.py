"""Random states: joint positions from their ranges, unit quaternions, velocities, controls, activations, poses."""

from __future__ import annotations

from typing import Any

import numpy as np

# Joint types as the reference numbers them.
FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3

State = dict[str, np.ndarray]


def random_states(model: Any, count: int, seed: int) -> list[State]:
    """The rest state followed by `count` random ones, the same for the same model, count and seed."""
    generator = np.random.default_rng(seed)
    return [_rest(model)] + [_random(model, generator) for _ in range(count)]


def apply(state: State, data: Any) -> None:
    """Write a state into an MjData of either engine."""
    for name, value in state.items():
        setattr(data, name, value)


def _rest(model: Any) -> State:
    """The initial configuration, without motion or input."""
    return {
        "qpos": np.array(model.qpos0),
        "qvel": np.zeros(model.nv),
        "act": np.zeros(model.na),
        "ctrl": np.zeros(model.nu),
    }


def _random(model: Any, generator: np.random.Generator) -> State:
    """One random state; the draws happen in a fixed order."""
    qpos = np.array(model.qpos0)
    for joint in range(model.njnt):
        _random_joint(model, joint, generator, qpos)
    state = {
        "qpos": qpos,
        "qvel": generator.normal(size=model.nv),
        "act": generator.uniform(size=model.na),
        "ctrl": random_controls(model, generator),
    }
    if model.nmocap:
        state["mocap_pos"] = generator.normal(size=(model.nmocap, 3))
        state["mocap_quat"] = np.array([_unit_quaternion(generator) for _ in range(model.nmocap)])
    return state


def _random_joint(model: Any, joint: int, generator: np.random.Generator, qpos: np.ndarray) -> None:
    """Draw one joint's position: uniform in its range if limited, else normal about the initial value."""
    kind = int(model.jnt_type[joint])
    address = int(model.jnt_qposadr[joint])
    limited = bool(model.jnt_limited[joint])
    low, high = (float(value) for value in model.jnt_range[joint])
    if kind == FREE:
        qpos[address : address + 3] += generator.normal(size=3)
        qpos[address + 3 : address + 7] = _unit_quaternion(generator)
    elif kind == BALL:
        if limited:
            qpos[address : address + 4] = _rotation(generator, generator.uniform(0, high))
        else:
            qpos[address : address + 4] = _unit_quaternion(generator)
    elif limited:
        qpos[address] = generator.uniform(low, high)
    else:
        qpos[address] += generator.normal()


def random_controls(model: Any, generator: np.random.Generator) -> np.ndarray:
    """Uniform in the control range where there is one, else normal."""
    controls = generator.normal(size=model.nu)
    fractions = generator.uniform(size=model.nu)
    for actuator in np.flatnonzero(model.actuator_ctrllimited):
        low, high = model.actuator_ctrlrange[actuator]
        controls[actuator] = low + fractions[actuator] * (high - low)
    return controls


def _unit_quaternion(generator: np.random.Generator) -> np.ndarray:
    """A rotation drawn uniformly."""
    quaternion = generator.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


def _rotation(generator: np.random.Generator, angle: float) -> np.ndarray:
    """A rotation by a given angle about a random axis."""
    axis = generator.normal(size=3)
    axis /= np.linalg.norm(axis)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis])

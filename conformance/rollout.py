"""States that the reference reaches on its own: rollouts under random controls, so that contacts are real."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.engines import Engine
from conformance.states import State, random_controls

EPISODES = 5
# Steps between two states that are kept.
STRIDE = 20
# Standard deviation of the velocities that an episode starts with.
PUSH = 0.5

# What determines a step, beside time and the model.
PARTS = (
    "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
    "mocap_pos", "mocap_quat", "userdata",
)  # fmt: skip


def rollout_states(engine: Engine, model: Any, count: int, seed: int) -> Iterator[State]:
    """`count` states from a few episodes, each from the initial state or a keyframe with random velocities."""
    generator = np.random.default_rng(seed)
    data = engine.data(model)
    episodes = min(EPISODES, count)
    for episode in range(episodes):
        _begin(engine, model, data, episode, generator)
        for _ in range(count * (episode + 1) // episodes - count * episode // episodes):
            for _ in range(STRIDE):
                data.ctrl = random_controls(model, generator)
                engine.call("mj_step", model, data)
            yield snapshot(data)


def snapshot(data: Any) -> State:
    """A copy of everything that determines the next step."""
    state = {name: np.array(getattr(data, name)) for name in PARTS}
    state["time"] = data.time
    return state


def _begin(engine: Engine, model: Any, data: Any, episode: int, generator: np.random.Generator) -> None:
    """Odd episodes start from a keyframe where there is one."""
    if episode % 2 and model.nkey:
        engine.call("mj_resetDataKeyframe", model, data, (episode // 2) % model.nkey)
    else:
        engine.call("mj_resetData", model, data)
    data.qvel = data.qvel + PUSH * generator.normal(size=model.nv)

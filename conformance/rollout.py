"""States that the reference reaches on its own, so that contacts are real: falling, standing, grasping, piled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from conformance.engines import Engine
from conformance.states import State, random_controls

# Steps between two states that are kept.
STRIDE = 20

# What determines a step, beside time and the model.
PARTS = (
    "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
    "mocap_pos", "mocap_quat", "userdata",
)  # fmt: skip


@dataclass(frozen=True)
class Episode:
    """How a motion starts and how it is driven."""

    keyframe: int | None  # start, if the model has keyframes; else the initial state
    push: float  # standard deviation of the velocities added at the start
    hold: int  # steps for which random controls are held; 0 keeps the controls of the start


EPISODES = (
    Episode(None, 0.5, 1),  # falls, trembling
    Episode(0, 0.5, STRIDE),  # moves from pose to pose
    Episode(0, 0.0, 0),  # stands or collapses
    Episode(1, 0.1, 5 * STRIDE),  # grasps and holds
    Episode(None, 2.0, 0),  # is thrown
)


def rollout_states(engine: Engine, model: Any, count: int, seed: int) -> Iterator[State]:
    """`count` states, spread over the episodes."""
    generator = np.random.default_rng(seed)
    data = engine.data(model)
    episodes = EPISODES[:count]
    for number, episode in enumerate(episodes):
        _begin(engine, model, data, episode, generator)
        kept = count * (number + 1) // len(episodes) - count * number // len(episodes)
        for step in range(kept * STRIDE):
            if episode.hold and step % episode.hold == 0:
                data.ctrl = random_controls(model, generator)
            engine.call("mj_step", model, data)
            if (step + 1) % STRIDE == 0:
                yield snapshot(data)


def snapshot(data: Any) -> State:
    """A copy of everything that determines the next step."""
    state = {name: np.array(getattr(data, name)) for name in PARTS}
    state["time"] = data.time
    return state


def _begin(engine: Engine, model: Any, data: Any, episode: Episode, generator: np.random.Generator) -> None:
    if episode.keyframe is not None and model.nkey:
        engine.call("mj_resetDataKeyframe", model, data, episode.keyframe % model.nkey)
    else:
        engine.call("mj_resetData", model, data)
    data.qvel = data.qvel + episode.push * generator.normal(size=model.nv)

"""Who races: each makes the same steps of the same worlds and leaves the states of every step side by side.

A contestant is given initial states and controls and returns states (worlds × steps × numbers of qpos and qvel). What
it prepares once (models, simulations, threads) is not timed.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from conformance.batch_race.release import Process, rollouts, timed

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Work:
    """One race: worlds that begin at different velocities and are driven by random controls."""

    model: str
    threads: int
    qpos: Numbers
    qvel: Numbers
    controls: Numbers

    @property
    def steps(self) -> int:
        """Steps of all worlds together."""
        return self.controls.shape[0] * self.controls.shape[1]


@dataclass(frozen=True)
class Result:
    """What a contestant did."""

    wall: float
    """Seconds."""
    processor: float
    """Seconds of all threads together."""
    states: Numbers | None
    """Positions and velocities of every step, where they can be looked at."""


Run = Callable[[], Result]


def work(model: Path, worlds: int, steps: int, threads: int, seed: int = 1) -> Work:
    """The same numbers for everybody."""
    import sinew.compat as compat

    m = compat.MjModel.from_xml_path(str(model))
    rng = np.random.default_rng(seed)
    low, high = m.actuator_ctrlrange.T
    is_limited = (m.actuator_ctrllimited != 0) & (high > low)
    low, high = np.where(is_limited, low, -1.0), np.where(is_limited, high, 1.0)
    qvel = rng.uniform(-0.1, 0.1, (worlds, m.nv))
    controls = rng.uniform(low, high, (worlds, steps, m.nu))
    return Work(str(model), threads, np.tile(m.qpos0, (worlds, 1)), qvel, controls)


def batch(given: Work, lanes: int | None = None, precision: str = "f64") -> Run:
    """All worlds in a ``sinew.Batch``, as many side by side as there are lanes."""
    import sinew

    made = sinew.Batch(given.model, len(given.qpos), threads=given.threads, lanes=lanes, precision=precision)
    states = np.empty((*given.controls.shape[:2], made.states.shape[1]))

    def run() -> Result:
        made.reset()
        made.qpos[:], made.qvel[:] = given.qpos, given.qvel
        return Result(*timed(lambda: made.rollout(given.controls, states=states).states))

    return run


def alone(given: Work) -> Run:
    """The same, one world at a time: every step is one of the plain engine."""
    return batch(given, lanes=1)


def reference(given: Work) -> Run:
    """The reference's ``rollout``, with threads that stay."""
    import mujoco
    from mujoco import rollout

    run = rollouts(mujoco, rollout, asdict(given))
    return lambda: Result(*timed(run))


def other_release(environment: Path) -> Callable[[Work], Run]:
    """The ``rollout`` of the release that a virtual environment has."""

    def prepare(given: Work) -> Run:
        with tempfile.NamedTemporaryFile(suffix=".npz") as file:
            np.savez(file.name, **asdict(given))
            process = Process(environment, Path(file.name))
            process.run()
        return lambda: Result(*process.run(), None)

    return prepare


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

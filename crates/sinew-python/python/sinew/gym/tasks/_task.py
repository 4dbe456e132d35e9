"""What a task is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...batch import Batch
from ...compat import MjModel

Array = npt.NDArray[Any]
Range = tuple[float, float]


@dataclass
class Judgement:
    """What a step was worth, and whether it ended the episode."""

    reward: Array
    terminated: Array
    info: dict[str, Array]
    """What users are told of it: arrays that nobody else has, with all of ``Task.describe``."""


def square_sum(values: Array) -> Array:
    """The sum of squares of each world's numbers, in the precision that they have."""
    numbers = flat(values)
    return _products(numbers, numbers)


def _summed_products(first: Array, second: Array) -> Array:
    return np.einsum("nk,nk->n", first, second)


# numpy 1 has no function for it.
_products = getattr(np, "vecdot", _summed_products)


def flat(values: Array) -> Array:
    return values.reshape(len(values), -1)


def is_inside(values: Array, limits: Range) -> Array:
    return (limits[0] < values) & (values < limits[1])


@dataclass
class Task:
    """One task. Its fields are settings, given as keywords of the environment."""

    max_episode_steps: ClassVar[int] = 1000
    reward_threshold: ClassVar[float | None] = None
    derived: ClassVar[tuple[str, ...]] = ()

    xml_file: str
    frame_skip: int

    def prepare(self, model: MjModel) -> None:
        """Learns what the task needs of the model."""
        self.dt = float(model.opt.timestep) * self.frame_skip
        self.timestep = float(model.opt.timestep)
        self.start_height = model.qpos0[2] if model.nq > 2 else 0.0

    def place(self, batch: Batch) -> Array | None:
        """Where the worlds are, to see how far the next step takes them."""
        return None

    def observe(self, batch: Batch) -> Array:
        """What agents see."""
        return np.concatenate([batch.qpos, batch.qvel], axis=1)

    def judge(self, batch: Batch, action: Array, before: Array | None) -> Judgement:
        """Looks at a step that was made."""
        raise NotImplementedError

    def describe(self, batch: Batch) -> dict[str, Array]:
        """What users are told of where worlds are, after a reset too: arrays that nobody else has."""
        return {}

    def start(self, model: MjModel, random: np.random.Generator) -> tuple[Array, Array]:
        """Positions and velocities where an episode begins."""
        raise NotImplementedError


@dataclass
class Noisy(Task):
    """Begins with noise of every number, evenly spread, or normally for velocities."""

    has_normal_velocities: ClassVar[bool] = False

    reset_noise_scale: float = 0.1

    def start(self, model, random):
        scale = self.reset_noise_scale
        qpos = model.qpos0 + random.uniform(-scale, scale, model.nq)
        if self.has_normal_velocities:
            return qpos, scale * random.standard_normal(model.nv)
        return qpos, random.uniform(-scale, scale, model.nv)


def clipped(values: Array, limits: Range) -> Array:
    if limits[0] != -np.inf:
        values = np.maximum(values, limits[0])
    return np.minimum(values, limits[1])


def ground_place(batch: Batch) -> dict[str, Array]:
    """Where worlds are on the ground."""
    x, y = batch.qpos[:, :2].T.copy()
    return {"x_position": x, "y_position": y, "distance_from_origin": np.hypot(x, y)}

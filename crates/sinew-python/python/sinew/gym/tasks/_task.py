"""What a task is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ...batch import Batch
from ...compat import MjModel
from ...errors import DeviceError

Array = npt.NDArray[Any]
Range = tuple[float, float]


@dataclass
class Judgement:
    """What a step was worth, and whether it ended the episode."""

    reward: Array
    terminated: Array
    info: dict[str, Array]
    """What users are told of it: arrays that nobody else has, with all of ``Task.describe``."""


def is_numpy(values: Any) -> bool:
    """Whether an array is one of numpy's; if not it is a tensor of PyTorch."""
    return isinstance(values, np.ndarray)


def space(values: Any) -> Any:
    """The module whose functions take an array."""
    if is_numpy(values):
        return np
    import torch  # noqa: PLC0415

    return torch


def joined(parts: list[Array]) -> Array:
    """Rows side by side."""
    return np.concatenate(parts, axis=1) if is_numpy(parts[0]) else space(parts[0]).cat(parts, dim=1)


def copied(values: Array) -> Array:
    return values.copy() if is_numpy(values) else values.clone()


def all_of(flags: Array) -> Array:
    """Whether all flags of a row are set."""
    return flags.all(axis=1) if is_numpy(flags) else flags.all(dim=1)


def norm(rows: Array) -> Array:
    """Lengths of rows."""
    return np.linalg.norm(rows, axis=1) if is_numpy(rows) else rows.norm(dim=1)


def no_flags(batch: Batch) -> Array:
    """A flag for each world that is not set."""
    qpos = batch.qpos
    return np.zeros(len(batch), bool) if is_numpy(qpos) else qpos.new_zeros(len(qpos), dtype=space(qpos).bool)


def square_sum(values: Array) -> Array:
    """The sum of squares of each world's numbers, in the precision that they have."""
    numbers = flat(values)
    return _products(numbers, numbers) if is_numpy(numbers) else (numbers * numbers).sum(dim=1)


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
    # Those that users are told where they are kept, and nobody needs.
    optional: ClassVar[tuple[str, ...]] = ()

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
        return joined([batch.qpos, batch.qvel])

    def judge(self, batch: Batch, action: Array, before: Array | None) -> Judgement:
        """Looks at a step that was made."""
        raise NotImplementedError

    def describe(self, batch: Batch) -> dict[str, Array]:
        """What users are told of where worlds are, after a reset too: arrays that nobody else has."""
        return {}

    def start(self, model: MjModel, random: np.random.Generator) -> tuple[Array, Array]:
        """Positions and velocities where an episode begins."""
        raise NotImplementedError

    def start_all(self, model: MjModel, like: Any, random: Any) -> tuple[Any, Any]:
        """Positions and velocities where episodes of all worlds begin, as tensors like one with a row for each."""
        raise DeviceError(f"{type(self).__name__} begins on the host only: arrays='numpy'", "refused")


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

    def start_all(self, model, like, random):
        import torch  # noqa: PLC0415

        def even(width: int) -> Any:
            drawn = torch.rand(len(like), width, dtype=like.dtype, device=like.device, generator=random)
            return self.reset_noise_scale * (2 * drawn - 1)

        qpos = torch.as_tensor(model.qpos0, dtype=like.dtype, device=like.device) + even(model.nq)
        if not self.has_normal_velocities:
            return qpos, even(model.nv)
        drawn = torch.randn(len(like), model.nv, dtype=like.dtype, device=like.device, generator=random)
        return qpos, self.reset_noise_scale * drawn


def clipped(values: Array, limits: Range) -> Array:
    if not is_numpy(values):
        return values.clamp(*limits)
    if limits[0] != -np.inf:
        values = np.maximum(values, limits[0])
    return np.minimum(values, limits[1])


def ground_place(batch: Batch) -> dict[str, Array]:
    """Where worlds are on the ground."""
    x, y = (copied(batch.qpos[:, k]) for k in range(2))
    return {"x_position": x, "y_position": y, "distance_from_origin": space(x).hypot(x, y)}

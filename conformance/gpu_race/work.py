"""What is raced: worlds of a model near its start, with random velocities and controls, the same for everybody."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

import sinew
from sinew.compat import MjModel

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Work:
    """A model and how its worlds are driven."""

    path: str
    model: MjModel
    low: Numbers
    high: Numbers

    @classmethod
    def of(cls, path: str) -> Work:
        """The work for a model's file."""
        model = MjModel.from_xml_path(path)
        low, high = model.actuator_ctrlrange.T
        is_limited = (model.actuator_ctrllimited != 0) & (high > low)
        return cls(path, model, np.where(is_limited, low, -1.0), np.where(is_limited, high, 1.0))

    def controls(self, worlds: int, seed: int) -> Numbers:
        """Random controls that single precision has exactly. Those of a world are the same for any number of worlds."""
        drawn = np.random.default_rng(seed).uniform(self.low, self.high, (worlds, self.model.nu))
        return drawn.astype(np.float32).astype(np.float64)

    def batch(self, worlds: int, device: str, precision: str) -> sinew.Batch:
        """Worlds that have begun, each with its own velocity and controls."""
        batch = sinew.Batch(self.model, worlds, device=device, precision=precision, seed=3)
        batch.reset_randomly(qvel=0.1)
        batch.ctrl[:] = self.controls(worlds, 1)
        return batch


def host(array) -> npt.NDArray:
    """A copy of an array of a batch, wherever that is."""
    return np.array(array)

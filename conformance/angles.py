"""Joint angles whose sine and cosine the system's C library rounds correctly.

Both engines turn the angle of a hinge, from its reference position, into sine and cosine of its half. Ours are the
doubles nearest to the true values (but for a few angles in a hundred thousand) on every machine. The reference takes
what the C library returns, which misses the nearest double for several angles in a thousand. That last bit is the
library's and no statement about an engine, but the factor of a chain of 200 links makes 1e-11 of it, and an entry that
is zero in exact arithmetic becomes 1e-17.

States are therefore moved, before either engine sees them, to the next angles that the library rounds correctly: by one
or a few units in the last place. What is compared after that is the engines' own arithmetic, at every state.

How the truth is known: long doubles carry eleven bits more and their functions err by less than one of their units.
Angles so close to a tie between two doubles that this would not decide are moved as well.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from conformance.compare import FieldResult
from conformance.states import HINGE, State
from conformance.tolerances import ANGLES_MOVED

# A half unit in the last place, where the nearest double changes, and how close to it long doubles still decide.
TIE, UNDECIDED = 0.5, 2.0**-9


class Settled:
    """Moves the hinge angles of one model's states, and counts."""

    def __init__(self, model: Any) -> None:
        self._hinges = np.array(model.jnt_qposadr)[np.array(model.jnt_type) == HINGE]
        self._origin = np.array(model.qpos0)[self._hinges]
        self._angles = self._moved = 0
        self._farthest = 0.0

    def state(self, state: State) -> State:
        """The state with its angles where the C library rounds correctly."""
        drawn = state["qpos"][self._hinges]
        angles = drawn.copy()
        step = 1.0
        while (wrong := ~rounded_correctly((angles - self._origin) * 0.5)).any():
            angles[wrong] += step * np.spacing(np.abs(angles[wrong]))
            step *= 2.0  # sines of small angles follow the angle, and with them how close they are to a tie
        self._angles += len(angles)
        self._moved += int((angles != drawn).sum())
        self._farthest = max(self._farthest, float(np.abs(angles - drawn).max(initial=0.0)))
        qpos = state["qpos"].copy()
        qpos[self._hinges] = angles
        return state | {"qpos": qpos}

    def result(self) -> FieldResult:
        """The count, as a field."""
        return FieldResult(ANGLES_MOVED, True, self._moved, self._farthest, reference=str(self._angles))


def rounded_correctly(angles: np.ndarray) -> np.ndarray:
    """Whether the C library's sine and cosine of each angle are the nearest doubles."""
    correct = np.ones(len(angles), bool)
    for library, truth in ((math.sin, np.sin), (math.cos, np.cos)):
        exact = truth(angles.astype(np.longdouble))
        nearest = exact.astype(np.float64)
        returned = np.array([library(angle) for angle in angles.tolist()], dtype=np.float64)
        error = np.abs((exact - nearest) / np.spacing(nearest)).astype(np.float64)
        correct &= (returned == nearest) & (np.abs(error - TIE) > UNDECIDED)
    return correct

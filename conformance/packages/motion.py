"""What a small use of a package is: a motion, step by step, as arrays of numbers.

A motion is a generator. It first yields an array of the state that moves (``qpos``, a live view), which whoever runs it
may change a little; then the numbers that are compared, once per step. Controls come from a generator with a fixed seed, so
both engines get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Motion = Iterator[np.ndarray]

SEED = 1
# How much the state is changed to see what the reference makes of it; more where numbers have 32 bits.
DOUBLE = 1e-12
SINGLE = 1e-6


@dataclass(frozen=True)
class Use:
    """How a package is used."""

    # The distribution whose version is named, and the module that must be there.
    distribution: str
    tasks: tuple[str, ...]
    steps: int
    start: Callable[..., Motion]
    nudge: float = DOUBLE
    # Whether it needs the folder of the reference's source.
    needs_source: bool = False


def flat(*parts: Any) -> np.ndarray:
    """All numbers of arrays and dictionaries of them, in order of their names."""
    rows: list[np.ndarray] = []
    for part in parts:
        if isinstance(part, dict):
            rows.append(flat(*(part[name] for name in sorted(part))))
        elif isinstance(part, (list, tuple)):
            rows.append(flat(*part))
        else:
            rows.append(np.asarray(part, dtype=np.float64).ravel())
    return np.concatenate(rows) if rows else np.zeros(0)


def controls() -> np.random.Generator:
    """Where controls come from."""
    return np.random.default_rng(SEED)


def within(random: np.random.Generator, low: Any, high: Any) -> np.ndarray:
    """Controls in their range; where that is open, between −1 and 1."""
    low, high = np.maximum(low, -10.0), np.minimum(high, 10.0)
    return random.uniform(low, high).astype(np.asarray(low).dtype)

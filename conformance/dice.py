"""Draws from which generated models are made: the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Sequence


class Dice:
    """Chances, numbers and attributes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.random.random() < probability

    def number(self, low: float, high: float) -> str:
        """A number between two others, short."""
        return f"{self.random.uniform(low, high):.4g}"

    def vector(self, low: float, high: float) -> str:
        """Three numbers."""
        return " ".join(self.number(low, high) for _ in range(3))

    def maybe(self, probability: float, attribute: str, *choices: str) -> str:
        """An attribute with one of some values, or nothing."""
        return f" {attribute}='{self.random.choice(choices)}'" if self.chance(probability) else ""

    def sample(self, names: Sequence[str], count: int) -> list[str]:
        """Different names, at most so many."""
        return self.random.sample(names, min(len(names), count))

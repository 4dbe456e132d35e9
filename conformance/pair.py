"""One model in both engines, and how much of it is sampled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from conformance.engines import Engine
from conformance.position_fields import is_sparse

# The bit of the reference's enable flags that lets trees sleep.
SLEEP_FLAG = 1 << 5
# Bits of the disable flags: the reference's older algorithm between convex shapes, and no islands.
NATIVE_OFF = 1 << 17
ISLANDS_OFF = 1 << 18

# Models with n times as many degrees of freedom are sampled n times less in stages that simulate.
LARGE = 150


class StageMissing(RuntimeError):
    """A stage that sinew does not implement yet."""


@dataclass(frozen=True)
class Pair:
    """One model in both engines."""

    reference_engine: Engine
    candidate_engine: Engine
    reference: Any
    candidate: Any

    def keep_awake(self) -> None:
        """Switch sleeping off, since the reference skips trees that sleep."""
        for model in self.models:
            model.opt.enableflags &= ~SLEEP_FLAG

    def collide_natively(self) -> None:
        """Let convex shapes collide by the native algorithm, also where a model disables it: the older one, which ends by a
        tolerance, is compared by tests of its own."""
        for model in self.models:
            model.opt.disableflags &= ~NATIVE_OFF

    def solve_whole(self) -> None:
        """Switch islands off where flexes meet dense Jacobians. The reference looks only at numbers that are not zero in
        the first row of a contact; a tree that moves only its other rows stays out, and memory is overwritten."""
        if self.reference.nflex and not is_sparse(self.reference):
            for model in self.models:
                model.opt.disableflags |= ISLANDS_OFF

    def slide_only(self) -> None:
        """Let contacts resist sliding but not turning where there are flexes: the reference reads the rows for turning
        at their elements from memory that was never written."""
        if self.reference.nflex:
            for model in self.models:
                for dimensions in (model.geom_condim, model.flex_condim):
                    dimensions[:] = np.minimum(dimensions, 3)

    @property
    def models(self) -> tuple[Any, Any]:
        """The model of the reference and the candidate's."""
        return self.reference, self.candidate

    def data(self) -> tuple[Any, Any]:
        """A fresh MjData in each engine."""
        return self.reference_engine.data(self.reference), self.candidate_engine.data(self.candidate)

    def call(self, function: str, data: tuple[Any, Any], *arguments: Any) -> None:
        """Call a function of both modules on model and data."""
        self.reference_engine.call(function, self.reference, data[0], *arguments)
        self.candidate_engine.call(function, self.candidate, data[1], *arguments)


@dataclass(frozen=True)
class Sampling:
    """How many states are compared, from which seed, and how long trajectories are."""

    states: int
    seed: int
    steps: int = 1000
    reduced: bool = True  # large models are sampled less

    def for_size(self, nv: int) -> Sampling:
        """The same, with fewer states and steps for models of many degrees of freedom."""
        part = max(1, nv // LARGE) if self.reduced else 1
        return replace(self, states=max(1, self.states // part), steps=max(20, self.steps // part))

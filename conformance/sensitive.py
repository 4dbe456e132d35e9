"""States at which the reference itself depends on the last bit.

Some states in contact stand on an edge: a change in the last bit decides whether two things touch, or how many
iterations a solver takes. Fields out of tolerance are therefore held against what the reference itself makes of a
change of the state by 1e-15: a state at which it strays as far, times ten, is counted as sensitive, and these fields
are left out there. The summary says how many; a run fails beyond one in a hundred, and a model of ordinary size beyond
one in ten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from conformance.compare import FieldResult
from conformance.pair import LARGE, Pair
from conformance.states import State
from conformance.tolerances import SENSITIVE, SENSITIVE_SHARE_OF_MODEL, TRAJECTORY_GROWTH

# Perturbed runs of the reference at a state where something is out of tolerance, at most, and their size.
PERTURBED = 200
PERTURBATION = 1e-15
# So many sensitive states are few, however few are compared.
FEW = 2

# All fields of both engines, each started from its own state.
CompareState = Callable[[Pair, tuple[Any, Any], tuple[State, State], int], list[FieldResult]]


class Sensitivity:
    """Finds and counts the sensitive states of one model."""

    def __init__(self, pair: Pair, compare: CompareState) -> None:
        self._pair = pair
        self._compare = compare
        self._found: list[int] = []

    def sift(self, state: State, number: int, results: list[FieldResult]) -> list[FieldResult]:
        """The results that count at a state: all, or at a sensitive one those within tolerance."""
        failing = [result for result in results if not result.passed]
        if not failing or not self._is_sensitive(state, failing, number):
            return results
        self._found.append(number)
        return [result for result in results if result.passed]

    def result(self, states: int) -> FieldResult:
        """The count, as a field."""
        found = self._found
        note = f"the reference is as sensitive at {len(found)} of {states} states: {found[:10]}" if found else ""
        few = max(FEW, SENSITIVE_SHARE_OF_MODEL * states)
        passed = self._pair.reference.nv > LARGE or len(found) <= few
        return FieldResult(SENSITIVE, passed, len(found), 0.0, few, reference=str(states), note=note)

    def _is_sensitive(self, state: State, failing: list[FieldResult], number: int) -> bool:
        """Whether the reference, started from states that differ in the last bits, strays as far in each field."""
        pair = self._pair
        twin = Pair(pair.reference_engine, pair.reference_engine, pair.reference, pair.reference)
        data = twin.data()
        generator = np.random.default_rng(number)
        growth: dict[str, float] = {}
        for _ in range(PERTURBED):
            changed = _nudged(pair, state, generator)
            for result in self._compare(twin, data, (state, changed), number):
                growth[result.field] = max(growth.get(result.field, 0.0), result.relative)
            if all(result.relative <= TRAJECTORY_GROWTH * growth.get(result.field, 0.0) for result in failing):
                return True
        return False


def _nudged(pair: Pair, state: State, generator: np.random.Generator) -> State:
    """The state, changed in its last bits."""
    size = PERTURBATION * generator.normal(size=pair.reference.nv)
    changed = {name: np.array(value) for name, value in state.items()}
    pair.reference_engine.call("mj_integratePos", pair.reference, changed["qpos"], size, 1.0)
    for name in ("qvel", "qacc_warmstart"):
        if name in changed:
            changed[name] *= 1.0 + size
    return changed

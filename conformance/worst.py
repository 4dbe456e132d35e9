"""The worst of many comparisons of the same fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from conformance.compare import FieldResult


@dataclass(frozen=True)
class StageResult:
    """What a stage found in one model: one result per field, and at how many states."""

    fields: list[FieldResult]
    states: int = 1
    compared: int = 0  # fields at states
    identical: int = 0  # of these, equal to the last bit


class Worst:
    """The worst result of each field over all states, and at how many states it failed."""

    def __init__(self) -> None:
        self._compared = self._identical = 0
        self._results: dict[str, FieldResult] = {}
        self._failed: dict[str, int] = {}
        self._seen: dict[str, int] = {}

    def add(self, results: Iterable[FieldResult]) -> None:
        """Take the results of one state."""
        for result in results:
            name = result.field
            self._compared += 1
            self._identical += result.is_identical
            self._seen[name] = self._seen.get(name, 0) + 1
            self._failed[name] = self._failed.get(name, 0) + (not result.passed)
            if name not in self._results or result.worse_than(self._results[name]):
                self._results[name] = result

    def stage(self, states: int, *counts: FieldResult) -> StageResult:
        """One result per field; failing ones say how often. Counts are added as fields."""
        results = [self._counted(result) for result in self._results.values()]
        return StageResult([*results, *counts], states, self._compared, self._identical)

    def _counted(self, result: FieldResult) -> FieldResult:
        if result.passed:
            return result
        note = f"at {self._failed[result.field]} of {self._seen[result.field]} states"
        return replace(result, note=f"{result.note}; {note}" if result.note else note)

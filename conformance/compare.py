"""Comparison of one field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from conformance.tolerances import Tolerance, tolerance_for


@dataclass(frozen=True)
class FieldResult:
    """The outcome for one field: the worst difference and where it stands."""

    field: str
    passed: bool
    absolute: float = 0.0
    relative: float = 0.0
    tolerance: float = 0.0
    index: tuple[int, ...] = ()
    reference: str = ""
    candidate: str = ""
    note: str = ""
    state: int | None = None
    comparable: bool = True  # False: nothing could be said about it, so that it is neither equal nor different

    @property
    def is_identical(self) -> bool:
        """Whether both engines gave the same bits."""
        return self.comparable and self.absolute == 0.0

    def worse_than(self, other: FieldResult) -> bool:
        """Order by failure first, then by size."""
        return (not self.passed, self.relative) > (not other.passed, other.relative)


def compare_field(
    field: str,
    reference: np.ndarray,
    candidate: np.ndarray | None,
    state: int | None = None,
    limit: Tolerance | None = None,
    smallest_scale: float = 1.0,
) -> FieldResult:
    """Compare a field with the reference's. The tolerance follows from the reference's type; a limit replaces that
    of floating-point numbers. Differences are relative to the largest number in the field, at least the smallest
    scale; to 1 if the field is zero."""
    if candidate is None:
        return FieldResult(field, False, np.inf, np.inf, note="missing", state=state)
    if reference.shape != candidate.shape:
        note = f"shape {reference.shape} became {candidate.shape}"
        return FieldResult(field, False, np.inf, np.inf, note=note, state=state)
    tolerance = tolerance_for(reference.dtype).relative
    if limit is not None and reference.dtype.kind == "f":
        tolerance = limit.relative
    if reference.size == 0:
        return FieldResult(field, True, tolerance=tolerance, state=state)

    expected = reference.astype(np.float64) if reference.dtype.kind == "f" else reference.astype(np.int64)
    actual = candidate.astype(expected.dtype)
    difference = _distance(expected, actual)
    position = np.unravel_index(int(np.argmax(difference)), difference.shape)
    absolute = float(difference[position])
    finite = np.abs(expected[np.isfinite(expected)])
    largest = float(finite.max()) if finite.size else 0.0
    relative = absolute / (max(smallest_scale, largest) or 1.0)
    return FieldResult(
        field,
        relative <= tolerance,
        absolute,
        relative,
        tolerance,
        tuple(int(i) for i in position),
        repr(expected[position].item()),
        repr(actual[position].item()),
        state=state,
    )


def _distance(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Absolute difference per entry; equal infinities and two NaNs are 0 apart, other non-finite pairs infinite."""
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(actual - expected)
    same = (expected == actual) | ((expected != expected) & (actual != actual))
    difference = np.where(same, 0.0, difference)
    return np.where(np.isnan(difference), np.inf, difference)

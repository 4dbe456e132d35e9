"""When the numbers of two motions count as equal.

Differences are relative to the number, or to one if it is smaller. At each step the largest may be 1e-9, or ten times the
largest that the reference has made until then of a change of its own first state (by 1e-12; by 1e-6 where a package works
with 32 bits). Where the reference strays by more than 1e-3 from itself the comparison ends: from there on it is chaotic.
One change may miss an edge on which the reference stands (a box that lies flat touches with four corners or with one, by the
last bit), so that a task that differs is asked about again with seven more.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

ALWAYS = 1e-9
TIMES = 10.0
CHAOTIC = 1e-3


@dataclass(frozen=True)
class Numbers:
    """What a trial has kept of a task."""

    rows: list[np.ndarray]
    seconds: float
    error: str

    @staticmethod
    def read(file: Path) -> Numbers:
        if not file.exists():
            return Numbers([], 0.0, "the process ended before it")
        with np.load(file) as kept:
            ends = np.cumsum(kept["lengths"], dtype=int)[:-1]
            rows = np.split(kept["values"], ends) if len(kept["lengths"]) else []
            return Numbers(rows, float(kept["seconds"]), str(kept["error"]))


@dataclass(frozen=True)
class Verdict:
    """How a task went."""

    # "" if it is equal, else what is wrong.
    said: str
    # Whether the reference runs it at all.
    is_judged: bool = True
    steps: int = 0
    # Whether the reference has strayed from itself before the last step.
    is_chaotic: bool = False
    largest: float = 0.0
    # Seconds of the reference and of sinew.
    seconds: tuple[float, float] = (0.0, 0.0)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """The largest, relative to the first or one; infinite where only one is a number, or there are not as many."""
    if a.shape != b.shape:
        return np.inf
    with np.errstate(all="ignore"):
        found = np.abs(a - b) / np.maximum(1.0, np.abs(a))
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    found = np.where(same, 0.0, found)
    return float(np.max(np.where(np.isnan(found), np.inf, found), initial=0.0))


def judge(reference: Numbers, nudged: list[Numbers], ours: Numbers) -> Verdict:
    """Judges sinew's numbers by the reference's, and by what it made of little changes."""
    errors = [one.error for one in (reference, *nudged) if one.error]
    if errors:
        return Verdict(f"not with the reference: {errors[0]}", is_judged=False)
    if ours.error:
        return Verdict(ours.error)
    largest = strayed = 0.0
    steps = min(len(one.rows) for one in (reference, *nudged))
    if len(ours.rows) < steps:
        return Verdict(f"ended after {len(ours.rows)} steps of {steps}")
    seconds = (reference.seconds, ours.seconds)
    for step, row in enumerate(reference.rows[:steps]):
        strayed = max(strayed, *(difference(row, one.rows[step]) for one in nudged))
        if strayed > CHAOTIC:
            return Verdict("", steps=step, is_chaotic=True, largest=largest, seconds=seconds)
        found = difference(row, ours.rows[step])
        if found > max(ALWAYS, TIMES * strayed):
            said = f"differs by {found:.1e} at step {step + 1}, the reference from itself by {strayed:.1e}"
            return Verdict(said, steps=step, largest=found, seconds=seconds)
        largest = max(largest, found)
    return Verdict("", steps=steps, largest=largest, seconds=seconds)

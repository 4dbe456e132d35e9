"""Runs over several stages and groups, and their table.

`FULL` is everything that is claimed; it takes an hour or two on two cores. `SAMPLE` is a part of it for every change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from conformance.outcome import EQUAL, Outcome
from conformance.pair import Sampling
from conformance.report import angles_moved, mesh_states, sensitive_states, trajectories


@dataclass(frozen=True)
class Run:
    """One stage on some groups."""

    stage: str
    groups: tuple[str, ...]
    sampling: Sampling
    first: int | None = None  # of each group only so many models


EVERYTHING = ("own", "dm_control", "gymnasium", "shared")
MOVING = (*EVERYTHING, "machines")

FULL = (
    Run("model", (*EVERYTHING, "flexes"), Sampling(0, 0)),
    Run("position", (*EVERYTHING, "flexes"), Sampling(50, 0, reduced=False)),
    Run("smooth", (*MOVING, "flexes"), Sampling(50, 0, reduced=False)),
    Run("contact", (*EVERYTHING, "flexes"), Sampling(100, 0, reduced=False)),
    Run("trajectory", (*MOVING, "flexes"), Sampling(0, 0, 1000, reduced=False)),
)

SAMPLE = (
    Run("model", EVERYTHING, Sampling(0, 0)),
    Run("position", EVERYTHING, Sampling(5, 0)),
    Run("smooth", MOVING, Sampling(5, 0)),
    Run("smooth", ("flexes",), Sampling(1, 0), first=10),
    Run("contact", ("own", "dm_control", "gymnasium"), Sampling(20, 0)),
    Run("contact", ("shared",), Sampling(5, 0)),
    Run("contact", ("flexes",), Sampling(5, 0), first=10),
    Run("trajectory", ("own", "dm_control", "gymnasium"), Sampling(0, 0, 200)),
    Run("trajectory", ("flexes",), Sampling(0, 0, 100), first=6),
)

PLANS = {"full": FULL, "sample": SAMPLE}


def run_plan(plan: tuple[Run, ...], compare: Callable[[Run, str], list[Outcome]]) -> list[Outcome]:
    """Run a plan, then print its table. `compare` takes a run and one of its groups."""
    outcomes: list[Outcome] = []
    lines = []
    for run in plan:
        for group in run.groups:
            print(f"\n== {run.stage}, {group}", flush=True)
            found = compare(run, group)
            outcomes += found
            lines.append(_line(run.stage, group, found))
    print(
        f"\n{'stage':11} {'group':11} {'models':>6} {'equal':>6} {'failed':>6} {'states':>7} {'compared':>8} {'out':>4}"
        f" {'same bits':>9}"
    )
    print("\n".join(lines))
    return outcomes


def _line(stage: str, group: str, outcomes: list[Outcome]) -> str:
    """One row of the table. Models that both engines refuse or without anything that can be compared are not counted,
    and neither are single trajectories that cannot be."""
    counts = Counter(outcome.status for outcome in outcomes)
    failed = sum(not outcome.passed for outcome in outcomes)
    states = sum(outcome.states for outcome in outcomes)
    compared = sum(outcome.compared for outcome in outcomes)
    identical = sum(outcome.identical for outcome in outcomes)
    out = sum(len(outcome.failures) for outcome in outcomes)
    total, differing = mesh_states(outcomes)
    notes = f"meshes differ at {differing} of {total} states; " if total else ""
    total, sensitive = sensitive_states(outcomes)
    notes += f"sensitive {sensitive} of {total}; " if total else ""
    total, moved = angles_moved(outcomes)
    notes += f"angles moved {moved} of {total}; " if total else ""
    notes += trajectories(outcomes) if stage == "trajectory" else ""
    models = counts[EQUAL] + failed
    return (
        f"{stage:11} {group:11} {models:6} {counts[EQUAL]:6} {failed:6} {states:7} {compared:8} {out:4}"
        f" {identical:9}  {notes}"
    )

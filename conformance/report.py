"""Printing results for people, and as JSON for machines."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

from conformance.compare import FieldResult
from conformance.outcome import BOTH_REFUSE, DIFFERENT, EQUAL, NOT_COMPARABLE, PLUGIN_MESH, SDF, Outcome
from conformance.tolerances import (
    ANGLES_MOVED,
    MESH_CONTACTS,
    MESH_DISAGREEMENT,
    SENSITIVE,
    SENSITIVE_SHARE,
    TRAJECTORY,
)


def print_outcome(outcome: Outcome, limit: int) -> None:
    """One line per model, then one line per field out of tolerance."""
    source = outcome.source
    mark = "ok  " if outcome.passed else "FAIL"
    line = f"{mark} {source.group}:{source.name}: {outcome.status}"
    if outcome.status == DIFFERENT and outcome.failures:
        line += f" in {len(outcome.failures)} of {len(outcome.results)} fields"
    print(line)
    if outcome.message:
        print(f"       {_first_line(outcome.message)}")
    for result in outcome.failures[:limit]:
        print(f"       {describe(result)}")
    if len(outcome.failures) > limit:
        print(f"       ... and {len(outcome.failures) - limit} more fields")
    for result in outcome.results:
        if result.passed and result.note:
            print(f"       note {result.field}: {result.note}")


def describe(result: FieldResult) -> str:
    """A field's worst difference in one line."""
    text = f"{result.field:24}"
    if math.isfinite(result.relative) or result.reference:
        index = ",".join(str(i) for i in result.index)
        text += (
            f" abs {result.absolute:.3e} rel {result.relative:.3e} (limit {result.tolerance:.0e})"
            f" at [{index}]: {result.reference} became {result.candidate}"
        )
    if result.state is not None:
        text += f", state {result.state}"
    if result.note:
        text += f"  {result.note}"
    return text


def print_summary(outcomes: list[Outcome]) -> None:
    """Counts per group and status, then the fields that fail most often."""
    by_group: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_group[outcome.source.group].append(outcome)
    header = f"{'group':12} {'models':>6} {'equal':>6} {'plugin':>6} {'refused':>8}"
    header += f" {'not comparable':>14} {'failed':>7} {'worst rel':>10}"
    print("\n" + header)
    for group, members in by_group.items():
        counts = Counter(outcome.status for outcome in members)
        failed = sum(not outcome.passed for outcome in members)
        print(
            f"{group:12} {len(members):6} {counts[EQUAL]:6} {counts[PLUGIN_MESH] + counts[SDF]:6}"
            f" {counts[BOTH_REFUSE]:8} {counts[NOT_COMPARABLE]:14} {failed:7} {_worst(members):10.2e}"
        )
    fields: dict[str, list[FieldResult]] = defaultdict(list)
    for outcome in outcomes:
        for result in outcome.failures:
            fields[result.field].append(result)
    if fields:
        print(f"\n{'field out of tolerance':28} {'models':>6} {'worst abs':>10} {'worst rel':>10}")
        for name, results in sorted(fields.items(), key=lambda item: -len(item[1])):
            absolute = max(result.absolute for result in results)
            relative = max(result.relative for result in results)
            print(f"{name:28} {len(results):6} {absolute:10.2e} {relative:10.2e}")
    states, differing = mesh_states(outcomes)
    if states:
        share = 100 * (1 - differing / states)
        print(f"\ncolliding meshes: contacts agree at {states - differing} of {states} states ({share:.2f} %)")
    states, sensitive = sensitive_states(outcomes)
    if states:
        print(f"\nsensitive: at {sensitive} of {states} states the reference itself depends on the last bit")
    angles, moved = angles_moved(outcomes)
    if angles:
        print(f"\nangles: {moved} of {angles} moved to where the C library rounds sine and cosine correctly")
    if any(result.field.startswith("qpos, ") for outcome in outcomes for result in outcome.results):
        print(f"\n{trajectories(outcomes)}")
    compared, identical = (sum(getattr(o, name) for o in outcomes) for name in ("compared", "identical"))
    if compared:
        print(f"\nequal to the last bit: {identical} of {compared} comparisons ({100 * identical / compared:.4f} %)")
    out = sum(len(results) for results in fields.values())
    bad = sum(not outcome.passed for outcome in outcomes)
    print(f"\n{len(outcomes) - bad} passed, {bad} failed, {out} fields out of tolerance")


def counts_agree(outcomes: list[Outcome]) -> bool:
    """Whether contacts of colliding meshes agree at almost all states, and few states are sensitive."""
    states, differing = mesh_states(outcomes)
    total, sensitive = sensitive_states(outcomes)
    return differing <= MESH_DISAGREEMENT * states and sensitive <= SENSITIVE_SHARE * total


def mesh_states(outcomes: list[Outcome]) -> tuple[int, int]:
    """States of models with colliding meshes, and those at which contacts differ."""
    return _counted(outcomes, MESH_CONTACTS)


def sensitive_states(outcomes: list[Outcome]) -> tuple[int, int]:
    """States in motion, and those at which the reference itself depends on the last bit."""
    return _counted(outcomes, SENSITIVE)


def angles_moved(outcomes: list[Outcome]) -> tuple[int, int]:
    """Hinge angles of all states, and those that were moved."""
    return _counted(outcomes, ANGLES_MOVED)


def trajectories(outcomes: list[Outcome]) -> str:
    """How far apart trajectories end, in one line."""
    results = [result for outcome in outcomes for result in outcome.results]
    parts = []
    for label, chosen in (
        ("smooth", [result for result in results if "contacts" not in result.field]),
        ("contacts", [result for result in results if "contacts" in result.field]),
    ):
        compared = [result for result in chosen if result.comparable]
        bits = sum(result.is_identical for result in compared)
        within = sum(result.absolute <= TRAJECTORY for result in compared)
        line = f"{label}: {within} of {len(compared)} within {TRAJECTORY:.0e}, {bits} with the same bits"
        if len(compared) < len(chosen):
            line += f", {len(chosen) - len(compared)} not comparable"
        parts.append(line)
    return "; ".join(parts)


def _counted(outcomes: list[Outcome], name: str) -> tuple[int, int]:
    counts = [result for outcome in outcomes for result in outcome.results if result.field == name]
    return sum(int(result.reference) for result in counts), int(sum(result.absolute for result in counts))


def as_json(outcomes: list[Outcome], settings: dict[str, Any]) -> dict[str, Any]:
    """Everything, as plain data."""
    return {
        "settings": settings,
        "passed": all(outcome.passed for outcome in outcomes),
        "models": [
            {
                "group": outcome.source.group,
                "name": outcome.source.name,
                "status": outcome.status,
                "passed": outcome.passed,
                "message": outcome.message,
                "fields": [_field_as_json(result) for result in outcome.results],
            }
            for outcome in outcomes
        ],
    }


def _field_as_json(result: FieldResult) -> dict[str, Any]:
    """A field result; infinities become text, since JSON has none. What was not compared has no difference."""
    values = dict(vars(result))
    for key in ("absolute", "relative"):
        if not result.comparable:
            values[key] = None
        elif not math.isfinite(values[key]):
            values[key] = "inf"
    return values


def _worst(outcomes: list[Outcome]) -> float:
    """The largest relative difference among fields compared strictly."""
    values = [
        result.relative for outcome in outcomes for result in outcome.results if not (result.passed and result.note)
    ]
    return max(values, default=0.0)


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""

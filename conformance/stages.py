"""The stages at which engines are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from conformance.angles import Settled
from conformance.compare import FieldResult, compare_field
from conformance.contact import compare_contact
from conformance.engines import Engine
from conformance.fields import model_fields, read_field
from conformance.hull import check_hull_graph, check_polygons
from conformance.pair import Pair, Sampling, StageMissing
from conformance.position_fields import read_position_field
from conformance.smooth import compare_smooth
from conformance.states import State, apply, random_states
from conformance.tolerances import DENSE_MOMENT, MOMENT_STRUCTURE, POSITION_FIELDS, RULES
from conformance.trajectory import compare_trajectory
from conformance.worst import StageResult, Worst

# The reference's functions that make up the position stage without contacts and constraints, in order.
POSITION_FUNCTIONS = (
    "mj_kinematics",
    "mj_comPos",
    "mj_camlight",
    "mj_flex",
    "mj_tendon",
    "mj_makeM",
    "mj_factorM",
    "mj_transmission",
)

# Each rule of `tolerances.RULES` lists what is wrong; nothing, if it holds.
CHECKS: dict[str, Callable[[Any, Any], list[str]]] = {
    "hull-graph": check_hull_graph,
    "polygons": check_polygons,
}


def compare_model(pair: Pair, _sampling: Sampling) -> StageResult:
    """Every field of the compiled model."""
    results = []
    verdicts: dict[str, list[str]] = {}
    for name, expected in model_fields(pair.reference).items():
        result = compare_field(name, expected, read_field(pair.candidate, name))
        rule = RULES.get(name)
        if not result.passed and rule is not None and result.note == "":
            if rule not in verdicts:
                verdicts[rule] = _check_rule(rule, pair)
            result = _by_rule(result, rule, verdicts[rule])
        results.append(result)
    return StageResult(results, 1, len(results), sum(result.is_identical for result in results))


def _check_rule(rule: str, pair: Pair) -> list[str]:
    """What a rule finds wrong. A candidate so broken that the rule cannot read it fails the rule."""
    try:
        return CHECKS[rule](pair.reference, pair.candidate)
    except (IndexError, ValueError, AttributeError) as error:
        return [f"unreadable: {error}"]


def _by_rule(result: FieldResult, rule: str, problems: list[str]) -> FieldResult:
    """A strict difference, judged again by the field's rule."""
    if not problems:
        return replace(result, passed=True, note=f"differs, accepted by rule {rule}")
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return replace(result, note=f"rule {rule}: {problems[0]}{more}")


def compare_position(pair: Pair, sampling: Sampling) -> StageResult:
    """Position-stage results at the rest state and at random states; the worst state counts."""
    pair.keep_awake()
    data = pair.data()
    worst = Worst()
    settled = Settled(pair.reference)
    states = random_states(pair.reference, sampling.states, sampling.seed)
    for number, state in enumerate(states):
        worst.add(_compare_state(pair, data, settled.state(state), number))
    return worst.stage(len(states), settled.result())


def _compare_state(pair: Pair, data: tuple[Any, Any], state: State, number: int) -> list[FieldResult]:
    """All fields of the position stage at one state."""
    expected_data, actual_data = data
    for one in data:
        apply(state, one)
    _run_position(pair.reference_engine, pair.reference, expected_data)
    _run_position(pair.candidate_engine, pair.candidate, actual_data)
    results: dict[str, FieldResult] = {}
    for name in POSITION_FIELDS:
        expected = read_position_field(pair.reference, expected_data, name)
        if expected is None:
            raise AttributeError(f"the reference has no field {name}")
        actual = read_position_field(pair.candidate, actual_data, name)
        results[name] = compare_field(name, expected, actual, number, smallest_scale=0.0)
    for name in MOMENT_STRUCTURE:
        if not results[name].passed and results[DENSE_MOMENT].passed:
            note = f"{results[name].note}; only entries that round to zero differ, the dense matrix agrees"
            results[name] = replace(results[name], note=note.removeprefix("; "))
    return list(results.values())


def _run_position(engine: Engine, model: Any, data: Any) -> None:
    """Run the position stage without contacts."""
    missing = [name for name in POSITION_FUNCTIONS if not engine.has(name)]
    if not missing:
        for name in POSITION_FUNCTIONS:
            engine.call(name, model, data)
    elif engine.has("mj_fwdPosition"):
        engine.call("mj_fwdPosition", model, data)
    else:
        raise StageMissing(f"stage position is not implemented by {engine.name} yet: no {missing[0]}")


STAGES: dict[str, Callable[[Pair, Sampling], StageResult]] = {
    "model": compare_model,
    "position": compare_position,
    "smooth": compare_smooth,
    "contact": compare_contact,
    "trajectory": compare_trajectory,
}

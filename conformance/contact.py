"""Contacts, constraint rows, solutions, sensors and the next state, at states of the reference's own motion.

Each solver starts from the reference's warm start. In models with colliding meshes, states at which number, geoms or
depths of the contacts differ are counted, and their other fields left out.

Some states stand on an edge: a change in the last bit decides whether two things touch, or how many iterations
conjugate gradients take. Fields out of tolerance are therefore held against what the reference itself makes of a
change of the state by 1e-15: a state at which it strays as far, times ten, is counted as sensitive, and these fields
are left out there. The summary says how many; the run fails beyond one in a hundred.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.compare import FieldResult
from conformance.data_fields import PGS, Fields, compare_data, restore
from conformance.pair import Pair, Sampling
from conformance.rollout import rollout_states
from conformance.states import State
from conformance.tolerances import (
    CONTACT_FIELDS,
    MESH_CONTACTS,
    NEXT_FIELDS,
    ROW_FIELDS,
    SENSITIVE,
    SENSOR_FIELDS,
    SOLUTION_FIELDS,
    SWEEPS,
    TRAJECTORY_GROWTH,
)
from conformance.worst import StageResult, Worst

# Codes of the reference.
SOLVERS = {"PGS": PGS, "CG": 1, "Newton": 2}
MESH = 7

# Perturbed runs of the reference at a state where something is out of tolerance, at most, and their size.
PERTURBED = 200
PERTURBATION = 1e-15


def compare_contact(pair: Pair, sampling: Sampling) -> StageResult:
    """Everything that contacts and constraints lead to."""
    pair.keep_awake()
    sampling = sampling.for_size(pair.reference.nv)
    data = pair.data()
    worst = Worst()
    has_meshes = has_colliding_meshes(pair.reference)
    states = 0
    differing: list[int] = []
    sensitive: list[int] = []
    for number, state in enumerate(
        rollout_states(pair.reference_engine, pair.reference, sampling.states, sampling.seed)
    ):
        states += 1
        results = _compare_state(pair, data, (state, state), number)
        failing = [result for result in results if not result.passed]
        if failing and is_sensitive(pair, state, failing, number):
            sensitive.append(number)
            worst.add(result for result in results if result.passed)
        elif has_meshes and any(result.field in ("contact.geom", "contact.dist") for result in failing):
            differing.append(number)
        else:
            worst.add(results)
    results = worst.results()
    if has_meshes:
        note = f"contacts differ at {len(differing)} of {states} states: {differing[:10]}" if differing else ""
        results.append(FieldResult(MESH_CONTACTS, True, len(differing), 0.0, reference=str(states), note=note))
    note = (
        f"the reference is as sensitive at {len(sensitive)} of {states} states: {sensitive[:10]}" if sensitive else ""
    )
    results.append(FieldResult(SENSITIVE, True, len(sensitive), 0.0, reference=str(states), note=note))
    return StageResult(results, states)


def _compare_state(pair: Pair, data: tuple[Any, Any], start: tuple[State, State], number: int) -> list[FieldResult]:
    """All fields at one state, with each solver."""
    restore(pair, data, start)
    pair.call("mj_forward", data)
    own = _own_solver(pair)
    results = compare_data(pair, data, CONTACT_FIELDS | ROW_FIELDS | SENSOR_FIELDS, number)
    results += compare_data(pair, data, solution_fields(SOLVERS[own]), number, f", {own}")
    results += _other_solvers(pair, data, start, number)
    restore(pair, data, start)
    pair.call("mj_step", data)
    return results + compare_data(pair, data, NEXT_FIELDS, number)


def is_sensitive(pair: Pair, state: State, failing: list[FieldResult], number: int) -> bool:
    """Whether the reference, started from states that differ in the last bits, strays as far in each field."""
    twin = Pair(pair.reference_engine, pair.reference_engine, pair.reference, pair.reference)
    data = twin.data()
    generator = np.random.default_rng(number)
    growth: dict[str, float] = {}
    for _ in range(PERTURBED):
        changed = _nudged(pair, state, generator)
        for result in _compare_state(twin, data, (state, changed), number):
            growth[result.field] = max(growth.get(result.field, 0.0), result.relative)
        if all(result.relative <= TRAJECTORY_GROWTH * growth[result.field] for result in failing):
            return True
    return False


def _nudged(pair: Pair, state: State, generator: np.random.Generator) -> State:
    """The state, changed in its last bits."""
    size = PERTURBATION * generator.normal(size=pair.reference.nv)
    changed = {name: np.array(value) for name, value in state.items()}
    pair.reference_engine.call("mj_integratePos", pair.reference, changed["qpos"], size, 1.0)
    for name in ("qvel", "qacc_warmstart"):
        changed[name] *= 1.0 + size
    return changed


def _other_solvers(pair: Pair, data: tuple[Any, Any], start: tuple[State, State], number: int) -> list[FieldResult]:
    """The solutions of the solvers that the model does not ask for."""
    results = []
    before = [model.opt.solver for model in pair.models]
    for name, code in SOLVERS.items():
        if name == _own_solver(pair):
            continue
        for model in pair.models:
            model.opt.solver = code
        restore(pair, data, start)
        pair.call("mj_forward", data)
        results += compare_data(pair, data, solution_fields(code), number, f", {name}")
        for model, solver in zip(pair.models, before, strict=True):
            model.opt.solver = solver
    return results


def solution_fields(solver: int) -> Fields:
    """What a solver computes, and how close it must be."""
    return dict.fromkeys(SOLUTION_FIELDS, SWEEPS) if solver == PGS else SOLUTION_FIELDS


def _own_solver(pair: Pair) -> str:
    return next(name for name, code in SOLVERS.items() if code == pair.reference.opt.solver)


def has_colliding_meshes(model: Any) -> bool:
    """Whether a mesh can touch anything."""
    collides = (np.array(model.geom_contype) | np.array(model.geom_conaffinity)) != 0
    return bool((collides & (np.array(model.geom_type) == MESH)).any())

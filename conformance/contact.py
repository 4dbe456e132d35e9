"""Contacts, constraint rows, solutions, sensors and the next state, at states of the reference's own motion.

Each solver starts from the reference's warm start. In models with colliding meshes, states at which number, geoms or
depths of the contacts differ are counted, and their other fields left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.angles import Settled
from conformance.compare import FieldResult
from conformance.data_fields import PGS, Fields, compare_data, restore
from conformance.pair import Pair, Sampling
from conformance.rollout import rollout_states
from conformance.sensitive import Sensitivity
from conformance.states import State
from conformance.tolerances import (
    CONTACT_FIELDS,
    MESH_CONTACTS,
    NEXT_FIELDS,
    ROW_FIELDS,
    SENSOR_FIELDS,
    SOLUTION_FIELDS,
    SWEEPS,
)
from conformance.worst import StageResult, Worst

# Codes of the reference.
SOLVERS = {"PGS": PGS, "CG": 1, "Newton": 2}
MESH = 7
# Fields that must agree at almost all states of colliding meshes.
MESH_FIELDS = ("contact.geom", "contact.dist")


def compare_contact(pair: Pair, sampling: Sampling) -> StageResult:
    """Everything that contacts and constraints lead to."""
    pair.keep_awake()
    pair.collide_natively()
    pair.solve_whole()
    pair.slide_only()
    sampling = sampling.for_size(pair.reference.nv)
    data = pair.data()
    worst = Worst()
    sensitivity = Sensitivity(pair, _compare_state)
    settled = Settled(pair.reference)
    has_meshes = has_colliding_meshes(pair.reference)
    states = 0
    differing: list[int] = []
    for number, reached in enumerate(
        rollout_states(pair.reference_engine, pair.reference, sampling.states, sampling.seed)
    ):
        states += 1
        state = settled.state(reached)
        found = sensitivity.sift(state, number, _compare_state(pair, data, (state, state), number))
        if has_meshes and any(not result.passed and result.field in MESH_FIELDS for result in found):
            differing.append(number)
        else:
            worst.add(found)
    counts = [sensitivity.result(states), settled.result()]
    if has_meshes:
        note = f"contacts differ at {len(differing)} of {states} states: {differing[:10]}" if differing else ""
        counts.append(FieldResult(MESH_CONTACTS, True, len(differing), 0.0, reference=str(states), note=note))
    return worst.stage(states, *counts)


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

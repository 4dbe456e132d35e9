"""Contacts, constraint rows, solutions, sensors and the next state, at states of the reference's own motion.

Each solver starts from the reference's warm start. In models with colliding meshes, states at which number, geoms or
depths of the contacts differ are counted, and their other fields left out.
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
    SENSOR_FIELDS,
    SOLUTION_FIELDS,
    SWEEPS,
)
from conformance.worst import StageResult, Worst

# Codes of the reference.
SOLVERS = {"PGS": PGS, "CG": 1, "Newton": 2}
MESH = 7


def compare_contact(pair: Pair, sampling: Sampling) -> StageResult:
    """Everything that contacts and constraints lead to."""
    pair.keep_awake()
    sampling = sampling.for_size(pair.reference.nv)
    data = pair.data()
    worst = Worst()
    has_meshes = has_colliding_meshes(pair.reference)
    states = 0
    differing: list[int] = []
    for number, state in enumerate(
        rollout_states(pair.reference_engine, pair.reference, sampling.states, sampling.seed)
    ):
        states += 1
        restore(pair, data, state)
        pair.call("mj_forward", data)
        if has_meshes and not _contacts_agree(pair, data):
            differing.append(number)
            continue
        own = _own_solver(pair)
        worst.add(compare_data(pair, data, CONTACT_FIELDS | ROW_FIELDS | SENSOR_FIELDS, number))
        worst.add(compare_data(pair, data, solution_fields(SOLVERS[own]), number, f", {own}"))
        worst.add(_other_solvers(pair, data, state, number))
        restore(pair, data, state)
        pair.call("mj_step", data)
        worst.add(compare_data(pair, data, NEXT_FIELDS, number))
    results = worst.results()
    if has_meshes:
        note = f"contacts differ at {len(differing)} of {states} states: {differing[:10]}" if differing else ""
        results.append(FieldResult(MESH_CONTACTS, True, len(differing), 0.0, reference=str(states), note=note))
    return StageResult(results, states)


def _other_solvers(pair: Pair, data: tuple[Any, Any], state: State, number: int) -> list[FieldResult]:
    """The solutions of the solvers that the model does not ask for."""
    results = []
    before = [model.opt.solver for model in pair.models]
    for name, code in SOLVERS.items():
        if name == _own_solver(pair):
            continue
        for model in pair.models:
            model.opt.solver = code
        restore(pair, data, state)
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


def _contacts_agree(pair: Pair, data: tuple[Any, Any]) -> bool:
    """Number, geoms and depths of the contacts."""
    fields = {name: CONTACT_FIELDS[name] for name in ("contact.geom", "contact.dist")}
    return all(result.passed for result in compare_data(pair, data, fields, 0))

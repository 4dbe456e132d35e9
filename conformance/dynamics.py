"""The stages that need velocities, forces and contacts.

`velocity` and `forces` run at random states with constraints switched off; `constraint`, `step` and `sensor` at states
of the reference's own motion with everything on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from conformance.compare import FieldResult, compare_field
from conformance.fields import read_field
from conformance.pair import Pair, Sampling
from conformance.position_fields import dense, is_sparse
from conformance.rollout import rollout_states
from conformance.states import State, apply, random_states
from conformance.tolerances import (
    CONTACT_FIELDS,
    DERIVATIVE_FIELDS,
    FORCE_FIELDS,
    MESH_CONTACTS,
    NEXT_FIELDS,
    ROW_FIELDS,
    SENSOR_FIELDS,
    SMOOTH_SENSOR_FIELDS,
    SOLUTION_FIELDS,
    SWEEPS,
    VELOCITY_FIELDS,
    Tolerance,
)

# Codes of the reference.
CONSTRAINT_OFF = 1 << 0
ENERGY_ON = 1 << 1
IMPLICIT = 2
PGS = 0
MESH = 7

Fields = dict[str, Tolerance]


class Worst:
    """The worst result of each field over all states, and at how many states it failed."""

    def __init__(self) -> None:
        self._results: dict[str, FieldResult] = {}
        self._failed: dict[str, int] = {}
        self._states = 0

    def add(self, results: Iterable[FieldResult]) -> None:
        """Take the results of one state."""
        self._states += 1
        for result in results:
            name = result.field
            self._failed[name] = self._failed.get(name, 0) + (not result.passed)
            if name not in self._results or result.worse_than(self._results[name]):
                self._results[name] = result

    def results(self) -> list[FieldResult]:
        """One result per field; failing ones say how often."""
        return [self._counted(result) for result in self._results.values()]

    def _counted(self, result: FieldResult) -> FieldResult:
        if result.passed:
            return result
        note = f"at {self._failed[result.field]} of {self._states} states"
        return replace(result, note=f"{result.note}; {note}" if result.note else note)


def compare_velocity(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """Velocities, bias and passive forces, energy."""
    worst = Worst()
    for number, data in _smooth_states(pair, sampling):
        pair.call("mj_subtreeVel", data)
        worst.add(_compare(pair, data, VELOCITY_FIELDS, number))
    return worst.results()


def compare_forces(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """Actuation, smooth acceleration, derivatives of the smooth forces by velocities."""
    worst = Worst()
    integrators = [model.opt.integrator for model in pair.models]
    for number, data in _smooth_states(pair, sampling):
        results = _compare(pair, data, FORCE_FIELDS, number)
        for model in pair.models:
            model.opt.integrator = IMPLICIT
        pair.call("mj_step", data)
        results += _compare(pair, data, DERIVATIVE_FIELDS, number)
        for model, integrator in zip(pair.models, integrators, strict=True):
            model.opt.integrator = integrator
        worst.add(results)
    return worst.results()


def compare_constraint(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """Contacts, constraint rows and the solver's result."""
    solution = dict.fromkeys(SOLUTION_FIELDS, SWEEPS) if pair.reference.opt.solver == PGS else SOLUTION_FIELDS
    return _compare_motion(pair, sampling, "mj_forward", CONTACT_FIELDS | ROW_FIELDS | solution)


def compare_step(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """The state after one step."""
    return _compare_motion(pair, sampling, "mj_step", NEXT_FIELDS)


def compare_sensor(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """Sensors in motion, then without constraints."""
    results = _compare_motion(pair, sampling, "mj_forward", SENSOR_FIELDS)
    worst = Worst()
    for number, data in _smooth_states(pair, sampling):
        worst.add(_compare(pair, data, SMOOTH_SENSOR_FIELDS, number))
    return results + [replace(result, field=f"{result.field}, no constraints") for result in worst.results()]


def _smooth_states(pair: Pair, sampling: Sampling) -> Iterator[tuple[int, tuple[Any, Any]]]:
    """Both engines after forward dynamics without constraints, state by state."""
    pair.keep_awake()
    for model in pair.models:
        model.opt.disableflags |= CONSTRAINT_OFF
        model.opt.enableflags |= ENERGY_ON
    sampling = sampling.for_size(pair.reference.nv)
    data = pair.data()
    for number, state in enumerate(random_states(pair.reference, sampling.states, sampling.seed)):
        _restore(pair, data, state)
        pair.call("mj_forward", data)
        yield number, data


def _compare_motion(pair: Pair, sampling: Sampling, function: str, fields: Fields) -> list[FieldResult]:
    """Fields after a function was called at states of the reference's motion.

    In models with colliding meshes, states at which the contacts differ are counted, and their other fields left out.
    """
    pair.keep_awake()
    sampling = sampling.for_size(pair.reference.nv)
    data = pair.data()
    worst = Worst()
    has_meshes = has_colliding_meshes(pair.reference)
    states = differing = 0
    first = None
    for number, state in enumerate(
        rollout_states(pair.reference_engine, pair.reference, sampling.states, sampling.seed)
    ):
        _restore(pair, data, state)
        pair.call(function, data)
        states += 1
        if has_meshes and not _contacts_agree(pair, data):
            differing += 1
            first = number if first is None else first
        else:
            worst.add(_compare(pair, data, fields, number))
    results = worst.results()
    if has_meshes:
        note = f"contacts differ at {differing} of {states} states, first at {first}" if differing else ""
        results.append(FieldResult(MESH_CONTACTS, True, differing, 0.0, reference=str(states), note=note))
    return results


def has_colliding_meshes(model: Any) -> bool:
    """Whether a mesh can touch anything."""
    collides = (np.array(model.geom_contype) | np.array(model.geom_conaffinity)) != 0
    return bool((collides & (np.array(model.geom_type) == MESH)).any())


def _contacts_agree(pair: Pair, data: tuple[Any, Any]) -> bool:
    """Number, geoms and depths of the contacts."""
    fields = {name: CONTACT_FIELDS[name] for name in ("contact.geom", "contact.dist")}
    return all(result.passed for result in _compare(pair, data, fields, 0))


def _restore(pair: Pair, data: tuple[Any, Any], state: State) -> None:
    """Put both engines into a state, with nothing left of the one before."""
    pair.call("mj_resetData", data)
    for one in data:
        apply(state, one)


def _compare(pair: Pair, data: tuple[Any, Any], fields: Fields, number: int) -> list[FieldResult]:
    """The named fields at one state."""
    results = []
    for name, limit in fields.items():
        expected, actual = (_read(model, one, name) for model, one in zip(pair.models, data, strict=True))
        results.append(compare_field(name, expected, actual, number, limit))
    return results


def _read(model: Any, data: Any, name: str) -> np.ndarray | None:
    """A field of either engine."""
    if name == "efc_J_dense":
        return _row_jacobian(model, data)
    if name == "efc_state_solved":
        return _solved_state(model, data)
    return read_field(data, name)


def _row_jacobian(model: Any, data: Any) -> np.ndarray:
    """The dense constraint Jacobian in either storage mode."""
    if not is_sparse(model):
        return np.array(data.efc_J).reshape(data.nefc, model.nv)
    return dense(data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind, data.efc_J, model.nv)


def _solved_state(model: Any, data: Any) -> np.ndarray:
    """Which branch of its cost each row is on after the solve.

    Where the reference solves by islands it keeps these by island, and leaves those of the warm start in `efc_state`.
    """
    by_island = data.nisland > 0 and model.opt.solver != PGS and model.opt.noslip_iterations == 0
    if by_island and hasattr(data, "iefc_state"):
        return np.array(data.iefc_state)[np.array(data.map_efc2iefc)]
    return np.array(data.efc_state)

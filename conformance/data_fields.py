"""Reading and comparing the fields of a simulation's data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conformance.compare import FieldResult, compare_field
from conformance.fields import read_field
from conformance.pair import Pair
from conformance.position_fields import dense, is_sparse
from conformance.states import State, apply
from conformance.tolerances import Tolerance

# Codes of the reference.
PGS = 0
ELLIPTIC = 7
ON_CONE = 4
# A force is on its cone if it is this near, relative to its normal part.
CONE_WIDTH = 1e-9

Fields = dict[str, Tolerance]


def restore(pair: Pair, data: tuple[Any, Any], start: tuple[State, State]) -> None:
    """Put each engine into a state, with nothing left of the one before."""
    pair.call("mj_resetData", data)
    for one, state in zip(data, start, strict=True):
        apply(state, one)


def compare_data(
    pair: Pair, data: tuple[Any, Any], fields: Fields, number: int, suffix: str = "", smallest_scale: float = 1.0
) -> list[FieldResult]:
    """The named fields at one state; the suffix tells results under different settings apart."""
    results = []
    for name, limit in fields.items():
        expected, actual = (read(model, one, name) for model, one in zip(pair.models, data, strict=True))
        results.append(compare_field(f"{name}{suffix}", expected, actual, number, limit, smallest_scale))
    return results


def read(model: Any, data: Any, name: str) -> np.ndarray | None:
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
    """Which branch of its cost each row is on after the solve. Contacts that slide by Gauss-Seidel are on their cone.

    Where the reference solves by islands it keeps these by island, and leaves those of the warm start in `efc_state`.
    Rows in no island are not solved.
    """
    by_island = data.nisland > 0 and model.opt.solver != PGS and model.opt.noslip_iterations == 0
    if by_island and hasattr(data, "iefc_state"):
        state = np.array(data.efc_state)
        inside = np.array(data.efc_island) >= 0
        state[inside] = np.array(data.iefc_state)[np.array(data.map_efc2iefc)[inside]]
        return state
    state = np.array(data.efc_state)
    if model.opt.solver == PGS:
        for contact in _sliding(data):
            state[contact.efc_address : contact.efc_address + contact.dim] = ON_CONE
    return state


def _sliding(data: Any) -> Iterator[Any]:
    """Contacts with elliptic cones whose force is on the cone. Gauss-Seidel puts it there, and the last bit decides on
    which side it is."""
    for address in np.flatnonzero(np.array(data.efc_type) == ELLIPTIC):
        contact = data.contact[int(data.efc_id[address])]
        if address == contact.efc_address:
            force = np.array(data.efc_force[address : address + contact.dim])
            along = np.linalg.norm(force[1:] / contact.friction[: contact.dim - 1])
            if force[0] > 0 and abs(force[0] - along) <= CONE_WIDTH * force[0]:
                yield contact

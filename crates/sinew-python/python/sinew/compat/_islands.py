"""Arrays in the order of islands, made from those in the order of the model when asked for.

An island is a group of trees that constraints tie together; its degrees of freedom and rows stand side by side here, and
columns count from the first of the island. sinew solves without these copies. Beyond what the islands need the arrays
are zero, where the reference shows what was in that memory before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Make = Callable[[Any], np.ndarray]


def _rows(name: str) -> Make:
    """An array by row, by island."""
    return lambda d: getattr(d, name)[d.map_iefc2efc] if d.nisland else getattr(d, name)[:0].copy()


def _dofs(name: str) -> Make:
    """An array by degree of freedom, by island."""
    return lambda d: getattr(d, name)[_dofs_by_island(d)]


def _dofs_by_island(d) -> np.ndarray:
    return d.map_idof2dof[: d.nidof]


def _tree_counts(d) -> np.ndarray:
    found = d.tree_island[d.tree_island >= 0] if d.nisland else []
    return np.bincount(found, minlength=d.nisland).astype(np.int32)


def _starts(counts: np.ndarray) -> np.ndarray:
    """First entry of each stretch."""
    return (np.cumsum(counts) - counts).astype(np.int32)


def _trees_by_island(d) -> np.ndarray:
    if not d.nisland:
        return np.zeros(0, np.int32)
    island = np.where(d.tree_island < 0, d.nisland, d.tree_island)
    return np.argsort(island, kind="stable").astype(np.int32)


def _stretches(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The entries of stretches of an array, one after the other."""
    offset = np.repeat(starts - _starts(counts), counts)
    return offset + np.arange(counts.sum(), dtype=np.int64)


def _columns_in_island(d, columns: np.ndarray) -> np.ndarray:
    """Degrees of freedom counted from the first of their island."""
    place = d.map_dof2idof[columns]
    return place - d.island_idofadr[d.dof_island[columns]]


def _padded(values: np.ndarray, size: int) -> np.ndarray:
    out = np.zeros(size, values.dtype)
    out[: len(values)] = values
    return out


def _inertia(d) -> np.ndarray:
    """Places in ``M`` of the entries of the islands' inertias."""
    dofs = _dofs_by_island(d)
    return _stretches(d.model.M_rowadr[dofs], d.model.M_rownnz[dofs])


def _inertia_values(name: str) -> Make:
    return lambda d: _padded(getattr(d, name)[_inertia(d)], d.model.nC) if d.nisland else np.zeros(0)


def _inertia_columns(d) -> np.ndarray:
    if not d.nisland:
        return np.zeros(0, np.int32)
    return _padded(_columns_in_island(d, d.model.M_colind[_inertia(d)]).astype(np.int32), d.model.nC)


def _inertia_counts(d) -> np.ndarray:
    return d.model.M_rownnz[_dofs_by_island(d)]


def _is_dense(d) -> bool:
    return d.efc_J.size == d.nefc * d.model.nv and bool((d.efc_J_rownnz == d.model.nv).all())


def _jacobian_counts(d) -> np.ndarray:
    """Entries of each row of the islands' Jacobians."""
    if not d.nisland:
        return np.zeros(0, np.int32)
    if _is_dense(d):
        return np.repeat(d.island_nv, d.island_nefc)
    return d.efc_J_rownnz[d.map_iefc2efc]


def _jacobian(d) -> np.ndarray:
    """Places in ``efc_J`` of the entries of the islands' Jacobians."""
    rows = d.map_iefc2efc
    if not _is_dense(d):
        return _stretches(d.efc_J_rowadr[rows], d.efc_J_rownnz[rows])
    dofs = _dofs_by_island(d)
    counts = _jacobian_counts(d)
    columns = dofs[_stretches(np.repeat(d.island_idofadr, d.island_nefc), counts)]
    return np.repeat(d.efc_J_rowadr[rows], counts) + columns


def _jacobian_starts(d) -> np.ndarray:
    """First entry of each row of the islands' Jacobians; full ones leave room for all islands' columns."""
    counts = _jacobian_counts(d)
    if not d.nisland or not _is_dense(d):
        return _starts(counts)
    gaps = d.island_iefcadr * d.nidof - _starts(d.island_nefc * d.island_nv)
    return (_starts(counts) + np.repeat(gaps, d.island_nefc)).astype(np.int32)


def _placed(d, values: np.ndarray) -> np.ndarray:
    out = np.zeros(d.nJ, values.dtype)
    out[_stretches(_jacobian_starts(d), _jacobian_counts(d))] = values
    return out


def _jacobian_values(d) -> np.ndarray:
    return _placed(d, d.efc_J[_jacobian(d)]) if d.nisland else np.zeros(0)


def _jacobian_columns(d) -> np.ndarray:
    if not d.nisland:
        return np.zeros(0, np.int32)
    return _placed(d, _columns_in_island(d, d.efc_J_colind[_jacobian(d)]).astype(np.int32))


def _rows_to_come(d) -> np.ndarray:
    """For each row, how many rows of its island behind it have its columns."""
    counts = _jacobian_counts(d)
    starts, columns = _jacobian_starts(d), _jacobian_columns(d)
    last = set((d.island_iefcadr + d.island_nefc - 1).tolist()) if d.nisland else set()
    out = np.zeros(len(counts), np.int32)
    for row in range(len(counts) - 2, -1, -1):
        here = columns[starts[row] : starts[row] + counts[row]]
        if row not in last and np.array_equal(here, columns[starts[row + 1] : starts[row + 1] + counts[row + 1]]):
            out[row] = out[row + 1] + 1
    return out


ISLAND_FIELDS: dict[str, Make] = {
    "island_ntree": _tree_counts,
    "island_itreeadr": lambda d: _starts(_tree_counts(d)),
    "island_dofadr": lambda d: d.map_idof2dof[d.island_idofadr],
    "map_itree2tree": _trees_by_island,
    "iM": _inertia_values("M"),
    "iLD": _inertia_values("qLD"),
    "iLDiagInv": _dofs("qLDiagInv"),
    "iM_rownnz": _inertia_counts,
    "iM_rowadr": lambda d: _starts(_inertia_counts(d)),
    "iM_colind": _inertia_columns,
    "iefc_J": _jacobian_values,
    "iefc_J_rownnz": _jacobian_counts,
    "iefc_J_rowadr": _jacobian_starts,
    "iefc_J_rowsuper": _rows_to_come,
    "iefc_J_colind": _jacobian_columns,
    "iefc_type": _rows("efc_type"),
    "iefc_id": _rows("efc_id"),
    "iefc_frictionloss": _rows("efc_frictionloss"),
    "iefc_D": _rows("efc_D"),
    "iefc_R": _rows("efc_R"),
    "iefc_aref": _rows("efc_aref"),
    "iefc_force": _rows("efc_force"),
    "iefc_state": _rows("efc_state"),
    "iacc": _dofs("qacc"),
    "iacc_smooth": _dofs("qacc_smooth"),
    "ifrc_smooth": _dofs("qfrc_smooth"),
    "ifrc_constraint": _dofs("qfrc_constraint"),
}

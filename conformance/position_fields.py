"""Reading the position stage's results.

Some arrays of the reference are sized for the worst case and only partly written; what lies beyond is undefined.
The readers here return the written part, or the dense matrix that a sparse one stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def read_position_field(model: Any, data: Any, name: str) -> np.ndarray | None:
    """A field by the name used in `tolerances.POSITION_FIELDS`; None if the engine does not offer it."""
    reader = _READERS.get(name)
    try:
        if reader is not None:
            return reader(model, data)
        return np.array(getattr(data, name))
    except AttributeError:
        return None


def is_sparse(model: Any) -> bool:
    """Whether Jacobians are stored sparse: by request, or automatically from 60 degrees of freedom."""
    return model.opt.jacobian == 1 or (model.opt.jacobian == 2 and model.nv >= 60)


def _tendon_rows(model: Any, data: Any, name: str) -> np.ndarray:
    """Sparse row structure of the tendon Jacobian; the reference fills it only in sparse mode."""
    if not is_sparse(model):
        return np.zeros(0, dtype=np.int32)
    return np.array(getattr(data, name))


def _tendon_columns(model: Any, data: Any) -> np.ndarray:
    if not is_sparse(model):
        return np.zeros(0, dtype=np.int32)
    return _row_parts(data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind)


def _tendon_jacobian(model: Any, data: Any) -> np.ndarray:
    """The dense tendon Jacobian in either storage mode."""
    if not is_sparse(model):
        return np.array(data.ten_J).reshape(model.ntendon, model.nv)
    return dense(data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind, data.ten_J, model.nv)


def _wrap_part(data: Any, values: np.ndarray, width: int) -> np.ndarray:
    """The used points of the tendon paths, tendon by tendon."""
    points = np.array(values).reshape(-1, width)
    parts = [
        points[address : address + count] for address, count in zip(data.ten_wrapadr, data.ten_wrapnum, strict=True)
    ]
    return np.concatenate(parts) if parts else points[:0]


def dense(counts: np.ndarray, addresses: np.ndarray, columns: np.ndarray, values: np.ndarray, width: int) -> np.ndarray:
    """A sparse matrix written out."""
    flat_columns, flat_values = np.ravel(columns), np.ravel(values)
    matrix = np.zeros((len(counts), width))
    for row, (count, address) in enumerate(zip(counts, addresses, strict=True)):
        used = slice(address, address + count)
        matrix[row, flat_columns[used]] = flat_values[used]
    return matrix


def _row_parts(counts: np.ndarray, addresses: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The used entries of a sparse array, row after row."""
    flat = np.ravel(values)
    parts = [flat[address : address + count] for count, address in zip(counts, addresses, strict=True)]
    return np.concatenate(parts) if parts else flat[:0]


_READERS: dict[str, Callable[[Any, Any], np.ndarray]] = {
    "ten_J_rownnz_used": lambda m, d: _tendon_rows(m, d, "ten_J_rownnz"),
    "ten_J_rowadr_used": lambda m, d: _tendon_rows(m, d, "ten_J_rowadr"),
    "ten_J_colind_used": _tendon_columns,
    "ten_J_dense": _tendon_jacobian,
    "wrap_obj_used": lambda m, d: _wrap_part(d, d.wrap_obj, 1),
    "wrap_xpos_used": lambda m, d: _wrap_part(d, d.wrap_xpos, 3),
    "moment_colind_used": lambda m, d: _row_parts(d.moment_rownnz, d.moment_rowadr, d.moment_colind),
    "actuator_moment_used": lambda m, d: _row_parts(d.moment_rownnz, d.moment_rowadr, d.actuator_moment),
    "actuator_moment_dense": lambda m, d: dense(
        d.moment_rownnz, d.moment_rowadr, d.moment_colind, d.actuator_moment, m.nv
    ),
}

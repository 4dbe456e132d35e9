"""Symmetric matrices that are narrow bands but for their last rows.

The first ``ntotal - ndense`` rows are stored as ``nband`` numbers each, the last of them on the diagonal; then come the
``ndense`` last rows in full. What lies above the diagonal is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ._constants import mjMINVAL
from ._target import Array, check, put, vector

_Like = npt.ArrayLike


def _size(ntotal: int, nband: int, ndense: int) -> int:
    """Numbers in such a matrix."""
    if not 0 <= ndense <= ntotal or nband < 0:
        raise TypeError(f"there is no matrix with ntotal={ntotal}, nband={nband}, ndense={ndense}")
    return (ntotal - ndense) * nband + ndense * ntotal


def _rows(ntotal: int, nband: int, ndense: int) -> Iterator[tuple[int, int]]:
    """For each row, its first column and where the diagonal is stored."""
    sparse = ntotal - ndense
    for i in range(ntotal):
        first = max(0, i - nband + 1) if i < sparse else 0
        yield first, mju_bandDiag(i, ntotal, nband, ndense)


def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Where the diagonal of a row is stored."""
    sparse = ntotal - ndense
    return (i + 1) * nband - 1 if i < sparse else sparse * nband + (i - sparse) * ntotal + i


def _lower(mat: Array, ntotal: int, nband: int, ndense: int) -> Array:
    """The lower triangle, written out."""
    out = np.zeros((ntotal, ntotal))
    for i, (first, diagonal) in enumerate(_rows(ntotal, nband, ndense)):
        out[i, first : i + 1] = mat[diagonal - (i - first) : diagonal + 1]
    return out


def _store(mat: Array, lower: Array, ntotal: int, nband: int, ndense: int) -> None:
    for i, (first, diagonal) in enumerate(_rows(ntotal, nband, ndense)):
        mat[diagonal - (i - first) : diagonal + 1] = lower[i, first : i + 1]


def mju_band2Dense(res: Array, mat: _Like, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Writes out the lower triangle, or both if ``flg_sym``."""
    found = _lower(vector("mat", mat, _size(ntotal, nband, ndense)), ntotal, nband, ndense)
    put("res", res, found + np.tril(found, -1).T if flg_sym else found)


def mju_dense2Band(res: Array, mat: _Like, ntotal: int, nband: int, ndense: int) -> None:
    """Takes the stored entries out of a full matrix."""
    full = vector("mat", mat, ntotal * ntotal).reshape(ntotal, ntotal)
    check("res", res, (_size(ntotal, nband, ndense),))
    flat = res.ravel()
    _store(flat, full, ntotal, nband, ndense)
    res[...] = flat.reshape(res.shape)


def mju_bandMulMatVec(
    res: Array, mat: _Like, vec: _Like, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int
) -> None:
    """res = mat·vec for each of ``nvec`` vectors; only the lower triangle counts unless ``flg_sym``."""
    lower = _lower(vector("mat", mat, _size(ntotal, nband, ndense)), ntotal, nband, ndense)
    full = lower + np.tril(lower, -1).T if flg_sym else lower
    vectors = vector("vec", vec, ntotal * nvec).reshape(nvec, ntotal)
    check("res", res, (nvec * ntotal,))
    res[...] = (vectors @ full.T).reshape(res.shape)


def mju_cholFactorBand(mat: Array, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Factor L of mat + diagadd + diagmul·diagonal, in place. Returns the smallest pivot; 0 if one vanishes."""
    check("mat", mat, (_size(ntotal, nband, ndense),))
    flat = mat.ravel()
    lower = _lower(flat, ntotal, nband, ndense)
    smallest = math.inf
    for j in range(ntotal):
        pivot = diagadd + diagmul * lower[j, j] + lower[j, j] - lower[j, :j] @ lower[j, :j]
        smallest = min(smallest, pivot)
        if pivot < mjMINVAL:
            smallest = 0.0
            break
        lower[j, j] = math.sqrt(pivot)
        below = slice(j + 1, ntotal)
        lower[below, j] = (lower[below, j] - lower[below, :j] @ lower[j, :j]) * (1 / lower[j, j])
    _store(flat, lower, ntotal, nband, ndense)
    mat[...] = flat.reshape(mat.shape)
    return float(smallest) if ntotal else -1.0


def mju_cholSolveBand(res: Array, mat: _Like, vec: _Like, ntotal: int, nband: int, ndense: int) -> None:
    """res = (L·Lᵀ)⁻¹·vec, with the factor in mat."""
    lower = _lower(vector("mat", mat, _size(ntotal, nband, ndense)), ntotal, nband, ndense)
    found = vector("vec", vec, ntotal).copy()
    for i in range(ntotal):
        found[i] = (found[i] - lower[i, :i] @ found[:i]) / lower[i, i]
    for i in reversed(range(ntotal)):
        found[i] = (found[i] - lower[i + 1 :, i] @ found[i + 1 :]) / lower[i, i]
    put("res", res, found)


BANDS = tuple(value for name, value in list(globals().items()) if name.startswith("mju_"))

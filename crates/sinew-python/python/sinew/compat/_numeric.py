"""The reference's small functions on factors, sparse matrices, lists, muscles and contact forces."""

from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt

from .. import _native
from ._target import Array, all_of, check, put, vector

_Like = npt.ArrayLike
_Ints = npt.NDArray[np.int32]


def _square(name: str, mat: Array) -> int:
    if not isinstance(mat, np.ndarray) or mat.ndim != 2 or mat.shape[0] != mat.shape[1]:
        raise TypeError(f"{name} must be a square matrix")
    return mat.shape[0]


def mju_cholFactor(mat: Array, mindiag: float) -> int:
    """Factor L of mat = L·Lᵀ, in place in the lower triangle. Diagonals below ``mindiag`` are raised. Returns the rank."""
    size = _square("mat", mat)
    check("mat", mat, (size, size))
    factor, rank = _native.cholesky_factor(mat.ravel(), size, mindiag)
    mat[...] = factor.reshape(size, size)
    return rank


def mju_cholSolve(res: Array, mat: Array, vec: _Like) -> None:
    """res = (L·Lᵀ)⁻¹·vec, with the factor in the lower triangle of mat."""
    size = _square("mat", mat)
    put("res", res, _native.cholesky_solve(vector("mat", mat), vector("vec", vec, size)))


def mju_cholUpdate(mat: Array, x: Array, flg_plus: int) -> int:
    """Factor of L·Lᵀ ± x·xᵀ, in place; x is used up. Returns the rank."""
    size = _square("mat", mat)
    check("mat", mat, (size, size))
    check("x", x, (size,))
    factor, rest, rank = _native.cholesky_update(mat.ravel(), x.ravel(), bool(flg_plus))
    mat[...] = factor.reshape(mat.shape)
    x[...] = rest.reshape(x.shape)
    return rank


def mju_dense2sparse(res: Array, mat: _Like, rownnz: _Ints, rowadr: _Ints, colind: _Ints) -> int:
    """The entries of a matrix that are not 0, row by row. Returns 0, or 1 if there is no room for them."""
    matrix = np.asarray(mat, dtype=np.float64)
    if matrix.ndim != 2:
        raise TypeError("mat must be a matrix")
    check("rownnz", rownnz, matrix.shape[:1], np.int32)
    check("rowadr", rowadr, matrix.shape[:1], np.int32)
    check("colind", colind, res.shape, np.int32)
    address = 0
    for row, values in enumerate(matrix):
        (columns,) = np.nonzero(values)
        rownnz[row], rowadr[row] = len(columns), address
        if address + len(columns) > res.size:
            return 1
        colind[address : address + len(columns)] = columns
        res[address : address + len(columns)] = values[columns]
        address += len(columns)
    return 0


def mju_sparse2dense(res: Array, mat: _Like, rownnz: _Ints, rowadr: _Ints, colind: _Ints) -> None:
    """Writes out a sparse matrix."""
    values, dense = vector("mat", mat), np.zeros(res.shape)
    for row, (count, address) in enumerate(zip(rownnz, rowadr, strict=True)):
        part = slice(address, address + count)
        dense[row, colind[part]] = values[part]
    put("res", res, dense)


def mju_transformSpatial(
    res: Array, vec: _Like, flg_force: int, newpos: _Like, oldpos: _Like, rotnew2old: _Like | None
) -> None:
    """A spatial motion or force (rotation, translation) about another point, in turned axes."""
    points = vector("newpos", newpos, 3), vector("oldpos", oldpos, 3)
    axes = None if rotnew2old is None else vector("rotnew2old", rotnew2old, 9)
    put("res", res, _native.transform_spatial(vector("vec", vec, 6), bool(flg_force), *points, axes))


def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position after a time of a unit mass on a spring and a damper."""
    determinant = Kv * Kv - 4 * Kp
    if determinant > 1e-15:
        root = math.sqrt(determinant)
        fast, slow = (-Kv - root) / 2, (-Kv + root) / 2
        c1 = (pos0 * slow - vel0) / root
        c2 = (vel0 - pos0 * fast) / root
        return c1 * math.exp(fast * dt) + c2 * math.exp(slow * dt)
    if determinant <= -1e-15:
        frequency = math.sqrt(-determinant) / 2
        c2 = (vel0 + pos0 * Kv / 2) / frequency
        return math.exp(-Kv / 2 * dt) * (pos0 * math.cos(frequency * dt) + c2 * math.sin(frequency * dt))
    return math.exp(-Kv / 2 * dt) * (pos0 + (vel0 + pos0 * Kv / 2) * dt)


def mju_insertionSort(list: Array) -> None:
    """Sorts numbers, in place."""
    list[...] = np.sort(list)


def mju_insertionSortInt(list: _Ints) -> None:
    """Sorts whole numbers, in place."""
    list[...] = np.sort(list)


def mju_n2d(res: Array, vec: _Like) -> None:
    """Copies numbers."""
    put("res", res, vector("vec", vec))


def mju_d2n(res: Array, vec: _Like) -> None:
    """Copies numbers."""
    put("res", res, vector("vec", vec))


def mju_n2f(res: npt.NDArray[np.float32], vec: _Like) -> None:
    """Copies numbers with single precision."""
    put("res", res, vector("vec", vec).astype(np.float32))


def mju_f2n(res: Array, vec: _Like) -> None:
    """Copies numbers of single precision."""
    put("res", res, vector("vec", vec))


def mju_encodePyramid(pyramid: Array, force: _Like, mu: _Like) -> None:
    """Forces along the edges of a friction pyramid that add up to a contact force."""
    friction = vector("mu", mu)
    tangents = friction.size
    normal, *tangential = vector("force", force, tangents + 1)
    check("pyramid", pyramid, (2 * tangents,))
    share = normal / tangents
    found = np.zeros((tangents, 2))
    for i, (tangent, coefficient) in enumerate(zip(tangential, friction, strict=True)):
        difference = min(share, tangent / coefficient)
        found[i] = 0.5 * (share + difference), 0.5 * (share - difference)
    put("pyramid", pyramid, found.ravel())


def mju_decodePyramid(force: Array, pyramid: _Like, mu: _Like) -> None:
    """The contact force of forces along the edges of a friction pyramid."""
    friction = vector("mu", mu)
    if not friction.size:
        return put("force", force, vector("pyramid", pyramid, 1))
    edges = vector("pyramid", pyramid, 2 * friction.size)
    tangential = (edges[::2] - edges[1::2]) * friction
    put("force", force, np.concatenate([[sum(edges.tolist())], tangential]))


def mju_muscleGain(len: float, vel: float, lengthrange: _Like, acc0: float, prm: _Like) -> float:
    """Active force of a muscle at full activation, which pulls: it is not positive."""
    return _native.muscle_gain(len, vel, vector("lengthrange", lengthrange, 2), acc0, vector("prm", prm, 9))


def mju_muscleBias(len: float, lengthrange: _Like, acc0: float, prm: _Like) -> float:
    """Passive force of a muscle."""
    return _native.muscle_bias(len, vector("lengthrange", lengthrange, 2), acc0, vector("prm", prm, 9))


def mju_muscleDynamics(ctrl: float, act: float, prm: _Like) -> float:
    """Rate of a muscle's activation."""
    return _native.muscle_dynamics(ctrl, act, vector("prm", prm, 3))


def mju_eig3(eigval: Array, eigvec: Array, quat: Array, mat: _Like) -> int:
    """Eigenvalues of a symmetric matrix, largest first, and its axes as columns and as a quaternion.

    Returns how many rotations it took.
    """
    all_of(("eigval", eigval, (3,)), ("eigvec", eigvec, (9,)), ("quat", quat, (4,)))
    values, vectors, turn, count = _native.principal_axes(vector("mat", mat, 9))
    for target, found in ((eigval, values), (eigvec, vectors), (quat, turn)):
        target[...] = np.reshape(found, target.shape)
    return count


def mju_mat2Rot(quat: Array, mat: _Like) -> int:
    """The rotation in a matrix (Müller et al., 2016), found from the guess in ``quat``. Returns the iterations."""
    check("quat", quat, (4,))
    turn, count = _native.extract_rotation(quat.ravel(), vector("mat", mat, 9))
    put("quat", quat, turn)
    return count


def mju_rayGeom(
    pos: _Like, mat: _Like, size: _Like, pnt: _Like, vec: _Like, geomtype: int, normal: Array | None = None
) -> float:
    """How far a ray goes until it meets a primitive shape, in units of ``vec``; -1 if it does not."""
    all_of(("normal", normal, (3,)))
    pose = vector("pos", pos, 3), vector("mat", mat, 9), vector("size", size, 3)
    found = _native.ray_against_shape(int(geomtype), *pose, vector("pnt", pnt, 3), vector("vec", vec, 3))
    if normal is not None:
        normal[...] = np.reshape(found[1], normal.shape)
    return found[0]


def mju_standardNormal(num2: float | None) -> float:
    """A number from the standard normal distribution, drawn by Python's ``random``."""
    return random.gauss(0.0, 1.0)


NUMERICS = tuple(
    value for name, value in list(globals().items()) if name.startswith("mju_") and value.__module__ == __name__
)

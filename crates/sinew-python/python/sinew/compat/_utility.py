"""The reference's small functions on vectors, matrices, quaternions and poses.

Results go into an array of the caller, as in the reference; the order of operations is the reference's.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .. import _native
from ._constants import mjMAXVAL, mjMINVAL
from ._enums import ENUMS
from ._target import Array, check, put, vector

_Like = npt.ArrayLike


# --------------------------------------------------------------------------------------- vectors


def _pair(vec1: _Like, vec2: _Like) -> tuple[Array, Array]:
    first = vector("vec1", vec1)
    return first, vector("vec2", vec2, first.size)


def _fixed(count: int, name: str, value: _Like) -> Array:
    return vector(name, value, count)


def mju_zero(res: Array) -> None:
    """res = 0."""
    res[...] = 0


def mju_zero3(res: Array) -> None:
    """res = 0."""
    put("res", res, np.zeros(3))


def mju_zero4(res: Array) -> None:
    """res = 0."""
    put("res", res, np.zeros(4))


def mju_unit4(res: Array) -> None:
    """res = (1, 0, 0, 0)."""
    put("res", res, np.array([1.0, 0, 0, 0]))


def mju_fill(res: Array, val: float) -> None:
    """res = val, everywhere."""
    res[...] = val


def mju_copy(res: Array, vec: _Like) -> None:
    """res = vec."""
    put("res", res, vector("vec", vec))


def mju_copy3(res: Array, data: _Like) -> None:
    """res = data."""
    put("res", res, vector("data", data, 3))


def mju_copy4(res: Array, data: _Like) -> None:
    """res = data."""
    put("res", res, vector("data", data, 4))


def mju_sum(vec: _Like) -> float:
    """Sum of the numbers."""
    total = 0.0
    for x in vector("vec", vec):
        total += x
    return float(total)


def mju_L1(vec: _Like) -> float:
    """Sum of the absolute values."""
    return mju_sum(abs(vector("vec", vec)))


def mju_scl(res: Array, vec: _Like, scl: float) -> None:
    """res = vec·scl."""
    put("res", res, vector("vec", vec) * scl)


def mju_scl3(res: Array, vec: _Like, scl: float) -> None:
    """res = vec·scl."""
    put("res", res, vector("vec", vec, 3) * scl)


def mju_add(res: Array, vec1: _Like, vec2: _Like) -> None:
    """res = vec1 + vec2."""
    first, second = _pair(vec1, vec2)
    put("res", res, first + second)


def mju_add3(res: Array, vec1: _Like, vec2: _Like) -> None:
    """res = vec1 + vec2."""
    put("res", res, vector("vec1", vec1, 3) + vector("vec2", vec2, 3))


def mju_sub(res: Array, vec1: _Like, vec2: _Like) -> None:
    """res = vec1 − vec2."""
    first, second = _pair(vec1, vec2)
    put("res", res, first - second)


def mju_sub3(res: Array, vec1: _Like, vec2: _Like) -> None:
    """res = vec1 − vec2."""
    put("res", res, vector("vec1", vec1, 3) - vector("vec2", vec2, 3))


def mju_addTo(res: Array, vec: _Like) -> None:
    """res += vec."""
    put("res", res, res.ravel() + vector("vec", vec, res.size))


def mju_addTo3(res: Array, vec: _Like) -> None:
    """res += vec."""
    mju_addTo(res, _fixed(3, "vec", vec))


def mju_subFrom(res: Array, vec: _Like) -> None:
    """res −= vec."""
    put("res", res, res.ravel() - vector("vec", vec, res.size))


def mju_subFrom3(res: Array, vec: _Like) -> None:
    """res −= vec."""
    mju_subFrom(res, _fixed(3, "vec", vec))


def mju_addToScl(res: Array, vec: _Like, scl: float) -> None:
    """res += vec·scl."""
    put("res", res, res.ravel() + vector("vec", vec, res.size) * scl)


def mju_addToScl3(res: Array, vec: _Like, scl: float) -> None:
    """res += vec·scl."""
    mju_addToScl(res, _fixed(3, "vec", vec), scl)


def mju_addScl(res: Array, vec1: _Like, vec2: _Like, scl: float) -> None:
    """res = vec1 + vec2·scl."""
    first, second = _pair(vec1, vec2)
    put("res", res, first + second * scl)


def mju_addScl3(res: Array, vec1: _Like, vec2: _Like, scl: float) -> None:
    """res = vec1 + vec2·scl."""
    put("res", res, vector("vec1", vec1, 3) + vector("vec2", vec2, 3) * scl)


def mju_dot(vec1: _Like, vec2: _Like) -> float:
    """Scalar product."""
    return _native.dot(*_pair(vec1, vec2))


def mju_dot3(vec1: _Like, vec2: _Like) -> float:
    """Scalar product."""
    return _native.dot(vector("vec1", vec1, 3), vector("vec2", vec2, 3))


def mju_norm(res: _Like) -> float:
    """Length of a vector."""
    flat = vector("res", res)
    return math.sqrt(_native.dot(flat, flat))


def mju_norm3(vec: _Like) -> float:
    """Length of a vector."""
    return mju_norm(vector("vec", vec, 3))


def mju_dist3(pos1: _Like, pos2: _Like) -> float:
    """Distance of two points."""
    return mju_norm(vector("pos1", pos1, 3) - vector("pos2", pos2, 3))


def mju_normalize(res: Array) -> float:
    """Makes a vector's length 1, in place; a vector of length 0 becomes (1, 0, …). Returns the length it had."""
    check("res", res, (res.size,))
    length = mju_norm(res)
    flat = np.zeros(res.size)
    if length < mjMINVAL:
        flat[:1] = 1
    else:
        flat = res.ravel() * (1 / length)
    res[...] = flat.reshape(res.shape)
    return length


def mju_normalize3(vec: Array) -> float:
    """Makes a vector's length 1, in place. Returns the length it had."""
    check("vec", vec, (3,))
    return mju_normalize(vec)


def mju_normalize4(vec: Array) -> float:
    """Makes a quaternion's length 1, in place. Returns the length it had."""
    check("vec", vec, (4,))
    unit, length = _native.normalize_quat(vec.ravel())
    vec[...] = np.reshape(unit, vec.shape)
    return length


def mju_cross(res: Array, a: _Like, b: _Like) -> None:
    """res = a × b."""
    (x, y, z), (u, v, w) = vector("a", a, 3), vector("b", b, 3)
    put("res", res, np.array([y * w - z * v, z * u - x * w, x * v - y * u]))


def mju_isZero(vec: _Like) -> int:
    """1 if every number is 0."""
    return int(not vector("vec", vec).any())


# -------------------------------------------------------------------------------------- matrices


def _matrix(name: str, value: _Like) -> Array:
    matrix = np.asarray(value, dtype=np.float64)
    if matrix.ndim != 2:
        raise TypeError(f"{name} must be a matrix")
    return matrix


def mju_eye(mat: Array) -> None:
    """mat = identity."""
    put("mat", mat, np.eye(_matrix("mat", mat).shape[0]))


def mju_transpose(res: Array, mat: _Like) -> None:
    """res = matᵀ."""
    put("res", res, _matrix("mat", mat).T.copy())


def mju_symmetrize(res: Array, mat: _Like) -> None:
    """res = (mat + matᵀ) / 2."""
    matrix = _matrix("mat", mat)
    put("res", res, 0.5 * (matrix + matrix.T))


def mju_mulMatVec(res: Array, mat: _Like, vec: _Like) -> None:
    """res = mat·vec."""
    matrix = _matrix("mat", mat)
    put("res", res, matrix @ vector("vec", vec, matrix.shape[1]))


def mju_mulMatTVec(res: Array, mat: _Like, vec: _Like) -> None:
    """res = matᵀ·vec."""
    matrix = _matrix("mat", mat)
    put("res", res, matrix.T @ vector("vec", vec, matrix.shape[0]))


def mju_mulMatVec3(res: Array, mat: _Like, vec: _Like) -> None:
    """res = mat·vec, 3 × 3."""
    put("res", res, _native.matrix_times_vector(vector("mat", mat, 9), vector("vec", vec, 3)))


def mju_mulMatTVec3(res: Array, mat: _Like, vec: _Like) -> None:
    """res = matᵀ·vec, 3 × 3."""
    put("res", res, _native.transposed_times_vector(vector("mat", mat, 9), vector("vec", vec, 3)))


def mju_mulVecMatVec(vec1: _Like, mat: _Like, vec2: _Like) -> float:
    """vec1ᵀ·mat·vec2."""
    matrix = _matrix("mat", mat)
    return float(vector("vec1", vec1, matrix.shape[0]) @ (matrix @ vector("vec2", vec2, matrix.shape[1])))


def mju_mulMatMat(res: Array, mat1: _Like, mat2: _Like) -> None:
    """res = mat1·mat2."""
    put("res", res, _matrix("mat1", mat1) @ _matrix("mat2", mat2))


def mju_mulMatMatT(res: Array, mat1: _Like, mat2: _Like) -> None:
    """res = mat1·mat2ᵀ."""
    put("res", res, _matrix("mat1", mat1) @ _matrix("mat2", mat2).T)


def mju_mulMatTMat(res: Array, mat1: _Like, mat2: _Like) -> None:
    """res = mat1ᵀ·mat2."""
    put("res", res, _matrix("mat1", mat1).T @ _matrix("mat2", mat2))


def mju_sqrMatTD(res: Array, mat: _Like, diag: _Like | None) -> None:
    """res = matᵀ·diag·mat."""
    matrix = _matrix("mat", mat)
    scaled = matrix if diag is None else vector("diag", diag, matrix.shape[0])[:, None] * matrix
    put("res", res, matrix.T @ scaled)


# ----------------------------------------------------------------------------------- quaternions


def mju_mulQuat(res: Array, quat1: _Like, quat2: _Like) -> None:
    """res = quat1·quat2: turn by quat2, then by quat1."""
    put("res", res, _native.quat_product(vector("quat1", quat1, 4), vector("quat2", quat2, 4)))


def mju_mulQuatAxis(res: Array, quat: _Like, axis: _Like) -> None:
    """res = quat·(0, axis)."""
    put("res", res, _native.quat_times_axis(vector("quat", quat, 4), vector("axis", axis, 3)))


def mju_negQuat(res: Array, quat: _Like) -> None:
    """The opposite rotation."""
    put("res", res, vector("quat", quat, 4) * (1, -1, -1, -1))


def mju_rotVecQuat(res: Array, vec: _Like, quat: _Like) -> None:
    """Turns a vector."""
    put("res", res, _native.rotate(vector("quat", quat, 4), vector("vec", vec, 3)))


def mju_axisAngle2Quat(res: Array, axis: _Like, angle: float) -> None:
    """Rotation about a unit axis by an angle in radians."""
    put("res", res, _native.quat_about_axis(vector("axis", axis, 3), angle))


def mju_quat2Vel(res: Array, quat: _Like, dt: float) -> None:
    """The angular velocity that makes a rotation in a time."""
    put("res", res, _native.quat_to_velocity(vector("quat", quat, 4), dt))


def mju_subQuat(res: Array, qa: _Like, qb: _Like) -> None:
    """Rotation vector that leads from qb to qa, in the frame of qb."""
    put("res", res, _native.quat_difference(vector("qa", qa, 4), vector("qb", qb, 4)))


def mju_quat2Mat(res: Array, quat: _Like) -> None:
    """Rotation matrix of a quaternion."""
    put("res", res, _native.quat_to_matrix(vector("quat", quat, 4)))


def mju_mat2Quat(quat: Array, mat: _Like) -> None:
    """Quaternion of a rotation matrix."""
    put("quat", quat, _native.matrix_to_quat(vector("mat", mat, 9)))


def mju_derivQuat(res: Array, quat: _Like, vel: _Like) -> None:
    """Time derivative of a quaternion that turns with an angular velocity."""
    put("res", res, _native.quat_rate(vector("quat", quat, 4), vector("vel", vel, 3)))


def mju_quatIntegrate(quat: Array, vel: _Like, scale: float) -> None:
    """Turns a quaternion with an angular velocity for a time, in place."""
    check("quat", quat, (4,))
    put("quat", quat, _native.turn_quat(quat.ravel(), vector("vel", vel, 3), scale))


def mju_quatZ2Vec(quat: Array, vec: _Like) -> None:
    """The rotation that turns the z-axis to a direction."""
    put("quat", quat, _native.quat_from_z_to(vector("vec", vec, 3)))


def mju_euler2Quat(quat: Array, euler: _Like, seq: str) -> None:
    """Rotation by three angles in radians about the axes named in ``seq``: xyz turn along, XYZ stay fixed."""
    angles = vector("euler", euler, 3)
    if len(seq) != 3 or not set(seq) <= set("xyzXYZ"):
        raise ValueError(f"seq must be three letters of xyzXYZ, not {seq!r}")
    turned = [1.0, 0.0, 0.0, 0.0]
    for letter, angle in zip(seq, angles, strict=True):
        step = _native.quat_about_axis(np.eye(3)["xyz".index(letter.lower())], angle)
        turned = _native.quat_product(*((turned, step) if letter.islower() else (step, turned)))
    put("quat", quat, turned)


# ----------------------------------------------------------------------------------------- poses


def mju_mulPose(posres: Array, quatres: Array, pos1: _Like, quat1: _Like, pos2: _Like, quat2: _Like) -> None:
    """The pose 2, given in the frame of pose 1, in the frame of pose 1's parent."""
    pos1, quat1 = vector("pos1", pos1, 3), vector("quat1", quat1, 4)
    quat, _length = _native.normalize_quat(_native.quat_product(quat1, vector("quat2", quat2, 4)))
    pos = _native.rotate(quat1, vector("pos2", pos2, 3)) + pos1
    check("posres", posres, (3,))
    put("quatres", quatres, quat)
    put("posres", posres, pos)


def mju_negPose(posres: Array, quatres: Array, pos: _Like, quat: _Like) -> None:
    """The inverse of a pose."""
    back = vector("quat", quat, 4) * (1, -1, -1, -1)
    origin = np.negative(_native.rotate(back, vector("pos", pos, 3)))
    check("posres", posres, (3,))
    put("quatres", quatres, back)
    put("posres", posres, origin)


def mju_trnVecPose(res: Array, pos: _Like, quat: _Like, vec: _Like) -> None:
    """A point given in the frame of a pose, in its parent frame."""
    put("res", res, _native.rotate(vector("quat", quat, 4), vector("vec", vec, 3)) + vector("pos", pos, 3))


# ---------------------------------------------------------------------------------------- others


def mju_min(a: float, b: float) -> float:
    """The smaller number."""
    return float(a if a <= b else b)


def mju_max(a: float, b: float) -> float:
    """The larger number."""
    return float(a if a >= b else b)


def mju_clip(x: float, min: float, max: float) -> float:
    """x, within two bounds."""
    return float(min if x < min else max if x > max else x)


def mju_sign(x: float) -> float:
    """−1, 0 or 1."""
    return float((x > 0) - (x < 0))


def mju_round(x: float) -> int:
    """The nearest whole number."""
    low, high = math.floor(x), math.ceil(x)
    return low if x - low < high - x else high


def mju_isBad(x: float) -> int:
    """1 if a number is not finite or too large."""
    return int(not -mjMAXVAL <= x <= mjMAXVAL)


def mju_sigmoid(x: float) -> float:
    """A smooth step from 0 at 0 to 1 at 1, of order 5."""
    return _native.sigmoid(x)


def mju_Halton(index: int, base: int) -> float:
    """An element of Halton's low-discrepancy sequence."""
    value, fraction, rest = 0.0, 1.0 / base, index
    while rest > 0:
        value += fraction * (rest % base)
        rest //= base
        fraction /= base
    return value


def _object_name(kind) -> str:
    names = {"mjOBJ_UNKNOWN": "", "mjOBJ_DOF": "dof", "mjOBJ_HFIELD": "hfield", "mjOBJ_XBODY": "xbody"}
    return names.get(kind.name, kind.name.removeprefix("mjOBJ_").lower())


_OBJECTS = {_object_name(kind): int(kind) for kind in ENUMS["mjtObj"] if not kind.name.startswith("mjN")}


def mju_str2Type(str: str) -> int:
    """The object type (``mjtObj``) with a name such as "body"; 0 if there is none."""
    return _OBJECTS.get(str.decode() if isinstance(str, bytes) else str, 0)


def mju_type2Str(type: int) -> str | None:
    """The name of an object type."""
    names = {code: name for name, code in _OBJECTS.items()}
    return names.get(int(type)) or None


UTILITIES = tuple(value for name, value in list(globals().items()) if name.startswith("mju_"))

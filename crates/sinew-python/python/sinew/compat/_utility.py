"""The reference's small functions on vectors, matrices, quaternions and poses.

Results go into an array of the caller, as in the reference; the order of operations is the reference's.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ._constants import mjMAXVAL, mjMINVAL
from ._enums import ENUMS
from ._target import Array, check, put, vector

_Like = npt.ArrayLike


# --------------------------------------------------------------------------------------- vectors


def _dot(a, b) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += x * y
    return float(total)


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
    return _dot(*_pair(vec1, vec2))


def mju_dot3(vec1: _Like, vec2: _Like) -> float:
    """Scalar product."""
    return _dot(vector("vec1", vec1, 3), vector("vec2", vec2, 3))


def mju_norm(res: _Like) -> float:
    """Length of a vector."""
    flat = vector("res", res)
    return math.sqrt(_dot(flat, flat))


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
    length = mju_norm(vec)
    if length < mjMINVAL:
        mju_unit4(vec)
    elif abs(length - 1) > mjMINVAL:
        vec[...] = vec * (1 / length)
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
    v = vector("vec", vec, 3)
    put("res", res, np.array([_dot(row, v) for row in vector("mat", mat, 9).reshape(3, 3)]))


def mju_mulMatTVec3(res: Array, mat: _Like, vec: _Like) -> None:
    """res = matᵀ·vec, 3 × 3."""
    v = vector("vec", vec, 3)
    put("res", res, np.array([_dot(row, v) for row in vector("mat", mat, 9).reshape(3, 3).T]))


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


def _product(a: Array, b: Array) -> Array:
    return np.array(
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    )


def _rotate(v: Array, q: Array) -> Array:
    if not v.any():
        return np.zeros(3)
    if q[0] == 1 and not q[1:].any():
        return v.copy()
    w, axis = q[0], q[1:]
    turned = np.array(
        [
            w * v[0] + axis[1] * v[2] - axis[2] * v[1],
            w * v[1] + axis[2] * v[0] - axis[0] * v[2],
            w * v[2] + axis[0] * v[1] - axis[1] * v[0],
        ]
    )
    return np.array(
        [
            v[0] + 2 * (axis[1] * turned[2] - axis[2] * turned[1]),
            v[1] + 2 * (axis[2] * turned[0] - axis[0] * turned[2]),
            v[2] + 2 * (axis[0] * turned[1] - axis[1] * turned[0]),
        ]
    )


def _from_axis_angle(axis: Array, angle: float) -> Array:
    if angle == 0:
        return np.array([1.0, 0, 0, 0])
    half = math.sin(angle * 0.5)
    return np.array([math.cos(angle * 0.5), axis[0] * half, axis[1] * half, axis[2] * half])


def mju_mulQuat(res: Array, quat1: _Like, quat2: _Like) -> None:
    """res = quat1·quat2: turn by quat2, then by quat1."""
    put("res", res, _product(vector("quat1", quat1, 4), vector("quat2", quat2, 4)))


def mju_mulQuatAxis(res: Array, quat: _Like, axis: _Like) -> None:
    """res = quat·(0, axis)."""
    put("res", res, _product(vector("quat", quat, 4), np.concatenate([[0.0], vector("axis", axis, 3)])))


def mju_negQuat(res: Array, quat: _Like) -> None:
    """The opposite rotation."""
    put("res", res, vector("quat", quat, 4) * (1, -1, -1, -1))


def mju_rotVecQuat(res: Array, vec: _Like, quat: _Like) -> None:
    """Turns a vector."""
    put("res", res, _rotate(vector("vec", vec, 3), vector("quat", quat, 4)))


def mju_axisAngle2Quat(res: Array, axis: _Like, angle: float) -> None:
    """Rotation about a unit axis by an angle in radians."""
    put("res", res, _from_axis_angle(vector("axis", axis, 3), angle))


def _to_velocity(quat: Array, duration: float) -> Array:
    axis = quat[1:].copy()
    length = mju_normalize(axis)
    angle = 2 * math.atan2(length, quat[0])
    if angle > math.pi:
        angle -= 2 * math.pi
    return axis * (angle / duration)


def mju_quat2Vel(res: Array, quat: _Like, dt: float) -> None:
    """The angular velocity that makes a rotation in a time."""
    put("res", res, _to_velocity(vector("quat", quat, 4), dt))


def mju_subQuat(res: Array, qa: _Like, qb: _Like) -> None:
    """Rotation vector that leads from qb to qa, in the frame of qb."""
    difference = _product(vector("qb", qb, 4) * (1, -1, -1, -1), vector("qa", qa, 4))
    put("res", res, _to_velocity(difference, 1.0))


def mju_quat2Mat(res: Array, quat: _Like) -> None:
    """Rotation matrix of a quaternion."""
    w, x, y, z = vector("quat", quat, 4)
    if w == 1 and x == 0 and y == 0 and z == 0:
        put("res", res, np.eye(3).ravel())
        return
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    entries = [
        ww + xx - yy - zz, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), ww - xx + yy - zz, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), ww - xx - yy + zz,
    ]  # fmt: skip
    put("res", res, np.array(entries))


def mju_mat2Quat(quat: Array, mat: _Like) -> None:
    """Quaternion of a rotation matrix."""
    m = vector("mat", mat, 9)
    if m[0] + m[4] + m[8] > 0:
        w = 0.5 * math.sqrt(1 + m[0] + m[4] + m[8])
        found = [w, 0.25 * (m[7] - m[5]) / w, 0.25 * (m[2] - m[6]) / w, 0.25 * (m[3] - m[1]) / w]
    elif m[0] > m[4] and m[0] > m[8]:
        x = 0.5 * math.sqrt(1 + m[0] - m[4] - m[8])
        found = [0.25 * (m[7] - m[5]) / x, x, 0.25 * (m[1] + m[3]) / x, 0.25 * (m[2] + m[6]) / x]
    elif m[4] > m[8]:
        y = 0.5 * math.sqrt(1 - m[0] + m[4] - m[8])
        found = [0.25 * (m[2] - m[6]) / y, 0.25 * (m[1] + m[3]) / y, y, 0.25 * (m[5] + m[7]) / y]
    else:
        z = 0.5 * math.sqrt(1 - m[0] - m[4] + m[8])
        found = [0.25 * (m[3] - m[1]) / z, 0.25 * (m[2] + m[6]) / z, 0.25 * (m[5] + m[7]) / z, z]
    found = np.array(found)
    mju_normalize4(found)
    put("quat", quat, found)


def mju_derivQuat(res: Array, quat: _Like, vel: _Like) -> None:
    """Time derivative of a quaternion that turns with an angular velocity."""
    put("res", res, 0.5 * _product(np.concatenate([[0.0], vector("vel", vel, 3)]), vector("quat", quat, 4)))


def mju_quatIntegrate(quat: Array, vel: _Like, scale: float) -> None:
    """Turns a quaternion with an angular velocity for a time, in place."""
    check("quat", quat, (4,))
    axis = vector("vel", vel, 3).copy()
    angle = scale * mju_normalize(axis)
    turned = _product(quat.ravel(), _from_axis_angle(axis, angle))
    put("quat", quat, turned)


def mju_quatZ2Vec(quat: Array, vec: _Like) -> None:
    """The rotation that turns the z-axis to a direction."""
    direction = vector("vec", vec, 3).copy()
    found = np.array([1.0, 0, 0, 0])
    if mju_norm(direction) >= mjMINVAL:
        mju_normalize(direction)
        axis = np.array([-direction[1], direction[0], 0.0])
        sine = mju_normalize(axis)
        if sine < mjMINVAL:
            found = np.array([0.0, 1, 0, 0]) if direction[2] < 0 else found
        else:
            found = _from_axis_angle(axis, math.atan2(sine, direction[2]))
    put("quat", quat, found)


def mju_euler2Quat(quat: Array, euler: _Like, seq: str) -> None:
    """Rotation by three angles in radians about the axes named in ``seq``: xyz turn along, XYZ stay fixed."""
    angles = vector("euler", euler, 3)
    if len(seq) != 3 or not set(seq) <= set("xyzXYZ"):
        raise ValueError(f"seq must be three letters of xyzXYZ, not {seq!r}")
    turned = np.array([1.0, 0, 0, 0])
    for letter, angle in zip(seq, angles, strict=True):
        step = np.zeros(4)
        step[0] = math.cos(angle / 2)
        step[1 + "xyz".index(letter.lower())] = math.sin(angle / 2)
        turned = _product(turned, step) if letter.islower() else _product(step, turned)
    put("quat", quat, turned)


# ----------------------------------------------------------------------------------------- poses


def mju_mulPose(posres: Array, quatres: Array, pos1: _Like, quat1: _Like, pos2: _Like, quat2: _Like) -> None:
    """The pose 2, given in the frame of pose 1, in the frame of pose 1's parent."""
    pos1, quat1 = vector("pos1", pos1, 3), vector("quat1", quat1, 4)
    quat = _product(quat1, vector("quat2", quat2, 4))
    mju_normalize4(quat)
    pos = _rotate(vector("pos2", pos2, 3), quat1) + pos1
    check("posres", posres, (3,))
    put("quatres", quatres, quat)
    put("posres", posres, pos)


def mju_negPose(posres: Array, quatres: Array, pos: _Like, quat: _Like) -> None:
    """The inverse of a pose."""
    back = vector("quat", quat, 4) * (1, -1, -1, -1)
    origin = -_rotate(vector("pos", pos, 3), back)
    check("posres", posres, (3,))
    put("quatres", quatres, back)
    put("posres", posres, origin)


def mju_trnVecPose(res: Array, pos: _Like, quat: _Like, vec: _Like) -> None:
    """A point given in the frame of a pose, in its parent frame."""
    put("res", res, _rotate(vector("vec", vec, 3), vector("quat", quat, 4)) + vector("pos", pos, 3))


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
    return 0.0 if x <= 0 else 1.0 if x >= 1 else float(x * x * x * (3 * x * (2 * x - 5) + 10))


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

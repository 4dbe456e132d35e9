"""The reference's functions that write their answer into arrays of the caller."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from .. import _native
from ._data import MjData, check_fits
from ._enums import ENUMS
from ._model import MjModel
from ._target import Array, all_of, check, index, put, vector

_Matrix = Array | None


def mj_isSparse(m: MjModel) -> int:
    """1 if Jacobians are stored sparse."""
    return int(_native.is_jacobian_sparse(m._native))


def mj_isPyramidal(m: MjModel) -> int:
    """1 if friction cones are pyramids."""
    return int(m.opt.cone == ENUMS["mjtCone"].mjCONE_PYRAMIDAL)


def mj_isDual(m: MjModel) -> int:
    """1 if the solver works on forces."""
    return int(_native.is_dual(m._native))


def mj_getTotalmass(m: MjModel) -> float:
    """Sum of the masses of all bodies."""
    return _native.total_mass(m._native)


def mj_fullM(m: MjModel, dst: Array, M: Array) -> None:
    """Writes out a symmetric matrix in the layout of ``qM``."""
    check("dst", dst, (m.nv, m.nv))
    put("dst", dst, _native.expand_inertia(m._native, vector("M", M, m.nM)))


def mj_mulM(m: MjModel, d: MjData, res: Array, vec: npt.ArrayLike) -> None:
    """res = M·vec."""
    put("res", res, np.array(_native.multiply_inertia(m._native, d._native, vector("vec", vec, m.nv))))


def mj_solveM(m: MjModel, d: MjData, x: Array, y: Array) -> None:
    """x = M⁻¹·y, for each row of y."""
    _solve(m, x, y, lambda row: _native.solve_inertia(m._native, d._native, row))


def mj_mulM2(m: MjModel, d: MjData, res: Array, vec: npt.ArrayLike) -> None:
    """res = D^½·L·vec, whose square is vec·M·vec, where M = Lᵀ·D·L."""
    put("res", res, np.array(_native.half_multiply_inertia(m._native, d._native, vector("vec", vec, m.nv))))


def mj_solveM2(m: MjModel, d: MjData, x: Array, y: Array, sqrtInvD: npt.ArrayLike) -> None:
    """x = D^(-½)·L⁻ᵀ·y for each row of y, whose square is y·M⁻¹·y; ``sqrtInvD`` is D^(-½)."""
    roots = vector("sqrtInvD", sqrtInvD, m.nv)
    _solve(m, x, y, lambda row: _native.half_solve_inertia(m._native, d._native, roots, row))


def _solve(m: MjModel, x: Array, y: npt.ArrayLike, solve: Callable) -> None:
    """Solves for each row of y."""
    rows = np.atleast_2d(np.asarray(y, dtype=np.float64))
    if rows.shape[-1] != m.nv:
        raise TypeError(f"y must have {m.nv} columns, not {rows.shape[-1]}")
    check("x", x, rows.shape)
    x[...] = np.reshape([solve(row) for row in rows], x.shape)


def mj_addM(
    m: MjModel, d: MjData, dst: Array, rownnz: npt.NDArray[np.int32], rowadr: npt.NDArray[np.int32],
    colind: npt.NDArray[np.int32],
) -> None:  # fmt: skip
    """Adds the inertia to a sparse matrix, whose rows must have room for it."""
    check_fits(m, d)
    for name, target, size in (("rownnz", rownnz, m.nv), ("rowadr", rowadr, m.nv), ("colind", colind, dst.size)):
        check(name, target, (size,), np.int32)
    check("dst", dst, (dst.size,))
    sums = []
    for i in range(m.nv):
        start, count = int(rowadr[i]), int(rownnz[i])
        if start < 0 or count < 0 or start + count > dst.size:
            raise ValueError(f"row {i} does not lie in the matrix")
        entries = dict(zip(colind[start : start + count].tolist(), dst[start : start + count].tolist(), strict=True))
        for k in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
            column = int(m.M_colind[k])
            entries[column] = entries.get(column, 0.0) + float(d.M[k])
        room = min([int(a) for a in rowadr if a > start], default=dst.size)
        if start + len(entries) > room:
            raise ValueError(f"row {i} has no room for {len(entries)} entries")
        sums.append(sorted(entries.items()))
    for i, entries in enumerate(sums):
        place = slice(rowadr[i], rowadr[i] + len(entries))
        rownnz[i] = len(entries)
        colind[place] = [column for column, _ in entries]
        dst[place] = [value for _, value in entries]


def mj_angmomMat(m: MjModel, d: MjData, mat: Array, body: int) -> None:
    """The matrix that turns velocities into the angular momentum of a body's subtree about its centre of mass."""
    check("mat", mat, (3, m.nv))
    put("mat", mat, np.reshape(_native.angular_momentum_matrix(m._native, d._native, body), (3, m.nv)))


def mj_local2Global(
    d: MjData, xpos: Array, xmat: Array, pos: npt.ArrayLike, quat: npt.ArrayLike, body: int, sameframe: int
) -> None:
    """World pose of a frame given in a body; ``sameframe`` (``mjtSameFrame``) says which parts are the body's own."""
    all_of(("xpos", xpos, (3,)), ("xmat", xmat, (9,)))
    pose = vector("pos", pos, 3), vector("quat", quat, 4)
    place, axes = _native.frame_of_body(d.model._native, d._native, body, *pose, int(sameframe))
    xpos[...] = np.reshape(place, xpos.shape)
    xmat[...] = np.reshape(axes, xmat.shape)


def mj_mulJacVec(m: MjModel, d: MjData, res: Array, vec: npt.ArrayLike) -> None:
    """res = J·vec: a velocity or acceleration of every constraint row."""
    put("res", res, np.array(_native.multiply_jacobian(m._native, d._native, vector("vec", vec, m.nv))))


def mj_mulJacTVec(m: MjModel, d: MjData, res: Array, vec: npt.ArrayLike) -> None:
    """res = Jᵀ·vec: the generalised force of forces of the constraint rows."""
    put("res", res, np.array(_native.multiply_jacobian_transposed(m._native, d._native, vector("vec", vec, d.nefc))))


def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: Array) -> None:
    """Force by the recursive Newton–Euler algorithm, of the accelerations too if ``flg_acc``."""
    put("result", result, np.array(_native.newton_euler(m._native, d._native, bool(flg_acc))))


def mj_constraintUpdate(m: MjModel, d: MjData, jar: npt.ArrayLike, cost: Array | None, flg_coneHessian: int) -> None:
    """Forces and states of the constraint rows for residuals ``jar``, and their cost."""
    if cost is not None:
        check("cost", cost, (1,))
    found = _native.update_constraints(m._native, d._native, vector("jar", jar, d.nefc))
    if cost is not None:
        cost[...] = found


def mj_contactForce(m: MjModel, d: MjData, id: int, result: Array) -> None:
    """Force and torque of a contact in its own frame."""
    check("result", result, (6,))
    put("result", result, np.array(_native.contact_force_in_frame(m._native, d._native, id)))


def _write_jacobians(m: MjModel, jacp: _Matrix, jacr: _Matrix, found: tuple[Array, Array]) -> None:
    all_of(("jacp", jacp, (3, m.nv)), ("jacr", jacr, (3, m.nv)))
    for target, value in zip((jacp, jacr), found, strict=True):
        if target is not None:
            target[...] = value.reshape(target.shape)


def mj_jac(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, point: npt.ArrayLike, body: int) -> None:
    """Jacobians of a point (world frame) fixed in a body."""
    point = vector("point", point, 3)
    _write_jacobians(m, jacp, jacr, _native.point_jacobian(m._native, d._native, body, point))


def mj_jacDot(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, point: npt.ArrayLike, body: int) -> None:
    """Time derivatives of the Jacobians of a point (world frame) fixed in a body."""
    point = vector("point", point, 3)
    _write_jacobians(m, jacp, jacr, _native.point_jacobian_rate(m._native, d._native, body, point))


def mj_jacBody(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, body: int) -> None:
    """Jacobians of a body's frame."""
    mj_jac(m, d, jacp, jacr, d.xpos[index("body", body, m.nbody)], body)


def mj_jacBodyCom(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, body: int) -> None:
    """Jacobians of a body's centre of mass."""
    mj_jac(m, d, jacp, jacr, d.xipos[index("body", body, m.nbody)], body)


def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: _Matrix, body: int) -> None:
    """Jacobian of the centre of mass of a body's subtree."""
    _write_jacobians(m, jacp, None, _native.subtree_jacobian(m._native, d._native, body))


def mj_jacGeom(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, geom: int) -> None:
    """Jacobians of a geom's frame."""
    geom = index("geom", geom, m.ngeom)
    mj_jac(m, d, jacp, jacr, d.geom_xpos[geom], int(m.geom_bodyid[geom]))


def mj_jacSite(m: MjModel, d: MjData, jacp: _Matrix, jacr: _Matrix, site: int) -> None:
    """Jacobians of a site's frame."""
    site = index("site", site, m.nsite)
    mj_jac(m, d, jacp, jacr, d.site_xpos[site], int(m.site_bodyid[site]))


def mj_jacPointAxis(
    m: MjModel, d: MjData, jacPoint: _Matrix, jacAxis: _Matrix, point: npt.ArrayLike, axis: npt.ArrayLike, body: int
) -> None:
    """Jacobians of a point and of an axis (world frame) fixed in a body."""
    fixed = vector("point", point, 3), vector("axis", axis, 3)
    all_of(("jacPoint", jacPoint, (3, m.nv)), ("jacAxis", jacAxis, (3, m.nv)))
    found = _native.point_axis_jacobian(m._native, d._native, body, *fixed)
    for target, value in zip((jacPoint, jacAxis), found, strict=True):
        if target is not None:
            target[...] = value.reshape(target.shape)


def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Velocity of an object: rotation, translation; in its own axes if ``flg_local``."""
    check("res", res, (6,))
    put("res", res, np.array(_native.object_velocity(m._native, d._native, int(objtype), objid, bool(flg_local))))


def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: Array, flg_local: int) -> None:
    """Acceleration of an object, gravity included: rotation, translation; in its own axes if ``flg_local``."""
    check("res", res, (6,))
    put("res", res, np.array(_native.object_acceleration(m._native, d._native, int(objtype), objid, bool(flg_local))))


def mj_applyFT(
    m: MjModel, d: MjData, force: npt.ArrayLike, torque: npt.ArrayLike, point: npt.ArrayLike, body: int,
    qfrc_target: Array,
) -> None:  # fmt: skip
    """Adds the generalised force of a force and a torque (world frame) at a point of a body."""
    check("qfrc_target", qfrc_target, (m.nv,))
    arguments = vector("point", point, 3), vector("force", force, 3), vector("torque", torque, 3)
    added = _native.apply_force(m._native, d._native, body, *arguments, qfrc_target.ravel())
    qfrc_target[...] = np.array(added).reshape(qfrc_target.shape)


def mj_integratePos(m: MjModel, qpos: Array, qvel: npt.ArrayLike, dt: float) -> None:
    """Moves positions with a velocity for a time, in place."""
    check("qpos", qpos, (m.nq,))
    put("qpos", qpos, np.array(_native.integrate_position(m._native, qpos.ravel(), vector("qvel", qvel, m.nv), dt)))


def mj_differentiatePos(m: MjModel, qvel: Array, dt: float, qpos1: npt.ArrayLike, qpos2: npt.ArrayLike) -> None:
    """The velocity that leads from one position to another in a time."""
    ends = vector("qpos1", qpos1, m.nq), vector("qpos2", qpos2, m.nq)
    check("qvel", qvel, (m.nv,))
    put("qvel", qvel, np.array(_native.differentiate_position(m._native, dt, *ends)))


def mj_normalizeQuat(m: MjModel, qpos: Array) -> None:
    """Normalises the quaternions among positions, in place."""
    check("qpos", qpos, (m.nq,))
    put("qpos", qpos, np.array(_native.normalize_position(m._native, qpos.ravel())))


def mj_ray(
    m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: int,
    bodyexclude: int, geomid: npt.NDArray[np.int32] | None, normal: Array | None = None,
) -> float:  # fmt: skip
    """How far a ray goes until it meets a geom, in units of ``vec``; -1 if it meets none.

    ``geomgroup`` chooses groups by six flags; geoms of bodies that cannot move count only if ``flg_static``; those of
    the body ``bodyexclude`` do not. The geom met goes to ``geomid``, the surface normal there to ``normal``.
    """
    if geomid is not None:
        check("geomid", geomid, (1,), np.int32)
    all_of(("normal", normal, (3,)))
    (answer,) = _shoot(m, d, pnt, vector("vec", vec, 3), geomgroup, flg_static, bodyexclude)
    distance, geom, surface = answer
    if geomid is not None:
        geomid[...] = geom
    if normal is not None:
        normal[...] = np.reshape(surface, normal.shape)
    return distance


def mj_multiRay(
    m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: int,
    bodyexclude: int, geomid: npt.NDArray[np.int32], dist: Array, normal: Array | None, nray: int, cutoff: float,
) -> None:  # fmt: skip
    """Several rays from one point. Geoms whose bounding sphere is farther than ``cutoff`` are not met."""
    directions = vector("vec", vec, 3 * nray)
    check("geomid", geomid, (nray,), np.int32)
    all_of(("dist", dist, (nray,)), ("normal", normal, (nray, 3)))
    answers = _shoot(m, d, pnt, directions, geomgroup, flg_static, bodyexclude, cutoff)
    dist[...] = np.reshape([found[0] for found in answers], dist.shape)
    geomid[...] = np.reshape([found[1] for found in answers], geomid.shape)
    if normal is not None:
        normal[...] = np.reshape([found[2] for found in answers], normal.shape)


def _shoot(m, d, pnt, directions, geomgroup, flg_static, bodyexclude, cutoff=None):
    groups = None if geomgroup is None else np.asarray(geomgroup, dtype=np.uint8).ravel().tolist()
    if groups is not None and len(groups) != 6:
        raise TypeError(f"geomgroup must have 6 flags, not {len(groups)}")
    origin = vector("pnt", pnt, 3)
    chosen = (groups, not flg_static, int(bodyexclude), cutoff)
    return _native.rays(m._native, d._native, origin, directions, chosen)


def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: Array | None) -> float:
    """Distance of two geoms, at most ``distmax``; the points that realise it go to ``fromto``."""
    all_of(("fromto", fromto, (6,)))
    distance, ends = _native.geom_distance(m._native, d._native, geom1, geom2, distmax)
    if fromto is not None:
        fromto[...] = np.reshape(ends, fromto.shape)
    return distance


def mj_rayMesh(
    m: MjModel, d: MjData, geomid: int, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: Array | None = None
) -> float:
    """How far a ray goes until it meets a mesh geom; -1 if it does not."""
    return _ray_geom(m, d, geomid, pnt, vec, normal, "mjGEOM_MESH")


def mj_rayHfield(
    m: MjModel, d: MjData, geomid: int, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: Array | None = None
) -> float:
    """How far a ray goes until it meets a height field; -1 if it does not."""
    return _ray_geom(m, d, geomid, pnt, vec, normal, "mjGEOM_HFIELD")


def mj_rayFlex(
    m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int,
    pnt: npt.ArrayLike, vec: npt.ArrayLike, vertid: npt.NDArray[np.int32] | None = None, normal: Array | None = None,
) -> float:  # fmt: skip
    """How far a ray goes until it meets a flex; -1 if it does not.

    Flags choose vertices, edges, faces (of a solid: in the layer ``flex_layer``) or the whole surface. The nearest vertex
    goes to ``vertid``, the surface normal there to ``normal``.
    """
    flex = index("flex", flexid, m.nflex)
    if vertid is not None:
        check("vertid", vertid, (1,), np.int32)
    all_of(("normal", normal, (3,)))
    parts = (int(flex_layer), bool(flg_vert), bool(flg_edge), bool(flg_face), bool(flg_skin))
    distance, vertex, surface = _native.ray_against_flex(
        m._native, d._native, flex, parts, (vector("pnt", pnt, 3), vector("vec", vec, 3))
    )
    if vertid is not None and vertex >= 0:
        vertid[...] = vertex
    if normal is not None:
        normal[...] = np.reshape(surface, normal.shape)
    return distance


def _ray_geom(m, d, geomid, pnt, vec, normal, kind) -> float:
    geom = index("geom", geomid, m.ngeom)
    if m.geom_type[geom] != ENUMS["mjtGeom"][kind]:
        raise ValueError(f"geom {geom} is no {kind}")
    all_of(("normal", normal, (3,)))
    distance, surface = _native.ray_against_geom(
        m._native, d._native, geom, vector("pnt", pnt, 3), vector("vec", vec, 3)
    )
    if normal is not None:
        normal[...] = np.reshape(surface, normal.shape)
    return distance


QUERIES = tuple(value for name, value in list(globals().items()) if name.startswith("mj_"))

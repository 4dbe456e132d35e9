"""The reference's functions that write their answer into arrays of the caller."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _native
from ._data import MjData
from ._model import MjModel

_Array = npt.NDArray[np.float64]


def mj_isSparse(m: MjModel) -> int:
    """1 if Jacobians are stored sparse."""
    return int(_native.is_jacobian_sparse(m._native))


def mj_fullM(m: MjModel, dst: _Array, M: _Array) -> None:
    """Writes out a symmetric matrix in the layout of ``qM``."""
    dst[...] = 0
    for dof in range(m.nv):
        column = dof
        for value in M[m.dof_Madr[dof] :]:
            dst[dof, column] = dst[column, dof] = value
            column = m.dof_parentid[column]
            if column < 0:
                break


def mj_mulM(m: MjModel, d: MjData, res: _Array, vec: _Array) -> None:
    """res = M·vec."""
    res[...] = _native.multiply_inertia(m._native, d._native, np.ravel(vec))


def mj_solveM(m: MjModel, d: MjData, x: _Array, y: _Array) -> None:
    """x = M⁻¹·y, for each row of y."""
    for solution, vector in zip(x.reshape(-1, m.nv), np.reshape(y, (-1, m.nv)), strict=True):
        solution[...] = _native.solve_inertia(m._native, d._native, vector)


def mj_contactForce(m: MjModel, d: MjData, id: int, result: _Array) -> None:
    """Force and torque of a contact in its own frame."""
    result.reshape(6)[...] = _native.contact_force_in_frame(m._native, d._native, id)


def mj_jac(m: MjModel, d: MjData, jacp: _Array | None, jacr: _Array | None, point: npt.ArrayLike, body: int) -> None:
    """Jacobians of a point fixed in a body."""
    translation, rotation = _native.point_jacobian(m._native, d._native, body, np.ravel(point))
    if jacp is not None:
        jacp[...] = translation
    if jacr is not None:
        jacr[...] = rotation


def mj_jacBody(m: MjModel, d: MjData, jacp: _Array | None, jacr: _Array | None, body: int) -> None:
    """Jacobians of a body's frame."""
    mj_jac(m, d, jacp, jacr, d.xpos[body], body)


def mj_jacBodyCom(m: MjModel, d: MjData, jacp: _Array | None, jacr: _Array | None, body: int) -> None:
    """Jacobians of a body's centre of mass."""
    mj_jac(m, d, jacp, jacr, d.xipos[body], body)


def mj_jacGeom(m: MjModel, d: MjData, jacp: _Array | None, jacr: _Array | None, geom: int) -> None:
    """Jacobians of a geom's frame."""
    mj_jac(m, d, jacp, jacr, d.geom_xpos[geom], int(m.geom_bodyid[geom]))


def mj_jacSite(m: MjModel, d: MjData, jacp: _Array | None, jacr: _Array | None, site: int) -> None:
    """Jacobians of a site's frame."""
    mj_jac(m, d, jacp, jacr, d.site_xpos[site], int(m.site_bodyid[site]))


QUERIES = (
    mj_contactForce,
    mj_fullM,
    mj_isSparse,
    mj_jac,
    mj_jacBody,
    mj_jacBodyCom,
    mj_jacGeom,
    mj_jacSite,
    mj_mulM,
    mj_solveM,
)

"""Derivatives of a step and of inverse dynamics by finite differences, and of rotations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _native
from ._data import MjData
from ._hooks import active
from ._model import MjModel
from ._target import Array, all_of, vector


def _write(targets, found) -> None:
    for target, values in zip(targets, found, strict=True):
        if target is not None:
            target[...] = np.reshape(values, target.shape)


def mjd_transitionFD(
    m: MjModel, d: MjData, eps: float, flg_centered: int, A: Array | None, B: Array | None, C: Array | None,
    D: Array | None,
) -> None:  # fmt: skip
    """Derivatives of a step: of the next state by state (A) and control (B), of the sensors likewise (C, D).

    A state is (position in the tangent space, velocity, activation). Controls at the end of their range are nudged
    inwards. The simulation is as before afterwards, but for derived arrays.
    """
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    all_of(("A", A, (nx, nx)), ("B", B, (nx, m.nu)), ("C", C, (ns, nx)), ("D", D, (ns, m.nu)))
    how = eps, bool(flg_centered), C is not None or D is not None
    _write((A, B, C, D), _native.transition(m._native, d._native, how, active(m, d)))


def mjd_inverseFD(
    m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: Array | None, DfDv: Array | None, DfDa: Array | None,
    DsDq: Array | None, DsDv: Array | None, DsDa: Array | None, DmDq: Array | None,
) -> None:  # fmt: skip
    """Derivatives of inverse dynamics, a row for each nudged input.

    Of the force by position, velocity and acceleration, of the sensors likewise, of the inertia by position. The force
    is ``qfrc_inverse``, less ``qfrc_actuator`` if ``flg_actuation``.
    """
    nv, ns, nM = m.nv, m.nsensordata, m.nM
    forces = ("DfDq", DfDq, (nv, nv)), ("DfDv", DfDv, (nv, nv)), ("DfDa", DfDa, (nv, nv))
    sensors = ("DsDq", DsDq, (nv, ns)), ("DsDv", DsDv, (nv, ns)), ("DsDa", DsDa, (nv, ns))
    all_of(*forces, *sensors, ("DmDq", DmDq, (nv, nM)))
    has_sensors = any(target is not None for _, target, _ in sensors)
    what = bool(flg_actuation), has_sensors
    found = _native.inverse_derivative(m._native, d._native, eps, what, active(m, d))
    _write((DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq), found)


def mjd_subQuat(qa: npt.ArrayLike, qb: npt.ArrayLike, Da: Array | None, Db: Array | None) -> None:
    """Derivatives of the difference of two orientations by each of them, in their tangent spaces."""
    all_of(("Da", Da, (3, 3)), ("Db", Db, (3, 3)))
    _write((Da, Db), _native.difference_derivatives(vector("qa", qa, 4), vector("qb", qb, 4)))


def mjd_quatIntegrate(vel: npt.ArrayLike, scale: float, Dquat: Array, Dvel: Array, Dscale: Array) -> None:
    """Derivatives of turning with a velocity for a time, by the start, the velocity and the time."""
    all_of(("Dquat", Dquat, (9,)), ("Dvel", Dvel, (9,)), ("Dscale", Dscale, (3,)))
    _write((Dquat, Dvel, Dscale), _native.integral_derivatives(vector("vel", vel, 3), scale))


DERIVATIVES = mjd_transitionFD, mjd_inverseFD, mjd_subQuat, mjd_quatIntegrate

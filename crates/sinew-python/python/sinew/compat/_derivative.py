"""Derivatives of a step, by finite differences."""

from __future__ import annotations

import numpy as np

from ._data import MjData
from ._enums import ENUMS
from ._functions import mj_step
from ._model import MjModel
from ._queries import mj_differentiatePos, mj_integratePos
from ._state import mj_getState, mj_setState, mj_stateSize
from ._target import Array, all_of

_STATE = ENUMS["mjtState"]


class _Stepper:
    """Steps from one state again and again, each time nudged a little."""

    def __init__(self, m: MjModel, d: MjData) -> None:
        self.m, self.d = m, d
        self.kind = _STATE.mjSTATE_FULLPHYSICS | _STATE.mjSTATE_CTRL
        if not m.opt.disableflags & ENUMS["mjtDisableBit"].mjDSBL_WARMSTART:
            self.kind |= _STATE.mjSTATE_WARMSTART
        self.start = np.zeros(mj_stateSize(m, self.kind))
        mj_getState(m, d, self.start, self.kind)

    def __call__(self, nudge=lambda: None) -> tuple[Array, Array, Array, Array]:
        """Next positions, velocities, activations, and the sensors of the step; then back to the start."""
        nudge()
        mj_step(self.m, self.d)
        d = self.d
        after = d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.sensordata.copy()
        mj_setState(self.m, d, self.start, self.kind)
        return after

    def rate(self, first, second, duration: float) -> tuple[Array, Array]:
        """Difference of two outcomes over the nudge between them: of the state, of the sensors."""
        positions = np.zeros(self.m.nv)
        mj_differentiatePos(self.m, positions, duration, first[0], second[0])
        others = [(b - a) / duration for a, b in zip(first[1:], second[1:], strict=True)]
        return np.concatenate([positions, others[0], others[1]]), others[2]


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
    if m.nhistory:
        raise ValueError("derivatives of models with delays are not there yet")
    step = _Stepper(m, d)
    middle = step()

    def column(nudge, is_forward=True, is_backward=bool(flg_centered)):
        plus = step(lambda: nudge(eps)) if is_forward else middle
        minus = step(lambda: nudge(-eps)) if is_backward else middle
        width = eps * (is_forward + is_backward)
        return step.rate(minus, plus, width) if width else (np.zeros(nx), np.zeros(ns))

    def move(dof: int):
        direction = np.zeros(m.nv)
        direction[dof] = 1
        return lambda amount: mj_integratePos(m, d.qpos, direction, amount)

    def add(array: Array, index: int):
        def nudge(amount: float) -> None:
            array[index] += amount

        return nudge

    if A is not None or C is not None:
        nudges = [move(dof) for dof in range(m.nv)] + [add(d.qvel, dof) for dof in range(m.nv)]
        nudges += [add(d.act, index) for index in range(m.na)]
        _fill(A, C, [column(nudge) for nudge in nudges])
    if B is not None or D is not None:
        columns = []
        for index in range(m.nu):
            low, high = m.actuator_ctrlrange[index] if m.actuator_ctrllimited[index] else (-np.inf, np.inf)
            value = d.ctrl[index]
            forward = bool(low <= value and value + eps <= high)
            backward = bool((flg_centered or not forward) and low <= value - eps and value <= high)
            columns.append(column(add(d.ctrl, index), forward, backward))
        _fill(B, D, columns)


def _fill(of_state: Array | None, of_sensors: Array | None, columns: list[tuple[Array, Array]]) -> None:
    for target, which in ((of_state, 0), (of_sensors, 1)):
        if target is not None:
            for index, column in enumerate(columns):
                target[:, index] = column[which]


DERIVATIVES = (mjd_transitionFD,)

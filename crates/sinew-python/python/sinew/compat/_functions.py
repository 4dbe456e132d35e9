"""The reference's functions, under their names."""

from __future__ import annotations

import operator

import numpy as np

from .. import _native
from . import _hooks
from ._arguments import check
from ._data import MjData
from ._data import realloc_con_efc as _realloc_con_efc  # noqa: F401 - others look for it here
from ._hooks import EVERYWHERE, active, report, watch
from ._model import MjModel
from ._target import index

REFERENCE_VERSION = "3.5.0"
# Floats that are neither state nor input, nor zero after a reset.
_KEPT = set(
    "qpos qvel act qacc_warmstart ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat userdata history plugin_state qM "
    "act_dot qacc energy".split()
)
_DERIVED = tuple(row[0] for row in _native.data_columns() if row[0] not in _KEPT and row[2].startswith("float"))


def mj_versionString() -> str:
    """Version of MuJoCo that the numbers agree with."""
    return REFERENCE_VERSION


def mj_version() -> int:
    """Version of MuJoCo that the numbers agree with, as one number."""
    major, minor, patch = map(int, REFERENCE_VERSION.split("."))
    return major * 1_000_000 + minor * 1000 + patch


def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advances the simulation by a step. Optionally, repeat nstep times.

    A state that diverges is counted in ``d.warning`` and reset, as in the reference; one that is bad even then raises
    ``StepError``. Ctrl-C ends the call between two steps.
    """
    before = watch(d)
    _native.mj_step(m._native, d._native, nstep, active(m, d))
    report(d, before)


def mj_resetData(m: MjModel, d: MjData) -> None:
    """Back to the model's initial state. A simulation that refused work after a fault is usable again."""
    d._renew(_native.mj_resetData(m._native, d._native))


def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Back to the state of a keyframe. Without such a keyframe IndexError is raised and nothing changes."""
    d._renew(_native.mj_resetDataKeyframe(m._native, d._native, index("key", key, m.nkey)))


def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """As ``mj_resetData``, with every byte of the floats that are computed from the state set to a value.

    What is read before it is computed then shows.
    """
    number = operator.index(debug_value)
    if not 0 <= number < 256:
        raise TypeError(f"debug_value is a byte, not {number}")
    pattern = bytes([number])
    mj_resetData(m, d)
    for name in _DERIVED:
        array = d._arrays[name]
        array[...] = np.frombuffer(pattern * array.itemsize, array.dtype)[0]


def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Forward dynamics of what comes after a stage (``mjtStage``) that is still current."""
    _native.mj_forwardSkip(m._native, d._native, operator.index(skipstage), operator.index(skipsensor), active(m, d))


def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Inverse dynamics of what comes after a stage (``mjtStage``) that is still current."""
    _native.mj_inverseSkip(m._native, d._native, operator.index(skipstage), operator.index(skipsensor), active(m, d))


def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advances the state by the implicit rule that the model asks for; accelerations must be current."""
    _native.mj_implicit(m._native, d._native, active(m, d))


def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advances the state by Runge and Kutta's rule of order 4; accelerations must be current."""
    _native.mj_RungeKutta(m._native, d._native, operator.index(N), active(m, d))


def _stage(name: str):
    """A stage. Small ones take no longer than two calls of Python, so there is but one here: it checks its arguments
    itself, and asks for hooks and for who hears of warnings where they are kept."""
    native = getattr(_native, name)
    is_hooked = name in _native.HOOKED

    def call(m: MjModel, d: MjData) -> None:
        if type(m) is not MjModel or type(d) is not MjData:
            check(name, {"m": MjModel, "d": MjData}, {"m": m, "d": d})
        data = d._native
        hooks = active(m, d) if is_hooked and (EVERYWHERE._functions or d.hooks._functions) else None
        if _hooks.warning_handler is None:
            native(m._native, data, hooks)
            return
        before = data.tally()
        native(m._native, data, hooks)
        if data.tally() != before:
            report(d, before)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = native.__doc__
    call.__module__ = "sinew.compat"
    return call


STAGES = tuple(_native.STAGES)
globals().update({name: _stage(name) for name in STAGES})
FUNCTIONS = tuple(value for name, value in list(globals().items()) if name.startswith("mj_") and name not in STAGES)

"""The reference's functions, under their names."""

from __future__ import annotations

from .. import _native
from ._data import MjData
from ._model import MjModel

REFERENCE_VERSION = "3.5.0"


def mj_versionString() -> str:
    """Version of MuJoCo that the numbers agree with."""
    return REFERENCE_VERSION


def mj_version() -> int:
    """Version of MuJoCo that the numbers agree with, as one number."""
    major, minor, patch = map(int, REFERENCE_VERSION.split("."))
    return major * 1_000_000 + minor * 1000 + patch


def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """The id of the object of this kind and name; -1 when there is none."""
    return m._model_names(int(type))[1].get(name, -1)


def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """The name of an object; None when it has none or does not exist."""
    names = m._model_names(int(type))[0]
    return names[id] or None if 0 <= id < len(names) else None


def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advances the simulation by a number of steps."""
    _native.mj_step(m._native, d._native, nstep)


def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Back to the state of a keyframe."""
    _native.mj_resetDataKeyframe(m._native, d._native, key)


def _stage(name: str):
    native = getattr(_native, name)

    def call(m: MjModel, d: MjData) -> None:
        native(m._native, d._native)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = native.__doc__
    return call


STAGES = (
    "mj_resetData",
    "mj_kinematics",
    "mj_comPos",
    "mj_camlight",
    "mj_tendon",
    "mj_makeM",
    "mj_factorM",
    "mj_transmission",
    "mj_fwdPosition",
    "mj_fwdVelocity",
    "mj_fwdActuation",
    "mj_fwdAcceleration",
    "mj_fwdConstraint",
    "mj_forward",
    "mj_step1",
    "mj_step2",
    "mj_subtreeVel",
    "mj_rnePostConstraint",
)
globals().update({name: _stage(name) for name in STAGES})

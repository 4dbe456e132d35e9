"""Changes to a model after it was loaded, and contacts that the user adds."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _native
from ._data import MjData
from ._enums import ENUMS
from ._lists import MjContact
from ._model import MjModel
from ._target import index as check_index


@dataclass
class MjLROpt:
    """How the range of lengths of an actuator is found: it is pulled to both ends. ``mj_defaultLROpt`` fills it."""

    mode: int = 0
    useexisting: int = 0
    uselimit: int = 0
    accel: float = 0.0
    maxforce: float = 0.0
    timeconst: float = 0.0
    timestep: float = 0.0
    inttotal: float = 0.0
    interval: float = 0.0
    tolrange: float = 0.0

    def __repr__(self) -> str:
        lines = (f"  {name}: {value!r}" for name, value in sorted(vars(self).items()))
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


_DEFAULTS = MjLROpt(1, 1, 0, 20.0, 0.0, 1.0, 0.01, 10.0, 2.0, 0.05)


def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Fills in the usual settings."""
    vars(opt).update(vars(_DEFAULTS))


def mj_setConst(m: MjModel, d: MjData) -> None:
    """Derives again what depends on masses, inertias, ``qpos0`` and the like.

    Leaves ``d`` at ``qpos_spring``, with its poses, tendons and transmissions; inertia, cameras and lights are those at ``qpos0``.
    """
    _native.derive_constants(m._native, d._native)


def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scales masses and inertias so that the bodies weigh this much together."""
    _native.scale_mass(m._native, newmass)


def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None:
    """Finds ``actuator_lengthrange`` of an actuator by pulling it to both ends, where the options ask for it."""
    index = check_index("actuator", index, m.nu)
    kinds = ENUMS["mjtGain"], int(m.actuator_gaintype[index]), int(m.actuator_biastype[index])
    is_muscle = kinds[0].mjGAIN_MUSCLE in kinds[1:]
    is_user = kinds[0].mjGAIN_USER in kinds[1:]
    if opt.mode == 0 or (opt.mode == 1 and not is_muscle) or (opt.mode == 2 and not (is_muscle or is_user)):
        return
    low, high = m.actuator_lengthrange[index]
    if opt.useexisting and low < high:
        return
    transmission, target = ENUMS["mjtTrn"](m.actuator_trntype[index]), int(m.actuator_trnid[index, 0])
    if opt.uselimit and transmission <= ENUMS["mjtTrn"].mjTRN_JOINTINPARENT and m.jnt_limited[target]:
        m.actuator_lengthrange[index] = m.jnt_range[target]
    elif opt.uselimit and transmission == ENUMS["mjtTrn"].mjTRN_TENDON and m.tendon_limited[target]:
        m.actuator_lengthrange[index] = m.tendon_range[target]
    else:
        numbers = [opt.accel, opt.maxforce, opt.timeconst, opt.timestep, opt.inttotal, opt.interval, opt.tolrange]
        m.actuator_lengthrange[index] = _native.length_range(m._native, index, numbers)


def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Adds a contact behind those found; ``mj_makeConstraint`` then makes its rows. Returns 0."""
    _native.add_contact(m._native, d._native, con)
    return 0


CHANGES = tuple(value for name, value in list(globals().items()) if name.startswith("mj_"))

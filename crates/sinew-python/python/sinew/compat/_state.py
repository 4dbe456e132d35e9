"""Copies of simulations."""

from __future__ import annotations

from .. import _native
from ..errors import OutOfRange
from ._data import MjData
from ._model import MjModel


def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copies everything from one simulation to another of the same model."""
    _native.mj_copyData(dest._native, m._native, src._native)


def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Makes the present state the keyframe ``k`` of the model."""
    if not 0 <= k < m.nkey:
        raise OutOfRange(f"mj_setKeyframe: index must be smaller than {m.nkey} (keyframes allocated in model)")
    m.key_time[k] = d.time
    for name in ("qpos", "qvel", "act", "ctrl"):
        getattr(m, f"key_{name}")[k] = getattr(d, name)
    m.key_mpos[k] = d.mocap_pos.ravel()
    m.key_mquat[k] = d.mocap_quat.ravel()


STATE = tuple(value for name, value in list(globals().items()) if name.startswith("mj_"))

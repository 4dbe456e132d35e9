"""State and input as one vector, and copies of simulations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _native
from ._data import MjData
from ._model import MjModel
from ._target import Array, check, vector


def mj_stateSize(m: MjModel, sig: int) -> int:
    """Number of numbers in the components chosen by ``mjtState`` bits."""
    return _native.state_size(m._native, int(sig))


def mj_getState(m: MjModel, d: MjData, state: Array, sig: int) -> None:
    """Copies the chosen components of state and input into a vector."""
    found = np.array(_native.get_state(m._native, d._native, int(sig)))
    check("state", state, found.shape)
    state[...] = found.reshape(state.shape)


def mj_setState(m: MjModel, d: MjData, state: npt.ArrayLike, sig: int) -> None:
    """Sets the chosen components of state and input from a vector."""
    size = mj_stateSize(m, sig)
    _native.set_state(m._native, d._native, vector("state", state, size), int(sig))


def mj_extractState(m: MjModel, src: npt.ArrayLike, srcsig: int, dst: Array, dstsig: int) -> None:
    """Takes some components out of a vector that has them and others."""
    source = vector("src", src, mj_stateSize(m, srcsig))
    found = np.array(_native.extract_state(m._native, source, int(srcsig), int(dstsig)))
    check("dst", dst, found.shape)
    dst[...] = found.reshape(dst.shape)


def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copies the chosen components from one simulation to another."""
    _native.copy_state(m._native, src._native, dst._native, int(sig))


def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copies everything from one simulation to another of the same model."""
    _native.mj_copyData(dest._native, m._native, src._native)


def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Makes the present state the keyframe ``k`` of the model."""
    if not 0 <= k < m.nkey:
        raise IndexError(f"keyframe {k} is out of range: there are {m.nkey}")
    m.key_time[k] = d.time
    for name in ("qpos", "qvel", "act", "ctrl"):
        getattr(m, f"key_{name}")[k] = getattr(d, name)
    m.key_mpos[k] = d.mocap_pos.ravel()
    m.key_mquat[k] = d.mocap_quat.ravel()


STATE = tuple(value for name, value in list(globals().items()) if name.startswith("mj_"))

"""Controls and sensor readings with delays, and the histories behind them."""

from __future__ import annotations

import numpy.typing as npt

from .. import _native
from ._data import MjData
from ._model import MjModel
from ._target import Array, check, index, vector


def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """The control of an actuator that acts at a time, its delay counted; ``interp`` -1 is the actuator's own rule."""
    return _native.read_control(m._native, d._native, id, time, int(interp))


def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: Array, interp: int) -> Array:
    """What a sensor reads at a time, its delay counted; ``interp`` -1 is the sensor's own rule. Returns ``result``."""
    check("result", result, (int(m.sensor_dim[index("sensor", id, m.nsensor)]),))
    found = _native.read_sensor(m._native, d._native, id, time, int(interp))
    result[...] = vector("result", found).reshape(result.shape)
    return result


def _samples(name: str, given: npt.ArrayLike | None, count: int) -> Array | None:
    """As many numbers as a history has samples; other sizes are a ``TypeError``, as in the reference."""
    found = None if given is None else vector(name, given)
    if found is not None and found.size != count:
        raise TypeError(f"{name} needs {count} numbers, it has {found.size}")
    return found


def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: npt.ArrayLike | None, values: npt.ArrayLike) -> None:
    """Sets the history of a control, oldest first; the times stay as they are where none are given."""
    count = int(m.actuator_history[index("actuator", id, m.nu), 0])
    given = _samples("times", times, count), _samples("values", values, count)
    _native.set_control_history(m._native, d._native, id, *given)


def mj_initSensorHistory(
    m: MjModel, d: MjData, id: int, times: npt.ArrayLike | None, values: npt.ArrayLike, phase: float
) -> None:
    """Sets the history of a sensor, oldest first, and when it was last sampled."""
    count = int(m.sensor_history[index("sensor", id, m.nsensor), 0])
    given = _samples("times", times, count), _samples("values", values, count * int(m.sensor_dim[id]))
    _native.set_sensor_history(m._native, d._native, id, *given, phase)


HISTORIES = tuple(value for name, value in list(globals().items()) if name.startswith("mj_"))

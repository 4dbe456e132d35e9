"""Functions of the user that take part in a step.

They belong to one simulation, ``d.hooks.control = my_controller``, or to all of them, ``set_mjcb_control``, as in the
reference; those of the simulation go first. What they raise ends the call and is raised there, and the state stays as
it was before the step.

============= ====================== ==========================================================================
``hooks``     called with            does
============= ====================== ==========================================================================
control       ``m, d``               sets ``d.ctrl``, ``d.qfrc_applied``, ``d.xfrc_applied``
passive       ``m, d``               adds to ``d.qfrc_passive``
act_dyn       ``m, d, actuator``     returns the rate of the activation, where ``dyntype="user"``; where there
                                     are several, writes them into ``d.act_dot``
act_gain      ``m, d, actuator``     returns the gain, where ``gaintype="user"``
act_bias      ``m, d, actuator``     returns the bias, where ``biastype="user"``
sensor        ``m, d, stage``        fills the ``user`` sensors of a stage in ``d.sensordata``
contactfilter ``m, d, geom1, geom2`` returns whether contacts of two geoms are left out, in place of their bits
time          nothing                returns the time in seconds, for the durations in ``d.timer``
============= ====================== ==========================================================================

The contact filter runs inside a stage: it may read arrays and ``d.time``, nothing else. ``time.perf_counter`` as the
clock costs little, as it is not called but read natively.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable

from .. import _native
from ._enums import ENUMS

NAMES = tuple(_native.HOOKS)

Hook = Callable


class Hooks:
    """The functions of one simulation; ``None`` where there is none."""

    __slots__ = ("_functions",)

    def __init__(self) -> None:
        object.__setattr__(self, "_functions", {})

    def __getattr__(self, name: str) -> Hook | None:
        if name not in NAMES:
            raise AttributeError(f"there is no hook '{name}': {', '.join(NAMES)}")
        return self._functions.get(name)

    def __setattr__(self, name: str, hook: Hook | None) -> None:
        if name not in NAMES:
            raise AttributeError(f"there is no hook '{name}': {', '.join(NAMES)}")
        if hook is None:
            self._functions.pop(name, None)
        elif callable(hook):
            self._functions[name] = hook
        else:
            raise TypeError(f"the hook '{name}' must be a function or None")

    def __dir__(self):
        return [*super().__dir__(), *NAMES]

    def take_over(self, other: Hooks) -> None:
        """The same functions as another simulation."""
        object.__setattr__(self, "_functions", dict(other._functions))

    def __repr__(self) -> str:
        return f"<Hooks {', '.join(self._functions) or 'none'}>"


EVERYWHERE = Hooks()


def active(m, d) -> tuple | None:
    """What a call takes along; None if there are no hooks at all."""
    everywhere, own = EVERYWHERE._functions, d.hooks._functions
    return (m, d, everywhere | own) if everywhere or own else None


def _setter(name: str):
    def set_hook(py_function: Hook | None) -> None:
        if py_function is not None and not callable(py_function):
            raise TypeError("callback is not an Optional[Callable]")
        setattr(EVERYWHERE, name, py_function)

    set_hook.__name__ = set_hook.__qualname__ = f"set_mjcb_{name}"
    set_hook.__doc__ = f"Sets the hook ``{name}`` of every simulation that has none of its own; None removes it."
    return set_hook


def _getter(name: str):
    def get_hook() -> Hook | None:
        return getattr(EVERYWHERE, name)

    get_hook.__name__ = get_hook.__qualname__ = f"get_mjcb_{name}"
    get_hook.__doc__ = f"The hook ``{name}`` of every simulation that has none of its own."
    return get_hook


def mj_resetCallbacks() -> None:
    """Removes the hooks that belong to every simulation."""
    EVERYWHERE.take_over(Hooks())


warning_handler: Hook | None = None


def set_mju_user_warning(py_function: Hook | None) -> None:
    """Sets a function that gets the text of warnings: the first of each kind in a simulation since its reset.

    It is called when the call that caused the warning is over; a function made by ctypes gets bytes.
    """
    global warning_handler
    if py_function is not None and not callable(py_function):
        raise TypeError("the handler of warnings must be a function or None")
    warning_handler = py_function


def _warn(text: str) -> None:
    """Calls the handler; one made by ctypes takes the text as C does."""
    warning_handler(text.encode() if isinstance(warning_handler, ctypes._CFuncPtr) else text)


def get_mju_user_warning() -> Hook | None:
    """The function that gets the text of warnings."""
    return warning_handler


def watch(d) -> bytes | None:
    """What was counted of warnings before a call; None if nobody wants to hear of them."""
    return None if warning_handler is None else d._native.tally()


def report(d, before: bytes | None) -> None:
    """Tells the handler of kinds of warnings that the call was the first to cause."""
    if before is None:
        return
    after = d._native.tally()
    if after == before:
        return
    counts = struct.Struct(f"<{len(before) // 4 - 2}iQ")
    (*numbers, bad_sensors), (*present, number) = counts.unpack(before), counts.unpack(after)
    if number > 0 and bad_sensors == 0:
        _, index, time = d._native.bad_sensors()
        _warn(f"reading {index} of the sensors is not finite; time = {time:.4f}")
    for kind, (earlier, now) in enumerate(zip(numbers, present, strict=True)):
        if earlier == 0 and now > 0:
            _warn(f"{mju_warningText(kind, d.warning[kind].lastinfo)}; time = {d.time:.4f}")


_WARNINGS = {
    "mjWARN_INERTIA": "the inertia is nearly singular at degree of freedom {}",
    "mjWARN_CONTACTFULL": "contacts do not fit the memory of the model; {} were kept",
    "mjWARN_CNSTRFULL": "constraint rows do not fit the memory of the model; {} were kept",
    "mjWARN_VGEOMFULL": "there is no room for more than {} shapes to draw",
    "mjWARN_BADQPOS": "a position is no usable number, at degree of freedom {}",
    "mjWARN_BADQVEL": "a velocity is no usable number, at degree of freedom {}",
    "mjWARN_BADQACC": "an acceleration is no usable number, at degree of freedom {}",
    "mjWARN_BADCTRL": "a control is no usable number, at actuator {}",
}


def mju_warningText(warning: int, info: int) -> str:
    """What a warning (``mjtWarning``) with this information means."""
    names = {int(member): name for name, member in ENUMS["mjtWarning"].__members__.items()}
    return _WARNINGS.get(names.get(int(warning), ""), f"there is no warning {warning}").format(info)


CALLBACKS = (
    mj_resetCallbacks,
    mju_warningText,
    set_mju_user_warning,
    get_mju_user_warning,
    *map(_setter, NAMES),
    *map(_getter, NAMES),
)

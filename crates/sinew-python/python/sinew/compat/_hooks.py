"""Functions of the user that take part in a step.

They belong to one simulation, ``d.hooks.control = my_controller``, or to all of them, ``set_mjcb_control``, as in the
reference; those of the simulation go first. What they raise ends the call and is raised there, and the state stays as
it was before the step.

============  =====================  ==========================================================================
``hooks``     called with            does
============  =====================  ==========================================================================
control       ``m, d``               sets ``d.ctrl``, ``d.qfrc_applied``, ``d.xfrc_applied``
passive       ``m, d``               adds to ``d.qfrc_passive``
act_dyn       ``m, d, actuator``     returns the rate of the activation, where ``dyntype="user"``
act_gain      ``m, d, actuator``     returns the gain, where ``gaintype="user"``
act_bias      ``m, d, actuator``     returns the bias, where ``biastype="user"``
sensor        ``m, d, stage``        fills the ``user`` sensors of a stage in ``d.sensordata``
============  =====================  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Callable

NAMES = ("control", "passive", "act_dyn", "act_gain", "act_bias", "sensor")

Hook = Callable


class Hooks:
    """The functions of one simulation; ``None`` where there is none."""

    __slots__ = NAMES

    def __init__(self) -> None:
        for name in NAMES:
            object.__setattr__(self, name, None)

    def __setattr__(self, name: str, hook: Hook | None) -> None:
        if name not in NAMES:
            raise AttributeError(f"there is no hook '{name}': {', '.join(NAMES)}")
        if hook is not None and not callable(hook):
            raise TypeError(f"the hook '{name}' must be a function or None")
        object.__setattr__(self, name, hook)

    def take_over(self, other: Hooks) -> None:
        """The same functions as another simulation."""
        for name in NAMES:
            object.__setattr__(self, name, getattr(other, name))

    def __repr__(self) -> str:
        set_ = [f"{name}={getattr(self, name)!r}" for name in NAMES if getattr(self, name) is not None]
        return f"<Hooks {', '.join(set_) or 'none'}>"


_EVERYWHERE = Hooks()


def active(m, d) -> tuple | None:
    """What a call takes along; None if there are no hooks at all."""
    functions = [getattr(d.hooks, name) or getattr(_EVERYWHERE, name) for name in NAMES]
    return (m, d, functions) if any(functions) else None


def _setter(name: str):
    def set_hook(py_function: Hook | None) -> None:
        setattr(_EVERYWHERE, name, py_function)

    set_hook.__name__ = set_hook.__qualname__ = f"set_mjcb_{name}"
    set_hook.__doc__ = f"Sets the hook ``{name}`` of every simulation that has none of its own; None removes it."
    return set_hook


def _getter(name: str):
    def get_hook() -> Hook | None:
        return getattr(_EVERYWHERE, name)

    get_hook.__name__ = get_hook.__qualname__ = f"get_mjcb_{name}"
    get_hook.__doc__ = f"The hook ``{name}`` of every simulation that has none of its own."
    return get_hook


def mj_resetCallbacks() -> None:
    """Removes the hooks that belong to every simulation."""
    _EVERYWHERE.take_over(Hooks())


_warning_handler: Hook | None = None


def set_mju_user_warning(py_function: Hook | None) -> None:
    """Keeps a function for warnings. sinew never calls it: warnings are counted in ``d.warning``."""
    global _warning_handler
    _warning_handler = py_function


def get_mju_user_warning() -> Hook | None:
    """The function that was set."""
    return _warning_handler


CALLBACKS = (mj_resetCallbacks, set_mju_user_warning, get_mju_user_warning, *map(_setter, NAMES), *map(_getter, NAMES))

"""Classes where the reference keeps them, for those who look there."""

from . import __dict__ as _all
from . import __getattr__ as _missing
from ._lists import ContactList as _MjContactList
from ._lists import SolverList as _MjSolverStatList
from ._lists import TimerList as _MjTimerStatList
from ._lists import WarningList as _MjWarningStatList

__all__ = ["_MjContactList", "_MjSolverStatList", "_MjTimerStatList", "_MjWarningStatList"]


def __getattr__(name: str):
    return _all[name] if name in _all else _missing(name)

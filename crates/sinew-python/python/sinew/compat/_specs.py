"""What the reference keeps in this module of its own, for those who look there."""

from . import __dict__ as _all
from . import __getattr__ as _missing


def __getattr__(name: str):
    return _all[name] if name in _all else _missing(name)

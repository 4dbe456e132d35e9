"""Names of object types, random numbers and what else is no arithmetic of arrays."""

from __future__ import annotations

import random

from ._enums import ENUMS


def _object_name(kind) -> str:
    names = {"mjOBJ_UNKNOWN": "", "mjOBJ_DOF": "dof", "mjOBJ_HFIELD": "hfield", "mjOBJ_XBODY": "xbody"}
    return names.get(kind.name, kind.name.removeprefix("mjOBJ_").lower())


_OBJECTS = {_object_name(kind): int(kind) for kind in ENUMS["mjtObj"] if not kind.name.startswith("mjN")}

_NAMES = {code: name for name, code in _OBJECTS.items()}


def mju_str2Type(str: str) -> int:
    """The object type (``mjtObj``) with a name such as "body"; 0 if there is none."""
    return _OBJECTS.get(str.decode() if isinstance(str, bytes) else str, 0)


def mju_type2Str(type: int) -> str | None:
    """The name of an object type."""
    return _NAMES.get(type) or None


def mju_standardNormal(num2: float | None) -> float:
    """A number from the standard normal distribution, drawn by Python's ``random``."""
    return random.gauss(0.0, 1.0)


UTILITIES = tuple(value for name, value in list(globals().items()) if name.startswith("mju_"))

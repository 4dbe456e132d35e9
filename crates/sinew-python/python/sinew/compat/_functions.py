"""The reference's functions, under their names."""

from __future__ import annotations

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

"""Fields of the elements of a model under construction, as properties.

The native table says name, type and length of every field; nothing is listed here but the enum classes
that some numbers belong to.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator

import numpy as np

from .. import _native
from ..errors import WrongSize
from ._enums import ENUMS

TABLES = _native.draft_fields()

# Kind, field and enum class.
_CODES = {
    ("body", "sleep"): "mjtSleepPolicy",
    ("joint", "type"): "mjtJoint",
    ("geom", "type"): "mjtGeom",
    ("geom", "typeinertia"): "mjtGeomInertia",
    ("site", "type"): "mjtGeom",
    ("camera", "mode"): "mjtCamLight",
    ("camera", "proj"): "mjtProjection",
    ("light", "mode"): "mjtCamLight",
    ("light", "type"): "mjtLightType",
    ("mesh", "inertia"): "mjtMeshInertia",
    ("texture", "type"): "mjtTexture",
    ("texture", "colorspace"): "mjtColorSpace",
    ("equality", "type"): "mjtEq",
    ("equality", "objtype"): "mjtObj",
    ("actuator", "gaintype"): "mjtGain",
    ("actuator", "biastype"): "mjtBias",
    ("actuator", "dyntype"): "mjtDyn",
    ("actuator", "trntype"): "mjtTrn",
    ("sensor", "type"): "mjtSensor",
    ("sensor", "objtype"): "mjtObj",
    ("sensor", "reftype"): "mjtObj",
    ("sensor", "datatype"): "mjtDataType",
    ("sensor", "needstage"): "mjtStage",
    ("wrap", "type"): "mjtWrap",
    ("orientation", "type"): "mjtOrientation",
}


class Items:
    """Texts or letters of an element that can be replaced one by one."""

    __slots__ = ("_owner", "_path")

    def __init__(self, owner, path: str):
        self._owner = owner
        self._path = path

    def _all(self) -> list[str]:
        return list(self._owner._draft.get(self._owner._id, self._path))

    def _index(self, index: int) -> int:
        index = operator.index(index)
        if not 0 <= index < len(self):
            raise IndexError("Index out of range.")
        return index

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __getitem__(self, index: int) -> str:
        return self._all()[self._index(index)]

    def __setitem__(self, index: int, value: str) -> None:
        items = self._all()
        items[self._index(index)] = value
        self._put(items)

    def __eq__(self, other) -> bool:
        return list(self) == list(other)

    __hash__ = None

    def __repr__(self) -> str:
        return repr(self._all())

    def _put(self, items: list[str]) -> None:
        self._owner._draft.set(self._owner._id, self._path, items)


class MjStringVec(Items):
    """Texts."""

    __slots__ = ()


class MjCharVec(Items):
    """Letters."""

    __slots__ = ()

    def _put(self, items: list[str]) -> None:
        if any(len(item) != 1 for item in items):
            raise ValueError("list elements must be single characters")
        self._owner._draft.set(self._owner._id, self._path, "".join(items))


def as_array(name: str, value, dtype: str, length: int | None) -> list:
    """The numbers of a value, as many as the field has."""
    try:
        array = np.asarray(value, dtype=dtype)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is the wrong type.") from None
    if length is not None and array.shape == (length, 1):
        array = array[:, 0]
    if length is not None and array.shape != (length,):
        raise WrongSize(f"{name} should be a list/array of size {length}.")
    return array.ravel().tolist()


def _text_list(name: str, value, length: int | None) -> list[str]:
    if isinstance(value, str) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"{name} is the wrong type.")
    items = list(value)
    if length is not None and len(items) != length:
        raise ValueError(f"{name} must have exactly {length} elements, got {len(items)}")
    return items


def _letters(name: str, value, length: int) -> str:
    items = list(value)
    if any(not isinstance(item, str) or len(item) != 1 for item in items):
        raise ValueError(f"{name}: list elements must be single characters")
    if len(items) != length:
        raise ValueError(f"{name} should have length {length}")
    return "".join(items)


def field(kind: str, name: str, word: str, length) -> property:
    """The property of a field."""
    if word in ("float64", "float32", "int32"):

        def get(self):
            return np.asarray(self._draft.get(self._id, self._prefix + name))

        def convert(value):
            return as_array(name, value, word, length)

    elif word in ("texts", "letters"):
        items = MjStringVec if word == "texts" else MjCharVec
        check = _text_list if word == "texts" else _letters

        def get(self):
            return items(self, self._prefix + name)

        def convert(value):
            return check(name, value, length)

    else:
        enum = ENUMS.get(_CODES.get((kind, name), ""))

        def get(self):
            value = self._draft.get(self._id, self._prefix + name)
            if enum is not None and value in enum._value2member_map_:
                return enum(value)
            return value

        def convert(value):
            if word == "integer" and not isinstance(value, str):
                return operator.index(value)
            if word == "lists":
                return [np.asarray(item).tolist() for item in value]
            return value

    def set_(self, value):
        self._draft.set(self._id, self._prefix + name, convert(value))

    return property(get, set_)

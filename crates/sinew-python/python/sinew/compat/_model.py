"""The compiled model with the reference's attribute names."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping

import numpy as np

from .. import _native
from ._html import table
from ._missing import explained
from ._records import MjOption, MjStatistic, MjVisual
from ._target import numbers
from ._views import MODEL_VIEWS, Source, Views, accessor

_COLUMNS = tuple(row[0] for row in _native.model_columns())
_SIZES = tuple(_native.Model().sizes())


class MjModel:
    """A compiled model.

    Sizes (``nq``, ``nbody``, …) are ints. Arrays (``body_pos``, ``jnt_range``, …) are live views that
    can be written in place, but for names, texts and addresses of meshes and pictures. Ids, addresses, counts and codes that were
    written are looked at before the next call, because a step relies on them: what does not hold
    together is a ``ValueError`` that names it.
    """

    __slots__ = (
        "__weakref__",
        "_arrays",
        "_lookup",
        "_native",
        "_sizes",
        "_views",
        "load_warnings",
        "opt",
        "stat",
        "vis",
    )

    def __init__(self, *_args):
        raise TypeError("use MjModel.from_xml_path or MjModel.from_xml_string")

    @property
    def _address(self) -> int:
        """A number that no other object has while this one lives. There is nothing for C at this place."""
        return id(self._native)

    @classmethod
    def _wrap(cls, native, load_warnings=()) -> MjModel:
        self = cls.__new__(cls)
        set_ = object.__setattr__
        set_(self, "_native", native)
        set_(self, "_sizes", native.sizes())
        set_(self, "_lookup", {})
        set_(self, "load_warnings", tuple(load_warnings))
        return self

    def __getattr__(self, name):
        """Makes arrays and records when first asked for, so that loading costs little."""
        if name == "_arrays":
            object.__setattr__(self, "_arrays", _Arrays(self._native))
        elif name == "_views":
            arrays = self._arrays
            names = functools.partial(_names, self._native, self._lookup)
            object.__setattr__(self, "_views", Views(Source(arrays, arrays, self._sizes, names)))
        elif name in ("opt", "stat", "vis"):
            records = self._native.records()
            object.__setattr__(self, "opt", MjOption(records["opt"]))
            object.__setattr__(self, "stat", MjStatistic(records["stat"]))
            object.__setattr__(self, "vis", MjVisual(records))
        else:
            raise AttributeError(f"'MjModel' object has no attribute '{name}'")
        return object.__getattribute__(self, name)

    @classmethod
    def from_xml_path(
        cls,
        filename: str | os.PathLike,
        assets: Mapping[str, bytes] | None = None,
        *,
        confined: bool | str | os.PathLike = False,
        memory: int | None = None,
        load_time: float | None = None,
    ) -> MjModel:
        """Loads a model file. The name may also be a key of ``assets``, which holds files in memory.

        ``confined`` refuses files outside a folder, the model's own or the one given; ``memory`` and ``load_time`` are
        the bytes and seconds that loading may use.
        """
        path = os.fspath(filename)
        folder = _folder(confined, os.path.dirname(path))
        loaded = _native.load_path(path, dict(assets or {}), folder, memory, load_time)
        _remember(path, "", assets)
        return cls._wrap(*loaded)

    @classmethod
    def from_xml_string(
        cls,
        xml: str | bytes,
        assets: Mapping[str, bytes] | None = None,
        *,
        confined: bool | str | os.PathLike = False,
        memory: int | None = None,
        load_time: float | None = None,
    ) -> MjModel:
        """Loads a model from text; ``assets`` holds the files that it names. The rest as in ``from_xml_path``, where
        the folder of a text is the current one.
        """
        if isinstance(xml, bytes):
            xml = xml.decode()
        loaded = _native.load_text(xml, dict(assets or {}), _folder(confined, ""), memory, load_time)
        _remember(None, xml, assets)
        return cls._wrap(*loaded)

    def __setattr__(self, name, value):
        if name in MjModel.__slots__:
            raise AttributeError(f"'{name}' cannot be replaced")
        try:
            object.__setattr__(self, name, value)
        except AttributeError as error:
            raise explained(self, name, error, "it follows from the structure of the model") from None

    def __copy__(self) -> MjModel:
        return type(self)._wrap(self._native.copy(), self.load_warnings)

    def __deepcopy__(self, memo) -> MjModel:
        return self.__copy__()

    def __reduce__(self):
        return _restore, (_native.model_bytes(self._native), self.load_warnings)

    def __repr__(self) -> str:
        name = bytes(self.names).split(b"\0", 1)[0].decode("utf-8", "replace")
        return f"<MjModel {name!r}: nbody={self.nbody} nq={self.nq} nv={self.nv} nu={self.nu}>"

    def _repr_html_(self) -> str:
        name = bytes(self.names).split(b"\0", 1)[0].decode("utf-8", "replace")
        counts = {"bodies": "nbody", "joints": "njnt", "geoms": "ngeom", "sites": "nsite", "actuators": "nu"}
        more = {"sensors": "nsensor", "tendons": "ntendon", "equalities": "neq", "flexes": "nflex", "keyframes": "nkey"}
        facts = {"positions": self.nq, "velocities": self.nv, "time step": f"{self.opt.timestep:g} s"}
        listed = {word: getattr(self, size) for word, size in {**counts, **more}.items() if getattr(self, size)}
        return table(f"MjModel {name}", {**facts, **listed})

    @property
    def signature(self) -> int:
        """Equal for models of the same structure, whatever their values."""
        return self._native.signature

    def _model_names(self, kind: int) -> tuple[list[str], dict[str, int]]:
        """Names of a kind by id, and ids by name; names never change."""
        return _names(self._native, self._lookup, kind)


class _Arrays(dict):
    """The arrays of a model by name. Those that a step finds its way by are lent when first asked for."""

    __slots__ = ("_native",)

    def __init__(self, native):
        super().__init__(native.arrays())
        self._native = native

    def __missing__(self, name: str):
        # Of two threads that come at once both get the array of one.
        return self.setdefault(name, self._native.lend_structure(name))


def _names(native, lookup: dict, kind: int) -> tuple[list[str], dict[str, int]]:
    found = lookup.get(kind)
    if found is None:
        names = native.names(kind)
        ids = {name: index for index, name in reversed(list(enumerate(names))) if name}
        found = lookup[kind] = names, ids
    return found


# Path or text, and files in memory, of the model that was loaded last.
LAST: tuple[str | None, str, dict[str, bytes]] | None = None


def _remember(path: str | None, xml: str, assets: Mapping[str, bytes] | None) -> None:
    global LAST
    LAST = path, xml, dict(assets or {})


def _folder(confined: bool | str | os.PathLike, own: str) -> str | None:
    """The folder that files must lie in; None if anywhere."""
    if isinstance(confined, bool):
        return (own or ".") if confined else None
    return os.fspath(confined)


def _restore(content: bytes, load_warnings: tuple) -> MjModel:
    return MjModel._wrap(_native.model_from_bytes(content), load_warnings)


def _size(name: str) -> property:
    return property(lambda self: self._sizes[name])


def _array(name: str) -> property:
    def set_(self, value):
        array = self._arrays[name]
        if not array.flags.writeable:
            raise ValueError(f"{name} is read-only: names, and where meshes, textures and skins begin, do not change")
        array[...] = numbers(name, value)

    return property(lambda self: self._arrays[name], set_)


def _lent_array(name: str) -> property:
    """An array of values that simulations keep copies of: they read it again while somebody has it."""

    def get(self):
        array = self._arrays[name]
        return np.asarray(self._native.lend(array)) if array.size else array

    def set_(self, value):
        get(self)[...] = numbers(name, value)

    return property(get, set_)


def _text(name: str) -> property:
    return property(lambda self: self._arrays[name])


_KINDS = {"names": _text, "paths": _text, "text_data": _text, "mesh_vert": _lent_array}
for _name in _SIZES:
    setattr(MjModel, _name, _size(_name))
for _name in _COLUMNS:
    setattr(MjModel, _name, _KINDS.get(_name, _array)(_name))
for _kinds, _view in MODEL_VIEWS.items():
    for _name in _kinds:
        setattr(MjModel, _name, accessor(_view, _name))
MjModel._size_fields = _SIZES
MjModel._all_fields = _SIZES + _COLUMNS

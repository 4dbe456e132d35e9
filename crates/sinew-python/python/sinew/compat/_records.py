"""Options, statistics and visual settings: records of numbers and short arrays."""

from __future__ import annotations

import operator

from .. import _native
from ._missing import explained
from ._target import Array, all_of, numbers, put, real


def _field(name: str, sample) -> property:
    """A property over the field's view: a number when the view has one element."""
    if sample.size > 1:

        def get(self):
            return self._fields[name]

        def set_(self, value):
            self._fields[name][...] = numbers(name, value)

    else:
        is_real = sample.dtype.kind == "f"

        def get(self):
            return self._fields[name][0].item()

        def set_(self, value):
            self._fields[name][0] = real(name, value) if is_real else operator.index(value)

    return property(get, set_)


class Record:
    """Named numbers that can be read and set; they live in the model."""

    __slots__ = ("_fields",)
    _names: tuple[str, ...]

    def __init__(self, fields=None):
        # Records made without a model have numbers of their own.
        self._fields = {name: sample.copy() for name, sample in self._samples.items()} if fields is None else fields

    def __setattr__(self, name, value):
        try:
            object.__setattr__(self, name, value)
        except AttributeError as error:
            raise explained(self, name, error) from None

    def __copy__(self):
        return type(self)({name: field.copy() for name, field in self._fields.items()})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return type(self), (self.__copy__()._fields,)

    def _reset(self) -> None:
        """The usual values."""
        for name, sample in self._samples.items():
            self._fields[name][...] = sample

    def __repr__(self) -> str:
        lines = [f"  {name}: {getattr(self, name)!r}" for name in sorted(self._names)]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])

    def __eq__(self, other) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all((self._fields[n] == other._fields[n]).all() for n in self._names)

    __hash__ = None


def _record(name: str, doc: str, fields) -> type[Record]:
    body = {field: _field(field, view) for field, view in fields.items()}
    body.update(__slots__=(), __doc__=doc, __module__="sinew.compat", _names=tuple(fields), _samples=fields)
    return type(name, (Record,), body)


_SAMPLES = _native.Model().records()
MjOption = _record("MjOption", "Physics options.", _SAMPLES["opt"])
MjOption._all_fields = frozenset(MjOption._names)
MjOption._int_fields = frozenset(n for n, v in _SAMPLES["opt"].items() if v.size == 1 and v.dtype.kind != "f")
MjOption._float_fields = frozenset(n for n, v in _SAMPLES["opt"].items() if v.size == 1 and v.dtype.kind == "f")
MjOption._floatarray_fields = frozenset(n for n, v in _SAMPLES["opt"].items() if v.size > 1)
# Without a model there is nothing to count.
_NO_STATISTIC = {name: view * 0 for name, view in _SAMPLES["stat"].items()}
MjStatistic = _record("MjStatistic", "Statistics of the model at qpos0.", _NO_STATISTIC)

_PARTS = ("global_", "quality", "headlight", "map", "scale", "rgba")


class MjVisual:
    """Visual settings, in six parts."""

    __slots__ = _PARTS

    Global = _record("Global", "General settings.", _SAMPLES["global_"])
    Quality = _record("Quality", "Rendering quality.", _SAMPLES["quality"])
    Headlight = _record("Headlight", "The light at the camera.", _SAMPLES["headlight"])
    Map = _record("Map", "Mappings from physical quantities to drawing sizes.", _SAMPLES["map"])
    Scale = _record("Scale", "Sizes of decorative elements.", _SAMPLES["scale"])
    Rgba = _record("Rgba", "Colours of decorative elements.", _SAMPLES["rgba"])

    def __init__(self, records):
        for part in _PARTS:
            kind = getattr(MjVisual, part.rstrip("_").capitalize())
            object.__setattr__(self, part, kind(records[part]))

    def __copy__(self):
        return MjVisual({part: getattr(self, part).__copy__()._fields for part in _PARTS})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return MjVisual, ({part: getattr(self, part).__copy__()._fields for part in _PARTS},)

    def __setattr__(self, name, value):
        raise AttributeError(f"set the fields of vis.{name}, not the whole")

    def __repr__(self) -> str:
        lines = [f"  {part}: {getattr(self, part)!r}".replace("\n", "\n  ") for part in _PARTS]
        return "\n".join(["<MjVisual", *lines, ">"])


def mj_defaultOption(opt: MjOption) -> None:
    """Sets the options of an empty model."""
    opt._reset()


def mj_defaultVisual(vis: MjVisual) -> None:
    """Sets the visual settings of an empty model."""
    for part in _PARTS:
        getattr(vis, part)._reset()


def mj_defaultSolRefImp(solref: Array, solimp: Array) -> None:
    """Sets the usual parameters of a constraint: 2 and 5 numbers."""
    all_of(("solref", solref, (2,)), ("solimp", solimp, (5,)))
    put("solref", solref, _SAMPLES["opt"]["o_solref"])
    put("solimp", solimp, _SAMPLES["opt"]["o_solimp"])


DEFAULTS = mj_defaultOption, mj_defaultVisual, mj_defaultSolRefImp

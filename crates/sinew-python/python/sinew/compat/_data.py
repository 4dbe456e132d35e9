"""One simulation with the reference's attribute names."""

from __future__ import annotations

from .. import _native
from ._lists import ContactList, WarningList
from ._model import MjModel
from ._views import DATA_VIEWS, accessor

_COLUMNS = tuple(row[0] for row in _native.data_columns())


class MjData:
    """One simulation of a model. Arrays (``qpos``, ``xpos``, …) are live views that can be written.

    Contacts and constraint rows (``contact``, ``efc_force``, …) are copies, since their number changes.
    """

    __slots__ = ("__weakref__", "_arrays", "_native", "model")

    def __init__(self, model: MjModel):
        self._attach(model, _native.Data(model._native))

    def _attach(self, model, native) -> None:
        set_ = object.__setattr__
        set_(self, "model", model)
        set_(self, "_native", native)
        set_(self, "_arrays", native.arrays())

    def __setattr__(self, name, value):
        if name in MjData.__slots__:
            raise AttributeError(f"'{name}' cannot be replaced")
        object.__setattr__(self, name, value)

    def __copy__(self) -> MjData:
        copied = type(self).__new__(type(self))
        copied._attach(self.model, self._native.copy())
        return copied

    def __deepcopy__(self, memo) -> MjData:
        copied = type(self).__new__(type(self))
        copied._attach(self.model.__deepcopy__(memo), self._native.copy())
        return copied

    def __repr__(self) -> str:
        return f"<MjData of {self.model!r} at time {self.time:g}>"

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return self._native.time

    @time.setter
    def time(self, seconds: float) -> None:
        self._native.time = seconds

    @property
    def contact(self) -> ContactList:
        """The contacts at the last positions computed, as a copy."""
        return ContactList(_native.contacts(self._native))

    @property
    def warning(self) -> WarningList:
        """The warning counters, as a copy."""
        return WarningList(self._native.warnings())

    @property
    def signature(self) -> int:
        """Equal for models and data that fit each other."""
        return self.model.signature

    def _model_names(self, kind: int):
        return self.model._model_names(kind)


def _array(name: str) -> property:
    def set_(self, value):
        self._arrays[name][...] = value

    return property(lambda self: self._arrays[name], set_)


def _count(name: str) -> property:
    return property(lambda self: dict(self._native.counts())[name])


def _row_array(name: str) -> property:
    return property(lambda self: _native.row_field(self.model._native, self._native, name))


ROW_FIELDS = tuple(_native.row_fields())
for _name, _dtype in ROW_FIELDS:
    setattr(MjData, _name, _row_array(_name))
COUNTS = ("ncon", "ne", "nf", "nl", "nefc", "nisland", "nidof")
for _name in COUNTS:
    setattr(MjData, _name, _count(_name))
for _name in _COLUMNS:
    setattr(MjData, _name, _array(_name))
for _kinds, _view in DATA_VIEWS.items():
    for _name in _kinds:
        setattr(MjData, _name, accessor(_view, _name))
MjData._all_fields = _COLUMNS

"""Lists that a simulation makes anew at every step: contacts, warnings, timers, solver statistics.

They are copies; writing to them would change nothing, so it is an error.
"""

from __future__ import annotations

import numpy as np

from ._enums import ENUMS


class _Row:
    """One entry of a list, with the fields of its class."""

    __slots__ = ("_values",)
    _shapes: dict[str, tuple[type, tuple[int, ...]]]

    def __init__(self, _values=None):
        if _values is None:
            _values = {name: np.zeros(shape, kind) for name, (kind, shape) in self._shapes.items()}
        object.__setattr__(self, "_values", _values)

    def __getattr__(self, name):
        try:
            value = self._values[name]
        except KeyError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None
        return value.item() if value.ndim == 0 else value

    def __setattr__(self, name, value):
        if name not in self._values:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if not self._values[name].flags.writeable:
            raise AttributeError("entries of the list are copies; writing to them would change nothing")
        self._values[name][...] = value

    def __dir__(self):
        return list(self._values)

    def __copy__(self):
        return type(self)({name: value.copy() for name, value in self._values.items()})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self) -> str:
        fields = (f"  {name}: {getattr(self, name)!r}" for name in sorted(self._values))
        return "\n".join([f"<{type(self).__name__}", *fields, ">"])


class _List:
    """Arrays of one field each, with a row per entry; also a sequence of entries."""

    __slots__ = ("_columns", "_length")
    _row: type[_Row]

    def __init__(self, columns: dict[str, np.ndarray]):
        for column in columns.values():
            column.flags.writeable = False
        self._columns = columns
        self._length = len(next(iter(columns.values())))

    def __getattr__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __dir__(self):
        return list(self._columns)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index):
        if isinstance(index, (int, np.integer)):
            index = int(index)
            if not -self._length <= index < self._length:
                raise IndexError(f"index {index} with {self._length} entries")
            return self._entry(index)
        return type(self)({name: column[index] for name, column in self._columns.items()})

    def _entry(self, index: int):
        values = {name: np.array(column[index]) for name, column in self._columns.items()}
        for value in values.values():
            value.flags.writeable = False
        return self._row(values)

    def __iter__(self):
        return (self._entry(index) for index in range(self._length))

    def __repr__(self) -> str:
        fields = (f"  {name}: {self._columns[name]!r}" for name in sorted(self._columns))
        return "\n".join([f"<{type(self).__name__}", *fields, ">"])


class MjContact(_Row):
    """One contact. A new one is zero throughout; ``mj_addContact`` adds it to a simulation."""

    __slots__ = ()
    _shapes = {
        "dist": (float, ()), "pos": (float, (3,)), "frame": (float, (9,)), "includemargin": (float, ()),
        "friction": (float, (5,)), "solref": (float, (2,)), "solreffriction": (float, (2,)), "solimp": (float, (5,)),
        "mu": (float, ()), "dim": (np.int32, ()), "geom": (np.int32, (2,)), "flex": (np.int32, (2,)),
        "elem": (np.int32, (2,)), "vert": (np.int32, (2,)), "exclude": (np.int32, ()), "efc_address": (np.int32, ()),
        "H": (float, (36,)), "geom1": (np.int32, ()), "geom2": (np.int32, ()),
    }  # fmt: skip

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        # The two geoms have two names each.
        if name == "geom":
            self._values["geom1"][...], self._values["geom2"][...] = self._values["geom"]
        elif name in ("geom1", "geom2"):
            self._values["geom"][int(name[-1]) - 1] = value


class ContactList(_List):
    """All contacts: ``d.contact.dist`` is an array, ``d.contact[0].dist`` a number."""

    __slots__ = ()
    _row = MjContact


class MjWarningStat(_Row):
    """One kind of warning: how often, and what the last was about."""

    __slots__ = ()
    _shapes = {"lastinfo": (np.int32, ()), "number": (np.int32, ())}


class WarningList(_List):
    """The warning counters, by ``mjtWarning``."""

    __slots__ = ()
    _row = MjWarningStat


def warning_list(entries: list[tuple[int, int]]) -> WarningList:
    """The counters as a list."""
    table = np.array(entries, dtype=np.int32).reshape(-1, 2)
    return WarningList({"lastinfo": table[:, 0].copy(), "number": table[:, 1].copy()})


class MjTimerStat(_Row):
    """One timer. sinew does not time the stages of a call: ``sinew bench`` does."""

    __slots__ = ()
    _shapes = {"duration": (float, ()), "number": (np.int32, ())}


class TimerList(_List):
    """The timers, by ``mjtTimer``; all zero."""

    __slots__ = ()
    _row = MjTimerStat


def timer_list() -> TimerList:
    """Timers that never ran."""
    count = len([member for member in ENUMS["mjtTimer"] if not member.name.startswith("mjN")])
    return TimerList({"duration": np.zeros(count), "number": np.zeros(count, np.int32)})


class MjSolverStat(_Row):
    """What one iteration of the constraint solver did."""

    __slots__ = ()
    _shapes = {
        "improvement": (float, ()), "gradient": (float, ()), "lineslope": (float, ()), "nactive": (np.int32, ()),
        "nchange": (np.int32, ()), "neval": (np.int32, ()), "nupdate": (np.int32, ()),
    }  # fmt: skip


class SolverList(_List):
    """Iterations of the constraint solver: 200 for each of 20 islands."""

    __slots__ = ()
    _row = MjSolverStat

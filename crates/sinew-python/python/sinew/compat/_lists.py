"""Lists of records in a simulation: contacts, warnings, timers, solver statistics.

A list shows what is there now: ``d.contact.dist`` is an array, ``d.contact[0].dist`` a number. Both can be written, but
for ids and addresses. Arrays hold the numbers of the last call; see ``varying.rs`` for how they stay up to date.
"""

from __future__ import annotations

import itertools
import operator

import numpy as np

from .. import _native
from ._html import grid
from ._target import numbers

# Rows of a table in a notebook.
_SHOWN = 20

# Number of each array of varying length, its type, width and whether it can be written.
COLUMNS = {
    name: (number, np.dtype(dtype), width, is_writable)
    for number, (name, dtype, width, is_writable) in enumerate(_native.varying_columns())
}


def _fields(list_name: str) -> dict[str, tuple]:
    """The columns of a list by the names of its fields."""
    start = f"{list_name}."
    return {name[len(start) :]: column for name, column in COLUMNS.items() if name.startswith(start)}


class _Row:
    """One entry of a list, or a record of its own."""

    __slots__ = ("_index", "_source")
    _fields: dict[str, tuple]

    def __init_subclass__(cls, of: str | None = None):
        if of is None:
            # Of a user, who adds to one of ours.
            return
        cls._fields = _fields(of)
        for name, (number, _dtype, width, _is_writable) in cls._fields.items():
            setattr(cls, name, _entry(name, number, width))

    def __init__(self, _source=None, _index=0):
        if _source is None:
            shapes = {name: (1,) if width is None else (1, width) for name, (_, _, width, _) in self._fields.items()}
            _source = {name: np.zeros(shape, self._fields[name][1]) for name, shape in shapes.items()}
        self._source = _source
        self._index = _index

    def _column(self, name, number):
        source = self._source
        if type(source) is dict:
            return source[name]
        column = _native.varying(source, number)
        if self._index >= len(column):
            raise IndexError(f"entry {self._index} is gone: there are {len(column)} now")
        return column

    def __dir__(self):
        return list(self._fields)

    def __copy__(self):
        row = slice(self._index, self._index + 1)
        return type(self)({name: self._column(name, column[0])[row].copy() for name, column in self._fields.items()})

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return type(self), (self.__copy__()._source,)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._fields)

    __hash__ = None

    def __repr__(self) -> str:
        fields = (f"  {name}: {getattr(self, name)!r}" for name in sorted(self._fields))
        return "\n".join([f"<{type(self).__name__}", *fields, ">"])


def _entry(name: str, number: int, width: int | None) -> property:
    """A field of one entry: a number, or a row that can be written in place."""

    def get_number(self):
        return self._column(name, number).item(self._index)

    def get_row(self):
        return self._column(name, number)[self._index]

    def set_(self, value):
        self._column(name, number)[self._index] = numbers(name, value)

    return property(get_number if width is None else get_row, set_)


class _List:
    """All entries, or those that were chosen: fields are arrays with a row per entry."""

    __slots__ = ("_chosen", "_native")
    _row: type[_Row]

    def __init_subclass__(cls, of: type[_Row]):
        cls._row = of
        for name, (number, *_) in of._fields.items():
            setattr(cls, name, _all_entries(name, number))

    def __init__(self, native, chosen=None):
        self._native = native
        self._chosen = chosen

    def __dir__(self):
        return list(self._row._fields)

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self._row._fields))))

    def __getitem__(self, index):
        try:
            index = operator.index(index)
        except TypeError:
            # A slice of views stays a view; entries chosen in any other way are copies.
            if self._chosen is not None or not isinstance(index, slice):
                index = self._positions()[index]
            return type(self)(self._native, index)
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"index {index} with {count} entries")
        place = index % count if self._chosen is None else int(self._positions()[index])
        return self._row(self._native, place)

    def _positions(self):
        """Places of the entries among all of them."""
        everything = np.arange(len(type(self)(self._native)))
        return everything if self._chosen is None else everything[self._chosen]

    def __iter__(self):
        # A list that gets shorter meanwhile ends there, also for those that were chosen of it.
        everything = type(self)(self._native)
        chosen = itertools.count() if self._chosen is None else self._positions().tolist()
        for index in chosen:
            if index < len(everything):
                yield self._row(self._native, index)
            elif self._chosen is None:
                return

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self._row._fields)

    __hash__ = None

    def __repr__(self) -> str:
        fields = (f"  {name}: {getattr(self, name)!r}" for name in sorted(self._row._fields))
        return "\n".join([f"<{type(self).__name__}", *fields, ">"])


def _all_entries(name: str, number: int) -> property:
    """A field of all entries."""

    def get(self):
        column = _native.varying(self._native, number)
        return column if self._chosen is None else column[self._chosen]

    def set_(self, value):
        get(self)[...] = numbers(name, value)

    return property(get, set_)


class MjContact(_Row, of="contact"):
    """One contact. A new one is zero throughout; ``mj_addContact`` adds it to a simulation."""

    __slots__ = ()

    def __init__(self, _source=None, _index=0):
        super().__init__(_source, _index)
        if type(self._source) is dict:
            # The two geoms have two names each.
            pair = self._source["geom"]
            self._source.update(geom1=pair[:, 0], geom2=pair[:, 1])


class ContactList(_List, of=MjContact):
    """All contacts: ``d.contact.dist`` is an array, ``d.contact[0].dist`` a number."""

    __slots__ = ()

    def __len__(self) -> int:
        return self._native.count("ncon") if self._chosen is None else super().__len__()

    def _repr_html_(self) -> str:
        count = len(self)
        fields = {name: getattr(self, name)[:_SHOWN].tolist() for name in ("geom", "dist", "pos", "dim", "friction")}
        rows = [
            (number, *pair, f"{dist:.4g}", " ".join(f"{x:.4g}" for x in pos), dim, f"{friction[0]:g}")
            for number, (pair, dist, pos, dim, friction) in enumerate(zip(*fields.values(), strict=True))
        ]
        title = f"{count} contacts" if count <= _SHOWN else f"{count} contacts, the first {_SHOWN}"
        return grid(title, ("", "geom1", "geom2", "dist", "pos", "dim", "friction"), rows)


class MjWarningStat(_Row, of="warning"):
    """One kind of warning: how often, and what the last was about."""

    __slots__ = ()


class WarningList(_List, of=MjWarningStat):
    """The warning counters, by ``mjtWarning``."""

    __slots__ = ()


class MjTimerStat(_Row, of="timer"):
    """One timer: seconds and number of runs."""

    __slots__ = ()


class TimerList(_List, of=MjTimerStat):
    """The timers, by ``mjtTimer``."""

    __slots__ = ()


class MjSolverStat(_Row, of="solver"):
    """What one iteration of the constraint solver did."""

    __slots__ = ()


class SolverList(_List, of=MjSolverStat):
    """Iterations of the constraint solver: 200 for each of 20 islands."""

    __slots__ = ()

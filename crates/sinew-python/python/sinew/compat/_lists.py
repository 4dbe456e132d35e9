"""Lists that a simulation makes anew at every step: contacts and warnings."""

from __future__ import annotations

import numpy as np


class _Row:
    """One entry of a list, with the fields of its class."""

    __slots__ = ("_values",)

    def __init__(self, values):
        self._values = values

    def __getattr__(self, name):
        try:
            value = self._values[name]
        except KeyError:
            raise AttributeError(name) from None
        return value.item() if value.ndim == 0 else value

    def __dir__(self):
        return list(self._values)

    def __repr__(self) -> str:
        fields = (f"  {name}: {getattr(self, name)!r}" for name in self._values)
        return "\n".join([f"<{type(self).__name__}", *fields, ">"])


class _List:
    """Arrays of one field each, with a row per entry; also a sequence of entries."""

    __slots__ = ("_columns", "_length")
    _row: type[_Row]

    def __init__(self, columns: dict[str, np.ndarray]):
        self._columns = columns
        self._length = len(next(iter(columns.values())))

    def __getattr__(self, name):
        try:
            return self._columns[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return list(self._columns)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: int):
        index = int(index)
        if not -self._length <= index < self._length:
            raise IndexError(f"index {index} with {self._length} entries")
        return self._row({name: np.asarray(column[index]) for name, column in self._columns.items()})


class MjContact(_Row):
    """One contact."""

    __slots__ = ()


class ContactList(_List):
    """All contacts: ``d.contact.dist`` is an array, ``d.contact[0].dist`` a number."""

    __slots__ = ()
    _row = MjContact


class MjWarningStat(_Row):
    """One kind of warning: how often, and what the last was about."""

    __slots__ = ()


class WarningList(_List):
    """The warning counters, by ``mjtWarning``."""

    __slots__ = ()
    _row = MjWarningStat

    def __init__(self, entries: list[tuple[int, int]]):
        table = np.array(entries, dtype=np.int32).reshape(-1, 2)
        super().__init__({"lastinfo": table[:, 0].copy(), "number": table[:, 1].copy()})

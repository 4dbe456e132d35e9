"""The reference's enum classes, made from the native table of codes."""

from __future__ import annotations

import enum

from .. import _native


class Kind(enum.IntEnum):
    """A code of a model with the reference's name for it."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


def _make(name: str, members: list[tuple[str, int]]) -> type[Kind]:
    made = Kind(name, members, module="sinew.compat")
    made.__doc__ = f"The codes of ``{name}``."
    # Python 3.11 looks for members by a function of its own, which takes ten times as long.
    for member, code in made.__members__.items():
        type.__setattr__(made, member, code)
    return made


ENUMS: dict[str, type[Kind]] = {name: _make(name, members) for name, members in _native.enums().items()}

# Under their names too: programs look for them in the reference's module of this name.
globals().update(ENUMS)

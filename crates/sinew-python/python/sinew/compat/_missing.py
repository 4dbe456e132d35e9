"""What to say about a name that is not here: of the reference's module, or one that is set."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Beginnings of names, and what they belong to.
_LATER = (
    (("mj_printScene", "mj_printFormattedScene"), "drawing"),
    (("mjs_",), "editing models by functions"),
    (("minimize", "sysid", "usd", "msh2obj"), "this module"),
    (("mj_loadPlugin", "mj_loadAllPlugin", "PLUGIN"), "plugins"),
    (("mju_raySkin",), "rays against skins"),
    (("set_mjcb", "get_mjcb", "set_mju", "get_mju"), "this hook"),
)


def message(module: str, name: str) -> str:
    """The text of the AttributeError."""
    text = f"module '{module}' has no attribute '{name}'"
    for beginnings, what in _LATER:
        if name.startswith(beginnings):
            return f"{text}: sinew does not have {what} yet"
    # A misspelled name gets Python's own suggestion.
    return text


def suggestion(name: str, names: Iterable[str], likeness: float = 0.6) -> str:
    """The name among others that was perhaps meant, as a sentence; nothing if none is like it."""
    near = difflib.get_close_matches(name, names, n=1, cutoff=likeness)
    return f". Did you mean '{near[0]}'?" if near else ""


def explained(owner: object, name: str, error: AttributeError, reason: str = "") -> AttributeError:
    """The error of setting an attribute: why what is there cannot be set, and what was perhaps meant by what is not; Python
    suggests another name only where one is read."""
    member = getattr(type(owner), name, None)
    if isinstance(member, property) and member.fset is None:
        return AttributeError(f"{name} cannot be set: {reason}")
    if member is not None:
        return error
    text = f"'{type(owner).__name__}' object has no attribute '{name}'"
    return AttributeError(text + suggestion(name, [own for own in dir(owner) if not own.startswith("_")]))

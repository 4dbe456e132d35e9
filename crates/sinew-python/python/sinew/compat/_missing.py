"""What to say about a name of the reference's module that is not here."""

from __future__ import annotations

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

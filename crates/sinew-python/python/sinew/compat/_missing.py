"""What to say about a name of the reference's module that is not here."""

from __future__ import annotations

import difflib

# Beginnings of names, and what they belong to.
_LATER = (
    (("mjv_", "mjr_", "Mjv", "Mjr", "Renderer", "GLContext", "gl_context", "renderer", "glfw"), "drawing"),
    (("mjs_", "Mjs", "MjSpec", "from_zip", "to_zip"), "editing models"),
    (("mjd_",), "derivatives"),
    (("rollout", "viewer", "minimize", "sysid", "usd", "msh2obj"), "this module"),
    (("mj_loadPlugin", "mj_loadAllPlugin", "PLUGIN"), "plugins"),
    (("set_mjcb", "get_mjcb", "set_mju", "get_mju", "mj_resetCallbacks"), "this hook"),
    (("mj_saveModel", "mj_sizeModel"), "binary model files"),
)


def message(module: str, name: str, known: dict) -> str:
    """The text of the AttributeError."""
    text = f"module '{module}' has no attribute '{name}'"
    for beginnings, what in _LATER:
        if name.startswith(beginnings):
            return f"{text}: sinew does not have {what} yet"
    near = difflib.get_close_matches(name, [other for other in known if not other.startswith("_")], n=1)
    if near:
        return f"{text}; did you mean '{near[0]}'?"
    if name.startswith(("mj_", "mju_")):
        return f"{text}: sinew does not have this function yet"
    return text

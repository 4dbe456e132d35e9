"""Modules of other packages that make drawing contexts, which pictures of sinew do not need."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from types import ModuleType
from typing import Any

# Modules of dm_control that ask for a driver, and the class of each.
CONTEXTS = {
    "dm_control._render.glfw_renderer": "GLFWContext",
    "dm_control._render.pyopengl.egl_renderer": "EGLContext",
    "dm_control._render.pyopengl.osmesa_renderer": "OSMesaContext",
}


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds these modules, each with a context that does nothing."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        return importlib.machinery.ModuleSpec(fullname, self) if fullname in CONTEXTS else None

    def exec_module(self, module: ModuleType) -> None:
        base = importlib.import_module("dm_control._render.base").ContextBase
        executor = importlib.import_module("dm_control._render.executor").PassthroughRenderExecutor

        def begin(self: Any, max_width: int, max_height: int) -> None:
            base.__init__(self, max_width, max_height, executor)

        def nothing(self: Any, *_arguments: Any) -> None:
            """Does nothing."""

        made = dict.fromkeys(("_platform_init", "_platform_make_current", "_platform_free"), nothing)
        name = CONTEXTS[module.__name__]
        setattr(module, name, type(name, (base,), {**made, "__init__": begin, "__module__": module.__name__}))

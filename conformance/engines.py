"""The two engines behind one small interface."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any

REFERENCE_VERSION = "3.5.0"
DEFAULT_ENGINE = "sinew.compat"


class EngineMissing(RuntimeError):
    """An engine's Python module is not installed or has the wrong version."""


@dataclass(frozen=True)
class Engine:
    """A Python module with the interface of `mujoco`."""

    name: str
    module: ModuleType

    def has(self, function: str) -> bool:
        """Whether the module offers a function."""
        return hasattr(self.module, function)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a module-level function by name."""
        return getattr(self.module, function)(*arguments)

    def data(self, model: Any) -> Any:
        """A fresh MjData."""
        return self.module.MjData(model)


def reference() -> Engine:
    """The reference engine, in the version that everything is compared with."""
    try:
        module = importlib.import_module("mujoco")
    except ImportError as error:
        raise EngineMissing(
            "the reference is not installed; run: pip install -r conformance/requirements.txt"
        ) from error
    if module.__version__ != REFERENCE_VERSION:
        raise EngineMissing(f"need mujoco=={REFERENCE_VERSION}, found {module.__version__}")
    # States that diverge are counted in the data; without this the reference writes a log file as well.
    module.set_mju_user_warning(lambda _text: None)
    return Engine("mujoco", module)


def candidate(module_name: str = DEFAULT_ENGINE) -> Engine:
    """The engine under test; any module with the reference's interface."""
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise EngineMissing(f"cannot import {module_name}: {error}") from error
    return Engine(module_name, module)

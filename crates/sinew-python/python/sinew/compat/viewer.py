"""The reference's interactive viewer, which sinew does not have yet."""

from __future__ import annotations

from typing import Any

from ._context import NoDrawing


def launch(*_arguments: Any, **_options: Any) -> Any:
    """Needs a viewer, which sinew does not have yet."""
    raise NoDrawing("viewer.launch")


def launch_from_path(path: str) -> Any:
    """Needs a viewer, which sinew does not have yet."""
    raise NoDrawing("viewer.launch_from_path")


def launch_passive(*_arguments: Any, **_options: Any) -> Any:
    """Needs a viewer, which sinew does not have yet."""
    raise NoDrawing("viewer.launch_passive")


class Handle:
    """What a passive viewer is held by."""


__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]

"""What can go wrong, as classes one can catch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "BatchError",
    "BusyError",
    "CallError",
    "DeviceError",
    "Diagnostic",
    "FatalError",
    "InternalError",
    "LoadError",
    "StepError",
]


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, or suspicious, in a model file."""

    code: str
    """Stable identifier, such as ``mjcf::unknown-attribute``."""
    severity: str
    """``error`` or ``warning``."""
    file: str
    line: int
    """Counted from 1; 0 when the place is not known."""
    column: int
    """Counted from 1; 0 when the place is not known."""
    element: str
    """Path of the element, such as ``mujoco/worldbody/body/geom``."""
    attribute: str | None
    message: str
    hint: str | None
    text: str
    """One line for a log: ``arm.xml:12:8: message; hint``."""
    rendered: str
    """Several lines for a person, with the source."""

    def __str__(self) -> str:
        return self.text


class LoadError(ValueError):
    """A model does not load. Code, place and message are those of the first error;
    ``diagnostics`` has them all."""

    def __init__(self, diagnostics: list[Diagnostic] | str):
        if isinstance(diagnostics, str):
            diagnostics = [Diagnostic("load", "error", "", 0, 0, "", None, diagnostics, None, diagnostics, diagnostics)]
        self.diagnostics = tuple(diagnostics)
        first = self.diagnostics[0]
        self.code = first.code
        self.file = first.file
        self.line = first.line
        self.column = first.column
        self.element = first.element
        self.attribute = first.attribute
        self.message = first.message
        self.hint = first.hint
        # Programs look for the word "line".
        place = f"\n(line {first.line}, column {first.column})" if first.line else ""
        super().__init__("\n".join(d.rendered for d in self.diagnostics) + place)

    def __reduce__(self):
        return LoadError, (list(self.diagnostics),)


class FatalError(RuntimeError):
    """What the reference's engine cannot go on with; ``mujoco.FatalError`` in code that is written for it."""


class InternalError(FatalError):
    """A fault of sinew itself. Please report it with its text."""


class CallError(FatalError, ValueError):
    """A call that cannot be made as it is: nothing was changed."""


class OutOfRange(FatalError, IndexError):
    """An index that nothing has: nothing was changed."""


class WrongSize(TypeError, ValueError):
    """A list of another length than its field has: of this the reference says now the one, now the other."""


class StepError(FatalError):
    """A step cannot be made: the state is bad even after a reset, or the time step is not positive.

    The simulation is usable: it is in its initial state, or unchanged."""


class BusyError(RuntimeError):
    """An object is in use by another thread."""


class BatchError(RuntimeError):
    """Worlds of a batch failed. The others have made their steps; those that failed begin anew with the next one."""

    def __init__(self, failures: Mapping[int, str]):
        self.failures = dict(failures)
        """Why, by world."""
        listed = [f"world {world}: {why}" for world, why in list(self.failures.items())[:5]]
        if len(self.failures) > len(listed):
            listed.append(f"and {len(self.failures) - len(listed)} more")
        super().__init__(f"{len(self.failures)} failed: " + "; ".join(listed))

    def __reduce__(self):
        return BatchError, (self.failures,)


class DeviceError(RuntimeError):
    """Worlds cannot be on a graphics processor, or cannot go on there."""

    def __init__(self, message: str, kind: str = "driver"):
        self.kind = kind
        """What it is, in a word: ``no-driver``, ``no-device``, ``refused`` (the model or the call asks for something that
        devices do not do), ``old-kernels``, ``no-kernels``, ``out-of-memory``, ``other-model``, ``forked``, ``lost``,
        ``driver``."""
        super().__init__(message)

    def __reduce__(self):
        return DeviceError, (self.args[0], self.kind)

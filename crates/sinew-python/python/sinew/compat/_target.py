"""Arrays of the caller that a function fills.

Everything is checked before anything is written, so that a wrong call changes nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..errors import OutOfRange

Array = npt.NDArray[np.float64]


def check(name: str, target: np.ndarray, shape: tuple[int, ...], kind: type = np.float64) -> None:
    """Raises TypeError unless ``target`` is a writable array of this type with as many numbers as ``shape``."""
    if not isinstance(target, np.ndarray):
        raise TypeError(f"{name} must be a numpy array, not {type(target).__name__}")
    if target.dtype != kind:
        raise TypeError(f"{name} must hold {np.dtype(kind).name}, not {target.dtype.name}")
    same = target.shape == shape if len(shape) > 1 and target.ndim > 1 else target.size == int(np.prod(shape))
    if not same:
        raise TypeError(f"{name} must have shape {shape}, not {target.shape}")
    if not target.flags.writeable:
        raise TypeError(f"{name} cannot be written")


def put(name: str, target: np.ndarray, value: npt.ArrayLike) -> None:
    """Writes a value of the same number of elements."""
    value = np.asarray(value)
    check(name, target, value.shape, value.dtype.type)
    target[...] = value.reshape(target.shape)


def numbers(name: str, value: npt.ArrayLike) -> npt.ArrayLike:
    """The value, or TypeError if it is neither a number nor an array of numbers: numpy would take None for NaN."""
    if value is None or np.asarray(value).dtype.kind not in "fiub":
        raise TypeError(f"{name} takes numbers, not {'None' if value is None else repr(type(value).__name__)}")
    return value


def real(name: str, value: float) -> float:
    """The value as a float, or TypeError: Python would read a text, too."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} takes a number, not {type(value).__name__!r}")
    return float(value)


def vector(name: str, value: npt.ArrayLike, length: int | None = None) -> Array:
    """The numbers of an argument as a flat array."""
    try:
        flat = np.asarray(value, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be numbers") from None
    if length is not None and flat.size != length:
        raise TypeError(f"{name} must have {length} numbers, not {flat.size}")
    return flat


def index(name: str, value: int, count: int) -> int:
    """An index from 0 to ``count``, or OutOfRange."""
    number = operator.index(value)
    if not 0 <= number < count:
        raise OutOfRange(f"{name} {number} is out of range: there are {count}")
    return number


def all_of(*targets: Sequence) -> None:
    """Checks several optional targets, each (name, target, shape), before any is written."""
    for name, target, shape in targets:
        if target is not None:
            check(name, target, shape)

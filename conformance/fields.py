"""Which fields a model has: found by looking at the reference's own model object."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.tolerances import EXCLUDED_MODEL_FIELDS

# Sub-structures of MjModel that are walked into.
_STRUCTURES = ("opt", "vis", "stat")


def model_fields(model: Any) -> dict[str, np.ndarray]:
    """All comparable fields of a reference model: arrays, sizes, text, options, visual and statistics."""
    fields: dict[str, np.ndarray] = {}
    for name in _public_names(model):
        if name in _STRUCTURES:
            _collect(name, getattr(model, name), fields)
        elif name not in EXCLUDED_MODEL_FIELDS:
            value = _as_array(getattr(model, name))
            if value is not None:
                fields[name] = value
    return fields


def read_field(model: Any, path: str) -> np.ndarray | None:
    """A field of any model by its dotted path; None if the engine does not offer it."""
    value = model
    for part in path.split("."):
        value = getattr(value, part, None)
        if value is None:
            return None
    return _as_array(value)


def _collect(prefix: str, structure: Any, fields: dict[str, np.ndarray]) -> None:
    """Add the members of a structure, and of structures inside it, under dotted names."""
    for name in _public_names(structure):
        value = getattr(structure, name)
        path = f"{prefix}.{name}"
        if path in EXCLUDED_MODEL_FIELDS:
            continue
        array = _as_array(value)
        if array is not None:
            fields[path] = array
        elif not callable(value):
            _collect(path, value, fields)


def _public_names(value: Any) -> list[str]:
    return [name for name in dir(value) if not name.startswith("_")]


def _as_array(value: Any) -> np.ndarray | None:
    """Numbers, text and arrays as an array; None for everything else."""
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, bytes):
        return np.frombuffer(value, dtype=np.uint8)
    if isinstance(value, (bool, int, np.integer)):
        return np.asarray(value, dtype=np.int64)
    if isinstance(value, (float, np.floating)):
        return np.asarray(value, dtype=np.float64)
    return None

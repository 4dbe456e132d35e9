"""``model.bind`` and ``data.bind``: the part of a model or a simulation that belongs to elements of a spec."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._data import MjData
from ._model import MjModel
from ._spec_elements import Element


class _Bound:
    """Several elements at once."""

    def __init__(self, views: list):
        object.__setattr__(self, "_views", views)

    def __getattr__(self, name: str) -> list:
        return [number for view in self._views for number in getattr(view, name)]


class _BoundModel(_Bound):
    """Several elements of a model."""

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"Cannot set {name} on MjModel.")


class _BoundData(_Bound):
    """Several elements of a simulation."""

    def __setattr__(self, name: str, value: Any) -> None:
        for view, part in zip(self._views, value, strict=False):
            setattr(view, name, part)


def _view(owner: MjModel | MjData, model: MjModel, element: Element):
    if not isinstance(element, Element):
        raise TypeError("bind takes elements of an MjSpec")
    spec = element._arena.specs[0]
    if spec._compiled is None or spec._compiled["signature"] != model.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    return getattr(owner, element._kind)(element.id)


def bind_model(self: MjModel, specs: Element | Sequence[Element]):
    """What the model has for an element, or for several."""
    if isinstance(specs, Sequence):
        return _BoundModel([_view(self, self, element) for element in specs])
    return _view(self, self, specs)


def bind_data(self: MjData, specs: Element | Sequence[Element]):
    """What the simulation has for an element, or for several."""
    if isinstance(specs, Sequence):
        return _BoundData([_view(self, self.model, element) for element in specs])
    return _view(self, self.model, specs)


MjModel.bind = bind_model
MjData.bind = bind_data

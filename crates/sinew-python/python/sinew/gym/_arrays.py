"""A batch as functions over its arrays see it: numpy arrays, or tensors of PyTorch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..batch import Batch, DeviceArray

KINDS = ("numpy", "torch")


class Seen:
    """A batch whose arrays are copies on the host, made once between two calls of ``forget``, or tensors of PyTorch in the
    memory of the worlds. Everything else is the batch's."""

    def __init__(self, batch: Batch, kind: str):
        self._batch = batch
        self._kind = kind
        self._found: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._batch)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._found:
            array = getattr(self._batch, name)
            if self._kind == "numpy" and isinstance(array, DeviceArray):
                self._found[name] = array.numpy()
            elif self._kind == "torch" and isinstance(array, (DeviceArray, np.ndarray)):
                self._found[name] = tensor(array)
            else:
                return array
        return self._found[name]

    def body(self, name: int | str) -> Any:
        """The body with this index or name, in all worlds."""
        return _Body(self, self._batch.body(name).id)

    def forget(self) -> None:
        """Worlds have changed. Tensors have changed with them."""
        if self._kind == "numpy":
            self._found.clear()


class _Body:
    def __init__(self, seen: Seen, number: int):
        self._seen, self._number = seen, number

    def __getattr__(self, name: str) -> Any:
        return getattr(self._seen, name)[:, self._number]


def tensor(array: Any) -> Any:
    """A tensor in the memory of an array of a batch."""
    import torch  # noqa: PLC0415

    return torch.from_numpy(array) if isinstance(array, np.ndarray) else array.torch()

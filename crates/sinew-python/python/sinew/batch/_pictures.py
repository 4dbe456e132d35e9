"""Pictures of all worlds at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from ..compat import MjModel, MjvCamera, MjvOption
from ..compat._renderer import camera_of
from ..compat._scene import native_camera, native_options

# Numbers and shape of a pixel.
_KINDS: dict[str, tuple[type, tuple[int, ...]]] = {
    "rgb": (np.uint8, (3,)),
    "depth": (np.float32, ()),
    "segmentation": (np.int32, (2,)),
}
_LONGEST = 8192


class Pictures:
    """Draws worlds of a batch; keeps meshes, textures, threads and a simulation for each of them."""

    def __init__(self, model: MjModel, threads: int) -> None:
        self._model = model
        self._native = _native.BatchRenderer(model._native, threads)

    def draw(
        self,
        batch: Any,
        worlds: npt.NDArray[np.int64],
        size: tuple[int, int],
        camera: int | str | MjvCamera,
        kind: str,
        scene_option: MjvOption | None,
        out: npt.NDArray[Any] | None,
    ) -> npt.NDArray[Any]:
        """Pictures of some worlds of a native batch."""
        width, height = size
        if kind not in _KINDS:
            raise ValueError(f"kind must be one of {', '.join(_KINDS)}, not {kind!r}")
        if not (1 <= width <= _LONGEST and 1 <= height <= _LONGEST):
            raise ValueError(f"a picture of {width} × {height} pixels: each side needs 1 to {_LONGEST}")
        number, pixel = _KINDS[kind]
        shape = (len(worlds), height, width, *pixel)
        if out is None:
            out = np.empty(shape, number)
        if out.shape != shape or out.dtype != number or not out.flags.c_contiguous:
            raise ValueError(f"out must be a contiguous array of {np.dtype(number)} with the shape {shape}")
        if out.size:
            groups, flags = native_options(scene_option or MjvOption())
            eye = native_camera(camera_of(self._model, camera))
            flat = out.reshape(-1).view(np.uint8)
            self._native.draw(batch, worlds.tolist(), (eye, groups, flags), (width, height, kind), flat)
        return out

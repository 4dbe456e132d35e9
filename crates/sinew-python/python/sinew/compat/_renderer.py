"""Pictures without a window, a driver or a graphics processor."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from ._context import effects
from ._data import MjData
from ._drawing import MjvCamera, MjvOption, mjv_defaultFreeCamera
from ._drawing_names import ENUMS
from ._model import MjModel
from ._scene import MjvScene, mjv_updateScene

_FIXED = int(ENUMS["mjtCamera"]["mjCAMERA_FIXED"])
# Place of the sky among the effects.
_SKY = 2
_ALL = int(ENUMS["mjtCatBit"]["mjCAT_ALL"])
_FORMS = {"picture": (np.uint8, (3,)), "depth": (np.float32, ()), "segmentation": (np.int32, (2,))}


def camera_of(model: MjModel, camera: int | str | MjvCamera) -> MjvCamera:
    """A camera by its name or number; -1 is free and sees the whole model."""
    if isinstance(camera, MjvCamera):
        return camera
    number = camera
    if isinstance(camera, str):
        try:
            number = model.camera(camera).id
        except KeyError:
            raise ValueError(f'The camera "{camera}" does not exist.') from None
    if not -1 <= number < model.ncam:
        raise ValueError(f"The camera id {number} is out of range [-1, {model.ncam}).")
    found = MjvCamera()
    if number == -1:
        mjv_defaultFreeCamera(model, found)
    else:
        found.type, found.fixedcamid = _FIXED, number
    return found


class Renderer:
    """Draws scenes of a model: `update_scene(data)`, then `render()`."""

    def __init__(
        self, model: MjModel, height: int = 240, width: int = 320, max_geom: int = 10000, **_options: Any
    ) -> None:
        self._model = model
        self._size = (int(width), int(height))
        self._native = _native.Renderer(model._native)
        self._scene = MjvScene(model, max_geom)
        self._kind = "picture"
        self._options = MjvOption()

    @property
    def model(self) -> MjModel:
        """What is drawn."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """What is drawn next; geoms can be changed and added."""
        return self._scene

    @property
    def height(self) -> int:
        """Rows of pictures."""
        return self._size[1]

    @property
    def width(self) -> int:
        """Pixels of a row."""
        return self._size[0]

    def enable_depth_rendering(self) -> None:
        """Pictures are distances from now on."""
        self._kind = "depth"

    def disable_depth_rendering(self) -> None:
        """Pictures are colours from now on."""
        self._kind = "picture"

    def enable_segmentation_rendering(self) -> None:
        """Pictures are ids and types of objects from now on."""
        self._kind = "segmentation"

    def disable_segmentation_rendering(self) -> None:
        """Pictures are colours from now on."""
        self._kind = "picture"

    def update_scene(
        self, data: MjData, camera: int | str | MjvCamera = -1, scene_option: MjvOption | None = None
    ) -> None:
        """Takes in what a camera sees of a simulation."""
        found = camera_of(self._model, camera)
        mjv_updateScene(self._model, data, scene_option or self._options, None, found, _ALL, self._scene)

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """The picture: (height, width, 3) bytes, (height, width) metres, or (height, width, 2) ids and types."""
        if self._native is None:
            raise RuntimeError("render cannot be called after close.")
        number, last = _FORMS[self._kind]
        shape = (self.height, self.width, *last)
        if out is not None and self._kind != "segmentation" and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        if self._scene._native is None:
            raise ValueError("update_scene comes first")
        is_segmenting = self._kind == "segmentation"
        shown = effects(self._scene)
        # Distances are those of objects, as in the reference's class.
        shown[_SKY] &= self._kind == "picture"
        self._native.take(self._scene._native, *self._scene._rows(), shown, is_segmenting)
        made = getattr(self._native, self._kind)(self.width, self.height)
        pixels = np.frombuffer(made, number).reshape(shape)
        if is_segmenting:
            return self._objects(pixels[..., 0])
        if out is None:
            return pixels.copy()
        out[:] = pixels
        return out

    def _objects(self, numbers: np.ndarray) -> np.ndarray:
        """Ids and types of the objects that geoms of some numbers show."""
        rows = self._scene._rows()[0].reshape(-1, 8)
        table = np.full((rows[:, 7].max(initial=-1) + 2, 2), -1, np.int32)
        table[rows[:, 7] + 1] = rows[:, [3, 2]]
        table[0] = -1
        return table[numbers + 1]

    def close(self) -> None:
        """Frees what it holds."""
        self._native = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

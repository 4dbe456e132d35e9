"""Pictures without a window, a driver or a graphics processor."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from ._context import depth_colours, effects, number_colours, write_labels
from ._data import MjData
from ._drawing import MjvCamera, MjvOption, mjv_defaultFreeCamera
from ._drawing_names import ENUMS
from ._model import MjModel
from ._scene import MjvScene, mjv_updateScene

_FIXED = int(ENUMS["mjtCamera"]["mjCAMERA_FIXED"])
# Place of the sky among the effects.
_SKY = 2
_DEPTH, _SEGMENT, _IDCOLOR = (int(ENUMS["mjtRndFlag"][f"mjRND_{name}"]) for name in ("DEPTH", "SEGMENT", "IDCOLOR"))
_FONT_SCALE = int(ENUMS["mjtFontScale"]["mjFONTSCALE_150"])
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
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: int = _FONT_SCALE,
        **_options: Any,
    ) -> None:
        self._model = model
        self._size = (int(width), int(height))
        self._native = _native.Renderer(model._native)
        self._scene = MjvScene(model, max_geom)
        self._font_scale = int(font_scale)
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
        has_numbers = is_segmenting or (self._kind == "picture" and bool(self._scene.flags[_SEGMENT]))
        shown = effects(self._scene)
        # Distances are those of objects, as in the reference's class.
        shown[_SKY] &= self._kind == "picture"
        self._native.take(self._scene._native, *self._scene._rows(), shown, has_numbers)
        pixels = self._drawn(number, shape)
        if is_segmenting:
            return self._objects(pixels[..., 0])
        if out is None:
            return pixels.copy()
        out[:] = pixels
        return out

    def _drawn(self, number: type, shape: tuple[int, ...]) -> np.ndarray:
        """What was asked for; pictures as the flags of the scene want them."""
        flags, eye, size = self._scene.flags, self._scene._native.eye(), (self.width, self.height)
        if self._kind == "picture" and flags[_SEGMENT]:
            made = np.frombuffer(self._native.segmentation(*size), np.int32).reshape(self.height, self.width, 2)
            return number_colours(made[..., 0], bool(flags[_IDCOLOR]))
        if self._kind == "picture" and flags[_DEPTH]:
            return depth_colours(np.frombuffer(self._native.depth(*size), np.float32).reshape(shape[:2]), eye)
        pixels = np.frombuffer(getattr(self._native, self._kind)(*size), number).reshape(shape)
        texts = self._scene._geoms.texts(self._scene.ngeom)
        if self._kind == "picture" and texts:
            pixels = pixels.copy()
            write_labels(pixels, texts, eye, self._font_scale)
        return pixels

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

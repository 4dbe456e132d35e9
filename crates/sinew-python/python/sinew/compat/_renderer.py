"""Pictures without a window, a driver or a graphics processor."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from ._data import MjData
from ._drawing import MjvCamera, MjvOption, MjvScene, mjv_defaultFreeCamera
from ._drawing_names import ENUMS
from ._model import MjModel

_FREE, _TRACKING, _FIXED = (int(ENUMS["mjtCamera"][f"mjCAMERA_{kind}"]) for kind in ("FREE", "TRACKING", "FIXED"))
_FLAGS = tuple(
    int(ENUMS["mjtVisFlag"][f"mjVIS_{flag}"])
    for flag in ("TEXTURE", "STATIC", "TRANSPARENT", "CONTACTPOINT", "CONTACTFORCE")
)
_FORMS = {"picture": (np.uint8, (3,)), "depth": (np.float32, ()), "segmentation": (np.int32, (2,))}
_GROUPS = ("geomgroup", "sitegroup", "tendongroup", "flexgroup", "skingroup")


class Renderer:
    """Draws scenes of a model: `update_scene(data)`, then `render()`."""

    def __init__(
        self, model: MjModel, height: int = 240, width: int = 320, max_geom: int = 10000, **_options: Any
    ) -> None:
        self._model = model
        self._size = (int(width), int(height))
        self._native = _native.Renderer(model._native)
        self._scene = MjvScene()
        self._kind = "picture"
        self._options = MjvOption()

    @property
    def model(self) -> MjModel:
        """What is drawn."""
        return self._model

    @property
    def scene(self) -> MjvScene:
        """The reference's list of what is drawn; ours is made when it is drawn, so this one is empty."""
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
        camera = self._camera(camera)
        options = scene_option or self._options
        kind = int(camera.type)
        number = int(camera.trackbodyid if kind == _TRACKING else camera.fixedcamid)
        self._native.update(
            self._model._native,
            data._native,
            (kind, number, list(camera.lookat), camera.distance, camera.azimuth, camera.elevation),
            [list(getattr(options, name)) for name in _GROUPS],
            [bool(options.flags[flag]) for flag in _FLAGS],
        )

    def _camera(self, camera: int | str | MjvCamera) -> MjvCamera:
        if isinstance(camera, MjvCamera):
            return camera
        number = camera
        if isinstance(camera, str):
            try:
                number = self._model.camera(camera).id
            except KeyError:
                raise ValueError(f'The camera "{camera}" does not exist.') from None
        if not -1 <= number < self._model.ncam:
            raise ValueError(f"The camera id {number} is out of range [-1, {self._model.ncam}).")
        found = MjvCamera()
        if number == -1:
            mjv_defaultFreeCamera(self._model, found)
        else:
            found.type, found.fixedcamid = _FIXED, number
        return found

    def render(self, *, out: np.ndarray | None = None) -> np.ndarray:
        """The picture: (height, width, 3) bytes, (height, width) metres, or (height, width, 2) ids and types."""
        if self._native is None:
            raise RuntimeError("render cannot be called after close.")
        number, last = _FORMS[self._kind]
        shape = (self.height, self.width, *last)
        if out is not None and self._kind != "segmentation" and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        made = getattr(self._native, self._kind)(self.width, self.height)
        pixels = np.frombuffer(made, number).reshape(shape)
        if out is None or self._kind == "segmentation":
            return pixels.copy()
        out[:] = pixels
        return out

    def close(self) -> None:
        """Frees what it holds."""
        self._native = None

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

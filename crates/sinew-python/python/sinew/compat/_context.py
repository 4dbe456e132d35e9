"""Where pictures are made through the reference's functions: a buffer in memory, without a window or a driver."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from . import _font
from ._drawing import MjrRect
from ._drawing_names import ENUMS
from ._model import MjModel
from ._scene import MjvScene

_OFFSCREEN = int(ENUMS["mjtFramebuffer"]["mjFB_OFFSCREEN"])
_ZERO_FAR = int(ENUMS["mjtDepthMap"]["mjDEPTH_ZEROFAR"])
_SHADOW, _REFLECTION, _SKYBOX, _HAZE, _SEGMENT, _IDCOLOR = (
    int(ENUMS["mjtRndFlag"][f"mjRND_{name}"])
    for name in ("SHADOW", "REFLECTION", "SKYBOX", "HAZE", "SEGMENT", "IDCOLOR")
)
_GRID = ENUMS["mjtGridPos"]
_BIG = int(ENUMS["mjtFont"]["mjFONT_BIG"])


def effects(scn: MjvScene) -> list[bool]:
    """Whether shadows, reflections, sky and haze are drawn."""
    return [bool(scn.flags[flag]) for flag in (_SHADOW, _REFLECTION, _SKYBOX, _HAZE)]


class GLContext:
    """What the reference's pictures need a driver for; here it is nothing."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self._size = max_width, max_height

    def make_current(self) -> None:
        """Does nothing."""

    def free(self) -> None:
        """Does nothing."""


class MjrContext:
    """Where pictures are made."""

    def __init__(self, model: MjModel | None = None, fontscale: int = 100) -> None:
        self.fontScale = int(fontscale)
        self.currentBuffer = 0
        self.readDepthMap = int(ENUMS["mjtDepthMap"]["mjDEPTH_ZERONEAR"])
        self.windowAvailable = self.windowSamples = self.windowStereo = self.windowDoublebuffer = 0
        self.offWidth = self.offHeight = self.offSamples = 0
        self._native = None
        if model is not None:
            self._native = _native.Renderer(model._native)
            self.offWidth, self.offHeight = int(model.vis.global_.offwidth), int(model.vis.global_.offheight)
            self.offSamples = int(model.vis.quality.offsamples)
        self._resize()

    def _resize(self) -> None:
        self._colours = np.zeros((self.offHeight, self.offWidth, 3), np.uint8)
        self._depth = np.ones((self.offHeight, self.offWidth), np.float32)
        # What is to be drawn: where, from where, whether as numbers and whether these are readable; and what is left of it.
        self._job: tuple[MjrRect, Any, bool, bool] | None = None
        self._left: set[str] = set()

    def free(self) -> None:
        """Frees what it holds."""
        self._native = None

    def _ask(self, viewport: MjrRect, scn: MjvScene) -> None:
        """Remembers what is to be drawn: many programs want either colours or depths."""
        if self._native is None:
            raise ValueError("the context has no model")
        if scn._native is None:
            raise ValueError("mjv_updateScene comes before mjr_render")
        self._draw_colours()
        self._draw_depths()
        is_segmenting = bool(scn.flags[_SEGMENT])
        self._native.take(scn._native, *scn._rows(), effects(scn), is_segmenting)
        place = MjrRect(viewport.left, viewport.bottom, viewport.width, viewport.height)
        self._job = place, scn._native.eye(), is_segmenting, bool(scn.flags[_IDCOLOR])
        self._left = {"colours", "depths"} if place.width > 0 and place.height > 0 else set()

    def _draw_colours(self) -> None:
        if "colours" not in self._left:
            return
        self._left.discard("colours")
        place, _, is_segmenting, has_ids = self._job
        if is_segmenting:
            made = np.frombuffer(self._native.segmentation(place.width, place.height), np.int32)
            pixels = _number_colours(made.reshape(place.height, place.width, 2)[..., 0] + 1, has_ids)
        else:
            made = np.frombuffer(self._native.picture(place.width, place.height), np.uint8)
            pixels = made.reshape(place.height, place.width, 3)
        _put(self._colours, place, pixels[::-1])

    def _draw_depths(self) -> None:
        if "depths" not in self._left:
            return
        self._left.discard("depths")
        place, eye, *_ = self._job
        made = np.frombuffer(self._native.depth(place.width, place.height), np.float32)
        metres = made.reshape(place.height, place.width)[::-1].astype(np.float64)
        (_, (*_, near, far), is_orthographic) = eye
        if is_orthographic:
            depth = (metres - near) / (far - near)
        else:
            depth = (1 - near / metres) / (1 - near / far)
        _put(self._depth, place, np.clip(depth, 0, 1))


def _number_colours(numbers: np.ndarray, has_ids: bool) -> np.ndarray:
    """Numbers as colours: their bytes, or colours that are easy to tell apart. 0 is black."""
    if not has_ids:
        # Multiples of odd numbers visit all bytes.
        mixed = [(numbers * factor) & 255 for factor in (97, 151, 211)]
        return np.stack(mixed, axis=-1).astype(np.uint8)
    return np.stack([(numbers >> shift) & 255 for shift in (0, 8, 16)], axis=-1).astype(np.uint8)


def _overlap(buffer: np.ndarray, place: MjrRect) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """The part of a rectangle that a buffer has: there, and in the rectangle."""
    height, width = buffer.shape[:2]
    left, right = max(place.left, 0), min(place.left + place.width, width)
    bottom, top = max(place.bottom, 0), min(place.bottom + place.height, height)
    right, top = max(right, left), max(top, bottom)
    there = slice(bottom, top), slice(left, right)
    here = slice(bottom - place.bottom, top - place.bottom), slice(left - place.left, right - place.left)
    return there, here


def _put(buffer: np.ndarray, place: MjrRect, pixels: np.ndarray) -> None:
    there, here = _overlap(buffer, place)
    buffer[there] = pixels[here]


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:  # noqa: N802
    """Chooses the buffer; there is one, off the screen."""
    con.currentBuffer = int(framebuffer)


def mjr_restoreBuffer(con: MjrContext) -> None:  # noqa: N802
    """Does nothing: there is one buffer."""


def mjr_maxViewport(con: MjrContext) -> MjrRect:  # noqa: N802
    """All of the buffer."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_resizeOffscreen(width: int, height: int, con: MjrContext) -> None:  # noqa: N802
    """Makes the buffer anew."""
    if width < 0 or height < 0:
        raise ValueError(f"a buffer of {width} × {height} pixels")
    con.offWidth, con.offHeight = int(width), int(height)
    con._resize()


def mjr_changeFont(fontscale: int, con: MjrContext) -> None:  # noqa: N802
    """Changes the size of text."""
    con.fontScale = int(fontscale)


def mjr_finish() -> None:
    """Does nothing: what was drawn is drawn."""


def mjr_getError() -> int:  # noqa: N802
    """No error: errors are raised where they happen."""
    return 0


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """Draws a scene into a part of the buffer."""
    con._ask(viewport, scn)


def mjr_readPixels(  # noqa: N802
    rgb: np.ndarray | None, depth: np.ndarray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Reads a part of the buffer: colours and depths between 0 (near) and 1 (far), rows from the bottom."""
    if rgb is not None:
        con._draw_colours()
        _read(con._colours, rgb, viewport, 3)
    if depth is not None:
        con._draw_depths()
        is_turned = con.readDepthMap == _ZERO_FAR
        _read(1 - con._depth if is_turned else con._depth, depth, viewport, 1)


def _read(buffer: np.ndarray, target: np.ndarray, place: MjrRect, numbers: int) -> None:
    if target.size != numbers * place.width * place.height:
        raise ValueError(f"an array of {target.size} numbers for {place.width} × {place.height} pixels")
    shaped = target.reshape(place.height, place.width, *buffer.shape[2:])
    there, here = _overlap(buffer, place)
    shaped[here] = buffer[there]
    if not np.shares_memory(shaped, target):
        target[...] = shaped.reshape(target.shape)


def mjr_drawPixels(  # noqa: N802
    rgb: np.ndarray | None, depth: np.ndarray | None, viewport: MjrRect, con: MjrContext
) -> None:
    """Writes pixels, rows from the bottom."""
    con._draw_colours()
    con._draw_depths()
    for pixels, buffer in ((rgb, con._colours), (depth, con._depth)):
        if pixels is not None:
            _put(buffer, viewport, np.asarray(pixels).reshape(viewport.height, viewport.width, *buffer.shape[2:]))


def _blend(con: MjrContext, place: MjrRect, colour: tuple[float, ...], opacity: Any) -> None:
    """Lays a colour over a part of the buffer."""
    con._draw_colours()
    there, here = _overlap(con._colours, place)
    part = np.broadcast_to(opacity, (max(place.height, 0), max(place.width, 0)))[here][..., None]
    under = con._colours[there].astype(np.float32)
    con._colours[there] = np.clip(under + (255 * np.asarray(colour, np.float32) - under) * part + 0.5, 0, 255)


def _scale(font: int, con: MjrContext) -> int:
    """Pixels of a dot."""
    return max(1, round(con.fontScale / 75)) * (2 if font == _BIG else 1)


def _write(con: MjrContext, text: str, left: int, bottom: int, scale: int, colour: tuple[float, ...]) -> None:
    dots = _font.line(text, scale)[::-1]
    _blend(con, MjrRect(left, bottom, dots.shape[1], dots.shape[0]), colour, dots.astype(np.float32))


def _upload(name: str) -> Any:
    def function(m: MjModel, con: MjrContext, id: int) -> None:
        con._native = _native.Renderer(m._native)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Takes in what has changed in the model."
    return function


def mjr_text(font: int, txt: str, con: MjrContext, x: float, y: float, r: float, g: float, b: float) -> None:
    """Writes text; its place is in parts of the buffer."""
    left, bottom = round(x * con.offWidth), round(y * con.offHeight)
    _write(con, _string(txt), left, bottom, _scale(int(font), con), (r, g, b))


def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext) -> None:
    """Writes one or two columns of text into a corner, on a dark ground."""
    scale = _scale(int(font), con)
    first, second = (_string(text).rstrip("\n") for text in (overlay, overlay2 or ""))
    columns = [(first, (0.7, 0.7, 0.7) if second else (1.0, 1.0, 1.0)), (second, (1.0, 1.0, 1.0))]
    columns = [(text.split("\n"), colour) for text, colour in columns if text]
    widths = [scale * (_font.WIDTH + 1) * (1 + max(map(len, lines))) for lines, _ in columns]
    step = scale * (_font.HEIGHT + 3)
    height = step * max((len(lines) for lines, _ in columns), default=0) + scale
    place = int(gridpos)
    is_right = place in (_GRID["mjGRID_TOPRIGHT"], _GRID["mjGRID_BOTTOMRIGHT"], _GRID["mjGRID_RIGHT"])
    is_top = place in (_GRID["mjGRID_TOPLEFT"], _GRID["mjGRID_TOPRIGHT"], _GRID["mjGRID_TOP"])
    left = viewport.left + (viewport.width - sum(widths) if is_right else 0)
    bottom = viewport.bottom + (viewport.height - height if is_top else 0)
    _blend(con, MjrRect(left, bottom, sum(widths), height), (0.0, 0.0, 0.0), 0.5)
    for (lines, colour), width in zip(columns, widths, strict=True):
        for number, text in enumerate(lines):
            low = bottom + height - step * (number + 1) + scale
            _write(con, text, left + scale * 3, low, scale, colour)
        left += width


def mjr_label(
    viewport: MjrRect, font: int, txt: str, r: float, g: float, b: float, a: float, rt: float, gt: float, bt: float,
    con: MjrContext,
) -> None:  # fmt: skip
    """Fills a part of the buffer and writes text into its middle."""
    _blend(con, viewport, (r, g, b), a)
    scale = _scale(int(font), con)
    width, height = scale * (_font.WIDTH + 1) * len(_string(txt)), scale * _font.HEIGHT
    left, bottom = viewport.left + (viewport.width - width) // 2, viewport.bottom + (viewport.height - height) // 2
    _write(con, _string(txt), left, bottom, scale, (rt, gt, bt))


def _string(text: str | bytes) -> str:
    return text.decode(errors="replace") if isinstance(text, bytes) else text


class NoDrawing(NotImplementedError):
    """Something was asked for that sinew does not draw."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is of the reference's drawing library, and sinew does not have it")


def _cannot_draw(name: str) -> Any:
    def function(*_arguments: Any, **_options: Any) -> Any:
        raise NoDrawing(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Of the reference's drawing library; sinew does not have it."
    return function


CLASSES = (MjrContext, GLContext)
FUNCTIONS = (
    mjr_setBuffer, mjr_restoreBuffer, mjr_maxViewport, mjr_resizeOffscreen, mjr_changeFont, mjr_finish, mjr_getError,
    mjr_render, mjr_readPixels, mjr_drawPixels, mjr_text, mjr_overlay, mjr_label,
    *(_upload(name) for name in ("mjr_uploadHField", "mjr_uploadMesh", "mjr_uploadTexture")),
)  # fmt: skip
MISSING = tuple(
    _cannot_draw(name)
    for name in (
        "mjr_addAux", "mjr_blitAux", "mjr_blitBuffer", "mjr_figure", "mjr_findRect", "mjr_rectangle", "mjr_setAux",
        "mjv_addGeoms", "mjv_averageCamera", "mjv_cameraFrame",
        "mjv_cameraFrustum", "mjv_cameraInRoom", "mjv_makeLights", "mjv_model2room", "mjv_moveModel", "mjv_room2model",
        "mjv_updateCamera", "mjv_updateSkin",
    )
)  # fmt: skip

"""Where pictures are made through the reference's functions: a buffer in memory, without a window or a driver."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from . import _font
from ._drawing import MjrRect, backwards
from ._drawing_names import ENUMS
from ._model import MjModel
from ._scene import MjvScene

_OFFSCREEN = int(ENUMS["mjtFramebuffer"]["mjFB_OFFSCREEN"])
_ZERO_FAR = int(ENUMS["mjtDepthMap"]["mjDEPTH_ZEROFAR"])
_SHADOW, _REFLECTION, _SKYBOX, _HAZE, _FOG, _WIREFRAME, _ADDITIVE, _CULL_FACE, _DEPTH, _SEGMENT, _IDCOLOR = (
    int(ENUMS["mjtRndFlag"][f"mjRND_{name}"])
    for name in (
        "SHADOW",
        "REFLECTION",
        "SKYBOX",
        "HAZE",
        "FOG",
        "WIREFRAME",
        "ADDITIVE",
        "CULL_FACE",
        "DEPTH",
        "SEGMENT",
        "IDCOLOR",
    )
)
_GRID = ENUMS["mjtGridPos"]
_BIG = int(ENUMS["mjtFont"]["mjFONT_BIG"])


def effects(scn: MjvScene) -> list[bool]:
    """How it is drawn, as native code takes it: shadows, reflections, sky, haze, fog, edges, added light, outsides."""
    chosen = (_SHADOW, _REFLECTION, _SKYBOX, _HAZE, _FOG, _WIREFRAME, _ADDITIVE, _CULL_FACE)
    return [bool(scn.flags[flag]) for flag in chosen]


def write_labels(pixels: np.ndarray, texts: list[tuple[np.ndarray, str]], eye: Any, fontscale: int) -> None:
    """Writes beside geoms what is to be written there, into a picture whose rows begin at the top."""
    (position, forward, up), (half, centre, bottom, top, near, far), is_orthographic = eye
    height, width = pixels.shape[:2]
    forward, up = np.asarray(forward), np.asarray(up)
    half = half or 0.5 * (top - bottom) * width / height
    scale = _dot(fontscale)
    for place, text in texts:
        away = np.asarray(place, float) - position
        depth = away @ forward
        if not near <= depth <= far:
            continue
        across, upward = away @ np.cross(forward, up), away @ up
        if not is_orthographic:
            across, upward = across * near / depth, upward * near / depth
        x = width * (0.5 + 0.5 * (across - centre) / half)
        y = height * (top - upward) / (top - bottom)
        # What begins outside is not written, as by the reference.
        if not (0 <= x < width and 0 <= y < height):
            continue
        dots = _font.line(_string(text), scale)
        left, first = int(x), int(y) - dots.shape[0]
        for shift, colour in ((scale, 0), (0, 255)):
            _stamp(pixels, dots, left + shift, first + shift, colour)


def _stamp(pixels: np.ndarray, dots: np.ndarray, left: int, first: int, colour: int) -> None:
    """Colours dots of a picture, as far as they are in it."""
    rows, columns = np.nonzero(dots)
    rows, columns = rows + first, columns + left
    is_inside = (rows >= 0) & (rows < pixels.shape[0]) & (columns >= 0) & (columns < pixels.shape[1])
    pixels[rows[is_inside], columns[is_inside]] = colour


def depth_colours(metres: np.ndarray, eye: Any) -> np.ndarray:
    """Distances as grey: white is at the near plane, black at the far one."""
    grey = np.clip(255 * (1 - _depths(metres, eye)) + 0.5, 0, 255).astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=-1)


def _depths(metres: np.ndarray, eye: Any) -> np.ndarray:
    """Distances as parts of the way from the near plane to the far one, as drawing libraries count them."""
    (_, (*_, near, far), is_orthographic) = eye
    metres = metres.astype(np.float64)
    depth = (metres - near) / (far - near) if is_orthographic else (1 - near / metres) / (1 - near / far)
    return np.clip(depth, 0, 1)


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
        # What is to be drawn: where, from where, and its flags and texts; and what is left of it.
        self._job: tuple[MjrRect, Any, np.ndarray, list[tuple[np.ndarray, str]]] | None = None
        self._left: set[str] = set()

    def free(self) -> None:
        """Frees what it holds."""
        self._native, self._left = None, set()

    def _finish(self) -> None:
        """Draws what is left to be drawn."""
        self._draw_colours()
        self._draw_depths()

    def _ask(self, viewport: MjrRect, scn: MjvScene) -> None:
        """Remembers what is to be drawn: many programs want either colours or depths."""
        if self._native is None:
            raise ValueError("the context has no model")
        if scn._native is None:
            raise ValueError("mjv_updateScene comes before mjr_render")
        place = MjrRect(viewport.left, viewport.bottom, viewport.width, viewport.height)
        if self._job and not _covers(place, self._job[0]):
            self._finish()
        is_segmenting = bool(scn.flags[_SEGMENT])
        self._native.take(scn._native, *scn._rows(), effects(scn), is_segmenting)
        # Scenes may have been changed by the time they are drawn.
        texts = [(point.copy(), text) for point, text in scn._geoms.texts(scn.ngeom)]
        self._job = place, scn._native.eye(), scn.flags.copy(), texts
        self._left = {"colours", "depths"} if place.width > 0 and place.height > 0 else set()

    def _draw_colours(self) -> None:
        if "colours" not in self._left:
            return
        self._left.discard("colours")
        place, eye, flags, texts = self._job
        if flags[_SEGMENT]:
            made = np.frombuffer(self._native.segmentation(place.width, place.height), np.int32)
            pixels = number_colours(made.reshape(place.height, place.width, 2)[..., 0], bool(flags[_IDCOLOR]))
        elif flags[_DEPTH]:
            made = np.frombuffer(self._native.depth(place.width, place.height), np.float32)
            pixels = depth_colours(made.reshape(place.height, place.width), eye)
        else:
            made = np.frombuffer(self._native.picture(place.width, place.height), np.uint8)
            pixels = made.reshape(place.height, place.width, 3).copy()
            write_labels(pixels, texts, eye, self.fontScale)
        _put(self._colours, place, pixels[::-1])

    def _draw_depths(self) -> None:
        if "depths" not in self._left:
            return
        self._left.discard("depths")
        place, eye, flags, _ = self._job
        # Numbers are drawn with one sample per pixel.
        is_sampled = not flags[_SEGMENT]
        made = np.frombuffer(self._native.depth(place.width, place.height, is_sampled), np.float32)
        _put(self._depth, place, _depths(made.reshape(place.height, place.width)[::-1], eye))


def number_colours(numbers: np.ndarray, has_ids: bool) -> np.ndarray:
    """Numbers as colours: the bytes of the next one, or colours that are easy to tell apart. -1 is black."""
    if has_ids:
        return np.stack([((numbers + 1) >> shift) & 255 for shift in (0, 8, 16)], axis=-1).astype(np.uint8)
    used, places = np.unique(numbers, return_inverse=True)
    rows = [
        [0.1 + 0.8 * backwards(int(number) + 10, base) if number >= 0 else 0 for base in (2, 3, 5)] for number in used
    ]
    return (255 * np.array(rows) + 0.5).astype(np.uint8)[places].reshape(*numbers.shape, 3)


def _covers(place: MjrRect, other: MjrRect) -> bool:
    """Whether nothing is left to be seen of another rectangle under one."""
    is_wide = place.left <= other.left and other.left + other.width <= place.left + place.width
    return is_wide and place.bottom <= other.bottom and other.bottom + other.height <= place.bottom + place.height


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
    con._finish()
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


def _dot(fontscale: int) -> int:
    """Pixels of a dot of small signs."""
    return max(1, round(fontscale / 75))


def _scale(font: int, con: MjrContext) -> int:
    """Pixels of a dot."""
    return _dot(con.fontScale) * (2 if font == _BIG else 1)


def _write(con: MjrContext, text: str, left: int, bottom: int, scale: int, colour: tuple[float, ...]) -> None:
    dots = _font.line(text, scale)[::-1]
    _blend(con, MjrRect(left, bottom, dots.shape[1], dots.shape[0]), colour, dots.astype(np.float32))


def _upload(name: str) -> Any:
    def function(m: MjModel, con: MjrContext, id: int) -> None:
        # What was asked for before is drawn as the model was.
        con._finish()
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

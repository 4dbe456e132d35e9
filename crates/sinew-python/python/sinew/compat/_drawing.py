"""The reference's classes for drawing, as plain data: they can be made, filled and copied."""

from __future__ import annotations

import copy
import operator
from typing import Any, ClassVar

import numpy as np

from ._drawing_names import ENUMS, mjMAXLINE, mjMAXLINEPNT, mjVISSTRING
from ._missing import explained
from ._model import MjModel


class Record:
    """Fields with the reference's names and first values."""

    FIELDS: ClassVar[dict[str, Any]] = {}

    def __init__(self) -> None:
        for name, first in self.FIELDS.items():
            if not _is_property(self, name):
                object.__setattr__(self, name, copy.deepcopy(first))

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_property(self, name):
            object.__setattr__(self, name, value)
            return
        if name not in self.FIELDS:
            raise explained(self, name, AttributeError(name))
        present = getattr(self, name)
        if isinstance(present, np.ndarray):
            present[...] = value
        else:
            convert = operator.index if type(present) is int else type(present)
            object.__setattr__(self, name, convert(value))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in self.FIELDS)

    __hash__ = None

    def __copy__(self) -> Record:
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name}: {getattr(self, name)!r}" for name in sorted(self.FIELDS))
        return f"<{type(self).__name__}{lines}\n>"


def _is_property(record: Record, name: str) -> bool:
    return isinstance(getattr(type(record), name, None), property)


def _doubles(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float64)


def _singles(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32)


def _is_on(rows: tuple[tuple[str, str, str], ...]) -> np.ndarray:
    return np.array([int(row[1]) for row in rows], np.uint8)


_GROUPS = np.array([1, 1, 1, 0, 0, 0], np.uint8)


class MjvCamera(Record):
    """Where an abstract camera looks."""

    FIELDS = {
        "type": 0, "fixedcamid": -1, "trackbodyid": -1, "lookat": _doubles(0, 0, 0), "distance": 2.0, "azimuth": 90.0,
        "elevation": -45.0, "orthographic": 0,
    }  # fmt: skip


class MjvOption(Record):
    """What is shown."""

    FIELDS = {
        "label": 0, "frame": 0, "geomgroup": _GROUPS, "sitegroup": _GROUPS, "jointgroup": _GROUPS, "tendongroup": _GROUPS,
        "actuatorgroup": _GROUPS, "flexgroup": _GROUPS, "skingroup": _GROUPS, "flags": _is_on(mjVISSTRING), "bvh_depth": 1,
        "flex_layer": 0,
    }  # fmt: skip


class MjvPerturb(Record):
    """What the mouse has selected and pulls at."""

    FIELDS = {
        "select": 0, "flexselect": -1, "skinselect": -1, "active": 0, "active2": 0, "refpos": _doubles(0, 0, 0),
        "refquat": _doubles(1, 0, 0, 0), "refselpos": _doubles(0, 0, 0), "localpos": _doubles(0, 0, 0), "localmass": 0.0,
        "scale": 1.0,
    }  # fmt: skip


class MjvGLCamera(Record):
    """A camera as drawing libraries want it."""

    FIELDS = {
        "pos": _singles(0, 0, 0), "forward": _singles(0, 0, 0), "up": _singles(0, 0, 0), "frustum_center": 0.0,
        "frustum_width": 0.0, "frustum_bottom": 0.0, "frustum_top": 0.0, "frustum_near": 0.0, "frustum_far": 0.0,
        "orthographic": 0,
    }  # fmt: skip


class MjvLight(Record):
    """A light in a scene."""

    FIELDS = {
        "id": 0, "pos": _singles(0, 0, 0), "dir": _singles(0, 0, 0), "type": 0, "texid": 0,
        "attenuation": _singles(0, 0, 0), "cutoff": 0.0, "exponent": 0.0, "ambient": _singles(0, 0, 0),
        "diffuse": _singles(0, 0, 0), "specular": _singles(0, 0, 0), "headlight": 0, "castshadow": 0, "bulbradius": 0.0,
        "intensity": 0.0, "range": 0.0,
    }  # fmt: skip


_FIRST_COLOURS = [
    [1, 0.3, 0.3], [0.1, 1, 0.1], [0.3, 0.3, 1], [0.1, 1, 1], [1, 0.2, 1], [1, 1, 0.1], [1, 0.6, 0.2], [0.6, 0.7, 0.4],
]  # fmt: skip


def backwards(number: int, base: int) -> float:
    """The digits of a number to a base behind the point, read backwards."""
    fraction, value = 1.0, 0.0
    while number > 0:
        fraction /= base
        number, digit = divmod(number, base)
        value += fraction * digit
    return value


def _line_colours() -> np.ndarray:
    """Colours that differ: after the first ones, numbers to the bases 2, 3 and 5, read backwards."""
    rows = [[backwards(line, base) for base in (2, 3, 5)] for line in range(mjMAXLINE)]
    # Single precision is where these two constants have it.
    colours = (float(np.float32(0.1)) + float(np.float32(0.8)) * np.array(rows)).astype(np.float32)
    colours[: len(_FIRST_COLOURS)] = _FIRST_COLOURS
    return colours


class MjvFigure(Record):
    """A plot."""

    FIELDS = {
        "flg_legend": 1, "flg_ticklabel": np.array([1, 1], np.int32), "flg_extend": 1, "flg_barplot": 0,
        "flg_selection": 0, "flg_symmetric": 0, "linewidth": 3.0, "gridwidth": 1.0, "gridsize": np.array([2, 2], np.int32),
        "gridrgb": _singles(0.4, 0.4, 0.4), "figurergba": _singles(0, 0, 0, 1), "panergba": _singles(0, 0, 0, 1),
        "legendrgba": _singles(0, 0, 0, 0.3), "textrgb": _singles(1, 1, 1), "linergb": _line_colours(),
        "range": np.array([[0, 1], [0, 1]], np.float32), "xformat": "%.0f", "yformat": "%.2g", "minwidth": "XXX",
        "title": "", "xlabel": "", "linename": np.zeros(mjMAXLINE, "S100"), "legendoffset": 0, "subplot": 0,
        "highlight": np.zeros(2, np.int32), "highlightid": -1, "selection": 0.0, "linepnt": np.zeros(mjMAXLINE, np.int32),
        "linedata": np.zeros((mjMAXLINE, 2 * mjMAXLINEPNT), np.float32), "xaxispixel": np.zeros(2, np.int32),
        "yaxispixel": np.zeros(2, np.int32), "xaxisdata": _singles(0, 0), "yaxisdata": _singles(0, 0),
    }  # fmt: skip


class MjrRect(Record):
    """A rectangle of pixels."""

    FIELDS = {"left": 0, "bottom": 0, "width": 0, "height": 0}

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


def _take_defaults(record: Record) -> None:
    for name, first in type(record).FIELDS.items():
        setattr(record, name, first)


def mjv_defaultCamera(cam: MjvCamera) -> None:  # noqa: N802
    """The first values of a camera."""
    _take_defaults(cam)


def mjv_defaultOption(opt: MjvOption) -> None:  # noqa: N802
    """The first values of what is shown."""
    _take_defaults(opt)


def mjv_defaultPerturb(pert: MjvPerturb) -> None:  # noqa: N802
    """Nothing is selected."""
    _take_defaults(pert)


def mjv_defaultFigure(fig: MjvFigure) -> None:  # noqa: N802
    """The first values of a plot."""
    _take_defaults(fig)


def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:  # noqa: N802
    """A free camera that sees the whole model, as it asks for."""
    _take_defaults(cam)
    visual = m.vis.global_
    cam.type = ENUMS["mjtCamera"]["mjCAMERA_FREE"]
    cam.lookat = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = visual.azimuth, visual.elevation
    cam.orthographic = visual.orthographic


CLASSES = (MjvCamera, MjvOption, MjvPerturb, MjvGLCamera, MjvLight, MjvFigure, MjrRect)
DEFAULTS = (mjv_defaultCamera, mjv_defaultOption, mjv_defaultPerturb, mjv_defaultFigure, mjv_defaultFreeCamera)

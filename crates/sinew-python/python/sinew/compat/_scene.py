"""What is to be drawn, as the reference lists it.

A scene is two tables with a row per geom; geoms are views of their rows. What a simulation shows is put into the tables by
`mjv_updateScene`, users change rows and add some, and whoever draws hands the tables back.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from .. import _native
from ._data import MjData
from ._drawing import MjvCamera, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, Record, _singles
from ._drawing_names import ENUMS, mjMAXLIGHT, mjRNDSTRING
from ._enums import ENUMS as _CODES
from ._model import MjModel

_TRACKING = int(ENUMS["mjtCamera"]["mjCAMERA_TRACKING"])
_FLAGS = tuple(
    int(ENUMS["mjtVisFlag"][f"mjVIS_{flag}"])
    for flag in (
        "TEXTURE", "JOINT", "CAMERA", "ACTUATOR", "ACTIVATION", "LIGHT", "TENDON", "RANGEFINDER", "CONSTRAINT", "INERTIA",
        "SCLINERTIA", "PERTFORCE", "CONTACTPOINT", "CONTACTFORCE", "CONTACTSPLIT", "TRANSPARENT", "AUTOCONNECT", "COM",
        "STATIC", "SKIN", "CONVEXHULL", "ISLAND", "FLEXVERT", "FLEXEDGE", "FLEXFACE", "FLEXSKIN", "BODYBVH", "MESHBVH",
    )
)  # fmt: skip
_MARKED, _EXPLAINED = (int(ENUMS["mjtVisFlag"][f"mjVIS_{flag}"]) for flag in ("SELECT", "PERTOBJ"))
_FLEX_FIELDS = tuple(
    (int(ENUMS["mjtVisFlag"][f"mjVIS_FLEX{part.upper()}"]), f"flex{part}opt")
    for part in ("vert", "edge", "face", "skin")
)
_GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup")
_KINDS = _CODES["mjtGeom"]
# Fields of a geom in the table of whole numbers, in its order.
_WHOLE = ("type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid")
# … and in the other one: the columns, and the shape.
_BROKEN = {
    "size": (slice(0, 3), (3,)), "pos": (slice(3, 6), (3,)), "mat": (slice(6, 15), (3, 3)), "rgba": (slice(15, 19), (4,)),
    "emission": (19, ()), "specular": (20, ()), "shininess": (21, ()), "reflectance": (22, ()),
}  # fmt: skip
_FIRST = (
    np.array([1001, -1, 0, 0, 0, -1, 0, 0], np.int32),
    _singles(0.1, 0.1, 0.1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.5, 0.5, 1, 0, 0.5, 0.5, 0),
)


def _whole(column: int) -> property:
    def read(geom: MjvGeom) -> int:
        return int(geom._rows[0][column])

    def write(geom: MjvGeom, value: Any) -> None:
        geom._rows[0][column] = int(value)

    return property(read, write)


def _broken(columns: int | slice, shape: tuple[int, ...]) -> property:
    def read(geom: MjvGeom) -> Any:
        found = geom._rows[1][columns]
        return found.reshape(shape) if shape else float(found)

    def write(geom: MjvGeom, value: Any) -> None:
        geom._rows[1][columns] = np.asarray(value, np.float32).reshape(-1) if shape else value

    return property(read, write)


class MjvGeom(Record):
    """Something in a scene."""

    FIELDS = {
        **dict(zip(_WHOLE, _FIRST[0].tolist(), strict=True)),
        **{name: _FIRST[1][place].reshape(shape) if shape else float(_FIRST[1][place])
           for name, (place, shape) in _BROKEN.items()},
        "label": "", "camdist": 0.0, "modelrbound": 0.0, "transparent": 0,
    }  # fmt: skip

    type, dataid, objtype, objid, category, matid, texcoord, segid = (_whole(column) for column in range(len(_WHOLE)))
    size, pos, mat, rgba, emission, specular, shininess, reflectance = (_broken(*place) for place in _BROKEN.values())

    def __init__(self, _rows: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        object.__setattr__(self, "_rows", _rows or copy.deepcopy(_FIRST))
        super().__init__()

    def __deepcopy__(self, _memo: dict) -> MjvGeom:
        made = MjvGeom(tuple(row.copy() for row in self._rows))
        made.label, made.camdist, made.modelrbound = self.label, self.camdist, self.modelrbound
        return made


class _Geoms(Sequence):
    """The geoms of a scene: views of its tables, made when they are looked at."""

    def __init__(self, whole: np.ndarray, broken: np.ndarray) -> None:
        self._tables = whole, broken
        self._made: dict[int, MjvGeom] = {}

    def __len__(self) -> int:
        return len(self._tables[0])

    @overload
    def __getitem__(self, index: int) -> MjvGeom: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[MjvGeom, ...]: ...
    def __getitem__(self, index: int | slice) -> MjvGeom | tuple[MjvGeom, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        number = range(len(self))[index]
        return self._geom(number)

    def _geom(self, number: int) -> MjvGeom:
        if number not in self._made:
            whole, broken = self._tables
            self._made[number] = MjvGeom((whole[number], broken[number]))
        return self._made[number]

    def __iter__(self) -> Iterator[MjvGeom]:
        return (self[number] for number in range(len(self)))

    def write(self, texts: list[tuple[int, str]]) -> None:
        """Writes beside geoms of some numbers, and beside no others."""
        for geom in self._made.values():
            geom.label = ""
        for number, text in texts:
            if number < len(self):
                self._geom(number).label = text

    def texts(self, count: int) -> list[tuple[np.ndarray, str]]:
        """Where something is written beside the first geoms, and what."""
        return [(geom.pos, geom.label) for number, geom in self._made.items() if number < count and geom.label]


class MjvScene(Record):
    """What is to be drawn."""

    FIELDS = {
        "maxgeom": 0, "ngeom": 0, "geoms": (), "geomorder": np.zeros(0, np.int32), "nflex": 0,
        **{name: np.zeros(0, np.int32) for name in (
            "flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum", "flexfaceused",
            "flexedge", "skinfacenum", "skinvertadr", "skinvertnum",
        )},
        **{name: np.zeros(0, np.float32) for name in (
            "flexvert", "flexface", "flexnormal", "flextexcoord", "skinvert", "skinnormal",
        )},
        "flexvertopt": 0, "flexedgeopt": 0, "flexfaceopt": 0, "flexskinopt": 0, "nskin": 0, "nlight": 0, "lights": (),
        "camera": (), "enabletransform": 0, "translate": _singles(0, 0, 0), "rotate": _singles(1, 0, 0, 0), "scale": 1.0,
        "stereo": 0, "flags": np.array([int(row[1]) for row in mjRNDSTRING], np.uint8), "framewidth": 0,
        "framergb": _singles(0, 0, 0), "status": 0,
    }  # fmt: skip

    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None:
        room = int(maxgeom) if model is not None else 0
        tables = np.zeros((room, len(_WHOLE)), np.int32), np.zeros((room, len(_FIRST[1])), np.float32)
        for name, value in (("_tables", tables), ("_geoms", _Geoms(*tables)), ("_count", 0), ("_native", None)):
            object.__setattr__(self, name, value)
        super().__init__()
        self.maxgeom = room
        object.__setattr__(self, "geomorder", np.zeros(room, np.int32))
        object.__setattr__(self, "lights", tuple(MjvLight() for _ in range(mjMAXLIGHT)))
        object.__setattr__(self, "camera", (MjvGLCamera(), MjvGLCamera()))

    @property
    def ngeom(self) -> int:
        """How many geoms there are; after one was added it is one more."""
        return self._count

    @ngeom.setter
    def ngeom(self, count: int) -> None:
        object.__setattr__(self, "_count", int(count))

    @property
    def geoms(self) -> Sequence[MjvGeom]:
        """The geoms, with room for `maxgeom`."""
        return self._geoms

    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The tables of the geoms that there are, flat."""
        count = max(0, min(self._count, len(self._tables[0])))
        whole, broken = self._tables
        return whole[:count].reshape(-1), broken[:count].reshape(-1)


def native_camera(cam: MjvCamera) -> tuple[int, int, list[float], float, float, float]:
    """A camera as native code takes it."""
    kind = int(cam.type)
    number = int(cam.trackbodyid if kind == _TRACKING else cam.fixedcamid)
    return kind, number, [float(x) for x in cam.lookat], float(cam.distance), float(cam.azimuth), float(cam.elevation)


def native_options(
    opt: MjvOption, pert: MjvPerturb | None = None
) -> tuple[list[list[int]], tuple[list[bool], list[int]]]:
    """What is shown, as native code takes it: groups, flags and numbers."""
    flags = [bool(opt.flags[flag]) for flag in _FLAGS]
    selected = (-1, -1) if pert is None else (int(pert.flexselect), int(pert.skinselect))
    numbers = [int(opt.frame), int(opt.label), int(opt.bvh_depth), int(opt.flex_layer), *selected]
    return [list(getattr(opt, name)) for name in _GROUPS], (flags, numbers)


def _native_hand(opt: MjvOption, pert: MjvPerturb | None) -> tuple | None:
    """A body that is moved by hand, as native code takes it."""
    if pert is None or pert.select <= 0:
        return None
    numbers = ([float(x) for x in getattr(pert, name)] for name in ("localpos", "refselpos", "refquat"))
    shown = [bool(opt.flags[_MARKED]), bool(opt.flags[_EXPLAINED])]
    return int(pert.select), *numbers, [int(pert.active), int(pert.active2)], shown


def mjv_updateScene(  # noqa: N802
    m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: int, scn: MjvScene
) -> None:
    """Takes in what a camera sees of a simulation. Lists of flexes, skins and lights stay empty; they are drawn."""
    if int(cam.type) == _TRACKING and 0 <= cam.trackbodyid < m.nbody:
        cam.lookat = d.subtree_com[cam.trackbodyid]
    hand = _native_hand(opt, pert)
    scene = _native.Scene(m._native, d._native, native_camera(cam), *native_options(opt, pert), hand, int(catmask))
    whole, broken = scene.rows()
    tables = scn._tables
    count = min(len(whole) // len(_WHOLE), len(tables[0]))
    scn.status = int(count * len(_WHOLE) < len(whole))
    tables[0][:count] = whole.reshape(-1, len(_WHOLE))[:count]
    tables[1][:count] = broken.reshape(-1, len(_FIRST[1]))[:count]
    scn.ngeom = count
    scn._geoms.write([(number, text) for number, text in scene.texts() if number < count])
    for flag, field in _FLEX_FIELDS:
        setattr(scn, field, int(opt.flags[flag]))
    object.__setattr__(scn, "_native", scene)
    (position, forward, up), (width, centre, bottom, top, near, far), is_orthographic = scene.eye()
    for eye in scn.camera:
        eye.pos, eye.forward, eye.up = position, forward, up
        eye.frustum_width, eye.frustum_center, eye.frustum_bottom, eye.frustum_top = width, centre, bottom, top
        eye.frustum_near, eye.frustum_far, eye.orthographic = near, far, int(is_orthographic)


def mjv_initGeom(  # noqa: N802
    geom: MjvGeom, type: int, size: Any = None, pos: Any = None, mat: Any = None, rgba: Any = None
) -> None:
    """Makes a geom of a type; what is not given has its first value."""
    own = (geom.objtype, geom.objid, geom.category, geom.segid)
    for row, first in zip(geom._rows, _FIRST, strict=True):
        row[:] = first
    geom.objtype, geom.objid, geom.category, geom.segid = own
    geom.type = type
    if size is not None:
        a, b, c = (float(x) for x in np.asarray(size).reshape(-1))
        if type == _KINDS["mjGEOM_SPHERE"]:
            geom.size = a, a, a
        elif type in (_KINDS["mjGEOM_CAPSULE"], _KINDS["mjGEOM_CYLINDER"]):
            geom.size = a, a, b
        else:
            geom.size = a, b, c
    for name, value in (("pos", pos), ("mat", mat), ("rgba", rgba)):
        if value is not None:
            setattr(geom, name, value)
    geom.label, geom.modelrbound = "", 0.0


_CENTRED = (_KINDS["mjGEOM_CAPSULE"], _KINDS["mjGEOM_CYLINDER"])
_CONNECTING = (*_CENTRED, *(_KINDS[f"mjGEOM_{kind}"] for kind in ("ARROW", "ARROW1", "ARROW2", "LINE")))


def mjv_connector(geom: MjvGeom, type: int, width: float, from_: Any, to: Any) -> None:  # noqa: N802
    """Makes a geom run from one point to another."""
    if type not in _CONNECTING:
        raise ValueError(f"invalid geom type {int(type)} for connector")
    start, end = (np.asarray(point, np.float64).reshape(3) for point in (from_, to))
    quat, mat = np.zeros(4), np.zeros(9)
    _native.mju_quatZ2Vec(quat, end - start)
    _native.mju_quat2Mat(mat, quat)
    length = float(np.linalg.norm(end - start))
    is_centred = type in _CENTRED
    geom.type = type
    geom.size = width, width, length / 2 if is_centred else length
    geom.pos = (start + end) / 2 if is_centred else start
    geom.mat = mat


CLASSES = (MjvGeom, MjvScene)
FUNCTIONS = (mjv_updateScene, mjv_initGeom, mjv_connector)

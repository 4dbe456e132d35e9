"""Elements of a model under construction: ``MjsBody``, ``MjsGeom`` and so on.

An element is a number in a native draft. Drafts hand out one object per element, so that elements can be
compared by identity; when a model is attached to another, its elements move to the draft of that one.
"""

from __future__ import annotations

from typing import Any

from .. import _native
from ._enums import ENUMS
from ._spec_fields import TABLES, as_array, field

_ORIENTATIONS = {"axisangle": (1, 4), "xyaxes": (2, 6), "zaxis": (3, 3), "euler": (4, 3)}


class Arena:
    """A native draft with the objects that stand for its elements."""

    __slots__ = ("draft", "handles")

    def __init__(self, draft: _native.Draft):
        self.draft = draft
        self.handles: dict[int, Element] = {}

    def element(self, number: int | None) -> Any:
        """The object of an element; None for none."""
        if number is None:
            return None
        found = self.handles.get(number)
        if found is None:
            kind = self.draft.about(number)[0]
            made = ELEMENTS[kind]._make(self, number)
            found = self.handles.setdefault(number, made)
        return found

    def elements(self, numbers: list[int]) -> list:
        """The objects of elements."""
        return [self.element(number) for number in numbers]

    def move_to(self, other: Arena) -> tuple[int, int]:
        """Moves all elements into another draft."""
        elements, models = other.draft.absorb(self.draft)
        for number, handle in self.handles.items():
            handle._arena, handle._id = other, number + elements
            other.handles[handle._id] = handle
        self.handles = {}
        return elements, models


class Element:
    """Something in a model under construction."""

    __slots__ = ("__weakref__", "_arena", "_id", "_prefix")
    _kind = ""
    _names: tuple[str, ...] = ()

    def __init__(self, *_args):
        raise TypeError(f"{type(self).__name__}: No constructor defined!")

    @classmethod
    def _make(cls, arena: Arena, number: int, prefix: str = ""):
        self = cls.__new__(cls)
        self._arena, self._id, self._prefix = arena, number, prefix
        return self

    @property
    def _draft(self) -> _native.Draft:
        return self._arena.draft

    def _about(self, which: int):
        return self._draft.about(self._id)[which]

    @property
    def name(self) -> str:
        """The element's name; empty when it has none."""
        return self._about(1)

    @name.setter
    def name(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError("name is the wrong type.")
        self._draft.set_name(self._id, name)

    @property
    def id(self) -> int:
        """The id in the compiled model; -1 where there is none."""
        position = self._draft.position(self._id)
        return -1 if position is None else position

    @property
    def signature(self) -> int:
        """The number of the element in its model."""
        return self._id

    def _apply(self, values: dict[str, Any]) -> None:
        """Sets fields by name, as given to an ``add_`` function."""
        for prefix in ("", "i") if self._kind == "body" else ("",):
            given = [name for name in _ORIENTATIONS if prefix + name in values]
            if len(given) > 1:
                axes = [prefix + name for name in _ORIENTATIONS]
                raise ValueError(f"Only one of: {', '.join(axes[:-1])}, or {axes[-1]} can be set.")
        for name, value in values.items():
            self._put(name, value)

    def _put(self, name: str, value) -> None:
        for prefix in ("", "i"):
            base = name[len(prefix) :]
            if name.startswith(prefix) and base in _ORIENTATIONS and hasattr(type(self), prefix + "alt"):
                code, length = _ORIENTATIONS[base]
                numbers = as_array(name, value, "float64", length)
                self._draft.set(self._id, f"{prefix}alt.{base}", numbers)
                self._draft.set(self._id, f"{prefix}alt.type", code)
                return
        if name == "size" and self._kind in ("geom", "site"):
            numbers = as_array(name, value, "float64", None)
            if not 1 <= len(numbers) <= 3:
                raise ValueError("size should be a list/array of size 1, 2, or 3.")
            value = numbers + [0.0] * (3 - len(numbers))
        if name not in self._names:
            raise TypeError(f"Invalid {name} keyword argument. Valid options are: {', '.join(sorted(self._names))}.")
        setattr(self, name, value)


def _group(name: str, kind: str) -> property:
    """Fields with a name before theirs: another orientation, the plugin of an element."""

    def get(self):
        return ELEMENTS[kind]._make(self._arena, self._id, f"{name}.")

    def set_(self, value):
        mine = get(self)
        for field_name in ELEMENTS[kind]._names:
            setattr(mine, field_name, getattr(value, field_name))

    return property(get, set_)


def _fields(kind: str, rows) -> dict[str, Any]:
    groups = {"alt": "orientation", "ialt": "orientation", "plugin": "plugin"}
    made: dict[str, Any] = {}
    for name, word, length in rows:
        made[name] = _group(name, groups[name]) if word == "group" else field(kind, name, word, length)
    return made


def _class(name: str, kind: str, base: type = Element, rows=None) -> type:
    body = _fields(kind, TABLES[kind] if rows is None else rows)
    body = {field_name: made for field_name, made in body.items() if field_name not in vars(base)}
    names = tuple(row[0] for row in (TABLES[kind] if rows is None else rows))
    doc = f"A {kind} of a model under construction."
    named = () if kind in _UNNAMED else ("name",)
    body.update(__slots__=(), __doc__=doc, __module__="sinew.compat", _kind=kind, _names=(*names, *named))
    return type(name, (base,), body)


_UNNAMED = {"orientation", "wrap", "compiler", "option", "statistic", "lengthrange"}


class _Standing(Element):
    """Something in a body."""

    __slots__ = ()

    @property
    def parent(self):
        """The body it stands in."""
        return self._arena.element(self._about(3))

    @property
    def frame(self):
        """The frame it stands in."""
        return self._arena.element(self._about(4))

    def set_frame(self, frame) -> None:
        """Puts it into a frame of its body."""
        if not isinstance(frame, ELEMENTS["frame"]):
            raise TypeError("set_frame takes an MjsFrame")
        self._draft.set_frame(self._id, frame._id)


def _class_of(self):
    return self._arena.element(self._about(2))


def _set_class_of(self, default) -> None:
    if not isinstance(default, ELEMENTS["default"]):
        raise TypeError("classname is an MjsDefault")
    self._draft.set_class(self._id, default._id)


class _Classed(Element):
    """Something with a default class."""

    __slots__ = ()
    classname = property(_class_of, _set_class_of, doc="The default class it was made with.")


class _StandingClassed(_Standing):
    __slots__ = ()
    classname = property(_class_of, _set_class_of, doc="The default class it was made with.")


def added(arena: Arena, number: int, values: dict[str, Any]):
    """An element that was just added, with values; it goes again if they are refused."""
    element = arena.element(number)
    try:
        element._apply(values)
    except Exception:
        arena.draft.delete(number)
        raise
    return element


def _class_number(default) -> int | None:
    if default is None:
        return None
    if not isinstance(default, ELEMENTS["default"]):
        raise TypeError("default is an MjsDefault")
    return default._id


def _adder(kind: str):
    def add(self, default=None, **values):
        if kind in ("body", "frame"):
            number = self._draft.add(kind, self._id, None)
            if isinstance(default, ELEMENTS["frame"]):
                self._draft.set_frame(number, default._id)
            elif default is not None:
                self._draft.set_class(number, _class_number(default))
        else:
            number = self._draft.add(kind, self._id, _class_number(default))
        return added(self._arena, number, values)

    add.__name__ = add.__qualname__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}; keywords set its fields."
    return add


_IN_TREE = ("body", "frame", "joint", "geom", "site", "camera", "light")
_PLURALS = {"body": "bodies", "mesh": "meshes", "flex": "flexes", "equality": "equalities"}


def plural(kind: str) -> str:
    """The name of a list of elements."""
    return _PLURALS.get(kind, kind + "s")


class _Body(_StandingClassed):
    """Methods of bodies."""

    __slots__ = ()

    def add_freejoint(self, **values):
        """Adds a free joint."""
        for name in values:
            if name not in ("align", "group", "name"):
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        joint = added(self._arena, self._draft.add("joint", self._id, None), {})
        joint.type = ENUMS["mjtJoint"]["mjJNT_FREE"]
        joint._apply(values)
        return joint

    def find_all(self, kind) -> list:
        """All elements of a kind in the body and the bodies below it."""
        if not isinstance(kind, str):
            codes = {code: word for word in _IN_TREE if (code := _object_code(word)) is not None}
            kind = codes.get(int(kind), "")
        if kind not in _IN_TREE:
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        return self._arena.elements(self._draft.descendants(self._id, kind))

    def find_child(self, name: str):
        """The body below this one that has a name."""
        for body in self.find_all("body"):
            if body.name == name:
                return body
        return None

    def attach_frame(self, frame, prefix: str | None = None, suffix: str | None = None):
        """Attaches a frame of another model."""
        return attach(self, frame, prefix or "", suffix or "")

    def to_frame(self):
        """Turns the body into a frame."""
        return self._arena.element(self._draft.body_to_frame(self._id))


def _object_code(kind: str) -> int | None:
    member = ENUMS["mjtObj"].__members__.get(f"mjOBJ_{kind.upper()}")
    return None if member is None else int(member)


def _first(kind: str):
    def first(self):
        found = self._draft.children(self._id, kind)
        return self._arena.element(found[0]) if found else None

    first.__name__ = f"first_{kind}"
    first.__doc__ = f"The first {kind} in the body."
    return first


def _next(kind: str):
    def next_(self, child):
        found = self._draft.children(self._id, kind)
        place = found.index(child._id) + 1 if child._id in found else len(found)
        return self._arena.element(found[place]) if place < len(found) else None

    next_.__name__ = f"next_{kind}"
    next_.__doc__ = f"The {kind} after another one in the body."
    return next_


class _Frame(_Standing):
    """Methods of frames."""

    __slots__ = ()

    def attach_body(self, body, prefix: str | None = None, suffix: str | None = None):
        """Attaches a body of another model."""
        return attach(self, body, prefix or "", suffix or "")


class _Site(_StandingClassed):
    """Methods of sites."""

    __slots__ = ()
    attach_body = _Frame.attach_body


for _kind in _IN_TREE:
    setattr(_Body, f"add_{_kind}", _adder(_kind))
    setattr(_Frame, f"add_{_kind}", _adder(_kind))
    setattr(_Body, f"first_{_kind}", _first(_kind))
    setattr(_Body, f"next_{_kind}", _next(_kind))

    def _children(self, kind=_kind):
        return self._arena.elements(self._draft.children(self._id, kind))

    setattr(_Body, plural(_kind), property(_children, doc=f"Those in the body: {plural(_kind)}."))


def attach(place: Element, what: Element, prefix: str, suffix: str):
    """Attaches a body, a frame or a world; its model moves to the draft of the place."""
    if not isinstance(what, (ELEMENTS["body"], ELEMENTS["frame"])):
        raise TypeError("only bodies and frames can be attached")
    if what._arena is not place._arena:
        owner = SPECS.get(id(what._arena))
        what = owner._give(place._arena, what) if owner is not None else what
    return place._arena.element(place._draft.attach(place._id, what._id, prefix, suffix))


# The specs by their drafts, as long as they live.
SPECS: dict[int, Any] = {}


class _Plugin(Element):
    """Methods of plugin instances, and of what refers to one."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Name of the instance."""
        return self._draft.get(self._id, "plugin.name") if self._prefix else self._about(1)

    @name.setter
    def name(self, name: str) -> None:
        if self._prefix:
            self._draft.set(self._id, "plugin.name", name)
        else:
            self._draft.set_name(self._id, name)

    @property
    def config(self) -> dict[str, str]:
        """The settings."""
        words = self._draft.get(self._id, self._prefix + "config")
        return dict(zip(words[::2], words[1::2], strict=True))

    @config.setter
    def config(self, config: dict[str, str]) -> None:
        words = [word for pair in config.items() for word in pair]
        self._draft.set(self._id, self._prefix + "config", words)


class _Wrap(Element):
    """Methods of points on a tendon."""

    __slots__ = ()

    def _target(self, field_name: str, kind: str):
        name = self._draft.get(self._id, field_name)
        return self._arena.element(self._draft.find(0, kind, name)) if name else None

    @property
    def target(self):
        """The site, geom or joint."""
        kinds = {"mjWRAP_SITE": "site", "mjWRAP_JOINT": "joint", "mjWRAP_PULLEY": None}
        kind = kinds.get(ENUMS["mjtWrap"](self._draft.get(self._id, "type")).name, "geom")
        return None if kind is None else self._target("target", kind)

    @property
    def sidesite(self):
        """The site that says on which side of a geom the tendon runs."""
        return self._target("sidesite", "site")

    @property
    def type(self):
        """What kind of point it is."""
        kind = ENUMS["mjtWrap"](self._draft.get(self._id, "type"))
        if kind.name == "mjWRAP_SPHERE":
            geom = self._target("target", "geom")
            if geom is not None and geom.type.name == "mjGEOM_CYLINDER":
                return ENUMS["mjtWrap"]["mjWRAP_CYLINDER"]
        return kind

    def _number(self, field_name: str, kind: str):
        return self._draft.get(self._id, field_name) if self.type.name == kind else None

    @property
    def divisor(self):
        """What a pulley divides the length by."""
        return self._number("divisor", "mjWRAP_PULLEY")

    @property
    def coef(self):
        """The coefficient of a joint."""
        return self._number("coef", "mjWRAP_JOINT")


class MjsTendonPath:
    """The points of a tendon."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon):
        self._tendon = tendon

    def _all(self) -> list[int]:
        return self._tendon._draft.children(self._tendon._id, "wrap")

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: int):
        found = self._all()
        if not 0 <= index < len(found):
            raise IndexError("Index out of range.")
        return self._tendon._arena.element(found[index])


class _Tendon(_Classed):
    """Methods of tendons."""

    __slots__ = ()

    @property
    def path(self) -> MjsTendonPath:
        """The points it runs along."""
        return MjsTendonPath(self)

    def default(self):
        """The default class it was made with."""
        return self.classname

    def _wrap(self, kind: str, **values):
        draft = self._draft
        number = draft.add("wrap", self._id, None)
        draft.set(number, "type", int(ENUMS["mjtWrap"][kind]))
        for name, value in values.items():
            draft.set(number, name, value)
        return self._arena.element(number)

    def wrap_site(self, name: str):
        """Adds a site to the path."""
        return self._wrap("mjWRAP_SITE", target=name)

    def wrap_geom(self, name: str, sidesite: str):
        """Adds a geom to the path."""
        return self._wrap("mjWRAP_SPHERE", target=name, sidesite=sidesite)

    def wrap_joint(self, name: str, coef: float):
        """Adds a joint to the sum."""
        return self._wrap("mjWRAP_JOINT", target=name, coef=coef)

    def wrap_pulley(self, divisor: float):
        """Begins a branch."""
        return self._wrap("mjWRAP_PULLEY", divisor=divisor)


class _Mesh(_Classed):
    """Methods of meshes: built-in shapes."""

    __slots__ = ()

    def _build(self, builtin: str, *params: float) -> None:
        code = int(ENUMS["mjtMeshBuiltin"][f"mjMESH_BUILTIN_{builtin}"])
        self._draft.set(self._id, "builtin", code)
        self._draft.set(self._id, "params", [float(number) for number in params])

    def make_wedge(self, resolution=(0, 0), fov=(0.0, 0.0), gamma: float = 0.0) -> None:
        """Makes a part of a sphere, as a sensor array."""
        self._build("WEDGE", *resolution, *fov, gamma)

    def make_sphere(self, subdivision: int) -> None:
        """Makes a sphere."""
        self._build("SPHERE", subdivision)

    def make_hemisphere(self, resolution: int) -> None:
        """Makes a hemisphere."""
        self._build("HEMISPHERE", resolution)

    def make_cone(self, nedge: int, radius: float) -> None:
        """Makes a cone, or a prism."""
        self._build("CONE", nedge, radius)

    def make_supersphere(self, resolution: int, e: float, n: float) -> None:
        """Makes a supersphere."""
        self._build("SUPERSPHERE", resolution, e, n)

    def make_supertorus(self, resolution: int, radius: float, s: float, t: float) -> None:
        """Makes a supertorus."""
        self._build("SUPERTORUS", resolution, radius, s, t)

    def make_plate(self, resolution=(0, 0)) -> None:
        """Makes a plate."""
        self._build("PLATE", *resolution)


class _Sensor(Element):
    """Methods of sensors."""

    __slots__ = ()

    def get_data_size(self) -> int:
        """How many numbers the sensor gives."""
        fixed = SENSOR_SIZES.get(self.type.name)
        return self.dim if fixed is None else fixed


# Sensors that do not give one number.
_THREE = (
    "ACCELEROMETER VELOCIMETER GYRO FORCE TORQUE MAGNETOMETER BALLANGVEL FRAMEPOS FRAMEXAXIS FRAMEYAXIS FRAMEZAXIS "
    "FRAMELINVEL FRAMEANGVEL FRAMELINACC FRAMEANGACC SUBTREECOM SUBTREELINVEL SUBTREEANGMOM GEOMNORMAL"
)
SENSOR_SIZES = {name: 1 for name in ENUMS["mjtSensor"].__members__}
SENSOR_SIZES.update({f"mjSENS_{name}": 3 for name in _THREE.split()})
SENSOR_SIZES.update(mjSENS_BALLQUAT=4, mjSENS_FRAMEQUAT=4, mjSENS_GEOMFROMTO=6, mjSENS_CAMPROJECTION=2)
SENSOR_SIZES.update(mjSENS_USER=None, mjSENS_PLUGIN=None, mjSENS_CONTACT=None, mjSENS_TACTILE=None)


def _servo(self, kp: float, kv: float, dampratio: float, inheritrange: float) -> None:
    if kv >= 0 and dampratio >= 0:
        raise ValueError("kv and dampratio cannot both be defined")
    self.gainprm[0] = kp
    self.biasprm[:3] = 0, -kp, -kv if kv >= 0 else 0
    if dampratio >= 0:
        self.biasprm[2] = dampratio
    self.gaintype = ENUMS["mjtGain"]["mjGAIN_FIXED"]
    self.biastype = ENUMS["mjtBias"]["mjBIAS_AFFINE"]
    self.inheritrange = float(inheritrange)


def _kind_of(self, dynamics: str, gain: str, bias: str) -> None:
    self.dyntype = ENUMS["mjtDyn"][f"mjDYN_{dynamics}"]
    self.gaintype = ENUMS["mjtGain"][f"mjGAIN_{gain}"]
    self.biastype = ENUMS["mjtBias"][f"mjBIAS_{bias}"]


class _Actuator(_Classed):
    """Methods of actuators: the shortcuts of the text format."""

    __slots__ = ()

    def set_to_motor(self) -> None:
        """Force is control."""
        self.gainprm[0] = 1
        _kind_of(self, "NONE", "FIXED", "NONE")

    def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False) -> None:
        """A servo for a position."""
        if timeconst < 0 and timeconst != -1:
            raise ValueError("timeconst must be non-negative")
        _servo(self, kp, kv, dampratio, inheritrange)
        if timeconst >= 0:
            self.dynprm[0] = timeconst
        self.dyntype = ENUMS["mjtDyn"]["mjDYN_FILTEREXACT" if timeconst > 0 else "mjDYN_NONE"]

    def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False) -> None:
        """A servo for a position whose target is the integral of the control."""
        self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype = ENUMS["mjtDyn"]["mjDYN_INTEGRATOR"]
        self.actlimited = 1

    def set_to_velocity(self, kv: float) -> None:
        """A servo for a velocity."""
        self.gainprm[0] = kv
        self.biasprm[:3] = 0, 0, -kv
        _kind_of(self, "NONE", "FIXED", "AFFINE")

    def set_to_damper(self, kv: float) -> None:
        """A damper whose strength is the control."""
        if kv < 0:
            raise ValueError("damping coefficient cannot be negative")
        self.gainprm[:3] = 0, 0, -kv
        self.ctrllimited = 1
        _kind_of(self, "NONE", "AFFINE", "NONE")

    def set_to_cylinder(self, timeconst: float, bias: float, area: float, diameter: float = -1) -> None:
        """A pneumatic or hydraulic cylinder."""
        self.dynprm[0], self.biasprm[0] = timeconst, bias
        self.gainprm[0] = 3.141592653589793 / 4 * diameter * diameter if diameter >= 0 else area
        _kind_of(self, "FILTER", "FIXED", "AFFINE")

    def set_to_muscle(
        self, timeconst=(-1, -1), tausmooth=-1, range=(-1, -1), force=-1, scale=-1, lmin=-1, lmax=-1, vmax=-1,
        fpmax=-1, fvmax=-1,
    ) -> None:  # fmt: skip
        """A muscle; negative numbers stand for the usual ones."""
        usual = (0.01, 0.04, 0.0)
        given = (*timeconst, tausmooth)
        self.dynprm[:3] = [own if own >= 0 else other for own, other in zip(given, usual, strict=True)]
        usual = (0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2)
        given = (*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)
        numbers = [own if own >= 0 else other for own, other in zip(given, usual, strict=True)]
        self.gainprm[:9] = numbers
        self.biasprm[:9] = numbers
        _kind_of(self, "MUSCLE", "MUSCLE", "MUSCLE")

    def set_to_adhesion(self, gain: float) -> None:
        """A force that holds on to what is touched."""
        if gain < 0:
            raise ValueError("adhesion gain cannot be negative")
        self.gainprm[0] = gain
        self.ctrllimited = 1
        self.gaintype = ENUMS["mjtGain"]["mjGAIN_FIXED"]
        self.biastype = ENUMS["mjtBias"]["mjBIAS_NONE"]


class _Default(Element):
    """Methods of default classes: ``default.geom`` and so on."""

    __slots__ = ()

    def _part(self, kind: str):
        numbers = self._draft.children(self._id, kind)
        return self._arena.element(numbers[0]) if numbers else None


for _kind in (
    "joint", "geom", "site", "camera", "light", "flex", "mesh", "material", "pair", "equality", "tendon", "actuator",
):  # fmt: skip
    setattr(_Default, _kind, property(lambda self, kind=_kind: self._part(kind), doc=f"What a {_kind} begins with."))

ELEMENTS: dict[str, type] = {
    "body": _class("MjsBody", "body", _Body),
    "frame": _class("MjsFrame", "frame", _Frame),
    "joint": _class("MjsJoint", "joint", _StandingClassed),
    "geom": _class("MjsGeom", "geom", _StandingClassed),
    "site": _class("MjsSite", "site", _Site),
    "camera": _class("MjsCamera", "camera", _StandingClassed),
    "light": _class("MjsLight", "light", _StandingClassed),
    "flex": _class("MjsFlex", "flex"),
    "mesh": _class("MjsMesh", "mesh", _Mesh),
    "hfield": _class("MjsHField", "hfield"),
    "skin": _class("MjsSkin", "skin"),
    "texture": _class("MjsTexture", "texture"),
    "material": _class("MjsMaterial", "material", _Classed),
    "pair": _class("MjsPair", "pair", _Classed),
    "exclude": _class("MjsExclude", "exclude"),
    "equality": _class("MjsEquality", "equality", _Classed),
    "tendon": _class("MjsTendon", "tendon", _Tendon),
    "wrap": _class("MjsWrap", "wrap", _Wrap),
    "actuator": _class("MjsActuator", "actuator", _Actuator),
    "sensor": _class("MjsSensor", "sensor", _Sensor),
    "numeric": _class("MjsNumeric", "numeric"),
    "text": _class("MjsText", "text"),
    "tuple": _class("MjsTuple", "tuple"),
    "key": _class("MjsKey", "key"),
    "plugin": _class("MjsPlugin", "plugin", _Plugin),
    "default": _class("MjsDefault", "default", _Default),
}
_ALT_ROWS = next(row[2] for row in TABLES["frame"] if row[0] == "alt")
ELEMENTS["orientation"] = _class("MjsOrientation", "orientation", Element, _ALT_ROWS)
_SETTINGS = {
    "compiler": "MjsCompiler",
    "lengthrange": "_LengthRange",
    "option": "_Option",
    "statistic": "_Statistic",
    "global": "_Global",
    "quality": "_Quality",
    "headlight": "_Headlight",
    "map": "_Map",
    "scale": "_Scale",
    "rgba": "_Rgba",
}
ELEMENTS.update({kind: _class(name, kind) for kind, name in _SETTINGS.items()})
CLASSES = tuple(kind for kind in ELEMENTS.values() if kind.__name__.startswith("Mjs"))

"""The other elements of a model under construction, and the classes of all of them."""

from __future__ import annotations

from ._enums import ENUMS
from ._spec_elements import ELEMENTS, Body, Classed, Element, Frame, Site, Standing, element_class
from ._spec_fields import TABLES


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


class _Tendon(Classed):
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


class _Mesh(Classed):
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


class _Actuator(Classed):
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

ELEMENTS.update(
    {
        "body": element_class("MjsBody", "body", Body),
        "frame": element_class("MjsFrame", "frame", Frame),
        "joint": element_class("MjsJoint", "joint", Standing),
        "geom": element_class("MjsGeom", "geom", Standing),
        "site": element_class("MjsSite", "site", Site),
        "camera": element_class("MjsCamera", "camera", Standing),
        "light": element_class("MjsLight", "light", Standing),
        "flex": element_class("MjsFlex", "flex"),
        "mesh": element_class("MjsMesh", "mesh", _Mesh),
        "hfield": element_class("MjsHField", "hfield"),
        "skin": element_class("MjsSkin", "skin"),
        "texture": element_class("MjsTexture", "texture"),
        "material": element_class("MjsMaterial", "material", Classed),
        "pair": element_class("MjsPair", "pair", Classed),
        "exclude": element_class("MjsExclude", "exclude"),
        "equality": element_class("MjsEquality", "equality", Classed),
        "tendon": element_class("MjsTendon", "tendon", _Tendon),
        "wrap": element_class("MjsWrap", "wrap", _Wrap),
        "actuator": element_class("MjsActuator", "actuator", _Actuator),
        "sensor": element_class("MjsSensor", "sensor", _Sensor),
        "numeric": element_class("MjsNumeric", "numeric"),
        "text": element_class("MjsText", "text"),
        "tuple": element_class("MjsTuple", "tuple"),
        "key": element_class("MjsKey", "key"),
        "plugin": element_class("MjsPlugin", "plugin", _Plugin),
        "default": element_class("MjsDefault", "default", _Default),
    }
)
_ALT_ROWS = next(row[2] for row in TABLES["frame"] if row[0] == "alt")
ELEMENTS["orientation"] = element_class("MjsOrientation", "orientation", Element, _ALT_ROWS)
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
ELEMENTS.update({kind: element_class(name, kind) for kind, name in _SETTINGS.items()})
CLASSES = tuple(kind for kind in ELEMENTS.values() if kind.__name__.startswith("Mjs"))

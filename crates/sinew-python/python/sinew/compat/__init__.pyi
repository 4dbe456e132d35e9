"""MuJoCo's Python module, under the same names, on sinew.

Made by ``make_stubs.py`` from the tables of the native module.
"""

import enum
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, overload

import numpy as np
import numpy.typing as npt

from ..errors import BusyError as BusyError
from ..errors import CallError as CallError
from ..errors import Diagnostic as Diagnostic
from ..errors import FatalError as FatalError
from ..errors import InternalError as InternalError
from ..errors import LoadError as LoadError
from ..errors import StepError as StepError

__version__: str

UnexpectedError = InternalError

_Vector = npt.NDArray[np.float64]
_Matrix = _Vector | None
_Like = npt.ArrayLike
_Ints = npt.NDArray[np.int32]
Hook = Callable[..., Any]
_Number = TypeVar("_Number", bound=np.generic)

class _Array(Generic[_Number]):
    """An array that can also be assigned to as a whole, in place."""

    def __get__(self, owner: Any, kind: Any = ...) -> npt.NDArray[_Number]: ...
    def __set__(self, owner: Any, value: npt.ArrayLike) -> None: ...

class MjOption:
    timestep: float
    impratio: float
    tolerance: float
    ls_tolerance: float
    noslip_tolerance: float
    ccd_tolerance: float
    sleep_tolerance: float
    gravity: _Array[np.float64]
    wind: _Array[np.float64]
    magnetic: _Array[np.float64]
    density: float
    viscosity: float
    o_margin: float
    o_solref: _Array[np.float64]
    o_solimp: _Array[np.float64]
    o_friction: _Array[np.float64]
    integrator: int
    cone: int
    jacobian: int
    solver: int
    iterations: int
    ls_iterations: int
    noslip_iterations: int
    ccd_iterations: int
    disableflags: int
    enableflags: int
    disableactuator: int
    sdf_initpoints: int
    sdf_iterations: int

class MjStatistic:
    meaninertia: float
    meanmass: float
    meansize: float
    extent: float
    center: _Array[np.float64]

class MjVisual:
    class Global:
        cameraid: int
        orthographic: int
        fovy: float
        ipd: float
        azimuth: float
        elevation: float
        linewidth: float
        glow: float
        realtime: float
        offwidth: int
        offheight: int
        ellipsoidinertia: int
        bvactive: int
    class Quality:
        shadowsize: int
        offsamples: int
        numslices: int
        numstacks: int
        numquads: int
    class Headlight:
        ambient: _Array[np.float32]
        diffuse: _Array[np.float32]
        specular: _Array[np.float32]
        active: int
    class Map:
        stiffness: float
        stiffnessrot: float
        force: float
        torque: float
        alpha: float
        fogstart: float
        fogend: float
        znear: float
        zfar: float
        haze: float
        shadowclip: float
        shadowscale: float
        actuatortendon: float
    class Scale:
        forcewidth: float
        contactwidth: float
        contactheight: float
        connect: float
        com: float
        camera: float
        light: float
        selectpoint: float
        jointlength: float
        jointwidth: float
        actuatorlength: float
        actuatorwidth: float
        framelength: float
        framewidth: float
        constraint: float
        slidercrank: float
        frustum: float
    class Rgba:
        fog: _Array[np.float32]
        haze: _Array[np.float32]
        force: _Array[np.float32]
        inertia: _Array[np.float32]
        joint: _Array[np.float32]
        actuator: _Array[np.float32]
        actuatornegative: _Array[np.float32]
        actuatorpositive: _Array[np.float32]
        com: _Array[np.float32]
        camera: _Array[np.float32]
        light: _Array[np.float32]
        selectpoint: _Array[np.float32]
        connect: _Array[np.float32]
        contactpoint: _Array[np.float32]
        contactforce: _Array[np.float32]
        contactfriction: _Array[np.float32]
        contacttorque: _Array[np.float32]
        contactgap: _Array[np.float32]
        rangefinder: _Array[np.float32]
        constraint: _Array[np.float32]
        slidercrank: _Array[np.float32]
        crankbroken: _Array[np.float32]
        frustum: _Array[np.float32]
        bv: _Array[np.float32]
        bvactive: _Array[np.float32]
    @property
    def global_(self) -> Global: ...
    @property
    def quality(self) -> Quality: ...
    @property
    def headlight(self) -> Headlight: ...
    @property
    def map(self) -> Map: ...
    @property
    def scale(self) -> Scale: ...
    @property
    def rgba(self) -> Rgba: ...

class _MjModelActuatorViews:
    id: int
    @property
    def name(self) -> str: ...
    trntype: _Array[Any]
    dyntype: _Array[Any]
    gaintype: _Array[Any]
    biastype: _Array[Any]
    trnid: _Array[Any]
    actadr: _Array[Any]
    actnum: _Array[Any]
    group: _Array[Any]
    history: _Array[Any]
    historyadr: _Array[Any]
    delay: _Array[Any]
    ctrllimited: _Array[Any]
    forcelimited: _Array[Any]
    actlimited: _Array[Any]
    dynprm: _Array[Any]
    gainprm: _Array[Any]
    biasprm: _Array[Any]
    actearly: _Array[Any]
    ctrlrange: _Array[Any]
    forcerange: _Array[Any]
    actrange: _Array[Any]
    gear: _Array[Any]
    cranklength: _Array[Any]
    acc0: _Array[Any]
    length0: _Array[Any]
    lengthrange: _Array[Any]
    user: _Array[Any]
    plugin: _Array[Any]

class _MjModelBodyViews:
    id: int
    @property
    def name(self) -> str: ...
    parentid: _Array[Any]
    rootid: _Array[Any]
    weldid: _Array[Any]
    mocapid: _Array[Any]
    jntnum: _Array[Any]
    jntadr: _Array[Any]
    dofnum: _Array[Any]
    dofadr: _Array[Any]
    treeid: _Array[Any]
    geomnum: _Array[Any]
    geomadr: _Array[Any]
    simple: _Array[Any]
    sameframe: _Array[Any]
    pos: _Array[Any]
    quat: _Array[Any]
    ipos: _Array[Any]
    iquat: _Array[Any]
    mass: _Array[Any]
    subtreemass: _Array[Any]
    inertia: _Array[Any]
    invweight0: _Array[Any]
    gravcomp: _Array[Any]
    margin: _Array[Any]
    user: _Array[Any]
    plugin: _Array[Any]
    contype: _Array[Any]
    conaffinity: _Array[Any]
    bvhadr: _Array[Any]
    bvhnum: _Array[Any]

class _MjModelCameraViews:
    id: int
    @property
    def name(self) -> str: ...
    mode: _Array[Any]
    bodyid: _Array[Any]
    targetbodyid: _Array[Any]
    pos: _Array[Any]
    quat: _Array[Any]
    poscom0: _Array[Any]
    pos0: _Array[Any]
    mat0: _Array[Any]
    projection: _Array[Any]
    fovy: _Array[Any]
    ipd: _Array[Any]
    resolution: _Array[Any]
    output: _Array[Any]
    sensorsize: _Array[Any]
    intrinsic: _Array[Any]
    user: _Array[Any]

class _MjModelEqualityViews:
    id: int
    @property
    def name(self) -> str: ...
    type: _Array[Any]
    obj1id: _Array[Any]
    obj2id: _Array[Any]
    objtype: _Array[Any]
    active0: _Array[Any]
    solref: _Array[Any]
    solimp: _Array[Any]
    data: _Array[Any]

class _MjModelExcludeViews:
    id: int
    @property
    def name(self) -> str: ...
    signature: _Array[Any]

class _MjModelFlexViews:
    id: int
    @property
    def name(self) -> str: ...
    contype: _Array[Any]
    conaffinity: _Array[Any]
    condim: _Array[Any]
    priority: _Array[Any]
    solmix: _Array[Any]
    solref: _Array[Any]
    solimp: _Array[Any]
    friction: _Array[Any]
    margin: _Array[Any]
    gap: _Array[Any]
    internal: _Array[Any]
    selfcollide: _Array[Any]
    activelayers: _Array[Any]
    passive: _Array[Any]
    dim: _Array[Any]
    matid: _Array[Any]
    group: _Array[Any]
    interp: _Array[Any]
    nodeadr: _Array[Any]
    nodenum: _Array[Any]
    vertadr: _Array[Any]
    vertnum: _Array[Any]
    edgeadr: _Array[Any]
    edgenum: _Array[Any]
    elemadr: _Array[Any]
    elemnum: _Array[Any]
    elemdataadr: _Array[Any]
    elemedgeadr: _Array[Any]
    shellnum: _Array[Any]
    shelldataadr: _Array[Any]
    evpairadr: _Array[Any]
    evpairnum: _Array[Any]
    texcoordadr: _Array[Any]
    radius: _Array[Any]
    size: _Array[Any]
    damping: _Array[Any]
    edgestiffness: _Array[Any]
    edgedamping: _Array[Any]
    edgeequality: _Array[Any]
    rigid: _Array[Any]
    centered: _Array[Any]
    flatskin: _Array[Any]
    bvhadr: _Array[Any]
    bvhnum: _Array[Any]
    rgba: _Array[Any]

class _MjModelGeomViews:
    id: int
    @property
    def name(self) -> str: ...
    type: _Array[Any]
    contype: _Array[Any]
    conaffinity: _Array[Any]
    condim: _Array[Any]
    bodyid: _Array[Any]
    dataid: _Array[Any]
    matid: _Array[Any]
    group: _Array[Any]
    priority: _Array[Any]
    plugin: _Array[Any]
    sameframe: _Array[Any]
    solmix: _Array[Any]
    solref: _Array[Any]
    solimp: _Array[Any]
    size: _Array[Any]
    aabb: _Array[Any]
    rbound: _Array[Any]
    pos: _Array[Any]
    quat: _Array[Any]
    friction: _Array[Any]
    margin: _Array[Any]
    gap: _Array[Any]
    fluid: _Array[Any]
    user: _Array[Any]
    rgba: _Array[Any]

class _MjModelHfieldViews:
    id: int
    @property
    def name(self) -> str: ...
    size: _Array[Any]
    nrow: _Array[Any]
    ncol: _Array[Any]
    adr: _Array[Any]
    pathadr: _Array[Any]
    data: _Array[Any]

class _MjModelJointViews:
    id: int
    @property
    def name(self) -> str: ...
    bodyid: _Array[Any]
    jntid: _Array[Any]
    parentid: _Array[Any]
    treeid: _Array[Any]
    Madr: _Array[Any]
    simplenum: _Array[Any]
    solref: _Array[Any]
    solimp: _Array[Any]
    frictionloss: _Array[Any]
    armature: _Array[Any]
    damping: _Array[Any]
    invweight0: _Array[Any]
    M0: _Array[Any]
    length: _Array[Any]
    type: _Array[Any]
    qposadr: _Array[Any]
    dofadr: _Array[Any]
    group: _Array[Any]
    limited: _Array[Any]
    actfrclimited: _Array[Any]
    actgravcomp: _Array[Any]
    pos: _Array[Any]
    axis: _Array[Any]
    stiffness: _Array[Any]
    range: _Array[Any]
    actfrcrange: _Array[Any]
    margin: _Array[Any]
    user: _Array[Any]
    qpos0: _Array[Any]
    qpos_spring: _Array[Any]

class _MjModelKeyframeViews:
    id: int
    @property
    def name(self) -> str: ...
    time: _Array[Any]
    qpos: _Array[Any]
    qvel: _Array[Any]
    act: _Array[Any]
    mpos: _Array[Any]
    mquat: _Array[Any]
    ctrl: _Array[Any]

class _MjModelLightViews:
    id: int
    @property
    def name(self) -> str: ...
    mode: _Array[Any]
    bodyid: _Array[Any]
    targetbodyid: _Array[Any]
    type: _Array[Any]
    texid: _Array[Any]
    castshadow: _Array[Any]
    bulbradius: _Array[Any]
    intensity: _Array[Any]
    range: _Array[Any]
    active: _Array[Any]
    pos: _Array[Any]
    dir: _Array[Any]
    poscom0: _Array[Any]
    pos0: _Array[Any]
    dir0: _Array[Any]
    attenuation: _Array[Any]
    cutoff: _Array[Any]
    exponent: _Array[Any]
    ambient: _Array[Any]
    diffuse: _Array[Any]
    specular: _Array[Any]

class _MjModelMaterialViews:
    id: int
    @property
    def name(self) -> str: ...
    texid: _Array[Any]
    texuniform: _Array[Any]
    texrepeat: _Array[Any]
    emission: _Array[Any]
    specular: _Array[Any]
    shininess: _Array[Any]
    reflectance: _Array[Any]
    metallic: _Array[Any]
    roughness: _Array[Any]
    rgba: _Array[Any]

class _MjModelMeshViews:
    id: int
    @property
    def name(self) -> str: ...
    vertadr: _Array[Any]
    vertnum: _Array[Any]
    faceadr: _Array[Any]
    facenum: _Array[Any]
    bvhadr: _Array[Any]
    bvhnum: _Array[Any]
    octadr: _Array[Any]
    octnum: _Array[Any]
    normaladr: _Array[Any]
    normalnum: _Array[Any]
    texcoordadr: _Array[Any]
    texcoordnum: _Array[Any]
    graphadr: _Array[Any]
    scale: _Array[Any]
    pos: _Array[Any]
    quat: _Array[Any]
    pathadr: _Array[Any]
    polynum: _Array[Any]
    polyadr: _Array[Any]

class _MjModelNumericViews:
    id: int
    @property
    def name(self) -> str: ...
    adr: _Array[Any]
    size: _Array[Any]
    data: _Array[Any]

class _MjModelPairViews:
    id: int
    @property
    def name(self) -> str: ...
    dim: _Array[Any]
    geom1: _Array[Any]
    geom2: _Array[Any]
    signature: _Array[Any]
    solref: _Array[Any]
    solreffriction: _Array[Any]
    solimp: _Array[Any]
    margin: _Array[Any]
    gap: _Array[Any]
    friction: _Array[Any]

class _MjModelSensorViews:
    id: int
    @property
    def name(self) -> str: ...
    type: _Array[Any]
    datatype: _Array[Any]
    needstage: _Array[Any]
    objtype: _Array[Any]
    objid: _Array[Any]
    reftype: _Array[Any]
    refid: _Array[Any]
    intprm: _Array[Any]
    dim: _Array[Any]
    adr: _Array[Any]
    cutoff: _Array[Any]
    noise: _Array[Any]
    history: _Array[Any]
    historyadr: _Array[Any]
    delay: _Array[Any]
    interval: _Array[Any]
    user: _Array[Any]
    plugin: _Array[Any]

class _MjModelSiteViews:
    id: int
    @property
    def name(self) -> str: ...
    type: _Array[Any]
    bodyid: _Array[Any]
    matid: _Array[Any]
    group: _Array[Any]
    sameframe: _Array[Any]
    size: _Array[Any]
    pos: _Array[Any]
    quat: _Array[Any]
    user: _Array[Any]
    rgba: _Array[Any]

class _MjModelSkinViews:
    id: int
    @property
    def name(self) -> str: ...
    matid: _Array[Any]
    group: _Array[Any]
    rgba: _Array[Any]
    inflate: _Array[Any]
    vertadr: _Array[Any]
    vertnum: _Array[Any]
    texcoordadr: _Array[Any]
    faceadr: _Array[Any]
    facenum: _Array[Any]
    boneadr: _Array[Any]
    bonenum: _Array[Any]
    pathadr: _Array[Any]

class _MjModelTendonViews:
    id: int
    @property
    def name(self) -> str: ...
    adr: _Array[Any]
    num: _Array[Any]
    matid: _Array[Any]
    group: _Array[Any]
    treenum: _Array[Any]
    treeid: _Array[Any]
    limited: _Array[Any]
    actfrclimited: _Array[Any]
    width: _Array[Any]
    solref_lim: _Array[Any]
    solimp_lim: _Array[Any]
    solref_fri: _Array[Any]
    solimp_fri: _Array[Any]
    range: _Array[Any]
    actfrcrange: _Array[Any]
    margin: _Array[Any]
    stiffness: _Array[Any]
    damping: _Array[Any]
    armature: _Array[Any]
    frictionloss: _Array[Any]
    lengthspring: _Array[Any]
    length0: _Array[Any]
    invweight0: _Array[Any]
    user: _Array[Any]
    rgba: _Array[Any]
    _adr: _Array[Any]
    _num: _Array[Any]
    _matid: _Array[Any]
    _group: _Array[Any]
    _treenum: _Array[Any]
    _treeid: _Array[Any]
    _limited: _Array[Any]
    _actfrclimited: _Array[Any]
    _width: _Array[Any]
    _solref_lim: _Array[Any]
    _solimp_lim: _Array[Any]
    _solref_fri: _Array[Any]
    _solimp_fri: _Array[Any]
    _range: _Array[Any]
    _actfrcrange: _Array[Any]
    _margin: _Array[Any]
    _stiffness: _Array[Any]
    _damping: _Array[Any]
    _armature: _Array[Any]
    _frictionloss: _Array[Any]
    _lengthspring: _Array[Any]
    _length0: _Array[Any]
    _invweight0: _Array[Any]
    _user: _Array[Any]
    _rgba: _Array[Any]

class _MjModelTextureViews:
    id: int
    @property
    def name(self) -> str: ...
    type: _Array[Any]
    colorspace: _Array[Any]
    height: _Array[Any]
    width: _Array[Any]
    nchannel: _Array[Any]
    adr: _Array[Any]
    pathadr: _Array[Any]
    data: _Array[Any]

class _MjModelTupleViews:
    id: int
    @property
    def name(self) -> str: ...
    adr: _Array[Any]
    size: _Array[Any]
    objtype: _Array[Any]
    objid: _Array[Any]
    objprm: _Array[Any]

class _MjDataActuatorViews:
    id: int
    @property
    def name(self) -> str: ...
    ctrl: _Array[Any]
    length: _Array[Any]
    velocity: _Array[Any]
    force: _Array[Any]
    moment: _Array[Any]

class _MjDataBodyViews:
    id: int
    @property
    def name(self) -> str: ...
    xfrc_applied: _Array[Any]
    xpos: _Array[Any]
    xquat: _Array[Any]
    xmat: _Array[Any]
    xipos: _Array[Any]
    ximat: _Array[Any]
    subtree_com: _Array[Any]
    cinert: _Array[Any]
    crb: _Array[Any]
    cvel: _Array[Any]
    subtree_linvel: _Array[Any]
    subtree_angmom: _Array[Any]
    cacc: _Array[Any]
    cfrc_int: _Array[Any]
    cfrc_ext: _Array[Any]

class _MjDataCameraViews:
    id: int
    @property
    def name(self) -> str: ...
    xpos: _Array[Any]
    xmat: _Array[Any]

class _MjDataGeomViews:
    id: int
    @property
    def name(self) -> str: ...
    xpos: _Array[Any]
    xmat: _Array[Any]

class _MjDataJointViews:
    id: int
    @property
    def name(self) -> str: ...
    qvel: _Array[Any]
    qacc_warmstart: _Array[Any]
    qfrc_applied: _Array[Any]
    qacc: _Array[Any]
    cdof: _Array[Any]
    qLDiagInv: _Array[Any]
    cdof_dot: _Array[Any]
    qfrc_bias: _Array[Any]
    qfrc_passive: _Array[Any]
    qfrc_actuator: _Array[Any]
    qfrc_smooth: _Array[Any]
    qacc_smooth: _Array[Any]
    qfrc_constraint: _Array[Any]
    qfrc_inverse: _Array[Any]
    xanchor: _Array[Any]
    xaxis: _Array[Any]
    qpos: _Array[Any]

class _MjDataLightViews:
    id: int
    @property
    def name(self) -> str: ...
    xpos: _Array[Any]
    xdir: _Array[Any]

class _MjDataSensorViews:
    id: int
    @property
    def name(self) -> str: ...
    data: _Array[Any]

class _MjDataSiteViews:
    id: int
    @property
    def name(self) -> str: ...
    xpos: _Array[Any]
    xmat: _Array[Any]

class _MjDataTendonViews:
    id: int
    @property
    def name(self) -> str: ...
    wrapadr: _Array[Any]
    wrapnum: _Array[Any]
    J_rownnz: _Array[Any]
    J_rowadr: _Array[Any]
    J_colind: _Array[Any]
    length: _Array[Any]
    J: _Array[Any]
    velocity: _Array[Any]

class MjContact:
    def __init__(self) -> None: ...
    H: _Array[np.float64]
    dim: int
    dist: float
    efc_address: int
    elem: _Array[np.int32]
    exclude: int
    flex: _Array[np.int32]
    frame: _Array[np.float64]
    friction: _Array[np.float64]
    geom: _Array[np.int32]
    geom1: int
    geom2: int
    includemargin: float
    mu: float
    pos: _Array[np.float64]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    vert: _Array[np.int32]

class _ContactList:
    H: _Array[np.float64]
    dim: _Array[np.int32]
    dist: _Array[np.float64]
    efc_address: _Array[np.int32]
    elem: _Array[np.int32]
    exclude: _Array[np.int32]
    flex: _Array[np.int32]
    frame: _Array[np.float64]
    friction: _Array[np.float64]
    geom: _Array[np.int32]
    geom1: _Array[np.int32]
    geom2: _Array[np.int32]
    includemargin: _Array[np.float64]
    mu: _Array[np.float64]
    pos: _Array[np.float64]
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]
    vert: _Array[np.int32]
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice | npt.ArrayLike) -> _ContactList: ...
    def __iter__(self) -> Iterator[MjContact]: ...

class MjWarningStat:
    def __init__(self) -> None: ...
    lastinfo: int
    number: int

class _WarningList:
    lastinfo: _Array[np.int32]
    number: _Array[np.int32]
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> MjWarningStat: ...
    @overload
    def __getitem__(self, index: slice | npt.ArrayLike) -> _WarningList: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...

class MjSolverStat:
    def __init__(self) -> None: ...
    gradient: float
    improvement: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class _SolverList:
    gradient: _Array[np.float64]
    improvement: _Array[np.float64]
    lineslope: _Array[np.float64]
    nactive: _Array[np.int32]
    nchange: _Array[np.int32]
    neval: _Array[np.int32]
    nupdate: _Array[np.int32]
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> MjSolverStat: ...
    @overload
    def __getitem__(self, index: slice | npt.ArrayLike) -> _SolverList: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...

class MjTimerStat:
    def __init__(self) -> None: ...
    duration: float
    number: int

class _TimerList:
    duration: _Array[np.float64]
    number: _Array[np.int32]
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> MjTimerStat: ...
    @overload
    def __getitem__(self, index: slice | npt.ArrayLike) -> _TimerList: ...
    def __iter__(self) -> Iterator[MjTimerStat]: ...


class Hooks:
    control: Hook | None
    passive: Hook | None
    act_dyn: Hook | None
    act_gain: Hook | None
    act_bias: Hook | None
    sensor: Hook | None
    contactfilter: Hook | None
    time: Hook | None

class MjModel:
    load_warnings: tuple[Diagnostic, ...]
    opt: MjOption
    stat: MjStatistic
    vis: MjVisual
    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @staticmethod
    def from_binary_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = ...) -> MjModel: ...
    @property
    def signature(self) -> int: ...
    def bind(self, specs: Any) -> Any: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: Any) -> MjModel: ...
    nq: int
    nv: int
    nu: int
    na: int
    nbody: int
    nbvh: int
    nbvhstatic: int
    nbvhdynamic: int
    noct: int
    njnt: int
    ntree: int
    nM: int
    nB: int
    nC: int
    nD: int
    ngeom: int
    nsite: int
    ncam: int
    nlight: int
    nflex: int
    nflexnode: int
    nflexvert: int
    nflexedge: int
    nflexelem: int
    nflexelemdata: int
    nflexelemedge: int
    nflexshelldata: int
    nflexevpair: int
    nflextexcoord: int
    nJfe: int
    nJfv: int
    nmesh: int
    nmeshvert: int
    nmeshnormal: int
    nmeshtexcoord: int
    nmeshface: int
    nmeshgraph: int
    nmeshpoly: int
    nmeshpolyvert: int
    nmeshpolymap: int
    nskin: int
    nskinvert: int
    nskintexvert: int
    nskinface: int
    nskinbone: int
    nskinbonevert: int
    nhfield: int
    nhfielddata: int
    ntex: int
    ntexdata: int
    nmat: int
    npair: int
    nexclude: int
    neq: int
    ntendon: int
    nwrap: int
    nsensor: int
    nnumeric: int
    nnumericdata: int
    ntext: int
    ntextdata: int
    ntuple: int
    ntupledata: int
    nkey: int
    nmocap: int
    nplugin: int
    npluginattr: int
    nuser_body: int
    nuser_jnt: int
    nuser_geom: int
    nuser_site: int
    nuser_cam: int
    nuser_tendon: int
    nuser_actuator: int
    nuser_sensor: int
    nnames: int
    npaths: int
    nnames_map: int
    nJmom: int
    ngravcomp: int
    nuserdata: int
    nsensordata: int
    npluginstate: int
    nhistory: int
    nemax: int
    njmax: int
    nconmax: int
    narena: int
    nbuffer: int
    body_parentid: _Array[np.int32]
    """The body it hangs on; 0 for the world itself and its children."""
    body_rootid: _Array[np.int32]
    """Its topmost ancestor below the world; itself for the world's children, 0 for the world."""
    body_weldid: _Array[np.int32]
    """The topmost ancestor without a joint in between, with which it moves; 0: it stands still."""
    body_mocapid: _Array[np.int32]
    """Which of the bodies with a given pose it is; −1: an ordinary body."""
    body_jntnum: _Array[np.int32]
    """How many joints connect it to its parent."""
    body_jntadr: _Array[np.int32]
    """The first of its joints; −1: none."""
    body_dofnum: _Array[np.int32]
    """How many degrees of freedom its own joints have."""
    body_dofadr: _Array[np.int32]
    """The first of its degrees of freedom; −1: none."""
    body_treeid: _Array[np.int32]
    """Its kinematic tree; −1: it stands still."""
    body_geomnum: _Array[np.int32]
    """How many geoms are fixed to it."""
    body_geomadr: _Array[np.int32]
    """The first of its geoms; −1: none."""
    body_simple: _Array[np.uint8]
    """1: its rows of the inertia are diagonal; 2: and it has only slides; 0: neither."""
    body_sameframe: _Array[np.uint8]
    """Whether the inertial frame is the body's (`mjtSameFrame`); 0: no."""
    body_pos: _Array[np.float64]
    """Position in the parent's frame, m."""
    body_quat: _Array[np.float64]
    """Orientation in the parent's frame."""
    body_ipos: _Array[np.float64]
    """Centre of mass in the body's frame, m."""
    body_iquat: _Array[np.float64]
    """Principal axes of inertia in the body's frame."""
    body_mass: _Array[np.float64]
    """Mass of the body alone, kg."""
    body_subtreemass: _Array[np.float64]
    """Mass of the body and all its descendants, kg."""
    body_inertia: _Array[np.float64]
    """Moments of inertia about the principal axes through the centre of mass, kg·m²."""
    body_invweight0: _Array[np.float64]
    """Mean inverse inertia at `qpos0`: of translation, 1/kg, and of rotation, 1/(kg·m²)."""
    body_gravcomp: _Array[np.float64]
    """Share of its weight that an upward force carries; 1: it floats, 0: none."""
    body_margin: _Array[np.float64]
    """The largest contact margin among its geoms, m."""
    body_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    body_plugin: _Array[np.int32]
    """Instance of the plugin that acts on it; −1: none."""
    body_contype: _Array[np.int32]
    """Contact type bits of all its geoms together."""
    body_conaffinity: _Array[np.int32]
    """Contact affinity bits of all its geoms together."""
    body_bvhadr: _Array[np.int32]
    """Root of the tree of boxes around its geoms; −1: none."""
    body_bvhnum: _Array[np.int32]
    """How many nodes that tree has."""
    jnt_type: _Array[np.int32]
    """`mjtJoint`: 0 free, 1 ball, 2 slide, 3 hinge."""
    jnt_qposadr: _Array[np.int32]
    """Where its coordinates begin in `qpos`: 7, 4, 1 or 1 of them."""
    jnt_dofadr: _Array[np.int32]
    """Where its degrees of freedom begin in `qvel`: 6, 3, 1 or 1 of them."""
    jnt_bodyid: _Array[np.int32]
    """The body it moves."""
    jnt_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    jnt_limited: _Array[np.uint8]
    """1: `jnt_range` is enforced."""
    jnt_actfrclimited: _Array[np.uint8]
    """1: the sum of all actuator forces on it is clamped to `jnt_actfrcrange`."""
    jnt_actgravcomp: _Array[np.uint8]
    """1: gravity compensation counts as an actuator force, clamped with the others."""
    jnt_solref: _Array[np.float64]
    """Limit: time constant, s, and damping ratio; or, both negative, −stiffness and −damping."""
    jnt_solimp: _Array[np.float64]
    """Limit: least and largest impedance, width over which it rises, midpoint, power."""
    jnt_pos: _Array[np.float64]
    """Anchor in the body's frame, m; of no meaning for free joints."""
    jnt_axis: _Array[np.float64]
    """Axis in the body's frame, of length 1; of no meaning for free and ball joints."""
    jnt_stiffness: _Array[np.float64]
    """Spring towards `qpos_spring`, N/m or N·m/rad; 0: none."""
    jnt_range: _Array[np.float64]
    """Lower and upper limit, m or rad; of a ball joint 0 and the largest angle."""
    jnt_actfrcrange: _Array[np.float64]
    """Lower and upper bound of the sum of actuator forces, N or N·m."""
    jnt_margin: _Array[np.float64]
    """Distance from a limit, m or rad, at which its constraint begins."""
    jnt_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    dof_bodyid: _Array[np.int32]
    """The body it moves."""
    dof_jntid: _Array[np.int32]
    """The joint it is part of."""
    dof_parentid: _Array[np.int32]
    """The next one towards the root: of the same joint, body or an ancestor; −1: none."""
    dof_treeid: _Array[np.int32]
    """The kinematic tree it is part of."""
    dof_Madr: _Array[np.int32]
    """Where its diagonal entry stands in `qM`, the inertia in its older layout."""
    dof_simplenum: _Array[np.int32]
    """How many from here on, itself included, belong to simple bodies; 0: it does not."""
    dof_solref: _Array[np.float64]
    """Dry friction: time constant, s, and damping ratio; or −stiffness and −damping."""
    dof_solimp: _Array[np.float64]
    """Dry friction: least and largest impedance, width, midpoint, power."""
    dof_frictionloss: _Array[np.float64]
    """Largest force of dry friction, N or N·m; 0: none."""
    dof_armature: _Array[np.float64]
    """Inertia of rotors, added to the diagonal of the inertia, kg or kg·m²."""
    dof_damping: _Array[np.float64]
    """Force per velocity against the motion, N·s/m or N·m·s/rad."""
    dof_invweight0: _Array[np.float64]
    """Diagonal of the inverse inertia at `qpos0`, averaged over the axes of a joint."""
    dof_M0: _Array[np.float64]
    """Diagonal of the inertia at `qpos0`, kg or kg·m²."""
    dof_length: _Array[np.float64]
    """Metres that a unit of it moves: 1 for translations, a typical lever for rotations."""
    tree_bodyadr: _Array[np.int32]
    """The first of its bodies."""
    tree_bodynum: _Array[np.int32]
    """How many bodies it has; they are numbered in a row."""
    tree_dofadr: _Array[np.int32]
    """The first of its degrees of freedom."""
    tree_dofnum: _Array[np.int32]
    """How many degrees of freedom it has."""
    tree_sleep_policy: _Array[np.int32]
    """Whether it may sleep (`mjtSleepPolicy`)."""
    geom_type: _Array[np.int32]
    """Shape (`mjtGeom`): 0 plane, 1 height field, 2 sphere, 3 capsule, …"""
    geom_contype: _Array[np.int32]
    """Bits that meet the other geom's affinity: two collide if one's type meets the other's."""
    geom_conaffinity: _Array[np.int32]
    """Bits of contact types that it collides with."""
    geom_condim: _Array[np.int32]
    """Directions of contact force: 1 normal, 3 with sliding, 4 with spinning, 6 with rolling."""
    geom_bodyid: _Array[np.int32]
    """The body it is fixed to."""
    geom_dataid: _Array[np.int32]
    """The mesh or height field it shows or was fitted to; −1: none."""
    geom_matid: _Array[np.int32]
    """Material for drawing; −1: none."""
    geom_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    geom_priority: _Array[np.int32]
    """Of two geoms in contact, the higher one's settings count; equal ones are mixed."""
    geom_plugin: _Array[np.int32]
    """Instance of the plugin that gives its surface; −1: none."""
    geom_sameframe: _Array[np.uint8]
    """Whether its frame is the body's or inertial one (`mjtSameFrame`); 0: no."""
    geom_solmix: _Array[np.float64]
    """Weight of its solver settings when those of two geoms are mixed."""
    geom_solref: _Array[np.float64]
    """Contact: time constant, s, and damping ratio; or −stiffness and −damping."""
    geom_solimp: _Array[np.float64]
    """Contact: least and largest impedance, width over which it rises, midpoint, power."""
    geom_size: _Array[np.float64]
    """Half sizes, m: radius; radius and half length; half lengths along the axes. By shape."""
    geom_aabb: _Array[np.float64]
    """Box around it in its own frame: centre, half sizes, m."""
    geom_rbound: _Array[np.float64]
    """Radius of the sphere around its centre that holds it, m; 0: a plane, which nothing holds."""
    geom_pos: _Array[np.float64]
    """Position in the body's frame, m."""
    geom_quat: _Array[np.float64]
    """Orientation in the body's frame."""
    geom_friction: _Array[np.float64]
    """Coefficients of sliding, spinning (m) and rolling (m)."""
    geom_margin: _Array[np.float64]
    """Distance at which a contact is found, m."""
    geom_gap: _Array[np.float64]
    """Part of the margin within which a found contact bears no force, m."""
    geom_fluid: _Array[np.float64]
    """Ellipsoid model: on or off, five coefficients, virtual mass and inertia; the first 0: off."""
    geom_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    geom_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1, where no material says otherwise."""
    site_type: _Array[np.int32]
    """Shape for drawing and for touch sensors (`mjtGeom`)."""
    site_bodyid: _Array[np.int32]
    """The body it is fixed to."""
    site_matid: _Array[np.int32]
    """Material for drawing; −1: none."""
    site_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    site_sameframe: _Array[np.uint8]
    """Whether its frame is the body's or inertial one (`mjtSameFrame`); 0: no."""
    site_size: _Array[np.float64]
    """Half sizes, m, as of a geom of that shape."""
    site_pos: _Array[np.float64]
    """Position in the body's frame, m."""
    site_quat: _Array[np.float64]
    """Orientation in the body's frame."""
    site_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    site_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1, where no material says otherwise."""
    cam_mode: _Array[np.int32]
    """What it follows (`mjtCamLight`); 0: its body."""
    cam_bodyid: _Array[np.int32]
    """The body it is fixed to."""
    cam_targetbodyid: _Array[np.int32]
    """The body it looks at; −1: none."""
    cam_pos: _Array[np.float64]
    """Position in the body's frame, m."""
    cam_quat: _Array[np.float64]
    """Orientation in the body's frame; it looks along −z, and y is up."""
    cam_poscom0: _Array[np.float64]
    """Where it stands from the centre of mass of the body's subtree at `qpos0`, world axes, m."""
    cam_pos0: _Array[np.float64]
    """Where it stands from the body at `qpos0`, world axes, m."""
    cam_mat0: _Array[np.float64]
    """Orientation in the world at `qpos0`."""
    cam_projection: _Array[np.int32]
    """`mjtProjection`: 0 perspective, 1 orthographic."""
    cam_fovy: _Array[np.float64]
    """Vertical field of view: degrees, or metres where the projection is orthographic."""
    cam_ipd: _Array[np.float64]
    """Distance of the two eyes for stereo pictures, m."""
    cam_resolution: _Array[np.int32]
    """Pixels of a picture: width, height."""
    cam_output: _Array[np.int32]
    """Bits of the pictures it makes (`mjtCamOutBit`)."""
    cam_sensorsize: _Array[np.float32]
    """Width and height of the chip, m; 0: `cam_fovy` says what is seen."""
    cam_intrinsic: _Array[np.float32]
    """Focal lengths along x and y, then the optical axis's offset from the centre, m."""
    cam_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    light_mode: _Array[np.int32]
    """What it follows (`mjtCamLight`); 0: its body."""
    light_bodyid: _Array[np.int32]
    """The body it is fixed to."""
    light_targetbodyid: _Array[np.int32]
    """The body it shines at; −1: none."""
    light_type: _Array[np.int32]
    """`mjtLightType`: 0 spot, 1 directional, 2 point, 3 image."""
    light_texid: _Array[np.int32]
    """Texture of an image light; −1: none."""
    light_castshadow: _Array[np.uint8]
    """1: what it shines on casts shadows."""
    light_bulbradius: _Array[np.float32]
    """Radius of a spot's bulb, m, which makes shadows soft."""
    light_intensity: _Array[np.float32]
    """Brightness for physically based rendering, candela."""
    light_range: _Array[np.float32]
    """Distance beyond which a spot lights nothing, m."""
    light_active: _Array[np.uint8]
    """1: it is on."""
    light_pos: _Array[np.float64]
    """Position in the body's frame, m."""
    light_dir: _Array[np.float64]
    """Direction in which it shines, in the body's frame."""
    light_poscom0: _Array[np.float64]
    """Where it stands from the centre of mass of the body's subtree at `qpos0`, world axes, m."""
    light_pos0: _Array[np.float64]
    """Where it stands from the body at `qpos0`, world axes, m."""
    light_dir0: _Array[np.float64]
    """Direction in the world at `qpos0`."""
    light_attenuation: _Array[np.float32]
    """How it fades with distance: constant, linear and quadratic coefficient."""
    light_cutoff: _Array[np.float32]
    """Angle between the axis of a spot and the edge of its cone, degrees."""
    light_exponent: _Array[np.float32]
    """How sharply a spot fades towards the edge of its cone."""
    light_ambient: _Array[np.float32]
    """Red, green and blue, 0 to 1, that reach everything."""
    light_diffuse: _Array[np.float32]
    """Red, green and blue, 0 to 1, that surfaces scatter."""
    light_specular: _Array[np.float32]
    """Red, green and blue, 0 to 1, that surfaces reflect."""
    flex_contype: _Array[np.int32]
    """Bits that meet the affinity of geoms and other flexes, as of a geom."""
    flex_conaffinity: _Array[np.int32]
    """Bits of contact types that it collides with."""
    flex_condim: _Array[np.int32]
    """Directions of contact force: 1 normal, 3 with sliding, 4 with spinning, 6 with rolling."""
    flex_priority: _Array[np.int32]
    """Of two things in contact, the higher one's settings count; equal ones are mixed."""
    flex_solmix: _Array[np.float64]
    """Weight of its solver settings when they are mixed."""
    flex_solref: _Array[np.float64]
    """Contact: time constant, s, and damping ratio; or −stiffness and −damping."""
    flex_solimp: _Array[np.float64]
    """Contact: least and largest impedance, width over which it rises, midpoint, power."""
    flex_friction: _Array[np.float64]
    """Coefficients of sliding, spinning (m) and rolling (m)."""
    flex_margin: _Array[np.float64]
    """Distance at which a contact is found, m."""
    flex_gap: _Array[np.float64]
    """Part of the margin within which a found contact bears no force, m."""
    flex_internal: _Array[np.uint8]
    """1: contacts within it keep neighbouring elements from turning inside out."""
    flex_selfcollide: _Array[np.int32]
    """How its distant parts collide (`mjtFlexSelf`); 0: not at all."""
    flex_activelayers: _Array[np.int32]
    """Layers of elements below the surface of a solid that collide."""
    flex_passive: _Array[np.int32]
    """1: its contacts act as springs and dampers without friction, not as constraints."""
    flex_dim: _Array[np.int32]
    """1: a line of segments, 2: a cloth of triangles, 3: a solid of tetrahedra."""
    flex_matid: _Array[np.int32]
    """Material for drawing; −1: none."""
    flex_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    flex_interp: _Array[np.int32]
    """0: each vertex has a body; else the order of interpolation between nodes."""
    flex_nodeadr: _Array[np.int32]
    """Where its nodes begin in `flex_node`."""
    flex_nodenum: _Array[np.int32]
    """How many nodes carry it; 0 where each vertex has a body."""
    flex_vertadr: _Array[np.int32]
    """Where its vertices begin in `flex_vert`."""
    flex_vertnum: _Array[np.int32]
    """How many vertices it has."""
    flex_edgeadr: _Array[np.int32]
    """Where its edges begin in `flex_edge`."""
    flex_edgenum: _Array[np.int32]
    """How many edges it has."""
    flex_elemadr: _Array[np.int32]
    """Where its elements begin in `flex_elemlayer` and `flex_stiffness`."""
    flex_elemnum: _Array[np.int32]
    """How many elements it has."""
    flex_elemdataadr: _Array[np.int32]
    """Where the corners of its elements begin in `flex_elem`."""
    flex_elemedgeadr: _Array[np.int32]
    """Where the edges of its elements begin in `flex_elemedge`."""
    flex_shellnum: _Array[np.int32]
    """How many pieces its surface has."""
    flex_shelldataadr: _Array[np.int32]
    """Where the corners of these pieces begin in `flex_shell`."""
    flex_evpairadr: _Array[np.int32]
    """Where its pairs of element and vertex begin in `flex_evpair`."""
    flex_evpairnum: _Array[np.int32]
    """How many pairs of element and vertex it has."""
    flex_texcoordadr: _Array[np.int32]
    """Where its texture coordinates begin in `flex_texcoord`; −1: none."""
    flex_nodebodyid: _Array[np.int32]
    """The body that each node is fixed to."""
    flex_vertbodyid: _Array[np.int32]
    """The body that each vertex is fixed to; −1: it is interpolated."""
    flex_vertedgeadr: _Array[np.int32]
    """Where the edges at each vertex begin in `flex_vertedge`."""
    flex_vertedgenum: _Array[np.int32]
    """How many edges meet at each vertex."""
    flex_vertedge: _Array[np.int32]
    """Edges at each vertex, one vertex after the other."""
    flex_edge: _Array[np.int32]
    """The two vertices of each edge, counted within the flex."""
    flex_edgeflap: _Array[np.int32]
    """The vertices across each edge of a cloth, which it bends; −1: none."""
    flex_elem: _Array[np.int32]
    """Vertices of each element, counted within the flex: dimension + 1 in a row."""
    flex_elemtexcoord: _Array[np.int32]
    """Texture coordinates of these vertices, counted within the flex."""
    flex_elemedge: _Array[np.int32]
    """Edges of each element, counted within the flex."""
    flex_elemlayer: _Array[np.int32]
    """How many elements lie between each element of a solid and its surface; 0: at the surface."""
    flex_shell: _Array[np.int32]
    """Vertices of each piece of surface, counted within the flex."""
    flex_evpair: _Array[np.int32]
    """Element and vertex that may touch, counted within the flex."""
    flex_vert: _Array[np.float64]
    """Position of each vertex in the frame of its body, m."""
    flex_vert0: _Array[np.float64]
    """Position of each vertex at `qpos0` within the box around all, 0 to 1 along each axis."""
    flex_vertmetric: _Array[np.float64]
    """Inverse of the 2 × 2 matrix that sums the edges at a vertex at `qpos0`; for strain constraints."""
    flex_node: _Array[np.float64]
    """Position of each node in the frame of its body, m."""
    flex_node0: _Array[np.float64]
    """Position of each node in the world at `qpos0`, m."""
    flexedge_length0: _Array[np.float64]
    """Length at `qpos0`, m."""
    flexedge_invweight0: _Array[np.float64]
    """Inverse inertia along the edge at `qpos0`, 1/kg."""
    flex_radius: _Array[np.float64]
    """How far the surface lies outside the elements, m."""
    flex_size: _Array[np.float64]
    """Half sizes of the box around all vertices at `qpos0`, m."""
    flex_stiffness: _Array[np.float64]
    """Stiffness of an element between its edges: the triangle of a symmetric matrix, N/m³."""
    flex_bending: _Array[np.float64]
    """Stiffness against bending at an edge: a 4 × 4 matrix over its vertices, and one number more."""
    flex_damping: _Array[np.float64]
    """Rayleigh damping: seconds by which stiffness is multiplied."""
    flex_edgestiffness: _Array[np.float64]
    """Spring along every edge, N/m; 0: none."""
    flex_edgedamping: _Array[np.float64]
    """Damping along every edge, N·s/m; 0: none."""
    flex_edgeequality: _Array[np.int32]
    """What equality constraints keep: 0 nothing, 1 lengths of edges, 2 strain at vertices."""
    flex_rigid: _Array[np.uint8]
    """1: all vertices are fixed to one body."""
    flexedge_rigid: _Array[np.uint8]
    """1: both its vertices are fixed to one body."""
    flex_centered: _Array[np.uint8]
    """1: every vertex, or node, stands at the origin of its body."""
    flex_flatskin: _Array[np.uint8]
    """1: drawn with flat faces, not smooth ones."""
    flex_bvhadr: _Array[np.int32]
    """Root of the tree of boxes around its elements; −1: none."""
    flex_bvhnum: _Array[np.int32]
    """How many nodes that tree has."""
    flexedge_J_rownnz: _Array[np.int32]
    """Entries in the edge's row of the Jacobian of lengths."""
    flexedge_J_rowadr: _Array[np.int32]
    """Where that row begins."""
    flexedge_J_colind: _Array[np.int32]
    """The degree of freedom of each entry of that Jacobian."""
    flexvert_J_rownnz: _Array[np.int32]
    """Entries in the two rows of a vertex in the Jacobian of strain."""
    flexvert_J_rowadr: _Array[np.int32]
    """Where these rows begin."""
    flexvert_J_colind: _Array[np.int32]
    """The degree of freedom of each entry of these rows."""
    flex_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1, where no material says otherwise."""
    flex_texcoord: _Array[np.float32]
    """Place in the texture, 0 to 1 across the image."""
    mesh_vertadr: _Array[np.int32]
    """Where its vertices begin in `mesh_vert`."""
    mesh_vertnum: _Array[np.int32]
    """How many vertices it has."""
    mesh_faceadr: _Array[np.int32]
    """Where its triangles begin in `mesh_face`."""
    mesh_facenum: _Array[np.int32]
    """How many triangles it has."""
    mesh_bvhadr: _Array[np.int32]
    """Root of the tree of boxes around its triangles; −1: none."""
    mesh_bvhnum: _Array[np.int32]
    """How many nodes that tree has."""
    mesh_octadr: _Array[np.int32]
    """Root of its octree; −1: none."""
    mesh_octnum: _Array[np.int32]
    """How many cells its octree has."""
    mesh_normaladr: _Array[np.int32]
    """Where its normals begin in `mesh_normal`."""
    mesh_normalnum: _Array[np.int32]
    """How many normals it has."""
    mesh_texcoordadr: _Array[np.int32]
    """Where its texture coordinates begin in `mesh_texcoord`; −1: none."""
    mesh_texcoordnum: _Array[np.int32]
    """How many texture coordinates it has."""
    mesh_graphadr: _Array[np.int32]
    """Where the description of its convex hull begins in `mesh_graph`; −1: it has no hull."""
    mesh_vert: _Array[np.float32]
    """Position of each vertex in the mesh's own frame, m: centred, along the principal axes."""
    mesh_normal: _Array[np.float32]
    """Normals in the mesh's own frame, of length 1."""
    mesh_texcoord: _Array[np.float32]
    """Place in the texture, 0 to 1 across the image."""
    mesh_face: _Array[np.int32]
    """The three vertices of each triangle, counted within the mesh, counterclockwise from outside."""
    mesh_facenormal: _Array[np.int32]
    """The normals at these corners, counted within the mesh."""
    mesh_facetexcoord: _Array[np.int32]
    """The texture coordinates at these corners, counted within the mesh."""
    mesh_graph: _Array[np.int32]
    """Convex hulls: counts of vertices and faces; then edge lists, vertices, neighbours, faces."""
    mesh_scale: _Array[np.float64]
    """Factors along x, y and z that the file's vertices were multiplied by."""
    mesh_pos: _Array[np.float64]
    """Where the mesh's own frame stands among the file's vertices, m."""
    mesh_quat: _Array[np.float64]
    """Orientation of the mesh's own frame among the file's vertices."""
    mesh_pathadr: _Array[np.int32]
    """Where the name of its file begins in `paths`; −1: none."""
    mesh_polynum: _Array[np.int32]
    """How many flat faces its convex hull has."""
    mesh_polyadr: _Array[np.int32]
    """Where these faces begin in `mesh_polynormal`."""
    mesh_polynormal: _Array[np.float64]
    """Normal of each face of a hull, outward, in the mesh's own frame."""
    mesh_polyvertadr: _Array[np.int32]
    """Where the corners of a face begin in `mesh_polyvert`."""
    mesh_polyvertnum: _Array[np.int32]
    """How many corners a face has."""
    mesh_polyvert: _Array[np.int32]
    """Vertices around each face of a hull, counted within the mesh."""
    mesh_polymapadr: _Array[np.int32]
    """Where the faces around a vertex begin in `mesh_polymap`."""
    mesh_polymapnum: _Array[np.int32]
    """How many faces of the hull meet at a vertex."""
    mesh_polymap: _Array[np.int32]
    """Faces around each vertex, counted within the mesh."""
    skin_matid: _Array[np.int32]
    """Material for drawing; −1: none."""
    skin_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    skin_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1, where no material says otherwise."""
    skin_inflate: _Array[np.float32]
    """How far vertices are moved along their normals, m."""
    skin_vertadr: _Array[np.int32]
    """Where its vertices begin in `skin_vert`."""
    skin_vertnum: _Array[np.int32]
    """How many vertices it has."""
    skin_texcoordadr: _Array[np.int32]
    """Where its texture coordinates begin in `skin_texcoord`; −1: none."""
    skin_faceadr: _Array[np.int32]
    """Where its triangles begin in `skin_face`."""
    skin_facenum: _Array[np.int32]
    """How many triangles it has."""
    skin_boneadr: _Array[np.int32]
    """Where its bones begin in `skin_bonebodyid`."""
    skin_bonenum: _Array[np.int32]
    """How many bones it has."""
    skin_vert: _Array[np.float32]
    """Position of each vertex in the world when all bodies stand in the bind pose, m."""
    skin_texcoord: _Array[np.float32]
    """Place in the texture, 0 to 1 across the image."""
    skin_face: _Array[np.int32]
    """The three vertices of each triangle, counted within the skin."""
    skin_bonevertadr: _Array[np.int32]
    """Where the vertices that a bone moves begin in `skin_bonevertid`."""
    skin_bonevertnum: _Array[np.int32]
    """How many vertices a bone moves."""
    skin_bonebindpos: _Array[np.float32]
    """Where the bone's body stands in the bind pose, world, m."""
    skin_bonebindquat: _Array[np.float32]
    """Orientation of the bone's body in the bind pose, world."""
    skin_bonebodyid: _Array[np.int32]
    """The body that a bone follows."""
    skin_bonevertid: _Array[np.int32]
    """Vertices that the bones move, counted within the skin."""
    skin_bonevertweight: _Array[np.float32]
    """How much these vertices follow their bone; the weights of one vertex add up to 1."""
    skin_pathadr: _Array[np.int32]
    """Where the name of its file begins in `paths`; −1: none."""
    hfield_size: _Array[np.float64]
    """Half width along x and along y, height of elevation 1, depth of the base below 0, m."""
    hfield_nrow: _Array[np.int32]
    """How many points along y."""
    hfield_ncol: _Array[np.int32]
    """How many points along x."""
    hfield_adr: _Array[np.int32]
    """Where its elevations begin in `hfield_data`."""
    hfield_data: _Array[np.float32]
    """Elevations, 0 to 1, row by row from −y to y, each from −x to x."""
    hfield_pathadr: _Array[np.int32]
    """Where the name of its file begins in `paths`; −1: none."""
    tex_type: _Array[np.int32]
    """`mjtTexture`: 0 flat, 1 cube, 2 sky."""
    tex_colorspace: _Array[np.int32]
    """`mjtColorSpace`: 0 as the file says, 1 linear, 2 sRGB."""
    tex_height: _Array[np.int32]
    """Rows of the image in pixels; of a cube six times its width."""
    tex_width: _Array[np.int32]
    """Columns of the image in pixels."""
    tex_nchannel: _Array[np.int32]
    """Bytes per pixel: 1 grey, 3 colour, 4 with opacity."""
    tex_adr: _Array[np.int64]
    """Where its pixels begin in `tex_data`."""
    tex_data: _Array[np.uint8]
    """Pixels, row by row, one byte per channel."""
    tex_pathadr: _Array[np.int32]
    """Where the name of its file begins in `paths`; −1: none."""
    mat_texid: _Array[np.int32]
    """Texture for each role (`mjtTextureRole`); −1: none."""
    mat_texuniform: _Array[np.uint8]
    """1: a flat texture repeats per metre, not per object; a cube is laid on before scaling."""
    mat_texrepeat: _Array[np.float32]
    """How often a flat texture repeats along x and y."""
    mat_emission: _Array[np.float32]
    """Light it gives off, as a share of its colour."""
    mat_specular: _Array[np.float32]
    """Brightness of its highlights, 0 to 1."""
    mat_shininess: _Array[np.float32]
    """Sharpness of its highlights, 0 to 1."""
    mat_reflectance: _Array[np.float32]
    """How much it mirrors, 0 to 1; 0: it is no mirror."""
    mat_metallic: _Array[np.float32]
    """How metallic it looks when rendered physically, 0 to 1; negative: not said."""
    mat_roughness: _Array[np.float32]
    """How rough it looks when rendered physically, 0 to 1; negative: not said."""
    mat_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1."""
    pair_dim: _Array[np.int32]
    """Directions of contact force: 1, 3, 4 or 6, as `geom_condim`."""
    pair_geom1: _Array[np.int32]
    """The geom of the body with the lower id."""
    pair_geom2: _Array[np.int32]
    """The geom of the body with the higher id."""
    pair_signature: _Array[np.int32]
    """Lower body id × 65,536 + higher body id; pairs are sorted by it."""
    pair_solref: _Array[np.float64]
    """Normal direction: time constant, s, and damping ratio; or −stiffness and −damping."""
    pair_solreffriction: _Array[np.float64]
    """The same of the friction directions; both 0: as the normal one."""
    pair_solimp: _Array[np.float64]
    """Least and largest impedance, width over which it rises, midpoint, power."""
    pair_margin: _Array[np.float64]
    """Distance at which a contact is found, m."""
    pair_gap: _Array[np.float64]
    """Part of the margin within which a found contact bears no force, m."""
    pair_friction: _Array[np.float64]
    """Coefficients of sliding along two axes, spinning (m), rolling about two axes (m)."""
    exclude_signature: _Array[np.int32]
    """Lower body id × 65,536 + higher body id, in ascending order."""
    eq_type: _Array[np.int32]
    """`mjtEq`: 0 connect, 1 weld, 2 joint, 3 tendon, …"""
    eq_obj1id: _Array[np.int32]
    """The first body, site, joint, tendon or flex."""
    eq_obj2id: _Array[np.int32]
    """The second body, site, joint or tendon; −1: none, the first is held where it is."""
    eq_objtype: _Array[np.int32]
    """What both are (`mjtObj`)."""
    eq_active0: _Array[np.uint8]
    """1: on when a simulation starts."""
    eq_solref: _Array[np.float64]
    """Time constant, s, and damping ratio; or −stiffness and −damping."""
    eq_solimp: _Array[np.float64]
    """Least and largest impedance, width over which it rises, midpoint, power."""
    eq_data: _Array[np.float64]
    """Connect: anchor in each body, m. Weld: anchor in the second and in the first, relative orientation, torque scale. Joint, tendon: coefficients of a polynomial, constant first."""
    tendon_adr: _Array[np.int32]
    """The first station of its path."""
    tendon_num: _Array[np.int32]
    """How many stations its path has."""
    tendon_matid: _Array[np.int32]
    """Material for drawing; −1: none."""
    tendon_group: _Array[np.int32]
    """Group by which viewers show and hide it."""
    tendon_treenum: _Array[np.int32]
    """How many kinematic trees its path runs through."""
    tendon_treeid: _Array[np.int32]
    """The first two of these trees; −1: none."""
    tendon_limited: _Array[np.uint8]
    """1: `tendon_range` is enforced."""
    tendon_actfrclimited: _Array[np.uint8]
    """1: the sum of actuator forces on it is clamped to `tendon_actfrcrange`."""
    tendon_width: _Array[np.float64]
    """Thickness for drawing, m."""
    tendon_solref_lim: _Array[np.float64]
    """Limits of its length: time constant, s, and damping ratio; or −stiffness and −damping."""
    tendon_solimp_lim: _Array[np.float64]
    """Limits of its length: least and largest impedance, width, midpoint, power."""
    tendon_solref_fri: _Array[np.float64]
    """Dry friction along it: time constant, s, and damping ratio; or −stiffness and −damping."""
    tendon_solimp_fri: _Array[np.float64]
    """Dry friction along it: least and largest impedance, width, midpoint, power."""
    tendon_range: _Array[np.float64]
    """Shortest and greatest length, m; of a fixed tendon in the unit of its joints."""
    tendon_actfrcrange: _Array[np.float64]
    """Lower and upper bound of the sum of actuator forces, N."""
    tendon_margin: _Array[np.float64]
    """Distance from a limit, m, at which its constraint begins."""
    tendon_stiffness: _Array[np.float64]
    """Spring along it, N/m; 0: none."""
    tendon_damping: _Array[np.float64]
    """Force per velocity of its length, N·s/m."""
    tendon_armature: _Array[np.float64]
    """Inertia that moves with its length, kg."""
    tendon_frictionloss: _Array[np.float64]
    """Largest force of dry friction along it, N; 0: none."""
    tendon_lengthspring: _Array[np.float64]
    """Lengths between which its spring is slack, m; equal ones: the resting length."""
    tendon_length0: _Array[np.float64]
    """Length at `qpos0`, m."""
    tendon_invweight0: _Array[np.float64]
    """Inverse inertia along it at `qpos0`, 1/kg."""
    tendon_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    tendon_rgba: _Array[np.float32]
    """Colour and opacity, 0 to 1, where no material says otherwise."""
    actuator_trntype: _Array[np.int32]
    """What it acts on (`mjtTrn`): 0 a joint, 3 a tendon, …"""
    actuator_dyntype: _Array[np.int32]
    """How a control drives its activation (`mjtDyn`); 0: it has none."""
    actuator_gaintype: _Array[np.int32]
    """How control or activation becomes force (`mjtGain`); 0: a constant factor."""
    actuator_biastype: _Array[np.int32]
    """What is added to that force (`mjtBias`); 0: nothing."""
    actuator_trnid: _Array[np.int32]
    """The joint, tendon, site or body; then the reference site, or slider of a crank; −1: none."""
    actuator_actadr: _Array[np.int32]
    """Where its activations begin in `act`; −1: it has none."""
    actuator_actnum: _Array[np.int32]
    """How many activations it has."""
    actuator_group: _Array[np.int32]
    """Group by which actuators are switched off and viewers show them."""
    actuator_history: _Array[np.int32]
    """Samples of its past controls that are kept, 0: none; and how to interpolate: 0 step, 1 linear, 2 cubic."""
    actuator_historyadr: _Array[np.int32]
    """Where these samples begin in the history; −1: none."""
    actuator_delay: _Array[np.float64]
    """Age of the control that acts, s; 0: the present one."""
    actuator_ctrllimited: _Array[np.uint8]
    """1: its control is clamped to `actuator_ctrlrange`."""
    actuator_forcelimited: _Array[np.uint8]
    """1: its force is clamped to `actuator_forcerange`."""
    actuator_actlimited: _Array[np.uint8]
    """1: its activation is clamped to `actuator_actrange`."""
    actuator_dynprm: _Array[np.float64]
    """Numbers of the dynamics: the time constant of a filter, s, first."""
    actuator_gainprm: _Array[np.float64]
    """Numbers of the gain: the factor, or factor, per length, per velocity; those of a muscle."""
    actuator_biasprm: _Array[np.float64]
    """Numbers of the bias: constant, per length, per velocity; those of a muscle."""
    actuator_actearly: _Array[np.uint8]
    """1: the force follows the activation at the end of the step, not at its start."""
    actuator_ctrlrange: _Array[np.float64]
    """Least and greatest control."""
    actuator_forcerange: _Array[np.float64]
    """Least and greatest force, N or N·m."""
    actuator_actrange: _Array[np.float64]
    """Least and greatest activation."""
    actuator_gear: _Array[np.float64]
    """Factor on length and force; three along the axes of ball joints, six for free joints and sites."""
    actuator_cranklength: _Array[np.float64]
    """Length of the connecting rod of a slider-crank, m."""
    actuator_acc0: _Array[np.float64]
    """Size of the joint acceleration that a unit of force causes at `qpos0`."""
    actuator_length0: _Array[np.float64]
    """Length of the transmission at `qpos0`, m or rad, times the gear."""
    actuator_lengthrange: _Array[np.float64]
    """Least and greatest length the transmission can have; muscles are scaled by it."""
    actuator_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    actuator_plugin: _Array[np.int32]
    """Instance of the plugin that computes its force; −1: none."""
    sensor_type: _Array[np.int32]
    """What is measured (`mjtSensor`)."""
    sensor_datatype: _Array[np.int32]
    """What readings can be (`mjtDataType`): any, positive, a direction, an orientation."""
    sensor_needstage: _Array[np.int32]
    """What must be known before (`mjtStage`): positions, velocities or accelerations."""
    sensor_objtype: _Array[np.int32]
    """Kind of the thing measured (`mjtObj`); 0: nothing in particular."""
    sensor_objid: _Array[np.int32]
    """The thing measured; −1: none."""
    sensor_reftype: _Array[np.int32]
    """Kind of the thing it is measured from (`mjtObj`); 0: the world."""
    sensor_refid: _Array[np.int32]
    """The thing it is measured from; −1: the world."""
    sensor_intprm: _Array[np.int32]
    """Settings: of contacts the bits of data, how they are reduced, how many; of rays the bits of data."""
    sensor_dim: _Array[np.int32]
    """How many readings it has."""
    sensor_adr: _Array[np.int32]
    """Where its readings begin in `sensordata`."""
    sensor_cutoff: _Array[np.float64]
    """Readings are clamped to ± this, positive ones to it; 0: not at all."""
    sensor_noise: _Array[np.float64]
    """Standard deviation of its noise, for the user: nothing is added."""
    sensor_history: _Array[np.int32]
    """Samples of its past readings that are kept, 0: none; and how to interpolate: 0 step, 1 linear, 2 cubic."""
    sensor_historyadr: _Array[np.int32]
    """Where these samples begin in the history; −1: none."""
    sensor_delay: _Array[np.float64]
    """Age of the reading that is shown, s; 0: the present one."""
    sensor_interval: _Array[np.float64]
    """Seconds between two samples, 0: every step; and their phase, s."""
    sensor_user: _Array[np.float64]
    """Numbers of the user's own: stored with the model and never read."""
    sensor_plugin: _Array[np.int32]
    """Instance of the plugin that computes its readings; −1: none."""
    qpos0: _Array[np.float64]
    """The position of the model as written, from which many constants follow."""
    qpos_spring: _Array[np.float64]
    """The position at which the springs of joints are at rest."""
    bvh_depth: _Array[np.int32]
    """How many nodes lie above it; 0: a root."""
    bvh_child: _Array[np.int32]
    """Its two children, counted within the tree; −1: none."""
    bvh_nodeid: _Array[np.int32]
    """The geom, triangle or element in a leaf; −1: not a leaf."""
    bvh_aabb: _Array[np.float64]
    """Box around it: centre, half sizes, m; in the inertial frame of the body, or the frame of the mesh."""
    oct_depth: _Array[np.int32]
    """How many cells lie above it; 0: a root."""
    oct_child: _Array[np.int32]
    """Its eight children, counted within the tree; −1: none."""
    oct_aabb: _Array[np.float64]
    """The cell in the frame of the mesh: centre, half sizes, m."""
    oct_coeff: _Array[np.float64]
    """Signed distance to the surface at its eight corners, m."""
    wrap_type: _Array[np.int32]
    """What a path meets there (`mjtWrap`)."""
    wrap_objid: _Array[np.int32]
    """The joint, site or geom; −1: a pulley."""
    wrap_prm: _Array[np.float64]
    """Of a joint its coefficient, of a pulley the divisor, of a geom the site on whose side to pass, −1: none."""
    plugin: _Array[np.int32]
    """Which of the known plugins each instance is of."""
    plugin_stateadr: _Array[np.int32]
    """Where the state of an instance begins in the simulation's."""
    plugin_statenum: _Array[np.int32]
    """How many numbers of state an instance has."""
    plugin_attr: _Array[np.int8]
    """Values of all settings as text, each closed by a zero."""
    plugin_attradr: _Array[np.int32]
    """Where the settings of an instance begin in `plugin_attr`."""
    numeric_adr: _Array[np.int32]
    """Where the numbers of a field begin in `numeric_data`."""
    numeric_size: _Array[np.int32]
    """How many numbers a field has."""
    numeric_data: _Array[np.float64]
    """The numbers of all fields, one field after the other."""
    text_adr: _Array[np.int32]
    """Where a text begins in `text_data`."""
    text_size: _Array[np.int32]
    """Bytes of a text, its closing zero included."""
    @property
    def text_data(self) -> bytes:
        """All texts, each closed by a zero."""
    tuple_adr: _Array[np.int32]
    """The first object of a tuple in the three arrays below."""
    tuple_size: _Array[np.int32]
    """How many objects a tuple has."""
    tuple_objtype: _Array[np.int32]
    """Kind of each object (`mjtObj`)."""
    tuple_objid: _Array[np.int32]
    """Which object of that kind."""
    tuple_objprm: _Array[np.float64]
    """A number that the user gave to each object."""
    key_time: _Array[np.float64]
    """Time at which a simulation that is reset to it begins, s."""
    key_qpos: _Array[np.float64]
    """Positions of a keyframe, as in `qpos`."""
    key_qvel: _Array[np.float64]
    """Velocities of a keyframe, as in `qvel`."""
    key_act: _Array[np.float64]
    """Activations of a keyframe, as in `act`."""
    key_mpos: _Array[np.float64]
    """Positions of the mocap bodies, world, m."""
    key_mquat: _Array[np.float64]
    """Orientations of the mocap bodies, world."""
    key_ctrl: _Array[np.float64]
    """Controls of a keyframe, as in `ctrl`."""
    name_bodyadr: _Array[np.int32]
    """Where the name of a body begins in `names`; that of one without is empty."""
    name_jntadr: _Array[np.int32]
    """Where the name of a joint begins in `names`; that of one without is empty."""
    name_geomadr: _Array[np.int32]
    """Where the name of a geom begins in `names`; that of one without is empty."""
    name_siteadr: _Array[np.int32]
    """Where the name of a site begins in `names`; that of one without is empty."""
    name_camadr: _Array[np.int32]
    """Where the name of a camera begins in `names`; that of one without is empty."""
    name_lightadr: _Array[np.int32]
    """Where the name of a light begins in `names`; that of one without is empty."""
    name_flexadr: _Array[np.int32]
    """Where the name of a flex begins in `names`; that of one without is empty."""
    name_meshadr: _Array[np.int32]
    """Where the name of a mesh begins in `names`; that of one without is empty."""
    name_skinadr: _Array[np.int32]
    """Where the name of a skin begins in `names`; that of one without is empty."""
    name_hfieldadr: _Array[np.int32]
    """Where the name of a height field begins in `names`; that of one without is empty."""
    name_texadr: _Array[np.int32]
    """Where the name of a texture begins in `names`; that of one without is empty."""
    name_matadr: _Array[np.int32]
    """Where the name of a material begins in `names`; that of one without is empty."""
    name_pairadr: _Array[np.int32]
    """Where the name of a pair of geoms begins in `names`; that of one without is empty."""
    name_excludeadr: _Array[np.int32]
    """Where the name of an excluded pair begins in `names`; that of one without is empty."""
    name_eqadr: _Array[np.int32]
    """Where the name of an equality constraint begins in `names`; that of one without is empty."""
    name_tendonadr: _Array[np.int32]
    """Where the name of a tendon begins in `names`; that of one without is empty."""
    name_actuatoradr: _Array[np.int32]
    """Where the name of an actuator begins in `names`; that of one without is empty."""
    name_sensoradr: _Array[np.int32]
    """Where the name of a sensor begins in `names`; that of one without is empty."""
    name_numericadr: _Array[np.int32]
    """Where the name of a field of numbers begins in `names`; that of one without is empty."""
    name_textadr: _Array[np.int32]
    """Where the name of a text begins in `names`; that of one without is empty."""
    name_tupleadr: _Array[np.int32]
    """Where the name of a tuple begins in `names`; that of one without is empty."""
    name_keyadr: _Array[np.int32]
    """Where the name of a keyframe begins in `names`; that of one without is empty."""
    name_pluginadr: _Array[np.int32]
    """Where the name of a plugin instance begins in `names`; that of one without is empty."""
    @property
    def names(self) -> bytes:
        """All names, the model's first, each closed by a zero."""
    names_map: _Array[np.int32]
    """Hash table from names to ids, one part for each kind of object; −1: a free slot."""
    @property
    def paths(self) -> bytes:
        """File names of all assets, each closed by a zero."""
    B_rownnz: _Array[np.int32]
    """Entries in a body's row: degrees of freedom above, in or below it."""
    B_rowadr: _Array[np.int32]
    """Where a body's row begins."""
    B_colind: _Array[np.int32]
    """The degree of freedom of each entry, ascending in each row."""
    M_rownnz: _Array[np.int32]
    """Entries in a row of the inertia: the ancestors and itself; a simple one itself alone."""
    M_rowadr: _Array[np.int32]
    """Where a row of the inertia begins."""
    M_colind: _Array[np.int32]
    """The column of each entry, ascending in each row; the diagonal is last."""
    mapM2M: _Array[np.int32]
    """Where each entry of the inertia stands in `qM`, its older layout."""
    D_rownnz: _Array[np.int32]
    """Entries in a row of D: ancestors, itself and descendants."""
    D_rowadr: _Array[np.int32]
    """Where a row of D begins."""
    D_diag: _Array[np.int32]
    """Place of the diagonal within its row."""
    D_colind: _Array[np.int32]
    """The column of each entry, ascending in each row."""
    mapM2D: _Array[np.int32]
    """For each entry of D the one of the inertia that it is, or mirrors."""
    mapD2M: _Array[np.int32]
    """For each entry of the inertia the one of D."""
    def actuator(self, name: int | str = ...) -> _MjModelActuatorViews: ...
    def body(self, name: int | str = ...) -> _MjModelBodyViews: ...
    def camera(self, name: int | str = ...) -> _MjModelCameraViews: ...
    def cam(self, name: int | str = ...) -> _MjModelCameraViews: ...
    def equality(self, name: int | str = ...) -> _MjModelEqualityViews: ...
    def eq(self, name: int | str = ...) -> _MjModelEqualityViews: ...
    def exclude(self, name: int | str = ...) -> _MjModelExcludeViews: ...
    def flex(self, name: int | str = ...) -> _MjModelFlexViews: ...
    def geom(self, name: int | str = ...) -> _MjModelGeomViews: ...
    def hfield(self, name: int | str = ...) -> _MjModelHfieldViews: ...
    def joint(self, name: int | str = ...) -> _MjModelJointViews: ...
    def jnt(self, name: int | str = ...) -> _MjModelJointViews: ...
    def keyframe(self, name: int | str = ...) -> _MjModelKeyframeViews: ...
    def key(self, name: int | str = ...) -> _MjModelKeyframeViews: ...
    def light(self, name: int | str = ...) -> _MjModelLightViews: ...
    def material(self, name: int | str = ...) -> _MjModelMaterialViews: ...
    def mat(self, name: int | str = ...) -> _MjModelMaterialViews: ...
    def mesh(self, name: int | str = ...) -> _MjModelMeshViews: ...
    def numeric(self, name: int | str = ...) -> _MjModelNumericViews: ...
    def pair(self, name: int | str = ...) -> _MjModelPairViews: ...
    def sensor(self, name: int | str = ...) -> _MjModelSensorViews: ...
    def site(self, name: int | str = ...) -> _MjModelSiteViews: ...
    def skin(self, name: int | str = ...) -> _MjModelSkinViews: ...
    def tendon(self, name: int | str = ...) -> _MjModelTendonViews: ...
    def texture(self, name: int | str = ...) -> _MjModelTextureViews: ...
    def tex(self, name: int | str = ...) -> _MjModelTextureViews: ...
    def tuple(self, name: int | str = ...) -> _MjModelTupleViews: ...

class MjData:
    model: MjModel
    hooks: Hooks
    time: float
    @property
    def contact(self) -> _ContactList: ...
    @property
    def warning(self) -> _WarningList: ...
    @property
    def solver(self) -> _SolverList: ...
    @property
    def timer(self) -> _TimerList: ...
    @property
    def nJ(self) -> int: ...
    @property
    def nA(self) -> int: ...
    def __init__(self, model: MjModel) -> None: ...
    @property
    def signature(self) -> int: ...
    def bind(self, specs: Any) -> Any: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: Any) -> MjData: ...
    qpos: _Array[np.float64]
    """Positions."""
    qvel: _Array[np.float64]
    """Velocities."""
    act: _Array[np.float64]
    """Actuator activations."""
    history: _Array[np.float64]
    """Delayed controls and sensor readings."""
    qacc_warmstart: _Array[np.float64]
    """Acceleration of the previous step, where the constraint solver starts."""
    plugin_state: _Array[np.float64]
    """Plugin state."""
    ctrl: _Array[np.float64]
    """Controls."""
    qfrc_applied: _Array[np.float64]
    """Applied generalised force."""
    xfrc_applied: _Array[np.float64]
    """Applied force and torque at each body's centre of mass, world frame."""
    eq_active: _Array[np.uint8]
    """Which equality constraints are active."""
    mocap_pos: _Array[np.float64]
    """Positions of mocap bodies."""
    mocap_quat: _Array[np.float64]
    """Orientations of mocap bodies."""
    userdata: _Array[np.float64]
    """User data."""
    xpos: _Array[np.float64]
    """Body positions."""
    xquat: _Array[np.float64]
    """Body orientations."""
    xmat: _Array[np.float64]
    """Body orientations."""
    xipos: _Array[np.float64]
    """Centres of mass."""
    ximat: _Array[np.float64]
    """Orientations of the principal axes."""
    xanchor: _Array[np.float64]
    """Joint anchors."""
    xaxis: _Array[np.float64]
    """Joint axes."""
    geom_xpos: _Array[np.float64]
    """Geom positions."""
    geom_xmat: _Array[np.float64]
    """Geom orientations."""
    site_xpos: _Array[np.float64]
    """Site positions."""
    site_xmat: _Array[np.float64]
    """Site orientations."""
    subtree_com: _Array[np.float64]
    """Centre of mass of each body's subtree."""
    cdof: _Array[np.float64]
    """Unit motion of each degree of freedom: rotation, translation."""
    cinert: _Array[np.float64]
    """Body inertias."""
    cam_xpos: _Array[np.float64]
    """Camera positions."""
    cam_xmat: _Array[np.float64]
    """Camera orientations; a camera looks along −z."""
    light_xpos: _Array[np.float64]
    """Light positions."""
    light_xdir: _Array[np.float64]
    """Light directions."""
    flexvert_xpos: _Array[np.float64]
    """Position of each vertex in the world, m."""
    flexelem_aabb: _Array[np.float64]
    """Box around each element, with its radius: centre and half size in the world, m."""
    flexedge_J: _Array[np.float64]
    """Jacobian of the lengths of edges."""
    flexedge_length: _Array[np.float64]
    """Length of each edge, m."""
    flexvert_J: _Array[np.float64]
    """Jacobian of the strain at vertices."""
    flexvert_length: _Array[np.float64]
    """Strain at each vertex: change of trace and of determinant, times the root of its mass."""
    bvh_aabb_dyn: _Array[np.float64]
    """Boxes of the trees that move: centre and half size in the world, m."""
    ten_wrapadr: _Array[np.int32]
    """First path point of each tendon."""
    ten_wrapnum: _Array[np.int32]
    """Number of path points of each tendon."""
    ten_J_rownnz: _Array[np.int32]
    """Entries of each row of a sparse Jacobian."""
    ten_J_rowadr: _Array[np.int32]
    """First entry of each row of a sparse Jacobian."""
    ten_J_colind: _Array[np.int32]
    """Columns of a sparse Jacobian."""
    ten_J: _Array[np.float64]
    """Jacobian."""
    ten_length: _Array[np.float64]
    """Lengths."""
    wrap_obj: _Array[np.int32]
    """What each path point lies on: geom id, −1 site, −2 pulley."""
    wrap_xpos: _Array[np.float64]
    """Path points in the world frame."""
    crb: _Array[np.float64]
    """Inertia of each body's subtree about the tree's centre of mass."""
    qM: _Array[np.float64]
    """Inertia matrix, older layout: rows from the diagonal up the ancestors."""
    M: _Array[np.float64]
    """Inertia matrix, compressed rows of the lower triangle, diagonal last."""
    qLD: _Array[np.float64]
    """Factor LᵀDL in the layout of M."""
    qLDiagInv: _Array[np.float64]
    """1/D."""
    actuator_length: _Array[np.float64]
    """Lengths."""
    moment_rownnz: _Array[np.int32]
    """Entries of each row of the moment matrix."""
    moment_rowadr: _Array[np.int32]
    """First entry of each row."""
    moment_colind: _Array[np.int32]
    """Columns of the entries."""
    actuator_moment: _Array[np.float64]
    """Moments."""
    ten_velocity: _Array[np.float64]
    """Tendon velocities."""
    actuator_velocity: _Array[np.float64]
    """Actuator velocities."""
    flexedge_velocity: _Array[np.float64]
    """How fast each edge of a flex grows, m/s."""
    cvel: _Array[np.float64]
    """Velocities of bodies: rotation, translation."""
    cdof_dot: _Array[np.float64]
    """Rates of change of `cdof`."""
    qfrc_spring: _Array[np.float64]
    """Springs of joints, tendons and flexes, and contacts of passive flexes."""
    qfrc_damper: _Array[np.float64]
    """Dampers of joints, tendons and flexes."""
    qfrc_gravcomp: _Array[np.float64]
    """Gravity compensation."""
    qfrc_fluid: _Array[np.float64]
    """Fluid."""
    qfrc_passive: _Array[np.float64]
    """Sum of the passive forces."""
    qfrc_bias: _Array[np.float64]
    """Coriolis, centrifugal and gravitational force."""
    subtree_linvel: _Array[np.float64]
    """Linear velocity of each subtree's centre of mass."""
    subtree_angmom: _Array[np.float64]
    """Angular momentum of each subtree about its centre of mass."""
    act_dot: _Array[np.float64]
    """Rates of change of activations."""
    actuator_force: _Array[np.float64]
    """Forces along the actuators."""
    qfrc_actuator: _Array[np.float64]
    """Total generalised force of the actuators."""
    qfrc_smooth: _Array[np.float64]
    """Passive − bias + applied + actuator force."""
    qacc_smooth: _Array[np.float64]
    """M⁻¹·qfrc_smooth."""
    qacc: _Array[np.float64]
    """Acceleration."""
    qfrc_constraint: _Array[np.float64]
    """Generalised force of the constraints."""
    cacc: _Array[np.float64]
    """Accelerations, gravity included."""
    cfrc_int: _Array[np.float64]
    """Force and torque from the parent."""
    cfrc_ext: _Array[np.float64]
    """External force and torque."""
    qfrc_inverse: _Array[np.float64]
    """Force that causes `qacc`."""
    qH: _Array[np.float64]
    """Factor of the modified inertia M − h·∂f/∂v, layout of M."""
    qHDiagInv: _Array[np.float64]
    """Inverse diagonal of that factor."""
    qDeriv: _Array[np.float64]
    """Derivative of smooth forces with respect to velocity."""
    qLU: _Array[np.float64]
    """Factor of M − h·∂f/∂v, both triangles."""
    sensordata: _Array[np.float64]
    """Readings, sensor after sensor."""
    energy: _Array[np.float64]
    """Potential and kinetic energy, J."""
    def actuator(self, name: int | str = ...) -> _MjDataActuatorViews: ...
    def body(self, name: int | str = ...) -> _MjDataBodyViews: ...
    def camera(self, name: int | str = ...) -> _MjDataCameraViews: ...
    def cam(self, name: int | str = ...) -> _MjDataCameraViews: ...
    def geom(self, name: int | str = ...) -> _MjDataGeomViews: ...
    def joint(self, name: int | str = ...) -> _MjDataJointViews: ...
    def jnt(self, name: int | str = ...) -> _MjDataJointViews: ...
    def light(self, name: int | str = ...) -> _MjDataLightViews: ...
    def sensor(self, name: int | str = ...) -> _MjDataSensorViews: ...
    def site(self, name: int | str = ...) -> _MjDataSiteViews: ...
    def tendon(self, name: int | str = ...) -> _MjDataTendonViews: ...
    def ten(self, name: int | str = ...) -> _MjDataTendonViews: ...
    @property
    def ncon(self) -> int: ...
    @property
    def ne(self) -> int: ...
    @property
    def nf(self) -> int: ...
    @property
    def nl(self) -> int: ...
    @property
    def nefc(self) -> int: ...
    @property
    def nisland(self) -> int: ...
    @property
    def nidof(self) -> int: ...
    efc_type: _Array[np.int32]
    efc_id: _Array[np.int32]
    efc_J_rownnz: _Array[np.int32]
    efc_J_rowadr: _Array[np.int32]
    efc_J_rowsuper: _Array[np.int32]
    efc_J_colind: _Array[np.int32]
    efc_J: _Array[np.float64]
    efc_pos: _Array[np.float64]
    efc_margin: _Array[np.float64]
    efc_frictionloss: _Array[np.float64]
    efc_diagApprox: _Array[np.float64]
    efc_KBIP: _Array[np.float64]
    efc_D: _Array[np.float64]
    efc_R: _Array[np.float64]
    efc_AR_rownnz: _Array[np.int32]
    efc_AR_rowadr: _Array[np.int32]
    efc_AR_colind: _Array[np.int32]
    efc_AR: _Array[np.float64]
    efc_vel: _Array[np.float64]
    efc_aref: _Array[np.float64]
    efc_b: _Array[np.float64]
    efc_force: _Array[np.float64]
    efc_state: _Array[np.int32]
    efc_island: _Array[np.int32]
    tendon_efcadr: _Array[np.int32]
    tree_island: _Array[np.int32]
    dof_island: _Array[np.int32]
    island_nv: _Array[np.int32]
    island_idofadr: _Array[np.int32]
    island_ne: _Array[np.int32]
    island_nf: _Array[np.int32]
    island_nefc: _Array[np.int32]
    island_iefcadr: _Array[np.int32]
    map_idof2dof: _Array[np.int32]
    map_dof2idof: _Array[np.int32]
    map_iefc2efc: _Array[np.int32]
    map_efc2iefc: _Array[np.int32]
    solver_niter: _Array[np.int32]
    solver_nnz: _Array[np.int32]
    solver_fwdinv: _Array[np.float64]
    @property
    def tree_asleep(self) -> npt.NDArray[np.int32]: ...
    @property
    def tree_awake(self) -> npt.NDArray[np.int32]: ...
    @property
    def body_awake(self) -> npt.NDArray[np.int32]: ...
    @property
    def body_awake_ind(self) -> npt.NDArray[np.int32]: ...
    @property
    def parent_awake_ind(self) -> npt.NDArray[np.int32]: ...
    @property
    def dof_awake_ind(self) -> npt.NDArray[np.int32]: ...
    @property
    def ntree_awake(self) -> int: ...
    @property
    def nbody_awake(self) -> int: ...
    @property
    def nparent_awake(self) -> int: ...
    @property
    def nv_awake(self) -> int: ...
    @property
    def bvh_active(self) -> npt.NDArray[np.uint8]: ...
    @property
    def plugin(self) -> npt.NDArray[np.int32]: ...
    @property
    def plugin_data(self) -> npt.NDArray[np.uint64]: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def parena(self) -> int: ...
    @property
    def pstack(self) -> int: ...
    @property
    def pbase(self) -> int: ...
    @property
    def threadpool(self) -> int: ...
    @property
    def maxuse_arena(self) -> int: ...
    @property
    def maxuse_stack(self) -> int: ...
    @property
    def maxuse_con(self) -> int: ...
    @property
    def maxuse_efc(self) -> int: ...
    @property
    def maxuse_threadstack(self) -> npt.NDArray[np.uint64]: ...
    @property
    def island_ntree(self) -> npt.NDArray[np.int32]: ...
    @property
    def island_itreeadr(self) -> npt.NDArray[np.int32]: ...
    @property
    def island_dofadr(self) -> npt.NDArray[np.int32]: ...
    @property
    def map_itree2tree(self) -> npt.NDArray[np.int32]: ...
    @property
    def iM(self) -> npt.NDArray[np.float64]: ...
    @property
    def iLD(self) -> npt.NDArray[np.float64]: ...
    @property
    def iLDiagInv(self) -> npt.NDArray[np.float64]: ...
    @property
    def iM_rownnz(self) -> npt.NDArray[np.int32]: ...
    @property
    def iM_rowadr(self) -> npt.NDArray[np.int32]: ...
    @property
    def iM_colind(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_J(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_J_rownnz(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_J_rowadr(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_J_rowsuper(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_J_colind(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_type(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_id(self) -> npt.NDArray[np.int32]: ...
    @property
    def iefc_frictionloss(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_D(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_R(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_aref(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_force(self) -> npt.NDArray[np.float64]: ...
    @property
    def iefc_state(self) -> npt.NDArray[np.int32]: ...
    @property
    def iacc(self) -> npt.NDArray[np.float64]: ...
    @property
    def iacc_smooth(self) -> npt.NDArray[np.float64]: ...
    @property
    def ifrc_smooth(self) -> npt.NDArray[np.float64]: ...
    @property
    def ifrc_constraint(self) -> npt.NDArray[np.float64]: ...
    @property
    def flg_energypos(self) -> int: ...
    @property
    def flg_energyvel(self) -> int: ...
    @property
    def flg_subtreevel(self) -> int: ...
    @property
    def flg_rnepost(self) -> int: ...

class MjLROpt:
    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float

def get_mjcb_act_bias() -> Hook | None:
    """The hook ``act_bias`` of every simulation that has none of its own."""

def get_mjcb_act_dyn() -> Hook | None:
    """The hook ``act_dyn`` of every simulation that has none of its own."""

def get_mjcb_act_gain() -> Hook | None:
    """The hook ``act_gain`` of every simulation that has none of its own."""

def get_mjcb_contactfilter() -> Hook | None:
    """The hook ``contactfilter`` of every simulation that has none of its own."""

def get_mjcb_control() -> Hook | None:
    """The hook ``control`` of every simulation that has none of its own."""

def get_mjcb_passive() -> Hook | None:
    """The hook ``passive`` of every simulation that has none of its own."""

def get_mjcb_sensor() -> Hook | None:
    """The hook ``sensor`` of every simulation that has none of its own."""

def get_mjcb_time() -> Hook | None:
    """The hook ``time`` of every simulation that has none of its own."""

def get_mju_user_warning() -> Hook | None:
    """The function that gets the text of warnings."""

def mj_Euler(m: MjModel, d: MjData) -> None:
    """Advances the state by the semi-implicit Euler rule."""

def mj_RungeKutta(m: MjModel, d: MjData, N: int) -> None:
    """Advances the state by Runge and Kutta's rule of order 4; accelerations must be current."""

def mj_addContact(m: MjModel, d: MjData, con: MjContact) -> int:
    """Adds a contact behind those found; ``mj_makeConstraint`` then makes its rows. Returns 0."""

def mj_addM(m: MjModel, d: MjData, dst: _Vector, rownnz: npt.NDArray[np.int32], rowadr: npt.NDArray[np.int32], colind: npt.NDArray[np.int32]) -> None:
    """Adds the inertia to a sparse matrix, whose rows must have room for it."""

def mj_angmomMat(m: MjModel, d: MjData, mat: _Vector, body: int) -> None:
    """The matrix that turns velocities into the angular momentum of a body's subtree about its centre of mass."""

def mj_applyFT(m: MjModel, d: MjData, force: npt.ArrayLike, torque: npt.ArrayLike, point: npt.ArrayLike, body: int, qfrc_target: _Vector) -> None:
    """Adds the generalised force of a force and a torque (world frame) at a point of a body."""

def mj_camlight(m: MjModel, d: MjData) -> None:
    """Poses of cameras and lights."""

def mj_checkAcc(m: MjModel, d: MjData) -> None:
    """Counts and resets bad accelerations."""

def mj_checkPos(m: MjModel, d: MjData) -> None:
    """Counts and resets bad positions."""

def mj_checkVel(m: MjModel, d: MjData) -> None:
    """Counts and resets bad velocities."""

def mj_clearCache(cache: object) -> None:
    """Empties the cache, which is empty."""

def mj_collision(m: MjModel, d: MjData) -> None:
    """Contacts between geoms."""

def mj_comPos(m: MjModel, d: MjData) -> None:
    """Centres of mass, inertias and motion axes about them."""

def mj_comVel(m: MjModel, d: MjData) -> None:
    """Spatial velocities about the centres of mass."""

def mj_compareFwdInv(m: MjModel, d: MjData) -> None:
    """How well inverse dynamics returns what forward dynamics was given, into `solver_fwdinv`."""

def mj_constraintUpdate(m: MjModel, d: MjData, jar: npt.ArrayLike, cost: _Vector | None, flg_coneHessian: int) -> None:
    """Forces and states of the constraint rows for residuals ``jar``, and their cost."""

def mj_contactForce(m: MjModel, d: MjData, id: int, result: _Vector) -> None:
    """Force and torque of a contact in its own frame."""

def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None:
    """Copies everything from one simulation to another of the same model."""

def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: int) -> None:
    """Copies the chosen components from one simulation to another."""

def mj_crb(m: MjModel, d: MjData) -> None:
    """Joint-space inertia of the bodies, without the armature of tendons."""

def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Fills in the usual settings."""

def mj_defaultOption(opt: MjOption) -> None:
    """Sets the options of an empty model."""

def mj_defaultSolRefImp(solref: _Vector, solimp: _Vector) -> None:
    """Sets the usual parameters of a constraint: 2 and 5 numbers."""

def mj_defaultVisual(vis: MjVisual) -> None:
    """Sets the visual settings of an empty model."""

def mj_differentiatePos(m: MjModel, qvel: _Vector, dt: float, qpos1: npt.ArrayLike, qpos2: npt.ArrayLike) -> None:
    """The velocity that leads from one position to another in a time."""

def mj_energyPos(m: MjModel, d: MjData) -> None:
    """Potential energy, into `energy[0]`."""

def mj_energyVel(m: MjModel, d: MjData) -> None:
    """Kinetic energy, into `energy[1]`."""

def mj_extractState(m: MjModel, src: npt.ArrayLike, srcsig: int, dst: _Vector, dstsig: int) -> None:
    """Takes some components out of a vector that has them and others."""

def mj_factorM(m: MjModel, d: MjData) -> None:
    """Factor of the joint-space inertia."""

def mj_flex(m: MjModel, d: MjData) -> None:
    """Vertices, boxes and edges of flexes."""

def mj_forward(m: MjModel, d: MjData) -> None:
    """All derived quantities of the current state and input."""

def mj_forwardSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Forward dynamics of what comes after a stage (``mjtStage``) that is still current."""

def mj_fullM(m: MjModel, dst: _Vector, M: npt.ArrayLike) -> None:
    """Writes out a symmetric matrix in the layout of ``qM``."""

def mj_fwdAcceleration(m: MjModel, d: MjData) -> None:
    """Sum of the smooth forces and the acceleration it causes."""

def mj_fwdActuation(m: MjModel, d: MjData) -> None:
    """Actuator forces and activation rates."""

def mj_fwdConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces and the resulting acceleration."""

def mj_fwdKinematics(m: MjModel, d: MjData) -> None:
    """Poses, centres of mass, cameras and lights, tendons."""

def mj_fwdPosition(m: MjModel, d: MjData) -> None:
    """Everything that depends on positions alone."""

def mj_fwdVelocity(m: MjModel, d: MjData) -> None:
    """Everything that depends on positions and velocities."""

def mj_geomDistance(m: MjModel, d: MjData, geom1: int, geom2: int, distmax: float, fromto: _Vector | None) -> float:
    """Distance of two geoms, at most ``distmax``; the points that realise it go to ``fromto``."""

def mj_getCache() -> object:
    """The cache of assets, of which there is one."""

def mj_getCacheCapacity(cache: object) -> int:
    """Bytes that the cache may hold."""

def mj_getCacheSize(cache: object) -> int:
    """Bytes in the cache: none."""

def mj_getState(m: MjModel, d: MjData, state: _Vector, sig: int) -> None:
    """Copies the chosen components of state and input into a vector."""

def mj_getTotalmass(m: MjModel) -> float:
    """Sum of the masses of all bodies."""

def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """The name of an object; None when it has none or does not exist."""

def mj_implicit(m: MjModel, d: MjData) -> None:
    """Advances the state by the implicit rule that the model asks for; accelerations must be current."""

def mj_initCtrlHistory(m: MjModel, d: MjData, id: int, times: npt.ArrayLike | None, values: npt.ArrayLike) -> None:
    """Sets the history of a control, oldest first; the times stay as they are where none are given."""

def mj_initSensorHistory(m: MjModel, d: MjData, id: int, times: npt.ArrayLike | None, values: npt.ArrayLike, phase: float) -> None:
    """Sets the history of a sensor, oldest first, and when it was last sampled."""

def mj_integratePos(m: MjModel, qpos: _Vector, qvel: npt.ArrayLike, dt: float) -> None:
    """Moves positions with a velocity for a time, in place."""

def mj_invConstraint(m: MjModel, d: MjData) -> None:
    """Constraint forces at the accelerations `qacc`."""

def mj_invPosition(m: MjModel, d: MjData) -> None:
    """The positions' part of inverse dynamics."""

def mj_invVelocity(m: MjModel, d: MjData) -> None:
    """The velocities' part of inverse dynamics."""

def mj_inverse(m: MjModel, d: MjData) -> None:
    """The force that makes the accelerations `qacc`, into `qfrc_inverse`."""

def mj_inverseSkip(m: MjModel, d: MjData, skipstage: int, skipsensor: int) -> None:
    """Inverse dynamics of what comes after a stage (``mjtStage``) that is still current."""

def mj_isDual(m: MjModel) -> int:
    """1 if the solver works on forces."""

def mj_isPyramidal(m: MjModel) -> int:
    """1 if friction cones are pyramids."""

def mj_isSparse(m: MjModel) -> int:
    """1 if Jacobians are stored sparse."""

def mj_island(m: MjModel, d: MjData) -> None:
    """Groups of trees that constraints tie together."""

def mj_jac(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, point: npt.ArrayLike, body: int) -> None:
    """Jacobians of a point (world frame) fixed in a body."""

def mj_jacBody(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, body: int) -> None:
    """Jacobians of a body's frame."""

def mj_jacBodyCom(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, body: int) -> None:
    """Jacobians of a body's centre of mass."""

def mj_jacDot(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, point: npt.ArrayLike, body: int) -> None:
    """Time derivatives of the Jacobians of a point (world frame) fixed in a body."""

def mj_jacGeom(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, geom: int) -> None:
    """Jacobians of a geom's frame."""

def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: _Vector | None, jacAxis: _Vector | None, point: npt.ArrayLike, axis: npt.ArrayLike, body: int) -> None:
    """Jacobians of a point and of an axis (world frame) fixed in a body."""

def mj_jacSite(m: MjModel, d: MjData, jacp: _Vector | None, jacr: _Vector | None, site: int) -> None:
    """Jacobians of a site's frame."""

def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: _Vector | None, body: int) -> None:
    """Jacobian of the centre of mass of a body's subtree."""

def mj_kinematics(m: MjModel, d: MjData) -> None:
    """Poses of bodies, joints, geoms and sites."""

def mj_local2Global(d: MjData, xpos: _Vector, xmat: _Vector, pos: npt.ArrayLike, quat: npt.ArrayLike, body: int, sameframe: int) -> None:
    """World pose of a frame given in a body; ``sameframe`` (``mjtSameFrame``) says which parts are the body's own."""

def mj_makeConstraint(m: MjModel, d: MjData) -> None:
    """Constraint rows: equalities, dry friction, limits, contacts."""

def mj_makeM(m: MjModel, d: MjData) -> None:
    """Joint-space inertia."""

def mj_mulJacTVec(m: MjModel, d: MjData, res: _Vector, vec: npt.ArrayLike) -> None:
    """res = Jᵀ·vec: the generalised force of forces of the constraint rows."""

def mj_mulJacVec(m: MjModel, d: MjData, res: _Vector, vec: npt.ArrayLike) -> None:
    """res = J·vec: a velocity or acceleration of every constraint row."""

def mj_mulM(m: MjModel, d: MjData, res: _Vector, vec: npt.ArrayLike) -> None:
    """res = M·vec."""

def mj_mulM2(m: MjModel, d: MjData, res: _Vector, vec: npt.ArrayLike) -> None:
    """res = D^½·L·vec, whose square is vec·M·vec, where M = Lᵀ·D·L."""

def mj_multiRay(m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: int, bodyexclude: int, geomid: npt.NDArray[np.int32], dist: _Vector, normal: _Vector | None, nray: int, cutoff: float) -> None:
    """Several rays from one point. Geoms whose bounding sphere is farther than ``cutoff`` are not met."""

def mj_name2id(m: MjModel, type: int, name: str) -> int:
    """The id of the object of this kind and name; -1 when there is none."""

def mj_normalizeQuat(m: MjModel, qpos: _Vector) -> None:
    """Normalises the quaternions among positions, in place."""

def mj_objectAcceleration(m: MjModel, d: MjData, objtype: int, objid: int, res: _Vector, flg_local: int) -> None:
    """Acceleration of an object, gravity included: rotation, translation; in its own axes if ``flg_local``."""

def mj_objectVelocity(m: MjModel, d: MjData, objtype: int, objid: int, res: _Vector, flg_local: int) -> None:
    """Velocity of an object: rotation, translation; in its own axes if ``flg_local``."""

def mj_passive(m: MjModel, d: MjData) -> None:
    """Springs, dampers, gravity compensation, fluid."""

def mj_printData(m: MjModel, d: MjData, filename: str) -> None:
    """Writes all arrays of a simulation into a file, for people to read."""

def mj_printFormattedData(m: MjModel, d: MjData, filename: str, float_format: str) -> None:
    """As ``mj_printData``, with floats in a format such as ``"%.6g"``."""

def mj_printFormattedModel(m: MjModel, filename: str, float_format: str) -> None:
    """As ``mj_printModel``, with floats in a format such as ``"%.6g"``."""

def mj_printModel(m: MjModel, filename: str) -> None:
    """Writes all sizes, options and arrays of a model into a file, for people to read."""

def mj_printSchema(flg_html: bool, flg_pad: bool) -> str:
    """All elements with the attributes they take, as text or as an HTML table, indented by style or by blanks."""

def mj_projectConstraint(m: MjModel, d: MjData) -> None:
    """Couplings of the constraint rows, for solvers that work on forces."""

def mj_ray(m: MjModel, d: MjData, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomgroup: npt.ArrayLike | None, flg_static: int, bodyexclude: int, geomid: npt.NDArray[np.int32] | None, normal: _Vector | None = None) -> float:
    """How far a ray goes until it meets a geom, in units of ``vec``; -1 if it meets none.

    ``geomgroup`` chooses groups by six flags; geoms of bodies that cannot move count only if ``flg_static``; those
    of the body ``bodyexclude`` do not. The geom met goes to ``geomid``, the surface normal there to ``normal``.
    """

def mj_rayFlex(m: MjModel, d: MjData, flex_layer: int, flg_vert: int, flg_edge: int, flg_face: int, flg_skin: int, flexid: int, pnt: npt.ArrayLike, vec: npt.ArrayLike, vertid: npt.NDArray[np.int32] | None = None, normal: _Vector | None = None) -> float:
    """How far a ray goes until it meets a flex; -1 if it does not.

    Flags choose vertices, edges, faces (of a solid: in the layer ``flex_layer``) or the whole surface. The nearest
    vertex goes to ``vertid``, the surface normal there to ``normal``.
    """

def mj_rayHfield(m: MjModel, d: MjData, geomid: int, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: _Vector | None = None) -> float:
    """How far a ray goes until it meets a height field; -1 if it does not."""

def mj_rayMesh(m: MjModel, d: MjData, geomid: int, pnt: npt.ArrayLike, vec: npt.ArrayLike, normal: _Vector | None = None) -> float:
    """How far a ray goes until it meets a mesh geom; -1 if it does not."""

def mj_readCtrl(m: MjModel, d: MjData, id: int, time: float, interp: int) -> float:
    """The control of an actuator that acts at a time, its delay counted; ``interp`` -1 is the actuator's own rule."""

def mj_readSensor(m: MjModel, d: MjData, id: int, time: float, result: _Vector, interp: int) -> _Vector:
    """What a sensor reads at a time, its delay counted; ``interp`` -1 is the sensor's own rule. Returns ``result``."""

def mj_referenceConstraint(m: MjModel, d: MjData) -> None:
    """What the constraint rows aim at."""

def mj_resetCallbacks() -> None:
    """Removes the hooks that belong to every simulation."""

def mj_resetData(m: MjModel, d: MjData) -> None:
    """Back to the model's initial state. A simulation that refused work after a fault is usable again."""

def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: int) -> None:
    """As ``mj_resetData``, with every byte of the floats that are computed from the state set to a value.

    What is read before it is computed then shows.
    """

def mj_resetDataKeyframe(m: MjModel, d: MjData, key: int) -> None:
    """Back to the state of a keyframe. Without such a keyframe IndexError is raised and nothing changes."""

def mj_rne(m: MjModel, d: MjData, flg_acc: int, result: _Vector) -> None:
    """Force by the recursive Newton–Euler algorithm, of the accelerations too if ``flg_acc``."""

def mj_rnePostConstraint(m: MjModel, d: MjData) -> None:
    """Accelerations of bodies and forces between them."""

def mj_saveLastXML(filename: str, m: MjModel) -> None:
    """Writes the model that was loaded last from a file or from text, with the values that ``m`` has."""

def mj_saveModel(m: MjModel, filename: str | None = None, buffer: _Vector | None = None) -> None:
    """Writes a model to a file, or into an array of bytes. The format is sinew's own."""

def mj_sensorAcc(m: MjModel, d: MjData) -> None:
    """Sensors that depend on forces and accelerations."""

def mj_sensorPos(m: MjModel, d: MjData) -> None:
    """Sensors that depend on positions."""

def mj_sensorVel(m: MjModel, d: MjData) -> None:
    """Sensors that depend on velocities."""

def mj_setCacheCapacity(cache: object, size: int) -> int:
    """Says how many bytes the cache may hold, and returns that."""

def mj_setConst(m: MjModel, d: MjData) -> None:
    """Derives again what depends on masses, inertias, ``qpos0`` and the like.

    Leaves ``d`` at ``qpos_spring``, with its poses, tendons and transmissions; inertia, cameras and lights are those at ``qpos0``.
    """

def mj_setKeyframe(m: MjModel, d: MjData, k: int) -> None:
    """Makes the present state the keyframe ``k`` of the model."""

def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None:
    """Finds ``actuator_lengthrange`` of an actuator by pulling it to both ends, where the options ask for it."""

def mj_setState(m: MjModel, d: MjData, state: npt.ArrayLike, sig: int) -> None:
    """Sets the chosen components of state and input from a vector."""

def mj_setTotalmass(m: MjModel, newmass: float) -> None:
    """Scales masses and inertias so that the bodies weigh this much together."""

def mj_sizeModel(m: MjModel) -> int:
    """How many bytes a saved model has."""

def mj_solveM(m: MjModel, d: MjData, x: _Vector, y: npt.ArrayLike) -> None:
    """x = M⁻¹·y, for each row of y."""

def mj_solveM2(m: MjModel, d: MjData, x: _Vector, y: npt.ArrayLike, sqrtInvD: npt.ArrayLike) -> None:
    """x = D^(-½)·L⁻ᵀ·y for each row of y, whose square is y·M⁻¹·y; ``sqrtInvD`` is D^(-½)."""

def mj_stateSize(m: MjModel, sig: int) -> int:
    """Number of numbers in the components chosen by ``mjtState`` bits."""

def mj_step(m: MjModel, d: MjData, nstep: int = 1) -> None:
    """Advances the simulation by a step. Optionally, repeat nstep times.

    A state that diverges is counted in ``d.warning`` and reset, as in the reference; one that is bad even then raises
    ``StepError``. Ctrl-C ends the call between two steps.
    """

def mj_step1(m: MjModel, d: MjData) -> None:
    """The part of a step before controls and forces are set."""

def mj_step2(m: MjModel, d: MjData) -> None:
    """The part of a step after controls and forces are set."""

def mj_subtreeVel(m: MjModel, d: MjData) -> None:
    """Linear velocity and angular momentum of subtrees."""

def mj_tendon(m: MjModel, d: MjData) -> None:
    """Tendon lengths, paths and Jacobians."""

def mj_transmission(m: MjModel, d: MjData) -> None:
    """Actuator lengths and moments."""

def mj_version() -> int:
    """Version of MuJoCo that the numbers agree with, as one number."""

def mj_versionString() -> str:
    """Version of MuJoCo that the numbers agree with."""

def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: int, DfDq: _Vector | None, DfDv: _Vector | None, DfDa: _Vector | None, DsDq: _Vector | None, DsDv: _Vector | None, DsDa: _Vector | None, DmDq: _Vector | None) -> None:
    """Derivatives of inverse dynamics, a row for each nudged input.

    Of the force by position, velocity and acceleration, of the sensors likewise, of the inertia by position. The force
    is ``qfrc_inverse``, less ``qfrc_actuator`` if ``flg_actuation``.
    """

def mjd_quatIntegrate(vel: npt.ArrayLike, scale: float, Dquat: _Vector, Dvel: _Vector, Dscale: _Vector) -> None:
    """Derivatives of turning with a velocity for a time, by the start, the velocity and the time."""

def mjd_subQuat(qa: npt.ArrayLike, qb: npt.ArrayLike, Da: _Vector | None, Db: _Vector | None) -> None:
    """Derivatives of the difference of two orientations by each of them, in their tangent spaces."""

def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: int, A: _Vector | None, B: _Vector | None, C: _Vector | None, D: _Vector | None) -> None:
    """Derivatives of a step: of the next state by state (A) and control (B), of the sensors likewise (C, D).

    A state is (position in the tangent space, velocity, activation). Controls at the end of their range are nudged
    inwards. The simulation is as before afterwards, but for derived arrays.
    """

def mju_Halton(index: int, base: int) -> float:
    """An element of Halton's low-discrepancy sequence."""

def mju_L1(vec: npt.ArrayLike) -> float:
    """Sum of the absolute values."""

def mju_add(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """res = vec1 + vec2."""

def mju_add3(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """res = vec1 + vec2."""

def mju_addScl(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike, scl: float) -> None:
    """res = vec1 + vec2·scl."""

def mju_addScl3(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike, scl: float) -> None:
    """res = vec1 + vec2·scl."""

def mju_addTo(res: _Vector, vec: npt.ArrayLike) -> None:
    """res += vec."""

def mju_addTo3(res: _Vector, vec: npt.ArrayLike) -> None:
    """res += vec."""

def mju_addToScl(res: _Vector, vec: npt.ArrayLike, scl: float) -> None:
    """res += vec·scl."""

def mju_addToScl3(res: _Vector, vec: npt.ArrayLike, scl: float) -> None:
    """res += vec·scl."""

def mju_axisAngle2Quat(res: _Vector, axis: npt.ArrayLike, angle: float) -> None:
    """Rotation about a unit axis by an angle in radians."""

def mju_band2Dense(res: _Vector, mat: npt.ArrayLike, ntotal: int, nband: int, ndense: int, flg_sym: int) -> None:
    """Writes out the lower triangle, or both if ``flg_sym``."""

def mju_bandDiag(i: int, ntotal: int, nband: int, ndense: int) -> int:
    """Where the diagonal of a row is stored."""

def mju_bandMulMatVec(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike, ntotal: int, nband: int, ndense: int, nvec: int, flg_sym: int) -> None:
    """res = mat·vec for each of ``nvec`` vectors; only the lower triangle counts unless ``flg_sym``."""

def mju_boxQP(res: _Vector, R: _Vector, index: npt.NDArray[np.int32] | None, H: npt.ArrayLike, g: npt.ArrayLike, lower: npt.ArrayLike | None, upper: npt.ArrayLike | None) -> int:
    """Minimises ½·xᵀ·H·x + g·x within bounds, starting at ``res``, where the answer goes.

    Returns the number of variables that are free, which ``index`` lists and whose factor stands at the start of
    ``R``; -1 if there is no minimum.
    """

def mju_cholFactor(mat: _Vector, mindiag: float) -> int:
    """Factor L of mat = L·Lᵀ, in place in the lower triangle. Diagonals below ``mindiag`` are raised. Returns the rank."""

def mju_cholFactorBand(mat: _Vector, ntotal: int, nband: int, ndense: int, diagadd: float, diagmul: float) -> float:
    """Factor L of mat + diagadd + diagmul·diagonal, in place. Returns the smallest pivot; 0 if one vanishes."""

def mju_cholSolve(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """res = (L·Lᵀ)⁻¹·vec, with the factor in the lower triangle of mat."""

def mju_cholSolveBand(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """res = (L·Lᵀ)⁻¹·vec, with the factor in mat."""

def mju_cholUpdate(mat: _Vector, x: _Vector, flg_plus: int) -> int:
    """Factor of L·Lᵀ ± x·xᵀ, in place; x is used up. Returns the rank."""

def mju_clip(x: float, min: float, max: float) -> float:
    """x, within two bounds."""

def mju_copy(res: _Vector, vec: npt.ArrayLike) -> None:
    """res = vec."""

def mju_copy3(res: _Vector, data: npt.ArrayLike) -> None:
    """res = data."""

def mju_copy4(res: _Vector, data: npt.ArrayLike) -> None:
    """res = data."""

def mju_cross(res: _Vector, a: npt.ArrayLike, b: npt.ArrayLike) -> None:
    """res = a × b."""

def mju_d2n(res: _Vector, vec: npt.ArrayLike) -> None:
    """Copies numbers."""

def mju_decodePyramid(force: _Vector, pyramid: npt.ArrayLike, mu: npt.ArrayLike) -> None:
    """The contact force of forces along the edges of a friction pyramid."""

def mju_dense2Band(res: _Vector, mat: npt.ArrayLike, ntotal: int, nband: int, ndense: int) -> None:
    """Takes the stored entries out of a full matrix."""

def mju_dense2sparse(res: _Vector, mat: npt.ArrayLike, rownnz: npt.NDArray[np.int32], rowadr: npt.NDArray[np.int32], colind: npt.NDArray[np.int32]) -> int:
    """The entries of a matrix that are not 0, row by row. Returns 0, or 1 if there is no room for them."""

def mju_derivQuat(res: _Vector, quat: npt.ArrayLike, vel: npt.ArrayLike) -> None:
    """Time derivative of a quaternion that turns with an angular velocity."""

def mju_dist3(pos1: npt.ArrayLike, pos2: npt.ArrayLike) -> float:
    """Distance of two points."""

def mju_dot(vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """Scalar product."""

def mju_dot3(vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """Scalar product."""

def mju_eig3(eigval: _Vector, eigvec: _Vector, quat: _Vector, mat: npt.ArrayLike) -> int:
    """Eigenvalues of a symmetric matrix, largest first, and its axes as columns and as a quaternion.

    Returns how many rotations it took.
    """

def mju_encodePyramid(pyramid: _Vector, force: npt.ArrayLike, mu: npt.ArrayLike) -> None:
    """Forces along the edges of a friction pyramid that add up to a contact force."""

def mju_euler2Quat(quat: _Vector, euler: npt.ArrayLike, seq: str) -> None:
    """Rotation by three angles in radians about the axes named in ``seq``: xyz turn along, XYZ stay fixed."""

def mju_eye(mat: _Vector) -> None:
    """mat = identity."""

def mju_f2n(res: _Vector, vec: npt.ArrayLike) -> None:
    """Copies numbers of single precision."""

def mju_fill(res: _Vector, val: float) -> None:
    """res = val, everywhere."""

def mju_getXMLDependencies(filename: str) -> list[str]:
    """The names of all files that a model depends on, its own among them."""

def mju_insertionSort(list: _Vector) -> None:
    """Sorts numbers, in place."""

def mju_insertionSortInt(list: npt.NDArray[np.int32]) -> None:
    """Sorts whole numbers, in place."""

def mju_isBad(x: float) -> int:
    """1 if a number is not finite or too large."""

def mju_isZero(vec: npt.ArrayLike) -> int:
    """1 if every number is 0."""

def mju_mat2Quat(quat: _Vector, mat: npt.ArrayLike) -> None:
    """Quaternion of a rotation matrix."""

def mju_mat2Rot(quat: _Vector, mat: npt.ArrayLike) -> int:
    """The rotation in a matrix (Müller et al., 2016), found from the guess in ``quat``. Returns the iterations."""

def mju_max(a: float, b: float) -> float:
    """The larger number."""

def mju_min(a: float, b: float) -> float:
    """The smaller number."""

def mju_mulMatMat(res: _Vector, mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """res = mat1·mat2."""

def mju_mulMatMatT(res: _Vector, mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """res = mat1·mat2ᵀ."""

def mju_mulMatTMat(res: _Vector, mat1: npt.ArrayLike, mat2: npt.ArrayLike) -> None:
    """res = mat1ᵀ·mat2."""

def mju_mulMatTVec(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """res = matᵀ·vec."""

def mju_mulMatTVec3(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """res = matᵀ·vec, 3 × 3."""

def mju_mulMatVec(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """res = mat·vec."""

def mju_mulMatVec3(res: _Vector, mat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """res = mat·vec, 3 × 3."""

def mju_mulPose(posres: _Vector, quatres: _Vector, pos1: npt.ArrayLike, quat1: npt.ArrayLike, pos2: npt.ArrayLike, quat2: npt.ArrayLike) -> None:
    """The pose 2, given in the frame of pose 1, in the frame of pose 1's parent."""

def mju_mulQuat(res: _Vector, quat1: npt.ArrayLike, quat2: npt.ArrayLike) -> None:
    """res = quat1·quat2: turn by quat2, then by quat1."""

def mju_mulQuatAxis(res: _Vector, quat: npt.ArrayLike, axis: npt.ArrayLike) -> None:
    """res = quat·(0, axis)."""

def mju_mulVecMatVec(vec1: npt.ArrayLike, mat: npt.ArrayLike, vec2: npt.ArrayLike) -> float:
    """vec1ᵀ·mat·vec2."""

def mju_muscleBias(len: float, lengthrange: npt.ArrayLike, acc0: float, prm: npt.ArrayLike) -> float:
    """Passive force of a muscle."""

def mju_muscleDynamics(ctrl: float, act: float, prm: npt.ArrayLike) -> float:
    """Rate of a muscle's activation."""

def mju_muscleGain(len: float, vel: float, lengthrange: npt.ArrayLike, acc0: float, prm: npt.ArrayLike) -> float:
    """Active force of a muscle at full activation, which pulls: it is not positive."""

def mju_n2d(res: _Vector, vec: npt.ArrayLike) -> None:
    """Copies numbers."""

def mju_n2f(res: npt.NDArray[np.float32], vec: npt.ArrayLike) -> None:
    """Copies numbers with single precision."""

def mju_negPose(posres: _Vector, quatres: _Vector, pos: npt.ArrayLike, quat: npt.ArrayLike) -> None:
    """The inverse of a pose."""

def mju_negQuat(res: _Vector, quat: npt.ArrayLike) -> None:
    """The opposite rotation."""

def mju_norm(res: npt.ArrayLike) -> float:
    """Length of a vector."""

def mju_norm3(vec: npt.ArrayLike) -> float:
    """Length of a vector."""

def mju_normalize(res: _Vector) -> float:
    """Makes a vector's length 1, in place; a vector of length 0 becomes (1, 0, …). Returns the length it had."""

def mju_normalize3(vec: _Vector) -> float:
    """Makes a vector's length 1, in place. Returns the length it had."""

def mju_normalize4(vec: _Vector) -> float:
    """Makes a quaternion's length 1, in place. Returns the length it had."""

def mju_printMat(mat: npt.ArrayLike) -> None:
    """Prints a matrix."""

def mju_printMatSparse(mat: npt.ArrayLike, rownnz: _Ints, rowadr: _Ints, colind: _Ints) -> None:
    """Prints the entries of a sparse matrix with their places."""

def mju_quat2Mat(res: _Vector, quat: npt.ArrayLike) -> None:
    """Rotation matrix of a quaternion."""

def mju_quat2Vel(res: _Vector, quat: npt.ArrayLike, dt: float) -> None:
    """The angular velocity that makes a rotation in a time."""

def mju_quatIntegrate(quat: _Vector, vel: npt.ArrayLike, scale: float) -> None:
    """Turns a quaternion with an angular velocity for a time, in place."""

def mju_quatZ2Vec(quat: _Vector, vec: npt.ArrayLike) -> None:
    """The rotation that turns the z-axis to a direction."""

def mju_rayGeom(pos: npt.ArrayLike, mat: npt.ArrayLike, size: npt.ArrayLike, pnt: npt.ArrayLike, vec: npt.ArrayLike, geomtype: int, normal: _Vector | None = None) -> float:
    """How far a ray goes until it meets a primitive shape, in units of ``vec``; -1 if it does not."""

def mju_rotVecQuat(res: _Vector, vec: npt.ArrayLike, quat: npt.ArrayLike) -> None:
    """Turns a vector."""

def mju_round(x: float) -> int:
    """The nearest whole number."""

def mju_scl(res: _Vector, vec: npt.ArrayLike, scl: float) -> None:
    """res = vec·scl."""

def mju_scl3(res: _Vector, vec: npt.ArrayLike, scl: float) -> None:
    """res = vec·scl."""

def mju_sigmoid(x: float) -> float:
    """A smooth step from 0 at 0 to 1 at 1, of order 5."""

def mju_sign(x: float) -> float:
    """−1, 0 or 1."""

def mju_sparse2dense(res: _Vector, mat: npt.ArrayLike, rownnz: npt.ArrayLike, rowadr: npt.ArrayLike, colind: npt.ArrayLike) -> None:
    """Writes out a sparse matrix."""

def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float:
    """Position after a time of a unit mass on a spring and a damper."""

def mju_sqrMatTD(res: _Vector, mat: npt.ArrayLike, diag: npt.ArrayLike | None) -> None:
    """res = matᵀ·diag·mat."""

def mju_standardNormal(num2: float | None) -> float:
    """A number from the standard normal distribution, drawn by Python's ``random``."""

def mju_str2Type(str: str) -> int:
    """The object type (``mjtObj``) with a name such as "body"; 0 if there is none."""

def mju_sub(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """res = vec1 − vec2."""

def mju_sub3(res: _Vector, vec1: npt.ArrayLike, vec2: npt.ArrayLike) -> None:
    """res = vec1 − vec2."""

def mju_subFrom(res: _Vector, vec: npt.ArrayLike) -> None:
    """res −= vec."""

def mju_subFrom3(res: _Vector, vec: npt.ArrayLike) -> None:
    """res −= vec."""

def mju_subQuat(res: _Vector, qa: npt.ArrayLike, qb: npt.ArrayLike) -> None:
    """Rotation vector that leads from qb to qa, in the frame of qb."""

def mju_sum(vec: npt.ArrayLike) -> float:
    """Sum of the numbers."""

def mju_symmetrize(res: _Vector, mat: npt.ArrayLike) -> None:
    """res = (mat + matᵀ) / 2."""

def mju_transformSpatial(res: _Vector, vec: npt.ArrayLike, flg_force: int, newpos: npt.ArrayLike, oldpos: npt.ArrayLike, rotnew2old: npt.ArrayLike | None) -> None:
    """A spatial motion or force (rotation, translation) about another point, in turned axes."""

def mju_transpose(res: _Vector, mat: npt.ArrayLike) -> None:
    """res = matᵀ."""

def mju_trnVecPose(res: _Vector, pos: npt.ArrayLike, quat: npt.ArrayLike, vec: npt.ArrayLike) -> None:
    """A point given in the frame of a pose, in its parent frame."""

def mju_type2Str(type: int) -> str | None:
    """The name of an object type."""

def mju_unit4(res: _Vector) -> None:
    """res = (1, 0, 0, 0)."""

def mju_warningText(warning: int, info: int) -> str:
    """What a warning (``mjtWarning``) with this information means."""

def mju_writeLog(type: str, msg: str) -> None:
    """Hands a message to Python's logger ``sinew``; no file is written."""

def mju_writeNumBytes(nbytes: int) -> str:
    """A number of bytes with a unit, where it is a whole number of them."""

def mju_zero(res: _Vector) -> None:
    """res = 0."""

def mju_zero3(res: _Vector) -> None:
    """res = 0."""

def mju_zero4(res: _Vector) -> None:
    """res = 0."""

def set_mjcb_act_bias(py_function: Hook | None) -> None:
    """Sets the hook ``act_bias`` of every simulation that has none of its own; None removes it."""

def set_mjcb_act_dyn(py_function: Hook | None) -> None:
    """Sets the hook ``act_dyn`` of every simulation that has none of its own; None removes it."""

def set_mjcb_act_gain(py_function: Hook | None) -> None:
    """Sets the hook ``act_gain`` of every simulation that has none of its own; None removes it."""

def set_mjcb_contactfilter(py_function: Hook | None) -> None:
    """Sets the hook ``contactfilter`` of every simulation that has none of its own; None removes it."""

def set_mjcb_control(py_function: Hook | None) -> None:
    """Sets the hook ``control`` of every simulation that has none of its own; None removes it."""

def set_mjcb_passive(py_function: Hook | None) -> None:
    """Sets the hook ``passive`` of every simulation that has none of its own; None removes it."""

def set_mjcb_sensor(py_function: Hook | None) -> None:
    """Sets the hook ``sensor`` of every simulation that has none of its own; None removes it."""

def set_mjcb_time(py_function: Hook | None) -> None:
    """Sets the hook ``time`` of every simulation that has none of its own; None removes it."""

def set_mju_user_warning(py_function: Hook | None) -> None:
    """Sets a function that gets the text of warnings: the first of each kind in a simulation since its reset.

    It is called when the call that caused the warning is over; a function made by ctypes gets bytes.
    """


mjPI: float
mjMINVAL: float
mjMAXVAL: float
mjMINMU: float
mjMINIMP: float
mjMAXIMP: float
mjMAXCONPAIR: int
mjMAXTREEDEPTH: int
mjMAXFLEXNODES: int
mjMINAWAKE: int
mjNBIAS: int
mjNDYN: int
mjNEQDATA: int
mjNFLUID: int
mjNGAIN: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNREF: int
mjNSENS: int
mjNSOLVER: int
mjVERSION_HEADER: int
mjDISABLESTRING: tuple[str, ...]
mjENABLESTRING: tuple[str, ...]
mjTIMERSTRING: tuple[str, ...]

class mjtDisableBit(enum.IntEnum):
    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19

class mjtEnableBit(enum.IntEnum):
    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjNENABLE = 6

class mjtJoint(enum.IntEnum):
    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3

class mjtGeom(enum.IntEnum):
    mjGEOM_PLANE = 0
    mjGEOM_HFIELD = 1
    mjGEOM_SPHERE = 2
    mjGEOM_CAPSULE = 3
    mjGEOM_ELLIPSOID = 4
    mjGEOM_CYLINDER = 5
    mjGEOM_BOX = 6
    mjGEOM_MESH = 7
    mjGEOM_SDF = 8
    mjGEOM_ARROW = 100
    mjGEOM_ARROW1 = 101
    mjGEOM_ARROW2 = 102
    mjGEOM_LINE = 103
    mjGEOM_LINEBOX = 104
    mjGEOM_FLEX = 105
    mjGEOM_SKIN = 106
    mjGEOM_LABEL = 107
    mjGEOM_TRIANGLE = 108
    mjGEOM_NONE = 1001
    mjNGEOMTYPES = 9

class mjtProjection(enum.IntEnum):
    mjPROJ_PERSPECTIVE = 0
    mjPROJ_ORTHOGRAPHIC = 1

class mjtCamLight(enum.IntEnum):
    mjCAMLIGHT_FIXED = 0
    mjCAMLIGHT_TRACK = 1
    mjCAMLIGHT_TRACKCOM = 2
    mjCAMLIGHT_TARGETBODY = 3
    mjCAMLIGHT_TARGETBODYCOM = 4

class mjtLightType(enum.IntEnum):
    mjLIGHT_SPOT = 0
    mjLIGHT_DIRECTIONAL = 1
    mjLIGHT_POINT = 2
    mjLIGHT_IMAGE = 3

class mjtTexture(enum.IntEnum):
    mjTEXTURE_2D = 0
    mjTEXTURE_CUBE = 1
    mjTEXTURE_SKYBOX = 2

class mjtTextureRole(enum.IntEnum):
    mjTEXROLE_USER = 0
    mjTEXROLE_RGB = 1
    mjTEXROLE_OCCLUSION = 2
    mjTEXROLE_ROUGHNESS = 3
    mjTEXROLE_METALLIC = 4
    mjTEXROLE_NORMAL = 5
    mjTEXROLE_OPACITY = 6
    mjTEXROLE_EMISSIVE = 7
    mjTEXROLE_RGBA = 8
    mjTEXROLE_ORM = 9
    mjNTEXROLE = 10

class mjtColorSpace(enum.IntEnum):
    mjCOLORSPACE_AUTO = 0
    mjCOLORSPACE_LINEAR = 1
    mjCOLORSPACE_SRGB = 2

class mjtIntegrator(enum.IntEnum):
    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3

class mjtCone(enum.IntEnum):
    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1

class mjtJacobian(enum.IntEnum):
    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2

class mjtSolver(enum.IntEnum):
    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2

class mjtEq(enum.IntEnum):
    mjEQ_CONNECT = 0
    mjEQ_WELD = 1
    mjEQ_JOINT = 2
    mjEQ_TENDON = 3
    mjEQ_FLEX = 4
    mjEQ_FLEXVERT = 5
    mjEQ_DISTANCE = 6

class mjtWrap(enum.IntEnum):
    mjWRAP_NONE = 0
    mjWRAP_JOINT = 1
    mjWRAP_PULLEY = 2
    mjWRAP_SITE = 3
    mjWRAP_SPHERE = 4
    mjWRAP_CYLINDER = 5

class mjtTrn(enum.IntEnum):
    mjTRN_JOINT = 0
    mjTRN_JOINTINPARENT = 1
    mjTRN_SLIDERCRANK = 2
    mjTRN_TENDON = 3
    mjTRN_SITE = 4
    mjTRN_BODY = 5
    mjTRN_UNDEFINED = 1000

class mjtDyn(enum.IntEnum):
    mjDYN_NONE = 0
    mjDYN_INTEGRATOR = 1
    mjDYN_FILTER = 2
    mjDYN_FILTEREXACT = 3
    mjDYN_MUSCLE = 4
    mjDYN_USER = 5

class mjtGain(enum.IntEnum):
    mjGAIN_FIXED = 0
    mjGAIN_AFFINE = 1
    mjGAIN_MUSCLE = 2
    mjGAIN_USER = 3

class mjtBias(enum.IntEnum):
    mjBIAS_NONE = 0
    mjBIAS_AFFINE = 1
    mjBIAS_MUSCLE = 2
    mjBIAS_USER = 3

class mjtObj(enum.IntEnum):
    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_FLEX = 9
    mjOBJ_MESH = 10
    mjOBJ_SKIN = 11
    mjOBJ_HFIELD = 12
    mjOBJ_TEXTURE = 13
    mjOBJ_MATERIAL = 14
    mjOBJ_PAIR = 15
    mjOBJ_EXCLUDE = 16
    mjOBJ_EQUALITY = 17
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_NUMERIC = 21
    mjOBJ_TEXT = 22
    mjOBJ_TUPLE = 23
    mjOBJ_KEY = 24
    mjOBJ_PLUGIN = 25
    mjOBJ_FRAME = 100
    mjOBJ_DEFAULT = 101
    mjOBJ_MODEL = 102
    mjNOBJECT = 26

class mjtSensor(enum.IntEnum):
    mjSENS_TOUCH = 0
    mjSENS_ACCELEROMETER = 1
    mjSENS_VELOCIMETER = 2
    mjSENS_GYRO = 3
    mjSENS_FORCE = 4
    mjSENS_TORQUE = 5
    mjSENS_MAGNETOMETER = 6
    mjSENS_RANGEFINDER = 7
    mjSENS_CAMPROJECTION = 8
    mjSENS_JOINTPOS = 9
    mjSENS_JOINTVEL = 10
    mjSENS_TENDONPOS = 11
    mjSENS_TENDONVEL = 12
    mjSENS_ACTUATORPOS = 13
    mjSENS_ACTUATORVEL = 14
    mjSENS_ACTUATORFRC = 15
    mjSENS_JOINTACTFRC = 16
    mjSENS_TENDONACTFRC = 17
    mjSENS_BALLQUAT = 18
    mjSENS_BALLANGVEL = 19
    mjSENS_JOINTLIMITPOS = 20
    mjSENS_JOINTLIMITVEL = 21
    mjSENS_JOINTLIMITFRC = 22
    mjSENS_TENDONLIMITPOS = 23
    mjSENS_TENDONLIMITVEL = 24
    mjSENS_TENDONLIMITFRC = 25
    mjSENS_FRAMEPOS = 26
    mjSENS_FRAMEQUAT = 27
    mjSENS_FRAMEXAXIS = 28
    mjSENS_FRAMEYAXIS = 29
    mjSENS_FRAMEZAXIS = 30
    mjSENS_FRAMELINVEL = 31
    mjSENS_FRAMEANGVEL = 32
    mjSENS_FRAMELINACC = 33
    mjSENS_FRAMEANGACC = 34
    mjSENS_SUBTREECOM = 35
    mjSENS_SUBTREELINVEL = 36
    mjSENS_SUBTREEANGMOM = 37
    mjSENS_INSIDESITE = 38
    mjSENS_GEOMDIST = 39
    mjSENS_GEOMNORMAL = 40
    mjSENS_GEOMFROMTO = 41
    mjSENS_CONTACT = 42
    mjSENS_E_POTENTIAL = 43
    mjSENS_E_KINETIC = 44
    mjSENS_CLOCK = 45
    mjSENS_TACTILE = 46
    mjSENS_PLUGIN = 47
    mjSENS_USER = 48

class mjtStage(enum.IntEnum):
    mjSTAGE_NONE = 0
    mjSTAGE_POS = 1
    mjSTAGE_VEL = 2
    mjSTAGE_ACC = 3

class mjtDataType(enum.IntEnum):
    mjDATATYPE_REAL = 0
    mjDATATYPE_POSITIVE = 1
    mjDATATYPE_AXIS = 2
    mjDATATYPE_QUATERNION = 3

class mjtConDataField(enum.IntEnum):
    mjCONDATA_FOUND = 0
    mjCONDATA_FORCE = 1
    mjCONDATA_TORQUE = 2
    mjCONDATA_DIST = 3
    mjCONDATA_POS = 4
    mjCONDATA_NORMAL = 5
    mjCONDATA_TANGENT = 6
    mjNCONDATA = 7

class mjtRayDataField(enum.IntEnum):
    mjRAYDATA_DIST = 0
    mjRAYDATA_DIR = 1
    mjRAYDATA_ORIGIN = 2
    mjRAYDATA_POINT = 3
    mjRAYDATA_NORMAL = 4
    mjRAYDATA_DEPTH = 5
    mjNRAYDATA = 6

class mjtCamOutBit(enum.IntEnum):
    mjCAMOUT_RGB = 1
    mjCAMOUT_DEPTH = 2
    mjCAMOUT_DIST = 4
    mjCAMOUT_NORMAL = 8
    mjCAMOUT_SEG = 16
    mjNCAMOUT = 5

class mjtSameFrame(enum.IntEnum):
    mjSAMEFRAME_NONE = 0
    mjSAMEFRAME_BODY = 1
    mjSAMEFRAME_INERTIA = 2
    mjSAMEFRAME_BODYROT = 3
    mjSAMEFRAME_INERTIAROT = 4

class mjtSleepPolicy(enum.IntEnum):
    mjSLEEP_AUTO = 0
    mjSLEEP_AUTO_NEVER = 1
    mjSLEEP_AUTO_ALLOWED = 2
    mjSLEEP_NEVER = 3
    mjSLEEP_ALLOWED = 4
    mjSLEEP_INIT = 5

class mjtLRMode(enum.IntEnum):
    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3

class mjtFlexSelf(enum.IntEnum):
    mjFLEXSELF_NONE = 0
    mjFLEXSELF_NARROW = 1
    mjFLEXSELF_BVH = 2
    mjFLEXSELF_SAP = 3
    mjFLEXSELF_AUTO = 4

class mjtConstraint(enum.IntEnum):
    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7

class mjtConstraintState(enum.IntEnum):
    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4

class mjtWarning(enum.IntEnum):
    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8

class mjtTimer(enum.IntEnum):
    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15

class mjtState(enum.IntEnum):
    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383
    mjNSTATE = 14

class mjtSleepState(enum.IntEnum):
    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1

class mjtInertiaFromGeom(enum.IntEnum):
    mjINERTIAFROMGEOM_FALSE = 0
    mjINERTIAFROMGEOM_TRUE = 1
    mjINERTIAFROMGEOM_AUTO = 2

class mjtMeshInertia(enum.IntEnum):
    mjMESH_INERTIA_CONVEX = 0
    mjMESH_INERTIA_EXACT = 1
    mjMESH_INERTIA_LEGACY = 2
    mjMESH_INERTIA_SHELL = 3

class mjtMeshBuiltin(enum.IntEnum):
    mjMESH_BUILTIN_NONE = 0
    mjMESH_BUILTIN_SPHERE = 1
    mjMESH_BUILTIN_HEMISPHERE = 2
    mjMESH_BUILTIN_CONE = 3
    mjMESH_BUILTIN_SUPERSPHERE = 4
    mjMESH_BUILTIN_SUPERTORUS = 5
    mjMESH_BUILTIN_WEDGE = 6
    mjMESH_BUILTIN_PLATE = 7

class mjtLimited(enum.IntEnum):
    mjLIMITED_FALSE = 0
    mjLIMITED_TRUE = 1
    mjLIMITED_AUTO = 2

class mjtAlignFree(enum.IntEnum):
    mjALIGNFREE_FALSE = 0
    mjALIGNFREE_TRUE = 1
    mjALIGNFREE_AUTO = 2

class mjtBuiltin(enum.IntEnum):
    mjBUILTIN_NONE = 0
    mjBUILTIN_GRADIENT = 1
    mjBUILTIN_CHECKER = 2
    mjBUILTIN_FLAT = 3

class mjtMark(enum.IntEnum):
    mjMARK_NONE = 0
    mjMARK_EDGE = 1
    mjMARK_CROSS = 2
    mjMARK_RANDOM = 3

class mjtOrientation(enum.IntEnum):
    mjORIENTATION_QUAT = 0
    mjORIENTATION_AXISANGLE = 1
    mjORIENTATION_XYAXES = 2
    mjORIENTATION_ZAXIS = 3
    mjORIENTATION_EULER = 4

class mjtButton(enum.IntEnum):
    mjBUTTON_NONE = 0
    mjBUTTON_LEFT = 1
    mjBUTTON_RIGHT = 2
    mjBUTTON_MIDDLE = 3

class mjtCamera(enum.IntEnum):
    mjCAMERA_FREE = 0
    mjCAMERA_TRACKING = 1
    mjCAMERA_FIXED = 2
    mjCAMERA_USER = 3

class mjtCatBit(enum.IntEnum):
    mjCAT_STATIC = 1
    mjCAT_DYNAMIC = 2
    mjCAT_DECOR = 4
    mjCAT_ALL = 7

class mjtDepthMap(enum.IntEnum):
    mjDEPTH_ZERONEAR = 0
    mjDEPTH_ZEROFAR = 1

class mjtEvent(enum.IntEnum):
    mjEVENT_NONE = 0
    mjEVENT_MOVE = 1
    mjEVENT_PRESS = 2
    mjEVENT_RELEASE = 3
    mjEVENT_SCROLL = 4
    mjEVENT_KEY = 5
    mjEVENT_RESIZE = 6
    mjEVENT_REDRAW = 7
    mjEVENT_FILESDROP = 8

class mjtFont(enum.IntEnum):
    mjFONT_NORMAL = 0
    mjFONT_SHADOW = 1
    mjFONT_BIG = 2

class mjtFontScale(enum.IntEnum):
    mjFONTSCALE_50 = 50
    mjFONTSCALE_100 = 100
    mjFONTSCALE_150 = 150
    mjFONTSCALE_200 = 200
    mjFONTSCALE_250 = 250
    mjFONTSCALE_300 = 300

class mjtFrame(enum.IntEnum):
    mjFRAME_NONE = 0
    mjFRAME_BODY = 1
    mjFRAME_GEOM = 2
    mjFRAME_SITE = 3
    mjFRAME_CAMERA = 4
    mjFRAME_LIGHT = 5
    mjFRAME_CONTACT = 6
    mjFRAME_WORLD = 7
    mjNFRAME = 8

class mjtFramebuffer(enum.IntEnum):
    mjFB_WINDOW = 0
    mjFB_OFFSCREEN = 1

class mjtGeomInertia(enum.IntEnum):
    mjINERTIA_VOLUME = 0
    mjINERTIA_SHELL = 1

class mjtGridPos(enum.IntEnum):
    mjGRID_TOPLEFT = 0
    mjGRID_TOPRIGHT = 1
    mjGRID_BOTTOMLEFT = 2
    mjGRID_BOTTOMRIGHT = 3
    mjGRID_TOP = 4
    mjGRID_BOTTOM = 5
    mjGRID_LEFT = 6
    mjGRID_RIGHT = 7

class mjtItem(enum.IntEnum):
    mjITEM_END = -2
    mjITEM_SECTION = -1
    mjITEM_SEPARATOR = 0
    mjITEM_STATIC = 1
    mjITEM_BUTTON = 2
    mjITEM_CHECKINT = 3
    mjITEM_CHECKBYTE = 4
    mjITEM_RADIO = 5
    mjITEM_RADIOLINE = 6
    mjITEM_SELECT = 7
    mjITEM_SLIDERINT = 8
    mjITEM_SLIDERNUM = 9
    mjITEM_EDITINT = 10
    mjITEM_EDITNUM = 11
    mjITEM_EDITFLOAT = 12
    mjITEM_EDITTXT = 13
    mjNITEM = 14

class mjtLabel(enum.IntEnum):
    mjLABEL_NONE = 0
    mjLABEL_BODY = 1
    mjLABEL_JOINT = 2
    mjLABEL_GEOM = 3
    mjLABEL_SITE = 4
    mjLABEL_CAMERA = 5
    mjLABEL_LIGHT = 6
    mjLABEL_TENDON = 7
    mjLABEL_ACTUATOR = 8
    mjLABEL_CONSTRAINT = 9
    mjLABEL_FLEX = 10
    mjLABEL_SKIN = 11
    mjLABEL_SELECTION = 12
    mjLABEL_SELPNT = 13
    mjLABEL_CONTACTPOINT = 14
    mjLABEL_CONTACTFORCE = 15
    mjLABEL_ISLAND = 16
    mjNLABEL = 17

class mjtMouse(enum.IntEnum):
    mjMOUSE_NONE = 0
    mjMOUSE_ROTATE_V = 1
    mjMOUSE_ROTATE_H = 2
    mjMOUSE_MOVE_V = 3
    mjMOUSE_MOVE_H = 4
    mjMOUSE_ZOOM = 5
    mjMOUSE_MOVE_V_REL = 6
    mjMOUSE_MOVE_H_REL = 7

class mjtPertBit(enum.IntEnum):
    mjPERT_TRANSLATE = 1
    mjPERT_ROTATE = 2

class mjtPluginCapabilityBit(enum.IntEnum):
    mjPLUGIN_ACTUATOR = 1
    mjPLUGIN_SENSOR = 2
    mjPLUGIN_PASSIVE = 4
    mjPLUGIN_SDF = 8

class mjtRndFlag(enum.IntEnum):
    mjRND_SHADOW = 0
    mjRND_WIREFRAME = 1
    mjRND_REFLECTION = 2
    mjRND_ADDITIVE = 3
    mjRND_SKYBOX = 4
    mjRND_FOG = 5
    mjRND_HAZE = 6
    mjRND_DEPTH = 7
    mjRND_SEGMENT = 8
    mjRND_IDCOLOR = 9
    mjRND_CULL_FACE = 10
    mjNRNDFLAG = 11

class mjtSDFType(enum.IntEnum):
    mjSDFTYPE_SINGLE = 0
    mjSDFTYPE_INTERSECTION = 1
    mjSDFTYPE_MIDSURFACE = 2
    mjSDFTYPE_COLLISION = 3

class mjtSection(enum.IntEnum):
    mjSECT_CLOSED = 0
    mjSECT_OPEN = 1
    mjSECT_FIXED = 2

class mjtStereo(enum.IntEnum):
    mjSTEREO_NONE = 0
    mjSTEREO_QUADBUFFERED = 1
    mjSTEREO_SIDEBYSIDE = 2

class mjtTaskStatus(enum.IntEnum):
    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

class mjtVisFlag(enum.IntEnum):
    mjVIS_CONVEXHULL = 0
    mjVIS_TEXTURE = 1
    mjVIS_JOINT = 2
    mjVIS_CAMERA = 3
    mjVIS_ACTUATOR = 4
    mjVIS_ACTIVATION = 5
    mjVIS_LIGHT = 6
    mjVIS_TENDON = 7
    mjVIS_RANGEFINDER = 8
    mjVIS_CONSTRAINT = 9
    mjVIS_INERTIA = 10
    mjVIS_SCLINERTIA = 11
    mjVIS_PERTFORCE = 12
    mjVIS_PERTOBJ = 13
    mjVIS_CONTACTPOINT = 14
    mjVIS_ISLAND = 15
    mjVIS_CONTACTFORCE = 16
    mjVIS_CONTACTSPLIT = 17
    mjVIS_TRANSPARENT = 18
    mjVIS_AUTOCONNECT = 19
    mjVIS_COM = 20
    mjVIS_SELECT = 21
    mjVIS_STATIC = 22
    mjVIS_SKIN = 23
    mjVIS_FLEXVERT = 24
    mjVIS_FLEXEDGE = 25
    mjVIS_FLEXFACE = 26
    mjVIS_FLEXSKIN = 27
    mjVIS_BODYBVH = 28
    mjVIS_MESHBVH = 29
    mjVIS_SDFITER = 30
    mjNVISFLAG = 31

mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjFRAMESTRING: tuple[Any, ...]
mjLABELSTRING: tuple[Any, ...]
mjVISSTRING: tuple[Any, ...]
mjRNDSTRING: tuple[Any, ...]

class MjvCamera:
    def __init__(self) -> None: ...
    type: int
    fixedcamid: int
    trackbodyid: int
    lookat: _Array[np.float64]
    distance: float
    azimuth: float
    elevation: float
    orthographic: int

class MjvOption:
    def __init__(self) -> None: ...
    label: int
    frame: int
    geomgroup: _Array[np.uint8]
    sitegroup: _Array[np.uint8]
    jointgroup: _Array[np.uint8]
    tendongroup: _Array[np.uint8]
    actuatorgroup: _Array[np.uint8]
    flexgroup: _Array[np.uint8]
    skingroup: _Array[np.uint8]
    flags: _Array[np.uint8]
    bvh_depth: int
    flex_layer: int

class MjvPerturb:
    def __init__(self) -> None: ...
    select: int
    flexselect: int
    skinselect: int
    active: int
    active2: int
    refpos: _Array[np.float64]
    refquat: _Array[np.float64]
    refselpos: _Array[np.float64]
    localpos: _Array[np.float64]
    localmass: float
    scale: float

class MjvGLCamera:
    def __init__(self) -> None: ...
    pos: _Array[np.float32]
    forward: _Array[np.float32]
    up: _Array[np.float32]
    frustum_center: float
    frustum_width: float
    frustum_bottom: float
    frustum_top: float
    frustum_near: float
    frustum_far: float
    orthographic: int

class MjvLight:
    def __init__(self) -> None: ...
    id: int
    pos: _Array[np.float32]
    dir: _Array[np.float32]
    type: int
    texid: int
    attenuation: _Array[np.float32]
    cutoff: float
    exponent: float
    ambient: _Array[np.float32]
    diffuse: _Array[np.float32]
    specular: _Array[np.float32]
    headlight: int
    castshadow: int
    bulbradius: float
    intensity: float
    range: float

class MjvFigure:
    def __init__(self) -> None: ...
    flg_legend: int
    flg_ticklabel: _Array[np.int32]
    flg_extend: int
    flg_barplot: int
    flg_selection: int
    flg_symmetric: int
    linewidth: float
    gridwidth: float
    gridsize: _Array[np.int32]
    gridrgb: _Array[np.float32]
    figurergba: _Array[np.float32]
    panergba: _Array[np.float32]
    legendrgba: _Array[np.float32]
    textrgb: _Array[np.float32]
    linergb: _Array[np.float32]
    range: _Array[np.float32]
    xformat: str
    yformat: str
    minwidth: str
    title: str
    xlabel: str
    linename: _Array[np.bytes_]
    legendoffset: int
    subplot: int
    highlight: _Array[np.int32]
    highlightid: int
    selection: float
    linepnt: _Array[np.int32]
    linedata: _Array[np.float32]
    xaxispixel: _Array[np.int32]
    yaxispixel: _Array[np.int32]
    xaxisdata: _Array[np.float32]
    yaxisdata: _Array[np.float32]

class MjrRect:
    def __init__(self, left: 'int', bottom: 'int', width: 'int', height: 'int') -> None: ...
    left: int
    bottom: int
    width: int
    height: int

class MjvGeom:
    def __init__(self, _rows: 'tuple[np.ndarray, np.ndarray] | None' = None) -> None: ...
    type: int
    dataid: int
    objtype: int
    objid: int
    category: int
    matid: int
    texcoord: int
    segid: int
    size: _Array[np.float32]
    pos: _Array[np.float32]
    mat: _Array[np.float32]
    rgba: _Array[np.float32]
    emission: float
    specular: float
    shininess: float
    reflectance: float
    label: str
    camdist: float
    modelrbound: float
    transparent: int

class MjvScene:
    def __init__(self, model: 'MjModel | None' = None, maxgeom: 'int' = 0) -> None: ...
    maxgeom: int
    ngeom: int
    geoms: tuple[Any, ...]
    geomorder: _Array[np.int32]
    nflex: int
    flexedgeadr: _Array[np.int32]
    flexedgenum: _Array[np.int32]
    flexvertadr: _Array[np.int32]
    flexvertnum: _Array[np.int32]
    flexfaceadr: _Array[np.int32]
    flexfacenum: _Array[np.int32]
    flexfaceused: _Array[np.int32]
    flexedge: _Array[np.int32]
    skinfacenum: _Array[np.int32]
    skinvertadr: _Array[np.int32]
    skinvertnum: _Array[np.int32]
    flexvert: _Array[np.float32]
    flexface: _Array[np.float32]
    flexnormal: _Array[np.float32]
    flextexcoord: _Array[np.float32]
    skinvert: _Array[np.float32]
    skinnormal: _Array[np.float32]
    flexvertopt: int
    flexedgeopt: int
    flexfaceopt: int
    flexskinopt: int
    nskin: int
    nlight: int
    lights: tuple[Any, ...]
    camera: tuple[Any, ...]
    enabletransform: int
    translate: _Array[np.float32]
    rotate: _Array[np.float32]
    scale: float
    stereo: int
    flags: _Array[np.uint8]
    framewidth: int
    framergb: _Array[np.float32]
    status: int

class MjrContext:
    def __init__(self, model: 'MjModel | None' = None, fontscale: 'int' = 100) -> None: ...

class GLContext:
    def __init__(self, max_width: 'int', max_height: 'int') -> None: ...

class Renderer:
    def __init__(self, model: 'MjModel', height: 'int' = 240, width: 'int' = 320, max_geom: 'int' = 10000, font_scale: 'int' = 150, **_options: 'Any') -> 'None': ...
    @property
    def model(self) -> 'MjModel': ...
    @property
    def scene(self) -> 'MjvScene': ...
    @property
    def height(self) -> 'int': ...
    @property
    def width(self) -> 'int': ...
    def enable_depth_rendering(self) -> 'None': ...
    def disable_depth_rendering(self) -> 'None': ...
    def enable_segmentation_rendering(self) -> 'None': ...
    def disable_segmentation_rendering(self) -> 'None': ...
    def update_scene(self, data: 'MjData', camera: 'int | str | MjvCamera' = -1, scene_option: 'MjvOption | None' = None) -> 'None': ...
    def render(self, *, out: 'np.ndarray | None' = None) -> 'np.ndarray': ...
    def close(self) -> 'None': ...
    def __enter__(self) -> 'Renderer': ...
    def __exit__(self, *_error: 'object') -> 'None': ...
def mjv_defaultCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_defaultOption(*arguments: Any, **options: Any) -> Any: ...
def mjv_defaultPerturb(*arguments: Any, **options: Any) -> Any: ...
def mjv_defaultFigure(*arguments: Any, **options: Any) -> Any: ...
def mjv_defaultFreeCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_updateScene(*arguments: Any, **options: Any) -> Any: ...
def mjv_initGeom(*arguments: Any, **options: Any) -> Any: ...
def mjv_connector(*arguments: Any, **options: Any) -> Any: ...
def mjv_frustumHeight(*arguments: Any, **options: Any) -> Any: ...
def mjv_cameraInModel(*arguments: Any, **options: Any) -> Any: ...
def mjv_alignToCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_moveCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_select(*arguments: Any, **options: Any) -> Any: ...
def mjv_initPerturb(*arguments: Any, **options: Any) -> Any: ...
def mjv_movePerturb(*arguments: Any, **options: Any) -> Any: ...
def mjv_applyPerturbForce(*arguments: Any, **options: Any) -> Any: ...
def mjv_applyPerturbPose(*arguments: Any, **options: Any) -> Any: ...
def mjr_setBuffer(*arguments: Any, **options: Any) -> Any: ...
def mjr_restoreBuffer(*arguments: Any, **options: Any) -> Any: ...
def mjr_maxViewport(*arguments: Any, **options: Any) -> Any: ...
def mjr_resizeOffscreen(*arguments: Any, **options: Any) -> Any: ...
def mjr_changeFont(*arguments: Any, **options: Any) -> Any: ...
def mjr_finish(*arguments: Any, **options: Any) -> Any: ...
def mjr_getError(*arguments: Any, **options: Any) -> Any: ...
def mjr_render(*arguments: Any, **options: Any) -> Any: ...
def mjr_readPixels(*arguments: Any, **options: Any) -> Any: ...
def mjr_drawPixels(*arguments: Any, **options: Any) -> Any: ...
def mjr_text(*arguments: Any, **options: Any) -> Any: ...
def mjr_overlay(*arguments: Any, **options: Any) -> Any: ...
def mjr_label(*arguments: Any, **options: Any) -> Any: ...
def mjr_uploadHField(*arguments: Any, **options: Any) -> Any: ...
def mjr_uploadMesh(*arguments: Any, **options: Any) -> Any: ...
def mjr_uploadTexture(*arguments: Any, **options: Any) -> Any: ...
def mjr_addAux(*arguments: Any, **options: Any) -> Any: ...
def mjr_blitAux(*arguments: Any, **options: Any) -> Any: ...
def mjr_blitBuffer(*arguments: Any, **options: Any) -> Any: ...
def mjr_figure(*arguments: Any, **options: Any) -> Any: ...
def mjr_findRect(*arguments: Any, **options: Any) -> Any: ...
def mjr_rectangle(*arguments: Any, **options: Any) -> Any: ...
def mjr_setAux(*arguments: Any, **options: Any) -> Any: ...
def mjv_addGeoms(*arguments: Any, **options: Any) -> Any: ...
def mjv_averageCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_cameraFrame(*arguments: Any, **options: Any) -> Any: ...
def mjv_cameraFrustum(*arguments: Any, **options: Any) -> Any: ...
def mjv_cameraInRoom(*arguments: Any, **options: Any) -> Any: ...
def mjv_makeLights(*arguments: Any, **options: Any) -> Any: ...
def mjv_model2room(*arguments: Any, **options: Any) -> Any: ...
def mjv_moveModel(*arguments: Any, **options: Any) -> Any: ...
def mjv_room2model(*arguments: Any, **options: Any) -> Any: ...
def mjv_updateCamera(*arguments: Any, **options: Any) -> Any: ...
def mjv_updateSkin(*arguments: Any, **options: Any) -> Any: ...
def install() -> None: ...
def is_installed() -> bool: ...
def uninstall() -> None: ...

class MjsBody:
    def add_body(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_camera(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_freejoint(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_geom(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_joint(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_light(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_site(self, *arguments: Any, **fields: Any) -> Any: ...
    alt: Any
    def attach_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    bodies: Any
    cameras: Any
    childclass: str
    classname: Any
    explicitinertial: int
    def find_all(self, *arguments: Any, **fields: Any) -> Any: ...
    def find_child(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_body(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_camera(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_geom(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_joint(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_light(self, *arguments: Any, **fields: Any) -> Any: ...
    def first_site(self, *arguments: Any, **fields: Any) -> Any: ...
    frame: Any
    frames: Any
    fullinertia: _Array[np.float64]
    geoms: Any
    gravcomp: float
    ialt: Any
    id: Any
    inertia: _Array[np.float64]
    info: str
    ipos: _Array[np.float64]
    iquat: _Array[np.float64]
    joints: Any
    lights: Any
    mass: float
    mocap: int
    name: str
    def next_body(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_camera(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_geom(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_joint(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_light(self, *arguments: Any, **fields: Any) -> Any: ...
    def next_site(self, *arguments: Any, **fields: Any) -> Any: ...
    parent: Any
    plugin: Any
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    sites: Any
    sleep: int
    def to_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    userdata: _Array[np.float64]

class MjsFrame:
    def add_body(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_camera(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_geom(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_joint(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_light(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_site(self, *arguments: Any, **fields: Any) -> Any: ...
    alt: Any
    def attach_body(self, *arguments: Any, **fields: Any) -> Any: ...
    childclass: str
    frame: Any
    id: Any
    info: str
    name: str
    parent: Any
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any

class MjsJoint:
    actfrclimited: int
    actfrcrange: _Array[np.float64]
    actgravcomp: int
    align: int
    armature: float
    axis: _Array[np.float64]
    classname: Any
    damping: float
    frame: Any
    frictionloss: float
    group: int
    id: Any
    info: str
    limited: int
    margin: float
    name: str
    parent: Any
    pos: _Array[np.float64]
    range: _Array[np.float64]
    ref: float
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    solimp_friction: _Array[np.float64]
    solimp_limit: _Array[np.float64]
    solref_friction: _Array[np.float64]
    solref_limit: _Array[np.float64]
    springdamper: _Array[np.float64]
    springref: float
    stiffness: float
    type: int
    userdata: _Array[np.float64]

class MjsGeom:
    alt: Any
    classname: Any
    conaffinity: int
    condim: int
    contype: int
    density: float
    fitscale: float
    fluid_coefs: _Array[np.float64]
    fluid_ellipsoid: float
    frame: Any
    friction: _Array[np.float64]
    fromto: _Array[np.float64]
    gap: float
    group: int
    hfieldname: str
    id: Any
    info: str
    margin: float
    mass: float
    material: str
    meshname: str
    name: str
    parent: Any
    plugin: Any
    pos: _Array[np.float64]
    priority: int
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: float
    solref: _Array[np.float64]
    type: int
    typeinertia: int
    userdata: _Array[np.float64]

class MjsSite:
    alt: Any
    def attach_body(self, *arguments: Any, **fields: Any) -> Any: ...
    classname: Any
    frame: Any
    fromto: _Array[np.float64]
    group: int
    id: Any
    info: str
    material: str
    name: str
    parent: Any
    pos: _Array[np.float64]
    quat: _Array[np.float64]
    rgba: _Array[np.float32]
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    size: _Array[np.float64]
    type: int
    userdata: _Array[np.float64]

class MjsCamera:
    alt: Any
    classname: Any
    focal_length: _Array[np.float32]
    focal_pixel: _Array[np.float32]
    fovy: float
    frame: Any
    id: Any
    info: str
    intrinsic: _Array[np.float32]
    ipd: float
    mode: int
    name: str
    output: int
    parent: Any
    pos: _Array[np.float64]
    principal_length: _Array[np.float32]
    principal_pixel: _Array[np.float32]
    proj: int
    quat: _Array[np.float64]
    resolution: _Array[np.int32]
    sensor_size: _Array[np.float32]
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    targetbody: str
    userdata: _Array[np.float64]

class MjsLight:
    active: int
    ambient: _Array[np.float32]
    attenuation: _Array[np.float32]
    bulbradius: float
    castshadow: int
    classname: Any
    cutoff: float
    diffuse: _Array[np.float32]
    dir: _Array[np.float64]
    exponent: float
    frame: Any
    id: Any
    info: str
    intensity: float
    mode: int
    name: str
    parent: Any
    pos: _Array[np.float64]
    range: float
    def set_frame(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    specular: _Array[np.float32]
    targetbody: str
    texture: str
    type: int

class MjsFlex:
    activelayers: int
    conaffinity: int
    condim: int
    contype: int
    damping: float
    dim: int
    edgedamping: float
    edgestiffness: float
    elastic2d: int
    elem: _Array[np.int32]
    elemtexcoord: _Array[np.int32]
    flatskin: int
    friction: _Array[np.float64]
    gap: float
    group: int
    id: Any
    info: str
    internal: int
    margin: float
    material: str
    name: str
    node: _Array[np.float64]
    nodebody: Any
    passive: int
    poisson: float
    priority: int
    radius: float
    rgba: _Array[np.float32]
    selfcollide: int
    signature: Any
    sinew_bending: str
    sinew_elasticity: str
    size: _Array[np.float64]
    solimp: _Array[np.float64]
    solmix: float
    solref: _Array[np.float64]
    texcoord: _Array[np.float32]
    thickness: float
    vert: _Array[np.float64]
    vertbody: Any
    vertcollide: int
    young: float

class MjsMesh:
    builtin: int
    classname: Any
    content_type: str
    file: str
    id: Any
    inertia: int
    info: str
    def make_cone(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_hemisphere(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_plate(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_sphere(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_supersphere(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_supertorus(self, *arguments: Any, **fields: Any) -> Any: ...
    def make_wedge(self, *arguments: Any, **fields: Any) -> Any: ...
    material: str
    maxhullvert: int
    name: str
    needsdf: int
    params: _Array[np.float64]
    plugin: Any
    refpos: _Array[np.float64]
    refquat: _Array[np.float64]
    scale: _Array[np.float64]
    signature: Any
    smoothnormal: int
    userface: _Array[np.int32]
    userfacenormal: _Array[np.int32]
    userfacetexcoord: _Array[np.int32]
    usernormal: _Array[np.float32]
    usertexcoord: _Array[np.float32]
    uservert: _Array[np.float32]

class MjsHField:
    content_type: str
    file: str
    id: Any
    info: str
    name: str
    ncol: int
    nrow: int
    signature: Any
    size: _Array[np.float64]
    userdata: _Array[np.float32]

class MjsSkin:
    bindpos: _Array[np.float32]
    bindquat: _Array[np.float32]
    bodyname: Any
    face: _Array[np.int32]
    file: str
    group: int
    id: Any
    inflate: float
    info: str
    material: str
    name: str
    rgba: _Array[np.float32]
    signature: Any
    texcoord: _Array[np.float32]
    vert: _Array[np.float32]
    vertid: Any
    vertweight: Any

class MjsTexture:
    builtin: int
    colorspace: int
    content_type: str
    cubefiles: Any
    data: bytes
    file: str
    gridlayout: Any
    gridsize: _Array[np.int32]
    height: int
    hflip: int
    id: Any
    info: str
    mark: int
    markrgb: _Array[np.float64]
    name: str
    nchannel: int
    random: float
    rgb1: _Array[np.float64]
    rgb2: _Array[np.float64]
    signature: Any
    type: int
    vflip: int
    width: int

class MjsMaterial:
    classname: Any
    emission: float
    id: Any
    info: str
    metallic: float
    name: str
    reflectance: float
    rgba: _Array[np.float32]
    roughness: float
    shininess: float
    signature: Any
    specular: float
    texrepeat: _Array[np.float32]
    textures: Any
    texuniform: int

class MjsPair:
    classname: Any
    condim: int
    friction: _Array[np.float64]
    gap: float
    geomname1: str
    geomname2: str
    id: Any
    info: str
    margin: float
    name: str
    signature: Any
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    solreffriction: _Array[np.float64]

class MjsExclude:
    bodyname1: str
    bodyname2: str
    id: Any
    info: str
    name: str
    signature: Any

class MjsEquality:
    active: int
    classname: Any
    data: _Array[np.float64]
    id: Any
    info: str
    name: str
    name1: str
    name2: str
    objtype: int
    signature: Any
    solimp: _Array[np.float64]
    solref: _Array[np.float64]
    type: int

class MjsTendon:
    actfrclimited: int
    actfrcrange: _Array[np.float64]
    armature: float
    classname: Any
    damping: float
    def default(self, *arguments: Any, **fields: Any) -> Any: ...
    frictionloss: float
    group: int
    id: Any
    info: str
    limited: int
    margin: float
    material: str
    name: str
    path: Any
    range: _Array[np.float64]
    rgba: _Array[np.float32]
    signature: Any
    solimp_friction: _Array[np.float64]
    solimp_limit: _Array[np.float64]
    solref_friction: _Array[np.float64]
    solref_limit: _Array[np.float64]
    springlength: _Array[np.float64]
    stiffness: float
    userdata: _Array[np.float64]
    width: float
    def wrap_geom(self, *arguments: Any, **fields: Any) -> Any: ...
    def wrap_joint(self, *arguments: Any, **fields: Any) -> Any: ...
    def wrap_pulley(self, *arguments: Any, **fields: Any) -> Any: ...
    def wrap_site(self, *arguments: Any, **fields: Any) -> Any: ...

class MjsWrap:
    coef: float
    divisor: float
    id: Any
    info: str
    name: str
    sidesite: str
    signature: Any
    target: str
    type: int

class MjsActuator:
    actdim: int
    actearly: int
    actlimited: int
    actrange: _Array[np.float64]
    biasprm: _Array[np.float64]
    biastype: int
    classname: Any
    cranklength: float
    ctrllimited: int
    ctrlrange: _Array[np.float64]
    delay: float
    dynprm: _Array[np.float64]
    dyntype: int
    forcelimited: int
    forcerange: _Array[np.float64]
    gainprm: _Array[np.float64]
    gaintype: int
    gear: _Array[np.float64]
    group: int
    id: Any
    info: str
    inheritrange: float
    interp: int
    lengthrange: _Array[np.float64]
    name: str
    nsample: int
    plugin: Any
    refsite: str
    def set_to_adhesion(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_cylinder(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_damper(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_intvelocity(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_motor(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_muscle(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_position(self, *arguments: Any, **fields: Any) -> Any: ...
    def set_to_velocity(self, *arguments: Any, **fields: Any) -> Any: ...
    signature: Any
    sinew_gain: str
    slidersite: str
    target: str
    trntype: int
    userdata: _Array[np.float64]

class MjsSensor:
    cutoff: float
    datatype: int
    delay: float
    dim: int
    def get_data_size(self, *arguments: Any, **fields: Any) -> Any: ...
    id: Any
    info: str
    interp: int
    interval: _Array[np.float64]
    intprm: _Array[np.int32]
    name: str
    needstage: int
    noise: float
    nsample: int
    objname: str
    objtype: int
    plugin: Any
    refname: str
    reftype: int
    signature: Any
    type: int
    userdata: _Array[np.float64]

class MjsNumeric:
    data: _Array[np.float64]
    id: Any
    info: str
    name: str
    signature: Any
    size: int

class MjsText:
    data: str
    id: Any
    info: str
    name: str
    signature: Any

class MjsTuple:
    id: Any
    info: str
    name: str
    objname: Any
    objprm: _Array[np.float64]
    objtype: _Array[np.int32]
    signature: Any

class MjsKey:
    act: _Array[np.float64]
    ctrl: _Array[np.float64]
    id: Any
    info: str
    mpos: _Array[np.float64]
    mquat: _Array[np.float64]
    name: str
    qpos: _Array[np.float64]
    qvel: _Array[np.float64]
    signature: Any
    time: float

class MjsPlugin:
    active: int
    config: Any
    id: Any
    info: str
    name: str
    plugin_name: str
    signature: Any

class MjsDefault:
    actuator: Any
    camera: Any
    equality: Any
    flex: Any
    geom: Any
    id: Any
    joint: Any
    light: Any
    material: Any
    mesh: Any
    name: str
    pair: Any
    signature: Any
    site: Any
    tendon: Any

class MjsOrientation:
    axisangle: Any
    euler: Any
    id: Any
    name: str
    signature: Any
    type: Any
    xyaxes: Any
    zaxis: Any

class MjsCompiler:
    LRopt: Any
    alignfree: int
    autolimits: int
    balanceinertia: int
    boundinertia: float
    boundmass: float
    degree: int
    discardvisual: int
    eulerseq: Any
    fitaabb: int
    fusestatic: int
    id: Any
    inertiafromgeom: int
    inertiagrouprange: _Array[np.int32]
    meshdir: str
    name: str
    saveinertial: int
    settotalmass: float
    signature: Any
    texturedir: str
    usethread: int

class MjSpec:
    def __copy__(self, *arguments: Any, **fields: Any) -> Any: ...
    def __deepcopy__(self, *arguments: Any, **fields: Any) -> Any: ...
    def activate_plugin(self, *arguments: Any, **fields: Any) -> Any: ...
    def actuator(self, *arguments: Any, **fields: Any) -> Any: ...
    actuators: Any
    def add_actuator(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_default(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_equality(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_exclude(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_flex(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_hfield(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_key(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_material(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_mesh(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_numeric(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_pair(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_plugin(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_sensor(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_skin(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_tendon(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_text(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_texture(self, *arguments: Any, **fields: Any) -> Any: ...
    def add_tuple(self, *arguments: Any, **fields: Any) -> Any: ...
    assets: Any
    def attach(self, *arguments: Any, **fields: Any) -> Any: ...
    bodies: Any
    def body(self, *arguments: Any, **fields: Any) -> Any: ...
    def camera(self, *arguments: Any, **fields: Any) -> Any: ...
    cameras: Any
    comment: str
    def compile(self, *arguments: Any, **fields: Any) -> Any: ...
    compiler: Any
    def copy(self, *arguments: Any, **fields: Any) -> Any: ...
    copy_during_attach: Any
    default: Any
    def delete(self, *arguments: Any, **fields: Any) -> Any: ...
    equalities: Any
    def equality(self, *arguments: Any, **fields: Any) -> Any: ...
    def exclude(self, *arguments: Any, **fields: Any) -> Any: ...
    excludes: Any
    def find_default(self, *arguments: Any, **fields: Any) -> Any: ...
    def flex(self, *arguments: Any, **fields: Any) -> Any: ...
    flexes: Any
    def frame(self, *arguments: Any, **fields: Any) -> Any: ...
    frames: Any
    @staticmethod
    def from_file(*arguments: Any, **options: Any) -> Any: ...
    @staticmethod
    def from_string(*arguments: Any, **options: Any) -> Any: ...
    @staticmethod
    def from_zip(*arguments: Any, **options: Any) -> Any: ...
    def geom(self, *arguments: Any, **fields: Any) -> Any: ...
    geoms: Any
    hasImplicitPluginElem: int
    def hfield(self, *arguments: Any, **fields: Any) -> Any: ...
    hfields: Any
    def joint(self, *arguments: Any, **fields: Any) -> Any: ...
    joints: Any
    def key(self, *arguments: Any, **fields: Any) -> Any: ...
    keys: Any
    def light(self, *arguments: Any, **fields: Any) -> Any: ...
    lights: Any
    def material(self, *arguments: Any, **fields: Any) -> Any: ...
    materials: Any
    memory: int
    def mesh(self, *arguments: Any, **fields: Any) -> Any: ...
    meshdir: Any
    meshes: Any
    modelfiledir: str
    modelname: str
    nconmax: int
    nemax: int
    njmax: int
    nkey: int
    nstack: int
    def numeric(self, *arguments: Any, **fields: Any) -> Any: ...
    numerics: Any
    nuser_actuator: int
    nuser_body: int
    nuser_cam: int
    nuser_geom: int
    nuser_jnt: int
    nuser_sensor: int
    nuser_site: int
    nuser_tendon: int
    nuserdata: int
    option: Any
    def pair(self, *arguments: Any, **fields: Any) -> Any: ...
    pairs: Any
    parent: Any
    def plugin(self, *arguments: Any, **fields: Any) -> Any: ...
    plugins: Any
    def recompile(self, *arguments: Any, **fields: Any) -> Any: ...
    @staticmethod
    def resolve_orientation(*arguments: Any, **options: Any) -> Any: ...
    def sensor(self, *arguments: Any, **fields: Any) -> Any: ...
    sensors: Any
    def site(self, *arguments: Any, **fields: Any) -> Any: ...
    sites: Any
    def skin(self, *arguments: Any, **fields: Any) -> Any: ...
    skins: Any
    stat: Any
    strippath: int
    def tendon(self, *arguments: Any, **fields: Any) -> Any: ...
    tendons: Any
    def text(self, *arguments: Any, **fields: Any) -> Any: ...
    texts: Any
    def texture(self, *arguments: Any, **fields: Any) -> Any: ...
    texturedir: Any
    textures: Any
    def to_file(self, *arguments: Any, **fields: Any) -> Any: ...
    def to_xml(self, *arguments: Any, **fields: Any) -> Any: ...
    def to_zip(self, *arguments: Any, **fields: Any) -> Any: ...
    def tuple(self, *arguments: Any, **fields: Any) -> Any: ...
    tuples: Any
    visual: Any
    worldbody: Any

MjStruct = Any
def from_zip(file: Any) -> MjSpec: ...
def to_zip(spec: MjSpec, file: Any) -> None: ...

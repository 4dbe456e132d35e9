"""Named access: ``m.body("arm").pos`` is the arm's row of ``m.body_pos``.

A view holds the arrays of the object it was made from and an id; its attributes are slices of those
arrays, made when first asked for. Single numbers are arrays of one element, as in the reference, so that
they can be written in place. An object keeps its views: ``m.body("arm") is m.body(1)``. They do not hold
the object itself, so that it is freed when nobody else does.

The reference lists a hand-picked part of the columns and gives tendons names with a leading
underscore; here every column of the object is listed, and both spellings work.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _native
from ._enums import ENUMS
from ._missing import suggestion
from ._target import numbers

Getter = Callable[["Source", int], Any]

_OBJECTS = ENUMS["mjtObj"]


class Source:
    """What views are made of: arrays of a model or of its data, arrays and sizes of the model, names."""

    __slots__ = ("arrays", "model_arrays", "names", "sizes")

    def __init__(self, arrays: dict, model_arrays: dict, sizes: dict, names: Callable[[int], tuple]):
        self.arrays = arrays
        self.model_arrays = model_arrays
        self.sizes = sizes
        self.names = names


class View:
    """One object of a model or of its data."""

    __slots__ = ("_made", "_source", "id")
    _kind: int
    _fields: tuple[str, ...]

    def __init__(self, source: Source, index: int):
        self._source = source
        self._made: dict[str, Any] = {}
        self.id = index

    @property
    def name(self) -> str:
        """The object's name; empty when it has none."""
        return self._source.names(self._kind)[0][self.id]

    def __repr__(self) -> str:
        names = sorted((*self._fields, "id", "name"))
        lines = [f"  {name}: {getattr(self, name)!r}" for name in names]
        return "\n".join([f"<{type(self).__name__}", *lines, ">"])


class Views:
    """The views of a model or of its data that were asked for, by class, and there by index and by name."""

    __slots__ = ("_known", "_source")

    def __init__(self, source: Source):
        self._source = source
        self._known: dict[type[View], dict[int | str, View]] = {}

    def get(self, kind: type[View], name: int | str) -> View:
        """The view of an object, the same as the last time."""
        try:
            return self._known[kind][name]
        except KeyError:
            return self._make(kind, name)

    def _make(self, kind: type[View], name: int | str) -> View:
        names, ids = self._source.names(kind._kind)
        if isinstance(name, bytes):
            return self.get(kind, name.decode())
        if isinstance(name, str):
            index = ids.get(name)
            if index is None:
                hint = suggestion(name, ids, likeness=0.5)
                raise KeyError(f"Invalid name '{name}'. Valid names: {sorted(ids)}{hint}")
        else:
            index = operator.index(name)
            if not 0 <= index < len(names):
                raise IndexError(f"Invalid index {index}. Valid indices from 0 to {len(names) - 1}")
        known = self._known.setdefault(kind, {})
        # Of two threads that come at once one makes the view of both.
        return known.setdefault(name, known.setdefault(index, kind(self._source, index)))

    @property
    def names(self) -> Callable[[int], tuple]:
        """Names of a kind by id, and ids by name."""
        return self._source.names

    def renew(self, arrays: dict) -> None:
        """The object has new arrays: views that somebody holds show them."""
        self._source.arrays = arrays
        for views in self._known.values():
            for view in views.values():
                view._made.clear()


def row(column: str) -> Getter:
    """The object's row of a column."""

    def get(source, index):
        array = source.arrays[column]
        return array[index : index + 1] if array.ndim == 1 else array[index]

    return get


def stretch(column: str, address: str, length: Callable[[Source, int], int]) -> Getter:
    """The object's stretch of a column: from an address, for a number of rows."""

    def get(source, index):
        start = int(source.model_arrays[address][index])
        return source.arrays[column][start : start + length(source, index)]

    return get


def _number(source: Source, column: str, index: int) -> int:
    return int(source.model_arrays[column][index])


def _dofs(source, joint: int) -> int:
    return _until_next(source.model_arrays["jnt_dofadr"], source.sizes["nv"], joint)


def _coordinates(source, joint: int) -> int:
    return _until_next(source.model_arrays["jnt_qposadr"], source.sizes["nq"], joint)


def _until_next(addresses, end: int, index: int) -> int:
    """How many numbers stand between an address and the next one, or the end."""
    following = addresses[index + 1] if index + 1 < len(addresses) else end
    return int(following - addresses[index])


def of_dofs(column: str) -> Getter:
    """A joint's rows of a column that has one row per degree of freedom."""
    return stretch(column, "jnt_dofadr", _dofs)


def of_coordinates(column: str) -> Getter:
    """A joint's rows of a column that has one row per position coordinate."""
    return stretch(column, "jnt_qposadr", _coordinates)


def _columns(size: str, prefix: str) -> dict[str, str]:
    """Attribute name to column, for the columns with this row count and prefix."""
    rows = _native.model_columns()
    return {name[len(prefix) :]: name for name, s, *_ in rows if s == size and name.startswith(prefix)}


def _rows(size: str, prefix: str) -> dict[str, Getter]:
    return {attribute: row(column) for attribute, column in _columns(size, prefix).items()}


def _joint() -> dict[str, Getter]:
    """A joint shows its own columns and those of its degrees of freedom."""
    fields = {attribute: of_dofs(column) for attribute, column in _columns("nv", "dof_").items()}
    fields.update(_rows("njnt", "jnt_"))
    fields["bodyid"] = of_dofs("dof_bodyid")
    fields["qpos0"] = of_coordinates("qpos0")
    fields["qpos_spring"] = of_coordinates("qpos_spring")
    return fields


def _with_slices(size: str, prefix: str, **columns: str) -> dict[str, Getter]:
    """Rows, and stretches of shared storage given by the object's `adr` and `size`."""
    fields = _rows(size, prefix)
    for attribute, column in columns.items():
        fields[attribute] = stretch(column, f"{prefix}adr", lambda source, i: _number(source, f"{prefix}size", i))
    return fields


def _height_field() -> dict[str, Getter]:
    def data(source, index):
        rows, columns, start = (_number(source, f"hfield_{name}", index) for name in ("nrow", "ncol", "adr"))
        return source.arrays["hfield_data"][start : start + rows * columns].reshape(rows, columns)

    return {**_rows("nhfield", "hfield_"), "data": data}


def _texture() -> dict[str, Getter]:
    def data(source, index):
        shape = tuple(_number(source, f"tex_{name}", index) for name in ("height", "width", "nchannel"))
        start = _number(source, "tex_adr", index)
        return source.arrays["tex_data"][start : start + math.prod(shape)].reshape(shape)

    return {**_rows("ntex", "tex_"), "data": data}


def _tendon() -> dict[str, Getter]:
    fields = _rows("ntendon", "tendon_")
    return {**fields, **{f"_{attribute}": get for attribute, get in fields.items()}}


def _moment(source, index):
    """The actuator's moment arms as a dense vector, a copy."""
    arrays, dense = source.arrays, np.zeros(source.sizes["nv"])
    start, count = int(arrays["moment_rowadr"][index]), int(arrays["moment_rownnz"][index])
    entries = slice(start, start + count)
    dense[arrays["moment_colind"][entries]] = arrays["actuator_moment"][entries]
    return dense


# Made anew at every access.
_COPIES = {_moment}


def _class(name: str, kind: str, fields: dict[str, Getter]) -> type[View]:
    def attribute(field: str, make: Getter) -> property:
        def get(self):
            try:
                return self._made[field]
            except KeyError:
                made = self._made[field] = make(self._source, self.id)
                return made

        def set_(self, value):
            get(self)[...] = numbers(field, value)

        if make in _COPIES:
            return property(lambda self: make(self._source, self.id))
        return property(get, set_)

    body: dict[str, Any] = {field: attribute(field, get) for field, get in fields.items()}
    listed = tuple(field for field in fields if not field.startswith("_"))
    body.update(__slots__=(), __module__="sinew.compat", _kind=int(_OBJECTS[kind]), _fields=listed)
    return type(name, (View,), body)


# Accessor names, kind, class name, attributes.
MODEL_VIEWS = {
    ("actuator",): _class("_MjModelActuatorViews", "mjOBJ_ACTUATOR", _rows("nu", "actuator_")),
    ("body",): _class("_MjModelBodyViews", "mjOBJ_BODY", _rows("nbody", "body_")),
    ("camera", "cam"): _class("_MjModelCameraViews", "mjOBJ_CAMERA", _rows("ncam", "cam_")),
    ("equality", "eq"): _class("_MjModelEqualityViews", "mjOBJ_EQUALITY", _rows("neq", "eq_")),
    ("exclude",): _class("_MjModelExcludeViews", "mjOBJ_EXCLUDE", _rows("nexclude", "exclude_")),
    ("flex",): _class("_MjModelFlexViews", "mjOBJ_FLEX", _rows("nflex", "flex_")),
    ("geom",): _class("_MjModelGeomViews", "mjOBJ_GEOM", _rows("ngeom", "geom_")),
    ("hfield",): _class("_MjModelHfieldViews", "mjOBJ_HFIELD", _height_field()),
    ("joint", "jnt"): _class("_MjModelJointViews", "mjOBJ_JOINT", _joint()),
    ("keyframe", "key"): _class("_MjModelKeyframeViews", "mjOBJ_KEY", _rows("nkey", "key_")),
    ("light",): _class("_MjModelLightViews", "mjOBJ_LIGHT", _rows("nlight", "light_")),
    ("material", "mat"): _class("_MjModelMaterialViews", "mjOBJ_MATERIAL", _rows("nmat", "mat_")),
    ("mesh",): _class("_MjModelMeshViews", "mjOBJ_MESH", _rows("nmesh", "mesh_")),
    ("numeric",): _class(
        "_MjModelNumericViews", "mjOBJ_NUMERIC", _with_slices("nnumeric", "numeric_", data="numeric_data")
    ),
    ("pair",): _class("_MjModelPairViews", "mjOBJ_PAIR", _rows("npair", "pair_")),
    ("sensor",): _class("_MjModelSensorViews", "mjOBJ_SENSOR", _rows("nsensor", "sensor_")),
    ("site",): _class("_MjModelSiteViews", "mjOBJ_SITE", _rows("nsite", "site_")),
    ("skin",): _class("_MjModelSkinViews", "mjOBJ_SKIN", _rows("nskin", "skin_")),
    ("tendon",): _class("_MjModelTendonViews", "mjOBJ_TENDON", _tendon()),
    ("texture", "tex"): _class("_MjModelTextureViews", "mjOBJ_TEXTURE", _texture()),
    ("tuple",): _class(
        "_MjModelTupleViews",
        "mjOBJ_TUPLE",
        _with_slices("ntuple", "tuple_", objtype="tuple_objtype", objid="tuple_objid", objprm="tuple_objprm"),
    ),
}


_DATA_COLUMNS = {name for name, *_ in _native.data_columns()}


def _of_rows(**columns: str) -> dict[str, Getter]:
    return {attribute: row(column) for attribute, column in columns.items() if column in _DATA_COLUMNS}


def _same(*columns: str) -> dict[str, str]:
    return {column: column for column in columns}


_BODY = _same(
    "xfrc_applied", "xpos", "xquat", "xmat", "xipos", "ximat", "subtree_com", "cinert", "crb", "cvel",
    "subtree_linvel", "subtree_angmom", "cacc", "cfrc_int", "cfrc_ext",
)  # fmt: skip
_DOF = (
    "qvel", "qacc_warmstart", "qfrc_applied", "qacc", "cdof", "qLDiagInv", "cdof_dot", "qfrc_bias",
    "qfrc_passive", "qfrc_actuator", "qfrc_smooth", "qacc_smooth", "qfrc_constraint", "qfrc_inverse",
)  # fmt: skip

DATA_VIEWS = {
    ("actuator",): _class(
        "_MjDataActuatorViews",
        "mjOBJ_ACTUATOR",
        {
            **_of_rows(
                ctrl="ctrl", length="actuator_length", velocity="actuator_velocity", force="actuator_force"
            ),
            "moment": _moment,
        },
    ),
    ("body",): _class("_MjDataBodyViews", "mjOBJ_BODY", _of_rows(**_BODY)),
    ("camera", "cam"): _class("_MjDataCameraViews", "mjOBJ_CAMERA", _of_rows(xpos="cam_xpos", xmat="cam_xmat")),
    ("geom",): _class("_MjDataGeomViews", "mjOBJ_GEOM", _of_rows(xpos="geom_xpos", xmat="geom_xmat")),
    ("joint", "jnt"): _class(
        "_MjDataJointViews",
        "mjOBJ_JOINT",
        {
            **{column: of_dofs(column) for column in _DOF if column in _DATA_COLUMNS},
            **_of_rows(xanchor="xanchor", xaxis="xaxis"),
            "qpos": of_coordinates("qpos"),
        },
    ),
    ("light",): _class("_MjDataLightViews", "mjOBJ_LIGHT", _of_rows(xpos="light_xpos", xdir="light_xdir")),
    ("sensor",): _class(
        "_MjDataSensorViews",
        "mjOBJ_SENSOR",
        {"data": stretch("sensordata", "sensor_adr", lambda source, i: _number(source, "sensor_dim", i))}
        if "sensordata" in _DATA_COLUMNS
        else {},
    ),
    ("site",): _class("_MjDataSiteViews", "mjOBJ_SITE", _of_rows(xpos="site_xpos", xmat="site_xmat")),
    ("tendon", "ten"): _class(
        "_MjDataTendonViews",
        "mjOBJ_TENDON",
        _of_rows(
            wrapadr="ten_wrapadr", wrapnum="ten_wrapnum", J_rownnz="ten_J_rownnz", J_rowadr="ten_J_rowadr",
            J_colind="ten_J_colind", length="ten_length", J="ten_J", velocity="ten_velocity",
        ),
    ),
}  # fmt: skip


def accessor(view: type[View], kind: str) -> Callable[..., View]:
    """The method ``owner.kind(index)`` or ``owner.kind(name)``."""

    def access(self, name: int | str = "") -> View:
        return self._views.get(view, name)

    access.__name__ = access.__qualname__ = kind
    access.__doc__ = f"The {kind} with this index or name."
    return access

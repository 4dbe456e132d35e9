"""Named access: ``batch.joint("hip").qpos`` is the hip's part of ``batch.qpos``, for all worlds.

A view holds the batch and an id; its attributes are slices of the batch's arrays, made when asked for. Single numbers
have the shape (nworld,): a hinge's ``qpos`` is that, a free joint's (nworld, 7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..compat import mjtObj

if TYPE_CHECKING:
    from ._batch import Batch


class Part:
    """A part of an array of the batch. Assigning to it writes in place."""

    def __init__(self, array: str, columns: Callable[[Any, int], int | slice] = lambda _model, index: index):
        self.array = array
        self.columns = columns
        self.__doc__ = f"The object's part of ``{array}``."

    def __get__(self, view: View, owner: type) -> npt.NDArray[Any]:
        if view is None:
            return self
        batch = view._batch
        return getattr(batch, self.array)[:, self.columns(batch.model, view.id)]

    def __set__(self, view: View, value: npt.ArrayLike) -> None:
        self.__get__(view, type(view))[...] = value


class View:
    """One object of the model, in all worlds."""

    __slots__ = ("_batch", "id")
    _kind: int
    _prefixes: dict[str, Callable[[Any, int], int | slice]] = {}
    """Of the model's arrays that belong to such objects, and which rows are one object's."""

    def __init__(self, batch: Batch, index: int):
        self._batch = batch
        self.id = index

    @property
    def name(self) -> str:
        """The object's name; empty when it has none."""
        return self._batch.model._model_names(self._kind)[0][self.id]

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        """The object's part of an array of the model in which worlds differ: ``mass`` of ``body_mass``."""
        for prefix, rows in self._prefixes.items():
            if prefix + name in self._batch.values:
                return self._batch.values[prefix + name][:, rows(self._batch.model, self.id)]
        kinds = " or ".join(f"expand({prefix + name!r})" for prefix in self._prefixes)
        raise AttributeError(f"there is no {name} here; of the model's arrays, {kinds} might give it")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in View.__slots__ or isinstance(getattr(type(self), name, None), Part):
            object.__setattr__(self, name, value)
        else:
            self.__getattr__(name)[...] = value

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.name!r} of {len(self._batch)} worlds>"


def _stretch(start: int, length: int) -> int | slice:
    return start if length == 1 else slice(start, start + length)


def _coordinates(model, joint: int) -> int | slice:
    return _stretch(int(model.jnt_qposadr[joint]), (7, 4, 1, 1)[model.jnt_type[joint]])


def _dofs(model, joint: int) -> int | slice:
    return _stretch(int(model.jnt_dofadr[joint]), (6, 3, 1, 1)[model.jnt_type[joint]])


def _readings(model, sensor: int) -> int | slice:
    return _stretch(int(model.sensor_adr[sensor]), int(model.sensor_dim[sensor]))


def _activations(model, actuator: int) -> int | slice:
    start, count = int(model.actuator_actadr[actuator]), int(model.actuator_actnum[actuator])
    return slice(0, 0) if start < 0 else _stretch(start, count)


def _own(_model, index: int) -> int:
    return index


def _mocap(model, body: int) -> int:
    index = int(model.body_mocapid[body])
    if index < 0:
        raise AttributeError("this is no mocap body")
    return index


class JointView(View):
    """A joint in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_JOINT)
    _prefixes = {"jnt_": _own, "dof_": _dofs, "": _coordinates}
    qpos = Part("qpos", _coordinates)
    qvel = Part("qvel", _dofs)
    qacc = Part("qacc", _dofs)
    qacc_warmstart = Part("qacc_warmstart", _dofs)
    qfrc_applied = Part("qfrc_applied", _dofs)
    qfrc_bias = Part("qfrc_bias", _dofs)
    qfrc_passive = Part("qfrc_passive", _dofs)
    qfrc_actuator = Part("qfrc_actuator", _dofs)
    qfrc_smooth = Part("qfrc_smooth", _dofs)
    qacc_smooth = Part("qacc_smooth", _dofs)
    qfrc_constraint = Part("qfrc_constraint", _dofs)
    cdof = Part("cdof", _dofs)
    xanchor = Part("xanchor")
    xaxis = Part("xaxis")


class BodyView(View):
    """A body in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_BODY)
    _prefixes = {"body_": _own}
    xfrc_applied = Part("xfrc_applied")
    mocap_pos = Part("mocap_pos", _mocap)
    mocap_quat = Part("mocap_quat", _mocap)
    xpos = Part("xpos")
    xquat = Part("xquat")
    xmat = Part("xmat")
    xipos = Part("xipos")
    ximat = Part("ximat")
    subtree_com = Part("subtree_com")
    cinert = Part("cinert")
    cvel = Part("cvel")
    subtree_linvel = Part("subtree_linvel")
    subtree_angmom = Part("subtree_angmom")
    cacc = Part("cacc")
    cfrc_int = Part("cfrc_int")
    cfrc_ext = Part("cfrc_ext")


class GeomView(View):
    """A geom in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_GEOM)
    _prefixes = {"geom_": _own}
    xpos = Part("geom_xpos")
    xmat = Part("geom_xmat")


class SiteView(View):
    """A site in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_SITE)
    _prefixes = {"site_": _own}
    xpos = Part("site_xpos")
    xmat = Part("site_xmat")


class ActuatorView(View):
    """An actuator in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_ACTUATOR)
    _prefixes = {"actuator_": _own}
    ctrl = Part("ctrl")
    act = Part("act", _activations)
    act_dot = Part("act_dot", _activations)
    length = Part("actuator_length")
    velocity = Part("actuator_velocity")
    force = Part("actuator_force")


class SensorView(View):
    """A sensor in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_SENSOR)
    _prefixes = {"sensor_": _own}
    data = Part("sensordata", _readings)


class TendonView(View):
    """A tendon in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_TENDON)
    _prefixes = {"tendon_": _own}
    length = Part("ten_length")
    velocity = Part("ten_velocity")


class EqualityView(View):
    """An equality constraint in all worlds."""

    __slots__ = ()
    _kind = int(mjtObj.mjOBJ_EQUALITY)
    _prefixes = {"eq_": _own}
    active = Part("eq_active")


Kind = TypeVar("Kind", bound=View)


def find(batch: Batch, view: type[Kind], name: int | str) -> Kind:
    """The view of an object with this index or name."""
    names, ids = batch.model._model_names(view._kind)
    if isinstance(name, str):
        index = ids.get(name)
        if index is None:
            raise KeyError(f"there is no {name!r}; there are {sorted(ids)}")
    else:
        index = int(np.asarray(name))
        if not 0 <= index < len(names):
            raise IndexError(f"there is no {index}; indices go from 0 to {len(names) - 1}")
    return view(batch, index)

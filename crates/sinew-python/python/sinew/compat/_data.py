"""One simulation with the reference's attribute names."""

from __future__ import annotations

import math
import operator

import numpy as np

from .. import _native
from ._arguments import check
from ._hooks import Hooks
from ._html import table
from ._islands import ISLAND_FIELDS
from ._lists import COLUMNS as _VARYING
from ._lists import ContactList, SolverList, TimerList, WarningList
from ._missing import explained
from ._model import MjModel
from ._target import numbers, real
from ._views import DATA_VIEWS, Source, Views, accessor

_COLUMNS = tuple(row[0] for row in _native.data_columns())
_LISTS = (ContactList, WarningList, SolverList, TimerList)


class MjData:
    """One simulation of a model. Arrays (``qpos``, ``xpos``, …) are live views that can be written.

    So are contacts and constraint rows (``contact``, ``efc_force``, …), whose number changes: what is written counts
    for the next call, and after it they show the new values as long as their length fits. Ids and addresses are
    looked at then, because a step relies on them.
    """

    __slots__ = ("__weakref__", "_arrays", "_constants", "_known_views", "_lists", "_native", "hooks", "model")

    def __init__(self, model: MjModel):
        check("MjData", {"model": MjModel}, {"model": model})
        self._attach(model, _native.Data(model._native))

    def _attach(self, model, native) -> None:
        set_ = object.__setattr__
        set_(self, "model", model)
        set_(self, "_native", native)
        set_(self, "hooks", Hooks())
        set_(self, "_arrays", native.arrays())
        set_(self, "_constants", {})
        set_(self, "_lists", tuple(kind(native) for kind in _LISTS))

    @property
    def _views(self) -> Views:
        """The named views, made when first asked for."""
        try:
            return self._known_views
        except AttributeError:
            model = self.model
            source = Source(self._arrays, model._arrays, model._sizes, model._views.names)
            object.__setattr__(self, "_known_views", Views(source))
            return self._known_views

    def __setattr__(self, name, value):
        if name in MjData.__slots__:
            raise AttributeError(f"'{name}' cannot be replaced")
        try:
            object.__setattr__(self, name, value)
        except AttributeError as error:
            raise explained(self, name, error, "it follows from what was computed") from None

    @property
    def _address(self) -> int:
        """A number that no other object has while this one lives. There is nothing for C at this place."""
        return id(self._native)

    def __copy__(self) -> MjData:
        copied = type(self).__new__(type(self))
        copied._attach(self.model, self._native.copy())
        copied.hooks.take_over(self.hooks)
        return copied

    def __deepcopy__(self, memo) -> MjData:
        copied = type(self).__new__(type(self))
        copied._attach(self.model.__deepcopy__(memo), self._native.copy())
        return copied

    def __reduce__(self):
        return _restore, (self.model, _native.data_bytes(self._native))

    def _renew(self, is_new: bool) -> None:
        """After a reset that had to make the simulation anew, arrays are asked for again."""
        if is_new:
            object.__setattr__(self, "_arrays", self._native.arrays())
            self._views.renew(self._arrays)

    def __repr__(self) -> str:
        return f"<MjData of {self.model!r} at time {self.time:g}>"

    def _repr_html_(self) -> str:
        facts = {"time": f"{self.time:g} s", "contacts": self.ncon, "constraint rows": self.nefc}
        state = {name: _short(getattr(self, name)) for name in ("qpos", "qvel", "act", "ctrl", "sensordata")}
        return table("MjData", {**facts, **{name: text for name, text in state.items() if text}})

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return self._native.time

    @time.setter
    def time(self, seconds: float) -> None:
        seconds = real("time", seconds)
        if not math.isfinite(seconds):
            raise ValueError(f"time must be finite, not {seconds}")
        self._native.time = seconds

    @property
    def contact(self) -> ContactList:
        """The contacts at the last positions computed."""
        return self._lists[0]

    @property
    def warning(self) -> WarningList:
        """The warning counters."""
        return self._lists[1]

    @property
    def solver(self) -> SolverList:
        """Statistics of the solver's iterations."""
        return self._lists[2]

    @property
    def timer(self) -> TimerList:
        """How often each part of the computation ran, and how long if ``set_mjcb_time`` has set a clock."""
        return self._lists[3]

    @property
    def nJ(self) -> int:
        """Number of entries of the constraint Jacobian."""
        return self.efc_J.size

    @property
    def nA(self) -> int:
        """Number of entries of ``efc_AR``."""
        return self.efc_AR.size

    @property
    def signature(self) -> int:
        """Equal for models and data that fit each other."""
        return self.model.signature

    def _model_names(self, kind: int):
        return self.model._model_names(kind)


def _short(numbers: np.ndarray) -> str:
    """The first numbers of an array; nothing if there are none."""
    return np.array2string(numbers, threshold=8, edgeitems=4, precision=4) if numbers.size else ""


def check_fits(m: MjModel, d: MjData) -> None:
    """Raises ValueError unless the data was made for this model, or one of the same structure."""
    if d.model is not m and d.signature != m.signature:
        raise ValueError("this MjData was made for another model; make one with MjData(model)")


def _restore(model: MjModel, content: bytes) -> MjData:
    data = MjData(model)
    _native.restore_data(data._native, content)
    return data


def _array(name: str) -> property:
    def set_(self, value):
        self._arrays[name][...] = numbers(name, value)

    return property(lambda self: self._arrays[name], set_)


def _addresses(name: str) -> property:
    """Addresses that stages rely on: what is written is looked at before the next call."""

    def get(self):
        self._native.lend_addresses()
        return self._arrays[name]

    def set_(self, value):
        get(self)[...] = numbers(name, value)

    return property(get, set_)


def _count(name: str) -> property:
    def set_(self, value):
        self._native.set_count(name, operator.index(value))

    return property(lambda self: self._native.count(name), set_)


def realloc_con_efc(d: MjData, ncon: int, nefc: int, nJ: int = -1) -> None:
    """Blank contacts and constraint rows, to be written: what others make (``mujoco.mjx``) goes in there."""
    check("_realloc_con_efc", {"d": MjData}, {"d": d})
    ncon, nefc, nJ = (operator.index(number) for number in (ncon, nefc, nJ))
    d._native.make_rows(ncon, nefc, nefc * d.model.nv if nJ < 0 else nJ)


def _flag(name: str) -> property:
    """Whether something is current: what is not will be computed when it is needed."""
    return property(lambda self: self._native.count(name), lambda self, value: self._native.set_flag(name, bool(value)))


def _row_array(name: str, number: int) -> property:
    def get(self):
        return _native.varying(self._native, number)

    def set_(self, value):
        array = get(self)
        if not array.flags.writeable:
            raise ValueError(f"{name} is read-only: it follows from what was computed")
        array[...] = numbers(name, value)

    return property(get, set_)


def _made(name: str, make) -> property:
    """What is made when asked for; arrays cannot be written, since that would change nothing. An array that still has
    the right shape is filled anew, so that it is the same object at every access.
    """

    def get(self):
        value = make(self)
        if not isinstance(value, np.ndarray):
            return value
        known = self._constants.get(name)
        if known is None or known.shape != value.shape:
            known = self._constants[name] = np.array(value)
        known.flags.writeable = True
        known[...] = value
        known.flags.writeable = known.size == 0
        return known

    return property(get)


def _constant(name: str, make) -> property:
    """What follows from the model alone: made once, the same object at every access. Numbers can be set, which changes
    nothing else.
    """

    def get(self):
        if name not in self._constants:
            value = make(self.model)
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            self._constants[name] = value
        return self._constants[name]

    def set_(self, value):
        if isinstance(get(self), np.ndarray):
            raise AttributeError(f"{name} cannot be set: it follows from the model")
        self._constants[name] = operator.index(value)

    return property(get, set_)


def _awake_parents(m: MjModel) -> np.ndarray:
    """Bodies whose parent is awake or static: all but the world."""
    return np.append(_range(m.nbody)[1:], np.int32(0))


def _ones(count: int) -> np.ndarray:
    return np.ones(count, np.int32)


def _range(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.int32)


ROW_FIELDS = tuple((name, dtype.name) for name, (_, dtype, *_rest) in _VARYING.items() if "." not in name)
for _name, _dtype in ROW_FIELDS:
    setattr(MjData, _name, _row_array(_name, _VARYING[_name][0]))
COUNTS = ("ncon", "ne", "nf", "nl", "nefc", "nisland", "nidof")
for _name in COUNTS:
    setattr(MjData, _name, _count(_name))
for _name in _COLUMNS:
    setattr(MjData, _name, (_addresses if _name in _native.addresses() else _array)(_name))

for _name, _make in ISLAND_FIELDS.items():
    setattr(MjData, _name, _made(_name, _make))

# Sleeping, the arena and plugins: what the reference shows without them.
CONSTANTS = {
    "tree_asleep": lambda m: np.full(m.ntree, -11, np.int32),
    "tree_awake": lambda m: _ones(m.ntree),
    "body_awake": lambda m: np.where((m.body_treeid < 0) & (m.body_mocapid[m.body_rootid] < 0), -1, 1).astype(np.int32),
    "body_awake_ind": lambda m: _range(m.nbody),
    "parent_awake_ind": _awake_parents,
    "dof_awake_ind": lambda m: _range(m.nv),
    "ntree_awake": lambda m: m.ntree,
    "nbody_awake": lambda m: m.nbody,
    "nparent_awake": lambda m: m.nbody - 1,
    "nv_awake": lambda m: m.nv,
    "bvh_active": lambda m: np.zeros(m.nbvh, np.uint8),
    "plugin": lambda m: np.zeros(m.nplugin, np.int32),
    "plugin_data": lambda m: np.zeros(m.nplugin, np.uint64),
    "nplugin": lambda m: m.nplugin,
    "narena": lambda m: m.narena,
    "nbuffer": lambda m: m.nbuffer,
    "parena": lambda _m: 0,
    "pstack": lambda _m: 0,
    "pbase": lambda _m: 0,
    "threadpool": lambda _m: 0,
    "maxuse_arena": lambda _m: 0,
    "maxuse_stack": lambda _m: 0,
    "maxuse_con": lambda _m: 0,
    "maxuse_efc": lambda _m: 0,
    "maxuse_threadstack": lambda _m: np.zeros(128, np.uint64),
}
for _name, _make in CONSTANTS.items():
    setattr(MjData, _name, _constant(_name, _make))

FLAGS = ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost")
for _name in FLAGS:
    setattr(MjData, _name, _flag(_name))
for _kinds, _view in DATA_VIEWS.items():
    for _name in _kinds:
        setattr(MjData, _name, accessor(_view, _name))
MjData._all_fields = _COLUMNS

"""The batch itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from ..compat import MjData, MjModel, MjvCamera, MjvOption
from ..errors import BatchError, DeviceError
from ._arrays import Array, Arrays, Numbers
from ._device import DeviceWorlds, is_on_device
from ._pictures import Pictures
from ._progress import Bar
from ._views import (
    ActuatorView,
    BodyView,
    EqualityView,
    GeomView,
    JointView,
    SensorView,
    SiteView,
    TendonView,
    find,
)

Where = int | slice | npt.ArrayLike | None
"""Worlds: all (``None``), one by its index, a mask of ``nworld`` flags, or indices."""

_FIELDS = frozenset(name for name, _ in _native.batch_fields())
_VALUES = frozenset(_native.value_names())
_ALWAYS = tuple(name for name, is_kept in _native.batch_fields() if is_kept) + ("eq_active",)


@dataclass(frozen=True)
class Trajectories:
    """What a rollout gave, one row per world and step."""

    states: Numbers
    """qpos and qvel after each step: (nworld, nstep, nq + nv)."""
    sensordata: Numbers
    """Sensor readings: (nworld, nstep, nsensordata)."""
    steps: npt.NDArray[np.int64]
    """How many steps each world made; fewer than ``nstep`` if it failed. What is left repeats its last one."""
    recorded: dict[str, Numbers] = field(default_factory=dict)
    """Other arrays that were asked for: (nworld, nstep, …)."""


@dataclass(frozen=True)
class Plan:
    """How a batch computes."""

    side_by_side: int
    """Worlds that go through the same instructions, one per lane of the processor's registers."""
    reason: str | None
    """What the model or the batch has that keeps worlds to one at a time; ``None`` if nothing does."""
    device: str = "cpu"
    """Where: ``cpu``, ``cuda:0`` and so on, or ``emulated``."""
    device_reason: str | None = None
    """Why ``device="auto"`` did not take a graphics processor; ``None`` if it did, or nobody asked."""


class Batch(Arrays):
    """Many independent worlds of one model.

    ``model``
        A model, or the path of its file. The batch goes on with the values that it has now; ``reload_model`` takes
        over later changes.
    ``nworld``
        Number of worlds. All start in the model's initial state.
    ``threads``
        How many threads work, the calling one included; all processors if not given. No result depends on it.
    ``lanes``
        How many worlds may be computed side by side: 1, 4 or 8; as many as the processor has if not given. No result
        depends on it either; ``plan`` says how many it is.
    ``device``
        ``"cpu"``: on all cores. ``"cuda"``, or ``"cuda:1"``: on that graphics processor; ``DeviceError`` says why that
        cannot be. ``"auto"``: there if that can be, else on all cores; ``plan`` says which, and why. Arrays are then
        ``DeviceArray``s, which stay on the device; in ``"f64"`` they have the bits that ``"cpu"`` gives. ``"emulated"``
        runs the same kernels on the processor, slowly, for tests.
    ``contacts``
        On a device: for how many contacts a world has room, 16 if not given. Those without room are left out and counted
        in ``events``.
    ``body_forces``
        On a device: whether there is ``xfrc_applied``, which costs time.
    ``precision``
        ``"f64"``, or ``"f32"`` for numbers of 32 bits where worlds go side by side: twice as many per instruction, near
        what 64 bits give (999 of 1000 numbers of a step within 1e-3, most within 1e-5). Arrays are of 64 bits in any case.
        On a device ``"f32"`` are the numbers of everything, arrays as well, but time.
    ``derived``
        Names of derived arrays to keep, such as ``xpos``. What nobody asks for costs nothing. Devices keep those of
        ``sinew.batch.DEVICE_DERIVED``.
    ``seed``
        Of random resets. Each world has streams of its own.
    ``time_limit``
        Episodes count as truncated from this simulated time on.
    ``reward``, ``is_over``
        Functions of the batch that return what a step was worth and whether episodes have ended, a number and a flag
        for each world. They are called after each ``step`` and fill ``rewards`` and ``terminated``.
    ``raise_on_error``
        Whether ``step`` and ``rollout`` raise ``BatchError`` when worlds fail, after all have made their steps. If not,
        ``terminated`` and ``errors`` tell. A world that fails begins anew with the next step.
    """

    # On a device alone.
    events = Array("How often what has happened, in the order of ``sinew.batch.EVENTS``: (nworld, 5), int32.")
    blocks = Array(
        "All of state and input but time and controls side by side, for libraries that take contiguous arrays only: "
        "(nworld, …). ``batch.columns`` says where what is."
    )

    def __init__(
        self,
        model: MjModel | str | os.PathLike[str],
        nworld: int,
        *,
        threads: int | None = None,
        lanes: int | None = None,
        precision: str = "f64",
        device: str = "cpu",
        contacts: int | None = None,
        body_forces: bool = False,
        derived: Iterable[str] = (),
        seed: int = 0,
        time_limit: float | None = None,
        reward: Callable[[Batch], npt.ArrayLike] | None = None,
        is_over: Callable[[Batch], npt.ArrayLike] | None = None,
        raise_on_error: bool = False,
    ):
        if not isinstance(model, MjModel):
            model = MjModel.from_xml_path(model)
        self._model = model
        self._derived = (derived,) if isinstance(derived, str) else tuple(derived)
        self._count = _whole("nworld", nworld)
        self._threads = None if threads is None else _whole("threads", threads, 1)
        self._lanes = None if lanes is None else _whole("lanes", lanes, 1)
        if precision not in ("f64", "f32"):
            raise ValueError(f"precision must be 'f64' or 'f32', not {precision!r}")
        self._precision = precision
        self._wanted = device
        self._contacts = None if contacts is None else _whole("contacts", contacts, 1)
        self._body_forces = bool(body_forces)
        self._native, self._device, self._device_reason = self._open(device)
        self._arrays = self._native.arrays()
        self._values: dict[str, Numbers] = {}
        self._pictures: Pictures | None = None
        self._is_open = True
        self._seed = _whole("seed", seed)
        self.time_limit = time_limit
        self.reward = reward
        self.is_over = is_over
        self.raise_on_error = raise_on_error
        self.rewards: Numbers = np.zeros(self._count)
        """What the last step was worth in each world; 0 without a function that says it. On a device: what it returned."""
        self.terminated: npt.NDArray[np.bool_] = np.zeros(self._count, bool)
        """Whether each world's episode has ended, by failure or as ``is_over`` says."""
        self.truncated: npt.NDArray[np.bool_] = np.zeros(self._count, bool)
        """Whether each world has reached the time limit."""
        if self.is_on_device:
            self.terminated, self.truncated = self._arrays["terminated"], self._arrays["truncated"]

    def _open(self, device: str) -> tuple[Any, str, str | None]:
        """The worlds where they are wanted, where that is, and why it is not a graphics processor."""
        if device != "cpu":
            kind, _, number = device.partition(":")
            if device not in ("auto", "emulated", "cuda") and not (kind == "cuda" and number.isdecimal()):
                raise ValueError(f"device must be 'cpu', 'cuda', 'cuda:1', 'auto' or 'emulated', not {device!r}")
            try:
                place = "cuda" if device == "auto" else device
                worlds = self._open_device(place)
                return worlds, worlds.device, None
            except DeviceError as error:
                if device != "auto":
                    raise
                reason = str(error)
        else:
            reason = None
        worlds = _native.Batch(self._model._native, self._count, self._threads or 0, list(self._derived))
        if self._lanes is not None:
            worlds.set_lanes(self._lanes)
        worlds.set_single(self._precision == "f32")
        return worlds, "cpu", reason

    def _open_device(self, device: str) -> DeviceWorlds:
        is_single = self._precision == "f32"
        settings = self._contacts, self._body_forces, self._derived
        return DeviceWorlds(self._model, self._count, device, is_single, *settings)

    # What it is.

    def __len__(self) -> int:
        return self._count

    @property
    def nworld(self) -> int:
        """Number of worlds."""
        return self._count

    @property
    def model(self) -> MjModel:
        """The model that the batch was made of."""
        return self._model

    @property
    def threads(self) -> int:
        """Number of threads that work, the calling one included."""
        return self._native.threads

    @property
    def derived(self) -> tuple[str, ...]:
        """Names of the derived arrays that are kept."""
        return self._derived

    def plan(self) -> Plan:
        """Where worlds are computed, how many side by side, and why only one if it is one. The bits are the same."""
        return Plan(*self._native.plan(), self._device, self._device_reason)

    @property
    def device(self) -> str:
        """Where the worlds are: ``cpu``, ``cuda:0`` and so on, or ``emulated``."""
        return self._device

    @property
    def is_on_device(self) -> bool:
        """Whether arrays are ``DeviceArray``s, not numpy's."""
        return isinstance(self._native, DeviceWorlds)

    @property
    def stream(self) -> int:
        """The stream of the device that work goes to, a handle as ``torch.cuda.current_stream().cuda_stream``; 0 is the
        default one, on which PyTorch and CuPy work if nobody says otherwise.

        What is written to arrays in another stream is not waited for. A stream that is set must live as long as it is used.
        """
        return self._native.native.stream if self.is_on_device else 0

    @stream.setter
    def stream(self, stream: int) -> None:
        if self.is_on_device:
            self._native.native.set_stream(_whole("stream", stream))
        elif stream:
            raise ValueError("worlds on the processor have no stream")

    @property
    def columns(self) -> dict[str, slice]:
        """On a device: where ``blocks`` has the arrays that are parts of it."""
        if not self.is_on_device:
            return {}
        find = self._native.native.start
        begin, blocks = find("blocks", 0), self._arrays["blocks"]
        found = {}
        for name, array in self._arrays.items():
            start = (find(name, 0) - begin) // blocks.dtype.itemsize
            if array.strides[0] == blocks.strides[0] and 0 <= start < blocks.shape[1]:
                found[name] = slice(start, start + int(np.prod(array.shape[1:])))
        return found

    @property
    def transfers(self) -> int:
        """On a device: how often something was copied between it and the host. Steps and resets copy nothing."""
        return self._native.native.transfers if self.is_on_device else 0

    def wait(self) -> None:
        """Waits until everything that was started on a device is done."""
        if self.is_on_device:
            self._native.native.wait()
            self._native.held.clear()

    @property
    def bytes_per_world(self) -> int:
        """Memory that a world takes."""
        return self._native.bytes_per_world

    @property
    def seed(self) -> int:
        """The seed of random resets. Setting it begins all streams anew."""
        return self._seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._seed = _whole("seed", seed)
        self._native.set_draws(np.zeros(self._count, np.uint64))

    @property
    def time_limit(self) -> float | None:
        """Episodes count as truncated from this simulated time on."""
        return self._time_limit

    @time_limit.setter
    def time_limit(self, seconds: float | None) -> None:
        self._native.set_time_limit(np.inf if seconds is None else float(seconds))
        self._time_limit = seconds

    @property
    def errors(self) -> dict[int, str]:
        """The worlds whose last step failed, and why."""
        return dict(self._native.failures())

    @property
    def bad_sensors(self) -> npt.NDArray[np.int64]:
        """The worlds that have a reading of a sensor which is not finite. That is no failure: steps go on."""
        return np.flatnonzero(~np.isfinite(self.sensordata).all(axis=1))

    def check(self) -> None:
        """Raises ``BatchError`` if worlds failed in their last step."""
        failures = self.errors
        if failures:
            raise BatchError(failures)

    def __repr__(self) -> str:
        return f"<Batch of {self._count} worlds, {self.model!r}>"

    # What it does.

    def step(self, nstep: int = 1, where: Where = None) -> None:
        """Advances worlds by a number of steps, each with its own inputs.

        Ctrl-C ends the call; worlds may then have made different numbers of steps. On a device steps are started, not
        waited for.
        """
        self._check_open()
        mask = self._mask(where)
        self._native.step(_whole("nstep", nstep), mask)
        self._finish(mask)

    def forward(self, where: Where = None) -> None:
        """Computes the derived arrays of the present states and inputs."""
        self._check_open()
        self._native.forward(self._mask(where))

    def reset(self, where: Where = None, key: int | str | None = None) -> None:
        """Puts worlds into the model's initial state, or into that of a keyframe."""
        self._check_open()
        mask = self._mask(where)
        self._native.reset(mask, self._keyframe(key))
        self._forget(mask)

    def reset_randomly(
        self,
        where: Where = None,
        key: int | str | None = None,
        *,
        qpos: float = 0.0,
        qvel: float = 0.0,
        normal: bool = False,
    ) -> None:
        """Puts worlds near the model's initial state, or near a keyframe.

        Every degree of freedom is moved by a random number between plus and minus ``qpos``; orientations are turned, and
        stay orientations. Velocities change by numbers between plus and minus ``qvel``. With ``normal`` the numbers are
        normally distributed with these standard deviations. What a world draws follows from ``seed``, the world and how
        often it has drawn before, whatever other worlds do.
        """
        self._check_open()
        mask = self._mask(where)
        noise = float(qpos), float(qvel), bool(normal)
        self._native.reset_randomly(mask, self._keyframe(key), noise, self._seed)
        self._forget(mask)

    def rollout(
        self,
        control: npt.ArrayLike | None = None,
        nstep: int | None = None,
        *,
        record: Iterable[str] = (),
        states: Numbers | None = None,
        sensordata: Numbers | None = None,
        progress: bool | Callable[[int, int], Any] = False,
    ) -> Trajectories:
        """Makes steps with every world from its present state and returns what happened. Not on a device.

        ``control`` has the shape (nworld, nstep, nu); a world or a step may stand for all, as numpy broadcasts: (nstep, nu)
        is the same for all worlds. Without it the present ``ctrl`` stays. ``nstep`` is needed if ``control`` does not
        tell. ``record`` names more arrays to return. Results go to ``states`` and ``sensordata`` if given, arrays of
        the right shape. ``progress`` shows a bar, or is called with the number of steps made and wanted.

        A world that fails or counts a warning stands still for the rest. The worlds are left where the rollout ends.
        """
        self._check_open()
        roll = self._native.rollout
        table = self._control_table(control)
        steps = _whole("nstep", nstep) if nstep is not None else None
        if table is not None and table.shape[1] != 1:
            if steps not in (None, table.shape[1]):
                raise ValueError(f"control has {table.shape[1]} steps, nstep is {steps}")
            steps = table.shape[1]
        if steps is None:
            if table is None:
                raise ValueError("say how many steps: nstep")
            steps = 1
        given = {"states": states, "sensordata": sensordata}
        tables = {name: self._record_table(name, steps, given.get(name)) for name in (*given, *record)}
        flat = [(name, _flat(found)) for name, found in tables.items()]
        bar = Bar() if progress is True else progress
        tell = (lambda done: bar(done, steps)) if bar else None
        made = roll(steps, table, flat, tell)
        self._finish(None)
        return Trajectories(tables.pop("states"), tables.pop("sensordata"), made, tables)

    def render(
        self,
        width: int = 64,
        height: int = 64,
        *,
        camera: int | str | MjvCamera = -1,
        kind: str = "rgb",
        where: Where = None,
        scene_option: MjvOption | None = None,
        out: npt.NDArray[Any] | None = None,
    ) -> npt.NDArray[Any]:
        """Pictures of all worlds as they are now, or of those chosen, on all threads and without a graphics processor.

        ``kind`` is ``"rgb"``: bytes (n, height, width, 3), ``"depth"``: metres (n, height, width), or ``"segmentation"``:
        ids and types of objects (n, height, width, 2). ``camera`` is a name or a number of the model's, -1 for a free one,
        or an ``MjvCamera``. Each picture has the bytes that ``compat.Renderer`` gives. ``out`` is filled if given.
        """
        self._check_open()
        if self._pictures is None:
            self._pictures = Pictures(self._model, self._threads or 0)
        mask = self._mask(where)
        worlds = np.arange(self._count) if mask is None else np.flatnonzero(mask)
        size = _whole("width", width), _whole("height", height)
        shown = self._native
        if self.is_on_device:
            twin = Batch(self._model, len(worlds))
            for name in self._arrays.keys() & twin._arrays.keys():
                twin._arrays[name][...] = self._arrays[name].numpy()[worlds]
            if self._values:
                twin.expand(*self._values)
                for name, array in self._values.items():
                    twin.values[name][...] = array.numpy()[worlds]
            shown, worlds = twin._native, np.arange(len(worlds))
        return self._pictures.draw(shown, worlds, size, camera, kind, scene_option, out)

    def save(self) -> Any:
        """All worlds as they are now, for ``restore``."""
        return self._native.save()

    def restore(self, snapshot: Any) -> None:
        """All worlds as they were when the snapshot was taken."""
        self._native.restore(snapshot)
        if self.is_on_device:
            return
        self._native.ends(self.terminated, self.truncated)
        self.rewards[:] = 0

    def reload_model(self) -> None:
        """Goes on with the values that ``model`` has now."""
        self._native.set_model(self._model._native)
        self._pictures = None

    def world(self, index: int) -> MjData:
        """A simulation of its own in the state of a world, with its inputs. ``mj_forward`` computes what is derived."""
        index = self._index(index)
        data = MjData(self.world_model(index) if self._values else self._model)
        for name in _ALWAYS:
            if name == "time":
                data.time = float(self.time[index])
            elif name in self._arrays:
                getattr(data, name)[...] = getattr(self, name)[index]
        return data

    def close(self) -> None:
        """Ends the threads. Arrays can still be read; calls that compute raise ``RuntimeError``."""
        if self._is_open:
            self._is_open = False
            self._pictures = None
            self._native.set_threads(1)

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    # Worlds that differ in values of the model.

    def expand(self, *names: str) -> Any:
        """Lets worlds differ in arrays of the model and returns them, with a row per world: live, to be written.

        ``expand("body_mass")`` has the shape (nworld, nbody). Options are ``opt.gravity`` and the like. Rows begin with
        the model's values. Several names give several arrays.

        As in a model, what follows from values (``body_subtreemass``, ``dof_invweight0``, …) stays until
        ``derive_constants`` is called. Arrays are also ``batch.body_mass``, ``batch.body("trunk").mass``, and in
        ``values``.
        """
        self._native.expand(list(names))
        self._values = self._native.values()
        found = tuple(self._values[name] for name in names)
        return found[0] if len(found) == 1 else found

    @property
    def values(self) -> Mapping[str, Numbers]:
        """The arrays of the model in which worlds differ, by name."""
        return MappingProxyType(self._values)

    def derive_constants(self, where: Where = None) -> None:
        """Derives again what depends on masses, ``qpos0`` and the like, for each world from its own values."""
        self._check_open()
        try:
            self._native.derive_constants(self._mask(where))
        finally:
            self._values = self._native.values()

    def world_model(self, index: int) -> MjModel:
        """A model of its own with the values of a world."""
        return MjModel._wrap(self._native.model_of(self._index(index)))

    def __getattr__(self, name: str) -> Any:
        values = self.__dict__.get("_values", {})
        if name in values:
            return values[name]
        if name in _FIELDS:
            hint = f"make it with Batch(..., derived=[{name!r}])"
        elif name in _VALUES:
            hint = f"ask for it with expand({name!r})"
        elif name in ("events", "blocks"):
            hint = "batches on a device do"
        else:
            raise AttributeError(f"'Batch' object has no attribute {name!r}")
        raise AttributeError(f"this batch does not keep {name}; {hint}")

    # One object in all worlds.

    def joint(self, name: int | str) -> JointView:
        """The joint with this index or name, in all worlds."""
        return find(self, JointView, name)

    def body(self, name: int | str) -> BodyView:
        """The body with this index or name, in all worlds."""
        return find(self, BodyView, name)

    def geom(self, name: int | str) -> GeomView:
        """The geom with this index or name, in all worlds."""
        return find(self, GeomView, name)

    def site(self, name: int | str) -> SiteView:
        """The site with this index or name, in all worlds."""
        return find(self, SiteView, name)

    def actuator(self, name: int | str) -> ActuatorView:
        """The actuator with this index or name, in all worlds."""
        return find(self, ActuatorView, name)

    def sensor(self, name: int | str) -> SensorView:
        """The sensor with this index or name, in all worlds."""
        return find(self, SensorView, name)

    def tendon(self, name: int | str) -> TendonView:
        """The tendon with this index or name, in all worlds."""
        return find(self, TendonView, name)

    def equality(self, name: int | str) -> EqualityView:
        """The equality constraint with this index or name, in all worlds."""
        return find(self, EqualityView, name)

    # Pickles and copies.

    def __getstate__(self) -> dict[str, Any]:
        settings = {name: getattr(self, name) for name in ("reward", "is_over", "raise_on_error", "time_limit")}
        return {
            "arguments": (self._model, self._count),
            "options": {
                "threads": self._threads,
                "lanes": self._lanes,
                "precision": self._precision,
                "device": self._wanted,
                "contacts": self._contacts,
                "body_forces": self._body_forces,
                "derived": self._derived,
            },
            "settings": settings,
            "seed": self._seed,
            "draws": self._native.draws(),
            "failed": [] if self.is_on_device else list(self.errors),
            "arrays": {name: np.copy(array) for name, array in self._arrays.items() if name != "states"},
            "values": {name: np.copy(array) for name, array in self._values.items()},
            "floating": self._native.floating_bodies(),
            "outcome": tuple(np.array(flags) for flags in (self.rewards, self.terminated, self.truncated)),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        options = {**state["options"], **state["settings"]}
        Batch.__init__(self, *state["arguments"], seed=state["seed"], **options)
        if state["values"]:
            self.expand(*state["values"])
            self._native.set_floating_bodies(state["floating"])
        for name, array in state["values"].items():
            self._values[name][...] = array
        for name, array in state["arrays"].items():
            if name in self._arrays:
                self._arrays[name][...] = array
        # A step would reset the worlds that have failed.
        self._native.reset(self._mask(state["failed"]), None)
        self._native.set_draws(state["draws"])
        rewards, terminated, truncated = (np.copy(array) for array in state["outcome"])
        self.rewards = rewards
        if not self.is_on_device:
            self.terminated, self.truncated = terminated, truncated

    # Arguments.

    def _check_open(self) -> None:
        if not self._is_open:
            raise RuntimeError("this batch is closed")

    def _index(self, world: int) -> int:
        if not -self._count <= world < self._count:
            raise IndexError(f"there is no world {world}, there are {self._count}")
        return int(world) % self._count

    def _mask(self, where: Where) -> npt.NDArray[np.bool_] | None:
        if where is None:
            return None
        if self.is_on_device and is_on_device(where):
            return where
        if isinstance(where, slice):
            mask = np.zeros(self._count, bool)
            mask[where] = True
            return mask
        given = np.asarray(where)
        if given.dtype == bool:
            if given.shape != (self._count,):
                raise ValueError(f"the mask must have {self._count} flags, not the shape {given.shape}")
            return np.ascontiguousarray(given)
        mask = np.zeros(self._count, bool)
        if given.size:
            mask[given] = True
        return mask

    def _keyframe(self, key: int | str | None) -> int | None:
        if key is None:
            return None
        if isinstance(key, str):
            return self._model.key(key).id
        if not 0 <= key < self._model.nkey:
            raise IndexError(f"there is no keyframe {key}, the model has {self._model.nkey}")
        return int(key)

    def _control_table(self, control: npt.ArrayLike | None) -> Numbers | None:
        if control is None:
            return None
        table = np.ascontiguousarray(control, dtype=np.float64)
        width = self._model.nu
        if table.ndim > 3 or table.ndim == 0 or table.shape[-1] != width:
            raise ValueError(f"control must have the shape (nworld, nstep, {width}), not {table.shape}")
        table = table.reshape((1,) * (3 - table.ndim) + table.shape)
        if table.shape[0] not in (1, self._count):
            raise ValueError(f"control has {table.shape[0]} worlds, the batch {self._count}")
        return table

    def _record_table(self, name: str, steps: int, given: Numbers | None) -> Numbers:
        array = getattr(self, name, None)
        if not isinstance(array, np.ndarray) or name not in self._arrays or array.dtype != np.float64:
            raise ValueError(f"a rollout cannot record {name!r}, the batch keeps {sorted(self._arrays)}")
        shape = (self._count, steps, *array.shape[1:])
        if given is None:
            return np.empty(shape)
        is_right = given.shape == shape and given.dtype == np.float64
        if not (is_right and given.flags.c_contiguous and given.flags.writeable):
            raise ValueError(f"{name} must be a contiguous float64 array of shape {shape} that can be written")
        return given

    # What follows a call.

    def _finish(self, mask: Any) -> None:
        if self.is_on_device:
            self._finish_on_device(mask)
            return
        self._native.ends(self.terminated, self.truncated)
        if self.reward is not None:
            self.rewards[:] = self.reward(self)
        if self.is_over is not None:
            self.terminated |= np.asarray(self.is_over(self), bool)
        if self.raise_on_error:
            self.check()

    def _finish_on_device(self, mask: Any) -> None:
        if self.is_over is not None:
            self._arrays["over"][...] = self.is_over(self)
        self._native.end(mask)
        if self.reward is not None:
            self.rewards = self.reward(self)
        if self.raise_on_error:
            self.check()

    def _forget(self, mask: npt.NDArray[np.bool_] | None) -> None:
        if self.is_on_device:
            return
        which = slice(None) if mask is None else mask
        self.rewards[which] = 0
        self.terminated[which] = False
        self.truncated[which] = False


def _flat(table: Numbers) -> Numbers:
    """A table with one dimension for the numbers of a world."""
    return table.reshape(*table.shape[:2], int(np.prod(table.shape[2:])))


def _whole(name: str, value: int, least: int = 0) -> int:
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)

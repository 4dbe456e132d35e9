"""Worlds on a graphics processor: their arrays, and the calls that a batch makes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from ..compat import MjModel
from ..errors import DeviceError

EVENTS = ("bad_state", "lost_contact", "shallow_touch", "iterations", "bad_control")
"""What is counted for each world on a device, in the order of ``Batch.events``: bad numbers, after which a world begins
anew; contacts without room, which are left out; contacts so shallow that the reference may not see them; iterations of the
solver; bad controls, which count as none."""

DEVICE_DERIVED = tuple(_native.device_derived())
"""Derived arrays that worlds on a device can keep."""

# Sources of copies on the device that are held until the copies are surely made.
_MOST_HELD = 64
_CUDA = 2


def refusals() -> tuple[str, ...]:
    """What models may have that devices do not compute. A model that has any of it is refused when its worlds are made."""
    return tuple(_native.device_refusals())


def refusal(model: MjModel) -> str | None:
    """The first thing a model has that devices do not compute; ``None`` if there is nothing."""
    return _native.device_refusal(model._native)


class DeviceArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of all worlds where these are computed, with a row for each.

    Libraries look at it without a copy, by DLPack or the CUDA array interface: ``torch.from_dlpack(batch.qpos)`` is a tensor
    in the memory of the worlds, which the next step writes, and what is written to it counts for the next step. Slices
    are such arrays as well. Assigning numpy arrays copies them to the device; arrays on the device stay there.

    ``numpy()`` waits and copies to the host. So does whatever numpy computes with it.
    """

    __slots__ = ("_name", "_start", "_worlds", "dtype", "shape", "strides")

    def __init__(
        self,
        worlds: DeviceWorlds,
        name: str,
        dtype: str,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        start: int = 0,
    ):
        self._worlds = worlds
        self._name = name
        self._start = start
        self.dtype = np.dtype(dtype)
        """The type of the numbers."""
        self.shape = shape
        """How many there are."""
        self.strides = strides
        """How far they are apart, in bytes."""

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(np.prod(self.shape))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single number has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<{self._name} on {self._worlds.device}: {self.dtype} {self.shape}>"

    # Parts.

    def __getitem__(self, index: Any) -> DeviceArray:
        if not _is_plain(index):
            raise TypeError(f"an array on a device takes whole numbers and slices, not {index!r}; numpy() takes all")
        # A numpy array of this shape that is never read says where the part is.
        whole = np.lib.stride_tricks.as_strided(np.empty(1, self.dtype), self.shape, self.strides, writeable=False)
        index = index if isinstance(index, tuple) else (index,)
        part = whole[index if any(at is Ellipsis for at in index) else (*index, Ellipsis)]
        if any(stride < 0 for stride in part.strides):
            raise IndexError("slices of an array on a device go forward")
        start = part.__array_interface__["data"][0] - whole.__array_interface__["data"][0] if part.size else 0
        return DeviceArray(self._worlds, self._name, self.dtype, part.shape, part.strides, self._start + start)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not _is_plain(index):
            host = self.numpy()
            host[index] = np.asarray(value)
            self._write(host)
            return
        part = self[index]
        if part._worlds.is_cuda and _device_of(value) == part.__dlpack_device__():
            part._copy(value)
        else:
            part._write(np.asarray(value))

    # Copies.

    def numpy(self) -> npt.NDArray[Any]:
        """A copy on the host, after everything that was started before."""
        return np.ndarray(self.shape, self.dtype, self._read(), 0, self._host_strides()).copy()

    def __float__(self) -> float:
        return float(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("an array on a device has to be copied")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, out: Any = (), **options: Any) -> Any:
        host = [np.asarray(x) if isinstance(x, DeviceArray) else x for x in inputs]
        result = getattr(function, method)(*host, **options)
        if not out:
            return result
        out[0][...] = result
        return out[0]

    def torch(self) -> Any:
        """A tensor of PyTorch in the same memory."""
        import torch  # noqa: PLC0415

        return torch.from_dlpack(self)

    def _rows(self) -> tuple[int, int, int, int]:
        """Bytes with all numbers: where they begin, how many rows there are, how far apart and how long they are."""
        count, pitch = (self.shape[0], self.strides[0]) if self.shape else (1, self.dtype.itemsize)
        inner = zip(self.shape[1:], self.strides[1:], strict=True)
        width = self.dtype.itemsize + sum((size - 1) * stride for size, stride in inner)
        return (self._start, count, pitch, width) if self.size else (self._start, 0, 1, 1)

    def _host_strides(self) -> tuple[int, ...]:
        return (self._rows()[3], *self.strides[1:]) if self.shape else ()

    def _is_compact(self) -> bool:
        return self._rows()[3] * self._rows()[1] == self.size * self.dtype.itemsize

    def _read(self) -> npt.NDArray[np.uint8]:
        rows = self._rows()
        found = np.empty(rows[1] * rows[3], np.uint8)
        self._worlds.native.read(self._name, rows, found)
        self._worlds.held.clear()
        return found

    def _write(self, value: npt.NDArray[Any]) -> None:
        if not self.size:
            np.broadcast_to(value, self.shape)
            return
        if self._is_compact():
            numbers = np.empty(self.shape, self.dtype)
            numbers[...] = value
            given = numbers.reshape(-1).view(np.uint8)
        else:
            # What lies between the numbers stays.
            given = self._read()
            np.ndarray(self.shape, self.dtype, given, 0, self._host_strides())[...] = value
        self._worlds.native.write(self._name, self._rows(), given)

    def _copy(self, source: Any) -> None:
        """Copies an array on the same device."""
        if not self._is_compact():
            raise TypeError("only whole rows can be copied on the device")
        if self.size:
            worlds = self._worlds
            capsule = source.__dlpack__(stream=worlds.native.stream or 1)
            worlds.native.copy(self._name, self._rows(), list(self.shape), capsule)
            worlds.hold(source)

    # In the hands of others.

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._worlds.native.dlpack_device()

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("an array on a device is handed out without a copy only; numpy() makes one")
        self._let_wait(stream)
        view = self._start, list(self.shape), list(self.strides)
        return self._worlds.native.dlpack(self._name, view, max_version is not None and max_version[0] >= 1)

    def _let_wait(self, stream: int | None) -> None:
        """Lets a stream wait for what was started. Streams are numbered as the array API does: 1 is the default one."""
        if not self._worlds.is_cuda:
            if stream is not None:
                raise BufferError("memory of the processor has no streams")
        elif stream == 0:
            raise BufferError("stream 0 is ambiguous: 1 is the default stream, 2 that of the thread")
        elif stream != -1:
            self._worlds.native.let_wait(0 if stream in (None, 1) else stream)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self._worlds.is_cuda:
            raise AttributeError("this array is in the memory of the processor")
        address = self._worlds.native.start(self._name, self._start) if self.size else 0
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (address, False),
            "strides": self.strides,
            "stream": self._worlds.native.stream or 1,
            "version": 3,
        }


class ValueArray(DeviceArray):
    """Values of the model of worlds on a device, with a row for each: what is assigned counts from the next call on.

    They are kept on the host, from where calls take what has changed. ``numpy()`` copies.
    """

    __slots__ = ("_host", "_whole")

    def __init__(self, worlds: DeviceWorlds, name: str, host: npt.NDArray[Any], whole: npt.NDArray[Any] | None = None):
        super().__init__(worlds, name, host.dtype.str, host.shape, host.strides)
        self._host = host
        self._whole = host if whole is None else whole

    def __getitem__(self, index: Any) -> Any:
        if not _is_plain(index):
            raise TypeError(f"an array on a device takes whole numbers and slices, not {index!r}; numpy() takes all")
        parts = index if isinstance(index, tuple) else (index,)
        part = self._host[parts if any(at is Ellipsis for at in parts) else (*parts, Ellipsis)]
        return ValueArray(self._worlds, self._name, part, self._whole)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._host[index] = np.asarray(value)
        if _is_plain(index):
            self[index]._tell()
        else:
            self._tell()

    def _tell(self) -> None:
        """Says of which worlds values have changed."""
        if self.size and len(self._whole):
            begin = self._host.__array_interface__["data"][0] - self._whole.__array_interface__["data"][0]
            spans = [(size - 1) * stride for size, stride in zip(self.shape, self._host.strides, strict=True)]
            pitch = self._whole.strides[0]
            first, last = begin + sum(min(0, span) for span in spans), begin + sum(max(0, span) for span in spans)
            self._worlds.has_changed[first // pitch : last // pitch + 1] = True

    def numpy(self) -> npt.NDArray[Any]:
        """A copy."""
        return self._host.copy()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **_options: Any) -> Any:
        raise BufferError("values of the model are kept on the host; numpy() copies them")


def _is_plain(index: Any) -> bool:
    """Whether an index means a part that lies there already."""
    parts = index if isinstance(index, tuple) else (index,)
    is_whole = [isinstance(at, (int, np.integer)) and not isinstance(at, (bool, np.bool_)) for at in parts]
    others = (isinstance(at, slice) or at is None or at is Ellipsis for at in parts)
    return all(whole or other for whole, other in zip(is_whole, others, strict=True))


def _device_of(value: Any) -> tuple[int, int] | None:
    """Where an array is, if it says so."""
    ask = getattr(value, "__dlpack_device__", None)
    return None if ask is None or isinstance(value, np.ndarray) else tuple(map(int, ask()))


def is_on_device(value: Any) -> bool:
    """Whether an array is on a graphics processor."""
    place = _device_of(value)
    return place is not None and place[0] == _CUDA


class DeviceWorlds:
    """The worlds of a batch on a device: what ``_native.Batch`` is for those on the processor."""

    threads = 1

    def __init__(
        self,
        model: MjModel,
        count: int,
        device: str,
        is_single: bool,
        contacts: int | None,
        forces: bool,
        derived: tuple[str, ...] = (),
    ):
        self.device = device
        """``cuda:0`` and so on, or ``emulated``."""
        self.is_cuda = device != "emulated"
        number = int(device.partition(":")[2] or 0) if self.is_cuda else None
        self.native = _native.DeviceBatch(
            model._native, count, number, is_single, (contacts, forces), list(dict.fromkeys(derived))
        )
        self._model = model
        # Values that worlds have of their own are those of a batch on the processor that is never stepped.
        self._owner: Any = None
        self._values: dict[str, ValueArray] = {}
        self.has_changed = np.zeros(count, bool)
        """The worlds whose values the device has not got yet."""
        if unread := _native.device_unread(model._native):
            told = ", ".join(kind.lower() for kind in unread)
            warnings.warn(f"sensors of these kinds are not read on a device and stay zero: {told}", stacklevel=4)
        if self.is_cuda:
            self.device = f"cuda:{number}"
        self.held: list[Any] = []
        self._arrays = {
            name: DeviceArray(self, name, dtype, tuple(shape), tuple(strides))
            for name, dtype, shape, strides in self.native.arrays()
        }

    def arrays(self) -> dict[str, DeviceArray]:
        """The arrays, by name."""
        return self._arrays

    def hold(self, source: Any) -> None:
        """Keeps the source of a copy until it is made."""
        self.held.append(source)
        if len(self.held) > _MOST_HELD:
            self.native.wait()
            self.held.clear()

    def _mask(self, mask: Any) -> bool:
        """Says which worlds the next call is about; whether these are not all."""
        if mask is not None:
            self._arrays["mask"][...] = mask
        return mask is not None

    @property
    def bytes_per_world(self) -> int:
        """Memory that a world takes."""
        return self.native.bytes_per_world

    def plan(self) -> tuple[int, str | None]:
        """Worlds that go through the same instructions, and why not more."""
        return (32 if self.is_cuda else 1), None

    def step(self, count: int, mask: Any) -> None:
        """Advances worlds."""
        self._put_values()
        self.native.step(count, self._mask(mask))

    def end(self, mask: Any) -> None:
        """Says how episodes have ended."""
        self.native.end(self._mask(mask))

    def reset(self, mask: Any, key: int | None) -> None:
        """Puts worlds to their start."""
        self._put_values()
        self.native.reset(self._mask(mask), key, None)

    def reset_randomly(self, mask: Any, key: int | None, noise: tuple[float, float, bool], seed: int) -> None:
        """Puts worlds near to their start."""
        self._put_values()
        self.native.reset(self._mask(mask), key, (*noise, seed))

    def forward(self, mask: Any) -> None:
        """Computes derived arrays and what sensors read."""
        self._put_values()
        self.native.forward(self._mask(mask))

    def set_time_limit(self, seconds: float) -> None:
        """Episodes count as truncated from this time on."""
        self.native.set_time_limit(seconds)

    def set_model(self, model: Any) -> None:
        """Goes on with the values of another model."""
        self.native.set_model(model)
        if self._owner is not None:
            self._owner.set_model(model)
            self.has_changed[:] = bool(self._values)

    def set_threads(self, _count: int) -> None:
        """There are none."""

    def failures(self) -> list[tuple[int, str]]:
        """The worlds whose last call failed."""
        why = "positions, velocities or accelerations were no numbers, or too large"
        return [(int(world), why) for world in np.flatnonzero(self._arrays["failed"].numpy())]

    def draws(self) -> npt.NDArray[np.uint64]:
        """How often each world has drawn random numbers."""
        return self._arrays["draws"].numpy()

    def set_draws(self, draws: npt.NDArray[np.uint64]) -> None:
        """Sets how often each world has drawn random numbers."""
        self._arrays["draws"][...] = draws

    def save(self) -> dict[str, npt.NDArray[Any]]:
        """All worlds as they are now, on the host."""
        names = ("blocks", "time", "ctrl", "events", "sensordata", "draws", "seen", "failed", "terminated", "truncated")
        kept = {name: self._arrays[name].numpy() for name in (*names, *self._derived())}
        if self._values:
            kept["values"] = {name: array.numpy() for name, array in self._values.items()}
            kept["floating"] = self.floating_bodies()
        return kept

    def _derived(self) -> list[str]:
        known = set(_native.device_derived())
        return [name for name in self._arrays if name in known]

    def restore(self, snapshot: dict[str, npt.NDArray[Any]]) -> None:
        """All worlds as they were."""
        is_right = isinstance(snapshot, dict) and all(
            name in snapshot and snapshot[name].shape == array.shape
            for name, array in self._arrays.items()
            if name in snapshot or name == "blocks"
        )
        if not is_right:
            raise ValueError("the snapshot is one of other worlds")
        values = snapshot.get("values", {})
        if not values.keys() <= self._values.keys():
            raise ValueError("the snapshot is one of other worlds")
        for name, array in snapshot.items():
            if name in self._arrays:
                self._arrays[name][...] = array
        for name, array in values.items():
            self._values[name][...] = array
        if "floating" in snapshot:
            self.set_floating_bodies(snapshot["floating"])

    # Worlds that differ in values of the model.

    def _own(self) -> Any:
        """The batch that has the values of worlds."""
        if self._owner is None:
            self._owner = _native.Batch(self._model._native, len(self.has_changed), 0, [])
        return self._owner

    def _put_values(self) -> None:
        """Lets the device have what has changed."""
        if self.has_changed.any():
            self.native.set_values(self._own(), np.flatnonzero(self.has_changed).tolist())
            self.has_changed[:] = False

    def expand(self, names: list[str]) -> None:
        """Lets worlds differ in arrays of the model."""
        self._own().expand(names)
        self.has_changed[:] = True

    def values(self) -> dict[str, ValueArray]:
        """The values that worlds have of their own."""
        if self._owner is not None:
            for name, host in self._owner.values().items():
                if name not in self._values:
                    self._values[name] = ValueArray(self, name, host)
        return dict(self._values)

    def derive_constants(self, mask: Any) -> None:
        """Derives constants from the values of worlds."""
        if mask is not None and not isinstance(mask, np.ndarray):
            self._mask(mask)
            mask = self._arrays["mask"].numpy()
        self.has_changed[...] |= True if mask is None else mask
        self._own().derive_constants(mask)

    def model_of(self, world: int) -> Any:
        """The model of a world."""
        return self._own().model_of(world)

    def floating_bodies(self) -> list[int]:
        """How many bodies of each world have their weight carried."""
        return [] if self._owner is None else self._owner.floating_bodies()

    def set_floating_bodies(self, counts: list[int]) -> None:
        """Sets how many bodies of each world have their weight carried."""
        self._own().set_floating_bodies(counts)
        self.has_changed[:] = True

    def __getattr__(self, name: str) -> Any:
        if name in ("rollout", "set_lanes"):
            raise DeviceError(f"{name} is there for worlds on the processor only: device='cpu'", "refused")
        raise AttributeError(name)

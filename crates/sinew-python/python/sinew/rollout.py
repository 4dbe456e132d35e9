"""Open-loop trajectories from many initial states, on as many threads as there are simulations.

The arguments and results are those of ``mujoco.rollout``::

    from sinew import rollout

    datas = [MjData(m) for _ in range(4)]                     # a thread each
    state, sensordata = rollout.rollout(m, datas, initial_states, controls)

Results depend neither on the number of threads nor on which of them ran what. The interpreter lock is released, and
Ctrl-C ends a rollout.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from . import _native
from .compat import MjData, MjModel, mj_stateSize, mjtState
from .compat._arguments import check
from .compat._hooks import active

_PHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)
_USER = int(mjtState.mjSTATE_USER)


class Rollout:
    """Runs rollouts with a number of threads. Threads live as long as a call; 0 is the calling thread."""

    def __init__(self, *, nthread: int | None = None):
        self.nthread = nthread or 0
        self._is_open = True

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def close(self) -> None:
        """No rollouts after this."""
        self._is_open = False

    def rollout(
        self,
        model: MjModel | Sequence[MjModel],
        data: MjData | Sequence[MjData],
        initial_state: npt.ArrayLike,
        control: npt.ArrayLike | None = None,
        *,
        control_spec: int = int(mjtState.mjSTATE_CTRL),
        skip_checks: bool = False,
        nstep: int | None = None,
        initial_warmstart: npt.ArrayLike | None = None,
        state: npt.NDArray[np.float64] | None = None,
        sensordata: npt.NDArray[np.float64] | None = None,
        chunk_size: int | None = None,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """As the function ``rollout``, with as many simulations as there are threads."""
        if not self._is_open:
            raise RuntimeError("this Rollout is closed")
        models, datas = _listed(model, MjModel, "model"), _listed(data, MjData, "data")
        _check_threads(len(datas), self.nthread)
        if int(control_spec) & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        sizes = [(mj_stateSize(m, _PHYSICS), mj_stateSize(m, int(control_spec)), m.nv, m.nsensordata) for m in models]
        if any(size != sizes[0] for size in sizes):
            raise ValueError("the models have states, controls or sensors of different sizes")
        nstate, ncontrol, nv, nsensordata = sizes[0]

        given = {
            "initial_state": _table("initial_state", initial_state, 2, nstate),
            "initial_warmstart": _table("initial_warmstart", initial_warmstart, 2, nv),
            "control": _table("control", control, 3, ncontrol),
            "state": _table("state", state, 3, nstate),
            "sensordata": _table("sensordata", sensordata, 3, nsensordata),
        }
        if skip_checks and given["initial_state"] is not None:
            models = models[: len(given["initial_state"])]
        nbatch = _common(0, len(models), given)
        nstep = _common(
            1, _number("nstep", nstep) or 1, {n: a for n, a in given.items() if a is not None and a.ndim == 3}
        )
        for name in ("state", "sensordata"):
            if given[name] is not None:
                _check_output(name, {"state": state, "sensordata": sensordata}[name], (nbatch, nstep))

        tables = (
            _spread(given["initial_state"], nbatch),
            _spread(given["initial_warmstart"], nbatch),
            _spread(given["control"], nbatch, nstep),
        )
        hooks = [active(models[0], each) for each in datas]
        if len(models) > 1 and any(hooks):
            raise ValueError("hooks and several models do not go together")
        numbers = nbatch, nstep, int(control_spec), _number("chunk_size", chunk_size)
        natives = [m._native for m in models], [d._native for d in datas]
        found = _native.rollout(*natives, numbers, tables, hooks)
        return _deliver(state, found[0]), _deliver(sensordata, found[1])


def rollout(
    model: MjModel | Sequence[MjModel],
    data: MjData | Sequence[MjData],
    initial_state: npt.ArrayLike,
    control: npt.ArrayLike | None = None,
    *,
    control_spec: int = int(mjtState.mjSTATE_CTRL),
    skip_checks: bool = False,
    nstep: int | None = None,
    initial_warmstart: npt.ArrayLike | None = None,
    state: npt.NDArray[np.float64] | None = None,
    sensordata: npt.NDArray[np.float64] | None = None,
    chunk_size: int | None = None,
    persistent_pool: bool = False,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Trajectories from initial states: the states after each step and the sensor readings.

    ``model`` is one model, or one for each rollout; ``data`` one simulation, or one for each thread. Arrays have a row
    for each rollout, or one for all:

    ==================  ==========================  =====================================================
    initial_state       nbatch × nstate             state of kind ``mjSTATE_FULLPHYSICS``
    initial_warmstart   nbatch × nv                 where the solver starts; zero if not given
    control             nbatch × nstep × ncontrol   of the kinds in ``control_spec``; one step may stand for all
    state, sensordata   nbatch × nstep × …          where results go; made if not given
    ==================  ==========================  =====================================================

    Inputs that ``control_spec`` does not name are as in a new simulation. After a warning a rollout stands still. Wrong
    shapes are a ``ValueError`` before anything runs. With ``skip_checks`` there may be more models than initial states;
    ``persistent_pool`` changes nothing here.
    """
    datas = _listed(data, MjData, "data")
    return Rollout(nthread=len(datas) if len(datas) > 1 else 0).rollout(
        model,
        datas,
        initial_state,
        control,
        control_spec=control_spec,
        skip_checks=skip_checks,
        nstep=nstep,
        initial_warmstart=initial_warmstart,
        state=state,
        sensordata=sensordata,
        chunk_size=chunk_size,
    )


def shutdown_persistent_pool() -> None:
    """There is no pool between calls; nothing happens."""


def _listed(given, kind: type, name: str) -> list:
    is_list = isinstance(given, Iterable) and not isinstance(given, str)
    found = list(given) if is_list else [given]
    if not found:
        raise ValueError(f"The list of {name} instances is empty")
    for each in found:
        check("rollout", {name: kind}, {name: each})
    return found


def _check_threads(count: int, nthread: int) -> None:
    """A thread has a simulation of its own. The words are those that programs know."""
    if nthread == 0 and count > 1:
        raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
    if count != max(1, nthread):
        raise ValueError(f"Length of data: {count} not equal to nthread: {nthread}")


def _number(name: str, value: int | None) -> int:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0):
        raise ValueError(f"{name} must be a whole number")
    return int(value or 0)


def _table(name: str, value, dimensions: int, width: int) -> npt.NDArray[np.float64] | None:
    """An argument with as many dimensions as it can have."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    table = np.asarray(value, dtype=np.float64)
    if table.ndim > dimensions:
        raise ValueError(f"{name} can have at most {dimensions} dimensions")
    table = table.reshape((1,) * (dimensions - table.ndim) + table.shape)
    if table.shape[-1] != width:
        raise ValueError(f"trailing dimension of {name} must be {width}, got {table.shape[-1]}")
    return table


def _common(dimension: int, size: int, tables: dict) -> int:
    """The size that tables share along a dimension, where it is not 1."""
    for name, table in tables.items():
        found = 1 if table is None else table.shape[dimension]
        if size == 1:
            size = found
        elif found not in (1, size):
            raise ValueError(f"dimension {dimension} inferred as {size} but {name} has {found}")
    return size


def _check_output(name: str, array: np.ndarray, sizes: tuple[int, int]) -> None:
    if array.dtype != np.float64 or not array.flags.writeable:
        raise ValueError(f"{name} must be a float64 array that can be written")
    full = (1,) * (3 - array.ndim) + array.shape
    if full[:2] != sizes:
        raise ValueError(f"{name} must have room for {sizes[0]} rollouts of {sizes[1]} steps, not {full[:2]}")


def _spread(table, *sizes: int):
    """A table with a row for each rollout, and step, flat."""
    return None if table is None else np.broadcast_to(table, (*sizes, table.shape[-1])).ravel()


def _deliver(target, found):
    if target is None:
        return found
    target[...] = found.reshape(target.shape)
    return target if target.ndim == 3 else target.reshape(found.shape)

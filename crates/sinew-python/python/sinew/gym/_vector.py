"""Vector environments of any model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..batch import Batch, DeviceArray
from ..compat import MjModel
from ._arrays import KINDS, Seen
from ._tensors import TensorSteps
from .tasks import joined

Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]
Info = Mapping[str, Array]


class ModelVectorEnv(VectorEnv):
    """Many worlds of one model as a vector environment.

    What the worlds are about is said by functions of the whole batch, or by overriding the methods of their names:

    ``observation(batch)``
        What agents see: a row per world. Positions and velocities if not given.
    ``reward(batch, action)``
        What a step was worth, a number per world; 0 if not given.
    ``terminated(batch)``
        Whether episodes have ended, a flag per world. A world that fails (its numbers diverge) ends in any case.
    ``start(batch, which, random)``
        Puts the worlds of a mask, which are in the model's initial state, where their episodes begin; ``random`` is a numpy
        generator. Without it positions and velocities get noise of the size ``reset_noise``.
    ``info(batch)``
        More arrays for users, a row per world.

    ``derived`` names the derived arrays of the batch that they look at. An action is the controls of a world for
    ``frame_skip`` steps. Episodes of ``max_episode_steps`` actions are truncated. ``autoreset_mode`` is one of
    gymnasium's: a world that has ended begins anew with the next step (``NEXT_STEP``), at once, with what it had
    ended with in ``infos["final_obs"]`` and ``infos["final_info"]`` (``SAME_STEP``), or when ``reset`` is told to
    (``DISABLED``, with ``options={"reset_mask": mask}``). ``device``, ``precision`` and ``contacts`` are those of ``Batch``: on
    a device worlds are stepped and begin anew there, while observations, rewards and ends come to the host, as gymnasium wants
    them. With ``arrays="torch"`` they do not: actions, observations, rewards and flags are tensors of PyTorch where the worlds
    are, and the functions get a batch whose arrays are such tensors (``batch.qpos[:, 2]``)::

        envs = ModelVectorEnv(
            "pole.xml", 512, frame_skip=2, max_episode_steps=500,
            reward=lambda batch, action: np.cos(batch.joint("hinge").qpos),
            terminated=lambda batch: abs(batch.joint("slider").qpos) > 1,
            reset_noise=(0.1, 0.1),
        )
    """

    def __init__(
        self,
        model: MjModel | str | os.PathLike[str],
        num_envs: int = 1,
        *,
        frame_skip: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observation: Callable[[Batch], Array] | None = None,
        reward: Callable[[Batch, Array], Array] | None = None,
        terminated: Callable[[Batch], Array] | None = None,
        start: Callable[[Batch, Flags, np.random.Generator], None] | None = None,
        info: Callable[[Batch], Info] | None = None,
        reset_noise: tuple[float, float] = (0.0, 0.0),
        derived: Iterable[str] = (),
        threads: int | None = None,
        device: str = "cpu",
        precision: str = "f64",
        contacts: int | None = None,
        arrays: str = "numpy",
        render_mode: str | None = None,
    ):
        if arrays not in KINDS:
            raise ValueError(f"arrays must be 'numpy' or 'torch', not {arrays!r}")
        if render_mode is not None:
            raise ValueError("sinew.gym cannot draw yet: render_mode must be None")
        if frame_skip < 1:
            raise ValueError(f"frame_skip must be at least 1, not {frame_skip}")
        self.batch = Batch(
            model, num_envs, derived=derived, threads=threads, device=device, precision=precision, contacts=contacts
        )
        self.seen: Any = self._seen_by_functions(arrays)
        """The batch as functions see it."""
        self.model = self.batch.model
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.reset_noise = reset_noise
        self._functions = {
            "observation": observation,
            "reward": reward,
            "terminated": terminated,
            "start": start,
            "info": info,
        }
        self._has_ended = np.zeros(num_envs, bool)
        self._elapsed = np.zeros(num_envs, np.int64)
        self.metadata = {
            "autoreset_mode": self.autoreset_mode,
            "render_modes": [],
            "render_fps": int(np.round(1 / self.dt)),
        }
        low, high = self.model.actuator_ctrlrange.astype(np.float32).T
        is_free = self.model.actuator_ctrllimited == 0
        low, high = np.where(is_free, -np.inf, low), np.where(is_free, np.inf, high)
        self.single_action_space = spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._tensors = TensorSteps(self) if arrays == "torch" else None
        width = tuple(self.observation(self.seen).shape[1:]) if self._tensors else self._observe().shape[1:]
        self.single_observation_space = spaces.Box(-np.inf, np.inf, width, np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    @property
    def dt(self) -> float:
        """Simulated seconds of an action."""
        return float(self.model.opt.timestep) * self.frame_skip

    # What the worlds are about.

    def observation(self, batch: Batch) -> Array:
        """What agents see, a row per world."""
        given = self._functions["observation"]
        if given is not None:
            return given(batch)
        return joined([x if not isinstance(x, DeviceArray) else x.numpy() for x in (batch.qpos, batch.qvel)])

    def reward(self, batch: Batch, action: Array) -> Array:
        """What the last step was worth, a number per world."""
        given = self._functions["reward"]
        return 0.0 * _like(batch.qpos) if given is None else given(batch, action)

    def terminated(self, batch: Batch) -> Array:
        """Whether episodes have ended, a flag per world."""
        given = self._functions["terminated"]
        return _like(batch.qpos) > 0 if given is None else given(batch)

    def start(self, batch: Batch, which: Flags, random: np.random.Generator) -> None:
        """Puts worlds that are in the initial state where their episodes begin."""
        given = self._functions["start"]
        if given is None:
            self.batch.reset_randomly(which, qpos=self.reset_noise[0], qvel=self.reset_noise[1])
        else:
            given(batch, which, random)

    def begun(self, batch: Batch, which: Flags) -> None:
        """Looks at worlds whose episodes have begun, once derived arrays are computed."""

    def info(self, batch: Batch) -> Info:
        """More arrays for users, after a step."""
        given = self._functions["info"]
        return {} if given is None else given(batch)

    def reset_info(self, batch: Batch) -> Info:
        """More arrays for users, after a reset."""
        return self.info(batch)

    def before_step(self, batch: Batch) -> None:
        """Looks at the batch before it is stepped."""

    # What learning code calls.

    def reset(self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None):
        """Begins new episodes in all worlds, or in those of ``options["reset_mask"]``."""
        if self._tensors is not None:
            return self._tensors.reset(seed)
        which = self._reset_mask(options)
        self._seed(seed, which)
        self._begin(which)
        self._has_ended = self._has_ended & ~which
        infos: dict[str, Any] = {}
        self._tell_of_reset(infos, which)
        return self._observe(), infos

    def step(self, actions: npt.ArrayLike):
        """Steps all worlds, and resets those that have ended, as the autoreset mode says."""
        if self._tensors is not None:
            return self._tensors.step(actions)
        actions = self._checked(actions)
        resetting = np.zeros(self.num_envs, bool)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            resetting = self._has_ended
        elif self.autoreset_mode == AutoresetMode.DISABLED and self._has_ended.any():
            ended = np.flatnonzero(self._has_ended)[:5].tolist()
            raise RuntimeError(f"worlds have ended and must be reset: {ended} …; autoreset_mode is DISABLED")
        stepping = ~resetting
        is_any_resetting = not stepping.all()
        self._advance(actions, None if not is_any_resetting else stepping)
        rewards = np.array(self.reward(self.seen, actions), np.float64)
        terminations = np.array(self.terminated(self.seen), bool) | np.asarray(self.batch.terminated)
        truncations = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            truncations = self._elapsed >= self.max_episode_steps
        infos: dict[str, Any] = {}
        self._tell(infos, stepping)

        if is_any_resetting:
            rewards[resetting], terminations[resetting], truncations[resetting] = 0, False, False
            self._begin(resetting)
            self._tell_of_reset(infos, resetting)
        ended = terminations | truncations
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.any():
            infos = self._finals(infos, ended)
            self._begin(ended)
            self._tell_of_reset(infos, ended)
        self._has_ended = ended
        return self._observe(), rewards, terminations, truncations, infos

    def close_extras(self, **_options: Any) -> None:
        """Ends the threads."""
        self.batch.close()

    # How.

    def _advance(self, actions: Array, stepping: Flags | None) -> None:
        """Steps the worlds of a mask, or all."""
        self.before_step(self.seen)
        if stepping is None:
            self.batch.ctrl[:] = actions
            self.batch.step(self.frame_skip)
            self._elapsed += 1
        else:
            self.batch.ctrl[stepping] = actions[stepping]
            self.batch.step(self.frame_skip, where=stepping)
            self._elapsed[stepping] += 1
        self._forget()

    def _begin(self, which: Flags) -> None:
        """Begins new episodes."""
        self.batch.reset(which)
        self._start(which)
        self.batch.forward(which)
        self.begun(self.seen, which)
        self._elapsed[which] = 0
        self._forget()

    def _start(self, which: Flags) -> None:
        self.start(self.batch, which, self.np_random)

    def _seen_by_functions(self, arrays: str) -> Any:
        """What functions see: the batch, or one whose arrays are tensors."""
        return Seen(self.batch, "torch") if arrays == "torch" else self.batch

    def _forget(self) -> None:
        """Worlds have changed."""
        if isinstance(self.seen, Seen):
            self.seen.forget()

    def _seed(self, seed: int | list[int | None] | None, which: Flags) -> None:
        """Begins new streams of random numbers."""
        if seed is None and self._np_random is not None:
            return
        if isinstance(seed, (list, tuple)):
            raise ValueError("worlds of this environment have one seed together")
        self._np_random, self._np_random_seed = seeding.np_random(seed)
        self.batch.seed = self._np_random_seed

    def _observe(self) -> Array:
        found = np.array(self.observation(self.seen), np.float64)
        if found.ndim < 2 or len(found) != self.num_envs:
            raise ValueError(f"observations must have {self.num_envs} rows, not the shape {found.shape}")
        return found

    def _checked(self, actions: npt.ArrayLike) -> Array:
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have the shape {self.action_space.shape}, not {actions.shape}")
        return actions

    def _reset_mask(self, options: dict[str, Any] | None) -> Flags:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, bool)
        mask = np.asarray(mask)
        if mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask must be {self.num_envs} flags with at least one that is set")
        return mask

    def _tell(self, infos: dict[str, Any], stepping: Flags) -> None:
        """Adds what users are told of worlds that made a step."""
        self._add(infos, self.info(self.seen), stepping)

    def _tell_of_reset(self, infos: dict[str, Any], which: Flags) -> None:
        """Adds what users are told of worlds that begin anew."""
        self._add(infos, self.reset_info(self.seen), which)

    def _add(self, infos: dict[str, Any], found: Info, which: Flags) -> None:
        """Adds arrays for some of the worlds, with gymnasium's masks that say for which."""
        is_all = which.all()
        if not is_all and not which.any():
            return
        others = ~which
        masks = np.empty((len(found), len(which)), bool)
        masks[:] = which
        for mask, (name, values) in zip(masks, found.items(), strict=True):
            known = infos.get(name)
            if known is None:
                infos[name] = values = np.array(values)
                infos[f"_{name}"] = mask
                if not is_all:
                    values[others] = 0
            else:
                values = np.asarray(values)
                np.copyto(known, values, where=which.reshape(-1, *(1,) * (values.ndim - 1)))
                infos[f"_{name}"] |= which

    def _finals(self, infos: dict[str, Any], ended: Flags) -> dict[str, Any]:
        """The infos of worlds that go on, and beside them what the others ended with."""
        going, final = {}, {}
        for name, values in infos.items():
            if not name.startswith("_"):
                self._add(going, {name: values}, ~ended)
                self._add(final, {name: values}, ended)
        observations = np.full(self.num_envs, None, object)
        for world, row in zip(np.flatnonzero(ended), self._observe()[ended], strict=True):
            observations[world] = row
        going.update(final_obs=observations, _final_obs=ended.copy(), final_info=final, _final_info=ended.copy())
        return going


def _like(qpos: Any) -> Any:
    """A zero for each world, in an array of the same kind."""
    return np.zeros(len(qpos)) if isinstance(qpos, (np.ndarray, DeviceArray)) else qpos.new_zeros(len(qpos))

"""Environments of the classic tasks: many worlds, and one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode

from ..batch import Batch
from ._arrays import Seen
from ._vector import Array, Flags, Info, ModelVectorEnv
from .tasks import TASKS, Judgement, Task


def model_file(name: str) -> Path:
    """A file, or one of the models of the gymnasium that is installed."""
    if name.startswith((".", "/", "~")):
        return Path(name).expanduser()
    # Without importing gymnasium.envs.mujoco, which wants the reference.
    return Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / name


class ClassicVectorEnv(ModelVectorEnv):
    """Many worlds of a classic task. Each has a seed of its own, as those of ``SyncVectorEnv`` have."""

    def __init__(
        self,
        task: str,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        device: str = "cpu",
        precision: str = "f64",
        contacts: int | None = None,
        arrays: str = "numpy",
        render_mode: str | None = None,
        **settings: Any,
    ):
        self.task: Task = TASKS[task](**settings)
        self.generators: list[np.random.Generator | None] = [None] * num_envs
        self.seeds: list[int | None] = [None] * num_envs
        self._judgement: Judgement | None = None
        self._before: Array | None = None
        path = model_file(self.task.xml_file)
        if not path.is_file():
            raise OSError(f"there is no file {path}")
        super().__init__(
            path,
            num_envs,
            frame_skip=self.task.frame_skip,
            max_episode_steps=max_episode_steps,
            autoreset_mode=autoreset_mode,
            derived=[name for name in self.task.derived if device == "cpu" or name not in self.task.optional],
            threads=threads,
            device=device,
            precision=precision,
            contacts=contacts,
            arrays=arrays,
            render_mode=render_mode,
        )
        self.task.prepare(self.model)
        self._described = frozenset(self.task.describe(self.seen))

    def _seen_by_functions(self, arrays: str) -> Any:
        # Tasks compute with numpy or with tensors, not with arrays of a device.
        is_plain = arrays == "numpy" and not self.batch.is_on_device
        return self.batch if is_plain else Seen(self.batch, arrays)

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The generators of the worlds."""
        if None in self.generators:
            self._seed(None, np.ones(self.num_envs, bool))
        return tuple(generator for generator in self.generators if generator is not None)

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:
        """The seeds of the worlds."""
        return tuple(self.seeds)

    def observation(self, batch: Batch) -> Array:
        return self.task.observe(batch)

    def _observe(self) -> Array:
        # Put together from the arrays of the batch, so nobody else has it.
        return np.asarray(self.observation(self.seen), np.float64)

    def before_step(self, batch: Batch) -> None:
        self._before = self.task.place(batch)

    def reward(self, batch: Batch, action: Array) -> Array:
        self._judgement = self.task.judge(batch, action, self._before)
        return self._judgement.reward

    def terminated(self, batch: Batch) -> Array:
        return self._judgement.terminated

    def info(self, batch: Batch) -> Info:
        return self._judgement.info

    def reset_info(self, batch: Batch) -> Info:
        return self.task.describe(batch)

    def start(self, batch: Batch, which: Flags, random: Any) -> None:
        if self._tensors is not None:
            for place, drawn in zip((batch.qpos, batch.qvel), self.task.start_all(self.model, batch.qpos, random)):
                place.copy_(drawn.where(which[:, None], place))
            return
        worlds = which.nonzero()[0]
        starts = [self.task.start(self.model, self._generator(world)) for world in worlds]
        if starts:
            qpos, qvel = zip(*starts)
            batch.qpos[worlds], batch.qvel[worlds] = np.array(qpos), np.array(qvel)

    def _generator(self, world: int) -> np.random.Generator:
        """The generator of a world, which gets one if it has none."""
        generator = self.generators[world]
        if generator is None:
            generator, self.seeds[world] = seeding.np_random(None)
            self.generators[world] = generator
        return generator

    def _start(self, which: Flags) -> None:
        self.start(self.batch, which, None)

    def _tell(self, infos: dict[str, Any], stepping: Flags) -> None:
        # The arrays are nobody else's, so they are handed out as they are, with one mask.
        told = self._judgement.info
        if not stepping.all():
            if not stepping.any():
                return
            resetting = ~stepping
            for name, values in told.items():
                if name not in self._described:
                    values[resetting] = 0
        infos.update(told)
        infos.update((f"_{name}", stepping) for name in told)

    def _tell_of_reset(self, infos: dict[str, Any], which: Flags) -> None:
        if self.autoreset_mode != AutoresetMode.NEXT_STEP or not infos:
            super()._tell_of_reset(infos, which)
            return
        # Worlds that made a step are where they were, so all are told of their place anew.
        described = self.task.describe(self.seen)
        infos.update(described)
        everybody = np.ones(self.num_envs, bool)
        infos.update((f"_{name}", everybody) for name in described)

    def begun(self, batch: Batch, which: Flags) -> None:
        # The reference does not compute external forces until a step is made.
        if "cfrc_ext" in self.task.derived:
            if self._tensors is not None:
                batch.cfrc_ext.masked_fill_(which[:, None, None], 0)
            else:
                self.batch.cfrc_ext[which] = 0

    def _seed(self, seed: int | list[int | None] | None, which: Flags) -> None:
        if isinstance(seed, (list, tuple)):
            seeds = list(seed)
        else:
            seeds = [None if seed is None else seed + world for world in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"there must be {self.num_envs} seeds, not {len(seeds)}")
        for world in np.flatnonzero(which):
            if seeds[world] is not None or self.generators[world] is None:
                self.generators[world], self.seeds[world] = seeding.np_random(seeds[world])


class ClassicEnv(gymnasium.Env):
    """One world of a classic task."""

    def __init__(self, task: str, *, render_mode: str | None = None, **settings: Any):
        self.worlds = ClassicVectorEnv(
            task, 1, autoreset_mode=AutoresetMode.DISABLED, threads=1, render_mode=render_mode, **settings
        )
        self.render_mode = render_mode
        self.observation_space = self.worlds.single_observation_space
        self.action_space = self.worlds.single_action_space
        self.metadata = {"render_modes": [], "render_fps": self.worlds.metadata["render_fps"]}
        self.model = self.worlds.model
        self.batch = self.worlds.batch
        self.frame_skip = self.worlds.frame_skip

    @property
    def dt(self) -> float:
        """Simulated seconds of an action."""
        return self.worlds.dt

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins a new episode."""
        super().reset(seed=seed)
        self.worlds.generators[0] = self.np_random
        observations, infos = self.worlds.reset()
        return observations[0], _of_one(infos)

    def step(self, action: npt.ArrayLike):
        """Makes one action."""
        # Going on after the end is the caller's choice.
        self.worlds._has_ended[0] = False
        observations, rewards, terminations, truncations, infos = self.worlds.step(np.asarray(action)[None])
        return observations[0], float(rewards[0]), bool(terminations[0]), bool(truncations[0]), _of_one(infos)

    def close(self) -> None:
        """Ends its threads."""
        self.worlds.close()


def _of_one(infos: dict[str, Any]) -> dict[str, Any]:
    """What is said of the only world."""
    return {name: values[0] for name, values in infos.items() if not name.startswith("_")}

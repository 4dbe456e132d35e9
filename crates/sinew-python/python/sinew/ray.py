"""Batches on many machines, as actors of Ray. Needs ray: ``pip install sinew[ray]``.

Every worker receives the model once and keeps its batch; a call sends initial states and controls and returns
trajectories, those that are done first first::

    import ray
    import sinew.ray

    ray.init()
    workers = sinew.ray.Workers("humanoid.xml", nworld=1024, workers=8)
    for number, found in workers.rollouts(tasks):
        print(number, found.states.shape)

How machines are found, started and lost is Ray's business. For RLlib, give the name of an environment of ``sinew.gym``
and ``gym_env_vectorize_mode="vector_entry_point"``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy.typing as npt

try:
    import ray
except ImportError as error:
    raise ImportError("sinew.ray needs ray: pip install sinew[ray]") from error

from .batch import Batch, Trajectories
from .compat import MjModel

Task = tuple[dict[str, npt.ArrayLike], npt.ArrayLike]
"""Arrays of the batch to start from (``{"qpos": …, "qvel": …}``; others are the model's), and the controls."""


class Worker:
    """One actor: a batch, and what is done with it."""

    def __init__(self, model: MjModel, nworld: int, options: dict[str, Any]):
        self._batch = Batch(model, nworld, **options)

    def rollout(self, number: int, task: Task) -> tuple[int, Trajectories]:
        """Trajectories of a task, and its number."""
        start, control = task
        self._batch.reset()
        for name, values in start.items():
            getattr(self._batch, name)[...] = values
        return number, self._batch.rollout(control)


class Workers:
    """Actors that make rollouts.

    ``nworld``
        Number of worlds of each.
    ``workers``
        Number of actors.
    ``resources``
        What Ray reserves for each (``{"num_cpus": 4}``); a batch uses as many threads as ``num_cpus`` says.
    Other options are those of ``sinew.Batch``.
    """

    def __init__(
        self,
        model: MjModel | str | os.PathLike[str],
        nworld: int,
        workers: int,
        *,
        resources: dict[str, Any] | None = None,
        **options: Any,
    ):
        if not isinstance(model, MjModel):
            model = MjModel.from_xml_path(model)
        resources = {"num_cpus": 1, **(resources or {})}
        options.setdefault("threads", max(1, int(resources["num_cpus"])))
        kind = ray.remote(**resources)(Worker)
        shared = ray.put(model)
        self._actors = [kind.remote(shared, nworld, options) for _ in range(workers)]

    def __len__(self) -> int:
        return len(self._actors)

    def rollouts(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Trajectories]]:
        """Trajectories of each task, with its number, as they are done. Every worker has one task at a time."""
        waiting = enumerate(tasks)
        running: dict[Any, Any] = {}

        def begin(actor: Any) -> None:
            for number, task in waiting:
                running[actor.rollout.remote(number, task)] = actor
                return

        for actor in self._actors:
            begin(actor)
        while running:
            (done, *_), _ = ray.wait(list(running))
            begin(running.pop(done))
            yield ray.get(done)

    def close(self) -> None:
        """Ends the actors."""
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []

"""The worlds of a batch as one session: they play together, and the panel shows one of them."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from .. import compat
from ._session import Session

# States and inputs that a world of a batch has.
_NAMES = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "eq_active")
# Moments that are kept: each has all worlds.
_PAST = 200


class Worlds(Session):
    """A batch that plays; `data` is the world that was chosen. What is changed there reaches the batch before it goes on."""

    def __init__(self, batch: Any) -> None:
        self.batch, self._world = batch, 0
        data = batch.world(0)
        compat.mj_forward(batch.model, data)
        super().__init__(batch.model, data)
        self._spare = compat.MjData(batch.model)
        self._take()

    def _clear_past(self) -> None:
        super()._clear_past()
        self.past = deque(maxlen=_PAST)

    def choose(self, world: int) -> None:
        """The world that `data` shows from now on."""
        with self.lock:
            self._give()
            self._world = world
            self._take()

    def loaded(self, world: int) -> Any:
        """A simulation in the state of a world, good until the next call."""
        if world == self._world:
            return self.data
        self._load(world, self._spare)
        return self._spare

    def _load(self, world: int, data: Any) -> None:
        for name in _NAMES:
            getattr(data, name)[...] = getattr(self.batch, name)[world].reshape(getattr(data, name).shape)
        data.time = float(self.batch.time[world])
        compat.mj_forward(self.model, data)

    def _take(self) -> None:
        """Takes over the chosen world."""
        self._load(self._world, self.data)
        self._taken = {name: np.array(getattr(self.data, name)) for name in _NAMES}

    def _give(self) -> None:
        """Gives the batch what a user has changed."""
        for name, before in self._taken.items():
            now = getattr(self.data, name)
            if not np.array_equal(now, before):
                row = getattr(self.batch, name)
                row[self._world] = now.reshape(row[self._world].shape)

    def advance(self, seconds: float) -> int:
        """Plays for so many seconds of the clock; returns the steps made. Steps that others make are shown, too."""
        with self.lock:
            made = self._play(seconds) if self.is_playing else 0
            if not made:
                self._give()
                self._take()
            return made

    def _step(self) -> None:
        self._give()
        self._remember()
        self.batch.step()
        self._take()

    def step(self) -> None:
        """Makes one step in all worlds."""
        with self.lock:
            self._step()

    def reset(self, key: int | None = None) -> None:
        """All worlds begin anew, or at a keyframe."""
        with self.lock:
            self.batch.reset(key=key)
            self._clear_past()
            self._take()

    def _state(self) -> Any:
        return self.batch.save()

    def _restore(self, state: Any) -> None:
        self.batch.restore(state)
        self._take()

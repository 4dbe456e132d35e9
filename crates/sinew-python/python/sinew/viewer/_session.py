"""A simulation that plays: in a thread of its own, at a speed, with a past to go back to."""

from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from .. import compat
from ..compat._mouse import grab

# States that are kept, and the simulated seconds between them.
_PAST = 1000
_BETWEEN = 0.02
# The longest that one round of steps may take, so that the page stays alive.
_PATIENCE = 0.05
_STATE = int(compat.mjtState.mjSTATE_INTEGRATION)
_TRANSLATE, _ROTATE = 1, 2


class Session:
    """One simulation, and what a user does to it. Every use of model and data holds the lock."""

    def __init__(self, model: Any, data: Any, path: Path | None = None) -> None:
        self.lock = threading.RLock()
        self.model, self.data, self.path = model, data, path
        self.is_playing = False
        self.speed = 1.0
        self.pull = compat.MjvPerturb()
        self.error: str | None = None
        # Counts loads, so that the page is made anew.
        self.version = 0
        self._changed = path.stat().st_mtime_ns if path else 0
        self._clear_past()
        self._debt = 0.0

    def _clear_past(self) -> None:
        # Moments and the states then, in order.
        self.past: deque[tuple[float, Any]] = deque(maxlen=_PAST)
        self._next = -np.inf

    def advance(self, seconds: float) -> int:
        """Plays for so many seconds of the clock; returns the steps made."""
        with self.lock:
            if not self.is_playing:
                compat.mjv_applyPerturbPose(self.model, self.data, self.pull, 1)
                compat.mj_forward(self.model, self.data)
                return 0
            return self._play(seconds)

    def _play(self, seconds: float) -> int:
        step = float(self.model.opt.timestep)
        self._debt = min(self._debt + seconds * self.speed, 0.25 * self.speed)
        start, made = time.monotonic(), 0
        while self._debt >= step and time.monotonic() - start < _PATIENCE:
            self._step()
            self._debt -= step
            made += 1
        return made

    def _step(self) -> None:
        model, data = self.model, self.data
        self._remember()
        data.xfrc_applied[:] = 0
        compat.mjv_applyPerturbPose(model, data, self.pull, 0)
        compat.mjv_applyPerturbForce(model, data, self.pull)
        compat.mj_step(model, data)

    def _remember(self) -> None:
        now = float(self.data.time)
        if self.past and self.past[-1][0] > now:
            # Who went back and plays on has another future.
            while self.past and self.past[-1][0] > now:
                self.past.pop()
            self._next = self.past[-1][0] + _BETWEEN if self.past else now
        if now < self._next and self.past:
            return
        self._next = now + _BETWEEN
        self.past.append((now, self._state()))

    def _state(self) -> Any:
        """What the simulation goes on from."""
        state = np.zeros(compat.mj_stateSize(self.model, _STATE))
        compat.mj_getState(self.model, self.data, state, _STATE)
        return state

    def _restore(self, state: Any) -> None:
        compat.mj_setState(self.model, self.data, state, _STATE)
        compat.mj_forward(self.model, self.data)

    def step(self) -> None:
        """Makes one step."""
        with self.lock:
            self._step()
            compat.mj_forward(self.model, self.data)

    def reset(self, key: int | None = None) -> None:
        """Begins anew, or at a keyframe."""
        with self.lock:
            if key is None:
                compat.mj_resetData(self.model, self.data)
            else:
                compat.mj_resetDataKeyframe(self.model, self.data, key)
            self.pull = compat.MjvPerturb()
            self._clear_past()
            compat.mj_forward(self.model, self.data)

    def go_back(self, part: float) -> None:
        """Goes to a moment of the past: 0 is the oldest that is kept, 1 the last."""
        with self.lock:
            if not self.past:
                return
            self.is_playing = False
            if self.data.time > self.past[-1][0]:
                self.past.append((float(self.data.time), self._state()))
            _, state = self.past[round(part * (len(self.past) - 1))]
            self._restore(state)

    def grab(self, body: int, point: Any, is_twisting: bool) -> None:
        """Begins to pull at a point of a body, or to twist it."""
        with self.lock:
            model, data, pull = self.model, self.data, compat.MjvPerturb()
            pull.select = body
            pull.localpos = data.xmat[body].reshape(3, 3).T @ (np.asarray(point, float) - data.xpos[body])
            grab(model, data, pull)
            pull.active = _ROTATE if is_twisting else _TRANSLATE
            self.pull = pull

    def drag(self, target: Any) -> None:
        """Moves where the body is pulled to; or twists it by how far it is."""
        with self.lock:
            pull, target = self.pull, np.asarray(target, float)
            if not pull.active:
                return
            away = target - pull.refselpos
            if pull.active == _TRANSLATE:
                pull.refpos, pull.refselpos = pull.refpos + away, target
                return
            length = float(np.linalg.norm(away))
            if length > 1e-9:
                turn, turned = np.zeros(4), np.zeros(4)
                axis = np.cross([0, 0, 1], away / length)
                axis = axis / max(np.linalg.norm(axis), 1e-9) if np.linalg.norm(axis) > 1e-6 else np.array([0, 0, 1.0])
                compat.mju_axisAngle2Quat(turn, axis, length / max(float(self.model.stat.meansize), 1e-3))
                compat.mju_mulQuat(turned, turn, pull.refquat)
                pull.refquat, pull.refselpos = turned, target

    def release(self) -> None:
        """Lets go; the body stays selected."""
        with self.lock:
            self.pull.active = 0
            self.data.xfrc_applied[:] = 0

    def reload_if_changed(self) -> bool:
        """Loads the file again if it has changed; what has the same name keeps its state. Tells whether there is news."""
        if self.path is None:
            return False
        try:
            changed = self.path.stat().st_mtime_ns
        except OSError:
            return False
        if changed == self._changed:
            return False
        self._changed = changed
        try:
            model = compat.MjModel.from_xml_path(str(self.path))
        except ValueError as error:
            self.error = str(error)
            return True
        data = compat.MjData(model)
        with self.lock:
            keep_by_name(self.model, self.data, model, data)
            compat.mj_forward(model, data)
            self.model, self.data, self.error = model, data, None
            self.pull = compat.MjvPerturb()
            self._clear_past()
            self.version += 1
        return True


def keep_by_name(old_model: Any, old: Any, model: Any, data: Any) -> None:
    """Takes over the state of joints, actuators and moved bodies that have the same name and size in both models."""
    data.time = old.time
    joints = compat.mjtObj.mjOBJ_JOINT
    for joint in range(model.njnt):
        name = model.joint(joint).name
        found = compat.mj_name2id(old_model, joints, name) if name else -1
        if found >= 0 and old_model.jnt_type[found] == model.jnt_type[joint]:
            data.joint(joint).qpos[:] = old.joint(found).qpos
            data.joint(joint).qvel[:] = old.joint(found).qvel
    for actuator in range(model.nu):
        name = model.actuator(actuator).name
        found = compat.mj_name2id(old_model, compat.mjtObj.mjOBJ_ACTUATOR, name) if name else -1
        if found >= 0:
            data.ctrl[actuator] = old.ctrl[found]
    for body in range(model.nbody):
        name = model.body(body).name
        found = compat.mj_name2id(old_model, compat.mjtObj.mjOBJ_BODY, name) if name else -1
        if found >= 0 and min(model.body_mocapid[body], old_model.body_mocapid[found]) >= 0:
            mine, theirs = int(model.body_mocapid[body]), int(old_model.body_mocapid[found])
            data.mocap_pos[mine], data.mocap_quat[mine] = old.mocap_pos[theirs], old.mocap_quat[theirs]

"""Arms that reach and push."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...batch import Batch
from ._task import Array, Judgement, Task, joined, no_flags, norm, space, square_sum


@dataclass
class Reacher(Task):
    """Moves the fingertip of an arm to a target."""

    max_episode_steps: ClassVar[int] = 50
    reward_threshold: ClassVar[float] = -3.75
    derived: ClassVar[tuple[str, ...]] = ("xpos",)

    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 1.0

    def way(self, batch: Batch) -> Array:
        """From the target to the fingertip."""
        return batch.body("fingertip").xpos - batch.body("target").xpos

    def observe(self, batch):
        angles = batch.qpos[:, :2]
        cos, sin = space(angles).cos(angles), space(angles).sin(angles)
        return joined([cos, sin, batch.qpos[:, 2:], batch.qvel[:, :2], self.way(batch)[:, :2]])

    def judge(self, batch, action, before):
        distance = -norm(self.way(batch)) * self.reward_dist_weight
        effort = -square_sum(action) * self.reward_control_weight
        told = {"reward_dist": distance, "reward_ctrl": effort}
        return Judgement(distance + effort, no_flags(batch), told)

    def start(self, model, random):
        qpos = random.uniform(-0.1, 0.1, model.nq) + model.qpos0
        target = random.uniform(-0.2, 0.2, 2)
        while np.linalg.norm(target) >= 0.2:
            target = random.uniform(-0.2, 0.2, 2)
        qvel = random.uniform(-0.005, 0.005, model.nv)
        qpos[-2:], qvel[-2:] = target, 0
        return qpos, qvel


@dataclass
class Pusher(Task):
    """Pushes an object to a goal."""

    max_episode_steps: ClassVar[int] = 100
    reward_threshold: ClassVar[float] = 0.0
    derived: ClassVar[tuple[str, ...]] = ("xpos",)

    xml_file: str = "pusher_v5.xml"
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1.0
    reward_control_weight: float = 0.1

    def observe(self, batch):
        bodies = [batch.body(name).xpos for name in ("tips_arm", "object", "goal")]
        return joined([batch.qpos[:, :7], batch.qvel[:, :7], *bodies])

    def judge(self, batch, action, before):
        tip, object_, goal = (batch.body(name).xpos for name in ("tips_arm", "object", "goal"))
        near = -norm(object_ - tip) * self.reward_near_weight
        distance = -norm(object_ - goal) * self.reward_dist_weight
        effort = -square_sum(action) * self.reward_control_weight
        told = {"reward_dist": distance, "reward_ctrl": effort, "reward_near": near}
        return Judgement(distance + effort + near, no_flags(batch), told)

    def start(self, model, random):
        def somewhere():
            return np.array([random.uniform(-0.3, 0), random.uniform(-0.2, 0.2)])

        place = somewhere()
        while np.linalg.norm(place) <= 0.17:
            place = somewhere()
        qpos = model.qpos0.copy()
        qpos[-4:-2], qpos[-2:] = place, 0
        qvel = random.uniform(-0.005, 0.005, model.nv)
        qvel[-4:] = 0
        return qpos, qvel

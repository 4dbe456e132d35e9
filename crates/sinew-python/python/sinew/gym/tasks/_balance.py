"""Poles to be kept upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ._task import Judgement, Noisy, all_of, joined, space


@dataclass
class InvertedPendulum(Noisy):
    """Keeps a pole on a cart upright."""

    reward_threshold: ClassVar[float] = 950.0

    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    def judge(self, batch, action, before):
        finite = space(batch.qpos).isfinite
        is_finite = all_of(finite(batch.qpos)) & all_of(finite(batch.qvel))
        stands = is_finite & (abs(batch.qpos[:, 1]) <= 0.2)
        return Judgement(stands * 1.0, ~stands, {"reward_survive": stands * 1})


@dataclass
class InvertedDoublePendulum(Noisy):
    """Keeps two poles on a cart upright."""

    reward_threshold: ClassVar[float] = 9100.0
    has_normal_velocities: ClassVar[bool] = True
    derived: ClassVar[tuple[str, ...]] = ("site_xpos", "qfrc_constraint")

    xml_file: str = "inverted_double_pendulum.xml"
    frame_skip: int = 5
    healthy_reward: float = 10.0

    def observe(self, batch):
        angles = batch.qpos[:, 1:]
        of = space(angles)
        parts = [batch.qpos[:, :1], of.sin(angles), of.cos(angles)]
        parts += [of.clip(batch.qvel, -10, 10), of.clip(batch.qfrc_constraint[:, :1], -10, 10)]
        return joined(parts)

    def judge(self, batch, action, before):
        x, height = batch.site_xpos[:, 0, 0], batch.site_xpos[:, 0, 2]
        fell = height <= 1
        distance = 0.01 * x**2 + (height - 2) ** 2
        speed = 1e-3 * batch.qvel[:, 1] ** 2 + 5e-3 * batch.qvel[:, 2] ** 2
        survive = self.healthy_reward * ~fell
        told = {"reward_survive": survive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return Judgement(survive - distance - speed, fell, told)

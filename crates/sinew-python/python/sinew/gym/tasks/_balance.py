"""Poles to be kept upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ._task import Judgement, Noisy


@dataclass
class InvertedPendulum(Noisy):
    """Keeps a pole on a cart upright."""

    reward_threshold: ClassVar[float] = 950.0

    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    def judge(self, batch, action, before):
        is_finite = np.isfinite(batch.qpos).all(axis=1) & np.isfinite(batch.qvel).all(axis=1)
        stands = is_finite & (np.abs(batch.qpos[:, 1]) <= 0.2)
        return Judgement(stands.astype(float), ~stands, {"reward_survive": stands.astype(np.int64)})


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
        parts = [batch.qpos[:, :1], np.sin(angles), np.cos(angles)]
        parts += [np.clip(batch.qvel, -10, 10), np.clip(batch.qfrc_constraint[:, :1], -10, 10)]
        return np.concatenate(parts, axis=1)

    def judge(self, batch, action, before):
        x, height = batch.site_xpos[:, 0, 0], batch.site_xpos[:, 0, 2]
        fell = height <= 1
        distance = 0.01 * x**2 + (height - 2) ** 2
        speed = 1e-3 * batch.qvel[:, 1] ** 2 + 5e-3 * batch.qvel[:, 2] ** 2
        survive = self.healthy_reward * ~fell
        told = {"reward_survive": survive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return Judgement(survive - distance - speed, fell, told)

"""Runners and a swimmer in a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...batch import Batch
from ._task import (
    Array,
    Judgement,
    Noisy,
    Range,
    all_of,
    copied,
    ground_place,
    is_inside,
    joined,
    no_flags,
    space,
    square_sum,
)


@dataclass
class _PlanarRunner(Noisy):
    """Runs along x in a plane; the height is the second coordinate."""

    observed_speed: ClassVar[float] = np.inf

    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    exclude_current_positions_from_observation: bool = True

    def place(self, batch):
        return copied(batch.qpos[:, 0])

    def observe(self, batch):
        skipped = int(self.exclude_current_positions_from_observation)
        velocities = batch.qvel
        if self.observed_speed < np.inf:
            velocities = space(velocities).clip(velocities, -self.observed_speed, self.observed_speed)
        return joined([batch.qpos[:, skipped:], velocities])

    def run(self, batch: Batch, action: Array, before: Array) -> tuple[Array, dict[str, Array]]:
        """The reward for running, and what users are told."""
        speed = (batch.qpos[:, 0] - before) / self.dt
        forward = self.forward_reward_weight * speed
        cost = self.ctrl_cost_weight * square_sum(action)
        told = {**self.describe(batch), "x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, told


@dataclass
class HalfCheetah(_PlanarRunner):
    """Runs and never ends."""

    reward_threshold: ClassVar[float] = 4800.0
    has_normal_velocities: ClassVar[bool] = True

    xml_file: str = "half_cheetah.xml"
    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1

    def describe(self, batch):
        return {"x_position": copied(batch.qpos[:, 0])}

    def judge(self, batch, action, before):
        reward, told = self.run(batch, action, before)
        return Judgement(reward, no_flags(batch), told)


@dataclass
class _Upright(_PlanarRunner):
    """Runs on legs and ends when it falls."""

    observed_speed: ClassVar[float] = 10.0

    frame_skip: int = 4
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: Range = (0.7, np.inf)
    healthy_angle_range: Range = (-0.2, 0.2)
    reset_noise_scale: float = 5e-3

    def prepare(self, model):
        super().prepare(model)
        self.start_height = model.qpos0[1]

    def describe(self, batch):
        return {
            "x_position": copied(batch.qpos[:, 0]),
            "z_distance_from_origin": batch.qpos[:, 1] - self.start_height,
        }

    def is_healthy(self, batch: Batch) -> Array:
        """Whether it stands."""
        stands = is_inside(batch.qpos[:, 1], self.healthy_z_range)
        return stands & is_inside(batch.qpos[:, 2], self.healthy_angle_range)

    def judge(self, batch, action, before):
        reward, told = self.run(batch, action, before)
        is_healthy = self.is_healthy(batch)
        told["reward_survive"] = is_healthy * self.healthy_reward
        terminated = ~is_healthy & self.terminate_when_unhealthy
        return Judgement(reward + told["reward_survive"], terminated, told)


@dataclass
class Hopper(_Upright):
    """Hops on one leg."""

    reward_threshold: ClassVar[float] = 3800.0

    xml_file: str = "hopper.xml"
    healthy_state_range: Range = (-100.0, 100.0)

    def is_healthy(self, batch):
        is_calm = all_of(is_inside(batch.qpos[:, 2:], self.healthy_state_range))
        is_calm &= all_of(is_inside(batch.qvel, self.healthy_state_range))
        return super().is_healthy(batch) & is_calm


@dataclass
class Walker2d(_Upright):
    """Walks on two legs."""

    xml_file: str = "walker2d_v5.xml"
    healthy_z_range: Range = (0.8, 2.0)
    healthy_angle_range: Range = (-1.0, 1.0)


@dataclass
class Swimmer(Noisy):
    """Swims in a plane seen from above."""

    reward_threshold: ClassVar[float] = 360.0

    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    exclude_current_positions_from_observation: bool = True

    def place(self, batch):
        return copied(batch.qpos[:, :2])

    def observe(self, batch):
        skipped = 2 * self.exclude_current_positions_from_observation
        return joined([batch.qpos[:, skipped:], batch.qvel])

    def describe(self, batch):
        return ground_place(batch)

    def judge(self, batch, action, before):
        speed = (batch.qpos[:, :2] - before) / self.dt
        forward = self.forward_reward_weight * speed[:, 0]
        cost = self.ctrl_cost_weight * square_sum(action)
        told = {**self.describe(batch), "x_velocity": speed[:, 0], "y_velocity": speed[:, 1]}
        told.update(reward_forward=forward, reward_ctrl=-cost)
        return Judgement(forward - cost, no_flags(batch), told)

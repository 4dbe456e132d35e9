"""Runners in space."""

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
    clipped,
    copied,
    flat,
    ground_place,
    is_inside,
    is_numpy,
    joined,
    no_flags,
    space,
    square_sum,
)


@dataclass
class Ant(Noisy):
    """Runs on four legs."""

    reward_threshold: ClassVar[float] = 6000.0
    has_normal_velocities: ClassVar[bool] = True
    derived: ClassVar[tuple[str, ...]] = ("xpos", "cfrc_ext")

    xml_file: str = "ant.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: Range = (0.2, 1.0)
    contact_force_range: Range = (-1.0, 1.0)
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def prepare(self, model):
        super().prepare(model)
        self.body = model.body(self.main_body).id

    def place(self, batch):
        return copied(batch.xpos[:, self.body, :2])

    def contact_forces(self, batch: Batch) -> Array:
        """Forces on bodies from outside, cut off."""
        return clipped(batch.cfrc_ext, self.contact_force_range)

    def observe(self, batch):
        skipped = 2 * self.exclude_current_positions_from_observation
        parts = [batch.qpos[:, skipped:], batch.qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(flat(self.contact_forces(batch)[:, 1:]))
        return joined(parts)

    def describe(self, batch):
        return ground_place(batch)

    def judge(self, batch, action, before):
        speed = (self.place(batch) - before) / self.dt
        height = batch.qpos[:, 2]
        is_healthy = (self.healthy_z_range[0] <= height) & (height <= self.healthy_z_range[1])
        finite = space(height).isfinite
        is_healthy &= all_of(finite(batch.qpos)) & all_of(finite(batch.qvel))
        forward, survive = speed[:, 0] * self.forward_reward_weight, is_healthy * self.healthy_reward
        effort = self.ctrl_cost_weight * square_sum(action)
        contact = self.contact_cost_weight * square_sum(self.contact_forces(batch))
        told = {**self.describe(batch), "x_velocity": speed[:, 0], "y_velocity": speed[:, 1]}
        told.update(reward_forward=forward, reward_ctrl=-effort, reward_contact=-contact, reward_survive=survive)
        terminated = ~is_healthy & self.terminate_when_unhealthy
        return Judgement(forward + survive - (effort + contact), terminated, told)


@dataclass
class _Person(Noisy):
    """A humanoid and all that it feels."""

    derived: ClassVar[tuple[str, ...]] = (
        "xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity",
    )  # fmt: skip
    optional: ClassVar[tuple[str, ...]] = ("ten_length", "ten_velocity")

    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def observe(self, batch):
        skipped = 2 * self.exclude_current_positions_from_observation
        parts = [batch.qpos[:, skipped:], batch.qvel]
        for is_included, felt in (
            (self.include_cinert_in_observation, batch.cinert[:, 1:]),
            (self.include_cvel_in_observation, batch.cvel[:, 1:]),
            (self.include_qfrc_actuator_in_observation, batch.qfrc_actuator[:, 6:]),
            (self.include_cfrc_ext_in_observation, batch.cfrc_ext[:, 1:]),
        ):
            if is_included:
                parts.append(flat(felt))
        return joined(parts)

    def tendons(self, batch: Batch) -> dict[str, Array]:
        """Lengths and velocities of tendons, as users are told them; devices do not keep them."""
        if not hasattr(batch, "ten_length"):
            return {}
        return {"tendon_length": copied(batch.ten_length), "tendon_velocity": copied(batch.ten_velocity)}

    def effort(self, batch: Batch) -> Array:
        """The cost of the controls."""
        return self.ctrl_cost_weight * square_sum(batch.ctrl)


@dataclass
class Humanoid(_Person):
    """Walks."""

    xml_file: str = "humanoid.xml"
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: Range = (-np.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: Range = (1.0, 2.0)

    def prepare(self, model):
        super().prepare(model)
        # How much each coordinate of a body counts in x and y of the centre of mass.
        self.share = np.kron(model.body_mass / model.body_mass.sum(), np.eye(3)[:2]).T.copy()

    def place(self, batch):
        places = flat(batch.xipos)
        share = self.share if is_numpy(places) else places.new_tensor(self.share)
        return places @ share

    def describe(self, batch):
        return {**ground_place(batch), **self.tendons(batch)}

    def judge(self, batch, action, before):
        speed = (self.place(batch) - before) / self.dt
        is_healthy = is_inside(batch.qpos[:, 2], self.healthy_z_range)
        forward, survive = self.forward_reward_weight * speed[:, 0], is_healthy * self.healthy_reward
        effort = self.effort(batch)
        contact = clipped(self.contact_cost_weight * square_sum(batch.cfrc_ext), self.contact_cost_range)
        told = {**self.describe(batch), "x_velocity": speed[:, 0], "y_velocity": speed[:, 1]}
        told.update(reward_survive=survive, reward_forward=forward, reward_ctrl=-effort, reward_contact=-contact)
        terminated = ~is_healthy & self.terminate_when_unhealthy
        return Judgement(forward + survive - (effort + contact), terminated, told)


@dataclass
class HumanoidStandup(_Person):
    """Gets up from the ground; never ends."""

    xml_file: str = "humanoidstandup.xml"
    uph_cost_weight: float = 1.0
    impact_cost_weight: float = 5e-7
    impact_cost_range: Range = (-np.inf, 10.0)

    def describe(self, batch):
        place = ground_place(batch)
        del place["distance_from_origin"]
        return {**place, "z_distance_from_origin": batch.qpos[:, 2] - self.start_height, **self.tendons(batch)}

    def judge(self, batch, action, before):
        # As in v5, the weight of the height is not used.
        upward = batch.qpos[:, 2] / self.timestep
        effort = self.effort(batch)
        impact = clipped(self.impact_cost_weight * square_sum(batch.cfrc_ext), self.impact_cost_range)
        told = {**self.describe(batch), "reward_linup": upward, "reward_quadctrl": -effort, "reward_impact": -impact}
        return Judgement(upward - effort - impact + 1, no_flags(batch), told)

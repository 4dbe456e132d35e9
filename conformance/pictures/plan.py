"""Which models are drawn."""

from __future__ import annotations

from conformance.sources import ModelSource, own, shared

# Sky, haze, mirrors, shadows, textures, meshes, height fields, clear pieces, cloth, solids, ropes, tendons, skins.
OWN = (
    "humanoid", "quadruped", "terrain", "mesh_scene", "box_pile", "muscle_arm", "sensor_zoo", "manipulator", "drone",
    "flex/flag", "flex/rope_bridge", "flex/trilinear_jelly", "features/skin", "swimmer",
)  # fmt: skip
SHARED = (
    "mujoco/humanoid/humanoid", "menagerie/shadow_hand/scene_right", "menagerie/agility_cassie/scene",
    "mujoco/flex/flag", "mujoco/flex/bunny", "mujoco/car/car", "mujoco/tactile/tactile", "mujoco/hammock/hammock",
    "mujoco/cube/cube_3x3x3", "mujoco/flex/poncho", "mujoco/balloons/balloons", "mujoco/tendon_arm/arm26",
)  # fmt: skip


def sources() -> list[ModelSource]:
    """The models of the comparison, shared ones where their folder is."""
    return [*_chosen(own(), OWN), *_chosen(shared(), SHARED)]


def _chosen(available: list[ModelSource], names: tuple[str, ...]) -> list[ModelSource]:
    by_name = {source.name.removesuffix(".xml"): source for source in available}
    return [by_name[name] for name in names if name in by_name]

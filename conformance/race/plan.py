"""What is raced: models with a workload each.

A plan file is CSV with the columns name, model, key, warm, steps, episodes. A model is a path relative to the plan, or
`shared:` below the shared models, `gymnasium:` below gymnasium's assets, `made:` below the folder of made models,
`own:` below the models of this repository.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from pathlib import Path

from conformance.sources import REPOSITORY, package_folder, shared_root


class PlanError(Exception):
    """The plan names something that is not there."""


@dataclass(frozen=True)
class Workload:
    """One row of a plan."""

    name: str
    model: Path
    key: str = "-1"
    warm: int = 0
    steps: int = 1000
    episodes: int = 10
    # A part of the physics to switch off, one of DISABLED.
    disable: str = ""

    @property
    def total_steps(self) -> int:
        """Timed steps of one run."""
        return self.steps * self.episodes

    def shortened(self, factor: int) -> Workload:
        """The same with fewer episodes, at least one."""
        return replace(self, episodes=max(1, self.episodes // factor))


# Bits of `mjtDisableBit`, by the names of the model language.
DISABLED = {"": 0, "constraint": 1, "contact": 16}

# Models in which nothing touches: the smooth part of a step alone.
CONTACT_FREE = (
    ("pendulum", "pendulum.xml", 500),
    ("chain_30", "features/chain_30.xml", 60),
    ("chain_200", "features/chain_200.xml", 3),
    ("arm_actuators", "arm_actuators.xml", 60),
    ("muscle_arm", "muscle_arm.xml", 150),
)


def contact_free() -> list[Workload]:
    """Our own models, with contacts switched off."""
    folder = REPOSITORY / "models"
    return [
        Workload(name, folder / file, episodes=episodes, disable="contact") for name, file, episodes in CONTACT_FREE
    ]


# Deformables below the shared models: name, timed steps, episodes. Cloth and soft bodies fall, touch and rest within
# one episode.
FLEXES = (
    ("flag", 1000, 2),
    ("trampoline", 1000, 2),
    ("gripper", 50, 1),
    ("gripper_trilinear", 1000, 2),
    ("floppy", 1000, 2),
    ("bunny", 1000, 1),
    ("poncho", 500, 1),
    ("mannequin", 1000, 20),
    ("sphere_full", 1000, 2),
    ("plate", 1000, 1),
    ("softbox", 1000, 2),
)


def flexes() -> list[Workload]:
    """The reference's models of deformables."""
    shared = shared_root()
    if shared is None:
        raise PlanError("the shared models are not there; set SINEW_SHARED")
    folder = shared / "mujoco" / "flex"
    return [Workload(name, folder / f"{name}.xml", steps=steps, episodes=episodes) for name, steps, episodes in FLEXES]


def read(path: Path, made: Path) -> list[Workload]:
    """The workloads of a plan file."""
    try:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        return [_workload(row, path.parent, made) for row in rows]
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise PlanError(f"{path} is not a plan: {error!r}") from error


def _workload(row: dict[str, str], folder: Path, made: Path) -> Workload:
    numbers = {name: int(row[name]) for name in ("warm", "steps", "episodes")}
    return Workload(row["name"], _locate(row["model"], folder, made), row["key"], **numbers)


def _locate(model: str, folder: Path, made: Path) -> Path:
    """The file that a model of a plan stands for."""
    place, _, rest = model.partition(":")
    if not rest:
        return folder / model
    if place == "shared":
        shared = shared_root()
        if shared is None:
            raise PlanError(f"{model}: the shared models are not there; set SINEW_SHARED")
        return shared / rest
    folders = {"made": lambda: made, "own": lambda: REPOSITORY / "models", "gymnasium": _gymnasium}
    if place not in folders:
        raise PlanError(f"{model}: the place must be one of shared, {', '.join(folders)}")
    return folders[place]() / rest


def _gymnasium() -> Path:
    try:
        return package_folder("gymnasium") / "envs" / "mujoco" / "assets"
    except RuntimeError as error:
        raise PlanError(str(error)) from error

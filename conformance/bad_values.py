"""What the reference does with values that are none, stored for `cargo test`.

    python -m conformance.bad_values [--output crates/sinew/tests/smooth/bad_values/reference.txt]

Each line is a case (what is spoilt, integrator, whether resets are automatic), a colon and what is
there after two more steps: time, positions, velocities, activations, readings, then number and last
index of each warning.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import mujoco
import numpy as np

from conformance.sources import REPOSITORY

FOLDER = REPOSITORY / "crates" / "sinew" / "tests" / "smooth" / "bad_values"
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast")
WARM = 5
VALUES = (float("nan"), float("inf"), 1e30, -1e11, 1e10, 1e9)
# Name of the array, and the entry that is spoilt.
PLACES = (
    ("qpos", 0),
    ("qpos", 2),
    ("qvel", 0),
    ("qvel", 3),
    ("act", 0),
    ("ctrl", 0),
    ("ctrl", 1),
    ("ctrl", 2),
    ("qfrc_applied", 1),
    ("xfrc_applied", 14),
    ("xfrc_applied", 9),
    ("mocap_pos", 0),
    ("mocap_quat", 1),
    ("qacc_warmstart", 2),
    ("userdata", 0),
)


def outcome(model: mujoco.MjModel, place: tuple[str, int], value: float) -> list[float]:
    """The numbers after a spoilt step and one more."""
    data = mujoco.MjData(model)
    data.qpos[0] = 0.4
    data.ctrl[:] = (0.3, 0.2, 0.1)
    for _ in range(WARM):
        mujoco.mj_step(model, data)
    name, entry = place
    getattr(data, name).reshape(-1)[entry] = value
    for _ in range(2):
        mujoco.mj_step(model, data)
    numbers = [data.time, *data.qpos, *data.qvel, *data.act, *data.sensordata]
    for warning in data.warning:
        numbers += [warning.number, warning.lastinfo]
    return numbers


def main(arguments: list[str] | None = None) -> int:
    """Write the file."""
    parser = argparse.ArgumentParser(prog="python -m conformance.bad_values", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=FOLDER / "reference.txt")
    options = parser.parse_args(arguments)
    model = mujoco.MjModel.from_xml_path(str(FOLDER / "arm.xml"))
    lines = [f"# mujoco {mujoco.__version__}, written by conformance/bad_values.py"]
    mujoco.set_mju_user_warning(lambda text: None)
    for integrator, rule in enumerate(INTEGRATORS):
        model.opt.integrator = integrator
        for resets, flag in (("reset", 0), ("stay", mujoco.mjtDisableBit.mjDSBL_AUTORESET)):
            model.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_CONTACT | flag
            for place in PLACES:
                for value in VALUES:
                    numbers = outcome(model, place, value)
                    name = f"{place[0]} {place[1]} {value:g} {rule} {resets}"
                    lines.append(f"{name}: " + " ".join(f"{number:.13g}" for number in np.array(numbers)))
    options.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} lines in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Tools around the engine rather than environments: inverse kinematics, and a notebook."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from .motion import Motion, Use, flat

_MODELS = Path(__file__).parents[2] / "models"


def _mink(task: str) -> Motion:
    import mink
    import mujoco

    file, body = task.split("/")
    model = mujoco.MjModel.from_xml_path(str(_MODELS / f"{file}.xml"))
    configuration = mink.Configuration(model)
    reach = mink.FrameTask(body, "body", position_cost=1.0, orientation_cost=1.0)
    posture = mink.PostureTask(model, cost=1e-2)
    posture.set_target(configuration.q)
    reach.set_target_from_configuration(configuration)
    there = mink.SE3.from_translation(np.array([0.05, 0.02, -0.03]))
    reach.set_target(reach.transform_target_to_world @ there)
    limits = [mink.ConfigurationLimit(model)]
    yield configuration.data.qpos
    configuration.update()
    while True:
        velocity = mink.solve_ik(configuration, [reach, posture], 0.01, "daqp", 1e-3, limits=limits)
        configuration.integrate_inplace(velocity, 0.01)
        yield flat(configuration.q, reach.compute_error(configuration))


class _Blank:
    """Stands where pictures are made and shown."""

    def __init__(self, *_: Any, **__: Any):
        pass

    def __getattr__(self, _name: str) -> Any:
        return lambda *_, **__: None


def _notebook(task: str, source: Path) -> Motion:
    """The cells of a notebook of the reference, one after the other, but for those that install things and download
    its model. Pictures and plots are left out."""
    import mujoco
    import scipy.linalg

    mujoco.Renderer = _Blank
    cells = json.loads((source / "python" / f"{task}.ipynb").read_text())["cells"]
    programs = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    space: dict[str, Any] = {"mujoco": mujoco, "np": np, "scipy": scipy, "media": _Blank(), "plt": _Blank()}
    space["xml"] = (source / "model" / "humanoid" / "humanoid.xml").read_text()
    np.random.seed(0)
    ready = [text for text in programs if "!git" not in text and "!pip" not in text]
    for number, program in enumerate(ready):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, f"{task}.ipynb cell {number}", "exec"), space)
        if number == 0:
            yield space["model"].key_qpos
        elif "qpos0" in space:
            # What comes before is a fall under random controls.
            found = [space[name] for name in ("qpos0", "qfrc0", "ctrl0", "A", "B", "K", "best_offset") if name in space]
            data = space["data"]
            yield flat(data.qpos, data.qvel, data.qfrc_inverse, data.qfrc_actuator, *found)


USES = {
    "mink": Use("mink", ("manipulator/hand", "humanoid/right_forearm"), 300, _mink),
    "notebook": Use("mujoco", ("LQR",), 100, _notebook, needs_source=True),
}

"""Runs tasks of the dm_control suite on an engine and prints what they observe: ``dm_control_tasks.py ENGINE``.

The suite imports ``mujoco``; with ``sinew`` it gets ``sinew.compat`` instead. Drawing is left out: its classes are
empty stand-ins.
"""

import enum
import json
import os
import sys
import warnings

os.environ["MUJOCO_GL"] = "disable"
warnings.simplefilter("ignore")


def stand_in(module) -> None:
    """Gives a module the names of drawing that the suite touches when it is imported."""
    for name in ("mjLABELSTRING", "mjFRAMESTRING", "mjVISSTRING", "mjRNDSTRING"):
        setattr(module, name, ())
    for name in ("MjvCamera", "MjvOption", "MjvScene", "MjvPerturb", "MjvFigure", "MjrContext", "MjrRect", "MjvGeom"):
        setattr(module, name, type(name, (), {}))
    members = {
        "mjtFontScale": ["mjFONTSCALE_150"], "mjtRndFlag": ["mjRND_SHADOW"], "mjtVisFlag": ["mjVIS_RANGEFINDER"],
        "mjtFont": ["mjFONT_NORMAL", "mjFONT_SHADOW", "mjFONT_BIG"], "mjtFramebuffer": ["mjFB_OFFSCREEN"],
        "mjtGridPos": ["mjGRID_TOPLEFT", "mjGRID_TOPRIGHT", "mjGRID_BOTTOMLEFT", "mjGRID_BOTTOMRIGHT"],
        "mjtCatBit": ["mjCAT_ALL"], "mjtCamera": ["mjCAMERA_FREE"],
    }  # fmt: skip
    for name, names in members.items():
        if not hasattr(module, name):
            setattr(module, name, enum.IntEnum(name, names))


if sys.argv[1] == "sinew":
    import sinew.compat

    stand_in(sinew.compat)
    sys.modules["mujoco"] = sinew.compat

import numpy as np  # noqa: E402
from dm_control import suite  # noqa: E402

TASKS = [
    ("acrobot", "swingup"), ("ball_in_cup", "catch"), ("cartpole", "swingup"), ("cheetah", "run"), ("finger", "spin"),
    ("fish", "swim"), ("hopper", "hop"), ("humanoid", "walk"), ("manipulator", "bring_ball"), ("pendulum", "swingup"),
    ("point_mass", "easy"), ("quadruped", "walk"), ("reacher", "easy"), ("stacker", "stack_2"), ("swimmer", "swimmer6"),
    ("walker", "run"), ("dog", "stand"), ("lqr", "lqr_2_1"), ("humanoid_CMU", "stand"),
]  # fmt: skip

seen = {}
for domain, task in TASKS if len(sys.argv) < 3 else [tuple(name.split("/")) for name in sys.argv[2:]]:
    environment = suite.load(domain, task, task_kwargs={"random": 1})
    generator = np.random.default_rng(2)
    specification = environment.action_spec()
    step = environment.reset()
    seen[f"{domain}/{task}"] = []
    for _ in range(5):
        values = [np.ravel(value).tolist() for value in step.observation.values()]
        seen[f"{domain}/{task}"].append([number for value in values for number in value])
        low, high = np.maximum(specification.minimum, -1), np.minimum(specification.maximum, 1)
        step = environment.step(generator.uniform(low, high))
print(json.dumps(seen))

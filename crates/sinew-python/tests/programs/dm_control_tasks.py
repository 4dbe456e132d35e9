"""Runs tasks of the dm_control suite on an engine and prints what they observe: ``dm_control_tasks.py ENGINE``.

The suite imports ``mujoco``; with ``sinew`` it gets ``sinew.compat`` instead. Nothing is drawn.
"""

import json
import os
import sys
import warnings

os.environ["MUJOCO_GL"] = "disable"
warnings.simplefilter("ignore")


if sys.argv[1] == "sinew":
    import sinew.compat

    sinew.compat.install()

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

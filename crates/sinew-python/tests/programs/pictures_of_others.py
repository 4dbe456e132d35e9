"""Draws tasks of gymnasium and dm_control on an engine and keeps the pictures: ``pictures_of_others.py ENGINE FILE``.

The tasks import ``mujoco``; with ``sinew`` they get ``sinew.compat`` instead, and nothing else is needed to draw.
"""

import importlib.util
import sys
import types
import warnings

import numpy as np

if sys.argv[1] == "sinew":
    import sinew.compat

    sinew.compat.install()

# gymnasium's renderer imports a package for files of pictures, and one for windows; it uses neither for pictures.
for name in ("imageio", "glfw"):
    if importlib.util.find_spec(name) is None:
        sys.modules[name] = types.SimpleNamespace(terminate=lambda: None)

import gymnasium  # noqa: E402
from dm_control import suite  # noqa: E402

warnings.simplefilter("ignore")
TASKS = ["Reacher", "Pusher", "InvertedPendulum", "InvertedDoublePendulum", "HalfCheetah", "Hopper", "Swimmer",
         "Walker2d", "Ant", "Humanoid", "HumanoidStandup"]  # fmt: skip
SUITE = [("cartpole", "balance"), ("walker", "walk"), ("humanoid", "run"), ("reacher", "easy"), ("fish", "upright")]
SIZE = {"width": 160, "height": 120}

pictures = {}
for task in TASKS:
    for mode in ("rgb_array", "depth_array"):
        environment = gymnasium.make(f"{task}-v5", render_mode=mode, **SIZE)
        environment.reset(seed=1)
        environment.action_space.seed(2)
        for _ in range(3):
            environment.step(environment.action_space.sample())
        pictures[f"{task} {mode}"] = environment.render()
        environment.close()
for domain, task in SUITE:
    environment = suite.load(domain, task, task_kwargs={"random": 0})
    environment.reset()
    physics = environment.physics
    pictures[f"{domain} rgb"] = physics.render(**SIZE, camera_id=0)
    pictures[f"{domain} free"] = physics.render(**SIZE, camera_id=-1)
    pictures[f"{domain} depth"] = physics.render(**SIZE, camera_id=0, depth=True)
    pictures[f"{domain} segmentation"] = physics.render(**SIZE, camera_id=0, segmentation=True)
np.savez_compressed(sys.argv[2], **pictures)

"""Runs gymnasium's tasks on an engine and prints what they observe: ``gymnasium_tasks.py ENGINE``.

The tasks import ``mujoco``; with ``sinew`` they get ``sinew.compat`` instead. Drawing is left out.
"""

import json
import sys
import types
import warnings

if sys.argv[1] == "sinew":
    import sinew.compat

    sinew.compat.install()

drawing = types.ModuleType("gymnasium.envs.mujoco.mujoco_rendering")
drawing.MujocoRenderer = lambda *_arguments, **_options: types.SimpleNamespace(close=lambda: None)
sys.modules[drawing.__name__] = drawing

import gymnasium  # noqa: E402

warnings.simplefilter("ignore")
TASKS = ["Reacher", "Pusher", "InvertedPendulum", "InvertedDoublePendulum", "HalfCheetah", "Hopper", "Swimmer",
         "Walker2d", "Ant", "Humanoid", "HumanoidStandup"]  # fmt: skip

seen = {}
for task in TASKS:
    environment = gymnasium.make(f"{task}-v5")
    observation, _ = environment.reset(seed=1)
    environment.action_space.seed(2)
    seen[task] = [observation.tolist()]
    for _ in range(10):
        observation, reward, *_ = environment.step(environment.action_space.sample())
        seen[task].append([*observation.tolist(), float(reward)])
    environment.close()
print(json.dumps(seen))

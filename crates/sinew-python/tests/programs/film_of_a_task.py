"""Records a task of gymnasium on sinew with its own wrapper: ``film_of_a_task.py FOLDER``."""

import sys
import warnings

import sinew.compat

sinew.compat.install()

import gymnasium  # noqa: E402

warnings.simplefilter("ignore")
environment = gymnasium.make("HalfCheetah-v5", render_mode="rgb_array", width=160, height=120)
environment = gymnasium.wrappers.RecordVideo(environment, sys.argv[1], episode_trigger=lambda episode: True)
environment.reset(seed=1)
environment.action_space.seed(2)
for _ in range(20):
    environment.step(environment.action_space.sample())
environment.close()

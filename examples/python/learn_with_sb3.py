"""Stable-Baselines3 learns in an environment of sinew: ``python examples/python/learn_with_sb3.py [--steps N]``.

Needs ``pip install stable-baselines3``. ``SinewVecEnv`` shows any vector environment of gymnasium that resets in the same
step as one of Stable-Baselines3.
"""

import argparse

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import sinew.gym  # noqa: F401


class SinewVecEnv(VecEnv):
    """All worlds of a vector environment."""

    def __init__(self, name: str, count: int, **options):
        self.worlds = gymnasium.make_vec(name, count, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        super().__init__(count, self.worlds.single_observation_space, self.worlds.single_action_space)

    def reset(self):
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        self._reset_seeds()
        return self.worlds.reset(seed=seeds)[0].astype(np.float32)

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        seen, rewards, terminated, truncated, told = self.worlds.step(self.actions)
        infos = [{} for _ in range(self.num_envs)]
        for world in np.flatnonzero(terminated | truncated):
            infos[world] = {
                "terminal_observation": told["final_obs"][world].astype(np.float32),
                "TimeLimit.truncated": bool(truncated[world] and not terminated[world]),
            }
        return seen.astype(np.float32), rewards.astype(np.float32), terminated | truncated, infos

    def close(self):
        self.worlds.close()

    def get_attr(self, name, indices=None):
        return [getattr(self.worlds, name)] * len(list(self._get_indices(indices)))

    def set_attr(self, name, value, indices=None):
        setattr(self.worlds, name, value)

    def env_method(self, name, *arguments, indices=None, **options):
        return [getattr(self.worlds, name)(*arguments, **options)]

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False] * len(list(self._get_indices(indices)))


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="sinew/HalfCheetah-v0")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--environments", type=int, default=64)
    options = parser.parse_args(given)
    worlds = VecMonitor(SinewVecEnv(options.task, options.environments))
    agent = PPO("MlpPolicy", worlds, n_steps=64, batch_size=1024, device="cpu", seed=1, verbose=1)
    agent.learn(options.steps)
    worlds.close()


if __name__ == "__main__":
    main()

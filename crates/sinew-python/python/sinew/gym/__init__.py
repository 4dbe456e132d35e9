"""Environments for learning, made of ``sinew.Batch``. Needs gymnasium: ``pip install sinew[gym]``.

Importing this module registers gymnasium's classic MuJoCo tasks as ``sinew/Ant-v0``, ``sinew/Humanoid-v0`` and so on,
with the observations, rewards, ends, random starts and infos of its v5 tasks::

    import gymnasium
    import sinew.gym

    envs = gymnasium.make_vec("sinew/Ant-v0", num_envs=1024)
    observations, infos = envs.reset(seed=1)

One call steps all worlds in Rust; observations and rewards are computed over whole arrays. ``ModelVectorEnv`` makes
such environments of any model, with a few functions over arrays.
"""

try:
    import gymnasium
except ImportError as error:
    raise ImportError("sinew.gym needs gymnasium: pip install sinew[gym]") from error

from ._classic import TASKS, ClassicEnv, ClassicVectorEnv
from ._vector import ModelVectorEnv

__all__ = ["TASKS", "ClassicEnv", "ClassicVectorEnv", "ModelVectorEnv", "register"]


def register() -> None:
    """Registers the classic tasks with gymnasium; importing this module has done so."""
    for name, task in TASKS.items():
        identifier = f"sinew/{name}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point="sinew.gym:ClassicEnv",
                vector_entry_point="sinew.gym:ClassicVectorEnv",
                max_episode_steps=task.max_episode_steps,
                reward_threshold=task.reward_threshold,
                kwargs={"task": name},
            )


register()

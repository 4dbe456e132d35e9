"""RLlib learns in an environment of sinew: ``python examples/python/learn_with_rllib.py [--turns N]``.

Needs ``pip install "ray[rllib]" torch``. Every runner steps all its worlds in one call (``vector_entry_point``).
"""

import argparse

from ray.rllib.algorithms.ppo import PPOConfig


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="sinew/HalfCheetah-v0")
    parser.add_argument("--turns", type=int, default=20)
    parser.add_argument("--runners", type=int, default=2)
    parser.add_argument("--environments", type=int, default=16, help="of each runner")
    options = parser.parse_args(given)
    config = (
        PPOConfig()
        # The part before the colon is imported in every runner.
        .environment(f"sinew.gym:{options.task}", env_config={"threads": 1})
        .env_runners(
            num_env_runners=options.runners,
            num_envs_per_env_runner=options.environments,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .training(train_batch_size_per_learner=4096, minibatch_size=512, num_epochs=8)
    )
    learner = config.build_algo()
    for turn in range(options.turns):
        found = learner.train()["env_runners"]
        print(turn, found.get("num_env_steps_sampled_lifetime"), found.get("episode_return_mean"), flush=True)
    learner.stop()


if __name__ == "__main__":
    main()

"""Steps of vector environments whose arrays are tensors of PyTorch: nothing is copied to the host, and nobody waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.vector import AutoresetMode

from ._arrays import tensor

if TYPE_CHECKING:
    from ._vector import ModelVectorEnv


class TensorSteps:
    """What an environment does with tensors.

    A world that has ended is stepped with the others before it begins anew, which nobody sees: so no call has to know how many
    there are. Observations at the end (``final_obs``) have a row for each world; ``_final_obs`` says which count.
    """

    def __init__(self, env: ModelVectorEnv):
        import torch  # noqa: PLC0415

        if env.autoreset_mode == AutoresetMode.DISABLED:
            raise ValueError(
                "with tensors worlds begin anew by themselves: autoreset_mode must be NEXT_STEP or SAME_STEP"
            )
        self.env, self.torch = env, torch
        self.ctrl = tensor(env.batch.ctrl)
        place = self.ctrl.device
        self.has_ended = torch.zeros(env.num_envs, dtype=torch.bool, device=place)
        self.elapsed = torch.zeros(env.num_envs, dtype=torch.int32, device=place)
        self.random = torch.Generator(place)
        self.failed = tensor(env.batch.terminated)

    def reset(self, seed: int | None) -> tuple[Any, dict[str, Any]]:
        """Begins new episodes in all worlds."""
        if seed is not None:
            self.random.manual_seed(int(seed))
            self.env.batch.seed = int(seed)
        self.begin(self.torch.ones_like(self.has_ended))
        self.has_ended = self.torch.zeros_like(self.has_ended)
        return self.observe(), dict(self.env.reset_info(self.env.seen))

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Steps all worlds, and lets those begin anew that have ended."""
        env, torch = self.env, self.torch
        actions = torch.as_tensor(actions, device=self.ctrl.device)
        if tuple(actions.shape) != env.action_space.shape:
            raise ValueError(f"actions must have the shape {env.action_space.shape}, not {tuple(actions.shape)}")
        is_next = env.autoreset_mode == AutoresetMode.NEXT_STEP
        resetting = self.has_ended
        env.before_step(env.seen)
        self.ctrl.copy_(actions)
        env.batch.step(env.frame_skip)
        self.elapsed += 1
        rewards = torch.as_tensor(env.reward(env.seen, actions), device=self.ctrl.device)
        terminations = torch.as_tensor(env.terminated(env.seen), device=self.ctrl.device) | self.failed
        truncations = torch.zeros_like(terminations)
        if env.max_episode_steps is not None:
            truncations = self.elapsed >= env.max_episode_steps
        infos = dict(env.info(env.seen))
        if is_next:
            rewards = torch.where(resetting, torch.zeros_like(rewards), rewards)
            terminations, truncations = terminations & ~resetting, truncations & ~resetting
            self.begin(resetting)
        self.has_ended = terminations | truncations
        if not is_next:
            infos.update(final_obs=self.observe().clone(), _final_obs=self.has_ended)
            self.begin(self.has_ended)
        return self.observe(), rewards, terminations, truncations, infos

    def begin(self, which: Any) -> None:
        """Begins new episodes in worlds of a mask."""
        env = self.env
        env.batch.reset(which)
        env.start(env.seen, which, self.random)
        if env.batch.derived:
            env.batch.forward(which)
        env.begun(env.seen, which)
        self.elapsed.masked_fill_(which, 0)

    def observe(self) -> Any:
        """What agents see."""
        return self.env.observation(self.env.seen)

"""Proximal policy optimisation in numpy, over gymnasium's vector environments: learns in minutes on two cores.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017); advantages as in "High-Dimensional Continuous Control
Using Generalized Advantage Estimation" (2015). Environments must reset in the same step (``AutoresetMode.SAME_STEP``).
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Settings:
    """What is tuned."""

    steps: int = 64  # of each environment per turn
    epochs: int = 8
    minibatch: int = 1024
    rate: float = 1e-3
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    hidden: int = 64
    first_deviation: float = 0.6


class Network:
    """Two hidden layers of tanh, trained by Adam."""

    def __init__(self, sizes: tuple[int, ...], scale: float, rng: np.random.Generator):
        scales = [1.0] * (len(sizes) - 2) + [scale]
        pairs = list(zip(sizes[:-1], sizes[1:], scales))
        self.parameters = [rng.normal(0, gain / np.sqrt(a), (a, b)).astype(np.float32) for a, b, gain in pairs]
        self.parameters += [np.zeros(b, np.float32) for _, b, _ in pairs]
        self.depth = len(pairs)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        self.inputs = [x]
        for k in range(self.depth):
            x = x @ self.parameters[k] + self.parameters[self.depth + k]
            if k < self.depth - 1:
                x = np.tanh(x)
                self.inputs.append(x)
        return x

    def gradients(self, slope: np.ndarray) -> list[np.ndarray]:
        """Slopes of the parameters, given that of the last output."""
        weights, biases = [], []
        for k in reversed(range(self.depth)):
            x = self.inputs[k]
            weights.insert(0, x.T @ slope)
            biases.insert(0, slope.sum(axis=0))
            if k:
                slope = (slope @ self.parameters[k].T) * (1 - x * x)
        return weights + biases


class Adam:
    """Kingma and Ba (2014), with gradients cut to length 0.5."""

    def __init__(self, parameters: list[np.ndarray]):
        self.parameters = parameters
        self.moments = [(np.zeros_like(p), np.zeros_like(p)) for p in parameters]
        self.count = 0

    def step(self, gradients: list[np.ndarray], rate: float) -> None:
        self.count += 1
        length = np.sqrt(sum(float((g * g).sum()) for g in gradients))
        cut = min(1.0, 0.5 / (length + 1e-8))
        rate *= np.sqrt(1 - 0.999**self.count) / (1 - 0.9**self.count)
        for parameter, gradient, (first, second) in zip(self.parameters, gradients, self.moments):
            first += 0.1 * (cut * gradient - first)
            second += 0.001 * ((cut * gradient) ** 2 - second)
            parameter -= rate * first / (np.sqrt(second) + 1e-8)


class Scale:
    """Mean and deviation of what has been seen."""

    def __init__(self, width: int):
        self.count, self.mean, self.variance = 1e-4, np.zeros(width), np.ones(width)

    def see(self, rows: np.ndarray) -> None:
        total = self.count + len(rows)
        away = rows.mean(axis=0) - self.mean
        spread = self.variance * self.count + rows.var(axis=0) * len(rows) + away**2 * self.count * len(rows) / total
        self.mean, self.variance, self.count = self.mean + away * len(rows) / total, spread / total, total

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        return np.clip((rows - self.mean) / np.sqrt(self.variance + 1e-8), -10, 10).astype(np.float32)


class Agent:
    """A policy, its value, and what they learn from."""

    def __init__(self, environments, settings: Settings, seed: int = 0):
        self.environments, self.settings, self.rng = environments, settings, np.random.default_rng(seed)
        seen, acts = environments.single_observation_space.shape[0], environments.single_action_space.shape[0]
        self.low, self.high = environments.single_action_space.low, environments.single_action_space.high
        self.policy = Network((seen, settings.hidden, settings.hidden, acts), 0.01, self.rng)
        self.value = Network((seen, settings.hidden, settings.hidden, 1), 1.0, self.rng)
        self.deviation = np.full(acts, np.log(settings.first_deviation), np.float32)
        self.policy_optimiser = Adam(self.policy.parameters + [self.deviation])
        self.value_optimiser = Adam(self.value.parameters)
        self.scale, self.reward_scale = Scale(seen), Scale(1)
        self.observations, _ = environments.reset(seed=seed)
        self.returns = np.zeros(environments.num_envs)
        self.discounted = np.zeros(environments.num_envs)

    def act(self, rows: np.ndarray) -> np.ndarray:
        """What the policy does, between −1 and 1, without chance."""
        return self.policy(self.scale(rows))

    def controls(self, actions: np.ndarray) -> np.ndarray:
        """Actions in the units of the environment."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return (middle + half * np.clip(actions, -1, 1)).astype(np.float32)

    def turn(self) -> list[float]:
        """Plays some steps and learns from them; returns what episodes that ended were worth."""
        found, ended = self.play()
        count = len(found[0])
        for _ in range(self.settings.epochs):
            order = self.rng.permutation(count)
            for start in range(0, count, self.settings.minibatch):
                chosen = order[start : start + self.settings.minibatch]
                self.learn(*(part[chosen] for part in found))
        return ended

    def play(self):
        s, environments = self.settings, self.environments
        shape, ended = (s.steps, environments.num_envs), []
        seen = np.zeros((*shape, len(self.scale.mean)), np.float32)
        actions = np.zeros((*shape, len(self.low)), np.float32)
        rewards, values, after = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        stops = np.zeros(shape, bool)
        for t in range(s.steps):
            self.scale.see(self.observations)
            seen[t] = self.scale(self.observations)
            values[t] = self.value(seen[t])[:, 0]
            chance = self.rng.standard_normal(actions[t].shape, np.float32)
            actions[t] = self.policy(seen[t]) + np.exp(self.deviation) * chance
            self.observations, reward, terminated, truncated, infos = environments.step(self.controls(actions[t]))
            stops[t] = terminated | truncated
            self.returns += reward
            self.discounted = self.discounted * s.discount + reward
            self.reward_scale.see(self.discounted[:, None])
            rewards[t] = reward / np.sqrt(self.reward_scale.variance[0] + 1e-8)
            after[t] = self.value(self.scale(self.observations))[:, 0]
            if stops[t].any():
                last = np.stack(infos["final_obs"][stops[t]])
                after[t, stops[t]] = self.value(self.scale(last))[:, 0] * ~terminated[stops[t]]
                ended += self.returns[stops[t]].tolist()
                self.returns[stops[t]] = self.discounted[stops[t]] = 0
        advantages, carried = np.zeros(shape), np.zeros(shape[1])
        for t in reversed(range(s.steps)):
            surprise = rewards[t] + s.discount * after[t] - values[t]
            carried = surprise + s.discount * s.trace * ~stops[t] * carried
            advantages[t] = carried
        found = [seen, actions, advantages, advantages + values]
        density = self.density(actions.reshape(-1, len(self.low)), self.policy(seen.reshape(-1, seen.shape[-1])))
        return [part.reshape(shape[0] * shape[1], -1) for part in found] + [density], ended

    def density(self, actions: np.ndarray, mean: np.ndarray) -> np.ndarray:
        """Logarithm of how likely actions are, less a constant."""
        return (-0.5 * ((actions - mean) / np.exp(self.deviation)) ** 2 - self.deviation).sum(axis=1)

    def learn(self, seen, actions, advantages, targets, before) -> None:
        s, count = self.settings, len(seen)
        advantages = advantages[:, 0]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        mean, deviation = self.policy(seen), np.exp(self.deviation)
        ratio = np.exp(self.density(actions, mean) - before)
        is_cut = np.where(advantages > 0, ratio > 1 + s.clip, ratio < 1 - s.clip)
        slope = (-advantages * ratio * ~is_cut / count)[:, None].astype(np.float32)
        away = (actions - mean) / deviation
        policy = self.policy.gradients(slope * away / deviation)
        spread = (slope * (away**2 - 1)).sum(axis=0) - s.entropy
        value = self.value.gradients(((self.value(seen) - targets) / count).astype(np.float32))
        self.policy_optimiser.step(policy + [spread], s.rate)
        self.value_optimiser.step(value, s.rate)

"""Learns to run forward by PPO, with worlds, policy and all data on a graphics processor. Needs PyTorch.

    python examples/python/learn_on_device.py --device cuda --model models/humanoid.xml --seconds 120 --out curves
    python examples/python/learn_on_device.py --model ant.xml --alive 0.5 --fastest 8 --least-height 0.35 --out curves

PyTorch looks at the arrays of the worlds without a copy (``batch.qpos.torch()``), writes controls where the next step reads
them, and says with a mask on the device which worlds begin anew: nothing is copied between steps. ``--device emulated``
and ``cpu`` do the same on the processor, with fewer worlds. The curve goes to ``--out`` as numbers and as a picture.
"""

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import picture
import torch
from torch import nn

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"


@dataclass
class Settings:
    """What is tuned."""

    horizon: int = 16  # actions of each world per turn
    epochs: int = 4
    minibatches: int = 4
    rate: float = 5e-4  # at the start; it follows how far the policy moves
    slowest: float = 1e-5
    quickest: float = 2e-3
    divergence: float = 0.012  # how far it should move in an epoch
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 1e-3
    hidden: int = 256
    frame_skip: int = 4
    most_actions: int = 500  # of an episode
    alive: float = 2.0  # what an action is worth without falling
    fastest: float = 3.0  # speed beyond which nothing is gained, in m/s
    effort: float = 0.02
    least_height: float = 0.65  # of the height of the root at the start: below it has fallen
    least_upright: float = 0.3  # cosine between the root's z and up


TUNED = ("alive", "fastest", "effort", "least_height", "least_upright", "rate", "divergence", "entropy")


class Runners:
    """Worlds of a model with a free root that is worth moving along x, and worth nothing once it has fallen."""

    def __init__(self, model: str, worlds: int, device: str, precision: str, settings: Settings, seed: int):
        self.batch = batch = sinew.Batch(model, worlds, device=device, precision=precision, seed=seed)
        self.settings, self.worlds = settings, worlds
        self.place = torch.device(batch.device if batch.device.startswith("cuda") else "cpu")
        self.qpos, self.qvel, self.ctrl = (tensor(array) for array in (batch.qpos, batch.qvel, batch.ctrl))
        self.failed = tensor(batch.terminated)
        low, high = (torch.tensor(side, dtype=torch.float32) for side in batch.model.actuator_ctrlrange.T)
        self.middle, self.half = ((low + high) / 2).to(self.place), ((high - low) / 2).to(self.place)
        self.least_height = settings.least_height * float(batch.model.qpos0[2])
        self.elapsed = torch.zeros(worlds, dtype=torch.int32, device=self.place)
        self.reset(torch.ones(worlds, dtype=torch.bool, device=self.place))
        # Not all at the same time of their episodes.
        self.elapsed.random_(0, settings.most_actions)

    def observe(self) -> torch.Tensor:
        """What the policy sees: everything but where the root is on the ground."""
        return torch.cat([self.qpos[:, 2:], self.qvel], dim=1).float().clamp(-20, 20)

    def act(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Makes an action of every world: what it was worth, who has fallen, who has come to the end."""
        actions = actions.clamp(-1, 1)
        self.ctrl.copy_(self.middle + self.half * actions)
        self.batch.step(self.settings.frame_skip)
        self.elapsed += 1
        settings, (x, y) = self.settings, self.qpos[:, 4:6].T
        upright = 1 - 2 * (x.square() + y.square())
        fallen = (self.qpos[:, 2] < self.least_height) | (upright < settings.least_upright) | self.failed
        speed = self.qvel[:, 0].float().clamp(-settings.fastest, settings.fastest)
        reward = speed + settings.alive - settings.effort * actions.square().sum(dim=1)
        return torch.where(fallen, 0.0, reward), fallen, self.elapsed >= settings.most_actions

    def reset(self, which: torch.Tensor) -> None:
        """Lets worlds of a mask begin anew."""
        self.batch.reset_randomly(which, qpos=0.02, qvel=0.05)
        self.elapsed.masked_fill_(which, 0)


def tensor(array) -> torch.Tensor:
    """A tensor in the memory of an array of the batch."""
    return torch.from_numpy(array) if isinstance(array, np.ndarray) else array.torch()


class Scale(nn.Module):
    """Mean and deviation of what has been seen."""

    def __init__(self, width: int):
        super().__init__()
        self.register_buffer("count", torch.tensor(1e-4))
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("variance", torch.ones(width))

    def see(self, rows: torch.Tensor) -> None:
        total, away = self.count + len(rows), rows.mean(dim=0) - self.mean
        spread = self.variance * self.count + rows.var(dim=0) * len(rows)
        self.variance.copy_((spread + away.square() * self.count * len(rows) / total) / total)
        self.mean += away * len(rows) / total
        self.count.copy_(total)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return ((rows - self.mean) / (self.variance + 1e-6).sqrt()).clamp(-8, 8)


class Agent(nn.Module):
    """A policy and its value."""

    def __init__(self, seen: int, acts: int, hidden: int):
        super().__init__()
        self.scale = Scale(seen)

        def network(outputs: int) -> nn.Sequential:
            layers = [
                nn.Linear(seen, hidden),
                nn.ELU(),
                nn.Linear(hidden, hidden),
                nn.ELU(),
                nn.Linear(hidden, outputs),
            ]
            return nn.Sequential(*layers)

        self.policy, self.value = network(acts), network(1)
        with torch.no_grad():
            self.policy[-1].weight.mul_(0.01)
        self.deviation = nn.Parameter(torch.full((acts,), -0.7))

    def distribution(self, rows: torch.Tensor) -> torch.distributions.Normal:
        return torch.distributions.Normal(self.policy(self.scale(rows)), self.deviation.exp(), validate_args=False)

    def worth(self, rows: torch.Tensor) -> torch.Tensor:
        return self.value(self.scale(rows)).squeeze(1)


class Learner:
    """Schulman et al., "Proximal Policy Optimization Algorithms" (2017), on tensors of one device."""

    def __init__(self, runners: Runners, settings: Settings):
        self.runners, self.settings = runners, settings
        seen, acts = runners.observe().shape[1], runners.ctrl.shape[1]
        self.agent = Agent(seen, acts, settings.hidden).to(runners.place)
        self.optimiser = torch.optim.Adam(self.agent.parameters(), lr=settings.rate, eps=1e-5)
        empty = lambda *shape: torch.zeros(settings.horizon, runners.worlds, *shape, device=runners.place)  # noqa: E731
        self.rows, self.actions = empty(seen), empty(acts)
        self.chances, self.rewards, self.values, self.next_values, self.goes_on, self.lives = (
            empty() for _ in range(6)
        )
        self.returns = torch.zeros(runners.worlds, device=runners.place)

    def turn(self) -> tuple[float, float, float]:
        """Acts and learns; the mean return and number of actions of the episodes that ended, and the mean speed."""
        finished = self.collect()
        self.learn(self.advantages())
        total, actions, count, speed = (float(x) for x in finished.cpu())
        return total / max(count, 1), actions / max(count, 1), speed / self.settings.horizon

    @torch.no_grad()
    def collect(self) -> torch.Tensor:
        runners, agent = self.runners, self.agent
        finished = torch.zeros(4, device=runners.place)
        rows = runners.observe()
        for t in range(self.settings.horizon):
            chance = agent.distribution(rows)
            action = chance.sample()
            self.rows[t], self.actions[t] = rows, action
            self.chances[t], self.values[t] = chance.log_prob(action).sum(dim=1), agent.worth(rows)
            reward, fallen, at_end = runners.act(action)
            self.rewards[t], self.next_values[t] = reward, agent.worth(runners.observe())
            over = fallen | at_end
            self.lives[t], self.goes_on[t] = ~fallen, ~over
            self.returns += reward
            speed = runners.qvel[:, 0].float().mean()
            finished += torch.stack([(self.returns * over).sum(), (runners.elapsed * over).sum(), over.sum(), speed])
            self.returns *= ~over
            runners.reset(over)
            rows = runners.observe()
        self.agent.scale.see(self.rows.flatten(0, 1))
        return finished

    def advantages(self) -> torch.Tensor:
        """Generalised advantage estimation (2015). What is cut off by time goes on being worth something."""
        settings, found = self.settings, torch.zeros_like(self.rewards)
        surprise = self.rewards + settings.discount * self.next_values * self.lives - self.values
        last = torch.zeros_like(self.returns)
        for t in reversed(range(settings.horizon)):
            last = surprise[t] + settings.discount * settings.trace * self.goes_on[t] * last
            found[t] = last
        return found

    def learn(self, advantages: torch.Tensor) -> None:
        settings, agent = self.settings, self.agent
        rows, actions = self.rows.flatten(0, 1), self.actions.flatten(0, 1)
        chances, goals = self.chances.flatten(), (advantages + self.values).flatten()
        advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-6)).flatten()
        for _ in range(settings.epochs):
            moved = torch.zeros((), device=rows.device)
            for part in torch.randperm(len(rows), device=rows.device).chunk(settings.minibatches):
                chance = agent.distribution(rows[part])
                change = chance.log_prob(actions[part]).sum(dim=1) - chances[part]
                ratio, gain = change.exp(), advantages[part]
                # Schulman's estimate of the divergence, which is never negative.
                moved += (ratio.detach() - 1 - change.detach()).mean() / settings.minibatches
                cut = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                loss = -torch.minimum(ratio * gain, cut * gain).mean()
                loss = loss + 0.5 * nn.functional.smooth_l1_loss(agent.worth(rows[part]), goals[part])
                loss = loss - settings.entropy * chance.entropy().sum(dim=1).mean()
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
                self.optimiser.step()
            self.adapt(float(moved))

    def adapt(self, moved: float) -> None:
        """Learns more slowly where the policy moves too far, and faster where it hardly does."""
        settings = self.settings
        factor = 1 / 1.5 if moved > 2 * settings.divergence else 1.5 if moved < settings.divergence / 2 else 1.0
        for group in self.optimiser.param_groups:
            group["lr"] = min(max(group["lr"] * factor, settings.slowest), settings.quickest)


def train(learner: Learner, seconds: float, turns: int) -> np.ndarray:
    """Learns for a time; rows of seconds, actions of all worlds, mean return, mean length of episodes, mean speed."""
    settings, worlds = learner.settings, learner.runners.worlds
    curve, begin = [], time.perf_counter()
    for turn in range(turns):
        reward, length, speed = learner.turn()
        now = time.perf_counter() - begin
        curve.append((now, (turn + 1) * settings.horizon * worlds, reward, length, speed))
        if turn % 20 == 0 or turn == turns - 1 or now > seconds:
            rate = learner.optimiser.param_groups[0]["lr"]
            print(
                f"{now:6.1f} s {curve[-1][1]:12,} actions  return {reward:8.1f}  actions {length:6.1f}  "
                f"speed {speed:5.2f} m/s  rate {rate:.1e}",
                flush=True,
            )
        if now > seconds:
            break
    return np.array(curve)


def save(folder: Path, name: str, curve: np.ndarray) -> None:
    """Writes the curve as numbers and as pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    seconds, actions, returns, lengths, speeds = curve.T
    np.savez(folder / f"{name}.npz", seconds=seconds, actions=actions, returns=returns, lengths=lengths, speeds=speeds)
    title = f"{name}: {actions[-1]:,.0f} actions in {seconds[-1]:.0f} s"
    picture.save(folder / f"{name}.svg", seconds.tolist(), returns.tolist(), ("seconds", "return"), title)
    picture.save(folder / f"{name}_speed.svg", seconds.tolist(), speeds.tolist(), ("seconds", "m/s"), title)
    picture.save_png(folder / f"{name}.png", seconds.tolist(), returns.tolist())


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, emulated or cpu")
    parser.add_argument("--model", default=str(MODELS / "humanoid.xml"))
    parser.add_argument("--precision", default="f32", choices=["f32", "f64"])
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--turns", type=int, default=10**9)
    for name, kind in (("horizon", int), ("frame_skip", int), *((tuned, float) for tuned in TUNED)):
        parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=getattr(Settings, name))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=None)
    options = parser.parse_args(given)
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    settings = Settings(**{name: getattr(options, name) for name in ("horizon", "frame_skip", *TUNED)})
    runners = Runners(options.model, options.worlds, options.device, options.precision, settings, options.seed)
    curve = train(Learner(runners, settings), options.seconds, options.turns)
    seconds, actions, reward, length, speed = curve[-1]
    name = Path(options.model).stem
    steps = actions * settings.frame_skip
    print(
        f"{name} on {runners.batch.device}: return {reward:.1f} after {actions:,.0f} actions ({steps:,.0f} steps) "
        f"in {seconds:.1f} s: {actions / seconds:,.0f} actions, {steps / seconds:,.0f} steps per second, learning "
        f"included; episodes of {length:.0f} actions, {speed:.2f} m/s"
    )
    if options.out is not None:
        save(options.out, name, curve)


if __name__ == "__main__":
    main()

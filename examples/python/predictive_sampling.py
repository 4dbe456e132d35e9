"""The humanoid keeps standing by trying out what might happen (predictive sampling).

At every turn many worlds start where the humanoid is; each tries other controls over a short horizon. The best ones are
used until the next turn, and are what the next turn starts from. Can draw a picture.
``python examples/python/predictive_sampling.py [--samples N] [--seconds S] [--picture FILE]``
"""

import argparse
from pathlib import Path

import numpy as np
import picture

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "humanoid.xml"
STATE = ("time", "qpos", "qvel", "act", "qacc_warmstart")
KNOTS, HORIZON, TURN = 5, 80, 8  # knots of the plan; steps looked ahead; steps until the next plan
PLACE = np.linspace(0, KNOTS - 1, HORIZON)


def at(knots: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Controls at places between the knots, linearly."""
    low = np.clip(place.astype(int), 0, KNOTS - 2)
    part = np.minimum(place - low, 1)[:, None]
    return knots[..., low, :] * (1 - part) + knots[..., low + 1, :] * part


def cost(found, body: dict[str, int], height: float, controls: np.ndarray) -> np.ndarray:
    """A head that is low or not above the feet, speed, and effort."""
    xpos = found.recorded["xpos"]
    head, feet = xpos[:, :, body["head"]], (xpos[:, :, body["left_foot"]] + xpos[:, :, body["right_foot"]]) / 2
    fallen = np.square(head[:, :, 2] - height).mean(axis=1)
    lean = np.square(head[:, :, :2] - feet[:, :, :2]).sum(axis=2).mean(axis=1)
    speed = np.square(found.states[:, :, -(found.states.shape[2] // 2) :]).mean(axis=(1, 2))
    return 20 * fallen + 5 * lean + 0.02 * speed + 1e-3 * np.square(controls).mean(axis=(1, 2))


def run(samples: int, seconds: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the height of the head."""
    rng = np.random.default_rng(seed)
    real = sinew.Batch(str(MODEL), 1, derived=["xpos"])
    tries = sinew.Batch(real.model, samples, derived=["xpos"])
    low, high = real.model.actuator_ctrlrange.T
    real.reset(key="stand")
    real.forward()
    body = {name: real.model.body(name).id for name in ("head", "left_foot", "right_foot")}
    height = real.xpos[0, body["head"], 2]
    best, times, heights = np.zeros((KNOTS, real.model.nu)), [], []
    while real.time[0] < seconds:
        for name in STATE:
            getattr(tries, name)[...] = getattr(real, name)
        # The rest of the last plan, and what is near it, most of it very near.
        best = at(best, np.arange(KNOTS) + TURN / HORIZON * (KNOTS - 1))
        near = rng.choice([0.02, 0.1, 0.3], (samples, 1, 1)) * (high - low) / 2
        knots = np.clip(best + near * rng.standard_normal((samples, *best.shape)), low, high)
        knots[0] = best
        controls = at(knots, PLACE)
        found = tries.rollout(controls, record=["xpos"])
        winner = cost(found, body, height, controls).argmin()
        best = knots[winner]
        real.rollout(controls[winner, :TURN])
        times.append(real.time[0])
        heights.append(real.xpos[0, body["head"], 2])
    return np.array(times), np.array(heights)


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args(given)
    times, heights = run(options.samples, options.seconds)
    print(f"after {times[-1]:.2f} s the head is at {heights[-1]:.2f} m, lowest {heights.min():.2f} m")
    if options.picture:
        labels = ("time, s", "height of the head, m")
        picture.save(options.picture, times.tolist(), heights.tolist(), labels, "a humanoid that looks ahead")


if __name__ == "__main__":
    main()

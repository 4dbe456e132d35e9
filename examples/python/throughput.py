"""How many steps per second: ``python examples/python/throughput.py [MODEL] [--worlds N …] [--seconds S]``."""

import argparse
import time
from pathlib import Path

import numpy as np

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"


def measure(batch: sinew.Batch, seconds: float) -> tuple[float, float]:
    """Steps per second of wall time, and per second of processor time."""
    rng = np.random.default_rng(0)
    batch.reset_randomly(qpos=0.05, qvel=0.1)
    steps, wall, processor = 0, time.perf_counter(), time.process_time()
    while steps == 0 or time.perf_counter() - wall < seconds:
        batch.ctrl[:] = rng.uniform(-0.3, 0.3, batch.ctrl.shape)
        batch.step(10)
        steps += 10 * len(batch)
    return steps / (time.perf_counter() - wall), steps / (time.process_time() - processor)


def main(given: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", default=str(MODELS / "humanoid.xml"))
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 64, 1024, 4096])
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args(given)
    print("worlds  steps/s   steps/s per core  bytes per world")
    for count in options.worlds:
        with sinew.Batch(options.model, count) as batch:
            wall, processor = measure(batch, options.seconds)
            print(f"{count:6} {wall:9.0f} {processor:12.0f} {batch.bytes_per_world:16}")


if __name__ == "__main__":
    main()

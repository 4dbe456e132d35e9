"""Steps batches for a long time and watches their memory. ``python -m conformance.batch_race.soak --minutes 30``.

Two batches work in two threads at the same time: steps, resets of some worlds, failures, rollouts, snapshots, values of
their own, pickles. The process may not grow by more than a limit after the first minute: what it holds least in the last
third of the time against the first. In between memory comes and goes, as threads of batches that are made anew do.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import threading
import time
from pathlib import Path

import numpy as np

from conformance.sources import REPOSITORY


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.batch_race.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--warm", type=float, default=1.0, help="minutes before memory is looked at")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--growth", type=float, default=1.0, help="MiB that the process may grow by")
    return parser.parse_args(given)


def resident() -> float:
    """MiB of memory that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def resting() -> float:
    """The least of two seconds: what the threads hold for a moment, snapshots and trajectories, is not growth."""
    gc.collect()
    found = []
    for _ in range(40):
        found.append(resident())
        time.sleep(0.05)
    return min(found)


class Soak(threading.Thread):
    """One batch that is kept busy."""

    def __init__(self, model: Path, worlds: int, seed: int):
        super().__init__()
        import sinew

        self.batch = sinew.Batch(str(model), worlds, derived=["xpos"], seed=seed)
        self.other = sinew.Batch(self.batch.model, 16)
        self.other.expand("body_mass", "geom_friction")
        self.random = np.random.default_rng(seed)
        self.is_wanted = True
        self.steps = self.failures = 0
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            while self.is_wanted:
                self.turn()
        except Exception as error:
            self.error = error

    def turn(self) -> None:
        """Some of everything."""
        batch, count = self.batch, len(self.batch)
        batch.ctrl[:] = self.random.uniform(-1, 1, batch.ctrl.shape)
        saved = batch.save()
        batch.step(10)
        batch.qpos[self.random.integers(count), 0] = np.nan
        batch.step()
        self.failures += len(batch.errors)
        batch.restore(saved)
        batch.rollout(self.random.uniform(-1, 1, (5, batch.model.nu)), record=["xpos"])
        batch.reset_randomly(self.random.random(count) < 0.1, qpos=0.01, qvel=0.1)
        batch.forward()
        self.other.body_mass[:] = self.batch.model.body_mass * self.random.uniform(0.9, 1.1, (16, 1))
        self.other.derive_constants()
        self.other.step(5)
        self.other = pickle.loads(pickle.dumps(self.other))
        self.steps += 16 * count + 5 * 16


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    models = [REPOSITORY / "models" / name for name in ("humanoid.xml", "quadruped.xml")]
    threads = [Soak(model, options.worlds, seed) for seed, model in enumerate(models)]
    for thread in threads:
        thread.start()
    time.sleep(60 * options.warm)
    readings = [resting()]
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end and all(thread.is_alive() for thread in threads):
        time.sleep(min(60, 60 * options.minutes))
        readings.append(resting())
        steps = sum(thread.steps for thread in threads)
        print(
            f"{steps} steps, {sum(t.failures for t in threads)} failures, {readings[-1]:.1f} MiB",
            flush=True,
        )
    for thread in threads:
        thread.is_wanted = False
        thread.join()
    errors = [thread.error for thread in threads if thread.error is not None]
    for error in errors:
        print(f"failed: {error!r}")
    third = (len(readings) + 2) // 3
    growth = min(readings[-third:]) - min(readings[:third])
    print(f"grown by {growth:+.2f} MiB")
    return int(bool(errors) or growth > options.growth)


if __name__ == "__main__":
    raise SystemExit(main())

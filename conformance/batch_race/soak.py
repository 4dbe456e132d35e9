"""Steps batches for a long time and watches their memory. ``python -m conformance.batch_race.soak --minutes 30``.

Two batches work in two threads at the same time: steps, resets of some worlds, failures, rollouts, snapshots, values of
their own, pickles. The process may not grow by more than a limit after it is warm: the median of what it holds in the last
third of the time against the first. It is looked at while both threads rest between two turns: within a turn snapshots,
trajectories and batches that are made anew come and go.
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
    parser.add_argument("--every", type=float, default=30.0, help="seconds between two looks")
    parser.add_argument("--worlds", type=int, default=256)
    parser.add_argument("--growth", type=float, default=1.0, help="MiB that the process may grow by")
    return parser.parse_args(given)


def resident() -> float:
    """MiB of memory that the process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


class Rest:
    """Where threads wait while memory is looked at."""

    def __init__(self, threads: int):
        self.barrier = threading.Barrier(threads + 1)
        self.is_wanted = False

    def __call__(self) -> None:
        """Called by threads between two turns."""
        if self.is_wanted:
            self.barrier.wait()
            self.barrier.wait()

    def reading(self) -> float:
        """MiB that the process holds while all others rest."""
        self.is_wanted = True
        self.barrier.wait()
        self.is_wanted = False
        gc.collect()
        found = resident()
        self.barrier.wait()
        return found


class Soak(threading.Thread):
    """One batch that is kept busy."""

    def __init__(self, model: Path, worlds: int, seed: int, rest: Rest):
        super().__init__()
        import sinew

        self.batch = sinew.Batch(str(model), worlds, derived=["xpos"], seed=seed)
        self.other = sinew.Batch(self.batch.model, 16)
        self.other.expand("body_mass", "geom_friction")
        self.rest = rest
        self.random = np.random.default_rng(seed)
        self.is_wanted = True
        self.steps = self.failures = 0
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            while self.is_wanted:
                self.turn()
                self.rest()
        except Exception as error:
            self.error = error
            self.rest.barrier.abort()

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
    rest = Rest(len(models))
    threads = [Soak(model, options.worlds, seed, rest) for seed, model in enumerate(models)]
    for thread in threads:
        thread.start()
    time.sleep(60 * options.warm)
    readings = []
    end = time.monotonic() + 60 * options.minutes
    try:
        while time.monotonic() < end:
            readings.append(rest.reading())
            steps = sum(thread.steps for thread in threads)
            failures = sum(thread.failures for thread in threads)
            print(f"{steps} steps, {failures} failures, {readings[-1]:.2f} MiB", flush=True)
            time.sleep(options.every)
    except threading.BrokenBarrierError:
        print("a thread ended early")
    for thread in threads:
        thread.is_wanted = False
        thread.join()
    errors = [thread.error for thread in threads if thread.error is not None]
    for error in errors:
        print(f"failed: {error!r}")
    if errors or not readings:
        return 1
    third = (len(readings) + 2) // 3
    growth = np.median(readings[-third:]) - np.median(readings[:third])
    print(f"grown by {growth:+.2f} MiB")
    return int(growth > options.growth)


if __name__ == "__main__":
    raise SystemExit(main())

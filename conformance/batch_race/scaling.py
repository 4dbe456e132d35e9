"""What a world costs as their number grows. ``python -m conformance.batch_race.scaling [MODEL …] [--limit 1.5]``.

Microseconds of processor time per step of a world, and bytes of memory per world beside those of the reference's MjData (its
buffer; the arena for contacts and constraints comes on top).
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import numpy as np

from conformance.batch_race.command import models


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.batch_race.scaling", description=__doc__)
    parser.add_argument("models", nargs="*", default=["cartpole", "half_cheetah", "own_humanoid"])
    parser.add_argument("--worlds", nargs="+", type=int, default=[64, 256, 1024, 4096, 16384, 65536])
    parser.add_argument("--steps", type=int, default=65536 * 4, help="of all worlds together, at least one of each")
    parser.add_argument("--rounds", type=int, default=3, help="the median counts")
    parser.add_argument(
        "--limit", type=float, help="exit status 1 if a world costs so many times what it costs in the least batch"
    )
    return parser.parse_args(given)


def cost(path: Path, count: int, steps: int, rounds: int) -> tuple[float, int]:
    """Microseconds per step of a world, and bytes per world."""
    import sinew

    with sinew.Batch(str(path), count, seed=1) as batch:
        found = []
        for _ in range(rounds):
            batch.reset_randomly(qpos=0.01, qvel=0.1)
            batch.step(2)
            turns, start = max(1, steps // count), time.process_time()
            for _ in range(turns):
                batch.step()
            found.append((time.process_time() - start) / (turns * count))
        return 1e6 * statistics.median(found), batch.bytes_per_world


def main(given: list[str] | None = None) -> int:
    import mujoco

    options = arguments(given)
    known, worst = models(), 0.0
    for name in options.models:
        path = known.get(name, Path(name))
        data = mujoco.MjData(mujoco.MjModel.from_xml_path(str(path)))
        costs = []
        for count in options.worlds:
            microseconds, size = cost(path, count, options.steps, options.rounds)
            costs.append(microseconds)
            theirs = f"MjData {data.nbuffer}" if count == options.worlds[0] else ""
            print(f"{name:13} {count:6} worlds  {microseconds:8.2f} µs  {size:6} bytes  {theirs}", flush=True)
        worst = max(worst, float(np.max(costs)) / costs[0])
        if size > data.nbuffer:
            print(f"{name}: a world takes more memory than the reference's MjData")
            return 1
    print(f"at most {worst:.2f} times the cost in the least batch")
    return int(options.limit is not None and worst > options.limit)


if __name__ == "__main__":
    raise SystemExit(main())

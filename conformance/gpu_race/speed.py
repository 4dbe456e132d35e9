"""How fast worlds are: steps of all worlds per second, and seconds until the first step is made."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

from conformance.gpu_race.work import Work

STEPS = 50
RACES = 4


def best(run: Callable[[], None], worlds: int, steps: int = STEPS) -> float:
    """Steps of all worlds per second, in the fastest of some races after one that does not count."""
    run()
    fastest = min(_seconds(run) for _ in range(RACES))
    return worlds * steps / fastest


def _seconds(run: Callable[[], None]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def throughput(
    work: Work, device: str, precision: str, worlds: int, steps: int = STEPS
) -> tuple[float, dict[str, int]]:
    """Steps per second of worlds that stay on their device, and what was counted meanwhile."""
    batch = work.batch(worlds, device, precision)

    def run() -> None:
        batch.step(steps)
        batch.wait()

    speed = best(run, worlds, steps)
    counted: dict[str, int] = {}
    if batch.is_on_device:
        from sinew.batch import EVENTS

        counted = dict(zip(EVENTS, (int(n) for n in batch.events.numpy().astype("int64").sum(axis=0))))
    return speed, counted


FIRST_STEP = """
import sys, time
begin = time.perf_counter()
import sinew
imported = time.perf_counter()
batch = sinew.Batch(sys.argv[1], 1024, device=sys.argv[2], precision=sys.argv[3])
batch.step()
batch.wait()
print(imported - begin, time.perf_counter() - imported)
"""


def first_step(path: str, device: str, precision: str) -> tuple[float, float]:
    """Seconds that a new process takes to import the package, and from there until 1,024 worlds have made a step."""
    arguments = [sys.executable, "-c", FIRST_STEP, path, device, precision]
    told = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout.split()
    return float(told[0]), float(told[1])

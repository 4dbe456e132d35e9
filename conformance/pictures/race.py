"""How long pictures take, beside the reference's software renderer, in turn and in one process.

What counts is the time of the processor, all threads included; drivers that draw in software are told to use one (Mesa: by
`LP_NUM_THREADS=0`, before the reference is imported). The reference has one renderer at a time, since a second one in a process draws
nothing.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from conformance.engines import Engine
from conformance.sources import REPOSITORY

MODEL = REPOSITORY / "models" / "humanoid.xml"
LARGE = 640, 480
SMALL = 64, 64
WORLDS = 256
ROUNDS = 5


def race(engines: tuple[Engine, Engine]) -> int:
    """Print medians. Exit status 1 if we are slower with a large picture or not ten times as fast with many small ones."""
    theirs, ours = engines
    large = _medians([lambda: _one_by_one(theirs, LARGE, 4), lambda: _one_by_one(ours, LARGE, 4)])
    print(f"{LARGE[0]}x{LARGE[1]} with shadows: reference {1e3 * large[0]:.1f} ms, sinew {1e3 * large[1]:.1f} ms")
    small = _medians([lambda: _one_by_one(theirs, SMALL, 8), lambda: _batch(ours)])
    print(
        f"{SMALL[0]}x{SMALL[1]}: reference {1e3 * small[0]:.2f} ms, sinew in a batch of {WORLDS} {1e3 * small[1]:.2f} ms,"
        f" {small[0] / small[1]:.1f} times as fast"
    )
    return int(large[1] > large[0] or small[0] < 10 * small[1])


def _medians(racers: list[Callable[[], float]]) -> list[float]:
    """Seconds per picture. Who goes first changes every round."""
    seconds: list[list[float]] = [[] for _ in racers]
    for number in range(ROUNDS):
        for which in range(len(racers)) if number % 2 == 0 else reversed(range(len(racers))):
            seconds[which].append(racers[which]())
    return [statistics.median(one) for one in seconds]


def _one_by_one(engine: Engine, size: tuple[int, int], pictures: int) -> float:
    model = engine.module.MjModel.from_xml_path(str(MODEL))
    data = engine.data(model)
    engine.call("mj_forward", model, data)
    with engine.module.Renderer(model, size[1], size[0]) as renderer:

        def draw() -> None:
            renderer.update_scene(data)
            renderer.render()

        # The first one makes shaders, or fetches memory.
        draw()
        start = time.process_time()
        for _ in range(pictures):
            draw()
        return (time.process_time() - start) / pictures


def _batch(engine: Engine) -> float:
    from sinew import Batch

    batch = Batch(engine.module.MjModel.from_xml_path(str(MODEL)), WORLDS)
    batch.render(*SMALL, where=[0])
    start = time.process_time()
    batch.render(*SMALL)
    return (time.process_time() - start) / WORLDS

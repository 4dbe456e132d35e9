"""Races the vector environments of sinew.gym against gymnasium's own. ``python -m conformance.batch_race.gym``.

Each race runs in a process of its own: a thousand simulations that one leaves behind would slow down the forks of the next.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
import types
import warnings
from pathlib import Path
from typing import Any

import gymnasium

from conformance.sources import REPOSITORY

OURS = "sinew"


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.batch_race.gym", description=__doc__)
    parser.add_argument("--tasks", nargs="+", default=["Ant", "Humanoid", "HalfCheetah"])
    parser.add_argument("--environments", nargs="+", type=int, default=[16, 1024])
    parser.add_argument("--processes", type=int, default=64, help="the most that AsyncVectorEnv is asked for")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=3, help="the median counts")
    parser.add_argument("--json", type=Path, help="write all measurements here")
    parser.add_argument("--limit", type=float, help="exit status 1 if a ratio is below")
    return parser.parse_args(given)


def without_drawing() -> None:
    """gymnasium's tasks make a renderer that wants packages for drawing."""
    drawing = types.ModuleType("gymnasium.envs.mujoco.mujoco_rendering")
    drawing.MujocoRenderer = lambda *_arguments, **_options: types.SimpleNamespace(close=lambda: None)
    sys.modules[drawing.__name__] = drawing
    warnings.simplefilter("ignore")


def make(kind: str, task: str, count: int):
    """Environments of one kind: ours, or gymnasium's one after the other or in processes."""
    if kind == OURS:
        return gymnasium.make_vec(f"sinew/{task}-v0", count)
    # What `without_drawing` did is known to forked processes only.
    options = {"context": "fork"} if kind == "async" else None
    return gymnasium.make_vec(f"{task}-v5", count, vectorization_mode=kind, vector_kwargs=options)


def measure(environments, seconds: float) -> float:
    """Steps of environments per second, with random actions made beforehand."""
    environments.action_space.seed(1)
    actions = [environments.action_space.sample() for _ in range(16)]
    environments.step(actions[0])
    calls, start = 0, time.perf_counter()
    while calls == 0 or time.perf_counter() - start < seconds:
        environments.step(actions[calls % len(actions)])
        calls += 1
    return calls * environments.num_envs / (time.perf_counter() - start)


def race(task: str, count: int, options: argparse.Namespace) -> dict[str, float]:
    """Everybody in turn, round by round; the median of each."""
    kinds = [OURS, "sync"] + (["async"] if count <= options.processes else [])
    # Processes are forked before there are threads.
    racing = {kind: make(kind, task, count) for kind in reversed(kinds)}
    for environments in racing.values():
        environments.reset(seed=1)
    rounds = [
        {kind: measure(environments, options.seconds) for kind, environments in racing.items()}
        for _ in range(options.rounds)
    ]
    for environments in racing.values():
        environments.close()
    return {kind: statistics.median(found[kind] for found in rounds) for kind in kinds}


def row(task: str, count: int, options: argparse.Namespace) -> dict[str, Any]:
    """What a race in this process gave."""
    import sinew.gym  # noqa: F401

    without_drawing()
    speeds = race(task, count, options)
    ratio = speeds[OURS] / max(speed for kind, speed in speeds.items() if kind != OURS)
    return {"task": task, "environments": count, "speeds": speeds, "ratio": ratio}


def row_of_process(task: str, count: int, options: argparse.Namespace) -> dict[str, Any]:
    """What a race in a process of its own gave."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "race.json"
        command = [sys.executable, "-m", "conformance.batch_race.gym", "--tasks", task, "--environments", str(count)]
        command += ["--processes", str(options.processes), "--seconds", str(options.seconds)]
        command += ["--rounds", str(options.rounds), "--json", str(path)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=REPOSITORY)
        (found,) = json.loads(path.read_text())
    return found


def line(found: dict[str, Any]) -> str:
    parts = "  ".join(f"{kind} {speed:9.0f}" for kind, speed in found["speeds"].items())
    return f"{found['task']:12} {found['environments']:5}  {parts}  {found['ratio']:6.2f}"


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    races = [(task, count) for task in options.tasks for count in options.environments]
    run = row if len(races) == 1 else row_of_process
    rows = []
    print("steps of environments per second; ours over the faster of gymnasium's")
    for task, count in races:
        rows.append(run(task, count, options))
        print(line(rows[-1]), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(options.limit is not None and min(found["ratio"] for found in rows) < options.limit)


if __name__ == "__main__":
    raise SystemExit(main())

"""Races sinew.Batch, sinew one world at a time, and the rollouts of two releases of the reference."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from conformance.batch_race.contestants import (
    Result,
    Run,
    Work,
    alone,
    batch,
    other_release,
    processors,
    reference,
    work,
)
from conformance.race.engines import NEWEST, environment, release_in
from conformance.race.table import geometric_mean
from conformance.sources import REPOSITORY, package_folder, shared_root

OURS, SINGLE, SCALAR, PINNED = "sinew.Batch", "sinew f32", "sinew alone", "mujoco 3.5.0"


def models() -> dict[str, Path]:
    """The models of the race that are there."""
    own, assets = REPOSITORY / "models", package_folder("gymnasium") / "envs" / "mujoco" / "assets"
    found = {
        "gym_humanoid": assets / "humanoid.xml",
        "ant": assets / "ant.xml",
        "half_cheetah": assets / "half_cheetah.xml",
        "own_humanoid": own / "humanoid.xml",
        "cartpole": own / "cartpole.xml",
        "quadruped": own / "quadruped.xml",
        "arm": own / "manipulator.xml",
    }
    shared = shared_root()
    if shared is not None:
        found["humanoid"] = shared / "mujoco" / "humanoid" / "humanoid.xml"
        found["cassie"] = shared / "menagerie" / "agility_cassie" / "scene.xml"
    return {name: path for name, path in found.items() if path.is_file()}


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance.batch_race", description=__doc__)
    parser.add_argument("--models", nargs="+", default=None, help="names of the race, or files; all if not given")
    parser.add_argument("--worlds", nargs="+", type=int, default=[256, 4096])
    parser.add_argument("--steps", type=int, default=100, help="steps of each world")
    parser.add_argument("--rounds", type=int, default=3, help="the median counts")
    parser.add_argument("--seconds", type=float, default=20.0, help="no further round after so long a race")
    parser.add_argument("--threads", nargs="+", type=int, default=None, help="1 and all processors if not given")
    parser.add_argument("--release", default=NEWEST, help="another release of the reference, or `none`")
    parser.add_argument("--json", type=Path, help="write all measurements here")
    parser.add_argument("--limit", type=float, help="exit status 1 if the geometric mean is below")
    return parser.parse_args(given)


def contestants(release: str) -> dict[str, Callable[[Work], Run]]:
    """Who takes part, by name."""
    found = {OURS: batch, SINGLE: partial(batch, precision="f32"), SCALAR: alone, PINNED: reference}
    if release != "none":
        folder = environment(release, update=False)
        name = f"mujoco {release_in(folder)}"
        found[f"{name} again" if name in found else name] = other_release(folder)
    return found


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    known = models()
    wanted = options.models or list(known)
    missing = [name for name in wanted if name not in known and not Path(name).is_file()]
    if missing:
        print(f"there is no {', '.join(missing)}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    threads = options.threads or sorted({1, processors()})
    racing = contestants(options.release)
    rows = []
    print("thousands of steps per processor second (per second), and how many times those of the faster release")
    heads = "".join(f"{name:>19}" for name in racing)
    print(f"{'model':13} {'worlds':>6} {'threads':>7}  {heads}  {'f64':>5} {'f32':>5}  f64 over alone")
    for name in wanted:
        for count in options.worlds:
            for number in threads:
                given_work = work(known.get(name, Path(name)), count, options.steps, number)
                row = {"model": name, "worlds": count, "threads": number, **race(racing, given_work, options)}
                rows.append(row)
                print(line(row), flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")
    return summary(rows, options.limit)


def race(racing: dict[str, Callable[[Work], Run]], given: Work, options: argparse.Namespace) -> dict:
    """Everybody in turn, round by round as long as that is short; the median of each."""
    runs = {name: prepare(given) for name, prepare in racing.items()}
    results: dict[str, list[Result]] = {name: [] for name in runs}
    start = time.monotonic()
    for turn in range(options.rounds):
        if turn and time.monotonic() - start > options.seconds:
            break
        for name, run in runs.items():
            results[name].append(run())
    speeds = {
        name: {
            "per_processor_second": given.steps / statistics.median(result.processor for result in found),
            "per_second": given.steps / statistics.median(result.wall for result in found),
        }
        for name, found in results.items()
    }
    first = {name: found[0].states for name, found in results.items()}
    same = bool((first[OURS] == first[SCALAR]).all())
    return {"speeds": speeds, "same_bits_as_scalar": same, "far_from_reference": far(first[OURS], first[PINNED])}


def far(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The largest difference of the first ten steps: whether both did the same work."""
    return float(abs(ours[:, :10] - theirs[:, :10]).max(initial=0))


def line(row: dict) -> str:
    parts = [
        f"{speed['per_processor_second'] / 1000:9.1f} ({speed['per_second'] / 1000:7.1f})"
        for speed in row["speeds"].values()
    ]
    notes = [] if row["same_bits_as_scalar"] else ["DIFFERENT BITS"]
    if row["far_from_reference"] > 1e-6:
        notes.append(f"differs from the reference by {row['far_from_reference']:.1e}")
    text = (
        f"{row['model']:13} {row['worlds']:6} {row['threads']:7}  {''.join(parts)}"
        f"  {ratio(row):5.2f} {ratio(row, SINGLE):5.2f} {gain(row):15.2f}"
    )
    return "  ".join([text, *notes])


def ratio(row: dict, who: str = OURS) -> float:
    """Our speed over that of the faster release, per processor second."""
    speeds = {name: speed["per_processor_second"] for name, speed in row["speeds"].items()}
    return speeds[who] / max(speed for name, speed in speeds.items() if name.startswith("mujoco"))


def gain(row: dict) -> float:
    """Our speed over our own one world at a time."""
    return row["speeds"][OURS]["per_processor_second"] / row["speeds"][SCALAR]["per_processor_second"]


def means(rows: list[dict]) -> str:
    """Geometric means of some races, and the one that was won by least."""
    lowest = min(rows, key=ratio)
    double, single, alone = (
        geometric_mean([found(row) for row in rows]) for found in (ratio, lambda row: ratio(row, SINGLE), gain)
    )
    return f"{double:17.2f} {single:5.2f} {alone:15.2f}  {ratio(lowest):.2f} ({lowest['model']})"


def summary(rows: list[dict], limit: float | None) -> int:
    mean = geometric_mean([ratio(row) for row in rows])
    print(f"\ngeometric means over all models{'f64':>12} {'f32':>5}  f64 over alone  lowest f64")
    for worlds, threads in sorted({(row["worlds"], row["threads"]) for row in rows}):
        some = [row for row in rows if (row["worlds"], row["threads"]) == (worlds, threads)]
        print(f"{worlds:6} worlds, {threads:3} threads {means(some)}")
    print(f"all {' ' * 22}{means(rows)}")
    differ = [row["model"] for row in rows if not row["same_bits_as_scalar"]]
    if differ:
        print(f"batch and single worlds differ: {', '.join(differ)}")
    return int(bool(differ) or (limit is not None and mean < limit))

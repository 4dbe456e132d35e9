"""Runs the tasks of one package in this process, with whatever ``import mujoco`` gives, and keeps their numbers.

``python -m conformance.packages.trial NAME FOLDER [--nudge N]``: for each task a file, also if it fails.
"""

from __future__ import annotations

import argparse
import itertools
import random
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from .motion import SEED, Use
from .uses import USES


def _nudge(state: np.ndarray, amount: float, number: int) -> None:
    """Changes every number of a state a little: the first change has the given size, each other a tenth of the one before it,
    down to a thousandth."""
    amount *= 0.1 ** (number % 4)
    state += amount * np.random.default_rng(SEED + 1 + number).uniform(-1.0, 1.0, state.shape)


def _numbers(use: Use, task: str, options: argparse.Namespace) -> dict[str, Any]:
    """The numbers of every step, one behind the other, and the seconds that all steps but the first took."""
    random.seed(SEED)
    np.random.seed(SEED)
    motion = use.start(task, options.source) if use.needs_source else use.start(task)
    state = next(motion)
    if options.nudge is not None:
        _nudge(state, use.nudge, options.nudge)
    rows = [np.array(next(motion))]
    start = time.process_time()
    rows.extend(np.array(row) for row in itertools.islice(motion, use.steps - 1))
    seconds = time.process_time() - start
    return {"values": np.concatenate(rows), "lengths": [len(row) for row in rows], "seconds": seconds, "error": ""}


def _last_line(error: BaseException) -> str:
    """What went wrong, and where."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    said = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {said[:160]} ({Path(place.filename).name}:{place.lineno})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.packages.trial", description=__doc__)
    parser.add_argument("name", choices=list(USES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", nargs="*")
    parser.add_argument("--nudge", type=int, metavar="N")
    parser.add_argument("--source", type=Path)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    use = USES[options.name]
    for number, task in enumerate(use.tasks):
        if options.tasks and task not in options.tasks:
            continue
        try:
            found = _numbers(use, task, options)
        except Exception as error:
            found = {"values": np.zeros(0), "lengths": [], "seconds": 0.0, "error": _last_line(error)}
        np.savez(options.folder / f"{number}.npz", **found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

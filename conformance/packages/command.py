"""What others have built on the reference, with it and with sinew in its place. ``python -m conformance.packages``.

Each package that is installed is used a little, unmodified, three times in processes of their own: with the reference, with
the reference and a first state that is changed a little, and after ``sinew.compat.install()``. Observations and positions
of every step are compared; ``verdict.py`` says when they are equal. Packages want different versions of others, so several
environments may be named, each of which has the reference and sinew: ``--python A/bin/python B/bin/python``; a package runs
in the first that has it.

Nothing is drawn. What needs files from a network that cannot be reached fails with the reference, too, and says so.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .motion import Use
from .uses import USES
from .verdict import Numbers, Verdict, judge

MOST_SECONDS = 3000
MORE_NUDGES = 7
_TRIAL = ["-m", "conformance.packages.trial"]
_VERSION = "import importlib.metadata as m, sys; print(m.version(sys.argv[1]))"


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m conformance.packages",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", nargs="*", metavar="NAME", choices=list(USES), help=", ".join(USES))
    parser.add_argument("--tasks", nargs="*", metavar="TASK", help="only these of their tasks")
    parser.add_argument("--python", nargs="*", metavar="PROGRAM", default=[sys.executable], help="of the environments")
    parser.add_argument("--source", type=Path, help="a checkout of the reference at the tag of the release")
    return parser.parse_args(given)


def home(use: Use, programs: list[str]) -> tuple[str, str] | None:
    """The first environment that has a package, and its version."""
    for program in programs:
        asked = [program, "-c", _VERSION, use.distribution]
        found = subprocess.run(asked, capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return program, found.stdout.strip()
    return None


def trial(command: list[str], folder: Path) -> str:
    """Runs one; "" or what it said last if it broke."""
    folder.mkdir()
    environment = {"MUJOCO_GL": "disable", "JAX_PLATFORMS": "cpu", **os.environ}
    try:
        ended = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"took more than {MOST_SECONDS} s"
    return "" if ended.returncode == 0 else (ended.stderr.strip().splitlines() or ["no word"])[-1]


@dataclass(frozen=True)
class Room:
    """Where trials of one package run and leave their numbers."""

    name: str
    program: str
    options: argparse.Namespace
    place: Path

    def run(self, start: list[str], label: str, tasks: list[str], nudge: int | None = None) -> dict[str, Numbers]:
        """The numbers of some tasks, in a process of their own."""
        folder = self.place / label
        chosen = [
            *(["--source", str(self.options.source)] if self.options.source else []),
            *(["--tasks", *tasks] if len(tasks) < len(USES[self.name].tasks) else []),
            *([] if nudge is None else ["--nudge", str(nudge)]),
        ]
        broken = trial([self.program, *start, *_TRIAL, self.name, str(folder), *chosen], folder)
        if broken:
            print(f"  {self.name} on {label}: {broken[:200]}")
        return {task: Numbers.read(folder / f"{USES[self.name].tasks.index(task)}.npz") for task in tasks}


def verdicts(name: str, program: str, options: argparse.Namespace) -> dict[str, Verdict]:
    """How every task of a package went."""
    tasks = [task for task in USES[name].tasks if not options.tasks or task in options.tasks]
    with tempfile.TemporaryDirectory() as place:
        room = Room(name, program, options, Path(place))
        reference = room.run([], "reference", tasks)
        nudged = [room.run([], "nudged", tasks, 0)]
        ours = room.run(["-m", "sinew.compat"], "sinew", tasks)

        def verdict(task: str) -> Verdict:
            changed = [one[task] for one in nudged if task in one]
            return judge(reference[task], changed, ours[task])

        found = {task: verdict(task) for task in tasks}
        doubtful = [task for task in tasks if found[task].is_judged and found[task].said and not ours[task].error]
        if doubtful:
            nudged += [room.run([], f"nudged {number}", doubtful, number) for number in range(1, 1 + MORE_NUDGES)]
            found |= {task: verdict(task) for task in doubtful}
    return found


def row(name: str, version: str, found: dict[str, Verdict]) -> str:
    judged = [verdict for verdict in found.values() if verdict.is_judged]
    equal = [verdict for verdict in judged if not verdict.said]
    chaotic = sum(verdict.is_chaotic for verdict in equal)
    reference, ours = (sum(verdict.seconds[side] for verdict in judged) for side in (0, 1))
    largest = max((verdict.largest for verdict in judged), default=0.0)
    steps = sum(verdict.steps for verdict in judged)
    ratio = f"{ours / reference:.2f}" if reference else "–"
    return f"{name:24}{version:>9}{len(judged):7}{len(equal):7}{steps:8}{chaotic:9}{largest:11.1e}{ratio:>7}"


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    is_bad = False
    heads = f"{'package':24}{'version':>9}{'tasks':>7}{'equal':>7}{'steps':>8}{'chaotic':>9}{'largest':>11}{'time':>7}"
    print(heads, flush=True)
    for name in options.only or USES:
        use = USES[name]
        found = home(use, options.python)
        if found is None:
            print(f"{name:24}  not installed")
            continue
        if use.needs_source and options.source is None:
            print(f"{name:24}  not run: --source says where it is")
            continue
        program, version = found
        tasks = verdicts(name, program, options)
        print(row(name, version, tasks), flush=True)
        for task, verdict in tasks.items():
            if verdict.said:
                print(f"  {task}: {verdict.said}", flush=True)
            is_bad |= verdict.is_judged and bool(verdict.said)
    return int(is_bad)

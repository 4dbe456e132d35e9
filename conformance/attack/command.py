"""Runs cases in child processes and counts how they end."""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from conformance.attack.cases import CASES
from conformance.sources import REPOSITORY

SIZES = {"K": 10, "M": 20, "G": 30}
USUAL = ("512M", "2G")
SECONDS = 120
# Cases that measure.
MEASURED = ("deadline", "memory")
# How a child ends that has met an exception of an expected kind.
REFUSED = 3


@dataclass(frozen=True)
class Outcome:
    """How a case ended."""

    name: str
    memory: str
    verdict: str
    text: str
    seconds: float

    @property
    def is_good(self) -> bool:
        return self.verdict in ("done", "refused")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m conformance.attack", description=__doc__)
    parser.add_argument(
        "--memory", action="append", metavar="SIZE", help="address space, such as 512M; may be repeated"
    )
    parser.add_argument("--filter", default="", metavar="TEXT", help="only cases whose name contains the text")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="longest time of one case")
    parser.add_argument("--list", action="store_true", help="list the cases")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.case:
        return run_case(options.case)
    # What is measured is measured where there is memory, and by itself.
    measures = options.filter.startswith(MEASURED)
    names = [name for name in CASES if options.filter in name and name.startswith(MEASURED) == measures]
    if options.list:
        print("\n".join(names))
        return 0
    outcomes = []
    for memory in options.memory or USUAL:
        for name in names:
            outcome = attack(name, memory, options.seconds)
            outcomes.append(outcome)
            if not outcome.is_good:
                print(f"FAILED {name} with {memory}: {outcome.verdict}\n{outcome.text}\n", flush=True)
            elif measures:
                print(f"{name}: {outcome.text.strip()}", flush=True)
    report(outcomes)
    return 0 if outcomes and all(outcome.is_good for outcome in outcomes) else 1


def report(outcomes: Sequence[Outcome]) -> None:
    """How many ended how, for each size of memory."""
    for memory in dict.fromkeys(outcome.memory for outcome in outcomes):
        those = [outcome for outcome in outcomes if outcome.memory == memory]
        counts = Counter(outcome.verdict for outcome in those)
        slowest = max(those, key=lambda outcome: outcome.seconds)
        words = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        print(f"{memory}: {len(those)} cases, {words}; slowest {slowest.name}, {slowest.seconds:.1f} s")


def attack(name: str, memory: str, seconds: float = SECONDS) -> Outcome:
    """Runs a case in a child whose address space is limited."""
    limit = size(memory)

    def limit_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    # Threads of numpy's own each take address space.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    start = time.monotonic()
    try:
        child = subprocess.run(
            [sys.executable, "-m", "conformance.attack", "--case", name],
            cwd=REPOSITORY,
            env=environment,
            preexec_fn=limit_memory,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return Outcome(name, memory, "out of time", "", seconds)
    verdict = {0: "done", REFUSED: "refused"}.get(child.returncode)
    if verdict is None:
        verdict = f"signal {-child.returncode}" if child.returncode < 0 else f"status {child.returncode}"
    text = (child.stdout + child.stderr)[-1000:]
    return Outcome(name, memory, verdict, text, time.monotonic() - start)


def run_case(name: str) -> int:
    """In the child: runs a case and says how it ended."""
    import sinew

    ours = (sinew.LoadError, sinew.StepError, sinew.BusyError, sinew.BatchError, sinew.DeviceError)
    expected = (*ours, ValueError, TypeError, IndexError, MemoryError)
    try:
        CASES[name]()
    except expected as error:
        print(f"{type(error).__name__}: {str(error)[:300]}")
        return REFUSED
    return 0


def size(text: str) -> int:
    """The number of bytes that `512M` stands for."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    return int(number) << SIZES.get(unit, 0)

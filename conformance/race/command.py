"""The command line of `python -m conformance.race`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from conformance.race import plan
from conformance.race.engines import (
    CACHE,
    NEWEST,
    BuildError,
    Measurement,
    Reference,
    RunFailed,
    Sinew,
    build_reference,
    build_sinew,
    make_models,
)
from conformance.race.plan import PlanError, Workload
from conformance.race.table import Row, geometric_mean, print_row, print_summary
from conformance.sources import shared_root

PINNED = "3.5.0"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the race. Exit status: 0 within the limits, 1 too slow or failed, 2 wrong use or nothing to race."""
    options = _parser().parse_args(arguments)
    try:
        bench = _bench(options)
        works = _workloads(options, bench)
        sinew = build_sinew(options.binary)
        releases = options.release or [PINNED, NEWEST]
        references = [build_reference(release, bench, options.update) for release in releases]
    except (PlanError, BuildError, RunFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return _replay(works, sinew, references, options) if options.replay else _race(works, sinew, references, options)


def _race(works: list[Workload], sinew: Sinew, references: list[Reference], options: argparse.Namespace) -> int:
    rows: list[Row] = []
    failed = False
    for work in works:
        try:
            row = _run(work, sinew, references, options.rounds, options.threads)
        except RunFailed as error:
            print(f"{work.name:20} failed: {error}", flush=True)
            failed = True
            continue
        rows.append(row)
        print_row(row)
    names = [reference.name for reference in references]
    print_summary(rows, names)
    if options.json:
        options.json.write_text(json.dumps([_as_json(row) for row in rows], indent=1))
    slow = any(row.ratio(name) < options.limit for row in rows for name in row.theirs)
    return 1 if failed or slow or not rows else 0


def _run(work: Workload, sinew: Sinew, references: list[Reference], rounds: int, threads: int) -> Row:
    """Every engine once per round; who goes first changes from round to round."""
    engines: list[Sinew | Reference] = [sinew, *references]
    runs: dict[str, list[Measurement]] = {engine.name: [] for engine in engines}
    for number in range(rounds):
        first = number % len(engines)
        for engine in engines[first:] + engines[:first]:
            try:
                runs[engine.name].append(engine.run(work, threads))
            except RunFailed as error:
                # A release that does not run the model is left out; the others still race.
                if len(engines) == 2 or engine is sinew:
                    raise
                print(f"{work.name:20} without {engine.name}: {str(error).splitlines()[0]}", flush=True)
                engines.remove(engine)
                del runs[engine.name]
    ours = runs.pop(sinew.name)
    return Row(work.name, ours, runs)


def _replay(works: list[Workload], sinew: Sinew, references: list[Reference], options: argparse.Namespace) -> int:
    """Single steps from states of the first release's trajectory: the same work in every engine."""
    titles = "".join(f"{reference.name:>10}{'ratio':>7}" for reference in references)
    print(
        f"{'model':20}{'states':>7}{'sinew µs':>10}{titles}{'Δqpos':>10}{'Δqvel':>10}  contacts, rows, iterations differ"
    )
    states = CACHE / "states.bin"
    ratios: list[float] = []
    failed = False
    for work in works:
        try:
            references[0].dump(work, states, options.states)
            theirs = [reference.replay(work, states, options.loops) for reference in references]
            ours = sinew.replay(work, states, options.loops)
        except RunFailed as error:
            print(f"{work.name:20} failed: {error}", flush=True)
            failed = True
            continue
        finally:
            states.unlink(missing_ok=True)
        time = ours["microseconds_per_step"]
        found = [one["replay_us_best"] / time for one in theirs]
        ratios.append(found[0])
        cells = "".join(f"{one['replay_us_best']:10.2f}{ratio:7.2f}" for one, ratio in zip(theirs, found))
        differ = ", ".join(str(ours[f"{what}_differ"]) for what in ("contacts", "rows", "iterations"))
        errors = f"{ours['largest_qpos_difference']:10.1e}{ours['largest_qvel_difference']:10.1e}"
        print(f"{work.name:20}{ours['states']:7}{time:10.2f}{cells}{errors}  {differ}", flush=True)
    print(f"geometric mean over {references[0].name}: {geometric_mean(ratios):.2f}")
    return 1 if failed or not ratios or min(ratios) < options.limit else 0


def _workloads(options: argparse.Namespace, bench: Path) -> list[Workload]:
    """What to race, in this order: named models, a group of models, a plan, the plan of the bench folder."""
    if options.model:
        sizes = {"key": options.key, "warm": options.warm, "steps": options.steps, "episodes": options.episodes}
        works = [Workload(path.stem, path.resolve(), **sizes, disable=options.disable) for path in options.model]
    elif options.contact_free:
        works = plan.contact_free()
    elif options.flexes:
        works = plan.flexes()
    else:
        works = plan.read(options.plan or bench / "plan.csv", make_models(bench))
    works = [work for work in works if not options.filter or any(text in work.name for text in options.filter)]
    missing = [str(work.model) for work in works if not work.model.is_file()]
    if missing:
        raise PlanError(f"not there: {', '.join(missing)}")
    if not works:
        raise PlanError("nothing to race")
    return [work.shortened(options.shorten) for work in works]


def _bench(options: argparse.Namespace) -> Path:
    """The folder with the reference's side."""
    folder = options.bench
    if folder is None and "SINEW_SHARED" in os.environ:
        folder = Path(os.environ["SINEW_SHARED"]) / "bench"
    if folder is None and (shared := shared_root()):
        folder = shared.parent / "bench"
    if folder is None or not (folder / "reference.c").is_file():
        where = f"{folder} has no reference.c" if folder else "no bench folder found"
        raise BuildError(f"{where}; name the folder with --bench, or set SINEW_SHARED to the folder above it")
    return folder.resolve()


def _as_json(row: Row) -> dict[str, Any]:
    engines = {"sinew": row.ours, **row.theirs}
    return {
        "name": row.name,
        "ratios": {release: row.ratio(release) for release in row.theirs},
        "different_work": {release: row.different_work(release) for release in row.theirs},
        "engines": {name: vars(one) for name, one in engines.items()},
    }


def _positive(text: str) -> int:
    """A whole number above zero."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above zero")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m conformance.race", description="Race sinew against releases of the reference."
    )
    what = parser.add_argument_group("what is raced")
    what.add_argument("--plan", type=Path, metavar="FILE", help="a plan (default: plan.csv of the bench folder)")
    what.add_argument("--model", type=Path, action="append", metavar="FILE", help="a model; may be given again")
    what.add_argument("--contact-free", action="store_true", help="our own models in which nothing touches")
    what.add_argument("--flexes", action="store_true", help="the reference's models of deformables")
    what.add_argument("--filter", action="append", default=[], metavar="TEXT", help="only models whose name has TEXT")
    what.add_argument("--key", default="-1", help="keyframe to start from, with --model")
    what.add_argument("--warm", type=int, default=0, help="untimed steps per episode, with --model")
    what.add_argument("--steps", type=_positive, default=1000, help="timed steps per episode, with --model")
    what.add_argument("--episodes", type=_positive, default=10, help="episodes, with --model")
    what.add_argument("--disable", default="", choices=list(plan.DISABLED), help="switch off, with --model")
    what.add_argument("--shorten", type=_positive, default=1, metavar="N", help="divide the number of episodes by N")
    how = parser.add_argument_group("how")
    how.add_argument("--rounds", type=_positive, default=3, help="runs of each engine; the median counts (default: 3)")
    how.add_argument("--threads", type=_positive, default=1, help="also the throughput of this many threads")
    how.add_argument("--replay", action="store_true", help="single steps from states that the reference recorded")
    how.add_argument("--states", type=_positive, default=256, help="states of a replay (default: 256)")
    how.add_argument(
        "--loops", type=_positive, default=20, help="steps from each state; the fastest counts (default: 20)"
    )
    how.add_argument("--limit", type=float, default=0.0, help="exit with 1 if a ratio is below this")
    how.add_argument("--json", type=Path, metavar="FILE", help="write all medians as JSON")
    engines = parser.add_argument_group("engines")
    engines.add_argument(
        "--release",
        action="append",
        metavar="VERSION",
        help=f"a release, `{NEWEST}`, or the path of a program built before; may be given again"
        f" (default: {PINNED} and {NEWEST})",
    )
    engines.add_argument("--update", action="store_true", help=f"look for a newer `{NEWEST}`")
    engines.add_argument("--binary", type=Path, help="sinew's command (default: a release build is made)")
    engines.add_argument("--bench", type=Path, help="folder with the reference's side")
    return parser

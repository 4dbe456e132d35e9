"""The command line of `python -m conformance`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from conformance.engines import DEFAULT_ENGINE, Engine, EngineMissing, candidate, reference
from conformance.nearest_sine import OPTION, run_with_nearest_sine
from conformance.outcome import Outcome, run
from conformance.pair import Sampling
from conformance.plan import PLANS, Run, run_plan
from conformance.report import as_json, counts_agree, print_outcome, print_summary
from conformance.sources import GROUPS, ModelSource, resolve
from conformance.stages import STAGES
from conformance.tolerances import EXCLUDED_MODEL_FIELDS, STAGE_NOTES


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison. Exit status: 0 all equal, 1 differences, 2 wrong use or missing engine."""
    parser = _parser()
    options = parser.parse_args(arguments)
    plan = "full" if options.full else "sample" if options.sample else None
    if (plan is None) == (not options.models):
        parser.error("name models or groups, or a plan (--full, --sample)")
    try:
        if options.nearest_sine:
            return run_with_nearest_sine(sys.argv[1:] if arguments is None else arguments)
        engines = reference(), candidate(options.engine)

        def compare(run: Run, group: str) -> list[Outcome]:
            sources = resolve([group], options.filter)[: run.first]
            return _compare(options, engines, run.stage, sources, run.sampling)

        if plan:
            runs = tuple(run for run in PLANS[plan] if not options.only or run.stage in options.only)
            outcomes = run_plan(runs, compare)
        else:
            sampling = Sampling(options.states, options.seed, options.steps)
            outcomes = _compare(options, engines, options.stage, resolve(options.models, options.filter), sampling)
    except (EngineMissing, FileNotFoundError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not outcomes:
        print("error: no models found", file=sys.stderr)
        return 2
    if options.json:
        settings = {"engine": options.engine, "plan": plan, "stage": options.stage, "states": options.states}
        options.json.write_text(json.dumps(as_json(outcomes, settings | {"seed": options.seed}), indent=1))
    return 0 if all(outcome.passed for outcome in outcomes) and counts_agree(outcomes) else 1


def _compare(
    options: argparse.Namespace,
    engines: tuple[Engine, Engine],
    stage: str,
    sources: list[ModelSource],
    sampling: Sampling,
) -> list[Outcome]:
    """One stage on some models, printed as it goes."""
    _print_notes(stage)
    outcomes: list[Outcome] = []
    for source in sources:
        outcome = run(source, *engines, stage, sampling)
        outcomes.append(outcome)
        if not (options.quiet and outcome.passed):
            print_outcome(outcome, options.fields)
            sys.stdout.flush()
    if outcomes:
        print_summary(outcomes)
    return outcomes


def _print_notes(stage: str) -> None:
    """What this stage leaves out, so that a table of results is never read as more than it is."""
    if stage == "model":
        for name, reason in EXCLUDED_MODEL_FIELDS.items():
            print(f"not compared: {name} ({reason})")
    for note in STAGE_NOTES.get(stage, ()):
        print(f"note: {note}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m conformance", description="Compare sinew with the reference engine, field by field."
    )
    parser.add_argument("models", nargs="*", help=f"model files, folders, or groups: {', '.join(GROUPS)}")
    parser.add_argument("--full", action="store_true", help="every stage on every group, as claimed (an hour or two)")
    parser.add_argument("--sample", action="store_true", help="a part of it (minutes)")
    parser.add_argument("--only", action="append", choices=list(STAGES), help="of a plan, only this stage")
    parser.add_argument(OPTION, action="store_true", help="give the reference a correctly rounded sine and cosine")
    parser.add_argument("--stage", choices=list(STAGES), default="model", help="what is compared (default: model)")
    parser.add_argument("--states", type=int, default=20, help="random states per model (default: 20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random states (default: 0)")
    parser.add_argument("--steps", type=int, default=1000, help="steps of a trajectory (default: 1000)")
    parser.add_argument("--filter", action="append", default=[], metavar="TEXT", help="only models whose name has TEXT")
    parser.add_argument("--fields", type=int, default=12, help="failing fields printed per model (default: 12)")
    parser.add_argument("--quiet", action="store_true", help="print failing models only")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results as JSON")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help=f"module under test (default: {DEFAULT_ENGINE})")
    return parser

"""The command line of `python -m conformance`."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from conformance.engines import DEFAULT_ENGINE, EngineMissing, candidate, reference
from conformance.outcome import Outcome, run
from conformance.pair import Sampling, StageMissing
from conformance.report import as_json, meshes_agree, print_outcome, print_summary
from conformance.sources import GROUPS, resolve
from conformance.stages import STAGES
from conformance.tolerances import EXCLUDED_MODEL_FIELDS, STAGE_NOTES


def main(arguments: list[str] | None = None) -> int:
    """Run the comparison. Exit status: 0 all equal, 1 differences, 2 wrong use or missing engine."""
    options = _parser().parse_args(arguments)
    try:
        engines = reference(), candidate(options.engine)
        sources = resolve(options.models, options.filter)
    except (EngineMissing, FileNotFoundError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not sources:
        print("error: no models found", file=sys.stderr)
        return 2

    _print_notes(options.stage)
    sampling = Sampling(options.states, options.seed, options.steps)
    outcomes: list[Outcome] = []
    try:
        for source in sources:
            outcome = run(source, *engines, options.stage, sampling)
            outcomes.append(outcome)
            if not (options.quiet and outcome.passed):
                print_outcome(outcome, options.fields)
                sys.stdout.flush()
    except StageMissing as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print_summary(outcomes)
    if options.json:
        settings = {"engine": options.engine, "stage": options.stage, "states": options.states, "seed": options.seed}
        options.json.write_text(json.dumps(as_json(outcomes, settings), indent=1))
    return 0 if all(outcome.passed for outcome in outcomes) and meshes_agree(outcomes) else 1


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
    parser.add_argument("models", nargs="+", help=f"model files, folders, or groups: {', '.join(GROUPS)}")
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

"""How long loading takes, compared with the reference.

    python -m conformance.load_bench [MODELS...] [--rounds 5]

Both engines load each model in turn, in alternating order, and the median over the rounds counts; the ratio of the
fastest rounds is shown beside it, since it suffers less from other work on the machine. The reference
keeps compiled assets in a process-wide cache; it is emptied before each load, so that both engines do the whole
work every time. `--keep-cache` leaves it alone.
"""

from __future__ import annotations

import argparse
import gc
import math
import statistics
import sys
import time
from collections.abc import Sequence

from conformance.engines import DEFAULT_ENGINE, Engine, EngineMissing, candidate, reference
from conformance.sources import ModelSource, resolve


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Exit status: 0 within the limits, 1 slower, 2 wrong use or missing engine."""
    options = _parser().parse_args(arguments)
    try:
        engines = reference(), candidate(options.engine)
        sources = resolve(options.models, options.filter)
    except (EngineMissing, FileNotFoundError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2

    print(f"{'model':48} {'reference ms':>12} {'sinew ms':>10} {'ratio':>7} {'fastest':>8}")
    ratios: dict[str, float] = {}
    fastest: list[float] = []
    for source in sources:
        seconds = time_model(source, engines, options.rounds, options.keep_cache)
        if seconds is None:
            print(f"{source.name:48} {'not loaded by both':>23}")
            continue
        medians = [statistics.median(one) for one in seconds]
        ratios[source.name] = medians[1] / medians[0]
        fastest.append(min(seconds[1]) / min(seconds[0]))
        print(
            f"{source.name:48} {medians[0] * 1e3:12.2f} {medians[1] * 1e3:10.2f}"
            f" {ratios[source.name]:7.2f} {fastest[-1]:8.2f}",
            flush=True,
        )
    if not ratios:
        print("error: no model was loaded by both engines", file=sys.stderr)
        return 2
    mean = geometric_mean(list(ratios.values()))
    worst = max(ratios, key=lambda name: ratios[name])
    print(f"\n{len(ratios)} models, geometric mean {mean:.3f} (limit {options.mean_limit})")
    print(f"fastest rounds: geometric mean {geometric_mean(fastest):.3f}, worst {max(fastest):.3f}")
    print(f"worst {ratios[worst]:.3f}, {worst} (limit {options.worst_limit})")
    return 0 if mean <= options.mean_limit and ratios[worst] <= options.worst_limit else 1


def time_model(
    source: ModelSource, engines: tuple[Engine, Engine], rounds: int, keep_cache: bool
) -> tuple[list[float], list[float]] | None:
    """Seconds per round for both engines, after one unmeasured round; None if one of them cannot load the model."""
    seconds: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        # Who goes first changes every round, so that neither always finds the file warm.
        for which in (0, 1) if number % 2 == 0 else (1, 0):
            if not keep_cache:
                _empty_cache(engines[which])
            try:
                elapsed = _time_once(source, engines[which])
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # a refusal, or a panic in native code
                return None
            if number > 0:
                seconds[which].append(elapsed)
    return seconds


def geometric_mean(ratios: list[float]) -> float:
    """The mean that treats twice as fast and twice as slow alike."""
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def _time_once(source: ModelSource, engine: Engine) -> float:
    """Seconds for one load, without garbage collection in between and without releasing the model."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        model = source.load(engine)
        elapsed = time.perf_counter() - start
    finally:
        gc.enable()
    del model
    return elapsed


def _empty_cache(engine: Engine) -> None:
    """Empty the engine's asset cache, if it has one."""
    if engine.has("mj_clearCache") and engine.has("mj_getCache"):
        engine.call("mj_clearCache", engine.call("mj_getCache"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m conformance.load_bench", description="Compare load times.")
    parser.add_argument("models", nargs="*", default=["shared"], help="files, folders or groups (default: shared)")
    parser.add_argument("--rounds", type=int, default=5, help="measured rounds per model (default: 5)")
    parser.add_argument("--filter", action="append", default=[], metavar="TEXT", help="only models whose name has TEXT")
    parser.add_argument("--keep-cache", action="store_true", help="do not empty the reference's asset cache")
    parser.add_argument("--mean-limit", type=float, default=1.0, help="limit of the geometric mean (default: 1.0)")
    parser.add_argument("--worst-limit", type=float, default=1.5, help="limit of each model (default: 1.5)")
    parser.add_argument("--engine", default=DEFAULT_ENGINE, help=f"module under test (default: {DEFAULT_ENGINE})")
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""The tables."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from pathlib import Path

import sinew
from conformance.gpu_race import agreement, errors, speed, statistics, warp
from conformance.gpu_race.work import Work
from sinew.batch import refusal

WORLDS = (1, 64, 1024, 8192, 32768, 131072)
PARTS = ("first", "bits", "speed", "statistics", "errors")
MARKS = (1, 100, 1000)


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="gpu_race", description=__doc__)
    parser.add_argument(
        "models", nargs="*", help="files, with room for contacts behind a colon (pile.xml:128), or boxes20"
    )
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--worlds", type=int, nargs="+", default=WORLDS)
    parser.add_argument("--precision", nargs="+", default=("f32", "f64"), choices=("f32", "f64"))
    parser.add_argument("--compared", type=int, default=64, help="worlds that are compared with the processor")
    parser.add_argument("--marks", type=int, nargs="+", default=MARKS, help="steps after which they are")
    parser.add_argument("--repeated", type=int, nargs=2, default=(1000, 10000), help="worlds whose bits must agree")
    parser.add_argument("--steps", type=int, default=speed.STEPS)
    parser.add_argument("--only", nargs="+", default=PARTS[:3], choices=PARTS)
    parser.add_argument("--observed", type=int, default=1024, help="worlds of the statistics")
    parser.add_argument(
        "--looked-at", type=int, default=32, help="worlds of them whose contacts and energy are looked at"
    )
    parser.add_argument("--long", type=int, default=1000, help="steps of the statistics")
    parser.add_argument("--with-processor", action="store_true", help="time worlds on all cores of the processor, too")
    parser.add_argument("--without-warp", action="store_true")
    options = parser.parse_args(given)
    is_right = True
    print(f"beside {os.cpu_count()} cores of {processor()}")
    if "errors" in options.only:
        is_right &= provoke(options.device)
    if "statistics" in options.only:
        is_right &= observe(statistics.conservative(), "swing, whose energy stays", options)
    for path in options.models:
        is_right &= race(path, options)
    return 0 if is_right else 1


def race(path: str, options: argparse.Namespace) -> bool:
    """The tables of one model; whether all bits are as they should be."""
    work, name = Work.of(path), Path(path).stem
    print(f"\n{name}: nq {work.model.nq}, nv {work.model.nv}, nu {work.model.nu}", flush=True)
    why = refusal(work.model)
    if why is not None:
        print(f"  refused: {why}")
        return True
    is_right = True
    if "first" in options.only:
        for precision in options.precision:
            imported, made = speed.first_step(path, options.device, precision)
            print(f"  {precision}: import {imported:.2f} s, first step of 1,024 worlds {made:.2f} s later", flush=True)
    if "bits" in options.only:
        is_right = compare(work, options)
    if "statistics" in options.only:
        is_right &= observe(work, name, options)
    if "speed" in options.only:
        tabulate(work, options)
    return is_right


def provoke(device: str) -> bool:
    """Tells what came of everything that goes wrong; whether it is as it should be."""
    print(f"\nerrors on {device}")
    is_right = True
    for name, went_well, told in errors.provoke(device):
        print(f"  {'ok    ' if went_well else 'WRONG '} {name.replace('_', ' ')}: {told}", flush=True)
        is_right &= went_well
    return is_right


def observe(work: Work, name: str, options: argparse.Namespace) -> bool:
    """Tells what worlds have in common over many steps; whether single precision is no worse than MJWarp."""
    found = statistics.table(
        work, options.device, options.observed, options.long, options.looked_at, not options.without_warp
    )
    print(f"  {name}, {options.long} steps of {options.observed} worlds")
    titles = ("contacts", "rows", "depth, mm", "energy, J", "drift", "bad")
    print("  " + "".join(f"{title:>12}" for title in ("", *titles)))
    for who, seen in found.items():
        cells = (
            f"{seen.contacts:.4g}",
            f"{seen.rows:.4g}",
            f"{1e3 * seen.depth:.4g}",
            f"{seen.energy:.5g}",
            f"{seen.drift:.3g}",
            f"{seen.bad:.2%}",
        )
        print("  " + "".join(f"{cell:>12}" for cell in (who, *cells)), flush=True)
    worse = statistics.worse(found)
    if worse:
        print(f"  WORSE than MJWarp: {worse}")
    return not worse


def compare(work: Work, options: argparse.Namespace) -> bool:
    """Tells how near worlds are to those on the processor, and to themselves."""
    differ = agreement.bits_that_differ(work, options.device, options.compared, tuple(options.marks))
    for mark, (count, of) in differ.items():
        print(f"  f64 after {mark} steps: {count} of {of} numbers have other bits than on the processor", flush=True)
    is_right = not any(count for count, _ in differ.values())
    for name, (median, most, worst) in agreement.single_precision_errors(
        work, options.device, options.compared
    ).items():
        print(f"  f32, error of {name} after a step: median {median:.1e}, 99 % {most:.1e}, largest {worst:.1e}")
    few, many = options.repeated
    for precision in options.precision:
        again, among = agreement.repeats(work, options.device, precision, few, many, 100)
        told = {True: "equal bits", False: "OTHER BITS"}
        print(f"  {precision}: two runs {told[again]}; {few} and {many} worlds {told[among]}", flush=True)
        is_right &= again and among
    return is_right


def tabulate(work: Work, options: argparse.Namespace) -> None:
    """Prints steps of all worlds per second."""
    with_warp = not options.without_warp and warp.is_there()
    with_processor = ["processor"] if options.with_processor else []
    columns = [*options.precision, *with_processor, *(["MJWarp"] if with_warp else [])]
    print("  million world-steps per second\n  " + "".join(f"{title:>12}" for title in ("worlds", *columns)))
    for worlds in options.worlds:
        cells, events = [], {}
        for precision in options.precision:
            cell, counted = attempt(speed.throughput, work, options.device, precision, worlds, options.steps)
            cells.append(cell)
            events.update(counted)
        if with_processor:
            cells.append(attempt(speed.throughput, work, "cpu", "f64", worlds, options.steps)[0])
        if with_warp:
            cells.append(attempt(warp.throughput, work, worlds)[0])
        told = ", ".join(f"{name} {count}" for name, count in events.items() if count and name != "iterations")
        row = f"{worlds:>12,}" + "".join(f"{cell:>12}" for cell in cells)
        print(f"  {row}   {told}".rstrip(), flush=True)


def processor() -> str:
    """What the processor is called, where the system says so."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def attempt(run: Callable[..., tuple[float, dict[str, int]]], *arguments) -> tuple[str, dict[str, int]]:
    """A cell of the table, or why it is empty."""
    try:
        found, counted = run(*arguments)
    except sinew.DeviceError as error:
        return error.kind, {}
    except Exception as error:  # A contestant that fails is told, and the race goes on.
        print(f"  {type(error).__name__}: {error}")
        return "failed", {}
    return f"{found / 1e6:.4g}", counted

"""What the race prints."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable

from conformance.race.engines import Measurement

# Work may differ by this much before a ratio says little.
SAME_WORK = 0.01
STAGES = ("kinematics", "inertia", "collision", "rows", "velocity", "actuation", "solver", "rest", "step")


class Row:
    """One model: the measurements of every engine, round by round."""

    def __init__(self, name: str, ours: list[Measurement], theirs: dict[str, list[Measurement]]) -> None:
        self.name = name
        self.ours = middle(ours)
        self.theirs = {release: middle(runs) for release, runs in theirs.items()}

    def ratio(self, release: str) -> float:
        """Our speed over a release's."""
        return self.ours.steps_per_second / self.theirs[release].steps_per_second

    def ratio_all_threads(self, release: str) -> float | None:
        """The same for several threads together."""
        ours, theirs = self.ours.steps_per_second_all_threads, self.theirs[release].steps_per_second_all_threads
        return ours / theirs if ours and theirs else None

    def different_work(self, release: str) -> list[str]:
        """What the engines did not do the same number of times."""
        theirs = self.theirs[release]
        pairs = {
            "contacts": (self.ours.contacts, theirs.contacts),
            "rows": (self.ours.rows, theirs.rows),
            "iterations": (self.ours.iterations, theirs.iterations),
        }
        return [
            f"{name} {a:.3g} | {b:.3g}"
            for name, (a, b) in pairs.items()
            if abs(a - b) > SAME_WORK * max(abs(a), abs(b)) + 1e-3
        ]

    def costs_most(self, release: str) -> str:
        """The stage in which we lose most time to a release, or nothing if we lose none."""
        losses = {name: self.ours.stages[name] - self.theirs[release].stages[name] for name in STAGES[:-1]}
        worst = max(losses, key=lambda name: losses[name])
        return f"{worst} +{losses[worst]:.2f} µs" if losses[worst] > 0 else ""


def middle(runs: list[Measurement]) -> Measurement:
    """Medians of the speeds and times; the counts do not change between rounds."""
    together = [run.steps_per_second_all_threads for run in runs if run.steps_per_second_all_threads]
    return Measurement(
        statistics.median(run.steps_per_second for run in runs),
        runs[0].contacts,
        runs[0].rows,
        runs[0].iterations,
        {name: statistics.median(run.stages[name] for run in runs) for name in STAGES},
        statistics.median(together) if together else None,
    )


def geometric_mean(ratios: Iterable[float]) -> float:
    """The mean that treats twice as fast and twice as slow alike."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(statistics.fmean(logs)) if logs else math.nan


def print_row(row: Row) -> None:
    """One model: ratios, speeds, counts, then the stages side by side, ours before theirs."""
    ratios = "  ".join(f"{row.ratio(release):5.2f} × {release}" for release in row.theirs)
    print(f"{row.name:20} {ratios}   {row.ours.steps_per_second:9.0f} steps/s", flush=True)
    counts = f"contacts {row.ours.contacts:.2f}, rows {row.ours.rows:.2f}, iterations {row.ours.iterations:.2f}"
    print(f"    {counts}")
    names = ["sinew", *row.theirs]
    print("    " + f"{'µs':12}" + "".join(f"{name:>12}" for name in STAGES))
    for name, stages in zip(names, [row.ours.stages, *(one.stages for one in row.theirs.values())]):
        print(f"    {name:12}" + "".join(f"{stages[stage]:12.2f}" for stage in STAGES))


def print_summary(rows: list[Row], releases: list[str]) -> None:
    """The table of ratios, one line per model, and their means."""
    if not rows:
        return
    print(f"\n{'model':20}{'steps/s':>10}" + "".join(f"{'/ ' + release:>10}" for release in releases) + "  note")
    for row in rows:
        cells = "".join(f"{row.ratio(name):10.2f}" if name in row.theirs else f"{'–':>10}" for name in releases)
        print(f"{row.name:20}{row.ours.steps_per_second:10.0f}{cells}  {_note(row)}")
    raced = {release: [row for row in rows if release in row.theirs] for release in releases}
    _print_means("geometric mean", raced)
    same = {release: [row for row in raced[release] if not row.different_work(release)] for release in releases}
    _print_means("where the work is the same", same)


def _print_means(title: str, rows: dict[str, list[Row]]) -> None:
    means = {release: geometric_mean(row.ratio(release) for row in chosen) for release, chosen in rows.items()}
    cells = "".join(f"{'–':>10}" if math.isnan(mean) else f"{mean:10.2f}" for mean in means.values())
    print(f"{title:30}{cells}")


def _note(row: Row) -> str:
    notes, releases = [], list(row.theirs)
    for release in releases:
        different = row.different_work(release)
        if different:
            notes.append(f"work differs from {release}: {', '.join(different)}")
    slowest = min(releases, key=row.ratio)
    if row.ratio(slowest) < 1 and row.costs_most(slowest):
        notes.append(f"loses to {slowest} in {row.costs_most(slowest)}")
    for release in releases:
        together = row.ratio_all_threads(release)
        if together:
            notes.append(f"all threads {together:.2f} × {release}")
    return "; ".join(notes)

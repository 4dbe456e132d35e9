"""Saved models loaded again. ``python -m conformance.round_trip [MODELS…]``, by default every group of the comparison.

Each model is loaded by sinew and saved by ``mj_saveLastXML``; the text is loaded again by both engines as if it lay beside the
model. Two things are asked:

`again`      sinew's model of the text is the model that was saved, within the text's six digits
`reference`  both engines make the same model of the text, by the rules of ``python -m conformance``

Numbers of a text are right to 5e-6 of their size; what follows from many of them may be off by more. Some things a text does
not say: which mesh a primitive was fitted to, sizes that a shape does not have, where a pinned node stands in its body, by how
many digits a geom missed the frame of its body. A field that comes back the way the reference's own text brings it back is
`lost` by both; it is named, and the model counts as the same.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from conformance.compare import FieldResult, compare_field
from conformance.engines import DEFAULT_ENGINE, Engine, candidate, reference
from conformance.fields import model_fields, read_field
from conformance.outcome import run
from conformance.pair import Sampling
from conformance.report import describe
from conformance.sources import GROUPS, ModelSource, resolve
from conformance.tolerances import Tolerance

TEXT = Tolerance("text", 2e-5, "numbers are saved with six digits")

# What depends on the order of equal or nearly equal numbers.
UNORDERED = ("bvh_", "oct_")

# Where files lie is said from the model's own folders, also of those of attached models, so that their names are compared.
FILES = ("hfield_pathadr", "mesh_pathadr", "skin_pathadr", "tex_pathadr")
PATHS = ("paths", "npaths", *FILES)


@dataclass(frozen=True)
class Again(ModelSource):
    """A saved text that stands where its model stood."""

    folder: Path | None = None

    def load(self, engine: Engine) -> Any:
        """Load with one engine; raises what the engine raises."""
        spec = engine.module.MjSpec.from_string(self.text, assets=dict(self.assets))
        if self.folder is not None:
            spec.modelfiledir = str(self.folder)
        return spec.compile()


@dataclass(frozen=True)
class Trip:
    """What came of one model."""

    source: ModelSource
    text: str = ""
    # Why it could not be saved, loaded or compared; "" if it could.
    said: str = ""
    wrong: tuple[FieldResult, ...] = ()
    # Fields that the reference's text does not bring back either.
    lost: tuple[str, ...] = ()
    # Models that sinew or the reference refuses are of no use here.
    is_model: bool = True

    @property
    def passed(self) -> bool:
        return not self.said and not self.wrong


def saved(engine: Engine, model: Any) -> str:
    """What an engine writes of the model that it loaded last."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "saved.xml"
        engine.call("mj_saveLastXML", str(file), model)
        return file.read_text()


def compare_texts(model: Any, again: Any, names: list[str]) -> list[FieldResult]:
    """Fields in which a model that was loaded again differs from the one that was saved by more than the digits of a text."""
    results = []
    for name in names:
        if name.startswith(UNORDERED) or name in PATHS:
            continue
        before, after = read_field(model, name), read_field(again, name)
        if before is not None:
            results.append(compare_field(name, before, after, limit=TEXT, smallest_scale=0.0))
    before, after = files(model), files(again)
    if before != after:
        results.append(FieldResult("files", False, np.inf, np.inf, note=f"{before} became {after}"))
    return [result for result in results if not result.passed]


def files(model: Any) -> list[str]:
    """Names of all files, without folders."""
    every = bytes(model.paths)
    starts = [int(start) for name in FILES for start in getattr(model, name)]
    return [Path(every[start:].split(b"\0")[0].decode()).name if start >= 0 else "" for start in starts]


def beside(source: ModelSource, text: str) -> Again:
    """A text as if it lay where its model lies."""
    folder = source.path.parent if source.path else None
    return Again(source.name, source.group, text=text, assets=source.assets, folder=folder)


def agree(field: str, one: Any, other: Any) -> bool:
    """Whether two models have the same in a field, within the digits of a text."""
    before, after = read_field(one, field), read_field(other, field)
    return before is not None and compare_field(field, before, after, limit=TEXT, smallest_scale=0.0).passed


def travel(source: ModelSource, ours: Engine, theirs: Engine) -> Trip:
    """Saves a model and loads it again in both engines."""
    try:
        expected = source.load(theirs)
    except Exception as error:
        return Trip(source, said=str(error), is_model=False)
    text = ""
    try:
        model = source.load(ours)
        text = saved(ours, model)
        file = beside(source, text)
        again = file.load(ours)
        wrong = compare_texts(model, again, list(model_fields(expected)))
    except Exception as error:
        return Trip(source, text, f"again: {type(error).__name__}: {error}")
    outcome = run(file, theirs, ours, "model", Sampling(1, 0))
    misread = [] if outcome.passed else outcome.failures
    lost = lost_by_both(source, theirs, (model, again, file), wrong, misread) if wrong or misread else ()
    left = [replace(found, note=f"again  {found.note}") for found in wrong if found.field not in lost]
    left += [replace(found, note=f"reference  {found.note}") for found in misread if found.field not in lost]
    said = "" if outcome.passed or outcome.failures else f"reference: {outcome.status}: {outcome.message}"
    return Trip(source, text, said, tuple(left), lost)


def lost_by_both(
    source: ModelSource,
    theirs: Engine,
    here: tuple[Any, Any, Again],
    wrong: list[FieldResult],
    misread: list[FieldResult],
) -> tuple[str, ...]:
    """Fields that the reference's own text does not bring back either: they become here what they become there, or sinew
    brings them back from its text and the reference reads from it what it reads from its own."""
    model, again, file = here
    try:
        source_again = beside(source, saved(theirs, source.load(theirs))).load(theirs)
        text_again = file.load(theirs)
    except Exception:
        return ()
    lost = [found.field for found in wrong if agree(found.field, source_again, again)]
    kept = [found.field for found in misread if agree(found.field, model, again)]
    return (*lost, *(name for name in kept if agree(name, source_again, text_again)))


def arguments(given: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m conformance.round_trip",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("models", nargs="*", default=["all"], help=f"files, folders, or groups: {', '.join(GROUPS)}")
    parser.add_argument("--filter", action="append", default=[], metavar="TEXT", help="only models whose name has TEXT")
    parser.add_argument("--fields", type=int, default=8, help="differing fields printed per model (default: 8)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the texts of models that differ there")
    return parser.parse_args(given)


def show(trip: Trip, most: int) -> None:
    print(f"FAIL {trip.source.group}:{trip.source.name}  {trip.said.splitlines()[0] if trip.said else ''}")
    for found in trip.wrong[:most]:
        print(f"       {describe(found)}")
    if len(trip.wrong) > most:
        print(f"       … and {len(trip.wrong) - most} more")
    sys.stdout.flush()


def keep(trip: Trip, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    name = trip.source.name.replace("/", "+").removesuffix(".xml")
    (folder / f"{trip.source.group}+{name}.xml").write_text(trip.text)


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    ours, theirs = candidate(DEFAULT_ENGINE), reference()
    trips = []
    for source in resolve(options.models, options.filter):
        trip = travel(source, ours, theirs)
        if not trip.is_model:
            continue
        trips.append(trip)
        if trip.lost:
            print(f"note {source.group}:{source.name}: lost as by the reference: {', '.join(trip.lost)}", flush=True)
        if not trip.passed:
            show(trip, options.fields)
            if options.keep:
                keep(trip, options.keep)
    good = sum(trip.passed for trip in trips)
    print(f"{good} of {len(trips)} models are the same after they were saved and loaded again by both engines")
    print(f"{sum(bool(trip.lost) for trip in trips)} of them but for what the reference's text does not say either")
    return int(not trips or good < len(trips))


if __name__ == "__main__":
    raise SystemExit(main())

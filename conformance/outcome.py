"""Running one model through both engines, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conformance.compare import FieldResult
from conformance.engines import Engine
from conformance.pair import Pair, Sampling, StageMissing
from conformance.sources import ModelSource
from conformance.stages import STAGES

EQUAL = "equal"
DIFFERENT = "different"
LOAD_FAILED = "sinew cannot load"
WRONGLY_LOADED = "only sinew loads"
BOTH_REFUSE = "refused by both"
PLUGIN_MESH = "mesh made by a plugin, not supported yet"
SDF = "collides through a plugin, not supported yet"
NOT_COMPARABLE = "not comparable"

_PASSING = {EQUAL, BOTH_REFUSE, PLUGIN_MESH, SDF, NOT_COMPARABLE}

# The reference's code of geoms whose surface a plugin computes, and the stages in which they collide.
_SDF_GEOM = 8
_COLLIDING = {"contact", "trajectory"}


@dataclass
class Outcome:
    """The result for one model."""

    source: ModelSource
    status: str
    message: str = ""
    results: list[FieldResult] = field(default_factory=list)
    states: int = 0
    compared: int = 0
    identical: int = 0

    @property
    def passed(self) -> bool:
        """Whether the model counts as conforming."""
        return self.status in _PASSING

    @property
    def failures(self) -> list[FieldResult]:
        """Fields out of tolerance, largest difference first."""
        failing = [result for result in self.results if not result.passed]
        return sorted(failing, key=lambda result: -result.relative)


def run(source: ModelSource, reference: Engine, candidate: Engine, stage: str, sampling: Sampling) -> Outcome:
    """Load a model in both engines and compare at a stage."""
    expected, refusal = _attempt(source, reference)
    actual, complaint = _attempt(source, candidate)
    if refusal is not None:
        if complaint is not None:
            return Outcome(source, BOTH_REFUSE, refusal)
        return Outcome(source, WRONGLY_LOADED, f"reference says: {refusal}")
    if complaint is not None:
        # Meshes that only a plugin can make come later.
        if expected.nplugin > 0 and "meshes made by a plugin" in complaint:
            return Outcome(source, PLUGIN_MESH, complaint)
        return Outcome(source, LOAD_FAILED, complaint)
    if stage in _COLLIDING and (expected.geom_type == _SDF_GEOM).any():
        return Outcome(source, SDF)
    if stage in _COLLIDING and expected.nflex:
        expected, actual = (source.load_roomy(engine) for engine in (reference, candidate))
    pair = Pair(reference, candidate, expected, actual)
    try:
        found = STAGES[stage](pair, sampling)
    except StageMissing:
        raise
    except Exception as error:  # an engine that fails in the middle is a finding, not a crash of the tool
        return Outcome(source, DIFFERENT, f"{type(error).__name__}: {error}")
    return Outcome(source, _status(found.fields), "", found.fields, found.states, found.compared, found.identical)


def _status(results: list[FieldResult]) -> str:
    """Equal only if something was compared."""
    if not all(result.passed for result in results):
        return DIFFERENT
    return EQUAL if any(result.comparable for result in results) else NOT_COMPARABLE


def _attempt(source: ModelSource, engine: Engine) -> tuple[Any, str | None]:
    """The loaded model, or why it was refused."""
    try:
        return source.load(engine), None
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # a panic in native code is not an Exception
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        return None, f"{kind}{error}".strip()

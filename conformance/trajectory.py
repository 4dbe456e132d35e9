"""Trajectories, beside the growth of tiny perturbations of the reference itself.

One rule: positions may differ by 1e-9, or by ten times what the reference makes of a change of its own first state by
1e-14 (1e-13 with contacts), whichever is more. Both numbers are printed. Once the reference strays by more than 1e-3
from itself, or becomes unstable and starts anew, nothing can be said any more and the comparison ends there; the report
says after how many steps. A trajectory that ends so before its first point of comparison is not comparable: it is
counted as such, neither as equal nor as different.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.compare import FieldResult
from conformance.engines import Engine
from conformance.pair import Pair, Sampling
from conformance.rollout import snapshot
from conformance.states import apply, random_controls
from conformance.tolerances import (
    CHAOTIC,
    CONTACT_PERTURBATION,
    SMOOTH_PERTURBATION,
    TRAJECTORY,
    TRAJECTORY_GROWTH,
    TRAJECTORY_STEP,
)
from conformance.worst import StageResult

# Codes of the reference.
CONSTRAINT_OFF = 1 << 0
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}
# Warnings about positions, velocities and accelerations.
DIVERGED = (4, 5, 6)

# Steps of a trajectory with contacts, at most; contacts make most motions chaotic.
CONTACT_STEPS = 100
# Points along the way at which positions are compared.
POINTS = 20
# Perturbed runs of the reference; the one that strays farthest counts.
PERTURBED = 3


def compare_trajectory(pair: Pair, sampling: Sampling) -> StageResult:
    """Each integrator without constraints, then each solver with them."""
    pair.keep_awake()
    pair.collide_natively()
    pair.solve_whole()
    pair.slide_only()
    sampling = sampling.for_size(pair.reference.nv)
    results = []
    before = [(m.opt.integrator, m.opt.solver, m.opt.disableflags) for m in pair.models]
    flag, label = (0, "everything on") if _stays_free(pair, sampling) else (CONSTRAINT_OFF, "no constraints")
    for name, code in INTEGRATORS.items():
        for model in pair.models:
            model.opt.integrator = code
            model.opt.disableflags |= flag
        results.append(_compare(pair, f"qpos, {label}, {name}", sampling, sampling.steps, SMOOTH_PERTURBATION))
    for model, (integrator, _solver, flags) in zip(pair.models, before, strict=True):
        model.opt.integrator, model.opt.disableflags = integrator, flags
    if flag:
        for name, code in SOLVERS.items():
            for model in pair.models:
                model.opt.solver = code
            steps = min(CONTACT_STEPS, sampling.steps)
            results.append(_compare(pair, f"qpos, contacts, {name}", sampling, steps, CONTACT_PERTURBATION))
    compared = sum(result.comparable for result in results)
    identical = sum(result.is_identical for result in results)
    return StageResult(results, sum(sampling.steps for _ in INTEGRATORS), compared, identical)


class Start:
    """How a trajectory begins: a push, constant controls, and small changes for the perturbed runs."""

    def __init__(self, model: Any, seed: int, size: float) -> None:
        generator = np.random.default_rng(seed)
        self.push = 0.1 * generator.normal(size=model.nv)
        self.controls = random_controls(model, generator)
        self.nudges = [size * generator.normal(size=model.nv) for _ in range(PERTURBED)]


def _compare(pair: Pair, field: str, sampling: Sampling, steps: int, size: float) -> FieldResult:
    """One trajectory of both engines and of the perturbed reference."""
    start = Start(pair.reference, sampling.seed, size)
    expected = _Run(pair.reference_engine, pair.reference, start)
    perturbed = [_Run(pair.reference_engine, pair.reference, start, nudge) for nudge in start.nudges]
    actual = _Run(pair.candidate_engine, pair.candidate, start)
    difference = growth = 0.0
    chunk = max(1, steps // POINTS)
    compared = 0
    for _ in range(steps // chunk):
        for run in (expected, *perturbed, actual):
            run.advance(chunk)
        strayed = max(_distance(expected, run) for run in perturbed)
        if strayed > CHAOTIC or any(run.has_diverged() for run in (expected, *perturbed)):
            break
        compared += chunk
        growth = max(growth, strayed)
        difference = max(difference, _distance(expected, actual))
    end = "the reference is unstable" if expected.has_diverged() else "chaotic"
    if compared == 0:
        note = f"not comparable: {end} within the first {chunk} steps; perturbed by {size:.0e}: {strayed:.1e}"
        return FieldResult(field, True, note=note, comparable=False)
    limit = max(TRAJECTORY, TRAJECTORY_GROWTH * growth)
    passed = difference <= limit
    note = f"{difference:.1e} after {compared} steps; perturbed by {size:.0e}: {growth:.1e}"
    if compared < steps // chunk * chunk:
        note += f"; {end} from there"
    if not passed:
        note += "; " + _first_parting(pair, start, steps)
    return FieldResult(field, passed, difference, difference, limit, note=note)


def _first_parting(pair: Pair, start: Start, steps: int) -> str:
    """Where single steps differ when the reference starts them from the candidate's own state."""
    run = _Run(pair.candidate_engine, pair.candidate, start)
    data = pair.reference_engine.data(pair.reference)
    worst, first = 0.0, None
    for step in range(steps):
        apply(snapshot(run.data), data)
        pair.reference_engine.call("mj_step", pair.reference, data)
        run.advance(1)
        difference = _difference(data.qpos, run.data.qpos)
        if first is None and difference > TRAJECTORY_STEP:
            first = step
        worst = max(worst, difference)
    where = f"step {first} is the first beyond {TRAJECTORY_STEP:.0e}" if first is not None else "no step parts them"
    return f"from the same state a step differs by at most {worst:.1e}; {where}"


class _Run:
    """One simulation with constant controls from the initial state, or the first keyframe."""

    def __init__(self, engine: Engine, model: Any, start: Start, nudge: np.ndarray | None = None) -> None:
        self.engine, self.model, self.data = engine, model, engine.data(model)
        if model.nkey:
            engine.call("mj_resetDataKeyframe", model, self.data, 0)
        self.data.qvel = self.data.qvel + start.push
        self.data.ctrl = start.controls
        if nudge is not None:
            self.data.qvel = self.data.qvel + nudge
            engine.call("mj_integratePos", model, self.data.qpos, nudge, 1.0)

    def advance(self, steps: int) -> None:
        """Simulate on."""
        self.engine.call("mj_step", self.model, self.data, steps)

    def has_diverged(self) -> bool:
        """Whether a position, velocity or acceleration was too large, after which a simulation starts anew."""
        return any(self.data.warning[kind].number > 0 for kind in DIVERGED)


def _stays_free(pair: Pair, sampling: Sampling) -> bool:
    """Whether the reference meets no contact and no constraint along the way, with everything on."""
    run = _Run(pair.reference_engine, pair.reference, Start(pair.reference, sampling.seed, 0.0))
    for _ in range(sampling.steps):
        run.advance(1)
        if run.data.nefc or run.data.ncon:
            return False
    return True


def _distance(one: _Run, other: _Run) -> float:
    return _difference(one.data.qpos, other.data.qpos)


def _difference(expected: np.ndarray, actual: np.ndarray) -> float:
    """Largest difference of a position; infinite if one is not finite."""
    if expected.size == 0:
        return 0.0
    difference = float(np.abs(expected - actual).max())
    return difference if np.isfinite(difference) else float("inf")

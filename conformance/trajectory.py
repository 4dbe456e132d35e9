"""Trajectories, beside the growth of a tiny perturbation of the reference itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from conformance.compare import FieldResult
from conformance.engines import Engine
from conformance.pair import Pair, Sampling
from conformance.rollout import snapshot
from conformance.states import apply, random_controls
from conformance.tolerances import (
    CONTACT_PERTURBATION,
    SMOOTH_PERTURBATION,
    TRAJECTORY,
    TRAJECTORY_GROWTH,
    TRAJECTORY_STEP,
)

# Codes of the reference.
CONSTRAINT_OFF = 1 << 0
INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}

# Steps of a trajectory with contacts, at most; contacts make most motions chaotic.
CONTACT_STEPS = 100
# Points along the way at which positions are compared.
POINTS = 20


def compare_trajectory(pair: Pair, sampling: Sampling) -> list[FieldResult]:
    """Each integrator without constraints, then each solver with them."""
    pair.keep_awake()
    sampling = sampling.for_size(pair.reference.nv)
    results = []
    before = [(m.opt.integrator, m.opt.solver, m.opt.disableflags) for m in pair.models]
    for name, code in INTEGRATORS.items():
        for model in pair.models:
            model.opt.integrator = code
            model.opt.disableflags |= CONSTRAINT_OFF
        results.append(_compare(pair, f"qpos, {name}", sampling, sampling.steps, SMOOTH_PERTURBATION))
    for model, (integrator, _solver, flags) in zip(pair.models, before, strict=True):
        model.opt.integrator, model.opt.disableflags = integrator, flags
    for name, code in SOLVERS.items():
        for model in pair.models:
            model.opt.solver = code
        steps = min(CONTACT_STEPS, sampling.steps)
        results.append(_compare(pair, f"qpos, contacts, {name}", sampling, steps, CONTACT_PERTURBATION))
    return results


def _compare(pair: Pair, field: str, sampling: Sampling, steps: int, size: float) -> FieldResult:
    """One trajectory of both engines and of the perturbed reference."""
    generator = np.random.default_rng(sampling.seed)
    push = 0.1 * generator.normal(size=pair.reference.nv)
    controls = random_controls(pair.reference, generator)
    nudge = size * generator.normal(size=pair.reference.nv)
    expected = _Run(pair.reference_engine, pair.reference, push, controls)
    perturbed = _Run(pair.reference_engine, pair.reference, push + nudge, controls)
    pair.reference_engine.call("mj_integratePos", pair.reference, perturbed.data.qpos, nudge, 1.0)
    actual = _Run(pair.candidate_engine, pair.candidate, push, controls)
    difference = growth = 0.0
    chunk = max(1, steps // POINTS)
    for _ in range(steps // chunk):
        for run in (expected, perturbed, actual):
            run.advance(chunk)
        difference = max(difference, _distance(expected, actual))
        growth = max(growth, _distance(expected, perturbed))
    limit = max(TRAJECTORY, TRAJECTORY_GROWTH * growth)
    passed = difference <= limit
    note = f"{difference:.1e} after {steps} steps; perturbed by {size:.0e}: {growth:.1e}"
    if not passed:
        worst = _worst_step(pair, _Run(pair.candidate_engine, pair.candidate, push, controls), steps)
        passed = worst <= TRAJECTORY_STEP
        note += f"; from the same state no step differs by more than {worst:.1e}"
    return FieldResult(field, passed, difference, difference, limit, note=note)


def _worst_step(pair: Pair, run: _Run, steps: int) -> float:
    """Largest difference that one step makes when the reference starts it from the candidate's own state.

    A motion may pass a point where a change in the last bit changes everything, and the perturbed runs miss it. Then
    the engines part, but each step still agrees.
    """
    data = pair.reference_engine.data(pair.reference)
    worst = 0.0
    for _ in range(steps):
        apply(snapshot(run.data), data)
        pair.reference_engine.call("mj_step", pair.reference, data)
        run.advance(1)
        worst = max(worst, _difference(data.qpos, run.data.qpos))
    return worst


class _Run:
    """One simulation with constant controls from the initial state, or the first keyframe."""

    def __init__(self, engine: Engine, model: Any, push: np.ndarray, controls: np.ndarray) -> None:
        self.engine, self.model, self.data = engine, model, engine.data(model)
        if model.nkey:
            engine.call("mj_resetDataKeyframe", model, self.data, 0)
        self.data.qvel = self.data.qvel + push
        self.data.ctrl = controls

    def advance(self, steps: int) -> None:
        """Simulate on."""
        self.engine.call("mj_step", self.model, self.data, steps)


def _distance(one: _Run, other: _Run) -> float:
    return _difference(one.data.qpos, other.data.qpos)


def _difference(expected: np.ndarray, actual: np.ndarray) -> float:
    """Largest difference of a position; infinite if one is not finite."""
    if expected.size == 0:
        return 0.0
    difference = float(np.abs(expected - actual).max())
    return difference if np.isfinite(difference) else float("inf")

"""Motion without constraints: velocities, forces, acceleration, derivatives, energy and sensors at random states.

Constraints are switched off in both engines. States at which the reference has none anyway are compared once more with
everything on.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from conformance.angles import Settled
from conformance.compare import FieldResult
from conformance.data_fields import compare_data, restore
from conformance.pair import Pair, Sampling
from conformance.states import State, random_states
from conformance.tolerances import (
    DERIVATIVE_FIELDS,
    FORCE_FIELDS,
    SMOOTH_SENSOR_FIELDS,
    VELOCITY_FIELDS,
)
from conformance.worst import StageResult, Worst

# Codes of the reference.
CONSTRAINT_OFF = 1 << 0
ENERGY_ON = 1 << 1
IMPLICIT = {"implicit": 2, "implicitfast": 3}

FIELDS = VELOCITY_FIELDS | FORCE_FIELDS | SMOOTH_SENSOR_FIELDS


def compare_smooth(pair: Pair, sampling: Sampling) -> StageResult:
    """All fields of the smooth stages."""
    pair.keep_awake()
    for model in pair.models:
        model.opt.enableflags |= ENERGY_ON
    sampling = sampling.for_size(pair.reference.nv)
    settled = Settled(pair.reference)
    states = [settled.state(state) for state in random_states(pair.reference, sampling.states, sampling.seed)]
    worst = Worst()
    data = pair.data()
    with _settings(pair):
        for model in pair.models:
            model.opt.disableflags |= CONSTRAINT_OFF
        for number, state in enumerate(states):
            worst.add(_forward(pair, data, state, number, ""))
            worst.add(_derivatives(pair, data, state, number))
    # Vertices of a flex at random places touch by the thousand.
    if pair.reference.nflex == 0 and _starts_free(pair):
        for number, state in enumerate(states):
            found = _forward(pair, data, state, number, ", everything on")
            if data[0].nefc == 0 and data[0].ncon == 0:
                worst.add(found)
    return worst.stage(len(states), settled.result())


def _forward(pair: Pair, data: tuple[Any, Any], state: State, number: int, suffix: str) -> list[FieldResult]:
    """Fields after forward dynamics."""
    restore(pair, data, (state, state))
    pair.call("mj_forward", data)
    pair.call("mj_subtreeVel", data)
    return compare_data(pair, data, FIELDS, number, suffix, smallest_scale=0.0)


def _derivatives(pair: Pair, data: tuple[Any, Any], state: State, number: int) -> list[FieldResult]:
    """Derivatives of the smooth forces by velocities, as the implicit integrators leave them behind."""
    results = []
    with _settings(pair):
        for name, code in IMPLICIT.items():
            for model in pair.models:
                model.opt.integrator = code
            restore(pair, data, (state, state))
            pair.call("mj_step", data)
            results += compare_data(pair, data, DERIVATIVE_FIELDS, number, f", {name}", smallest_scale=0.0)
    return results


def _starts_free(pair: Pair) -> bool:
    """Whether the reference has no contact and no constraint row in the initial state."""
    data = pair.reference_engine.data(pair.reference)
    pair.reference_engine.call("mj_forward", pair.reference, data)
    return data.nefc == 0 and data.ncon == 0


@contextmanager
def _settings(pair: Pair) -> Iterator[None]:
    """Gives integrator and flags back at the end."""
    before = [(model.opt.integrator, model.opt.disableflags) for model in pair.models]
    try:
        yield
    finally:
        for model, (integrator, flags) in zip(pair.models, before, strict=True):
            model.opt.integrator, model.opt.disableflags = integrator, flags

"""Which fields agree to the last bit, at states of the reference's own motion.

    python -m conformance.bits own gymnasium --states 20 --solver 1

Prints for each model the fields with unequal entries, in the order in which a step computes them: the first one is
where the engines part. Nothing here passes or fails; it is the tool for finding the operation that differs.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from conformance.data_fields import read, restore
from conformance.engines import candidate, reference
from conformance.pair import Pair
from conformance.position_fields import read_position_field
from conformance.rollout import rollout_states
from conformance.sources import ModelSource, resolve
from conformance.tolerances import CONTACT_FIELDS, FORCE_FIELDS, POSITION_FIELDS, ROW_FIELDS, VELOCITY_FIELDS

FIELDS = (
    *POSITION_FIELDS, *CONTACT_FIELDS, *VELOCITY_FIELDS, *ROW_FIELDS, *FORCE_FIELDS,
    "efc_b", "solver_niter", "efc_force", "qfrc_constraint", "qacc", "sensordata",
)  # fmt: skip
# Computed on request only, or sized beyond what is used.
LEFT_OUT = {"energy", "subtree_linvel", "subtree_angmom", "qM"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m conformance.bits")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--states", type=int, default=20)
    parser.add_argument("--solver", type=int, help="0 Gauss-Seidel, 1 conjugate gradients, 2 Newton")
    options = parser.parse_args()
    engines = reference(), candidate()
    for source in resolve(options.models, options.filter):
        pair = _load(source, engines)
        if pair is not None:
            unequal = _unequal(pair, options.states, options.solver)
            print(f"{source.group}:{source.name}: {', '.join(unequal) or 'equal to the last bit'}", flush=True)


def _load(source: ModelSource, engines: Any) -> Pair | None:
    try:
        return Pair(*engines, *(source.load(engine) for engine in engines))
    except Exception:  # what does not load is the business of the other stages
        return None


def _unequal(pair: Pair, states: int, solver: int | None) -> list[str]:
    """The fields with unequal entries: how many, of how many, and the largest difference."""
    pair.keep_awake()
    pair.collide_natively()
    data = pair.data()
    counts: dict[str, list[float]] = {}
    own = pair.reference.opt.solver
    for state in rollout_states(pair.reference_engine, pair.reference, states, 0):
        for model in pair.models:
            model.opt.solver = own if solver is None else solver
        restore(pair, data, (state, state))
        pair.call("mj_forward", data)
        for model in pair.models:
            model.opt.solver = own
        for name in dict.fromkeys(FIELDS):
            if name not in LEFT_OUT:
                _count(pair, data, name, counts.setdefault(name, [0, 0, 0.0]))
    return [f"{name} {bad:.0f}/{all_:.0f} ({worst:.0e})" for name, (bad, all_, worst) in counts.items() if bad]


def _count(pair: Pair, data: tuple[Any, Any], name: str, count: list[float]) -> None:
    reader = read_position_field if name in POSITION_FIELDS else read
    expected, actual = (reader(model, one, name) for model, one in zip(pair.models, data, strict=True))
    if actual is None or expected.shape != actual.shape:
        count[0], count[1], count[2] = count[0] + 1, count[1] + 1, np.inf
        return
    unequal = (expected != actual) & ~((expected != expected) & (actual != actual))
    count[0] += int(unequal.sum())
    count[1] += expected.size
    if unequal.any():
        count[2] = max(count[2], float(np.abs(expected.astype(float) - actual)[unequal].max()))


if __name__ == "__main__":
    main()

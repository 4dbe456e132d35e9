"""Whether worlds on a device are those on the processor, and the same each time."""

from __future__ import annotations

import numpy as np

from conformance.gpu_race.work import Work, host

FIELDS = ("qpos", "qvel", "act", "qacc_warmstart", "time")
# Controls change after so many steps.
SPAN = 10


def bits_that_differ(work: Work, device: str, worlds: int, marks: tuple[int, ...]) -> dict[int, tuple[int, int]]:
    """How many numbers of double precision have other bits than on the processor, of how many, after some steps."""
    here, there = (work.batch(worlds, where, "f64") for where in ("cpu", device))
    found, made = {}, 0
    for mark in marks:
        while made < mark:
            steps = min(SPAN - made % SPAN, mark - made)
            if made % SPAN == 0:
                here.ctrl[:] = there.ctrl[:] = work.controls(worlds, made)
            here.step(steps)
            there.step(steps)
            made += steps
        pairs = [(host(getattr(here, name)), host(getattr(there, name))) for name in FIELDS]
        different = sum(int((a.view(np.uint64) != b.view(np.uint64)).sum()) for a, b in pairs)
        found[mark] = different, sum(a.size for a, _ in pairs)
    return found


def single_precision_errors(work: Work, device: str, worlds: int) -> dict[str, tuple[float, float, float]]:
    """Errors of a step in single precision, relative to the largest number of a world's vector: median, 99 %, largest."""
    there, here = work.batch(worlds, device, "f32"), work.batch(worlds, "cpu", "f64")
    # Some steps on, and from the very same states.
    there.step(5)
    for name in ("qpos", "qvel", "act", "qacc_warmstart", "ctrl"):
        getattr(here, name)[:] = host(getattr(there, name))
    here.step()
    there.step()
    found = {}
    for name in ("qpos", "qvel", "qacc_warmstart"):
        exact, got = host(getattr(here, name)), host(getattr(there, name)).astype(np.float64)
        errors = abs(got - exact).max(axis=1) / np.maximum(1.0, abs(exact).max(axis=1))
        found[name] = tuple(float(x) for x in np.quantile(errors, [0.5, 0.99, 1.0]))
    return found


def repeats(work: Work, device: str, precision: str, few: int, many: int, steps: int) -> tuple[bool, bool]:
    """Whether two runs have the same bits, and whether worlds among few and among many have."""

    def run(worlds: int) -> bytes:
        batch = work.batch(worlds, device, precision)
        batch.step(steps)
        return host(batch.blocks)[:few].tobytes()

    first = run(few)
    return first == run(few), first == run(many)

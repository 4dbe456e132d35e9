"""Quadratic programs within a box: minimise ½·xᵀ·H·x + g·x for lower ≤ x ≤ upper.

Projected Newton steps: variables that press against their bound are held, the others take a Newton step, which is cut
back along its projection until it improves enough (Tassa et al., "Control-limited differential dynamic programming",
2014).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._numeric import mju_cholFactor, mju_cholSolve
from ._target import Array, check, vector

_ITERATIONS = 100
# Squared gradient below which the minimum is found, and the least step and improvement of the line search.
_GRADIENT = 1e-16
_STEP = 1e-22
_ARMIJO = 0.1


def mju_boxQP(
    res: Array, R: Array, index: npt.NDArray[np.int32] | None, H: npt.ArrayLike, g: npt.ArrayLike,
    lower: npt.ArrayLike | None, upper: npt.ArrayLike | None,
) -> int:  # fmt: skip
    """Minimises ½·xᵀ·H·x + g·x within bounds, starting at ``res``, where the answer goes.

    Returns the number of variables that are free, which ``index`` lists and whose factor stands at the start of ``R``;
    -1 if there is no minimum.
    """
    gradient = vector("g", g)
    count = gradient.size
    hessian = vector("H", H, count * count).reshape(count, count)
    check("res", res, (count,))
    check("R", R, (count * (count + 7),))
    if index is not None:
        check("index", index, (count,), np.int32)
    low = np.full(count, -np.inf) if lower is None else vector("lower", lower, count)
    high = np.full(count, np.inf) if upper is None else vector("upper", upper, count)
    if not count or (low >= high).any():
        raise ValueError("upper bounds must be above lower bounds, and there must be variables")
    is_bounded = lower is not None or upper is not None
    start = np.clip(res.ravel(), low, high) if is_bounded else np.zeros(count)
    x, free, factor = _minimize(hessian, gradient, low, high, start)
    if x is not None:
        res[...] = x.reshape(res.shape)
    if index is not None:
        index.flat[: len(free)] = free
    if factor is not None:
        R.flat[: factor.size] = factor.ravel()
    return len(free) if x is not None else -1


def _minimize(hessian, linear, low, high, x):
    """The minimum (none if there is none), the free variables and their factor."""
    free, factor, held_before = np.arange(len(x)), None, None
    for _ in range(_ITERATIONS):
        gradient = hessian @ x + linear
        held = ((x == low) & (gradient > 0)) | ((x == high) & (gradient < 0))
        free = np.flatnonzero(~held)
        if not len(free):
            return x, free, factor
        if held_before is None or (held != held_before).any():
            factor = np.tril(hessian[np.ix_(free, free)])
            if mju_cholFactor(factor, 1e-15) != len(free):
                return None, free, factor
        held_before = held
        target = np.zeros(len(free))
        mju_cholSolve(target, factor, (linear + hessian @ np.where(held, x, 0))[free])
        search = np.zeros(len(x))
        search[free] = -target - x[free]
        if gradient[free] @ gradient[free] < _GRADIENT:
            return x, free, factor
        slope = search @ gradient
        if slope >= 0:
            return None, free, factor
        x, is_done = _line_search(hessian, linear, low, high, x, search, slope)
        if is_done:
            break
    return x, free, factor


def _line_search(hessian, linear, low, high, x, search, slope):
    """A point along the projected direction that improves enough; whether the step became too small."""

    def value(x):
        return 0.5 * x @ hessian @ x + linear @ x

    before, step = value(x), 1.0
    while True:
        candidate = np.clip(x + step * search, low, high)
        step *= 0.5
        if step < _STEP:
            return candidate, True
        if (value(candidate) - before) / (step * slope) >= _ARMIJO:
            return candidate, False


BOXES = (mju_boxQP,)

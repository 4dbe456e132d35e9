"""Nonlinear least squares with bounds, under the names of the reference's module ``minimize``.

Gauss and Newton's method with Levenberg and Marquardt's regularization: each step minimises the quadratic model of the
objective within the bounds (``mju_boxQP``); the regularizer grows until the objective falls enough.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

import numpy as np

from . import mju_boxQP

Function = Callable[[np.ndarray], np.ndarray]

# The part of the fall that a step promises to first order which it has to bring.
_LEAST_FALL = 1e-2
# Ratios of the fall to the predicted one: above the first the regularizer shrinks, below the second it grows.
_GOOD, _POOR = 0.75, 0.25
# The largest relative difference between derivatives of users and differences.
_AGREEMENT = 1e-5


class Verbosity(enum.Enum):
    """How much is printed."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_REASON = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """One iteration: where it began, the objective there, how far it fell, the regularizer; the rest at
    ``Verbosity.FULLITER`` only."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """What is minimised, as a function of the residual."""

    @abc.abstractmethod
    def value(self, r: np.ndarray) -> Any:
        """The norm of a residual (a column)."""

    @abc.abstractmethod
    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """``proj.T @ gradient`` and ``proj.T @ hessian @ proj`` of the norm at a residual."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r: np.ndarray) -> float:
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r: np.ndarray, proj: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return proj.T @ r, proj.T @ proj


def least_squares(
    x0: np.ndarray,
    residual: Function,
    bounds: Sequence[np.ndarray] | None = None,
    jacobian: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
    norm: Norm = Quadratic(),  # noqa: B008
    eps: float = np.finfo(np.float64).eps ** 0.5,
    mu_min: float = 1e-6,
    mu_max: float = 1e8,
    mu_factor: float = 10.0**0.1,
    xtol: float = 1e-8,
    gtol: float = 1e-8,
    max_iter: int = 100,
    verbose: Verbosity | int = Verbosity.ITER,
    output: TextIO | None = None,
    iter_callback: Callable[[list[IterLog]], None] | None = None,
    check_derivatives: bool = False,
) -> tuple[np.ndarray, list[IterLog]]:
    """The ``x`` that makes the norm of ``residual(x)`` small, and the iterations that led to it.

    ``residual`` gets several points as columns and returns as many columns. Without ``jacobian(x, r)`` it is
    differentiated by differences of ``eps``. ``bounds`` are a lower and an upper bound of ``x``.
    """
    if mu_factor <= 1:
        raise ValueError(f"mu_factor must be greater than 1, not {mu_factor}")
    x = x0.astype(np.float64).reshape(-1, 1)
    limits = None if bounds is None else _checked_bounds(bounds, x.size)
    if limits is not None:
        x = np.clip(x, *limits)
    if not np.isfinite(x).all():
        raise ValueError("x0 must be finite")
    problem = _Problem(residual, jacobian, norm, np.float64(eps), limits)
    regularizer = _Regularizer(mu_min, mu_max, mu_factor)
    report = _Report(Verbosity(verbose).value, output, iter_callback)
    return _Search(problem, regularizer, report, (xtol, gtol)).run(x, max_iter, check_derivatives).reshape(
        x0.shape
    ), report.trace


def _checked_bounds(bounds: Sequence[np.ndarray], size: int) -> tuple[np.ndarray, np.ndarray]:
    if len(bounds) != 2:
        raise ValueError(f"bounds must be a lower and an upper bound, not {len(bounds)} things")
    lower, upper = (np.asarray(bound) for bound in bounds)
    if lower.size != size or upper.size != size:
        raise ValueError(f"bounds must have as many numbers as x0: {size}, not {lower.size} and {upper.size}")
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise ValueError("bounds must be finite")
    if not (lower < upper).all():
        raise ValueError("each lower bound must be smaller than its upper bound")
    return lower.reshape(-1, 1), upper.reshape(-1, 1)


class _Problem:
    """The functions of the user, with how often they were called and how long they took."""

    def __init__(self, residual: Function, jacobian: Any, norm: Norm, eps: np.float64, bounds: Any):
        self.function, self.derivative, self.norm, self.eps, self.bounds = residual, jacobian, norm, eps, bounds
        self.residuals = self.jacobians = 0
        self.residual_time = self.jacobian_time = 0.0

    def residual(self, x: np.ndarray) -> np.ndarray:
        start = time.perf_counter()
        found = self.function(x)
        self.residual_time += time.perf_counter() - start
        self.residuals += 1
        return found

    def jacobian(self, x: np.ndarray, r: np.ndarray) -> np.ndarray:
        start = time.perf_counter()
        if self.derivative is None:
            found, self.residuals = jacobian_fd(self.function, x, r, self.eps, self.residuals, self.bounds)
            self.residual_time += time.perf_counter() - start
        else:
            found = self.derivative(x, r)
            self.jacobian_time += time.perf_counter() - start
            self.jacobians += 1
        return found

    def check(self, x: np.ndarray, r: np.ndarray, jac: np.ndarray, output: TextIO | None) -> None:
        """Compares the derivatives of the user with differences."""
        if self.derivative is not None:
            self.residuals = check_jacobian(self.function, x, r, jac, self.eps, self.residuals, self.bounds, output)
        if not isinstance(self.norm, Quadratic):
            check_norm(r, self.norm, self.eps, output)

    def free(self, x: np.ndarray, grad: np.ndarray) -> np.ndarray:
        """The part of a gradient along which bounds let a point go down."""
        if self.bounds is None:
            return grad
        lower, upper = self.bounds
        is_held = ((x == lower) & (grad > 0)) | ((x == upper) & (grad < 0))
        return grad[~is_held]

    def room(self, x: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
        """How far a point may go down and up."""
        return (None, None) if self.bounds is None else (self.bounds[0] - x, self.bounds[1] - x)


class _Regularizer:
    """What is added to the diagonal of the Hessian. It grows by one factor and shrinks ever faster."""

    def __init__(self, least: float, most: float, factor: float):
        self.least, self.most, self.factor = least, most, factor
        self.value = np.float64(0.0)
        self.in_a_row = 0

    @property
    def is_full(self) -> bool:
        """Whether it should not grow any more."""
        return self.value >= self.most

    def grow(self) -> None:
        self.value = max(self.least, self.factor * self.value)
        self.in_a_row = 0

    def shrink(self) -> None:
        smaller = self.value * (1 / self.factor) ** (2**self.in_a_row)
        self.value = np.float64(0.0) if smaller < self.least else smaller
        self.in_a_row += 1


class _Report:
    """What is printed, kept and told to the caller."""

    def __init__(self, level: int, output: TextIO | None, callback: Any):
        self.level, self.output, self.callback = level, output, callback
        self.trace: list[IterLog] = []
        self.start = time.perf_counter()

    def has(self, level: Verbosity) -> bool:
        return self.level >= level.value

    def say(self, text: str, level: Verbosity) -> None:
        if self.has(level):
            print(text, file=self.output)

    def log(self, log: IterLog, **details: np.ndarray) -> None:
        self.trace.append(dataclasses.replace(log, **details) if self.has(Verbosity.FULLITER) else log)
        if self.callback is not None:
            self.callback(self.trace)

    def end(self, iterations: int, status: Status, objective: float, problem: _Problem) -> None:
        calls = f"Residual evals: {problem.residuals}"
        if problem.jacobians:
            calls += f", Jacobian evals: {problem.jacobians}"
        text = f"Terminated after {iterations} iterations: {_REASON[status]} y: {objective:<.4g}, {calls}"
        self.say(text, Verbosity.FINAL)
        total = max(time.perf_counter() - self.start, 1e-9)
        text = f"total time {total:.1f}s" if total > 1 else f"total time {1000 * total:.1f}ms"
        text += f" of which residual {100 * problem.residual_time / total:.1f}%"
        if problem.jacobians:
            text += f" Jacobian {100 * problem.jacobian_time / total:.1f}%"
        self.say(text, Verbosity.FINAL)


class _Search:
    """The iterations."""

    def __init__(self, problem: _Problem, regularizer: _Regularizer, report: _Report, tolerances: tuple[float, float]):
        self.problem, self.regularizer, self.report = problem, regularizer, report
        self.step_tolerance, self.gradient_tolerance = tolerances

    def run(self, x: np.ndarray, most: int, is_checked: bool) -> np.ndarray:
        problem, report = self.problem, self.report
        r = problem.residual(x)
        if r.dtype != np.float64:
            raise ValueError(f"residual must return float64 numbers, not {r.dtype}")
        status, iteration = Status.MAX_ITER, 0
        while iteration < most:
            jac = problem.jacobian(x, r)
            if iteration == 0 and is_checked:
                problem.check(x, r, jac, report.output)
            found = self.step(x, r, jac, iteration)
            if isinstance(found, Status):
                status = found
                break
            new, new_residual, ratio = found
            length = np.linalg.norm(new - x)
            if length < self.step_tolerance * (self.step_tolerance + np.linalg.norm(x)):
                status = Status.DX_TOL
                break
            if ratio > _GOOD:
                self.regularizer.shrink()
            elif ratio < _POOR:
                self.regularizer.grow()
            x, r = new, new_residual
            iteration += 1
        self.finish(x, r)
        report.end(min(iteration, max(most - 1, 0)), status, report.trace[-1].objective, problem)
        return x

    def step(
        self, x: np.ndarray, r: np.ndarray, jac: np.ndarray, iteration: int
    ) -> tuple[np.ndarray, np.ndarray, float] | Status:
        """The next point, its residual and the ratio of the fall to the predicted one, or why there is none."""
        problem, report, regularizer = self.problem, self.report, self.regularizer
        grad, hess = problem.norm.grad_hess(r, jac)
        slope = np.linalg.norm(problem.free(x, grad))
        if slope <= self.gradient_tolerance:
            if slope == 0:
                print("Zero gradient norm: exact minimum found?", file=report.output)
            return Status.G_TOL
        objective = problem.norm.value(r)
        found = self.fall(x, grad, hess, objective)
        if isinstance(found, Status):
            return found
        dx, new, new_residual, reduction = found
        predicted = -(grad.T @ dx + 0.5 * dx.T @ hess @ dx).item()
        ratio = reduction / predicted if predicted > 0 else 0.0
        if predicted <= 0:
            what = "Zero expected reduction: exact minimum found?" if predicted == 0 else "Negative expected reduction."
            report.say(what, Verbosity.FINAL)
        if report.has(Verbosity.ITER):
            size = np.log10(regularizer.value) if regularizer.value > 0 else -np.inf
            text = f"iter: {iteration:<3d}  y: {objective:<9.4g}  log10mu: {size:>4.1f}  ratio: {ratio:<7.2g}  "
            report.say(text + f"dx: {np.linalg.norm(dx):<7.2g}  reduction: {reduction:<7.2g}", Verbosity.ITER)
        log = IterLog(x, objective, reduction, regularizer.value)
        report.log(log, residual=r, jacobian=jac, grad=grad, step=dx)
        return new, new_residual, ratio

    def fall(self, x: np.ndarray, grad: np.ndarray, hess: np.ndarray, objective: float) -> Any:
        """The step, its end, the residual and the fall of the objective there, once this falls enough."""
        problem, regularizer, size = self.problem, self.regularizer, x.size
        dx, scratch = np.zeros((size, 1)), np.zeros((size, size + 7))
        lower, upper = problem.room(x)
        while True:
            regularized = hess + regularizer.value * np.eye(size)
            if mju_boxQP(dx, scratch, None, regularized, grad, lower, upper) < 0:
                if regularizer.is_full:
                    return Status.FACTORIZATION_FAILED
                regularizer.grow()
                continue
            new = x + dx
            residual = problem.residual(new)
            reduction = objective - problem.norm.value(residual)
            if not reduction + _LEAST_FALL * (grad.T @ dx).item() < 0:
                return dx, new, residual, reduction
            if regularizer.is_full:
                return Status.NO_IMPROVEMENT
            regularizer.grow()

    def finish(self, x: np.ndarray, r: np.ndarray) -> None:
        """Where it ended, as the last entry of the log."""
        problem = self.problem
        details = {}
        if self.report.has(Verbosity.FULLITER):
            jac = problem.jacobian(x, r)
            details = {"residual": r, "jacobian": jac, "grad": problem.norm.grad_hess(r, jac)[0]}
        log = IterLog(x, problem.norm.value(r), np.float64(0.0), self.regularizer.value)
        self.report.log(log, **details)


def jacobian_fd(
    residual: Function,
    x: np.ndarray,
    r: np.ndarray,
    eps: np.float64,
    n_res: int,
    bounds: Sequence[np.ndarray] | None = None,
) -> tuple[np.ndarray, int]:
    """The Jacobian of a residual by differences away from the nearer bound, and the new number of evaluations."""
    step = np.full((x.size, 1), eps)
    if bounds is not None:
        step[x > 0.5 * (bounds[1] - bounds[0])] *= -1
    step *= np.maximum(1.0, np.abs(x))
    # What is really added, after rounding.
    step = (step + x) - x
    beside = residual(x + np.diag(step[:, 0]))
    return (beside - r) / step.T, n_res + x.size


def check_jacobian(
    residual: Function,
    x: np.ndarray,
    r: np.ndarray,
    jac: np.ndarray,
    eps: np.float64,
    n_res: int,
    bounds: Sequence[np.ndarray] | None = None,
    output: TextIO | None = None,
    name: str = "Jacobian",
) -> int:
    """Raises ``ValueError`` where a Jacobian differs from differences; returns the new number of evaluations."""
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    scale = np.abs(jac).sum() + np.abs(expected).sum() + 1e-8
    if (np.abs(jac - expected) > _AGREEMENT * scale).any():
        raise ValueError(f"User-provided {name} does not match finite differences within {_AGREEMENT:g} of its size")
    print(f"User-provided {name} matches finite differences.", file=output)
    return n_res


def check_norm(r: np.ndarray, norm: Norm, eps: np.float64, output: TextIO | None = None) -> None:
    """Raises ``ValueError`` where the derivatives of a norm differ from differences."""
    every = np.eye(r.size)
    grad, hess = norm.grad_hess(r, every)
    if not np.allclose(hess, hess.T):
        raise ValueError("User-provided norm Hessian is not symmetric")
    lowest = np.linalg.eigvalsh(hess).min()
    if lowest < 0:
        raise ValueError(f"User-provided norm Hessian is not positive definite: its least eigenvalue is {lowest:.4g}")

    def values(columns: np.ndarray) -> np.ndarray:
        return np.array([[norm.value(column[:, None]) for column in columns.T]])

    def gradients(columns: np.ndarray) -> np.ndarray:
        return np.hstack([norm.grad_hess(column[:, None], every)[0] for column in columns.T])

    check_jacobian(values, r, values(r), grad.T, eps, 0, output=output, name="norm gradient")
    check_jacobian(gradients, r, gradients(r), hess, eps, 0, output=output, name="norm Hessian")

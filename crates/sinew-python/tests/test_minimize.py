"""Least squares and meshes of the older format, beside the reference's."""

import io
import itertools
import struct

import mujoco
import mujoco.minimize as theirs
import mujoco.msh2obj
import numpy as np
import pytest

from sinew.compat import minimize as ours
from sinew.compat import msh2obj

START = np.array([-1.2, 1.0])
BOUNDS = {
    "free": None,
    "inside": (np.array([-2.0, -2.0]), np.array([2.0, 2.0])),
    "at the lower": (np.array([-2.0, 2.0]), np.array([0.5, 3.0])),
    "at the upper": (np.array([-2.0, -2.0]), np.array([0.5, 2.0])),
}


def valley(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def slope(x, _residual):
    return np.array([[-1.0, 0.0], [-20 * x[0, 0], 10.0]])


def smooth_norm(module, error=0.0):
    class Smooth(module.Norm):
        def value(self, r):
            return np.sum(np.sqrt(r**2 + 1) - 1)

        def grad_hess(self, r, proj):
            root = np.sqrt(r**2 + 1)
            return proj.T @ (r / root + error), proj.T @ ((1 - (r / root) ** 2) / root * proj)

    return Smooth()


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("jacobian", [None, slope])
@pytest.mark.parametrize("has_norm", [False, True])
def test_iterations_are_the_reference_s(bounds, jacobian, has_norm):
    found = []
    for module in (theirs, ours):
        options = {"norm": smooth_norm(module)} if has_norm else {}
        output = io.StringIO()
        x, trace = module.least_squares(
            START,
            valley,
            bounds=BOUNDS[bounds],
            jacobian=jacobian,
            verbose=module.Verbosity.FULLITER,
            output=output,
            **options,
        )
        found.append((x, trace, output.getvalue().splitlines()[-2].split(" y:")[0]))
    (x, trace, end), (own_x, own_trace, own_end) = found
    np.testing.assert_allclose(own_x, x, rtol=1e-10, atol=1e-10)
    assert (len(own_trace), own_end) == (len(trace), end)
    for own, other in zip(own_trace, trace, strict=True):
        for name in ("candidate", "objective", "reduction", "regularizer", "residual", "jacobian", "grad"):
            np.testing.assert_allclose(getattr(own, name), getattr(other, name), rtol=1e-6, atol=1e-6)
    # The reference's steps are one array, which ends as the last of them.
    for own, following in itertools.pairwise(own_trace[:-1]):
        np.testing.assert_allclose(own.candidate + own.step, following.candidate)


def test_too_few_iterations_and_nothing_to_gain():
    for module in (theirs, ours):
        output = io.StringIO()
        module.least_squares(START, valley, max_iter=2, output=output)
        assert "maximum iterations" in output.getvalue()
        output = io.StringIO()
        x, trace = module.least_squares(START, lambda x: np.full((1, x.shape[1]), 3.0), output=output)
        assert "exact minimum" in output.getvalue() and len(trace) == 1 and (x == START).all()


def test_wrong_derivatives_are_found():
    with pytest.raises(ValueError, match="Jacobian does not match"):
        ours.least_squares(START, valley, jacobian=lambda x, r: 1.1 * slope(x, r), check_derivatives=True)
    with pytest.raises(ValueError, match="gradient does not match"):
        ours.least_squares(START, valley, norm=smooth_norm(ours, 0.01), check_derivatives=True)


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ([0, 1, 2], "lower and an upper"),
        ([np.zeros(3), np.ones(3)], "as many numbers"),
        ([np.zeros(2), np.array([1, np.inf])], "finite"),
        ([np.ones(2), np.zeros(2)], "smaller"),
    ],
)
def test_wrong_bounds_are_named(bounds, message):
    with pytest.raises(ValueError, match=message):
        ours.least_squares(START, valley, bounds=bounds)
    with pytest.raises(ValueError, match="mu_factor"):
        ours.least_squares(START, valley, mu_factor=1.0)


def test_meshes_of_the_older_format(tmp_path):
    file = tmp_path / "one.msh"
    numbers = np.arange(9 + 9 + 6, dtype=np.float32)
    file.write_bytes(struct.pack("4i", 3, 3, 3, 1) + numbers.tobytes() + np.array([0, 1, 2], np.int32).tobytes())
    assert msh2obj.msh_to_obj(file) == mujoco.msh2obj.msh_to_obj(file)
    file.write_bytes(struct.pack("4i", 3, -3, 3, 1) + numbers.tobytes())
    with pytest.raises(ValueError, match="do not fit its 112 bytes"):
        msh2obj.msh_to_obj(file)

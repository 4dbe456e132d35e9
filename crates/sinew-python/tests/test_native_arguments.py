"""Arrays that native functions take: what fits is read and written where it is, what does not is refused unwritten."""

import mujoco
import numpy as np
import pytest

import sinew.compat as compat
from sinew import _native
from sinew.compat import MjData

QUAT = np.array([0.5, 0.5, -0.5, 0.5])


def test_numbers_come_in_every_form_that_numpy_reads():
    expected = np.zeros(9)
    mujoco.mju_quat2Mat(expected, QUAT)
    column = np.stack([QUAT, QUAT], axis=1)[:, 0]
    swapped = QUAT.astype(QUAT.dtype.newbyteorder())
    for quat in (QUAT, QUAT.tolist(), tuple(QUAT), column, swapped, QUAT.astype(np.float32), QUAT.reshape(2, 2)):
        found = np.zeros(9)
        compat.mju_quat2Mat(found, quat)
        np.testing.assert_array_equal(found, expected)
    whole = np.zeros(3)
    compat.mju_copy3(whole, [1, True, 3])
    assert whole.tolist() == [1, 1, 3]


def test_answers_go_into_arrays_with_gaps():
    table = np.zeros((3, 8))
    compat.mju_quat2Mat(table[:, 1:7:2], QUAT)
    expected = np.zeros(9)
    mujoco.mju_quat2Mat(expected, QUAT)
    np.testing.assert_array_equal(table[:, 1:7:2].ravel(), expected)
    assert not table[:, ::2].any() and not table[:, 7].any()
    compat.mju_addTo(table[0, 1:7:2], np.ones(3))
    np.testing.assert_array_equal(table[0, 1:7:2], expected[:3] + 1)


def test_arguments_may_overlap():
    numbers = np.arange(6.0)
    compat.mju_add(numbers[1:], numbers[:5], numbers[:5])
    assert numbers.tolist() == [0, 0, 2, 4, 6, 8]
    compat.mju_addTo(numbers, numbers)
    assert numbers.tolist() == [0, 0, 4, 8, 12, 16]
    turned, expected = QUAT.copy(), QUAT.copy()
    compat.mju_mulQuat(turned, turned, turned)
    mujoco.mju_mulQuat(expected, QUAT, QUAT)
    np.testing.assert_array_equal(turned, expected)
    square = np.arange(9.0).reshape(3, 3)
    compat.mju_transpose(square, square)
    assert square.tolist() == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]


def fixed():
    target = np.zeros(4)
    target.flags.writeable = False
    return target


@pytest.mark.parametrize(
    "target, words",
    [
        ([0.0] * 4, "res must be a numpy array, not list"),
        (np.zeros(4, np.float32), "res must hold float64, not float32"),
        (np.zeros(4, ">f8"), "res must hold float64, not >f8"),
        (np.zeros(5), r"res must have shape \(4,\), not \(5,\)"),
        (fixed(), "res cannot be written"),
        (None, "res is needed, not None"),
    ],
)
def test_targets_that_do_not_fit_are_refused(target, words):
    with pytest.raises(TypeError, match=words):
        compat.mju_mulQuat(target, QUAT, QUAT)
    assert target is None or not np.any(target)


@pytest.mark.parametrize(
    "numbers, words",
    [
        (np.zeros(3), "quat must have 4 numbers, not 3"),
        ("wxyz", "quat must be numbers"),
        ([None, 0, 0, 0], ""),
        (None, "quat is needed, not None"),
        ([1j] * 4, "quat must be numbers"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(numbers, words):
    target = np.ones(9)
    if words:
        with pytest.raises(TypeError, match=words):
            compat.mju_quat2Mat(target, numbers)
        assert (target == 1).all()


def test_a_wrong_call_writes_nothing(ours):
    data = MjData(ours)
    right, wrong = np.full((3, ours.nv), 7.0), np.zeros((ours.nv, 3))
    with pytest.raises(TypeError, match=rf"jacr must have shape \(3, {ours.nv}\)"):
        compat.mj_jacBody(ours, data, right, wrong, 1)
    with pytest.raises(IndexError, match="body 99 is out of range"):
        compat.mj_jacBody(ours, data, right, None, 99)
    with pytest.raises(TypeError, match="body must be a whole number, not float"):
        compat.mj_jacBody(ours, data, right, None, 1.5)
    assert (right == 7).all()
    compat.mj_jacBody(ours, data, None, right.ravel(), 1)
    assert not (right == 7).any()


def test_native_functions_can_be_called_by_name(ours):
    data = MjData(ours)
    found, expected = np.zeros((2, 6))
    compat.mj_objectVelocity(m=ours, d=data, objtype=1, objid=1, res=found, flg_local=1)
    compat.mj_objectVelocity(ours, data, compat.mjtObj.mjOBJ_BODY, np.int32(1), expected, True)
    np.testing.assert_array_equal(found, expected)
    assert compat.mju_rayGeom([0, 0, 0], np.eye(3), [1, 1, 1], [0, 0, 3], [0, 0, -1], 2) == 2
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        compat.mju_dot(np.zeros(3))


def test_signatures_say_what_python_shows():
    import inspect

    for name in _native.SIGNATURES:
        function = getattr(compat, name)
        shown, declared = inspect.signature(function), compat._arguments.signature(function)
        assert list(shown.parameters) == list(declared.parameters)
        for ours, theirs in zip(shown.parameters.values(), declared.parameters.values(), strict=True):
            assert ours.default == theirs.default

"""Parts of the computation are counted as in the reference, and timed if there is a clock."""

import time

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as compat

CALLS = {
    "step": lambda module, m, d: module.mj_step(m, d, 3),
    "halves": lambda module, m, d: (module.mj_step1(m, d), module.mj_step2(m, d)),
    "forward": lambda module, m, d: module.mj_forward(m, d),
    "inverse": lambda module, m, d: (module.mj_forward(m, d), module.mj_inverse(m, d)),
    "skip": lambda module, m, d: (
        module.mj_forwardSkip(m, d, 0, 1), module.mj_forwardSkip(m, d, 1, 1), module.mj_forwardSkip(m, d, 2, 0)
    ),
    "stages": lambda module, m, d: [
        getattr(module, f"mj_{name}")(m, d)
        for name in "kinematics comPos makeM factorM collision makeConstraint transmission fwdVelocity "
        "fwdActuation fwdAcceleration fwdConstraint fwdPosition invPosition invVelocity invConstraint crb compareFwdInv "
        "Euler".split()
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def without_clocks():
    before = mujoco.get_mjcb_time()
    yield
    compat.mj_resetCallbacks()
    mujoco.set_mjcb_time(before)


def engines(name, **options):
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
        for option, value in options.items():
            setattr(model.opt, option, value)
        yield module, model, module.MjData(model)


@pytest.mark.parametrize("call", list(CALLS))
@pytest.mark.parametrize("name", ["humanoid", "pendulum", "box_pile"])
def test_parts_are_counted_as_in_the_reference(name, call):
    for integrator in range(4):
        counts = []
        for module, model, data in engines(name, integrator=integrator):
            CALLS[call](module, model, data)
            counts.append(data.timer.number.tolist())
            # The reference has a clock for everything from the start, we for whole steps.
            timed = np.flatnonzero(data.timer.duration)
            assert len(timed) > 1 if module is mujoco else set(timed) <= {module.mjtTimer.mjTIMER_STEP}
            module.mj_resetData(model, data)
            assert not data.timer.number.any()
        assert counts[1] == counts[0], integrator


def ticking():
    """A clock that goes on by one second at every look."""
    ticking.now += 1.0
    return ticking.now


@pytest.mark.parametrize("clock", [time.perf_counter, ticking])
def test_a_clock_gives_durations(clock):
    ticking.now = 0.0
    _, (module, model, data) = engines("humanoid")
    module.set_mjcb_time(clock)
    assert module.get_mjcb_time() is clock
    module.mj_step(model, data, 20)
    duration, number, kinds = data.timer.duration, data.timer.number, module.mjtTimer
    assert (duration[number > 0] >= 0).all() and duration[kinds.mjTIMER_STEP] > duration[kinds.mjTIMER_FORWARD] > 0
    inner = duration[
        [kinds.mjTIMER_POSITION, kinds.mjTIMER_VELOCITY, kinds.mjTIMER_ACTUATION, kinds.mjTIMER_CONSTRAINT]
    ]
    assert inner.sum() < duration[kinds.mjTIMER_FORWARD]
    assert data.timer[kinds.mjTIMER_STEP].number == 20
    if clock is ticking:
        # Broad and narrow phase look at the clock twice each.
        assert (
            data.timer[kinds.mjTIMER_COL_BROAD].duration == 20
            and data.timer[kinds.mjTIMER_POS_COLLISION].duration == 100
        )
    data.timer.duration = 0
    data.timer.number[:] = 0
    module.set_mjcb_time(None)
    module.mj_step(model, data)
    assert not data.timer.duration[1:].any() and data.timer[kinds.mjTIMER_STEP].number == 1


def test_the_clock_sees_what_the_reference_sees():
    answers = []
    for module, model, data in engines("humanoid"):
        ticking.now = 0.0
        module.set_mjcb_time(ticking)
        module.mj_step(model, data)
        answers.append((data.timer.duration.copy(), module.mjtTimer))
    (theirs, kinds), (ours, _) = answers
    for name in (
        "mjTIMER_COL_BROAD",
        "mjTIMER_COL_NARROW",
        "mjTIMER_POS_MAKE",
        "mjTIMER_VELOCITY",
        "mjTIMER_CONSTRAINT",
    ):
        kind = getattr(kinds, name)
        assert ours[kind] == theirs[kind] == 1, name


def test_a_clock_can_belong_to_one_simulation_and_may_fail():
    _, (module, model, data) = engines("pendulum")
    other = module.MjData(model)
    data.hooks.time = time.perf_counter
    for each in (data, other):
        module.mj_step(model, each, 5)
    assert data.timer.duration[1:].any() and not other.timer.duration[1:].any()
    assert data.qpos.tobytes() == other.qpos.tobytes()
    data.hooks.time = lambda: "late"
    with pytest.raises(TypeError):
        module.mj_step(model, data)
    data.hooks.time = None
    module.mj_step(model, data)
    module.mj_step(model, other)
    assert data.qpos.tobytes() == other.qpos.tobytes()


def test_timers_that_are_held_go_on():
    _, (module, model, data) = engines("pendulum")
    number = data.timer.number
    module.mj_step(model, data, 7)
    assert number[0] == 7 == data.timer[0].number
    assert np.asarray(number).flags.writeable

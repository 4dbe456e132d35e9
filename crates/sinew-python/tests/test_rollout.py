"""Rollouts give the reference's trajectories, whatever the number of threads."""

import time

import mujoco
import mujoco.rollout
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew
import sinew.compat as compat
from sinew import rollout

FULL = int(compat.mjtState.mjSTATE_FULLPHYSICS)
TEXT = """
<mujoco>
  <size nuserdata="2"/>
  <worldbody>
    <body mocap="true" name="target" pos="1 0 0"/>
    <body><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
      <body pos=".5 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .5 0 0"/>
        <site name="tip" pos=".5 0 0"/></body></body>
  </worldbody>
  <equality><joint joint1="elbow" active="false"/></equality>
  <actuator><motor joint="hinge"/><general joint="elbow" dyntype="integrator"/></actuator>
  <sensor><framepos objtype="site" objname="tip" reftype="body" refname="target"/><jointvel joint="hinge"/></sensor>
</mujoco>
"""
GENERATOR = np.random.default_rng(4)


def models():
    return mujoco.MjModel.from_xml_string(TEXT), compat.MjModel.from_xml_string(TEXT)


def both(*arguments, data=1, **named):
    """The same call in both engines; also at how many threads."""
    theirs, ours = models()
    expected = mujoco.rollout.rollout(theirs, [mujoco.MjData(theirs) for _ in range(data)], *arguments, **named)
    actual = rollout.rollout(ours, [compat.MjData(ours) for _ in range(data)], *arguments, **named)
    for mine, other in zip(actual, expected, strict=True):
        assert mine.shape == other.shape and mine.dtype == other.dtype
        np.testing.assert_allclose(mine, other, atol=1e-10)
    return actual


def states(count):
    theirs, _ = models()
    size = mujoco.mj_stateSize(theirs, FULL)
    return GENERATOR.normal(size=(count, size)) * 0.3


def test_shapes_are_spread_as_in_the_reference():
    start, control = states(5), GENERATOR.normal(size=(5, 20, 2))
    for arguments in (
        (start, control), (start[0], control), (start[:1], control), (start, control[0]), (start, control[0, 0]),
        (start, control[:, :1]), (start[0], control[0]), (start,),
    ):  # fmt: skip
        both(*arguments, nstep=20)
    assert both(start, control)[0].shape[:2] == (5, 20)
    assert both(start[0])[0].shape[:2] == (1, 1)
    both(start, control, initial_warmstart=GENERATOR.normal(size=(5, 2)))
    both(start, control, initial_warmstart=np.zeros(2), chunk_size=2, data=2)


@pytest.mark.parametrize(
    "spec", ["CTRL", "QFRC_APPLIED", "XFRC_APPLIED", "MOCAP_POS", "MOCAP_QUAT", "EQ_ACTIVE", "USER"]
)
def test_every_kind_of_control_is_that_of_the_reference(spec):
    kind = int(getattr(compat.mjtState, f"mjSTATE_{spec}"))
    size = compat.mj_stateSize(models()[1], kind)
    control = GENERATOR.normal(size=(3, 8, size))
    if spec in ("EQ_ACTIVE", "USER"):
        # Flags stand behind controls and forces.
        flag = 0 if spec == "EQ_ACTIVE" else 2 + 2 + 6 * 4
        control[..., flag] = control[..., flag] > 0
    both(states(3), control, control_spec=kind, data=2)


def test_what_ran_before_does_not_matter():
    theirs, ours = models()
    start = states(2)
    answers = []
    for module, roll, model in ((mujoco, mujoco.rollout.rollout, theirs), (compat, rollout.rollout, ours)):
        data = module.MjData(model)
        for name in ("ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "qacc_warmstart", "userdata"):
            getattr(data, name)[...] = 0.5
        data.eq_active[:] = 1
        result = roll(model, data, start, nstep=5)
        inputs = [getattr(data, name).copy() for name in ("ctrl", "qfrc_applied", "mocap_pos", "eq_active", "userdata")]
        answers.append([*result, *inputs])
    for expected, actual in zip(*answers, strict=True):
        np.testing.assert_allclose(actual, expected, atol=1e-10)


@pytest.mark.parametrize("name", ["humanoid", "box_pile"])
def test_the_number_of_threads_changes_no_bit(name):
    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
    data = compat.MjData(model)
    start = np.zeros((9, compat.mj_stateSize(model, FULL)))
    for row in start:
        compat.mj_step(model, data, 7)
        compat.mj_getState(model, data, row, FULL)
    control = GENERATOR.uniform(-1, 1, size=(9, 30, model.nu))
    answers = []
    for threads, chunk in ((1, None), (2, None), (3, 1), (4, 5), (1, 100)):
        datas = [compat.MjData(model) for _ in range(threads)]
        answers.append(rollout.rollout(model, datas, start, control, chunk_size=chunk))
    for state, sensordata in answers[1:]:
        assert state.tobytes() == answers[0][0].tobytes() and sensordata.tobytes() == answers[0][1].tobytes()
    # The same as stepping by hand.
    compat.mj_setState(model, data, start[4], FULL)
    data.qacc_warmstart = 0
    for step in range(30):
        data.ctrl = control[4, step]
        compat.mj_step(model, data)
    last = np.zeros(start.shape[1])
    compat.mj_getState(model, data, last, FULL)
    assert last.tobytes() == answers[0][0][4, -1].tobytes()


@pytest.mark.parametrize("name", ["humanoid", "cartpole"])
def test_many_at_once_are_what_single_ones_are(name):
    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
    # Enough of them to be computed side by side.
    count, steps = 40, 12
    start = np.zeros((count, compat.mj_stateSize(model, FULL)))
    start[:, 1 : 1 + model.nq] = model.qpos0
    start[:, 1 + model.nq :] = GENERATOR.normal(0, 0.3, (count, start.shape[1] - 1 - model.nq))
    control = GENERATOR.uniform(-1, 1, (count, steps, model.nu))
    warmstart = GENERATOR.normal(size=(count, model.nv))
    start[9, 1] = np.nan  # a bad state, and a bad control: both stand still
    control[7, 3] = np.nan
    datas = [compat.MjData(model) for _ in range(3)]
    together = rollout.rollout(model, datas, start, control, initial_warmstart=warmstart)
    data = compat.MjData(model)
    for row in range(count):
        given = start[row], control[row]
        state, readings = rollout.rollout(model, data, *given, initial_warmstart=warmstart[row])
        assert state[0].tobytes() == together[0][row].tobytes(), row
        assert readings[0].tobytes() == together[1][row].tobytes(), row
    assert (together[0][7, 3:] == together[0][7, 3]).all() and (together[0][9] == together[0][9, 0]).all()
    assert datas[0].qpos.tobytes() == data.qpos.tobytes() and datas[0].qacc.tobytes() == data.qacc.tobytes()


def test_models_can_differ():
    theirs, ours = models()
    pairs = []
    for module, base in ((mujoco, theirs), (compat, ours)):
        group = []
        for mass in (0.5, 1.0, 2.0):
            model = module.MjModel.from_xml_string(TEXT)
            model.body_mass[2] = mass
            group.append(model)
        pairs.append(group)
        assert base.nbody == 4
    start, control = states(1), GENERATOR.normal(size=(10, 2))
    expected = mujoco.rollout.rollout(pairs[0], mujoco.MjData(theirs), start, control)
    actual = rollout.rollout(pairs[1], compat.MjData(ours), start, control)
    np.testing.assert_allclose(actual[0], expected[0], atol=1e-10)
    assert actual[0].shape[0] == 3 and not np.allclose(actual[0][0], actual[0][2])


def test_results_go_where_they_are_wanted():
    _, ours = models()
    start, control = states(3), GENERATOR.normal(size=(3, 6, 2))
    state, readings = np.zeros((3, 6, start.shape[1])), np.zeros((3, 6, ours.nsensordata))
    found = rollout.rollout(ours, compat.MjData(ours), start, control, state=state, sensordata=readings)
    assert found[0] is state and found[1] is readings and state.any()
    with rollout.Rollout(nthread=2) as runner:
        again = runner.rollout(ours, [compat.MjData(ours) for _ in range(2)], start, control)
        with pytest.raises(ValueError, match="Length of data: 1 not equal to nthread: 2"):
            runner.rollout(ours, compat.MjData(ours), start, control)
    assert again[0].tobytes() == state.tobytes()
    with pytest.raises(RuntimeError, match="closed"):
        runner.rollout(ours, [compat.MjData(ours)] * 2, start, control)
    from sinew.compat import rollout as module

    assert module.rollout is rollout.rollout


def test_a_rollout_that_diverges_stands_still():
    start = states(3)
    start[1, 1] = 1e30
    state, readings = both(start, np.zeros((5, 2)))
    assert (state[1] == state[1, 0]).all() and (readings[1] == readings[1, 0]).all()
    assert not (state[2] == state[2, 0]).all()


def test_wrong_arguments_are_refused():
    _, ours = models()
    data, start, control = compat.MjData(ours), states(2), np.zeros((2, 3, 2))
    before = data.qpos.copy()
    other = compat.MjData(compat.MjModel.from_xml_string("<mujoco/>"))
    cases = [
        ((start[:, :-1], control), {}), ((start, control[..., :1]), {}), ((start, np.zeros((3, 3, 2))), {}),
        ((start, control), {"nstep": 4}), ((start, control), {"nstep": 1.5}), ((start, control), {"chunk_size": -1}),
        ((start, control), {"control_spec": FULL}), ((start, [0.0]), {}), ((start[None, None], control), {}),
        ((start, control), {"state": np.zeros((2, 2, start.shape[1]))}),
        ((start, control), {"state": np.zeros((2, 3, start.shape[1]), np.float32)}),
        ((start, control), {"initial_warmstart": np.zeros((2, 5))}),
    ]  # fmt: skip
    for arguments, named in cases:
        with pytest.raises(ValueError):
            rollout.rollout(ours, data, *arguments, **named)
    for datas, error in (([], ValueError), ([other], ValueError), ([data, data], sinew.BusyError), ([1], TypeError)):
        with pytest.raises(error):
            rollout.rollout(ours, datas, start, control)
    np.testing.assert_array_equal(data.qpos, before)
    ours.opt.timestep = 0
    with pytest.raises(sinew.StepError):
        rollout.rollout(ours, [compat.MjData(ours) for _ in range(2)], start, control)
    ours.opt.timestep = 0.002
    compat.mj_step(ours, data)
    assert rollout.rollout(ours, data, start, control)[0].shape == (2, 3, start.shape[1])


@pytest.mark.parametrize("threads", [1, 2])
def test_hooks_take_part(threads):
    _, ours = models()
    start = states(4)
    plain = rollout.rollout(ours, compat.MjData(ours), start, nstep=5)[0]

    def push(m, d):
        d.qfrc_applied[0] = 3 * d.time

    datas = [compat.MjData(ours) for _ in range(threads)]
    for data in datas:
        data.hooks.control = push
    hooked = rollout.rollout(ours, datas, start, nstep=5)[0]
    assert not np.allclose(hooked, plain)
    single = compat.MjData(ours)
    single.hooks.control = push
    np.testing.assert_array_equal(rollout.rollout(ours, single, start, nstep=5)[0], hooked)

    def fail(m, d):
        raise KeyError("mine")

    datas[-1].hooks.control = fail
    datas[0].hooks.control = fail
    with pytest.raises(KeyError, match="mine"):
        rollout.rollout(ours, datas, start, nstep=100_000)
    datas[0].hooks.control = datas[-1].hooks.control = None
    np.testing.assert_array_equal(rollout.rollout(ours, datas, start, nstep=5)[0], plain)


def test_the_lock_is_released_and_views_follow():
    import threading

    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    datas = [compat.MjData(model) for _ in range(2)]
    start = np.zeros((1, compat.mj_stateSize(model, FULL)))
    compat.mj_getState(model, datas[0], start[0], FULL)
    number = datas[0].timer.number
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    rollout.rollout(model, datas, np.repeat(start, 4, axis=0), nstep=1500)
    end = time.perf_counter()
    done.set()
    thread.join()
    assert sum(begin < tick < end for tick in ticks) > 1
    assert number[0] + datas[1].timer.number[0] == 6000

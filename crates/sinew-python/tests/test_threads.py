"""Threads share models; arrays show a simulation that others compute with; hooks hold it alone."""

import copy
import gc
import pickle
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew
import sinew.compat as compat
from sinew import _native, rollout
from sinew.compat import MjData, MjModel

TEXT = """
<mujoco>
  <option><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .5"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05 .2"/></body>
    <body pos="2 0 .09"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
</mujoco>
"""
PATIENCE = 60


def together(count, work):
    """What a function gives in several threads that begin at the same time; what it raises, is raised."""
    barrier = threading.Barrier(count)

    def run(number):
        barrier.wait(PATIENCE)
        return work(number)

    with ThreadPoolExecutor(count) as pool:
        return [future.result() for future in [pool.submit(run, number) for number in range(count)]]


class Paused:
    """A step that waits in a hook of another thread until the block ends."""

    def __init__(self, model, data, hook="control"):
        self.inside, self.leave = threading.Event(), threading.Event()

        def wait(*_arguments):
            self.inside.set()
            assert self.leave.wait(PATIENCE)

        setattr(data.hooks, hook, wait)
        self.thread = threading.Thread(target=compat.mj_step, args=(model, data))

    def __enter__(self):
        self.thread.start()
        assert self.inside.wait(PATIENCE)
        return self

    def __exit__(self, *_exception):
        self.leave.set()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


# ---------------------------------------------------------------------------------------- models


def test_a_model_nobody_has_used_is_used_by_all_threads_at_once():
    for _ in range(100):
        model = MjModel.from_xml_string(TEXT)
        datas = together(8, lambda _, model=model: MjData(model))
        assert all(data.qpos.tolist() == model.qpos0.tolist() for data in datas)
        assert {data.model.body_mass.ctypes.data for data in datas} == {model.body_mass.ctypes.data}


def test_everything_of_a_model_can_be_read_while_others_step():
    model = MjModel.from_xml_string(EVERYTHING)
    expected = pickle.dumps(model)
    # The same model with nothing made yet.
    fresh = MjModel._wrap(model._native)
    with Paused(model, MjData(model)):
        assert fresh.opt.timestep == 0.002 and fresh.vis.quality.shadowsize == 4096 and fresh.stat.extent > 0
        assert fresh.body_mass.sum() == compat.mj_getTotalmass(fresh)
        assert fresh.body("body1").id == compat.mj_name2id(fresh, compat.mjtObj.mjOBJ_BODY, "body1")
        assert fresh.signature == model.signature
        assert pickle.dumps(fresh) == expected
        assert copy.copy(fresh).nbody == copy.deepcopy(model).nbody == 4
        assert repr(fresh) == repr(model)
        other = MjData(fresh)
        compat.mj_step(fresh, other, 3)
        assert pickle.loads(pickle.dumps(other)).qpos.tobytes() == other.qpos.tobytes()


def test_models_are_pickled_while_others_step():
    model = MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    expected, stepping = pickle.dumps(model), threading.Event()

    def work(number):
        if number:
            assert stepping.wait(PATIENCE)
            return [pickle.dumps(model) for _ in range(20)]
        data = MjData(model)
        stepping.set()
        return compat.mj_step(model, data, 2000)

    _, *pickles = together(4, work)
    assert all(text == expected for texts in pickles for text in texts)


def test_a_model_is_not_changed_under_those_who_read_it():
    model = MjModel.from_xml_string(EVERYTHING)
    data = MjData(model)
    with Paused(model, MjData(model)):
        for change in (lambda: compat.mj_setTotalmass(model, 3.0), lambda: compat.mj_setConst(model, data)):
            with pytest.raises(sinew.BusyError, match="model"):
                change()
    compat.mj_setTotalmass(model, 3.0)
    assert compat.mj_getTotalmass(model) == pytest.approx(3.0)


def test_readers_do_not_notice_changes():
    model = MjModel.from_xml_string(TEXT)

    def work(number):
        for _ in range(300):
            if number:
                assert copy.copy(model).nbody == MjData(model).model.nbody == 3
                continue
            try:
                compat.mj_setTotalmass(model, 3.0)
            except sinew.BusyError:
                pass

    together(4, work)


# ---------------------------------------------------------------------------------- arrays and hooks


@pytest.mark.parametrize("hook", ["control", "contactfilter"])
def test_arrays_show_the_simulation_while_a_hook_runs_in_another_thread(hook):
    """The contact filter runs in the middle of a stage, when the engine has the simulation."""
    model = MjModel.from_xml_string(TEXT)
    data, other = MjData(model), MjData(model)
    for each in (data, other):
        compat.mj_step(model, each, 20)
    shown = {name: getattr(data, name) for name in data._all_fields}
    with Paused(model, data, hook):
        for call in (lambda: data.ncon, lambda: compat.mj_kinematics(model, data), lambda: copy.copy(data)):
            with pytest.raises(sinew.BusyError):
                call()
        for name in ("qpos", "qvel", "qacc_warmstart", "ctrl"):
            assert shown[name].tobytes() == getattr(other, name).tobytes(), name
        assert shown["energy"].all()
        # What is written where the hook may look is what the step goes on with.
        shown["qfrc_applied"][0] = 0.5
    setattr(data.hooks, hook, None)
    assert data.qfrc_applied[0] == 0.5 and data.time == pytest.approx(21 * model.opt.timestep)
    assert {name: array.ctypes.data for name, array in data._native.arrays().items()} == {
        name: array.ctypes.data for name, array in shown.items()
    }


def test_a_hook_shares_its_simulation_with_no_thread():
    model = MjModel.from_xml_string(TEXT)
    data, refused = MjData(model), []

    def other():
        for call in (lambda: data.time, lambda: data.efc_force, lambda: compat.mj_forward(model, data)):
            try:
                call()
            except sinew.BusyError as error:
                refused.append(str(error))

    def control(m, d):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(PATIENCE)
        assert d.ncon == 1

    data.hooks.control = control
    compat.mj_step(model, data)
    assert len(refused) == 3 and all("data" in text for text in refused)


class OnPurpose(Exception):
    pass


@pytest.mark.parametrize("fails", [False, True])
def test_a_simulation_survives_threads_that_want_it(fails):
    """One thread steps with hooks, which sometimes raise; others take the data whenever it is free, and read arrays."""
    model = MjModel.from_xml_string(TEXT)
    data, alone = MjData(model), MjData(model)
    arrays = [getattr(data, name) for name in data._all_fields]
    steps, done, taken = 400, threading.Event(), []

    def control(m, d):
        d.ctrl[0] = 0.1 + d.qpos[0]
        calls.append(d.time)
        if fails and len(calls) % 7 == 3:
            raise OnPurpose

    calls = []
    data.hooks.control = alone.hooks.control = control

    def simulate(target):
        left = steps
        while left:
            try:
                compat.mj_step(model, target)
                left -= 1
            except (sinew.BusyError, OnPurpose):
                pass

    def work(number):
        if not number:
            simulate(data)
            done.set()
            return
        while not done.is_set():
            for call in (lambda: data.time, lambda: data.efc_J, lambda: compat.mj_kinematics(model, data)):
                try:
                    call()
                    taken.append(number)
                except sinew.BusyError:
                    pass
            assert all(np.isfinite(array).all() for array in arrays)

    # Threads that never wait would keep the interpreter for 5 ms each between two lines of a hook.
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        together(4, work)
    finally:
        sys.setswitchinterval(interval)
    simulate(alone)
    assert data.qpos.tobytes() == alone.qpos.tobytes() and data.qvel.tobytes() == alone.qvel.tobytes()
    assert taken
    assert [array.ctypes.data for array in arrays] == [getattr(data, name).ctypes.data for name in data._all_fields]


def test_arrays_outlive_a_simulation_with_hooks():
    def make():
        model = MjModel.from_xml_string(TEXT)
        data = MjData(model)

        def control(m, d):
            kept.extend([d.qpos, d.contact.dist, d.energy])
            if d.time > 0.01:
                raise OnPurpose

        data.hooks.control = control
        with ThreadPoolExecutor(1) as pool, pytest.raises(OnPurpose):
            pool.submit(compat.mj_step, model, data, 100).result()
        return {name: getattr(data, name) for name in data._all_fields}

    kept = []
    arrays = make()
    expected = {name: array.copy() for name, array in arrays.items()}
    gc.collect()
    churn = [np.full(2000, 7.0) for _ in range(500)]
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, expected[name], err_msg=name)
    assert kept[0] is not None and kept[0].base is not None and len(kept) > 12 and len(churn) == 500
    assert kept[0].tobytes() == expected["qpos"].tobytes()


# ------------------------------------------------------------------------------- calls from hooks


def test_calls_from_hooks_that_fail_leave_the_simulation_whole():
    model = MjModel.from_xml_string(TEXT)
    data, plain = MjData(model), MjData(model)
    start = np.zeros((2, compat.mj_stateSize(model, compat.mjtState.mjSTATE_FULLPHYSICS)))
    failures = []

    def control(m, d):
        for call, error in (
            (lambda: compat.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 99), IndexError),
            (lambda: compat.mj_mulM(m, d, np.zeros(1), np.zeros(m.nv)), TypeError),
            (lambda: compat.mj_step(m, d), sinew.BusyError),
            (lambda: compat.mj_resetData(m, d), sinew.BusyError),
            (lambda: compat.mj_forward(m, d), sinew.BusyError),
            (lambda: rollout.rollout(m, d, start), sinew.BusyError),
        ):
            with pytest.raises(error):
                call()
            failures.append(error)
        # A call may come between two others, and see what they wrote.
        d.qfrc_applied[0] = 0.25
        copied = copy.copy(d)
        assert copied.qfrc_applied[0] == 0.25 and copied.time == d.time
        d.qfrc_applied[0] = 0
        copied.hooks.control = None
        compat.mj_step(m, copied)

    data.hooks.control = control
    compat.mj_step(model, data, 10)
    compat.mj_step(model, plain, 10)
    assert len(failures) == 60
    assert data.qpos.tobytes() == plain.qpos.tobytes()


def test_hooks_of_two_simulations_nest():
    model = MjModel.from_xml_string(TEXT)
    outer, inner, plain = MjData(model), MjData(model), MjData(model)
    seen = []

    def inside(m, d):
        seen.append((outer.time, d.time))

    def around(m, d):
        compat.mj_step(m, inner, 2)

    outer.hooks.control, inner.hooks.control = around, inside
    compat.mj_step(model, outer, 3)
    compat.mj_step(model, plain, 6)
    assert seen == [(0.002 * (i // 2), pytest.approx(0.002 * i)) for i in range(6)]
    assert inner.qpos.tobytes() == plain.qpos.tobytes()


def test_a_fault_in_a_call_from_a_hook_is_raised_and_the_simulation_refuses_until_reset():
    model = MjModel.from_xml_string(TEXT)
    data = MjData(model)
    kept = {name: getattr(data, name) for name in data._all_fields}
    data.hooks.control = lambda m, d: _native.fail_in_data(m._native, d._native)
    with pytest.raises(sinew.InternalError, match="failed on purpose"):
        compat.mj_step(model, data)
    data.hooks.control = None
    with pytest.raises(sinew.InternalError, match="mj_resetData"):
        compat.mj_step(model, data)
    compat.mj_resetData(model, data)
    gc.collect()
    assert all(np.isfinite(array).all() for array in kept.values()) and data.qpos is not kept["qpos"]
    fresh = MjData(model)
    for each in (data, fresh):
        compat.mj_step(model, each, 5)
    assert data.qpos.tobytes() == fresh.qpos.tobytes()

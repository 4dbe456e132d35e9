"""Errors are exceptions that say where and what; the interpreter lives on."""

import copy
import gc
import os
import pickle
import sys
import threading
import time

import numpy as np
import pytest
from conftest import EVERYTHING, interrupted

import sinew
from sinew import _native, compat, rollout
from sinew.compat import MjData, MjModel, mj_fwdPosition, mj_kinematics


def test_a_load_error_says_where_and_how_to_mend_it(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text('<mujoco>\n  <worldbody>\n    <geom sizee="1"/>\n  </worldbody>\n</mujoco>\n')
    with pytest.raises(sinew.LoadError) as caught:
        MjModel.from_xml_path(path)
    error = caught.value
    assert isinstance(error, ValueError)
    assert error.file.endswith("arm.xml")
    assert (error.line, error.column) == (3, 11)
    assert error.code.startswith("mjcf::")
    assert "sizee" in error.message and "size" in error.hint
    assert "arm.xml:3:11" in str(error) and "sizee" in str(error)
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics


def test_all_errors_of_a_file_are_reported():
    with pytest.raises(sinew.LoadError) as caught:
        MjModel.from_xml_string('<mujoco><worldbody><geom sizee="1"/><geom rgbaa="1"/></worldbody></mujoco>')
    assert len(caught.value.diagnostics) == 2
    assert all(diagnostic.severity == "error" for diagnostic in caught.value.diagnostics)


@pytest.mark.parametrize("text", ["", "<", "not xml", "<mujoco", "<chair/>", "\0", "<mujoco/><mujoco/>"])
def test_what_is_no_model_is_a_load_error(text):
    with pytest.raises(sinew.LoadError):
        MjModel.from_xml_string(text)


def test_a_missing_file_is_a_load_error():
    with pytest.raises(sinew.LoadError, match=r"no_such_file\.xml"):
        MjModel.from_xml_path("no_such_file.xml")


def test_files_in_memory_are_found():
    part = b'<mujoco><worldbody><body name="part"/></worldbody></mujoco>'
    whole = b'<mujoco><include file="part.xml"/></mujoco>'
    model = MjModel.from_xml_path("whole.xml", {"whole.xml": whole, "part.xml": part})
    assert model.body("part").id == 1
    model = MjModel.from_xml_string(whole.decode(), assets={"part.xml": part})
    assert model.nbody == 2


def test_a_confined_model_stays_in_its_folder(tmp_path, monkeypatch):
    (tmp_path / "secret.xml").write_text("<x><option timestep='0.1'/></x>")
    inside = tmp_path / "inside"
    inside.mkdir()
    model = inside / "model.xml"
    model.write_text("<mujoco><include file='../secret.xml'/></mujoco>")
    assert MjModel.from_xml_path(model).opt.timestep == 0.1
    assert MjModel.from_xml_path(model, confined=tmp_path).opt.timestep == 0.1
    monkeypatch.chdir(inside)
    for load in (
        lambda: MjModel.from_xml_path(model, confined=True),
        lambda: MjModel.from_xml_path("model.xml", confined=True),
        lambda: MjModel.from_xml_path(model, confined=str(inside)),
        lambda: MjModel.from_xml_string(model.read_text(), confined=True),
    ):
        with pytest.raises(sinew.LoadError, match="outside the permitted folder") as caught:
            load()
        assert "timestep" not in str(caught.value)


def test_loading_has_limits_that_can_be_set():
    text = f"<mujoco><worldbody>{'<site/>' * 20000}</worldbody></mujoco>"
    with pytest.raises(sinew.LoadError, match="memory") as caught:
        MjModel.from_xml_string(text, memory=1_000_000)
    assert caught.value.code == "mjcf::memory" and caught.value.hint
    assert MjModel.from_xml_string(text, memory=10**9, load_time=60).nsite == 20000
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="load_time"):
            MjModel.from_xml_string(text, load_time=wrong)


def test_a_fault_of_ours_is_an_exception_with_version_and_backtrace(capfd):
    with pytest.raises(sinew.InternalError) as caught:
        _native.fail_on_purpose()
    text = str(caught.value)
    assert sinew.__version__ in text and "failed on purpose" in text and "lib.rs" in text
    assert capfd.readouterr().err == ""
    assert MjModel.from_xml_string(EVERYTHING).nbody == 4


def test_models_cannot_be_made_without_a_file():
    with pytest.raises(TypeError, match="from_xml_path"):
        MjModel()
    with pytest.raises(TypeError):
        MjModel.from_xml_string(7)
    with pytest.raises(TypeError):
        MjModel.from_xml_string(EVERYTHING, {"a": 7})


def test_data_of_another_model_is_refused(ours):
    data = MjData(MjModel.from_xml_string("<mujoco><worldbody><body/></worldbody></mujoco>"))
    with pytest.raises(ValueError, match="made for another model"):
        mj_kinematics(ours, data)
    twin = MjModel.from_xml_string(EVERYTHING)
    mj_kinematics(twin, MjData(ours))


def test_the_interpreter_runs_while_a_model_loads():
    """Loading releases the interpreter lock: a counter on another thread moves on meanwhile."""
    bodies = '<body pos="0 0 1"><freejoint/><geom size="1"/></body>' * 5000
    text = f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"
    ticks, done = 0, threading.Event()

    def load():
        MjModel.from_xml_string(text)
        done.set()

    thread = threading.Thread(target=load)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 3


def test_threads_with_their_own_data_share_a_model(ours):
    failures = []

    def work():
        try:
            data = MjData(ours)
            for _ in range(200):
                mj_fwdPosition(ours, data)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_data_used_by_two_threads_is_an_error_not_a_crash(ours):
    data = MjData(ours)
    outcomes = set()

    def work():
        for _ in range(3000):
            try:
                mj_fwdPosition(ours, data)
                outcomes.add("done")
            except sinew.BusyError:
                outcomes.add("busy")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "done" in outcomes and outcomes <= {"done", "busy"}
    mj_fwdPosition(ours, data)


def test_a_forked_child_works(ours):
    data = MjData(ours)
    child = os.fork()
    if child == 0:
        # No assertion may leave the child: pytest would run on in it.
        status = 1
        try:
            mj_fwdPosition(ours, data)
            status = 0 if MjModel.from_xml_string(EVERYTHING).nbody == 4 else 2
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0


def test_every_function_refuses_the_data_of_another_model(ours):
    """Each function of a model and a data, called with both and otherwise any arguments."""
    foreign = MjData(MjModel.from_xml_string("<mujoco><worldbody><body/></worldbody></mujoco>"))
    before = {name: getattr(foreign, name).copy() for name in foreign._all_fields}
    checked = 0
    for name, function in compat._FUNCTIONS.items():
        parameters = list(compat._arguments.signature(function).parameters.values())
        if [parameter.annotation for parameter in parameters[:2]] != ["MjModel", "MjData"]:
            continue
        if name in ("mj_setConst", "mj_setLengthRange", "mj_setKeyframe"):
            continue  # these write the model's own values
        fillers = {"MjData": foreign, "MjContact": compat.MjContact()}
        arguments = [fillers.get(p.annotation, np.zeros(3) if "Array" in p.annotation else 0) for p in parameters[2:]]
        with pytest.raises((ValueError, TypeError, IndexError)):
            function(ours, foreign, *arguments)
        if len(parameters) == 2:
            with pytest.raises(ValueError, match="made for another model"):
                function(ours, foreign)
            checked += 1
    assert checked > 30
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(foreign, name), value, err_msg=name)


BOXES = '<mujoco><worldbody><geom type="plane" size="9 9 1"/>' + "".join(
    f'<body pos="{i % 5 * 0.15} {i // 5 % 5 * 0.15} {0.2 + i // 25 * 0.25}"><freejoint/>'
    '<geom type="box" size=".1 .1 .1"/></body>'
    for i in range(50)
) + "</worldbody></mujoco>"  # fmt: skip


@pytest.fixture
def boxes():
    model = MjModel.from_xml_string(BOXES)
    return model, MjData(model)


def test_a_second_thread_is_kept_out_until_the_last_step(boxes):
    model, data = boxes
    halfway, answered = threading.Event(), threading.Event()

    def control(model, data):
        if data.time > 299.5 * model.opt.timestep and not halfway.is_set():
            halfway.set()
            answered.wait(60)

    data.hooks.control = control
    thread = threading.Thread(target=compat.mj_step, args=(model, data, 600))
    thread.start()
    assert halfway.wait(60)
    for call in (compat.mj_step, compat.mj_forward, compat.mj_resetData):
        with pytest.raises(sinew.BusyError):
            call(model, data)
    with pytest.raises(sinew.BusyError):
        data.ncon  # noqa: B018
    answered.set()
    thread.join()
    data.hooks.control = None
    assert data.time == pytest.approx(600 * model.opt.timestep)
    compat.mj_step(model, data)


def test_the_interpreter_runs_while_steps_are_made(boxes):
    model, data = boxes
    ticks, done = 0, threading.Event()

    def work():
        compat.mj_step(model, data, 200)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 1


def test_an_interrupt_ends_a_long_call_soon(boxes):
    model, data = boxes
    interrupted(lambda: compat.mj_step(model, data, 10**6))
    # The promise is 0.2 s on a free machine; a busy one may wake us late, but never after a part of the steps.
    assert 0 < data.time < 10**5 * model.opt.timestep
    compat.mj_step(model, data)


def test_an_interrupt_ends_a_long_step_and_leaves_the_state():
    boxes = "".join(
        f"<body pos='0 0 {0.01 * i}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" for i in range(12)
    )
    option = "<option solver='PGS' iterations='1000000' tolerance='0'/>"
    model = MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{boxes}</worldbody></mujoco>")
    data = MjData(model)
    interrupted(lambda: compat.mj_step(model, data))
    assert data.time == 0
    np.testing.assert_array_equal(data.qpos, model.qpos0)
    model.opt.iterations = 1
    compat.mj_step(model, data)
    assert data.time == model.opt.timestep


def test_an_interrupt_ends_a_load():
    muscles = "<muscle joint='j'/>" * 100
    text = f"""<mujoco><compiler><lengthrange mode="all" timestep="1e-4" inttotal="9" interval="1"/></compiler>
        <worldbody><body><joint name="j" damping="1" limited="false"/><geom size=".1" pos="0 0 1"/></body></worldbody>
        <actuator>{muscles}</actuator></mujoco>"""
    for load in (MjModel.from_xml_string, lambda text: compat.MjSpec.from_string(text).compile()):
        start = time.process_time()
        interrupted(lambda load=load: load(text))
        # All of it takes more than twenty.
        assert time.process_time() - start < 5


def test_an_interrupt_ends_pictures_of_worlds(boxes):
    model, _ = boxes
    batch = sinew.Batch(model, 1000)
    interrupted(lambda: batch.render(320, 240))


def test_an_interrupt_ends_a_rollout_of_gigabytes():
    model = MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    states = np.zeros((100, 14))
    states[:, 4] = 1
    interrupted(lambda: rollout.rollout(model, MjData(model), states, nstep=3 * 10**5))


def test_an_interrupt_ends_derivatives_and_leaves_the_state():
    boxes = "<body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>" * 80
    model = MjModel.from_xml_string(f"<mujoco><worldbody>{boxes}</worldbody></mujoco>")
    data = MjData(model)
    out = np.zeros((2 * model.nv, 2 * model.nv))
    start = time.process_time()
    interrupted(lambda: compat.mjd_transitionFD(model, data, 1e-6, True, out, None, None, None))
    # All of it takes more than thirty.
    assert time.process_time() - start < 5
    assert data.time == 0
    np.testing.assert_array_equal(data.qpos, model.qpos0)


def test_tables_and_copies_that_do_not_fit_the_memory_are_errors(ours):
    data = MjData(ours)
    state = np.zeros(compat.mj_stateSize(ours, compat.mjtState.mjSTATE_FULLPHYSICS))
    with pytest.raises(MemoryError):
        rollout.rollout(ours, data, state, nstep=10**12)


def test_a_fault_inside_a_call_leaves_the_data_refusing_until_reset(ours, capfd):
    data = MjData(ours)
    kept = data.qpos
    data.qpos[0] = 0.25
    with pytest.raises(sinew.InternalError, match="failed on purpose"):
        _native.fail_in_data(ours._native, data._native)
    assert kept[0] == 0.25
    for call in (lambda: compat.mj_step(ours, data), lambda: data.ncon, lambda: data.efc_force, lambda: data.time):
        with pytest.raises(sinew.InternalError, match="mj_resetData"):
            call()
    compat.mj_resetData(ours, data)
    np.testing.assert_array_equal(data.qpos, ours.qpos0)
    compat.mj_step(ours, data, 10)
    fresh = MjData(ours)
    compat.mj_step(ours, fresh, 10)
    assert data.qpos.tobytes() == fresh.qpos.tobytes()
    # Arrays asked for before the fault can still be read; new ones are live.
    assert kept[0] == 0.25 and data.qpos is not kept
    assert capfd.readouterr().err == ""


def test_a_state_that_stays_bad_is_an_error_that_can_be_caught(ours):
    data = MjData(ours)
    ours.opt.gravity = np.nan
    with pytest.raises(sinew.StepError):
        compat.mj_step(ours, data, 5)
    assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
    ours.opt.gravity = 0, 0, -9.81
    compat.mj_step(ours, data, 5)
    assert data.time == pytest.approx(5 * ours.opt.timestep)


@pytest.mark.parametrize("timestep", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_step_that_is_none_is_refused(ours, timestep):
    data = MjData(ours)
    ours.opt.timestep = timestep
    for call in (compat.mj_step, compat.mj_step1, compat.mj_step2):
        with pytest.raises(sinew.StepError, match="time step"):
            call(ours, data)
    assert data.time == 0


def test_views_outlive_everything_else():
    model = MjModel.from_xml_string(EVERYTHING)
    data = MjData(model)
    compat.mj_step(model, data, 3)
    names = [name for name in data._all_fields if getattr(data, name).size]
    views = {name: getattr(data, name) for name in names}
    expected = {name: view.copy() for name, view in views.items()}
    row = data.body("body1").xpos
    counts = [sys.getrefcount(view.base) for view in views.values()]
    assert min(counts) > 1
    del data, model
    gc.collect()
    churn = [np.full(2000, 7.0) for _ in range(500)]
    for name, view in views.items():
        np.testing.assert_array_equal(view, expected[name], err_msg=name)
    assert len(row) == 3 and len(churn) == 500


def test_arrays_stay_where_they_are_whatever_is_called(ours):
    data = MjData(ours)
    places = {name: getattr(data, name).ctypes.data for name in data._all_fields}
    for integrator in compat.mjtIntegrator:
        ours.opt.integrator = integrator
        for name in compat._functions.STAGES:
            getattr(compat, name)(ours, data)
        compat.mj_step(ours, data, 5)
        compat.mj_step1(ours, data)
        compat.mj_step2(ours, data)
    other, nv = copy.copy(data), ours.nv
    compat.mj_step(ours, other)
    state = np.zeros((1, compat.mj_stateSize(ours, compat.mjtState.mjSTATE_FULLPHYSICS)))
    compat.mj_getState(ours, other, state[0], compat.mjtState.mjSTATE_FULLPHYSICS)
    for hook in (None, lambda m, d: compat.mj_forwardSkip(m, other, 0, 0)):
        data.hooks.control = hook
        compat.mj_step(ours, data)
        compat.mj_forwardSkip(ours, data, 1, 0)
        compat.mj_inverseSkip(ours, data, 1, 0)
        compat.mj_RungeKutta(ours, data, 4)
        compat.mjd_transitionFD(ours, data, 1e-6, 1, np.zeros((2 * nv + ours.na,) * 2), None, None, None)
        compat.mjd_inverseFD(ours, data, 1e-6, 1, np.zeros((nv, nv)), None, None, None, None, None, None)
        rollout.rollout(ours, data, state, nstep=3)
    contact = compat.MjContact()
    contact.dim = 3
    compat.mj_addContact(ours, data, contact)
    compat.mj_constraintUpdate(ours, data, np.zeros(data.nefc), None, 0)
    compat.mj_copyData(data, ours, other)
    compat.mj_copyState(ours, other, data, compat.mjtState.mjSTATE_INTEGRATION)
    compat.mj_setState(ours, data, state, compat.mjtState.mjSTATE_FULLPHYSICS)
    compat.mj_setKeyframe(ours, data, 0)
    data.qpos[0] = np.nan
    compat.mj_step(ours, data)
    compat.mj_setConst(ours, data)
    compat.mj_setTotalmass(ours, 2.0)
    compat.mj_resetDataKeyframe(ours, data, 1)
    compat.mj_resetDataDebug(ours, data, 7)
    again = data._native.arrays()
    assert {name: array.ctypes.data for name, array in again.items()} == places
    # The model's arrays are still the memory of the model, of which a copy is made.
    ours.body_mass *= 3
    ours.stat.extent = 17.0
    copied = copy.copy(ours)
    for name in ours._all_fields:
        np.testing.assert_array_equal(getattr(copied, name), getattr(ours, name), err_msg=name)
    assert copied.opt == ours.opt and copied.stat == ours.stat and copied.stat.extent == 17


def test_a_forked_child_simulates_on(boxes):
    model, data = boxes
    compat.mj_step(model, data, 20)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            compat.mj_step(model, data, 20)
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    compat.mj_step(model, data, 20)


def test_models_load_in_parallel():
    found, failures = [], []

    def work():
        try:
            found.append(MjModel.from_xml_string(BOXES).nbody)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [51] * 8 and not failures


def resident_bytes() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def test_memory_stays_flat_over_loads_drops_and_failures():
    def cycle():
        model = MjModel.from_xml_string(EVERYTHING)
        data = MjData(model)
        compat.mj_step(model, data, 2)
        assert data.contact is not None and data.body("body1").xpos.size == 3
        for text in ("<mujoco>", '<mujoco><worldbody><geom sizee="1"/></worldbody></mujoco>'):
            with pytest.raises(sinew.LoadError):
                MjModel.from_xml_string(text)

    for _ in range(200):
        cycle()
    gc.collect()
    before = resident_bytes()
    for _ in range(600):
        cycle()
    gc.collect()
    assert resident_bytes() - before < 1 << 20

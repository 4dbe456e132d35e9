"""Errors are exceptions that say where and what; the interpreter lives on."""

import os
import pickle
import threading

import pytest
from conftest import EVERYTHING

import sinew
from sinew import _native
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

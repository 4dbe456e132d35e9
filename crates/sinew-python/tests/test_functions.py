"""Functions of the reference that work on a model or a simulation: histories, derivatives, defaults, text."""

import copy
import inspect
import logging
import pickle

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew.compat as compat

DELAYS = """
<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".4 0 0"><joint name="slide" type="slide"/><geom size=".1"/></body></body>
  </worldbody>
  <actuator>
    <motor joint="hinge" delay="0.01" nsample="6" interp="linear"/>
    <motor joint="slide"/>
    <motor joint="slide" delay="0.004" nsample="4"/>
  </actuator>
  <sensor>
    <jointpos joint="hinge" delay="0.01" nsample="8" interp="cubic"/>
    <jointvel joint="slide"/>
    <velocimeter site="tip" delay="0.006" nsample="5" interval="0.004"/>
  </sensor>
</mujoco>
""".replace('<geom size=".1"/></body></body>', '<geom size=".1"/><site name="tip"/></body></body>')


def pair(text, steps=0):
    """The same model and state in both engines."""
    out = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        data.ctrl = 0.1
        for _ in range(steps):
            data.ctrl[0] = np.sin(100 * data.time)
            module.mj_step(model, data)
        out.append((module, model, data))
    return out


def file_pair(name, steps=50, **options):
    """A model of ours in the same state in both engines."""
    path = str(REPOSITORY / "models" / f"{name}.xml")
    out = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(path)
        for option, value in options.items():
            setattr(model.opt, option, value)
        data = module.MjData(model)
        if out:
            for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
                setattr(data, field, getattr(out[0][2], field))
        else:
            data.ctrl = 0.05
            module.mj_step(model, data, steps)
        module.mj_forward(model, data)
        out.append((module, model, data))
    return out


def test_delayed_controls_and_readings_are_those_of_the_reference():
    theirs, ours = pair(DELAYS, steps=20)
    for interp in (-1, 0, 1, 2):
        for time in np.linspace(0, 0.06, 25):
            for actuator in range(3):
                answers = [module.mj_readCtrl(m, d, actuator, time, interp) for module, m, d in (theirs, ours)]
                assert answers[1] == pytest.approx(answers[0], abs=1e-12)
            for sensor, width in enumerate((1, 1, 3)):
                answers = [
                    module.mj_readSensor(m, d, sensor, time, np.zeros(width), interp) for module, m, d in (theirs, ours)
                ]
                np.testing.assert_allclose(answers[1], answers[0], atol=1e-12)


def test_histories_can_be_set():
    for module, m, d in pair(DELAYS):
        times = np.linspace(-0.05, 0, 6)
        module.mj_initCtrlHistory(m, d, 0, times, np.arange(6.0))
        module.mj_initCtrlHistory(m, d, 2, None, np.arange(4.0))
        module.mj_initSensorHistory(m, d, 0, np.linspace(-0.07, 0, 8), np.arange(8.0).reshape(8, 1), 0.0)
        module.mj_initSensorHistory(m, d, 2, None, np.arange(15.0).reshape(5, 3), 0.002)
        assert module.mj_readCtrl(m, d, 0, -0.015, -1) == pytest.approx(2.5)
        module.mj_step(m, d, 3)
    theirs, ours = pair(DELAYS)
    for module, m, d in (theirs, ours):
        module.mj_initCtrlHistory(m, d, 0, None, np.arange(6.0))
        module.mj_initSensorHistory(m, d, 2, None, np.arange(15.0).reshape(5, 3), 0.002)
        module.mj_step(m, d, 30)
    np.testing.assert_allclose(ours[2].history, theirs[2].history, atol=1e-12)
    np.testing.assert_allclose(ours[2].qpos, theirs[2].qpos, atol=1e-12)
    _, m, d = ours
    before = d.history.copy()
    for error, call in (
        (IndexError, lambda: compat.mj_readCtrl(m, d, 3, 0.0, 0)),
        (IndexError, lambda: compat.mj_readSensor(m, d, -1, 0.0, np.zeros(1), 0)),
        (TypeError, lambda: compat.mj_readSensor(m, d, 2, 0.0, np.zeros(2), 0)),
        (ValueError, lambda: compat.mj_readCtrl(m, d, 0, 0.0, 3)),
        (ValueError, lambda: compat.mj_initCtrlHistory(m, d, 1, None, np.zeros(0))),
        (ValueError, lambda: compat.mj_initCtrlHistory(m, d, 0, np.zeros(6), np.zeros(6))),
        (TypeError, lambda: compat.mj_initCtrlHistory(m, d, 0, None, np.zeros(5))),
    ):
        with pytest.raises(error):
            call()
    np.testing.assert_array_equal(d.history, before)


@pytest.mark.parametrize("actuation", [0, 1])
@pytest.mark.parametrize("name", ["cartpole", "muscle_arm", "drone", "arm_actuators"])
def test_derivatives_of_inverse_dynamics(name, actuation):
    answers = []
    for module, model, data in file_pair(name, integrator=0):
        nv, ns = model.nv, model.nsensordata
        shapes = [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, model.nM)]
        matrices = [np.zeros(shape) for shape in shapes]
        module.mjd_inverseFD(model, data, 1e-6, actuation, *matrices)
        answers.append(matrices)
        module.mjd_inverseFD(model, data, 1e-6, actuation, matrices[0], *[None] * 6)
    for expected, actual in zip(*answers, strict=True):
        scale = max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(actual, expected, atol=1e-6 * scale)


@pytest.mark.parametrize("integrator", [0, 2, 3])
def test_derivatives_of_a_step_by_every_integrator(integrator):
    answers = []
    for module, model, data in file_pair("muscle_arm", integrator=integrator):
        nx = 2 * model.nv + model.na
        matrices = [np.zeros((nx, nx)), np.zeros((nx, model.nu))]
        module.mjd_transitionFD(model, data, 1e-6, 1, *matrices, None, None)
        answers.append(matrices)
    for expected, actual in zip(*answers, strict=True):
        np.testing.assert_allclose(actual, expected, atol=1e-7 * max(1, abs(expected).max()))


def test_derivatives_see_hooks():
    (_, model, data) = file_pair("cartpole", integrator=0)[1]
    nx = 2 * model.nv
    plain, hooked = np.zeros((nx, nx)), np.zeros((nx, nx))
    compat.mjd_transitionFD(model, data, 1e-6, 1, plain, None, None, None)

    def spring(m, d):
        d.qfrc_passive[0] -= 50 * d.qpos[0]

    data.hooks.passive = spring
    compat.mjd_transitionFD(model, data, 1e-6, 1, hooked, None, None, None)
    assert abs(hooked - plain).max() > 1e-3
    with pytest.raises(ValueError, match="positive"):
        compat.mjd_transitionFD(model, data, 0, 1, hooked, None, None, None)
    model.opt.integrator = compat.mjtIntegrator.mjINT_RK4
    with pytest.raises(ValueError, match="Runge"):
        compat.mjd_transitionFD(model, data, 1e-6, 1, hooked, None, None, None)


def test_derivatives_of_rotations():
    generator = np.random.default_rng(1)
    for size in (1, 1e-4, 0):
        first, second = generator.normal(size=(2, 4))
        first, second = first / np.linalg.norm(first), (first + size * second) / np.linalg.norm(first + size * second)
        velocity = generator.normal(size=3) * size
        answers = []
        for module in (mujoco, compat):
            found = [np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(9), np.zeros(9), np.zeros(3)]
            module.mjd_subQuat(first, second, *found[:2])
            module.mjd_subQuat(first, second, None, found[1])
            module.mjd_quatIntegrate(velocity, 0.3, *found[2:])
            answers.append(found)
        for expected, actual in zip(*answers, strict=True):
            np.testing.assert_allclose(actual, expected, atol=1e-12)


def test_inertia_in_parts_and_momentum():
    generator = np.random.default_rng(2)
    answers = []
    vectors = generator.normal(size=(2, 40))
    for module, model, data in file_pair("humanoid"):
        nv = model.nv
        half, solved, momentum = np.zeros(nv), np.zeros((2, nv)), np.zeros((3, nv))
        module.mj_mulM2(model, data, half, vectors[0, :nv])
        roots = np.sqrt(data.qLDiagInv).reshape(1, nv)
        module.mj_solveM2(model, data, solved, vectors[:, :nv].copy(), roots)
        module.mj_angmomMat(model, data, momentum, 3)
        rownnz, rowadr = model.M_rownnz.copy(), model.M_rowadr.copy()
        matrix, columns = np.arange(model.nM, dtype=float), model.M_colind.copy()
        rownnz[4] -= 2
        module.mj_addM(model, data, matrix, rownnz, rowadr, columns)
        places = [[], []]
        for kind in range(5):
            position, axes = np.zeros(3), np.zeros(9)
            quat = vectors[0, :4] / np.linalg.norm(vectors[0, :4])
            module.mj_local2Global(data, position, axes, vectors[1, :3].copy(), quat, 4, kind)
            places[0].append(position), places[1].append(axes)
        answers.append([half, solved, momentum, rownnz, matrix, columns, *places])
    for expected, actual in zip(*answers, strict=True):
        np.testing.assert_allclose(actual, expected, atol=1e-10)
    _, model, data = file_pair("humanoid")[1]
    with pytest.raises(ValueError, match="room"):
        nv = model.nv
        numbers = np.arange(nv, dtype=np.int32)
        compat.mj_addM(model, data, np.zeros(nv), np.zeros(nv, np.int32), numbers, numbers.copy())


def test_couplings_of_rows_are_made_when_asked_for():
    for jacobian in (0, 1):
        answers = []
        for module, model, data in file_pair("humanoid", steps=300, solver=0, jacobian=jacobian):
            module.mj_fwdPosition(model, data)
            module.mj_projectConstraint(model, data)
            answers.append(data.efc_AR.copy())
        assert answers[0].size
        np.testing.assert_allclose(answers[1], answers[0], atol=1e-9 * abs(answers[0]).max())


def test_box_programs_have_the_minimum_of_the_reference():
    generator = np.random.default_rng(3)
    for number in range(40):
        n = int(generator.integers(1, 8))
        root = generator.normal(size=(n, n))
        hessian, linear = root @ root.T + 0.1 * np.eye(n), generator.normal(size=n) * 3
        low, high = -generator.uniform(0.1, 2, n), generator.uniform(0.1, 2, n)
        bounds = [(low, high), (None, high), (low, None), (None, None)][number % 4]
        answers = []
        for module in (mujoco, compat):
            x, scratch, index = np.zeros(n), np.zeros((n, n + 7)), np.full(n, -1, np.int32)
            count = module.mju_boxQP(x, scratch, index, hessian, linear, *bounds)
            factor = np.tril(scratch.ravel()[: count * count].reshape(count, count))
            answers.append((count, x, index[:count], factor))
        assert answers[1][0] == answers[0][0] >= 0
        for expected, actual in zip(answers[0][1:], answers[1][1:], strict=True):
            np.testing.assert_allclose(actual, expected, atol=1e-8)
    arguments = np.zeros(1), np.zeros((1, 8)), None, -np.eye(1), np.ones(1)
    assert compat.mju_boxQP(*arguments, -np.ones(1), np.ones(1)) == mujoco.mju_boxQP(
        *arguments, -np.ones(1), np.ones(1)
    )
    with pytest.raises(ValueError, match="above"):
        compat.mju_boxQP(*arguments, np.ones(1), np.ones(1))


def test_records_without_a_model():
    option, theirs = compat.MjOption(), mujoco.MjOption()
    for name in theirs._all_fields:
        np.testing.assert_array_equal(getattr(option, name), getattr(theirs, name), err_msg=name)
    for name in ("_all_fields", "_int_fields", "_float_fields", "_floatarray_fields"):
        assert getattr(option, name) == set(getattr(theirs, name)), name
    model = compat.MjModel.from_xml_string(EVERYTHING)
    model.opt.timestep = 0.5
    model.opt.gravity[0] = 3
    kept = copy.copy(model.opt), copy.deepcopy(model.opt), pickle.loads(pickle.dumps(model.opt))
    visual = copy.copy(model.vis)
    model.vis.global_.fovy = 10
    compat.mj_defaultOption(model.opt)
    compat.mj_defaultVisual(model.vis)
    assert model.opt.timestep == 0.002 and model.opt.gravity[0] == 0 and model.vis.global_.fovy == 45
    assert all(record.timestep == 0.5 and record.gravity[0] == 3 for record in kept)
    visual.global_.fovy = 7
    assert model.vis.global_.fovy == 45 and compat.MjOption().timestep == 0.002
    solref, solimp = np.zeros(2), np.zeros(5)
    compat.mj_defaultSolRefImp(solref, solimp)
    assert solref.tolist() == [0.02, 1] and solimp.tolist() == [0.9, 0.95, 0.001, 0.5, 2]


def test_a_debugging_reset_fills_what_is_computed():
    answers = []
    for module, model, data in pair(EVERYTHING, steps=3):
        module.mj_resetDataDebug(model, data, 7)
        answers.append(data)
    theirs, ours = answers
    for name in ours._all_fields:
        if getattr(ours, name).dtype.kind == "f":
            assert getattr(ours, name).tobytes() == getattr(theirs, name).tobytes(), name
    compat.mj_step(ours.model, ours, 5)
    other = compat.MjData(ours.model)
    compat.mj_step(ours.model, other, 5)
    assert ours.qpos.tobytes() == other.qpos.tobytes() and np.isfinite(ours.sensordata).all()
    with pytest.raises(TypeError):
        compat.mj_resetDataDebug(ours.model, ours, 300)


def test_models_and_simulations_are_written_for_people(tmp_path, capsys, caplog):
    _, model, data = file_pair("box_pile", steps=100)[1]
    compat.mj_printModel(model, str(tmp_path / "model.txt"))
    compat.mj_printFormattedData(model, data, str(tmp_path / "data.txt"), "%.17g")
    text = (tmp_path / "model.txt").read_text()
    assert "body_mass" in text and "timestep" in text and f"nbody                {model.nbody}" in text
    text = (tmp_path / "data.txt").read_text()
    assert f"{data.efc_force[0]:.17g}" in text and "contact.dist" in text
    with pytest.raises(ValueError, match="no format"):
        compat.mj_printFormattedModel(model, str(tmp_path / "none.txt"), "%q")
    assert not (tmp_path / "none.txt").exists()
    compat.mju_printMat(np.arange(4.0).reshape(2, 2))
    ints = [np.array(values, np.int32) for values in ([1, 1], [0, 1], [1, 0])]
    compat.mju_printMatSparse(np.array([1.5, 2.5]), *ints)
    assert capsys.readouterr().out == (
        "0.00000000 1.00000000 \n2.00000000 3.00000000 \n\n(0 1):  1.500000  \n(1 0):  2.500000  \n\n"
    )
    for count in (0, 1, 1000, 1024, 3 << 20, 5 << 40, 1025):
        assert compat.mju_writeNumBytes(count) == mujoco.mju_writeNumBytes(count)
    for warning in range(8):
        assert "42" in compat.mju_warningText(warning, 42)
    with caplog.at_level(logging.INFO, logger="sinew"):
        compat.mju_writeLog("WARNING", "hot")
    assert "WARNING: hot" in caplog.text


def test_normal_numbers_are_normal():
    numbers = [compat.mju_standardNormal(None) for _ in range(4000)]
    assert abs(np.mean(numbers)) < 0.1 and abs(np.std(numbers) - 1) < 0.1


def test_every_function_says_what_it_does():
    for name, function in compat._FUNCTIONS.items():
        assert inspect.getdoc(function), name

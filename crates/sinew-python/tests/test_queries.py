"""Every function that answers a question gives the reference's answer, and refuses wrong questions."""

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as compat

MODELS = ["humanoid", "quadruped", "arm_actuators", "mechanism", "mesh_scene", "terrain", "sensor_zoo", "swimmer"]


@pytest.fixture(params=MODELS, scope="module")
def engines(request):
    """A model in both engines, in the same moving state, everything computed."""
    path = str(REPOSITORY / "models" / f"{request.param}.xml")
    pairs = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(path)
        pairs.append((module, model, module.MjData(model)))
    reference, state = pairs[0][2], {}
    mujoco.mj_step(pairs[0][1], reference, 150)
    for name in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "mocap_pos", "mocap_quat"):
        state[name] = getattr(reference, name).copy()
    for module, model, data in pairs:
        for name, value in state.items():
            setattr(data, name, value)
        data.time = reference.time
        module.mj_forward(model, data)
        module.mj_rnePostConstraint(model, data)
    return pairs


def both(engines, ask):
    """The answers of the reference and of sinew."""
    return [ask(*engine) for engine in engines]


def agree(answers, tolerance=1e-9):
    expected, actual = answers
    scale = max(1.0, float(np.max(np.abs(expected), initial=0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * scale)


def body_queries(nv, nbody):
    for body in {0, 1, nbody // 2, nbody - 1}:
        for name in ("mj_jacBody", "mj_jacBodyCom"):
            yield name, (np.zeros((3, nv)), np.zeros((3, nv)), body)
        for name in ("mj_jac", "mj_jacDot"):
            yield name, (np.zeros((3, nv)), np.zeros((3, nv)), np.array([0.1, 0.2, 0.3]), body)
        point, axis = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.6, 0.8])
        yield "mj_jacPointAxis", (np.zeros((3, nv)), np.zeros((3, nv)), point, axis, body)
        yield "mj_jacSubtreeCom", (np.zeros((3, nv)), body)


def test_jacobians(engines):
    model = engines[0][1]
    for number, (name, _) in enumerate(body_queries(model.nv, model.nbody)):

        def ask(module, model, data, number=number):
            _, arguments = list(body_queries(model.nv, model.nbody))[number]
            getattr(module, name)(model, data, *arguments)  # noqa: B023
            return np.concatenate([matrix.ravel() for matrix in arguments if np.ndim(matrix) == 2])

        agree(both(engines, ask))


def test_jacobians_of_geoms_and_sites(engines):
    def ask(module, model, data):
        found = []
        for function, count in ((module.mj_jacGeom, model.ngeom), (module.mj_jacSite, model.nsite)):
            for index in range(count):
                jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
                function(model, data, jacp, jacr, index)
                found += [jacp.ravel(), jacr.ravel()]
        return np.concatenate(found)

    agree(both(engines, ask))


@pytest.mark.parametrize("function", ["mj_objectVelocity", "mj_objectAcceleration"])
@pytest.mark.parametrize("local", [0, 1])
def test_velocities_and_accelerations_of_objects(engines, function, local):
    def ask(module, model, data):
        kinds = module.mjtObj
        counts = {kinds.mjOBJ_BODY: model.nbody, kinds.mjOBJ_XBODY: model.nbody, kinds.mjOBJ_GEOM: model.ngeom}
        counts |= {kinds.mjOBJ_SITE: model.nsite, kinds.mjOBJ_CAMERA: model.ncam}
        found = []
        for kind, count in counts.items():
            for index in range(count):
                result = np.zeros(6)
                getattr(module, function)(model, data, kind, index, result, local)
                found.append(result)
        return np.concatenate(found)

    agree(both(engines, ask), 1e-6 if "Acc" in function else 1e-9)


def test_products_with_inertia_and_jacobian(engines):
    def ask(module, model, data):
        vector = np.linspace(-1, 1, model.nv)
        product, solved = np.zeros(model.nv), np.zeros((2, model.nv))
        module.mj_mulM(model, data, product, vector)
        module.mj_solveM(model, data, solved, np.stack([vector, product]))
        rows, back = np.zeros(data.nefc), np.zeros(model.nv)
        if data.nefc:
            module.mj_mulJacVec(model, data, rows, vector)
            module.mj_mulJacTVec(model, data, back, np.ones(data.nefc))
        bias, whole = np.zeros(model.nv), np.zeros(model.nv)
        module.mj_rne(model, data, 0, bias)
        module.mj_rne(model, data, 1, whole)
        return np.concatenate([product, solved.ravel(), rows, back, bias, whole])

    agree(both(engines, ask), 1e-8)


def test_forces_at_points(engines):
    def ask(module, model, data):
        target = np.ones(model.nv)
        force, torque, point = np.array([1.0, 2, 3]), np.array([0.1, 0.2, 0.3]), np.array([0.5, 0, 0.5])
        module.mj_applyFT(model, data, force, torque, point, model.nbody - 1, target)
        return target

    agree(both(engines, ask))


def test_positions_are_integrated_and_differentiated(engines):
    def ask(module, model, data):
        moved, back = data.qpos.copy(), np.zeros(model.nv)
        velocity = np.linspace(-2, 3, model.nv)
        module.mj_integratePos(model, moved, velocity, 0.1)
        module.mj_differentiatePos(model, back, 0.1, data.qpos, moved)
        np.testing.assert_allclose(back, velocity, atol=1e-9)
        module.mj_normalizeQuat(model, moved)
        return np.concatenate([moved, back])

    agree(both(engines, ask), 1e-12)


def test_numbers_of_the_caller_are_taken_as_they_are(engines):
    """Nothing of the simulation enters, so both engines give the same bits."""

    def ask(module, model, data):
        generator = np.random.default_rng(3)
        full, matrix = np.ones((model.nv, model.nv)), generator.normal(size=model.nM)
        module.mj_fullM(model, full, matrix)
        positions = generator.normal(size=(2, model.nq))
        positions[1] = 0
        for row in positions:
            module.mj_normalizeQuat(model, row)
        return [full, positions, module.mj_getTotalmass(model)]

    for expected, actual in zip(*both(engines, ask), strict=True):
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("solver", [0, 1, 2])
@pytest.mark.parametrize("noslip", [0, 3])
@pytest.mark.parametrize("cone", [0, 1])
def test_a_model_says_how_it_is_solved(solver, noslip, cone):
    answers = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
        model.opt.solver, model.opt.noslip_iterations, model.opt.cone = solver, noslip, cone
        model.opt.jacobian = solver
        answers.append([module.mj_isDual(model), module.mj_isPyramidal(model), module.mj_isSparse(model)])
    assert answers[1] == answers[0]


def test_constraint_update(engines):
    def ask(module, model, data):
        cost, residual = np.zeros(1), np.linspace(-1, 1, data.nefc)
        module.mj_constraintUpdate(model, data, residual, cost, 0)
        answer = np.concatenate([cost, data.efc_force, data.efc_state, data.qfrc_constraint])
        module.mj_forward(model, data)
        return answer

    agree(both(engines, ask), 1e-8)


def test_rays(engines):
    def ask(module, model, data):
        generator = np.random.default_rng(0)
        origin = np.array([0.2, -0.3, 2.0])
        directions = generator.normal(size=(200, 3))
        found = []
        for direction in directions:
            for groups in (None, np.array([1, 0, 1, 0, 1, 0], np.uint8)):
                geom, normal = np.zeros(1, np.int32), np.zeros(3)
                distance = module.mj_ray(model, data, origin, direction, groups, 1, -1, geom, normal)
                found += [distance, geom[0], *normal]
            found.append(module.mj_ray(model, data, origin, direction, None, 0, 1, None))
        return np.array(found)

    agree(both(engines, ask))


@pytest.mark.parametrize("cutoff", [1e10, 1.5])
def test_many_rays_at_once(engines, cutoff):
    def ask(module, model, data):
        directions = np.random.default_rng(1).normal(size=(100, 3))
        geoms, distances, normals = np.zeros(100, np.int32), np.zeros(100), np.zeros(300)
        arguments = directions.ravel(), None, 1, -1, geoms, distances, normals, 100, cutoff
        module.mj_multiRay(model, data, np.array([0.1, 0.1, 1.5]), *arguments)
        return np.concatenate([geoms, distances, normals])

    agree(both(engines, ask))


def test_distances_between_geoms(engines):
    def ask(module, model, data):
        found = []
        for first in range(min(model.ngeom, 6)):
            for second in range(first + 1, min(model.ngeom, 12)):
                ends = np.zeros(6)
                found.append(module.mj_geomDistance(model, data, first, second, 0.5, ends))
        return np.array(found)

    agree(both(engines, ask), 1e-6)


def test_inverse_dynamics(engines):
    def ask(module, model, data):
        qacc = data.qacc.copy()
        module.mj_inverse(model, data)
        first = data.qfrc_inverse.copy()
        module.mj_inverseSkip(model, data, module.mjtStage.mjSTAGE_VEL, 1)
        np.testing.assert_array_equal(data.qfrc_inverse, first)
        np.testing.assert_array_equal(data.qacc, qacc)
        return first

    agree(both(engines, ask), 1e-7)


def test_single_stages_leave_what_forward_leaves(engines):
    _, model, data = engines[1]
    compat.mj_forward(model, data)
    names = ("xpos", "qM", "qfrc_bias", "qfrc_passive", "qfrc_actuator", "qacc_smooth", "sensordata", "cvel")
    before = {name: getattr(data, name).copy() for name in names}
    rows = data.nefc, data.ncon, data.nisland
    stages = (
        "mj_fwdKinematics mj_crb mj_factorM mj_collision mj_makeConstraint mj_island mj_transmission mj_sensorPos "
        "mj_comVel mj_passive mj_referenceConstraint mj_fwdVelocity mj_sensorVel mj_fwdActuation mj_fwdAcceleration "
        "mj_fwdConstraint mj_sensorAcc"
    )
    for stage in stages.split():
        getattr(compat, stage)(model, data)
    assert (data.nefc, data.ncon, data.nisland) == rows
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(data, name), value, err_msg=name)


def test_forward_skips_what_is_current(engines):
    _, model, data = engines[1]
    compat.mj_forward(model, data)
    acceleration = data.qacc.copy()
    for stage in (compat.mjtStage.mjSTAGE_POS, compat.mjtStage.mjSTAGE_VEL):
        compat.mj_forwardSkip(model, data, stage, 1)
        np.testing.assert_allclose(data.qacc, acceleration, atol=1e-7 * max(1, abs(acceleration).max()))
    with pytest.raises(ValueError, match="mjtStage"):
        compat.mj_forwardSkip(model, data, 17, 0)


def test_integrators_by_name(engines):
    def ask(module, model, data):
        state = np.zeros(module.mj_stateSize(model, module.mjtState.mjSTATE_INTEGRATION))
        module.mj_getState(model, data, state, module.mjtState.mjSTATE_INTEGRATION)
        found, integrator = [], model.opt.integrator
        for rule in ("EULER", "RK4", "IMPLICIT", "IMPLICITFAST"):
            model.opt.integrator = getattr(module.mjtIntegrator, f"mjINT_{rule}")
            module.mj_forward(model, data)
            if rule == "RK4":
                module.mj_RungeKutta(model, data, 4)
            else:
                (module.mj_Euler if rule == "EULER" else module.mj_implicit)(model, data)
            found.append(data.qpos.copy())
            module.mj_setState(model, data, state, module.mjtState.mjSTATE_INTEGRATION)
        model.opt.integrator = integrator
        module.mj_forward(model, data)
        return np.concatenate(found)

    agree(both(engines, ask))


@pytest.mark.parametrize("centered", [0, 1])
@pytest.mark.parametrize("name", ["cartpole", "muscle_arm", "drone", "quadruped"])
def test_derivatives_of_a_step(name, centered):
    path = str(REPOSITORY / "models" / f"{name}.xml")
    answers = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(path)
        data = module.MjData(model)
        data.ctrl = 0.01
        # The reference refuses RK4, and keeps the factor of the implicit rules while it nudges controls.
        model.opt.integrator = module.mjtIntegrator.mjINT_EULER
        if model.nu and model.actuator_ctrllimited[0]:
            data.ctrl[0] = model.actuator_ctrlrange[0, 1]
        module.mj_step(model, data, 20)
        state = data.qpos.copy()
        nx, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
        matrices = [np.zeros(shape) for shape in ((nx, nx), (nx, nu), (ns, nx), (ns, nu))]
        module.mjd_transitionFD(model, data, 1e-6, centered, *matrices)
        np.testing.assert_array_equal(data.qpos, state)
        if centered:
            # The reference subtracts the sensors of controls nudged both ways the wrong way round.
            matrices[3] = abs(matrices[3])
        answers.append(matrices)
    for expected, actual in zip(*answers, strict=True):
        # Differences of nearly equal numbers over 1e-6: ten digits of the numbers leave four of the quotient.
        scale = max(1.0, float(np.abs(expected).max(initial=0)))
        np.testing.assert_allclose(actual, expected, atol=1e-5 * scale)


WRONG = [
    (IndexError, lambda m, d: compat.mj_jacBody(m, d, np.zeros((3, m.nv)), None, m.nbody)),
    (IndexError, lambda m, d: compat.mj_jacBody(m, d, np.zeros((3, m.nv)), None, -1)),
    (IndexError, lambda m, d: compat.mj_jacGeom(m, d, None, None, m.ngeom)),
    (IndexError, lambda m, d: compat.mj_jacSite(m, d, None, None, -1)),
    (IndexError, lambda m, d: compat.mj_objectVelocity(m, d, 1, m.nbody, np.zeros(6), 0)),
    (ValueError, lambda m, d: compat.mj_objectVelocity(m, d, compat.mjtObj.mjOBJ_JOINT, 0, np.zeros(6), 0)),
    (IndexError, lambda m, d: compat.mj_contactForce(m, d, 10_000, np.zeros(6))),
    (IndexError, lambda m, d: compat.mj_geomDistance(m, d, 0, m.ngeom, 1.0, None)),
    (IndexError, lambda m, d: compat.mj_applyFT(m, d, np.ones(3), np.ones(3), np.ones(3), m.nbody, np.zeros(m.nv))),
    (TypeError, lambda m, d: compat.mj_jacBody(m, d, np.zeros((2, m.nv)), None, 1)),
    (TypeError, lambda m, d: compat.mj_jacBody(m, d, np.zeros((3, m.nv), np.float32), None, 1)),
    (TypeError, lambda m, d: compat.mj_jacBody(m, d, [0.0] * 3, None, 1)),
    (TypeError, lambda m, d: compat.mj_mulM(m, d, np.zeros(m.nv), np.zeros(m.nv + 1))),
    (TypeError, lambda m, d: compat.mj_mulM(m, d, np.zeros(m.nv + 1), np.zeros(m.nv))),
    (TypeError, lambda m, d: compat.mj_mulJacVec(m, d, np.zeros(d.nefc + 1), np.zeros(m.nv))),
    (TypeError, lambda m, d: compat.mj_fullM(m, np.zeros((m.nv, m.nv)), np.zeros(m.nM + 1))),
    (TypeError, lambda m, d: compat.mj_ray(m, d, np.zeros(2), np.ones(3), None, 1, -1, None)),
    (TypeError, lambda m, d: compat.mj_ray(m, d, np.zeros(3), np.ones(3), np.ones(5, np.uint8), 1, -1, None)),
    (ValueError, lambda m, d: compat.mj_ray(m, d, np.zeros(3), np.zeros(3), None, 1, -1, None)),
    (TypeError, lambda m, d: compat.mj_integratePos(m, np.zeros(m.nq + 1), np.zeros(m.nv), 0.1)),
    (TypeError, lambda m, d: compat.mj_setState(m, d, np.zeros(3), compat.mjtState.mjSTATE_PHYSICS)),
    (ValueError, lambda m, d: compat.mj_stateSize(m, 1 << 20)),
    (ValueError, lambda m, d: compat.mj_RungeKutta(m, d, 3)),
    (ValueError, lambda m, d: compat.mj_implicit(m, d) if m.opt.integrator < 2 else compat.mj_RungeKutta(m, d, 0)),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_call_is_an_exception_and_changes_nothing(number):
    model = compat.MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    data = compat.MjData(model)
    compat.mj_step(model, data, 100)
    before = {name: getattr(data, name).copy() for name in data._all_fields}
    error, call = WRONG[number]
    with pytest.raises(error):
        call(model, data)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(data, name), value, err_msg=name)
    compat.mj_step(model, data)

"""Constraint rows, Jacobians, inertia and contact forces: the reference's names, shapes and numbers."""

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as compat

FIELDS = (
    "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R efc_vel efc_aref efc_b "
    "efc_force solver_niter"
).split()


@pytest.fixture(params=["dense", "sparse"])
def engines(request):
    """The humanoid in both engines after a fall, with Jacobians of either kind."""
    path = str(REPOSITORY / "models" / "humanoid.xml")
    result = []
    state = None
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(path)
        model.opt.jacobian = getattr(module.mjtJacobian, f"mjJAC_{request.param.upper()}")
        data = module.MjData(model)
        if state is None:
            module.mj_step(model, data, 300)
            state = {name: getattr(data, name).copy() for name in ("qpos", "qvel", "qacc_warmstart")}
        for name, value in state.items():
            setattr(data, name, value)
        module.mj_forward(model, data)
        result.append((module, model, data))
    return result


def test_rows_have_the_numbers_of_the_reference(engines):
    (_, _, theirs), (_, _, ours) = engines
    assert ours.nefc == theirs.nefc > 0
    for name in FIELDS:
        expected, actual = getattr(theirs, name), getattr(ours, name)
        assert actual.shape == expected.shape, name
        assert actual.dtype == expected.dtype, name
        np.testing.assert_allclose(actual, expected, rtol=1e-8, atol=1e-8 * max(1, abs(expected).max()), err_msg=name)


def test_row_states_are_those_of_the_solution(engines):
    (_, _, theirs), (_, _, ours) = engines
    # The reference leaves the states of the warm start in `efc_state` where it solves by islands.
    assert ours.efc_state.tolist() == theirs.iefc_state[theirs.map_efc2iefc].tolist()


def test_row_jacobian_is_stored_as_in_the_reference(engines):
    (_, model, theirs), (_, own, ours) = engines
    assert compat.mj_isSparse(own) == mujoco.mj_isSparse(model)
    np.testing.assert_allclose(ours.efc_J, theirs.efc_J, atol=1e-10)
    if mujoco.mj_isSparse(model):
        for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"):
            assert getattr(ours, name).tolist() == getattr(theirs, name).tolist(), name


def test_contact_forces_agree(engines):
    (_, model, theirs), (_, own, ours) = engines
    for contact in range(theirs.ncon):
        expected, actual = np.zeros(6), np.zeros(6)
        mujoco.mj_contactForce(model, theirs, contact, expected)
        compat.mj_contactForce(own, ours, contact, actual)
        np.testing.assert_allclose(actual, expected, atol=1e-6)
    with pytest.raises(IndexError):
        compat.mj_contactForce(own, ours, ours.ncon, np.zeros(6))


def test_inertia_and_jacobians_agree(engines):
    answers = []
    for module, model, data in engines:
        nv = model.nv
        full, product, solution = np.zeros((nv, nv)), np.zeros(nv), np.zeros((1, nv))
        module.mj_fullM(model, full, data.qM)
        module.mj_mulM(model, data, product, np.arange(nv, dtype=float))
        module.mj_solveM(model, data, solution, product.reshape(1, nv))
        np.testing.assert_allclose(solution[0], np.arange(nv), atol=1e-9)
        np.testing.assert_allclose(full @ np.arange(nv), product, atol=1e-9)
        answers += [[full, product]]
        for function, index in [("mj_jacBody", 3), ("mj_jacBodyCom", 3), ("mj_jacGeom", 2)]:
            jacp, jacr = np.zeros((3, nv)), np.zeros((3, nv))
            getattr(module, function)(model, data, jacp, jacr, index)
            answers[-1] += [jacp, jacr]
        jacp = np.zeros((3, nv))
        module.mj_jac(model, data, jacp, None, np.ones(3), 2)
        answers[-1] += [jacp]
    for expected, actual in zip(*answers, strict=True):
        np.testing.assert_allclose(actual, expected, atol=1e-10)


def test_stages_one_by_one_are_forward_dynamics(engines):
    _, model, data = engines[1]
    forward = data.qacc.tolist()
    for stage in ("mj_fwdPosition", "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint"):
        getattr(compat, stage)(model, data)
    assert data.qacc.tolist() == forward

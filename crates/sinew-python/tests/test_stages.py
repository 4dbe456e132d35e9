"""Functions of model and data change what the reference's functions of the same names change, and nothing else."""

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as compat
from sinew import _native

ROWS = (
    "efc_J efc_pos efc_margin efc_vel efc_aref efc_D efc_R efc_force efc_frictionloss efc_diagApprox efc_KBIP".split()
)
CONTACTS = ("dist", "pos", "frame", "friction", "mu", "efc_address", "geom")
COUNTS = ("ncon", "nefc", "ne", "nf", "nl", "nisland", "time")
# Entries that are not used have any value in the reference.
UNUSED = {"actuator_moment", "moment_rownnz", "moment_rowadr", "moment_colind"}
# The reference leaves counts behind of rows that are gone, and body forces of an earlier step (docs/differences.md).
# What is not yet computed of new rows has any value there.
NOT_YET = {"efc_force", "efc_vel", "efc_aref"}
DIFFERENT = {
    "mj_collision": {"ne", "nf", "nl", "efc_J"},
    "mj_makeConstraint": {"nisland", *NOT_YET},
    "mj_fwdPosition": NOT_YET,
    "mj_invPosition": NOT_YET,
    "mj_step1": {"efc_force"},
    "mj_step2": {"sensordata", "cacc", "cfrc_int", "cfrc_ext"},
}
# A comparison of stages that belong together: here they do not.
APART = {"mj_compareFwdInv"}


def moved(module, name, integrator):
    """A simulation whose state, inputs and accelerations are newer than what was computed from them."""
    model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
    model.opt.integrator = integrator
    data, random = module.MjData(model), np.random.default_rng(7)
    for _ in range(20):
        data.ctrl[:] = 0.1 * random.normal(size=model.nu)
        module.mj_step(model, data)
    module.mj_forward(model, data)
    data.qpos += 1e-3 * random.normal(size=model.nq)
    data.qvel += 0.1 * random.normal(size=model.nv)
    data.act += 0.1 * random.random(model.na)
    data.qacc += random.normal(size=model.nv)
    data.qfrc_applied += random.normal(size=model.nv)
    data.ctrl += 0.1
    return model, data


def everything(data, fields):
    found = {name: np.array(getattr(data, name), dtype=float).ravel() for name in (*fields, *COUNTS, *ROWS)}
    found.update({f"contact.{name}": np.array(getattr(data.contact, name), dtype=float).ravel() for name in CONTACTS})
    return found


@pytest.mark.parametrize("integrator", [0, 2])
@pytest.mark.parametrize("name", ["humanoid", "arm_actuators", "muscle_arm", "sensor_zoo", "mechanism", "swimmer"])
def test_stages_compute_what_the_reference_computes(name, integrator):
    fields = set(compat.MjData(compat.MjModel.from_xml_string("<mujoco/>"))._all_fields) - UNUSED
    for stage in [*_native.STAGES, "mj_implicit"]:
        if stage in APART or (stage == "mj_implicit" and integrator != 2):
            continue
        (theirs, before_theirs), (ours, before_ours) = (
            after(module, name, integrator, stage, fields) for module in (mujoco, compat)
        )
        for field in theirs.keys() - DIFFERENT.get(stage, set()):
            where = f"{name} {stage} {field}"
            np.testing.assert_allclose(ours[field], theirs[field], rtol=1e-8, atol=1e-8, err_msg=where)
            if theirs[field].shape == before_theirs[field].shape:
                is_kept = np.array_equal(theirs[field], before_theirs[field])
                assert not is_kept or np.array_equal(ours[field], before_ours[field]), where


def after(module, name, integrator, stage, fields):
    model, data = moved(module, name, integrator)
    before = everything(data, fields)
    getattr(module, stage)(model, data)
    return everything(data, fields), before


TENDON = """
<mujoco>
  <worldbody>
    <body><joint name="a" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
      <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></body>
  </worldbody>
  <tendon><fixed armature="3"><joint joint="a" coef="1"/><joint joint="b" coef="2"/></fixed></tendon>
</mujoco>
"""


def test_the_inertia_of_bodies_is_without_tendons():
    found = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string(TENDON)
        data = module.MjData(model)
        module.mj_forward(model, data)
        data.qpos[1] = 1
        for stage in ("mj_kinematics", "mj_comPos", "mj_crb"):
            getattr(module, stage)(model, data)
        found.append(np.concatenate([data.M, data.qM]))
        module.mj_makeM(model, data)
        found.append(np.concatenate([data.M, data.qM]))
    np.testing.assert_allclose(found[2], found[0], rtol=1e-14)
    np.testing.assert_allclose(found[3], found[1], rtol=1e-14)
    assert not np.allclose(found[0], found[1])


@pytest.mark.parametrize("integrator", [0, 2, 3])
@pytest.mark.parametrize("name", ["sensor_zoo", "humanoid"])
def test_discrete_inverse_dynamics_has_the_sensors_of_the_reference(name, integrator):
    found = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / f"{name}.xml"))
        model.opt.integrator = integrator
        model.opt.enableflags |= int(module.mjtEnableBit.mjENBL_INVDISCRETE)
        data = module.MjData(model)
        module.mj_step(model, data, 20)
        module.mj_forward(model, data)
        data.qacc[:] = np.random.default_rng(1).normal(size=model.nv)
        module.mj_inverse(model, data)
        found.append((data.sensordata.copy(), data.qfrc_inverse.copy(), data.cacc.copy(), data.qacc.copy()))
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-10)

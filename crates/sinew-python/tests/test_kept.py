"""Contacts and constraint rows that come from elsewhere: pickles, and rows that somebody writes."""

import copy
import pickle
import struct

import numpy as np
import pytest

from sinew import _native, compat
from sinew.compat import MjData, MjModel

SCENE = """
<mujoco>
  <option cone="{cone}" jacobian="{jacobian}"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".5 0 .09"><freejoint/><geom type="box" size=".1 .1 .1" condim="4"/></body>
    <body pos="0 2 1">
      <joint name="a" axis="0 1 0" range="-10 10" limited="true" frictionloss=".1"/><geom size=".1"/>
      <site name="s"/>
    </body>
    <site name="t" pos="0 2 2"/>
  </worldbody>
  <tendon>
    <spatial name="cord" limited="true" range="0 .5"><site site="s"/><site site="t"/></spatial>
    <fixed name="sum" frictionloss=".2"><joint joint="a" coef="2"/></fixed>
  </tendon>
  <equality><joint joint1="a" polycoef=".1 0 0 0 0"/><tendon tendon1="sum"/></equality>
  <actuator><motor joint="a"/></actuator>
  <sensor><touch site="s"/></sensor>
</mujoco>
"""
FORMS = [(cone, jacobian) for cone in ("pyramidal", "elliptic") for jacobian in ("dense", "sparse")]
ROWS = [name for name, *_ in _native.varying_columns() if "." not in name and not name.startswith("efc_AR")]
CONTACTS = [name.split(".")[1] for name, *_ in _native.varying_columns() if name.startswith("contact.")]


def scene(cone="pyramidal", jacobian="dense", steps=3):
    model = MjModel.from_xml_string(SCENE.format(cone=cone, jacobian=jacobian))
    data = MjData(model)
    data.qpos[-1] = 0.3
    data.qvel[-1] = 0.5
    for _ in range(steps):
        compat.mj_step(model, data)
    return model, data


def assert_equal(one: MjData, other: MjData):
    for name in (*ROWS, *one._all_fields):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), name)
    for name in CONTACTS:
        np.testing.assert_array_equal(getattr(one.contact, name), getattr(other.contact, name), name)
    for kind in ("warning", "solver", "contact"):
        assert getattr(one, kind) == getattr(other, kind), kind


@pytest.mark.parametrize("form", FORMS)
def test_a_pickle_keeps_contacts_rows_and_statistics(form):
    model, data = scene(*form)
    assert data.ncon == 8
    assert data.ne == 2
    assert data.nf == 2
    assert data.nl in (1, 2)
    again = pickle.loads(pickle.dumps(data))
    assert_equal(again, data)
    assert again.timer == data.timer
    assert (again.ne, again.nf, again.nl, again.nisland) == (data.ne, data.nf, data.nl, data.nisland)
    # What relies on rows goes on from them, without the positions computed anew.
    for stage in (compat.mj_fwdConstraint, compat.mj_rnePostConstraint, compat.mj_sensorAcc):
        stage(model, data)
        stage(model, again)
    assert_equal(again, data)
    for _ in range(20):
        compat.mj_step(model, data)
        compat.mj_step(model, again)
    assert_equal(again, data)


def test_forces_of_contacts_are_there_after_a_pickle():
    model, data = scene("elliptic")
    again = pickle.loads(pickle.dumps(data))
    forces = np.zeros((2, 6))
    compat.mj_contactForce(model, data, 2, forces[0])
    compat.mj_contactForce(model, again, 2, forces[1])
    assert forces[0, 0] > 0
    np.testing.assert_array_equal(forces[0], forces[1])


def test_every_changed_number_of_a_pickle_is_refused_or_harmless():
    model, data = scene("elliptic", "sparse", 1)
    tag = b"sinew data 3\n"
    content = _native.data_bytes(data._native)[:-8]
    assert content.startswith(tag)
    columns = len(tag) + 16
    start = columns + struct.unpack_from("<Q", content, len(tag) + 8)[0]
    structure = 4 * (10 + 11 * data.ncon + 4 * data.nefc + data.nJ)
    refused = 0
    rng = np.random.default_rng(4)
    elsewhere = rng.integers(0, (len(content) - columns) // 4, 200)
    for place in [*range(start, start + structure, 4), *(columns + 4 * elsewhere)]:
        for code in (-1, 7, 2**31 - 1):
            changed = bytearray(content)
            struct.pack_into("<i", changed, place, code)
            try:
                again = compat._data._restore(model, bytes(_native.seal(bytes(changed))))
            except ValueError:
                refused += 1
                continue
            try:
                compat.mj_fwdConstraint(model, again)
                compat.mj_rnePostConstraint(model, again)
                compat.mj_step(model, again)
            except compat.StepError:
                pass
    assert refused > 400


def test_bytes_that_are_missing_or_too_many_are_refused():
    model, data = scene()
    content = _native.data_bytes(data._native)[:-8]
    for wrong in (content[:-4], content + bytes(4), content[: len(content) // 2]):
        with pytest.raises(ValueError, match="no data of the model"):
            compat._data._restore(model, bytes(_native.seal(wrong)))


@pytest.mark.parametrize("form", FORMS)
def test_rows_of_one_simulation_can_be_written_into_another(form):
    """As ``mujoco.mjx.get_data`` does it."""
    model, data = scene(*form)
    other = MjData(model)
    for name in data._all_fields:
        getattr(other, name)[...] = getattr(data, name)
    compat._functions._realloc_con_efc(other, ncon=data.ncon, nefc=data.nefc, nJ=data.nJ)
    assert other.ncon == data.ncon
    assert other.efc_J.shape == data.efc_J.shape
    for name in CONTACTS:
        if name not in ("flex", "elem", "vert", "H"):
            getattr(other.contact, name)[...] = getattr(data.contact, name)
    for name in ("efc_type", "efc_id", "efc_J", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox"):
        getattr(other, name)[...] = getattr(data, name)
    for name in ("efc_KBIP", "efc_D", "efc_R", "efc_vel", "efc_aref", "efc_b", "efc_force", "efc_state"):
        getattr(other, name)[...] = getattr(data, name)
    if form[1] == "sparse":
        for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"):
            getattr(other, name)[...] = getattr(data, name)
    for name in ("ne", "nf", "nl", "nefc", "ncon"):
        setattr(other, name, getattr(data, name))
    compat.mj_fwdConstraint(model, other)
    compat.mj_fwdConstraint(model, data)
    assert (other.ne, other.nf, other.nl) == (data.ne, data.nf, data.nl)
    np.testing.assert_allclose(other.efc_force, data.efc_force, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other.qacc, data.qacc, rtol=1e-9, atol=1e-12)


def test_rows_of_contacts_that_are_gone_push():
    model, data = scene("elliptic", "sparse")
    compat._functions._realloc_con_efc(data, ncon=0, nefc=2, nJ=4)
    data.efc_type[:] = compat.mjtConstraint.mjCNSTR_CONTACT_ELLIPTIC
    data.efc_J_rownnz[:] = 2
    data.efc_J_rowadr[:] = 0, 2
    data.efc_J_colind[:] = 0, 2, 1, 2
    data.efc_J[:] = 1
    data.efc_D[:] = 1
    data.efc_R[:] = 1
    compat.mj_fwdConstraint(model, data)
    assert data.nefc == 2
    assert (data.efc_force >= 0).all()
    model.opt.disableflags = 0
    compat.mj_step(model, data)
    assert data.ncon == 8


@pytest.mark.parametrize(
    ("name", "row", "code", "why"),
    [
        ("efc_type", 3, 9, "unknown kind"),
        ("efc_type", 5, 0, "behind rows of a later kind"),
        ("efc_id", 0, 5, "not there"),
        ("efc_id", 2, -1, "not there"),
        ("efc_J_rowadr", 3, 0, "where the one before ends"),
        ("efc_J_rownnz", 3, -2, "where the one before ends"),
        ("efc_J_colind", 0, 99, "columns"),
        ("efc_state", 0, 5, "cannot be in state 5"),
    ],
)
def test_rows_that_cannot_be_are_refused_at_the_next_call(name, row, code, why):
    model, data = scene("elliptic", "sparse")
    kept = copy.copy(data)
    getattr(data, name)[row] = code
    with pytest.raises(ValueError, match=why):
        compat.mj_fwdConstraint(model, data)
    assert_equal(data, kept)
    compat.mj_step(model, data)


def test_first_rows_of_contacts_must_fit_their_dimension():
    model, data = scene("elliptic")
    data.contact.efc_address[0] += 1
    with pytest.raises(ValueError, match="contact 1 has rows of the one before"):
        compat.mj_fwdConstraint(model, data)
    data.contact.efc_address[-1] += 1
    with pytest.raises(ValueError, match="contact 7 has other rows"):
        compat.mj_fwdConstraint(model, data)


def test_columns_of_a_full_matrix_cannot_be_written():
    model, data = scene("elliptic", "dense")
    data.efc_J_colind[0] = 3
    with pytest.raises(ValueError, match="write efc_J alone"):
        compat.mj_fwdConstraint(model, data)


@pytest.mark.parametrize("form", FORMS)
def test_contacts_can_be_dropped_between_stages(form):
    model, data = scene(*form)
    compat.mj_fwdPosition(model, data)
    before = data.efc_J.reshape(data.nefc, -1).copy() if form[1] == "dense" else None
    data.ncon = 4
    assert len(data.contact) == 4
    assert data.nefc < 40
    if before is not None:
        np.testing.assert_array_equal(data.efc_J.reshape(data.nefc, -1), before[: data.nefc])
    data.ncon = 0
    assert data.nefc == data.ne + data.nf + data.nl
    assert data.nefc in (5, 6)
    compat.mj_fwdVelocity(model, data)
    compat.mj_fwdActuation(model, data)
    compat.mj_fwdAcceleration(model, data)
    compat.mj_fwdConstraint(model, data)
    assert data.qacc[2] == pytest.approx(-9.81)
    with pytest.raises(AttributeError, match="ncon cannot be 3"):
        data.ncon = 3
    with pytest.raises(AttributeError, match="nisland cannot be"):
        data.nisland = 77


def test_a_list_that_gets_shorter_while_somebody_walks_along_it_ends():
    model, data = scene()
    seen = 0
    for contact in data.contact:
        assert contact.dist < 0
        if seen == 0:
            data.qpos[2] += 1
            compat.mj_forward(model, data)
        seen += 1
    assert seen == data.ncon == 4


def test_so_does_a_part_of_it():
    """``dm_control`` takes ``data.contact[:data.ncon]``."""
    model, data = scene()
    seen = 0
    for contact in data.contact[: data.ncon]:
        assert contact.dist < 0
        if seen == 0:
            data.qpos[2] += 1
            compat.mj_forward(model, data)
        seen += 1
    assert seen == data.ncon == 4


def test_rows_that_do_not_fit_the_memory_leave_none():
    model, data = scene()
    with pytest.raises(compat.FatalError, match='Insufficient arena memory, currently allocated memory="[0-9]+[A-Z]?"'):
        compat._functions._realloc_con_efc(data, 100000000, 100000000)
    assert data.ncon == 0
    assert data.nefc == 0
    with pytest.raises(ValueError, match="there cannot be"):
        compat._functions._realloc_con_efc(data, 1, 2, 100)
    compat.mj_step(model, data)
    assert data.ncon == 8


@pytest.mark.parametrize(
    ("name", "code"),
    [("moment_colind", 99), ("moment_rownnz", -1), ("ten_wrapadr", 40), ("wrap_obj", 77), ("ten_wrapnum", 2**31 - 1)],
)
def test_addresses_that_lead_nowhere_are_refused_and_forgotten(name, code):
    model, data = scene()
    array = getattr(data, name)
    array.flat[0] = code
    with pytest.raises(ValueError, match="leads nowhere; it was emptied"):
        compat.mj_fwdActuation(model, data)
    compat.mj_step(model, data)
    other = MjData(model)
    for _ in range(4):
        compat.mj_step(model, other)
    np.testing.assert_array_equal(getattr(other, name).shape, array.shape)
    assert getattr(data, name) is array

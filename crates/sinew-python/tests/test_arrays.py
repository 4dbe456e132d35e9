"""Arrays are live views of the model and of the data."""

import copy
import gc

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew.compat
from sinew import _native
from sinew.compat import MjData, MjModel, mj_kinematics


def test_values_written_are_what_the_engine_reads(ours):
    data = MjData(ours)
    ours.body_pos[ours.body("body0").id] = 4, 5, 6
    mj_kinematics(ours, data)
    assert data.body("body0").xpos.tolist() == [4, 5, 6]


def test_assignment_writes_in_place(ours):
    view = ours.body_mass
    ours.body_mass = 2.5
    assert view is ours.body_mass
    assert view.tolist() == [2.5] * ours.nbody
    with pytest.raises(ValueError, match="broadcast"):
        ours.body_pos = np.zeros(7)


def test_arrays_can_be_written_but_for_names(ours):
    for name in ("name_bodyadr", "names_map"):
        array = getattr(ours, name)
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    for name in (
        "body_parentid",
        "jnt_qposadr",
        "geom_dataid",
        "geom_contype",
        "geom_group",
        "jnt_limited",
        "eq_active0",
        "geom_matid",
        "mat_texid",
        "tex_data",
    ):
        assert getattr(ours, name).flags.writeable, name


def test_what_a_step_finds_its_way_by_is_looked_at(ours):
    data = MjData(ours)
    indices = [name for name in data._all_fields if getattr(data, name).dtype.kind == "i"]
    assert {"moment_colind", "ten_J_rowadr", "wrap_obj"} <= set(indices)
    assert set(indices) == set(_native.addresses())
    for name in data._all_fields:
        assert getattr(data, name).flags.writeable, name
    data.moment_rowadr[0] = 10**6
    with pytest.raises(ValueError, match="moment_rowadr leads nowhere"):
        sinew.compat.mj_forward(ours, data)
    sinew.compat.mj_forward(ours, data)


def test_a_pickle_of_another_data_is_refused(ours):
    data = MjData(ours)
    other = MjData(
        MjModel.from_xml_string("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    )
    other.time = 1.0
    restore, (_, content) = other.__reduce__()
    with pytest.raises(ValueError, match="no data of the model"):
        restore(ours, content)
    with pytest.raises(ValueError, match="no data of the model"):
        _native.restore_data(data._native, content)
    assert data.time == 0


def test_sizes_and_unknown_names_cannot_be_set(ours):
    for name in ("nq", "names", "opt", "no_such_name"):
        with pytest.raises(AttributeError):
            setattr(ours, name, 3)


def test_views_keep_their_owner_alive():
    model = MjModel.from_xml_string(EVERYTHING)
    data = MjData(model)
    qpos, mass, gravity, row = (
        data.qpos,
        model.body_mass,
        model.opt.gravity,
        model.body("body1").pos,
    )
    expected = qpos.copy(), mass.copy(), gravity.copy(), row.copy()
    del model, data
    gc.collect()
    churn = [np.full(10_000, 7.0) for _ in range(200)]
    for view, values in zip((qpos, mass, gravity, row), expected, strict=True):
        np.testing.assert_array_equal(view, values)
    assert len(churn) == 200


def test_option_fields_can_be_set(ours):
    ours.opt.timestep = 0.01
    ours.opt.iterations = np.int64(7)
    ours.opt.gravity = 0, 0, -1
    ours.opt.gravity[0] = 2
    ours.vis.global_.fovy = 30
    assert ours.opt.timestep == 0.01
    assert ours.opt.iterations == 7
    assert ours.opt.gravity.tolist() == [2, 0, -1]
    assert ours.vis.global_.fovy == 30
    with pytest.raises(TypeError):
        ours.opt.iterations = 1.5
    with pytest.raises(AttributeError):
        ours.opt.no_such_option = 1


def test_a_copy_is_independent(ours):
    other = copy.deepcopy(ours)
    other.body_mass[1] = 99
    other.opt.timestep = 0.5
    assert ours.body_mass[1] != 99 and ours.opt.timestep != 0.5
    data = MjData(ours)
    data.qpos[0] = 0.25
    again = copy.copy(data)
    data.qpos[0] = 0.5
    assert again.qpos[0] == 0.25 and again.model is ours


def test_arrays_that_keep_their_length_are_the_same_object_at_every_access(ours, theirs):
    mine, other = sinew.compat.MjData(ours), mujoco.MjData(theirs)
    sinew.compat.mj_forward(ours, mine)
    mujoco.mj_forward(theirs, other)
    kept = 0
    for name in dir(other):
        value = getattr(other, name)
        # How often the solver has looked at entries is counted anew each time.
        if name.startswith("_") or not isinstance(value, np.ndarray) or name == "solver_nnz":
            continue
        if value is getattr(other, name):
            kept += 1
            assert getattr(mine, name) is getattr(mine, name), name
    assert kept > 90
    for name in ("contact", "warning", "solver", "timer"):
        assert getattr(mine, name) is getattr(mine, name), name


def test_records_are_equal_if_their_fields_are():
    humanoid = MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    data = sinew.compat.MjData(humanoid)
    sinew.compat.mj_step(humanoid, data, 300)
    first, second = data.contact[0], data.contact[1]
    assert first == data.contact[0] == copy.copy(first)
    assert first != second and first != 1
    assert data.contact == data.contact[:] and data.contact != data.contact[1:]
    assert data.warning[0] == data.warning[1] and data.timer == data.timer and data.solver[0] == data.solver[0]

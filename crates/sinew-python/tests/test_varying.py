"""Contacts, constraint rows and counters read and write like views, though their number changes."""

import copy
import gc
import pickle
import threading

import mujoco
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew
import sinew.compat as compat

MODULES = {"sinew": compat, "reference": mujoco}
STAGES = "mj_makeConstraint mj_island mj_transmission mj_fwdVelocity mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint".split()
SETTLED = 150


def engine(module, name="box_pile", steps=SETTLED, **options):
    """A model that rests on the floor, and its data at equal bits in both engines."""
    path = str(REPOSITORY / "models" / f"{name}.xml")
    reference = mujoco.MjModel.from_xml_path(path)
    source = mujoco.MjData(reference)
    mujoco.mj_step(reference, source, steps)
    model = module.MjModel.from_xml_path(path)
    for option, value in options.items():
        setattr(model.opt, option, value)
    data = module.MjData(model)
    for state in ("qpos", "qvel", "qacc_warmstart"):
        setattr(data, state, getattr(source, state))
    module.mj_forward(model, data)
    return model, data


@pytest.fixture
def pile():
    return engine(compat)


def fresh(data, name):
    """The values that the engine has, in an array of their own."""
    other = copy.copy(data)
    *group, field = name.split(".")
    return getattr(getattr(other, group[0]) if group else other, field).tolist()


def both(work, **options):
    """What a function does to either engine."""
    return [work(module, *engine(module, **options)) for module in (mujoco, compat)]


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("cone", [0, 1])
def test_what_is_written_to_contacts_counts_for_the_rows_made_of_them(jacobian, cone):
    def work(module, model, data):
        data.contact.friction[:, 0] = 0.1
        data.contact[1].friction = 0.2, 0.2, 0.01, 0.001, 0.001
        data.contact[2].solref = 0.03, 0.9
        data.contact[2].includemargin = data.contact[2].includemargin + 0.01
        data.contact[3].dim = 1
        data.contact[4].exclude = 1
        data.contact[5].frame[:] = data.contact[6].frame
        data.contact.pos[0] += 0.01
        data.contact.solimp[...] = 0.8, 0.9, 0.002, 0.4, 2
        for stage in STAGES:
            getattr(module, stage)(model, data)
        names = ("efc_J", "efc_pos", "efc_D", "efc_aref", "efc_KBIP")
        return [data.nefc, *(getattr(data, name).copy() for name in names), data.qacc.copy()]

    theirs, ours = both(work, jacobian=jacobian, cone=cone)
    assert ours[0] == theirs[0] > 0
    for expected, actual in zip(theirs[1:-1], ours[1:-1], strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours[-1], theirs[-1], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("jacobian", [0, 1])
def test_what_is_written_to_rows_counts_for_the_stages_that_follow(jacobian):
    def work(module, model, data):
        data.efc_pos[:] -= 0.001
        data.efc_margin[0] = 0.002
        data.efc_KBIP[:, 0] *= 1.5
        module.mj_referenceConstraint(model, data)
        data.efc_aref[3] += 1
        data.efc_D[:] *= 0.9
        data.efc_R[:] /= 0.9
        data.efc_J[data.efc_J != 0] *= 1.01
        module.mj_fwdConstraint(model, data)
        return (
            data.efc_vel.copy(),
            data.efc_aref.copy(),
            data.efc_b.copy(),
            data.qacc.copy(),
            data.qfrc_constraint.copy(),
        )

    theirs, ours = both(work, jacobian=jacobian, disableflags=int(mujoco.mjtDisableBit.mjDSBL_ISLAND))
    for expected, actual in zip(theirs[:3], ours[:3], strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-9)
    for expected, actual in zip(theirs[3:], ours[3:], strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-5 * abs(expected).max())


def test_forces_that_are_written_are_what_queries_read(pile):
    model, data = pile
    data.efc_force = 0
    data.efc_force[data.contact[2].efc_address :][:4] = 1, 2, 3, 4
    force = np.zeros(6)
    compat.mj_contactForce(model, data, 2, force)
    assert force[0] == 10
    compat.mj_contactForce(model, data, 1, force)
    assert force[0] == 0


def test_stages_out_of_order_do_no_harm(pile):
    model, data = pile
    for stages in (["mj_makeConstraint"], ["mj_collision"], ["mj_collision", "mj_makeConstraint"], ["mj_island"]):
        data.contact.exclude[: len(data.contact) // 2] = 1
        for stage in (*stages, "mj_fwdVelocity", "mj_fwdActuation", "mj_fwdAcceleration", "mj_fwdConstraint"):
            getattr(compat, stage)(model, data)
        assert (data.nefc == 0) == (stages == ["mj_collision"])
        compat.mj_forward(model, data)
        assert data.nefc and data.nisland


def test_an_array_is_one_thing_however_it_is_reached(pile):
    _, data = pile
    assert data.efc_force is data.efc_force
    data.contact.dist[3] = -0.25
    assert data.contact[3].dist == -0.25
    contact = data.contact[3]
    contact.dist = -0.5
    assert data.contact.dist[3] == data.contact[3:5].dist[0] == data.contact[[0, 3]].dist[1] == -0.5
    data.contact[2:5].dist[...] = 7
    assert contact.dist == 7
    assert [entry.dist for entry in data.contact[2:6:2]] == [7, 7]
    assert data.contact[-1].geom.tolist() == data.contact.geom[-1].tolist()
    data.contact.mu = 2
    assert contact.mu == 2
    assert copy.copy(contact).dist == pickle.loads(pickle.dumps(contact)).dist == 7


def test_views_that_are_held_show_the_new_values(pile):
    model, data = pile
    force, row, dist, kinds = data.efc_force, data.contact.frame[2], data.contact.dist, data.efc_type[:3]
    niter, number = data.solver_niter, data.warning.number
    contact = data.contact[0]
    data.qvel += 0.01
    before = data.nefc
    compat.mj_forward(model, data)
    assert data.nefc == before
    assert force is data.efc_force and force.tolist() == fresh(data, "efc_force")
    assert row.tolist() == fresh(data, "contact.frame")[2]
    assert dist.tolist() == fresh(data, "contact.dist")
    assert kinds.tolist() == fresh(data, "efc_type")[:3]
    assert niter.tolist() == fresh(data, "solver_niter")
    assert contact.dist == dist[0]
    data.qpos[0] = np.nan
    compat.mj_step(model, data)
    assert number[compat.mjtWarning.mjWARN_BADQPOS] == 1


def test_a_view_that_fits_no_longer_keeps_its_values(pile):
    model, data = pile
    force, contact, dist = data.efc_force, data.contact[0], data.contact.dist
    values = force.copy(), dist.copy()
    compat.mj_resetData(model, data)
    assert data.nefc == len(data.contact) == 0
    np.testing.assert_array_equal(force, values[0])
    np.testing.assert_array_equal(dist, values[1])
    with pytest.raises(IndexError, match="gone"):
        contact.dist = 1
    force[:] = 1
    compat.mj_forward(model, data)
    assert data.efc_force is not force
    native = data._native
    del model, data, native
    gc.collect()
    churn = [np.full(1000, 7.0) for _ in range(200)]
    assert force.tolist() == [1] * len(force) and len(churn) == 200


def test_arrays_given_another_type_or_shape_are_left_alone(pile):
    model, data = pile
    force, dist = data.efc_force, data.contact.dist
    force.dtype = np.int64
    dist.shape = (1, -1)
    compat.mj_forward(model, data)
    assert data.efc_force.dtype == np.float64 and force.dtype == np.int64
    compat.mj_step(model, data, 3)
    assert np.isfinite(data.qpos).all()


def test_ids_addresses_and_impossible_dimensions_are_refused(pile):
    model, data = pile
    names = "efc_J_rowsuper efc_AR_colind efc_AR efc_island island_nv map_idof2dof iefc_D iM".split()
    for name in names:
        if not getattr(data, name).size:
            setattr(data, name, 0)
            continue
        with pytest.raises((ValueError, AttributeError)):
            setattr(data, name, 0)
        assert not getattr(data, name).flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        data.contact[0].flex = 0
    for name in ("no_such_array", "efc_no"):
        with pytest.raises(AttributeError):
            setattr(data, name, 0)
        with pytest.raises(AttributeError):
            setattr(data.contact[0], name, 0)
        with pytest.raises(AttributeError):
            getattr(data.contact, name)
    with pytest.raises(ValueError, match="broadcast"):
        data.efc_force = np.zeros(data.nefc + 1)
    data.contact[0].dim = 2
    with pytest.raises(ValueError, match="dim 1, 3, 4 or 6"):
        compat.mj_makeConstraint(model, data)
    assert data.contact[0].dim == 3
    compat.mj_step(model, data)


def test_counters_can_be_set_back(pile):
    model, data = pile
    data.qpos[2] = np.inf
    compat.mj_step(model, data)
    bad = compat.mjtWarning.mjWARN_BADQPOS
    assert data.warning[bad].number == 1 and data.warning.number.sum() == 1
    data.warning[bad].number = 0
    compat.mj_step(model, data)
    assert data.warning.number.sum() == 0


def test_views_work_inside_hooks(pile):
    model, data = pile
    held = data.contact.dist
    seen = []

    def soften(m, d):
        seen.append((held.copy(), d.contact.dist.copy(), d.efc_D.copy()))
        d.efc_D[:] *= 0.5
        d.efc_R[:] *= 2

    data.hooks.control = soften
    compat.mj_forward(model, data)
    softened = data.qacc.copy()
    assert seen[0][0].tolist() == seen[0][1].tolist()
    assert data.efc_D.tolist() == (seen[0][2] * 0.5).tolist()
    data.hooks.control = None
    compat.mj_forward(model, data)
    assert not np.allclose(softened, data.qacc)


def test_another_thread_is_refused_and_loses_nothing(pile):
    model, data = pile
    data.efc_force[0] = 123
    inside, leave, refused = threading.Event(), threading.Event(), []
    data.hooks.sensor = data.hooks.control = lambda m, d: (inside.set(), leave.wait(5))
    thread = threading.Thread(target=compat.mj_forward, args=(model, data))
    thread.start()
    inside.wait(5)
    for read in (lambda: data.efc_force, lambda: data.contact.dist, lambda: data.contact[0].dist):
        try:
            read()
        except sinew.BusyError:
            refused.append(read)
    leave.set()
    thread.join()
    assert len(refused) == 3
    assert data.efc_force[0] != 123


def test_copies_take_over_what_was_written(pile):
    model, data = pile
    other = compat.MjData(model)
    held = other.efc_force
    data.efc_force[0] = 123
    assert copy.copy(data).efc_force[0] == 123
    compat.mj_copyData(other, model, data)
    assert other.efc_force[0] == 123 and len(held) == 0


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("name", ["box_pile", "humanoid"])
def test_copies_by_island_and_of_the_dual_solver_are_those_of_the_reference(name, jacobian):
    fields = "efc_AR efc_AR_rownnz efc_AR_rowadr efc_AR_colind efc_J_rowsuper".split()
    islands = (
        "island_ntree island_itreeadr island_dofadr map_itree2tree iM iLD iLDiagInv iM_rownnz iM_rowadr iM_colind "
    )
    islands += "iefc_J iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind"
    for solver, names in ((0, fields), (2, islands.split())):
        pair = [engine(module, name, solver=solver, jacobian=jacobian) for module in (mujoco, compat)]
        (model, theirs), (_, ours) = pair
        assert ours.nA == theirs.nA
        assert theirs.nisland or solver == 0
        for field in names:
            expected, actual = getattr(theirs, field), getattr(ours, field)
            assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype), field
            is_index = field.endswith(("_colind", "_rownnz", "_rowadr", "_rowsuper"))
            if is_index and not jacobian and not field.startswith("iM"):
                # Where matrices are full the reference leaves these as they were.
                continue
            used = len(expected)
            if field in ("iM", "iLD", "iM_colind"):
                used = int(theirs.iM_rownnz.sum())
            if field == "iefc_J" and not jacobian:
                # Blocks of the islands stand in the rows of a full matrix, with gaps between them.
                starts, sizes = theirs.island_iefcadr * theirs.nidof, theirs.island_nefc * theirs.island_nv
                inside = np.concatenate([np.arange(a, a + n) for a, n in zip(starts, sizes, strict=True)])
                expected, actual, used = expected[inside], actual[inside], len(inside)
            scale = max(1, float(np.abs(expected[:used]).max(initial=0)))
            np.testing.assert_allclose(actual[:used], expected[:used], atol=1e-10 * scale, err_msg=field)


@pytest.mark.parametrize("solver", [0, 1, 2])
@pytest.mark.parametrize("cone", [0, 1])
def test_any_number_written_anywhere_is_survived(solver, cone):
    generator = np.random.default_rng(solver + 10 * cone)
    numbers = {"f": [np.nan, np.inf, -1e300, 0.0, -1.0, 1e-300], "i": [0, 1, 2, 3, 6, -1, 99]}
    stages = [*compat._functions.STAGES, "mj_step", "mj_resetData"]
    model, data = engine(compat, "humanoid", steps=300, solver=solver, cone=cone, noslip_iterations=cone)
    held = []
    for _ in range(300):
        try:
            if generator.uniform() < 0.4:
                *group, field = generator.choice(list(compat._lists.COLUMNS)).split(".")
                array = getattr(getattr(data, group[0]) if group else data, field)
                held.append(array)
                if array.flags.writeable and array.size:
                    array.flat[generator.integers(array.size)] = generator.choice(numbers[array.dtype.kind])
            else:
                getattr(compat, generator.choice(stages))(model, data)
        except (ValueError, sinew.StepError):
            # Refused; a fault would be an InternalError.
            pass
        if generator.uniform() < 0.1:
            held.clear()
    compat.mj_resetData(model, data)
    compat.mj_step(model, data, 10)
    assert np.isfinite(data.qpos).all()


def test_what_is_made_when_asked_for_cannot_be_written(pile):
    _, data = pile
    for name in ("tree_asleep", "body_awake", "bvh_active", "iM", "iacc"):
        assert not getattr(data, name).flags.writeable, name


def test_reading_a_field_is_cheap(pile):
    import timeit

    _, data = pile
    whole = timeit.timeit(lambda: data.contact.dist[:], number=2000) / 2000
    single = timeit.timeit(lambda: data.contact[0].dist, number=2000) / 2000
    # Microseconds here; the bounds leave room for a busy machine.
    assert whole < 1e-4 and single < 1e-4


def test_geoms_of_contacts_can_be_written_and_are_checked():
    model = compat.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><geom type='plane' size='1 1 1' pos='0 0 -9'/>"
        "<body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    assert data.contact.geom.tolist() == [[0, 2]]
    data.contact[0].geom = [1, 2]
    force = np.zeros(6)
    compat.mj_contactForce(model, data, 0, force)
    assert data.contact.geom1.tolist() == [1] and force[0] > 0
    for wrong in (3, -1):
        data.contact[0].geom = [wrong, 2]
        with pytest.raises(ValueError, match=f"cannot have geom {wrong}: there are 3"):
            compat.mj_contactForce(model, data, 0, force)
    assert data.contact.geom.tolist() == [[1, 2]]

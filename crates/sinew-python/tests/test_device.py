"""Worlds on a device, by the emulated one: the same kernels on the processor, under the same interface."""

import multiprocessing
import os
import pickle
import threading

import numpy as np
import pytest
from conftest import REPOSITORY, interrupted

import sinew
from sinew import Batch, DeviceError
from sinew.batch import DEVICE_DERIVED, EVENTS, DeviceArray, refusal, refusals
from sinew.compat import MjModel, mj_step

# A floating body with a motor, a filtered one, a mocap body that it is tied to, and keyframes.
FLOATING = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="hand" mocap="true" pos="0 0 .6"/>
    <body name="trunk" pos="0 0 .5">
      <freejoint name="root"/><geom type="capsule" size=".05 .2"/>
      <body name="leg" pos="0 0 .25">
        <joint name="knee" axis="0 1 0" damping=".1"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
        <body name="foot" pos=".3 0 0"><joint name="ankle" type="ball"/><geom size=".05" pos="0 0 .1"/></body>
      </body>
    </body>
  </worldbody>
  <equality><connect name="tie" body1="hand" body2="trunk" anchor="0 0 0" active="false"/></equality>
  <actuator>
    <motor name="motor" joint="knee" gear="2"/>
    <general name="slow" joint="knee" dyntype="filter" dynprm=".1" gainprm=".5"/>
  </actuator>
  <keyframe>
    <key name="bent" time=".3" qpos="0 0 1 1 0 0 0 .2 1 0 0 0" qvel="0 0 0 0 0 0 1 0 0 .5" act=".2" ctrl=".5 .1"
         mpos="1 2 3" mquat="0 1 0 0"/>
  </keyframe>
</mujoco>
"""

SHARED = (
    "time",
    "qpos",
    "qvel",
    "act",
    "qacc_warmstart",
    "qfrc_applied",
    "mocap_pos",
    "mocap_quat",
    "eq_active",
    "ctrl",
)


@pytest.fixture(scope="module")
def model():
    return MjModel.from_xml_string(FLOATING)


def both(model, nworld, **options) -> tuple[Batch, Batch]:
    """A batch on the processor, and one whose arrays are as if on a device."""
    return Batch(model, nworld, **options), Batch(model, nworld, device="emulated", **options)


def assert_equal(here: Batch, there: Batch, names=SHARED) -> None:
    for name in names:
        mine, theirs = getattr(here, name), getattr(there, name).numpy()
        assert mine.shape == theirs.shape, name
        np.testing.assert_array_equal(mine, theirs, err_msg=name)


# --------------------------------------------------------------------------------------- the same worlds


def test_worlds_have_the_bits_of_those_on_the_processor(model):
    here, there = both(model, 9, seed=4)
    assert_equal(here, there)
    random = np.random.default_rng(1)
    for batch in (here, there):
        batch.reset_randomly(qpos=0.1, qvel=0.5)
        batch.eq_active[::2] = 1
        batch.mocap_pos[:, 0, 2] = np.linspace(0.3, 0.9, 9)
        batch.qfrc_applied[:, 6] = 0.25
    assert_equal(here, there)
    for _ in range(20):
        ctrl = random.uniform(-1, 1, (9, 2))
        for batch in (here, there):
            batch.ctrl = ctrl
            batch.step(5)
        assert_equal(here, there)
        assert not np.asarray(there.terminated).any()
    assert here.qpos[:, 2].min() < 0.2


@pytest.mark.parametrize("normal", [False, True])
@pytest.mark.parametrize("key", [None, 0, "bent"])
def test_random_resets_are_the_same(model, normal, key):
    here, there = both(model, 33, seed=11)
    masks = [None, np.arange(33) % 3 == 0, [1, 2, 32], slice(5, 9), 7]
    for where in masks:
        for batch in (here, there):
            batch.step(2)
            batch.reset_randomly(where, key, qpos=0.3, qvel=0.2, normal=normal)
        assert_equal(here, there)
    assert (there._native.draws() == here._native.draws()).all()
    for batch in (here, there):
        batch.seed = 12
        batch.reset_randomly(qpos=0.3)
    assert_equal(here, there)


def test_resets_put_masked_worlds_to_start_or_keyframe_and_leave_the_others(model):
    here, there = both(model, 5)
    for where, key in [
        ([1, 3], None),
        (np.array([True, False, False, False, True]), "bent"),
        (None, "bent"),
        (2, None),
    ]:
        for batch in (here, there):
            batch.ctrl[:] = 0.3
            batch.step(3)
            batch.reset(where, key)
        assert_equal(here, there)
    np.testing.assert_allclose(there.time.numpy(), [0.315, 0.315, 0, 0.315, 0.315], rtol=1e-12)
    np.testing.assert_array_equal(there.mocap_pos.numpy()[:, 0, 0], [1, 1, 0, 1, 1])


def test_steps_of_some_worlds_leave_the_others(model):
    here, there = both(model, 6)
    mask = np.array([True, False, True, True, False, False])
    for batch in (here, there):
        batch.reset_randomly(qpos=0.1)
        batch.ctrl[:] = 0.5
        batch.step(4, where=mask)
    assert_equal(here, there)
    np.testing.assert_array_equal(there.time.numpy() > 0, mask)


def test_worlds_that_fail_are_told_and_begin_anew(model):
    here, there = both(model, 4, time_limit=0.016)
    for batch in (here, there):
        batch.step(2)
        batch.qpos[2, 0] = np.nan
        batch.step(1)
    np.testing.assert_array_equal(here.terminated, there.terminated.numpy())
    np.testing.assert_array_equal(here.terminated, [False, False, True, False])
    assert list(there.errors) == [2] == list(here.errors)
    with pytest.raises(sinew.BatchError, match="world 2"):
        there.check()
    assert there.events.numpy()[:, EVENTS.index("bad_state")].tolist() == [0, 0, 1, 0]
    for batch in (here, there):
        batch.step(1)
    assert_equal(here, there)
    np.testing.assert_array_equal(here.truncated, there.truncated.numpy())
    assert there.truncated.numpy().tolist() == [True, True, False, True]
    assert not there.errors
    assert there.time.numpy()[2] == model.opt.timestep


def test_bad_controls_are_counted_and_are_no_failure(model):
    here, there = both(model, 3)
    for batch in (here, there):
        batch.ctrl[1, 0] = np.inf
        batch.step(2)
    for name in SHARED:
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name).numpy(), err_msg=name)
    assert there.events.numpy()[:, EVENTS.index("bad_control")].tolist() == [0, 2, 0]
    assert not there.terminated.numpy().any()


def test_contacts_without_room_are_counted(model):
    batch = Batch(MjModel.from_xml_string(FLOATING), 2, device="emulated", contacts=1)
    batch.qpos[:, :7] = [0, 0, 0.04, 0.7071, 0, 0.7071, 0]
    batch.step(3)
    assert (batch.events.numpy()[:, EVENTS.index("lost_contact")] > 0).all()


def test_single_precision_is_near_and_is_what_arrays_have(model):
    double, single = (Batch(model, 5, device="emulated", precision=precision) for precision in ("f64", "f32"))
    assert single.qpos.dtype == single.ctrl.dtype == single.blocks.dtype == np.float32
    assert single.time.dtype == np.float64
    for batch in (double, single):
        batch.reset_randomly(qpos=0.1, qvel=0.1)
        batch.step(1)
    np.testing.assert_allclose(single.qpos.numpy(), double.qpos.numpy(), atol=1e-6)
    assert (single.qvel.numpy() != double.qvel.numpy()).any()


def test_a_batch_of_more_worlds_has_the_same_worlds(model):
    few, many = Batch(model, 3, device="emulated"), Batch(model, 40, device="emulated")
    for batch in (few, many):
        batch.reset_randomly(qpos=0.1, qvel=0.1)
        batch.step(20)
    np.testing.assert_array_equal(few.blocks.numpy(), many.blocks.numpy()[:3])


def test_models_of_ours_have_the_bits_of_those_on_the_processor():
    tried = 0
    for path in sorted((REPOSITORY / "models").glob("*.xml")):
        model = MjModel.from_xml_path(path)
        if refusal(model) is not None:
            continue
        here, there = both(model, 3)
        names = [name for name in SHARED if name in there._arrays]
        for batch in (here, there):
            batch.reset_randomly(qpos=0.01, qvel=0.1)
            batch.ctrl[:] = np.linspace(-0.3, 0.3, 3)[:, None]
            batch.step(20)
        assert_equal(here, there, names)
        tried += 1
    assert tried >= 2


# ------------------------------------------------------------------------------------------------ arrays


def test_arrays_are_seen_without_a_copy(model):
    batch = Batch(model, 7, device="emulated")
    qpos, ctrl = np.from_dlpack(batch.qpos), np.from_dlpack(batch.ctrl)
    assert qpos.shape == (7, model.nq) and qpos.dtype == np.float64
    before = qpos.copy()
    ctrl[:] = 0.7
    batch.step(3)
    np.testing.assert_array_equal(batch.ctrl.numpy(), 0.7)
    np.testing.assert_array_equal(qpos, batch.qpos.numpy())
    assert (qpos != before).any()
    flags = np.from_dlpack(batch.terminated)
    assert flags.dtype == bool and not flags.any()
    slice_ = np.from_dlpack(batch.joint("ankle").qpos[2:5])
    assert slice_.shape == (3, 4)
    slice_[:] = [0, 1, 0, 0]
    np.testing.assert_array_equal(batch.qpos.numpy()[:, 9], [0, 0, 1, 1, 1, 0, 0])


def test_arrays_live_as_long_as_somebody_looks(model):
    qpos = np.from_dlpack(Batch(model, 3, device="emulated").qpos)
    for _ in range(20):
        Batch(model, 3, device="emulated").qpos[...] = 9
    np.testing.assert_array_equal(qpos[:, 2], 0.5)


def test_capsules_that_nobody_takes_are_forgotten(model):
    batch = Batch(model, 3, device="emulated")
    for version in (None, (1, 0)):
        for _ in range(10):
            assert "dltensor" in repr(batch.qpos.__dlpack__(max_version=version))
    assert batch.qpos.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        batch.qpos.__dlpack__(copy=True)
    with pytest.raises(BufferError):
        batch.qpos.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError):
        batch.qpos.__dlpack__(stream=5)
    assert not hasattr(batch.qpos, "__cuda_array_interface__")


def test_parts_of_arrays_are_parts_of_numpy_arrays(model):
    batch = Batch(model, 6, device="emulated")
    batch.reset_randomly(qpos=0.5, qvel=0.5)
    for name in ("qpos", "qvel", "mocap_quat", "time", "events", "act", "terminated"):
        array = getattr(batch, name)
        host = array.numpy()
        for index in (0, -1, slice(1, 4), slice(None, None, 2), Ellipsis, (slice(None), None)):
            np.testing.assert_array_equal(array[index].numpy(), host[index], err_msg=f"{name} {index}")
    host = batch.mocap_quat.numpy()
    for index in [(slice(None), 0, 1), (2, 0), (slice(1, 5, 3), slice(None), slice(1, 3)), (2, 0, 3), (..., 2)]:
        np.testing.assert_array_equal(batch.mocap_quat[index].numpy(), host[index])
    with pytest.raises(IndexError):
        batch.qpos[6]
    with pytest.raises(IndexError):
        batch.qpos[::-1]
    with pytest.raises(TypeError, match="numpy"):
        batch.qpos[np.arange(2)]


def test_assigning_writes_what_numpy_writes(model):
    batch = Batch(model, 6, device="emulated")
    host = batch.qpos.numpy()
    random = np.random.default_rng(3)
    for index, shape in [
        ((slice(None), 2), 6),
        ((slice(1, 3), slice(0, 7, 2)), (2, 4)),
        (4, host.shape[1]),
        ((slice(None), slice(3, 7)), 4),
        (np.array([0, 5]), (2, 1)),
        (np.arange(6) > 3, (2, host.shape[1])),
        (..., ()),
    ]:
        value = random.uniform(size=shape)
        host[index] = value
        batch.qpos[index] = value
        np.testing.assert_array_equal(batch.qpos.numpy(), host)
    batch.qpos += 1
    np.testing.assert_array_equal(batch.qpos.numpy(), host + 1)
    batch.actuator("motor").ctrl = 0.5
    np.testing.assert_array_equal(batch.ctrl.numpy(), [[0.5, 0]] * 6)
    with pytest.raises(ValueError, match="broadcast"):
        batch.qpos[:, 2] = np.zeros(5)
    assert isinstance(batch.qpos, DeviceArray)
    np.testing.assert_array_equal(np.cos(batch.qpos), np.cos(host + 1))
    assert "qpos on emulated" in repr(batch.qpos)


def test_blocks_have_all_arrays_side_by_side(model):
    batch = Batch(model, 4, device="emulated")
    batch.reset_randomly(key="bent", qpos=0.1, qvel=0.1)
    batch.step(2)
    blocks = np.from_dlpack(batch.blocks)
    assert blocks.flags.c_contiguous
    assert {"qpos", "qvel", "act", "qfrc_applied", "qacc_warmstart", "mocap_pos", "eq_active"} <= set(batch.columns)
    for name, columns in batch.columns.items():
        np.testing.assert_array_equal(blocks[:, columns], getattr(batch, name).numpy().reshape(4, -1))


# ------------------------------------------------------------------------------------- what a batch does


def test_rewards_and_ends_are_asked_for(model):
    batch = Batch(
        model,
        3,
        device="emulated",
        reward=lambda batch: np.from_dlpack(batch.time) * 2,
        is_over=lambda batch: np.from_dlpack(batch.qpos)[:, 2] > 0.7,
    )
    batch.qpos[1, 2] = 1
    batch.step()
    np.testing.assert_array_equal(batch.rewards, [0.01] * 3)
    assert batch.terminated.numpy().tolist() == [False, True, False]
    batch.reset(1)
    assert not batch.terminated.numpy().any()


def test_snapshots_pickles_and_worlds(model):
    batch = Batch(model, 3, device="emulated", seed=5)
    batch.reset_randomly(qpos=0.1)
    batch.ctrl[:] = 0.2
    batch.step(7)
    kept, taken = batch.save(), pickle.loads(pickle.dumps(batch))
    single = batch.world(1)
    mj_step(model, single)
    batch.step(1)
    taken.step(1)
    after = {name: getattr(batch, name).numpy() for name in SHARED}
    np.testing.assert_array_equal(single.qpos, after["qpos"][1])
    for name in SHARED:
        np.testing.assert_array_equal(getattr(taken, name).numpy(), after[name])
    batch.restore(kept)
    batch.step(1)
    for name in SHARED:
        np.testing.assert_array_equal(getattr(batch, name).numpy(), after[name])
    with pytest.raises(ValueError, match="other worlds"):
        batch.restore(Batch(model, 2, device="emulated").save())


def test_changed_models_count_after_a_reload():
    model = MjModel.from_xml_string(FLOATING)
    here, there = both(model, 2)
    model.opt.gravity[2] = -3
    model.body_mass[2] *= 2
    for batch in (here, there):
        batch.reload_model()
        batch.step(5)
    assert_equal(here, there)


def test_pictures_are_those_of_worlds_on_the_processor(model):
    here, there = both(model, 3)
    for batch in (here, there):
        batch.reset_randomly(qpos=0.1)
    np.testing.assert_array_equal(here.render(24, 16, where=[0, 2]), there.render(24, 16, where=[0, 2]))


def test_no_worlds_and_two_batches_at_once(model):
    none, some, others = (Batch(model, count, device="emulated") for count in (0, 2, 2))
    none.step(3)
    none.reset_randomly(qpos=0.1)
    assert none.qpos.numpy().shape == (0, model.nq)
    some.ctrl[:] = 1
    for _ in range(3):
        some.step()
        others.step()
    assert (some.qpos.numpy() != others.qpos.numpy()).any()
    assert (some.plan().side_by_side, some.plan().device) == (1, "emulated") and some.device == "emulated"
    assert some.bytes_per_world > 8 * (model.nq + 2 * model.nv)


# ------------------------------------------------------------------------- values that worlds have of their own

# Values that are scaled, a little more in each world.
SCALED = (
    "body_mass",
    "body_inertia",
    "body_ipos",
    "geom_friction",
    "geom_size",
    "dof_damping",
    "dof_armature",
    "actuator_gear",
    "actuator_dynprm",
    "opt.gravity",
    "opt.timestep",
    "body_pos",
    "jnt_pos",
)


def scale(batch: Batch, names=SCALED) -> None:
    factors = np.linspace(0.9, 1.2, len(batch))
    for array in batch.expand(*names) if len(names) > 1 else [batch.expand(*names)]:
        array *= factors.reshape(-1, *[1] * (len(array.shape) - 1))


@pytest.mark.parametrize("is_derived", [False, True])
def test_worlds_with_values_of_their_own_have_the_bits_of_those_on_the_processor(model, is_derived):
    here, there = both(model, 5, seed=2)
    for batch in (here, there):
        scale(batch)
        batch.expand("qpos0")[:, 7] = np.linspace(0, 0.3, 5)
        if is_derived:
            batch.derive_constants()
        batch.reset_randomly(qpos=0.05, qvel=0.3)
        batch.ctrl[:] = 0.4
        batch.step(40)
    assert_equal(here, there)
    assert len({tuple(row) for row in there.qvel.numpy().tolist()}) == 5
    # They can be changed between steps, of some worlds.
    for batch in (here, there):
        batch.body_mass[1:3] *= 1.5
        batch.body("leg").mass[4] = 0.2
        batch.values["opt.gravity"][0, 2] = -1
        batch.step(20)
        batch.reset([0, 3])
        batch.geom_friction[batch.body_mass.shape[0] - 1] = 0.1
        batch.step(3, where=[3, 4])
    assert_equal(here, there)
    for name in here.values:
        np.testing.assert_array_equal(here.values[name], there.values[name].numpy(), err_msg=name)


@pytest.mark.parametrize("name", ["humanoid", "quadruped", "muscle_arm", "drone", "box_pile"])
def test_models_of_ours_have_values_of_their_own(name):
    here, there = both(MjModel.from_xml_path(REPOSITORY / "models" / f"{name}.xml"), 3)
    for batch in (here, there):
        scale(batch, ("body_mass", "body_inertia", "geom_friction", "actuator_gear"))
        batch.derive_constants()
        batch.reset_randomly(qpos=0.01, qvel=0.2)
        batch.ctrl[:] = 0.2
        batch.step(25)
    assert_equal(here, there, [name for name in SHARED if name in there._arrays])


def test_values_survive_snapshots_pickles_and_reloads(model):
    model = MjModel.from_xml_string(FLOATING)
    here, there = both(model, 3)
    for batch in (here, there):
        scale(batch, ("body_mass", "geom_size"))
        batch.step(3)
    kept, taken = there.save(), pickle.loads(pickle.dumps(there))
    np.testing.assert_array_equal(here.render(16, 12), there.render(16, 12))
    for batch in (here, there, taken):
        batch.step(4)
    assert_equal(here, there)
    assert_equal(here, taken)
    assert there.world_model(1).body_mass[2] == here.world_model(1).body_mass[2]
    there.body_mass[...] = 1
    there.restore(kept)
    there.step(4)
    assert_equal(here, there)
    model.opt.gravity[2] = -2
    for batch in (here, there):
        batch.reload_model()
        batch.step(3)
    assert_equal(here, there)


def test_values_that_change_what_worlds_consist_of_are_refused(model):
    batch = Batch(model, 3, device="emulated")
    damping = batch.expand("dof_damping")
    damping[1] = 0
    for call in (batch.step, batch.reset, batch.forward):
        with pytest.raises(DeviceError, match="world 1") as found:
            call()
        assert found.value.kind == "refused"
    damping[1] = batch.model.dof_damping
    batch.step()
    with pytest.raises(Exception, match="nothing"):
        batch.expand("nothing")
    with pytest.raises(BufferError):
        np.from_dlpack(damping)
    with pytest.raises(TypeError, match="numpy"):
        damping[np.arange(2)]
    assert damping[1:, 0].shape == (2,) and float(damping[0, 6]) == batch.model.dof_damping[6]


# ------------------------------------------------------------------------------------------- derived arrays


@pytest.mark.parametrize("integrator", [0, 1, 3])
def test_derived_arrays_are_those_of_the_processor(integrator):
    model = MjModel.from_xml_string(FLOATING)
    model.opt.integrator = integrator
    # Batches on the processor have the sum of springs and dampers, and `act_dot` is of the step's end there.
    known = [name for name in DEVICE_DERIVED if name not in ("act_dot", "qfrc_spring", "qfrc_damper")]
    here, there = both(model, 4, derived=known)
    for batch in (here, there):
        batch.reset_randomly(qpos=0.1, qvel=0.5)
        batch.ctrl[:] = 0.5
        batch.forward()
    assert_equal(here, there, known)
    for batch in (here, there):
        batch.step(30)
        batch.step(2, where=[1, 2])
    assert_equal(here, there, known)
    for batch in (here, there):
        batch.reset([0, 2])
        batch.forward([0, 2])
    assert_equal(here, there, (*SHARED, *known))
    xpos = np.from_dlpack(there.xpos)
    assert xpos.shape == (4, model.nbody, 3)
    np.testing.assert_array_equal(there.body("leg").xpos.numpy(), here.body("leg").xpos)


def test_ctrl_c_ends_steps_after_whole_ones(model):
    batch = Batch(model, 3, device="emulated")
    interrupted(lambda: batch.step(10**8))
    steps = batch.time.numpy() / model.opt.timestep
    assert steps == pytest.approx(np.round(steps), abs=1e-5)
    assert 0 < steps.max() < 10**8
    batch.step()


def test_steps_copy_nothing_to_the_host(model):
    batch = Batch(model, 4, device="emulated", derived=["xpos"])
    for _ in range(5):
        batch.step(2)
        batch.reset()
    assert batch.transfers == 0
    batch.ctrl[:] = 1
    assert batch.transfers == 1
    batch.qpos.numpy()
    assert batch.transfers == 2 and Batch(model, 1).transfers == 0


# ------------------------------------------------------------------------------------------ what is wrong


def test_without_a_device_cuda_is_a_typed_error_and_auto_says_why(model):
    try:
        Batch(model, 2, device="cuda")
    except DeviceError as error:
        assert error.kind in ("no-driver", "no-device", "old-kernels", "no-kernels")
        why = str(error)
    else:
        pytest.skip("this machine has a graphics processor")
    batch = Batch(model, 2, device="auto")
    assert (batch.plan().device, batch.plan().device_reason) == ("cpu", why)
    assert isinstance(batch.qpos, np.ndarray)
    batch.step()
    assert Batch(model, 2).plan().device_reason is None


def test_what_devices_do_not_compute_is_refused_by_name():
    assert "flexes" in refusals() and len(set(refusals())) == len(refusals())
    model = MjModel.from_xml_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    assert refusal(model) == "nothing that moves"
    for device in ("emulated", "cuda"):
        with pytest.raises(DeviceError, match="nothing that moves") as found:
            Batch(model, 2, device=device)
        assert found.value.kind == "refused"
    assert "nothing that moves" in Batch(model, 2, device="auto").plan().device_reason
    assert pickle.loads(pickle.dumps(found.value)).kind == "refused"


def test_calls_that_devices_do_not_know_are_refused(model):
    with pytest.raises(DeviceError, match="subtree_linvel") as found:
        Batch(model, 2, device="emulated", derived=["xpos", "subtree_linvel"])
    assert found.value.kind == "refused"
    batch = Batch(model, 2, device="emulated")
    with pytest.raises(DeviceError) as found:
        batch.rollout(nstep=2)
    assert found.value.kind == "refused"
    with pytest.raises(AttributeError):
        _ = batch.xpos
    for device in ("gpu", "cuda:x", "cuda:", "opengl"):
        with pytest.raises(ValueError, match="device must be"):
            Batch(model, 2, device=device)
    with pytest.raises(IndexError):
        batch.reset(key=3)
    with pytest.raises(ValueError, match="flags"):
        batch.step(where=np.zeros(3, bool))


def test_too_many_worlds_are_an_error(model):
    for count in (1 << 45, 1 << 62):
        with pytest.raises(DeviceError) as found:
            Batch(model, count, device="emulated")
        assert found.value.kind == "out-of-memory"


def test_a_batch_in_use_is_busy(model):
    batch = Batch(model, 64, device="emulated")
    started, errors = threading.Event(), []

    def work():
        started.set()
        batch.step(200)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    while thread.is_alive():
        try:
            batch.step()
        except sinew.BusyError as error:
            errors.append(error)
    thread.join()
    assert errors


def _in_a_fork(batch, results):
    try:
        batch.step()
        results.put("stepped")
    except DeviceError as error:
        results.put(error.kind)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_forked_process_gets_a_typed_error(model):
    batch = Batch(model, 2, device="emulated")
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_in_a_fork, args=(batch, results))
    child.start()
    assert results.get(timeout=60) == "forked"
    child.join(60)
    assert child.exitcode == 0
    batch.step()


# --------------------------------------------------------------------------------------------- others


def test_torch_works_in_the_memory_of_the_worlds(model):
    torch = pytest.importorskip("torch")
    batch = Batch(model, 5, device="emulated", precision="f32")
    qpos, ctrl, mask = batch.qpos.torch(), batch.ctrl.torch(), batch.terminated.torch()
    assert qpos.dtype == torch.float32 and mask.dtype == torch.bool
    ctrl.fill_(0.5)
    batch.step(2)
    np.testing.assert_array_equal(qpos.numpy(), batch.qpos.numpy())
    np.testing.assert_array_equal(batch.ctrl.numpy(), np.float32(0.5))
    batch.ctrl[:] = torch.ones(5, 2)
    assert (ctrl == 1).all()
    batch.reset(torch.tensor([True, False, False, False, True]))
    np.testing.assert_allclose(batch.time.numpy(), [0, 0.01, 0.01, 0.01, 0], rtol=1e-6)

"""A batch: live arrays of all worlds, each with the bits that it has alone."""

import copy
import gc
import os
import pickle
import threading

import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY, interrupted

import sinew
import sinew.compat as compat
from sinew import Batch, _native
from sinew.batch._arrays import Array, Arrays
from sinew.compat import MjData, MjModel

# A floating body of two capsules with a motor and a sensor, over a plane.
FLOATING = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="trunk" pos="0 0 .5">
      <freejoint name="root"/><geom type="capsule" size=".05 .2"/>
      <body name="leg" pos="0 0 .25">
        <joint name="knee" axis="0 1 0" damping=".1"/><geom name="shin" type="capsule" size=".04" fromto="0 0 0 .3 0 0"/>
        <site name="toe" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="knee" gear="2"/></actuator>
  <sensor><jointpos name="angle" joint="knee"/><framepos name="toe" objtype="site" objname="toe"/></sensor>
  <keyframe><key name="bent" time=".3" qpos="0 0 1 1 0 0 0 .2" ctrl=".5"/></keyframe>
</mujoco>
"""


@pytest.fixture(scope="module")
def model():
    return MjModel.from_xml_string(FLOATING)


def bits(array) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def moved(model, nworld=6, **options) -> Batch:
    """Worlds that differ, some steps after their start."""
    batch = Batch(model, nworld, **options)
    batch.qpos[:, 2] = np.linspace(0.2, 0.6, nworld)
    batch.ctrl[:, 0] = np.linspace(-1, 1, nworld)
    batch.step(30)
    return batch


# ------------------------------------------------------------------------------------------ arrays


def test_every_array_that_a_batch_can_keep_is_declared_and_has_its_shape():
    model = MjModel.from_xml_string(EVERYTHING)
    fields = [name for name, _ in _native.batch_fields()]
    batch = Batch(model, 3, derived=fields)
    declared = {name for name, value in vars(Arrays).items() if isinstance(value, Array)}
    assert declared == {*fields, "eq_active", "states"} == set(batch._arrays)
    data = MjData(model)
    for name in {*fields, "eq_active"} - {"time"}:
        assert getattr(batch, name).shape == (3, *getattr(data, name).shape), name
        assert f"({', '.join(['nworld', *_sizes(name)])})" in getattr(Arrays, name).__doc__, name
        assert getattr(batch, name).flags.c_contiguous
    assert batch.time.shape == (3,)
    assert batch.states.shape == (3, model.nq + model.nv)
    assert set(batch.derived) == set(fields)


def _sizes(name):
    if name in ("eq_active", "energy"):
        return ["neq"] if name == "eq_active" else ["2"]
    size, width = next((row[1], row[3]) for row in _native.data_columns() if row[0] == name)
    return [size] if width is None else [size, str(width)]


def test_arrays_are_live_and_keep_the_worlds_alive(model):
    batch = moved(model)
    qpos, states = batch.qpos, batch.states
    assert batch.qpos is qpos
    batch.qpos = 0.25
    assert (qpos == 0.25).all() and batch.qpos is qpos
    batch.reset()
    batch.step()
    assert bits(states[:, :8]) == bits(qpos)
    with pytest.raises(ValueError):
        states[0, 0] = 1
    expected = qpos.copy()
    del batch
    gc.collect()
    junk = [np.zeros(qpos.shape) for _ in range(100)]
    assert bits(qpos) == bits(expected) and junk


def test_arrays_are_shared_by_dlpack_and_buffers(model):
    batch = Batch(model, 4)
    shared = np.from_dlpack(batch.qpos)
    memory = memoryview(batch.qvel)
    batch.step()
    assert np.shares_memory(shared, batch.qpos)
    assert bits(np.asarray(memory)) == bits(batch.qvel)


def test_a_derived_array_that_nobody_asked_for_says_how_to_get_it(model):
    batch = Batch(model, 2, derived="xpos")
    assert batch.xpos.shape == (2, 3, 3)
    with pytest.raises(AttributeError, match=r"derived=\['xquat'\]"):
        _ = batch.xquat
    with pytest.raises(ValueError, match="xpoz"):
        Batch(model, 2, derived=["xpoz"])


# ------------------------------------------------------------------------------------------ steps


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_world_has_the_bits_that_it_has_alone(model, threads):
    batch = Batch(model, 7, threads=threads, derived=["xpos", "cfrc_ext"])
    assert batch.threads == threads and len(batch) == batch.nworld == 7
    rng = np.random.default_rng(0)
    controls = rng.uniform(-1, 1, (50, 7, 1))
    batch.qpos[:, 2] = np.linspace(0.2, 0.6, 7)
    datas = [MjData(model) for _ in range(7)]
    for data, start in zip(datas, batch.qpos, strict=True):
        data.qpos[:] = start
    for control in controls:
        batch.ctrl[:] = control
        batch.step(2)
        for data, own in zip(datas, control, strict=True):
            data.ctrl[:] = own
            compat.mj_step(model, data, 2)
    for world, data in enumerate(datas):
        compat.mj_rnePostConstraint(model, data)
        for name in ("qpos", "qvel", "sensordata", "qacc_warmstart", "xpos", "cfrc_ext"):
            assert bits(getattr(batch, name)[world]) == bits(getattr(data, name)), name
        assert batch.time[world] == data.time


def test_forward_computes_derived_arrays_of_the_named_worlds(model):
    batch = Batch(model, 3, derived=["xpos"])
    assert not batch.xpos.any()
    batch.forward(1)
    assert batch.xpos[1, 1, 2] == 0.5 and not batch.xpos[[0, 2]].any()
    batch.forward()
    assert (batch.xpos[:, 1, 2] == 0.5).all() and not batch.time.any()


@pytest.mark.parametrize(
    "where", [2, np.int64(2), -4, [2], slice(2, 3), np.arange(6) == 2, np.array([2, 2])], ids=lambda where: repr(where)
)
def test_worlds_are_named_by_index_mask_and_indices(model, where):
    batch = moved(model)
    before = batch.states.copy()
    batch.reset(where)
    assert batch.time[2] == 0 and bits(batch.qpos[2]) == bits(model.qpos0)
    others = np.arange(6) != 2
    assert bits(batch.states[others]) == bits(before[others])
    batch.step(where=where)
    assert batch.time[2] == model.opt.timestep
    assert bits(batch.states[others]) == bits(before[others])


def test_no_world_can_be_named_and_there_may_be_none(model):
    batch = moved(model)
    before = batch.states.copy()
    for where in ([], np.zeros(6, bool), slice(0, 0)):
        batch.reset(where)
    assert bits(batch.states) == bits(before)
    empty = Batch(model, 0, derived=["xpos"])
    empty.step(3)
    empty.forward()
    empty.reset()
    found = empty.rollout(nstep=4)
    assert found.states.shape == (0, 4, 15) and empty.xpos.shape == (0, 3, 3) and empty.errors == {}


def test_what_does_not_fit_is_refused_and_changes_nothing(model):
    batch = moved(model)
    before = batch.states.copy()
    calls = [
        (lambda: batch.reset(6), IndexError),
        (lambda: batch.reset([0, 9]), IndexError),
        (lambda: batch.reset(np.ones(5, bool)), ValueError),
        (lambda: batch.reset(True), ValueError),
        (lambda: batch.reset("all"), IndexError),
        (lambda: batch.reset(key=1), IndexError),
        (lambda: batch.reset(key="straight"), KeyError),
        (lambda: batch.step(-1), ValueError),
        (lambda: batch.step(1.5), ValueError),
        (lambda: batch.rollout(), ValueError),
        (lambda: batch.rollout(np.zeros((5, 3, 1))), ValueError),
        (lambda: batch.rollout(np.zeros((6, 3, 2))), ValueError),
        (lambda: batch.rollout(np.zeros((3, 1)), 4), ValueError),
        (lambda: batch.rollout(nstep=2, record=["xpos"]), ValueError),
        (lambda: batch.rollout(nstep=2, states=np.zeros((6, 2, 14))), ValueError),
        (lambda: batch.joint("hip"), KeyError),
        (lambda: batch.joint(2), IndexError),
        (lambda: batch.world(6), IndexError),
        (lambda: batch.restore(Batch(model, 5).save()), ValueError),
        (lambda: Batch(model, -1), ValueError),
        (lambda: Batch(model, 2, threads=0), ValueError),
        (lambda: Batch(model, 2, seed=-1), ValueError),
        (lambda: Batch(model, 2**55), MemoryError),
    ]
    for call, error in calls:
        with pytest.raises(error):
            call()
    assert bits(batch.states) == bits(before)


def test_changes_of_the_model_count_when_it_is_reloaded():
    model = MjModel.from_xml_string(FLOATING)
    batch = Batch(model, 2)
    model.opt.timestep = 0.001
    batch.step()
    assert (batch.time == 0.005).all()
    batch.reload_model()
    batch.step()
    assert batch.time == pytest.approx(0.006)


# ------------------------------------------------------------------------------------------ resets


def test_resets_go_to_keyframes(model):
    batch = Batch(model, 3)
    batch.reset(1, key="bent")
    batch.reset(2, key=0)
    assert batch.time.tolist() == [0, 0.3, 0.3] and batch.ctrl[:, 0].tolist() == [0, 0.5, 0.5]
    assert batch.joint("knee").qpos.tolist() == [0, 0.2, 0.2]


def test_random_resets_do_not_depend_on_grouping(model):
    noise = {"qpos": 0.1, "qvel": 0.5}
    together, apart = Batch(model, 5, seed=3), Batch(model, 5, seed=3, threads=1)
    draws = []
    for _ in range(2):
        together.reset_randomly(**noise)
        draws.append(together.states.copy())
    for world in (4, 0, 2, 3, 1):
        for draw in draws:
            apart.reset_randomly(world, **noise)
            assert bits(apart.states[world]) == bits(draw[world])
    assert len({bits(state) for draw in draws for state in draw}) == 10
    assert np.linalg.norm(together.qpos[:, 3:7], axis=1) == pytest.approx(1, abs=1e-15)
    assert abs(together.qvel).max() < 0.5
    together.seed = 3
    together.reset_randomly(**noise)
    assert bits(together.states) == bits(draws[0])
    together.seed = 4
    together.reset_randomly(**noise)
    assert bits(together.states) != bits(draws[0])
    together.reset_randomly(key="bent", qpos=1e-9)
    assert together.joint("knee").qpos == pytest.approx(0.2, abs=1e-8) and (together.time == 0.3).all()
    many = Batch(model, 2000)
    many.reset_randomly(qvel=2.0, normal=True)
    assert many.qvel.std() == pytest.approx(2, rel=0.05) and abs(many.qvel).max() > 4


# ------------------------------------------------------------------------------------------ rollouts


def test_a_rollout_gives_what_steps_give(model):
    rng = np.random.default_rng(1)
    full = rng.uniform(-1, 1, (6, 12, 1))
    for control in (full, full[:1], full[0], full[:, :1], full[0, 0]):
        first, second = moved(model, derived=["xpos"]), moved(model, derived=["xpos"], threads=1)
        found = first.rollout(control, None if control.shape[-2:-1] == (12,) else 12, record=["xpos", "time"])
        table = np.broadcast_to(control, (6, 12, 1))
        for step in range(12):
            second.ctrl[:] = table[:, step]
            second.step()
            assert bits(found.states[:, step]) == bits(second.states)
            assert bits(found.sensordata[:, step]) == bits(second.sensordata)
            assert bits(found.recorded["xpos"][:, step]) == bits(second.xpos)
            assert bits(found.recorded["time"][:, step]) == bits(second.time)
        assert bits(first.states) == bits(second.states)
        assert found.steps.tolist() == [12] * 6


def test_a_rollout_writes_where_it_is_told_and_tells_how_far_it_is(model, capsys):
    batch, told = moved(model), []
    states, sensordata = np.zeros((6, 4, 15)), np.zeros((6, 4, 4))
    found = batch.rollout(
        nstep=4, states=states, sensordata=sensordata, progress=lambda done, total: told.append((done, total))
    )
    assert found.states is states and found.sensordata is sensordata
    assert bits(states[:, -1]) == bits(batch.states)
    assert told[-1] == (4, 4)
    batch.rollout(nstep=2, progress=True)
    assert capsys.readouterr().err.endswith("2/2, 0 s left \n")

    def fail(_done, _total):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        batch.rollout(nstep=1, progress=fail)


def test_a_world_that_fails_in_a_rollout_stands_still(model):
    batch = moved(model)
    batch.qvel[4] = np.nan
    found = batch.rollout(nstep=5)
    assert found.steps.tolist() == [5, 5, 5, 5, 1, 5]
    assert (found.states[4] == found.states[4, 0]).all()
    assert list(batch.errors) == [4] and batch.terminated.tolist() == [False] * 4 + [True, False]


# ------------------------------------------------------------------------------------------ failures, rewards


def test_a_failure_stays_in_its_world(model):
    batch, undisturbed = moved(model), moved(model)
    batch.qpos[3, 0] = np.nan
    batch.step(2)
    undisturbed.step(2)
    others = np.arange(6) != 3
    assert bits(batch.states[others]) == bits(undisturbed.states[others])
    assert list(batch.errors) == [3] and "position 0 is not finite" in batch.errors[3]
    assert batch.terminated.tolist() == (~others).tolist()
    with pytest.raises(sinew.BatchError, match="1 failed: world 3: ") as caught:
        batch.check()
    assert list(caught.value.failures) == [3]
    assert pickle.loads(pickle.dumps(caught.value)).failures == caught.value.failures
    batch.step()
    assert batch.errors == {} and not batch.terminated.any() and batch.time[3] == model.opt.timestep
    assert np.isfinite(batch.states).all()


def test_failures_are_raised_if_wanted(model):
    batch = Batch(model, 9, raise_on_error=True)
    batch.step()
    batch.qpos[:7] = np.inf
    with pytest.raises(sinew.BatchError, match="7 failed: .*and 2 more"):
        batch.step()
    assert (batch.time[7:] == 0.01).all() and (batch.terminated == (np.arange(9) < 7)).all()
    batch.step()


def test_rewards_and_ends_follow_the_user(model):
    batch = Batch(
        model, 4, time_limit=0.048, reward=lambda b: b.time + np.arange(4), is_over=lambda b: b.qpos[:, 2] < 0.45
    )
    assert batch.rewards.tolist() == [0] * 4
    batch.qpos[1, 2] = 0.4
    batch.step(3)
    assert batch.rewards == pytest.approx(0.015 + np.arange(4))
    assert batch.terminated.tolist() == [False, True, False, False] and not batch.truncated.any()
    batch.reset(1)
    assert batch.rewards[1] == 0 and not batch.terminated.any()
    batch.step(7)
    assert batch.truncated.tolist() == [True, False, True, True]
    batch.time_limit = None
    batch.step()
    assert not batch.truncated.any() and batch.time_limit is None


# ------------------------------------------------------------------------------------------ names


def test_named_views_are_parts_of_the_arrays(model):
    batch = moved(model, derived=["xpos", "site_xpos", "actuator_force", "geom_xpos", "qacc"])
    assert batch.joint("root").qpos.shape == (6, 7) and batch.joint("root").qvel.shape == (6, 6)
    knee = batch.joint("knee")
    assert bits(knee.qpos) == bits(batch.qpos[:, 7]) and bits(knee.qacc) == bits(batch.qacc[:, 6])
    assert bits(batch.body("leg").xpos) == bits(batch.xpos[:, 2])
    assert bits(batch.site("toe").xpos) == bits(batch.site_xpos[:, 0])
    assert bits(batch.geom("shin").xpos) == bits(batch.geom_xpos[:, 2])
    assert bits(batch.sensor("angle").data) == bits(batch.sensordata[:, 0])
    assert bits(batch.sensor("toe").data) == bits(batch.sensordata[:, 1:4])
    assert bits(batch.actuator("motor").force) == bits(batch.actuator_force[:, 0])
    batch.actuator("motor").ctrl = np.arange(6)
    assert batch.ctrl[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    knee.qpos[:] = 0.5
    assert (batch.qpos[:, 7] == 0.5).all()
    assert knee.name == "knee" and knee.id == 1 and "knee" in repr(knee) and "6 worlds" in repr(batch)


def test_named_views_of_everything():
    batch = Batch(MjModel.from_xml_string(EVERYTHING), 2, derived=["ten_length"])
    batch.body("mocap").mocap_pos = [1, 2, 3]
    assert (batch.mocap_pos[:, 0] == [1, 2, 3]).all()
    with pytest.raises(AttributeError, match="mocap"):
        _ = batch.body("body0").mocap_pos
    assert batch.actuator("actuator0").act.shape == (2,) and batch.actuator("actuator1").act.shape == (2, 0)
    assert batch.joint("joint1").qpos.shape == (2, 4) and batch.joint("joint1").qvel.shape == (2, 3)
    batch.equality("equality1").active = 0
    assert (batch.eq_active == [1, 0]).all()
    assert batch.tendon("tendon0").length.shape == (2,) and batch.sensor("sensor1").data.shape == (2, 4)


# ------------------------------------------------------------------------------------------ copies


def test_pickles_copies_and_snapshots_go_on_bit_for_bit(model):
    batch = Batch(model, 6, derived=["xpos"], seed=5, time_limit=3.0)
    batch.reset_randomly(qpos=0.1)
    batch.step(20)
    snapshot = batch.save()
    others = [pickle.loads(pickle.dumps(batch)), copy.copy(batch), copy.deepcopy(batch)]
    arrays = batch._arrays.items()
    for other in others:
        assert all(bits(array) == bits(getattr(other, name)) for name, array in arrays if name != "states")
        assert other.time_limit == 3.0 and other.derived == ("xpos",)
    for _ in range(2):
        for each in (batch, *others):
            each.step(10)
            each.reset_randomly(0, qpos=0.1)
            each.step(2)
        assert len({bits(each.states) for each in (batch, *others)}) == 1
        assert len({bits(each.xpos) for each in (batch, *others)}) == 1
        batch.restore(snapshot)
        for other in others:
            other.restore(snapshot)
        assert batch.time == pytest.approx(0.1)


def test_a_world_can_be_looked_at_as_a_simulation(model):
    batch = moved(model)
    data = batch.world(4)
    assert bits(data.qpos) == bits(batch.qpos[4]) and data.time == batch.time[4] and data.ctrl == batch.ctrl[4]
    compat.mj_step(model, data, 5)
    batch.step(5)
    assert bits(data.qpos) == bits(batch.qpos[4]) and bits(batch.world(-2).qpos) == bits(data.qpos)


def test_a_closed_batch_can_only_be_read(model):
    with moved(model, threads=3) as batch:
        before = batch.states.copy()
    batch.close()
    assert batch.threads == 1 and bits(batch.states) == bits(before)
    for call in (batch.step, batch.forward, batch.reset, batch.reset_randomly, lambda: batch.rollout(nstep=1)):
        with pytest.raises(RuntimeError, match="closed"):
            call()


# ------------------------------------------------------------------------------------------ threads


@pytest.fixture(scope="module")
def humanoid():
    return MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_long_calls_after_whole_steps(humanoid, threads):
    batch = Batch(humanoid, 40, threads=threads)
    for call, asked in ((batch.step, 10**7), (lambda n: batch.rollout(nstep=n), 10**4)):
        batch.reset()
        interrupted(lambda call=call, asked=asked: call(asked))
        steps = batch.time / humanoid.opt.timestep
        assert steps == pytest.approx(np.round(steps), abs=1e-5)
        assert 0 < steps.max() and steps.min() < asked
        batch.step()


def test_the_interpreter_runs_while_worlds_are_stepped_and_others_are_told(humanoid):
    batch = Batch(humanoid, 16)
    done, found = threading.Event(), set()

    def work():
        batch.step(200)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        for call in (batch.step, batch.save):
            try:
                call()
            except sinew.BusyError:
                found.add("busy")
    thread.join()
    assert found == {"busy"}
    assert batch.time.min() >= 199 * humanoid.opt.timestep


def test_two_batches_in_two_threads_do_not_disturb_each_other(model):
    expected = moved(model).states.copy()
    found = [None] * 4

    def work(number):
        found[number] = bits(moved(model, threads=2).states)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [bits(expected)] * 4


def test_a_forked_child_steps_on(model):
    batch, expected = moved(model, threads=3), moved(model)
    expected.step(10)
    wanted = bits(expected.states)
    child = os.fork()
    if child == 0:
        try:
            batch.step(10)
            os._exit(0 if bits(batch.states) == wanted else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    batch.step(10)
    assert bits(batch.states) == wanted


def test_worlds_side_by_side_have_the_bits_of_worlds_alone(humanoid):
    alone = Batch(humanoid, 21, lanes=1, threads=1)
    assert alone.plan().side_by_side == 1
    together = Batch(humanoid, 21)
    wide = together.plan()
    assert (wide.side_by_side > 1) == (wide.reason is None)
    for batch in (alone, together, pickle.loads(pickle.dumps(alone))):
        batch.reset_randomly(qpos=0.02, qvel=0.5)
        batch.step(30)
        assert bits(batch.states) == bits(alone.states)
    for lanes in (0, 3, 16):
        with pytest.raises(ValueError, match="lanes"):
            Batch(humanoid, 2, lanes=lanes)


# ------------------------------------------------------------------------------------------ values of the model


def test_worlds_differ_in_values_as_models_do(model):
    batch = Batch(model, 4, threads=3)
    mass, friction, gravity = batch.expand("body_mass", "geom_friction", "opt.gravity")
    assert mass.shape == (4, 3) and friction.shape == (4, 3, 3) and gravity.shape == (4, 3)
    mass *= np.linspace(0.5, 2, 4)[:, None]
    friction[:, :, 0] = np.linspace(0.1, 1, 4)[:, None]
    gravity[3] = [0, 0, -1.62]
    batch.derive_constants()
    batch.step(60)
    for world in range(4):
        own = copy.copy(model)
        own.body_mass[:] = mass[world]
        own.geom_friction[:] = friction[world]
        own.opt.gravity[:] = gravity[world]
        compat.mj_setConst(own, MjData(own))
        data = MjData(own)
        compat.mj_step(own, data, 60)
        assert bits(batch.states[world]) == bits([*data.qpos, *data.qvel])
        assert bits(batch.body_subtreemass[world]) == bits(own.body_subtreemass)
        seen = batch.world_model(world)
        assert bits(seen.body_mass) == bits(own.body_mass) and bits(seen.dof_invweight0) == bits(own.dof_invweight0)
        assert bits(batch.world(world).model.opt.gravity) == bits(gravity[world])


def test_worlds_with_values_of_their_own_go_side_by_side(humanoid):
    found = []
    for lanes in (1, None):
        with Batch(humanoid, 9, lanes=lanes, threads=1) as batch:
            wide = batch.plan()
            mass = batch.expand("body_mass")
            mass *= np.linspace(0.8, 1.2, 9)[:, None]
            batch.derive_constants()
            assert batch.plan() == wide
            batch.step(60)
            found.append(bits(batch.states))
            batch.expand("geom_margin")
            if wide.side_by_side > 1:
                plan = batch.plan()
                assert (plan.side_by_side, plan.reason) == (1, "values of their own in geom_margin")
    assert found[0] == found[1]


def test_bad_readings_are_found(humanoid):
    with Batch(humanoid, 3) as batch:
        assert len(batch.bad_sensors) == 0
        batch.sensordata[1, 0] = np.nan
        assert batch.bad_sensors.tolist() == [1]
        batch.step()
        assert len(batch.bad_sensors) == 0


def test_values_have_names_and_are_pickled(model):
    batch = Batch(model, 3)
    batch.expand("dof_damping", "body_mass", "actuator_gainprm", "qpos0", "opt.timestep", "body_gravcomp")
    assert set(batch.values) >= {"body_mass", "opt.timestep"} and batch.values["opt.timestep"].shape == (3,)
    batch.body("leg").mass = [1, 2, 3]
    batch.body("leg").gravcomp[0] = 1
    batch.joint("knee").damping[:] = 0.7
    batch.joint("knee").qpos0 = 0.1
    batch.actuator("motor").gainprm[:, 0] = 5
    assert batch.body_mass[:, 2].tolist() == [1, 2, 3] and (batch.dof_damping[:, 6] == 0.7).all()
    assert batch.joint("root").damping.shape == (3, 6) and (batch.actuator_gainprm[:, 0, 0] == 5).all()
    batch.derive_constants()
    batch.reset()
    assert (batch.joint("knee").qpos == 0.1).all()
    other = pickle.loads(pickle.dumps(batch))
    saved = batch.save()
    for each in (batch, other):
        each.step(20)
    assert bits(batch.states) == bits(other.states)
    assert len({bits(state) for state in batch.states}) == 3
    assert all(bits(array) == bits(other.values[name]) for name, array in batch.values.items())
    batch.body_mass[:] = 9
    batch.restore(saved)
    assert batch.body_mass[:, 2].tolist() == [1, 2, 3]


def test_what_is_no_value_is_refused_with_a_hint(model):
    batch = Batch(model, 2)
    for name in ("body_parentid", "qpos", "gravity", "mesh_vert"):
        with pytest.raises(ValueError, match=name):
            batch.expand(name)
    with pytest.raises(AttributeError, match=r"expand\('body_mass'\)"):
        _ = batch.body_mass
    with pytest.raises(AttributeError, match=r"expand\('body_mass'\)"):
        _ = batch.body("leg").mass
    with pytest.raises(AttributeError, match="nonsense"):
        _ = batch.nonsense
    with pytest.raises(AttributeError):
        batch.body("leg").mass = 3
    assert batch.expand() == () and dict(batch.values) == {}


def test_single_precision_is_asked_for_and_near(humanoid):
    exact, near = Batch(humanoid, 24), Batch(humanoid, 24, precision="f32")
    most = exact.plan().side_by_side
    assert near.plan().side_by_side == (1 if most == 1 else 2 * most)
    for batch in (exact, near):
        batch.step(5)
    assert near.qpos.dtype == np.float64
    np.testing.assert_allclose(near.qpos, exact.qpos, atol=1e-4)
    again = pickle.loads(pickle.dumps(near))
    assert again.plan() == near.plan()
    with pytest.raises(ValueError, match="precision must be 'f64' or 'f32', not 'half'"):
        Batch(humanoid, 2, precision="half")

"""Functions of the user take part in a step; what they raise passes through."""

import copy
import threading

import mujoco
import numpy as np
import pytest

import sinew
import sinew.compat as compat

TEXT = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 0.5"><joint name="hinge" axis="0 1 0" damping="0.1"/><geom type="capsule" size=".05 .2"/>
      <body pos="0 0 .4"><joint name="slide" type="slide" stiffness="3"/><geom size=".05"/></body></body>
    <body pos="2 0 0.05"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <actuator>
    <motor joint="hinge"/>
    <general joint="slide" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
  </actuator>
  <sensor><user dim="2" needstage="vel"/><user dim="1" needstage="acc"/></sensor>
</mujoco>
"""


def control(m, d):
    d.ctrl[0] = -2 * d.qpos[0] + np.sin(3 * d.time)
    d.ctrl[1] = 0.3
    d.qfrc_applied[1] = 0.01 * d.ncon


def passive(m, d):
    d.qfrc_passive[:2] -= 0.05 * d.qvel[:2]


def act_dyn(m, d, actuator):
    return float(d.ctrl[actuator] - d.act[0])


def act_gain(m, d, actuator):
    return 2.0 + 0.1 * float(d.qpos[1])


def act_bias(m, d, actuator):
    return -0.5 * float(d.actuator_length[actuator])


def sensor(m, d, stage):
    if stage == 2:
        d.sensordata[:2] = d.qvel[:2]
    elif stage == 3:
        d.sensordata[2] = d.qacc[0]


HOOKS = {
    "control": control, "passive": passive, "act_dyn": act_dyn, "act_gain": act_gain, "act_bias": act_bias,
    "sensor": sensor,
}  # fmt: skip


@pytest.fixture
def model():
    yield compat.MjModel.from_xml_string(TEXT)
    compat.mj_resetCallbacks()


@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
@pytest.mark.parametrize("names", [["control"], ["control", "passive"], list(HOOKS)])
def test_hooks_do_what_the_callbacks_of_the_reference_do(model, integrator, names):
    reference = mujoco.MjModel.from_xml_string(TEXT)
    for engine in (model, reference):
        engine.opt.integrator = integrator
    data, theirs = compat.MjData(model), mujoco.MjData(reference)
    try:
        for name in names:
            getattr(compat, f"set_mjcb_{name}")(HOOKS[name])
            getattr(mujoco, f"set_mjcb_{name}")(HOOKS[name])
            assert getattr(compat, f"get_mjcb_{name}")() is HOOKS[name]
        compat.mj_step(model, data, 50)
        mujoco.mj_step(reference, theirs, 50)
        compat.mj_inverse(model, data)
        mujoco.mj_inverse(reference, theirs)
    finally:
        for name in names:
            getattr(mujoco, f"set_mjcb_{name}")(None)
    for name in ("qpos", "qvel", "act", "sensordata", "qfrc_passive", "actuator_force", "qfrc_inverse"):
        np.testing.assert_allclose(getattr(data, name), getattr(theirs, name), atol=1e-10, err_msg=name)


def test_rates_of_several_activations_are_written_into_the_array():
    text = TEXT.replace('actdim="1"', 'actdim="2"')

    def second_order(m, d, actuator):
        d.act_dot[0] = d.ctrl[actuator] - 2 * d.act[0] - 5 * d.act[1]
        d.act_dot[1] = d.act[0]
        return 99.0

    states = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        data.ctrl[1] = 1.5
        module.set_mjcb_act_dyn(second_order)
        try:
            module.mj_step(model, data, 100)
        finally:
            module.set_mjcb_act_dyn(None)
        states.append((data.act.copy(), data.qpos.copy()))
    assert abs(states[0][0]).min() > 1e-3
    for theirs, ours in zip(*states, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_derivatives_of_inverse_dynamics_hear_the_hooks():
    found = []
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string(TEXT)
        data = module.MjData(model)
        data.qvel[:] = 0.3
        module.mj_forward(model, data)
        nv = model.nv
        DfDq, DfDv, DfDa = np.zeros((3, nv, nv))
        DsDv = np.zeros((nv, model.nsensordata))
        module.set_mjcb_passive(passive)
        module.set_mjcb_sensor(sensor)
        try:
            module.mjd_inverseFD(model, data, 1e-6, 0, DfDq, DfDv, DfDa, None, DsDv, None, None)
        finally:
            module.set_mjcb_passive(None)
            module.set_mjcb_sensor(None)
        found.append((DfDq, DfDv, DfDa, DsDv))
    assert found[1][3].any()
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_hooks_of_one_simulation_leave_others_alone(model):
    hooked, plain = compat.MjData(model), compat.MjData(model)
    hooked.hooks.control = control
    for data in (hooked, plain):
        compat.mj_step(model, data, 20)
    assert hooked.ctrl[0] != 0 and plain.ctrl[0] == 0
    assert copy.copy(hooked).hooks.control is control
    hooked.hooks.control = None
    compat.mj_resetData(model, hooked)
    compat.mj_step(model, hooked, 20)
    assert hooked.qpos.tobytes() == plain.qpos.tobytes()


@pytest.mark.parametrize("name", list(HOOKS))
def test_the_simulation_can_be_used_inside_a_hook(model, name):
    data = compat.MjData(model)
    seen = []

    def look(m, d, *_number):
        jacobian = np.zeros((3, m.nv))
        compat.mj_jacBody(m, d, None, jacobian, 1)
        compat.mj_subtreeVel(m, d)
        seen.append((d.time, d.ncon, len(d.contact), d.efc_pos.size, jacobian.any()))
        assert m is model and d is data
        # What is written here stays: it is the simulation, not a copy of it.
        d.contact.mu[0] = 0.25
        return 0.0

    setattr(data.hooks, name, look)
    compat.mj_step(model, data, 3)
    assert sorted({entry[0] for entry in seen}) == [0.0, 0.002, 0.004]
    assert data.contact[0].mu == 0.25
    assert all(count == length == 1 and rows and moved for _, count, length, rows, moved in seen)


@pytest.mark.parametrize("name", list(HOOKS))
def test_what_a_hook_raises_passes_through_and_the_next_call_works(model, name):
    data = compat.MjData(model)
    compat.mj_step(model, data, 5)
    before = data.qpos.copy(), data.qvel.copy(), data.time

    class Mine(Exception):
        pass

    def fail(*_):
        raise Mine("on purpose")

    setattr(data.hooks, name, fail)
    with pytest.raises(Mine, match="on purpose"):
        compat.mj_step(model, data, 10)
    assert data.time == before[2]
    np.testing.assert_array_equal(data.qpos, before[0])
    np.testing.assert_array_equal(data.qvel, before[1])
    with pytest.raises(Mine):
        compat.mj_forward(model, data)
    setattr(data.hooks, name, None)
    other = compat.MjData(model)
    compat.mj_step(model, data, 5)
    compat.mj_step(model, other, 10)
    assert data.qpos.tobytes() == other.qpos.tobytes()


def test_a_hook_that_returns_no_number_is_an_error(model):
    data = compat.MjData(model)
    data.hooks.act_gain = lambda m, d, actuator: "much"
    with pytest.raises(TypeError):
        compat.mj_step(model, data)
    with pytest.raises(TypeError, match="function or None"):
        data.hooks.control = 7
    with pytest.raises(AttributeError, match="no hook"):
        data.hooks.controll = control


def test_a_step_inside_a_hook_is_refused(model):
    data = compat.MjData(model)
    data.hooks.control = lambda m, d: compat.mj_step(m, d)
    with pytest.raises(sinew.BusyError):
        compat.mj_step(model, data)
    data.hooks.control = None
    compat.mj_step(model, data)


def test_a_hook_reads_the_model(model):
    # Nobody has asked this model for anything yet.
    fresh = compat.MjModel.from_xml_string(TEXT)
    data = compat.MjData(fresh)
    seen = []

    def read(m, d):
        seen.append((m.opt.timestep, m.stat.meaninertia, m.vis.quality.shadowsize, m.body_mass[1], m.body("a").id))

    data.hooks.control = read
    compat.mj_step(fresh, data, 2)
    assert seen == [(0.002, fresh.stat.meaninertia, 4096, fresh.body_mass[1], 1)] * 2


def test_other_threads_are_kept_out_while_a_hook_runs(model):
    data = compat.MjData(model)
    inside, leave, refused = threading.Event(), threading.Event(), []

    def wait(m, d):
        inside.set()
        leave.wait(5)

    data.hooks.control = wait
    thread = threading.Thread(target=compat.mj_step, args=(model, data))
    thread.start()
    inside.wait(5)
    for call in (lambda: data.time, lambda: compat.mj_kinematics(model, data)):
        try:
            call()
        except sinew.BusyError:
            refused.append(call)
    leave.set()
    thread.join()
    assert len(refused) == 2
    assert data.time == 0.002


def test_views_stay_valid_through_hooks(model):
    data = compat.MjData(model)
    places = {name: getattr(data, name).ctypes.data for name in data._all_fields}
    data.hooks.control = control
    data.hooks.act_gain = act_gain
    compat.mj_step(model, data, 10)
    assert {name: array.ctypes.data for name, array in data._native.arrays().items()} == places
    assert data.energy.shape == (2,)


def test_the_contact_filter_is_that_of_the_reference():
    text = """
    <mujoco>
      <worldbody>
        <geom name="floor" type="plane" size="5 5 1"/>
        <body pos="0 0 .09"><freejoint/><geom name="a" size=".1"/></body>
        <body pos=".15 0 .09"><freejoint/><geom name="b" size=".1"/></body>
        <body pos="1 0 .09"><freejoint/><geom name="c" size=".1" contype="0" conaffinity="0"/></body>
        <body pos="2 0 .09"><freejoint/><geom name="d" size=".1"/></body>
      </worldbody>
      <contact><pair geom1="floor" geom2="d"/></contact>
    </mujoco>
    """

    def forbid(m, d, geom1, geom2):
        calls.append((geom1, geom2, d.time, float(d.qpos[0])))
        return 1 if m.geom("b").id in (geom1, geom2) else 0

    answers = []
    for module in (mujoco, compat):
        model, calls = module.MjModel.from_xml_string(text), []
        data = module.MjData(model)
        data.time = 0.5
        module.set_mjcb_contactfilter(forbid)
        assert module.get_mjcb_contactfilter() is forbid
        try:
            module.mj_step(model, data, 3)
            module.mj_kinematics(model, data)
            module.mj_collision(model, data)
        finally:
            module.set_mjcb_contactfilter(None)
        answers.append((sorted(map(tuple, data.contact.geom.tolist())), sorted(set(calls)), data.qpos.copy()))
    assert answers[1][0] == answers[0][0] == [(0, 1), (0, 4)]
    assert [call[:3] for call in answers[1][1]] == [call[:3] for call in answers[0][1]]
    np.testing.assert_allclose(answers[1][2], answers[0][2], atol=1e-12)


def test_a_contact_filter_may_look_but_not_touch(model):
    data = compat.MjData(model)
    before = data.qpos.copy()
    data.hooks.contactfilter = lambda m, d, geom1, geom2: compat.mj_kinematics(m, d)
    with pytest.raises(sinew.BusyError):
        compat.mj_step(model, data)
    np.testing.assert_array_equal(data.qpos, before)
    data.hooks.contactfilter = lambda m, d, geom1, geom2: True
    compat.mj_step(model, data)
    assert data.ncon == 0
    data.hooks.contactfilter = None
    compat.mj_forward(model, data)
    assert data.ncon


def test_a_handler_hears_of_a_sensor_whose_reading_is_not_finite():
    text = """<mujoco><worldbody><site name="s" pos="0 0 1"/></worldbody>
        <sensor><framepos objtype="site" objname="s"/></sensor></mujoco>"""
    model = compat.MjModel.from_xml_string(text)
    data, heard = compat.MjData(model), []
    compat.set_mju_user_warning(heard.append)
    try:
        compat.mj_step(model, data)
        model.site_pos[0, 2] = np.nan
        for _ in range(3):
            compat.mj_step(model, data)
    finally:
        compat.set_mju_user_warning(None)
    assert np.isnan(data.sensordata[2])
    assert not any(data.warning.number), "the reference counts no such warning"
    assert heard == ["reading 0 of the sensors is not finite; time = 0.0020"]


def test_a_handler_hears_of_the_first_warning_of_each_kind(model):
    heard = []
    theirs, reference = [], mujoco.MjModel.from_xml_string(TEXT)
    compat.set_mju_user_warning(heard.append)
    mujoco.set_mju_user_warning(theirs.append)
    try:
        for module, own in ((compat, model), (mujoco, reference)):
            data = module.MjData(own)
            for _ in range(3):
                data.qpos[1] = np.nan
                module.mj_step(own, data)
                data.ctrl[0] = np.inf
                module.mj_forward(own, data)
            module.mj_resetData(own, data)
            data.qpos[0] = np.nan
            module.mj_checkPos(own, data)
        assert compat.get_mju_user_warning() is not None
    finally:
        compat.set_mju_user_warning(None)
        mujoco.set_mju_user_warning(None)
    kinds = ["position" if "QPOS" in text else "control" for text in theirs]
    assert [text.split()[1] for text in heard] == kinds and len(kinds) > 2
    with pytest.raises(TypeError, match="function or None"):
        compat.set_mju_user_warning(3)

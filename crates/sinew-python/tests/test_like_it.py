"""What code written for the reference relies on besides numbers: the same objects, classes of errors, what can be set."""

import ctypes
import gc
import weakref

import mujoco
import numpy as np
import pytest
from conftest import EVERYTHING, REPOSITORY

import sinew
import sinew.compat as compat
from sinew.compat import MjData, MjModel


def test_named_views_are_kept(ours):
    data = MjData(ours)
    for owner in (ours, data):
        for kind in ("body", "geom", "joint", "site", "actuator", "camera", "tendon"):
            view = getattr(owner, kind)(1)
            assert view is getattr(owner, kind)(f"{kind}1" if kind != "body" else view.name)
            assert view is getattr(owner, kind)(np.int64(1))
    assert ours.jnt(0) is ours.joint(0) and data.jnt("joint0") is data.joint(0)
    assert data.joint(1).qpos is data.joint(1).qpos and ours.geom(0) is not ours.geom(1)
    assert data.actuator(1).moment is not data.actuator(1).moment


def test_views_show_live_numbers(ours):
    data = MjData(ours)
    held = data.joint("joint1").qpos
    data.qpos[:] = np.arange(ours.nq)
    assert held.tolist() == [1, 2, 3, 4]
    data.joint("joint1").qpos = 7
    assert data.qpos[1:5].tolist() == [7] * 4


def test_views_do_not_keep_their_owner_alive():
    gc.disable()
    try:
        model = MjModel.from_xml_string(EVERYTHING)
        data = MjData(model)
        joint, body = data.joint(1), model.body(1)
        gone = weakref.ref(data), weakref.ref(model)
        del data, model
        assert gone[0]() is None and gone[1]() is None
        assert joint.qpos.shape == (4,) and joint.name == "joint1" and body.name == "body0"
    finally:
        gc.enable()


def test_views_that_are_held_show_a_simulation_made_anew(ours):
    from sinew import _native

    data = MjData(ours)
    joint, before = data.joint(0), data.joint(0).qpos
    with pytest.raises(sinew.InternalError):
        _native.fail_in_data(ours._native, data._native)
    compat.mj_resetData(ours, data)
    data.qpos[0] = 3
    assert joint.qpos.tolist() == [3] and before.tolist() != [3] and data.joint(0) is joint


def test_arrays_are_the_same_objects_at_every_access(ours):
    data = MjData(ours)
    compat.mj_step(ours, data, 5)
    rows = [name for name, _ in compat._data.ROW_FIELDS]
    for name in (*data._all_fields, *rows, *compat._data.ISLAND_FIELDS, *compat._data.CONSTANTS):
        assert getattr(data, name) is getattr(data, name), name
    held = data.efc_island
    compat.mj_forward(ours, data)
    assert data.efc_island is held and not held.flags.writeable
    for name in ours._all_fields:
        if isinstance(getattr(ours, name), np.ndarray) and name != "mesh_vert":
            assert getattr(ours, name) is getattr(ours, name), name


FATAL = {
    "state": lambda mj, m, d: mj.mj_stateSize(m, 1 << 20),
    "order": lambda mj, m, d: mj.mj_RungeKutta(m, d, 3),
    "object": lambda mj, m, d: mj.mj_objectVelocity(m, d, 20, 0, np.zeros(6), 0),
    "bounds": lambda mj, m, d: mj.mju_boxQP(
        np.zeros(1), np.zeros((1, 8)), None, np.eye(1), np.ones(1), np.ones(1), np.ones(1)
    ),
    "letters": lambda mj, m, d: mj.mju_euler2Quat(np.zeros(4), np.zeros(3), "abc"),
    "keyframe": lambda mj, m, d: mj.mj_setKeyframe(m, d, 77),
    "implicit": lambda mj, m, d: (
        setattr(m.opt, "integrator", mj.mjtIntegrator.mjINT_EULER),
        mj.mj_implicit(m, d),
    ),
    "derivative": lambda mj, m, d: (
        setattr(m.opt, "integrator", mj.mjtIntegrator.mjINT_RK4),
        mj.mjd_transitionFD(m, d, 1e-6, 0, None, None, None, None),
    ),
    "body": lambda mj, m, d: mj.mj_applyFT(m, d, np.zeros(3), np.zeros(3), np.zeros(3), 99, np.zeros(m.nv)),
    "signature": lambda mj, m, d: mj.mj_copyState(m, d, d, 1 << 20),
    "integrator": lambda mj, m, d: (setattr(m.opt, "integrator", 99), mj.mj_step(m, d)),
    "solver": lambda mj, m, d: (setattr(m.opt, "solver", 99), mj.mj_forward(m, d)),
}


@pytest.mark.parametrize("name", FATAL)
def test_what_is_fatal_in_the_reference_is_fatal_here(name):
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
        data = module.MjData(model)
        module.mj_step(model, data, 200)
        with pytest.raises(module.FatalError):
            FATAL[name](module, model, data)


def test_errors_are_also_what_python_calls_them(ours):
    data = MjData(ours)
    foreign = MjData(MjModel.from_xml_string("<mujoco><worldbody><body/></worldbody></mujoco>"))
    for kind in (ValueError, compat.FatalError, sinew.errors.CallError):
        with pytest.raises(kind):
            compat.mj_stateSize(ours, 1 << 20)
        with pytest.raises(kind):
            compat.mj_step(ours, foreign)
        with pytest.raises(kind):
            compat.mj_ray(ours, data, np.zeros(3), np.zeros(3), None, 1, -1, None)
    for kind in (IndexError, compat.FatalError):
        with pytest.raises(kind):
            compat.mj_setKeyframe(ours, data, 77)
        with pytest.raises(kind):
            compat.mj_jacBody(ours, data, None, None, 99)
    assert issubclass(sinew.StepError, compat.FatalError) and issubclass(sinew.LoadError, ValueError)


def test_a_handler_of_c_gets_bytes(ours):
    heard = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
    data = MjData(ours)
    data.qpos[0] = np.nan
    compat.set_mju_user_warning(handler)
    try:
        compat.mj_step(ours, data)
        assert compat.get_mju_user_warning() is handler
    finally:
        compat.set_mju_user_warning(None)
    assert len(heard) == 1 and isinstance(heard[0], bytes) and b"position" in heard[0]


def test_scalars_of_data_can_be_set(ours):
    data = MjData(ours)
    data.maxuse_con = 3
    data.pstack, data.flg_energypos = 0, 1
    assert data.maxuse_con == 3 and data.flg_energypos == 1
    data.flg_energypos = 0
    assert data.flg_energypos == 0
    data.ncon = data.ncon
    with pytest.raises(AttributeError, match="nefc cannot be 1000000: 0 were counted"):
        data.nefc = 10**6
    with pytest.raises(AttributeError, match="body_awake cannot be set"):
        data.body_awake = 1
    for owner, name, why in (
        (data, "nJ", "nJ cannot be set: it follows from what was computed"),
        (data, "contact", "contact cannot be set: it follows"),
        (data, "iefc_J", "iefc_J cannot be set: it follows"),
        (ours, "nq", "nq cannot be set: it follows from the structure of the model"),
    ):
        with pytest.raises(AttributeError, match=why):
            setattr(owner, name, 1)
    with pytest.raises(ValueError, match="name_bodyadr is read-only: names, and"):
        ours.name_bodyadr = 1
    compat.mj_step(ours, data, 5)
    with pytest.raises(ValueError, match="efc_island is read-only: it follows"):
        data.efc_island = 1


def test_frames_that_coincide_can_be_told_apart(ours):
    """Code that moves a geom away from its body's frame says so, as the reference needs it to."""
    data, site = MjData(ours), ours.site("site0").id
    assert ours.site_sameframe[site] == compat.mjtSameFrame.mjSAMEFRAME_BODY
    ours.site_pos[site] = 0, 0, 0.5
    compat.mj_kinematics(ours, data)
    assert (data.site_xpos[site] == data.xpos[ours.site_bodyid[site]]).all()
    ours.site_sameframe[site] = compat.mjtSameFrame.mjSAMEFRAME_NONE
    compat.mj_kinematics(ours, data)
    assert (data.site_xpos[site] == data.xpos[ours.site_bodyid[site]] + [0, 0, 0.5]).all()
    ours.site_sameframe[site] = 9
    before = data.site_xpos.copy()
    with pytest.raises(ValueError, match=rf"site_sameframe\[{site}\] has no meaning"):
        compat.mj_step(ours, data)
    assert (data.site_xpos == before).all()


def test_a_near_name_is_suggested(ours):
    with pytest.raises(KeyError, match="Did you mean 'geom1'"):
        ours.geom("gem1")
    with pytest.raises(KeyError, match="Did you mean 'joint0'"):
        MjData(ours).joint("jiont0")
    with pytest.raises(KeyError) as caught:
        ours.geom("zzzzzzz")
    assert "Did you mean" not in str(caught.value)
    assert compat.mj_name2id(ours, compat.mjtObj.mjOBJ_GEOM, "gem1") == -1


@pytest.mark.parametrize(
    ("part", "wrong", "meant"),
    [
        (lambda m, d: d, "qposs", "qpos"),
        (lambda m, d: m, "body_mas", "body_mass"),
        (lambda m, d: m.opt, "timestp", "timestep"),
        (lambda m, d: m.vis.global_, "fov", "fovy"),
        (lambda m, d: compat.MjvCamera(), "lookAt", "lookat"),
    ],
)
def test_a_near_name_is_suggested_where_one_is_set(ours, part, wrong, meant):
    """Where one is read Python says so itself."""
    with pytest.raises(AttributeError, match=f"has no attribute '{wrong}'. Did you mean '{meant}'"):
        setattr(part(ours, MjData(ours)), wrong, 1)
    with pytest.raises(AttributeError) as caught:
        part(ours, MjData(ours)).nonsense_of_mine = 1
    assert "Did you mean" not in str(caught.value)


def test_classes_of_others_may_have_attributes_of_their_own(ours):
    class Mine(MjData):
        pass

    data = Mine(ours)
    data.note = "kept"
    compat.mj_kinematics(ours, data)
    assert data.note == "kept"


def test_notebooks_show_tables():
    model = MjModel.from_xml_path(str(REPOSITORY / "models" / "humanoid.xml"))
    data = MjData(model)
    compat.mj_step(model, data, 200)
    assert data.ncon
    for shown, words in (
        (model, ("MjModel humanoid", f"<th>bodies</th><td>{model.nbody}</td>", "time step")),
        (data, ("MjData", f"<th>contacts</th><td>{data.ncon}</td>", "qpos")),
        (data.contact, (f"{data.ncon} contacts", "<th>geom1</th>", f"<td>{data.contact[0].geom1}</td>")),
        (data.contact[:1], ("1 contacts",)),
    ):
        page = shown._repr_html_()
        assert page.startswith("<table>") and page.endswith("</table>") and page.count("<tr>") == page.count("</tr>")
        for word in words:
            assert word in page
    named = MjModel.from_xml_string("<mujoco model='&lt;b&gt;'/>")
    assert "<b>" not in named._repr_html_()


def test_whether_bodies_are_simple_can_be_written_and_is_checked():
    model = compat.MjModel.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = compat.MjData(model)
    model.body_simple[1] = 0
    compat.mj_step(model, data)
    model.body_simple[1] = 3
    with pytest.raises(ValueError, match=r"body_simple\[1\] has no meaning"):
        compat.mj_step(model, data)


def test_files_of_one_name_in_two_folders_are_two_files():
    texts = {"part.xml": b"<mujoco/>", "other/part.xml": b"<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"}
    model = compat.MjModel.from_xml_string('<mujoco><include file="other/part.xml"/></mujoco>', texts)
    assert model.ngeom == 1


def test_a_picture_may_be_larger_than_the_buffer_of_the_reference():
    model = compat.MjModel.from_xml_string("<mujoco><visual><global offwidth='8' offheight='8'/></visual></mujoco>")
    assert (model.vis.global_.offwidth, compat.Renderer(model, 16, 16).width) == (8, 16)


@pytest.mark.parametrize("wrong", ["0.5", b"1"])
def test_a_text_is_no_number(wrong):
    for module in (mujoco, compat):
        model = module.MjModel.from_xml_string("<mujoco><worldbody><body/></worldbody></mujoco>")
        data = module.MjData(model)
        for owner, name in ((model.opt, "timestep"), (model.vis.map, "znear"), (model.stat, "extent"), (data, "time")):
            with pytest.raises(TypeError):
                setattr(owner, name, wrong)
        with pytest.raises(TypeError):
            module.mj_forwardSkip(model, data, wrong, 0)
        with pytest.raises(TypeError):
            module.mj_resetDataDebug(model, data, -1)


def test_lists_of_a_wrong_size_are_refused_as_in_the_reference():
    for module in (mujoco, compat):
        spec = module.MjSpec()
        with pytest.raises(TypeError):
            spec.option.gravity = [0, 0]
        with pytest.raises(TypeError):
            spec.worldbody.pos = [0, 0]
        with pytest.raises(ValueError, match="pos should be a list/array of size 3"):
            spec.worldbody.add_body(pos=[0, 0])


def test_the_moment_of_an_actuator_is_its_own():
    """The reference counts in rows of ``nv`` numbers, which the array has no more."""
    text = """<mujoco><worldbody><body><joint name="a"/><joint name="b" axis="1 0 0"/><joint name="c" axis="0 1 0"/>
        <geom size=".1"/></body></worldbody><actuator><motor joint="b" gear="2"/><motor joint="c" gear="3"/></actuator></mujoco>"""
    model = compat.MjModel.from_xml_string(text)
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    assert data.actuator(1).moment.tolist() == [0, 0, 3]


def test_products_with_the_jacobian_of_no_rows_are_zero():
    """The reference leaves the result as it was."""
    model = compat.MjModel.from_xml_string(
        "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = compat.MjData(model)
    compat.mj_forward(model, data)
    result = np.full(1, 5.0)
    compat.mj_mulJacTVec(model, data, result, np.zeros(0))
    assert data.nefc == 0 and result[0] == 0

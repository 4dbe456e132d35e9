"""``MjSpec``: the same edits in both engines give the same models; misuse gives an error."""

import copy
import gc
import io

import mujoco
import numpy as np
import pytest

import sinew.compat

ENGINES = (mujoco, sinew.compat)


def same(build, tolerance=1e-12):
    """Compiles what a function builds in both engines and compares every array."""
    reference, model = (build(engine).compile() for engine in ENGINES)
    for name in model._all_fields:
        if name in model._size_fields or not hasattr(reference, name):
            continue
        theirs, ours = getattr(reference, name), getattr(model, name)
        if isinstance(theirs, bytes):
            assert theirs == ours, name
            continue
        theirs, ours = np.asarray(theirs), np.asarray(ours)
        assert theirs.shape == ours.shape, name
        if theirs.dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=name)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=name)
    assert model.opt.timestep == reference.opt.timestep
    return model


def tree(engine):
    spec = engine.MjSpec()
    spec.option.timestep = 0.004
    spec.option.disableflags = int(engine.mjtDisableBit.mjDSBL_GRAVITY)
    main = spec.default
    main.geom.friction[0] = 0.8
    small = spec.add_default("small", main)
    small.geom.size = [0.02, 0.03, 0.04]
    small.joint.damping = 0.3
    body = spec.worldbody.add_body(name="arm", pos=[0, 0, 1], euler=[30, 0, 60])
    body.add_joint(small, name="hinge", range=[-30, 40], axis=[0, 1, 1])
    body.add_geom(small, name="box", type=engine.mjtGeom.mjGEOM_BOX)
    frame = body.add_frame(pos=[0.1, 0.2, 0.3], xyaxes=[0, 1, 0, -1, 0, 0])
    frame.add_geom(name="rod", type=engine.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0.1, 0.2, 0.3], size=[0.02])
    frame.add_site(name="tip", zaxis=[1, 0, 1], userdata=[1, 2])
    frame.add_camera(name="eye", fovy=60, resolution=[20, 30])
    frame.add_light(name="lamp", dir=[1, 0, -1], diffuse=[0.1, 0.2, 0.3])
    hand = frame.add_body(name="hand", mass=2, ipos=[0, 0, 0.1], inertia=[1, 1.5, 2])
    hand.add_joint(name="slide", type=engine.mjtJoint.mjJNT_SLIDE, stiffness=3)
    spec.worldbody.add_body(name="float", pos=[2, 0, 0]).add_freejoint(name="free")
    spec.body("float").add_geom(name="ball", size=[0.2], rgba=[1, 0, 0, 0.5], group=2)
    return spec


def outside(engine):
    spec = tree(engine)
    spec.add_texture(name="check", type=engine.mjtTexture.mjTEXTURE_2D, builtin=2, width=4, height=4)
    textures = [""] * 10
    textures[1] = "check"
    spec.add_material(name="steel", rgba=[0.5, 0.5, 0.6, 1], textures=textures)
    spec.geom("box").material = "steel"
    spec.add_mesh(name="tetra", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
    spec.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_MESH, meshname="tetra", pos=[0, 3, 0])
    spec.add_hfield(name="hill", nrow=2, ncol=3, size=[1, 1, 1, 0.1], userdata=[0, 1, 2, 3, 4, 5])
    spec.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_HFIELD, hfieldname="hill", pos=[0, -3, 0])
    actuator = spec.add_actuator(name="servo", trntype=engine.mjtTrn.mjTRN_JOINT, target="slide", ctrlrange=[-1, 2])
    actuator.set_to_position(kp=30, kv=2)
    spec.add_actuator(name="motor", trntype=engine.mjtTrn.mjTRN_JOINT, target="hinge", gear=[2, 0, 0, 0, 0, 0])
    tendon = spec.add_tendon(name="cord", stiffness=2, range=[0, 3])
    tendon.wrap_site("tip")
    tendon.wrap_geom("ball", "")
    spec.body("float").add_site(name="anchor")
    tendon.wrap_site("anchor")
    fixed = spec.add_tendon(name="sum")
    fixed.wrap_joint("hinge", 2)
    fixed.wrap_joint("slide", -1)
    spec.add_equality(
        type=engine.mjtEq.mjEQ_WELD, objtype=engine.mjtObj.mjOBJ_BODY, name1="hand", name2="float",
        data=[0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2],
    )  # fmt: skip
    spec.add_pair(geomname1="box", geomname2="rod", condim=4)
    spec.add_exclude(bodyname1="arm", bodyname2="float")
    objects = engine.mjtObj
    spec.add_sensor(type=engine.mjtSensor.mjSENS_JOINTPOS, objtype=objects.mjOBJ_JOINT, objname="hinge")
    spec.add_sensor(
        type=engine.mjtSensor.mjSENS_FRAMEPOS, objtype=objects.mjOBJ_SITE, objname="tip",
        reftype=objects.mjOBJ_XBODY, refname="float", cutoff=3,
    )  # fmt: skip
    spec.add_sensor(type=engine.mjtSensor.mjSENS_CONTACT, objtype=objects.mjOBJ_GEOM, objname="box", intprm=[3, 1, 2])
    spec.add_numeric(name="numbers", data=[1, 2, 3], size=4)
    spec.add_text(name="words", data="hello")
    spec.add_tuple(name="both", objtype=[int(objects.mjOBJ_BODY)], objname=["arm"], objprm=[2])
    spec.add_key(name="home", time=2, ctrl=[0.5, 1])
    return spec


def put_together(engine):
    child = outside(engine)
    child.delete(child.keys[0])
    # The reference does not attach tendons that run around a geom.
    child.delete(child.tendon("cord"))
    parent = engine.MjSpec()
    parent.compiler.degree = 0
    frame = parent.worldbody.add_frame(pos=[1, 2, 3], euler=[0, 0, 1])
    site = parent.worldbody.add_site(name="place", pos=[-1, 0, 0], zaxis=[1, 0, 0])
    parent.attach(child, prefix="one_", frame=frame)
    other = tree(engine)
    site.attach_body(other.body("arm"), suffix="_two")
    return parent


@pytest.mark.parametrize("build", [tree, outside, put_together])
def test_the_same_edits_give_the_same_model(build):
    same(build)


def test_deleting_gives_the_same_model():
    def build(engine):
        spec = outside(engine)
        spec.delete(spec.keys[0])
        spec.delete(spec.body("hand"))
        spec.delete(spec.texture("check"))
        spec.material("steel").textures = [""] * 10
        return spec

    assert same(build).nu == 1


def test_arrays_are_live():
    spec = sinew.compat.MjSpec()
    body = spec.worldbody.add_body()
    pos = body.pos
    pos[1] = 4
    body.pos = [7, body.pos[1], 9]
    assert pos.tolist() == [7, 4, 9]
    spec.delete(body)
    assert pos.tolist() == [7, 4, 9]


@pytest.mark.parametrize(
    ("misuse", "error"),
    [
        (lambda spec, body: body.add_geom(colour=1), TypeError),
        (lambda spec, body: body.add_geom(size="x"), TypeError),
        (lambda spec, body: body.add_geom(size=[1, 2, 3, 4]), ValueError),
        (lambda spec, body: setattr(body, "pos", [1, 2]), ValueError),
        (lambda spec, body: setattr(body, "mocap", 2.5), TypeError),
        (lambda spec, body: setattr(body, "mocap", 1 << 40), TypeError),
        (lambda spec, body: setattr(body, "name", 3), TypeError),
        (lambda spec, body: setattr(body, "name", "taken"), ValueError),
        (lambda spec, body: setattr(body, "no_such_field", 3), AttributeError),
        (lambda spec, body: spec.delete(spec.worldbody), ValueError),
        (lambda spec, body: spec.delete(3), TypeError),
        (lambda spec, body: spec.delete(sinew.compat.MjSpec().worldbody), ValueError),
        (lambda spec, body: spec.attach(sinew.compat.MjSpec(), site="nowhere"), ValueError),
        (lambda spec, body: body.add_frame().attach_body(body), ValueError),
        (lambda spec, body: spec.add_default("x", 5), TypeError),
        (lambda spec, body: spec.compiler.eulerseq.__setitem__(0, "xy"), ValueError),
        (lambda spec, body: body.set_frame(3), TypeError),
        (lambda spec, body: sinew.compat.MjsBody(), TypeError),
    ],
)
def test_misuse_gives_an_error(misuse, error):
    spec = sinew.compat.MjSpec()
    spec.worldbody.add_body(name="taken")
    body = spec.worldbody.add_body()
    with pytest.raises(error):
        misuse(spec, body)
    assert spec.compile().ngeom == 0


def test_a_deleted_element_says_so():
    spec = sinew.compat.MjSpec()
    body = spec.worldbody.add_body()
    geom = body.add_geom()
    spec.delete(body)
    with pytest.raises(ValueError, match="deleted"):
        geom.size = [1, 2, 3]
    with pytest.raises(ValueError, match="deleted"):
        body.add_geom()


def test_an_attached_model_shares_its_elements():
    child = sinew.compat.MjSpec.from_string(
        '<mujoco><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    parent = sinew.compat.MjSpec()
    body = child.body("b")
    assert parent.worldbody.add_frame().attach_body(body, prefix="x_") is body
    assert (body.name, [one.name for one in child.joints], child.parent) == ("x_b", ["x_j"], parent)
    body.pos = [0, 0, 5]
    assert parent.compile().body("x_b").pos.tolist() == [0, 0, 5]
    with pytest.raises(ValueError, match="cannot compile child spec"):
        child.compile()


def test_what_is_attached_to_an_attached_model_comes_along():
    inner, middle, outer = (sinew.compat.MjSpec() for _ in range(3))
    body = inner.worldbody.add_body(name="b")
    body.add_geom(size=[0.1])
    middle.attach(inner, prefix="i_", frame=middle.worldbody.add_frame(pos=[1, 0, 0]))
    outer.attach(middle, prefix="m_", frame=outer.worldbody.add_frame(pos=[0, 1, 0]))
    assert [inner.bodies[1], middle.bodies[1]] == [body, body]
    assert (inner.parent, middle.parent, body.name) == (middle, outer, "m_i_b")
    assert outer.compile().body("m_i_b").pos.tolist() == [1, 1, 0]


def test_elements_keep_their_model_alive():
    body = sinew.compat.MjSpec.from_string(
        '<mujoco><worldbody><body name="b"><geom size=".1"/></body></worldbody></mujoco>'
    ).body("b")
    gc.collect()
    parent = sinew.compat.MjSpec()
    parent.worldbody.add_frame().attach_body(body, prefix="x_")
    assert parent.compile().nbody == 2


def test_recompiling_keeps_the_state():
    states = []
    for engine in ENGINES:
        spec = tree(engine)
        model = spec.compile()
        data = engine.MjData(model)
        for _ in range(20):
            engine.mj_step(model, data)
        new = spec.worldbody.add_body(pos=[0, 0, 9])
        new.add_joint(type=engine.mjtJoint.mjJNT_BALL)
        new.add_geom(size=[0.1])
        spec.delete(spec.body("float"))
        model, data = spec.recompile(model, data)
        states.append((data.time, *data.qpos, *data.qvel))
    np.testing.assert_allclose(states[1], states[0], atol=1e-10)


def test_binding_finds_what_belongs_to_elements():
    spec = tree(sinew.compat)
    model = spec.compile()
    data = sinew.compat.MjData(model)
    hinge, slide = spec.joint("hinge"), spec.joint("slide")
    data.bind([hinge, slide]).qpos = [0.1, 0.2]
    assert data.joint("slide").qpos == 0.2
    assert model.bind(spec.body("hand")).mass == 2
    with pytest.raises(ValueError, match="does not match"):
        model.bind(copy.copy(spec).joint("hinge"))


def test_errors_of_the_compiler_name_the_element():
    spec = sinew.compat.MjSpec()
    spec.worldbody.add_geom(name="flat", info="made here")
    with pytest.raises(ValueError, match="size 0 must be positive in geom\nElement name 'flat', id 0, made here"):
        spec.compile()


def test_an_archive_that_is_none_is_refused():
    with pytest.raises(ValueError, match="not a zip file"):
        sinew.compat.MjSpec.from_zip(io.BytesIO(b"nothing"))


CHILD_WITH_KEYS = """
<mujoco>
  <worldbody>
    <body name="b"><joint name="j" type="ball"/><geom size=".1"/></body>
    <body name="q"><joint name="f" type="slide"/><joint name="g"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="m" joint="f"/><intvelocity name="iv" joint="f" kp="1" actrange="-1 1"/></actuator>
  <keyframe>
    <key name="k" time="2" qpos=".5 .5 .5 .5 1 2" qvel="1 2 3 4 5" ctrl=".2 .3" act=".4"/>
    <key name="k2" ctrl="1 1"/>
  </keyframe>
</mujoco>
"""
PARENT_WITH_KEYS = """
<mujoco>
  <worldbody>
    <body name="first"><joint name="p0" type="slide"/><geom size=".1"/><site name="s"/></body>
    <body name="second"><joint name="p1" type="slide" ref=".3"/><geom size=".1"/></body>
    <body name="hand" mocap="true" pos="1 2 3"/>
  </worldbody>
  <actuator><motor name="pm" joint="p1"/></actuator>
  <keyframe><key name="pk" qpos=".1 .2" ctrl=".7" mpos="4 5 6"/><key name="p2" ctrl=".9"/></keyframe>
</mujoco>
"""


def attached_at_a_site(parent, child):
    parent.attach(child(), site=parent.site("s"), prefix="x-")


def attached_in_part(parent, child):
    parent.worldbody.add_frame(pos=[0, 0, 1]).attach_body(child().body("b"), "y-", "")


def attached_twice(parent, child):
    for number in range(2):
        parent.attach(child(), frame=parent.body("first").add_frame(), prefix=f"{number}-")


@pytest.mark.parametrize("attach", [attached_at_a_site, attached_in_part, attached_twice])
def test_keyframes_come_along_and_follow_their_elements(attach):
    models = []
    for module in ENGINES:
        parent = module.MjSpec.from_string(PARENT_WITH_KEYS)
        attach(parent, lambda module=module: module.MjSpec.from_string(CHILD_WITH_KEYS))
        models.append(parent.compile())
    theirs, ours = models
    # The reference forgets numbers of the parent's joints that stand behind the place.
    theirs.key_qpos[0, theirs.joint("p1").qposadr] = 0.2
    assert ours.nkey == theirs.nkey > 2
    for field in ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
        np.testing.assert_array_equal(getattr(ours, f"key_{field}"), getattr(theirs, f"key_{field}"), field)
    assert [ours.key(i).name for i in range(ours.nkey)] == [theirs.key(i).name for i in range(theirs.nkey)]


def add_before_and_behind(spec, module):
    """Joints in front of others and behind them, a body that motion capture moves, an actuator."""
    spec.body("first").add_joint(name="early", type=module.mjtJoint.mjJNT_SLIDE, axis=[1, 0, 0])
    late = spec.worldbody.add_body(name="late", pos=[0, 0, 7])
    late.add_freejoint(name="free")
    late.add_geom(size=[0.1, 0, 0])
    spec.worldbody.add_body(name="other hand", mocap=True, pos=[7, 8, 9])
    spec.add_actuator(name="added", trntype=module.mjtTrn.mjTRN_JOINT, target="early")


def test_keyframes_of_attached_models_follow_what_is_added_later():
    models = []
    for module in ENGINES:
        parent = module.MjSpec.from_string(PARENT_WITH_KEYS.split("<keyframe>")[0] + "</mujoco>")
        attached_at_a_site(parent, lambda module=module: module.MjSpec.from_string(CHILD_WITH_KEYS))
        add_before_and_behind(parent, module)
        models.append(parent.compile())
    theirs, ours = models
    assert (ours.nkey, ours.nu) == (theirs.nkey, theirs.nu) == (2, 4)
    for field in ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
        np.testing.assert_array_equal(getattr(ours, f"key_{field}"), getattr(theirs, f"key_{field}"), field)


@pytest.mark.parametrize("is_first", [True, False])
def test_keyframes_of_the_parent_stay_when_something_is_added_beside_an_attached_model(is_first):
    models = []
    for module in ENGINES:
        parent = module.MjSpec.from_string(PARENT_WITH_KEYS)

        def add(parent=parent, module=module):
            late = parent.worldbody.add_body(name="late", pos=[0, 0, 7])
            late.add_freejoint(name="free")
            late.add_geom(size=[0.1, 0, 0])
            parent.add_actuator(name="added", trntype=module.mjtTrn.mjTRN_JOINT, target="p0")

        if is_first:
            add()
        child = module.MjSpec.from_string(CHILD_WITH_KEYS)
        parent.worldbody.add_frame().attach_body(child.body("q"), "y-", "")
        if not is_first:
            add()
        models.append(parent.compile())
    theirs, ours = models
    # The reference completes numbers of the parent's keyframes from the text, which has no height for a free joint.
    theirs.key_qpos[0, theirs.joint("free").qposadr + 2] = 7
    for field in ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
        np.testing.assert_array_equal(getattr(ours, f"key_{field}"), getattr(theirs, f"key_{field}"), field)


def test_tendons_around_a_geom_come_along():
    """The reference loses those without a site at the side, and what acts on them."""
    text = """<mujoco><worldbody><body name="b"><joint/><geom name="drum" size=".1"/><site name="a" pos="0 0 .5"/>
        <body pos="0 0 .5"><joint axis="0 1 0"/><geom size=".05"/><site name="z" pos="0 0 .5"/></body></body></worldbody>
        <tendon><spatial name="t"><site site="a"/><geom geom="drum"/><site site="z"/></spatial></tendon>
        <actuator><motor name="m" tendon="t"/></actuator></mujoco>"""
    models = []
    for module in ENGINES:
        parent = module.MjSpec()
        parent.attach(module.MjSpec.from_string(text), prefix="x-", frame=parent.worldbody.add_frame())
        models.append(parent.compile())
    assert [(model.ntendon, model.nu) for model in models] == [(0, 0), (1, 1)]


def test_keyframes_lose_the_numbers_of_what_is_deleted():
    parent = sinew.compat.MjSpec.from_string(PARENT_WITH_KEYS)
    attached_at_a_site(parent, lambda: sinew.compat.MjSpec.from_string(CHILD_WITH_KEYS))
    parent.delete(parent.body("x-b"))
    parent.delete(parent.body("second"))
    model = parent.compile()
    np.testing.assert_array_equal(model.key_qpos, [[0.1, 0, 0], [0, 0, 0], [0, 1, 2], [0, 0, 0]])
    np.testing.assert_array_equal(model.key_ctrl, [[0, 0], [0, 0], [0.2, 0.3], [1, 1]])
    np.testing.assert_array_equal(model.key_act, [[0], [0], [0.4], [0]])
    np.testing.assert_array_equal(model.key_time, [0, 0, 2, 0])

"""Models put together from others: classes that are taken over, copies, names that come from files."""

import mujoco
import numpy as np
import pytest

from sinew import compat

LEG = """<mujoco model="leg">
  <default><default class="thin"><geom size="0.02" type="sphere"/><default class="thinner"/></default></default>
  <asset><mesh file="foot.obj"/></asset>
  <worldbody>
    <body name="thigh" childclass="thin">
      <joint name="hip"/><geom type="mesh" mesh="foot"/><body name="shin" pos="0 0 -1"><geom/></body>
    </body>
  </worldbody>
  <actuator><motor name="hip" joint="hip"/></actuator>
</mujoco>"""
FOOT = {"foot.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"}
BOTH = pytest.mark.parametrize("mj", [compat, mujoco], ids=["sinew", "reference"])


@BOTH
def test_what_is_added_takes_the_class_of_its_body(mj):
    spec = mj.MjSpec.from_string(LEG, assets=FOOT)
    shin = spec.body("shin")
    assert (shin.childclass, spec.worldbody.childclass) == ("thin", "main")
    geom = shin.add_geom(name="toe")
    assert (geom.classname.name, geom.size[0], shin.add_joint(name="ankle").classname.name) == ("thin", 0.02, "thin")
    foot = shin.add_body(name="foot").add_geom(spec.find_default("thinner"), name="sole")
    assert foot.classname.name == "thinner"
    other = spec.worldbody.add_body(spec.find_default("thin"), name="other")
    assert (other.childclass, other.add_geom(name="ball").size[0]) == ("thin", 0.02)
    assert spec.compile().geom("toe").size[0] == 0.02


@BOTH
@pytest.mark.parametrize("copies", [False, True])
def test_the_model_that_is_attached_to_says_whether_copies_are_made(mj, copies):
    parent, child = mj.MjSpec(), mj.MjSpec.from_string(LEG, assets=FOOT)
    parent.assets = FOOT
    parent.copy_during_attach, child.copy_during_attach = copies, not copies
    sites = [parent.worldbody.add_site(name=f"site{number}") for number in range(2)]
    thigh = child.body("thigh")
    assert (sites[0].attach_body(thigh, "", "-0") is thigh) is not copies
    if not copies:
        assert child.body("thigh") is None
        return
    sites[1].attach_body(child.body("thigh"), "", "-1")
    model = parent.compile()
    assert [model.actuator(number).name for number in range(model.nu)] == ["hip-0", "hip-1"]
    assert child.compile().nbody == 3


@BOTH
def test_a_copy_of_a_body_can_stand_in_its_own_model(mj):
    spec = mj.MjSpec.from_string(LEG, assets=FOOT)
    spec.copy_during_attach = True
    spec.worldbody.add_frame(name="left", pos=[1, 0, 0]).attach_body(spec.body("thigh"), "left ", "")
    model = spec.compile()
    assert (model.nbody, model.nu, model.body("left thigh").pos[0]) == (5, 2, 1)


@BOTH
def test_meshes_without_names_are_found_after_they_were_attached(mj):
    parent = mj.MjSpec()
    for prefix in ("a/", "b/"):
        child = mj.MjSpec.from_string(LEG, assets=FOOT)
        parent.attach(child, prefix=prefix, frame=parent.worldbody.add_frame())
    model = parent.compile()
    assert [model.mesh(number).name for number in range(model.nmesh)] == ["a/foot", "b/foot"]


def test_files_of_copies_get_other_names_and_those_of_the_model_stay():
    parent, child = compat.MjSpec(), compat.MjSpec.from_string(LEG, assets=FOOT)
    parent.copy_during_attach = True
    for prefix in ("a/", "b/"):
        parent.attach(child, prefix=prefix, frame=parent.worldbody.add_frame())
    assert [mesh.file for mesh in (*parent.meshes, *child.meshes)] == ["a/foot.obj", "b/foot.obj", "foot.obj"]
    assert parent.compile().nmesh == 2 and child.compile().nmesh == 1


@BOTH
def test_a_world_becomes_a_body_that_can_move(mj):
    parent, child = mj.MjSpec(), mj.MjSpec.from_string(LEG, assets=FOOT)
    parent.assets = FOOT
    child.worldbody.add_geom(name="hull", size=[0.1, 0.1, 0.1])
    hip = parent.worldbody.add_site(name="hip", pos=[1, 2, 3])
    body = hip.attach_body(child.worldbody, "", "-1")
    body.add_freejoint()
    model = parent.compile()
    assert (body.name, model.nbody, model.nq, model.body("world-1").pos[2]) == ("world-1", 4, 8, 3)
    assert model.geom("hull-1").bodyid == model.body("world-1").id


def test_a_copy_in_its_own_model_brings_no_keyframes():
    text = LEG.replace("</mujoco>", '<keyframe><key name="bent" qpos="1"/></keyframe></mujoco>')
    spec = compat.MjSpec.from_string(text, assets=FOOT)
    spec.copy_during_attach = True
    spec.worldbody.add_frame().attach_body(spec.body("thigh"), "left ", "")
    model = spec.compile()
    assert (model.nkey, model.key("bent").qpos[0]) == (1, 1)


ARM = """<mujoco model="arm"><compiler angle="radian" autolimits="false"/>
  <default><geom rgba="1 0 0 1"/><joint damping="3"/><default class="thin"><geom rgba="0 0 1 1"/></default></default>
  <worldbody><body name="arm"><geom size=".1"/><body name="hand" childclass="thin"/></body></worldbody>
</mujoco>"""
ROOM = """<mujoco><asset><model name="arm" file="arm.xml"/></asset><default><geom rgba="0 1 0 1"/></default>
  <worldbody><frame><attach model="arm" body="arm" prefix="x_"/></frame></worldbody></mujoco>"""


@BOTH
@pytest.mark.parametrize("how", ["in the text", "a body", "the model"])
def test_what_is_added_to_an_attached_model_has_the_settings_of_the_whole(mj, how):
    if how == "in the text":
        spec = mj.MjSpec.from_string(ROOM, include={"arm.xml": ARM.encode()})
    else:
        text = "<mujoco><default><geom rgba='0 1 0 1'/></default></mujoco>"
        spec, arm = mj.MjSpec.from_string(text), mj.MjSpec.from_string(ARM)
        frame = spec.worldbody.add_frame()
        frame.attach_body(arm.body("arm"), "x_", "") if how == "a body" else spec.attach(arm, prefix="x_", frame=frame)
    arm = spec.body("x_arm")
    joint, geom = arm.add_joint(name="j", range=[-90, 90]), arm.add_geom(size=[0.1, 0, 0])
    thin = spec.body("x_hand").add_geom(name="thin", size=[0.1, 0, 0], euler=[0, 0, 90])
    # What the text attaches says the class main of the part for its bodies here; the reference has that of the whole.
    if mj is compat and how == "in the text":
        expected = ("x_main", [1, 0, 0, 1], 3)
    else:
        expected = ("main", [0, 1, 0, 1], 0)
    assert (geom.classname.name, geom.rgba.tolist(), np.max(joint.damping)) == expected
    assert (arm.childclass, thin.classname.name, thin.rgba.tolist()) == (expected[0], "x_thin", [0, 0, 1, 1])
    model = spec.compile()
    assert model.joint("j").limited[0] == 1
    np.testing.assert_allclose(model.joint("j").range, [-np.pi / 2, np.pi / 2])
    np.testing.assert_allclose(model.geom("thin").quat, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)])

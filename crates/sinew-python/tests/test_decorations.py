"""Lists of scenes with everything that can be shown, held to the reference's at random states."""

import mujoco as reference
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as mujoco

ALL = 7
# Left out: pieces of flexes and skins, which are listed without their size and place, and the triangles of tactile sensors.
TRIANGLE = 108
FLAGS = (
    "TEXTURE", "JOINT", "CAMERA", "ACTUATOR", "ACTIVATION", "LIGHT", "TENDON", "RANGEFINDER", "CONSTRAINT", "INERTIA",
    "PERTFORCE", "PERTOBJ", "CONTACTPOINT", "CONTACTFORCE", "AUTOCONNECT", "COM", "SELECT", "STATIC", "SKIN", "FLEXSKIN",
)  # fmt: skip
# Axes that are shown, flags that are added and flags that are taken away.
KINDS = {
    "BODY": ((), ()),
    "GEOM": (("SCLINERTIA", "CONTACTSPLIT", "TRANSPARENT"), ("ACTIVATION",)),
    "SITE": ((), ("STATIC", "INERTIA")),
    "CAMERA": ((), ("TENDON", "SKIN")),
    "LIGHT": ((), ("TEXTURE",)),
    "CONTACT": (("CONTACTSPLIT",), ("CONTACTFORCE", "CONTACTPOINT")),
    "WORLD": ((), ("SELECT",)),
}
MODELS = (
    "humanoid", "arm_actuators", "manipulator", "quadruped", "finger", "muscle_arm", "mechanism", "sensor_zoo", "mesh_scene",
    "terrain", "box_pile", "drone", "flex/rope_bridge", "flex/trampoline", "features/skin",
)  # fmt: skip
EYES = """
<mujoco>
  <statistic meansize=".2"/>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <light pos="0 0 3" dir="0 1 -2"/>
    <camera name="plain" pos="0 -2 1" resolution="8 6" fovy="30"/>
    <camera name="flat" pos="0 -2 1" resolution="8 6" fovy="2" projection="orthographic"/>
    <camera name="made" pos="0 -2 1" resolution="8 4" focal=".1 .2" sensorsize=".3 .2" principal=".01 .02"/>
    <camera name="few" pos="0 0 2" resolution="3 2" fovy="50"/>
    <site name="a" pos="0 0 2"/><site name="c" pos="0 .5 2" size=".05"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".2"/><site name="b" pos=".2 0 0"/><site name="ray" zaxis="0 0 -1"/></body>
    <body name="slide" pos="1 0 1"><joint type="slide" axis="1 0 0" range="-.01 .01" limited="true"/><geom size=".1"/></body>
  </worldbody>
  <tendon>
    <spatial name="string" limited="true" range="0 3"><site site="a"/><site site="b"/></spatial>
    <spatial name="slack" stiffness="10" springlength="0 2"><site site="c"/><site site="b"/></spatial>
    <spatial name="taut" limited="true" range="0 .1"><site site="c"/><site site="a"/></spatial>
  </tendon>
  <equality><connect body1="ball" body2="slide" anchor="0 .1 0"/><weld site1="a" site2="b" active="false"/></equality>
  <sensor>
    <rangefinder site="ray" data="dist point normal"/><rangefinder camera="few"/><rangefinder camera="few" data="point"/>
    <fromto geom1="x" geom2="y" cutoff="3"/>
  </sensor>
</mujoco>""".replace('<geom size=".2"/>', '<geom name="x" size=".2"/>').replace(
    '<geom size=".1"/>', '<geom name="y" size=".1"/>'
)


def listed(module, load, seed, kind):
    """Whole numbers and others of all geoms of a scene at a random state."""
    model = load(module)
    data = module.MjData(model)
    random = np.random.default_rng(seed)
    for _ in range(random.integers(1, 25)):
        data.ctrl[:] = random.normal(size=model.nu)
        module.mj_step(model, data)
    data.qpos[:] += random.normal(scale=1e-3, size=model.nq)
    data.xfrc_applied[:] = random.normal(size=data.xfrc_applied.shape)
    module.mj_forward(model, data)
    option, hand, camera = module.MjvOption(), module.MjvPerturb(), module.MjvCamera()
    added, removed = KINDS[kind]
    option.flags[:] = 0
    for flag in set(FLAGS) | set(added):
        option.flags[int(getattr(module.mjtVisFlag, f"mjVIS_{flag}"))] = flag not in removed
    option.frame = int(getattr(module.mjtFrame, f"mjFRAME_{kind}"))
    for groups in ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup"):
        getattr(option, groups)[:] = random.random(6) < 0.9
    hand.select, hand.active, hand.active2 = (
        int(random.integers(0, model.nbody)),
        *(int(x) for x in random.integers(0, 4, 2)),
    )
    hand.localpos[:], hand.refselpos[:] = random.normal(size=(2, 3))
    hand.refquat[:] = np.array([1.0, 2, 3, 4]) / np.sqrt(30)
    module.mjv_defaultFreeCamera(model, camera)
    scene = module.MjvScene(model, 20000)
    # The reference puts endless planes below the eye of the update before.
    for _ in range(2):
        module.mjv_updateScene(model, data, option, hand, camera, ALL, scene)
    whole, broken = [], []
    for geom in scene.geoms[: scene.ngeom]:
        is_tactile = geom.type == TRIANGLE and geom.objtype != module.mjtObj.mjOBJ_CAMERA
        of_corners = (int(module.mjtObj.mjOBJ_FLEX), int(module.mjtObj.mjOBJ_SKIN))
        if not is_tactile and int(geom.objtype) not in of_corners:
            whole.append([int(getattr(geom, name)) for name in ("type", "objtype", "objid", "category", "matid")])
            parts = (
                geom.size,
                geom.pos,
                geom.mat,
                geom.rgba,
                geom.emission,
                geom.specular,
                geom.shininess,
                geom.reflectance,
            )
            broken.append(np.concatenate([np.ravel(part) for part in parts]))
    return np.array(whole), np.array(broken)


def compare(load, seed):
    for kind in KINDS:
        (ours, our_numbers), (theirs, their_numbers) = (
            listed(module, load, seed, kind) for module in (mujoco, reference)
        )
        assert len(ours) == len(theirs), kind
        np.testing.assert_array_equal(ours, theirs, err_msg=kind)
        np.testing.assert_allclose(our_numbers, their_numbers, rtol=2e-6, atol=2e-6, err_msg=kind)


@pytest.mark.parametrize("name", MODELS)
def test_models_list_what_the_reference_lists(name):
    path = str(REPOSITORY / "models" / f"{name}.xml")
    compare(lambda module: module.MjModel.from_xml_path(path), seed=len(name))


@pytest.mark.parametrize("seed", range(3))
def test_cameras_strings_and_rays_list_what_the_reference_lists(seed):
    compare(lambda module: module.MjModel.from_xml_string(EYES), seed)

"""Lists of scenes with everything that can be shown, held to the reference's at random states."""

import mujoco as reference
import numpy as np
import pytest
from conftest import REPOSITORY

import sinew.compat as mujoco

ALL = 7
FLAGS = (
    "TEXTURE", "JOINT", "CAMERA", "ACTUATOR", "ACTIVATION", "LIGHT", "TENDON", "RANGEFINDER", "CONSTRAINT", "INERTIA",
    "PERTFORCE", "PERTOBJ", "CONTACTPOINT", "CONTACTFORCE", "AUTOCONNECT", "COM", "SELECT", "STATIC", "SKIN", "FLEXSKIN",
)  # fmt: skip
# Axes that are shown, flags that are added and flags that are taken away.
KINDS = {
    "BODY": ((), ()),
    "GEOM": (("SCLINERTIA", "CONTACTSPLIT", "TRANSPARENT"), ("ACTIVATION",)),
    "SITE": (("CONVEXHULL", "BODYBVH"), ("STATIC", "INERTIA")),
    "CAMERA": (("ISLAND",), ("TENDON", "SKIN")),
    "LIGHT": (("FLEXVERT", "FLEXEDGE", "ISLAND"), ("TEXTURE", "FLEXSKIN")),
    "CONTACT": (("CONTACTSPLIT", "MESHBVH"), ("CONTACTFORCE", "CONTACTPOINT")),
    "WORLD": (("BODYBVH", "MESHBVH"), ("SELECT", "FLEXSKIN")),
    "NONE": ((), ("INERTIA",)),
}
LABELS = (
    "BODY", "JOINT", "GEOM", "SITE", "CAMERA", "LIGHT", "TENDON", "ACTUATOR", "CONSTRAINT", "FLEX", "SKIN", "SELECTION", "SELPNT",
    "CONTACTPOINT", "CONTACTFORCE", "ISLAND",
)  # fmt: skip
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
    <spatial name="taut" limited="true" range="0 .1"><site site="c"/><site site="b"/></spatial>
  </tendon>
  <equality><connect body1="ball" body2="slide" anchor="0 .1 0"/><weld site1="a" site2="b" active="false"/></equality>
  <sensor>
    <rangefinder site="ray" data="dist point normal"/><rangefinder camera="few"/><rangefinder camera="few" data="point"/>
    <fromto geom1="x" geom2="y" cutoff="3"/>
  </sensor>
</mujoco>""".replace('<geom size=".2"/>', '<geom name="x" size=".2"/>').replace(
    '<geom size=".1"/>', '<geom name="y" size=".1"/>'
)


def listed(module, load, seed, kind, label="NONE"):
    """Whole numbers, others and labels of all geoms of a scene at a random state."""
    model = load(module)
    # Which volumes were met is not kept here.
    model.vis.global_.bvactive = 0
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
    option.label = int(getattr(module.mjtLabel, f"mjLABEL_{label}"))
    option.bvh_depth, option.flex_layer = (int(x) for x in random.integers(0, 3, 2))
    for groups in ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup"):
        getattr(option, groups)[:] = random.random(6) < 0.9
    hand.select, hand.active, hand.active2 = (
        int(random.integers(0, model.nbody)),
        *(int(x) for x in random.integers(0, 4, 2)),
    )
    hand.flexselect = hand.skinselect = int(random.integers(-1, 1))
    hand.localpos[:], hand.refselpos[:] = random.normal(size=(2, 3))
    hand.refquat[:] = np.array([1.0, 2, 3, 4]) / np.sqrt(30)
    module.mjv_defaultFreeCamera(model, camera)
    scene = module.MjvScene(model, 20000)
    # The reference puts endless planes below the eye of the update before.
    for _ in range(2):
        module.mjv_updateScene(model, data, option, hand, camera, ALL, scene)
    geoms = scene.geoms[: scene.ngeom]
    names = ("type", "objtype", "objid", "category", "matid", "dataid", "texcoord", "segid")
    whole = [[int(getattr(geom, name)) for name in names] for geom in geoms]
    broken = [
        np.concatenate([np.ravel(part) for part in (
            geom.size, geom.pos, geom.mat, geom.rgba, geom.emission, geom.specular, geom.shininess, geom.reflectance,
        )])
        for geom in geoms
    ]  # fmt: skip
    return np.array(whole), np.array(broken), [geom.label for geom in geoms]


def compare(load, seed):
    for kind in KINDS:
        (ours, our_numbers, _), (theirs, their_numbers, _) = (
            listed(module, load, seed, kind) for module in (mujoco, reference)
        )
        assert len(ours) == len(theirs), kind
        np.testing.assert_array_equal(ours, theirs, err_msg=kind)
        np.testing.assert_allclose(our_numbers, their_numbers, rtol=2e-6, atol=2e-6, err_msg=kind)


def compare_labels(load, seed):
    written = 0
    for label in LABELS:
        for kind in ("BODY", "NONE"):
            (_, _, ours), (_, _, theirs) = (listed(module, load, seed, kind, label) for module in (mujoco, reference))
            assert ours == theirs, label
            written += sum(map(bool, theirs))
    assert written > 0


@pytest.mark.parametrize("name", MODELS)
def test_models_list_what_the_reference_lists(name):
    path = str(REPOSITORY / "models" / f"{name}.xml")
    compare(lambda module: module.MjModel.from_xml_path(path), seed=len(name))


@pytest.mark.parametrize("seed", range(3))
def test_cameras_strings_and_rays_list_what_the_reference_lists(seed):
    compare(lambda module: module.MjModel.from_xml_string(EYES), seed)


@pytest.mark.parametrize(
    "name",
    (
        "humanoid",
        "arm_actuators",
        "box_pile",
        "muscle_arm",
        "mechanism",
        "sensor_zoo",
        "features/skin",
        "flex/trampoline",
    ),
)
def test_labels_are_those_of_the_reference(name):
    path = str(REPOSITORY / "models" / f"{name}.xml")
    compare_labels(lambda module: module.MjModel.from_xml_path(path), seed=len(name))


def test_names_of_cameras_and_strings_are_those_of_the_reference():
    compare_labels(lambda module: module.MjModel.from_xml_string(EYES), 1)

"""Models that the tests share."""

import signal
import threading
from pathlib import Path

import mujoco
import pytest

import sinew.compat

REPOSITORY = Path(__file__).resolve().parents[3]

# Two of everything that can be named, so that an id that is off by one shows.
EVERYTHING = """
<mujoco model="everything">
  <size nuser_body="1" nuser_jnt="2" nuser_geom="3" nuser_site="1" nuser_cam="1" nuser_tendon="1"
        nuser_actuator="1" nuser_sensor="1" nuserdata="4"/>
  <asset>
    <texture name="texture0" type="2d" builtin="flat" width="4" height="4"/>
    <texture name="texture1" type="2d" builtin="checker" width="4" height="6" rgb1="1 0 0"/>
    <material name="material0" texture="texture0"/>
    <material name="material1" rgba="1 0 0 1"/>
    <mesh name="mesh0" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <mesh name="mesh1" vertex="0 0 0 2 0 0 0 2 0 0 0 2"/>
    <hfield name="hfield0" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
    <hfield name="hfield1" nrow="3" ncol="2" size="1 1 1 1" elevation="5 4 3 2 1 0"/>
  </asset>
  <worldbody>
    <light name="light0" pos="0 0 3"/>
    <body name="body0" pos="1 0 0">
      <joint name="joint0" range="-1 1" damping="0.5"/>
      <geom name="geom0" size=".1 .2" type="capsule" user="7"/>
      <site name="site0"/>
      <camera name="camera0" pos="0 0 1"/>
    </body>
    <body name="body1" pos="0 1 0">
      <joint name="joint1" type="ball" armature="0.1"/>
      <geom name="geom1" size=".1" user="1 2 3"/>
      <site name="site1" pos="0 0 .1"/>
      <camera name="camera1" fovy="60"/>
      <light name="light1" pos="1 1 1"/>
    </body>
    <body name="mocap" mocap="true" pos="3 0 0"/>
  </worldbody>
  <contact>
    <pair name="pair0" geom1="geom0" geom2="geom1"/>
    <pair name="pair1" geom1="geom0" geom2="geom1" condim="1"/>
    <exclude name="exclude0" body1="body0" body2="body1"/>
    <exclude name="exclude1" body1="body1" body2="world"/>
  </contact>
  <equality>
    <connect name="equality0" body1="body1" anchor="0 0 0"/>
    <joint name="equality1" joint1="joint0"/>
  </equality>
  <tendon>
    <fixed name="tendon0"><joint joint="joint0" coef="1"/></fixed>
    <spatial name="tendon1" range="0 2"><site site="site0"/><site site="site1"/></spatial>
  </tendon>
  <custom>
    <text name="text0" data="hi"/><text name="text1" data="hello"/>
    <numeric name="numeric0" data="1 2"/><numeric name="numeric1" data="3 4 5"/>
    <tuple name="tuple0"><element objtype="body" objname="body0"/></tuple>
    <tuple name="tuple1">
      <element objtype="body" objname="body1" prm="2"/><element objtype="geom" objname="geom1"/>
    </tuple>
  </custom>
  <actuator>
    <general name="actuator0" joint="joint0" dyntype="integrator"/>
    <position name="actuator1" tendon="tendon1" kp="3" ctrlrange="0 1"/>
  </actuator>
  <sensor>
    <jointpos name="sensor0" joint="joint0"/>
    <ballquat name="sensor1" joint="joint1"/>
  </sensor>
  <keyframe>
    <key name="key0"/>
    <key name="key1" time="2" qpos="0.5 1 0 0 0"/>
  </keyframe>
</mujoco>
"""


def own_models() -> list[Path]:
    """The models of this repository, without the files that are parts of others."""
    return sorted((REPOSITORY / "models").glob("*.xml"))


@pytest.fixture
def ours():
    """The model with everything, in sinew."""
    return sinew.compat.MjModel.from_xml_string(EVERYTHING)


@pytest.fixture(scope="session")
def theirs():
    """The model with everything, in the reference."""
    return mujoco.MjModel.from_xml_string(EVERYTHING)


def interrupted(call):
    """Runs a call that Ctrl-C ends."""
    # Programs started in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        signal.signal(signal.SIGINT, before)

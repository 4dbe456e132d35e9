"""Pictures through the reference's class."""

import numpy as np
import pytest

import sinew.compat as mujoco

SCENE = """
<mujoco>
  <worldbody>
    <camera name="above" pos="0 0 3"/>
    <geom type="plane" size="2 2 1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".3" rgba="1 0 0 1"/>
      <geom name="hidden" size=".4" group="3"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(name="world")
def _world():
    model = mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_pictures_distances_and_objects(world):
    model, data = world
    with mujoco.Renderer(model, 48, 64) as renderer:
        assert (renderer.height, renderer.width, renderer.model) == (48, 64, model)
        renderer.update_scene(data, "above")
        picture = renderer.render()
        assert picture.shape == (48, 64, 3) and picture.dtype == np.uint8
        red, green, blue = picture[24, 32].astype(int)
        assert red > 100 and green < red // 2 and blue < red // 2
        out = np.zeros_like(picture)
        assert renderer.render(out=out) is out and (out == picture).all()

        renderer.enable_depth_rendering()
        depth = renderer.render()
        assert depth.shape == (48, 64) and depth.dtype == np.float32
        assert depth[24, 32] == pytest.approx(2.2, rel=1e-2)
        assert depth[2, 2] == pytest.approx(3.0, rel=1e-5)
        renderer.disable_depth_rendering()

        renderer.enable_segmentation_rendering()
        objects = renderer.render()
        assert objects.shape == (48, 64, 2)
        geom = int(mujoco.mjtObj.mjOBJ_GEOM)
        assert objects[24, 32].tolist() == [model.geom("ball").id, geom]
        assert objects[2, 2].tolist() == [0, geom]
        renderer.disable_segmentation_rendering()
        assert (renderer.render() == picture).all()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_cameras_and_what_is_shown(world):
    model, data = world
    renderer = mujoco.Renderer(model, 24, 32)
    with pytest.raises(ValueError, match="update_scene comes first"):
        renderer.render()
    renderer.update_scene(data)
    free = renderer.render()
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    renderer.update_scene(data, camera)
    assert (renderer.render() == free).all()
    camera.type, camera.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, model.body("ball").id
    camera.distance = 1.5
    renderer.update_scene(data, camera)
    assert (renderer.render() != free).any()

    options = mujoco.MjvOption()
    options.geomgroup[3] = 1
    renderer.update_scene(data, "above", options)
    renderer.enable_segmentation_rendering()
    assert renderer.render()[12, 16, 0] == model.geom("hidden").id

    with pytest.raises(ValueError, match='The camera "nobody" does not exist.'):
        renderer.update_scene(data, "nobody")
    with pytest.raises(ValueError, match=r"The camera id 1 is out of range \[-1, 1\)."):
        renderer.update_scene(data, 1)
    large = mujoco.Renderer(model, 10_000, 8)
    large.update_scene(data)
    with pytest.raises(ValueError, match="each side needs 1 to 8192"):
        large.render()

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


FLAGS = """
<mujoco>
  <visual><map znear=".1" zfar="20" fogstart="1" fogend="4"/><rgba fog="0 0 0 1"/><quality offsamples="0"/></visual>
  <statistic extent="1" center="0 0 0"/>
  <worldbody>
    <camera name="above" pos="0 0 3"/>
    <geom name="floor" type="plane" size="1 1 .1" rgba=".8 .8 .8 1"/>
    <geom name="box" type="box" size=".3 .3 .3" pos="0 0 .3" rgba="1 0 0 1"/>
    <geom name="glass" type="box" size=".1 .1 .01" pos=".45 0 .7" rgba="0 .5 0 .5"/>
  </worldbody>
</mujoco>"""


@pytest.fixture(name="shown")
def _shown():
    model = mujoco.MjModel.from_xml_string(FLAGS)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with mujoco.Renderer(model, 90, 120) as renderer:
        renderer.update_scene(data, "above")
        yield model, data, renderer


def flagged(renderer, *flags):
    """A picture with flags turned round."""
    before = renderer.scene.flags.copy()
    for flag in flags:
        number = int(getattr(mujoco.mjtRndFlag, f"mjRND_{flag}"))
        renderer.scene.flags[number] = not renderer.scene.flags[number]
    picture = renderer.render()
    renderer.scene.flags[:] = before
    return picture.astype(int)


def test_flags_change_how_a_scene_is_drawn(shown):
    _, _, renderer = shown
    plain = flagged(renderer)
    edges = flagged(renderer, "WIREFRAME")
    is_lit = (plain > 0).any(axis=-1)
    assert 0 < (edges > 0).any(axis=-1).sum() < is_lit.sum() / 2 and not (edges > 0).any(axis=-1)[~is_lit].any()
    fog = flagged(renderer, "FOG")
    assert (fog <= plain).all()
    # A third of the way through the fog is left of the floor, two fifths of the box's upper side is nearer.
    np.testing.assert_allclose(fog[88, 60], plain[88, 60] / 3, atol=1)
    np.testing.assert_allclose(fog[45, 60], plain[45, 60] * (4 - 2.4) / 3, atol=1)
    added = flagged(renderer, "ADDITIVE")
    glass = np.nonzero((added != plain).any(axis=-1))
    # Over the floor it is brighter than the floor alone, which it hides half of twice otherwise.
    row, column = (int(np.median(places)) for places in glass)
    assert glass[0].size > 50 and (added[row, column] > plain[row, column] + 20).all(), (
        added[row, column],
        plain[row, column],
    )
    # Of what is closed only glass shows its back.
    backs = (flagged(renderer, "CULL_FACE") != plain).any(axis=-1)
    assert backs.any() and not backs[(added == plain).all(axis=-1)].any()


def test_numbers_and_depths_are_shown_as_colours(shown):
    model, _, renderer = shown
    renderer.enable_segmentation_rendering()
    objects = renderer.render()[..., 0]
    renderer.disable_segmentation_rendering()
    colours = flagged(renderer, "SEGMENT")
    for number in np.unique(objects):
        wanted = [0, 0, 0]
        if number >= 0:
            wanted = [round(255 * (0.1 + 0.8 * mujoco.mju_Halton(int(number) + 10, base))) for base in (2, 3, 5)]
        np.testing.assert_allclose(
            colours[objects == number], np.broadcast_to(wanted, ((objects == number).sum(), 3)), atol=1
        )
    ids = flagged(renderer, "SEGMENT", "IDCOLOR")
    np.testing.assert_array_equal(ids[..., 0], objects + 1)
    renderer.enable_depth_rendering()
    metres = renderer.render()
    renderer.disable_depth_rendering()
    near, far = model.vis.map.znear, model.vis.map.zfar
    wanted = 255 * (1 - (1 - near / metres) / (1 - near / far))
    np.testing.assert_allclose(flagged(renderer, "DEPTH")[..., 0], wanted, atol=0.51)


def test_labels_are_written_beside_geoms(shown):
    _, data, renderer = shown
    plain = flagged(renderer)
    option = mujoco.MjvOption()
    option.label = mujoco.mjtLabel.mjLABEL_GEOM
    renderer.update_scene(data, "above", option)
    assert [geom.label for geom in renderer.scene.geoms[:4]] == ["floor", "box", "glass", ""]
    written = flagged(renderer)
    changed = (written != plain).any(axis=-1)
    # The box is in the middle: its name begins there, and goes to the right.
    rows, columns = np.nonzero(changed & (np.arange(120) < 90))
    assert rows.max() <= 47 and columns.min() >= 59 and columns.min() <= 61
    assert (written[changed] == 255).all(axis=-1).any() and (written[changed] == 0).all(axis=-1).any()
    renderer.update_scene(data, "above")
    np.testing.assert_array_equal(flagged(renderer), plain)
    # What users write is written, too.
    renderer.scene.geoms[1].label = "mine"
    assert (flagged(renderer) != plain).any()
    renderer.update_scene(data, "above")
    assert renderer.scene.geoms[1].label == ""

"""Pictures of the worlds of a batch are those that each world has alone."""

import numpy as np
import pytest

import sinew
import sinew.compat as mujoco

SCENE = """
<mujoco>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom type="plane" size="2 2 1"/>
    <body pos="0 0 .5"><freejoint/><geom name="ball" size=".3" rgba="1 0 0 1"/><geom type="box" size=".1 .2 .5"/></body>
  </worldbody>
</mujoco>"""
KINDS = {
    "rgb": lambda renderer: None,
    "depth": lambda renderer: renderer.enable_depth_rendering(),
    "segmentation": lambda renderer: renderer.enable_segmentation_rendering(),
}


@pytest.fixture(name="batch")
def _batch():
    batch = sinew.Batch(mujoco.MjModel.from_xml_string(SCENE), 5, threads=2)
    batch.qpos[:, 0] = np.linspace(-1, 1, 5)
    batch.qpos[:, 2] = 0.7
    return batch


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("camera", [-1, "side"])
def test_each_world_looks_as_it_does_alone(batch, kind, camera):
    pictures = batch.render(40, 30, camera=camera, kind=kind)
    assert len({picture.tobytes() for picture in pictures}) == 5
    renderer = mujoco.Renderer(batch.model, 30, 40)
    KINDS[kind](renderer)
    for world, picture in enumerate(pictures):
        data = batch.world(world)
        mujoco.mj_forward(batch.model, data)
        renderer.update_scene(data, camera)
        alone = renderer.render()
        assert picture.dtype == alone.dtype
        np.testing.assert_array_equal(picture, alone)


def test_worlds_are_chosen_and_arrays_filled(batch):
    everything = batch.render(16, 12)
    out = np.zeros((2, 12, 16, 3), np.uint8)
    assert batch.render(16, 12, where=[1, 3], out=out) is out
    np.testing.assert_array_equal(out, everything[[1, 3]])
    assert batch.render(16, 12, where=[]).shape == (0, 12, 16, 3)
    one = sinew.Batch(batch.model, 5, threads=1)
    one.qpos[:] = batch.qpos
    np.testing.assert_array_equal(one.render(16, 12), everything)


def test_worlds_with_numbers_of_their_own_show_them(batch):
    before = batch.render(32, 24, camera="side")
    batch.expand("geom_size")[2, 1, 0] = 0.6
    after = batch.render(32, 24, camera="side")
    assert [bool((before[k] != after[k]).any()) for k in range(5)] == [False, False, True, False, False]


def test_what_cannot_be_drawn_is_refused(batch):
    for arguments, message in (
        ({"kind": "colour"}, "kind must be one of rgb, depth, segmentation, not 'colour'"),
        ({"camera": "front"}, 'The camera "front" does not exist.'),
        ({"width": 9000}, "each side needs 1 to 8192"),
        ({"out": np.zeros((5, 64, 64, 3))}, "out must be a contiguous array of uint8"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.render(**arguments)
    batch.close()
    with pytest.raises(RuntimeError, match="this batch is closed"):
        batch.render()

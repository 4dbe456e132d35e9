"""Scenes and contexts of the reference's drawing functions: what is listed is drawn, and what is added, too."""

import copy
import importlib.util
import subprocess
import sys
from pathlib import Path

import mujoco as reference
import numpy as np
import pytest

import sinew.compat as mujoco

PROGRAM = Path(__file__).parent / "programs" / "pictures_of_others.py"
SCENE = """
<mujoco>
  <visual><global offwidth="96" offheight="64"/><quality offsamples="0"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="above" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 1"/>
    <site name="mark" pos="1 1 .1" size=".05"/>
    <body name="arm" pos="0 0 .5"><freejoint/>
      <geom name="ball" size=".3" rgba="1 0 0 1"/><geom type="capsule" fromto="0 0 0 .5 .2 .3" size=".06"/>
      <body pos=".3 0 .4"><joint axis="0 1 0"/><geom type="box" size=".1 .1 .2" mass="2"/></body>
    </body>
    <body name="hand" mocap="true" pos="0 1 1"><geom size=".1"/></body>
  </worldbody>
</mujoco>"""
ALL = 7


@pytest.fixture(name="engines")
def _engines():
    """Both engines: module, model, data, scene, camera."""
    found = []
    for module in (mujoco, reference):
        model = module.MjModel.from_xml_string(SCENE)
        data = module.MjData(model)
        data.qpos[:8] = [0.1, 0.2, 0.6, 0.9, 0.1, -0.2, 0.3, 0.4]
        data.qvel[:] = np.linspace(-1, 1, model.nv)
        module.mj_forward(model, data)
        camera, scene = module.MjvCamera(), module.MjvScene(model, 50)
        module.mjv_defaultFreeCamera(model, camera)
        module.mjv_updateScene(model, data, module.MjvOption(), module.MjvPerturb(), camera, ALL, scene)
        found.append((module, model, data, scene, camera))
    return found


def same_records(ours, theirs, fields):
    for field in fields:
        wanted = getattr(theirs, field)
        np.testing.assert_allclose(getattr(ours, field), wanted, rtol=1e-5, atol=1e-6, err_msg=field)


def test_scenes_list_what_the_reference_lists(engines):
    (_, _, _, ours, _), (_, _, _, theirs, _) = engines
    assert ours.ngeom == theirs.ngeom and len(ours.geoms) == len(theirs.geoms) == 50
    fields = ("type", "objtype", "objid", "category", "matid", "segid", "size", "pos", "mat", "rgba", "specular")
    for number in range(theirs.ngeom):
        same_records(ours.geoms[number], theirs.geoms[number], fields)
    head = sum(np.asarray(eye.pos, float) for eye in theirs.camera) / 2
    np.testing.assert_allclose(ours.camera[0].pos, head, rtol=1e-5)
    same_records(ours.camera[0], theirs.camera[0], ("forward", "up", "frustum_top", "frustum_near", "frustum_far"))


def test_geoms_are_made_as_the_reference_makes_them(engines):
    (_, _, _, ours, _), (_, _, _, theirs, _) = engines
    mine, other = ours.geoms[20], theirs.geoms[20]
    fields = ("type", "dataid", "matid", "size", "pos", "mat", "rgba", "emission", "specular", "shininess")
    rotation = np.array([0, 1, 0, -1, 0, 0, 0, 0, 1], float)
    for kind in (2, 3, 5, 6, 100):
        arguments = (
            kind,
            np.array([0.1, 0.2, 0.3]),
            np.array([1.0, 2, 3]),
            rotation,
            np.array([1, 0.5, 0, 1], np.float32),
        )
        mujoco.mjv_initGeom(mine, *arguments)
        reference.mjv_initGeom(other, *arguments)
        same_records(mine, other, fields)
    for kind in (3, 5, 100, 103):
        arguments = kind, 0.02, np.array([0.1, 0, 0]), np.array([-0.5, 1, 2])
        mujoco.mjv_connector(mine, *arguments)
        reference.mjv_connector(other, *arguments)
        same_records(mine, other, fields)
    with pytest.raises(ValueError, match="invalid geom type 6 for connector"):
        mujoco.mjv_connector(mine, 6, 0.1, np.zeros(3), np.ones(3))
    alone = copy.copy(mine)
    alone.pos = [9, 9, 9]
    assert mine.pos[0] != 9


def test_the_mouse_moves_what_it_moves_in_the_reference(engines):
    for kind in range(1, 8):
        cameras = []
        for module, model, _, scene, camera in engines:
            camera = copy.copy(camera)
            module.mjv_moveCamera(model, kind, 0.1, -0.2, scene, camera)
            cameras.append(camera)
        same_records(*cameras, ("azimuth", "elevation", "distance", "lookat"))


def test_bodies_are_pulled_as_in_the_reference(engines):
    for active in (1, 2, 3):
        for action in (1, 2, 3, 4, 6, 7):
            found = []
            for module, model, data, scene, _ in engines:
                pert = module.MjvPerturb()
                pert.select, pert.active, pert.localpos = 2, active, [0.05, 0.1, 0.1]
                module.mjv_initPerturb(model, data, scene, pert)
                module.mjv_movePerturb(model, data, action, 0.3, 0.4, scene, pert)
                data.xfrc_applied[:] = 0
                module.mjv_applyPerturbForce(model, data, pert)
                found.append((pert, data.xfrc_applied.copy()))
            (mine, our_force), (other, their_force) = found
            same_records(mine, other, ("localmass", "scale", "refpos", "refquat", "refselpos"))
            np.testing.assert_allclose(our_force, their_force, rtol=1e-5, atol=1e-6 * abs(their_force).max())
    for body in (1, 2, 3):
        poses = []
        for module, model, data, scene, _ in engines:
            pert = module.MjvPerturb()
            pert.select, pert.active = body, 1
            module.mjv_initPerturb(model, data, scene, pert)
            pert.refpos += 0.5
            module.mjv_applyPerturbPose(model, data, pert, 1)
            poses.append(np.concatenate([data.qpos, data.mocap_pos.ravel(), data.mocap_quat.ravel()]))
        np.testing.assert_allclose(*poses, rtol=1e-6, atol=1e-9)


def test_what_is_seen_is_selected(engines):
    for across, up in ((0.5, 0.5), (0.45, 0.55), (0.9, 0.3), (0.5, 0.99)):
        found = []
        for module, model, data, scene, _ in engines:
            point = np.zeros(3)
            ids = [np.array([[7]], np.int32) for _ in range(3)]
            body = module.mjv_select(model, data, module.MjvOption(), 1.5, across, up, scene, point, *ids)
            found.append((body, int(ids[0].item()), *np.round(point, 4)))
        assert found[0] == pytest.approx(found[1], abs=1e-3)


def draw(scene, context, viewport, depth=True):
    size = viewport.width * viewport.height
    rgb, depths = np.zeros(3 * size, np.uint8), np.zeros(size, np.float32)
    mujoco.mjr_render(viewport, scene, context)
    mujoco.mjr_readPixels(rgb, depths if depth else None, viewport, context)
    return rgb.reshape(viewport.height, viewport.width, 3), depths.reshape(viewport.height, viewport.width)


def test_contexts_draw_what_the_renderer_draws(engines):
    _, model, data, scene, camera = engines[0]
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    viewport = mujoco.mjr_maxViewport(context)
    assert (viewport.width, viewport.height, context.offWidth) == (96, 64, 96)
    picture, depth = draw(scene, context, viewport)
    with mujoco.Renderer(model, 64, 96) as renderer:
        renderer.update_scene(data, camera)
        np.testing.assert_array_equal(picture[::-1], renderer.render())
        renderer.enable_depth_rendering()
        near, far = scene.camera[0].frustum_near, scene.camera[0].frustum_far
        metres = near / (1 - depth[::-1].astype(float) * (1 - near / far))
        np.testing.assert_allclose(metres, renderer.render(), rtol=2e-3)

    # Without a sky both see the far plane where nothing is.
    assert depth.max() == 1

    scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = 1
    numbers, _ = draw(scene, context, viewport)
    ids = (numbers.astype(int) * [1, 256, 65536]).sum(axis=-1)
    assert set(np.unique(ids)) <= set(range(scene.ngeom + 1)) and len(np.unique(ids)) > 3
    scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = 0

    half = mujoco.MjrRect(48, 0, 48, 64)
    mujoco.mjr_render(half, scene, context)
    both, _ = draw(scene, context, mujoco.MjrRect(0, 0, 48, 64))
    read = np.zeros((64, 96, 3), np.uint8)
    mujoco.mjr_readPixels(read, None, viewport, context)
    np.testing.assert_array_equal(read[:, :48], read[:, 48:])
    np.testing.assert_array_equal(read[:, :48], both)


def test_geoms_that_are_added_or_changed_are_drawn(engines):
    _, model, data, _, _ = engines[0]
    renderer = mujoco.Renderer(model, 32, 48)
    renderer.update_scene(data, "above")
    before = renderer.render()
    scene = renderer.scene
    green = np.array([0, 1, 0, 1], np.float32)
    mujoco.mjv_initGeom(scene.geoms[scene.ngeom], 6, np.full(3, 0.2), np.array([-0.8, 0, 1]), np.eye(3).ravel(), green)
    scene.ngeom += 1
    after = renderer.render()
    changed = (before != after).any(axis=-1)
    assert 0 < changed.sum() < changed.size / 3
    assert (after[changed][:, 1] > after[changed][:, 0]).any()
    ball = next(geom for geom in scene.geoms if geom.objid == model.geom("ball").id and geom.objtype == 5)
    ball.rgba[:] = [0, 0, 1, 1]
    row, column = np.argwhere((after[..., 0] > 150) & (after[..., 2] < 60))[0]
    assert (renderer.render()[row, column] != after[row, column]).any()
    scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 0
    assert renderer.render().astype(int).sum() > after.astype(int).sum() * 0.9
    renderer.update_scene(data, "above")
    scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = 1
    np.testing.assert_array_equal(renderer.render(), before)


def test_text_is_written_and_wrong_calls_are_refused(engines):
    _, model, _, scene, _ = engines[0]
    context = mujoco.MjrContext(model, 100)
    viewport = mujoco.mjr_maxViewport(context)
    plain, _ = draw(scene, context, viewport)
    for place in range(4):
        mujoco.mjr_render(viewport, scene, context)
        mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_NORMAL, place, viewport, "Time\nStep", b"1.5\n20", context)
        written = np.zeros_like(plain)
        mujoco.mjr_readPixels(written, None, viewport, context)
        rows, columns = np.nonzero((written != plain).any(axis=-1))
        is_top, is_right = place in (0, 1), place in (1, 3)
        assert rows.size and (rows.min() > 20) == is_top and (columns.min() > 10) == is_right
    with pytest.raises(ValueError, match="mjv_updateScene comes before mjr_render"):
        mujoco.mjr_render(viewport, mujoco.MjvScene(model, 5), context)
    with pytest.raises(ValueError, match="the context has no model"):
        mujoco.mjr_render(viewport, scene, mujoco.MjrContext())
    with pytest.raises(ValueError, match="an array of 3 numbers for 96 × 64 pixels"):
        mujoco.mjr_readPixels(np.zeros(3, np.uint8), None, viewport, context)
    mujoco.mjr_resizeOffscreen(20, 10, context)
    assert mujoco.mjr_maxViewport(context).height == 10 and mujoco.mjr_getError() == 0


def test_what_was_asked_for_is_drawn_before_the_model_is_taken_in_again(engines):
    _, model, _, scene, _ = engines[0]
    context = mujoco.MjrContext(model, 100)
    viewport = mujoco.mjr_maxViewport(context)
    plain, _ = draw(scene, context, viewport)
    mujoco.mjr_render(viewport, scene, context)
    mujoco.mjr_uploadTexture(model, context, 0)
    seen = np.zeros_like(plain)
    mujoco.mjr_readPixels(seen, None, viewport, context)
    np.testing.assert_array_equal(seen, plain)
    mujoco.mjr_render(viewport, scene, context)
    context.free()
    mujoco.mjr_readPixels(seen, None, viewport, context)


def test_pictures_beside_each_other_stay(engines):
    """A picture that is drawn over need not be drawn at all, another one must."""
    _, model, _, scene, _ = engines[0]
    context = mujoco.MjrContext(model, 100)
    whole = mujoco.mjr_maxViewport(context)
    half = whole.width // 2
    left, right = mujoco.MjrRect(0, 0, half, whole.height), mujoco.MjrRect(half, 0, half, whole.height)
    for first, second in ((left, right), (whole, right), (right, whole)):
        context, apart = mujoco.MjrContext(model, 100), mujoco.MjrContext(model, 100)
        for place in (first, second):
            mujoco.mjr_render(place, scene, context)
            draw(scene, apart, place)
        seen = [
            (np.zeros((whole.height, whole.width, 3), np.uint8), np.zeros((whole.height, whole.width), np.float32))
            for _ in range(2)
        ]
        for pixels, where in zip(seen, (context, apart)):
            mujoco.mjr_readPixels(*pixels, whole, where)
        for found, expected in zip(*seen):
            np.testing.assert_array_equal(found, expected)


def test_tasks_of_other_packages_are_drawn(tmp_path):
    """gymnasium's eleven tasks and five of dm_control's, with nothing but sinew to draw them."""
    for package in ("gymnasium", "dm_control"):
        assert importlib.util.find_spec(package), f"run: pip install -r conformance/requirements.txt ({package})"
    file = tmp_path / "pictures.npz"
    done = subprocess.run([sys.executable, PROGRAM, "sinew", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    pictures = np.load(file)
    assert len(pictures.files) == 2 * 11 + 4 * 5
    for name in pictures.files:
        picture = pictures[name]
        assert picture.shape[:2] == (120, 160), name
        assert len(np.unique(picture)) > 2, f"{name}: there is something to be seen"
        if "depth" in name:
            assert picture.dtype == np.float32 and np.isfinite(picture).all() and picture.min() >= 0, name
        elif "segmentation" in name:
            assert picture.shape[2] == 2 and set(np.unique(picture[..., 1])) <= {-1, 5, 6, 18}, name
        else:
            assert picture.shape[2] == 3 and picture.dtype == np.uint8, name


def test_films_of_tasks_are_recorded(tmp_path):
    for package in ("gymnasium", "moviepy"):
        assert importlib.util.find_spec(package), f"run: pip install -r conformance/requirements.txt ({package})"
    done = subprocess.run(
        [sys.executable, PROGRAM.parent / "film_of_a_task.py", tmp_path], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (film,) = tmp_path.glob("*.mp4")
    assert film.stat().st_size > 5000 and film.read_bytes()[4:8] == b"ftyp"

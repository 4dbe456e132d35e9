"""The viewer without its page: who may see it, what a session does, how states outlive an edit."""

import http
import json
import struct
import zlib

import numpy as np
import pytest

import sinew
import sinew.compat as mujoco
from sinew.viewer import _forms
from sinew.viewer._guard import Guard, new_token
from sinew.viewer._session import Session, keep_by_name
from sinew.viewer._stage import skin_vertices
from sinew.viewer._textures import Textures
from sinew.viewer._worlds import Worlds

ARM = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
    </body>
    <body name="ball" pos="1 0 .3"><freejoint name="free"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <keyframe><key qpos="1 1 0 .3 1 0 0 0"/></keyframe>
</mujoco>"""


def session(text=ARM):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return Session(model, data)


@pytest.mark.parametrize(
    ("path", "headers", "wanted"),
    [
        ("/?token=secret", {"Host": "127.0.0.1:80"}, None),
        ("/?a=b&token=secret", {"Host": "localhost:80"}, None),
        ("/style.css", {"Host": "127.0.0.1:80", "Cookie": "other=1; sinew_80=secret"}, None),
        ("/", {"Host": "127.0.0.1:80", "Origin": "http://127.0.0.1:80", "Cookie": "sinew_80=secret"}, None),
        ("/", {"Host": "127.0.0.1:80"}, http.HTTPStatus.FORBIDDEN),
        ("/?token=", {"Host": "127.0.0.1:80"}, http.HTTPStatus.FORBIDDEN),
        ("/?token=secre", {"Host": "127.0.0.1:80"}, http.HTTPStatus.FORBIDDEN),
        ("/", {"Host": "127.0.0.1:80", "Cookie": "sinew_81=secret"}, http.HTTPStatus.FORBIDDEN),
        ("/", {"Host": "127.0.0.1:80", "Cookie": "\x00=;;sinew_80"}, http.HTTPStatus.FORBIDDEN),
        ("/?token=secret", {"Host": "evil.example:80"}, http.HTTPStatus.MISDIRECTED_REQUEST),
        ("/?token=secret", {"Host": "127.0.0.1:81"}, http.HTTPStatus.MISDIRECTED_REQUEST),
        ("/?token=secret", {}, http.HTTPStatus.MISDIRECTED_REQUEST),
        ("/?token=secret", {"Host": "127.0.0.1:80", "Origin": "http://evil.example"}, http.HTTPStatus.FORBIDDEN),
    ],
)
def test_only_those_who_know_the_address_see_the_page(path, headers, wanted):
    guard = Guard("secret", ("127.0.0.1", "localhost"))
    assert guard.refusal(path, headers, 80) is wanted
    assert "HttpOnly" in guard.cookie(80) and len(new_token()) > 20 and new_token() != new_token()


def test_a_session_plays_pauses_steps_and_goes_back():
    one = session()
    assert one.advance(1.0) == 0 and one.data.time == 0
    one.is_playing = True
    assert one.advance(0.1) > 0
    steps = sum(one.advance(0.05) for _ in range(40))
    assert steps > 0 and one.data.time > 0.02 and len(one.past) > 1
    moment, angle = one.data.time, one.data.qpos[0]
    one.go_back(0.0)
    assert one.data.time == 0 and one.data.qpos[0] == 0 and not one.is_playing
    one.go_back(1.0)
    assert one.data.time == pytest.approx(moment) and one.data.qpos[0] == pytest.approx(angle)
    one.step()
    assert one.data.time == pytest.approx(moment + one.model.opt.timestep)
    # Who plays on from the past has another future.
    one.go_back(0.5)
    assert 0 < one.data.time < moment
    one.data.ctrl[0] = 5
    one.step()
    times = [time for time, _ in one.past]
    assert times == sorted(times) and times[-1] <= one.data.time
    one.reset(0)
    assert one.data.qpos[0] == 1 and not one.past
    one.reset()
    assert one.data.qpos[0] == 0


def test_a_body_is_pulled_to_where_it_is_dragged():
    one = session()
    one.model.opt.gravity[:] = 0
    ball = one.model.body("ball").id
    one.grab(ball, [1, 0, 0.3], False)
    one.drag([1, 0.5, 0.5])
    for _ in range(400):
        one.step()
    np.testing.assert_allclose(one.data.xpos[ball], [1, 0.5, 0.5], atol=0.05)
    one.release()
    assert (one.data.xfrc_applied == 0).all() and one.pull.select == ball
    before = one.data.xquat[ball].copy()
    one.grab(ball, one.data.xpos[ball], True)
    one.drag(one.data.xpos[ball] + [0.05, 0, 0])
    for _ in range(50):
        one.step()
    assert abs(one.data.xquat[ball] @ before) < 0.9999
    one.release()
    # While nothing moves, a free body is put where it is dragged.
    one.grab(ball, one.data.xpos[ball], False)
    one.drag([0, 1, 1])
    one.advance(0.1)
    np.testing.assert_allclose(one.data.qpos[1:4], [0, 1, 1], atol=1e-9)


def test_states_outlive_an_edit_by_name(tmp_path):
    file = tmp_path / "arm.xml"
    file.write_text(ARM)
    model = mujoco.MjModel.from_xml_path(str(file))
    one = Session(model, mujoco.MjData(model), file)
    one.data.joint("hinge").qpos[0], one.data.ctrl[0], one.data.time = 0.7, 0.3, 2.0
    one.data.joint("free").qpos[:3] = [1, 2, 3]
    assert not one.reload_if_changed()
    change(file, ARM.replace("fromto", "fromtoo"))
    assert one.reload_if_changed() and "fromtoo" in one.error and one.version == 0
    new = ARM.replace("<worldbody>", '<worldbody><body name="more"><joint name="new"/><geom size=".1"/></body>')
    change(file, new)
    assert one.reload_if_changed() and one.error is None and one.version == 1 and one.model.njnt == 3
    assert one.data.joint("hinge").qpos[0] == 0.7 and one.data.ctrl[0] == 0.3 and one.data.time == 2.0
    assert one.data.joint("free").qpos[:3].tolist() == [1, 2, 3] and one.data.joint("new").qpos[0] == 0
    other = mujoco.MjModel.from_xml_string(
        ARM.replace('<joint name="hinge" axis="0 1 0"/>', '<joint name="hinge" type="ball"/>')
    )
    data = mujoco.MjData(other)
    keep_by_name(one.model, one.data, other, data)
    assert data.joint("hinge").qpos.tolist() == [1, 0, 0, 0]


def change(file, text):
    """Writes a file so that it is seen to be another, however coarse the clock of files is."""
    import os

    file.write_text(text)
    later = file.stat().st_mtime_ns + 1_000_000_000 * (1 + len(text) % 7)
    os.utime(file, ns=(later, later))


def test_forms_are_closed_and_face_outwards():
    for corners, faces in (
        _forms.ball([0.1, 0.2, 0.3]), _forms.capsule(0.1, 0.4), _forms.cylinder(0.2, 0.3),
    ):  # fmt: skip
        a, b, c = (corners[faces[:, k]] for k in range(3))
        normals = np.cross(b - a, c - a)
        is_real = np.linalg.norm(normals, axis=1) > 1e-12
        outward = ((a + b + c) / 3 * normals).sum(axis=1)
        assert (outward[is_real] > 0).all()
        volume = outward.sum() / 6 * 3 / 3
        assert volume > 0
    corners, faces = _forms.ground(np.arange(12.0).reshape(3, 4), [1, 2, 0.5])
    assert corners.shape == (12, 3) and faces.shape == (12, 3) and corners[:, 2].max() == 5.5


def test_skins_follow_their_bones(request):
    path = request.config.rootpath
    model = (
        next(folder for folder in (path, *path.parents) if (folder / "models").is_dir()) / "models/features/skin.xml"
    )
    model = mujoco.MjModel.from_xml_path(str(model))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rest = skin_vertices(model, data, 0)
    assert np.isfinite(rest).all() and len(rest) == model.skin_vertnum[0]
    data.qpos[:] += 0.3
    mujoco.mj_forward(model, data)
    assert (abs(skin_vertices(model, data, 0) - rest) > 1e-6).any()


PAINTED = """
<mujoco>
  <asset>
    <texture name="tiles" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
    <texture name="sides" type="cube" builtin="gradient" rgb1="0 1 0" rgb2="1 1 1" width="4" height="4"/>
    <texture name="large" type="2d" builtin="flat" rgb1="1 1 0" width="2048" height="1024"/>
    <material name="tiles" texture="tiles" texrepeat="3 2"/>
    <material name="metric" texture="tiles" texrepeat="3 2" texuniform="true"/>
    <material name="sides" texture="sides" rgba="1 1 1 .5"/>
    <material name="large" texture="large"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="2 4 .1" material="tiles"/>
    <geom name="metric" type="plane" size="2 4 .1" material="metric"/>
    <geom name="endless" type="plane" size="0 0 .1" material="tiles"/>
    <geom name="box" type="box" size=".1 .2 .3" material="sides"/>
    <geom name="ball" size=".1" material="large"/>
    <geom name="plain" size=".1"/>
  </worldbody>
</mujoco>"""


def opened(file):
    """Contents, arrays and picture (width, height, pixels of its first row) of a file in the binary form of glTF."""
    magic, version, length = struct.unpack_from("<III", file)
    assert (magic, version, length) == (0x46546C67, 2, len(file))
    size, kind = struct.unpack_from("<II", file, 12)
    contents = json.loads(file[20 : 20 + size])
    assert kind == 0x4E4F534A
    binary = file[28 + size :]
    arrays = {}
    for name, number in contents["meshes"][0]["primitives"][0]["attributes"].items():
        accessor, view = contents["accessors"][number], contents["bufferViews"][number]
        part = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        arrays[name] = np.frombuffer(part, np.float32).reshape(accessor["count"], -1)
    view = contents["bufferViews"][contents["images"][0]["bufferView"]]
    picture = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    width, height = struct.unpack_from(">II", picture, 16)
    row = zlib.decompress(picture[41 : 41 + struct.unpack_from(">I", picture, 33)[0]])[1 : 1 + 3 * width]
    return contents, arrays, (width, height, np.frombuffer(row, np.uint8).reshape(-1, 3))


def test_textures_lie_where_the_reference_lays_them():
    model = mujoco.MjModel.from_xml_string(PAINTED)
    textures = Textures(model)
    plate = _forms.plate(2, 4)
    colour = np.ones(4)
    files = {name: textures.file(model.geom(name).id, plate, colour) for name in ("floor", "metric", "endless")}
    # The texture is repeated over half the side, over a metre, and over a metre where there are no sides.
    for name, across, down in (("floor", 3, 2), ("metric", 6, 8), ("endless", 6, 8)):
        contents, arrays, (width, height, row) = opened(files[name])
        where = arrays["TEXCOORD_0"]
        assert (width, height) == (8, 8) and row[0].tolist() == [255, 0, 0] and row[-1].tolist() == [0, 0, 255], name
        np.testing.assert_allclose(np.ptp(where, axis=0), [across, down], err_msg=name)
        np.testing.assert_allclose((where.max(axis=0) + where.min(axis=0)) / 2, [-0.5, -0.5], err_msg=name)
        assert contents["materials"][0]["doubleSided"] and contents["samplers"][0]["wrapS"] == 10497
    box = model.geom("box").id
    corners = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.3, 0.3)])
    # The side along +x is the first of six below each other, the one along -z the last.
    contents, arrays, (width, height, _) = opened(
        textures.file(box, (corners, np.array([[4, 6, 7], [0, 2, 4]])), colour)
    )
    assert (width, height) == (4, 24) and contents["materials"][0]["alphaMode"] == "OPAQUE"
    assert (arrays["TEXCOORD_0"][:3, 1] < 1 / 6).all() and (arrays["TEXCOORD_0"][3:, 1] > 5 / 6).all()
    # +y is up on the side along +x, and +z to the left.
    np.testing.assert_allclose(arrays["TEXCOORD_0"][:3] * [1, 6], [[0.875, 0.875], [0.875, 0.125], [0.125, 0.125]])
    contents, arrays, (width, height, _) = opened(textures.file(model.geom("ball").id, _forms.ball([0.1] * 3), colour))
    assert (width, height) == (512, 256) and np.linalg.norm(arrays["NORMAL"], axis=1) == pytest.approx(1)
    assert textures.file(model.geom("plain").id, plate, colour) is None
    assert textures.mean_colour(3).tolist() == [1, 1, 0] and textures.mean_colour(-1).tolist() == [1, 1, 1]


def test_a_batch_plays_and_takes_what_a_user_changes():
    batch = sinew.Batch(mujoco.MjModel.from_xml_string(ARM), 3, threads=1)
    batch.qpos[:, 0] = [0.1, 0.2, 0.3]
    worlds = Worlds(batch)
    worlds.choose(1)
    assert worlds.data.qpos[0] == 0.2 and worlds.loaded(2).qpos[0] == 0.3 and worlds.loaded(1) is worlds.data
    worlds.data.ctrl[0], worlds.data.qpos[0] = 0.7, 0.25
    worlds.advance(0.1)
    assert batch.ctrl[:, 0].tolist() == [0, 0.7, 0] and batch.qpos[1, 0] == 0.25
    # Steps of others are shown, and not undone.
    batch.step()
    worlds.advance(0.1)
    assert worlds.data.time == batch.time[1] == worlds.model.opt.timestep
    worlds.is_playing = True
    while worlds.data.time < 0.1:
        worlds.advance(0.05)
    assert (batch.time == worlds.data.time).all() and len(worlds.past) > 3
    before = batch.qpos.copy()
    worlds.go_back(0.0)
    assert worlds.data.time == worlds.past[0][0] and (batch.qpos != before).any() and not worlds.is_playing
    worlds.reset()
    assert (batch.time == 0).all() and worlds.data.qpos[0] == 0 and not worlds.past

"""The viewer without its page: who may see it, what a session does, how states outlive an edit."""

import http

import numpy as np
import pytest

import sinew.compat as mujoco
from sinew.viewer import _forms
from sinew.viewer._guard import Guard, new_token
from sinew.viewer._session import Session, keep_by_name
from sinew.viewer._stage import skin_vertices

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

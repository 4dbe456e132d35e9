"""Cameras and bodies that a mouse moves, by the reference's rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _native
from ..errors import CallError
from ._data import MjData
from ._drawing import MjvCamera, MjvGLCamera, MjvOption, MjvPerturb
from ._drawing_names import ENUMS
from ._enums import ENUMS as _CODES
from ._model import MjModel
from ._scene import MjvScene

_TRACKING, _FIXED = (int(ENUMS["mjtCamera"][f"mjCAMERA_{kind}"]) for kind in ("TRACKING", "FIXED"))
_MOUSE = ENUMS["mjtMouse"]
_TURN = (_MOUSE["mjMOUSE_ROTATE_V"], _MOUSE["mjMOUSE_ROTATE_H"])
_MOVE = (_MOUSE["mjMOUSE_MOVE_V"], _MOUSE["mjMOUSE_MOVE_H"])
_MOVE_ALONG = (_MOUSE["mjMOUSE_MOVE_V_REL"], _MOUSE["mjMOUSE_MOVE_H_REL"])
_TRANSLATE, _ROTATE = (int(ENUMS["mjtPertBit"][f"mjPERT_{kind}"]) for kind in ("TRANSLATE", "ROTATE"))
_STATIC = int(ENUMS["mjtVisFlag"]["mjVIS_STATIC"])
_BODY = int(_CODES["mjtObj"]["mjOBJ_BODY"])
_FREE = int(_CODES["mjtJoint"]["mjJNT_FREE"])
_TINY = 1e-15


def _eye(scn: MjvScene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Position, forward and up of the head between the two eyes."""
    if any(eye.frustum_near < _TINY for eye in scn.camera):
        raise CallError("mjvScene frustum_near too small")

    def mean(name: str) -> np.ndarray:
        return sum(np.asarray(getattr(eye, name), np.float64) for eye in scn.camera) / 2

    def unit(vector: np.ndarray) -> np.ndarray:
        return vector / np.linalg.norm(vector)

    return mean("pos"), unit(mean("forward")), unit(mean("up"))


def mjv_frustumHeight(scn: MjvScene) -> float:  # noqa: N802
    """How high what is seen is, a metre from the eye."""

    def height(eye: MjvGLCamera) -> float:
        return (eye.frustum_top - eye.frustum_bottom) / (1.0 if eye.orthographic else eye.frustum_near)

    return sum(height(eye) for eye in scn.camera) / 2


def mjv_cameraInModel(headpos: Any, forward: Any, up: Any, scn: MjvScene) -> None:  # noqa: N802
    """Where the head is and where it looks."""
    for target, value in zip((headpos, forward, up), _eye(scn), strict=True):
        if target is not None:
            target[:] = value


def mjv_alignToCamera(res: np.ndarray, vec: Any, forward: Any) -> None:  # noqa: N802
    """Turns a vector about the vertical, from y to where the camera looks."""
    x, y = np.asarray(forward, np.float64)[:2] / max(np.linalg.norm(forward[:2]), _TINY)
    res[:] = vec[0] * y + vec[1] * x, -vec[0] * x + vec[1] * y, vec[2]


def _motion(action: int, dx: float, dy: float, forward: np.ndarray) -> np.ndarray:
    """What a motion of the mouse is in the world."""
    plain = {
        _TURN[0]: (dy, 0, dx), _TURN[1]: (dy, dx, 0), _MOVE[0]: (dx, 0, -dy), _MOVE_ALONG[0]: (dx, 0, -dy),
        _MOVE[1]: (dx, -dy, 0), _MOVE_ALONG[1]: (dx, -dy, 0),
    }.get(action, (0, 0, 0))  # fmt: skip
    found = np.zeros(3)
    mjv_alignToCamera(found, plain, forward)
    return found


def mjv_moveCamera(  # noqa: N802
    m: MjModel, action: int, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera
) -> None:
    """Moves a free or tracking camera as a mouse that moved by parts of the window's height."""
    kind, extent = int(cam.type), float(m.stat.extent)
    if kind == _FIXED or (kind == _TRACKING and action in (*_MOVE, *_MOVE_ALONG)):
        return
    if action in _TURN:
        cam.azimuth -= reldx * 180
        cam.elevation -= reldy * 180
    elif action in _MOVE:
        head, forward, _ = _eye(scn)
        scale = mjv_frustumHeight(scn) * float((cam.lookat - head) @ forward) * (0.15 if cam.orthographic else 1)
        cam.lookat -= scale * _motion(action, reldx, reldy, forward)
    elif action in _MOVE_ALONG:
        _, forward, up = _eye(scn)
        cam.lookat += reldy * (up if action == _MOVE_ALONG[0] else forward) + reldx * np.cross(forward, up)
    elif action == _MOUSE["mjMOUSE_ZOOM"]:
        cam.distance -= float(np.log(1 + cam.distance / extent / 3)) * reldy * 9 * extent
    else:
        raise ValueError(f"unexpected action {int(action)}")
    cam.azimuth -= 360 * (cam.azimuth > 180) - 360 * (cam.azimuth < -180)
    cam.elevation = min(max(cam.elevation, -89.0), 89.0)
    cam.distance = min(max(cam.distance, 0.01 * extent), 100 * extent)


def mjv_select(  # noqa: N802
    m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene,
    selpnt: np.ndarray, geomid: np.ndarray, flexid: np.ndarray, skinid: np.ndarray,
) -> int:  # fmt: skip
    """The body whose geom is seen at a place of the window, or -1. Flexes and skins are looked through."""
    position, forward, up = _eye(scn)
    eye = scn.camera[0]
    width = aspectratio * (eye.frustum_top - eye.frustum_bottom)
    upward = eye.frustum_bottom + rely * (eye.frustum_top - eye.frustum_bottom)
    across = eye.frustum_center + (relx - 0.5) * width
    aside = np.cross(forward, up) * across + up * upward
    if eye.orthographic:
        position, ray = position + aside, forward
    else:
        ray = forward * eye.frustum_near + aside
        ray /= np.linalg.norm(ray)
    flexid[...] = skinid[...] = geomid[...] = -1
    found = np.array([-1], np.int32)
    distance = _native.mj_ray(m, d, position, ray, vopt.geomgroup, int(vopt.flags[_STATIC]), -1, found, None)
    if distance < 0:
        return -1
    geomid[...] = found[0]
    selpnt[:] = position + distance * ray
    return int(m.geom_bodyid[found[0]])


def _selected(m: MjModel, d: MjData, pert: MjvPerturb) -> np.ndarray:
    """The selected point in the world."""
    body = pert.select
    return d.xmat[body].reshape(3, 3) @ pert.localpos + d.xpos[body]


def _inertial_quat(m: MjModel, d: MjData, body: int) -> np.ndarray:
    quat = np.zeros(4)
    _native.mju_mulQuat(quat, d.xquat[body], m.body_iquat[body])
    return quat


def grab(m: MjModel, d: MjData, pert: MjvPerturb) -> np.ndarray:
    """Begins to pull at the selected point of the selected body, and returns where it is."""
    body, point = pert.select, _selected(m, d, pert)
    jacobian, solved = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    if m.nv:
        _native.mj_jac(m, d, jacobian, None, point, body)
        _native.mj_solveM(m, d, solved, jacobian)
    mobility = float((jacobian * solved).sum())
    pert.localmass = 1.0 if mobility == 0 else 3 / max(mobility, _TINY)
    pert.refpos, pert.refquat, pert.refselpos = d.xipos[body], _inertial_quat(m, d, body), point
    return point


def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None:  # noqa: N802
    """Begins to pull at the selected body where it is."""
    if not 0 < pert.select < m.nbody:
        return
    point = grab(m, d, pert)
    head, forward, _ = _eye(scn)
    pert.scale = mjv_frustumHeight(scn) * float((point - head) @ forward) * (0.15 if scn.camera[0].orthographic else 1)


def mjv_movePerturb(  # noqa: N802
    m: MjModel, d: MjData, action: int, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb
) -> None:
    """Moves or turns where the selected body is pulled to."""
    _, forward, _ = _eye(scn)
    motion = _motion(action, reldx, reldy, forward)
    body = pert.select
    if action in _MOVE:
        pert.refpos += pert.scale * motion
        pert.refselpos += pert.scale * motion
    elif action in _MOVE_ALONG:
        axes = d.xmat[body].reshape(3, 3)
        forth = axes[:, 0] if action == _MOVE_ALONG[1] else axes[:, 2]
        along = pert.scale * (reldy * forth + reldx * axes[:, 1])
        pert.refpos += along
        pert.refselpos += along
    elif action in _TURN:
        length = float(np.linalg.norm(motion))
        turn, turned = np.zeros(4), np.zeros(4)
        _native.mju_axisAngle2Quat(
            turn, motion / length if length > _TINY else np.array([1.0, 0, 0]), length * 2 * np.pi
        )
        _native.mju_mulQuat(turned, turn, pert.refquat)
        pert.refquat = turned / np.linalg.norm(turned)
        _limit_turn(m, d, pert)


def _limit_turn(m: MjModel, d: MjData, pert: MjvPerturb) -> None:
    """Not more than a quarter turn away from the body."""
    own, back, between, apart = _inertial_quat(m, d, pert.select), np.zeros(4), np.zeros(4), np.zeros(3)
    _native.mju_negQuat(back, own)
    _native.mju_mulQuat(between, back, pert.refquat)
    _native.mju_quat2Vel(apart, between, 1.0)
    angle = float(np.linalg.norm(apart))
    if angle > np.pi / 2:
        _native.mju_axisAngle2Quat(between, apart / angle, np.pi / 2)
        _native.mju_mulQuat(back, own, between)
        pert.refquat = back


def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None:  # noqa: N802
    """Pulls the selected body by springs with critical damping."""
    body, active = pert.select, int(pert.active) | int(pert.active2)
    if not 0 <= body < m.nbody or not active:
        return
    velocity = np.zeros(6)
    _native.mj_objectVelocity(m, d, _BODY, body, velocity, 0)
    turning, moving = velocity[:3], velocity[3:]
    weight = float(m.body_invweight0[body, 1])
    inertia = 1 / max(_TINY, weight) if weight else 1.0
    force, torque = d.xfrc_applied[body, :3], d.xfrc_applied[body, 3:]
    if active & _TRANSLATE:
        point, stiffness = _selected(m, d, pert), float(m.vis.map.stiffness)
        apart, arm = point - pert.refselpos, point - d.xipos[body]
        speed = np.cross(turning, arm) + moving
        force[:] = -pert.localmass * (stiffness * apart + np.sqrt(stiffness) * speed)
        length = np.linalg.norm(apart)
        axis = apart / length if length > _TINY else np.array([1.0, 0, 0])
        drag = np.sqrt(float(m.vis.map.stiffnessrot)) * inertia * (axis @ turning)
        torque[:] = np.cross(arm, force) - drag * axis
    if active & _ROTATE:
        stiffness = float(m.vis.map.stiffnessrot)
        back, between = np.zeros(4), np.zeros(4)
        _native.mju_negQuat(back, _inertial_quat(m, d, body))
        _native.mju_mulQuat(between, pert.refquat, back)
        spring = np.zeros(3)
        _native.mju_quat2Vel(spring, between, 1 / (stiffness * inertia))
        torque[:] = spring - np.sqrt(stiffness) * inertia * turning


def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: int) -> None:  # noqa: N802
    """Puts the selected body where it is pulled to: one that is moved by hand, and free ones while nothing moves."""
    body = pert.select
    if not 0 < body < m.nbody or not (int(pert.active) | int(pert.active2)):
        return
    back, position, quat = (np.zeros(3), np.zeros(4)), np.zeros(3), np.zeros(4)
    _native.mju_negPose(*back, m.body_ipos[body], m.body_iquat[body])
    _native.mju_mulPose(position, quat, pert.refpos, pert.refquat, *back)
    root, mocap = int(m.body_rootid[body]), int(m.body_mocapid[body])
    if mocap >= 0:
        d.mocap_pos[mocap], d.mocap_quat[mocap] = position, quat
        return
    joint = int(m.body_jntadr[root])
    if not flg_paused or m.body_jntnum[root] != 1 or m.jnt_type[joint] != _FREE:
        return
    start = int(m.jnt_qposadr[joint])
    if body != root:
        child, rest = (np.zeros(3), np.zeros(4)), (np.zeros(3), np.zeros(4))
        _native.mju_negPose(*child, d.xpos[body], d.xquat[body])
        _native.mju_mulPose(*rest, *child, d.qpos[start : start + 3], d.qpos[start + 3 : start + 7])
        moved = np.zeros(3), np.zeros(4)
        _native.mju_mulPose(*moved, position, quat, *rest)
        position, quat = moved
    d.qpos[start : start + 3], d.qpos[start + 3 : start + 7] = position, quat


FUNCTIONS = (
    mjv_frustumHeight, mjv_cameraInModel, mjv_alignToCamera, mjv_moveCamera, mjv_select, mjv_initPerturb, mjv_movePerturb,
    mjv_applyPerturbForce, mjv_applyPerturbPose,
)  # fmt: skip

//! Poses of cameras and lights.
//!
//! Fixed ones move with their body. Tracking ones keep the world orientation they had at `qpos0`
//! and follow the body or its subtree's centre of mass; targeting ones look at another body.
//! Conforms to MuJoCo's `mj_camlight`.

use super::com::Com;
use super::kinematics::Kinematics;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::TrackingMode as Mode;

sinew_model::columns! {
    /// Cameras and lights in the world frame.
    pub struct View for Model {
        sizes {
            /// Cameras.
            ncam,
            /// Lights.
            nlight,
        }
        columns {
            /// Camera positions.
            cam_xpos: ncam x Vec3,
            /// Camera orientations; a camera looks along −z.
            cam_xmat: ncam x Mat3,
            /// Light positions.
            light_xpos: nlight x Vec3,
            /// Light directions.
            light_xdir: nlight x Vec3,
        }
    }
}

/// Poses of all cameras and lights.
#[doc(alias = "mj_camlight")]
pub(crate) fn compute(model: &Model, kinematics: &Kinematics, com: &Com, out: &mut View) {
    fixed(model, kinematics, out);
    for i in 0..model.ncam {
        let body = model.cam_bodyid[i] as usize;
        match Mode::from_code(model.cam_mode[i]) {
            Some(Mode::Track) => {
                out.cam_xmat[i] = model.cam_mat0[i];
                out.cam_xpos[i] = kinematics.xpos[body] + model.cam_pos0[i];
            }
            Some(Mode::Trackcom) => {
                out.cam_xmat[i] = model.cam_mat0[i];
                out.cam_xpos[i] = com.subtree_com[body] + model.cam_poscom0[i];
            }
            mode => {
                if let Some(point) = target(mode, model.cam_targetbodyid[i], kinematics, com) {
                    out.cam_xmat[i] = look_at(out.cam_xpos[i], point);
                }
            }
        }
    }
    for i in 0..model.nlight {
        let body = model.light_bodyid[i] as usize;
        match Mode::from_code(model.light_mode[i]) {
            Some(Mode::Track) => {
                out.light_xdir[i] = model.light_dir0[i];
                out.light_xpos[i] = kinematics.xpos[body] + model.light_pos0[i];
            }
            Some(Mode::Trackcom) => {
                out.light_xdir[i] = model.light_dir0[i];
                out.light_xpos[i] = com.subtree_com[body] + model.light_poscom0[i];
            }
            mode => {
                if let Some(point) = target(mode, model.light_targetbodyid[i], kinematics, com) {
                    out.light_xdir[i] = point - out.light_xpos[i];
                }
            }
        }
        out.light_xdir[i] = out.light_xdir[i].normalized();
    }
}

/// Poses as if all cameras and lights were fixed in their bodies. Light directions are those of
/// the model, turned, not normalised.
pub(crate) fn fixed(model: &Model, kinematics: &Kinematics, out: &mut View) {
    for i in 0..model.ncam {
        let body = model.cam_bodyid[i] as usize;
        out.cam_xpos[i] = kinematics.point(body, model.cam_pos[i]);
        out.cam_xmat[i] = (kinematics.xquat[body] * model.cam_quat[i]).to_mat();
    }
    for i in 0..model.nlight {
        let body = model.light_bodyid[i] as usize;
        out.light_xpos[i] = kinematics.point(body, model.light_pos[i]);
        out.light_xdir[i] = kinematics.xquat[body].rotate(model.light_dir[i]);
    }
}

/// The point that a targeting mode looks at, if it has a target.
fn target(mode: Option<Mode>, body: i32, kinematics: &Kinematics, com: &Com) -> Option<Vec3> {
    let body = usize::try_from(body).ok()?;
    match mode {
        Some(Mode::Targetbody) => Some(kinematics.xpos[body]),
        Some(Mode::Targetbodycom) => Some(com.subtree_com[body]),
        _ => None,
    }
}

/// Orientation with −z towards the point and x horizontal.
fn look_at(eye: Vec3, point: Vec3) -> Mat3 {
    let z = (eye - point).normalized();
    let x = Vec3::Z.cross(z).normalized();
    let y = z.cross(x).normalized();
    Mat3::from_columns(x, y, z)
}

//! Questions about a simulation whose stages have run: Jacobians, velocities and accelerations of
//! objects, distances between geoms, forces of contacts.
//!
//! Jacobians are dense, 3 × nv, row-major. All of them need the position stage, their rates and
//! velocities the velocity stage, accelerations the acceleration stage and
//! [`Engine::body_forces`](crate::Engine::body_forces).

use crate::acceleration::contact_force::in_contact_frame;
use crate::data::Data;
use crate::error::{CallError, check_index, check_length};
use crate::position::contact::GeomDistance;
use crate::position::inertia::rows;
use crate::position::jacobian::{self, for_each_dof, offset};
use crate::velocity::bias::axis_rate;
use crate::velocity::object::velocity_in_world;
use crate::velocity::passive::apply_wrench;
use sinew_dynamics::sense::Frame;
use sinew_math::spatial::{Spatial, into_axes, rotation, shift_motion, translation};
use sinew_math::{Mat3, Quat, Vec3, tree};
use sinew_model::Model;
use sinew_model::kinds::{ObjectType, SameFrame};

/// The axes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Those of the world.
    World,
    /// Those of the object.
    Local,
}

impl Data {
    /// Body, position and orientation of an object that has a frame: a body (its inertial frame,
    /// `Body`, or its own, `Xbody`), geom, site or camera.
    pub fn frame(
        &self,
        model: &Model,
        kind: ObjectType,
        id: usize,
    ) -> Result<(usize, Vec3, Mat3), CallError> {
        self.check_model(model)?;
        let (k, view) = (&self.position.kinematics, &self.position.view);
        let (what, bodies) = match kind {
            ObjectType::Xbody | ObjectType::Body => {
                check_index("body", id, model.nbody)?;
                return Ok(if kind == ObjectType::Body {
                    (id, k.xipos[id], k.ximat[id])
                } else {
                    (id, k.xpos[id], k.xmat[id])
                });
            }
            ObjectType::Geom => ("geom", &model.geom_bodyid),
            ObjectType::Site => ("site", &model.site_bodyid),
            ObjectType::Camera => ("camera", &model.cam_bodyid),
            _ => return Err(CallError::NoFrame),
        };
        check_index(what, id, bodies.len())?;
        let (pos, mat) = match kind {
            ObjectType::Geom => (k.geom_xpos[id], k.geom_xmat[id]),
            ObjectType::Site => (k.site_xpos[id], k.site_xmat[id]),
            _ => (view.cam_xpos[id], view.cam_xmat[id]),
        };
        Ok((bodies[id] as usize, pos, mat))
    }

    /// A body and the lengths of two Jacobians.
    fn check_jacobians(
        &self,
        model: &Model,
        body: usize,
        (jacp, jacr): (usize, usize),
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_index("body", body, model.nbody)?;
        check_length("jacp", 3 * model.nv, jacp)?;
        check_length("jacr", 3 * model.nv, jacr)
    }

    /// Jacobians of a point (world frame) fixed in a body: translation and rotation.
    #[doc(alias = "mj_jac")]
    pub fn jacobian(
        &self,
        model: &Model,
        body: usize,
        point: Vec3,
        jacp: &mut [f64],
        jacr: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_jacobians(model, body, (jacp.len(), jacr.len()))?;
        jacobian::point(model, &self.position.com, body, point, jacp, jacr);
        Ok(())
    }

    /// Jacobian of the centre of mass of a body's subtree.
    #[doc(alias = "mj_jacSubtreeCom")]
    pub fn subtree_com_jacobian(
        &self,
        model: &Model,
        body: usize,
        jacp: &mut [f64],
    ) -> Result<(), CallError> {
        let nv = model.nv;
        self.check_jacobians(model, body, (jacp.len(), 3 * nv))?;
        jacp.fill(0.0);
        let com = &self.position.com;
        for b in subtree(model, body) {
            let offset = offset(model, com, b, self.position.kinematics.xipos[b]);
            let mass = model.body_mass[b];
            for_each_dof(model, b, |dof| {
                let column = jacobian::translation_column(&com.cdof[dof], offset);
                for k in 0..3 {
                    jacp[k * nv + dof] += column[k] * mass;
                }
            });
        }
        let scale = 1.0 / model.body_subtreemass[body];
        for value in jacp {
            *value *= scale;
        }
        Ok(())
    }

    /// Jacobians of a point and of an axis (world frame) fixed in a body.
    #[doc(alias = "mj_jacPointAxis")]
    pub fn point_axis_jacobian(
        &self,
        model: &Model,
        body: usize,
        (point, axis): (Vec3, Vec3),
        jac_point: &mut [f64],
        jac_axis: &mut [f64],
    ) -> Result<(), CallError> {
        self.jacobian(model, body, point, jac_point, jac_axis)?;
        // An axis moves by the rotation crossed with itself.
        let nv = model.nv;
        for dof in 0..nv {
            let turn = Vec3([0, 1, 2].map(|k| jac_axis[k * nv + dof]));
            let moved = turn.cross(axis);
            for k in 0..3 {
                jac_axis[k * nv + dof] = moved[k];
            }
        }
        Ok(())
    }

    /// The matrix (3 × nv, row-major) that turns velocities into the angular momentum of a body's
    /// subtree about its centre of mass.
    #[doc(alias = "mj_angmomMat")]
    pub fn angular_momentum_matrix(
        &self,
        model: &Model,
        body: usize,
        out: &mut [f64],
    ) -> Result<(), CallError> {
        let nv = model.nv;
        self.check_jacobians(model, body, (out.len(), 3 * nv))?;
        out.fill(0.0);
        let (kinematics, com) = (&self.position.kinematics, &self.position.com);
        for b in subtree(model, body) {
            let (centre, axes) = (kinematics.xipos[b], &kinematics.ximat[b]);
            let arm = centre - com.subtree_com[body];
            let offset = offset(model, com, b, centre);
            for_each_dof(model, b, |dof| {
                let turn = axes.transpose_mul(rotation(&com.cdof[dof]));
                let spin = *axes * turn.component_mul(model.body_inertia[b]);
                let moving = jacobian::translation_column(&com.cdof[dof], offset);
                let column = spin + arm.cross(moving) * model.body_mass[b];
                for k in 0..3 {
                    out[k * nv + dof] += column[k];
                }
            });
        }
        Ok(())
    }

    /// Time derivatives of the Jacobians of a point (world frame) fixed in a body.
    #[doc(alias = "mj_jacDot")]
    pub fn jacobian_rate(
        &self,
        model: &Model,
        body: usize,
        point: Vec3,
        jacp: &mut [f64],
        jacr: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_jacobians(model, body, (jacp.len(), jacr.len()))?;
        let nv = model.nv;
        jacp.fill(0.0);
        jacr.fill(0.0);
        let com = &self.position.com;
        let offset = offset(model, com, body, point);
        let origin = com.subtree_com[model.body_rootid[body] as usize];
        let moving = translation(&shift_motion(&self.velocity.com.cvel[body], point, origin));
        for_each_dof(model, body, |dof| {
            let cdof = &com.cdof[dof];
            let rate = axis_rate(model, &self.velocity.com, dof, cdof);
            let column =
                translation(&rate) + rotation(&rate).cross(offset) + rotation(cdof).cross(moving);
            for k in 0..3 {
                jacp[k * nv + dof] = column[k];
                jacr[k * nv + dof] = rate[k];
            }
        });
        Ok(())
    }

    /// Velocity of an object at its own origin: rotation, translation.
    #[doc(alias = "mj_objectVelocity")]
    pub fn object_velocity(
        &self,
        model: &Model,
        kind: ObjectType,
        id: usize,
        axes: Axes,
    ) -> Result<Spatial, CallError> {
        let (body, pos, mat) = self.frame(model, kind, id)?;
        let com = &self.position.com;
        let velocity = velocity_in_world(model, com, &self.velocity.com, body, pos);
        Ok(match axes {
            Axes::World => velocity,
            Axes::Local => into_axes(&velocity, &mat),
        })
    }

    /// Acceleration of an object at its own origin, gravity included: rotation, translation.
    #[doc(alias = "mj_objectAcceleration")]
    pub fn object_acceleration(
        &self,
        model: &Model,
        kind: ObjectType,
        id: usize,
        axes: Axes,
    ) -> Result<Spatial, CallError> {
        let (body, pos, mat) = self.frame(model, kind, id)?;
        if model.body_weldid[body] == 0 {
            return Ok([0.0; 6]);
        }
        let origin = self.position.com.subtree_com[model.body_rootid[body] as usize];
        let cacc = &self.acceleration.body_force.cacc[body];
        let motion = (cacc, &self.velocity.com.cvel[body]);
        let frame = Frame { body, pos, mat };
        Ok(frame.acceleration(motion, origin, axes == Axes::Local))
    }

    /// A point fixed in a body, given in the body's frame, in the world.
    #[doc(alias = "mj_local2Global")]
    pub fn point_of_body(
        &self,
        model: &Model,
        body: usize,
        local: Vec3,
    ) -> Result<Vec3, CallError> {
        self.check_model(model)?;
        check_index("body", body, model.nbody)?;
        Ok(self.position.kinematics.point(body, local))
    }

    /// World pose of a frame given in a body's frame, of which parts may be the body's own or those of
    /// its inertial frame.
    #[doc(alias = "mj_local2Global")]
    pub fn frame_of_body(
        &self,
        model: &Model,
        body: usize,
        (pos, quat): (Vec3, Quat),
        same: SameFrame,
    ) -> Result<(Vec3, Mat3), CallError> {
        self.check_model(model)?;
        check_index("body", body, model.nbody)?;
        let kinematics = &self.position.kinematics;
        let place = match same {
            SameFrame::Body => kinematics.xpos[body],
            SameFrame::Inertia => kinematics.xipos[body],
            _ => kinematics.point(body, pos),
        };
        let axes = match same {
            SameFrame::Body | SameFrame::Bodyrot => kinematics.xmat[body],
            SameFrame::Inertia | SameFrame::Inertiarot => kinematics.ximat[body],
            SameFrame::None => (kinematics.xquat[body] * quat).to_mat(),
        };
        Ok((place, axes))
    }

    /// Moment arms of an actuator: degrees of freedom and values.
    pub fn moment(&self, model: &Model, actuator: usize) -> Result<(&[i32], &[f64]), CallError> {
        self.check_model(model)?;
        check_index("actuator", actuator, model.nu)?;
        Ok(self.position.transmission.row(actuator))
    }

    /// out = M·x, M the joint-space inertia.
    #[doc(alias = "mj_mulM")]
    pub fn multiply_inertia(
        &self,
        model: &Model,
        x: &[f64],
        out: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_length("x", model.nv, x.len())?;
        check_length("out", model.nv, out.len())?;
        self.position.inertia.multiply(model, x, out);
        Ok(())
    }

    /// Solves M·x = b in place. An error if M was computed and not factored since.
    #[doc(alias = "mj_solveM")]
    pub fn solve_inertia(&self, model: &Model, x: &mut [f64]) -> Result<(), CallError> {
        self.check_factor(model, x)?;
        self.position.inertia.solve(model, x);
        Ok(())
    }

    /// out = D^½·L·x, whose square is x·M·x, where M = Lᵀ·D·L. An error if M was computed and not
    /// factored since.
    #[doc(alias = "mj_mulM2")]
    pub fn half_multiply_inertia(
        &self,
        model: &Model,
        x: &[f64],
        out: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_factor(model, x)?;
        check_length("out", model.nv, out.len())?;
        tree::half_multiply(rows(model), &self.position.inertia.qLD, x, out);
        Ok(())
    }

    /// x ← D^(−½)·L⁻ᵀ·x, whose square is x·M⁻¹·x, with D^(−½) as given. An error if M was computed and
    /// not factored since.
    #[doc(alias = "mj_solveM2")]
    pub fn half_solve_inertia(
        &self,
        model: &Model,
        diagonal_inverse_sqrt: &[f64],
        x: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_factor(model, x)?;
        check_length("D^(-1/2)", model.nv, diagonal_inverse_sqrt.len())?;
        let factor = &self.position.inertia.qLD;
        tree::half_solve(rows(model), factor, diagonal_inverse_sqrt, x);
        Ok(())
    }

    /// The factor of the inertia is there, and a vector fits it.
    fn check_factor(&self, model: &Model, x: &[f64]) -> Result<(), CallError> {
        self.check_model(model)?;
        check_length("x", model.nv, x.len())?;
        if self.position.inertia.is_factored {
            Ok(())
        } else {
            Err(CallError::NotFactored)
        }
    }

    /// The joint-space inertia as a dense symmetric matrix, nv × nv, row-major.
    #[doc(alias = "mj_fullM")]
    pub fn inertia_matrix(&self, model: &Model, out: &mut [f64]) -> Result<(), CallError> {
        self.check_model(model)?;
        check_length("out", model.nv * model.nv, out.len())?;
        tree::expand(rows(model), &self.position.inertia.M, out);
        Ok(())
    }

    /// Adds a force and a torque (world frame) at a point of a body to a generalised force.
    #[doc(alias = "mj_applyFT")]
    pub fn apply_force(
        &self,
        model: &Model,
        body: usize,
        point: Vec3,
        force: Vec3,
        torque: Vec3,
        qfrc: &mut [f64],
    ) -> Result<(), CallError> {
        self.check_model(model)?;
        check_index("body", body, model.nbody)?;
        check_length("qfrc", model.nv, qfrc.len())?;
        apply_wrench(
            model,
            &self.position.com,
            (body, point),
            (force, torque),
            qfrc,
        );
        Ok(())
    }

    /// Smallest distance between two geoms, up to `distmax`. Allocates nothing once warm.
    #[doc(alias = "mj_geomDistance")]
    pub fn geom_distance(
        &mut self,
        model: &Model,
        first: usize,
        second: usize,
        distmax: f64,
    ) -> Result<GeomDistance, CallError> {
        self.check_stages(model)?;
        check_index("geom", first, model.ngeom)?;
        check_index("geom", second, model.ngeom)?;
        let position = &mut self.position;
        let kinematics = &position.kinematics;
        let contacts = &mut position.contacts;
        Ok(contacts.distance(model, kinematics, first, second, distmax))
    }

    /// Force and torque of a contact on the second geom, in the contact's frame: normal, two
    /// tangents, then torques about them. Zero for a contact without constraint rows, and before
    /// the rows of the current contacts are solved.
    #[doc(alias = "mj_contactForce")]
    pub fn contact_force(&self, model: &Model, contact: usize) -> Result<[f64; 6], CallError> {
        self.check_model(model)?;
        let contacts = &self.position.contacts.contact;
        check_index("contact", contact, contacts.len())?;
        let efc_force = &self.acceleration.solution.efc_force;
        if efc_force.len() != self.position.constraints.nefc() {
            return Ok([0.0; 6]);
        }
        let first_row = self.position.constraints.first_row(contact);
        Ok(in_contact_frame(
            model,
            &contacts[contact],
            first_row,
            efc_force,
        ))
    }
}

/// A symmetric matrix in the layout of `qM` as a dense one, nv × nv, row-major.
#[doc(alias = "mj_fullM")]
pub fn expand_inertia(model: &Model, entries: &[f64], out: &mut [f64]) -> Result<(), CallError> {
    let nv = model.nv;
    check_length("entries", model.nM, entries.len())?;
    check_length("out", nv * nv, out.len())?;
    out.fill(0.0);
    for row in 0..nv {
        // From the diagonal up the ancestors.
        let mut next = Some(row);
        for &entry in &entries[model.dof_Madr[row] as usize..] {
            let Some(column) = next else {
                break;
            };
            out[row * nv + column] = entry;
            out[column * nv + row] = entry;
            next = usize::try_from(model.dof_parentid[column]).ok();
        }
    }
    Ok(())
}

/// A body and everything below it: bodies are numbered depth first.
fn subtree(model: &Model, body: usize) -> core::ops::Range<usize> {
    let below = &model.body_parentid[body + 1..];
    let is_beside = |parent: &i32| (*parent as usize) < body;
    let count = below.iter().position(is_beside).unwrap_or(below.len());
    body..body + 1 + count
}

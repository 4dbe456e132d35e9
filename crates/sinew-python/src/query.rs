//! Questions to a model and a simulation: velocities of objects, contact forces, moved positions, names.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{DataObject, Flag, ModelObject, Text, functions};
use crate::array::{Fixed, Numbers, Target, Vector};
use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::engine::acceleration::constraint;
use sinew::engine::error::CallError;
use sinew::engine::query::Axes;
use sinew::engine::{Data, NewtonEuler, integrate, is_sparse};
use sinew::math::{Quat, Vec3};
use sinew::model::Model;
use sinew::model::kinds::{Cone, ObjectType, SameFrame};

/// Reads model and data.
pub fn ask<T>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    question: impl FnOnce(&Model, &mut Data) -> PyResult<T>,
) -> PyResult<T> {
    let own = data.get();
    own.check_fits(model)?;
    let mut held = own.place.enter()?;
    own.collect(model.py(), &mut held)?;
    let model = model.get().read();
    own.place.guard(|| question(&model, &mut held))?
}

/// Changes data; arrays that Python holds show it.
pub fn change<T>(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    work: impl FnOnce(&Model, &mut Data) -> PyResult<T>,
) -> PyResult<T> {
    let own = data.get();
    own.check_fits(model)?;
    let mut held = own.place.enter()?;
    own.session(model.py(), &mut held, |held| {
        let model = model.get().read();
        own.place.guard(|| work(&model, held))?
    })
}

/// [`ask`] with the objects of a caller.
pub fn look<T>(
    m: &ModelObject,
    d: &DataObject,
    question: impl FnOnce(&Model, &mut Data) -> PyResult<T>,
) -> PyResult<T> {
    Python::attach(|py| ask(m.0.bind(py), d.0.bind(py), question))
}

/// An index below a count, or `OutOfRange`.
pub fn index(what: &str, value: i64, count: usize) -> PyResult<usize> {
    match usize::try_from(value) {
        Ok(index) if index < count => Ok(index),
        _ => Err(failure::out_of_range(format!(
            "{what} {value} is out of range: there are {count}"
        ))),
    }
}

/// What the engine says is wrong with a call.
pub fn wrong_call(error: CallError) -> PyErr {
    match error {
        CallError::Index { .. } => failure::out_of_range(error.to_string()),
        _ => failure::wrong_call(error.to_string()),
    }
}

fn axes(is_local: bool) -> Axes {
    if is_local { Axes::Local } else { Axes::World }
}

fn without_frame() -> PyErr {
    failure::wrong_call("this kind of object has no frame: body, xbody, geom, site or camera has")
}

/// An object that has a frame.
fn object(model: &Model, kind: i32, id: i64) -> PyResult<(ObjectType, usize)> {
    let kind = ObjectType::from_code(kind).ok_or_else(without_frame)?;
    let (what, count) = match kind {
        ObjectType::Body | ObjectType::Xbody => ("body", model.nbody),
        ObjectType::Geom => ("geom", model.ngeom),
        ObjectType::Site => ("site", model.nsite),
        ObjectType::Camera => ("camera", model.ncam),
        _ => return Err(without_frame()),
    };
    Ok((kind, index(what, id, count)?))
}

functions! {
    /// 1 if the solver works on forces.
    fn mj_isDual(m: ModelObject) -> i64 { Ok(i64::from(constraint::is_dual(&*m.checked()?))) }

    /// 1 if Jacobians are stored sparse.
    fn mj_isSparse(m: ModelObject) -> i64 { Ok(i64::from(is_sparse(&*m.checked()?))) }

    /// 1 if friction cones are pyramids.
    fn mj_isPyramidal(m: ModelObject) -> i64 { Ok(i64::from(m.read().opt.cone == Cone::Pyramidal as i32)) }

    /// The id of the object of this kind and name; -1 when there is none.
    fn mj_name2id(m: ModelObject, r#type: i32, name: Text) -> i64 { Ok(m.0.get().find(r#type, &name.0)) }

    /// The name of an object; None when it has none or does not exist.
    fn mj_id2name(m: ModelObject, r#type: i32, id: i64) -> Option<String> {
        let (Some(kind), Ok(id)) = (ObjectType::from_code(r#type), usize::try_from(id)) else {
            return Ok(None);
        };
        Ok(m.read().name(kind, id).map(str::to_owned))
    }

    /// World pose of a frame given in a body; ``sameframe`` (``mjtSameFrame``) says which parts are the body's own.
    fn mj_local2Global(
        d: DataObject, xpos: Fixed<3>, xmat: Fixed<9>, pos: Vector<3>, quat: Vector<4>, body: i64, sameframe: i32,
    ) {
        let same = SameFrame::from_code(sameframe)
            .ok_or_else(|| PyValueError::new_err(format!("{sameframe} is no mjtSameFrame")))?;
        let m = ModelObject(Python::attach(|py| d.0.get().model().clone_ref(py)));
        let (place, axes) = look(&m, &d, |model, data| {
            let body = index("body", body, model.nbody)?;
            let local = (Vec3(pos.0), Quat(quat.0));
            data.frame_of_body(model, body, local, same).map_err(wrong_call)
        })?;
        xpos.put(place.0)?;
        xmat.put(axes.0)
    }

    /// Velocity of an object: rotation, translation; in its own axes if ``flg_local``.
    fn mj_objectVelocity(
        m: ModelObject, d: DataObject, objtype: i32, objid: i64, res: Fixed<6>, flg_local: Flag,
    ) {
        res.put(look(&m, &d, |model, data| {
            let (kind, id) = object(model, objtype, objid)?;
            data.object_velocity(model, kind, id, axes(flg_local.0)).map_err(wrong_call)
        })?)
    }

    /// Acceleration of an object, gravity included: rotation, translation; in its own axes if ``flg_local``.
    fn mj_objectAcceleration(
        m: ModelObject, d: DataObject, objtype: i32, objid: i64, res: Fixed<6>, flg_local: Flag,
    ) {
        res.put(look(&m, &d, |model, data| {
            let (kind, id) = object(model, objtype, objid)?;
            data.object_acceleration(model, kind, id, axes(flg_local.0)).map_err(wrong_call)
        })?)
    }

    /// Adds the generalised force of a force and a torque (world frame) at a point of a body.
    fn mj_applyFT(
        m: ModelObject, d: DataObject, force: Vector<3>, torque: Vector<3>, point: Vector<3>, body: i64,
        qfrc_target: Target,
    ) {
        let qfrc = look(&m, &d, |model, data| {
            qfrc_target.fits(model.nv)?;
            let body = index("body", body, model.nbody)?;
            let mut qfrc = qfrc_target.values()?;
            let (point, force, torque) = (Vec3(point.0), Vec3(force.0), Vec3(torque.0));
            let added = data.apply_force(model, body, point, force, torque, &mut qfrc);
            added.map_err(wrong_call)?;
            Ok(qfrc)
        })?;
        qfrc_target.put(&qfrc)
    }

    /// Force by the recursive Newton–Euler algorithm, of the accelerations too if ``flg_acc``.
    fn mj_rne(m: ModelObject, d: DataObject, flg_acc: Flag, result: Target) {
        let forces = look(&m, &d, |model, data| {
            result.fits(model.nv)?;
            let terms = match flg_acc.0 {
                true => NewtonEuler::Acceleration,
                false => NewtonEuler::Bias,
            };
            let mut forces = vec![0.0; model.nv];
            data.newton_euler(model, terms, &mut forces).map_err(wrong_call)?;
            Ok(forces)
        })?;
        result.put(&forces)
    }

    /// Forces and states of the constraint rows for residuals ``jar``, and their cost.
    fn mj_constraintUpdate(
        m: ModelObject, d: DataObject, jar: Numbers, cost: Option<Fixed<1>>, flg_coneHessian: Flag,
    ) {
        // The cones' second derivatives are made where they are needed.
        let Flag(_) = flg_coneHessian;
        let found = Python::attach(|py| {
            change(m.0.bind(py), d.0.bind(py), |model, data| {
                let residual = jar.exactly(data.position.constraints.nefc())?;
                data.update_constraints(model, residual).map_err(wrong_call)
            })
        })?;
        cost.map_or(Ok(()), |cost| cost.put([found]))
    }

    /// Force and torque of a contact in its own frame.
    fn mj_contactForce(m: ModelObject, d: DataObject, id: i64, result: Fixed<6>) {
        result.put(look(&m, &d, |model, data| {
            let contact = index("contact", id, data.position.contacts.contact.len())?;
            data.contact_force(model, contact).map_err(wrong_call)
        })?)
    }

    /// Distance of two geoms, at most ``distmax``; the points that realise it go to ``fromto``.
    fn mj_geomDistance(
        m: ModelObject, d: DataObject, geom1: i64, geom2: i64, distmax: f64, fromto: Option<Fixed<6>>,
    ) -> f64 {
        let found = look(&m, &d, |model, data| {
            let first = index("geom", geom1, model.ngeom)?;
            let second = index("geom", geom2, model.ngeom)?;
            data.geom_distance(model, first, second, distmax).map_err(wrong_call)
        })?;
        if let Some(fromto) = fromto {
            let [from, to] = found.fromto.map(|point| point.0);
            fromto.put([from[0], from[1], from[2], to[0], to[1], to[2]])?;
        }
        Ok(found.dist)
    }

    /// Moves positions with a velocity for a time, in place.
    fn mj_integratePos(m: ModelObject, qpos: Target, qvel: Numbers, dt: f64) {
        let model = m.checked()?;
        qpos.fits(model.nq)?;
        let (mut moved, qvel) = (qpos.values()?, qvel.exactly(model.nv)?);
        failure::guard(|| integrate::integrate_position(&model, &mut moved, qvel, dt))?.map_err(wrong_call)?;
        qpos.put(&moved)
    }

    /// The velocity that leads from one position to another in a time.
    fn mj_differentiatePos(m: ModelObject, qvel: Target, dt: f64, qpos1: Numbers, qpos2: Numbers) {
        let model = m.checked()?;
        qvel.fits(model.nv)?;
        let (from, to) = (qpos1.exactly(model.nq)?, qpos2.exactly(model.nq)?);
        let mut found = vec![0.0; model.nv];
        let differentiate = || integrate::differentiate_position(&model, &mut found, dt, from, to);
        failure::guard(differentiate)?.map_err(wrong_call)?;
        qvel.put(&found)
    }

    /// Normalises the quaternions among positions, in place.
    fn mj_normalizeQuat(m: ModelObject, qpos: Target) {
        let model = m.checked()?;
        qpos.fits(model.nq)?;
        let mut positions = qpos.values()?;
        integrate::normalize_position(&model, &mut positions).map_err(wrong_call)?;
        qpos.put(&positions)
    }
}

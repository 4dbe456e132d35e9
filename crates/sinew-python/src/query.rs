//! Questions to a simulation: Jacobians, velocities of objects, contact
//! forces. Answers are new arrays; the functions in Python copy them to where the caller wants them.

use crate::data::NativeData;
use crate::failure;
use crate::model::NativeModel;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use sinew::engine::acceleration::constraint;
use sinew::engine::error::CallError;
use sinew::engine::query::Axes;
use sinew::engine::{Data, NewtonEuler, integrate, is_sparse};
use sinew::math::{Quat, Vec3};
use sinew::model::Model;
use sinew::model::kinds::{ObjectType, SameFrame};

/// A matrix with a column per degree of freedom.
pub type Matrix<'py> = Bound<'py, PyArray2<f64>>;

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

/// An index below a count, or `IndexError`.
pub fn index(what: &str, value: i64, count: usize) -> PyResult<usize> {
    match usize::try_from(value) {
        Ok(index) if index < count => Ok(index),
        _ => Err(PyIndexError::new_err(format!(
            "{what} {value} is out of range: there are {count}"
        ))),
    }
}

/// What the engine says is wrong with a call.
pub fn wrong_call(error: CallError) -> PyErr {
    match error {
        CallError::Index { .. } => PyIndexError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// A length, or `ValueError`.
pub fn check_length(what: &str, found: usize, expected: usize) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    let message = format!("{what} must have {expected} numbers, not {found}");
    Err(PyValueError::new_err(message))
}

/// Whether the solver works on forces.
#[pyfunction]
pub fn is_dual(model: &Bound<'_, NativeModel>) -> bool {
    constraint::is_dual(&model.get().read())
}

/// Whether Jacobians are stored sparse.
#[pyfunction]
pub fn is_jacobian_sparse(model: &Bound<'_, NativeModel>) -> bool {
    is_sparse(&model.get().read())
}

/// Jacobians of a point fixed in a body: translation and rotation, 3 × nv each.
#[pyfunction]
pub fn point_jacobian<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
    point: [f64; 3],
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    jacobians(model, data, body, |model, data, body, jacp, jacr| {
        data.jacobian(model, body, Vec3(point), jacp, jacr)
    })
}

/// Rates of the Jacobians of a point fixed in a body.
#[pyfunction]
pub fn point_jacobian_rate<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
    point: [f64; 3],
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    jacobians(model, data, body, |model, data, body, jacp, jacr| {
        data.jacobian_rate(model, body, Vec3(point), jacp, jacr)
    })
}

/// Jacobian of the centre of mass of a body's subtree, and zeros.
#[pyfunction]
pub fn subtree_jacobian<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    jacobians(model, data, body, |model, data, body, jacp, _| {
        data.subtree_com_jacobian(model, body, jacp)
    })
}

/// Jacobians of a point and of an axis fixed in a body.
#[pyfunction]
pub fn point_axis_jacobian<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
    point: [f64; 3],
    axis: [f64; 3],
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    jacobians(
        model,
        data,
        body,
        |model, data, body, point_rows, axis_rows| {
            let fixed = (Vec3(point), Vec3(axis));
            data.point_axis_jacobian(model, body, fixed, point_rows, axis_rows)
        },
    )
}

fn jacobians<'py>(
    model: &Bound<'py, NativeModel>,
    data: &Bound<'py, NativeData>,
    body: i64,
    fill: impl FnOnce(&Model, &Data, usize, &mut [f64], &mut [f64]) -> Result<(), CallError>,
) -> PyResult<(Matrix<'py>, Matrix<'py>)> {
    let (nv, jacp, jacr) = ask(model, data, |model, data| {
        let body = index("body", body, model.nbody)?;
        let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        fill(model, data, body, &mut jacp, &mut jacr).map_err(wrong_call)?;
        Ok((model.nv, jacp, jacr))
    })?;
    let matrix = |values| PyArray1::from_vec(model.py(), values).reshape([3, nv]);
    Ok((matrix(jacp)?, matrix(jacr)?))
}

/// The matrix that turns velocities into the angular momentum of a body's subtree.
#[pyfunction]
pub fn angular_momentum_matrix(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    body: i64,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let body = index("body", body, model.nbody)?;
        let mut out = vec![0.0; 3 * model.nv];
        data.angular_momentum_matrix(model, body, &mut out)
            .map_err(wrong_call)?;
        Ok(out)
    })
}

/// World pose of a frame given in a body; `same` says which parts are the body's own.
#[pyfunction]
pub fn frame_of_body(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    body: i64,
    pos: [f64; 3],
    quat: [f64; 4],
    same: i32,
) -> PyResult<([f64; 3], [f64; 9])> {
    let same = SameFrame::from_code(same)
        .ok_or_else(|| PyValueError::new_err(format!("{same} is no mjtSameFrame")))?;
    ask(model, data, |model, data| {
        let body = index("body", body, model.nbody)?;
        let local = (Vec3(pos), Quat(quat));
        let found = data.frame_of_body(model, body, local, same);
        let (pos, mat) = found.map_err(wrong_call)?;
        Ok((pos.0, mat.0))
    })
}

/// J·x, a number per constraint row.
#[pyfunction]
pub fn multiply_jacobian(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        check_length("the vector", vector.len(), model.nv)?;
        let rows = &data.position.constraints;
        let mut out = vec![0.0; rows.nefc()];
        rows.jacobian().multiply(&vector, &mut out);
        Ok(out)
    })
}

/// Jᵀ·f, from a number per constraint row.
#[pyfunction]
pub fn multiply_jacobian_transposed(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    vector: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let rows = &data.position.constraints;
        check_length("the vector", vector.len(), rows.nefc())?;
        let mut out = vec![0.0; model.nv];
        rows.jacobian().multiply_transposed(&vector, &mut out);
        Ok(out)
    })
}

/// Velocity of an object: rotation, translation.
#[pyfunction]
pub fn object_velocity(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    kind: i32,
    id: i64,
    is_local: bool,
) -> PyResult<[f64; 6]> {
    ask(model, data, |model, data| {
        let (kind, id) = object(model, kind, id)?;
        let found = data.object_velocity(model, kind, id, axes(is_local));
        found.map_err(wrong_call)
    })
}

/// Acceleration of an object, gravity included: rotation, translation.
#[pyfunction]
pub fn object_acceleration(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    kind: i32,
    id: i64,
    is_local: bool,
) -> PyResult<[f64; 6]> {
    ask(model, data, |model, data| {
        let (kind, id) = object(model, kind, id)?;
        let found = data.object_acceleration(model, kind, id, axes(is_local));
        found.map_err(wrong_call)
    })
}

fn axes(is_local: bool) -> Axes {
    if is_local { Axes::Local } else { Axes::World }
}

fn without_frame() -> PyErr {
    PyValueError::new_err("this kind of object has no frame: body, xbody, geom, site or camera has")
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

/// Generalised force of a force and a torque at a point of a body, world frame.
#[pyfunction]
pub fn apply_force(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    body: i64,
    point: [f64; 3],
    force: [f64; 3],
    torque: [f64; 3],
    mut qfrc: Vec<f64>,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let body = index("body", body, model.nbody)?;
        check_length("the generalised force", qfrc.len(), model.nv)?;
        let (point, force, torque) = (Vec3(point), Vec3(force), Vec3(torque));
        let added = data.apply_force(model, body, point, force, torque, &mut qfrc);
        added.map_err(wrong_call)?;
        Ok(qfrc)
    })
}

/// Force by the recursive Newton–Euler algorithm, with or without accelerations.
#[pyfunction]
pub fn newton_euler(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    has_acceleration: bool,
) -> PyResult<Vec<f64>> {
    ask(model, data, |model, data| {
        let terms = match has_acceleration {
            true => NewtonEuler::Acceleration,
            false => NewtonEuler::Bias,
        };
        let mut out = vec![0.0; model.nv];
        data.newton_euler(model, terms, &mut out)
            .map_err(wrong_call)?;
        Ok(out)
    })
}

/// Forces of the constraint rows for given residuals; returns the cost.
#[pyfunction]
pub fn update_constraints(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    residual: Vec<f64>,
) -> PyResult<f64> {
    change(model, data, |model, data| {
        check_length("jar", residual.len(), data.position.constraints.nefc())?;
        data.update_constraints(model, &residual)
            .map_err(wrong_call)
    })
}

/// Positions after moving with a velocity for a time.
#[pyfunction]
pub fn integrate_position(
    model: &Bound<'_, NativeModel>,
    mut qpos: Vec<f64>,
    qvel: Vec<f64>,
    duration: f64,
) -> PyResult<Vec<f64>> {
    let model = model.get().read();
    failure::guard(|| integrate::integrate_position(&model, &mut qpos, &qvel, duration))?
        .map_err(wrong_call)?;
    Ok(qpos)
}

/// Positions with unit quaternions.
#[pyfunction]
pub fn normalize_position(
    model: &Bound<'_, NativeModel>,
    mut qpos: Vec<f64>,
) -> PyResult<Vec<f64>> {
    let model = model.get().read();
    integrate::normalize_position(&model, &mut qpos).map_err(wrong_call)?;
    Ok(qpos)
}

/// The velocity that leads from one position to another in a time.
#[pyfunction]
pub fn differentiate_position(
    model: &Bound<'_, NativeModel>,
    duration: f64,
    from: Vec<f64>,
    to: Vec<f64>,
) -> PyResult<Vec<f64>> {
    let model = model.get().read();
    let mut qvel = vec![0.0; model.nv];
    let out = &mut qvel;
    failure::guard(|| integrate::differentiate_position(&model, out, duration, &from, &to))?
        .map_err(wrong_call)?;
    Ok(qvel)
}

/// Force and torque of a contact in its own frame.
#[pyfunction]
pub fn contact_force_in_frame(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    contact: i64,
) -> PyResult<[f64; 6]> {
    ask(model, data, |model, data| {
        let contact = index("contact", contact, data.position.contacts.contact.len())?;
        data.contact_force(model, contact).map_err(wrong_call)
    })
}

/// Distance between two geoms, at most `distmax`, and the points that realise it.
#[pyfunction]
pub fn geom_distance(
    model: &Bound<'_, NativeModel>,
    data: &Bound<'_, NativeData>,
    first: i64,
    second: i64,
    distmax: f64,
) -> PyResult<(f64, [f64; 6])> {
    ask(model, data, |model, data| {
        let first = index("geom", first, model.ngeom)?;
        let second = index("geom", second, model.ngeom)?;
        let found = data.geom_distance(model, first, second, distmax);
        let found = found.map_err(wrong_call)?;
        let [from, to] = found.fromto.map(|point| point.0);
        Ok((found.dist, [from[0], from[1], from[2], to[0], to[1], to[2]]))
    })
}

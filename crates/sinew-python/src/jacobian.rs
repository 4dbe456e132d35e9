//! Jacobians of points, axes and momenta, and products with that of the constraints.

// The functions carry the reference's names.
#![allow(non_snake_case)]

use crate::argument::{DataObject, ModelObject, functions};
use crate::array::{Numbers, Target, Vector};
use crate::query::{index, look, wrong_call};
use pyo3::prelude::*;
use sinew::engine::Data;
use sinew::engine::error::CallError;
use sinew::math::Vec3;
use sinew::model::Model;

/// Two matrices with three rows and a column per degree of freedom, as far as the caller wants them.
fn write(
    m: &ModelObject,
    d: &DataObject,
    targets: [Option<&Target>; 2],
    fill: impl FnOnce(&Model, &Data, [&mut [f64]; 2]) -> PyResult<()>,
) -> PyResult<()> {
    let rows = look(m, d, |model, data| {
        for target in targets.into_iter().flatten() {
            target.fits_matrix(3, model.nv)?;
        }
        let mut rows = vec![0.0; 6 * model.nv];
        let (first, second) = rows.split_at_mut(3 * model.nv);
        fill(model, data, [first, second])?;
        Ok(rows)
    })?;
    let halves = rows.split_at(rows.len() / 2);
    for (target, values) in targets.into_iter().zip([halves.0, halves.1]) {
        target.map_or(Ok(()), |target| target.put(values))?;
    }
    Ok(())
}

/// The Jacobians of a point of a body.
fn of_point(
    m: &ModelObject,
    d: &DataObject,
    targets: [Option<&Target>; 2],
    find: impl FnOnce(&Model, &Data) -> PyResult<(usize, Vec3)>,
) -> PyResult<()> {
    write(m, d, targets, |model, data, [jacp, jacr]| {
        let (body, point) = find(model, data)?;
        data.jacobian(model, body, point, jacp, jacr)
            .map_err(wrong_call)
    })
}

/// The body of something attached to one, and where it is.
fn attached(bodies: &[i32], places: &[Vec3], id: usize) -> (usize, Vec3) {
    (bodies[id] as usize, places[id])
}

fn answer<T>(result: Result<T, CallError>) -> PyResult<T> {
    result.map_err(wrong_call)
}

functions! {
    /// Jacobians of a point (world frame) fixed in a body.
    fn mj_jac(
        m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, point: Vector<3>, body: i64,
    ) {
        of_point(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, _| {
            Ok((index("body", body, model.nbody)?, Vec3(point.0)))
        })
    }

    /// Time derivatives of the Jacobians of a point (world frame) fixed in a body.
    fn mj_jacDot(
        m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, point: Vector<3>, body: i64,
    ) {
        write(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, data, [jacp, jacr]| {
            let body = index("body", body, model.nbody)?;
            answer(data.jacobian_rate(model, body, Vec3(point.0), jacp, jacr))
        })
    }

    /// Jacobians of a body's frame.
    fn mj_jacBody(m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, body: i64) {
        of_point(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, data| {
            let body = index("body", body, model.nbody)?;
            Ok((body, data.position.kinematics.xpos[body]))
        })
    }

    /// Jacobians of a body's centre of mass.
    fn mj_jacBodyCom(m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, body: i64) {
        of_point(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, data| {
            let body = index("body", body, model.nbody)?;
            Ok((body, data.position.kinematics.xipos[body]))
        })
    }

    /// Jacobian of the centre of mass of a body's subtree.
    fn mj_jacSubtreeCom(m: ModelObject, d: DataObject, jacp: Option<Target>, body: i64) {
        write(&m, &d, [jacp.as_ref(), None], |model, data, [jacp, _]| {
            let body = index("body", body, model.nbody)?;
            answer(data.subtree_com_jacobian(model, body, jacp))
        })
    }

    /// Jacobians of a geom's frame.
    fn mj_jacGeom(m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, geom: i64) {
        of_point(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, data| {
            let geom = index("geom", geom, model.ngeom)?;
            Ok(attached(&model.geom_bodyid, &data.position.kinematics.geom_xpos, geom))
        })
    }

    /// Jacobians of a site's frame.
    fn mj_jacSite(m: ModelObject, d: DataObject, jacp: Option<Target>, jacr: Option<Target>, site: i64) {
        of_point(&m, &d, [jacp.as_ref(), jacr.as_ref()], |model, data| {
            let site = index("site", site, model.nsite)?;
            Ok(attached(&model.site_bodyid, &data.position.kinematics.site_xpos, site))
        })
    }

    /// Jacobians of a point and of an axis (world frame) fixed in a body.
    fn mj_jacPointAxis(
        m: ModelObject, d: DataObject, jacPoint: Option<Target>, jacAxis: Option<Target>, point: Vector<3>,
        axis: Vector<3>, body: i64,
    ) {
        write(&m, &d, [jacPoint.as_ref(), jacAxis.as_ref()], |model, data, [of_point, of_axis]| {
            let body = index("body", body, model.nbody)?;
            let fixed = (Vec3(point.0), Vec3(axis.0));
            answer(data.point_axis_jacobian(model, body, fixed, of_point, of_axis))
        })
    }

    /// The matrix that turns velocities into the angular momentum of a body's subtree about its centre of mass.
    fn mj_angmomMat(m: ModelObject, d: DataObject, mat: Target, body: i64) {
        write(&m, &d, [Some(&mat), None], |model, data, [rows, _]| {
            let body = index("body", body, model.nbody)?;
            answer(data.angular_momentum_matrix(model, body, rows))
        })
    }

    /// res = J·vec: a velocity or acceleration of every constraint row.
    fn mj_mulJacVec(m: ModelObject, d: DataObject, res: Target, vec: Numbers) {
        let product = look(&m, &d, |model, data| {
            let rows = &data.position.constraints;
            res.fits(rows.nefc())?;
            let mut product = vec![0.0; rows.nefc()];
            rows.jacobian().multiply(vec.exactly(model.nv)?, &mut product);
            Ok(product)
        })?;
        res.put(&product)
    }

    /// res = Jᵀ·vec: the generalised force of forces of the constraint rows.
    fn mj_mulJacTVec(m: ModelObject, d: DataObject, res: Target, vec: Numbers) {
        let product = look(&m, &d, |model, data| {
            res.fits(model.nv)?;
            let rows = &data.position.constraints;
            let mut product = vec![0.0; model.nv];
            rows.jacobian().multiply_transposed(vec.exactly(rows.nefc())?, &mut product);
            Ok(product)
        })?;
        res.put(&product)
    }
}

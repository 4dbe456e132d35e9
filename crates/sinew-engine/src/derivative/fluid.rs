//! Derivatives of fluid forces with respect to velocity.
//!
//! The force on a body or geom is a function of its velocity in its own frame; its 6×6 derivative B
//! is projected as JᵀBJ with J the local Jacobian, rotation first. Conforms to MuJoCo's
//! `mjd_inertiaBoxFluid` and `mjd_ellipsoidFluid`, to the last bit: the terms of B are added to the
//! result one by one, and viscosity and drag of the box one after the other.

use super::{BiasTerm, DerivativeScratch};
use crate::position::Position;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::velocity::Velocity;
use crate::velocity::passive::fluid::{
    Interaction, body_geoms, box_of, medium, relative_velocity, semi_axes, uses_ellipsoids,
};
use sinew_dynamics::fluid_slope::{Block, of_box, of_ellipsoid, symmetrize};
use sinew_math::spatial::{into_axes, rotation, spatial};
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::Model;

/// Adds the dependence of fluid forces on velocity.
pub(super) fn add(
    model: &Model,
    position: &Position,
    velocity: &Velocity,
    bias_term: BiasTerm,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    if !(model.opt.viscosity > 0.0 || model.opt.density > 0.0) {
        return;
    }
    let k = &position.kinematics;
    for body in 0..model.nbody {
        if model.body_mass[body] < MIN_VALUE {
            continue;
        }
        if uses_ellipsoids(model, body) {
            for geom in body_geoms(model, body) {
                let interaction = Interaction::of(&model.geom_fluid[geom]);
                if interaction.scale == 0.0 {
                    continue;
                }
                let frame = (k.geom_xpos[geom], &k.geom_xmat[geom]);
                let v = relative_velocity(model, position, &velocity.com, body, frame);
                let mut block =
                    of_ellipsoid(&v, medium(model), semi_axes(model, geom), &interaction);
                if bias_term == BiasTerm::Omitted {
                    symmetrize(&mut block);
                }
                project(model, position, body, frame, &block, out, scratch);
            }
        } else {
            let frame = (k.xipos[body], &k.ximat[body]);
            let v = relative_velocity(model, position, &velocity.com, body, frame);
            for block in of_box(&v, medium(model), box_of(model, body))
                .into_iter()
                .flatten()
            {
                project(model, position, body, frame, &block, out, scratch);
            }
        }
    }
}

/// Adds JᵀBJ.
fn project(
    model: &Model,
    position: &Position,
    body: usize,
    (point, axes): (Vec3, &Mat3),
    block: &Block,
    out: &mut [f64],
    scratch: &mut DerivativeScratch,
) {
    let offset = offset(model, &position.com, body, point);
    scratch.chain.clear();
    scratch.columns.clear();
    for_each_dof(model, body, |dof| {
        let cdof = &position.com.cdof[dof];
        let column = spatial(rotation(cdof), translation_column(cdof, offset));
        scratch.chain.push(dof);
        scratch.columns.push(into_axes(&column, axes));
    });
    scratch.chain.reverse();
    scratch.columns.reverse();
    let DerivativeScratch {
        chain,
        columns,
        components,
        row: sums,
        ..
    } = scratch;
    for (j, component) in components.iter_mut().enumerate() {
        component.clear();
        component.extend(columns.iter().map(|column| column[j]));
    }
    let mut entries = [(0, 0, 0.0); 36];
    let mut count = 0;
    for (i, values) in block.iter().enumerate() {
        for (j, &value) in values.iter().enumerate() {
            if value != 0.0 {
                entries[count] = (i, j, value);
                count += 1;
            }
        }
    }
    for (&k, left) in chain.iter().zip(columns.iter()) {
        let start = model.D_rowadr[k] as usize;
        let end = start + model.D_rownnz[k] as usize;
        let (row, out) = (&model.D_colind[start..end], &mut out[start..end]);
        // All of a chain are ancestors and descendants of each other: each has a place in the row.
        let places = || {
            let mut at = 0;
            chain.iter().map(move |&p| {
                while row[at] as usize != p {
                    at += 1;
                }
                at
            })
        };
        sums.clear();
        sums.extend(places().map(|place| out[place]));
        for &(i, j, value) in &entries[..count] {
            let factor = left[i] * value;
            for (sum, &right) in sums.iter_mut().zip(&components[j]) {
                *sum += right * factor;
            }
        }
        for (place, &sum) in places().zip(sums.iter()) {
            out[place] = sum;
        }
    }
}

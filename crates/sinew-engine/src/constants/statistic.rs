//! Statistics of the model at `qpos0`: centre, extent, mean sizes, masses and inertias, and the
//! lever lengths that turn angular into linear velocities.

use super::flex;
use crate::data::Data;
use sinew_math::Vec3;
use sinew_model::joint::Layout;
use sinew_model::kinds::GeomType;
use sinew_model::{Model, Statistic};

/// Sizes below this count as this.
const MIN_SIZE: f64 = 1e-5;

/// Fills `stat` and `dof_length`; the position stage has run at `qpos0`.
pub(super) fn compute(model: &mut Model, data: &Data) {
    model.stat = Statistic {
        meaninertia: 1.0,
        meanmass: 1.0,
        meansize: 0.2,
        extent: 2.0,
        center: Vec3::ZERO,
    };
    bounding_box(model, data);
    let sizes = body_sizes(model, data);
    let bodies = model.nbody as f64 - 1.0;
    if model.nbody > 1 {
        model.stat.meansize = 0.0;
        model.stat.meanmass = 0.0;
        for i in 1..model.nbody {
            model.stat.meansize += sizes[i] / bodies;
            model.stat.meanmass += model.body_mass[i];
        }
        model.stat.meanmass /= bodies;
    }
    model.stat.extent = model.stat.extent.max(2.0 * model.stat.meansize);

    for i in 0..model.nv {
        let joint = model.dof_jntid[i] as usize;
        let within_joint = i - model.jnt_dofadr[joint] as usize;
        let layout = Layout::of(model.jnt_type[joint]);
        model.unchecked().dof_length[i] = if layout.rotates(within_joint) {
            sizes[model.dof_bodyid[i] as usize]
        } else {
            1.0
        };
    }
    if model.nv > 0 {
        let mut sum = 0.0;
        for &address in &model.dof_Madr {
            sum += data.position.inertia.qM[address as usize];
        }
        model.stat.meaninertia = sum / model.nv as f64;
    }
}

/// Centre and extent of the box around bodies, joints, sites and geoms.
fn bounding_box(model: &mut Model, data: &Data) {
    let k = &data.position.kinematics;
    let (mut low, mut high) = ([1e10; 3], [-1e10; 3]);
    let mut include = |point: Vec3, radius: f64| {
        for c in 0..3 {
            // Comparisons and not `f64::min`: after a NaN the box starts anew, as in the reference.
            let (bottom, top) = (point[c] - radius, point[c] + radius);
            low[c] = if low[c] < bottom { low[c] } else { bottom };
            high[c] = if high[c] > top { high[c] } else { top };
        }
    };
    for i in 1..model.nbody {
        include(k.xpos[i], 0.0);
        include(k.xipos[i], 0.0);
    }
    for i in 0..model.njnt {
        include(k.xanchor[i], 0.0);
    }
    for i in 0..model.nsite {
        include(k.site_xpos[i], 0.0);
    }
    for i in 0..model.ngeom {
        include(k.geom_xpos[i], radius(model, i));
    }

    let (low, high) = (Vec3(low), Vec3(high));
    model.stat.center = (low + high) * 0.5;
    let size = high - low;
    if size[0] > 0.0 {
        model.stat.extent = size[0].max(size[1].max(size[2])).max(MIN_SIZE);
    }
}

/// Radius of a geom's bounding sphere; a tenth of the size of planes and height fields.
fn radius(model: &Model, geom: usize) -> f64 {
    let bound = model.geom_rbound[geom];
    if bound > 0.0 {
        return bound;
    }
    match GeomType::from_code(model.geom_type[geom]) {
        Some(GeomType::Plane) => {
            let [x, y, _] = model.geom_size[geom];
            if x == 0.0 && y == 0.0 {
                1.0
            } else {
                x.max(y) * 0.1
            }
        }
        Some(GeomType::Hfield) => {
            let [x, y, top, base] = model.hfield_size[model.geom_dataid[geom] as usize];
            x.max(y.max(top.max(base))) * 0.1
        }
        _ => 0.0,
    }
}

/// An approximate length of each body: how far from its centre of mass its joints, its children's
/// joints, its geoms and the edges of flexes at it reach.
fn body_sizes(model: &Model, data: &Data) -> Vec<f64> {
    let k = &data.position.kinematics;
    let mut sizes = vec![0.0_f64; model.nbody];
    for j in 0..model.njnt {
        let body = model.jnt_bodyid[j] as usize;
        for i in [body, model.body_parentid[body] as usize] {
            sizes[i] = sizes[i].max(k.xipos[i].distance(k.xanchor[j]));
        }
    }
    sizes[0] = 0.0;
    for geom in 0..model.ngeom {
        let (i, bound) = (model.geom_bodyid[geom] as usize, model.geom_rbound[geom]);
        if i > 0 && bound > 0.0 {
            sizes[i] = sizes[i].max(bound + k.xipos[i].distance(k.geom_xpos[geom]));
        }
    }
    flex::widen(model, data, &mut sizes);
    for size in &mut sizes[1..] {
        *size = size.max(MIN_SIZE);
    }
    sizes
}

//! Touch spread over a surface: one taxel for each vertex of a mesh that is fixed to a geom, as `sinew_engine::sensor::tactile`
//! says. A thread has a taxel. In double precision, as the functions for signed distances are.

use super::cut;
use crate::Number;
use crate::local::{Local, com_of, kinematics_of};
use crate::meeting::Place;
use crate::scene::{Scene, TACTILE_WORDS, TAXEL_NUMBERS, TAXEL_WORDS};
use crate::sense::Kept;
use crate::sense::ray::{double, double_axes};
use sinew_collision::sdf::primitive;
use sinew_math::series::Cells;
use sinew_math::spatial::{shift_motion, translation};
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::kinds::GeomType;

/// Depth that would need an infinite pressure if it were positive.
const DEPTH_SCALE: f64 = 0.05;

/// A taxel where it is.
struct Taxel<'a, 'b, T> {
    scene: &'a Scene<'a, T>,
    at: &'a Local<'b, T>,
    point: Vec3,
    /// How fast its surface moves there.
    velocity: Vec3,
    /// Its normal and two tangents.
    axes: [Vec3; 3],
}

/// Reads a taxel.
#[inline(always)]
pub fn tactile<T: Number>(scene: &Scene<'_, T>, taxel: usize, place: &mut Place<'_, '_, T>) {
    let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
    let tables = &scene.tables;
    let [sensor, own] = tables.taxel_words.as_chunks::<TAXEL_WORDS>().0[taxel];
    let sensor = sensor as usize;
    let [geom, assembly, address, taxels, numbers] =
        tables.tactile_words.as_chunks::<TACTILE_WORDS>().0[sensor];
    let kept = &Kept::new(scene, &*place.problem.touches, &[], place.words);
    let given = &tables.taxel_numbers.as_chunks::<TAXEL_NUMBERS>().0[taxel];
    let vector = |k: usize| double(Vec3([given[k], given[k + 1], given[k + 2]]));
    let k = &kinematics_of(&at.kinematics);
    let axes = *k.geom_xmat.at(geom as usize);
    let axes = double_axes(&axes);
    let point = axes * vector(0) + double(*k.geom_xpos.at(geom as usize));
    let taxel = &Taxel {
        scene,
        at,
        point,
        velocity: velocity(scene, at, assembly as usize, point),
        axes: [vector(3), vector(6), vector(9)],
    };
    let mut values = [0.0; 3];
    for i in 0..kept.count {
        for side in 0..2 {
            if let Some(other) = touched(scene, kept, (i, side), assembly)
                && is_first(scene, kept, (i, side), (assembly, other))
            {
                values = taxel.pressed(other).unwrap_or(values);
            }
        }
    }
    let cutoff = tables.tactile_cutoffs[sensor];
    let out = &mut place.problem.sensordata[address as usize..];
    for channel in 0..3 {
        let value = cut(numbers, cutoff, T::from_f64(values[channel]));
        out[channel * taxels as usize + own as usize] = value;
    }
}

/// The geom that touches an assembly of bodies in a contact, where the assembly has a side.
#[inline(always)]
fn touched<T: Number>(
    scene: &Scene<'_, T>,
    kept: &Kept<'_, T>,
    (contact, side): (usize, usize),
    assembly: i32,
) -> Option<usize> {
    let pair = &kept.get(contact).pair;
    let body = pair.bodies()[side];
    (scene.tree.body_weldid[body] == assembly).then(|| pair.geoms()[1 - side])
}

/// Whether a geom touches the assembly for the first time.
#[inline(always)]
fn is_first<T: Number>(
    scene: &Scene<'_, T>,
    kept: &Kept<'_, T>,
    (contact, side): (usize, usize),
    (assembly, other): (i32, usize),
) -> bool {
    for before in 0..2 * contact + side {
        if touched(scene, kept, (before / 2, before % 2), assembly) == Some(other) {
            return false;
        }
    }
    true
}

/// How fast a point of a body moves.
#[inline(always)]
fn velocity<T: Number>(scene: &Scene<'_, T>, at: &Local<'_, T>, body: usize, point: Vec3) -> Vec3 {
    let root = scene.tree.body_rootid[body] as usize;
    let origin = double(*com_of(&at.com).subtree_com.at(root));
    let own = *at.velocity.cvel.at(body);
    let own = core::array::from_fn(|k| own[k].to_f64());
    translation(&shift_motion(&own, point, origin))
}

impl<T: Number> Taxel<'_, '_, T> {
    /// Pressure and sliding, if it lies inside a geom.
    #[inline(always)]
    fn pressed(&self, other: usize) -> Option<[f64; 3]> {
        let k = &kinematics_of(&self.at.kinematics);
        let pos = double(*k.geom_xpos.at(other));
        let axes = *k.geom_xmat.at(other);
        let axes = double_axes(&axes);
        let depth = self.distance(other, axes.transpose_mul(self.point - pos))?;
        if depth.is_nan() || depth >= 0.0 {
            return None;
        }
        let body = self.scene.attached.geom_bodyid[other] as usize;
        let velocity = self.velocity - velocity(self.scene, self.at, body, pos);
        let normal = self.axes[0];
        let pressure = depth / (DEPTH_SCALE - depth).max(MIN_VALUE);
        Some([
            (normal * pressure).dot(normal),
            velocity.dot(self.axes[1]).abs(),
            velocity.dot(self.axes[2]).abs(),
        ])
    }

    /// Signed distance of a point in a geom's frame; `None` for geoms that know none.
    #[inline(always)]
    fn distance(&self, geom: usize, point: Vec3) -> Option<f64> {
        let size = self.scene.extra.geom_size[geom].map(|x| x.to_f64());
        Some(
            match GeomType::from_code(self.scene.tables.geom_types[geom])? {
                GeomType::Plane => primitive::plane(point),
                GeomType::Sphere => primitive::sphere(point, size[0]),
                GeomType::Capsule => primitive::capsule(point, size),
                GeomType::Ellipsoid => primitive::ellipsoid(point, size),
                GeomType::Cylinder => primitive::cylinder(point, size),
                GeomType::Box => primitive::cuboid(point, size),
                _ => return None,
            },
        )
    }
}

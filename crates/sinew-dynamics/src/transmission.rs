//! Moments of actuators and tendons: where in joint space they act.
//!
//! Numbers decide which way is taken, so worlds are computed one by one. Conforms to MuJoCo's `mj_transmission` and
//! `mj_tendon`.

use crate::com::ComRef;
use crate::jacobian::{
    Moves, difference_column, for_each_dof, for_each_dof_of_pair, last_dof, offset,
    translation_column,
};
use crate::kinematics::KinematicsRef;
use crate::wrap::{Around, wrap};
use sinew_math::series::Cells;
use sinew_math::spatial::rotation;
use sinew_math::{Lift, Quat, Scalar, Vec3};
use sinew_model::kinds::WrapType;
use sinew_model::view::{Attached, Tree};

/// A row over the degrees of freedom that is gathered entry by entry.
pub trait Entries<T> {
    /// Adds to an entry.
    fn add(&mut self, dof: usize, value: T);

    /// Sets an entry, whatever it was.
    fn set(&mut self, dof: usize, value: T);
}

/// Where everything is.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, T = f64> {
    /// Bodies and degrees of freedom.
    pub tree: Tree<'a>,
    /// Sites and geoms.
    pub attached: Attached<'a>,
    /// Poses.
    pub kinematics: KinematicsRef<'a, T>,
    /// Centres of mass and motion axes.
    pub com: ComRef<'a, T>,
}

impl<T: Scalar> Scene<'_, T> {
    #[inline(always)]
    fn body_of_site(&self, site: usize) -> usize {
        self.attached.site_bodyid[site] as usize
    }

    /// From the centre of mass of a body's tree to a point.
    #[inline(always)]
    fn offset(&self, body: usize, point: Vec3<T>) -> Vec3<T> {
        offset(&self.tree, self.com.subtree_com, body, point)
    }

    #[inline(always)]
    fn for_each_dof(&self, body: usize, visit: impl FnMut(usize)) {
        for_each_dof(&self.tree, body, visit);
    }
}

#[inline(always)]
fn first3<T: Copy>(gear: &[T; 6]) -> Vec3<T> {
    Vec3([gear[0], gear[1], gear[2]])
}

#[inline(always)]
fn last3<T: Copy>(gear: &[T; 6]) -> Vec3<T> {
    Vec3([gear[3], gear[4], gear[5]])
}

/// Length and moments of an actuator on a ball, whose gear is given in the frame of the child or of the parent.
#[inline(always)]
pub fn ball<T: Scalar>(quat: Quat<T>, gear: &[T; 6], in_parent: bool) -> (T, Vec3<T>) {
    let quat = quat.normalized();
    let axis = in_child(first3(gear), quat, in_parent);
    (quat.to_velocity(T::ONE).dot(axis), axis)
}

/// Moments of an actuator on a free joint. Has no length.
#[inline(always)]
pub fn free<T: Scalar>(quat: Quat<T>, gear: &[T; 6], in_parent: bool) -> [Vec3<T>; 2] {
    let quat = quat.normalized();
    [first3(gear), in_child(last3(gear), quat, in_parent)]
}

#[inline(always)]
fn in_child<T: Scalar>(axis: Vec3<T>, quat: Quat<T>, in_parent: bool) -> Vec3<T> {
    if in_parent {
        quat.conjugate().rotate(axis)
    } else {
        axis
    }
}

/// A slider on the z axis of one site drives a rod that ends at another. Length
/// l = a·v − √((a·v)² + r² − v·v) with a the slider axis and v from slider to crank; where the rod
/// cannot reach, l = a·v.
#[inline(always)]
pub fn slider_crank<T: Scalar>(
    at: &Scene<'_, T>,
    (crank, slider): (usize, usize),
    (rod, gear): (T, T),
    row: &mut impl Entries<T>,
) -> T {
    let (crank_pos, slider_pos) = (
        *at.kinematics.site_xpos.at(crank),
        *at.kinematics.site_xpos.at(slider),
    );
    let axis = at.kinematics.site_xmat.at(slider).column(2);
    let v = crank_pos - slider_pos;
    let along = v.dot(axis);
    let determinant = along * along + rod * rod - v.dot(v);
    let (length, by_v, by_axis) = if determinant <= T::ZERO {
        (along, axis, v)
    } else {
        let root = determinant.sqrt();
        let ratio = T::ONE - along / root;
        let by_v = axis * ratio + v * (T::ONE / root);
        (along - root, by_v, v * ratio)
    };
    let bodies = [at.body_of_site(slider), at.body_of_site(crank)];
    let offsets = [
        at.offset(bodies[0], slider_pos),
        at.offset(bodies[1], crank_pos),
    ];
    for_each_dof_of_pair(&at.tree, bodies, |dof, moves| {
        let cdof = &at.com.cdof.at(dof);
        let of_v = difference_column(cdof, moves, offsets);
        let of_axis = match moves {
            Moves::First | Moves::Both => rotation(cdof).cross(axis),
            Moves::Second => Vec3::zero(),
        };
        let mut moment = T::ZERO;
        for k in 0..3 {
            moment += by_axis[k] * of_axis[k] + by_v[k] * of_v[k];
        }
        row.set(dof, moment * gear);
    });
    length * gear
}

/// A wrench fixed in a site's frame. Has no length.
#[inline(always)]
pub fn site<T: Scalar>(
    at: &Scene<'_, T>,
    site: usize,
    gear: &[T; 6],
    row: &mut impl Entries<T>,
) -> T {
    let axes = *at.kinematics.site_xmat.at(site);
    let (force, torque) = (axes * first3(gear), axes * last3(gear));
    let body = at.body_of_site(site);
    let offset = at.offset(body, *at.kinematics.site_xpos.at(site));
    at.for_each_dof(body, |dof| {
        let cdof = &at.com.cdof.at(dof);
        let along_force = translation_column(cdof, offset).dot(force);
        row.set(dof, along_force + rotation(cdof).dot(torque));
    });
    T::ZERO
}

/// Position and orientation of a site in the frame of a reference site, weighted by the gear; the orientations of both in
/// their bodies are given. Degrees of freedom that move both sites alike have no moment.
#[inline(always)]
pub fn site_in_site<T: Scalar>(
    at: &Scene<'_, T>,
    (site, reference): (usize, usize),
    [site_quat, reference_quat]: [Quat<T>; 2],
    gear: &[T; 6],
    row: &mut impl Entries<T>,
) -> T {
    let (body, reference_body) = (at.body_of_site(site), at.body_of_site(reference));
    let axes = *at.kinematics.site_xmat.at(reference);
    let common = common_dof(&at.tree, body, reference_body);
    let mut length = T::ZERO;

    let linear = first3(gear);
    if !linear.equals(Vec3::zero()) {
        let (p, q) = (
            *at.kinematics.site_xpos.at(site),
            *at.kinematics.site_xpos.at(reference),
        );
        length += axes.transpose_mul(p - q).dot(linear);
        let force = axes * linear;
        let (at_site, at_reference) = (at.offset(body, p), at.offset(reference_body, q));
        at.for_each_dof(body, |dof| {
            if dof as i32 > common {
                let column = translation_column(&at.com.cdof.at(dof), at_site);
                row.set(dof, column.dot(force));
            }
        });
        at.for_each_dof(reference_body, |dof| {
            if dof as i32 > common {
                let column = -translation_column(&at.com.cdof.at(dof), at_reference);
                row.set(dof, column.dot(force));
            }
        });
    }

    let angular = last3(gear);
    if !angular.equals(Vec3::zero()) {
        // The order of the products is the reference's.
        let quat = site_quat * *at.kinematics.xquat.at(body);
        let other = reference_quat * *at.kinematics.xquat.at(reference_body);
        length += quat.difference(other).dot(angular);
        let torque = axes * angular;
        at.for_each_dof(body, |dof| {
            if dof as i32 > common {
                row.add(dof, rotation(&at.com.cdof.at(dof)).dot(torque));
            }
        });
        at.for_each_dof(reference_body, |dof| {
            if dof as i32 > common {
                row.add(dof, (-rotation(&at.com.cdof.at(dof))).dot(torque));
            }
        });
    }
    length
}

/// The last degree of freedom that moves both bodies; −1: none.
#[inline(always)]
fn common_dof(tree: &Tree<'_>, first: usize, second: usize) -> i32 {
    let (mut a, mut b) = (last_dof(tree, first), last_dof(tree, second));
    while a != b && a >= 0 && b >= 0 {
        if a < b {
            b = tree.dof_parentid[b as usize];
        } else {
            a = tree.dof_parentid[a as usize];
        }
    }
    if a == b { a } else { -1 }
}

/// The paths of spatial tendons.
#[derive(Clone, Copy, Debug)]
pub struct Paths<'a, V = f64> {
    /// What each point of a path is.
    pub wrap_type: &'a [i32],
    /// Which one.
    pub wrap_objid: &'a [i32],
    /// Divisors of pulleys, side sites of geoms.
    pub wrap_prm: &'a [V],
    /// Sizes of geoms.
    pub geom_size: &'a [[V; 3]],
}

/// A string through sites, around geoms and over pulleys, whose points are a part of the paths. Adds up its Jacobian,
/// tells where its path leads, and returns its length.
#[inline(always)]
pub fn string<T: Scalar, V: Lift<T>>(
    at: &Scene<'_, T>,
    paths: &Paths<'_, V>,
    (start, count): (usize, usize),
    row: &mut impl Entries<T>,
    mut push_point: impl FnMut(Vec3<T>, i32),
) -> T {
    let kind = |k: usize| WrapType::from_code(paths.wrap_type[start + k]);
    let object = |k: usize| paths.wrap_objid[start + k] as usize;
    let (mut length, mut divisor, mut scale) = (T::ZERO, T::ONE, T::ONE);
    let mut j = 0;
    while j + 1 < count {
        // A pulley starts a new branch.
        if kind(j) == Some(WrapType::Pulley) {
            divisor = paths.wrap_prm[start + j].lift();
            scale = T::ONE / divisor;
            push_point(Vec3::zero(), -2);
            j += 1;
            continue;
        }
        if kind(j + 1) == Some(WrapType::Pulley) {
            j += 1;
            continue;
        }

        // A site, possibly a geom to pass, and the next site.
        let around = match kind(j + 1) {
            Some(WrapType::Sphere) => Some(Around::Sphere),
            Some(WrapType::Cylinder) => Some(Around::Cylinder),
            _ => None,
        };
        let next = if around.is_some() { j + 2 } else { j + 1 };
        let (site0, site1) = (object(j), object(next));
        let (p0, p1) = (
            *at.kinematics.site_xpos.at(site0),
            *at.kinematics.site_xpos.at(site1),
        );
        let (body0, body1) = (at.body_of_site(site0), at.body_of_site(site1));
        let geom = object(j + 1);
        let contact = around.and_then(|around| {
            let side = side_site(at, paths.wrap_prm[start + j + 1].lift());
            wrap(
                around,
                (p0, p1),
                (
                    *at.kinematics.geom_xpos.at(geom),
                    &at.kinematics.geom_xmat.at(geom),
                    paths.geom_size[geom][0].lift(),
                ),
                side.map(|site| *at.kinematics.site_xpos.at(site)),
            )
        });

        let mut straight = |from: (Vec3<T>, usize), to: (Vec3<T>, usize)| {
            straight_piece(at, from, to, scale, row);
        };
        push_point(p0, -1);
        match contact {
            None => {
                length += p0.distance(p1) / divisor;
                straight((p0, body0), (p1, body1));
            }
            Some(contact) => {
                let [q0, q1] = contact.points;
                let geom_body = at.attached.geom_bodyid[geom] as usize;
                length += (p0.distance(q0) + contact.length + q1.distance(p1)) / divisor;
                straight((p0, body0), (q0, geom_body));
                straight((q1, geom_body), (p1, body1));
                push_point(q0, geom as i32);
                push_point(q1, geom as i32);
            }
        }
        j = next;
        if j + 1 == count || kind(j + 1) == Some(WrapType::Pulley) {
            push_point(p1, -1);
        }
    }
    length
}

/// The side site stored with a wrapping geom; negative: none.
#[inline(always)]
fn side_site<T: Scalar>(at: &Scene<'_, T>, parameter: T) -> Option<usize> {
    let parameter = parameter.to_f64();
    let id = (parameter + 0.5) as usize;
    (parameter > -0.5 && id < at.attached.site_bodyid.len()).then_some(id)
}

/// Adds the Jacobian of the length of a straight piece between points fixed in two bodies.
#[inline(always)]
fn straight_piece<T: Scalar>(
    at: &Scene<'_, T>,
    (p0, body0): (Vec3<T>, usize),
    (p1, body1): (Vec3<T>, usize),
    scale: T,
    row: &mut impl Entries<T>,
) {
    if body0 == body1 {
        return;
    }
    let direction = (p1 - p0).normalized();
    let offsets = [at.offset(body0, p0), at.offset(body1, p1)];
    for_each_dof_of_pair(&at.tree, [body0, body1], |dof, moves| {
        let column = difference_column(&at.com.cdof.at(dof), moves, offsets);
        row.add(dof, column.dot(direction) * scale);
    });
}

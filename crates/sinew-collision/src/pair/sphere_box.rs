//! Sphere and box: the point of the box nearest to the sphere's centre, in the box frame.

use super::{Shape, Touch, Touches, clip};
use sinew_math::{MIN_VALUE, Mask, Real, Vec3, vec3};

/// At most one contact. A centre inside the box is pushed out through the nearest face.
#[doc(alias = "mjc_SphereBox")]
#[inline(always)]
pub fn sphere_box<T: Real, Out: Touches<T>>(
    sphere: &Shape<T>,
    cuboid: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let radius = sphere.size[0];
    let size = cuboid.size;
    let centre = cuboid.mat.transpose_mul(sphere.pos - cuboid.pos);
    let nearest = vec3(
        clip(centre[0], size[0]),
        clip(centre[1], size[1]),
        clip(centre[2], size[2]),
    );
    let (direction, gap) = (nearest - centre).normalize();
    let exists = !(gap - radius).greater(margin);
    if !exists.any() {
        return;
    }

    let half = T::from_f64(0.5);
    let deepest = centre.add_scaled(direction, radius);
    let midpoint = Vec3::zero()
        .add_scaled(nearest, half)
        .add_scaled(deepest, half);
    let (mut dist, mut pos, mut normal) = (gap, midpoint, direction);
    let is_inside = gap.at_most(T::from_f64(MIN_VALUE));
    if is_inside.any() {
        let (depth, inwards) = nearest_face(centre, size);
        let middle = centre.add_scaled(inwards, (radius - depth) / T::from_f64(2.0));
        dist = T::select(is_inside, -depth, dist);
        pos = Vec3::select(is_inside, middle, pos);
        normal = Vec3::select(is_inside, inwards, normal);
    }
    out.add(
        exists,
        Touch::new(
            dist - radius,
            cuboid.mat * pos + cuboid.pos,
            cuboid.mat * normal,
        ),
    );
}

/// Distance of a point inside to the nearest of the six faces, and the direction away from that
/// face; the first wins a tie.
#[inline(always)]
fn nearest_face<T: Real>(centre: Vec3<T>, size: [T; 3]) -> (T, Vec3<T>) {
    let mut depth = (size[0] + size[1] + size[2]) * T::from_f64(2.0);
    let mut inwards = Vec3::zero();
    for face in 0..6 {
        let axis = face / 2;
        let side = if face % 2 == 1 { T::ONE } else { -T::ONE };
        let to_face = (side * size[axis] - centre[axis]).abs();
        let is_nearer = depth.greater(to_face);
        let mut away = Vec3::zero();
        away[axis] = -side;
        depth = T::select(is_nearer, to_face, depth);
        inwards = Vec3::select(is_nearer, away, inwards);
    }
    (depth, inwards)
}

//! Plane and box: the corners below the margin, at most four.

use super::{Shape, Touch, Touches};
use sinew_math::{Mask, Real, vec3};

/// Up to four contacts, at the first four corners (in binary order) that are near enough and lie
/// on the plane's side of the box centre.
#[doc(alias = "mjc_PlaneBox")]
#[inline(always)]
pub fn plane_box<T: Real, Out: Touches<T>>(
    plane: &Shape<T>,
    cuboid: &Shape<T>,
    margin: T,
    out: &mut Out,
) {
    let normal = plane.axis();
    let centre_height = (cuboid.pos - plane.pos).dot(normal);
    let [x, y, z] = cuboid.size;
    let mut count = T::ZERO;
    for corner in 0..8 {
        let x = if corner & 1 != 0 { x } else { -x };
        let y = if corner & 2 != 0 { y } else { -y };
        let z = if corner & 4 != 0 { z } else { -z };
        let corner = cuboid.mat * vec3(x, y, z);
        let height = normal.dot(corner);
        let dist = centre_height + height;
        let is_away = dist.greater(margin) | height.greater(T::ZERO);
        let exists = !is_away & count.less(T::from_f64(4.0));
        if !exists.any() {
            continue;
        }
        let pos = (corner + cuboid.pos) + normal * (-dist / T::from_f64(2.0));
        out.add(exists, Touch::new(dist, pos, normal));
        count += T::select(exists, T::ONE, T::ZERO);
        if count.at_least(T::from_f64(4.0)).all() {
            return;
        }
    }
}

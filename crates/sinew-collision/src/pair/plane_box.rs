//! Plane and box: the corners below the margin, at most four.

use super::{Shape, Touch};
use sinew_math::vec3;

/// Up to four contacts, at the first four corners (in binary order) that are near enough and lie
/// on the plane's side of the box centre.
#[doc(alias = "mjc_PlaneBox")]
pub fn plane_box(plane: &Shape, cuboid: &Shape, margin: f64, out: &mut Vec<Touch>) {
    let normal = plane.axis();
    let centre_height = (cuboid.pos - plane.pos).dot(normal);
    let size = cuboid.size;
    let mut count = 0;
    for i in 0..8 {
        let sign = |bit: usize, half: f64| if i & bit != 0 { half } else { -half };
        let corner = cuboid.mat * vec3(sign(1, size[0]), sign(2, size[1]), sign(4, size[2]));
        let height = normal.dot(corner);
        if centre_height + height > margin || height > 0.0 {
            continue;
        }
        let dist = centre_height + height;
        let pos = (corner + cuboid.pos) + normal * (-dist / 2.0);
        out.push(Touch::new(dist, pos, normal));
        count += 1;
        if count == 4 {
            return;
        }
    }
}

//! Measures of one triangle.

use sinew_math::{MIN_VALUE, Vec3};

/// Area, normal and centre of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Area; exactly 0 for triangles with an edge product below 1e-15.
    pub area: f64,
    /// Unit normal by the right-hand rule; the raw edge product when the area is 0.
    pub normal: Vec3,
    /// Mean of the corners.
    pub center: Vec3,
}

/// Measures the triangle a b c.
#[inline]
pub fn measure([a, b, c]: [Vec3; 3]) -> Triangle {
    let center = Vec3([
        (a[0] + b[0] + c[0]) / 3.0,
        (a[1] + b[1] + c[1]) / 3.0,
        (a[2] + b[2] + c[2]) / 3.0,
    ]);
    let normal = (b - a).cross(c - a);
    let length = normal.dot(normal).sqrt();
    if length < MIN_VALUE {
        return Triangle {
            area: 0.0,
            normal,
            center,
        };
    }
    Triangle {
        area: 0.5 * length,
        normal: Vec3([normal[0] / length, normal[1] / length, normal[2] / length]),
        center,
    }
}

/// The centre of the circle through the corners; not finite for degenerate triangles.
#[inline]
pub fn circumcenter([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (a, b) = (p - r, q - r);
    let normal = a.cross(b);
    let (aa, bb) = (a.dot(a), b.dot(b));
    let area = normal.dot(normal).sqrt();
    let offset = Vec3([
        aa * b[0] - bb * a[0],
        aa * b[1] - bb * a[1],
        aa * b[2] - bb * a[2],
    ])
    .cross(normal);
    let scale = 2.0 * area * area;
    Vec3([
        offset[0] / scale + r[0],
        offset[1] / scale + r[1],
        offset[2] / scale + r[2],
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn right_triangle_has_half_the_rectangle_and_its_circumcenter_on_the_hypotenuse() {
        let corners = [
            vec3(0.0, 0.0, 1.0),
            vec3(4.0, 0.0, 1.0),
            vec3(0.0, 2.0, 1.0),
        ];
        let t = measure(corners);
        assert_eq!(t.area, 4.0);
        assert_eq!(t.normal, Vec3::Z);
        assert_eq!(circumcenter(corners), vec3(2.0, 1.0, 1.0));
    }
}

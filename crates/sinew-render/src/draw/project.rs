//! From the world to the screen: an eye or a light as a projection, triangles cut where they leave it.

use sinew_math::Vec3;

/// A projection onto a grid of pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    pub origin: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Left, right, bottom, top at the near plane.
    pub edges: [f64; 4],
    pub near: f64,
    pub far: f64,
    pub is_orthographic: bool,
    pub width: f64,
    pub height: f64,
}

/// A point on the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
    /// Larger is nearer; linear on the screen.
    pub key: f64,
    /// One over depth, by which numbers are weighted that are linear in the world.
    pub inverse: f64,
}

impl Projection {
    /// Coordinates of a point along right, up and forward.
    pub fn local(&self, point: Vec3) -> [f64; 3] {
        let d = point - self.origin;
        [d.dot(self.right), d.dot(self.up), d.dot(self.forward)]
    }

    /// Where local coordinates in front of the near plane land.
    pub fn point(&self, [x, y, z]: [f64; 3]) -> Point {
        let [left, right, bottom, top] = self.edges;
        let (scale, key, inverse) = if self.is_orthographic {
            (1.0, self.far - z, 1.0)
        } else {
            (self.near / z, 1.0 / z, 1.0 / z)
        };
        Point {
            x: (x * scale - left) / (right - left) * self.width,
            y: (top - y * scale) / (top - bottom) * self.height,
            key,
            inverse,
        }
    }

    /// The depth that a key stands for.
    pub fn depth(&self, key: f32) -> f64 {
        if self.is_orthographic {
            self.far - f64::from(key)
        } else {
            1.0 / f64::from(key)
        }
    }

    /// The direction in the world in which a pixel looks; not of unit length: its forward part is 1.
    pub fn direction(&self, x: f64, y: f64) -> Vec3 {
        let [left, right, bottom, top] = self.edges;
        let across = left + x / self.width * (right - left);
        let upward = top - y / self.height * (top - bottom);
        if self.is_orthographic {
            return self.forward;
        }
        self.forward + self.right * (across / self.near) + self.up * (upward / self.near)
    }
}

/// A corner of a triangle that is being cut: local coordinates, shares of the three corners, distance from a plane
/// that cuts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    pub local: [f64; 3],
    pub shares: [f64; 3],
    pub distance: f64,
}

/// What is left of a polygon where a distance is not negative.
pub(super) fn cut(polygon: &mut Vec<Cut>, spare: &mut Vec<Cut>, distance: impl Fn(&Cut) -> f64) {
    spare.clear();
    for (k, this) in polygon.iter().enumerate() {
        let next = &polygon[(k + 1) % polygon.len()];
        let (a, b) = (distance(this), distance(next));
        if a >= 0.0 {
            spare.push(*this);
        }
        if (a >= 0.0) != (b >= 0.0) {
            let t = a / (a - b);
            let mix = |x: f64, y: f64| x + (y - x) * t;
            spare.push(Cut {
                local: core::array::from_fn(|i| mix(this.local[i], next.local[i])),
                shares: core::array::from_fn(|i| mix(this.shares[i], next.shares[i])),
                distance: mix(this.distance, next.distance),
            });
        }
    }
    core::mem::swap(polygon, spare);
}

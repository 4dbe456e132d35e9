//! Planes of facets, distances to them, centres.

use super::arena::{Builder, FacetId, VertexId};
use super::tolerance::SMALLEST;
use sinew_math::{Vec3, vec3};

impl Builder<'_> {
    /// Height of a point above a facet.
    #[inline]
    pub fn distance(&self, point: Vec3, facet: FacetId) -> f64 {
        let facet = &self[facet];
        let n = facet.normal;
        facet.offset + point[0] * n[0] + point[1] * n[1] + point[2] * n[2]
    }

    /// Mean of some corners.
    pub fn mean(&self, vertices: &[VertexId]) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for &vertex in vertices {
            sum += self.point_of(vertex);
        }
        let count = vertices.len() as f64;
        vec3(sum[0] / count, sum[1] / count, sum[2] / count)
    }

    /// Mean of the corners of a facet, projected into its plane.
    pub fn center_of(&self, facet: FacetId) -> Vec3 {
        let mean = self.mean(&self[facet].vertices);
        let distance = self.distance(mean, facet);
        let n = self[facet].normal;
        vec3(
            mean[0] - distance * n[0],
            mean[1] - distance * n[1],
            mean[2] - distance * n[2],
        )
    }

    /// Lowest and highest of the corners of `facet` that `neighbor` does not have, over the plane
    /// of `neighbor`; at most and at least 0.
    pub fn spread(&mut self, facet: FacetId, neighbor: FacetId) -> (f64, f64) {
        for i in 0..self[facet].vertices.len() {
            let vertex = self[facet].vertices[i];
            self[vertex].is_seen = false;
        }
        for i in 0..self[neighbor].vertices.len() {
            let vertex = self[neighbor].vertices[i];
            self[vertex].is_seen = true;
        }
        let (mut low, mut high) = (0.0, 0.0);
        for &vertex in &self[facet].vertices {
            if !self[vertex].is_seen {
                let distance = self.distance(self.point_of(vertex), neighbor);
                if distance < low {
                    low = distance;
                } else if distance > high {
                    high = distance;
                }
            }
        }
        (low, high)
    }

    /// Computes the plane of a triangle and whether it faces the interior.
    pub fn set_plane(&mut self, facet: FacetId) {
        let [a, b, c] = self.triangle(facet);
        let is_top = self[facet].is_top_oriented;
        let (u, w) = (b - a, c - a);
        let mut normal = vec3(
            w[1] * u[2] - w[2] * u[1],
            u[0] * w[2] - u[2] * w[0],
            w[0] * u[1] - w[1] * u[0],
        );
        self.normalize(&mut normal, is_top);
        let mut offset = -(a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]);
        let limit = self.tolerance.distance;
        // Corners off the plane: the edge product lost too many digits.
        let is_off = |p: Vec3| {
            let height = offset + (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]);
            height > limit || height < -limit
        };
        let is_poor = is_off(c) || is_off(b);
        let is_poor = is_poor && {
            let is_nearly_singular;
            (normal, offset, is_nearly_singular) = self.plane_by_elimination([a, b, c], is_top);
            is_nearly_singular
        };
        let place = &mut self[facet];
        place.normal = normal;
        place.offset = offset;
        place.has_normal = true;
        if is_poor {
            self.face_outside(facet);
        }
        self.check_flipped(facet);
    }

    fn triangle(&self, facet: FacetId) -> [Vec3; 3] {
        let vertices = &self[facet].vertices;
        [0, 1, 2].map(|i| match vertices.get(i) {
            Some(vertex) => self.point_of(*vertex),
            None => self.interior,
        })
    }

    /// Turns a plane around if the interior is above it.
    pub fn face_outside(&mut self, facet: FacetId) {
        if self.distance(self.interior, facet) > 0.0 {
            let facet = &mut self[facet];
            facet.normal = -facet.normal;
            facet.offset = -facet.offset;
        }
    }

    /// Marks a facet that does not have the interior clearly below it; false if it is one.
    pub fn check_flipped(&mut self, facet: FacetId) -> bool {
        if self[facet].is_flipped {
            return false;
        }
        if self.distance(self.interior, facet) >= -self.tolerance.distance {
            self[facet].is_flipped = true;
            return false;
        }
        true
    }

    /// Scales to unit length, outwards for a top-oriented facet.
    fn normalize(&self, normal: &mut Vec3, is_top: bool) {
        let mut norm =
            (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        if norm > self.tolerance.min_denominator {
            if !is_top {
                norm = -norm;
            }
            for x in normal.iter_mut() {
                *x /= norm;
            }
        } else if norm == 0.0 {
            *normal = vec3(1.0, 1.0, 1.0) * (1.0_f64 / 3.0).sqrt();
        } else {
            if !is_top {
                norm = -norm;
            }
            for k in 0..3 {
                match careful_quotient(normal[k], norm, SMALLEST) {
                    Some(quotient) => normal[k] = quotient,
                    None => {
                        let mut largest = 0;
                        for i in 1..3 {
                            if normal[i].abs() > normal[largest].abs() {
                                largest = i;
                            }
                        }
                        let sign = if normal[largest] * norm >= 0.0 {
                            1.0
                        } else {
                            -1.0
                        };
                        *normal = Vec3::ZERO;
                        normal[largest] = sign;
                        return;
                    }
                }
            }
        }
    }

    /// Plane through three points by Gaussian elimination, and whether a pivot was nearly zero.
    fn plane_by_elimination(&self, [a, b, c]: [Vec3; 3], is_top: bool) -> (Vec3, f64, bool) {
        let mut rows = [b - a, c - a];
        let mut sign = is_top;
        let mut is_singular = false;
        for k in 0..2 {
            if k == 0 && rows[1][0].abs() > rows[0][0].abs() {
                rows.swap(0, 1);
                sign = !sign;
            }
            let pivot = rows[k][k];
            if pivot.abs() <= self.tolerance.near_zero[k] {
                is_singular = true;
                if pivot == 0.0 {
                    continue;
                }
            }
            if k == 0 {
                let factor = rows[1][0] / pivot;
                rows[1][1] -= factor * rows[0][1];
                rows[1][2] -= factor * rows[0][2];
            }
        }
        for k in 0..2 {
            if rows[k][k] < 0.0 {
                sign = !sign;
            }
        }

        // Back substitution with the last component fixed.
        let unit = if sign { -1.0 } else { 1.0 };
        let mut normal = vec3(0.0, 0.0, unit);
        for i in [1, 0] {
            for j in i + 1..3 {
                normal[i] -= rows[i][j] * normal[j];
            }
            let diagonal = rows[i][i];
            if diagonal.abs() > self.tolerance.min_diagonal {
                normal[i] /= diagonal;
            } else {
                match careful_quotient(normal[i], diagonal, self.tolerance.min_ratio) {
                    Some(quotient) => normal[i] = quotient,
                    None => {
                        is_singular = true;
                        normal[i] = unit;
                        for later in i + 1..3 {
                            normal[later] = 0.0;
                        }
                    }
                }
            }
        }
        self.normalize(&mut normal, true);
        let mut offset = -(a[0] * normal[0]);
        offset -= a[1] * normal[1];
        offset -= a[2] * normal[2];
        (normal, offset, is_singular)
    }
}

/// A quotient, unless it would overflow.
fn careful_quotient(numerator: f64, denominator: f64, smallest: f64) -> Option<f64> {
    let is_safe = if numerator < smallest && numerator > -smallest {
        numerator.abs() < denominator.abs()
    } else {
        (denominator / numerator).abs() > smallest
    };
    is_safe.then(|| numerator / denominator)
}

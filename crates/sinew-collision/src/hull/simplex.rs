//! The first four corners and facets.
//!
//! Two points with extreme x, then twice the point that spans the largest determinant with those
//! chosen so far, taken from the extreme points of each axis, or from all points when the extreme
//! ones are nearly degenerate.

use super::HullError;
use super::arena::{Builder, FacetId, PointId, VertexId};
use sinew_math::Vec3;

/// A simplex that is this much thinner than the points are wide is looked for among all points.
const NARROW_RATIO: f64 = 1.0e-3;
/// Cosine between facets below which the hull counts as narrow.
const NARROW_ANGLE: f64 = -0.99999999;

impl Builder<'_> {
    /// Builds the first simplex; its corners are returned.
    pub fn build_simplex(&mut self) -> Result<[VertexId; 4], HullError> {
        let points = self.choose_simplex()?;
        let mut vertices = points.map(|point| self.create_vertex(point));
        vertices.reverse();
        self.link_simplex(vertices);
        self.reset_lists(true);
        self.next_facet = self.facet_list;
        self.interior = self.mean(&vertices);
        self.orient_simplex()?;
        Ok(vertices)
    }

    fn choose_simplex(&self) -> Result<[PointId; 4], HullError> {
        let extremes = self.tolerance.extremes;
        let x = |point: PointId| self.points[point as usize][0];
        let (mut low, mut high) = (extremes[0], extremes[0]);
        for point in extremes {
            if x(high) < x(point) {
                high = point;
            }
            if x(low) > x(point) {
                low = point;
            }
        }
        if low == high {
            return Err(HullError::Flat);
        }
        let mut simplex = vec![low, high];
        let mut largest = x(high) - x(low);
        while simplex.len() < 4 {
            let target = largest * self.tolerance.width;
            let mut best: Option<PointId> = None;
            let mut best_is_near_zero = false;
            largest = -1.0;
            for point in extremes {
                if !simplex.contains(&point) && best != Some(point) {
                    let (determinant, is_near_zero) = self.determinant(point, &simplex);
                    if determinant.abs() > largest {
                        largest = determinant.abs();
                        best = Some(point);
                        best_is_near_zero = is_near_zero;
                    }
                }
            }
            let is_thin = largest > 0.0 && largest / target < NARROW_RATIO;
            if best.is_none() || best_is_near_zero || is_thin {
                let enough = 10.0 * NARROW_RATIO * target;
                for point in 0..self.points.len() as PointId {
                    if extremes.contains(&point) || simplex.contains(&point) {
                        continue;
                    }
                    let (determinant, is_near_zero) = self.determinant(point, &simplex);
                    if determinant.abs() > largest {
                        largest = determinant.abs();
                        best = Some(point);
                        best_is_near_zero = is_near_zero;
                        if !best_is_near_zero && largest > enough {
                            break;
                        }
                    }
                }
            }
            simplex.push(best.ok_or(HullError::Flat)?);
        }
        Ok([simplex[0], simplex[1], simplex[2], simplex[3]])
    }

    /// Determinant of two or three points relative to another, in as many coordinates.
    fn determinant(&self, apex: PointId, simplex: &[PointId]) -> (f64, bool) {
        let apex = self.points[apex as usize];
        let row = |i: usize| self.points[simplex[i] as usize] - apex;
        let minor = |u: Vec3, w: Vec3, i: usize, j: usize| u[i] * w[j] - u[j] * w[i];
        if simplex.len() == 2 {
            let determinant = minor(row(0), row(1), 0, 1);
            return (
                determinant,
                determinant.abs() < 10.0 * self.tolerance.near_zero[1],
            );
        }
        let (a, b, c) = (row(0), row(1), row(2));
        let determinant =
            a[0] * minor(b, c, 1, 2) - b[0] * minor(a, c, 1, 2) + c[0] * minor(a, b, 1, 2);
        (
            determinant,
            determinant.abs() < 10.0 * self.tolerance.near_zero[2],
        )
    }

    /// Makes a facet opposite each corner, all neighbours of each other.
    fn link_simplex(&mut self, vertices: [VertexId; 4]) {
        let mut is_top = true;
        let mut facets = [FacetId::NONE; 4];
        for (i, vertex) in vertices.into_iter().enumerate() {
            let facet = self.create_facet();
            let corners = vertices.iter().copied().filter(|v| *v != vertex);
            self[facet].vertices.extend(corners);
            self[facet].is_top_oriented = is_top;
            self.append_facet(facet);
            self.append_vertex(vertex);
            facets[i] = facet;
            is_top = !is_top;
        }
        for facet in facets {
            let others = facets.iter().copied().filter(|f| *f != facet);
            self[facet].neighbors.extend(others);
        }
    }

    /// Computes the planes so that the interior is below all of them.
    fn orient_simplex(&mut self) -> Result<(), HullError> {
        let limit = self.tolerance.distance;
        let facets = self.listed_facets();
        let first = facets[0];
        self.set_plane(first);
        self[first].is_flipped = false;
        if self.distance(self.interior, first) > limit {
            for &facet in &facets {
                self[facet].is_top_oriented ^= true;
            }
            self.set_plane(first);
        }
        for &facet in &facets[1..] {
            self.set_plane(facet);
        }
        for &facet in &facets {
            self[facet].is_flipped = false;
            if self.distance(self.interior, facet) > limit {
                for &facet in &facets {
                    self[facet].is_flipped = false;
                    self[facet].is_top_oriented ^= true;
                    self.face_outside(facet);
                }
                break;
            }
        }
        let mut smallest_cosine = f64::MAX;
        for &facet in &facets {
            if !self.check_flipped(facet) {
                return Err(HullError::Flat);
            }
            for &neighbor in &self[facet].neighbors {
                let (a, b) = (self[facet].normal, self[neighbor].normal);
                let cosine = 0.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                if smallest_cosine > cosine {
                    smallest_cosine = cosine;
                }
            }
        }
        self.is_narrow = smallest_cosine < NARROW_ANGLE;

        // Every corner must be clearly below the facet opposite.
        for &facet in &facets {
            let facet = &self[facet];
            for (&vertex, &neighbor) in facet.vertices.iter().zip(&facet.neighbors) {
                if self.distance(self.point_of(vertex), neighbor) >= -limit {
                    return Err(HullError::Flat);
                }
            }
        }
        Ok(())
    }

    /// All facets in the order of the list.
    pub fn listed_facets(&self) -> Vec<FacetId> {
        let mut facets = Vec::with_capacity(self.facet_count);
        let mut facet = self.facet_list;
        while self.is_listed(facet) {
            facets.push(facet);
            facet = self[facet].next;
        }
        facets
    }
}

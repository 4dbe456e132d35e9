//! Signed distances stored at the corners of an octree's cells.
//!
//! Inside the tree's box the distance is interpolated linearly in each direction; outside, the
//! distance to the box is added to that of the nearest point of the box.

use sinew_math::{Real, Vec3};

/// An octree; node 0 is the root.
#[derive(Clone, Copy, Debug)]
pub struct Octree<'a> {
    /// Children of each node, −1: none. x runs fastest.
    pub child: &'a [[i32; 8]],
    /// Box of each node: centre, half sizes.
    pub aabb: &'a [[f64; 6]],
    /// Distances at the corners of each node. x runs fastest.
    pub coeff: &'a [[f64; 8]],
}

/// No tree is deeper.
const MOST_LEVELS: usize = 100;
/// A point this far outside of a cell still belongs to it.
const SLACK: f64 = 1e-8;
/// Points outside are moved this far into the box.
const INSET: f64 = 1e-6;

impl Octree<'_> {
    /// Distance of a point; `None` if the tree is broken.
    pub fn distance(&self, point: Vec3) -> Option<f64> {
        let (inside, beyond) = project(point, self.aabb.first()?);
        let (node, coordinates) = self.leaf(inside)?;
        let along = |axis: usize, is_far: bool| {
            if is_far {
                coordinates[axis]
            } else {
                1.0 - coordinates[axis]
            }
        };
        let mut distance = 0.0;
        for (corner, value) in self.coeff.get(node)?.iter().enumerate() {
            let weight =
                along(0, corner & 1 != 0) * along(1, corner & 2 != 0) * along(2, corner & 4 != 0);
            distance += weight * value;
        }
        Some(if beyond > 0.0 {
            distance + beyond
        } else {
            distance
        })
    }

    /// The leaf that contains a point, and the point's place in it from 0 to 1.
    fn leaf(&self, point: Vec3) -> Option<(usize, [f64; 3])> {
        let mut node = 0;
        for _ in 0..MOST_LEVELS {
            let aabb = self.aabb.get(node)?;
            let mut coordinates = [0.0; 3];
            for k in 0..3 {
                let (low, high) = (aabb[k] - aabb[3 + k], aabb[k] + aabb[3 + k]);
                if point[k] + SLACK < low || point[k] - SLACK > high {
                    return None;
                }
                coordinates[k] = (point[k] - low) / (high - low);
            }
            let children = self.child.get(node)?;
            if children.iter().all(|&child| child == -1) {
                return Some((node, coordinates));
            }
            let octant = (0..3)
                .filter(|&k| coordinates[k] >= 0.5)
                .map(|k| 1 << k)
                .sum::<usize>();
            node = usize::try_from(children[octant]).ok()?;
        }
        None
    }
}

/// The point moved into a box, and its distance from the box (not above 0: it was inside).
fn project(mut point: Vec3, aabb: &[f64; 6]) -> (Vec3, f64) {
    let from_centre = Vec3([point[0] - aabb[0], point[1] - aabb[1], point[2] - aabb[2]]);
    let beyond = Vec3([
        from_centre[0].abs() - aabb[3],
        from_centre[1].abs() - aabb[4],
        from_centre[2].abs() - aabb[5],
    ]);
    if (0..3).all(|k| beyond[k] <= 0.0) {
        return (point, beyond[0].max(beyond[1].max(beyond[2])));
    }
    let mut squared = 0.0;
    for k in 0..3 {
        if beyond[k] >= 0.0 {
            squared += beyond[k] * beyond[k];
            let inwards = beyond[k] + INSET;
            point[k] -= if from_centre[k] > 0.0 {
                inwards
            } else {
                -inwards
            };
        }
    }
    (point, Real::sqrt(squared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::vec3;

    #[test]
    fn a_linear_function_is_interpolated_exactly_and_continued_outside() {
        // One cell from −1 to 1 with the values of 2x + y − z at its corners.
        let mut corners = [0.0; 8];
        for (corner, value) in corners.iter_mut().enumerate() {
            let at = |bit: usize| if corner & bit != 0 { 1.0 } else { -1.0 };
            *value = 2.0 * at(1) + at(2) - at(4);
        }
        let tree = Octree {
            child: &[[-1; 8]],
            aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]],
            coeff: &[corners],
        };
        let inside = tree.distance(vec3(0.5, -0.25, 0.125)).unwrap();
        assert!((inside - 0.625).abs() < 1e-15);
        let outside = tree.distance(vec3(4.0, 0.0, 0.0)).unwrap();
        assert!((outside - 5.0).abs() < 1e-5);
    }

    #[test]
    fn a_broken_tree_gives_nothing() {
        let tree = Octree {
            child: &[[7; 8]],
            aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]],
            coeff: &[[0.0; 8]],
        };
        assert_eq!(tree.distance(Vec3::ZERO), None);
    }
}

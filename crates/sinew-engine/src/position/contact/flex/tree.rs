//! Two bounding-volume trees, descended together.
//!
//! Boxes of a body stand in its frame, boxes of a flex along the axes of the world; each is its centre and half
//! sizes. Conforms to `mj_collideTree`.

use sinew_math::{Mat3, Vec3};
use sinew_model::Model;

/// Sizes from here on count as infinite.
const INFINITE: f64 = 1e10;

/// Nodes of one tree, parents before children.
#[derive(Clone, Copy)]
pub(super) struct Tree<'a> {
    /// The children of each node; −1: none.
    pub children: &'a [[i32; 2]],
    /// What a leaf holds.
    pub objects: &'a [i32],
    pub boxes: &'a [[f64; 6]],
}

impl<'a> Tree<'a> {
    /// The tree over the geoms of a body.
    pub fn of_body(model: &'a Model, body: usize) -> Option<Self> {
        let root = usize::try_from(model.body_bvhadr[body]).ok()?;
        let end = root + model.body_bvhnum[body] as usize;
        Some(Tree {
            children: &model.bvh_child[root..end],
            objects: &model.bvh_nodeid[root..end],
            boxes: &model.bvh_aabb[root..end],
        })
    }

    fn is_leaf(&self, node: i32) -> bool {
        self.children[node as usize] == [-1, -1]
    }

    /// What decides which of two nodes is opened. The reference takes centre and half sizes for corners.
    fn extent(&self, node: i32) -> f64 {
        let b = &self.boxes[node as usize];
        let (x, y, z) = (b[3] - b[0], b[4] - b[1], b[5] - b[2]);
        x * y + y * z + z * x
    }
}

/// Visits the pairs of leaves, given as nodes and objects, that are reached through pairs of nodes that are wanted and
/// whose boxes meet. The last pair that was noted is opened first.
pub(super) fn descend(
    [first, second]: [&Tree<'_>; 2],
    stack: &mut Vec<[i32; 2]>,
    wanted: impl Fn(i32, i32) -> bool,
    mut meet: impl FnMut(&[f64; 6], &[f64; 6]) -> bool,
    mut visit: impl FnMut([usize; 2], [usize; 2]),
) {
    stack.clear();
    stack.push([0, 0]);
    while let Some([node1, node2]) = stack.pop() {
        if !wanted(node1, node2) {
            continue;
        }
        let (is_leaf1, is_leaf2) = (first.is_leaf(node1), second.is_leaf(node2));
        let nodes = [node1 as usize, node2 as usize];
        if is_leaf1 && is_leaf2 {
            let objects = [first.objects[nodes[0]], second.objects[nodes[1]]];
            if objects.iter().all(|object| *object >= 0) {
                visit(nodes, objects.map(|object| object as usize));
            }
            continue;
        }
        if !meet(&first.boxes[nodes[0]], &second.boxes[nodes[1]]) {
            continue;
        }
        let opens_first = !is_leaf1 && (is_leaf2 || first.extent(node1) > second.extent(node2));
        let children = match opens_first {
            true => first.children[nodes[0]].map(|child| [child, node2]),
            false => second.children[nodes[1]].map(|child| [node1, child]),
        };
        let exists = |pair: &[i32; 2]| pair.iter().all(|node| *node >= 0);
        stack.extend(children.into_iter().filter(exists));
    }
}

/// Whether two boxes along the axes of the world come closer than the margin.
#[inline]
pub(super) fn boxes_meet(first: &[f64; 6], second: &[f64; 6], margin: f64) -> bool {
    let ends_before =
        |a: &[f64; 6], b: &[f64; 6], k: usize| a[k] + a[k + 3] + margin < b[k] - b[k + 3];
    !(0..3).any(|k| ends_before(first, second, k) || ends_before(second, first, k))
}

/// Whether the box around a sphere meets a box along the axes of the world.
#[inline]
pub(super) fn sphere_meets(centre: Vec3, radius: f64, around: &[f64; 6]) -> bool {
    !(0..3).any(|k| {
        centre[k] + radius < around[k] - around[k + 3]
            || centre[k] - radius > around[k] + around[k + 3]
    })
}

/// A frame whose boxes are compared with boxes along the axes of the world.
pub(super) struct Oriented {
    axes: [Vec3; 3],
    /// Products of each axis with all.
    products: [Vec3; 3],
    origin: Vec3,
    /// Where the origin is along the axes.
    along: Vec3,
}

impl Oriented {
    pub fn new(origin: Vec3, mat: &Mat3) -> Self {
        let axes = [0, 1, 2].map(|k| mat.column(k));
        Oriented {
            axes,
            products: axes.map(|axis| Vec3(axes.map(|other| other.dot(axis)))),
            origin,
            along: Vec3(axes.map(|axis| origin.dot(axis))),
        }
    }

    /// Whether a box of this frame comes closer than the margin to a box of the world.
    pub fn node_meets(&self, own: &[f64; 6], other: &[f64; 6], margin: f64) -> bool {
        let (centre, half) = halves(own);
        let along_own = |k: usize| centre.dot(self.products[k]) + self.along[k];
        let along_world = |k: usize| centre.dot(self.row(k)) + self.origin[k];
        self.meets(along_own, along_world, half, other, margin)
    }

    /// The same for the box of a geom, whose centre is placed before it is compared.
    pub fn leaf_meets(&self, own: &[f64; 6], other: &[f64; 6], margin: f64) -> bool {
        let (centre, half) = halves(own);
        let place = |k: usize| self.row(k).dot(centre) + self.origin[k];
        let centre = Vec3([place(0), place(1), place(2)]);
        let along_own = |k: usize| centre.dot(self.axes[k]);
        self.meets(along_own, |k| centre[k], half, other, margin)
    }

    /// What an axis of the world is in this frame.
    fn row(&self, k: usize) -> Vec3 {
        Vec3(self.axes.map(|axis| axis[k]))
    }

    /// Tests a box, given by its place along the axes and its half sizes, along both boxes' face normals. A direction
    /// says nothing about a volume that is infinite across it.
    fn meets(
        &self,
        along_own: impl Fn(usize) -> f64,
        along_world: impl Fn(usize) -> f64,
        half: Vec3,
        other: &[f64; 6],
        margin: f64,
    ) -> bool {
        let (centre, other_half) = halves(other);
        let is_infinite = half.map(|h| h >= INFINITE);
        if is_infinite == [true; 3] {
            return true;
        }
        let is_apart = |place: f64, other: f64, reach: f64| reach + margin < (other - place).abs();
        let along_axis = |k: usize| {
            let reach = extent(half, self.products[k]) + extent(other_half, self.axes[k]);
            is_apart(along_own(k), centre.dot(self.axes[k]), reach)
        };
        let along_world = |k: usize| {
            let reach = extent(half, self.row(k)) + other_half[k];
            is_apart(along_world(k), centre[k], reach)
        };
        let is_bounded = is_infinite == [false; 3];
        !((0..3).any(along_axis) || is_bounded && (0..3).any(along_world))
    }
}

fn halves(around: &[f64; 6]) -> (Vec3, Vec3) {
    let [x, y, z, a, b, c] = *around;
    (Vec3([x, y, z]), Vec3([a, b, c]))
}

/// How far half sizes reach along a direction, given in their frame.
fn extent(half: Vec3, direction: Vec3) -> f64 {
    (half[0] * direction[0]).abs() + (half[1] * direction[1]).abs() + (half[2] * direction[2]).abs()
}

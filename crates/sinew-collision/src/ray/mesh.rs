//! Rays against triangle meshes, through a tree of bounding boxes.

use super::{Across, Hit, Pose, Ray, cuboid, into_world, nearer, triangle};
use sinew_math::Vec3;

/// The triangles of a mesh and their bounding boxes, in the mesh's frame.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub struct MeshTree<'a> {
    /// Corner positions.
    pub vertices: &'a [[f32; 3]],
    /// Corners of each triangle.
    pub faces: &'a [[i32; 3]],
    /// Centre and half sizes of each node's box.
    pub boxes: &'a [[f64; 6]],
    /// Children of each node; −1: none.
    pub children: &'a [[i32; 2]],
    /// Triangle of each leaf; −1: not a leaf.
    pub leaf_faces: &'a [i32],
}

/// Half sizes of the box around the mesh, for a first test.
#[cfg(feature = "std")]
#[doc(alias = "mj_rayMesh")]
pub fn mesh(
    ray: &Ray,
    pose: Pose<'_>,
    size: [f64; 3],
    tree: MeshTree<'_>,
    stack: &mut Vec<i32>,
) -> Option<Hit> {
    let mut way = Way::new(ray, pose, size)?;
    stack.clear();
    stack.push(0);
    while let Some(node) = stack.pop() {
        let node = node as usize;
        if !way.meets_box(&tree.boxes[node]) {
            continue;
        }
        match usize::try_from(tree.leaf_faces[node]) {
            Ok(face) => way.add(
                tree.faces[face].map(|vertex| Vec3(tree.vertices[vertex as usize].map(f64::from))),
            ),
            Err(_) => stack.extend(tree.children[node].iter().filter(|&&child| child >= 0)),
        }
    }
    way.end(pose)
}

/// A ray on its way through the boxes and triangles of a mesh, in the mesh's frame: of triangles that are equally near the one
/// that came first counts.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    local: Ray,
    across: Across,
    hit: Option<Hit>,
}

impl Way {
    /// One that meets the box around the mesh, of the given half sizes.
    pub fn new(ray: &Ray, pose: Pose<'_>, size: [f64; 3]) -> Option<Self> {
        cuboid(ray, pose, size)?;
        let local = ray.into_frame(pose);
        Some(Way {
            local,
            across: Across::new(&local),
            hit: None,
        })
    }

    /// Whether it meets an axis-aligned box, given by centre and half sizes (the slab method).
    pub fn meets_box(&self, bounds: &[f64; 6]) -> bool {
        let ray = &self.local;
        let (mut enter, mut leave) = (0.0, f64::INFINITY);
        for k in 0..3 {
            let inverse = 1.0 / ray.direction[k];
            let low = (bounds[k] - bounds[k + 3] - ray.origin[k]) * inverse;
            let high = (bounds[k] + bounds[k + 3] - ray.origin[k]) * inverse;
            let (near, far) = if low < high { (low, high) } else { (high, low) };
            enter = if enter > near { enter } else { near };
            leave = if leave < far { leave } else { far };
        }
        enter < leave
    }

    /// Looks at a triangle.
    pub fn add(&mut self, corners: [Vec3; 3]) {
        let found = triangle(&self.local, self.across, corners);
        let found = found.filter(|hit| hit.distance >= 0.0);
        self.hit = nearer(self.hit, found);
    }

    /// Where it has met the mesh first.
    pub fn end(self, pose: Pose<'_>) -> Option<Hit> {
        into_world(self.hit, pose)
    }
}

//! Rays against triangle meshes, through a tree of bounding boxes.

use super::{Across, Hit, Pose, Ray, cuboid, into_world, nearer, triangle};
use sinew_math::Vec3;

/// The triangles of a mesh and their bounding boxes, in the mesh's frame.
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
#[doc(alias = "mj_rayMesh")]
pub fn mesh(
    ray: &Ray,
    pose: Pose<'_>,
    size: [f64; 3],
    tree: MeshTree<'_>,
    stack: &mut Vec<i32>,
) -> Option<Hit> {
    cuboid(ray, pose, size)?;
    let local = ray.into_frame(pose);
    let across = Across::new(&local);
    let mut hit = None;
    stack.clear();
    stack.push(0);
    while let Some(node) = stack.pop() {
        let node = node as usize;
        if !meets_box(&local, &tree.boxes[node]) {
            continue;
        }
        match usize::try_from(tree.leaf_faces[node]) {
            Ok(face) => {
                let corners = tree.faces[face]
                    .map(|vertex| Vec3(tree.vertices[vertex as usize].map(f64::from)));
                let found = triangle(&local, across, corners).filter(|hit| hit.distance >= 0.0);
                hit = nearer(hit, found);
            }
            Err(_) => stack.extend(tree.children[node].iter().filter(|&&child| child >= 0)),
        }
    }
    into_world(hit, pose)
}

/// Whether a ray meets an axis-aligned box (the slab method).
fn meets_box(ray: &Ray, bounds: &[f64; 6]) -> bool {
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

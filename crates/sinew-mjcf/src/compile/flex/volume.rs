//! Boxes around the elements, their tree, and the vertices within the box around all.

use super::{Fault, Written};
use crate::asset::pace::{Late, Pace};
use sinew_collision::bvh::{self, Bvh, Element};
use sinew_math::{MIN_VALUE, Quat, Vec3};

/// What the box around an element takes, in bytes that are read meanwhile.
const BOX: usize = 64;

/// The tree of the elements that may collide: of a solid only those near its surface.
pub fn build(
    written: &Written,
    world: &[Vec3],
    elements: &[i32],
    layers: &[i32],
    pace: &Pace,
) -> Result<Bvh, Fault> {
    let dim = written.dim;
    let mut boxes = Vec::with_capacity(layers.len());
    for (id, corners) in elements.chunks_exact(dim + 1).enumerate() {
        pace.after(BOX)?;
        if dim == 3 && layers[id] >= written.contact.activelayers {
            continue;
        }
        let (mut low, mut high) = (world[corners[0] as usize], world[corners[0] as usize]);
        for corner in &corners[1..] {
            let corner = world[*corner as usize];
            for axis in 0..3 {
                low[axis] = low[axis].min(corner[axis]);
                high[axis] = high[axis].max(corner[axis]);
            }
        }
        let centre = [0, 1, 2].map(|k| 0.5 * (high[k] + low[k]));
        let half = [0, 1, 2].map(|k| 0.5 * (high[k] - low[k]) + written.radius);
        boxes.push(Element {
            id: id as i32,
            pos: Vec3(centre),
            quat: None,
            aabb: [centre[0], centre[1], centre[2], half[0], half[1], half[2]],
        });
    }
    if boxes.is_empty() {
        return Err(Fault::new(
            written.place,
            "activelayers",
            "no element of the solid is active",
            "activelayers counts from 1, the elements at the surface; a solid whose faces all belong to two elements has none",
        ));
    }
    let mut goes_on = || pace.look().is_ok();
    let tree = bvh::build_while(&boxes, Vec3::ZERO, Quat::IDENTITY, &mut goes_on);
    Ok(tree.ok_or(Late)?)
}

/// Half sizes of the box around all vertices, and where these lie in it, 0 to 1 along each axis.
pub fn relative(world: &[Vec3], volumes: &Bvh, radius: f64) -> ([f64; 3], Vec<Vec3>) {
    let root = volumes.aabb[0];
    let size = [root[3] - radius, root[4] - radius, root[5] - radius];
    let within = |vertex: &Vec3| {
        Vec3([0, 1, 2].map(|k| {
            if size[k] > MIN_VALUE {
                (vertex[k] - root[k]) / (2.0 * size[k]) + 0.5
            } else {
                0.5
            }
        }))
    };
    (size, world.iter().map(within).collect())
}

//! Triangles of shapes, in their own coordinates.

mod field;
mod mesh;
mod unit;

pub(crate) use field::field;
pub(crate) use mesh::{hull, mesh};
pub(crate) use unit::{Unit, grid, units};

use crate::scene::Corner;
use std::collections::BTreeMap;

/// Triangles, three corners each, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triangles {
    pub corners: Vec<Corner>,
    /// Places of the corners, each once, and which one each corner has.
    pub points: Vec<[f32; 3]>,
    pub order: Vec<u32>,
    /// Whether corners say where in the texture they are.
    pub has_texture: bool,
    /// Edges of each triangle that are none of the shape, a bit each, from the edge between the first two corners on;
    /// empty: there are none.
    pub inner_edges: Vec<u8>,
}

/// Edges of a triangle: between the first two corners, the last two, and the last and the first.
const FIRST: u8 = 1;
const MIDDLE: u8 = 2;
const LAST: u8 = 4;

impl Triangles {
    /// Adds triangles of another shape.
    fn append(&mut self, other: Triangles) {
        self.inner_edges.resize(self.corners.len() / 3, 0);
        self.inner_edges.extend(&other.inner_edges);
        self.corners.extend(other.corners);
    }

    fn push(&mut self, corners: [([f32; 3], [f32; 3]); 3]) {
        for (position, normal) in corners {
            self.corners.push(Corner {
                position,
                normal,
                texture: [0.0; 2],
            });
        }
    }

    /// Lists places that several corners have once.
    fn share(&mut self) {
        let mut known = BTreeMap::new();
        for corner in &self.corners {
            let bits = corner.position.map(f32::to_bits);
            let number = *known.entry(bits).or_insert_with(|| {
                self.points.push(corner.position);
                self.points.len() as u32 - 1
            });
            self.order.push(number);
        }
    }

    /// Two triangles; the corners go around.
    fn push_quad(&mut self, corners: [([f32; 3], [f32; 3]); 4]) {
        let [a, b, c, d] = corners;
        self.push_marked([a, b, c], LAST);
        self.push_marked([a, c, d], FIRST);
    }

    /// A triangle some of whose edges are none of the shape.
    fn push_marked(&mut self, corners: [([f32; 3], [f32; 3]); 3], inner_edges: u8) {
        self.inner_edges.resize(self.corners.len() / 3, 0);
        self.inner_edges.push(inner_edges);
        self.push(corners);
    }
}

/// The normal of a triangle.
fn normal(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f32; 3] {
    let e = |p: [f32; 3], q: [f32; 3]| [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
    let (u, v) = (e(a, b), e(a, c));
    let n = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if length > 0.0 {
        n.map(|x| x / length)
    } else {
        [0.0, 0.0, 1.0]
    }
}

//! The edges of a hull, laid out for climbing.
//!
//! The vertex farthest along a direction is found by walking from neighbour to higher neighbour.
//! That walk reads, for each vertex it visits, the coordinates of all its neighbours and nothing
//! else, so they are stored side by side: four neighbours in a block of one cache line, whose
//! heights are computed together. Blocks that are not full repeat their first neighbour.

use sinew_math::Vec3;

/// Marks the end of a block that is not full.
const NONE: u32 = u32::MAX;

/// Up to four neighbours of a vertex.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Block {
    x: [f32; 4],
    y: [f32; 4],
    z: [f32; 4],
    /// Place of each neighbour in the hull.
    vertex: [u32; 4],
}

/// The hull graph of one mesh. Vertices are numbered by their place in the hull.
#[derive(Clone, Debug)]
pub struct Hull {
    /// First block of each vertex, and the one after its last.
    range: Vec<[u32; 2]>,
    blocks: Vec<Block>,
    /// The mesh vertex of each hull vertex.
    ids: Vec<u32>,
    /// Centre and half sizes of the box around the hull.
    bounds: [Vec3; 2],
}

impl Hull {
    /// Reads a compiled hull graph: counts, edge addresses, mesh vertices, edges ending in −1.
    /// `None` where there is no graph, or none that fits the vertices.
    pub fn new(vertices: &[[f32; 3]], graph: &[i32]) -> Option<Hull> {
        let count = usize::try_from(*graph.first()?).ok()?;
        let (addresses, rest) = graph.get(2..)?.split_at_checked(count)?;
        let (globals, edges) = rest.split_at_checked(count)?;
        let is_vertex = |id: &u32| (*id as usize) < vertices.len();
        let ids: Option<Vec<u32>> = globals
            .iter()
            .map(|id| u32::try_from(*id).ok().filter(is_vertex))
            .collect();
        let ids = ids.filter(|ids| !ids.is_empty())?;
        let mut hull = Hull {
            range: Vec::with_capacity(count),
            blocks: Vec::new(),
            bounds: bounds(ids.iter().map(|id| vertices[*id as usize])),
            ids,
        };
        for &address in addresses {
            let start = hull.blocks.len();
            let own = edges.get(usize::try_from(address).ok()?..)?;
            let neighbours = own.iter().map_while(|edge| u32::try_from(*edge).ok());
            for (k, neighbour) in neighbours.enumerate() {
                let [x, y, z] = vertices[*hull.ids.get(neighbour as usize)? as usize];
                if k % 4 == 0 {
                    hull.blocks.push(Block {
                        x: [x; 4],
                        y: [y; 4],
                        z: [z; 4],
                        vertex: [NONE; 4],
                    });
                }
                let block = &mut hull.blocks[start + k / 4];
                (block.x[k % 4], block.y[k % 4], block.z[k % 4]) = (x, y, z);
                block.vertex[k % 4] = neighbour;
            }
            let range = [start, hull.blocks.len()].map(u32::try_from);
            hull.range.push([range[0].ok()?, range[1].ok()?]);
        }
        Some(hull)
    }

    /// The mesh vertex of a hull vertex.
    #[inline]
    pub fn id(&self, vertex: usize) -> usize {
        self.ids[vertex] as usize
    }

    /// Centre and half sizes of the box around the hull.
    #[inline]
    pub(super) fn bounds(&self) -> [Vec3; 2] {
        self.bounds
    }

    /// A neighbour of a hull vertex, in the order of the graph; after the last `None`.
    #[inline]
    pub fn neighbour(&self, vertex: usize, k: usize) -> Option<usize> {
        let block = self.blocks(vertex).get(k / 4)?;
        let neighbour = block.vertex[k % 4];
        (neighbour != NONE).then_some(neighbour as usize)
    }

    #[inline]
    fn blocks(&self, vertex: usize) -> &[Block] {
        let [start, end] = self.range[vertex];
        &self.blocks[start as usize..end as usize]
    }

    /// Walks from a vertex, as long as a neighbour rises above `highest`, always to the first of
    /// the highest.
    #[inline]
    pub(super) fn climb(&self, start: usize, highest: f64, direction: Vec3) -> usize {
        let [x, y, z] = direction.0;
        self.walk(start, highest, x, y, z)
    }

    /// The components come one by one, in registers, so that the compiler multiplies each with a
    /// row of a block rather than two of them with a column.
    #[inline(never)]
    fn walk(&self, start: usize, mut highest: f64, x: f64, y: f64, z: f64) -> usize {
        let mut best = start;
        loop {
            let from = best;
            for block in self.blocks(from) {
                let mut height = [0.0; 4];
                for k in 0..4 {
                    height[k] = x * f64::from(block.x[k])
                        + y * f64::from(block.y[k])
                        + z * f64::from(block.z[k]);
                }
                let top = greater(greater(height[0], height[2]), greater(height[1], height[3]));
                if top > highest {
                    highest = top;
                    let k = height.iter().position(|h| *h == top).unwrap_or(0);
                    best = block.vertex[k] as usize;
                }
            }
            if best == from {
                return best;
            }
        }
    }
}

/// Centre and half sizes of the box around some points.
fn bounds(points: impl Iterator<Item = [f32; 3]>) -> [Vec3; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in points {
        for k in 0..3 {
            low[k] = low[k].min(f64::from(point[k]));
            high[k] = high[k].max(f64::from(point[k]));
        }
    }
    let centre = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
    let half = [0, 1, 2].map(|k| (high[k] - centre[k]).max(centre[k] - low[k]));
    [Vec3(centre), Vec3(half)]
}

/// The greater of two numbers, in a form that compiles to one instruction.
#[inline]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

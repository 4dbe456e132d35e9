//! The surface of a flex, how deep elements lie below it, and which vertices face which elements.
//!
//! Every element has fragments: its ends, edges or faces. A fragment of one element alone lies on the
//! surface; one of two elements connects them.

use crate::asset::pace::{Late, Pace};
use std::collections::VecDeque;

/// Surface, layers and pairs.
pub struct Shell {
    /// Corners of the fragments on the surface, as their elements list them.
    pub surface: Vec<i32>,
    /// Elements between each element of a solid and the surface; 0 for all others.
    pub layers: Vec<i32>,
    /// Element and vertex of neighbours at the border of a line or cloth.
    pub pairs: Vec<[i32; 2]>,
}

/// A fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fragment {
    /// Its vertices in ascending order; −1 beyond them.
    sorted: [i32; 3],
    element: i32,
    /// Its vertices as the element lists them; −1 beyond them.
    corners: [i32; 3],
}

/// What it takes to put a fragment in its place among many, in bytes that are read meanwhile.
const FRAGMENT: usize = 32;

/// Two elements with a fragment in common.
struct Connection {
    elements: [i32; 2],
    fragment: [i32; 3],
}

impl Shell {
    /// Finds the surface of elements between so many vertices, as long as there is time.
    pub fn find(elements: &[i32], dim: usize, vertices: usize, pace: &Pace) -> Result<Shell, Late> {
        let fragments = fragments(elements, dim, pace)?;
        let order = in_order(&fragments, dim, vertices, pace)?;
        let mut is_border = vec![false; elements.len() / (dim + 1)];
        let mut connections = Vec::new();
        let mut surface = Vec::new();
        let at = |id: &u32| &fragments[*id as usize];
        for group in order.chunk_by(|a, b| at(a).sorted == at(b).sorted) {
            pace.after(FRAGMENT * group.len())?;
            if let [id] = group {
                let fragment = at(id);
                is_border[fragment.element as usize] = true;
                surface.extend_from_slice(&fragment.corners[..dim]);
            }
            connections.extend(group.windows(2).map(|pair| Connection {
                elements: [at(&pair[0]).element, at(&pair[1]).element],
                fragment: at(&pair[0]).sorted,
            }));
        }
        let layers = if dim < 3 {
            vec![0; is_border.len()]
        } else {
            layers(&is_border, &connections, pace)?
        };
        let pairs = if dim < 3 {
            pairs(elements, dim, &is_border, &connections, pace)?
        } else {
            Vec::new()
        };
        Ok(Shell {
            surface,
            layers,
            pairs,
        })
    }
}

fn fragments(elements: &[i32], dim: usize, pace: &Pace) -> Result<Vec<Fragment>, Late> {
    let mut out = Vec::with_capacity(elements.len());
    for (element, corners) in elements.chunks_exact(dim + 1).enumerate() {
        pace.after(FRAGMENT * corners.len())?;
        let mut add = |corners: [i32; 3]| {
            let mut sorted = corners;
            sorted[..dim].sort_unstable();
            out.push(Fragment {
                sorted,
                element: element as i32,
                corners,
            });
        };
        match *corners {
            [a, b] => {
                add([a, -1, -1]);
                add([b, -1, -1]);
            }
            [a, b, c] => {
                add([a, b, -1]);
                add([c, a, -1]);
                add([b, c, -1]);
            }
            [a, b, c, d] => {
                add([a, b, c]);
                add([a, d, b]);
                add([a, c, d]);
                add([b, d, c]);
            }
            _ => {}
        }
    }
    Ok(out)
}

/// The fragments in the order of their vertices, those with the same ones in the order of their elements: put in order by the
/// last vertex first, each time leaving alone what is equal.
fn in_order(
    fragments: &[Fragment],
    dim: usize,
    vertices: usize,
    pace: &Pace,
) -> Result<Vec<u32>, Late> {
    let mut order: Vec<u32> = (0..fragments.len() as u32).collect();
    let mut sorted = vec![0; order.len()];
    for key in (0..dim).rev() {
        let vertex = |fragment: &Fragment| fragment.sorted[key] as usize;
        let mut next = vec![0_usize; vertices + 1];
        for fragment in fragments {
            next[vertex(fragment) + 1] += 1;
        }
        for index in 0..vertices {
            next[index + 1] += next[index];
        }
        for &id in &order {
            pace.after(FRAGMENT)?;
            let place = &mut next[vertex(&fragments[id as usize])];
            sorted[*place] = id;
            *place += 1;
        }
        core::mem::swap(&mut order, &mut sorted);
    }
    Ok(order)
}

/// Distances from the border in the graph of connections; one more than there are elements where no
/// border can be reached.
fn layers(is_border: &[bool], connections: &[Connection], pace: &Pace) -> Result<Vec<i32>, Late> {
    let count = is_border.len();
    let mut starts = vec![0_usize; count + 1];
    for connection in connections {
        for element in connection.elements {
            starts[element as usize + 1] += 1;
        }
    }
    for index in 0..count {
        starts[index + 1] += starts[index];
    }
    let mut next = starts.clone();
    let mut neighbours = vec![0_i32; 2 * connections.len()];
    for connection in connections {
        pace.after(FRAGMENT)?;
        let [a, b] = connection.elements;
        for (from, to) in [(a, b), (b, a)] {
            neighbours[next[from as usize]] = to;
            next[from as usize] += 1;
        }
    }
    let mut layers = vec![count as i32 + 1; count];
    let mut queue = VecDeque::new();
    for (element, _) in is_border.iter().enumerate().filter(|(_, border)| **border) {
        layers[element] = 0;
        queue.push_back(element);
    }
    while let Some(element) = queue.pop_front() {
        let neighbours = &neighbours[starts[element]..starts[element + 1]];
        pace.after(FRAGMENT * (1 + neighbours.len()))?;
        for &neighbour in neighbours {
            if layers[neighbour as usize] > layers[element] + 1 {
                layers[neighbour as usize] = layers[element] + 1;
                queue.push_back(neighbour as usize);
            }
        }
    }
    Ok(layers)
}

/// Across every connection at the border, each element with the vertex of the other that is not in common.
fn pairs(
    elements: &[i32],
    dim: usize,
    is_border: &[bool],
    connections: &[Connection],
    pace: &Pace,
) -> Result<Vec<[i32; 2]>, Late> {
    let mut out = Vec::new();
    for Connection {
        elements: [a, b],
        fragment,
    } in connections
    {
        pace.after(FRAGMENT)?;
        if !is_border[*a as usize] && !is_border[*b as usize] {
            continue;
        }
        for (element, other) in [(a, b), (b, a)] {
            let start = *element as usize * (dim + 1);
            let corners = &elements[start..start + dim + 1];
            let apart = corners
                .iter()
                .find(|corner| !fragment[..dim].contains(corner));
            if let Some(apart) = apart {
                out.push([*other, *apart]);
            }
        }
    }
    Ok(out)
}

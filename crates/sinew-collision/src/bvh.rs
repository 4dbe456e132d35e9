//! Static bounding-volume trees, for the faces of a mesh and for the geoms of a body.
//!
//! Every node is an axis-aligned box (centre, half sizes) around its elements, in the frame of
//! the tree. A node with more than one element is split at the median of the element positions
//! along its longest side; the lower half is the first child. Nodes are numbered depth first.
//! Conforms to `mjCBoundingVolumeHierarchy::MakeBVH`.

mod select;

use sinew_math::{Quat, Vec3, quotient::EPSILON};

/// One element of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// What a leaf reports: the number of the face or geom.
    pub id: i32,
    /// Position that decides on which side of a split the element goes.
    pub pos: Vec3,
    /// Orientation of `aabb`; `None` means the box is already in the frame of the tree.
    pub quat: Option<Quat>,
    /// Centre and half sizes of the element, in its own frame if `quat` is given.
    pub aabb: [f64; 6],
}

/// A bounding-volume tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// Depth of each node; the root has 0.
    pub depth: Vec<i32>,
    /// Children of each node; −1 for none.
    pub child: Vec<[i32; 2]>,
    /// Element of a leaf; −1 for inner nodes.
    pub nodeid: Vec<i32>,
    /// Centre and half sizes of each node.
    pub aabb: Vec<[f64; 6]>,
}

/// An element with its position in the frame of the tree; `order` breaks ties.
#[derive(Clone, Copy)]
struct Entry {
    order: usize,
    local: Vec3,
}

/// Builds the tree of `elements` in the frame (`pos`, `quat`).
pub fn build(elements: &[Element], pos: Vec3, quat: Quat) -> Bvh {
    build_while(elements, pos, quat, &mut || true).unwrap_or_default()
}

/// The same, as long as who is asked now and then wants it; then `None`.
pub fn build_while(
    elements: &[Element],
    pos: Vec3,
    quat: Quat,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Bvh> {
    let inverse = quat.conjugate();
    let mut entries: Vec<Entry> = elements
        .iter()
        .enumerate()
        .map(|(order, element)| Entry {
            order,
            local: rotate(inverse, element.pos - pos),
        })
        .collect();
    let boxes: Vec<[f64; 6]> = elements
        .iter()
        .map(|element| extent(element, pos, inverse))
        .collect();
    let count = (2 * elements.len()).saturating_sub(1);
    let mut bvh = Bvh {
        depth: Vec::with_capacity(count),
        child: Vec::with_capacity(count),
        nodeid: Vec::with_capacity(count),
        aabb: Vec::with_capacity(count),
    };
    if !entries.is_empty() {
        node(&mut bvh, elements, &boxes, &mut entries, 0, goes_on)?;
    }
    Some(bvh)
}

/// Nodes of fewer elements are made without a question.
const ASKED: usize = 1024;

/// Adds the node of `entries` and everything below it; the depth is logarithmic because every
/// split is at the median.
fn node(
    bvh: &mut Bvh,
    elements: &[Element],
    boxes: &[[f64; 6]],
    entries: &mut [Entry],
    depth: i32,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<i32> {
    if entries.len() >= ASKED && !goes_on() {
        return None;
    }
    let mut low = [f64::MAX; 3];
    let mut high = [-f64::MAX; 3];
    for entry in entries.iter() {
        let extent = &boxes[entry.order];
        for k in 0..3 {
            if extent[k] < low[k] {
                low[k] = extent[k];
            }
            if extent[k + 3] > high[k] {
                high[k] = extent[k + 3];
            }
        }
    }
    // Flat boxes get a little thickness.
    for k in 0..3 {
        if (low[k] - high[k]).abs() < EPSILON {
            low[k] -= EPSILON;
            high[k] += EPSILON;
        }
    }

    let index = bvh.depth.len();
    bvh.depth.push(depth);
    bvh.child.push([-1, -1]);
    bvh.nodeid.push(-1);
    bvh.aabb.push([
        (high[0] + low[0]) / 2.0,
        (high[1] + low[1]) / 2.0,
        (high[2] + low[2]) / 2.0,
        (high[0] - low[0]) / 2.0,
        (high[1] - low[1]) / 2.0,
        (high[2] - low[2]) / 2.0,
    ]);
    if let [entry] = entries {
        bvh.nodeid[index] = elements[entry.order].id;
        return Some(index as i32);
    }

    // The longest side, preferring x, then y, unless another is clearly longer.
    let side = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
    let mut axis = 0;
    if side[1] >= side[0] + EPSILON {
        axis = 1;
    }
    if side[2] >= side[axis] + EPSILON {
        axis = 2;
    }
    let median = entries.len() / 2;
    select::nth_element(entries, median, |a, b| {
        let (x, y) = (a.local[axis], b.local[axis]);
        if (x - y).abs() > EPSILON {
            x < y
        } else {
            a.order < b.order
        }
    });
    let (first, second) = entries.split_at_mut(median);
    let children = [
        node(bvh, elements, boxes, first, depth + 1, goes_on)?,
        node(bvh, elements, boxes, second, depth + 1, goes_on)?,
    ];
    bvh.child[index] = children;
    Some(index as i32)
}

/// Lower and upper corner of an element's box in the frame of the tree.
fn extent(element: &Element, pos: Vec3, inverse: Quat) -> [f64; 6] {
    let b = &element.aabb;
    let (low, high) = (
        [b[0] - b[3], b[1] - b[4], b[2] - b[5]],
        [b[0] + b[3], b[1] + b[4], b[2] + b[5]],
    );
    let mut result = [
        f64::MAX,
        f64::MAX,
        f64::MAX,
        -f64::MAX,
        -f64::MAX,
        -f64::MAX,
    ];
    for corner in 0..8 {
        let mut vertex = Vec3([
            if corner & 1 != 0 { high[0] } else { low[0] },
            if corner & 2 != 0 { high[1] } else { low[1] },
            if corner & 4 != 0 { high[2] } else { low[2] },
        ]);
        if let Some(quat) = element.quat {
            let offset = element.pos - pos;
            vertex = rotate(inverse, rotate(quat, vertex) + offset);
        }
        for k in 0..3 {
            if vertex[k] < result[k] {
                result[k] = vertex[k];
            }
            if vertex[k] > result[k + 3] {
                result[k + 3] = vertex[k];
            }
        }
    }
    result
}

/// Rotation that leaves zero vectors and the identity exact.
#[inline]
fn rotate(q: Quat, v: Vec3) -> Vec3 {
    if v == Vec3::ZERO {
        Vec3::ZERO
    } else if q[0] == 1.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0 {
        v
    } else {
        q.rotate(v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(id: i32, x: f64) -> Element {
        Element {
            id,
            pos: Vec3([x, 0.0, 0.0]),
            quat: Some(Quat::IDENTITY),
            aabb: [0.0, 0.0, 0.0, 0.5, 0.5, 0.5],
        }
    }

    #[test]
    fn three_cubes_in_a_row_split_at_the_median() {
        let elements = [cube(10, 4.0), cube(11, 0.0), cube(12, 2.0)];
        let bvh = build(&elements, Vec3::ZERO, Quat::IDENTITY);
        assert_eq!(bvh.nodeid, vec![-1, 11, -1, 12, 10]);
        assert_eq!(
            bvh.child,
            vec![[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]]
        );
        assert_eq!(bvh.depth, vec![0, 1, 1, 2, 2]);
        assert_eq!(bvh.aabb[0], [2.0, 0.0, 0.0, 2.5, 0.5, 0.5]);
    }

    #[test]
    fn a_large_tree_is_built_as_long_as_the_caller_wants() {
        let elements: Vec<Element> = (0..5000).map(|id| cube(id, f64::from(id))).collect();
        let build = |last: usize| {
            let mut asked = 0;
            let tree = build_while(&elements, Vec3::ZERO, Quat::IDENTITY, &mut || {
                asked += 1;
                asked <= last
            });
            (asked, tree)
        };
        let (asked, tree) = build(usize::MAX);
        assert_eq!(
            tree,
            Some(super::build(&elements, Vec3::ZERO, Quat::IDENTITY))
        );
        assert!(asked > 2);
        assert_eq!(build(asked - 1), (asked, None));
    }

    #[test]
    fn empty_tree_has_no_nodes() {
        assert_eq!(build(&[], Vec3::ZERO, Quat::IDENTITY), Bvh::default());
    }
}

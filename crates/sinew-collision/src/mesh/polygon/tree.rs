//! A search tree of normals that counts nearly equal ones as one.
//!
//! "Nearly equal" is not transitive, so which group a normal falls into depends on the path it
//! takes through the tree. The tree is therefore a red–black tree whose searches and rotations
//! are those of the C++ library the reference is built with (libc++ `std::set`), and the result
//! is the same group for the same sequence of faces. Polygons are listed in tree order.

use sinew_math::{MIN_VALUE, Vec3};

/// Cosine above which two normals are one.
const SAME_NORMAL: f64 = 0.99999872;

/// No node.
const NIL: usize = usize::MAX;

#[derive(Default)]
pub(super) struct PolygonTree {
    nodes: Vec<Node>,
    root: Option<usize>,
}

struct Node {
    normal: Vec3,
    parent: usize,
    left: usize,
    right: usize,
    is_black: bool,
}

/// Whether `a` is listed before `b`: larger x first, then y, then z.
#[inline]
fn precedes(a: Vec3, b: Vec3) -> bool {
    if a.dot(b) > SAME_NORMAL {
        return false;
    }
    for k in 0..3 {
        if (a[k] - b[k]).abs() > MIN_VALUE {
            return a[k] > b[k];
        }
    }
    false
}

impl PolygonTree {
    /// The number of the group this normal belongs to; groups are numbered as inserted.
    pub fn find(&self, normal: Vec3) -> Option<usize> {
        let mut node = self.root.unwrap_or(NIL);
        let mut bound = NIL;
        while node != NIL {
            if precedes(self.nodes[node].normal, normal) {
                node = self.nodes[node].right;
            } else {
                bound = node;
                node = self.nodes[node].left;
            }
        }
        (bound != NIL && !precedes(normal, self.nodes[bound].normal)).then_some(bound)
    }

    /// Adds a group; false when the way down meets one that counts as equal.
    pub fn insert(&mut self, normal: Vec3) -> bool {
        let new = self.nodes.len();
        let mut node = Node {
            normal,
            parent: NIL,
            left: NIL,
            right: NIL,
            is_black: false,
        };
        let Some(mut at) = self.root else {
            node.is_black = true;
            self.nodes.push(node);
            self.root = Some(new);
            return true;
        };
        loop {
            let here = &self.nodes[at];
            if precedes(normal, here.normal) {
                if here.left == NIL {
                    self.nodes[at].left = new;
                    break;
                }
                at = here.left;
            } else if precedes(here.normal, normal) {
                if here.right == NIL {
                    self.nodes[at].right = new;
                    break;
                }
                at = here.right;
            } else {
                return false;
            }
        }
        node.parent = at;
        self.nodes.push(node);
        self.rebalance(new);
        true
    }

    /// Group numbers from first to last.
    pub fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut pending = Vec::new();
        let mut node = self.root.unwrap_or(NIL);
        while node != NIL || !pending.is_empty() {
            while node != NIL {
                pending.push(node);
                node = self.nodes[node].left;
            }
            if let Some(next) = pending.pop() {
                order.push(next);
                node = self.nodes[next].right;
            }
        }
        order
    }

    fn is_left_child(&self, node: usize) -> bool {
        let parent = self.nodes[node].parent;
        parent != NIL && self.nodes[parent].left == node
    }

    /// Restores the colours on the way up from a new red leaf.
    fn rebalance(&mut self, mut node: usize) {
        while self.nodes[node].parent != NIL && !self.nodes[self.nodes[node].parent].is_black {
            // A red parent is never the root, so there is a grandparent.
            let parent = self.nodes[node].parent;
            let grandparent = self.nodes[parent].parent;
            let parent_is_left = self.is_left_child(parent);
            let uncle = if parent_is_left {
                self.nodes[grandparent].right
            } else {
                self.nodes[grandparent].left
            };
            if uncle != NIL && !self.nodes[uncle].is_black {
                self.nodes[parent].is_black = true;
                self.nodes[uncle].is_black = true;
                self.nodes[grandparent].is_black = self.nodes[grandparent].parent == NIL;
                node = grandparent;
                continue;
            }
            let mut top = parent;
            if self.is_left_child(node) != parent_is_left {
                self.rotate(parent, parent_is_left);
                top = node;
            }
            self.nodes[top].is_black = true;
            self.nodes[grandparent].is_black = false;
            self.rotate(grandparent, !parent_is_left);
            return;
        }
    }

    /// Moves `node` down to the left (or right) and its other child into its place.
    fn rotate(&mut self, node: usize, to_left: bool) {
        let (child, inner);
        if to_left {
            child = self.nodes[node].right;
            inner = self.nodes[child].left;
            self.nodes[node].right = inner;
            self.nodes[child].left = node;
        } else {
            child = self.nodes[node].left;
            inner = self.nodes[child].right;
            self.nodes[node].left = inner;
            self.nodes[child].right = node;
        }
        if inner != NIL {
            self.nodes[inner].parent = node;
        }
        let parent = self.nodes[node].parent;
        self.nodes[child].parent = parent;
        self.nodes[node].parent = child;
        if parent == NIL {
            self.root = Some(child);
        } else if self.nodes[parent].left == node {
            self.nodes[parent].left = child;
        } else {
            self.nodes[parent].right = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_stays_sorted_and_shallow() {
        let mut tree = PolygonTree::default();
        let count = 2000;
        for i in 0..count {
            // A scattered order of well-separated directions.
            let angle = ((i * 7919) % count) as f64 * (3.0 / count as f64);
            let normal = Vec3([libm::cos(angle), libm::sin(angle), 0.0]);
            if tree.find(normal).is_none() {
                assert!(tree.insert(normal));
            }
        }
        let order = tree.in_order();
        assert!(order.len() > 600);
        for pair in order.windows(2) {
            assert!(precedes(
                tree.nodes[pair[0]].normal,
                tree.nodes[pair[1]].normal
            ));
        }
        let depth = |mut node: usize| {
            let mut depth = 0;
            while node != NIL {
                node = tree.nodes[node].parent;
                depth += 1;
            }
            depth
        };
        assert!((0..tree.nodes.len()).map(depth).max().unwrap() <= 22);
    }
}

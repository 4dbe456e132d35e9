//! Brings a tree into id order after bodies or elements were added, moved or dropped.

use super::Tree;

/// Former ids of what is left, in the new order.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Bodies.
    pub bodies: Vec<usize>,
    /// Joints.
    pub joints: Vec<usize>,
    /// Geoms.
    pub geoms: Vec<usize>,
    /// Sites.
    pub sites: Vec<usize>,
    /// Cameras.
    pub cameras: Vec<usize>,
    /// Lights.
    pub lights: Vec<usize>,
}

impl Tree {
    /// Numbers the bodies that hang on the world depth-first and their elements in body order;
    /// everything else is dropped.
    pub fn renumber(&mut self) -> Order {
        let mut order = Order::default();
        let mut stack = vec![0];
        while let Some(id) = stack.pop() {
            order.bodies.push(id);
            stack.extend(self.bodies[id].children.iter().rev());
        }
        let mut new_body = vec![0; self.bodies.len()];
        for (new, &former) in order.bodies.iter().enumerate() {
            new_body[former] = new;
        }
        macro_rules! elements {
            ($($list:ident),*) => { $(
                for &body in &order.bodies {
                    let own = &mut self.bodies[body].$list;
                    let first = order.$list.len();
                    order.$list.extend_from_slice(own);
                    *own = (first..order.$list.len()).collect();
                }
                for object in &mut self.$list {
                    object.body = new_body[object.body];
                }
                self.$list = take(&mut self.$list, &order.$list);
            )* };
        }
        elements!(joints, geoms, sites, cameras, lights);
        let mut new_geom = vec![None; order.geoms.iter().max().map_or(0, |most| most + 1)];
        for (new, &former) in order.geoms.iter().enumerate() {
            new_geom[former] = Some(new);
        }
        for body in &mut self.bodies {
            for leaf in &mut body.leaves {
                *leaf = leaf.and_then(|geom| new_geom.get(geom).copied().flatten());
            }
            body.parent = new_body[body.parent];
            for child in &mut body.children {
                *child = new_body[*child];
            }
        }
        self.bodies = take(&mut self.bodies, &order.bodies);
        order
    }
}

/// The objects of a list in an order that names each at most once.
fn take<T>(list: &mut Vec<T>, order: &[usize]) -> Vec<T> {
    let list = std::mem::take(list);
    let is_same =
        order.len() == list.len() && order.iter().enumerate().all(|(new, &old)| new == old);
    if is_same {
        return list;
    }
    let mut list: Vec<Option<T>> = list.into_iter().map(Some).collect();
    order
        .iter()
        .filter_map(|&former| list[former].take())
        .collect()
}

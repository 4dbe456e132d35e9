//! How many entries the Jacobians of edges and vertices have.

use super::Compiled;
use crate::compile::tree::Tree;
use sinew_model::ModelArrays;

/// Adds the entries of one flex. Those of rigid and of interpolated flexes have none.
pub fn count(tree: &Tree, compiled: &Compiled, model: &mut ModelArrays) {
    let vertices = &compiled.vertices;
    if vertices.is_rigid || vertices.is_interpolated() {
        return;
    }
    let mut ancestors = Ancestors::new(tree);
    let body = |vertex: i32| vertices.body(vertex as usize);
    let mut neighbours = vec![Vec::new(); vertices.world.len()];
    for &[first, second] in &compiled.edges.vertices {
        model.nJfe += ancestors.dofs([body(first), body(second)]);
        neighbours[first as usize].push(body(second));
        neighbours[second as usize].push(body(first));
    }
    for (vertex, neighbours) in neighbours.into_iter().enumerate() {
        let own = core::iter::once(vertices.body(vertex));
        model.nJfv += ancestors.dofs(own.chain(neighbours));
    }
}

/// Counts degrees of freedom that move any of some bodies.
struct Ancestors<'a> {
    tree: &'a Tree,
    /// For which question each body was counted last.
    counted: Vec<usize>,
    question: usize,
}

impl<'a> Ancestors<'a> {
    fn new(tree: &'a Tree) -> Self {
        Ancestors {
            tree,
            counted: vec![0; tree.bodies.len()],
            question: 0,
        }
    }

    fn dofs(&mut self, bodies: impl IntoIterator<Item = usize>) -> usize {
        self.question += 1;
        let mut dofs = 0;
        for mut body in bodies {
            // The world is its own parent and has no degrees of freedom.
            while self.counted[body] != self.question {
                self.counted[body] = self.question;
                dofs += self.tree.bodies[body].dofs;
                body = self.tree.bodies[body].parent;
            }
        }
        dofs
    }
}

//! How many entries the Jacobians of edges and vertices have.

use super::Compiled;
use crate::asset::pace::{Late, Pace};
use crate::compile::tree::Tree;
use sinew_model::ModelArrays;

/// What it takes to visit a body, in bytes that are read meanwhile.
const BODY: usize = 16;

/// Adds the entries of one flex, as long as there is time. Those of rigid and of interpolated flexes have none.
pub fn count(
    tree: &Tree,
    compiled: &Compiled,
    model: &mut ModelArrays,
    pace: &Pace,
) -> Result<(), Late> {
    let vertices = &compiled.vertices;
    if vertices.is_rigid || vertices.is_interpolated() {
        return Ok(());
    }
    let mut ancestors = Ancestors::new(tree, pace);
    let body = |vertex: i32| vertices.body(vertex as usize);
    let mut neighbours = vec![Vec::new(); vertices.world.len()];
    for &[first, second] in &compiled.edges.vertices {
        model.nJfe += ancestors.dofs([body(first), body(second)])?;
        neighbours[first as usize].push(body(second));
        neighbours[second as usize].push(body(first));
    }
    for (vertex, neighbours) in neighbours.into_iter().enumerate() {
        let own = core::iter::once(vertices.body(vertex));
        model.nJfv += ancestors.dofs(own.chain(neighbours))?;
    }
    Ok(())
}

/// Counts degrees of freedom that move any of some bodies.
struct Ancestors<'a> {
    tree: &'a Tree,
    /// For which question each body was counted last.
    counted: Vec<usize>,
    question: usize,
    pace: &'a Pace<'a>,
}

impl<'a> Ancestors<'a> {
    fn new(tree: &'a Tree, pace: &'a Pace) -> Self {
        Ancestors {
            tree,
            counted: vec![0; tree.bodies.len()],
            question: 0,
            pace,
        }
    }

    fn dofs(&mut self, bodies: impl IntoIterator<Item = usize>) -> Result<usize, Late> {
        self.question += 1;
        let mut dofs = 0;
        for mut body in bodies {
            // The world is its own parent and has no degrees of freedom.
            while self.counted[body] != self.question {
                self.counted[body] = self.question;
                dofs += self.tree.bodies[body].dofs;
                body = self.tree.bodies[body].parent;
                self.pace.after(BODY)?;
            }
            self.pace.after(BODY)?;
        }
        Ok(dofs)
    }
}

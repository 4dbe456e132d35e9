//! In which order to eliminate the kinematic trees of a large problem, and what fills in.
//!
//! Every tree is a block: its degrees of freedom move together, so H has dense square blocks. Two
//! blocks are neighbours if a row touches both. Eliminating a block makes its neighbours neighbours
//! of each other; taking the block with the fewest neighbours next keeps that small. Neighbours are
//! bit sets, so a pile of a hundred bodies is ordered in microseconds, and the order is kept as
//! long as the contacts join the same bodies.
//! A. George and J. Liu, "The evolution of the minimum degree ordering algorithm", 1989.

use super::refill;
use crate::problem::Problem;

/// Most blocks for which neighbours are kept as bits.
pub(super) const MOST_BLOCKS: usize = 2048;

/// A block below the diagonal of a panel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Below {
    /// The block, by its place in the order.
    pub place: usize,
    /// Its first row in the panel.
    pub row: usize,
    /// Its rows.
    pub size: usize,
}

/// Columns of one block: the diagonal block on top, the blocks it fills below. Stored by column.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Panel {
    /// First degree of freedom.
    pub dof: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// First entry in the storage.
    pub start: usize,
    /// First of its blocks in the list of blocks below.
    pub below: usize,
    /// Number of blocks below.
    pub below_count: usize,
}

/// The order of elimination and the layout that follows from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// Panels by place in the order.
    pub panels: Vec<Panel>,
    /// Blocks below the diagonals, ascending by place within a panel.
    pub below: Vec<Below>,
    /// Place in the order of the block that a degree of freedom belongs to.
    pub place_of_dof: Vec<u32>,
    /// Entries of all panels.
    pub length: usize,
    first_dof: Vec<usize>,
    block_of_dof: Vec<u32>,
    words: usize,
    graph: Vec<u64>,
    known_first_dof: Vec<usize>,
    known_graph: Vec<u64>,
    fill: Vec<u64>,
    place: Vec<usize>,
    sequence: Vec<usize>,
    degree: Vec<u32>,
    touched: Vec<usize>,
}

/// The members of a bit set, ascending.
fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut rest = bits;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                word * 64 + bit
            })
        })
    })
}

/// How many blocks a problem has and the size of the largest.
pub(super) fn block_sizes(problem: &Problem<'_>) -> (usize, usize) {
    let (mut count, mut largest) = (0, 0);
    for tree in problem.tree.chunk_by(|a, b| a == b) {
        count += 1;
        largest = tree.len().max(largest);
    }
    (count, largest)
}

impl Order {
    /// Finds the order for a problem, unless the last one still fits.
    pub fn find(&mut self, problem: &Problem<'_>) {
        self.list_blocks(problem);
        self.join_neighbours(problem);
        if self.first_dof == self.known_first_dof && self.graph == self.known_graph {
            return;
        }
        self.known_first_dof.clone_from(&self.first_dof);
        self.known_graph.clone_from(&self.graph);
        self.eliminate();
        self.lay_out();
    }

    fn block_count(&self) -> usize {
        self.first_dof.len() - 1
    }

    fn list_blocks(&mut self, problem: &Problem<'_>) {
        self.first_dof.clear();
        self.block_of_dof.clear();
        for tree in problem.tree.chunk_by(|a, b| a == b) {
            let block = self.first_dof.len() as u32;
            self.first_dof.push(self.block_of_dof.len());
            let count = self.block_of_dof.len() + tree.len();
            self.block_of_dof.resize(count, block);
        }
        self.first_dof.push(self.block_of_dof.len());
    }

    fn join_neighbours(&mut self, problem: &Problem<'_>) {
        let count = self.block_count();
        self.words = count.div_ceil(64);
        refill(&mut self.graph, count * self.words, 0);
        let mut previous: &[i32] = &[];
        for i in 0..problem.row_count() {
            if problem.jacobian.repeats[i] {
                continue;
            }
            let (columns, _) = problem.jacobian.row(i);
            if columns == previous {
                continue;
            }
            previous = columns;
            self.touched.clear();
            for &column in columns {
                let block = self.block_of_dof[column as usize] as usize;
                if self.touched.last() != Some(&block) {
                    self.touched.push(block);
                }
            }
            for (k, &a) in self.touched.iter().enumerate() {
                for &b in &self.touched[..k] {
                    self.graph[a * self.words + b / 64] |= 1 << (b % 64);
                    self.graph[b * self.words + a / 64] |= 1 << (a % 64);
                }
            }
        }
    }

    /// Takes the block with the fewest neighbours until none is left. Afterwards `fill` holds for
    /// each block the later ones it is coupled to.
    fn eliminate(&mut self) {
        let (count, words) = (self.block_count(), self.words);
        self.fill.clone_from(&self.graph);
        self.degree.clear();
        let degree = |set: &[u64]| set.iter().map(|word| word.count_ones()).sum::<u32>();
        self.degree
            .extend(self.fill.chunks_exact(words).map(degree));
        refill(&mut self.place, count, usize::MAX);
        self.sequence.clear();
        for place in 0..count {
            let waiting = (0..count).filter(|block| self.place[*block] == usize::MAX);
            let Some(block) = waiting.min_by_key(|block| self.degree[*block]) else {
                break;
            };
            self.place[block] = place;
            self.sequence.push(block);
            let set = block * words..(block + 1) * words;
            self.touched.clear();
            self.touched.extend(members(&self.fill[set.clone()]));
            for &neighbour in &self.touched {
                for word in 0..words {
                    self.fill[neighbour * words + word] |= self.fill[set.start + word];
                }
                self.fill[neighbour * words + neighbour / 64] &= !(1 << (neighbour % 64));
                self.fill[neighbour * words + block / 64] &= !(1 << (block % 64));
                let own = neighbour * words..(neighbour + 1) * words;
                self.degree[neighbour] = degree(&self.fill[own]);
            }
        }
    }

    fn lay_out(&mut self) {
        self.panels.clear();
        self.below.clear();
        self.length = 0;
        let size = |block: usize| self.first_dof[block + 1] - self.first_dof[block];
        for &block in &self.sequence {
            let below = self.below.len();
            let set = &self.fill[block * self.words..(block + 1) * self.words];
            self.below.extend(members(set).map(|other| Below {
                place: self.place[other],
                row: 0,
                size: size(other),
            }));
            self.below[below..].sort_unstable_by_key(|other| other.place);
            let width = size(block);
            let mut height = width;
            for other in &mut self.below[below..] {
                other.row = height;
                height += other.size;
            }
            self.panels.push(Panel {
                dof: self.first_dof[block],
                width,
                height,
                start: self.length,
                below,
                below_count: self.below.len() - below,
            });
            self.length += width * height;
        }
        let place = |block: &u32| self.place[*block as usize] as u32;
        self.place_of_dof.clear();
        self.place_of_dof
            .extend(self.block_of_dof.iter().map(place));
    }

    /// The blocks below a panel's diagonal.
    pub fn below(&self, panel: &Panel) -> &[Below] {
        &self.below[panel.below..panel.below + panel.below_count]
    }

    /// The first row of a block in a panel that holds it.
    pub fn row_in(&self, panel: &Panel, place: usize) -> usize {
        let below = self.below(panel);
        let found = below.binary_search_by_key(&place, |other| other.place);
        found.map_or(0, |k| below[k].row)
    }
}

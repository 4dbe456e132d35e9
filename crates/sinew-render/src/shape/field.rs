//! Triangles of a height field.

use super::{Triangles, normal};
use sinew_model::Model;

/// The ground, its sides and its bottom.
pub(crate) fn field(model: &Model, id: usize) -> Triangles {
    let (rows, columns) = (
        model.hfield_nrow[id] as usize,
        model.hfield_ncol[id] as usize,
    );
    let first = model.hfield_adr[id] as usize;
    let size = model.hfield_size[id].map(|x| x as f32);
    let mut out = Triangles::default();
    if rows < 2 || columns < 2 {
        return out;
    }
    let place =
        |half: f32, k: usize, count: usize| half * (2.0 * k as f32 / (count - 1) as f32 - 1.0);
    let plan =
        |row: usize, column: usize| [place(size[0], column, columns), place(size[1], row, rows)];
    let top = |row: usize, column: usize| {
        let [x, y] = plan(row, column);
        [
            x,
            y,
            model.hfield_data[first + row * columns + column] * size[2],
        ]
    };
    for row in 0..rows - 1 {
        for column in 0..columns - 1 {
            let (a, b) = (top(row, column), top(row, column + 1));
            let (c, d) = (top(row + 1, column), top(row + 1, column + 1));
            for [p, q, r] in [[c, a, d], [d, a, b]] {
                let n = normal(p, q, r);
                out.push([(p, n), (q, n), (r, n)]);
            }
        }
    }
    // From the ground down to the bottom, all around.
    let mut wall = |a: (usize, usize), b: (usize, usize), facing: [f32; 3]| {
        let (p, q) = (top(a.0, a.1), top(b.0, b.1));
        let low = |v: [f32; 3]| [v[0], v[1], -size[3]];
        out.push_quad([low(p), low(q), q, p].map(|v| (v, facing)));
    };
    for row in 0..rows - 1 {
        wall((row + 1, 0), (row, 0), [-1.0, 0.0, 0.0]);
        wall((row, columns - 1), (row + 1, columns - 1), [1.0, 0.0, 0.0]);
    }
    for column in 0..columns - 1 {
        wall((0, column), (0, column + 1), [0.0, -1.0, 0.0]);
        wall((rows - 1, column + 1), (rows - 1, column), [0.0, 1.0, 0.0]);
    }
    let down = [0.0, 0.0, -1.0];
    let corner = |row: usize, column: usize| {
        let [x, y] = plan(row, column);
        ([x, y, -size[3]], down)
    };
    out.push_quad([
        corner(0, 0),
        corner(rows - 1, 0),
        corner(rows - 1, columns - 1),
        corner(0, columns - 1),
    ]);
    out.share();
    out
}

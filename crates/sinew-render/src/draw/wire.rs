//! Lines of planes, where only edges are drawn.

use crate::scene::{Piece, Scene, Shape};
use crate::shape::{Triangles, grid};
use crate::view::View;

/// The most squares along a side of a plane.
const MOST: usize = 200;

/// The planes of a scene, cut along their lines as the reference cuts them, by the number of their piece; none if whole triangles are
/// drawn.
pub(super) fn grids(
    scene: &Scene,
    view: &View,
    repeat: impl Fn(&Piece, usize) -> f64,
) -> Vec<(usize, Triangles)> {
    let pieces = scene.pieces.iter().enumerate();
    let planes = pieces.filter(|(_, piece)| scene.effects.wireframe && piece.shape == Shape::Plane);
    let cut = |(number, piece): (usize, &Piece)| {
        let lines = [0, 1].map(|axis| match piece.size[axis] > 0.0 {
            true => finite(piece.size[axis], piece.size[2]),
            false => endless(view.frustum.far, repeat(piece, axis)),
        });
        (number, grid([&lines[0], &lines[1]]))
    };
    planes.map(cut).collect()
}

/// Lines that are twice the spacing apart, an even number of spacings, and the edges.
fn finite(half: f64, spacing: f64) -> Vec<f32> {
    let spacing = spacing.max(half / (MOST - 2) as f64).max(f64::MIN_POSITIVE);
    let count = (half / spacing).floor().clamp(0.0, MOST as f64) as usize / 2 * 2;
    let rest = half - count as f64 * spacing;
    let inner = (0..=count).map(|k| -half + rest + 2.0 * spacing * k as f64);
    let lines = [-half].into_iter().chain(inner).chain([half]);
    lines.map(|line| line as f32).collect()
}

/// Lines beyond what can be seen.
fn endless(far: f64, repeat: f64) -> Vec<f32> {
    let step = if repeat > 0.0 {
        2.0 / repeat
    } else {
        2.1 * far / (MOST - 2) as f64
    };
    let apart = (2.1 * far + 2.0 * step) / MOST as f64;
    let middle = (MOST / 2) as f64;
    (0..=MOST)
        .map(|k| (apart * (k as f64 - middle)) as f32)
        .collect()
}

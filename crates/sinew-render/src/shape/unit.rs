//! Shapes of size one.

use super::{FIRST, LAST, MIDDLE, Triangles};
use core::f64::consts::PI;
use libm::{cos, sin};

/// A shape of size one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Square,
    Ball,
    /// Half a ball: upper.
    Dome,
    /// Half a ball: lower.
    Bowl,
    Tube,
    Cylinder,
    Cube,
    Cone,
    /// Half a square, from both sides.
    Triangle,
}

/// All of them, in the order of [`Unit`]. Tubes have some rings, sides of boxes some squares along each edge.
pub(crate) fn units(slices: i32, stacks: i32, rings: i32, squares: i32) -> [Triangles; 9] {
    let slices = slices.clamp(3, 256);
    let half = (stacks / 2).clamp(1, 128);
    let full = |sign| dome(sign, slices, half);
    let mut ball = full(1.0);
    ball.append(full(-1.0));
    let tube = tube(slices, rings.clamp(1, 256));
    let mut cylinder = tube.clone();
    for sign in [1.0, -1.0] {
        cylinder.append(disk(sign, sign, slices));
    }
    let mut all = [
        square(),
        ball,
        full(1.0),
        full(-1.0),
        tube,
        cylinder,
        cube(squares.clamp(1, 64)),
        cone(slices),
        triangle(),
    ];
    all.iter_mut().for_each(Triangles::share);
    all
}

/// Cosine and sine of a part of a turn.
fn around(part: i32, parts: i32) -> [f32; 2] {
    let angle = 2.0 * PI * f64::from(part) / f64::from(parts);
    [cos(angle) as f32, sin(angle) as f32]
}

fn square() -> Triangles {
    let mut out = Triangles::default();
    let corner = |x: f32, y: f32| ([x, y, 0.0], [0.0, 0.0, 1.0]);
    out.push_quad([
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ]);
    out
}

/// A corner at the origin and sides along x and y, from both sides.
fn triangle() -> Triangles {
    let mut out = Triangles::default();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let facing = |place: [f32; 3], up: f32| (place, [0.0, 0.0, up]);
    out.push(corners.map(|place| facing(place, 1.0)));
    let [a, b, c] = corners;
    out.push([a, c, b].map(|place| facing(place, -1.0)));
    out
}

/// Half a ball about the origin.
fn dome(sign: f32, slices: i32, stacks: i32) -> Triangles {
    let mut out = Triangles::default();
    let point = |slice: i32, stack: i32| {
        let elevation = 0.5 * PI * f64::from(stack) / f64::from(stacks);
        let [x, y] = around(slice, slices);
        let (c, s) = (cos(elevation) as f32, sin(elevation) as f32);
        let p = [x * c, y * c, sign * s];
        (p, p)
    };
    for stack in 0..stacks {
        for slice in 0..slices {
            let (a, b) = (point(slice, stack), point(slice + 1, stack));
            let (c, d) = (point(slice + 1, stack + 1), point(slice, stack + 1));
            let has_both = stack + 1 < stacks;
            let first = if has_both { LAST } else { 0 };
            if sign > 0.0 {
                out.push_marked([a, b, c], first);
            } else {
                out.push_marked([c, b, a], first);
            }
            if has_both && sign > 0.0 {
                out.push_marked([a, c, d], FIRST);
            } else if has_both {
                out.push_marked([d, c, a], MIDDLE);
            }
        }
    }
    out
}

/// A border between parts of a way from −1 to 1.
fn border(number: i32, parts: i32) -> f32 {
    2.0 * number as f32 / parts as f32 - 1.0
}

fn tube(slices: i32, rings: i32) -> Triangles {
    let mut out = Triangles::default();
    for ring in 0..rings {
        let (low, high) = (border(ring, rings), border(ring + 1, rings));
        for slice in 0..slices {
            let [p, q] = [around(slice, slices), around(slice + 1, slices)];
            let corner = |[x, y]: [f32; 2], z: f32| ([x, y, z], [x, y, 0.0]);
            out.push_quad([
                corner(p, low),
                corner(q, low),
                corner(q, high),
                corner(p, high),
            ]);
        }
    }
    out
}

/// A plane, cut along lines across both of its sides.
pub(crate) fn grid(lines: [&[f32]; 2]) -> Triangles {
    let mut out = Triangles::default();
    for x in lines[0].windows(2) {
        for y in lines[1].windows(2) {
            let corner = |x: f32, y: f32| ([x, y, 0.0], [0.0, 0.0, 1.0]);
            out.push_quad([
                corner(x[0], y[0]),
                corner(x[1], y[0]),
                corner(x[1], y[1]),
                corner(x[0], y[1]),
            ]);
        }
    }
    out.share();
    out
}

fn disk(height: f32, facing: f32, slices: i32) -> Triangles {
    let mut out = Triangles::default();
    let up = [0.0, 0.0, facing];
    for slice in 0..slices {
        let [p, q] = [around(slice, slices), around(slice + 1, slices)];
        let (first, second) = if facing > 0.0 { (p, q) } else { (q, p) };
        out.push([
            ([0.0, 0.0, height], up),
            ([first[0], first[1], height], up),
            ([second[0], second[1], height], up),
        ]);
    }
    out
}

fn cube(squares: i32) -> Triangles {
    let mut out = Triangles::default();
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let corner = |u: f32, v: f32| {
                let (mut position, mut normal) = ([0.0; 3], [0.0; 3]);
                position[axis] = sign;
                position[(axis + 1) % 3] = u * sign;
                position[(axis + 2) % 3] = v;
                normal[axis] = sign;
                (position, normal)
            };
            for square in 0..squares * squares {
                let (i, j) = (square / squares, square % squares);
                let (left, right) = (border(i, squares), border(i + 1, squares));
                let (low, high) = (border(j, squares), border(j + 1, squares));
                out.push_quad([
                    corner(left, low),
                    corner(right, low),
                    corner(right, high),
                    corner(left, high),
                ]);
            }
        }
    }
    out
}

/// A cone on the plane z = 0, of height 1.
fn cone(slices: i32) -> Triangles {
    let mut out = disk(0.0, -1.0, slices);
    let slope = core::f32::consts::FRAC_1_SQRT_2;
    for slice in 0..slices {
        let [p, q] = [around(slice, slices), around(slice + 1, slices)];
        let side = |[x, y]: [f32; 2]| [x * slope, y * slope, slope];
        out.push([
            ([p[0], p[1], 0.0], side(p)),
            ([q[0], q[1], 0.0], side(q)),
            ([0.0, 0.0, 1.0], side(p)),
        ]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_face_outwards_and_lie_on_their_shapes() {
        for (k, shape) in units(28, 16, 4, 3).iter().enumerate() {
            for corners in shape.corners.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| corners[i].position);
                let facing = super::super::normal(a, b, c);
                for corner in corners {
                    let n = corner.normal;
                    let dot = n[0] * facing[0] + n[1] * facing[1] + n[2] * facing[2];
                    assert!(dot > 0.5, "{k}: {corner:?}");
                    assert!(corner.position.iter().all(|x| x.abs() <= 1.0));
                }
            }
        }
    }
}

//! Projected Gauss–Seidel: one sweep visits the rows in order and minimises over one row, or one
//! contact, at a time while all other forces stay. Conforms to `mj_solPGS`.

use super::block::{self, MOST_RISE};
use super::{Dual, Forces, Workspace, zone};
use crate::log::Log;
use crate::problem::{Cone, ConeShape, Settings, Statistic};
use sinew_math::MIN_VALUE;
use sinew_math::dense::dot;

/// Sweeps from the forces given until little is gained.
pub(crate) fn solve(
    dual: &Dual<'_>,
    settings: &Settings,
    out: &mut Forces<'_>,
    work: &mut Workspace,
    log: &mut Log<'_>,
) {
    let (problem, projection) = (dual.problem, dual.projection);
    let rows = problem.row_count();
    work.inverse_diagonal.clear();
    work.inverse_diagonal
        .extend((0..rows).map(|i| 1.0 / projection.entry(i, i)));
    work.curvature.clear();
    work.curvature
        .extend(work.inverse_diagonal.iter().map(|inverse| 1.0 / inverse));
    zone::classify(problem, out.force, out.state);

    let relaxation = Relaxation {
        dual: *dual,
        inverse_diagonal: &work.inverse_diagonal,
        curvature: &work.curvature,
    };
    // Rows of a full matrix go four at a time while nothing but themselves has to be asked.
    let in_fours = match projection.is_dense && problem.cones.is_empty() {
        true => rows / 4,
        false => 0,
    };
    for _ in 0..settings.iterations {
        let force = &mut *out.force;
        let mut improvement = 0.0;
        for block in 0..in_fours {
            improvement = relaxation.four(block, force, improvement);
        }
        let mut cones = problem.cones.iter().zip(problem.cone_shapes).peekable();
        let mut i = 4 * in_fours;
        while i < rows {
            if let Some((cone, shape)) = cones.next_if(|(cone, _)| cone.row == i) {
                improvement -= sweep_cone(dual, cone, shape, force);
                i += cone.dim;
                continue;
            }
            let gradient = dual.gradient(i, force);
            (force[i], improvement) = relaxation.one(i, force[i], gradient, improvement);
            i += 1;
        }
        improvement *= problem.scale;
        let (nactive, nchange) = zone::reclassify(problem, out, &mut work.old_state);
        let may_go_on = log.add(Statistic {
            improvement,
            nactive,
            nchange,
            ..Statistic::default()
        });
        if improvement < settings.tolerance || !may_go_on {
            break;
        }
    }
}

/// The best force of one row while all others stay.
struct Relaxation<'a> {
    dual: Dual<'a>,
    inverse_diagonal: &'a [f64],
    curvature: &'a [f64],
}

impl Relaxation<'_> {
    /// The new force of row `i`, and the improvement with it.
    #[inline(always)]
    fn one(&self, i: usize, old: f64, gradient: f64, improvement: f64) -> (f64, f64) {
        let problem = self.dual.problem;
        let friction = problem.equality_count..problem.equality_count + problem.friction_count;
        let mut new = old - gradient * self.inverse_diagonal[i];
        if friction.contains(&i) {
            let bound = problem.frictionloss[i];
            if new < -bound {
                new = -bound;
            } else if new > bound {
                new = bound;
            }
        } else if i >= friction.end && new < 0.0 {
            new = 0.0;
        }
        let delta = new - old;
        let change = 0.5 * delta * delta * self.curvature[i] + delta * gradient;
        // An update that raises the cost is not made.
        if change > MOST_RISE {
            (old, improvement)
        } else {
            (new, improvement - change)
        }
    }

    /// Four rows of a full matrix, one after the other. Their forces stay in registers: a number
    /// that was just written cannot be read at once as part of a wider piece of memory.
    #[inline(always)]
    fn four(&self, block: usize, force: &mut [f64], mut improvement: f64) -> f64 {
        let dual = &self.dual;
        let (blocks, _) = force.as_chunks::<4>();
        let mut new = blocks[block];
        macro_rules! lane {
            ($lane:literal) => {
                let i = 4 * block + $lane;
                let row = dual.projection.row(i).1;
                let gradient = dual.b[i] + dot_with(row, force, block, new);
                (new[$lane], improvement) = self.one(i, new[$lane], gradient, improvement);
            };
        }
        lane!(0);
        lane!(1);
        lane!(2);
        lane!(3);
        force.as_chunks_mut::<4>().0[block] = new;
        improvement
    }
}

/// [`dot`] with other numbers in the place of four.
#[inline(always)]
fn dot_with(a: &[f64], x: &[f64], block: usize, instead: [f64; 4]) -> f64 {
    let ((a, a_rest), (x, x_rest)) = (a.as_chunks::<4>(), x.as_chunks::<4>());
    let mut sum = [0.0; 4];
    let mut add = |a: &[f64; 4], x: &[f64; 4]| {
        for k in 0..4 {
            sum[k] += a[k] * x[k];
        }
    };
    for (a, x) in a[..block].iter().zip(&x[..block]) {
        add(a, x);
    }
    add(&a[block], &instead);
    for (a, x) in a[block + 1..].iter().zip(&x[block + 1..]) {
        add(a, x);
    }
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match (a_rest, x_rest) {
        (&[a, b, c], &[x, y, z]) => total + (a * x + b * y + c * z),
        (&[a, b], &[x, y]) => total + (a * x + b * y),
        (&[a], &[x]) => total + a * x,
        _ => total,
    }
}

/// One elliptic contact: along its force ray, then friction with the normal force held.
fn sweep_cone(dual: &Dual<'_>, cone: &Cone, shape: &ConeShape, force: &mut [f64]) -> f64 {
    let dim = cone.dim;
    let rows = cone.row..cone.row + dim;
    let a = block::diagonal(dual.projection, cone.row, dim);
    let mut old = [0.0; 6];
    old[..dim].copy_from_slice(&force[rows.clone()]);
    let mut gradient = [0.0; 6];
    for j in 0..dim {
        gradient[j] = dual.gradient(cone.row + j, force);
    }
    let f = &mut force[rows];

    if f[0] < MIN_VALUE {
        f[0] = (f[0] - gradient[0] * (1.0 / a[0])).max(0.0);
        f[1..].fill(0.0);
    } else {
        let mut product = [0.0; 6];
        for i in 0..dim {
            product[i] = dot(&a[i * dim..(i + 1) * dim], &old[..dim]);
        }
        let curvature = dot(&old[..dim], &product[..dim]);
        if curvature >= MIN_VALUE {
            let mut x = -dot(&old[..dim], &gradient[..dim]) / curvature;
            if f[0] + x * old[0] < 0.0 {
                x = -old[0] / f[0];
            }
            for j in 0..dim {
                f[j] += x * old[j];
            }
        }
    }

    let n = dim - 1;
    let mut tangential = [0.0; 25];
    let mut right = [0.0; 5];
    for j in 0..n {
        let row = &a[(j + 1) * dim + 1..(j + 2) * dim];
        tangential[j * n..(j + 1) * n].copy_from_slice(row);
        right[j] = gradient[j + 1] - dot(row, &old[1..dim]);
        right[j] += a[(j + 1) * dim] * (f[0] - old[0]);
    }
    block::solve_friction(&tangential, &right, shape, f);
    block::accept(&a[..dim * dim], f, &old[..dim], &gradient[..dim])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{self, Case, TIGHT, difference};
    use crate::dual::finish;
    use crate::{Projection, Workspace};

    #[test]
    fn sweeps_reach_newtons_forces() {
        for seed in 0..20 {
            for is_elliptic in [false, true] {
                let case = Case::random(seed, 3, 4, is_elliptic);
                let problem = case.problem();
                let newton = case::solve(&problem, &TIGHT);
                let (n, rows) = (problem.dof_count(), problem.row_count());
                let mut b = vec![0.0; rows];
                problem.residual(problem.qacc_smooth, &mut b);
                let work = &mut Workspace::default();
                let projection = &mut Projection::default();
                projection.compute(&problem, work);
                let dual = Dual {
                    problem: &problem,
                    projection,
                    b: &b,
                };
                // A sweep leaves a contact without force alone when its normal gradient is
                // positive, even where normal and friction together would help: as in the
                // reference. So start with the right contacts closed.
                let mut force: Vec<f64> = newton.force.iter().map(|f| 0.5 * f).collect();
                let mut forces = Forces {
                    force: &mut force,
                    state: &mut vec![0; rows],
                };
                let (count, records) = (&mut [0], &mut []);
                let mut log = Log::of_island(0, count, records, None);
                solve(
                    &dual,
                    &TIGHT,
                    &mut forces,
                    &mut Default::default(),
                    &mut log,
                );
                assert!(count[0] > 1);

                let (mut qfrc, mut qacc) = (vec![0.0; n], vec![0.0; n]);
                finish(&problem, &force, &mut qfrc, &mut qacc);
                let apart = difference(&qacc, &newton.qacc);
                assert!(
                    apart < 1e-5,
                    "{apart} for seed {seed}, elliptic {is_elliptic}"
                );
            }
        }
    }
}

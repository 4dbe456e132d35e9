extern crate std;
use super::*;
use crate::dense::{cholesky_factor, cholesky_solve, norm};
use crate::test_random::Random;
use std::time::Instant;
use std::vec;
use std::vec::Vec;

struct Layout {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
}

impl Layout {
    /// Rows of the tree given by parent indices; −1 is a root.
    fn new(parents: &[i32]) -> Self {
        let (mut rownnz, mut rowadr, mut colind) = (vec![], vec![], vec![]);
        for i in 0..parents.len() {
            let mut chain = vec![i as i32];
            while let Some(&last) = chain.last() {
                let parent = parents[last as usize];
                if parent < 0 {
                    break;
                }
                chain.push(parent);
            }
            chain.reverse();
            rowadr.push(colind.len() as i32);
            rownnz.push(chain.len() as i32);
            colind.extend(chain);
        }
        Layout {
            rownnz,
            rowadr,
            colind,
        }
    }

    fn rows(&self) -> TreeRows<'_> {
        TreeRows {
            rownnz: &self.rownnz,
            rowadr: &self.rowadr,
            colind: &self.colind,
        }
    }

    /// A random positive definite matrix of this sparsity: LᵀDL of random L and D.
    fn random_matrix(&self, random: &mut Random) -> Vec<f64> {
        let n = self.rownnz.len();
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            let (start, diagonal) = self.rows().row(i);
            for k in start..diagonal {
                l[i * n + self.colind[k] as usize] = 0.5 * random.normal();
            }
            l[i * n + i] = 1.0;
        }
        let d: Vec<f64> = (0..n).map(|_| 0.2 + random.uniform()).collect();
        let mut values = vec![];
        for i in 0..n {
            let (start, diagonal) = self.rows().row(i);
            for k in start..=diagonal {
                let j = self.colind[k] as usize;
                values.push((0..n).map(|r| l[r * n + i] * d[r] * l[r * n + j]).sum());
            }
        }
        values
    }
}

/// The trees of the acceptance list: hinge; chain of two; parent with two children; two balls;
/// free + hinge + slide; free and hinge apart. With the number of stored values.
fn trees() -> Vec<(Vec<i32>, usize)> {
    let chain = |n: i32| (0..n).map(|k| k - 1).collect::<Vec<_>>();
    vec![
        (chain(1), 1),
        (chain(2), 3),
        (vec![-1, 0, 0], 5),
        (chain(6), 21),
        (chain(8), 36),
        (vec![-1, 0, 1, 2, 3, 4, -1], 22),
    ]
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    norm(&difference) / norm(b)
}

#[test]
fn sparse_solve_matches_dense_solve() {
    let mut random = Random::new(3);
    for (parents, stored) in trees() {
        let layout = Layout::new(&parents);
        assert_eq!(layout.colind.len(), stored);
        let n = parents.len();
        for _ in 0..10 {
            let matrix = layout.random_matrix(&mut random);
            let b: Vec<f64> = (0..n).map(|_| random.normal()).collect();

            let (mut factored, mut inverse) = (matrix.clone(), vec![0.0; n]);
            factor(layout.rows(), &mut factored, &mut inverse);
            let mut x = b.clone();
            solve(layout.rows(), &factored, &inverse, &mut x);

            let mut dense = vec![0.0; n * n];
            expand(layout.rows(), &matrix, &mut dense);
            cholesky_factor(&mut dense, n, 1e-15);
            let mut expected = b.clone();
            cholesky_solve(&dense, &mut expected);
            assert!(relative(&x, &expected) < 1e-12);

            // The product brings back the right-hand side.
            let mut product = vec![0.0; n];
            multiply(layout.rows(), &matrix, &x, &mut product);
            assert!(relative(&product, &b) < 1e-12);

            // The half solve has the energy of the whole.
            let roots: Vec<f64> = inverse.iter().map(|d| d.sqrt()).collect();
            let mut half = b.clone();
            half_solve(layout.rows(), &factored, &roots, &mut half);
            let energy: f64 = b.iter().zip(&x).map(|(b, x)| b * x).sum();
            let half_energy: f64 = half.iter().map(|x| x * x).sum();
            assert!((half_energy - energy).abs() <= 1e-12 * energy.abs());
            // And so has the half product of the solution.
            half_multiply(layout.rows(), &factored, &x, &mut half);
            let half_energy: f64 = half.iter().map(|x| x * x).sum();
            assert!((half_energy - energy).abs() <= 1e-12 * energy.abs());
        }
    }
}

#[test]
fn factor_reproduces_the_matrix() {
    let mut random = Random::new(4);
    for (parents, _) in trees() {
        let layout = Layout::new(&parents);
        let n = parents.len();
        let matrix = layout.random_matrix(&mut random);
        let (mut factored, mut inverse) = (matrix.clone(), vec![0.0; n]);
        factor(layout.rows(), &mut factored, &mut inverse);

        let mut l = vec![0.0; n * n];
        let mut d = vec![0.0; n];
        for i in 0..n {
            let (start, diagonal) = layout.rows().row(i);
            for k in start..diagonal {
                l[i * n + layout.colind[k] as usize] = factored[k];
            }
            l[i * n + i] = 1.0;
            d[i] = factored[diagonal];
            assert_eq!(inverse[i], 1.0 / d[i]);
        }
        let largest = matrix.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        for i in 0..n {
            let (start, diagonal) = layout.rows().row(i);
            for k in start..=diagonal {
                let j = layout.colind[k] as usize;
                let back: f64 = (0..n).map(|r| l[r * n + i] * d[r] * l[r * n + j]).sum();
                assert!((back - matrix[k]).abs() <= 1e-12 * largest);
            }
        }
    }
}

/// Row by row, as the definition says.
fn factor_plainly(rows: TreeRows<'_>, matrix: &mut [f64], inverse: &mut [f64]) {
    for k in (0..rows.size()).rev() {
        let (start, diagonal) = rows.row(k);
        inverse[k] = 1.0 / matrix[diagonal];
        for entry in (start..diagonal).rev() {
            let i = rows.colind[entry] as usize;
            let scale = -matrix[entry] * inverse[k];
            for n in 0..rows.rownnz[i] as usize {
                matrix[rows.rowadr[i] as usize + n] += matrix[start + n] * scale;
            }
        }
        for entry in start..diagonal {
            matrix[entry] *= inverse[k];
        }
    }
}

#[test]
fn rows_taken_together_give_the_same_bits() {
    let mut random = Random::new(8);
    let mut parents: Vec<Vec<i32>> = trees().into_iter().map(|tree| tree.0).collect();
    // A trunk of five with branches of two and seven.
    let mut branching: Vec<i32> = (0..5).map(|k| k - 1).collect();
    branching.extend([4, 5, 2]);
    branching.extend(7..13);
    parents.push(branching);
    parents.push((0..37).map(|k| k - 1).collect());
    for parents in parents {
        let layout = Layout::new(&parents);
        let matrix = layout.random_matrix(&mut random);
        let n = parents.len();
        let (mut together, mut plain) = (matrix.clone(), matrix.clone());
        let (mut inverse, mut plain_inverse) = (vec![0.0; n], vec![0.0; n]);
        factor(layout.rows(), &mut together, &mut inverse);
        factor_plainly(layout.rows(), &mut plain, &mut plain_inverse);
        assert_eq!(together, plain);
        assert_eq!(inverse, plain_inverse);

        // So do ranges of rows, one after the other.
        let (mut pieces, mut inverse) = (matrix, vec![0.0; n]);
        for start in (0..n).step_by(3).rev() {
            let range = start..n.min(start + 3);
            factor_range(layout.rows(), range, &mut pieces, &mut inverse);
        }
        assert_eq!(pieces, plain);
        assert_eq!(inverse, plain_inverse);
    }
}

#[test]
fn two_link_chain_has_the_reference_factor() {
    let layout = Layout::new(&[-1, 0]);
    let mut matrix = [1.33, 0.415, 0.165];
    let mut inverse = [0.0; 2];
    factor(layout.rows(), &mut matrix, &mut inverse);
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(x, y)| (x - y).abs() < 1e-10);
    assert!(close(&matrix, &[0.286212121212, 2.515151515152, 0.165]));
    assert!(close(&inverse, &[3.493912122816, 6.060606060606]));
    let mut x = [1.0, 1.0];
    solve(layout.rows(), &matrix, &inverse, &mut x);
    assert!(close(&x, &[-5.293806246691, 19.375330862890]));
}

#[test]
fn branching_tree_has_the_reference_factor() {
    let layout = Layout::new(&[-1, 0, 0]);
    let mut matrix = [2.495, 0.415, 0.165, 0.0, 0.165];
    let mut inverse = [0.0; 3];
    factor(layout.rows(), &mut matrix, &mut inverse);
    let close = |a: f64, b: f64| (a - b).abs() < 1e-10;
    assert!(close(matrix[0], 1.451212121212) && matrix[2] == 0.165 && matrix[4] == 0.165);
    let mut x = [1.0, 1.0, 1.0];
    solve(layout.rows(), &matrix, &inverse, &mut x);
    assert!(close(x[0], -1.044059302568) && close(x[1], 8.686573397369));
    assert!(close(x[2], 6.060606060606));
}

#[test]
fn empty_and_degenerate_systems_complete() {
    let layout = Layout::new(&[]);
    factor::<f64>(layout.rows(), &mut [], &mut []);
    solve::<f64>(layout.rows(), &[], &[], &mut []);

    let layout = Layout::new(&[-1]);
    let (mut zero, mut inverse, mut x) = ([0.0_f64], [0.0], [1.0]);
    factor(layout.rows(), &mut zero, &mut inverse);
    solve(layout.rows(), &zero, &inverse, &mut x);
    assert!(!f64::is_finite(x[0]));
}

#[test]
fn long_chain_keeps_a_small_residual() {
    let mut random = Random::new(5);
    let n = 100;
    // Inertia of a chain of unit masses on unit links that all point the same way.
    let layout = Layout::new(&(0..n).map(|k| k - 1).collect::<Vec<_>>());
    let mut matrix: Vec<f64> = vec![];
    for i in 0..n {
        for j in 0..=i {
            matrix.push(
                (i.max(j)..n)
                    .map(|k| f64::from((k - i + 1) * (k - j + 1)))
                    .sum(),
            );
        }
    }
    let n = n as usize;
    let b: Vec<f64> = (0..n).map(|_| random.normal()).collect();
    let (mut factored, mut inverse, mut x) = (matrix.clone(), vec![0.0; n], b.clone());
    factor(layout.rows(), &mut factored, &mut inverse);
    solve(layout.rows(), &factored, &inverse, &mut x);
    let mut product = vec![0.0; n];
    multiply(layout.rows(), &matrix, &x, &mut product);
    assert!(relative(&product, &b) < 1e-9);
}

#[test]
fn cost_grows_linearly_with_independent_bodies() {
    let mut random = Random::new(6);
    let time = |bodies: usize, random: &mut Random| {
        let parents: Vec<i32> = (0..6 * bodies as i32)
            .map(|k| if k % 6 == 0 { -1 } else { k - 1 })
            .collect();
        let layout = Layout::new(&parents);
        let n = parents.len();
        let matrix: Vec<f64> = (0..bodies)
            .flat_map(|_| Layout::new(&[-1, 0, 1, 2, 3, 4]).random_matrix(random))
            .collect();
        (0..20)
            .map(|_| {
                let (mut factored, mut inverse, mut x) =
                    (matrix.clone(), vec![0.0; n], vec![1.0; n]);
                let start = Instant::now();
                for _ in 0..20 {
                    factored.copy_from_slice(&matrix);
                    factor(layout.rows(), &mut factored, &mut inverse);
                    solve(layout.rows(), &factored, &inverse, &mut x);
                }
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min)
    };
    let ratio = time(200, &mut random) / time(100, &mut random);
    assert!(ratio <= 3.0, "{ratio}");
}

/// Each right-hand side has the bits it has alone, also where some are zero and where the range leaves
/// out descendants.
#[test]
fn right_hand_sides_together_are_as_alone() {
    let mut random = Random::new(7);
    let mut parents: Vec<i32> = (0..70).map(|k| k - 1).collect();
    parents.extend((70..120).map(|k| k / 2 - 20));
    let layout = Layout::new(&parents);
    let n = parents.len();
    let mut factor = layout.random_matrix(&mut random);
    let mut inverse = vec![0.0; n];
    super::factor(layout.rows(), &mut factor, &mut inverse);
    for end in [n, 70, 33, 1] {
        let mut together = vec![[0.0; 8]; n];
        for (i, x) in together.iter_mut().enumerate().take(end) {
            for (k, value) in x.iter_mut().enumerate() {
                // Some are zero here and there, one everywhere, one is a unit vector.
                *value = match k {
                    6 => 0.0,
                    7 => f64::from(u8::from(i == end / 2)),
                    _ if (i + k) % 5 == 0 => 0.0,
                    _ => random.normal(),
                };
            }
        }
        let alone: Vec<Vec<f64>> = (0..8)
            .map(|k| {
                let mut x: Vec<f64> = together.iter().map(|x| x[k]).collect();
                solve(layout.rows(), &factor, &inverse, &mut x);
                x
            })
            .collect();
        solve_many(layout.rows(), 0..end, &factor, &inverse, &mut together);
        for k in 0..8 {
            for i in 0..end {
                assert_eq!(
                    together[i][k].to_bits(),
                    alone[k][i].to_bits(),
                    "{end} {i} {k}"
                );
            }
        }
    }
}

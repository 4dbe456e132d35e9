extern crate std;
use super::*;
use crate::test_random::Random;
use std::vec;
use std::vec::Vec;

fn random_positive(random: &mut Random, n: usize) -> Vec<f64> {
    let b: Vec<f64> = (0..n * n).map(|_| random.normal()).collect();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = (0..n).map(|k| b[i * n + k] * b[j * n + k]).sum::<f64>();
        }
        a[i * n + i] += n as f64;
    }
    a
}

// An independent solver: Gaussian elimination with row exchange.
fn gauss(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()));
        let pivot = pivot.unwrap_or(k);
        for c in 0..n {
            a.swap(k * n + c, pivot * n + c);
        }
        b.swap(k, pivot);
        for i in k + 1..n {
            let f = a[i * n + k] / a[k * n + k];
            for c in k..n {
                a[i * n + c] -= f * a[k * n + c];
            }
            b[i] -= f * b[k];
        }
    }
    for i in (0..n).rev() {
        for c in i + 1..n {
            b[i] -= a[i * n + c] * b[c];
        }
        b[i] /= a[i * n + i];
    }
    b
}

fn relative(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    norm(&difference) / norm(b)
}

#[test]
fn solve_agrees_with_an_independent_solver() {
    let mut random = Random::new(1);
    for n in [1, 2, 3, 5, 10, 20] {
        let a = random_positive(&mut random, n);
        let b: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let (mut l, mut x) = (a.clone(), b.clone());
        assert_eq!(cholesky_factor(&mut l, n, 1e-15), n);
        cholesky_solve(&l, &mut x);
        assert!(relative(&x, &gauss(a.clone(), b)) < 1e-12);
        for i in 0..n {
            for j in i + 1..n {
                assert_eq!(l[i * n + j].to_bits(), a[i * n + j].to_bits());
            }
        }
    }
}

#[test]
fn small_factor_has_closed_form() {
    let mut a = [4.0, 2.0, 2.0, 3.0];
    assert_eq!(cholesky_factor(&mut a, 2, 1e-15), 2);
    assert_eq!(a, [2.0, 2.0, 1.0, 2f64.sqrt()]);
}

#[test]
fn bad_pivots_are_raised_and_lower_the_rank() {
    let mut a = [1.0, 2.0, 2.0, 1.0];
    assert_eq!(cholesky_factor(&mut a, 2, 1e-15), 1);
    assert_eq!(a[2], 2.0);
    assert!((a[3] - 3.16227766e-8).abs() < 1e-16);

    let mut a = [0.0];
    assert_eq!(cholesky_factor(&mut a, 1, 1e-15), 0);
    assert!((a[0] - 3.16227766e-8).abs() < 1e-16);

    let mut a = [1.0, 1.0, 1.0, 1.0];
    assert_eq!(cholesky_factor(&mut a, 2, 1e-10), 1);
    assert!((a[3] - 1e-5).abs() < 1e-20);
}

#[test]
fn empty_system_is_valid() {
    assert_eq!(cholesky_factor::<f64>(&mut [], 0, 1e-15), 0);
    cholesky_solve::<f64>(&[], &mut []);
}

#[test]
fn update_and_downdate_match_a_fresh_factor() {
    let mut random = Random::new(2);
    let n = 8;
    let a = random_positive(&mut random, n);
    let x: Vec<f64> = (0..n)
        .map(|k| if k == 2 { 0.0 } else { random.normal() })
        .collect();
    let mut sum = a.clone();
    for i in 0..n {
        for j in 0..n {
            sum[i * n + j] += x[i] * x[j];
        }
    }
    let mut updated = a.clone();
    cholesky_factor(&mut updated, n, 1e-15);
    assert_eq!(cholesky_update(&mut updated, &mut x.clone()), n);
    cholesky_factor(&mut sum, n, 1e-15);
    let mut back = updated.clone();
    assert_eq!(cholesky_downdate(&mut back, &mut x.clone()), n);
    let mut original = a;
    cholesky_factor(&mut original, n, 1e-15);
    for i in 0..n {
        for j in 0..=i {
            assert!((updated[i * n + j] - sum[i * n + j]).abs() < 1e-12);
            assert!((back[i * n + j] - original[i * n + j]).abs() < 1e-12);
        }
    }
}

#[test]
fn downdate_below_zero_is_caught() {
    let mut l = [1.0];
    assert_eq!(cholesky_downdate(&mut l, &mut [2.0]), 0);
    assert!((l[0] - 3.16227766e-8).abs() < 1e-16);
}

#[test]
fn reverse_factor_reproduces_the_matrix_and_solves() {
    let mut random = crate::test_random::Random::new(5);
    for n in [1, 2, 3, 8, 20] {
        let b: std::vec::Vec<f64> = (0..n * n).map(|_| random.normal()).collect();
        let mut a = std::vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = dot(&b[i * n..(i + 1) * n], &b[j * n..(j + 1) * n]);
            }
            a[i * n + i] += n as f64;
        }
        let mut l = a.clone();
        assert_eq!(reverse_cholesky_factor(&mut l, n, 1e-15), n);
        for i in 0..n {
            for j in 0..=i {
                let entry = |k: usize, m: usize| match k == m {
                    true => 1.0 / l[k * n + k],
                    false => l[k * n + m],
                };
                let product: f64 = (i..n).map(|k| entry(k, i) * entry(k, j)).sum();
                assert!((product - a[i * n + j]).abs() < 1e-12 * n as f64);
            }
        }
        let x: std::vec::Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let mut y: std::vec::Vec<f64> = (0..n).map(|i| dot(&a[i * n..(i + 1) * n], &x)).collect();
        reverse_cholesky_solve(&l, &mut y);
        for i in 0..n {
            assert!((x[i] - y[i]).abs() < 1e-11);
        }
    }
}

#[test]
fn products_with_four_vectors_have_the_bits_of_each() {
    let mut random = Random::new(5);
    for n in 0..13 {
        let [a, b, c, d]: [Vec<f64>; 4] =
            core::array::from_fn(|_| (0..n).map(|_| random.normal()).collect());
        let each = [dot(&a, &a), dot(&a, &b), dot(&a, &c), dot(&a, &d)];
        let together = dot_with_four(&a, [&a, &b, &c, &d]);
        assert_eq!(together.map(f64::to_bits), each.map(f64::to_bits));
    }
}

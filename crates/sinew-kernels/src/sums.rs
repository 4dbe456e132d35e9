//! Scalar products, added up as the engine does.

use crate::Number;
use crate::warp::{Shared, get_four, read, read_four};

/// `sinew_math::dense::dot` of vectors whose products are given: four interleaved sums, and what is left over.
#[inline(always)]
pub(crate) fn dot_of<T: Number>(count: usize, product: impl Fn(usize) -> T) -> T {
    let blocks = count / 4 * 4;
    let mut sum = [T::ZERO; 4];
    let mut i = 0;
    while i < blocks {
        for k in 0..4 {
            sum[k] += product(i + k);
        }
        i += 4;
    }
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    match count - blocks {
        3 => total + (product(blocks) + product(blocks + 1) + product(blocks + 2)),
        2 => total + (product(blocks) + product(blocks + 1)),
        1 => total + product(blocks),
        _ => total,
    }
}

/// `sinew_math::dense::dot` of a row of a list, which begins at a multiple of four numbers, and a vector that all threads see,
/// which does too.
#[inline(always)]
pub(crate) fn dot_in_fours<T: Number>(
    list: &[T],
    start: usize,
    count: usize,
    x: Shared<'_, T>,
) -> T {
    let blocks = count / 4 * 4;
    let mut sum = [T::ZERO; 4];
    let mut i = 0;
    while i < blocks {
        let (row, x) = (read_four(list, start + i), get_four(x, i));
        for k in 0..4 {
            sum[k] += row[k] * x[k];
        }
        i += 4;
    }
    let total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    let product = |k: usize| read(list, start + blocks + k) * x[blocks + k].get();
    match count - blocks {
        3 => total + (product(0) + product(1) + product(2)),
        2 => total + (product(0) + product(1)),
        1 => total + product(0),
        _ => total,
    }
}

/// `sinew_math::tree::dot_sparse` of vectors whose products are given: what is left over is added one by one.
#[inline(always)]
pub(crate) fn sparse_dot_of<T: Number>(count: usize, product: impl Fn(usize) -> T) -> T {
    let blocks = count / 4 * 4;
    let mut sum = [T::ZERO; 4];
    let mut i = 0;
    while i < blocks {
        for k in 0..4 {
            sum[k] += product(i + k);
        }
        i += 4;
    }
    let mut total = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    while i < count {
        total += product(i);
        i += 1;
    }
    total
}

/// [`sparse_dot_of`] of the products for which a test holds.
#[inline(always)]
pub(crate) fn sparse_dot_where<T: Number>(
    count: usize,
    test: impl Fn(usize) -> bool,
    product: impl Fn(usize) -> T,
) -> T {
    let mut members = 0;
    for i in 0..count {
        members += usize::from(test(i));
    }
    let blocks = members / 4 * 4;
    let [mut a, mut b, mut c, mut d] = [T::ZERO; 4];
    let mut total = T::ZERO;
    let mut found = 0;
    for i in 0..count {
        if !test(i) {
            continue;
        }
        if found == blocks {
            total = (a + c) + (b + d);
        }
        let product = product(i);
        match found % 4 {
            _ if found >= blocks => total += product,
            0 => a += product,
            1 => b += product,
            2 => c += product,
            _ => d += product,
        }
        found += 1;
    }
    if members == blocks {
        total = (a + c) + (b + d);
    }
    total
}

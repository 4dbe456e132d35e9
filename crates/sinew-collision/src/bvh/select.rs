//! Partial sorting around one element.
//!
//! Positions that are not numbers (centres of degenerate triangles) make the order of elements
//! inconsistent, and then the partition depends on which elements meet. The comparisons are
//! therefore made in the order of libc++'s `nth_element`, with bounds where it has none, so that
//! such trees come out as the reference's do.

/// Ranges up to this length are sorted outright.
const SMALL: usize = 7;

/// Rearranges `items` so that the element at `nth` is the one a full sort would put there, with
/// nothing larger before it and nothing smaller after it.
pub(super) fn nth_element<T: Copy>(items: &mut [T], nth: usize, less: impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, items.len());
    while nth < last {
        let length = last - first;
        match length {
            0 | 1 => return,
            2 => {
                if less(&items[last - 1], &items[first]) {
                    items.swap(first, last - 1);
                }
                return;
            }
            3 => {
                sort3(items, first, first + 1, last - 1, &less);
                return;
            }
            _ => {}
        }
        if length <= SMALL {
            selection_sort(&mut items[first..last], &less);
            return;
        }

        // Partition around the median of the first, middle and last element.
        let mut middle = first + length / 2;
        let mut swaps = sort3(items, first, middle, last - 1, &less);
        let mut low = first;
        let mut high = last - 1;
        if !less(&items[low], &items[middle]) {
            // The first element equals the pivot: look for something smaller from above.
            let mut found = false;
            while high - 1 > low {
                high -= 1;
                if less(&items[high], &items[middle]) {
                    found = true;
                    break;
                }
            }
            if found {
                items.swap(low, high);
                swaps += 1;
            } else {
                // Nothing is smaller: split off the elements equal to the first instead.
                match split_equal(items, first, last, &less) {
                    Some(end) if nth >= end => {
                        first = end;
                        continue;
                    }
                    _ => return,
                }
            }
        }
        low += 1;
        if low < high {
            loop {
                while low < last && less(&items[low], &items[middle]) {
                    low += 1;
                }
                loop {
                    high -= 1;
                    if high <= first || less(&items[high], &items[middle]) {
                        break;
                    }
                }
                if low >= high {
                    break;
                }
                items.swap(low, high);
                swaps += 1;
                if middle == low {
                    middle = high;
                }
                low += 1;
            }
        }
        if low >= last {
            return;
        }
        if low != middle && less(&items[middle], &items[low]) {
            items.swap(low, middle);
            swaps += 1;
        }
        if nth == low {
            return;
        }
        // No swap at all: the range may be sorted already.
        if swaps == 0 {
            let range = if nth < low { first..low } else { low..last };
            let part = &items[range];
            if !part.windows(2).any(|pair| less(&pair[1], &pair[0])) {
                return;
            }
        }
        if nth < low {
            last = low;
        } else {
            first = low + 1;
        }
    }
}

/// Moves elements equal to the first one to the front and returns where they end; `None` when
/// all are equal.
fn split_equal<T: Copy>(
    items: &mut [T],
    first: usize,
    last: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> Option<usize> {
    let mut low = first + 1;
    let mut high = last - 1;
    if !less(&items[first], &items[high]) {
        loop {
            if low == high {
                return None;
            }
            if less(&items[first], &items[low]) {
                items.swap(low, high);
                low += 1;
                break;
            }
            low += 1;
        }
    }
    if low == high {
        return None;
    }
    loop {
        while low < last && !less(&items[first], &items[low]) {
            low += 1;
        }
        loop {
            high -= 1;
            if high <= first || !less(&items[first], &items[high]) {
                break;
            }
        }
        if low >= high {
            return Some(low);
        }
        items.swap(low, high);
        low += 1;
    }
}

/// Sorts three places and returns the number of swaps.
fn sort3<T: Copy>(
    items: &mut [T],
    x: usize,
    y: usize,
    z: usize,
    less: &impl Fn(&T, &T) -> bool,
) -> usize {
    if !less(&items[y], &items[x]) {
        if !less(&items[z], &items[y]) {
            return 0;
        }
        items.swap(y, z);
        if less(&items[y], &items[x]) {
            items.swap(x, y);
            return 2;
        }
        return 1;
    }
    if less(&items[z], &items[y]) {
        items.swap(x, z);
        return 1;
    }
    items.swap(x, y);
    if less(&items[z], &items[y]) {
        items.swap(y, z);
        return 2;
    }
    1
}

fn selection_sort<T: Copy>(items: &mut [T], less: &impl Fn(&T, &T) -> bool) {
    for start in 0..items.len().saturating_sub(1) {
        let mut smallest = start;
        for candidate in start + 1..items.len() {
            if less(&items[candidate], &items[smallest]) {
                smallest = candidate;
            }
        }
        if smallest != start {
            items.swap(start, smallest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_the_median_of_shuffled_and_repeated_numbers() {
        let mut state = 1_u64;
        for length in 1..200_usize {
            let mut items: Vec<u64> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    (state >> 33) % 50
                })
                .collect();
            let mut sorted = items.clone();
            sorted.sort_unstable();
            let nth = length / 2;
            nth_element(&mut items, nth, |a, b| a < b);
            assert_eq!(items[nth], sorted[nth]);
            assert!(items[..nth].iter().all(|x| *x <= items[nth]));
            assert!(items[nth..].iter().all(|x| *x >= items[nth]));
        }
    }

    #[test]
    fn inconsistent_order_ends() {
        let mut state = 7_u64;
        for length in 1..300_usize {
            let mut items: Vec<f64> = (0..length)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    if state >> 62 == 0 {
                        f64::NAN
                    } else {
                        (state >> 33) as f64
                    }
                })
                .collect();
            nth_element(&mut items, length / 2, |a, b| a < b || a.is_nan());
        }
    }
}

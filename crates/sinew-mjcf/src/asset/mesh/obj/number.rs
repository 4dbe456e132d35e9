//! Decimal numbers of OBJ files.
//!
//! The reference's reader adds digit · 10⁻ᵏ for every digit after the point and applies the
//! exponent as m · 5ᵉ · 2ᵉ, in double precision. That is not the nearest number to the text, and
//! the difference survives the rounding to 32 bits now and then, so the same sums are made here.

#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use super::super::error::MeshError;

/// Why there is no number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberError {
    Missing,
    Malformed,
}

impl NumberError {
    pub fn at(self, line: usize, keyword: &str) -> MeshError {
        MeshError::at_line(
            line,
            match self {
                NumberError::Missing => format!("`{keyword}` has too few numbers"),
                NumberError::Malformed => format!("`{keyword}` has a malformed number"),
            },
        )
    }
}

/// Up to `N` blank-separated numbers, at least `required`; the others are 0.
pub(super) fn read<const N: usize>(
    mut text: &[u8],
    required: usize,
) -> Result<([f32; N], &[u8]), NumberError> {
    let mut values = [0.0_f32; N];
    for (index, value) in values.iter_mut().enumerate() {
        text = super::skip_blanks(text);
        let end = text
            .iter()
            .position(|b| matches!(b, b' ' | b'\t'))
            .unwrap_or(text.len());
        let (token, rest) = text.split_at(end);
        if token.is_empty() {
            if index < required {
                return Err(NumberError::Missing);
            }
            break;
        }
        *value = parse(token).ok_or(NumberError::Malformed)? as f32;
        text = rest;
    }
    Ok((values, text))
}

/// Powers of ten with negative exponents, each the nearest double.
const TENTHS: [f64; 31] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
    1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22, 1e-23, 1e-24, 1e-25, 1e-26, 1e-27,
    1e-28, 1e-29, 1e-30,
];

/// `[sign] digits [. digits] [e [sign] digits]`, the digits before the point optional.
fn parse(text: &[u8]) -> Option<f64> {
    let (is_negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let (whole, mut rest) = split_digits(text);
    let mut mantissa = 0.0_f64;
    for digit in whole {
        mantissa = mantissa * 10.0 + f64::from(digit - b'0');
    }
    let mut has_digits = !whole.is_empty();
    if let [b'.', tail @ ..] = rest {
        let (decimals, after) = split_digits(tail);
        for (place, digit) in decimals.iter().enumerate() {
            let weight = match TENTHS.get(place + 1) {
                Some(weight) => *weight,
                None => libm::pow(10.0, -((place + 1) as f64)),
            };
            mantissa += f64::from(digit - b'0') * weight;
        }
        // A point alone counts as zero in the reference; here it must have a digit somewhere.
        has_digits |= !decimals.is_empty();
        rest = after;
    }
    if !has_digits {
        return None;
    }
    let mut exponent = 0_i32;
    if let [b'e' | b'E', tail @ ..] = rest {
        let (is_negative, tail) = match tail {
            [b'-', tail @ ..] => (true, tail),
            [b'+', tail @ ..] => (false, tail),
            _ => (false, tail),
        };
        let (digits, after) = split_digits(tail);
        if digits.is_empty() {
            return None;
        }
        for digit in digits {
            exponent = (exponent * 10 + i32::from(digit - b'0')).min(100_000);
        }
        if is_negative {
            exponent = -exponent;
        }
        rest = after;
    }
    if !rest.is_empty() {
        return None;
    }
    let magnitude = if exponent == 0 {
        mantissa
    } else {
        libm::ldexp(mantissa * power_of_five(exponent), exponent)
    };
    Some(if is_negative { -magnitude } else { magnitude })
}

/// 5ᵉ; the nearest double for |e| ≤ 22.
fn power_of_five(exponent: i32) -> f64 {
    let magnitude = exponent.unsigned_abs();
    if magnitude > 22 {
        return libm::pow(5.0, f64::from(exponent));
    }
    let mut power = 1.0;
    for _ in 0..magnitude {
        power *= 5.0;
    }
    if exponent < 0 { 1.0 / power } else { power }
}

fn split_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|b| !b.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_sums_of_their_digits() {
        let check = |text: &str, expected: Option<f64>| {
            assert_eq!(parse(text.as_bytes()), expected, "{text}");
        };
        check("1", Some(1.0));
        check("-0.25", Some(-0.25));
        check("+.5", Some(0.5));
        check("3.", Some(3.0));
        check("12e2", Some(1200.0));
        check("1.5E-3", Some(0.0015));
        check("0.3", Some(3.0 * 0.1));
        check("", None);
        check(".", None);
        check("-", None);
        check("1e", None);
        check("nan", None);
        check("1.0f", None);
        check("0x10", None);
        check("1e999999999999", Some(f64::INFINITY));
    }

    #[test]
    fn texture_coordinates_may_lack_the_second_number() {
        assert_eq!(read::<2>(b" 0.5", 1), Ok(([0.5, 0.0], &b""[..])));
        assert_eq!(read::<2>(b"  ", 1), Err(NumberError::Missing));
        assert_eq!(read::<3>(b"1 2", 3), Err(NumberError::Missing));
    }
}

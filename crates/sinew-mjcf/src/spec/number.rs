//! The syntax of numbers: what the C library's `strtod`, `strtof` and `strtol` take, no more.
//!
//! Decimal and hexadecimal reals, `inf`, `infinity` and `nan` in any case and with a sign. A real
//! that is too large, or so small that digits are lost, is out of range; so is a whole number that
//! does not fit 32 bits.

/// Why a token is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// It is not written as one.
    Syntax,
    /// It does not fit.
    Range,
}

/// Reads a whole number.
pub fn integer(token: &str) -> Result<i32, NumberError> {
    token.parse::<i32>().map_err(|error| match error.kind() {
        std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
            NumberError::Range
        }
        _ => NumberError::Syntax,
    })
}

/// Reads a real number.
pub fn real(token: &str) -> Result<f64, NumberError> {
    match special(token) {
        Some(number) => number,
        None => {
            let number = token.parse::<f64>().map_err(|_| NumberError::Syntax)?;
            check_range(token, number.is_finite(), number.is_normal()).map(|()| number)
        }
    }
}

/// Reads a real number of 32 bits, rounding once.
pub fn real_f32(token: &str) -> Result<f32, NumberError> {
    match special(token) {
        Some(number) => {
            let wide = number?;
            let narrow = wide as f32;
            let is_lost = !narrow.is_normal() && f64::from(narrow) != wide;
            if wide.is_finite() && is_lost {
                return Err(NumberError::Range);
            }
            Ok(narrow)
        }
        None => {
            let number = token.parse::<f32>().map_err(|_| NumberError::Syntax)?;
            check_range(token, number.is_finite(), number.is_normal()).map(|()| number)
        }
    }
}

/// Numbers that are not plain decimals: `nan`, `inf` and hexadecimal.
fn special(token: &str) -> Option<Result<f64, NumberError>> {
    let (is_negative, digits) = match token.as_bytes().first()? {
        b'-' => (true, token.get(1..)?),
        b'+' => (false, token.get(1..)?),
        _ => (false, token),
    };
    let sign = if is_negative { -1.0 } else { 1.0 };
    let lower = digits.get(..9).unwrap_or(digits).to_ascii_lowercase();
    if lower == "inf" || (lower.starts_with("infinity") && digits.len() == 8) {
        return Some(Ok(sign * f64::INFINITY));
    }
    if let Some(rest) = lower.strip_prefix("nan") {
        let is_plain = rest.is_empty();
        let is_tagged = digits.len() > 4 && rest.starts_with('(') && is_tag(digits.get(4..)?);
        return Some(if is_plain || is_tagged {
            Ok(f64::NAN)
        } else {
            Err(NumberError::Syntax)
        });
    }
    if lower.starts_with("0x") {
        return Some(hexadecimal(digits.get(2..)?).map(|number| sign * number));
    }
    // Everything else the standard library would read as infinity or NaN is not a number here.
    digits
        .starts_with(|c: char| c.is_ascii_alphabetic())
        .then_some(Err(NumberError::Syntax))
}

/// The rest of `nan(…)` after its bracket.
fn is_tag(rest: &str) -> bool {
    rest.strip_suffix(')').is_some_and(|inside| {
        inside
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// Too large, or too small to keep its digits.
fn check_range(token: &str, is_finite: bool, is_normal: bool) -> Result<(), NumberError> {
    if !is_finite {
        return Err(NumberError::Range);
    }
    if !is_normal {
        let mantissa = token.split(['e', 'E']).next().unwrap_or("");
        if mantissa.bytes().any(|b| matches!(b, b'1'..=b'9')) {
            return Err(NumberError::Range);
        }
    }
    Ok(())
}

/// `1.8p3` after its `0x`.
fn hexadecimal(digits: &str) -> Result<f64, NumberError> {
    let (mantissa, exponent) = match digits.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().map_err(exponent_error)?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut bits = 0_u64;
    let mut scale = i64::from(exponent);
    let fraction_start = whole.len();
    for (i, digit) in whole.chars().chain(fraction.chars()).enumerate() {
        let value = u64::from(digit.to_digit(16).ok_or(NumberError::Syntax)?);
        let is_fraction = i >= fraction_start;
        if bits >> 56 == 0 {
            bits = (bits << 4) | value;
            scale = scale.saturating_sub(if is_fraction { 4 } else { 0 });
        } else {
            // Digits past the precision only say on which side of a half the number lies.
            bits |= u64::from(value != 0);
            scale = scale.saturating_add(if is_fraction { 0 } else { 4 });
        }
    }
    let scale = i32::try_from(scale.clamp(-100_000, 100_000)).unwrap_or(0);
    let number = libm::scalbn(bits as f64, scale);
    let is_lost = number.is_infinite() || (bits != 0 && number == 0.0);
    if is_lost {
        return Err(NumberError::Range);
    }
    Ok(number)
}

fn exponent_error(error: std::num::ParseIntError) -> NumberError {
    match error.kind() {
        std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
            NumberError::Range
        }
        _ => NumberError::Syntax,
    }
}

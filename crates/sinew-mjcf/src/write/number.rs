//! Numbers with six significant digits, as the reference saves them.

/// A number with at most six significant digits.
pub fn six_digits(number: f64) -> String {
    if !number.is_finite() || number == 0.0 {
        return match number {
            number if number.is_nan() => "nan".to_string(),
            number if number.is_infinite() && number > 0.0 => "inf".to_string(),
            number if number.is_infinite() => "-inf".to_string(),
            number if number.is_sign_negative() => "-0".to_string(),
            _ => "0".to_string(),
        };
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..6).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(digits), exponent.abs());
    }
    let decimals = usize::try_from(5 - exponent).unwrap_or(0);
    let plain = format!("{number:.decimals$}");
    if decimals == 0 {
        plain
    } else {
        trimmed(&plain).to_string()
    }
}

/// Without zeros at the end.
fn trimmed(digits: &str) -> &str {
    digits.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::six_digits;

    #[test]
    fn numbers_are_written_as_the_reference_does() {
        for (number, text) in [
            (0.1 + 0.2, "0.3"),
            (1.0 / 3.0, "0.333333"),
            (123456.7, "123457"),
            (1234567.0, "1.23457e+06"),
            (0.0001, "0.0001"),
            (0.00001234, "1.234e-05"),
            (-2.5, "-2.5"),
            (100.0, "100"),
            (-0.0, "-0"),
            (999999.5, "1e+06"),
            (0.45970084, "0.459701"),
        ] {
            assert_eq!(six_digits(number), text);
        }
    }
}

//! The syntax of numbers against what the reference made of the same tokens.

use sinew_mjcf::spec::number::{integer, real, real_f32};

/// What a token becomes, written as the reference's list writes it.
fn outcome(kind: &str, token: &str) -> String {
    match kind {
        "f64" => match real(token) {
            Ok(number) if number.is_nan() => "nan".into(),
            Ok(number) => format!("{:016x}", number.to_bits()),
            Err(_) => "error".into(),
        },
        "f32" => match real_f32(token) {
            Ok(number) if number.is_nan() => "nan".into(),
            Ok(number) => format!("{:08x}", number.to_bits()),
            Err(_) => "error".into(),
        },
        "i32" => match integer(token) {
            Ok(number) => format!("{number:08x}"),
            Err(_) => "error".into(),
        },
        other => panic!("unknown type {other}"),
    }
}

#[test]
fn tokens_are_read_as_in_the_reference() {
    let mut count = 0;
    let mut different = Vec::new();
    for line in include_str!("numbers/reference.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let [kind, token, expected]: [&str; 3] = line
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .expect("three columns");
        count += 1;
        let found = outcome(kind, token);
        if found != expected {
            different.push(format!("{kind} {token}: {found}, reference {expected}"));
        }
    }
    assert!(count > 800, "{count} tokens");
    assert!(different.is_empty(), "{}", different.join("\n"));
}

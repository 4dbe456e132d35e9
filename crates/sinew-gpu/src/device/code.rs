//! The kernels that come with this crate: compiled from `sinew-kernels` by its `device/build`, for every architecture
//! from the oldest one on, compressed.

use flate2::read::GzDecoder;
use sinew_kernels::Number;
use std::io::Read;

/// The oldest architecture that runs them.
pub(super) const OLDEST: (i32, i32) = (7, 5);

/// Whether they were compiled from the source that this crate was built with. Others are not used: worlds would differ from
/// those of the engine, or be laid out differently.
pub const ARE_CURRENT: bool = cfg!(kernels_are_current);

const SINGLE: &[u8] = include_bytes!("../../kernels/f32.ptx.gz");
const DOUBLE: &[u8] = include_bytes!("../../kernels/f64.ptx.gz");

/// The program that computes with a kind of number.
pub(super) fn program<T: Number>() -> Option<String> {
    let compressed = if size_of::<T>() == 4 { SINGLE } else { DOUBLE };
    let mut program = String::new();
    GzDecoder::new(compressed)
        .read_to_string(&mut program)
        .ok()?;
    Some(program)
}

#[cfg(test)]
mod tests {
    use super::program;

    const KERNELS: [&str; 10] = [
        "smooth_small",
        "smooth_large",
        "rows_plain",
        "rows_small",
        "rows_large",
        "solve_narrow",
        "solve_small",
        "solve_large",
        "advance_small",
        "advance_large",
    ];

    #[test]
    fn programs_have_all_kernels_and_double_precision_fuses_nothing() {
        for (name, text) in [("f32", program::<f32>()), ("f64", program::<f64>())] {
            let text = text.expect("a compressed program");
            for kernel in KERNELS {
                let entry = format!(".entry {kernel}(");
                assert!(text.contains(&entry), "{name}: {entry}");
            }
            assert!(text.contains(".target sm_75"));
            assert_eq!(text.contains("fma."), name == "f32", "{name}");
        }
    }
}

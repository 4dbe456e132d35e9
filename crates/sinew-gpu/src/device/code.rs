//! The kernels that come with this crate: compiled from `sinew-kernels` by its `device/build`, for every architecture
//! from the oldest one on, compressed.

use lzma_rust2::LzmaReader;
use sinew_kernels::Number;
use std::io::Read;

/// The oldest architecture that runs them.
pub(super) const OLDEST: (i32, i32) = (7, 5);

/// Whether they were compiled from the source that this crate was built with. Others are not used: worlds would differ from
/// those of the engine, or be laid out differently.
pub const ARE_CURRENT: bool = cfg!(kernels_are_current);

/// Programs that drivers compile for their device.
const SINGLE: &[u8] = include_bytes!("../../kernels/f32.ptx.lzma");
const DOUBLE: &[u8] = include_bytes!("../../kernels/f64.ptx.lzma");

/// Machine code: number, architecture, packed bytes.
const MACHINE_CODE: &[(&str, i32, &[u8])] = include!(concat!(env!("OUT_DIR"), "/machine_code.rs"));

/// Kibibytes that unpacking may take.
const MOST_MEMORY: u32 = 64 * 1024;

fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut reader = LzmaReader::new_mem_limit(packed, MOST_MEMORY, None).ok()?;
    reader.read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The program that computes with a kind of number.
pub(super) fn program<T: Number>() -> Option<String> {
    let packed = if size_of::<T>() == 4 { SINGLE } else { DOUBLE };
    String::from_utf8(unpacked(packed)?).ok()
}

/// Machine code for an architecture: that of the last one before it in the same family, on which it runs as well.
pub(super) fn machine_code<T: Number>((major, minor): (i32, i32)) -> Option<Vec<u8>> {
    let number = if size_of::<T>() == 4 { "f32" } else { "f64" };
    let best = fitting(number, (major, minor)).max_by_key(|entry| entry.1)?;
    unpacked(best.2)
}

fn fitting(
    number: &str,
    (major, minor): (i32, i32),
) -> impl Iterator<Item = &'static (&'static str, i32, &'static [u8])> {
    MACHINE_CODE
        .iter()
        .filter(move |entry| entry.0 == number && entry.1 / 10 == major && entry.1 % 10 <= minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESOURCES: &str = include_str!("../../kernels/resources.txt");

    /// Kernels of all numbers.
    const KERNELS: [&str; 31] = [
        "smooth_plain",
        "smooth_small",
        "smooth_large",
        "near_small",
        "near_large",
        "meet_formula",
        "meet_distance",
        "meet_polytope",
        "rows_plain",
        "rows_small",
        "rows_large",
        "adhere_small",
        "adhere_large",
        "solve_small",
        "solve_large",
        "parts_small",
        "parts_large",
        "sense_plain",
        "sense_small",
        "sense_large",
        "gauge_distance",
        "gauge_ray",
        "gauge_tactile",
        "gauge_energy",
        "advance_plain",
        "advance_small",
        "advance_large",
        "reset_worlds",
        "end_worlds",
        "put_back_worlds",
        "derive_worlds",
    ];

    /// Kernels of a number.
    fn kernels(number: &str) -> Vec<String> {
        let all = KERNELS.iter().map(|&name| name.to_owned());
        match number {
            "f64" => all.chain(["solve_narrow".to_owned()]).collect(),
            _ => {
                let sizes = |name| (1..=8).map(move |k| format!("solve_{name}_{}", 4 * k));
                all.chain(sizes("quick")).chain(sizes("cones")).collect()
            }
        }
    }

    #[test]
    fn programs_have_all_kernels_and_double_precision_fuses_nothing() {
        for (name, text) in [("f32", program::<f32>()), ("f64", program::<f64>())] {
            let text = text.expect("a compressed program");
            // Those of another source, which are not used, may have others.
            for kernel in kernels(name).iter().filter(|_| ARE_CURRENT) {
                let entry = format!(".entry {kernel}(");
                assert!(text.contains(&entry), "{name}: {entry}");
            }
            assert!(text.contains(".target sm_75"));
            assert_eq!(text.contains("fma."), name == "f32", "{name}");
        }
    }

    #[test]
    fn machine_code_is_taken_from_the_family_of_a_device() {
        let taken = |architecture| {
            let best = fitting("f32", architecture).max_by_key(|entry| entry.1);
            best.map(|entry| entry.1)
        };
        for (number, architecture, packed) in MACHINE_CODE {
            let bytes = unpacked(packed).expect("packed machine code");
            assert!(bytes.starts_with(b"\x7fELF"), "{number} {architecture}");
            let family = (architecture / 10, architecture % 10);
            assert_eq!(fitting(number, family).count(), 1);
            assert!(taken((family.0, 9)) >= Some(*architecture));
        }
        assert_eq!((taken((7, 5)), taken((99, 0))), (None, None));
    }

    /// Numbers of the table of resources: registers, stack, spills.
    fn resources(number: &str, architecture: i32, kernel: &str) -> Option<[u32; 3]> {
        let begin = format!("{number} sm_{architecture} {kernel} ");
        let line = RESOURCES.lines().find(|line| line.starts_with(&begin))?;
        let word = |k: usize| line.split(' ').nth(k)?.parse().ok();
        Some([word(4)?, word(6)?, word(8)?])
    }

    /// What most models use, and what has neither stack nor spills. Rows, and solvers of more than 12 degrees of freedom in single
    /// precision, have few registers, so that many run at once: they spill, and are faster for it (`docs/gpu.md`).
    fn hot(number: &str, architecture: i32) -> &'static [&'static str] {
        match (number, architecture) {
            ("f64", _) => &["smooth_plain", "advance_plain", "solve_narrow"],
            (_, 90..) => &[
                "smooth_plain",
                "advance_plain",
                "solve_quick_4",
                "solve_quick_8",
            ],
            _ => &["advance_plain"],
        }
    }

    #[test]
    fn all_machine_code_is_in_the_table_and_hot_kernels_spill_nothing() {
        for &(number, architecture, _) in MACHINE_CODE {
            for kernel in kernels(number).iter().filter(|_| ARE_CURRENT) {
                let found = resources(number, architecture, kernel);
                let [registers, stack, spills] = found.expect("a line for each kernel");
                assert!(registers <= 255);
                if hot(number, architecture).contains(&kernel.as_str()) {
                    assert_eq!(
                        [stack, spills],
                        [0, 0],
                        "{number} sm_{architecture} {kernel}"
                    );
                }
            }
        }
    }
}

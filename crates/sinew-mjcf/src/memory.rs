//! The memory that one load may hold, counted before it is reserved.
//!
//! Whoever is about to make something of a size that a file decides takes its bytes here first; what is
//! let go is given back. The sum stands for what the load holds at its worst moment, a little more than
//! it really does. Without a number from the user the limit is what the process may still get: its
//! address space, its control group, the machine's free memory, and never more than [`MOST`].

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use crate::place::Place;
use crate::report::{Entry, Report};
use sinew_model::ModelArrays;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most that a load takes unless it is told: 8 GiB.
pub const MOST: u64 = 8 << 30;

/// Loads below this are not worth asking the system.
const SMALL: u64 = 16 << 20;

/// What a load holds.
#[derive(Debug, Default)]
pub struct Memory {
    asked: Option<u64>,
    found: OnceLock<u64>,
    held: AtomicU64,
}

/// Why something is not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Bytes that were asked for.
    pub needed: u64,
    /// Bytes that are left.
    pub left: u64,
}

impl Memory {
    /// Nothing held yet. `None`: as much as the process may still get.
    pub fn new(limit: Option<u64>) -> Self {
        Memory {
            asked: limit,
            ..Memory::default()
        }
    }

    /// Takes bytes for something that is about to be made.
    pub fn take(&self, bytes: u64) -> Result<(), Shortage> {
        let fits = |held: u64| {
            let after = held.saturating_add(bytes);
            let is_small = after <= SMALL && self.asked.is_none();
            (is_small || after <= self.limit()).then_some(after)
        };
        let taken = self
            .held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        taken.map(drop).map_err(|held| Shortage {
            needed: bytes,
            left: self.limit().saturating_sub(held),
        })
    }

    /// Bytes held now.
    pub fn held(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// Gives back bytes of something that is gone.
    pub fn give_back(&self, bytes: u64) {
        let less = |held: u64| Some(held.saturating_sub(bytes));
        // A function that always gives a number always succeeds.
        let _ = self
            .held
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// The most bytes this load may hold.
    fn limit(&self) -> u64 {
        self.asked.unwrap_or_else(|| {
            *self
                .found
                .get_or_init(|| available().map_or(MOST, |room| room.clamp(SMALL, MOST)))
        })
    }
}

impl std::fmt::Display for Shortage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shortage { needed, left } = self;
        write!(
            f,
            "{} of memory where {} are left",
            Bytes(*needed),
            Bytes(*left)
        )
    }
}

impl Shortage {
    /// Reports what cannot be made.
    pub fn report<'a>(&self, what: &str, place: Place, report: &'a mut Report) -> &'a mut Entry {
        let message = format!("{what} would take {self}");
        let entry = report.error("mjcf::memory", place, message);
        entry.hint("make it smaller, or raise the memory that loading may use")
    }
}

/// A number of bytes for people.
pub struct Bytes(pub u64);

impl std::fmt::Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (unit, shift) in [("GiB", 30_u32), ("MiB", 20), ("KiB", 10)] {
            if self.0 >> shift > 0 {
                let tenths = (self.0 >> shift.saturating_sub(10)).saturating_mul(10) >> 10;
                let (whole, part) = (tenths / 10, tenths % 10);
                return write!(f, "{whole}.{part} {unit}");
            }
        }
        write!(f, "{} bytes", self.0)
    }
}

/// Bytes that this process may still get, an eighth left for everybody else; `None` where the system
/// does not tell.
pub fn available() -> Option<u64> {
    let rooms = [address_space(), control_group(), machine()];
    let least = rooms.into_iter().flatten().min()?;
    Some(least.saturating_sub(least / 8))
}

/// What is left of the address space, where the process has a limit on it.
fn address_space() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let row = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max address space"))?;
    let limit: u64 = row.split_whitespace().next()?.parse().ok()?;
    let used = kibibytes(
        &std::fs::read_to_string("/proc/self/status").ok()?,
        "VmSize:",
    )?;
    Some(limit.saturating_sub(used))
}

/// What is left to the control group, where it has a limit.
fn control_group() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let number = |folder: &str, file: &str| -> Option<u64> {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup{folder}/{file}")).ok()?;
        text.trim().parse().ok()
    };
    // In a container the group's own folder is mounted in place of the root.
    let left = |folder: &str| {
        let most = number(folder, "memory.max")?;
        Some(most.saturating_sub(number(folder, "memory.current")?))
    };
    left(own.trim_end_matches('/')).or_else(|| left(""))
}

/// What the machine has free.
fn machine() -> Option<u64> {
    kibibytes(
        &std::fs::read_to_string("/proc/meminfo").ok()?,
        "MemAvailable:",
    )
}

/// The number after a label, in bytes.
fn kibibytes(text: &str, label: &str) -> Option<u64> {
    let row = text.lines().find_map(|line| line.strip_prefix(label))?;
    let number: u64 = row.split_whitespace().next()?.parse().ok()?;
    number.checked_mul(1024)
}

/// Roughly the bytes of one `Data`: what every object needs, and the sizes that users set freely.
pub fn simulation_bytes(model: &ModelArrays) -> u64 {
    let per_object = [
        (model.nq, 4),
        (model.nv, 60),
        (model.nbody, 150),
        (model.ngeom, 20),
        (model.nsite, 20),
        (model.ncam, 20),
        (model.nlight, 10),
        (model.ntendon, 20),
        (model.nwrap, 20),
        (model.nu, 20),
        (model.na, 4),
        (model.neq, 1),
        (model.nuserdata, 1),
        (model.nsensordata, 2),
        (model.nhistory, 1),
        (model.nflexvert, 10),
        (model.nflexedge, 4),
        (model.nflexelem, 6),
        (model.nbvhdynamic, 6),
        (model.nJfe, 1),
        (model.nJfv, 2),
    ];
    let numbers = per_object
        .iter()
        .map(|(count, numbers)| (*count as u64).saturating_mul(*numbers))
        .fold(0_u64, u64::saturating_add);
    numbers.saturating_mul(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_missed_until_it_is_given_back() {
        let memory = Memory::new(Some(100));
        assert_eq!(memory.take(60), Ok(()));
        let shortage = Shortage {
            needed: 50,
            left: 40,
        };
        assert_eq!(memory.take(50), Err(shortage));
        memory.give_back(20);
        assert_eq!(memory.take(50), Ok(()));
        assert_eq!(memory.take(u64::MAX).map_err(|s| s.left), Err(10));
    }

    #[test]
    fn bytes_are_told_in_units_of_their_size() {
        let shown = |bytes| Bytes(bytes).to_string();
        assert_eq!(shown(1000), "1000 bytes");
        assert_eq!(shown(1536), "1.5 KiB");
        assert_eq!(shown(512 << 20), "512.0 MiB");
        assert_eq!(shown(u64::MAX), "17179869183.9 GiB");
    }

    #[test]
    fn the_system_is_asked_only_for_what_is_large() {
        let memory = Memory::new(None);
        assert_eq!(memory.take(SMALL), Ok(()));
        assert!(memory.found.get().is_none());
        assert!(memory.take(u64::MAX / 2).is_err());
    }

    #[test]
    fn labels_are_found() {
        assert_eq!(
            kibibytes("A: 1 kB\nVmSize:\t  12 kB\n", "VmSize:"),
            Some(12 << 10)
        );
        assert_eq!(kibibytes("", "VmSize:"), None);
    }
}

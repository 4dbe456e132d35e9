//! Counters of things that went wrong while stepping.
//!
//! Counters are the reference's: a reset clears them. Totals and the number of automatic resets run
//! over the whole life of a simulation; only [`Warnings::clear_totals`] clears them.
//!
//! A sensor whose reading is not finite is not among the reference's warnings: it is in the totals only
//! ([`Warnings::bad_sensors`]), and the log hears of it.
//!
//! Nothing is printed. Who wants to hear of warnings as they happen gives the simulation a log:
//!
//! ```
//! # use sinew_engine::Data;
//! # fn listen(data: &mut Data) {
//! data.warnings.log_to(|event| eprintln!("{event}"));
//! # }
//! ```
//!
//! The log hears the first, second, fourth, eighth … event of each kind, so that a job of a billion
//! steps cannot drown in them; each event says how many there were.

use core::fmt;
use sinew_model::kinds::Warning;
use std::sync::Arc;

const KINDS: usize = Warning::TABLE.members.len();

/// One kind of warning since the last reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarningCount {
    /// What the last one was about: an index into the array concerned.
    pub lastinfo: i32,
    /// How often it happened.
    pub number: i32,
}

/// One kind of warning over the life of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WarningTotal {
    /// What the last one was about: an index into the array concerned.
    pub lastinfo: i32,
    /// How often it happened.
    pub number: u64,
    /// Simulated time of the last one.
    pub time: f64,
}

impl WarningTotal {
    /// One more; returns how many there were.
    fn add(&mut self, index: usize, time: f64) -> u64 {
        self.lastinfo = i32::try_from(index).unwrap_or(i32::MAX);
        self.number = self.number.saturating_add(1);
        self.time = time;
        self.number
    }
}

/// A warning as the log hears of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What happened; none: a reading of a sensor is not finite.
    pub warning: Option<Warning>,
    /// What it was about: an index into the array concerned, or how many contacts or rows fitted.
    pub index: usize,
    /// Simulated time.
    pub time: f64,
    /// How often it has happened, this one included.
    pub number: u64,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Event {
            warning,
            index,
            time,
            number,
        } = self;
        use Warning::{Badctrl, Badqacc, Badqpos, Badqvel, Cnstrfull, Contactfull};
        match warning {
            None => write!(f, "reading {index} of the sensors is not finite")?,
            Some(Badqpos) => write!(f, "position {index} is not finite or too large")?,
            Some(Badqvel) => write!(f, "velocity {index} is not finite or too large")?,
            Some(Badqacc) => write!(f, "acceleration {index} is not finite or too large")?,
            Some(Badctrl) => write!(f, "control {index} is not finite or too large")?,
            Some(Contactfull) => write!(f, "no memory for more than {index} contacts")?,
            Some(Cnstrfull) => write!(f, "no memory for more than {index} constraint rows")?,
            Some(other) => write!(f, "warning {other:?} about {index}")?,
        }
        write!(f, " at time {time}")?;
        match number {
            0 | 1 => Ok(()),
            number => write!(f, ", {number} times so far"),
        }
    }
}

/// Who hears of events.
#[derive(Clone, Default)]
struct Log(Option<Arc<dyn Fn(&Event) + Send + Sync>>);

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Log" } else { "no log" })
    }
}

/// All counters.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    counts: [WarningCount; KINDS],
    totals: [WarningTotal; KINDS],
    bad_sensors: WarningTotal,
    inverted: WarningTotal,
    resets: u64,
    log: Log,
}

/// Equal counters, whoever listens.
impl PartialEq for Warnings {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |w: &Warnings| (w.counts, w.totals, w.bad_sensors, w.inverted, w.resets);
        numbers(self) == numbers(other)
    }
}

impl Warnings {
    /// Counts one, at a simulated time.
    #[cold]
    pub fn count(&mut self, warning: Warning, info: usize, time: f64) {
        self.count_again(warning, info);
        let number = self.totals[warning as usize].add(info, time);
        self.tell(Some(warning), info, time, number);
    }

    /// Counts a reading of a sensor that is not finite.
    #[cold]
    pub(crate) fn count_bad_sensor(&mut self, index: usize, time: f64) {
        let number = self.bad_sensors.add(index, time);
        self.tell(None, index, time, number);
    }

    /// Counts an evaluation in which a law found elements of a flex inside out.
    #[cold]
    pub(crate) fn count_inverted(&mut self, flex: usize, time: f64) {
        self.inverted.add(flex, time);
    }

    fn tell(&self, warning: Option<Warning>, index: usize, time: f64, number: u64) {
        let event = Event {
            warning,
            index,
            time,
            number,
        };
        if let (Some(log), true) = (&self.log.0, number.is_power_of_two()) {
            log(&event);
        }
    }

    /// From now on the log hears of events, as they happen, instead of the log before. It is called
    /// in the middle of a step and must not panic. Clones of the simulation have the same log.
    pub fn log_to(&mut self, log: impl Fn(&Event) + Send + Sync + 'static) {
        self.log = Log(Some(Arc::new(log)));
    }

    /// Nobody hears of events any more.
    pub fn log_to_nobody(&mut self) {
        self.log = Log(None);
    }

    /// The counters of another simulation; the log stays.
    pub(crate) fn copy_from(&mut self, other: &Warnings) {
        let log = core::mem::take(&mut self.log);
        self.clone_from(other);
        self.log = log;
    }

    /// Counts one that is in the totals already.
    pub(crate) fn count_again(&mut self, warning: Warning, info: usize) {
        let entry = &mut self.counts[warning as usize];
        entry.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
        entry.number = entry.number.saturating_add(1);
    }

    /// Counts an automatic reset.
    pub(crate) fn count_reset(&mut self) {
        self.resets = self.resets.saturating_add(1);
    }

    /// The counter of one kind.
    pub fn get(&self, warning: Warning) -> WarningCount {
        self.counts[warning as usize]
    }

    /// All counters in the order of their codes.
    pub fn all(&self) -> &[WarningCount] {
        &self.counts
    }

    /// All counters in the order of their codes, for writing; totals stay.
    pub fn all_mut(&mut self) -> &mut [WarningCount] {
        &mut self.counts
    }

    /// The total of one kind.
    pub fn total(&self, warning: Warning) -> WarningTotal {
        self.totals[warning as usize]
    }

    /// All totals in the order of their codes.
    pub fn totals(&self) -> &[WarningTotal] {
        &self.totals
    }

    /// Steps after which a reading of a sensor was not finite, with the first of them at the last such step.
    pub fn bad_sensors(&self) -> WarningTotal {
        self.bad_sensors
    }

    /// Evaluations in which a law found elements of a flex inside out, with the last such flex.
    pub fn inverted_elements(&self) -> WarningTotal {
        self.inverted
    }

    /// Automatic resets over the life of the simulation.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    /// Counters back to zero; totals stay.
    pub fn clear(&mut self) {
        self.counts = Default::default();
    }

    /// Totals and the number of resets back to zero.
    pub fn clear_totals(&mut self) {
        self.totals = Default::default();
        self.bad_sensors = WarningTotal::default();
        self.inverted = WarningTotal::default();
        self.resets = 0;
    }
}

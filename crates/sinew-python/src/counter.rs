//! Warning counters, timers and statistics of the solver, as arrays of one field each.

use crate::varying::{Cells, Column};
use sinew::engine::acceleration::constraint::ISLANDS_COUNTED;
use sinew::model::kinds::TimerKind;

/// How often parts of the computation ran, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Timers {
    /// Seconds, by `mjtTimer`.
    pub duration: [f64; TIMERS],
    /// Runs, by `mjtTimer`.
    pub number: [i32; TIMERS],
}

const TIMERS: usize = TimerKind::TABLE.members.len();

impl Timers {
    /// How many there are.
    pub const COUNT: usize = TIMERS;
}

/// A field of the timers.
macro_rules! timer {
    ($name:literal, $cells:ident, $field:ident) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::$cells(
                |source| source.timers.$field.to_vec(),
                Some(|source, values| {
                    source.timers.$field.copy_from_slice(values);
                    Ok(())
                }),
            ),
        }
    };
}

/// A field of the warning counters.
macro_rules! warning {
    ($name:literal, $field:ident) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::Codes(
                |source| {
                    let counters = source.data.warnings.all();
                    counters.iter().map(|entry| entry.$field).collect()
                },
                Some(|source, values| {
                    let counters = source.data.warnings.all_mut();
                    for (entry, &value) in counters.iter_mut().zip(values) {
                        entry.$field = value;
                    }
                    Ok(())
                }),
            ),
        }
    };
}

/// A field of the statistics of the solver's iterations.
macro_rules! statistic {
    ($name:literal, $cells:ident, $field:ident) => {
        Column {
            name: $name,
            width: None,
            cells: Cells::$cells(
                |source| {
                    let all = &source.data.acceleration.solution.solver;
                    all.iter().map(|entry| entry.$field).collect()
                },
                Some(|source, values| {
                    let all = &mut source.data.acceleration.solution.solver;
                    for (entry, &value) in all.iter_mut().zip(values) {
                        entry.$field = value;
                    }
                    Ok(())
                }),
            ),
        }
    };
}

/// Every field under the reference's name.
pub const COLUMNS: &[Column] = &[
    warning!("warning.lastinfo", lastinfo),
    warning!("warning.number", number),
    timer!("timer.duration", Numbers, duration),
    timer!("timer.number", Codes, number),
    statistic!("solver.improvement", Numbers, improvement),
    statistic!("solver.gradient", Numbers, gradient),
    statistic!("solver.lineslope", Numbers, lineslope),
    statistic!("solver.nactive", Codes, nactive),
    statistic!("solver.nchange", Codes, nchange),
    statistic!("solver.neval", Codes, neval),
    statistic!("solver.nupdate", Codes, nupdate),
    Column {
        name: "solver_niter",
        width: None,
        cells: Cells::Codes(
            |source| source.data.acceleration.solution.solver_niter.to_vec(),
            Some(|source, values| {
                let target = &mut source.data.acceleration.solution.solver_niter;
                target.copy_from_slice(values);
                Ok(())
            }),
        ),
    },
    Column {
        name: "solver_nnz",
        width: None,
        cells: Cells::Codes(|_| vec![0; ISLANDS_COUNTED], None),
    },
    Column {
        name: "solver_fwdinv",
        width: None,
        cells: Cells::Numbers(
            |source| source.data.inverse.solver_fwdinv.to_vec(),
            Some(|source, values| {
                source.data.inverse.solver_fwdinv.copy_from_slice(values);
                Ok(())
            }),
        ),
    },
];

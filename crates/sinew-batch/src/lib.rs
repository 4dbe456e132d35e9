//! Many independent simulations of one model, on several threads.
//!
//! [`simulate`] runs a function with a new simulation for each item of a list. Items are taken from a
//! queue by whichever thread is free; results come in the order of the items. No simulation knows of
//! another or of the thread it runs on, so every result has the same bits for any number of threads.
//!
//! ```
//! # use sinew_batch::simulate;
//! # use sinew_engine::StepError;
//! # use sinew_model::Model;
//! # fn swing(model: &Model) {
//! let angles = vec![0.1, 0.2, 0.3];
//! let ends: Vec<Result<f64, StepError>> = simulate(model, 2, angles, |mut data, angle| {
//!     data.state.qpos[0] = angle;
//!     for _ in 0..1000 {
//!         data.step(model)?;
//!     }
//!     Ok(data.state.qpos[0])
//! });
//! # }
//! ```
//!
//! [`Queue`] is what it is made of: threads that keep something of their own between items, such as a
//! simulation that is used again, and an end before the last item.

mod batch;
mod error;
mod field;
mod lanes;
mod needs;
mod outcome;
mod pool;
mod queue;
mod reset;
mod rollout;
mod step;
mod task;
mod values;
mod which;
mod worlds;

pub use batch::{Batch, GoesOn, Snapshot};
pub use error::BatchError;
pub use field::{FIELDS, Field, Need, Role};
pub use lanes::{Lanes, Precision};
pub use outcome::{Outcome, WorldError};
pub use pool::Pool;
pub use queue::Queue;
pub use rollout::{Controls, Record};
pub use sinew_math::random::{Noise, Spread};
pub use task::Task;
pub use which::Which;

use sinew_engine::Data;
use sinew_model::Model;

/// Runs a function with a new simulation and each item, on a number of threads (0 counts as 1), the
/// calling one included. Returns what it returned, in the order of the items.
///
/// An item that fails returns a `Result` and leaves the others alone. A panic ends the work and goes
/// on in the calling thread.
pub fn simulate<I: Send, T: Send>(
    model: &Model,
    threads: usize,
    items: Vec<I>,
    run: impl Fn(Data, I) -> T + Sync,
) -> Vec<T> {
    let mut threads = vec![(); threads.clamp(1, items.len().max(1))];
    let results = Queue::default().run(&mut threads, items, |(), item| run(Data::new(model), item));
    results.into_iter().flatten().collect()
}

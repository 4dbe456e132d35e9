//! Items shared out among threads.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Independent items that workers take one after the other, a thread for each worker.
///
/// ```
/// use sinew_batch::Queue;
///
/// // Each worker has a buffer of its own, which it uses again for every item.
/// let mut buffers = vec![String::new(), String::new()];
/// let lengths = Queue::default().run(&mut buffers, vec![3, 1, 2], |buffer, count| {
///     buffer.clear();
///     buffer.extend(std::iter::repeat_n('x', count));
///     buffer.len()
/// });
/// assert_eq!(lengths, [Some(3), Some(1), Some(2)]);
/// ```
#[derive(Debug, Default)]
pub struct Queue {
    /// Items that a worker takes at once; 0 chooses.
    chunk: usize,
    is_stopped: AtomicBool,
}

/// How often a worker goes to the queue if the size of chunks is chosen here: often enough that all
/// end at nearly the same time.
const VISITS: usize = 10;

impl Queue {
    /// A queue from which workers take so many items at once. Large chunks keep many threads from
    /// waiting for each other when items are short; small ones let them end together.
    pub fn with_chunk(chunk: usize) -> Self {
        Queue {
            chunk,
            ..Queue::default()
        }
    }

    /// Ends the work: no item begins after this. Those that have begun can ask
    /// [`Queue::is_stopped`] and end early.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has ended the work.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Calls a function with a worker and an item until none is left, or the work is ended. What it
    /// returned, in the order of the items; `None` for those that did not begin. The first worker
    /// works in the calling thread; without workers nothing begins.
    ///
    /// A panic ends the work and goes on in the calling thread.
    pub fn run<W: Send, I: Send, T: Send>(
        &self,
        workers: &mut [W],
        items: Vec<I>,
        work: impl Fn(&mut W, I) -> T + Sync,
    ) -> Vec<Option<T>> {
        let count = items.len();
        let mut results: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
        let needed = workers.len().min(count);
        let Some((first, others)) = workers[..needed].split_first_mut() else {
            return results;
        };
        let chunk = match self.chunk {
            0 => (count / (needed * VISITS)).max(1),
            chunk => chunk,
        };
        let pending = Mutex::new(items.into_iter().enumerate());
        let take = || -> Vec<(usize, I)> {
            let mut pending = pending.lock().unwrap_or_else(PoisonError::into_inner);
            pending.by_ref().take(chunk).collect()
        };
        let all_of_one = |worker: &mut W| {
            let _stop = StopOnPanic(self);
            let mut done = Vec::new();
            loop {
                let taken = take();
                if taken.is_empty() {
                    return done;
                }
                for (place, item) in taken {
                    if self.is_stopped() {
                        return done;
                    }
                    done.push((place, work(worker, item)));
                }
            }
        };
        let done = thread::scope(|scope| {
            let all_of_one = &all_of_one;
            let others = others.iter_mut();
            // Where the system grants no more threads the others do their work.
            let others: Vec<_> = others
                .map_while(|worker| {
                    let thread = thread::Builder::new();
                    thread.spawn_scoped(scope, move || all_of_one(worker)).ok()
                })
                .collect();
            let mut done = all_of_one(first);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        });
        for (place, result) in done {
            results[place] = Some(result);
        }
        results
    }
}

/// Ends the work when dropped by a panic.
struct StopOnPanic<'a>(&'a Queue);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests;

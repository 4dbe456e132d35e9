//! Threads that stay: they wait between jobs, so that starting one costs microseconds and no memory.
//!
//! Who waits looks again and again for a moment before it sleeps: waking a thread takes longer than a step of a few small
//! worlds. Where there are more threads than processors they would take time from each other, so they sleep at once.

use std::any::Any;
use std::fmt;
use std::hint;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long the calling thread waits for the others before it asks whether the work goes on.
const PATIENCE: Duration = Duration::from_millis(50);

/// How long a thread looks for its next job, or for the end of the others', before it sleeps.
const ALERTNESS: Duration = Duration::from_micros(200);

/// A set of threads of fixed size, the calling thread included.
///
/// ```
/// use sinew_batch::Pool;
/// use std::sync::Mutex;
///
/// let parts: Vec<Mutex<u32>> = (0..10).map(Mutex::new).collect();
/// let mut workers = vec![0, 0, 0];
/// Pool::new(3).for_each(&mut workers, &parts, |visits, number| {
///     *number *= 2;
///     *visits += 1;
/// });
/// assert_eq!(workers.iter().sum::<u32>(), 10);
/// ```
pub struct Pool {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
    /// The process that the helpers live in; a fork leaves them behind.
    process: u32,
}

/// What a thread does in a job, given its number.
type Call<'a> = dyn Fn(usize) + Sync + 'a;

#[derive(Default)]
struct Shared {
    /// Whether every thread can have a processor.
    is_alert: bool,
    board: Mutex<Board>,
    /// [`Board::announced`] and [`Board::working`] for those who look without waiting.
    announced: AtomicU64,
    working: AtomicUsize,
    /// A job begins, or the helpers end.
    begins: Condvar,
    /// The last helper is done.
    ends: Condvar,
}

/// What the threads tell each other.
#[derive(Default)]
struct Board {
    /// The current job. Its reference is only called between the announcement and the moment when
    /// `working` is 0 again, which [`Pool::run`] waits for.
    job: Option<&'static Call<'static>>,
    /// Number of jobs announced.
    announced: u64,
    /// Helpers that are not done with the current job.
    working: usize,
    /// The first panic of a helper in this job.
    panic: Option<Box<dyn Any + Send>>,
    is_closing: bool,
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool of {} threads", self.threads())
    }
}

impl Pool {
    /// No pool has more threads.
    pub const MOST: usize = 1024;

    /// A pool of so many threads, the calling one included, but at most [`Pool::MOST`]; 0 means as many as the machine runs at
    /// once. If the system grants fewer, the pool has half of these, so that there is memory left for their work.
    pub fn new(threads: usize) -> Self {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let threads = match threads {
            0 => processors,
            threads => threads.min(Pool::MOST),
        };
        let pool = Pool::of(threads, threads <= processors);
        match pool.threads() {
            granted if granted < threads => {
                drop(pool);
                Pool::new((granted / 2).max(1))
            }
            _ => pool,
        }
    }

    /// As many of the threads as the system grants.
    fn of(threads: usize, is_alert: bool) -> Self {
        let shared = Arc::new(Shared {
            is_alert,
            ..Shared::default()
        });
        let helpers = (1..threads).map_while(|number| {
            let shared = Arc::clone(&shared);
            let name = format!("sinew {number}");
            let helper = thread::Builder::new().name(name);
            helper.spawn(move || shared.help(number)).ok()
        });
        Pool {
            helpers: helpers.collect(),
            shared,
            process: std::process::id(),
        }
    }

    /// Number of threads, the calling one included.
    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Calls a function for each part, with a worker that no other thread has at that moment. Parts
    /// are taken in order by whichever thread is free; as many threads work as there are workers.
    ///
    /// A panic lets the other threads finish what they have and goes on in the calling thread.
    pub fn for_each<W: Send, P: Send>(
        &mut self,
        workers: &mut [W],
        parts: &[Mutex<P>],
        work: impl Fn(&mut W, &mut P) + Sync,
    ) {
        self.for_each_while(workers, parts, &|| true, work);
    }

    /// The same; while the calling thread waits for the others it asks a function now and then whether the work
    /// is to go on. The others hear of its answer when they ask it themselves: `work` has to.
    pub fn for_each_while<W: Send, P: Send>(
        &mut self,
        workers: &mut [W],
        parts: &[Mutex<P>],
        goes_on: &(dyn Fn() -> bool + Sync),
        work: impl Fn(&mut W, &mut P) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let all_of_one = |worker: &mut W| {
            while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                work(worker, &mut lock(part));
            }
        };
        let needed = workers.len().min(parts.len()).min(self.threads());
        match &mut workers[..needed] {
            [] => {}
            [one] => all_of_one(one),
            several => {
                let several = Mutex::new(several.iter_mut());
                let call = |_: usize| {
                    let worker = lock(&several).next();
                    if let Some(worker) = worker {
                        all_of_one(worker);
                    }
                };
                self.run(&call, goes_on);
            }
        }
    }

    /// Calls a function once in each thread, with the thread's number; returns when all are done. Asks another one
    /// while it waits for them.
    fn run(&mut self, call: &Call<'_>, goes_on: &(dyn Fn() -> bool + Sync)) {
        if self.process != std::process::id() {
            self.start_again();
        }
        // SAFETY: only the lifetime changes. A helper calls the reference only while it counts as
        // working; the guard below ends after the count is 0 and the reference is taken off the board,
        // also if `call` panics in this thread. So nobody has it when this function ends.
        #[allow(unsafe_code)]
        let job = unsafe { core::mem::transmute::<&Call<'_>, &'static Call<'static>>(call) };
        {
            let mut board = lock(&self.shared.board);
            board.job = Some(job);
            board.announced += 1;
            board.working = self.helpers.len();
            self.shared.working.store(board.working, Ordering::Release);
            self.shared
                .announced
                .store(board.announced, Ordering::Release);
        }
        self.shared.begins.notify_all();
        let guard = WaitForAll(&self.shared);
        call(0);
        self.shared
            .look_until(|| self.shared.working.load(Ordering::Acquire) == 0);
        while self.shared.is_working_for(PATIENCE) {
            goes_on();
        }
        drop(guard);
        let panic = lock(&self.shared.board).panic.take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// New helpers in a process that was forked: the old ones stayed behind, in whatever state.
    #[cold]
    fn start_again(&mut self) {
        let threads = self.threads();
        let old = core::mem::replace(self, Pool::new(threads));
        core::mem::forget(old);
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            self.helpers.drain(..).for_each(core::mem::forget);
            return;
        }
        lock(&self.shared.board).is_closing = true;
        self.shared.begins.notify_all();
        for helper in self.helpers.drain(..) {
            // A helper that panicked has told so already.
            let _ = helper.join();
        }
    }
}

/// Waits until no helper works, however the calling thread leaves.
struct WaitForAll<'a>(&'a Shared);

impl Drop for WaitForAll<'_> {
    fn drop(&mut self) {
        let mut board = lock(&self.0.board);
        while board.working > 0 {
            board = wait(&self.0.ends, board);
        }
        board.job = None;
    }
}

impl Shared {
    /// Looks again and again, for a moment, whether something has happened.
    fn look_until(&self, has_happened: impl Fn() -> bool) {
        if !self.is_alert || has_happened() {
            return;
        }
        let start = Instant::now();
        while !has_happened() && start.elapsed() < ALERTNESS {
            for _ in 0..16 {
                hint::spin_loop();
            }
        }
    }

    /// Whether helpers still work after this time.
    fn is_working_for(&self, time: Duration) -> bool {
        let board = lock(&self.board);
        let waited = self
            .ends
            .wait_timeout_while(board, time, |board| board.working > 0);
        let (board, _) = waited.unwrap_or_else(PoisonError::into_inner);
        board.working > 0
    }

    /// The life of a helper.
    fn help(&self, number: usize) {
        let mut seen = 0;
        loop {
            self.look_until(|| self.announced.load(Ordering::Acquire) != seen);
            let mut board = lock(&self.board);
            while board.announced == seen && !board.is_closing {
                board = wait(&self.begins, board);
            }
            if board.is_closing {
                return;
            }
            seen = board.announced;
            let job = board.job;
            drop(board);
            let outcome = job.map(|job| catch_unwind(AssertUnwindSafe(|| job(number))));
            let mut board = lock(&self.board);
            if let Some(Err(panic)) = outcome {
                board.panic.get_or_insert(panic);
            }
            board.working -= 1;
            self.working.store(board.working, Ordering::Release);
            if board.working == 0 {
                self.ends.notify_one();
            }
        }
    }
}

/// Locks a mutex, also after a panic: what it guards is replaced before it is read again.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition
        .wait(guard)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize) -> Vec<Mutex<usize>> {
        (0..count).map(Mutex::new).collect()
    }

    #[test]
    fn a_pool_is_no_larger_than_pools_may_be() {
        assert_eq!(Pool::new(usize::MAX).threads(), Pool::MOST);
    }

    #[test]
    fn every_part_is_visited_once_however_many_threads_there_are() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads);
            assert_eq!(pool.threads(), threads);
            for count in [0, 1, 2, 7, 50] {
                let parts = numbers(count);
                let mut workers = vec![0; threads];
                for round in 1..=3 {
                    pool.for_each(&mut workers, &parts, |visits, part| {
                        *part += 100;
                        *visits += 1;
                    });
                    assert_eq!(workers.iter().sum::<usize>(), round * count);
                }
                for (i, part) in parts.iter().enumerate() {
                    assert_eq!(*lock(part), 300 + i);
                }
            }
        }
    }

    #[test]
    fn a_panic_goes_on_in_the_calling_thread_and_the_pool_stays_usable() {
        let mut pool = Pool::new(3);
        let parts = numbers(20);
        for culprit in [0, 19] {
            let run = AssertUnwindSafe(|| {
                pool.for_each(&mut [(); 3], &parts, |(), part| assert_ne!(*part, culprit));
            });
            assert!(catch_unwind(run).is_err());
        }
        let visits = AtomicUsize::new(0);
        pool.for_each(&mut [(); 3], &parts, |(), _| {
            visits.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(visits.into_inner(), 20);
    }

    #[test]
    fn there_may_be_fewer_workers_than_threads_and_none() {
        let mut pool = Pool::new(4);
        let parts = numbers(9);
        let mut two = [0, 0];
        pool.for_each(&mut two, &parts, |visits, _| *visits += 1);
        assert_eq!(two[0] + two[1], 9);
        pool.for_each(&mut [0; 0], &parts, |_, _| unreachable!());
    }
}

//! Independent pieces of work on several threads.

/// Applies a function to all jobs on several threads; results keep the order of the jobs. Threads that
/// the system refuses are missed by nobody: the calling thread works, too.
pub fn side_by_side<T: Sync, R: Send>(jobs: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(jobs.len()).min(8);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(job) = jobs.get(i) else { return done };
            done.push((i, work(job)));
        }
    };
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .filter_map(|_| std::thread::Builder::new().spawn_scoped(scope, take).ok())
            .collect();
        let mut results = take();
        for other in others {
            // A panic there is a panic here.
            match other.join() {
                Ok(done) => results.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    });
    results.sort_by_key(|result| result.0);
    results.into_iter().map(|result| result.1).collect()
}

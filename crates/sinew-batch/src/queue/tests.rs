use super::Queue;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn results_come_in_the_order_of_the_items() {
    for (threads, chunk) in [(1, 0), (2, 0), (3, 1), (8, 7), (4, 1000)] {
        let mut workers = vec![(); threads];
        let items: Vec<u64> = (0..100).collect();
        let squares = Queue::with_chunk(chunk).run(&mut workers, items, |(), item| item * item);
        let expected: Vec<_> = (0..100).map(|item| Some(item * item)).collect();
        assert_eq!(squares, expected, "{threads} threads, {chunk} at once");
    }
}

#[test]
fn every_worker_has_a_thread_and_keeps_what_is_its_own() {
    // Nobody gets past the barrier before all workers have an item.
    let all = Barrier::new(3);
    let mut counts = [0; 3];
    let numbers = Queue::with_chunk(1).run(&mut counts, vec![(); 3], |count, ()| {
        *count += 1;
        all.wait();
        *count
    });
    assert_eq!(numbers, [Some(1); 3]);
    assert_eq!(counts, [1; 3]);
}

#[test]
fn a_failure_leaves_the_others_alone() {
    let halves = Queue::default().run(&mut [(), ()], vec![2, 3, 4], |(), item: i32| {
        if item % 2 == 0 {
            Ok(item / 2)
        } else {
            Err("odd")
        }
    });
    assert_eq!(halves, [Some(Ok(1)), Some(Err("odd")), Some(Ok(2))]);
}

#[test]
fn after_a_stop_no_item_begins() {
    for chunk in [1, 100] {
        let queue = Queue::with_chunk(chunk);
        let done = queue.run(&mut [()], (0..100).collect(), |(), item: i32| {
            if item == 4 {
                queue.stop();
            }
            item
        });
        let begun: Vec<i32> = done.into_iter().flatten().collect();
        assert_eq!(begun, [0, 1, 2, 3, 4]);
    }
}

#[test]
fn a_panic_ends_the_work_and_goes_on_in_the_calling_thread() {
    for threads in [1, 4] {
        let (queue, begun) = (Queue::with_chunk(1), AtomicUsize::new(0));
        let mut workers = vec![(); threads];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            queue.run(&mut workers, vec![(); 1000], |(), ()| {
                if begun.fetch_add(1, Ordering::Relaxed) == 0 {
                    std::panic::resume_unwind(Box::new("on purpose"));
                }
                while !queue.is_stopped() {
                    std::thread::yield_now();
                }
            })
        }));
        let payload = outcome.expect_err("a panic");
        assert_eq!(payload.downcast_ref(), Some(&"on purpose"));
        assert!(begun.into_inner() <= threads);
    }
}

#[test]
fn without_workers_or_items_nothing_is_done() {
    let none: Vec<Option<()>> = vec![None, None];
    assert_eq!(
        Queue::default().run(&mut [(); 0], vec![1, 2], |(), _| ()),
        none
    );
    assert_eq!(Queue::default().run(&mut [()], vec![], |(), ()| ()), []);
}

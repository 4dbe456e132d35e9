//! The system's allocator, counting per thread: calls, bytes in use, and the most bytes in use.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub fn allocations() -> usize {
    CALLS.with(Cell::get)
}

/// Bytes this thread has in use.
pub fn bytes() -> isize {
    BYTES.with(Cell::get)
}

/// The most bytes that this thread has in use at once while a function runs, beyond those before.
pub fn peak_of<T>(run: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let result = run();
    let peak = PEAK.with(Cell::get) - before;
    (result, usize::try_from(peak).unwrap_or(0))
}

struct Counting;

/// A thread that is going away has nothing to count.
fn count(calls: usize, bytes: isize) {
    let _ = CALLS.try_with(|n| n.set(n.get() + calls));
    let now = BYTES.try_with(|n| {
        n.set(n.get() + bytes);
        n.get()
    });
    if let Ok(now) = now {
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now)));
    }
}

// SAFETY: every call goes unchanged to the system's allocator.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(1, layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, -(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(1, size as isize - layout.size() as isize);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

//! Where a simulation lies, and who may use it.
//!
//! Numpy arrays point into a simulation and live as long as Python wants, so its memory must neither
//! move nor be freed before the Python object that owns it. Hence a box, made with the object, that
//! has one user at a time:
//!
//! ```text
//! Free    in its place                            enter, claim take it out
//! Taken   a call has the box and returns it       everybody else gets BusyError
//! Lent    the engine, in the middle of the call,  the hook's thread may enter;
//!         has handed it on to a hook              everybody else gets BusyError
//! ```
//!
//! What is taken out is put back by a drop that cannot fail; nothing is copied, and no other
//! simulation stands in meanwhile. A simulation that a fault has left half computed is replaced, not
//! freed: arrays may show it.
//!
//! # Safety
//!
//! References. The box is owned by whoever took it out, so that a second `&mut Data` cannot come
//! from it. While it is lent, the engine's `&mut Data` is borrowed by [`Place::lend`] until the hook
//! returns, and what the hook's thread enters with is made from that borrow; a call that has entered
//! leaves `Taken` behind, so there is never more than one of them. [`Place::lend`] ends the process
//! rather than go on while one is left.
//!
//! Memory. The box is freed with the place, and a [`Held`] that is forgotten leaks it. Stages write
//! into the columns of a `Data` but never resize them, and neither they nor this crate assign to a
//! `Data` as a whole, which would free its columns; a test looks at the addresses. The object of
//! Python owns the place and is the base of every array.
//!
//! Numbers. Calls release the interpreter lock, so another thread may read or write numbers through
//! an array while the engine computes with them. What it then reads, and what the engine makes of
//! what it wrote, are numbers of some moment: it is a race, as in every library whose arrays are
//! shared with a computation that has released the lock. Nothing but numbers is at stake: every bit
//! pattern is one, columns that hold indices or lengths cannot be written from Python
//! ([`crate::data`]), and neither the engine nor the crates below it use a number unchecked to
//! compute an address.

use crate::failure;
use pyo3::prelude::*;
use sinew::engine::Data;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicPtr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The place of a simulation.
pub struct Place(Mutex<Content>);

struct Content {
    slot: Slot,
    /// Address of the simulation, wherever the box is.
    home: usize,
    /// Set when a call panicked.
    is_faulty: bool,
    /// What faults left half computed.
    discarded: Vec<Box<Data>>,
}

/// What can be in the place.
enum Slot {
    Free(Box<Data>),
    Taken,
    /// In this thread's hook. The pointer is atomic to be kept here, nothing more.
    Lent(ThreadId, AtomicPtr<Data>),
}

impl Place {
    /// A place with a simulation.
    pub fn new(data: Data) -> Self {
        let data = Box::new(data);
        Place(Mutex::new(Content {
            home: address(&data),
            slot: Slot::Free(data),
            is_faulty: false,
            discarded: Vec::new(),
        }))
    }

    /// The simulation for one call, also if the call comes from a hook that it was lent to.
    pub fn enter(&self) -> PyResult<Held<'_>> {
        let here = thread::current().id();
        self.take(|slot| match slot {
            Slot::Free(_) => true,
            Slot::Taken => false,
            Slot::Lent(thread, _) => *thread == here,
        })
    }

    /// The simulation for one call that no hook may make: one that calls hooks, or replaces it.
    pub fn claim(&self) -> PyResult<Held<'_>> {
        self.take(|slot| matches!(slot, Slot::Free(_)))
    }

    fn take(&self, is_allowed: impl FnOnce(&Slot) -> bool) -> PyResult<Held<'_>> {
        let held = self.take_even_faulty(is_allowed)?;
        if held.is_faulty() {
            return Err(failure::exception(
                "InternalError",
                "a fault of sinew left this data half computed; call mj_resetData first".to_owned(),
            ));
        }
        Ok(held)
    }

    /// As [`Place::claim`], whatever a fault has left there.
    pub fn claim_even_faulty(&self) -> PyResult<Held<'_>> {
        self.take_even_faulty(|slot| matches!(slot, Slot::Free(_)))
    }

    fn take_even_faulty(&self, is_allowed: impl FnOnce(&Slot) -> bool) -> PyResult<Held<'_>> {
        let slot = {
            let mut content = self.lock();
            let is_allowed = is_allowed(&content.slot);
            is_allowed.then(|| std::mem::replace(&mut content.slot, Slot::Taken))
        };
        // Exceptions are made without the lock: making them runs Python.
        let access = match slot {
            Some(Slot::Free(data)) => Access::Own(data),
            // SAFETY: made from an exclusive borrow that lasts until `lend` ends, which is after
            // this has been put back; until then nobody else takes it, as the slot says `Taken`.
            #[allow(unsafe_code)]
            Some(Slot::Lent(thread, data)) => unsafe {
                Access::Hook(thread, &mut *data.into_inner())
            },
            Some(Slot::Taken) | None => return Err(failure::busy("data")),
        };
        Ok(Held {
            place: self,
            access: Some(access),
        })
    }

    /// Hands the simulation that a call has taken on to what is called here, in this thread.
    pub fn lend<T>(&self, data: &mut Data, call: impl FnOnce() -> T) -> PyResult<T> {
        let is_ours = {
            let mut content = self.lock();
            let is_ours = matches!(content.slot, Slot::Taken) && content.home == address(data);
            if is_ours {
                content.slot = Slot::Lent(thread::current().id(), AtomicPtr::new(data));
            }
            is_ours
        };
        if !is_ours {
            let message = "this is a fault of sinew: a hook was given another simulation";
            return Err(failure::exception("InternalError", message.to_owned()));
        }
        let _end = LoanEnd(self);
        Ok(call())
    }

    /// Runs something that computes with the simulation. If it panics the simulation refuses work
    /// until it is replaced.
    pub fn guard<T>(&self, run: impl FnOnce() -> T) -> PyResult<T> {
        failure::guard(run).inspect_err(|_| self.lock().is_faulty = true)
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn address(data: &Data) -> usize {
    std::ptr::from_ref(data).addr()
}

/// When a hook is over, or has panicked, the call that lent the simulation has it again.
struct LoanEnd<'a>(&'a Place);

impl Drop for LoanEnd<'_> {
    fn drop(&mut self) {
        let ended = std::mem::replace(&mut self.0.lock().slot, Slot::Taken);
        if !matches!(ended, Slot::Lent(..)) {
            // Somebody still has the simulation that the engine is about to use.
            std::process::abort();
        }
    }
}

/// A simulation in use; it goes back to its place when this is dropped.
pub struct Held<'a> {
    place: &'a Place,
    /// There until the drop.
    access: Option<Access<'a>>,
}

/// How a call has come by a simulation.
enum Access<'a> {
    /// It has taken it out of its place.
    Own(Box<Data>),
    /// The hook that makes the call was lent it, in this thread.
    Hook(ThreadId, &'a mut Data),
}

impl Held<'_> {
    /// Whether a fault has left it half computed.
    pub fn is_faulty(&self) -> bool {
        self.place.lock().is_faulty
    }

    /// Puts another simulation in the place of this one, which is kept: arrays may show it.
    pub fn replace(&mut self, fresh: Data) {
        let Some(Access::Own(data)) = &mut self.access else {
            unreachable!("only a call that has claimed it replaces a simulation");
        };
        let discarded = std::mem::replace(data, Box::new(fresh));
        let mut content = self.place.lock();
        content.home = address(data);
        content.is_faulty = false;
        content.discarded.push(discarded);
    }
}

impl Deref for Held<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        match self.access.as_ref().expect("there until the drop") {
            Access::Own(data) => data,
            Access::Hook(_, data) => data,
        }
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        match self.access.as_mut().expect("there until the drop") {
            Access::Own(data) => data,
            Access::Hook(_, data) => data,
        }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let slot = match self.access.take() {
            Some(Access::Own(data)) => Slot::Free(data),
            Some(Access::Hook(thread, data)) => Slot::Lent(thread, AtomicPtr::new(data)),
            None => return,
        };
        self.place.lock().slot = slot;
    }
}

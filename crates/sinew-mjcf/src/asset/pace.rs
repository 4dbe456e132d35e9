//! Looking at the clock while something long is read or made.

use core::cell::Cell;

/// Who is asked, now and then, whether to go on.
pub type GoesOn<'a> = &'a dyn Fn() -> bool;

/// There is no time left, or nobody wants the model any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late;

impl Late {
    /// What is said of it.
    pub const MESSAGE: &'static str = "it takes more time than loading may take";
}

impl From<Late> for String {
    fn from(_: Late) -> Self {
        Self::from(Late::MESSAGE)
    }
}

/// Asks each time so many bytes are done.
pub struct Pace<'a> {
    goes_on: GoesOn<'a>,
    done: Cell<usize>,
}

impl<'a> Pace<'a> {
    /// So many bytes are read, or as much is done as reading them takes, before anybody is asked.
    pub const BYTES: usize = 1 << 18;

    /// For who is asked whether to go on.
    pub fn new(goes_on: GoesOn<'a>) -> Self {
        Pace {
            goes_on,
            done: Cell::new(0),
        }
    }

    /// So many bytes are done: an error where there is no time for the next.
    pub fn after(&self, bytes: usize) -> Result<(), Late> {
        let done = self.done.get().saturating_add(bytes);
        if done < Self::BYTES {
            self.done.set(done);
            return Ok(());
        }
        self.done.set(0);
        self.look()
    }

    /// An error where there is no time left.
    pub fn look(&self) -> Result<(), Late> {
        (self.goes_on)().then_some(()).ok_or(Late)
    }
}

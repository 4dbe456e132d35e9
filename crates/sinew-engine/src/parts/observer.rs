//! User code that hears where stages begin and end, so that it can count and time them, and that may end a
//! computation that takes too long; the engine itself has no clock.

use super::Nothing;
use sinew_model::kinds::TimerKind;
use sinew_solver::Patience;

/// A moment at the border of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The stage begins, or goes on after a pause.
    Begin(TimerKind),
    /// It pauses: more of it comes later in the same run, or came before.
    Pause(TimerKind),
    /// One run of it ends.
    End(TimerKind),
}

/// Hears where stages begin and end.
pub trait Observer {
    /// Told at the borders of the stages that the reference times. Stages contain each other.
    #[doc(alias = "mjcb_time")]
    fn observe(&mut self, moment: Moment);

    /// Asked now and then inside a computation whether to go on: between pairs of geoms, islands, sweeps
    /// and iterations. Once it has refused it must go on refusing. None: nobody is asked.
    ///
    /// A step that is refused ends with [`StepError::Interrupted`](crate::StepError::Interrupted) and leaves
    /// state and input as they were; derived arrays are those of an unfinished computation.
    #[inline]
    fn patience(&mut self) -> Option<&mut dyn Patience> {
        None
    }
}

/// Ends a computation as soon as a function says no: `Until(|| Instant::now() < deadline)`.
#[derive(Clone, Copy, Debug)]
pub struct Until<F>(pub F);

impl<F: FnMut() -> bool> Observer for Until<F> {
    #[inline]
    fn observe(&mut self, _: Moment) {}

    fn patience(&mut self) -> Option<&mut dyn Patience> {
        Some(&mut self.0)
    }
}

impl Observer for Nothing {
    #[inline]
    fn observe(&mut self, _: Moment) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    #[inline]
    fn observe(&mut self, moment: Moment) {
        (**self).observe(moment);
    }

    #[inline]
    fn patience(&mut self) -> Option<&mut dyn Patience> {
        (**self).patience()
    }
}

//! User code that hears where stages begin and end, so that it can count and time them; the engine
//! itself has no clock.

use super::Nothing;
use sinew_model::kinds::TimerKind;

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
}

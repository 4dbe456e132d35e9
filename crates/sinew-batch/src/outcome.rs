//! What a step of all worlds gave.

use core::fmt;
use sinew_engine::StepError;

/// Why a world's step failed. The other worlds know nothing of it.
#[derive(Clone, Debug, PartialEq)]
pub enum WorldError {
    /// The step met a bad value or could not begin.
    Step(StepError),
    /// User code panicked, with this message.
    Panic(String),
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldError::Step(error) => error.fmt(f),
            WorldError::Panic(message) => write!(f, "user code panicked: {message}"),
        }
    }
}

impl core::error::Error for WorldError {}

/// What the last step gave, an entry per world.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// What the task says the step is worth; 0 without one.
    pub rewards: Vec<f64>,
    /// Whether the episode has ended: by failure, or as the task says.
    pub terminated: Vec<bool>,
    /// Whether the time limit has been reached.
    pub truncated: Vec<bool>,
    /// What went wrong; `None`: nothing.
    pub errors: Vec<Option<WorldError>>,
    /// Whether steps counted warnings.
    pub warned: Vec<bool>,
}

/// The entries of some worlds.
#[derive(Debug)]
pub(crate) struct OutcomeMut<'a> {
    pub rewards: &'a mut [f64],
    pub terminated: &'a mut [bool],
    pub truncated: &'a mut [bool],
    pub errors: &'a mut [Option<WorldError>],
    pub warned: &'a mut [bool],
}

impl Outcome {
    /// Nothing has happened yet in any world; `None` if there is no memory for them.
    pub(crate) fn new(count: usize) -> Option<Self> {
        fn filled<T: Clone>(value: T, count: usize) -> Option<Vec<T>> {
            let mut all = Vec::new();
            all.try_reserve_exact(count).ok()?;
            all.resize(count, value);
            Some(all)
        }
        Some(Outcome {
            rewards: filled(0.0, count)?,
            terminated: filled(false, count)?,
            truncated: filled(false, count)?,
            errors: filled(None, count)?,
            warned: filled(false, count)?,
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rewards.len() * (8 + 1 + 1 + 1 + size_of::<Option<WorldError>>())
    }

    pub(crate) fn as_mut(&mut self) -> OutcomeMut<'_> {
        OutcomeMut {
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            errors: &mut self.errors,
            warned: &mut self.warned,
        }
    }

    /// The worlds whose last step failed, and why.
    pub fn failures(&self) -> impl Iterator<Item = (usize, &WorldError)> {
        let errors = self.errors.iter().enumerate();
        errors.filter_map(|(world, error)| Some((world, error.as_ref()?)))
    }
}

impl<'a> OutcomeMut<'a> {
    pub fn split_at(self, count: usize) -> (Self, Self) {
        let rewards = self.rewards.split_at_mut(count);
        let terminated = self.terminated.split_at_mut(count);
        let truncated = self.truncated.split_at_mut(count);
        let errors = self.errors.split_at_mut(count);
        let warned = self.warned.split_at_mut(count);
        let first = OutcomeMut {
            rewards: rewards.0,
            terminated: terminated.0,
            truncated: truncated.0,
            errors: errors.0,
            warned: warned.0,
        };
        let second = OutcomeMut {
            rewards: rewards.1,
            terminated: terminated.1,
            truncated: truncated.1,
            errors: errors.1,
            warned: warned.1,
        };
        (first, second)
    }

    /// The world begins anew.
    pub fn clear(&mut self, world: usize) {
        self.rewards[world] = 0.0;
        self.terminated[world] = false;
        self.truncated[world] = false;
        self.errors[world] = None;
        self.warned[world] = false;
    }
}

//! Newton's method and conjugate gradients for one problem, with storage kept between solves.

use super::conjugate_gradient::ConjugateGradient;
use super::{Iterate, Memory, Report, Sizes, descend};
use crate::hessian::Hessian;
use crate::log::Log;
use crate::problem::{Method, Problem, Settings, Statistic};

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    memory: Vec<f64>,
    hessian: Hessian,
    conjugate_gradient: ConjugateGradient,
}

impl Workspace {
    /// Solves the problem from where `at` is.
    #[doc(alias = "mj_solNewton")]
    #[doc(alias = "mj_solCG")]
    pub fn solve(
        &mut self,
        problem: &Problem<'_>,
        settings: &Settings,
        at: &mut Iterate<'_>,
        log: &mut Log<'_>,
    ) {
        let sizes = Sizes::of(problem);
        if self.memory.len() < sizes.length() {
            self.memory.resize(sizes.length(), 0.0);
        }
        let (mut memory, _) = Memory::cut(sizes, &mut self.memory);
        if settings.method == Method::ConjugateGradient {
            let descent = &mut self.conjugate_gradient;
            descent.prepare(problem);
            let report = |report: &Report<'_>| {
                log.add(Statistic {
                    nupdate: 0,
                    ..report.statistic(0)
                })
            };
            descend(problem, settings, true, at, descent, &mut memory, report);
        } else {
            let descent = &mut self.hessian;
            let report = |report: &Report<'_>| log.add(report.statistic(0));
            descend(problem, settings, true, at, descent, &mut memory, report);
        }
    }
}

//! Newton's method and conjugate gradients for one problem, with storage kept between solves.

use super::conjugate_gradient::ConjugateGradient;
use super::{Iterate, Memory, Report, Sizes, descend, make_room};
use crate::hessian::{Hessian, Newton};
use crate::log::Log;
use crate::problem::{Method, Problem, Settings, Statistic};
use core::cell::RefCell;
use sinew_math::wide::{self, Work};

/// Storage kept between solves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    memory: Vec<f64>,
    hessian: Hessian,
    /// Bytes that the Hessian may take; none: as many as it needs.
    pub hessian_bytes: Option<usize>,
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
            make_room(&mut self.memory, sizes.length());
            self.memory.resize(sizes.length(), 0.0);
        }
        let wants_newton = settings.method != Method::ConjugateGradient;
        let is_newton = wants_newton && self.hessian.fits(problem, self.hessian_bytes, log);
        if wants_newton && !is_newton && !log.may_go_on() {
            return;
        }
        let (mut memory, _) = Memory::cut(sizes, &mut self.memory);
        if !is_newton {
            self.conjugate_gradient.prepare(problem, self.hessian_bytes);
            wide::run(ConjugateDescent {
                problem,
                settings,
                at,
                descent: &mut self.conjugate_gradient,
                memory: &mut memory,
                log,
            });
        } else {
            let log = RefCell::new(log);
            let descent = &mut Newton {
                hessian: &mut self.hessian,
                log: &log,
            };
            let report = |report: &Report<'_>| log.borrow_mut().add(report.statistic(0));
            descend(problem, settings, true, at, descent, &mut memory, report);
        }
    }
}

/// Descent by conjugate gradients, whose iterations are many and cheap.
struct ConjugateDescent<'a, 'b, 'c, 'd, 'e> {
    problem: &'a Problem<'b>,
    settings: &'a Settings,
    at: &'a mut Iterate<'c>,
    descent: &'a mut ConjugateGradient,
    memory: &'a mut Memory<'d>,
    log: &'a mut Log<'e>,
}

impl Work for ConjugateDescent<'_, '_, '_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let report = |report: &Report<'_>| {
            self.log.add(Statistic {
                nupdate: 0,
                ..report.statistic(0)
            })
        };
        descend(
            self.problem,
            self.settings,
            true,
            self.at,
            self.descent,
            self.memory,
            report,
        );
    }
}

//! Laws in place of the reference's: forces on vertices, brought to the bodies that carry them.

use super::{Active, add_to_slides};
use crate::flex;
use crate::parts::law::{FlexLaw, FlexLoad, FlexView};
use crate::position::Position;
use crate::state::State;
use crate::velocity::com::ComVelocity;
use crate::velocity::object::velocity_in_world;
use crate::velocity::passive::apply_wrench;
use sinew_math::Vec3;
use sinew_math::spatial::translation;
use sinew_model::Model;

/// What forces on flexes depend on.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    pub(crate) model: &'a Model,
    pub(crate) state: &'a State,
    pub(crate) position: &'a Position,
    pub(crate) velocity: &'a ComVelocity,
    pub(crate) active: Active,
}

/// The generalised forces that laws add to.
#[derive(Debug)]
pub struct Forces<'a> {
    pub(crate) spring: &'a mut [f64],
    pub(crate) damper: &'a mut [f64],
}

/// Working memory of laws: one number or vector per vertex of one flex.
#[derive(Clone, Debug, Default)]
pub struct FlexLoads {
    velocity: Vec<Vec3>,
    spring: Vec<Vec3>,
    damper: Vec<Vec3>,
    /// Elements found inside out since somebody asked, and the flex of the last one.
    pub(crate) inverted: Option<usize>,
}

impl FlexLoads {
    /// A flex as its laws see it.
    pub(crate) fn view<'a>(&'a mut self, evaluation: &Evaluation<'a>, flex: usize) -> FlexView<'a> {
        velocities(evaluation, flex, &mut self.velocity);
        view(evaluation, flex, &self.velocity)
    }

    /// Adds the forces of a law on one flex.
    pub(crate) fn add<L: FlexLaw>(
        &mut self,
        evaluation: &Evaluation<'_>,
        flex: usize,
        law: &mut L,
        forces: Forces<'_>,
    ) {
        let FlexLoads {
            velocity,
            spring,
            damper,
            inverted,
        } = self;
        velocities(evaluation, flex, velocity);
        let count = velocity.len();
        for force in [&mut *spring, &mut *damper] {
            force.clear();
            force.resize(count, Vec3::ZERO);
        }
        let mut load = FlexLoad {
            spring,
            damper,
            inverted: 0,
        };
        law.add_force(&view(evaluation, flex, velocity), &mut load);
        if load.inverted > 0 {
            *inverted = Some(flex);
        }
        distribute(
            evaluation.model,
            evaluation.position,
            flex,
            spring,
            forces.spring,
        );
        distribute(
            evaluation.model,
            evaluation.position,
            flex,
            damper,
            forces.damper,
        );
    }
}

fn view<'a>(evaluation: &Evaluation<'a>, flex: usize, velocity: &'a [Vec3]) -> FlexView<'a> {
    let vertices = flex::vertices(evaluation.model, flex);
    FlexView {
        model: evaluation.model,
        flex,
        xpos: &evaluation.position.flex.flexvert_xpos[vertices],
        velocity,
        has_springs: evaluation.active.0,
        has_dampers: evaluation.active.1,
    }
}

/// Velocities of vertices in the world.
fn velocities(evaluation: &Evaluation<'_>, flex: usize, out: &mut Vec<Vec3>) {
    let Evaluation {
        model,
        state,
        position,
        velocity,
        ..
    } = *evaluation;
    out.clear();
    for vertex in flex::vertices(model, flex) {
        let body = model.flex_vertbodyid[vertex];
        let point = position.flex.flexvert_xpos[vertex];
        let velocity = match usize::try_from(body) {
            Err(_) => Vec3::ZERO,
            Ok(body) if model.body_simple[body] == 2 => {
                super::bending::slide_velocity(model, state, body)
            }
            Ok(body) => translation(&velocity_in_world(
                model,
                &position.com,
                velocity,
                body,
                point,
            )),
        };
        out.push(velocity);
    }
}

/// Adds forces on the vertices of a flex to a generalised force.
#[inline]
pub(super) fn distribute(
    model: &Model,
    position: &Position,
    flex: usize,
    force: &[Vec3],
    qfrc: &mut [f64],
) {
    let vertices = flex::vertices(model, flex);
    let xpos = &position.flex.flexvert_xpos[vertices.clone()];
    let bodies = &model.flex_vertbodyid[vertices];
    for ((&body, &point), &force) in bodies.iter().zip(xpos).zip(force.iter()) {
        let body = body as usize;
        if model.body_simple[body] == 2 {
            add_to_slides(model, body, force, qfrc);
        } else {
            let place = (body, point);
            apply_wrench(model, &position.com, place, (force, Vec3::ZERO), qfrc);
        }
    }
}

//! What users ask for of what a step has found out, gathered for each world: poses, velocities, forces.

use crate::Number;
use crate::block::{ProblemLayout, State, Words, range};
use crate::local::Local;
#[cfg(feature = "std")]
use crate::scene::Head;
use crate::scene::Scene;
use crate::sense::{Kept, body};
use crate::team::Team;
use sinew_math::series::Series;

/// Copies what is asked for out of the memory of a world through its step, and out of its problem. A world that is not meant
/// keeps what it has.
#[inline(always)]
pub fn derive<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    problem: &[T],
    words: &Words<'_, i32>,
    (memory, quick): (&mut Series<T>, &mut Series<T>),
    is_meant: bool,
    out: &mut [T],
) {
    let head = &scene.head;
    if head.derives_forces != 0 {
        let layout = ProblemLayout::new(head);
        let (touches, force) = (
            &problem[range(layout.touches)],
            &problem[range(layout.force)],
        );
        let kept = &Kept::new(scene, touches, force, words);
        let at = &mut Local::cut(head, &mut *memory, quick);
        team.each(1, |_| body::external(scene, state, kept, words, at));
    }
    let sources = scene.tables.derived_sources;
    team.each(sources.len() * usize::from(is_meant), |i| {
        out[i] = match usize::try_from(sources[i]) {
            Ok(place) => memory[place],
            Err(_) => problem[!sources[i] as usize],
        };
    });
}

/// Names of the arrays that can be asked for.
pub const NAMES: &[&str] = &[
    "xpos",
    "xquat",
    "xmat",
    "xipos",
    "ximat",
    "xanchor",
    "xaxis",
    "geom_xpos",
    "geom_xmat",
    "site_xpos",
    "site_xmat",
    "subtree_com",
    "cdof",
    "cinert",
    "cvel",
    "cdof_dot",
    "cfrc_ext",
    "qfrc_spring",
    "qfrc_damper",
    "qfrc_bias",
    "qfrc_actuator",
    "qfrc_smooth",
    "qacc_smooth",
    "qacc",
    "qfrc_constraint",
    "actuator_force",
    "act_dot",
];

/// Where the numbers of an array are: a place in the memory of a world, or, with all bits the other way round, one in its
/// problem. `None` if there is no such array.
#[cfg(feature = "std")]
pub fn sources(head: &Head, name: &str) -> Option<Vec<i32>> {
    // Memory whose numbers say where they are.
    let [length, quick] = Local::<f64>::lengths(head);
    let mut memory: Vec<f64> = (0..length).map(|place| place as f64).collect();
    let mut quick = vec![0.0; quick];
    let at = Local::cut(head, &mut memory, &mut quick);
    let layout = ProblemLayout::new(head);
    let (poses, com) = (&at.kinematics, &at.com);
    let [spring, damper, bias, _, actuator] = &at.forces;
    let places: &[f64] = match name {
        "xpos" => bytemuck::cast_slice(poses.xpos),
        "xquat" => bytemuck::cast_slice(poses.xquat),
        "xmat" => bytemuck::cast_slice(poses.xmat),
        "xipos" => bytemuck::cast_slice(poses.xipos),
        "ximat" => bytemuck::cast_slice(poses.ximat),
        "xanchor" => bytemuck::cast_slice(poses.xanchor),
        "xaxis" => bytemuck::cast_slice(poses.xaxis),
        "geom_xpos" => bytemuck::cast_slice(poses.geom_xpos),
        "geom_xmat" => bytemuck::cast_slice(poses.geom_xmat),
        "site_xpos" => bytemuck::cast_slice(poses.site_xpos),
        "site_xmat" => bytemuck::cast_slice(poses.site_xmat),
        "subtree_com" => bytemuck::cast_slice(com.subtree_com),
        "cdof" => bytemuck::cast_slice(com.cdof),
        "cinert" => bytemuck::cast_slice(com.cinert),
        "cvel" => bytemuck::cast_slice(at.velocity.cvel),
        "cdof_dot" => bytemuck::cast_slice(at.velocity.cdof_dot),
        "cfrc_ext" => bytemuck::cast_slice(at.sensed.external),
        "qfrc_spring" => spring,
        "qfrc_damper" => damper,
        "qfrc_bias" => bias,
        "qfrc_actuator" => actuator,
        "qfrc_smooth" => at.qfrc_smooth,
        "qacc_smooth" => at.qacc_smooth,
        "qacc" => return Some(in_problem(layout.qacc)),
        "qfrc_constraint" => return Some(in_problem(layout.qfrc_constraint)),
        "actuator_force" => return Some(in_problem(layout.actuator_force)),
        "act_dot" => return Some(in_problem(layout.act_dot)),
        _ => return None,
    };
    Some(places.iter().map(|&place| place as i32).collect())
}

#[cfg(feature = "std")]
fn in_problem(place: [usize; 2]) -> Vec<i32> {
    range(place).map(|place| !(place as i32)).collect()
}

//! Forces on bodies, by a team: of the fluid around them, against gravity, and what the user applies. Who has a degree of
//! freedom adds up what all bodies that it moves do to it, in their order.

use crate::Number;
use crate::block::State;
use crate::local::{General, com_of, kinematics_of};
use crate::scene::{SWIMMER_NUMBERS, Scene};
use crate::team::Team;
use sinew_dynamics::com::ComMut;
use sinew_dynamics::fluid::{Interaction, Medium, on_box, on_ellipsoid};
use sinew_dynamics::jacobian::offset;
use sinew_dynamics::kinematics::KinematicsMut;
use sinew_dynamics::velocity::ComVelocityMut;
use sinew_dynamics::wrench;
use sinew_math::series::{Cells, Series};
use sinew_math::spatial::{Spatial, into_axes, rotation, shift_motion, spatial, translation};
use sinew_math::{Mat3, Vec3};

/// Where bodies are.
pub(crate) struct Bodies<'a, 'b, T> {
    pub kinematics: &'a KinematicsMut<'b, T>,
    pub com: &'a ComMut<'b, T>,
}

impl<T: Number> Scene<'_, T> {
    /// Whether a degree of freedom moves a body.
    #[inline(always)]
    fn moves(&self, dof: usize, body: usize) -> bool {
        let words = self.head.dof_words();
        self.tables.movers[body * words + dof / 32] >> (dof % 32) & 1 != 0
    }
}

/// Forces of the fluid, and against gravity.
#[inline(always)]
pub(crate) fn passive<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    velocity: &ComVelocityMut<'_, T>,
    out: &mut General<'_, T>,
) {
    let (head, tables) = (&scene.head, &scene.tables);
    team.each(head.swimmers, |k| {
        *out.wrenches.at_mut(k) = swim(scene, at, velocity, k)
    });
    let (kinematics, com) = (&kinematics_of(at.kinematics), &com_of(at.com));
    team.each(head.nv, |dof| {
        let cdof = &com.cdof.at(dof);
        let mut sum = T::ZERO;
        for k in 0..head.swimmers {
            let (body, point) = (tables.swimmers[2 * k] as usize, place(scene, at, k).0);
            if scene.moves(dof, body) {
                let arm = offset(&scene.tree, com.subtree_com, body, point);
                let of_fluid = *out.wrenches.at(k);
                let forces = (translation(&of_fluid), rotation(&of_fluid));
                sum = wrench::add(sum, cdof, arm, forces);
            }
        }
        out.fluid[dof] = sum;
        let mut sum = T::ZERO;
        for k in 0..head.lifts {
            let body = tables.lift_bodies[k] as usize;
            if scene.moves(dof, body) {
                let point = *kinematics.xipos.at(body);
                let arm = offset(&scene.tree, com.subtree_com, body, point);
                let force = Vec3(tables.lifts.as_chunks().0[k]);
                sum = wrench::add(sum, cdof, arm, (force, Vec3::zero()));
            }
        }
        out.gravcomp[dof] = sum;
    });
}

/// Where the frame is of a box or geom that the fluid acts on.
#[inline(always)]
fn place<T: Number>(
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    swimmer: usize,
) -> (Vec3<T>, Mat3<T>) {
    let kinematics = &kinematics_of(at.kinematics);
    let words = &scene.tables.swimmers[2 * swimmer..];
    match usize::try_from(words[1]) {
        Ok(geom) => (
            *kinematics.geom_xpos.at(geom),
            *kinematics.geom_xmat.at(geom),
        ),
        Err(_) => {
            let body = words[0] as usize;
            (*kinematics.xipos.at(body), *kinematics.ximat.at(body))
        }
    }
}

/// Torque and force of the fluid on a box or geom.
#[inline(always)]
fn swim<T: Number>(
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    velocity: &ComVelocityMut<'_, T>,
    swimmer: usize,
) -> Spatial<T> {
    let (tree, constants) = (&scene.tree, &scene.constants);
    let words = &scene.tables.swimmers[2 * swimmer..];
    let body = words[0] as usize;
    let (point, axes) = place(scene, at, swimmer);
    let mut v = [T::ZERO; 6];
    if tree.body_weldid[body] != 0 {
        let root = tree.body_rootid[body] as usize;
        let origin = *com_of(at.com).subtree_com.at(root);
        let moving = *velocity.cvel.at(body);
        v = shift_motion(&moving, point, origin);
    }
    let mut v = into_axes(&v, &axes);
    let wind = axes.transpose_mul(Vec3(constants.wind));
    for k in 0..3 {
        v[3 + k] -= wind[k];
    }
    let medium = Medium {
        density: constants.density.to_f64(),
        viscosity: constants.viscosity.to_f64(),
    };
    let numbers: &[T; SWIMMER_NUMBERS] = &scene.tables.swimmer_numbers.as_chunks().0[swimmer];
    let size = [0, 1, 2].map(|k| numbers[k].to_f64());
    let f = if words[1] < 0 {
        on_box(&v, medium, size)
    } else {
        let interaction = Interaction::of(&core::array::from_fn(|k| numbers[3 + k].to_f64()));
        on_ellipsoid(&v, medium, size, &interaction)
    };
    spatial(axes * rotation(&f), axes * translation(&f))
}

/// Adds the forces and torques that the user applies to bodies.
#[inline(always)]
pub(crate) fn applied<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    state: &State<'_, T>,
    at: &Bodies<'_, '_, T>,
    out: &mut Series<T>,
) {
    let head = &scene.head;
    if head.wrenches == 0 {
        return;
    }
    let (kinematics, com) = (&kinematics_of(at.kinematics), &com_of(at.com));
    team.each(head.nv, |dof| {
        let cdof = &com.cdof.at(dof);
        let mut sum = out[dof];
        for body in 1..head.nbody {
            if !scene.moves(dof, body) {
                continue;
            }
            let [fx, fy, fz, tx, ty, tz]: [T; 6] = state.wrenches.as_chunks().0[body];
            if [fx, fy, fz, tx, ty, tz] != [T::ZERO; 6] {
                let point = *kinematics.xipos.at(body);
                let arm = offset(&scene.tree, com.subtree_com, body, point);
                let forces = (Vec3([fx, fy, fz]), Vec3([tx, ty, tz]));
                sum = wrench::add(sum, cdof, arm, forces);
            }
        }
        out[dof] = sum;
    });
}

//! Forces on bodies, by a team: of the fluid around them, against gravity, and what the user applies. Who has a degree of
//! freedom adds up what all bodies that it moves do to it, in their order.

use crate::Number;
use crate::block::State;
use crate::local::{General, SLOPES, com_of, kinematics_of};
use crate::scene::{SWIMMER_NUMBERS, Scene};
use crate::team::Team;
use sinew_dynamics::com::ComMut;
use sinew_dynamics::fluid::{Interaction, Medium, on_box, on_ellipsoid};
use sinew_dynamics::fluid_slope::{of_box, of_ellipsoid, symmetrize};
use sinew_dynamics::jacobian::{offset, translation_column};
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
    pub fn moves(&self, dof: usize, body: usize) -> bool {
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

/// How fast a box or geom moves through the fluid, in its own axes.
#[inline(always)]
fn relative<T: Number>(
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    velocity: &ComVelocityMut<'_, T>,
    swimmer: usize,
) -> Spatial<T> {
    let tree = &scene.tree;
    let body = scene.tables.swimmers[2 * swimmer] as usize;
    let (point, axes) = place(scene, at, swimmer);
    let mut v = [T::ZERO; 6];
    if tree.body_weldid[body] != 0 {
        let root = tree.body_rootid[body] as usize;
        let origin = *com_of(at.com).subtree_com.at(root);
        let moving = *velocity.cvel.at(body);
        v = shift_motion(&moving, point, origin);
    }
    let mut v = into_axes(&v, &axes);
    let wind = axes.transpose_mul(Vec3(scene.constants.wind));
    for k in 0..3 {
        v[3 + k] -= wind[k];
    }
    v
}

/// A box or geom: how large it is, and how the fluid acts on it if it is a geom.
#[inline(always)]
fn swimmer_of<T: Number>(scene: &Scene<'_, T>, swimmer: usize) -> ([f64; 3], Option<Interaction>) {
    let numbers: &[T; SWIMMER_NUMBERS] = &scene.tables.swimmer_numbers.as_chunks().0[swimmer];
    let size = [0, 1, 2].map(|k| numbers[k].to_f64());
    let is_geom = scene.tables.swimmers[2 * swimmer + 1] >= 0;
    let interaction = || Interaction::of(&core::array::from_fn(|k| numbers[3 + k].to_f64()));
    (size, is_geom.then(interaction))
}

/// What surrounds bodies.
#[inline(always)]
fn medium<T: Number>(scene: &Scene<'_, T>) -> Medium {
    Medium {
        density: scene.constants.density.to_f64(),
        viscosity: scene.constants.viscosity.to_f64(),
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
    let v = relative(scene, at, velocity, swimmer);
    let (_, axes) = place(scene, at, swimmer);
    let f = match swimmer_of(scene, swimmer) {
        (size, None) => on_box(&v, medium(scene), size),
        (size, Some(interaction)) => on_ellipsoid(&v, medium(scene), size, &interaction),
    };
    spatial(axes * rotation(&f), axes * translation(&f))
}

/// How the forces of the fluid on boxes and geoms change with their velocities.
#[inline(always)]
pub(crate) fn slopes<T: Number>(
    team: Team,
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    velocity: &ComVelocityMut<'_, T>,
    out: &mut General<'_, T>,
) {
    team.each(scene.head.swimmers, |k| {
        let v = relative(scene, at, velocity, k).map(|x| x.to_f64());
        let blocks = match swimmer_of(scene, k) {
            (size, None) => of_box(&v, medium(scene), size),
            (size, Some(interaction)) => {
                let mut block = of_ellipsoid(&v, medium(scene), size, &interaction);
                symmetrize(&mut block);
                [Some(block), None]
            }
        };
        let mut place = 36 * SLOPES * k;
        for block in blocks {
            let block = block.unwrap_or([[0.0; 6]; 6]);
            for i in 0..36 {
                out.fluid_slopes[place + i] = T::from_f64(block[i / 6][i % 6]);
            }
            place += 36;
        }
    });
}

/// Adds what the fluid does to an entry of the derivative of forces by velocity.
#[inline(always)]
pub(crate) fn add_slopes<T: Number>(
    scene: &Scene<'_, T>,
    at: &Bodies<'_, '_, T>,
    general: &General<'_, T>,
    [row, column]: [usize; 2],
    before: T,
) -> T {
    let com = &com_of(at.com);
    let mut sum = before;
    for k in 0..scene.head.swimmers {
        let body = scene.tables.swimmers[2 * k] as usize;
        if !scene.moves(row, body) {
            continue;
        }
        let (point, axes) = place(scene, at, k);
        let arm = offset(&scene.tree, com.subtree_com, body, point);
        let local = |dof: usize| {
            let cdof = *com.cdof.at(dof);
            let column = spatial(rotation(&cdof), translation_column(&cdof, arm));
            into_axes(&column, &axes)
        };
        let (left, right) = (local(row), local(column));
        for entry in 0..36 * SLOPES {
            let value = general.fluid_slopes[36 * SLOPES * k + entry];
            if value != T::ZERO {
                sum += right[entry % 6] * (left[entry % 36 / 6] * value);
            }
        }
    }
    sum
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

//! The arrays of a world between the kernels of a step that its team and its warp both need.

use crate::Number;
use crate::arena::Arena;
use crate::scene::Head;
use sinew_dynamics::com::{ComMut, ComRef};
use sinew_dynamics::inertia::InertiaMut;
use sinew_dynamics::kinematics::{KinematicsMut, KinematicsRef};
use sinew_dynamics::velocity::ComVelocityMut;
use sinew_math::Vec3;
use sinew_math::series::Series;
use sinew_math::spatial::Spatial;

/// The arrays of a world. Those of `quick` memory are worked on most, and only hold for one kernel.
pub(crate) struct Local<'a, T> {
    pub kinematics: KinematicsMut<'a, T>,
    pub com: ComMut<'a, T>,
    pub inertia: InertiaMut<'a, T>,
    pub velocity: ComVelocityMut<'a, T>,
    pub qpos: &'a mut Series<T>,
    pub qvel: &'a mut Series<T>,
    pub qfrc_smooth: &'a mut Series<T>,
    pub qacc_smooth: &'a mut Series<T>,
    /// Of springs, of dampers, bias, applied, of actuators.
    pub forces: [&'a mut Series<T>; 5],
    pub body_acceleration: &'a mut Series<Spatial<T>>,
    pub body_force: &'a mut Series<Spatial<T>>,
    /// A vector that is being solved for.
    pub solved: &'a mut Series<T>,
    /// Where a step of several stages began, and the slopes of its stages, weighted and added up.
    pub begin: Moving<'a, T>,
    pub slope: Moving<'a, T>,
    /// Factor of M, and the inverse of its diagonal, for who solves later.
    pub factor: &'a mut Series<T>,
    pub factor_inverse: &'a mut Series<T>,
    /// What only some models have.
    pub general: General<'a, T>,
    /// What only some sensors need.
    pub sensed: Sensed<'a, T>,
}

/// What sensors of forces between bodies and of momenta need. Empty where there are none.
pub(crate) struct Sensed<'a, T> {
    /// Forces on bodies from outside, about the centre of mass of their tree.
    pub external: &'a mut Series<Spatial<T>>,
    /// Velocities of centres of mass: of subtrees, and of bodies.
    pub linear: &'a mut Series<Vec3<T>>,
    pub centre: &'a mut Series<Vec3<T>>,
    /// Angular momenta of subtrees.
    pub angular: &'a mut Series<Vec3<T>>,
}

impl<'a, T: Number> Sensed<'a, T> {
    /// Numbers that it takes.
    fn length(head: &Head) -> usize {
        head.nbody * (6 * head.senses_forces + 9 * head.senses_momentum)
    }

    #[inline(always)]
    fn cut(head: &Head, arena: &mut Arena<'a, T>) -> Self {
        let momenta = head.nbody * head.senses_momentum;
        Sensed {
            external: arena.cells(head.nbody * head.senses_forces),
            linear: arena.cells(momenta),
            centre: arena.cells(momenta),
            angular: arena.cells(momenta),
        }
    }
}

macro_rules! general {
    ($( $(#[$meta:meta])* $name:ident : $cell:ty = |$head:ident| $count:expr, )*) => {
        /// What tendons, actuators and fluids of any kind need. Empty where a model has none of those.
        pub(crate) struct General<'a, T> { $( $(#[$meta])* pub $name: &'a mut Series<$cell>, )* }

        impl<'a, T: Number> General<'a, T> {
            /// Numbers that it takes.
            fn length(head: &Head) -> usize {
                let mut length = 0;
                $( length += { let $head = head; $count * (size_of::<$cell>() / size_of::<T>()) }; )*
                length * head.general
            }

            #[inline(always)]
            fn cut(head: &Head, arena: &mut Arena<'a, T>) -> Self {
                General { $( $name: arena.cells({ let $head = head; $count * $head.general }), )* }
            }
        }
    };
}

/// Matrices that say how the fluid's force on a body or geom changes with velocity: they are added one after the other.
pub(crate) const SLOPES: usize = 2;

general! {
    /// Lengths of tendons.
    cord_length: T = |head| head.cords,
    /// Their rows over the degrees of freedom, and 1 where compressed rows have an entry.
    cord_row: T = |head| head.cords * head.nv,
    cord_marks: T = |head| head.cords * head.nv * head.is_sparse,
    /// Forces of their springs and dampers.
    cord_spring: T = |head| head.cords,
    cord_damper: T = |head| head.cords,
    /// Lengths of actuators, how fast they change, and how forces change with that.
    length: T = |head| head.nu,
    speed: T = |head| head.nu,
    slope: T = |head| head.nu,
    /// Their moments, a row over the degrees of freedom each.
    moment: T = |head| head.nu * head.nv,
    /// Forces of the fluid, and against gravity.
    fluid: T = |head| head.nv,
    gravcomp: T = |head| head.nv,
    /// Torques and forces of the fluid on bodies and geoms.
    wrenches: Spatial<T> = |head| head.swimmers,
    /// How those change with velocity: [`SLOPES`] matrices of 36 numbers each.
    fluid_slopes: T = |head| 36 * SLOPES * head.swimmers * head.is_implicit,
}

/// What moves in a step: positions, or how fast they change, and so on.
pub(crate) struct Moving<'a, T> {
    pub qpos: &'a mut Series<T>,
    pub qvel: &'a mut Series<T>,
    pub act: &'a mut Series<T>,
}

impl<'a, T: Number> Moving<'a, T> {
    /// Numbers that both take in a step of several stages.
    fn length(head: &Head) -> usize {
        Self::has_stages(head) * (head.nq + 3 * head.nv + 2 * head.na)
    }

    #[inline(always)]
    fn has_stages(head: &Head) -> usize {
        usize::from(head.stages > 1)
    }

    #[inline(always)]
    fn cut(head: &Head, positions: usize, arena: &mut Arena<'a, T>) -> Self {
        let has_stages = Self::has_stages(head);
        Moving {
            qpos: arena.cells(has_stages * positions),
            qvel: arena.cells(has_stages * head.nv),
            act: arena.cells(has_stages * head.na),
        }
    }
}

impl<'a, T: Number> Local<'a, T> {
    /// Numbers of memory, and of quick memory.
    pub fn lengths(head: &Head) -> [usize; 2] {
        let Head {
            nq,
            nv,
            nbody,
            njnt,
            ngeom,
            nsite,
            nC,
            ..
        } = *head;
        let kinematics = 28 * nbody + 6 * njnt + 12 * (ngeom + nsite);
        let inertia = (3 + 10 + 10) * nbody + nC + 6 * nv;
        let velocity = 6 * nbody + 6 * nv;
        let vectors = nq
            + 3 * nv
            + 5 * nv
            + 12 * nbody
            + Moving::<T>::length(head)
            + General::<T>::length(head);
        let vectors = vectors + head.is_conjugate * (nC + nv) + Sensed::<T>::length(head);
        [kinematics + inertia + velocity + vectors, nC + 2 * nv]
    }

    #[inline(always)]
    pub fn cut(head: &Head, memory: &'a mut Series<T>, quick: &'a mut Series<T>) -> Self {
        let (arena, quick) = (&mut Arena::new(memory), &mut Arena::new(quick));
        let (nbody, nv) = (head.nbody, head.nv);
        Local {
            kinematics: KinematicsMut {
                xpos: arena.cells(nbody),
                xquat: arena.cells(nbody),
                xmat: arena.cells(nbody),
                xipos: arena.cells(nbody),
                ximat: arena.cells(nbody),
                xanchor: arena.cells(head.njnt),
                xaxis: arena.cells(head.njnt),
                geom_xpos: arena.cells(head.ngeom),
                geom_xmat: arena.cells(head.ngeom),
                site_xpos: arena.cells(head.nsite),
                site_xmat: arena.cells(head.nsite),
            },
            com: ComMut {
                subtree_com: arena.cells(nbody),
                cdof: arena.cells(nv),
                cinert: arena.cells(nbody),
            },
            inertia: InertiaMut {
                crb: arena.cells(nbody),
                qM: arena.cells(0),
                M: arena.cells(head.nC),
                qLD: quick.cells(head.nC),
                qLDiagInv: quick.cells(nv),
            },
            velocity: ComVelocityMut {
                cvel: arena.cells(nbody),
                cdof_dot: arena.cells(nv),
            },
            qpos: arena.cells(head.nq),
            qvel: arena.cells(nv),
            qfrc_smooth: arena.cells(nv),
            qacc_smooth: arena.cells(nv),
            forces: [
                arena.cells(nv),
                arena.cells(nv),
                arena.cells(nv),
                arena.cells(nv),
                arena.cells(nv),
            ],
            body_acceleration: arena.cells(nbody),
            body_force: arena.cells(nbody),
            solved: quick.cells(nv),
            begin: Moving::cut(head, head.nq, arena),
            slope: Moving::cut(head, nv, arena),
            factor: arena.cells(head.is_conjugate * head.nC),
            factor_inverse: arena.cells(head.is_conjugate * nv),
            // What only models of any kind have comes last: where all else is does not depend on it.
            sensed: Sensed::cut(head, arena),
            general: General::cut(head, arena),
        }
    }
}

/// Poses, for reading.
#[inline(always)]
pub(crate) fn kinematics_of<'a, T: Number>(of: &'a KinematicsMut<'_, T>) -> KinematicsRef<'a, T> {
    KinematicsRef {
        xpos: &*of.xpos,
        xquat: &*of.xquat,
        xmat: &*of.xmat,
        xipos: &*of.xipos,
        ximat: &*of.ximat,
        xanchor: &*of.xanchor,
        xaxis: &*of.xaxis,
        geom_xpos: &*of.geom_xpos,
        geom_xmat: &*of.geom_xmat,
        site_xpos: &*of.site_xpos,
        site_xmat: &*of.site_xmat,
    }
}

/// Centres of mass, for reading.
#[inline(always)]
pub(crate) fn com_of<'a, T: Number>(of: &'a ComMut<'_, T>) -> ComRef<'a, T> {
    ComRef {
        subtree_com: &*of.subtree_com,
        cdof: &*of.cdof,
        cinert: &*of.cinert,
    }
}

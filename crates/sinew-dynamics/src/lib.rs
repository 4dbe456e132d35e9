//! The arithmetic of a step: functions of slices over a number.
//!
//! One source serves one world (`f64`, `f32`), worlds in the lanes of a vector, and any other number
//! that is a [`Real`](sinew_math::Real). All lanes share the structure of the model, so branches on it
//! are plain branches; where worlds may take different ways, leaf mathematics computes both and
//! selects. Every lane does the operations of a single world in the same order, hence has its bits.
//!
//! A function here is given what it reads (views of the model, columns of earlier stages), the range of
//! bodies, joints or degrees of freedom it works on, and the columns it writes. Ranges hold whole
//! kinematic trees. Nothing here knows a heap, a hook, an error or an option: `sinew-engine` owns the
//! order of stages and calls these for one world. Functions are `inline(always)`, so that whoever calls
//! them decides for which processor they are compiled.
//!
//! ```text
//! joint        moving positions along velocities, and back
//! kinematics   xpos xquat xmat xipos ximat xanchor xaxis geom_x* site_x*
//! com          subtree_com cinert cdof
//! inertia      crb M qM qLD qLDiagInv
//! velocity     cvel cdof_dot
//! bias         qfrc_bias
//! spring       qfrc_spring qfrc_damper of joints
//! fluid        forces of the fluid around bodies
//! wrench       forces and torques on bodies
//! actuation    actuator_force qfrc_actuator of simple actuators
//! muscle       curves of muscles
//! transmission moments of actuators and of spatial tendons
//! wrap         strings around spheres and cylinders
//! smooth       qfrc_smooth qacc_smooth
//! integrate    qvel qpos, damping taken implicitly
//! jacobian     motion of points fixed in bodies
//! sense        what sensors read of frames
//! row          efc_J efc_pos efc_margin efc_R efc_D efc_KBIP efc_aref
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
// Cells of series are references on a processor and copies on a device: the same line borrows both.
#![allow(clippy::needless_borrow)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::todo,
        clippy::unimplemented
    )
)]

pub mod actuation;
pub mod bias;
pub mod com;
pub mod fluid;
pub mod fluid_slope;
pub mod inertia;
pub mod integrate;
pub mod jacobian;
pub mod joint;
pub mod kinematics;
pub mod muscle;
pub mod row;
pub mod sense;
pub mod smooth;
pub mod spring;
pub mod transmission;
pub mod velocity;
pub mod wrap;
pub mod wrench;

//! How many numbers a joint has.
//!
//! A hinge or slide has one position and one velocity; a ball a quaternion and an angular velocity in
//! the child's frame; a free joint a position and a quaternion, a velocity in the world's frame and an
//! angular one in the child's.

use crate::kinds::JointType;

/// Where the numbers of a joint are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Coordinates that are lengths or angles, each with a velocity of its own; they come first.
    pub linear: usize,
    /// Whether a quaternion follows, and in velocities an angular velocity.
    pub turns: bool,
}

impl Layout {
    /// The layout of a joint with this type code, a [`JointType`]'s.
    #[inline(always)]
    pub const fn of(code: i32) -> Layout {
        const FREE: i32 = JointType::Free.code();
        const BALL: i32 = JointType::Ball.code();
        match code {
            FREE => Layout {
                linear: 3,
                turns: true,
            },
            BALL => Layout {
                linear: 0,
                turns: true,
            },
            _ => Layout {
                linear: 1,
                turns: false,
            },
        }
    }

    /// Position coordinates.
    #[inline(always)]
    pub const fn positions(self) -> usize {
        self.linear + if self.turns { 4 } else { 0 }
    }

    /// Degrees of freedom.
    #[inline(always)]
    pub const fn dofs(self) -> usize {
        self.linear + if self.turns { 3 } else { 0 }
    }
}

//! What the numbers of a joint are.
//!
//! A hinge or slide has one position and one velocity; a ball a quaternion and an angular velocity in
//! the child's frame; a free joint a position and a quaternion, a velocity in the world's frame and an
//! angular one in the child's. What follows from that is asked here, so that a new type of joint is
//! described once.

use crate::kinds::JointType;

/// Which numbers a joint has, and in which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Coordinates that are lengths or angles, each with a velocity of its own; they come first.
    pub linear: usize,
    /// Whether those are angles.
    pub angles: bool,
    /// Whether a quaternion follows, and in velocities an angular velocity.
    pub turns: bool,
}

impl Layout {
    /// The layout of a joint with this type code, a [`JointType`]'s.
    #[inline(always)]
    pub const fn of(code: i32) -> Layout {
        let (linear, angles, turns) = match JointType::from_code(code) {
            Some(JointType::Free) => (3, false, true),
            Some(JointType::Ball) => (0, false, true),
            Some(JointType::Slide) => (1, false, false),
            Some(JointType::Hinge) | None => (1, true, false),
        };
        Layout {
            linear,
            angles,
            turns,
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

    /// Whether the joint has one position, along or about its axis.
    #[inline(always)]
    pub const fn is_scalar(self) -> bool {
        self.linear == 1 && !self.turns
    }

    /// Where the quaternion stands among the joint's positions, if there is one.
    #[inline(always)]
    pub const fn quaternion(self) -> Option<usize> {
        if self.turns { Some(self.linear) } else { None }
    }

    /// Whether a degree of freedom of the joint, counted from 0, is part of its angular velocity.
    #[inline(always)]
    pub const fn is_turn(self, dof: usize) -> bool {
        self.turns && dof >= self.linear
    }

    /// Whether a degree of freedom of the joint, counted from 0, is a rotation.
    #[inline(always)]
    pub const fn rotates(self, dof: usize) -> bool {
        self.is_turn(dof) || (dof < self.linear && self.angles)
    }

    /// The joint's positions at its reference, followed by zeros: one position is the given one, a
    /// ball does not turn, and a free joint is where its body is (position, quaternion).
    pub const fn at_reference(self, body: [f64; 7], position: f64) -> [f64; 7] {
        match (self.linear, self.turns) {
            (_, false) => [position, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            (0, true) => [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            (_, true) => body,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_the_numbers_that_the_reference_gives_it() {
        let numbers = |kind: JointType| {
            let layout = Layout::of(kind.code());
            let rotations = (0..layout.dofs()).filter(|&dof| layout.rotates(dof));
            let (first, count) = (rotations.clone().next(), rotations.count());
            (layout.positions(), layout.dofs(), first, count)
        };
        assert_eq!(numbers(JointType::Free), (7, 6, Some(3), 3));
        assert_eq!(numbers(JointType::Ball), (4, 3, Some(0), 3));
        assert_eq!(numbers(JointType::Slide), (1, 1, None, 0));
        assert_eq!(numbers(JointType::Hinge), (1, 1, Some(0), 1));
    }
}

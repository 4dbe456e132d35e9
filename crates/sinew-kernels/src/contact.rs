//! Where geoms touch: the pairs of a scene in their order.

use crate::Number;
use crate::scene::{PAIR_NUMBERS, PAIR_WORDS, Scene};
use sinew_collision::pair::{self, Shape, Touch, Touches};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::contact::{Friction, Numbers};
use sinew_math::series::Cells;

/// Pairs of shapes, and how their being near is found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[repr(i32)]
pub enum Shapes {
    PlaneSphere,
    PlaneCapsule,
    PlaneCylinder,
    PlaneBox,
    SphereSphere,
    SphereCapsule,
    SphereCylinder,
    SphereBox,
    CapsuleCapsule,
}

/// All of them, by their number.
pub const SHAPES: [Shapes; 9] = [
    Shapes::PlaneSphere,
    Shapes::PlaneCapsule,
    Shapes::PlaneCylinder,
    Shapes::PlaneBox,
    Shapes::SphereSphere,
    Shapes::SphereCapsule,
    Shapes::SphereCylinder,
    Shapes::SphereBox,
    Shapes::CapsuleCapsule,
];

impl Shapes {
    /// Most contacts of such a pair.
    pub fn most_touches(self) -> usize {
        match self {
            Shapes::PlaneCylinder | Shapes::PlaneBox => 4,
            Shapes::PlaneCapsule | Shapes::CapsuleCapsule => 2,
            _ => 1,
        }
    }
}

/// A pair of geoms.
pub(crate) struct Pair<'a, T> {
    words: &'a [i32; PAIR_WORDS],
    numbers: &'a [T; PAIR_NUMBERS],
}

impl<'a, T: Number> Pair<'a, T> {
    /// By its number.
    #[inline(always)]
    pub fn new(scene: &Scene<'a, T>, index: usize) -> Self {
        Pair {
            words: &scene.tables.pair_words.as_chunks().0[index],
            numbers: &scene.tables.pair_numbers.as_chunks().0[index],
        }
    }

    #[inline(always)]
    fn geoms(&self) -> [usize; 2] {
        [self.words[0] as usize, self.words[1] as usize]
    }

    /// The bodies of the geoms.
    #[inline(always)]
    pub fn bodies(&self) -> [usize; 2] {
        [self.words[2] as usize, self.words[3] as usize]
    }

    /// Friction of the contacts.
    #[inline(always)]
    pub fn friction(&self) -> Friction {
        let dim = self.words[6] as usize;
        match self.words[5] {
            0 => Friction::None,
            1 => Friction::Pyramidal(dim),
            _ => Friction::Elliptic(dim),
        }
    }

    /// Below this distance there are rows.
    #[inline(always)]
    fn includemargin(&self) -> T {
        self.numbers[1]
    }

    /// What the rows of a contact follow from.
    #[inline(always)]
    pub fn contact(&self, dist: T) -> Numbers<T> {
        let n = self.numbers;
        Numbers {
            dist,
            includemargin: n[1],
            friction: [n[2], n[3], n[4], n[5], n[6]],
            solref: [n[7], n[8]],
            solreffriction: [n[9], n[10]],
            solimp: [n[11], n[12], n[13], n[14], n[15]],
            weight: n[16],
        }
    }

    /// A coefficient of friction.
    #[inline(always)]
    pub fn coefficient(&self, k: usize) -> T {
        self.numbers[2 + k]
    }

    /// Whether a contact touches so little that the reference may lose it.
    #[inline(always)]
    pub fn is_shallow(&self, touch: &Touch<T>) -> bool {
        if self.words[7] == 0 {
            return false;
        }
        let mut size = T::ONE;
        for k in 0..3 {
            size = size.max_of(touch.pos[k].abs());
        }
        let depth = self.numbers[17] * size;
        !touch.dist.at_most(self.numbers[0] - depth)
    }

    /// Tells where the geoms touch.
    #[inline(always)]
    pub fn touches(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        out: &mut impl Touches<T>,
    ) {
        let [first, second] = self.geoms().map(|geom| Shape {
            pos: *at.geom_xpos.at(geom),
            mat: *at.geom_xmat.at(geom),
            size: scene.extra.geom_size[geom],
        });
        let margin = self.numbers[0];
        match SHAPES.get(self.words[4] as usize) {
            Some(Shapes::PlaneSphere) => pair::plane_sphere(&first, &second, margin, out),
            Some(Shapes::PlaneCapsule) => pair::plane_capsule(&first, &second, margin, out),
            Some(Shapes::PlaneCylinder) => pair::plane_cylinder(&first, &second, margin, out),
            Some(Shapes::PlaneBox) => pair::plane_box(&first, &second, margin, out),
            Some(Shapes::SphereSphere) => pair::sphere_sphere(&first, &second, margin, out),
            Some(Shapes::SphereCapsule) => pair::sphere_capsule(&first, &second, margin, out),
            Some(Shapes::SphereCylinder) => pair::sphere_cylinder(&first, &second, margin, out),
            Some(Shapes::SphereBox) => pair::sphere_box(&first, &second, margin, out),
            Some(Shapes::CapsuleCapsule) => pair::capsule_capsule(&first, &second, margin, out),
            None => {}
        }
    }

    /// Whether a contact is near enough to have rows.
    #[inline(always)]
    pub fn has_rows(&self, touch: &Touch<T>) -> bool {
        // A distance that is no number is not too large.
        !self.includemargin().at_most(touch.dist)
    }
}

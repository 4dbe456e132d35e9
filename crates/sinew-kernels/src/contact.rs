//! Where geoms touch: the pairs of a scene in their order.

use crate::Number;
use crate::scene::{PAIR_NUMBERS, PAIR_WORDS, Scene};
use sinew_collision::pair::{self, Shape, Touch, TouchList};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::contact::{Friction, Numbers};
use sinew_math::Vec3;
use sinew_math::series::Cells;

/// No pair of shapes makes more contacts.
pub(crate) const MOST: usize = 4;

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

    /// Which of the listed columns are its own.
    #[inline(always)]
    pub fn columns(&self) -> core::ops::Range<usize> {
        let start = self.words[7] as usize;
        start..start + self.words[8] as usize
    }

    /// Below this distance there are rows.
    #[inline(always)]
    fn includemargin(&self) -> T {
        self.numbers[2]
    }

    /// What the rows of a contact follow from.
    #[inline(always)]
    pub fn contact(&self, dist: T) -> Numbers<T> {
        let n = self.numbers;
        Numbers {
            dist,
            includemargin: n[2],
            friction: [n[3], n[4], n[5], n[6], n[7]],
            solref: [n[8], n[9]],
            solreffriction: [n[10], n[11]],
            solimp: [n[12], n[13], n[14], n[15], n[16]],
            weight: n[17],
        }
    }

    /// Whether a contact touches so little that the reference may lose it.
    #[inline(always)]
    fn is_shallow(&self, touch: &Touch<T>) -> bool {
        if self.words[9] == 0 {
            return false;
        }
        let mut size = T::ONE;
        for k in 0..3 {
            size = size.max_of(touch.pos[k].abs());
        }
        let depth = self.numbers[18] * size;
        !touch.dist.at_most(self.numbers[0] - depth)
    }

    /// Whether the bounding spheres, or the half space of a plane and a sphere, come closer than the margin.
    #[inline(always)]
    pub fn is_near(&self, at: &KinematicsRef<'_, T>) -> bool {
        let [first, second] = self.geoms();
        let between: Vec3<T> = *at.geom_xpos.at(first) - *at.geom_xpos.at(second);
        let reach = self.numbers[1];
        if self.words[4] > Shapes::PlaneBox as i32 {
            return between.dot(between) <= reach * reach;
        }
        let away = *at.geom_xpos.at(second) - *at.geom_xpos.at(first);
        let height = away.dot(at.geom_xmat.at(first).column(2));
        !height.greater(reach)
    }

    /// Where the geoms touch.
    #[inline(always)]
    pub fn touches(&self, scene: &Scene<'_, T>, at: &KinematicsRef<'_, T>) -> TouchList<T, MOST> {
        let [first, second] = self.geoms().map(|geom| Shape {
            pos: *at.geom_xpos.at(geom),
            mat: *at.geom_xmat.at(geom),
            size: scene.extra.geom_size[geom],
        });
        let margin = self.numbers[0];
        let mut list = TouchList::<T, MOST>::new();
        let out = &mut list;
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
        list
    }

    /// How many contacts have rows, and how many may have been lost by the reference.
    #[inline(always)]
    pub fn counts(&self, list: &TouchList<T, MOST>) -> (i32, i32) {
        let (mut rows, mut shallow) = (0, 0);
        for place in 0..MOST {
            let (exists, touch) = list.get(place);
            rows += i32::from(exists && self.has_rows(&touch));
            shallow += i32::from(exists && self.is_shallow(&touch));
        }
        (rows, shallow)
    }

    /// Whether a contact is near enough to have rows.
    #[inline(always)]
    pub fn has_rows(&self, touch: &Touch<T>) -> bool {
        // A distance that is no number is not too large.
        !self.includemargin().at_most(touch.dist)
    }
}

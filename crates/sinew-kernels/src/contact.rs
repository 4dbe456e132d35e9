//! Where geoms touch: the pairs of a scene in their order.

use crate::Number;
use crate::scene::{Head, PAIR_NUMBERS, PAIR_WORDS, Scene};
use crate::solid::{NoMesh, Polyhedron, height_field, solid};
use crate::warp::LANES;
use sinew_collision::convex::{self, Polytope, Search, Solid, SolidKind, plane_convex};
use sinew_collision::pair::{self, Shape, Touch, TouchSlots, Touches};
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
    CapsuleBox,
    BoxBox,
    PlaneEllipsoid,
    PlaneMesh,
    /// Any two convex shapes.
    Convex,
    /// A height field and a convex shape.
    FieldConvex,
}

/// All of them, by their number.
pub const SHAPES: [Shapes; 15] = [
    Shapes::PlaneSphere,
    Shapes::PlaneCapsule,
    Shapes::PlaneCylinder,
    Shapes::PlaneBox,
    Shapes::SphereSphere,
    Shapes::SphereCapsule,
    Shapes::SphereCylinder,
    Shapes::SphereBox,
    Shapes::CapsuleCapsule,
    Shapes::CapsuleBox,
    Shapes::BoxBox,
    Shapes::PlaneEllipsoid,
    Shapes::PlaneMesh,
    Shapes::Convex,
    Shapes::FieldConvex,
];

impl Shapes {
    /// Most contacts of such a pair.
    pub fn most_touches(self) -> usize {
        match self {
            Shapes::FieldConvex => pair::MOST_CONTACTS,
            Shapes::BoxBox => 24,
            Shapes::PlaneCylinder | Shapes::PlaneBox => 4,
            Shapes::PlaneMesh => 3,
            Shapes::PlaneCapsule | Shapes::CapsuleCapsule | Shapes::CapsuleBox => 2,
            _ => 1,
        }
    }

    /// What kernels have to know to find its contacts.
    pub fn skill(self) -> Skill {
        match self {
            Shapes::CapsuleBox | Shapes::BoxBox | Shapes::PlaneEllipsoid => Skill::Boxes,
            Shapes::PlaneMesh | Shapes::Convex | Shapes::FieldConvex => Skill::Convex,
            _ => Skill::Plain,
        }
    }
}

/// Kernels that make rows are there for several sets of pairs: those that know less are faster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skill {
    /// Closed forms.
    #[default]
    Plain,
    /// And boxes that touch boxes and capsules, and ellipsoids that touch planes.
    Boxes,
    /// And meshes, height fields, and any two convex shapes.
    Convex,
}

/// [`Skill::Plain`] as a parameter of kernels.
pub const PLAIN: usize = Skill::Plain as usize;
/// [`Skill::Boxes`].
pub const BOXES: usize = Skill::Boxes as usize;
/// [`Skill::Convex`].
pub const CONVEX: usize = Skill::Convex as usize;

/// Pairs of convex shapes that a warp works on at a time: each takes much memory.
pub(crate) const POLYTOPES: usize = 4;

/// Numbers of memory for each.
#[inline(always)]
pub(crate) fn polytope_length(head: &Head) -> usize {
    convex::room(head.ccd_iterations)
}

/// Pairs whose contacts a warp looks for at a time: fewer where one may have many.
#[inline(always)]
pub(crate) fn pairs_at_once(skill: usize) -> usize {
    match skill {
        PLAIN => LANES,
        _ => LANES / 2,
    }
}

/// Most iterations of the convex algorithms, and their tolerance.
#[inline(always)]
fn limits<T: Number>(scene: &Scene<'_, T>) -> (usize, T) {
    (scene.head.ccd_iterations, scene.constants.ccd_tolerance)
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

    /// The geoms.
    #[inline(always)]
    pub fn geoms(&self) -> [usize; 2] {
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

    /// The shapes where they are.
    #[inline(always)]
    fn placed(&self, scene: &Scene<'_, T>, at: &KinematicsRef<'_, T>) -> [Shape<T>; 2] {
        self.geoms().map(|geom| Shape {
            pos: *at.geom_xpos.at(geom),
            mat: *at.geom_xmat.at(geom),
            size: scene.extra.geom_size[geom],
        })
    }

    #[inline(always)]
    fn shapes(&self) -> Option<&Shapes> {
        SHAPES.get(self.words[4] as usize)
    }

    /// Whether contacts of the pair are thrown away after they were found.
    #[inline(always)]
    pub fn is_refined(&self) -> bool {
        matches!(self.shapes(), Some(Shapes::BoxBox))
    }

    /// Lists where geoms of a refined pair touch.
    #[inline(always)]
    pub fn refined(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        out: &mut impl TouchSlots<T>,
    ) {
        let ([first, second], margin) = (&self.placed(scene, at), self.numbers[0]);
        pair::box_box(first, second, margin, out);
        pair::drop_outside_and_repeated(first, second, margin, out, 0);
    }

    /// Whether the pair is one of two convex shapes, or of a height field and one.
    #[inline(always)]
    pub fn is_convex(&self) -> bool {
        matches!(self.shapes(), Some(Shapes::Convex | Shapes::FieldConvex))
    }

    /// Both convex shapes, with the margin.
    #[inline(always)]
    fn solids<'b>(
        &self,
        scene: &Scene<'b, T>,
        at: &KinematicsRef<'_, T>,
    ) -> [Solid<Polyhedron<'b, T>, T>; 2] {
        let ([first, second], margin) = (self.geoms(), self.numbers[0]);
        let shapes = &self.placed(scene, at);
        [
            solid(scene, first, &shapes[0], margin),
            solid(scene, second, &shapes[1], margin),
        ]
    }

    /// Whether convex shapes are so far apart that nobody has to look closer.
    #[inline(always)]
    pub fn is_clearly_apart(&self, scene: &Scene<'_, T>, at: &KinematicsRef<'_, T>) -> bool {
        if !matches!(self.shapes(), Some(Shapes::Convex)) {
            return false;
        }
        let [first, second] = &self.solids(scene, at);
        let (margin, tolerance) = (self.numbers[0], scene.constants.ccd_tolerance);
        convex::are_clearly_apart(first, second, margin, tolerance)
    }

    /// Begins to look where two convex shapes touch.
    #[inline(always)]
    pub fn begin_convex(&self, scene: &Scene<'_, T>, at: &KinematicsRef<'_, T>) -> Search<T> {
        let [first, second] = &mut self.solids(scene, at);
        convex::begin(limits(scene), first, second, self.numbers[0])
    }

    /// Tells where two convex shapes that overlap, or a height field and one, touch.
    #[inline(always)]
    pub fn end_convex(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        begun: &Search<T>,
        memory: &mut [T],
        out: &mut impl Touches<T>,
    ) {
        let polytope = &mut Polytope::lent(memory, scene.head.ccd_iterations);
        let margin = self.numbers[0];
        if matches!(self.shapes(), Some(Shapes::FieldConvex)) {
            let ([first, second], shapes) = (self.geoms(), &self.placed(scene, at));
            let ground = &height_field(scene, first, &shapes[0]);
            let shape = &solid(scene, second, &shapes[1], T::ZERO);
            let radius = self.numbers[18];
            let find = |prism: &mut _, shape: &mut _| {
                convex::deepest(limits(scene), prism, shape, T::ZERO, polytope)
            };
            return convex::field_contacts(ground, shape, radius, margin, find, out);
        }
        let [first, second] = &mut self.solids(scene, at);
        if let Search::Begun(overlap) = begun
            && let Some(touch) = overlap.end(limits(scene), first, second, margin, polytope)
        {
            out.add(true, touch);
        }
    }

    /// Whether the pair is one of a height field.
    #[inline(always)]
    pub fn has_field(&self) -> bool {
        matches!(self.shapes(), Some(Shapes::FieldConvex))
    }

    /// Tells where the geoms of another pair touch.
    #[inline(always)]
    pub fn touches<const SKILL: usize>(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        out: &mut impl Touches<T>,
    ) {
        let ([first, second], margin) = (&self.placed(scene, at), self.numbers[0]);
        if SKILL >= BOXES && matches!(self.shapes(), Some(Shapes::CapsuleBox)) {
            return pair::capsule_box(first, second, margin, out);
        }
        if SKILL >= BOXES && matches!(self.shapes(), Some(Shapes::PlaneEllipsoid)) {
            let kind = SolidKind::<NoMesh, T>::Ellipsoid;
            let mut shape = Solid::new(kind, second.pos, second.mat, second.size, T::ZERO);
            return plane_convex(first, &mut shape, self.numbers[18], margin, out);
        }
        if SKILL >= CONVEX && matches!(self.shapes(), Some(Shapes::PlaneMesh)) {
            let mut shape: Solid<Polyhedron<'_, T>, T> =
                solid(scene, self.geoms()[1], second, T::ZERO);
            return plane_convex(first, &mut shape, self.numbers[18], margin, out);
        }
        match self.shapes() {
            Some(Shapes::PlaneSphere) => pair::plane_sphere(first, second, margin, out),
            Some(Shapes::PlaneCapsule) => pair::plane_capsule(first, second, margin, out),
            Some(Shapes::PlaneCylinder) => pair::plane_cylinder(first, second, margin, out),
            Some(Shapes::PlaneBox) => pair::plane_box(first, second, margin, out),
            Some(Shapes::SphereSphere) => pair::sphere_sphere(first, second, margin, out),
            Some(Shapes::SphereCapsule) => pair::sphere_capsule(first, second, margin, out),
            Some(Shapes::SphereCylinder) => pair::sphere_cylinder(first, second, margin, out),
            Some(Shapes::SphereBox) => pair::sphere_box(first, second, margin, out),
            Some(Shapes::CapsuleCapsule) => pair::capsule_capsule(first, second, margin, out),
            _ => {}
        }
    }

    /// Whether a contact is near enough to have rows.
    #[inline(always)]
    pub fn has_rows(&self, touch: &Touch<T>) -> bool {
        // A distance that is no number is not too large.
        !self.includemargin().at_most(touch.dist)
    }
}

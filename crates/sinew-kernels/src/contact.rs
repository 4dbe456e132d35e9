//! Where geoms touch: the pairs of a scene in their order.

use crate::Number;
use crate::scene::{PAIR_NUMBERS, PAIR_WORDS, Scene};
use crate::solid::{NoMesh, Polyhedron, height_field, solid};
use crate::warp::Shared;
use sinew_collision::convex::{self, Polytope, Search, Solid, SolidKind, plane_convex};
use sinew_collision::pair::{self, Shape, Touch, TouchSlots, Touches};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_dynamics::row::contact::{Friction, Numbers};
use sinew_math::Vec3;
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

    /// Whether its shapes are looked at as convex ones.
    pub fn needs_solids(self) -> bool {
        matches!(
            self,
            Shapes::PlaneMesh | Shapes::Convex | Shapes::FieldConvex
        )
    }

    /// Who finds the contacts of such a pair.
    #[inline(always)]
    pub fn finder(self) -> Finder {
        match self {
            Shapes::CapsuleBox | Shapes::BoxBox | Shapes::PlaneEllipsoid | Shapes::PlaneMesh => {
                Finder::Formula
            }
            Shapes::Convex => Finder::Distance,
            Shapes::FieldConvex => Finder::Polytope,
            _ => Finder::Rows,
        }
    }
}

/// Who finds the contacts of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finder {
    /// The warp that makes the rows.
    Rows,
    /// A thread, by a long formula.
    Formula,
    /// A thread, by the distance of the shapes; where they overlap by a polytope.
    Distance,
    /// A thread that has memory for a polytope.
    Polytope,
}

/// Most iterations of the convex algorithms, and their tolerance.
#[inline(always)]
fn limits<T: Number>(scene: &Scene<'_, T>) -> (usize, T) {
    (scene.head.ccd_iterations, scene.constants.ccd_tolerance)
}

impl Finder {
    /// What its kernel is called.
    pub fn name(self) -> &'static str {
        match self {
            Finder::Rows => "rows",
            Finder::Formula => "formula",
            Finder::Distance => "distance",
            Finder::Polytope => "polytope",
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
    fn is_shallow(&self, touch: &Touch<T>) -> bool {
        if self.words[7] & IS_SWEPT == 0 {
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

    /// Who finds its contacts.
    #[inline(always)]
    pub fn finder(&self) -> Finder {
        self.shapes().map_or(Finder::Rows, |shapes| shapes.finder())
    }

    /// How many it may have.
    #[inline(always)]
    pub fn most_touches(&self) -> usize {
        self.shapes().map_or(0, |shapes| shapes.most_touches())
    }

    /// Finds contacts by a long formula; how many are listed, and how many the reference may have lost.
    #[inline(always)]
    pub fn by_formula(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        spots: Spots<'_, T>,
    ) -> (i32, i32) {
        let ([first, second], margin) = (&self.placed(scene, at), self.numbers[0]);
        let found = &mut Found::<_, true>::new(self, spots);
        match self.shapes() {
            Some(Shapes::BoxBox) => {
                pair::box_box(first, second, margin, &mut found.spots);
                pair::drop_outside_and_repeated(first, second, margin, &mut found.spots, 0);
                for i in 0..core::mem::take(&mut found.spots.count) {
                    found.add(true, found.spots.get(i));
                }
            }
            Some(Shapes::CapsuleBox) => pair::capsule_box(first, second, margin, found),
            Some(Shapes::PlaneEllipsoid) => {
                let kind = SolidKind::<NoMesh, T>::Ellipsoid;
                let mut shape = Solid::new(kind, second.pos, second.mat, second.size, T::ZERO);
                plane_convex(first, &mut shape, self.numbers[18], margin, found);
            }
            Some(Shapes::PlaneMesh) => {
                let mut shape: Solid<Polyhedron<'_, T>, T> =
                    solid(scene, self.geoms()[1], second, T::ZERO);
                plane_convex(first, &mut shape, self.numbers[18], margin, found);
            }
            _ => {}
        }
        found.counts()
    }

    /// Lists a contact if there is one; how many are listed, and how many the reference may have lost.
    #[inline(always)]
    pub fn found(&self, touch: Option<Touch<T>>, spots: Spots<'_, T>) -> (i32, i32) {
        let found = &mut Found::<_, true>::new(self, spots);
        if let Some(touch) = touch {
            found.add(true, touch);
        }
        found.counts()
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

    /// Finds contacts of two convex shapes, or of a height field and one, with memory for a polytope; how many have rows, and
    /// how many the reference may have lost.
    #[inline(always)]
    pub fn with_polytope(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        memory: &mut [T],
        spots: Spots<'_, T>,
    ) -> (i32, i32) {
        let found = &mut Found::<_, true>::new(self, spots);
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
            convex::field_contacts(ground, shape, radius, margin, find, found);
            return found.counts();
        }
        let [first, second] = &mut self.solids(scene, at);
        if let Some(touch) = convex::deepest(limits(scene), first, second, margin, polytope) {
            found.add(true, touch);
        }
        found.counts()
    }

    /// Finds contacts by a short formula; how many are listed, and how many the reference may have lost.
    #[inline(always)]
    pub fn at_once<const ALL: bool>(
        &self,
        scene: &Scene<'_, T>,
        at: &KinematicsRef<'_, T>,
        spots: Spots<'_, T>,
    ) -> (i32, i32) {
        let ([first, second], margin) = (&self.placed(scene, at), self.numbers[0]);
        let out = &mut Found::<_, ALL>::new(self, spots);
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
        out.counts()
    }

    /// Whether a contact is near enough to have rows.
    #[inline(always)]
    fn has_rows(&self, dist: T) -> bool {
        // A distance that is no number is not too large.
        !self.includemargin().at_most(dist)
    }

    /// Whether contacts without rows are listed as well.
    #[inline(always)]
    pub fn lists_all(&self) -> bool {
        self.words[7] & LISTS_ALL != 0
    }

    /// Whether a contact that is listed has rows: where nothing moves none has.
    #[inline(always)]
    pub fn is_felt(&self, dist: T) -> bool {
        self.words[7] & IS_FIXED == 0 && self.has_rows(dist)
    }

    /// Whether a contact is too far away for rows.
    #[inline(always)]
    pub fn is_in_gap(&self, dist: T) -> bool {
        !self.has_rows(dist)
    }
}

/// Bits of a word of a pair: whether the reference may lose contacts that touch too little, whether contacts without rows are
/// listed, whether none has rows.
pub const IS_SWEPT: i32 = 1;
/// See [`IS_SWEPT`].
pub const LISTS_ALL: i32 = 2;
/// See [`IS_SWEPT`].
pub const IS_FIXED: i32 = 4;

/// Where a thread lists contacts.
#[derive(Clone, Copy)]
pub(crate) struct Spots<'a, T> {
    pub list: Shared<'a, T>,
    /// Where the first number of the first is.
    pub first: usize,
    /// Numbers from one contact to the next, and from one number of a contact to its next.
    pub step: usize,
    pub apart: usize,
    pub most: usize,
    pub count: usize,
}

impl<T: Number> Touches<T> for Spots<'_, T> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch<T>) {
        if exists && self.count < self.most {
            self.count += 1;
            self.set(self.count - 1, touch);
        }
    }
}

impl<T: Number> TouchSlots<T> for Spots<'_, T> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Touch<T> {
        let start = self.first + self.step * i;
        let cell = |k: usize| self.list[start + k * self.apart].get();
        let vector = |k: usize| Vec3([cell(k), cell(k + 1), cell(k + 2)]);
        Touch {
            dist: cell(0),
            pos: vector(1),
            normal: vector(4),
            tangent: vector(7),
        }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, touch: Touch<T>) {
        let start = self.first + self.step * i;
        let cell = |k: usize, x: T| self.list[start + k * self.apart].set(x);
        cell(0, touch.dist);
        for k in 0..3 {
            cell(1 + k, touch.pos[k]);
            cell(4 + k, touch.normal[k]);
            cell(7 + k, touch.tangent[k]);
        }
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        self.count = count;
    }
}

/// A thread that lists the contacts of a pair that have rows, or `ALL` that the pair wants listed.
struct Found<'a, 'b, T, const ALL: bool> {
    pair: &'a Pair<'a, T>,
    spots: Spots<'b, T>,
    shallow: i32,
}

impl<'a, 'b, T: Number, const ALL: bool> Found<'a, 'b, T, ALL> {
    #[inline(always)]
    fn new(pair: &'a Pair<'a, T>, spots: Spots<'b, T>) -> Self {
        Found {
            pair,
            spots,
            shallow: 0,
        }
    }

    /// How many are listed, and how many the reference may have lost.
    #[inline(always)]
    fn counts(&self) -> (i32, i32) {
        (self.spots.count as i32, self.shallow)
    }
}

impl<T: Number, const ALL: bool> Touches<T> for Found<'_, '_, T, ALL> {
    #[inline(always)]
    fn add(&mut self, exists: bool, touch: Touch<T>) {
        if !exists {
            return;
        }
        self.shallow += i32::from(self.pair.is_shallow(&touch));
        let is_wanted = ALL && self.pair.lists_all() || self.pair.has_rows(touch.dist);
        self.spots.add(is_wanted, touch);
    }
}

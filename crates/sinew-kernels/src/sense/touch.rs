//! Contacts as sensors see them: normal forces in a zone, and contacts that are selected and reduced to slots.

use super::Sensing;
use super::ray::{against_shape, double, double_axes};
use crate::Number;
use crate::block::{NO_ROW, TOUCH, Words};
use crate::contact::Pair;
use crate::rows::index;
use crate::scene::{SENSOR_WORDS, Scene};
use sinew_collision::ray::{Pose, Ray};
use sinew_dynamics::row::contact::Friction;
use sinew_dynamics::sense::is_inside;
use sinew_math::{MIN_VALUE, Mat3, Vec3};
use sinew_model::kinds::{GeomType, ObjectType};

/// Contacts that were kept, and forces of rows.
pub(crate) struct Kept<'a, T> {
    scene: &'a Scene<'a, T>,
    touches: &'a [T],
    pub(super) force: &'a [T],
    pub(crate) count: usize,
}

/// A contact.
pub(crate) struct Seen<'a, T> {
    pub frame: Mat3<T>,
    pub pos: Vec3<T>,
    pub dist: T,
    pub row: usize,
    pub pair: Pair<'a, T>,
}

impl<'a, T: Number> Kept<'a, T> {
    #[inline(always)]
    pub fn new(
        scene: &'a Scene<'a, T>,
        touches: &'a [T],
        force: &'a [T],
        words: &Words<'_, i32>,
    ) -> Self {
        let count = match scene.head.kept_touches {
            0 => 0,
            _ => words.touch_count[0] as usize,
        };
        Kept {
            scene,
            touches,
            force,
            count,
        }
    }

    /// By its number.
    #[inline(always)]
    pub(crate) fn get(&self, i: usize) -> Seen<'a, T> {
        let numbers = &self.touches.as_chunks::<TOUCH>().0[i];
        Seen {
            frame: Mat3(core::array::from_fn(|k| numbers[k])),
            pos: Vec3([numbers[9], numbers[10], numbers[11]]),
            dist: numbers[12],
            row: index(numbers[13]),
            pair: Pair::new(self.scene, index(numbers[14])),
        }
    }
}

impl<T: Number> Seen<'_, T> {
    /// Whether it has rows.
    #[inline(always)]
    pub fn is_felt(&self) -> bool {
        self.row != NO_ROW
    }

    /// Force and torque in the frame of the contact.
    #[inline(always)]
    pub fn force(&self, kept: &Kept<'_, T>) -> [Vec3<T>; 2] {
        let mut out = [T::ZERO; 6];
        if !self.is_felt() {
            return [Vec3::zero(); 2];
        }
        let force = |k: usize| kept.force[self.row + k];
        match self.pair.friction() {
            Friction::None => out[0] = force(0),
            Friction::Elliptic(dim) => {
                for k in 0..6 {
                    if k < dim {
                        out[k] = force(k);
                    }
                }
            }
            Friction::Pyramidal(dim) => {
                for k in 0..2 * (dim - 1) {
                    out[0] += force(k);
                }
                for k in 0..5 {
                    if k + 1 < dim {
                        let between = force(2 * k) - force(2 * k + 1);
                        out[k + 1] = between * self.pair.coefficient(k);
                    }
                }
            }
        }
        [
            Vec3([out[0], out[1], out[2]]),
            Vec3([out[3], out[4], out[5]]),
        ]
    }

    /// Force and torque in the axes of the world.
    #[inline(always)]
    pub fn in_world(&self, kept: &Kept<'_, T>) -> [Vec3<T>; 2] {
        self.force(kept).map(|v| self.frame.transpose_mul(v))
    }
}

/// The site in which a sensor looks.
struct Zone<T> {
    kind: Option<GeomType>,
    size: [T; 3],
}

/// How contacts are reduced.
const NEAREST: i32 = 1;
const STRONGEST: i32 = 2;
const NET: i32 = 3;

/// Numbers of each field: found, force, torque, distance, position, normal, tangent.
const FIELDS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// What a slot may hold.
struct Slot<T> {
    found: T,
    force: Vec3<T>,
    torque: Vec3<T>,
    dist: T,
    pos: Vec3<T>,
    normal: Vec3<T>,
    tangent: Vec3<T>,
}

impl<T: Number> Slot<T> {
    /// Writes the fields that are asked for one after the other.
    #[inline(always)]
    fn write(&self, fields: i32, out: &mut [T]) {
        let mut at = 0;
        let mut put = |field: i32, x: T| {
            if fields >> field & 1 != 0 && at < out.len() {
                out[at] = x;
                at += 1;
            }
        };
        put(0, self.found);
        for (field, vector) in [(1, self.force), (2, self.torque)] {
            for k in 0..3 {
                put(field, vector[k]);
            }
        }
        put(3, self.dist);
        for (field, vector) in [(4, self.pos), (5, self.normal), (6, self.tangent)] {
            for k in 0..3 {
                put(field, vector[k]);
            }
        }
    }
}

impl<T: Number> Sensing<'_, '_, T> {
    #[inline(always)]
    fn zone(&self, sensor: usize, words: &[i32; SENSOR_WORDS]) -> Zone<T> {
        let sizes = self.scene.tables.sensor_sizes;
        Zone {
            kind: GeomType::from_code(words[10]),
            size: core::array::from_fn(|k| sizes[3 * sensor + k]),
        }
    }

    /// Normal forces of the contacts of a site's body that point into the site.
    #[inline(always)]
    pub(super) fn touch(&self, sensor: usize, words: &[i32; SENSOR_WORDS]) -> T {
        let zone = self.zone(sensor, words);
        let Some(kind) = zone.kind else {
            return T::ZERO;
        };
        let frame = self.frame(words[1], words[2] as usize);
        let pose = Pose {
            pos: double(frame.pos),
            mat: &double_axes(&frame.mat),
        };
        let mut total = T::ZERO;
        for i in 0..self.kept.count {
            let contact = self.kept.get(i);
            let [_, is_second] = contact.pair.bodies().map(|body| body == frame.body);
            let is_moved = contact.pair.bodies().contains(&frame.body);
            let force = contact.force(&self.kept)[0][0];
            if !is_moved || force <= T::ZERO {
                continue;
            }
            let along = double((contact.frame.row(0) * force).normalized());
            let ray = &Ray {
                origin: double(contact.pos),
                direction: if is_second { -along } else { along },
            };
            if against_shape(kind, ray, pose, zone.size.map(|x| x.to_f64())).is_some() {
                total += force;
            }
        }
        total
    }

    /// Whether a point is inside the site that a sensor is about, which has a frame.
    #[inline(always)]
    pub(super) fn is_within(
        &self,
        sensor: usize,
        words: &[i32; SENSOR_WORDS],
        site: usize,
        point: Vec3<T>,
    ) -> bool {
        let zone = self.zone(sensor, words);
        let frame = self.frame(ObjectType::Site.code(), site);
        is_inside(zone.kind, zone.size, (frame.pos, &frame.mat), point)
    }

    /// Contacts that a sensor selects.
    #[inline(always)]
    pub(super) fn contacts(&self, sensor: usize, words: &[i32; SENSOR_WORDS], out: &mut [T]) {
        let (fields, reduction) = (words[8], words[9]);
        let mut size = 0;
        for k in 0..FIELDS.len() {
            size += FIELDS[k] * (fields >> k & 1) as usize;
        }
        for k in 0..out.len() {
            out[k] = T::ZERO;
        }
        if size == 0 {
            return;
        }
        let mut found = 0;
        for i in 0..self.kept.count {
            found += usize::from(self.direction(sensor, words, i).is_some());
        }
        if reduction == NET {
            return self.net(sensor, words, found).write(fields, out);
        }
        // One after the other, in their order.
        let mut last = None;
        let mut slot = 0;
        while (slot + 1) * size <= out.len() {
            let Some(next) = self.next(sensor, words, reduction, last) else {
                return;
            };
            let (_, i, is_flipped) = next;
            let one = self.one(i, is_flipped, found);
            one.write(fields, &mut out[slot * size..(slot + 1) * size]);
            last = Some(next);
            slot += 1;
        }
    }

    /// The contact that comes after one.
    #[inline(always)]
    fn next(
        &self,
        sensor: usize,
        words: &[i32; SENSOR_WORDS],
        reduction: i32,
        last: Option<(f64, usize, bool)>,
    ) -> Option<(f64, usize, bool)> {
        let is_before = |a: (f64, usize), b: (f64, usize)| {
            let order = a.0.total_cmp(&b.0);
            order.then(a.1.cmp(&b.1)).is_lt()
        };
        let mut best: Option<(f64, usize, bool)> = None;
        for i in 0..self.kept.count {
            let Some(is_flipped) = self.direction(sensor, words, i) else {
                continue;
            };
            let criterion = match reduction {
                NEAREST => self.kept.get(i).dist,
                STRONGEST => {
                    let [force, _] = self.kept.get(i).force(&self.kept);
                    -force.dot(force)
                }
                _ => T::ZERO,
            };
            let own = (criterion.to_f64(), i);
            let is_next = last.is_none_or(|last| is_before((last.0, last.1), own));
            if is_next && best.is_none_or(|best| is_before(own, (best.0, best.1))) {
                best = Some((own.0, own.1, is_flipped));
            }
        }
        best
    }

    /// Whether a contact belongs to a sensor, and if so, whether it must be flipped.
    #[inline(always)]
    fn direction(&self, sensor: usize, words: &[i32; SENSOR_WORDS], i: usize) -> Option<bool> {
        const UNKNOWN: i32 = ObjectType::Unknown.code();
        let (has_first, has_second) = (words[1] != UNKNOWN, words[3] != UNKNOWN);
        if !has_first && !has_second {
            return Some(false);
        }
        let contact = self.kept.get(i);
        let site = words[2] as usize;
        if words[1] == ObjectType::Site.code() && !self.is_within(sensor, words, site, contact.pos)
        {
            return None;
        }
        let first = |side: usize| self.belongs(&contact.pair, side, words[1], words[2]);
        let second = |side: usize| self.belongs(&contact.pair, side, words[3], words[4]);
        let (regular, reverse) = ((first(0), second(1)), (first(1), second(0)));
        if !(regular.0 || reverse.0) || !(regular.1 || reverse.1) {
            return None;
        }
        match (has_first, has_second) {
            (true, true) if regular.0 && regular.1 => Some(false),
            (true, true) if reverse.0 && reverse.1 => Some(true),
            (true, true) => None,
            (true, false) => Some(!regular.0),
            _ => Some(!regular.1),
        }
    }

    /// Whether a side of a pair is, or hangs on, an object.
    #[inline(always)]
    fn belongs(&self, pair: &Pair<'_, T>, side: usize, kind: i32, id: i32) -> bool {
        let id = id as usize;
        let mut body = pair.bodies()[side];
        match ObjectType::from_code(kind) {
            Some(ObjectType::Unknown | ObjectType::Site) | None => true,
            Some(ObjectType::Geom) => pair.geoms()[side] == id,
            Some(ObjectType::Body) => body == id,
            Some(ObjectType::Xbody) => {
                while body > id {
                    body = self.scene.tree.body_parentid[body] as usize;
                }
                body == id
            }
            _ => false,
        }
    }

    /// A contact seen from a sensor's side. Flipping turns the frame half round about its third axis.
    #[inline(always)]
    fn one(&self, i: usize, is_flipped: bool, found: usize) -> Slot<T> {
        let contact = self.kept.get(i);
        let [mut force, mut torque] = contact.force(&self.kept);
        let (mut normal, mut tangent) = (contact.frame.row(0), contact.frame.row(1));
        if is_flipped {
            force[2] *= -T::ONE;
            torque[2] *= -T::ONE;
            normal *= -T::ONE;
            tangent *= -T::ONE;
        }
        Slot {
            found: T::from_f64(f64::from(found as u32)),
            force,
            torque,
            dist: contact.dist,
            pos: contact.pos,
            normal,
            tangent,
        }
    }

    /// The sum of all forces about their weighted centre, in the axes of the world.
    #[inline(always)]
    fn net(&self, sensor: usize, words: &[i32; SENSOR_WORDS], found: usize) -> Slot<T> {
        let kept = &self.kept;
        let wrench = |i: usize, is_flipped: bool| {
            let sign = if is_flipped { -T::ONE } else { T::ONE };
            kept.get(i).force(kept).map(|v| v * sign)
        };
        let (mut pos, mut total) = (Vec3::zero(), T::ZERO);
        for i in 0..kept.count {
            if let Some(is_flipped) = self.direction(sensor, words, i) {
                let weight = wrench(i, is_flipped)[0].norm();
                pos = pos.add_scaled(kept.get(i).pos, weight);
                total += weight;
            }
        }
        pos *= T::ONE / total.max_of(T::from_f64(MIN_VALUE));
        let (mut force, mut torque) = (Vec3::zero(), Vec3::zero());
        for i in 0..kept.count {
            if let Some(is_flipped) = self.direction(sensor, words, i) {
                let (contact, [own, turning]) = (kept.get(i), wrench(i, is_flipped));
                let in_world = contact.frame.transpose_mul(own);
                force += in_world;
                torque += contact.frame.transpose_mul(turning);
                torque += (contact.pos - pos).cross(in_world);
            }
        }
        Slot {
            found: T::from_f64(f64::from(found as u32)),
            force,
            torque,
            dist: T::ZERO,
            pos,
            normal: Vec3([T::ONE, T::ZERO, T::ZERO]),
            tangent: Vec3([T::ZERO, T::ONE, T::ZERO]),
        }
    }
}

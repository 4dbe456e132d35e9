//! Contacts of worlds side by side: the pairs of the plan in their order, each compared in all lanes.

use super::constraint::in_lanes;
use super::group::{Group, Slot};
use super::merge::LaneSet;
use super::numbers::{Numbers, OfLane};
use super::plan::Pair;
use bytemuck::{Pod, cast};
use sinew_collision::pair::{self, Shape, Touch, TouchList};
use sinew_dynamics::kinematics::KinematicsRef;
use sinew_engine::position::contact::candidates::{Prober, SHALLOW};
use sinew_math::lanes::Work;
use sinew_math::{Lift, Mask, Mat3, Real, Vec3};
use sinew_model::Model;
use sinew_model::kinds::GeomType;
use sinew_model::view::GeomValues;

/// No primitive pair that is computed in lanes makes more contacts.
const MOST: usize = 4;

/// How much more than the exact distance counts as near: more than the convex pipeline is off.
const GENEROSITY: f64 = 1e-5;

/// Finds all contacts.
pub(super) struct Contacts<'a, N, P>(pub N, pub &'a mut Group<P>);

impl<'m, N: Numbers<'m, P>, P: Real + Pod> Work for Contacts<'_, N, P> {
    type Output = ();

    #[inline(always)]
    fn run<T: Real + Pod>(self) {
        let Contacts(numbers, group) = self;
        let (model, values) = (numbers.model(), &numbers.geoms::<T>());
        let Group {
            plan,
            kinematics,
            contacts,
            prober,
            is_alive,
            is_left,
            ..
        } = group;
        let kinematics = &kinematics.as_ref().cast::<T>();
        let mut left = cast::<P, T>(*is_left).equals(T::ONE);
        let alive = cast::<P, T>(*is_alive).equals(T::ONE);
        contacts.clear();
        prober.update(model);
        let mut found = TouchList::<T, MOST>::new();
        for (index, pair) in plan.pairs.iter().enumerate() {
            let near = match N::ARE_SHARED {
                true => spheres_overlap(model, kinematics, pair),
                false => own_spheres_overlap(values, kinematics, pair),
            };
            if !near.any() {
                continue;
            }
            if !pair.is_primitive {
                // Boxes around geoms need not fit those of worlds with sizes of their own.
                let near = match N::ARE_SHARED {
                    true => near & boxes_overlap(model, kinematics, pair),
                    false => near,
                };
                let lanes = lane_set::<T>(near & alive & !left);
                let probe = &mut Probe {
                    model,
                    sizes: values.geom_size,
                    prober,
                };
                let lost = one_by_one::<P, T, _>(probe, kinematics, (index, pair), lanes, contacts);
                left = left | in_lanes::<T>(lost);
                continue;
            }
            found.clear();
            touch(values, kinematics, pair, &mut found);
            let limit = T::from_f64(pair.candidate.parameters.includemargin);
            for place in 0..MOST {
                let (exists, touch) = found.get(place);
                let exists = exists & near;
                if !exists.any() {
                    break;
                }
                if pair.candidate.is_swept {
                    left = left | (exists & is_shallow(&touch, pair.candidate.margin));
                }
                let has_rows = exists & !touch.dist.at_least(limit);
                if has_rows.any() {
                    contacts.push(slot(index, has_rows, &touch));
                }
            }
        }
        *is_left = cast(T::select(left, T::ONE, T::ZERO));
    }
}

/// Lanes that are true.
#[inline(always)]
pub(super) fn lane_set<T: Real>(mask: T::Mask) -> LaneSet {
    let mut lanes = 0;
    for lane in 0..T::LANES {
        lanes |= LaneSet::from(mask.lane(lane)) << lane;
    }
    lanes
}

/// What compares geoms of one world.
struct Probe<'a, V> {
    model: &'a Model,
    sizes: &'a [[V; 3]],
    prober: &'a mut Prober,
}

/// Contacts of geoms that lanes do not know, one world after the other. Returns the lanes in which the reference may lose
/// them.
fn one_by_one<P: Real, T: Real, V: Lift<T> + OfLane>(
    probe: &mut Probe<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    (index, pair): (usize, &Pair),
    lanes: LaneSet,
    out: &mut Vec<Slot<P>>,
) -> LaneSet {
    let first_slot = out.len();
    let mut lost = 0;
    let candidate = &pair.candidate;
    for lane in (0..T::LANES).filter(|lane| lanes & (1 << lane) != 0) {
        let shapes = candidate.geoms.map(|geom| Shape {
            pos: Vec3(kinematics.geom_xpos[geom].0.map(|x| x.lane(lane))),
            mat: Mat3(kinematics.geom_xmat[geom].0.map(|x| x.lane(lane))),
            size: probe.sizes[geom].map(|x| x.of_lane(lane)),
        });
        let mut place = first_slot;
        for touch in probe.prober.touches(probe.model, candidate, &shapes) {
            if candidate.is_swept && is_shallow(touch, candidate.margin) {
                lost |= 1 << lane;
            }
            if touch.dist >= candidate.parameters.includemargin {
                continue;
            }
            if place == out.len() {
                out.push(Slot {
                    pair: index,
                    lanes: 0,
                    dist: P::ZERO,
                    pos: Vec3::zero(),
                    frame: Mat3([P::ZERO; 9]),
                });
            }
            let slot = &mut out[place];
            place += 1;
            slot.lanes |= 1 << lane;
            slot.dist.set_lane(lane, touch.dist);
            put(&mut slot.pos.0, &touch.pos.0, lane);
            put(&mut slot.frame.0, &touch.frame().0, lane);
        }
    }
    lost
}

fn put<P: Real>(cells: &mut [P], numbers: &[f64], lane: usize) {
    for (cell, &x) in cells.iter_mut().zip(numbers) {
        cell.set_lane(lane, x);
    }
}

#[inline(always)]
fn slot<P: Real + Pod, T: Real + Pod>(pair: usize, exists: T::Mask, touch: &Touch<T>) -> Slot<P> {
    let stored = |x: T| cast::<T, P>(x);
    Slot {
        pair,
        lanes: lane_set::<T>(exists),
        dist: stored(touch.dist),
        pos: Vec3(touch.pos.0.map(stored)),
        frame: Mat3(touch.frame().0.map(stored)),
    }
}

/// Whether a contact touches so little that the reference may lose it.
#[inline(always)]
fn is_shallow<T: Real>(touch: &Touch<T>, margin: f64) -> T::Mask {
    let mut size = T::ONE;
    for k in 0..3 {
        size = size.max_of(touch.pos[k].abs());
    }
    // Twice the depth that is asked for: which lanes are left alone matters to nobody.
    let depth = T::from_f64(2.0 * SHALLOW) * size;
    !touch.dist.at_most(T::from_f64(margin) - depth)
}

/// Whether the bounding spheres of two geoms, or the half space of a plane and a sphere, come
/// closer than the margin.
#[inline(always)]
fn spheres_overlap<T: Real>(
    model: &Model,
    kinematics: &KinematicsRef<'_, T>,
    pair: &Pair,
) -> T::Mask {
    let [first, second] = pair.candidate.geoms;
    let (r1, r2) = (model.geom_rbound[first], model.geom_rbound[second]);
    let (p1, p2) = (kinematics.geom_xpos[first], kinematics.geom_xpos[second]);
    let margin = pair.candidate.margin;
    if r1 > 0.0 && r2 > 0.0 {
        let reach = T::from_f64(r1 + r2 + margin);
        let between = p1 - p2;
        return between.dot(between).at_most(reach * reach);
    }
    // A plane comes first.
    if pair.kinds[0] == GeomType::Plane && r2 > 0.0 {
        let normal = kinematics.geom_xmat[first].column(2);
        let height = (p2 - p1).dot(normal);
        return !height.greater(T::from_f64(margin + r2));
    }
    T::Mask::ALL
}

/// The same where worlds have radii of their own.
#[inline(always)]
fn own_spheres_overlap<T: Real, V: Lift<T>>(
    values: &GeomValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    pair: &Pair,
) -> T::Mask {
    let [first, second] = pair.candidate.geoms;
    let [r1, r2]: [T; 2] = [first, second].map(|geom| values.geom_rbound[geom].lift());
    let (p1, p2) = (kinematics.geom_xpos[first], kinematics.geom_xpos[second]);
    let margin = T::from_f64(pair.candidate.margin);
    let (has_first, has_second) = (r1.greater(T::ZERO), r2.greater(T::ZERO));
    let (between, reach) = (p1 - p2, r1 + r2 + margin);
    let is_apart = has_first & has_second & !between.dot(between).at_most(reach * reach);
    if pair.kinds[0] != GeomType::Plane {
        return !is_apart;
    }
    let normal = kinematics.geom_xmat[first].column(2);
    let height = (p2 - p1).dot(normal);
    let is_above = !has_first & has_second & height.greater(margin + r2);
    !(is_apart | is_above)
}

/// Whether the boxes around two geoms come closer than the margin, as far as the axes of the boxes tell. Asked before geoms
/// are compared one world at a time; generous by more than rounding.
#[inline(always)]
fn boxes_overlap<T: Real>(
    model: &Model,
    kinematics: &KinematicsRef<'_, T>,
    pair: &Pair,
) -> T::Mask {
    let geoms = pair.candidate.geoms;
    if geoms.iter().any(|&geom| model.geom_rbound[geom] <= 0.0) {
        return T::Mask::ALL;
    }
    let axes = geoms.map(|geom| &kinematics.geom_xmat[geom]);
    let [first, second] = geoms.map(|geom| {
        let [x, y, z, ..] = model.geom_aabb[geom];
        let centre = Vec3([x, y, z]).lift();
        kinematics.geom_xpos[geom] + kinematics.geom_xmat[geom] * centre
    });
    // Half the edges of the boxes.
    let sizes = geoms.map(|geom| {
        let [_, _, _, a, b, c] = model.geom_aabb[geom];
        [a, b, c].map(|half| T::from_f64(half))
    });
    let turn = axes[0].transpose_mul_mat(axes[1]);
    let away = axes[0].transpose_mul(second - first);
    let other_away = turn.transpose_mul(away);
    let slack = T::from_f64(pair.candidate.margin + GENEROSITY);
    let mut overlaps = T::Mask::ALL;
    for k in 0..3 {
        let (mut reach, mut other_reach) = (sizes[0][k] + slack, sizes[1][k] + slack);
        for j in 0..3 {
            reach += turn.0[3 * k + j].abs() * sizes[1][j];
            other_reach += turn.0[3 * j + k].abs() * sizes[0][j];
        }
        let is_apart = away[k].abs().greater(reach) | other_away[k].abs().greater(other_reach);
        overlaps = overlaps & !is_apart;
    }
    overlaps
}

/// Where two geoms touch.
#[inline(always)]
fn touch<T: Real, V: Lift<T>>(
    values: &GeomValues<'_, V>,
    kinematics: &KinematicsRef<'_, T>,
    pair: &Pair,
    out: &mut TouchList<T, MOST>,
) {
    use GeomType::{Box, Capsule, Cylinder, Plane, Sphere};
    let [first, second] = pair.candidate.geoms.map(|geom| Shape {
        pos: kinematics.geom_xpos[geom],
        mat: kinematics.geom_xmat[geom],
        size: values.geom_size[geom].lift(),
    });
    let margin = T::from_f64(pair.candidate.margin);
    match pair.kinds {
        [Plane, Sphere] => pair::plane_sphere(&first, &second, margin, out),
        [Plane, Capsule] => pair::plane_capsule(&first, &second, margin, out),
        [Plane, Cylinder] => pair::plane_cylinder(&first, &second, margin, out),
        [Plane, Box] => pair::plane_box(&first, &second, margin, out),
        [Sphere, Sphere] => pair::sphere_sphere(&first, &second, margin, out),
        [Sphere, Capsule] => pair::sphere_capsule(&first, &second, margin, out),
        [Sphere, Cylinder] => pair::sphere_cylinder(&first, &second, margin, out),
        [Sphere, Box] => pair::sphere_box(&first, &second, margin, out),
        [Capsule, Capsule] => pair::capsule_capsule(&first, &second, margin, out),
        _ => {}
    }
}

/// Distance, position and frame of a contact over the type that is computed with.
#[inline(always)]
pub(super) fn read<P: Real + Pod, T: Real + Pod>(slot: &Slot<P>) -> (T, Vec3<T>, Mat3<T>) {
    let one = |x: P| cast::<P, T>(x);
    let pos = Vec3(slot.pos.0.map(one));
    (one(slot.dist), pos, Mat3(slot.frame.0.map(one)))
}

//! Which geoms of two bodies may touch.
//!
//! Few geoms are compared all with all. For many, the two bounding-volume trees are descended
//! together, the larger volume first. Contacts of bodies with several geoms are then ordered by
//! their geom ids.

use super::storage::{may_grow, most_contacts};
use super::{Contact, narrow};
use crate::position::kinematics::Kinematics;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, EnableFlag, GeomType};
use std::ops::Range;

/// Up to this many geom pairs are compared directly.
const MOST_DIRECT: usize = 32;

/// Sizes from here on count as infinite.
const INFINITE: f64 = 1e10;

/// Storage of the middle phase, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Middle {
    /// Pairs of nodes to compare.
    stack: Vec<(i32, i32)>,
    /// Contacts as they were found, and the order they belong in.
    found: Vec<Contact>,
    order: Vec<u32>,
    /// Pairs of geoms that were not looked at, because the list is full.
    pub(super) left_out: usize,
}

impl Middle {
    /// Finds the contacts of two bodies. Geom pairs listed explicitly were already treated; of the
    /// others, those that may touch are looked at.
    pub(crate) fn body_pair(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        bodies: [usize; 2],
        explicit: &Range<usize>,
        may_touch: &mut impl FnMut(usize, usize) -> bool,
        work: &mut narrow::Narrow,
        out: &mut Vec<Contact>,
    ) {
        let [geoms1, geoms2] = bodies.map(|body| {
            let start = model.body_geomadr[body] as usize;
            start..start + model.body_geomnum[body] as usize
        });
        let start = out.len();
        let most = most_contacts(model);
        let left_out = &mut self.left_out;
        let mut visit = |g1: usize, g2: usize| {
            let is_explicit = explicit.clone().any(|pair| {
                let (p1, p2) = (
                    model.pair_geom1[pair] as usize,
                    model.pair_geom2[pair] as usize,
                );
                (p1, p2) == (g1, g2) || (p1, p2) == (g2, g1)
            });
            if is_explicit || !may_touch(g1, g2) {
                return;
            }
            match may_grow(out, most) {
                true => narrow::geoms(model, kinematics, g1, g2, work, out),
                false => *left_out += 1,
            }
        };

        if !descends(model, bodies) {
            for g1 in geoms1.clone() {
                for g2 in geoms2.clone() {
                    visit(g1, g2);
                }
            }
        } else {
            descend(model, kinematics, bodies, &mut self.stack, &mut visit);
        }
        if sorts(model, bodies) {
            self.sort(&mut out[start..], |contact| contact.geom);
        }
    }

    /// Orders contacts by the objects that touch; those of the same objects stay in order.
    #[inline]
    pub(super) fn sort(
        &mut self,
        contacts: &mut [Contact],
        objects: impl Fn(&Contact) -> [i32; 2],
    ) {
        if contacts.is_sorted_by_key(&objects) {
            return;
        }
        let Middle { found, order, .. } = self;
        found.clear();
        found.extend_from_slice(contacts);
        order.clear();
        order.extend(0..contacts.len() as u32);
        order.sort_unstable_by_key(|&i| (objects(&found[i as usize]), i));
        for (contact, &i) in contacts.iter_mut().zip(&*order) {
            *contact = found[i as usize];
        }
    }
}

/// Whether contacts of two bodies are ordered by their geoms.
#[inline]
pub(super) fn sorts(model: &Model, bodies: [usize; 2]) -> bool {
    let has_trees = bodies.iter().all(|body| model.body_bvhadr[*body] >= 0);
    model.opt.disableflags & DisableFlag::Midphase.code() == 0 && has_trees
}

/// Whether bounding-volume trees tell which geoms of two bodies are compared.
#[inline]
pub(super) fn descends(model: &Model, bodies: [usize; 2]) -> bool {
    let [count1, count2] = bodies.map(|body| model.body_geomnum[body] as usize);
    count1 * count2 > MOST_DIRECT && sorts(model, bodies)
}

/// Visits the geom pairs whose volumes overlap.
fn descend(
    model: &Model,
    kinematics: &Kinematics,
    [first, second]: [usize; 2],
    stack: &mut Vec<(i32, i32)>,
    visit: &mut impl FnMut(usize, usize),
) {
    let root1 = model.body_bvhadr[first] as usize;
    let root2 = model.body_bvhadr[second] as usize;
    let frame1 = (kinematics.xipos[first], &kinematics.ximat[first]);
    let frame2 = (kinematics.xipos[second], &kinematics.ximat[second]);
    let margin = margin_of_bodies(model, first, second);
    let area = |b: &[f64; 6]| b[3] * b[4] + b[4] * b[5] + b[5] * b[3];

    stack.clear();
    stack.push((0, 0));
    while let Some((node1, node2)) = stack.pop() {
        let (at1, at2) = (root1 + node1 as usize, root2 + node2 as usize);
        let (child1, child2) = (model.bvh_child[at1], model.bvh_child[at2]);
        let is_leaf1 = child1[0] < 0 && child1[1] < 0;
        let is_leaf2 = child2[0] < 0 && child2[1] < 0;
        if is_leaf1 && is_leaf2 {
            let (g1, g2) = (model.bvh_nodeid[at1], model.bvh_nodeid[at2]);
            if g1 >= 0 && g2 >= 0 {
                visit(g1 as usize, g2 as usize);
            }
            continue;
        }
        let (box1, box2) = (&model.bvh_aabb[at1], &model.bvh_aabb[at2]);
        if !boxes_overlap(box1, frame1, box2, frame2, margin) {
            continue;
        }
        let split_first = is_leaf2 || (!is_leaf1 && area(box1) > area(box2));
        if split_first {
            stack.extend(child1.iter().filter(|c| **c >= 0).map(|c| (*c, node2)));
        } else {
            stack.extend(child2.iter().filter(|c| **c >= 0).map(|c| (node1, *c)));
        }
    }
}

fn margin_of_bodies(model: &Model, first: usize, second: usize) -> f64 {
    if model.opt.enableflags & EnableFlag::Override.code() != 0 {
        model.opt.o_margin
    } else {
        model.body_margin[first] + model.body_margin[second]
    }
}

/// Whether two oriented boxes come closer than the margin, tested along their six face normals.
#[doc(alias = "mj_collideOBB")]
fn boxes_overlap(
    box1: &[f64; 6],
    (pos1, mat1): (Vec3, &Mat3),
    box2: &[f64; 6],
    (pos2, mat2): (Vec3, &Mat3),
    margin: f64,
) -> bool {
    let half1 = Vec3([box1[3], box1[4], box1[5]]);
    let half2 = Vec3([box2[3], box2[4], box2[5]]);
    let is_infinite = |half: Vec3| half.iter().any(|h| *h >= INFINITE);
    let centre1 = *mat1 * Vec3([box1[0], box1[1], box1[2]]) + pos1;
    let centre2 = *mat2 * Vec3([box2[0], box2[1], box2[2]]) + pos2;
    let between = centre2 - centre1;
    let reach = |mat: &Mat3, half: Vec3, normal: Vec3| {
        (0..3)
            .map(|k| (half[k] * mat.column(k).dot(normal)).abs())
            .sum::<f64>()
    };
    // A direction says nothing about a volume that is infinite across it.
    let separates = |normal: Vec3| {
        let reach = reach(mat1, half1, normal) + reach(mat2, half2, normal);
        reach + margin < between.dot(normal).abs()
    };
    if !is_infinite(half2) && (0..3).any(|k| separates(mat1.column(k))) {
        return false;
    }
    if !is_infinite(half1) && (0..3).any(|k| separates(mat2.column(k))) {
        return false;
    }
    true
}

/// Whether the bounding spheres of two geoms, or the half space of a plane and a sphere, come
/// closer than the margin.
#[doc(alias = "mj_filterSphere")]
pub(super) fn spheres_overlap(
    model: &Model,
    kinematics: &Kinematics,
    first: usize,
    second: usize,
    margin: f64,
) -> bool {
    let (r1, r2) = (model.geom_rbound[first], model.geom_rbound[second]);
    let (p1, p2) = (kinematics.geom_xpos[first], kinematics.geom_xpos[second]);
    if r1 > 0.0 && r2 > 0.0 {
        let reach = r1 + r2 + margin;
        let between = p1 - p2;
        return between.dot(between) <= reach * reach;
    }
    let is_plane = |geom: usize| model.geom_type[geom] == GeomType::Plane.code();
    let height = |plane: usize, point: Vec3| {
        (point - kinematics.geom_xpos[plane]).dot(kinematics.geom_xmat[plane].column(2))
    };
    if is_plane(first) && r2 > 0.0 && height(first, p2) > margin + r2 {
        return false;
    }
    !(is_plane(second) && r1 > 0.0 && height(second, p1) > margin + r1)
}

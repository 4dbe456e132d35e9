//! The points of a flexcomp in its parent: scaled, moved, pinned, and only those that are used.

use super::settings::Settings;
use super::shape::Shape;
use crate::compile::pose::rotate;
use crate::spec::value::FlexcompDof;
use sinew_math::Vec3;

/// Boxes start from this, as in the reference.
const LARGEST: f64 = 1e10;

/// Points, elements and pins, ready to become a flex.
#[derive(Clone, Debug)]
pub struct Part {
    /// Dimension of the elements.
    pub dim: usize,
    /// The points in the frame of the parent.
    pub points: Vec<Vec3>,
    /// Points of each element.
    pub elements: Vec<i32>,
    /// Texture coordinates.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the corners of elements.
    pub element_texcoord: Vec<i32>,
    /// Whether a point, or a node, stays on the parent.
    pub pinned: Vec<bool>,
    /// Whether all points do.
    pub is_rigid: bool,
    /// Whether no point does.
    pub is_free: bool,
    /// Nodes along each axis; 0: every point moves by itself.
    pub nodes_per_axis: usize,
    /// Where the nodes stand in the parent.
    pub nodes: Vec<Vec3>,
    /// Where the nodes stand in their bodies; empty: at their origins.
    pub node_positions: Vec<f64>,
}

impl Part {
    /// Moves a shape into its parent.
    pub fn new(settings: &Settings, shape: Shape, pinned: Vec<bool>) -> Part {
        let mut part = Part {
            dim: shape.dim,
            points: shape.points,
            elements: shape.elements,
            texcoord: shape.texcoord,
            element_texcoord: shape.element_texcoord,
            pinned,
            is_rigid: settings.is_rigid(),
            is_free: false,
            nodes_per_axis: settings.nodes_per_axis(),
            nodes: Vec::new(),
            node_positions: Vec::new(),
        };
        part.place(settings);
        part.make_nodes();
        if !part.is_rigid {
            if settings.dof == FlexcompDof::Radial
                && let Some(centre) = part.pinned.first_mut()
            {
                *centre = true;
            }
            let points = part.pinned.iter().take(part.points.len());
            let fixed = points.filter(|pinned| **pinned).count();
            part.is_rigid = fixed == part.points.len();
            part.is_free = fixed == 0;
        }
        if settings.is_direct() {
            part.drop_unused();
        }
        part.place_nodes();
        part
    }

    fn place(&mut self, settings: &Settings) {
        let scale = Vec3(settings.scale);
        let is_scaled = settings.is_direct() && settings.scale != [1.0; 3];
        for point in &mut self.points {
            if is_scaled {
                *point = point.component_mul(scale);
            }
            *point = rotate(settings.pose.quat, *point) + settings.pose.pos;
        }
    }

    /// Nodes at the corners of the box around all points, and halfway between them.
    fn make_nodes(&mut self) {
        if self.nodes_per_axis == 0 {
            return;
        }
        let (mut low, mut high) = ([LARGEST; 3], [-LARGEST; 3]);
        for Vec3(point) in &self.points {
            for ((low, high), coordinate) in low.iter_mut().zip(&mut high).zip(point) {
                *low = low.min(*coordinate);
                *high = high.max(*coordinate);
            }
        }
        let step = 1.0 / (self.nodes_per_axis - 1) as f64;
        let along = |index: usize, low: f64, high: f64| low + index as f64 * step * (high - low);
        let ([x0, y0, z0], [x1, y1, z1]) = (low, high);
        for [i, j, k] in indices(self.nodes_per_axis) {
            let corner = [along(i, x0, x1), along(j, y0, y1), along(k, z0, z1)];
            self.nodes.push(Vec3(corner));
        }
    }

    /// Pinned nodes stand away from the origin of the parent, others at those of their own bodies.
    fn place_nodes(&mut self) {
        if self.is_free || self.is_rigid {
            return;
        }
        for (node, pinned) in self.nodes.iter().zip(&self.pinned) {
            let position = if *pinned { *node } else { Vec3::ZERO };
            self.node_positions.extend(position.0);
        }
    }

    /// Drops points that no element uses, and counts the others anew.
    fn drop_unused(&mut self) {
        let mut is_used = vec![false; self.points.len()];
        for id in &self.elements {
            if let Some(used) = usize::try_from(*id).ok().and_then(|id| is_used.get_mut(id)) {
                *used = true;
            }
        }
        if is_used.iter().all(|used| *used) {
            return;
        }
        let mut new_id = Vec::with_capacity(is_used.len());
        let mut count = 0;
        for used in &is_used {
            new_id.push(count);
            count += i32::from(*used);
        }
        for id in &mut self.elements {
            let new = usize::try_from(*id).ok().and_then(|id| new_id.get(id));
            *id = new.copied().unwrap_or(0);
        }
        let kept: Vec<usize> = (0..is_used.len())
            .filter(|id| is_used.get(*id) == Some(&true))
            .collect();
        self.points = kept
            .iter()
            .filter_map(|id| self.points.get(*id).copied())
            .collect();
        if !self.texcoord.is_empty() {
            let at = |index: usize| self.texcoord.get(index).copied().unwrap_or(0.0);
            let pairs = kept.iter().flat_map(|id| [at(2 * id), at(2 * id + 1)]);
            self.texcoord = pairs.collect();
        }
        // What lies beyond the points are the pins of nodes.
        let nodes = self.nodes.len();
        let mut pinned: Vec<bool> = self.pinned.clone();
        for (new, old) in kept.iter().enumerate() {
            if let (Some(old), Some(slot)) = (self.pinned.get(*old), pinned.get_mut(new)) {
                *slot = *old;
            }
        }
        pinned.truncate(kept.len().max(nodes));
        self.pinned = pinned;
    }

    /// Whether a point has a body of its own.
    pub fn has_body(&self, point: usize) -> bool {
        !self.is_rigid && self.nodes_per_axis == 0 && self.pinned.get(point) == Some(&false)
    }

    /// Number of bodies that are made.
    pub fn moving(&self) -> usize {
        if self.is_rigid {
            return 0;
        }
        let count = if self.nodes_per_axis > 0 {
            self.nodes.len()
        } else {
            self.points.len()
        };
        let own = self.pinned.iter().take(count);
        own.filter(|pinned| !**pinned).count()
    }

    /// Positions of the vertices in their bodies; `None`: all at the origins of their own.
    pub fn vertices(&self) -> Option<Vec<f64>> {
        if self.is_free && self.nodes_per_axis == 0 {
            return None;
        }
        let points = self.points.iter().enumerate();
        let local = points.map(|(id, point)| {
            if self.has_body(id) {
                Vec3::ZERO
            } else {
                *point
            }
        });
        Some(local.flat_map(|point| point.0).collect())
    }
}

/// All triples of indices below a count, the last running fastest.
pub fn indices(count: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..count).flat_map(move |i| (0..count).flat_map(move |j| (0..count).map(move |k| [i, j, k])))
}

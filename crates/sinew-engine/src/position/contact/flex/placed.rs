//! A flex where it stands.

use super::tree::Tree;
use crate::flex::{corners, elements, vertices};
use crate::position::flex::Flex;
use sinew_collision::convex::Convex;
use sinew_collision::pair::{Shape, Triangle};
use sinew_math::Vec3;
use sinew_model::Model;

/// Parts of one flex that contacts are found from. Vertices and elements are counted within the flex.
#[derive(Clone, Copy)]
pub(super) struct PlacedFlex<'a> {
    model: &'a Model,
    pub id: usize,
    /// Positions of the vertices, world.
    pub vertices: &'a [Vec3],
    /// The body of each vertex; −1: it has none of its own.
    pub bodies: &'a [i32],
    /// Centre and half sizes of a box around each element, its layer included.
    pub boxes: &'a [[f64; 6]],
    /// Thickness of the layer around elements.
    pub radius: f64,
    corners: &'a [i32],
    corners_per_element: usize,
    nodes: &'a [[f64; 6]],
}

/// Up to four points.
pub(super) struct Corners {
    points: [Vec3; 4],
    count: usize,
}

impl Corners {
    pub fn as_slice(&self) -> &[Vec3] {
        &self.points[..self.count]
    }
}

impl<'a> PlacedFlex<'a> {
    pub fn new(model: &'a Model, flex: &'a Flex, id: usize) -> Self {
        let (vertices, elements) = (vertices(model, id), elements(model, id));
        PlacedFlex {
            model,
            id,
            vertices: &flex.flexvert_xpos[vertices.clone()],
            bodies: &model.flex_vertbodyid[vertices],
            boxes: &flex.flexelem_aabb[elements],
            radius: model.flex_radius[id],
            corners: corners(model, id),
            corners_per_element: model.flex_dim[id] as usize + 1,
            nodes: &flex.bvh_aabb_dyn,
        }
    }

    /// 1: segments, 2: triangles, 3: tetrahedra.
    pub fn dimension(&self) -> usize {
        self.corners_per_element - 1
    }

    pub fn element_count(&self) -> usize {
        self.boxes.len()
    }

    /// Vertices of an element.
    #[inline]
    pub fn corner_ids(&self, element: usize) -> &'a [i32] {
        let start = element * self.corners_per_element;
        &self.corners[start..start + self.corners_per_element]
    }

    /// Bodies of the vertices of an element.
    #[inline]
    pub fn corner_bodies(&self, element: usize) -> impl Iterator<Item = i32> + Clone {
        let bodies = self.bodies;
        let ids = self.corner_ids(element).iter();
        ids.map(move |vertex| bodies[*vertex as usize])
    }

    /// Where the vertices of an element are.
    #[inline]
    pub fn corners(&self, element: usize) -> Corners {
        let mut points = [Vec3::ZERO; 4];
        let ids = self.corner_ids(element);
        for (point, vertex) in points.iter_mut().zip(ids) {
            *point = self.vertices[*vertex as usize];
        }
        Corners {
            points,
            count: ids.len(),
        }
    }

    /// The middle of the box around an element.
    pub fn centre(&self, element: usize) -> Vec3 {
        let [x, y, z, ..] = self.boxes[element];
        Vec3([x, y, z])
    }

    /// An element as the convex algorithms see it.
    pub fn simplex(&self, element: usize, margin: f64) -> Convex<'a> {
        let corners = self.corners(element);
        Convex::simplex(
            corners.as_slice(),
            self.centre(element),
            self.radius,
            margin,
        )
    }

    /// The capsule that a segment is.
    pub fn capsule(&self, element: usize) -> Shape {
        let [first, second, ..] = self.corners(element).points;
        Shape::capsule_between([first, second], self.radius)
    }

    /// The first three corners of an element.
    pub fn triangle(&self, element: usize) -> Triangle {
        let [first, second, third, _] = self.corners(element).points;
        Triangle {
            corners: [first, second, third],
            radius: self.radius,
        }
    }

    /// Whether an element takes part in contacts: tetrahedra deep inside do not.
    #[doc(alias = "mj_isElemActive")]
    pub fn is_active(&self, element: usize) -> bool {
        let model = self.model;
        let layer = model.flex_elemlayer[model.flex_elemadr[self.id] as usize + element];
        self.dimension() < 3 || layer < model.flex_activelayers[self.id]
    }

    /// The tree over its active elements.
    pub fn tree(&self) -> Option<Tree<'a>> {
        let model = self.model;
        let root = usize::try_from(model.flex_bvhadr[self.id]).ok()?;
        let end = root + model.flex_bvhnum[self.id] as usize;
        Some(Tree {
            children: &model.bvh_child[root..end],
            objects: &model.bvh_nodeid[root..end],
            boxes: &self.nodes[root - model.nbvhstatic..end - model.nbvhstatic],
        })
    }
}

//! What explains: axes, joints, actuators, forces, and other things that are not there. In the reference's order.

mod actuator;
mod body;
mod camera;
mod contact;
mod joint;
mod selection;
mod sensor;
mod tactile;
mod volume;

use super::connector::connector;
use super::{Piece, Scene, Shape, Surface};
use crate::options::{Frames, Labels, Options, shows};
use sinew_engine::Data;
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// All that the options ask for.
pub(super) fn add(scene: &mut Scene, model: &Model, data: &Data, options: &Options) {
    let mut desk = Desk {
        scene,
        model,
        data,
        options,
        size: model.stat.meansize,
    };
    desk.add_geom_frames();
    desk.add_site_frames();
    volume::add(&mut desk);
    tactile::add(&mut desk);
    body::add_inertias(&mut desk);
    selection::add_moves(&mut desk);
    body::add_frames(&mut desk);
    selection::add_mark(&mut desk);
    body::add_names(&mut desk);
    joint::add(&mut desk);
    actuator::add(&mut desk);
    body::add_islands(&mut desk);
    camera::add(&mut desk);
    camera::add_lights(&mut desk);
    body::add_centres(&mut desk);
    body::add_connections(&mut desk);
    sensor::add(&mut desk);
    body::add_forces(&mut desk);
    joint::add_constraints(&mut desk);
    contact::add(&mut desk);
}

/// What all decorations are made from.
struct Desk<'a> {
    scene: &'a mut Scene,
    model: &'a Model,
    data: &'a Data,
    options: &'a Options,
    /// The mean size of the model's bodies, by which decorations are measured.
    size: f64,
}

/// The number of an object that has no type of its own.
fn unknown(id: usize) -> [i32; 2] {
    [id as i32, ObjectType::Unknown.code()]
}

impl Desk<'_> {
    /// A length in mean sizes.
    fn scaled(&self, part: f32) -> f64 {
        self.size * f64::from(part)
    }

    /// Adds a shape.
    fn put(
        &mut self,
        shape: Shape,
        size: [f64; 3],
        (position, axes): (Vec3, Mat3),
        colour: [f32; 4],
        object: [i32; 2],
    ) {
        self.scene.pieces.push(Piece {
            shape,
            size,
            position,
            axes,
            surface: Surface::plain(colour),
            object,
            is_decoration: true,
        });
    }

    /// Adds something between two points.
    fn connect(
        &mut self,
        shape: Shape,
        width: f64,
        ends: (Vec3, Vec3),
        colour: [f32; 4],
        object: [i32; 2],
    ) {
        let piece = connector(shape, width, ends, Surface::plain(colour), object);
        self.scene.pieces.push(Piece {
            is_decoration: true,
            ..piece
        });
    }

    /// Writes the name of an object beside the last piece, if names of its kind are wanted.
    fn name(&mut self, labels: Labels, kind: ObjectType, id: usize) {
        if self.options.labels == Some(labels) {
            self.scene.write_name(self.model, kind, id);
        }
    }

    /// Adds a triangle: its first corner, and its sides as axes that need not be perpendicular.
    fn put_triangle(&mut self, [a, b, c]: [Vec3; 3], colour: [f32; 4], object: [i32; 2]) {
        let (one, other) = (b - a, c - a);
        let normal = one.cross(other);
        let columns = [one, other, normal];
        let units = columns.map(|side| side.normalized().0);
        let axes = Mat3(core::array::from_fn(|k| units[k % 3][k / 3]));
        let lengths = columns.map(|side| side.norm());
        self.put(Shape::Triangle, lengths, (a, axes), colour, object);
    }

    /// Adds a text alone.
    fn put_text(&mut self, pose: (Vec3, Mat3), id: usize) {
        let grey = [0.5, 0.5, 0.5, 1.0];
        self.put(Shape::Text, [0.1; 3], pose, grey, unknown(id));
    }

    /// Adds three axes, red, green and blue, so many times as large as usual.
    fn put_frame(&mut self, id: usize, (position, axes): (Vec3, Mat3), scale: f64) {
        let length = scale * self.scaled(self.model.vis.scale.framelength);
        let width = scale * self.scaled(self.model.vis.scale.framewidth);
        for k in 0..3 {
            let mut colour = [0.0, 0.0, 0.0, 1.0];
            colour[k] = 0.9;
            let ends = (position, position + axes.column(k) * length);
            self.connect(Shape::Cylinder, width, ends, colour, unknown(id));
        }
    }

    /// Whether what belongs to a body is shown: it moves, or statics are.
    fn shows_body(&self, body: i32) -> bool {
        self.options.statics || super::moves(self.model, body)
    }

    fn add_geom_frames(&mut self) {
        if self.options.frames != Some(Frames::Geoms) {
            return;
        }
        let (model, kinematics) = (self.model, &self.data.position.kinematics);
        for i in 0..model.ngeom {
            let is_shown = shows(&self.options.geom_groups, model.geom_group[i])
                && self.shows_body(model.geom_bodyid[i])
                && is_visible(model, model.geom_matid[i], model.geom_rgba[i]);
            if is_shown {
                let pose = (kinematics.geom_xpos[i], kinematics.geom_xmat[i]);
                self.put_frame(i, pose, 1.0);
            }
        }
    }

    fn add_site_frames(&mut self) {
        if self.options.frames != Some(Frames::Sites) {
            return;
        }
        let (model, kinematics) = (self.model, &self.data.position.kinematics);
        for i in 0..model.nsite {
            let is_shown = shows(&self.options.site_groups, model.site_group[i])
                && self.shows_body(model.site_bodyid[i])
                && is_visible(model, model.site_matid[i], model.site_rgba[i]);
            if is_shown {
                let pose = (kinematics.site_xpos[i], kinematics.site_xmat[i]);
                self.put_frame(i, pose, 1.0);
            }
        }
    }
}

/// Whether an object can be seen at all: its material decides, or else its colour.
fn is_visible(model: &Model, material: i32, own: [f32; 4]) -> bool {
    let colour = usize::try_from(material).map_or(own, |material| model.mat_rgba[material]);
    colour[3] != 0.0
}

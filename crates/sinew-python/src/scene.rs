//! What is to be seen as numbers, as the reference lists it: a row of whole numbers and a row of others per piece.

use crate::data::NativeData;
use crate::model::NativeModel;
use crate::query::ask;
use crate::render::{Camera, Flags, Groups, Hand, options, view};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew::math::{Mat3, Vec3};
use sinew::model::Model;
use sinew::model::kinds::{GeomType, ObjectType};
use sinew::render::{Piece, Scene, Shape, Surface, View, moves};

/// Type, id of its data, type and id of its object, category, material, whether it has texture coordinates, number.
type Whole = [i32; 8];
/// Size, position, axes by rows, colour, emission, specular, shininess, reflectance.
type Broken = [f32; 23];

/// What is drawn of the world itself.
const STATIC: i32 = 1;
/// What is drawn of what moves.
const DYNAMIC: i32 = 2;
/// What explains.
const DECORATION: i32 = 4;

/// Whether there are shadows, reflections, sky and haze; fog; edges only; light that is added; outsides only.
pub type Effects = [bool; 8];

/// What a camera sees of a simulation.
#[pyclass(name = "Scene", module = "sinew._native", frozen)]
pub struct NativeScene {
    scene: Scene,
    view: View,
    rows: Vec<(Whole, Broken)>,
}

#[pymethods]
impl NativeScene {
    /// What a camera sees of a simulation, of the given categories.
    #[new]
    fn new(
        model: &Bound<'_, NativeModel>,
        data: &Bound<'_, NativeData>,
        camera: Camera,
        groups: Groups,
        flags: Flags,
        hand: Option<Hand>,
        categories: i32,
    ) -> PyResult<Self> {
        ask(model, data, |model, data| {
            let view = view(model, data, camera)?;
            let mut scene = Scene::new(model, data, &view, &options(groups, flags, hand));
            retain(&mut scene, |piece| category(model, piece) & categories != 0);
            let pieces = scene.pieces.iter().enumerate();
            let rows = pieces.map(|(number, piece)| row(model, piece, number));
            let rows = rows.collect();
            Ok(NativeScene { scene, view, rows })
        })
    }

    /// Whole numbers and others of all pieces, row after row.
    fn rows<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f32>>) {
        let whole = self.rows.iter().flat_map(|row| row.0);
        let broken = self.rows.iter().flat_map(|row| row.1);
        (
            PyArray1::from_iter(py, whole),
            PyArray1::from_iter(py, broken),
        )
    }

    /// What is written beside pieces: their numbers and the texts.
    fn texts(&self) -> Vec<(usize, String)> {
        let texts = self.scene.texts.iter();
        texts.map(|text| (text.piece, text.text.clone())).collect()
    }

    /// The eye: position, forward, up; half width (0: as the picture asks for), centre, bottom, top, near, far at the
    /// near plane; whether it is orthographic.
    fn eye(&self) -> ([[f64; 3]; 3], [f64; 6], bool) {
        let (view, frustum) = (&self.view, &self.view.frustum);
        let [left, right] = frustum.horizontal.unwrap_or_default();
        let [bottom, top] = frustum.vertical;
        let width = 0.5 * (right - left);
        let centre = 0.5 * (right + left);
        (
            [view.position.0, view.forward.0, view.up.0],
            [width, centre, bottom, top, frustum.near, frustum.far],
            frustum.is_orthographic,
        )
    }
}

impl NativeScene {
    /// The scene with the pieces that rows tell, which may have been changed. Where only objects are asked for, pieces
    /// without a number are left out. The objects of the pieces are their numbers.
    pub fn with_rows(
        &self,
        whole: &PyReadonlyArray1<'_, i32>,
        broken: &PyReadonlyArray1<'_, f32>,
        effects: Effects,
        is_for_objects: bool,
    ) -> PyResult<(Scene, View)> {
        let (whole, broken) = (whole.as_slice()?, broken.as_slice()?);
        let (whole, rest) = whole.as_chunks::<8>();
        let (broken, other) = broken.as_chunks::<23>();
        if whole.len() != broken.len() || !rest.is_empty() || !other.is_empty() {
            return Err(PyValueError::new_err("rows of a scene do not fit"));
        }
        let mut scene = self.scene.clone();
        scene.pieces.clear();
        for (number, (whole, broken)) in whole.iter().zip(broken).enumerate() {
            if is_for_objects && whole[7] < 0 {
                continue;
            }
            let listed = self.rows.get(number).zip(self.scene.pieces.get(number));
            let piece = match listed {
                Some(((own, numbers), piece)) if own == whole && same(numbers, broken) => {
                    Some(*piece)
                }
                Some(((own, _), piece)) if own[..2] == whole[..2] && is_soft(piece) => {
                    Some(Piece {
                        surface: surface(whole, broken),
                        ..*piece
                    })
                }
                _ => piece(whole, broken),
            };
            if let Some(mut piece) = piece {
                piece.object = [whole[7], whole[2]];
                if !effects[1] {
                    piece.surface.reflectance = 0.0;
                }
                scene.pieces.push(piece);
            }
        }
        if !effects[0] {
            for light in &mut scene.lights {
                light.casts_shadow = false;
            }
        }
        let [_, _, sky, haze, fog, wireframe, additive, outsides] = effects;
        scene.effects = sinew::render::Effects {
            sky,
            haze,
            fog,
            wireframe,
            additive,
            outsides,
        };
        Ok((scene, self.view))
    }
}

/// Whether numbers are the same, also where they are none.
fn same(one: &Broken, other: &Broken) -> bool {
    one.iter()
        .zip(other)
        .all(|(a, b)| a.to_bits() == b.to_bits())
}

fn is_soft(piece: &Piece) -> bool {
    matches!(piece.shape, Shape::Soft(_))
}

/// Keeps some pieces, and what is written beside them.
fn retain(scene: &mut Scene, is_kept: impl Fn(&Piece) -> bool) {
    let mut kept = 0;
    let numbers: Vec<Option<usize>> = scene
        .pieces
        .iter()
        .map(|piece| {
            is_kept(piece).then(|| {
                kept += 1;
                kept - 1
            })
        })
        .collect();
    scene.texts.retain_mut(|text| {
        let number = numbers.get(text.piece).copied().flatten();
        text.piece = number.unwrap_or(0);
        number.is_some()
    });
    scene.pieces.retain(is_kept);
}

/// Whether a geom of a scene brings places in its texture along.
fn has_places(model: &Model, piece: &Piece) -> bool {
    let id = piece.object[0].max(0) as usize;
    match piece.shape {
        Shape::Soft(_) if piece.object[1] == ObjectType::Skin.code() => {
            model.skin_texcoordadr[id] >= 0
        }
        Shape::Soft(_) => model.flex_texcoordadr[id] >= 0,
        Shape::Mesh(mesh) | Shape::Hull(mesh) => model.mesh_texcoordadr[mesh] >= 0,
        _ => false,
    }
}

/// What a piece belongs to.
fn category(model: &Model, piece: &Piece) -> i32 {
    let [id, kind] = piece.object;
    let of_body = |body: i32| if moves(model, body) { DYNAMIC } else { STATIC };
    match ObjectType::from_code(kind) {
        _ if piece.is_decoration => DECORATION,
        Some(ObjectType::Geom) => of_body(model.geom_bodyid[id as usize]),
        Some(ObjectType::Site) => of_body(model.site_bodyid[id as usize]),
        _ => DYNAMIC,
    }
}

/// A piece as numbers.
fn row(model: &Model, piece: &Piece, number: usize) -> (Whole, Broken) {
    let [id, kind] = piece.object;
    // Simple shapes may be fitted to a mesh.
    let fitted = match kind == ObjectType::Geom.code() {
        true => model.geom_dataid[id.max(0) as usize],
        false => -1,
    };
    let (form, data) = match piece.shape {
        Shape::Plane => (GeomType::Plane, planes_before(model, piece)),
        Shape::Ellipsoid if piece.size[1..] == piece.size[..2] => (GeomType::Sphere, fitted),
        Shape::Ellipsoid => (GeomType::Ellipsoid, fitted),
        Shape::Capsule => (GeomType::Capsule, fitted),
        Shape::Cylinder => (GeomType::Cylinder, fitted),
        Shape::Box => (GeomType::Box, fitted),
        // Odd numbers are the hulls of meshes.
        Shape::Mesh(id) => (GeomType::Mesh, 2 * id as i32),
        Shape::Hull(id) => (GeomType::Mesh, 2 * id as i32 + 1),
        Shape::HeightField(id) => (GeomType::Hfield, id as i32),
        Shape::Arrow => (GeomType::Arrow, -1),
        Shape::Pointer => (GeomType::Arrow1, -1),
        Shape::DoubleArrow => (GeomType::Arrow2, -1),
        Shape::Line => (GeomType::Line, -1),
        Shape::Triangle => (GeomType::Triangle, -1),
        Shape::LineBox => (GeomType::Linebox, -1),
        Shape::Text => (GeomType::Label, -1),
        Shape::Soft(_) if kind == ObjectType::Skin.code() => (GeomType::Skin, -1),
        Shape::Soft(_) => (GeomType::Flex, -1),
    };
    let surface = &piece.surface;
    let material = surface.material.map_or(-1, |id| id as i32);
    let whole = [
        form.code(),
        data,
        kind,
        id,
        category(model, piece),
        material,
        i32::from(has_places(model, piece)),
        number as i32,
    ];
    let mut broken = [0.0; 23];
    let axes = (0..3).flat_map(|k| piece.axes.row(k).0);
    let geometry = piece.size.into_iter().chain(piece.position.0).chain(axes);
    for (target, value) in broken.iter_mut().zip(geometry) {
        *target = value as f32;
    }
    broken[15..19].copy_from_slice(&surface.colour);
    broken[19] = surface.emission;
    broken[20] = surface.specular;
    broken[21] = surface.shininess;
    broken[22] = surface.reflectance;
    (whole, broken)
}

/// How many planes the model has before the one of a piece; −1 if it is no geom's.
fn planes_before(model: &Model, piece: &Piece) -> i32 {
    let [id, kind] = piece.object;
    if kind != ObjectType::Geom.code() {
        return -1;
    }
    let plane = GeomType::Plane.code();
    let before = model.geom_type.iter().take(id.max(0) as usize);
    before.filter(|&&kind| kind == plane).count() as i32
}

/// A piece of numbers; none if nothing is drawn for them.
fn piece(whole: &Whole, broken: &Broken) -> Option<Piece> {
    let number = |k: usize| f64::from(broken[k]);
    let position = Vec3([number(3), number(4), number(5)]);
    let axes = Mat3(core::array::from_fn(|k| number(6 + k)));
    let size = [number(0), number(1), number(2)];
    let data = usize::try_from(whole[1]).ok();
    let shape = match GeomType::from_code(whole[0])? {
        GeomType::Plane => Shape::Plane,
        GeomType::Sphere | GeomType::Ellipsoid => Shape::Ellipsoid,
        GeomType::Capsule => Shape::Capsule,
        GeomType::Cylinder => Shape::Cylinder,
        GeomType::Box => Shape::Box,
        GeomType::Mesh | GeomType::Sdf if data? % 2 == 1 => Shape::Hull(data? / 2),
        GeomType::Mesh | GeomType::Sdf => Shape::Mesh(data? / 2),
        GeomType::Hfield => Shape::HeightField(data?),
        GeomType::Arrow => Shape::Arrow,
        GeomType::Arrow1 => Shape::Pointer,
        GeomType::Arrow2 => Shape::DoubleArrow,
        GeomType::Line => Shape::Line,
        GeomType::Triangle => Shape::Triangle,
        GeomType::Linebox => Shape::LineBox,
        GeomType::Label => Shape::Text,
        _ => return None,
    };
    Some(Piece {
        shape,
        size,
        position,
        axes,
        surface: surface(whole, broken),
        object: [whole[3], whole[2]],
        is_decoration: whole[4] == DECORATION,
    })
}

fn surface(whole: &Whole, broken: &Broken) -> Surface {
    Surface {
        colour: core::array::from_fn(|k| broken[15 + k]),
        emission: broken[19],
        specular: broken[20],
        shininess: broken[21],
        reflectance: broken[22],
        material: usize::try_from(whole[5]).ok(),
    }
}

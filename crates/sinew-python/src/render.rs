//! Pictures of a simulation.

use crate::failure;
use crate::model::NativeModel;
use crate::room;
use crate::scene::{Effects, NativeScene};
use crate::structure::Extent;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::engine::Data;
use sinew::math::{Quat, Vec3};
use sinew::model::Model;
use sinew::render::{
    FlexParts, Frames, Labels, Options, RenderError, Renderer, Scene, Selection, View,
};
use std::sync::{Mutex, PoisonError};

/// Kind (as `mjtCamera`), id of a camera or body, point looked at, distance, azimuth, elevation.
pub type Camera = (i32, i64, [f64; 3], f64, f64, f64);

/// Groups of geoms, sites, joints, tendons, actuators, flexes and skins.
pub type Groups = [[u8; 6]; 7];

/// What is shown, in the order that [`options`] takes them in; whose axes (as `mjtFrame`), what is written (as `mjtLabel`), depth of
/// bounding volumes, layer of flexes, flex and skin that are selected.
pub type Flags = ([bool; 28], [i32; 6]);

/// A selected body, the point in its frame, where that is pulled to and how the body is turned; what each of two hands does
/// (bits of `mjtPertBit`); whether the point is marked, and whether the rest is shown.
pub type Hand = (usize, [f64; 3], [f64; 3], [f64; 4], [i32; 2], [bool; 2]);

/// A renderer of one model, with the last scene it was given.
#[pyclass(name = "Renderer", module = "sinew._native", frozen)]
pub struct NativeRenderer {
    state: Mutex<State>,
}

struct State {
    renderer: Renderer,
    seen: Option<(Scene, View)>,
}

#[pymethods]
impl NativeRenderer {
    /// A renderer of a model as it is now.
    #[new]
    fn new(model: &Bound<'_, NativeModel>) -> PyResult<Self> {
        let model = model.get().checked(Extent::Rays)?;
        room::check(model.byte_size(), "what a picture needs of a model")?;
        let renderer = failure::guard(|| Renderer::new(&model))?.map_err(refused)?;
        Ok(NativeRenderer {
            state: Mutex::new(State {
                renderer,
                seen: None,
            }),
        })
    }

    /// Takes in a scene, with the pieces that rows tell.
    fn take(
        &self,
        scene: &Bound<'_, NativeScene>,
        whole: PyReadonlyArray1<'_, i32>,
        broken: PyReadonlyArray1<'_, f32>,
        effects: Effects,
        is_for_objects: bool,
    ) -> PyResult<()> {
        let seen = scene
            .get()
            .with_rows(&whole, &broken, effects, is_for_objects)?;
        self.lock().seen = Some(seen);
        Ok(())
    }

    /// Bytes of red, green and blue, rows from the top.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let image = self.draw(py, |renderer, scene, view| {
            renderer.draw(scene, view, width, height)
        })?;
        Ok(PyBytes::new(py, &image.pixels))
    }

    /// Distances as bytes of single precision, rows from the top; at the middles of pixels, or at their first samples.
    #[pyo3(signature = (width, height, is_sampled = false))]
    fn depth<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        height: usize,
        is_sampled: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let depth = self.draw(py, |renderer, scene, view| {
            if is_sampled {
                renderer.sampled_depth(scene, view, width, height)
            } else {
                renderer.depth(scene, view, width, height)
            }
        })?;
        let bytes: Vec<u8> = depth.metres.iter().flat_map(|x| x.to_ne_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// Numbers of pieces and types of their objects as bytes of 32-bit integers, rows from the top.
    fn segmentation<'py>(
        &self,
        py: Python<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let seen = self.draw(py, |renderer, scene, view| {
            renderer.segment(scene, view, width, height)
        })?;
        let codes = seen.objects.iter().flatten();
        let bytes: Vec<u8> = codes.flat_map(|code| code.to_ne_bytes()).collect();
        Ok(PyBytes::new(py, &bytes))
    }
}

impl NativeRenderer {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Renderer, &Scene, &View) -> Result<T, RenderError> + Send,
    ) -> PyResult<T> {
        let drawn = py.detach(|| {
            let state = &mut *self.lock();
            let State { renderer, seen } = state;
            let (scene, view) = seen.as_ref()?;
            Some(failure::guard(|| work(renderer, scene, view)))
        });
        let drawn = drawn.ok_or_else(|| PyValueError::new_err("update_scene comes first"))?;
        drawn?.map_err(refused)
    }
}

pub fn refused(error: RenderError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// What a camera sees.
pub fn view(model: &Model, data: &Data, camera: Camera) -> PyResult<View> {
    const FIXED: i32 = 2;
    const TRACKING: i32 = 1;
    let (kind, id, point, distance, azimuth, elevation) = camera;
    let wrong = || PyValueError::new_err("the camera looks at nothing that exists");
    if kind == FIXED {
        let camera = usize::try_from(id).ok();
        return camera
            .and_then(|camera| View::of_camera(model, data, camera))
            .ok_or_else(wrong);
    }
    let point = if kind == TRACKING {
        let body = usize::try_from(id).map_err(|_| wrong())?;
        let centres = &data.position.com.subtree_com;
        *centres.get(body).ok_or_else(wrong)?
    } else {
        Vec3(point)
    };
    Ok(View::around(model, point, distance, azimuth, elevation))
}

pub fn options(groups: Groups, (flags, numbers): Flags, hand: Option<Hand>) -> Options {
    let [
        frames,
        labels,
        volume_depth,
        layer,
        selected_flex,
        selected_skin,
    ] = numbers;
    let [geoms, sites, joints, tendons, actuators, flexes, skins] =
        groups.map(|group| group.map(|is_shown| is_shown != 0));
    let frames = match frames {
        1 => Some(Frames::Bodies),
        2 => Some(Frames::Geoms),
        3 => Some(Frames::Sites),
        4 => Some(Frames::Cameras),
        5 => Some(Frames::Lights),
        6 => Some(Frames::Contacts),
        7 => Some(Frames::World),
        _ => None,
    };
    Options {
        geom_groups: geoms,
        site_groups: sites,
        joint_groups: joints,
        tendon_groups: tendons,
        actuator_groups: actuators,
        flex_groups: flexes,
        skin_groups: skins,
        textures: flags[0],
        joints: flags[1],
        cameras: flags[2],
        actuators: flags[3],
        activations: flags[4],
        lights: flags[5],
        tendons: flags[6],
        rangefinders: flags[7],
        constraints: flags[8],
        inertias: flags[9],
        scaled_inertias: flags[10],
        applied_forces: flags[11],
        contact_points: flags[12],
        contact_forces: flags[13],
        split_forces: flags[14],
        translucent: flags[15],
        connections: flags[16],
        centres_of_mass: flags[17],
        statics: flags[18],
        skins: flags[19],
        convex_hulls: flags[20],
        islands: flags[21],
        flexes: FlexParts {
            vertices: flags[22],
            edges: flags[23],
            faces: flags[24],
            skin: flags[25],
            layer,
        },
        body_volumes: flags[26],
        mesh_volumes: flags[27],
        volume_depth,
        selected_flex: usize::try_from(selected_flex).ok(),
        selected_skin: usize::try_from(selected_skin).ok(),
        labels: labels_of(labels),
        frames,
        selection: hand.map(selection),
    }
}

/// What is written, by its code.
fn labels_of(code: i32) -> Option<Labels> {
    const ALL: [Labels; 16] = [
        Labels::Bodies,
        Labels::Joints,
        Labels::Geoms,
        Labels::Sites,
        Labels::Cameras,
        Labels::Lights,
        Labels::Tendons,
        Labels::Actuators,
        Labels::Constraints,
        Labels::Flexes,
        Labels::Skins,
        Labels::Selection,
        Labels::SelectedPoint,
        Labels::ContactPoints,
        Labels::ContactForces,
        Labels::Islands,
    ];
    let number = usize::try_from(code).ok()?.checked_sub(1)?;
    ALL.get(number).copied()
}

fn selection((body, point, target, turned, hands, [is_marked, is_explained]): Hand) -> Selection {
    const PULL: i32 = 1;
    const TURN: i32 = 2;
    Selection {
        body,
        point: Vec3(point),
        target: (Vec3(target), Quat(turned)),
        is_pulled: hands.map(|hand| hand & PULL != 0),
        is_turned: hands.map(|hand| hand & TURN != 0),
        is_marked,
        is_explained,
    }
}

//! Assets and flexes.

use super::Writer;
use crate::edit::draft::Draft;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use crate::edit::value::Value;
use crate::loader::Loader;
use crate::place::{At, Place};
use crate::spec::asset::{Bone, HeightField, Layer, Material, Mesh, Skin, Texture};
use crate::spec::element::Element;
use crate::spec::extra::Flex;
use crate::spec::tree::FlexEdge;
use sinew_model::kinds::TextureRole;

/// The attributes for the sides of a cube, in the order of `cubefiles`.
pub(in crate::edit) const CUBE_FILES: [&str; 6] = [
    "fileright",
    "fileleft",
    "fileup",
    "filedown",
    "filefront",
    "fileback",
];

/// Content type of pictures without compression: width, height, then the pixels.
const RAW_PICTURE: &str = "image/vnd.mujoco.texture";

/// The name under which the pixels of a texture are found.
fn buffer_name(id: Id) -> String {
    format!("texture-{}.pixels", id.index())
}

/// Adds the pixels that textures hold to what is loaded from memory.
pub(super) fn with_buffers(draft: &Draft, mut loader: Loader) -> Loader {
    for id in draft.list(0, Kind::Texture) {
        let Ok(record) = draft.record(id) else {
            continue;
        };
        if let Some(Value::Bytes(pixels)) = record.value("data")
            && !pixels.is_empty()
        {
            let mut bytes = Vec::with_capacity(pixels.len().saturating_add(8));
            for field in ["width", "height"] {
                let number = i32::try_from(record.integer(field)).unwrap_or_default();
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(pixels);
            loader = loader.asset(&buffer_name(id), bytes);
        }
    }
    loader
}

impl Writer<'_> {
    pub(super) fn mesh(&mut self, id: Id, record: &Record) -> Mesh {
        let place = self.place(id, record);
        let mut mesh = Mesh {
            table: self.table(id, record),
            plugins: self.plugin(record, place).into_iter().collect(),
        };
        mesh.table.class = self.class_name(record, place);
        mesh
    }

    /// Elevations are kept from the bottom row up and written from the top row down.
    pub(super) fn hfield(&mut self, id: Id, record: &Record) -> HeightField {
        let place = self.place(id, record);
        let mut hfield: HeightField = self.table(id, record);
        if let Some(Value::Floats(data)) = record.value("userdata")
            && !data.is_empty()
        {
            let data = data.to_vec();
            let rows = usize::try_from(record.integer("nrow")).unwrap_or(0);
            let columns = usize::try_from(record.integer("ncol")).unwrap_or(0);
            if record.text("file").is_empty() && rows.checked_mul(columns) != Some(data.len()) {
                let message = "elevation data length must match nrow*ncol".to_string();
                self.problem(place, "userdata", message);
            }
            hfield.elevation = Some(At::new(rows_reversed(&data, columns), place));
        }
        hfield
    }

    pub(super) fn texture(&mut self, id: Id, record: &Record) -> Texture {
        let place = self.place(id, record);
        let mut texture: Texture = self.table(id, record);
        for (attribute, file) in CUBE_FILES.iter().zip(record.texts("cubefiles")) {
            if !file.is_empty() {
                let _ = texture.set(attribute, file, place);
            }
        }
        let has_pixels =
            matches!(record.value("data"), Some(Value::Bytes(bytes)) if !bytes.is_empty());
        if has_pixels {
            texture.file = Some(At::new(buffer_name(id), place));
            texture.content_type = Some(At::new(RAW_PICTURE.to_string(), place));
        }
        texture
    }

    pub(super) fn material(&mut self, id: Id, record: &Record) -> Material {
        let place = self.place(id, record);
        let mut material = Material {
            table: self.table(id, record),
            layers: Vec::new(),
        };
        material.table.class = self.class_name(record, place);
        let mut used = Vec::new();
        for (code, texture) in record.texts("textures").iter().enumerate() {
            let role = i32::try_from(code).ok().and_then(TextureRole::from_code);
            if let (Some(role), false) = (role, texture.is_empty()) {
                used.push((role, texture));
            }
        }
        let is_role = |role: TextureRole| role.code() == TextureRole::Rgb.code();
        match used.as_slice() {
            [(role, texture)] if is_role(*role) => {
                material.table.texture = Some(At::new((*texture).clone(), place));
            }
            _ => {
                material.layers = used
                    .into_iter()
                    .map(|(role, texture)| Layer {
                        place,
                        texture: Some(At::new(texture.clone(), place)),
                        role: Some(At::new(role, place)),
                    })
                    .collect();
            }
        }
        material
    }

    pub(super) fn skin(&mut self, id: Id, record: &Record) -> Skin {
        let place = self.place(id, record);
        Skin {
            table: self.table(id, record),
            bones: bones(record, place),
        }
    }

    pub(super) fn flex(&mut self, id: Id, record: &Record) -> Flex {
        let place = self.place(id, record);
        let mut edge = FlexEdge::placed(place);
        for (field, attribute) in [("edgestiffness", "stiffness"), ("edgedamping", "damping")] {
            let number = record.real(field);
            if number != 0.0 {
                let _ = edge.set(attribute, &number.to_string(), place);
            }
        }
        let mut flex = Flex {
            table: self.table(id, record),
            contact: Some(self.table(id, record)),
            edge: Some(edge),
            elasticity: Some(self.table(id, record)),
            node_positions: record.reals("node"),
        };
        // The dimension counts even where it is the built-in one.
        let dim = i32::try_from(record.integer("dim")).unwrap_or(2);
        flex.table.dim = Some(At::new(dim, place));
        flex
    }
}

fn bones(record: &Record, place: Place) -> Vec<Bone> {
    let (Some(Value::Floats(positions)), Some(Value::Floats(quats))) =
        (record.value("bindpos"), record.value("bindquat"))
    else {
        return Vec::new();
    };
    let (Some(Value::IntegerLists(ids)), Some(Value::FloatLists(weights))) =
        (record.value("vertid"), record.value("vertweight"))
    else {
        return Vec::new();
    };
    let (positions, quats) = (positions.to_vec(), quats.to_vec());
    let bodies = record.texts("bodyname").iter();
    let poses = positions.chunks(3).zip(quats.chunks(4));
    let vertices = ids.iter().zip(weights);
    bodies
        .zip(poses.zip(vertices))
        .map(|(body, ((position, quat), (ids, weights)))| Bone {
            place,
            body: Some(At::new(body.clone(), place)),
            bindpos: position
                .try_into()
                .ok()
                .map(|position| At::new(position, place)),
            bindquat: quat.try_into().ok().map(|quat| At::new(quat, place)),
            vertid: Some(At::new(ids.clone(), place)),
            vertweight: Some(At::new(weights.clone(), place)),
        })
        .collect()
}

/// Rows of a grid from the last to the first.
pub(in crate::edit) fn rows_reversed(data: &[f32], columns: usize) -> Vec<f32> {
    let rows = data.chunks(columns.max(1)).rev();
    rows.flatten().copied().collect()
}

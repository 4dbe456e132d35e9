//! Tables of the assets.

use super::tree::Plugin;
use sinew_model::kinds;

crate::element! {
    /// `mesh`, also inside `default`
    pub struct MeshTable {
        name: String = "name",
        class: String = "class",
        content_type: String = "content_type",
        file: String = "file",
        vertex: Vec<f32> = "vertex",
        normal: Vec<f32> = "normal",
        texcoord: Vec<f32> = "texcoord",
        face: Vec<i32> = "face",
        refpos: [f64; 3] = "refpos",
        refquat: [f64; 4] = "refquat",
        scale: [f64; 3] = "scale",
        smoothnormal: bool = "smoothnormal",
        maxhullvert: i32 = "maxhullvert",
        inertia: kinds::MeshInertia = "inertia",
        builtin: kinds::MeshBuiltin = "builtin",
        params: Vec<f64> = "params",
        material: String = "material",
    }

    /// `hfield`
    pub struct HeightField {
        name: String = "name",
        content_type: String = "content_type",
        file: String = "file",
        nrow: i32 = "nrow",
        ncol: i32 = "ncol",
        size: [f64; 4] = "size",
        elevation: Vec<f32> = "elevation",
    }

    /// `texture`
    pub struct Texture {
        name: String = "name",
        kind: kinds::TextureType = "type",
        colorspace: kinds::ColorSpace = "colorspace",
        content_type: String = "content_type",
        file: String = "file",
        gridsize: [i32; 2] = "gridsize",
        gridlayout: String = "gridlayout",
        fileright: String = "fileright",
        fileleft: String = "fileleft",
        fileup: String = "fileup",
        filedown: String = "filedown",
        filefront: String = "filefront",
        fileback: String = "fileback",
        builtin: kinds::TextureBuiltin = "builtin",
        rgb1: [f64; 3] = "rgb1",
        rgb2: [f64; 3] = "rgb2",
        mark: kinds::TextureMark = "mark",
        markrgb: [f64; 3] = "markrgb",
        random: f64 = "random",
        width: i32 = "width",
        height: i32 = "height",
        hflip: bool = "hflip",
        vflip: bool = "vflip",
        nchannel: i32 = "nchannel",
    }

    /// `material`, also inside `default`
    pub struct MaterialTable {
        name: String = "name",
        class: String = "class",
        texture: String = "texture",
        texrepeat: [f32; 2] = "texrepeat",
        texuniform: bool = "texuniform",
        emission: f32 = "emission",
        specular: f32 = "specular",
        shininess: f32 = "shininess",
        reflectance: f32 = "reflectance",
        metallic: f32 = "metallic",
        roughness: f32 = "roughness",
        rgba: [f32; 4] = "rgba",
    }

    /// `material/layer`
    pub struct Layer {
        texture: String = "texture",
        role: kinds::TextureRole = "role",
    }

    /// `skin`, without its bones
    pub struct SkinTable {
        name: String = "name",
        file: String = "file",
        material: String = "material",
        rgba: [f32; 4] = "rgba",
        inflate: f32 = "inflate",
        vertex: Vec<f32> = "vertex",
        texcoord: Vec<f32> = "texcoord",
        face: Vec<i32> = "face",
        group: i32 = "group",
    }

    /// `skin/bone`
    pub struct Bone {
        body: String = "body",
        bindpos: [f32; 3] = "bindpos",
        bindquat: [f32; 4] = "bindquat",
        vertid: Vec<i32> = "vertid",
        vertweight: Vec<f32> = "vertweight",
    }

    /// `model`: a sub-model for attach
    pub struct ModelAsset {
        name: String = "name",
        file: String = "file",
        content_type: String = "content_type",
    }
}

/// `mesh` with its plugins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The attributes.
    pub table: MeshTable,
    /// Signed-distance plugins.
    pub plugins: Vec<Plugin>,
}

/// `material` with its layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// The attributes.
    pub table: MaterialTable,
    /// Texture layers.
    pub layers: Vec<Layer>,
}

/// `skin` with its bones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skin {
    /// The attributes.
    pub table: SkinTable,
    /// The bones.
    pub bones: Vec<Bone>,
}

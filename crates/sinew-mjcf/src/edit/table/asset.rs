//! Assets and flexes.

use super::super::field::*;
use super::PLUGIN_REFERENCE;
use crate::spec::value::Elastic2d;
use sinew_model::kinds;

/// `MjsFlex`
pub const FLEX: &[Field] = &[
    integer("activelayers", "activelayers", 1),
    integer("conaffinity", "conaffinity", 1),
    integer("condim", "condim", 3),
    integer("contype", "contype", 1),
    real("damping", "damping", 0.0),
    integer("dim", "dim", 2),
    real("edgedamping", "", 0.0),
    real("edgestiffness", "", 0.0),
    code("elastic2d", "elastic2d", 0, words!(Elastic2d)),
    integer_list("elem", "element"),
    integer_list("elemtexcoord", "elemtexcoord"),
    flag("flatskin", "flatskin", false),
    reals("friction", "friction", &[1.0, 0.005, 0.0001]),
    real("gap", "gap", 0.0),
    integer("group", "group", 0),
    text("info", "", ""),
    flag("internal", "internal", false),
    real("margin", "margin", 0.0),
    text("material", "material", ""),
    real_list("node", ""),
    texts("nodebody", "node", 0),
    code("passive", "passive", 0, words!(bool)),
    real("poisson", "poisson", 0.0),
    integer("priority", "priority", 0),
    real("radius", "radius", 0.005),
    floats("rgba", "rgba", &[0.5, 0.5, 0.5, 1.0]),
    code("selfcollide", "selfcollide", 4, words!(kinds::FlexSelf)),
    text("sinew_bending", "sinew_bending", ""),
    text("sinew_elasticity", "sinew_elasticity", ""),
    reals("size", "", &[0.0, 0.0, 0.0]),
    reals("solimp", "solimp", &[0.9, 0.95, 0.001, 0.5, 2.0]),
    real("solmix", "solmix", 1.0),
    reals("solref", "solref", &[0.02, 1.0]),
    float_list("texcoord", "texcoord"),
    real("thickness", "thickness", -1.0),
    real_list("vert", "vertex"),
    texts("vertbody", "body", 0),
    code("vertcollide", "vertcollide", 0, words!(bool)),
    real("young", "young", 0.0),
];

/// `MjsMesh`
pub const MESH: &[Field] = &[
    text("content_type", "content_type", ""),
    text("file", "file", ""),
    code("builtin", "builtin", 0, words!(kinds::MeshBuiltin)),
    real_list("params", "params"),
    code("inertia", "inertia", 2, words!(kinds::MeshInertia)),
    text("info", "", ""),
    text("material", "material", ""),
    integer("maxhullvert", "maxhullvert", -1),
    flag("needsdf", "", false),
    group("plugin", PLUGIN_REFERENCE),
    reals("refpos", "refpos", &[0.0, 0.0, 0.0]),
    reals("refquat", "refquat", &[1.0, 0.0, 0.0, 0.0]),
    reals("scale", "scale", &[1.0, 1.0, 1.0]),
    flag("smoothnormal", "smoothnormal", false),
    integer_list("userface", "face"),
    integer_list("userfacenormal", ""),
    integer_list("userfacetexcoord", ""),
    float_list("usernormal", "normal"),
    float_list("usertexcoord", "texcoord"),
    float_list("uservert", "vertex"),
];

/// `MjsHField`
pub const HFIELD: &[Field] = &[
    text("content_type", "content_type", ""),
    text("file", "file", ""),
    text("info", "", ""),
    integer("ncol", "ncol", 0),
    integer("nrow", "nrow", 0),
    reals("size", "size", &[0.0, 0.0, 0.0, 0.0]),
    float_list("userdata", ""),
];

/// `MjsSkin`
pub const SKIN: &[Field] = &[
    float_list("bindpos", ""),
    float_list("bindquat", ""),
    texts("bodyname", "", 0),
    integer_list("face", "face"),
    text("file", "file", ""),
    integer("group", "group", 0),
    float("inflate", "inflate", 0.0),
    text("info", "", ""),
    text("material", "material", ""),
    floats("rgba", "rgba", &[0.5, 0.5, 0.5, 1.0]),
    float_list("texcoord", "texcoord"),
    float_list("vert", "vertex"),
    own("vertid", FieldKind::IntegerLists),
    own("vertweight", FieldKind::FloatLists),
];

/// `MjsTexture`
pub const TEXTURE: &[Field] = &[
    code("builtin", "builtin", 0, words!(kinds::TextureBuiltin)),
    code("colorspace", "colorspace", 0, words!(kinds::ColorSpace)),
    text("content_type", "content_type", ""),
    texts("cubefiles", "", 6),
    own("data", FieldKind::Bytes),
    text("file", "file", ""),
    letters("gridlayout", "gridlayout", "............"),
    integers("gridsize", "gridsize", &[1, 1]),
    integer("height", "height", 0),
    flag("hflip", "hflip", false),
    text("info", "", ""),
    code("mark", "mark", 0, words!(kinds::TextureMark)),
    reals("markrgb", "markrgb", &[0.0, 0.0, 0.0]),
    integer("nchannel", "nchannel", 3),
    real("random", "random", 0.01),
    reals("rgb1", "rgb1", &[0.8, 0.8, 0.8]),
    reals("rgb2", "rgb2", &[0.5, 0.5, 0.5]),
    code("type", "type", 1, words!(kinds::TextureType)),
    flag("vflip", "vflip", false),
    integer("width", "width", 0),
];

/// `MjsMaterial`
pub const MATERIAL: &[Field] = &[
    float("emission", "emission", 0.0),
    text("info", "", ""),
    float("metallic", "metallic", -1.0),
    float("reflectance", "reflectance", 0.0),
    floats("rgba", "rgba", &[1.0, 1.0, 1.0, 1.0]),
    float("roughness", "roughness", -1.0),
    float("shininess", "shininess", 0.5),
    float("specular", "specular", 0.5),
    floats("texrepeat", "texrepeat", &[1.0, 1.0]),
    texts("textures", "", 10),
    flag("texuniform", "texuniform", false),
];

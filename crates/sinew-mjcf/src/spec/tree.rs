//! Tables of the elements that stand in the kinematic tree, and the tree itself.

use super::value::*;
use sinew_model::kinds;

crate::element! {
    /// `body`, without its children
    pub struct BodyTable {
        name: String = "name",
        childclass: String = "childclass",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        mocap: bool = "mocap",
        gravcomp: f64 = "gravcomp",
        sleep: kinds::SleepPolicy = "sleep",
        user: Vec<f64> = "user",
    }

    /// `frame`, without its children
    pub struct FrameTable {
        name: String = "name",
        childclass: String = "childclass",
        class: String = "class",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
    }

    /// `replicate`, without its children
    pub struct ReplicateTable {
        count: i32 = "count",
        sep: String = "sep",
        offset: [f64; 3] = "offset",
        euler: [f64; 3] = "euler",
        childclass: String = "childclass",
    }

    /// `attach`
    pub struct Attach {
        model: String = "model",
        body: String = "body",
        prefix: String = "prefix",
    }

    /// `inertial`
    pub struct Inertial {
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        mass: f64 = "mass",
        diaginertia: [f64; 3] = "diaginertia",
        fullinertia: [f64; 6] = "fullinertia",
    }

    /// `joint`, also inside `default`
    pub struct Joint {
        name: String = "name",
        class: String = "class",
        kind: kinds::JointType = "type",
        group: i32 = "group",
        pos: [f64; 3] = "pos",
        axis: [f64; 3] = "axis",
        springdamper: [f64; 2] = "springdamper",
        limited: Tristate = "limited",
        actuatorfrclimited: Tristate = "actuatorfrclimited",
        solreflimit: Prefix<2> = "solreflimit",
        solimplimit: Prefix<5> = "solimplimit",
        solreffriction: Prefix<2> = "solreffriction",
        solimpfriction: Prefix<5> = "solimpfriction",
        stiffness: f64 = "stiffness",
        range: [f64; 2] = "range",
        actuatorfrcrange: [f64; 2] = "actuatorfrcrange",
        actuatorgravcomp: bool = "actuatorgravcomp",
        margin: f64 = "margin",
        reference: f64 = "ref",
        springref: f64 = "springref",
        armature: f64 = "armature",
        damping: f64 = "damping",
        frictionloss: f64 = "frictionloss",
        user: Vec<f64> = "user",
    }

    /// `freejoint`
    pub struct FreeJoint {
        name: String = "name",
        group: i32 = "group",
        align: Tristate = "align",
    }

    /// `geom`, also inside `default` and `composite`
    pub struct GeomTable {
        name: String = "name",
        class: String = "class",
        kind: kinds::GeomType = "type",
        contype: i32 = "contype",
        conaffinity: i32 = "conaffinity",
        condim: i32 = "condim",
        priority: i32 = "priority",
        friction: Prefix<3> = "friction",
        solmix: f64 = "solmix",
        solref: Prefix<2> = "solref",
        solimp: Prefix<5> = "solimp",
        margin: f64 = "margin",
        gap: f64 = "gap",
        group: i32 = "group",
        size: Prefix<3> = "size",
        material: String = "material",
        mass: f64 = "mass",
        density: f64 = "density",
        shellinertia: bool = "shellinertia",
        fromto: [f64; 6] = "fromto",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        hfield: String = "hfield",
        mesh: String = "mesh",
        fitscale: f64 = "fitscale",
        rgba: [f32; 4] = "rgba",
        fluidshape: FluidShape = "fluidshape",
        fluidcoef: Prefix<5> = "fluidcoef",
        user: Vec<f64> = "user",
    }

    /// `site`, also inside `default` and `composite`
    pub struct Site {
        name: String = "name",
        class: String = "class",
        kind: kinds::GeomType = "type",
        group: i32 = "group",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        material: String = "material",
        size: Prefix<3> = "size",
        fromto: [f64; 6] = "fromto",
        rgba: [f32; 4] = "rgba",
        user: Vec<f64> = "user",
    }

    /// `camera`
    pub struct Camera {
        name: String = "name",
        class: String = "class",
        projection: kinds::Projection = "projection",
        fovy: f64 = "fovy",
        ipd: f64 = "ipd",
        resolution: [i32; 2] = "resolution",
        output: Words = "output",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        mode: kinds::TrackingMode = "mode",
        target: String = "target",
        focal: [f32; 2] = "focal",
        focalpixel: [f32; 2] = "focalpixel",
        principal: [f32; 2] = "principal",
        principalpixel: [f32; 2] = "principalpixel",
        sensorsize: [f32; 2] = "sensorsize",
        user: Vec<f64> = "user",
    }

    /// `light`
    pub struct Light {
        name: String = "name",
        class: String = "class",
        directional: bool = "directional",
        kind: kinds::LightType = "type",
        castshadow: bool = "castshadow",
        active: bool = "active",
        pos: [f64; 3] = "pos",
        dir: [f64; 3] = "dir",
        bulbradius: f32 = "bulbradius",
        intensity: f32 = "intensity",
        range: f32 = "range",
        attenuation: [f32; 3] = "attenuation",
        cutoff: f32 = "cutoff",
        exponent: f32 = "exponent",
        ambient: [f32; 3] = "ambient",
        diffuse: [f32; 3] = "diffuse",
        specular: [f32; 3] = "specular",
        mode: kinds::TrackingMode = "mode",
        target: String = "target",
        texture: String = "texture",
    }

    /// `plugin` inside an element
    pub struct PluginTable {
        plugin: String = "plugin",
        instance: String = "instance",
    }

    /// `config`: one setting of a plugin
    pub struct Config {
        key: String = "key",
        value: String = "value",
    }

    /// `composite`, without its children
    pub struct CompositeTable {
        prefix: String = "prefix",
        kind: CompositeType = "type",
        count: Prefix<3> = "count",
        offset: [f64; 3] = "offset",
        vertex: Vec<f32> = "vertex",
        initial: String = "initial",
        curve: String = "curve",
        size: Prefix<3> = "size",
        quat: [f64; 4] = "quat",
    }

    /// `composite/joint`
    pub struct CompositeJoint {
        role: CompositeJointKind = "kind",
        group: i32 = "group",
        stiffness: f64 = "stiffness",
        damping: f64 = "damping",
        armature: f64 = "armature",
        solreffix: Prefix<2> = "solreffix",
        solimpfix: Prefix<5> = "solimpfix",
        kind: kinds::JointType = "type",
        axis: [f64; 3] = "axis",
        limited: Tristate = "limited",
        range: [f64; 2] = "range",
        margin: f64 = "margin",
        solreflimit: Prefix<2> = "solreflimit",
        solimplimit: Prefix<5> = "solimplimit",
        frictionloss: f64 = "frictionloss",
        solreffriction: Prefix<2> = "solreffriction",
        solimpfriction: Prefix<5> = "solimpfriction",
    }

    /// `composite/skin`
    pub struct CompositeSkin {
        texcoord: bool = "texcoord",
        material: String = "material",
        group: i32 = "group",
        rgba: [f32; 4] = "rgba",
        inflate: f32 = "inflate",
        subgrid: i32 = "subgrid",
    }

    /// `flexcomp`, without its children
    pub struct FlexcompTable {
        name: String = "name",
        kind: FlexcompType = "type",
        group: i32 = "group",
        dim: i32 = "dim",
        dof: FlexcompDof = "dof",
        count: [i32;3] = "count",
        spacing: [f64; 3] = "spacing",
        radius: f64 = "radius",
        rigid: bool = "rigid",
        mass: f64 = "mass",
        inertiabox: f64 = "inertiabox",
        scale: [f64; 3] = "scale",
        file: String = "file",
        point: Vec<f64> = "point",
        element: Vec<i32> = "element",
        texcoord: Vec<f32> = "texcoord",
        material: String = "material",
        rgba: [f32; 4] = "rgba",
        flatskin: bool = "flatskin",
        pos: [f64; 3] = "pos",
        quat: [f64; 4] = "quat",
        axisangle: [f64; 4] = "axisangle",
        xyaxes: [f64; 6] = "xyaxes",
        zaxis: [f64; 3] = "zaxis",
        euler: [f64; 3] = "euler",
        origin: [f64; 3] = "origin",
        sinew_bending: String = "sinew_bending",
        sinew_elasticity: String = "sinew_elasticity",
    }

    /// `edge` of a flex
    pub struct FlexEdge {
        equality: FlexEdgeEquality = "equality",
        solref: Prefix<2> = "solref",
        solimp: Prefix<5> = "solimp",
        stiffness: f64 = "stiffness",
        damping: f64 = "damping",
    }

    /// `elasticity` of a flex
    pub struct FlexElasticity {
        young: f64 = "young",
        poisson: f64 = "poisson",
        damping: f64 = "damping",
        thickness: f64 = "thickness",
        elastic2d: Elastic2d = "elastic2d",
    }

    /// `contact` of a flex
    pub struct FlexContact {
        contype: i32 = "contype",
        conaffinity: i32 = "conaffinity",
        condim: i32 = "condim",
        priority: i32 = "priority",
        friction: Prefix<3> = "friction",
        solmix: f64 = "solmix",
        solref: Prefix<2> = "solref",
        solimp: Prefix<5> = "solimp",
        margin: f64 = "margin",
        gap: f64 = "gap",
        internal: bool = "internal",
        selfcollide: kinds::FlexSelf = "selfcollide",
        activelayers: i32 = "activelayers",
        vertcollide: bool = "vertcollide",
        passive: bool = "passive",
    }

    /// `pin` of a flexcomp
    pub struct FlexPin {
        id: Vec<i32> = "id",
        range: Vec<i32> = "range",
        grid: Vec<i32> = "grid",
        gridrange: Vec<i32> = "gridrange",
    }
}

/// A plugin reference with its settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plugin {
    /// Which plugin and instance.
    pub table: PluginTable,
    /// Settings of an implicit instance.
    pub config: Vec<Config>,
}

/// `geom` with its plugins.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geom {
    /// The attributes.
    pub table: GeomTable,
    /// Signed-distance plugins.
    pub plugins: Vec<Plugin>,
}

/// `body` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// The attributes.
    pub table: BodyTable,
    /// Its children in document order.
    pub children: Vec<Child>,
}

/// `frame` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The attributes.
    pub table: FrameTable,
    /// Its children in document order.
    pub children: Vec<Child>,
}

/// `replicate` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replicate {
    /// The attributes.
    pub table: ReplicateTable,
    /// Its children in document order.
    pub children: Vec<Child>,
}

/// `composite` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Composite {
    /// The attributes.
    pub table: CompositeTable,
    /// `joint` children.
    pub joints: Vec<CompositeJoint>,
    /// `skin` child.
    pub skin: Option<CompositeSkin>,
    /// `geom` child.
    pub geom: Option<GeomTable>,
    /// `site` child.
    pub site: Option<Site>,
    /// `plugin` children.
    pub plugins: Vec<Plugin>,
}

/// `flexcomp` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flexcomp {
    /// The attributes.
    pub table: FlexcompTable,
    /// `edge` child.
    pub edge: Option<FlexEdge>,
    /// `elasticity` child.
    pub elasticity: Option<FlexElasticity>,
    /// `contact` child.
    pub contact: Option<FlexContact>,
    /// `pin` children.
    pub pins: Vec<FlexPin>,
    /// `plugin` children.
    pub plugins: Vec<Plugin>,
}

/// What can stand inside a body, a frame, a replicate or the world.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Child {
    Body(Box<Body>),
    Frame(Box<Frame>),
    Replicate(Box<Replicate>),
    Attach(Box<Attach>),
    Inertial(Box<Inertial>),
    Joint(Box<Joint>),
    FreeJoint(Box<FreeJoint>),
    Geom(Box<Geom>),
    Site(Box<Site>),
    Camera(Box<Camera>),
    Light(Box<Light>),
    Plugin(Box<Plugin>),
    Composite(Box<Composite>),
    Flexcomp(Box<Flexcomp>),
}

impl Child {
    /// Where the element starts.
    pub fn place(&self) -> crate::place::Place {
        match self {
            Child::Body(element) => element.table.place,
            Child::Frame(element) => element.table.place,
            Child::Replicate(element) => element.table.place,
            Child::Attach(element) => element.place,
            Child::Inertial(element) => element.place,
            Child::Joint(element) => element.place,
            Child::FreeJoint(element) => element.place,
            Child::Geom(element) => element.table.place,
            Child::Site(element) => element.place,
            Child::Camera(element) => element.place,
            Child::Light(element) => element.place,
            Child::Plugin(element) => element.table.place,
            Child::Composite(element) => element.table.place,
            Child::Flexcomp(element) => element.table.place,
        }
    }
}

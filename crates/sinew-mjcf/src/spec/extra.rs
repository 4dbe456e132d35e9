//! Tables of flexes, custom fields, keyframes and plugin declarations.

use super::tree::{Config, FlexContact, FlexEdge, FlexElasticity};
use super::value::NameList;

crate::element! {
    /// `deformable/flex`, without its children
    pub struct FlexTable {
        name: String = "name",
        group: i32 = "group",
        dim: i32 = "dim",
        radius: f64 = "radius",
        material: String = "material",
        rgba: [f32; 4] = "rgba",
        flatskin: bool = "flatskin",
        body: NameList = "body",
        vertex: Vec<f64> = "vertex",
        element: Vec<i32> = "element",
        texcoord: Vec<f32> = "texcoord",
        elemtexcoord: Vec<i32> = "elemtexcoord",
        node: NameList = "node",
        sinew_bending: String = "sinew_bending",
        sinew_elasticity: String = "sinew_elasticity",
    }

    /// `custom/numeric`
    pub struct Numeric {
        name: String = "name",
        size: i32 = "size",
        data: Vec<f64> = "data",
    }

    /// `custom/text`
    pub struct TextField {
        name: String = "name",
        data: String = "data",
    }

    /// `custom/tuple`, without its elements
    pub struct TupleTable {
        name: String = "name",
    }

    /// `custom/tuple/element`
    pub struct TupleElement {
        objtype: String = "objtype",
        objname: String = "objname",
        prm: f64 = "prm",
    }

    /// `keyframe/key`
    pub struct Key {
        name: String = "name",
        time: f64 = "time",
        qpos: Vec<f64> = "qpos",
        qvel: Vec<f64> = "qvel",
        act: Vec<f64> = "act",
        mpos: Vec<f64> = "mpos",
        mquat: Vec<f64> = "mquat",
        ctrl: Vec<f64> = "ctrl",
    }

    /// `extension/plugin`, without its instances
    pub struct PluginDeclarationTable {
        plugin: String = "plugin",
    }

    /// `extension/plugin/instance`, without its settings
    pub struct PluginInstanceTable {
        name: String = "name",
    }
}

/// `deformable/flex` with its children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flex {
    /// The attributes.
    pub table: FlexTable,
    /// `contact` child.
    pub contact: Option<FlexContact>,
    /// `edge` child.
    pub edge: Option<FlexEdge>,
    /// `elasticity` child.
    pub elasticity: Option<FlexElasticity>,
    /// Where the nodes stand in the frames of their bodies; empty: at their origins. No attribute:
    /// only a `flexcomp` gives them.
    pub node_positions: Vec<f64>,
}

/// `custom/tuple` with its elements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuple {
    /// The attributes.
    pub table: TupleTable,
    /// The elements.
    pub elements: Vec<TupleElement>,
}

/// `extension/plugin` with its instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginDeclaration {
    /// The attributes.
    pub table: PluginDeclarationTable,
    /// Named instances.
    pub instances: Vec<PluginInstance>,
}

/// `extension/plugin/instance` with its settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginInstance {
    /// The attributes.
    pub table: PluginInstanceTable,
    /// The settings.
    pub config: Vec<Config>,
}

/// A keyframe put together while sub-models and replicas were expanded. Vectors cover the whole
/// expanded model, in the order of its joints, actuators and mocap bodies. An absent vector stands
/// for the model's reference; so does an absent number (`qpos0`, the pose of the mocap body).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssembledKey {
    /// The name; may be empty.
    pub name: String,
    /// Where the key was written.
    pub place: crate::place::Place,
    /// Time.
    pub time: f64,
    /// Joint positions.
    pub qpos: Option<Vec<Option<f64>>>,
    /// Joint velocities.
    pub qvel: Option<Vec<f64>>,
    /// Activations.
    pub act: Option<Vec<f64>>,
    /// Controls.
    pub ctrl: Option<Vec<f64>>,
    /// Positions of the mocap bodies.
    pub mpos: Option<Vec<Option<f64>>>,
    /// Orientations of the mocap bodies.
    pub mquat: Option<Vec<Option<f64>>>,
}

//! What is shown, and how.

use sinew_math::{Quat, Vec3};

/// Objects whose axes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frames {
    /// The world's own.
    World,
    /// Those of bodies; of their inertia where that is shown.
    Bodies,
    /// Those of geoms.
    Geoms,
    /// Those of sites.
    Sites,
    /// Those of cameras that are shown.
    Cameras,
    /// Those of lights that are shown.
    Lights,
    /// Those of contacts.
    Contacts,
}

/// Objects beside which their names are written, or what else is to be known about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Names of bodies.
    Bodies,
    /// Names of joints that are shown.
    Joints,
    /// Names of geoms.
    Geoms,
    /// Names of sites.
    Sites,
    /// Names of cameras that are shown.
    Cameras,
    /// Names of lights that are shown.
    Lights,
    /// Names of tendons.
    Tendons,
    /// Names of actuators that are shown.
    Actuators,
    /// Names of equality constraints that are shown.
    Constraints,
    /// Names of flexes.
    Flexes,
    /// Names of skins.
    Skins,
    /// The name of the selected body.
    Selection,
    /// Where the selected point is.
    SelectedPoint,
    /// What touches, at contacts that are marked.
    ContactPoints,
    /// How large the forces of contacts are that are shown.
    ContactForces,
    /// Numbers of islands.
    Islands,
}

/// What is drawn of flexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlexParts {
    /// Vertices as balls.
    pub vertices: bool,
    /// Edges as tubes.
    pub edges: bool,
    /// The sides of elements.
    pub faces: bool,
    /// A smooth surface, which hides the rest.
    pub skin: bool,
    /// The layer of the elements of solids whose sides are drawn.
    pub layer: i32,
}

/// A body that was selected, and how it is moved by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// The body.
    pub body: usize,
    /// The selected point, in the body's frame.
    pub point: Vec3,
    /// Where the point is pulled to, and the orientation that the body is turned to.
    pub target: (Vec3, Quat),
    /// Whether it is pulled, by each of two hands.
    pub is_pulled: [bool; 2],
    /// Whether it is turned, by each of two hands.
    pub is_turned: [bool; 2],
    /// Whether the selected point is marked.
    pub is_marked: bool,
    /// Whether it is shown how the body is moved.
    pub is_explained: bool,
}

/// What is shown, and how. The default is what the reference's renderer shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Groups of geoms that are shown.
    pub geom_groups: [bool; 6],
    /// Groups of sites that are shown.
    pub site_groups: [bool; 6],
    /// Groups of joints that are shown.
    pub joint_groups: [bool; 6],
    /// Groups of tendons that are shown.
    pub tendon_groups: [bool; 6],
    /// Groups of actuators that are shown.
    pub actuator_groups: [bool; 6],
    /// Groups of flexes that are shown.
    pub flex_groups: [bool; 6],
    /// Groups of skins that are shown.
    pub skin_groups: [bool; 6],
    /// What is drawn of flexes.
    pub flexes: FlexParts,
    /// What is written beside what.
    pub labels: Option<Labels>,
    /// Whether meshes that can touch others are shown by their convex hulls.
    pub convex_hulls: bool,
    /// Whether what moves has the colour of its island.
    pub islands: bool,
    /// Whether bounding volumes of bodies are shown.
    pub body_volumes: bool,
    /// Whether bounding volumes of meshes and flexes are shown.
    pub mesh_volumes: bool,
    /// The depth in its tree of bounding volumes that are shown.
    pub volume_depth: i32,
    /// The flex that is selected: it glows.
    pub selected_flex: Option<usize>,
    /// The skin that is selected: it glows.
    pub selected_skin: Option<usize>,
    /// Whether materials have their textures.
    pub textures: bool,
    /// Whether geoms that do not move are shown.
    pub statics: bool,
    /// Whether what moves is translucent.
    pub translucent: bool,
    /// Whether tendons are shown.
    pub tendons: bool,
    /// Whether skins are shown.
    pub skins: bool,
    /// Whose axes are shown.
    pub frames: Option<Frames>,
    /// Whether joints are shown.
    pub joints: bool,
    /// Whether actuators are shown, in the colour of their control.
    pub actuators: bool,
    /// Whether that colour is the one of their activation.
    pub activations: bool,
    /// Whether cameras are shown.
    pub cameras: bool,
    /// Whether lights are shown.
    pub lights: bool,
    /// Whether rays of rangefinders are shown, and lines of sensors of distances.
    pub rangefinders: bool,
    /// Whether the points that equality constraints hold together are shown.
    pub constraints: bool,
    /// Whether inertias are shown, as boxes or ellipsoids.
    pub inertias: bool,
    /// Whether these are as large as if they were of water.
    pub scaled_inertias: bool,
    /// Whether forces applied to bodies are arrows.
    pub applied_forces: bool,
    /// Whether bodies are connected with their joints and parents.
    pub connections: bool,
    /// Whether centres of mass of whole trees are shown.
    pub centres_of_mass: bool,
    /// Whether contacts are marked.
    pub contact_points: bool,
    /// Whether forces of contacts are arrows.
    pub contact_forces: bool,
    /// Whether these are parted into normal force and friction.
    pub split_forces: bool,
    /// The body that is moved by hand.
    pub selection: Option<Selection>,
}

impl Default for Options {
    fn default() -> Self {
        let first_three = [true, true, true, false, false, false];
        Options {
            geom_groups: first_three,
            site_groups: first_three,
            joint_groups: first_three,
            tendon_groups: first_three,
            actuator_groups: first_three,
            flex_groups: first_three,
            skin_groups: first_three,
            flexes: FlexParts {
                vertices: false,
                edges: true,
                faces: false,
                skin: true,
                layer: 0,
            },
            labels: None,
            convex_hulls: false,
            islands: false,
            body_volumes: false,
            mesh_volumes: false,
            volume_depth: 1,
            selected_flex: None,
            selected_skin: None,
            textures: true,
            statics: true,
            translucent: false,
            tendons: true,
            skins: true,
            frames: None,
            joints: false,
            actuators: false,
            activations: false,
            cameras: false,
            lights: false,
            rangefinders: true,
            constraints: false,
            inertias: false,
            scaled_inertias: false,
            applied_forces: false,
            connections: false,
            centres_of_mass: false,
            contact_points: false,
            contact_forces: false,
            split_forces: false,
            selection: None,
        }
    }
}

/// Whether an object of a group is shown; groups beyond the last count as the last.
pub(crate) fn shows(groups: &[bool; 6], group: i32) -> bool {
    groups[usize::try_from(group).unwrap_or(0).min(5)]
}

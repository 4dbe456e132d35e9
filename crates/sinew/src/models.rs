//! Models that are compiled in: examples to start from without a file.

use sinew_mjcf::{LoadError, Loaded, Loader};

/// A model that is compiled in.
///
/// ```
/// use sinew::prelude::*;
/// let humanoid = sinew::models::get("humanoid").expect("it is built in");
/// assert!(humanoid.text.contains("<mujoco"));
/// assert_eq!(humanoid.load()?.model.nq, Model::built_in("humanoid")?.nq);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// The name it is asked for by.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// The model file.
    pub text: &'static str,
    /// Files that the model file names.
    pub assets: &'static [(&'static str, &'static [u8])],
}

impl BuiltIn {
    /// Compiles the model.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        let add = |loader: Loader, (name, bytes): &(&str, &[u8])| loader.asset(name, *bytes);
        let loader = self.assets.iter().fold(Loader::default(), add);
        loader.load_text(self.text)
    }
}

/// The model that is taken when none is named.
pub const DEFAULT: &str = "humanoid";

/// The model with this name.
pub fn get(name: &str) -> Option<&'static BuiltIn> {
    ALL.iter().find(|model| model.name == name)
}

macro_rules! built_in {
    ($( $name:literal $(in $folder:literal)?, $summary:literal $(, [ $($asset:literal),* ])? ; )*) => {
        /// All built-in models.
        pub const ALL: &[BuiltIn] = &[ $( BuiltIn {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../../../models/", $($folder, "/",)? $name, ".xml")),
            assets: &[ $( $( ($asset, include_bytes!(concat!("../../../models/", $asset))), )* )? ],
        }, )* ];
    };
}

built_in! {
    "humanoid", "a humanoid with 25 actuated joints; the default";
    "pendulum", "one hinge, one rod, one bob";
    "double_pendulum", "two rods in a plane, chaotic";
    "cartpole", "a pole balanced on a cart";
    "arm_actuators", "an arm with every actuator shortcut and transmission";
    "manipulator", "a seven-joint arm with a gripper";
    "quadruped", "a four-legged robot with position servos";
    "finger", "a finger pulled by tendons that wrap";
    "muscle_arm", "an arm moved by six muscles";
    "mechanism", "closed chains with every equality constraint";
    "sensor_zoo", "a small machine with every sensor";
    "mesh_scene", "meshes from files, numbers and generators",
        ["assets/barrel.obj", "assets/bracket.obj", "assets/brick.stl", "assets/flag.png",
         "assets/gem.stl", "assets/torus.msh"];
    "terrain", "height fields from an image, a file and numbers",
        ["assets/dunes.bin", "assets/hills.png"];
    "box_pile", "layers of boxes that fall on each other";
    "drone", "a quadrotor with forces at sites";
    "swimmer", "a fish-like chain in water";
    "rope_bridge" in "flex", "planks on two ropes";
    "flag" in "flex", "a cloth in the wind";
    "cloth_over_ball" in "flex", "a cloth that falls on a ball";
    "soft_gripper" in "flex", "fingers that lift a soft cube";
    "trampoline" in "flex", "balls on an elastic cloth";
    "trilinear_jelly" in "flex", "a soft body between eight nodes";
}

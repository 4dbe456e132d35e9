//! Cloth, soft bodies and ropes by projection: for whoever wants stability before accuracy.
//!
//! Objects are flexes as any other, with the same vertices, contacts and arrays; what keeps their shape is not a force but a
//! projection ([`Xpbd`]), in the same solve as all contacts. They stay finite at steps and stiffnesses at which forces diverge.
//!
//! ```
//! use sinew::soft::{Cloth, Scene};
//! let mut sim = Scene::new("<geom type='plane' size='5 5 1'/>")
//!     .timestep(1.0 / 60.0)
//!     .cloth("towel", Cloth::new([6, 6], 0.05).at([0.0, 0.0, 0.2]))
//!     .build()?;
//! sim.step_for(0.5)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod material;

pub use material::{ClothMaterial, Material, RopeMaterial, SoftMaterial};

use crate::load::Load;
use crate::simulation::{BuildError, Simulation};
use sinew_engine::law::{Softness, Xpbd};
use sinew_engine::{Composition, Nothing, Physics, PreparedSolver};
use sinew_mjcf::LoadError;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use std::fmt;
use std::fmt::Write;

/// A simulation whose solver projects.
pub type SoftSimulation = Simulation<
    Composition<
        Nothing,
        Nothing,
        Nothing,
        Nothing,
        Nothing,
        Nothing,
        Physics<Nothing, Nothing, Nothing, PreparedSolver<Xpbd>>,
    >,
>;

/// Triangles that keep their edges and folds.
///
/// ```
/// use sinew::soft::{Cloth, ClothMaterial, Scene};
/// let flag = Cloth::new([8, 5], 0.1).of(ClothMaterial::Silk).pin([0, 8, 16, 24, 32]);
/// let mut sim = Scene::new("").cloth("flag", flag).build()?;
/// sim.step_for(0.1)?;
/// assert_eq!(sim.model().nflex, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cloth(Object);

/// Tetrahedra that keep their edges and volumes.
///
/// ```
/// use sinew::soft::{Scene, SoftBody, SoftMaterial};
/// let jelly = SoftBody::new([3, 3, 3], 0.05).of(SoftMaterial::Gelatin).at([0.0, 0.0, 0.1]);
/// let mut sim = Scene::new("<geom type='plane' size='1 1 1'/>").soft_body("jelly", jelly).build()?;
/// sim.step_for(0.1)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SoftBody(Object);

/// A line of points that keep their distances.
///
/// ```
/// use sinew::soft::{Rope, RopeMaterial, Scene};
/// let chain = Rope::new(10, 0.1).of(RopeMaterial::Chain).pin([0, 9]);
/// let mut sim = Scene::new("").rope("chain", chain).build()?;
/// sim.step_for(0.1)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rope(Object);

/// What all objects have.
#[derive(Clone, Debug)]
struct Object {
    dim: usize,
    count: [usize; 3],
    spacing: f64,
    position: [f64; 3],
    euler: [f64; 3],
    material: Material,
    pinned: Vec<usize>,
}

macro_rules! object {
    ($name:ident) => {
        /// Where it is, what it is made of, and what holds it.
        impl $name {
            /// With its middle at a place, m.
            pub fn at(mut self, position: [f64; 3]) -> Self {
                self.0.position = position;
                self
            }

            /// Turned by angles about the axes, degrees.
            pub fn turned(mut self, degrees: [f64; 3]) -> Self {
                self.0.euler = degrees;
                self
            }

            /// Made of something.
            pub fn of(mut self, material: impl Into<Material>) -> Self {
                self.0.material = material.into();
                self
            }

            /// With vertices that stay where they are, by their number: the last axis counts fastest.
            pub fn pin(mut self, vertices: impl IntoIterator<Item = usize>) -> Self {
                self.0.pinned.extend(vertices);
                self
            }
        }
    };
}

object!(Cloth);
object!(SoftBody);
object!(Rope);

impl Object {
    fn new(dim: usize, count: [usize; 3], spacing: f64, material: Material) -> Self {
        Object {
            dim,
            count,
            spacing,
            position: [0.0; 3],
            euler: [0.0; 3],
            material,
            pinned: Vec::new(),
        }
    }

    /// Mass of the whole, kg.
    fn mass(&self) -> f64 {
        let Material {
            density, thickness, ..
        } = self.material;
        let side = |k: usize| self.spacing * self.count[k].saturating_sub(1).max(1) as f64;
        let section = core::f64::consts::PI * thickness * thickness / 4.0;
        density
            * match self.dim {
                1 => side(0) * section,
                2 => side(0) * side(1) * thickness,
                _ => side(0) * side(1) * side(2),
            }
    }

    fn write(&self, name: &str, out: &mut String) -> fmt::Result {
        let Object {
            dim,
            count: [a, b, c],
            spacing,
            position: [x, y, z],
            euler: [u, v, w],
            ref material,
            ref pinned,
        } = *self;
        let (mass, radius) = (self.mass(), material.thickness / 2.0);
        write!(
            out,
            "<flexcomp name='{name}' type='grid' dim='{dim}' count='{a} {b} {c}' \
             spacing='{spacing} {spacing} {spacing}' pos='{x} {y} {z}' euler='{u} {v} {w}' mass='{mass}' \
             radius='{radius}'><contact selfcollide='none' internal='false' friction='{}'/>",
            material.friction
        )?;
        if !pinned.is_empty() {
            write!(out, "<pin id='")?;
            for vertex in pinned {
                write!(out, "{vertex} ")?;
            }
            write!(out, "'/>")?;
        }
        write!(out, "</flexcomp>")
    }
}

impl Cloth {
    /// A rectangle of so many vertices, so far apart: of cotton.
    pub fn new(count: [usize; 2], spacing: f64) -> Self {
        let material = ClothMaterial::Cotton.into();
        Cloth(Object::new(2, [count[0], count[1], 1], spacing, material))
    }
}

impl SoftBody {
    /// A block of so many vertices, so far apart: of rubber.
    pub fn new(count: [usize; 3], spacing: f64) -> Self {
        let material = SoftMaterial::Rubber.into();
        SoftBody(Object::new(3, count, spacing, material))
    }
}

impl Rope {
    /// So many vertices along x, so far apart: of hemp.
    pub fn new(count: usize, spacing: f64) -> Self {
        let material = RopeMaterial::Rope.into();
        Rope(Object::new(1, [count, 1, 1], spacing, material))
    }
}

/// Rigid and soft objects that are put together.
///
/// ```
/// use sinew::soft::{Cloth, Scene};
/// let world = "<geom type='plane' size='5 5 1'/><body pos='0 0 .5'><freejoint/><geom size='.05'/></body>";
/// let sim = Scene::new(world)
///     .timestep(1.0 / 60.0)
///     .cloth("net", Cloth::new([5, 5], 0.1).at([0.0, 0.0, 0.3]).pin([0, 4, 20, 24]))
///     .build()?;
/// assert_eq!((sim.model().nflex, sim.model().ngeom), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    world: String,
    timestep: f64,
    objects: Vec<(String, Object)>,
    solver: Xpbd,
}

/// Why a scene cannot be built.
///
/// ```
/// use sinew::soft::{Scene, SceneError};
/// let outcome = Scene::new("<goem/>").build();
/// assert!(matches!(outcome, Err(SceneError::Load(_))), "its text is no model");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub enum SceneError {
    /// Its text is no model.
    Load(LoadError),
    /// The solver refuses something.
    Build(BuildError),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneError::Load(error) => error.fmt(f),
            SceneError::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SceneError {}

impl Scene {
    /// A scene around rigid bodies: elements that stand inside of `<worldbody>`.
    pub fn new(world: &str) -> Self {
        Scene {
            world: world.to_string(),
            timestep: 0.002,
            objects: Vec::new(),
            solver: Xpbd {
                iterations: 10,
                substeps: 4,
                ..Xpbd::default()
            },
        }
    }

    /// With another time step, s.
    pub fn timestep(mut self, timestep: f64) -> Self {
        self.timestep = timestep;
        self
    }

    /// With a cloth.
    pub fn cloth(mut self, name: &str, cloth: Cloth) -> Self {
        self.objects.push((name.to_string(), cloth.0));
        self
    }

    /// With a soft body.
    pub fn soft_body(mut self, name: &str, body: SoftBody) -> Self {
        self.objects.push((name.to_string(), body.0));
        self
    }

    /// With a rope.
    pub fn rope(mut self, name: &str, rope: Rope) -> Self {
        self.objects.push((name.to_string(), rope.0));
        self
    }

    /// With so many iterations and substeps of projection.
    pub fn effort(mut self, iterations: usize, substeps: usize) -> Self {
        (self.solver.iterations, self.solver.substeps) = (iterations, substeps);
        self
    }

    /// With so many rounds of contacts and shapes after each other: 1 to 4.
    pub fn outer_iterations(mut self, count: usize) -> Self {
        self.solver.outer_iterations = count;
        self
    }

    /// The model as text.
    pub fn text(&self) -> String {
        let mut out = format!(
            "<mujoco><option timestep='{}' cone='elliptic'/><worldbody>{}",
            self.timestep, self.world
        );
        for (name, object) in &self.objects {
            // Writing to text cannot fail.
            let _ = object.write(name, &mut out);
        }
        out.push_str("</worldbody></mujoco>");
        out
    }

    /// The simulation.
    pub fn build(self) -> Result<SoftSimulation, SceneError> {
        let model = Model::from_str(&self.text()).map_err(SceneError::Load)?;
        let mut solver = self.solver;
        for (name, object) in &self.objects {
            let Some(flex) = model.id(ObjectType::Flex, name) else {
                continue;
            };
            let material = &object.material;
            solver.soft.push(Softness {
                flex,
                young: material.young,
                poisson: material.poisson,
                thickness: material.thickness,
                damping: material.damping,
            });
        }
        let builder = Simulation::builder(model).solver(solver);
        builder.build().map_err(SceneError::Build)
    }
}

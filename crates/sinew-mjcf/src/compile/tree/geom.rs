//! Geoms: shape, pose, mass, extent, fluid interaction.

use super::shape::{self, larger};
use super::span::Span;
use super::{Tree, element, fit, fluid};
use crate::asset::mesh::CompiledMesh;
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{EPSILON, Pose, unit};
use crate::place::{At, Place};
use crate::spec::tree as written;
use crate::spec::value::FluidShape;
use sinew_math::Vec3;
use sinew_model::kinds::{GeomType, ObjectType};
use std::sync::Arc;

/// A geom of the flattened tree.
#[derive(Clone, Debug)]
pub struct Geom {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: Box<written::GeomTable>,
    /// Signed-distance plugins.
    pub plugins: Vec<written::Plugin>,
    /// Its plugin instance.
    pub plugin: Option<usize>,
    /// User data.
    pub user: Vec<f64>,
    /// The body it is fixed to.
    pub body: usize,
    /// The frame it stands in.
    pub frame: Option<usize>,

    /// Pose in the body frame.
    pub pose: Pose,
    /// Sizes.
    pub size: [f64; 3],
    /// Mass that counts for the body; 0 when the body does not ask for it.
    pub mass: f64,
    /// Principal moments of inertia.
    pub moments: Vec3,
    /// Bounding box in its own frame: centre, half sizes.
    pub aabb: [f64; 6],
    /// Radius of the bounding sphere.
    pub bounding_radius: f64,
    /// Fluid interaction parameters.
    pub fluid: [f64; 12],
    /// The mesh it shows or was fitted to, or its height field.
    pub data: Option<usize>,
    /// Material.
    pub material: Option<usize>,
}

impl Default for Geom {
    fn default() -> Self {
        Geom {
            name: String::new(),
            place: Place::default(),
            table: Box::default(),
            plugins: Vec::new(),
            plugin: None,
            user: Vec::new(),
            body: 0,
            frame: None,
            pose: Pose::default(),
            size: [0.0; 3],
            mass: 0.0,
            moments: Vec3::ZERO,
            aabb: [0.0; 6],
            bounding_radius: 0.0,
            fluid: [0.0; 12],
            data: None,
            material: None,
        }
    }
}

impl Geom {
    /// The shape.
    pub fn kind(&self) -> GeomType {
        self.table
            .kind
            .as_ref()
            .map_or(GeomType::Sphere, |at| at.value)
    }

    /// Whether the shape is a mesh.
    pub fn is_mesh(&self) -> bool {
        matches!(self.kind(), GeomType::Mesh | GeomType::Sdf)
    }

    /// Visibility group.
    pub fn group(&self) -> i32 {
        self.table.group.as_ref().map_or(0, |at| at.value)
    }

    /// Contact type bits.
    pub fn contype(&self) -> i32 {
        self.table.contype.as_ref().map_or(1, |at| at.value)
    }

    /// Contact affinity bits.
    pub fn conaffinity(&self) -> i32 {
        self.table.conaffinity.as_ref().map_or(1, |at| at.value)
    }

    /// Contact margin.
    pub fn margin(&self) -> f64 {
        self.table.margin.as_ref().map_or(0.0, |at| at.value)
    }

    /// Whether it can touch anything by its own bits.
    pub fn can_collide(&self) -> bool {
        self.contype() != 0 || self.conaffinity() != 0
    }
}

/// Compiles a geom. `counts`: its mass is wanted for the body.
pub fn compile(ctx: &mut Context, tree: &mut Tree, index: usize, counts: bool) {
    let geom = &mut tree.geoms[index];
    let label = element("geom", &geom.name);
    let is_static = tree.bodies[geom.body].weld == 0;
    check(ctx, geom, is_static, &label);
    let Some(assets) = resolve(ctx, geom, &label) else {
        return;
    };
    set_pose_and_size(ctx, geom, &label);
    if let Some(mesh) = &assets.mesh
        && !fit::follow(ctx, geom, mesh, &label)
    {
        return;
    }
    check_size(ctx, geom.kind(), geom.size, geom.place, &label);
    let shown = assets.mesh.as_deref().filter(|_| geom.is_mesh());
    set_extent(geom, shown, assets.hfield_size);
    if geom.size.iter().any(|s| s.is_nan()) {
        ctx.report
            .error(
                "mjcf::size",
                geom.place,
                "a size of the geom is not a number",
            )
            .element(label.as_str());
    }
    if counts {
        set_mass(ctx, geom, shown, &label);
    }
    set_fluid(geom);

    geom.data = assets.mesh_id.or(assets.hfield_id);
    let given = named(&geom.table.material);
    let inherited = assets.mesh_id.and_then(|id| ctx.mesh_material(id));
    if let Some(name) = given.or(inherited) {
        geom.material = material(ctx, &name, &label);
    }
    if let Some(frame) = geom.frame {
        geom.pose = tree.frames[frame].compose(&geom.pose);
    }
}

/// Reports contact dimensions that do not exist, and planes that would move.
fn check(ctx: &mut Context, geom: &Geom, is_static: bool, label: &str) {
    let condim = geom.table.condim.as_ref();
    if let Some(condim) = condim.filter(|at| !matches!(at.value, 1 | 3 | 4 | 6)) {
        ctx.report
            .error(
                "mjcf::condim",
                condim.place,
                format!("condim must be 1, 3, 4 or 6, not {}", condim.value),
            )
            .element(label)
            .attribute("condim");
    }
    if geom.kind() == GeomType::Plane && !is_static {
        ctx.report
            .error(
                "mjcf::plane",
                geom.place,
                "a plane is only allowed in static bodies",
            )
            .element(label)
            .hint("use a box, or put the plane into the world");
    }
}

/// What a geom names of meshes and height fields.
struct Assets {
    mesh_id: Option<usize>,
    /// The mesh it shows, or is fitted to.
    mesh: Option<Arc<CompiledMesh>>,
    hfield_id: Option<usize>,
    hfield_size: Option<[f64; 4]>,
}

/// Finds mesh and height field. `None`: one is missing or did not compile, which has been reported.
fn resolve(ctx: &mut Context, geom: &Geom, label: &str) -> Option<Assets> {
    let (table, kind) = (&geom.table, geom.kind());
    let mesh_id =
        named(&table.mesh).and_then(|mesh| ctx.resolve(ObjectType::Mesh, &mesh, label, "mesh"));
    let hfield_id = named(&table.hfield)
        .and_then(|hfield| ctx.resolve(ObjectType::Hfield, &hfield, label, "hfield"));
    if geom.is_mesh() && named(&table.mesh).is_none() {
        ctx.report
            .error(
                "mjcf::mesh",
                geom.place,
                "a mesh geom needs the attribute `mesh`",
            )
            .element(label);
    }
    if (kind == GeomType::Hfield) != named(&table.hfield).is_some() {
        let message = if kind == GeomType::Hfield {
            "a height-field geom needs the attribute `hfield`"
        } else {
            "`hfield` needs type=\"hfield\""
        };
        ctx.report
            .error("mjcf::hfield", geom.place, message)
            .element(label);
    }
    let mesh = mesh_id.and_then(|id| ctx.meshes.get(id).cloned().flatten());
    let hfield_size = hfield_id.and_then(|id| ctx.hfield_size(id));
    let wants_mesh = mesh_id.is_some() || geom.is_mesh();
    let wants_hfield = hfield_id.is_some() || kind == GeomType::Hfield;
    if (wants_mesh && mesh.is_none()) || (wants_hfield && hfield_size.is_none()) {
        return None;
    }
    Some(Assets {
        mesh_id,
        mesh,
        hfield_id,
        hfield_size,
    })
}

fn named(name: &Option<At<String>>) -> Option<At<String>> {
    name.clone().filter(|at| !at.value.is_empty())
}

/// Pose and size as written.
fn set_pose_and_size(ctx: &mut Context, geom: &mut Geom, label: &str) {
    let (table, kind) = (&geom.table, geom.kind());
    geom.size = table
        .size
        .as_ref()
        .map_or([0.0; 3], |at| at.value.over([0.0; 3]));
    let pos = table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value));
    if let Some(fromto) = &table.fromto {
        let span = Span::between(ctx, fromto, pos, kind, label);
        geom.pose = span.pose;
        geom.size = span.sizes(kind, geom.size);
    } else {
        let orientation = table.orientation();
        let quat = orientation.resolve(geom.place, ctx.spec, label, ctx.report);
        geom.pose = Pose {
            pos,
            quat: if orientation.has_alternative() {
                quat
            } else {
                unit(quat)
            },
        };
    }
}

/// Sizes of meshes and height fields; bounding box and sphere of any shape.
fn set_extent(geom: &mut Geom, mesh: Option<&CompiledMesh>, hfield_size: Option<[f64; 4]>) {
    if let Some([x, y, top, base]) = hfield_size {
        geom.size = [x, y, 0.25 * top + 0.5 * base];
    } else if let Some(mesh) = mesh {
        geom.size = reach(mesh.aamm);
    }
    geom.aabb = shape::centre_and_half(match (mesh, hfield_size) {
        (Some(mesh), _) => mesh.aamm,
        (None, Some([x, y, top, base])) => [-x, -y, -base, x, y, top],
        (None, None) => shape::extent(geom.kind(), geom.size),
    });
    geom.bounding_radius = match (mesh, hfield_size) {
        (Some(_), _) => {
            let [x, y, z] = geom.size;
            (x * x + y * y + z * z).sqrt()
        }
        (None, Some([x, y, top, base])) => (x * x + y * y + larger(top * top, base * base)).sqrt(),
        (None, None) => shape::bounding_radius(geom.kind(), geom.size),
    };
}

/// Parameters of the ellipsoid model, where it is asked for.
fn set_fluid(geom: &mut Geom) {
    let table = &geom.table;
    let shape = table.fluidshape.as_ref().map(|at| at.value);
    if shape == Some(FluidShape::Ellipsoid) {
        let usual = [0.5, 0.25, 1.5, 1.0, 1.0];
        let coefficients = table
            .fluidcoef
            .as_ref()
            .map_or(usual, |at| at.value.over(usual));
        geom.fluid = fluid::parameters(geom.kind(), geom.size, coefficients);
    }
}

/// The material a geom or site names. Without visual elements there are no materials.
pub fn material(ctx: &mut Context, name: &At<String>, label: &str) -> Option<usize> {
    if name.value.is_empty() || ctx.discards_visual() {
        return None;
    }
    ctx.resolve(ObjectType::Material, name, label, "material")
}

/// Largest absolute coordinate along each axis.
fn reach([a, b, c, d, e, f]: [f64; 6]) -> [f64; 3] {
    [
        larger(a.abs(), d.abs()),
        larger(b.abs(), e.abs()),
        larger(c.abs(), f.abs()),
    ]
}

/// Mass from `mass` or `density`, and the moments that go with it.
fn set_mass(ctx: &mut Context, geom: &mut Geom, mesh: Option<&CompiledMesh>, label: &str) {
    let table = &geom.table;
    let is_shell = table.shellinertia.as_ref().is_some_and(|at| at.value);
    let volume = match mesh {
        Some(mesh) => mesh.volume,
        None => shape::volume(geom.kind(), geom.size, is_shell),
    };
    let mut density = table.density.as_ref().map_or(1000.0, |at| at.value);
    let mut has_moments = false;
    if let Some(mass) = &table.mass {
        if mass.value == 0.0 {
            density = 0.0;
        } else if volume > EPSILON {
            geom.mass = mass.value;
            density = mass.value / volume;
            has_moments = true;
        }
    } else if density != 0.0 {
        geom.mass = density * volume;
        has_moments = true;
    }
    if has_moments {
        geom.moments = match mesh {
            Some(mesh) => {
                let [a, b, c] = mesh.inertia_box;
                shape::moments(GeomType::Box, [a, b, c], false, geom.mass)
            }
            None => shape::moments(geom.kind(), geom.size, is_shell, geom.mass),
        };
    }
    if geom.mass < 0.0 || density < 0.0 || geom.moments.iter().any(|&moment| moment < 0.0) {
        ctx.report
            .error(
                "mjcf::mass",
                geom.place,
                "mass, inertia and density cannot be negative",
            )
            .element(label);
    }
}

/// Reports sizes that are not positive.
pub fn check_size(ctx: &mut Context, kind: GeomType, size: [f64; 3], place: Place, label: &str) {
    let needed: &[usize] = match kind {
        GeomType::Plane => &[2],
        GeomType::Sphere => &[0],
        GeomType::Capsule | GeomType::Cylinder => &[0, 1],
        GeomType::Ellipsoid | GeomType::Box => &[0, 1, 2],
        _ => &[],
    };
    for &k in needed {
        if size[k] <= 0.0 {
            let message = if kind == GeomType::Plane {
                "the third size of a plane must be positive".to_string()
            } else {
                format!("size {k} must be positive")
            };
            ctx.report
                .error("mjcf::size", place, message)
                .element(label)
                .attribute("size");
            return;
        }
    }
}

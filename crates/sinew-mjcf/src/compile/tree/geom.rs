//! Geoms: shape, pose, mass, extent, fluid interaction.

use super::shape::{self, larger};
use super::{Tree, element, fluid};
use crate::asset::mesh::CompiledMesh;
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{EPSILON, Pose, from_z_to, normalize, rotate, unit};
use crate::place::{At, Place};
use crate::spec::tree as written;
use crate::spec::value::FluidShape;
use sinew_math::Vec3;
use sinew_model::kinds::{GeomType, ObjectType};

/// A geom of the flattened tree.
#[derive(Clone, Debug)]
pub struct Geom {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: written::GeomTable,
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
            table: written::GeomTable::default(),
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
    let kind = geom.kind();
    let place = geom.place;
    let table = &geom.table;

    let condim = table.condim.as_ref().map_or(3, |at| at.value);
    if !matches!(condim, 1 | 3 | 4 | 6) {
        ctx.report
            .error(
                "mjcf::condim",
                table.condim.as_ref().map_or(place, |at| at.place),
                format!("condim must be 1, 3, 4 or 6, not {condim}"),
            )
            .element(label.as_str())
            .attribute("condim");
    }
    if kind == GeomType::Plane && tree.bodies[geom.body].weld != 0 {
        ctx.report
            .error(
                "mjcf::plane",
                place,
                "a plane is only allowed in static bodies",
            )
            .element(label.as_str())
            .hint("use a box, or put the plane into the world");
    }
    let named = |name: &Option<At<String>>| name.clone().filter(|at| !at.value.is_empty());
    let mesh_id =
        named(&table.mesh).and_then(|mesh| ctx.resolve(ObjectType::Mesh, &mesh, &label, "mesh"));
    let hfield_id = named(&table.hfield)
        .and_then(|hfield| ctx.resolve(ObjectType::Hfield, &hfield, &label, "hfield"));
    if geom.is_mesh() && named(&table.mesh).is_none() {
        ctx.report
            .error(
                "mjcf::mesh",
                place,
                "a mesh geom needs the attribute `mesh`",
            )
            .element(label.as_str());
    }
    if (kind == GeomType::Hfield) != named(&table.hfield).is_some() {
        let message = if kind == GeomType::Hfield {
            "a height-field geom needs the attribute `hfield`"
        } else {
            "`hfield` needs type=\"hfield\""
        };
        ctx.report
            .error("mjcf::hfield", place, message)
            .element(label.as_str());
    }
    let mesh = mesh_id.and_then(|id| ctx.meshes.get(id).cloned().flatten());
    let hfield_size = hfield_id.and_then(|id| ctx.hfield_size(id));
    if (mesh_id.is_some() && mesh.is_none()) || (hfield_id.is_some() && hfield_size.is_none()) {
        // The asset did not compile; its own error has been reported.
        return;
    }
    if (geom.is_mesh() && mesh.is_none()) || (kind == GeomType::Hfield && hfield_size.is_none()) {
        return;
    }

    // Pose and size as written.
    geom.size = table
        .size
        .as_ref()
        .map_or([0.0; 3], |at| at.value.over([0.0; 3]));
    let pos = table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value));
    if let Some(fromto) = &table.fromto {
        let span = span(ctx, fromto, pos, kind, &label);
        geom.pose = span.pose;
        geom.size = span.sizes(kind, geom.size);
    } else {
        let orientation = table.orientation();
        let quat = orientation.resolve(place, ctx.spec, &label, ctx.report);
        geom.pose = Pose {
            pos,
            quat: if orientation.has_alternative() {
                quat
            } else {
                unit(quat)
            },
        };
    }

    // A mesh brings its own frame; a primitive is fitted to it.
    if let Some(mesh) = &mesh {
        if let Some(fromto) = &table.fromto {
            ctx.report
                .error(
                    "mjcf::fromto",
                    fromto.place,
                    "fromto cannot be used together with a mesh",
                )
                .element(label.as_str())
                .attribute("fromto");
        }
        let mut centre = Vec3::ZERO;
        if geom.is_mesh() {
            if table.shellinertia.as_ref().is_some_and(|at| at.value) {
                ctx.report
                    .error(
                        "mjcf::shellinertia",
                        place,
                        "for mesh geoms, inertia is specified in the mesh asset",
                    )
                    .element(label.as_str())
                    .attribute("shellinertia")
                    .hint("set inertia=\"shell\" on the `mesh`");
            }
        } else {
            let uses_box = ctx
                .compiler(Place::default())
                .fitaabb
                .as_ref()
                .is_some_and(|at| at.value);
            let scale = table.fitscale.as_ref().map_or(1.0, |at| at.value);
            match fit(kind, geom.size, mesh, uses_box) {
                Some((size, found)) => {
                    geom.size = size.map(|s| s * scale);
                    centre = found;
                }
                None => {
                    ctx.report
                        .error(
                            "mjcf::fit",
                            place,
                            "this type of geom cannot be fitted to a mesh",
                        )
                        .element(label.as_str())
                        .attribute("type");
                    return;
                }
            }
        }
        let frame = Pose {
            pos: rotate(mesh.quat, centre) + mesh.pos,
            quat: mesh.quat,
        };
        geom.pose = geom.pose.compose(&frame);
    }
    check_size(ctx, kind, geom.size, place, &label);

    let mesh = mesh.filter(|_| geom.is_mesh());
    if let Some([x, y, top, base]) = hfield_size {
        geom.size = [x, y, 0.25 * top + 0.5 * base];
    } else if let Some(mesh) = &mesh {
        geom.size = reach(mesh.aamm);
    }
    if geom.size.iter().any(|s| s.is_nan()) {
        ctx.report
            .error("mjcf::size", place, "a size of the geom is not a number")
            .element(label.as_str());
    }

    geom.aabb = shape::centre_and_half(match (&mesh, hfield_size) {
        (Some(mesh), _) => mesh.aamm,
        (None, Some([x, y, top, base])) => [-x, -y, -base, x, y, top],
        (None, None) => shape::extent(kind, geom.size),
    });
    geom.bounding_radius = match (&mesh, hfield_size) {
        (Some(_), _) => {
            let [x, y, z] = geom.size;
            (x * x + y * y + z * z).sqrt()
        }
        (None, Some([x, y, top, base])) => (x * x + y * y + larger(top * top, base * base)).sqrt(),
        (None, None) => shape::bounding_radius(kind, geom.size),
    };

    if counts {
        set_mass(ctx, geom, mesh.as_deref(), &label);
    }
    let table = &geom.table;
    if table
        .fluidshape
        .as_ref()
        .is_some_and(|at| at.value == FluidShape::Ellipsoid)
    {
        let usual = [0.5, 0.25, 1.5, 1.0, 1.0];
        let coefficients = table
            .fluidcoef
            .as_ref()
            .map_or(usual, |at| at.value.over(usual));
        geom.fluid = fluid::parameters(kind, geom.size, coefficients);
    }

    geom.data = mesh_id.or(hfield_id);
    let given = named(&geom.table.material);
    let inherited = mesh_id.and_then(|id| ctx.mesh_material(id));
    if let Some(name) = given.or(inherited) {
        geom.material = material(ctx, &name, &label);
    }
    if let Some(frame) = geom.frame {
        geom.pose = tree.frames[frame].compose(&geom.pose);
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

/// Size of a primitive fitted to a mesh, and where its centre lies in the frame of the mesh.
#[doc(alias = "mjCMesh::FitGeom")]
fn fit(
    kind: GeomType,
    written: [f64; 3],
    mesh: &CompiledMesh,
    uses_box: bool,
) -> Option<([f64; 3], Vec3)> {
    if !uses_box {
        let [a, b, c] = mesh.inertia_box;
        let size = match kind {
            GeomType::Sphere => [(a + b + c) / 3.0, written[1], written[2]],
            GeomType::Capsule => {
                let radius = (a + b) / 2.0;
                [radius, larger(0.0, c - radius / 2.0), written[2]]
            }
            GeomType::Cylinder => [(a + b) / 2.0, c, written[2]],
            GeomType::Ellipsoid | GeomType::Box => [a, b, c],
            _ => return None,
        };
        return Some((size, Vec3::ZERO));
    }
    let [a, b, c, d, e, f] = mesh.aamm;
    let centre = Vec3([(a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0]);
    let [x, y, z] = [d - centre[0], e - centre[1], f - centre[2]];
    let size = match kind {
        GeomType::Sphere => [larger(larger(x, y), z), written[1], written[2]],
        GeomType::Capsule => {
            let radius = larger(x, y);
            [radius, z - radius, written[2]]
        }
        GeomType::Cylinder => [larger(x, y), z, written[2]],
        GeomType::Ellipsoid | GeomType::Box => [x, y, z],
        _ => return None,
    };
    Some((size, centre))
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

/// A shape laid between two points: its local z axis points from the second to the first.
pub struct Span {
    /// Pose in the frame of the points.
    pub pose: Pose,
    /// Half the distance.
    pub half: f64,
}

impl Span {
    /// The sizes: the first as written, the length in the place the shape keeps it.
    pub fn sizes(&self, kind: GeomType, written: [f64; 3]) -> [f64; 3] {
        match kind {
            GeomType::Ellipsoid | GeomType::Box => [written[0], written[0], self.half],
            _ => [written[0], self.half, written[2]],
        }
    }
}

/// Resolves `fromto`. What is wrong is reported.
pub fn span(
    ctx: &mut Context,
    fromto: &At<[f64; 6]>,
    pos: Vec3,
    kind: GeomType,
    label: &str,
) -> Span {
    let mut problem = |message: &str, hint: &str| {
        ctx.report
            .error("mjcf::fromto", fromto.place, message)
            .element(label)
            .attribute("fromto")
            .hint(hint);
    };
    if !matches!(
        kind,
        GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box
    ) {
        problem(
            "fromto requires a capsule, cylinder, box or ellipsoid",
            "set `type`, or use `pos` and an orientation",
        );
    }
    if pos != Vec3::ZERO {
        problem("pos and fromto are both given", "keep one of them");
    }
    let [a, b, c, d, e, f] = fromto.value;
    let (direction, length) = normalize(Vec3([a - d, b - e, c - f]));
    let half = length / 2.0;
    if half < EPSILON {
        problem("the points of fromto are too close", "move them apart");
    }
    Span {
        pose: Pose {
            pos: Vec3([(a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0]),
            quat: from_z_to(direction),
        },
        half,
    }
}

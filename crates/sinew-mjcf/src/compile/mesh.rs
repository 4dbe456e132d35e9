//! Meshes: which need a hull, and the columns `mesh_*`.
//!
//! Meshes are compiled before the tree, which takes poses, sizes and masses from them, and written
//! after it, when it is known which are left.

use super::Context;
use crate::asset::mesh::{CompiledMesh, MeshError, MeshRequest, MeshSource, compile_mesh};
use crate::place::{At, Place};
use crate::source::AssetKind;
use crate::spec::asset::MeshTable;
use crate::spec::element::Element;
use crate::spec::held::Held;
use sinew_collision::bvh::Bvh;
use sinew_math::Quat;
use sinew_model::ModelArrays;
use sinew_model::kinds::{MeshBuiltin, MeshInertia, ObjectType};
use std::sync::Arc;

/// Compiles every mesh into [`Context::meshes`].
pub fn compile(ctx: &mut Context) {
    let spec = ctx.spec;
    let needs_hull = hulls(ctx);
    for (id, mesh) in spec.meshes.iter().enumerate() {
        if !ctx.has_time(mesh.table.place) {
            return;
        }
        let memory = ctx.source.memory();
        let before = memory.held();
        let compiled = compile_one(ctx, id, &mesh.table, needs_hull[id]);
        // What is left of the work is the mesh and its copy in the model.
        memory.give_back(memory.held().saturating_sub(before));
        let bytes = compiled.as_ref().map_or(0, |mesh| mesh.bytes());
        if let Err(shortage) = memory.take(bytes.saturating_mul(2)) {
            shortage.report("the mesh", mesh.table.place, ctx.report);
            return;
        }
        ctx.meshes.push(compiled.map(Arc::new));
    }
}

fn compile_one(
    ctx: &mut Context,
    id: usize,
    written: &MeshTable,
    needs_hull: bool,
) -> Option<CompiledMesh> {
    let class = ctx.class(written.class.as_ref(), "mesh");
    let settings = ctx.classes.mesh(class);
    let memory = ctx.source.memory();
    // What is written is completed in a copy, and read from it in rows.
    let inline = 2 * (written.heap() + settings.heap()) as u64;
    if let Err(shortage) = memory.take(inline) {
        shortage.report("the mesh", written.place, ctx.report);
        return None;
    }
    let mut table = written.clone();
    table.inherit(settings);
    let bytes = match &table.file {
        Some(file) => Some(ctx.asset(AssetKind::Mesh, file, "mesh", "file")?.0),
        None => None,
    };
    if !check(ctx, &table) {
        return None;
    }
    let mut request = request(&table, bytes.as_deref(), needs_hull);
    request.load = Some(ctx.source);
    if let Some(shape) = ctx.plugins.shape_of_mesh(id) {
        request.source = MeshSource::Distance(shape);
    }
    compile_mesh(&request)
        .map_err(|error| report(ctx, &table, &error))
        .ok()
}

/// Attributes that exclude each other.
fn check(ctx: &mut Context, table: &MeshTable) -> bool {
    let before = ctx.report.error_count();
    let mut problem = |place: Place, attribute: &str, message: &str| {
        ctx.report
            .error("mjcf::mesh", place, message)
            .element("mesh")
            .attribute(attribute);
    };
    if let Some(at) = table
        .maxhullvert
        .as_ref()
        .filter(|at| at.value != -1 && at.value < 4)
    {
        problem(at.place, "maxhullvert", "maxhullvert must be larger than 3");
    }
    if let Some(builtin) = &table.builtin {
        if table.params.is_none() {
            problem(
                builtin.place,
                "builtin",
                "builtin needs the attribute `params`",
            );
        }
        if table.file.is_some() {
            problem(
                builtin.place,
                "builtin",
                "builtin cannot be used with a mesh file",
            );
        }
        if table.vertex.is_some() {
            problem(
                builtin.place,
                "builtin",
                "builtin cannot be used with inline vertices",
            );
        }
    }
    ctx.report.error_count() == before
}

fn request<'a>(table: &'a MeshTable, bytes: Option<&'a [u8]>, needs_hull: bool) -> MeshRequest<'a> {
    fn list<T>(at: &Option<At<Vec<T>>>) -> &[T] {
        at.as_ref().map_or(&[], |at| at.value.as_slice())
    }
    fn text(at: &Option<At<String>>) -> &str {
        at.as_ref().map_or("", |at| at.value.as_str())
    }
    let builtin = table
        .builtin
        .as_ref()
        .map_or(MeshBuiltin::None, |at| at.value);
    MeshRequest {
        source: match bytes {
            Some(bytes) => MeshSource::File {
                name: text(&table.file),
                content_type: text(&table.content_type),
                bytes,
            },
            None if builtin != MeshBuiltin::None => MeshSource::Builtin {
                builtin,
                params: list(&table.params),
            },
            None => MeshSource::Inline,
        },
        vertex: list(&table.vertex),
        normal: list(&table.normal),
        texcoord: list(&table.texcoord),
        face: list(&table.face),
        refpos: table.refpos.as_ref().map_or([0.0; 3], |at| at.value),
        refquat: table
            .refquat
            .as_ref()
            .map_or(Quat::IDENTITY.0, |at| at.value),
        scale: table.scale.as_ref().map_or([1.0; 3], |at| at.value),
        smoothnormal: table.smoothnormal.as_ref().is_some_and(|at| at.value),
        maxhullvert: table.maxhullvert.as_ref().map_or(-1, |at| at.value),
        inertia: inertia(table),
        needs_hull,
        load: None,
    }
}

fn inertia(table: &MeshTable) -> MeshInertia {
    table
        .inertia
        .as_ref()
        .map_or(MeshInertia::Legacy, |at| at.value)
}

fn report(ctx: &mut Context, table: &MeshTable, error: &MeshError) {
    let place = table.file.as_ref().map_or(table.place, |file| file.place);
    if *error == MeshError::Late && !ctx.has_time(place) {
        return;
    }
    let name = table.name.as_ref().or(table.file.as_ref());
    let name = name.map_or("", |at| at.value.as_str());
    let entry = ctx
        .report
        .error("mjcf::mesh", place, format!("mesh `{name}`: {error}"))
        .element("mesh");
    if let MeshError::Attribute { attribute, .. } = error {
        entry.attribute(*attribute);
    }
    entry.hint(match error {
        MeshError::Format { .. } => "convert it to OBJ, binary STL or MSH",
        MeshError::Malformed { .. } => "is it the file that was meant? export it again",
        MeshError::Late | MeshError::Limit { .. } => "reduce the mesh, or raise the limit",
        MeshError::Attribute { .. } => "change the attribute, or leave it out",
        MeshError::Geometry { .. } => {
            "repair it: at least 4 corners not in a plane, faces that turn one way and enclose a volume"
        }
    });
}

/// Which meshes need their convex hull: those of geoms that collide by their bits or by a pair, and
/// those whose mass is that of the hull.
fn hulls(ctx: &mut Context) -> Vec<bool> {
    let mut needs = vec![false; ctx.spec.meshes.len()];
    if needs.is_empty() {
        return needs;
    }
    let mut in_pair = std::collections::HashSet::new();
    for pair in &ctx.spec.pairs {
        if !ctx.report.has_time(pair.place) {
            return needs;
        }
        for name in [&pair.geom1, &pair.geom2].into_iter().flatten() {
            if !name.value.is_empty() {
                in_pair.insert(name.value.as_str());
            }
        }
    }
    for geom in &ctx.tree.geoms {
        if !ctx.report.has_time(geom.place) {
            return needs;
        }
        let name = geom.table.mesh.as_ref().map_or("", |at| at.value.as_str());
        let Some(mesh) = ctx.names.find(ObjectType::Mesh, name) else {
            continue;
        };
        let is_convex = ctx.spec.meshes.get(mesh).is_some_and(|mesh| {
            let class = mesh.table.class.as_ref();
            let class = class.map_or(Some(0), |class| ctx.classes.find(&class.value));
            let inherited = class.and_then(|class| ctx.classes.mesh(class).inertia.as_ref());
            let given = mesh.table.inertia.as_ref().or(inherited);
            given.is_some_and(|at| at.value == MeshInertia::Convex)
        });
        let touches = geom.can_collide() || in_pair.contains(geom.name.as_str());
        if geom.is_mesh() && (touches || is_convex) {
            needs[mesh] = true;
        }
    }
    needs
}

/// Writes the meshes that are left; bounding-volume nodes follow those of the bodies. The memory of
/// this copy was taken when the meshes were made.
pub fn write(ctx: &mut Context, model: &mut ModelArrays) {
    let meshes = std::mem::take(&mut ctx.meshes);
    let total = |count: fn(&CompiledMesh) -> usize| -> usize {
        meshes.iter().flatten().map(|mesh| count(mesh)).sum()
    };
    let (vertices, faces) = (total(|m| m.vert.len()), total(|m| m.face.len()));
    let nodes = total(|m| m.bvh.depth.len());
    let room = model
        .mesh_vert
        .try_reserve_exact(vertices)
        .and_then(|()| {
            model
                .mesh_normal
                .try_reserve_exact(total(|m| m.normal.len()))
        })
        .and_then(|()| model.mesh_face.try_reserve_exact(faces))
        .and_then(|()| model.mesh_facenormal.try_reserve_exact(faces))
        .and_then(|()| model.mesh_facetexcoord.try_reserve_exact(faces))
        .and_then(|()| {
            model
                .mesh_polynormal
                .try_reserve_exact(total(|m| m.polynormal.len()))
        })
        .and_then(|()| model.bvh_aabb.try_reserve_exact(nodes))
        .and_then(|()| model.bvh_child.try_reserve_exact(nodes));
    if room.is_err() {
        ctx.report.error(
            "mjcf::memory",
            Place::default(),
            "the meshes do not fit the memory",
        );
        return;
    }
    for mesh in meshes.iter().flatten() {
        append(model, mesh);
    }
    model.nmesh = meshes.len();
    ctx.meshes = meshes;
}

fn append(model: &mut ModelArrays, mesh: &CompiledMesh) {
    let present = |count: usize, address: usize| if count > 0 { address as i32 } else { -1 };
    model.mesh_vertadr.push(model.nmeshvert as i32);
    model.mesh_vertnum.push(mesh.vert.len() as i32);
    model.mesh_faceadr.push(model.nmeshface as i32);
    model.mesh_facenum.push(mesh.face.len() as i32);
    model.mesh_normaladr.push(model.nmeshnormal as i32);
    model.mesh_normalnum.push(mesh.normal.len() as i32);
    model
        .mesh_texcoordadr
        .push(present(mesh.texcoord.len(), model.nmeshtexcoord));
    model.mesh_texcoordnum.push(mesh.texcoord.len() as i32);
    model
        .mesh_graphadr
        .push(present(mesh.graph.len(), model.nmeshgraph));
    model.mesh_octadr.push(-1);
    model.mesh_octnum.push(0);
    model.mesh_scale.push(mesh.scale);
    model.mesh_pos.push(mesh.pos);
    model.mesh_quat.push(mesh.quat);
    model.mesh_polyadr.push(model.nmeshpoly as i32);
    model.mesh_polynum.push(mesh.polynormal.len() as i32);

    model.mesh_vert.extend_from_slice(&mesh.vert);
    model.mesh_normal.extend_from_slice(&mesh.normal);
    model.mesh_texcoord.extend_from_slice(&mesh.texcoord);
    model.mesh_face.extend_from_slice(&mesh.face);
    model.mesh_facenormal.extend_from_slice(&mesh.facenormal);
    model
        .mesh_facetexcoord
        .extend_from_slice(&mesh.facetexcoord);
    model.mesh_graph.extend_from_slice(&mesh.graph);
    model.mesh_polynormal.extend_from_slice(&mesh.polynormal);
    let shift = model.nmeshpolyvert as i32;
    model
        .mesh_polyvertadr
        .extend(mesh.polyvertadr.iter().map(|address| address + shift));
    model.mesh_polyvertnum.extend_from_slice(&mesh.polyvertnum);
    model.mesh_polyvert.extend_from_slice(&mesh.polyvert);
    let shift = model.nmeshpolymap as i32;
    model
        .mesh_polymapadr
        .extend(mesh.polymapadr.iter().map(|address| address + shift));
    model.mesh_polymapnum.extend_from_slice(&mesh.polymapnum);
    model.mesh_polymap.extend_from_slice(&mesh.polymap);

    model.nmeshvert = model.mesh_vert.len();
    model.nmeshnormal = model.mesh_normal.len();
    model.nmeshtexcoord = model.mesh_texcoord.len();
    model.nmeshface = model.mesh_face.len();
    model.nmeshgraph = model.mesh_graph.len();
    model.nmeshpoly = model.mesh_polynormal.len();
    model.nmeshpolyvert = model.mesh_polyvert.len();
    model.nmeshpolymap = model.mesh_polymap.len();
    let (address, count) = append_bvh(model, &mesh.bvh);
    model.mesh_bvhadr.push(address);
    model.mesh_bvhnum.push(count);
}

/// Adds a bounding-volume tree; returns its address (−1 if empty) and number of nodes.
pub fn append_bvh(model: &mut ModelArrays, bvh: &Bvh) -> (i32, i32) {
    let address = model.bvh_depth.len();
    let count = bvh.depth.len();
    model.bvh_depth.extend_from_slice(&bvh.depth);
    model.bvh_child.extend_from_slice(&bvh.child);
    model.bvh_nodeid.extend_from_slice(&bvh.nodeid);
    model.bvh_aabb.extend_from_slice(&bvh.aabb);
    model.nbvh = model.bvh_depth.len();
    model.nbvhstatic = model.nbvh;
    (if count > 0 { address as i32 } else { -1 }, count as i32)
}

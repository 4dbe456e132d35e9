//! Sensors that threads of their own read.

use crate::plan::shapes;
use core::ops::Range;
use sinew_engine::ray::{RayFilter, counts};
use sinew_kernels::contact::Shapes;
use sinew_kernels::scene::{APART_WORDS, NODE_WORDS, TableData};
use sinew_kernels::sense::reads_distance;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::kinds::{EnableFlag, GeomType, ObjectType, SensorType};

/// Those of a model.
#[derive(Default)]
pub(crate) struct Gauged {
    /// Distances between geoms.
    pub distances: Vec<usize>,
    /// Rays that may meet meshes or height fields.
    pub rays: Vec<usize>,
    /// Touch spread over a surface.
    pub tactile: Vec<usize>,
    /// Kinetic energies of the step before.
    pub energies: Vec<usize>,
}

impl Gauged {
    /// To which of them a sensor belongs, if it does.
    pub fn list(
        &mut self,
        model: &Model,
        sensor: usize,
        kind: SensorType,
    ) -> Option<&mut Vec<usize>> {
        match kind {
            kind if reads_distance(kind) => Some(&mut self.distances),
            SensorType::Rangefinder if may_meet_triangles(model, sensor) => Some(&mut self.rays),
            SensorType::Tactile => Some(&mut self.tactile),
            // One reads the energy of the step before if energies are computed anyway.
            SensorType::EKinetic if model.opt.enableflags & EnableFlag::Energy.code() != 0 => {
                Some(&mut self.energies)
            }
            _ => None,
        }
    }

    /// Whether geoms are asked for as convex shapes, or meshes and height fields.
    pub fn need_solids(&self) -> bool {
        !self.distances.is_empty() || !self.rays.is_empty()
    }

    /// How many taxels there are.
    pub fn taxels(&self, model: &Model) -> usize {
        let count = |&sensor: &usize| model.mesh_vertnum[model.sensor_objid[sensor] as usize];
        self.tactile.iter().map(count).sum::<i32>() as usize
    }

    /// Packs them.
    pub fn add(&self, model: &Model, out: &mut TableData) {
        for &sensor in &self.distances {
            let first = out.apart_words.len() / APART_WORDS;
            add_pairs(model, sensor, out);
            out.distance_words.extend([
                model.sensor_type[sensor],
                model.sensor_adr[sensor],
                first as i32,
                (out.apart_words.len() / APART_WORDS - first) as i32,
                model.sensor_datatype[sensor],
            ]);
            out.distance_cutoffs.push(model.sensor_cutoff[sensor]);
        }
        if !self.distances.is_empty() {
            out.geom_bounds.extend(&model.geom_rbound);
        }
        for &sensor in &self.rays {
            out.ray_words.extend([
                model.sensor_objid[sensor],
                model.sensor_intprm[sensor][0],
                model.sensor_adr[sensor],
                model.sensor_dim[sensor],
                model.sensor_datatype[sensor],
            ]);
            out.ray_cutoffs.push(model.sensor_cutoff[sensor]);
        }
        if !self.rays.is_empty() {
            add_meshes(model, out);
        }
        for (index, &sensor) in self.tactile.iter().enumerate() {
            add_taxels(model, (index, sensor), out);
        }
        if !self.tactile.is_empty() {
            out.geom_types.extend(&model.geom_type);
        }
        for &sensor in &self.energies {
            out.energy_words
                .extend([model.sensor_adr[sensor], model.sensor_datatype[sensor]]);
            out.energy_cutoffs.push(model.sensor_cutoff[sensor]);
        }
    }
}

/// Adds the pairs of geoms of a sensor of distances that may have one, in the order in which they are looked at.
fn add_pairs(model: &Model, sensor: usize, out: &mut TableData) {
    let geoms_of = |kinds: &[i32], ids: &[i32]| geoms(model, kinds[sensor], ids[sensor]);
    let first = geoms_of(&model.sensor_objtype, &model.sensor_objid);
    let second = geoms_of(&model.sensor_reftype, &model.sensor_refid);
    for one in first {
        for other in second.clone() {
            let kind = |geom: usize| GeomType::from_code(model.geom_type[geom]);
            let (Some(a), Some(b)) = (kind(one), kind(other)) else {
                continue;
            };
            let is_flipped = a.code() > b.code();
            let kinds = if is_flipped { [b, a] } else { [a, b] };
            // What is refused where shapes touch is not read.
            let Ok(Some(shapes)) = shapes(model, kinds) else {
                continue;
            };
            let shapes = match shapes {
                Shapes::BoxBox => Shapes::Convex,
                shapes => shapes,
            };
            let words = [one, other, shapes as usize, usize::from(is_flipped)];
            out.apart_words.extend(words.map(|word| word as i32));
        }
    }
}

/// A geom, or all geoms of a body.
fn geoms(model: &Model, kind: i32, id: i32) -> Range<usize> {
    let Ok(id) = usize::try_from(id) else {
        return 0..0;
    };
    if kind != ObjectType::Body.code() {
        return id..id + 1;
    }
    match usize::try_from(model.body_geomadr[id]) {
        Ok(start) => start..start + model.body_geomnum[id] as usize,
        Err(_) => 0..0,
    }
}

/// Adds a tactile sensor and its taxels.
fn add_taxels(model: &Model, (index, sensor): (usize, usize), out: &mut TableData) {
    let (mesh, geom) = (
        model.sensor_objid[sensor] as usize,
        model.sensor_refid[sensor] as usize,
    );
    let taxels = model.mesh_vertnum[mesh];
    out.tactile_words.extend([
        geom as i32,
        model.body_weldid[model.geom_bodyid[geom] as usize],
        model.sensor_adr[sensor],
        taxels,
        model.sensor_datatype[sensor],
    ]);
    out.tactile_cutoffs.push(model.sensor_cutoff[sensor]);
    let wide = |v: [f32; 3]| Vec3(v.map(f64::from));
    let (first, first_normal) = (
        model.mesh_vertadr[mesh] as usize,
        model.mesh_normaladr[mesh] as usize,
    );
    for taxel in 0..taxels as usize {
        out.taxel_words.extend([index as i32, taxel as i32]);
        out.taxel_numbers
            .extend(wide(model.mesh_vert[first + taxel]).0);
        for axis in 0..3 {
            // Normal and two tangents of each taxel stand one after the other.
            let normal = model.mesh_normal.get(first_normal + 3 * taxel + axis);
            let normal = normal.map_or(Vec3::ZERO, |&normal| wide(normal));
            let is_none = normal == Vec3::ZERO;
            let turned = model.mesh_quat[mesh].rotate(normal);
            out.taxel_numbers
                .extend(if is_none { normal.0 } else { turned.0 });
        }
    }
}

/// Whether the ray of a sensor may meet the triangles of a geom.
fn has_triangles(model: &Model, body: usize, geom: usize) -> bool {
    let filter = RayFilter {
        excluded_body: Some(body),
        ..RayFilter::default()
    };
    let kind = GeomType::from_code(model.geom_type[geom]);
    counts(model, geom, &filter) && matches!(kind, Some(GeomType::Mesh | GeomType::Hfield))
}

fn may_meet_triangles(model: &Model, sensor: usize) -> bool {
    let body = model.site_bodyid[model.sensor_objid[sensor] as usize] as usize;
    (0..model.ngeom).any(|geom| has_triangles(model, body, geom))
}

/// Adds the boxes of meshes that rays may meet, in the order in which a ray comes to them.
fn add_meshes(model: &Model, out: &mut TableData) {
    for mesh in 0..model.nmesh {
        out.node_starts.push((out.node_boxes.len() / 6) as i32);
        let is_mesh = |&geom: &usize| {
            model.geom_type[geom] == GeomType::Mesh.code() && model.geom_dataid[geom] == mesh as i32
        };
        let mut geoms = (0..model.ngeom).filter(is_mesh);
        if geoms.any(|geom| counts(model, geom, &RayFilter::default())) {
            add_nodes(model, mesh, out);
        }
    }
    out.node_starts.push((out.node_boxes.len() / 6) as i32);
}

fn add_nodes(model: &Model, mesh: usize, out: &mut TableData) {
    /// What is still to be done: the last first.
    enum Task {
        Visit(i32),
        Leave(usize),
    }
    if model.mesh_bvhnum[mesh] == 0 {
        return;
    }
    let (start, vertices) = (model.mesh_bvhadr[mesh], model.mesh_vertadr[mesh]);
    let mut tasks = vec![Task::Visit(0)];
    while let Some(task) = tasks.pop() {
        let node = match task {
            Task::Visit(node) => (start + node) as usize,
            Task::Leave(place) => {
                out.node_words[place * NODE_WORDS] = (out.node_boxes.len() / 6) as i32;
                continue;
            }
        };
        let face = usize::try_from(model.bvh_nodeid[node]).ok();
        let corners = face.map_or([-1; 3], |face| {
            let face = model.mesh_face[model.mesh_faceadr[mesh] as usize + face];
            face.map(|corner| vertices + corner)
        });
        let place = out.node_boxes.len() / 6;
        out.node_words.push(0);
        out.node_words.extend(corners);
        out.node_boxes.extend(model.bvh_aabb[node]);
        tasks.push(Task::Leave(place));
        if face.is_none() {
            let children = model.bvh_child[node].into_iter();
            tasks.extend(children.filter(|&child| child >= 0).map(Task::Visit));
        }
    }
}

//! Geoms that follow a mesh: one that shows it stands in its frame, a primitive is fitted to it.

use super::Geom;
use super::shape::larger;
use crate::asset::mesh::CompiledMesh;
use crate::compile::Context;
use crate::compile::pose::{Pose, rotate};
use crate::place::Place;
use sinew_math::Vec3;
use sinew_model::kinds::GeomType;

/// Moves a geom into the frame of its mesh and sizes a primitive. `false`: its type cannot be fitted,
/// which has been reported.
pub fn follow(ctx: &mut Context, geom: &mut Geom, mesh: &CompiledMesh, label: &str) -> bool {
    let table = &geom.table;
    if let Some(fromto) = &table.fromto {
        ctx.report
            .error(
                "mjcf::fromto",
                fromto.place,
                "fromto cannot be used together with a mesh",
            )
            .element(label)
            .attribute("fromto");
    }
    let mut centre = Vec3::ZERO;
    if geom.is_mesh() {
        if table.shellinertia.as_ref().is_some_and(|at| at.value) {
            ctx.report
                .error(
                    "mjcf::shellinertia",
                    geom.place,
                    "for mesh geoms, inertia is specified in the mesh asset",
                )
                .element(label)
                .attribute("shellinertia")
                .hint("set inertia=\"shell\" on the `mesh`");
        }
    } else {
        let compiler = ctx.compiler(Place::default());
        let uses_box = compiler.fitaabb.as_ref().is_some_and(|at| at.value);
        let scale = table.fitscale.as_ref().map_or(1.0, |at| at.value);
        let Some((size, found)) = fit(geom.kind(), geom.size, mesh, uses_box) else {
            ctx.report
                .error(
                    "mjcf::fit",
                    geom.place,
                    "this type of geom cannot be fitted to a mesh",
                )
                .element(label)
                .attribute("type");
            return false;
        };
        geom.size = size.map(|s| s * scale);
        centre = found;
    }
    let frame = Pose {
        pos: rotate(mesh.quat, centre) + mesh.pos,
        quat: mesh.quat,
    };
    geom.pose = geom.pose.compose(&frame);
    true
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

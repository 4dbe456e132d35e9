//! Sites: shape and pose.

use super::span::Span;
use super::{Tree, element, geom};
use crate::compile::Context;
use crate::compile::orientation::Oriented;
use crate::compile::pose::{Pose, unit};
use crate::place::Place;
use crate::spec::tree as written;
use sinew_math::Vec3;
use sinew_model::kinds::GeomType;

/// A site of the flattened tree.
#[derive(Clone, Debug, Default)]
pub struct Site {
    /// Its name; empty if it has none.
    pub name: String,
    /// Where it was written.
    pub place: Place,
    /// What was written, completed by its class.
    pub table: Box<written::Site>,
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
    /// Material.
    pub material: Option<usize>,
}

impl Site {
    /// The shape.
    pub fn kind(&self) -> GeomType {
        self.table
            .kind
            .as_ref()
            .map_or(GeomType::Sphere, |at| at.value)
    }
}

/// Compiles a site.
pub fn compile(ctx: &mut Context, tree: &mut Tree, index: usize) {
    let site = &mut tree.sites[index];
    let label = element("site", &site.name);
    let kind = site.kind();
    if matches!(kind, GeomType::Mesh | GeomType::Hfield | GeomType::Plane) {
        ctx.report
            .error(
                "mjcf::site-type",
                site.place,
                "a site cannot be a mesh, a height field or a plane",
            )
            .element(label.as_str())
            .attribute("type");
        return;
    }
    let table = &site.table;
    site.size = table
        .size
        .as_ref()
        .map_or([0.005; 3], |at| at.value.over([0.005; 3]));
    let pos = table.pos.as_ref().map_or(Vec3::ZERO, |at| Vec3(at.value));
    if let Some(fromto) = &table.fromto {
        let span = Span::between(ctx, fromto, pos, kind, &label);
        site.pose = span.pose;
        site.size = span.sizes(kind, site.size);
    } else {
        let orientation = table.orientation();
        site.pose = Pose {
            pos,
            quat: orientation.resolve(site.place, ctx.spec, &label, ctx.report),
        };
    }
    if let Some(frame) = site.frame {
        site.pose = tree.frames[frame].compose(&site.pose);
    }
    site.pose.quat = unit(site.pose.quat);
    geom::check_size(ctx, kind, site.size, site.place, &label);
    if let Some(material) = &table.material {
        site.material = geom::material(ctx, material, &label);
    }
}

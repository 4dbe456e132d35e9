//! The bodies of a flexcomp: point masses that slide along the axes of their parent.

use super::part::{Part, indices};
use super::settings::{Settings, or};
use crate::compile::pose::normalize;
use crate::place::At;
use crate::spec::tree::{Body, Child, Flexcomp, Geom, GeomTable, Inertial, Joint, Plugin};
use crate::spec::value::{FlexcompDof, Prefix};
use sinew_math::Vec3;
use sinew_model::kinds::{GeomType, JointType};

/// Parts of the mass that the three nodes along an axis carry.
const QUADRATIC_MASS: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
/// What a point costs in the lists of a flex: its body's name and its position.
const LISTED_BYTES: usize = 100;
/// Group of the geoms of vertices.
const VERTEX_GROUP: i32 = 4;

/// Number of elements that the bodies consist of, and the bytes they hold, with the lists that name
/// them.
pub fn cost(flexcomp: &Flexcomp, part: &Part) -> (usize, usize) {
    let collides = usize::from(collides(flexcomp));
    let plugins = flexcomp.plugins.len();
    let elements = 5 + collides + plugins;
    let bytes = size_of::<Body>()
        + size_of::<Inertial>()
        + 3 * size_of::<Joint>()
        + collides * size_of::<Geom>()
        + plugins * size_of::<Plugin>()
        // The list of children may have grown.
        + 2 * elements * size_of::<Child>();
    let count = part.moving();
    let listed = part.points.len().saturating_mul(LISTED_BYTES);
    (
        count.saturating_mul(elements).saturating_add(1),
        count.saturating_mul(bytes).saturating_add(listed),
    )
}

fn collides(flexcomp: &Flexcomp) -> bool {
    let contact = flexcomp.contact.as_ref();
    contact.is_some_and(|contact| or(&contact.vertcollide, false))
}

/// Makes the bodies of all points, or of all nodes, that move.
pub fn make(settings: &Settings, flexcomp: &Flexcomp, name: &str, part: &Part) -> Vec<Body> {
    if part.is_rigid {
        return Vec::new();
    }
    let maker = Maker { settings, flexcomp };
    if part.nodes_per_axis > 0 {
        let nodes = indices(part.nodes_per_axis)
            .zip(&part.nodes)
            .zip(&part.pinned);
        return nodes
            .filter(|(_, pinned)| !**pinned)
            .map(|((index, pos), _)| maker.node(name, index, *pos))
            .collect();
    }
    let mass = settings.mass / part.points.len() as f64;
    let points = part.points.iter().enumerate();
    points
        .filter(|(id, _)| part.has_body(*id))
        .map(|(id, pos)| maker.vertex(format!("{name}_{id}"), *pos, mass))
        .collect()
}

/// Names of the bodies of vertices and nodes.
pub fn owners(part: &Part, parent: &str, bodies: &[Body]) -> (Vec<String>, Vec<String>) {
    if part.is_rigid {
        return (vec![parent.to_string()], Vec::new());
    }
    let mut own = bodies
        .iter()
        .map(|body| or(&body.table.name, String::new()));
    let mut owner = |has_own: bool| {
        let own = if has_own { own.next() } else { None };
        own.unwrap_or_else(|| parent.to_string())
    };
    let vertices = (0..part.points.len()).map(|id| owner(part.has_body(id)));
    let vertices = vertices.collect();
    let nodes = part.nodes.iter().zip(&part.pinned);
    let nodes = nodes.map(|(_, pinned)| owner(!*pinned)).collect();
    (vertices, nodes)
}

/// Puts the joints and geoms of a body into a class.
pub fn set_class(body: &mut Body, class: &str) {
    for child in &mut body.children {
        let (slot, place) = match child {
            Child::Joint(joint) => (&mut joint.class, joint.place),
            Child::Geom(geom) => (&mut geom.table.class, geom.table.place),
            _ => continue,
        };
        *slot = Some(At::new(class.to_string(), place));
    }
}

struct Maker<'a> {
    settings: &'a Settings<'a>,
    flexcomp: &'a Flexcomp,
}

impl Maker<'_> {
    fn vertex(&self, name: String, pos: Vec3, mass: f64) -> Body {
        let mut body = self.body(name, pos, mass, Some(VERTEX_GROUP));
        if self.settings.dof == FlexcompDof::Radial {
            self.slide(&mut body, normalize(pos).0);
        } else {
            self.slides(&mut body);
        }
        body.children.extend(plugin(self.flexcomp));
        body
    }

    fn node(&self, name: &str, [i, j, k]: [usize; 3], pos: Vec3) -> Body {
        let part = |index: usize| QUADRATIC_MASS.get(index).copied().unwrap_or(0.0);
        let mass = if self.settings.dof == FlexcompDof::Trilinear {
            self.settings.mass / 8.0
        } else {
            self.settings.mass * part(i) * part(j) * part(k)
        };
        let mut body = self.body(format!("{name}_{i}_{j}_{k}"), pos, mass, None);
        self.slides(&mut body);
        body
    }

    /// A body with its mass, and with a ball to collide with if vertices do.
    fn body(&self, name: String, pos: Vec3, mass: f64, group: Option<i32>) -> Body {
        let place = self.settings.table.place;
        let side = self.settings.inertiabox;
        let inertia = mass * (2.0 * side * side) / 3.0;
        let mut body = Body::default();
        body.table.place = place;
        body.table.name = Some(At::new(name, place));
        body.table.pos = Some(At::new(pos.0, place));
        body.children.push(Child::Inertial(Box::new(Inertial {
            place,
            pos: Some(At::new([0.0; 3], place)),
            mass: Some(At::new(mass, place)),
            diaginertia: Some(At::new([inertia; 3], place)),
            ..Inertial::default()
        })));
        if collides(self.flexcomp) {
            let size = Prefix {
                values: [self.settings.radius, 0.0, 0.0],
                count: 1,
            };
            body.children.push(Child::Geom(Box::new(Geom {
                table: GeomTable {
                    place,
                    kind: Some(At::new(GeomType::Sphere, place)),
                    size: Some(At::new(size, place)),
                    group: group.map(|group| At::new(group, place)),
                    ..GeomTable::default()
                },
                plugins: Vec::new(),
            })));
        }
        body
    }

    fn slides(&self, body: &mut Body) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.slide(body, axis);
        }
    }

    fn slide(&self, body: &mut Body, axis: Vec3) {
        let place = self.settings.table.place;
        body.children.push(Child::Joint(Box::new(Joint {
            place,
            kind: Some(At::new(JointType::Slide, place)),
            pos: Some(At::new([0.0; 3], place)),
            axis: Some(At::new(axis.0, place)),
            ..Joint::default()
        })));
    }
}

/// The plugin of a flexcomp as its bodies refer to it.
pub fn plugin(flexcomp: &Flexcomp) -> Option<Child> {
    let mut plugin = flexcomp.plugins.first()?.clone();
    plugin.config.clear();
    if plugin.table.instance.is_none() {
        let name = super::instance_name(flexcomp);
        plugin.table.instance = Some(At::new(name, plugin.table.place));
    }
    Some(Child::Plugin(Box::new(plugin)))
}

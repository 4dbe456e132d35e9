//! Flexcomps: a deformable body made from a shape.
//!
//! ```text
//! settings ─→ shape (grid, surface, file, listed) ─→ scale, pose ─→ pins ─→ unused points dropped
//!   ─→ one flex, a body for every point that moves (or for 8 or 27 nodes), one equality if asked for
//! ```
//!
//! The bodies become children of the body that the flexcomp stands in, whose frames and their classes
//! do not apply to them: they stand beside the frames. Conforms to `mjCFlexcomp`.
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | attributes with defaults, checked |
//! | `shape.rs` | points and elements, checked |
//! | `grid.rs`, `surface.rs`, `file.rs` | where they come from |
//! | `pin.rs` | which points stay on the parent |
//! | `part.rs` | points in the parent, unused ones dropped |
//! | `bodies.rs` | the bodies of points and nodes |
//! | `fault.rs` | what can be wrong |

mod bodies;
mod fault;
mod file;
mod grid;
mod part;
mod pin;
mod settings;
mod shape;
mod surface;

use super::walk::Scope;
use super::{Assembly, Shared, cable, plugins};
use crate::place::{At, Place};
use crate::spec::constraint::{Equality, EqualityKind, EqualityTable};
use crate::spec::extra::{Flex, FlexTable};
use crate::spec::tree::{Body, Child, FlexEdge, Flexcomp, Frame};
use crate::spec::value::{FlexEdgeEquality, FlexcompType, NameList};
use fault::Fault;
use part::Part;
use settings::{Settings, or};
use shape::Shape;
use sinew_model::kinds::ObjectType;

/// What a flexcomp becomes.
struct Made {
    flex: Flex,
    bodies: Vec<Body>,
    equality: Option<Equality>,
    /// Whether a vertex stays on the parent, which then has the plugin, too.
    has_fixed: bool,
}

impl Assembly {
    pub(super) fn flexcomp(&mut self, flexcomp: &Flexcomp, scope: &mut Scope, shared: &mut Shared) {
        match self.make_flexcomp(flexcomp, scope, shared) {
            Ok(Some(made)) => self.take_flexcomp(flexcomp, made, scope, shared),
            Ok(None) => {}
            Err(fault) => fault.report(shared.report),
        }
    }

    /// Makes the parts; `None` if a limit was passed, which is reported.
    fn make_flexcomp(
        &self,
        flexcomp: &Flexcomp,
        scope: &Scope,
        shared: &mut Shared,
    ) -> Result<Option<Made>, Fault> {
        let table = &flexcomp.table;
        check_parent(table.place, scope, self.replicates > 0)?;
        let settings = Settings::read(flexcomp, shared.documents, shared.report)?;
        let shape = Shape::make(&settings, shared);
        if !shared.has_time(table.place) {
            return Ok(None);
        }
        let shape = shape?;
        let pinned = pin::pinned(&settings, &flexcomp.pins, shape.dim, shape.points.len())?;
        let part = Part::new(&settings, shape, pinned);
        let most = shared.source.limits().bodies;
        if part.moving() > most {
            return Err(Fault::new(
                settings::place(&table.count, table.place),
                "count",
                format!(
                    "{} points would become bodies, {most} are possible",
                    part.moving()
                ),
                "make the counts smaller, pin points, or interpolate them with dof=\"trilinear\"",
            )
            .code("mjcf::too-many-bodies"));
        }
        let (elements, bytes) = bodies::cost(flexcomp, &part);
        if !shared.spend(elements, bytes, table.place) {
            return Ok(None);
        }
        let name = or(&table.name, String::new());
        let bodies = bodies::make(&settings, flexcomp, &name, &part);
        Ok(Some(Made {
            equality: (!part.is_rigid).then(|| equality(flexcomp)).flatten(),
            has_fixed: !part.is_rigid && (0..part.points.len()).any(|id| !part.has_body(id)),
            flex: flex(&settings, flexcomp, &scope.name, part, &bodies),
            bodies,
        }))
    }

    /// Adds the parts to the model.
    fn take_flexcomp(
        &mut self,
        flexcomp: &Flexcomp,
        made: Made,
        scope: &mut Scope,
        shared: &mut Shared,
    ) {
        self.insert(ObjectType::Flex, &made.flex.table.name, shared);
        self.spec.flexes.push(made.flex);
        if let Some(equality) = made.equality {
            self.add_neutral_class();
            self.lists.equalities.push(equality);
        }
        let own = plugins::shared_instance(flexcomp.plugins.first(), instance_name(flexcomp));
        if let Some((plugin, instance)) = own {
            self.add_instance(&plugin, instance);
        }
        close_frames(scope);
        let Some(level) = scope.levels.first_mut() else {
            return;
        };
        if let (Some(plugin), true) = (bodies::plugin(flexcomp), made.has_fixed) {
            level.children.push(plugin);
        }
        let class = level.class.clone();
        let inherited = class.as_deref().unwrap_or("main");
        let taken = self.taken_classes.get(inherited).cloned();
        for mut body in made.bodies {
            if let Some(taken) = &taken {
                bodies::set_class(&mut body, taken);
            }
            if let Some(name) = &body.table.name {
                self.names.insert(ObjectType::Body, &name.value);
            }
            self.ledger_body(&body, class.clone());
            level.children.push(Child::Body(Box::new(body)));
        }
    }
}

/// The parent needs a name, because a flex refers to its bodies by name; and a copy of a flex would
/// have the name of its original.
fn check_parent(place: Place, scope: &Scope, is_copied: bool) -> Result<(), Fault> {
    if scope.name.is_empty() && !scope.is_replicate {
        return Err(Fault::whole(
            place,
            "the body that a flexcomp stands in must have a name",
            "give the body the attribute `name`",
        ));
    }
    if is_copied {
        return Err(Fault::whole(
            place,
            "a flexcomp cannot stand in a replicate: all copies would have its name",
            "write one flexcomp for every copy",
        )
        .code("mjcf::repeated-name"));
    }
    Ok(())
}

/// Closes the frames that are open, so that what comes next stands beside them, and opens them again.
fn close_frames(scope: &mut Scope) {
    for open in (1..scope.levels.len()).rev() {
        let Some((outer, inner)) = scope.levels.split_at_mut_checked(open) else {
            return;
        };
        let (Some(outer), Some(inner)) = (outer.last_mut(), inner.first_mut()) else {
            return;
        };
        if let Some(table) = &mut inner.frame
            && !inner.children.is_empty()
        {
            outer.children.push(Child::Frame(Box::new(Frame {
                table: table.clone(),
                children: core::mem::take(&mut inner.children),
            })));
            table.name = None;
        }
    }
}

/// The flex.
fn flex(
    settings: &Settings,
    flexcomp: &Flexcomp,
    parent: &str,
    part: Part,
    bodies: &[Body],
) -> Flex {
    let table = settings.table;
    let place = table.place;
    let at = |names: Vec<String>| Some(At::new(NameList(names), place));
    let is_flat = matches!(settings.kind, FlexcompType::Box | FlexcompType::Cylinder)
        || (settings.kind == FlexcompType::Grid && part.dim == 3);
    let (vertices, nodes) = bodies::owners(&part, parent, bodies);
    let edge = flexcomp.edge.as_ref();
    Flex {
        table: FlexTable {
            place,
            name: table.name.clone(),
            group: table.group.clone(),
            dim: Some(At::new(part.dim as i32, place)),
            radius: table.radius.clone(),
            material: table.material.clone(),
            rgba: table.rgba.clone(),
            flatskin: if is_flat {
                Some(At::new(true, place))
            } else {
                table.flatskin.clone()
            },
            body: at(vertices),
            vertex: part.vertices().map(|vertices| At::new(vertices, place)),
            node: (!nodes.is_empty()).then(|| at(nodes)).flatten(),
            element: Some(At::new(part.elements, place)),
            texcoord: (!part.texcoord.is_empty()).then(|| At::new(part.texcoord, place)),
            elemtexcoord: (!part.element_texcoord.is_empty())
                .then(|| At::new(part.element_texcoord, place)),
            sinew_bending: table.sinew_bending.clone(),
            sinew_elasticity: table.sinew_elasticity.clone(),
        },
        contact: flexcomp.contact.clone(),
        edge: edge.map(|edge| FlexEdge {
            place: edge.place,
            stiffness: edge.stiffness.clone(),
            damping: edge.damping.clone(),
            ..FlexEdge::default()
        }),
        elasticity: flexcomp.elasticity.clone(),
        node_positions: part.node_positions,
    }
}

/// The equality that holds edges or vertices; it takes nothing from the default classes.
fn equality(flexcomp: &Flexcomp) -> Option<Equality> {
    let edge = flexcomp.edge.clone().unwrap_or_else(|| FlexEdge {
        place: flexcomp.table.place,
        ..FlexEdge::default()
    });
    let law = flexcomp.table.sinew_elasticity.as_ref();
    let is_held = law.is_some_and(|law| law.value.trim() == "linear_edge");
    let kind = match edge.equality.as_ref().map(|at| at.value) {
        None | Some(FlexEdgeEquality::False) if !is_held => return None,
        None | Some(FlexEdgeEquality::False | FlexEdgeEquality::True) => EqualityKind::Flex,
        Some(FlexEdgeEquality::Vert) => EqualityKind::FlexVert,
    };
    let place = edge.place;
    Some(Equality {
        kind,
        table: EqualityTable {
            place,
            class: Some(At::new(cable::NEUTRAL_CLASS.to_string(), place)),
            flex: flexcomp.table.name.clone(),
            solref: edge.solref.clone(),
            solimp: edge.solimp.clone(),
            ..EqualityTable::default()
        },
    })
}

/// What the instance is called that the bodies share when the flexcomp configures its plugin itself.
fn instance_name(flexcomp: &Flexcomp) -> String {
    format!("flexcomp_{}", or(&flexcomp.table.name, String::new()))
}

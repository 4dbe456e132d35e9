//! Flexes: topology, elasticity, surfaces and bounding volumes, and the columns `flex*`.
//!
//! A flex is compiled after the tree, whose bodies its vertices are fixed to. What depends on degrees of
//! freedom and on `qpos0` (patterns of Jacobians, lengths, weights) is completed with the other
//! constants. Conforms to `mjCFlex`.
//!
//! ```text
//! written ─→ vertices in the world ─→ tetrahedra turned outwards ─→ edges, flaps
//!   ─→ stiffness, bending ─→ surface, layers, pairs ─→ boxes, tree ─→ columns
//! ```
//!
//! | file | what |
//! |---|---|
//! | `written.rs` | attributes with defaults, checked |
//! | `place.rs` | bodies, and where vertices and nodes stand in the world |
//! | `edge.rs` | edges and what lies across them |
//! | `stiffness.rs`, `bending.rs`, `interpolated.rs` | elasticity |
//! | `shell.rs` | surface, layers below it, pairs of element and vertex |
//! | `volume.rs` | boxes around the elements, their tree |
//! | `pattern.rs` | sizes of the Jacobians |
//! | `columns.rs` | what is written to the model |

mod bending;
mod columns;
mod edge;
mod interpolated;
mod pattern;
mod place;
mod shell;
mod stiffness;
mod volume;
mod written;

use super::Context;
use super::tree::element;
use crate::asset::pace::{Late, Pace};
use crate::place::Place;
use crate::spec::extra::Flex;
use crate::spec::value::Elastic2d;
use edge::Edges;
use place::{Poses, Vertices};
use shell::Shell;
use sinew_collision::bvh::Bvh;
use sinew_math::{MIN_VALUE, Vec3};
use sinew_model::ModelArrays;
use written::Written;

/// Bytes that a vertex and an element take while a flex is compiled, with their edges, boxes and columns
/// that grew.
const VERTEX_MEMORY: u64 = 500;
const ELEMENT_MEMORY: u64 = 1500;

/// Numbers of an element's stiffness that a model stores.
const STIFFNESS: usize = 21;
/// Numbers of an edge's bending that a model stores.
const BENDING: usize = 17;

/// A flex with everything that follows from it alone.
struct Compiled<'a> {
    written: Written<'a>,
    vertices: Vertices,
    /// Points of each element, dim + 1 in a row, tetrahedra turned outwards.
    elements: Vec<i32>,
    /// Texture coordinates of the corners of elements.
    element_texcoord: Vec<i32>,
    edges: Edges,
    /// Per element; empty without elasticity.
    stiffness: Vec<f64>,
    /// Per edge; empty without bending.
    bending: Vec<f64>,
    shell: Shell,
    volumes: Bvh,
    /// Half sizes of the box around all vertices.
    size: [f64; 3],
    /// Vertices within that box, 0 to 1 along each axis.
    relative: Vec<Vec3>,
}

/// Compiles all flexes and appends their columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    if spec.flexes.is_empty() {
        return;
    }
    let poses = Poses::of(&ctx.tree);
    let source = ctx.source;
    let goes_on = || !source.is_overdue();
    let pace = Pace::new(&goes_on);
    for flex in &spec.flexes {
        let compiled = one(ctx, flex, &poses, &pace).and_then(|compiled| {
            let held = columns::equality(ctx, compiled.written.name);
            check_plane(&compiled, held)?;
            pattern::count(&ctx.tree, &compiled, model, &pace)?;
            columns::append(ctx, model, &compiled, &pace)?;
            Ok(())
        });
        if !ctx.has_time(flex.table.place) {
            return;
        }
        if let Err(fault) = compiled {
            fault.report(ctx, flex);
        }
    }
    let bytes = 4 * (model.nJfe as u64).saturating_add(2 * model.nJfv as u64);
    if let Err(shortage) = ctx.source.memory().take(bytes) {
        let place = spec.flexes.first().map(|flex| flex.table.place);
        shortage.report(
            "the Jacobians of flexes",
            place.unwrap_or_default(),
            ctx.report,
        );
    }
}

fn one<'a>(
    ctx: &mut Context,
    flex: &'a Flex,
    poses: &Poses,
    pace: &Pace,
) -> Result<Compiled<'a>, Fault> {
    pace.look()?;
    take_memory(ctx, flex)?;
    let written = Written::read(ctx, flex)?;
    let vertices = Vertices::place(ctx, flex, &written, poses)?;
    let dim = written.dim;
    let mut elements = written.elements.to_vec();
    let element_texcoord = written.element_texcoord(&elements);
    pace.look()?;
    check_elements(&written, &elements, vertices.world.len(), pace)?;
    if dim == 3 {
        edge::turn_outwards(&mut elements, &vertices.world);
    }
    pace.look()?;
    let edges = Edges::find(&elements, dim, pace)?;
    let mut stiffness = Vec::new();
    let mut bending = Vec::new();
    if written.young > 0.0 {
        stiffness = elasticity(&written, &vertices, &elements, pace)?;
        if dim == 2 && written.bends() {
            bending = bending::all(&written, &vertices.world, &edges, pace)?;
        }
    }
    let shell = Shell::find(&elements, dim, vertices.world.len(), pace)?;
    let volumes = volume::build(&written, &vertices.world, &elements, &shell.layers, pace)?;
    let (size, relative) = volume::relative(&vertices.world, &volumes, written.radius);
    Ok(Compiled {
        element_texcoord: if written.texcoord.is_empty() {
            elements.clone()
        } else {
            element_texcoord
        },
        written,
        vertices,
        elements,
        edges,
        stiffness,
        bending,
        shell,
        volumes,
        size,
        relative,
    })
}

/// Takes the memory of a flex before it is compiled.
fn take_memory(ctx: &mut Context, flex: &Flex) -> Result<(), Fault> {
    let table = &flex.table;
    let bodies = table.body.as_ref().map_or(0, |at| at.value.0.len());
    let vertices = table.vertex.as_ref().map_or(0, |at| at.value.len() / 3);
    let corners = table.element.as_ref().map_or(0, |at| at.value.len());
    let dim = table.dim.as_ref().map_or(2, |at| at.value).clamp(1, 3) as usize;
    let elements = (corners / (dim + 1)) as u64;
    let bytes = (bodies.max(vertices) as u64)
        .saturating_mul(VERTEX_MEMORY)
        .saturating_add(elements.saturating_mul(ELEMENT_MEMORY));
    ctx.source.memory().take(bytes).map_err(|shortage| {
        shortage.report("the flex", table.place, ctx.report);
        Fault::reported()
    })
}

/// Stiffness of all elements, or of the nodes of an interpolated flex.
fn elasticity(
    written: &Written,
    vertices: &Vertices,
    elements: &[i32],
    pace: &Pace,
) -> Result<Vec<f64>, Fault> {
    let is_stretched = matches!(written.elastic2d, Elastic2d::Stretch | Elastic2d::Both);
    let stiffness = if !vertices.node_world.is_empty() {
        interpolated::stiffness(
            written,
            &vertices.node_world,
            elements.len() / (written.dim + 1),
        )?
    } else if written.dim == 3 {
        stiffness::solids(written, &vertices.world, elements, pace)?
    } else if written.dim == 2 && is_stretched && written.thickness > 0.0 {
        stiffness::triangles(written, &vertices.world, elements, pace)?
    } else {
        return Ok(vec![0.0; STIFFNESS * (elements.len() / (written.dim + 1))]);
    };
    for (element, numbers) in stiffness.chunks(STIFFNESS).enumerate() {
        pace.after(size_of_val(numbers))?;
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(Fault::new(
                written.place,
                "element",
                format!("element {element} is too flat or too small to be elastic"),
                "give elements an extent in all their dimensions, or leave out young",
            ));
        }
    }
    Ok(stiffness)
}

/// Elements refer to vertices that exist, and to each once.
fn check_elements(
    written: &Written,
    elements: &[i32],
    count: usize,
    pace: &Pace,
) -> Result<(), Fault> {
    let place = written.element_place;
    let is_outside = |id: &&i32| usize::try_from(**id).map_or(true, |id| id >= count);
    if let Some(id) = elements.iter().find(is_outside) {
        return Err(Fault::new(
            place,
            "element",
            format!("an element has vertex {id}, there are {count}"),
            "vertices are counted from 0",
        ));
    }
    for (index, corners) in elements.chunks_exact(written.dim + 1).enumerate() {
        pace.after(size_of_val(corners))?;
        let mut sorted = [0; 4];
        for (slot, corner) in sorted.iter_mut().zip(corners) {
            *slot = *corner;
        }
        let sorted = &mut sorted[..corners.len()];
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Fault::new(
                place,
                "element",
                format!("element {index} has the same vertex twice"),
                "the corners of an element are different vertices",
            ));
        }
    }
    Ok(())
}

/// Constraints on the strain at vertices are defined for cloths that lie level at `qpos0`.
fn check_plane(compiled: &Compiled, held: i32) -> Result<(), Fault> {
    let vertices = &compiled.vertices;
    let is_free = !vertices.is_rigid && !vertices.is_interpolated();
    if held != columns::HELD_AT_VERTICES || compiled.written.dim != 2 || !is_free {
        return Ok(());
    }
    let height = |vertex: i32| compiled.relative[vertex as usize][2];
    let is_level = |edge: &[i32; 2]| {
        let difference = (height(edge[1]) - height(edge[0])) * (2.0 * compiled.size[2]);
        difference.abs() <= MIN_VALUE
    };
    if compiled.edges.vertices.iter().all(is_level) {
        return Ok(());
    }
    Err(Fault::new(
        compiled.written.place,
        "",
        "a flex that is held at its vertices must lie in a plane of constant z",
        "lay the cloth flat, or hold its edges instead (equality=\"true\", `<flex>`)",
    ))
}

/// What is wrong with a flex.
struct Fault {
    code: &'static str,
    place: Place,
    attribute: &'static str,
    message: String,
    hint: String,
}

impl From<Late> for Fault {
    fn from(_: Late) -> Self {
        Fault::reported()
    }
}

impl Fault {
    fn new(
        place: Place,
        attribute: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Fault {
        Fault {
            code: "mjcf::flex",
            place,
            attribute,
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// One that was reported already, or will be.
    fn reported() -> Fault {
        Fault::new(Place::default(), "", "", "")
    }

    fn report(self, ctx: &mut Context, flex: &Flex) {
        if self.message.is_empty() {
            return;
        }
        let name = flex.table.name.as_ref().map_or("", |at| at.value.as_str());
        let entry = ctx
            .report
            .error(self.code, self.place, self.message)
            .element(element("flex", name))
            .hint(self.hint);
        if !self.attribute.is_empty() {
            entry.attribute(self.attribute);
        }
    }
}

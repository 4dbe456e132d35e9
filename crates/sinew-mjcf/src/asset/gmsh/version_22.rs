//! Sections of version 2.2: a count, then one record per node or element.

use super::text::Words;
use super::{GmshMesh, Section, counted, dimension_of, malformed};
use crate::asset::mesh::{MeshError, Place};
use sinew_math::Vec3;

/// Bytes of a node: its tag and three coordinates.
const NODE: usize = 4 + 3 * 8;
/// Words of four bytes before the tags of an element when every element has a header of its own, and
/// the two tags that follow its number.
const OWN_HEADER: usize = 4;
const OWN_TAGS: usize = 2;
/// Words of four bytes of an element when all share one header, and of that header.
const SHARED: usize = 5;
const SHARED_HEADER: usize = 3;

/// Reads a text file.
pub fn read_text(nodes: Section, elements: Section) -> Result<GmshMesh, MeshError> {
    let mut words = Words::of(nodes);
    let count = count_line(&mut words, "nodes")?;
    let mut mesh = GmshMesh::default();
    for _ in 0..count {
        words.count("the number of a node")?;
        let mut point = [0.0; 3];
        for coordinate in &mut point {
            *coordinate = words.real("a coordinate of a node")?;
        }
        mesh.points.push(Vec3(point));
    }

    let mut words = Words::of(elements);
    let count = count_line(&mut words, "elements")?;
    for index in 0..count {
        words.whole("the number of an element")?;
        let kind = words.whole("the kind of an element")?;
        // The first element decides.
        if index == 0 {
            mesh.dim = dimension(kind, words.place())?;
        }
        if words.whole("the number of tags of an element")? > 0 {
            words.whole("the physical tag of an element")?;
            words.whole("the geometrical tag of an element")?;
        }
        for _ in 0..=mesh.dim {
            let node = words.whole("a node of an element")?;
            let place = words.place();
            push_node(&mut mesh, node, place)?;
        }
    }
    Ok(mesh)
}

/// A count that stands alone on the first line.
fn count_line(words: &mut Words, what: &str) -> Result<usize, MeshError> {
    if !words.line_is_whole_number() {
        let message = format!("expected a line with nothing but the number of {what}");
        return Err(malformed(Some(words.place()), message));
    }
    let count = words.count(&format!("the number of {what}"))?;
    counted(count, what, words.place())
}

/// Version 2.2 is read for surfaces and solids.
fn dimension(kind: i64, place: Place) -> Result<usize, MeshError> {
    dimension_of(kind).filter(|dim| *dim > 1).ok_or_else(|| {
        let message =
            format!("elements of kind {kind}; only triangles (2) and tetrahedra (4) are read");
        malformed(Some(place), message)
    })
}

fn push_node(mesh: &mut GmshMesh, node: i64, place: Place) -> Result<(), MeshError> {
    let known = usize::try_from(node).is_ok_and(|node| (1..=mesh.points.len()).contains(&node));
    match i32::try_from(node.saturating_sub(1)) {
        Ok(index) if known => {
            mesh.elements.push(index);
            Ok(())
        }
        _ => Err(malformed(
            Some(place),
            format!(
                "an element has node {node}, there are {}",
                mesh.points.len()
            ),
        )),
    }
}

/// Reads a binary file.
pub fn read_binary(nodes: Section, elements: Section) -> Result<GmshMesh, MeshError> {
    let (count, header) = nodes.text_count("nodes")?;
    nodes.check_length(header, count, NODE)?;
    let mut mesh = GmshMesh::default();
    for index in 0..count {
        let record = index
            .saturating_mul(NODE)
            .saturating_add(header)
            .saturating_add(4);
        let mut point = [0.0; 3];
        for (coordinate, offset) in point.iter_mut().zip([0, 8, 16]) {
            *coordinate = nodes.double(record.saturating_add(offset))?;
        }
        mesh.points.push(Vec3(point));
    }

    let (count, header) = elements.text_count("elements")?;
    let kind = elements.int(header)?;
    mesh.dim = dimension(i64::from(kind), elements.place(header))?;
    let has_own_headers = elements.int(header.saturating_add(8))? > 0;
    let corners = mesh.dim.saturating_add(1);
    let (first, stride) = if has_own_headers {
        let before = OWN_HEADER.saturating_add(OWN_TAGS);
        (before, before.saturating_add(corners))
    } else {
        (SHARED_HEADER.saturating_add(1), SHARED)
    };
    elements.check_length(header, count, stride.saturating_mul(4))?;
    for index in 0..count {
        let start = index.saturating_mul(stride).saturating_add(first);
        for corner in 0..corners {
            let word = start.saturating_add(corner);
            let offset = header.saturating_add(word.saturating_mul(4));
            let node = elements.int(offset)?;
            push_node(&mut mesh, i64::from(node), elements.place(offset))?;
        }
    }
    Ok(mesh)
}

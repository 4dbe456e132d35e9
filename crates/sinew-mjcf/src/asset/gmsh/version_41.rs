//! Sections of version 4.1: one block with a header, all tags, then all coordinates.

use super::text::Words;
use super::{GmshMesh, Section, counted, dimension_of, malformed};
use crate::asset::mesh::{MeshError, Place};
use sinew_math::Vec3;

/// Bytes of the header of a section and its only block.
const HEADER: usize = 52;

/// The header of a section together with that of its block.
#[derive(Clone, Copy, Debug)]
struct Header {
    blocks: u64,
    count: u64,
    least_tag: u64,
    largest_tag: u64,
    dim: i64,
    /// Of nodes whether they have parameters, of elements their kind.
    kind: i64,
    count_in_block: u64,
}

impl Header {
    fn from_words(words: &mut Words) -> Result<Header, MeshError> {
        let blocks = words.count("the number of blocks")?;
        let count = words.count("the number of records")?;
        let least_tag = words.count("the smallest tag")?;
        let largest_tag = words.count("the largest tag")?;
        let dim = words.whole("the dimension of a block")?;
        words.whole("the tag of a block")?;
        Ok(Header {
            blocks,
            count,
            least_tag,
            largest_tag,
            dim,
            kind: words.whole("the kind of a block")?,
            count_in_block: words.count("the number of records of a block")?,
        })
    }

    fn from_bytes(section: &Section) -> Result<Header, MeshError> {
        Ok(Header {
            blocks: section.long(0)?,
            count: section.long(8)?,
            least_tag: section.long(16)?,
            largest_tag: section.long(24)?,
            dim: i64::from(section.int(32)?),
            kind: i64::from(section.int(40)?),
            count_in_block: section.long(44)?,
        })
    }

    /// The number of records, which must stand in one block.
    fn checked(&self, what: &str, place: Place) -> Result<usize, MeshError> {
        if self.blocks != 1 || self.count != self.count_in_block {
            let message = format!("all {what} must stand in one block");
            return Err(malformed(Some(place), message));
        }
        counted(self.count, what, place)
    }

    /// The dimension of the block of nodes.
    fn dimension(&self, place: Place) -> Result<usize, MeshError> {
        let dim = usize::try_from(self.dim).ok();
        dim.filter(|dim| (1..=3).contains(dim)).ok_or_else(|| {
            let message = format!("a block has dimension 1, 2 or 3, not {}", self.dim);
            malformed(Some(place), message)
        })
    }

    /// Whether the elements are of the dimension of the nodes.
    fn check_elements(&self, mesh: &GmshMesh, place: Place) -> Result<(), MeshError> {
        let dim = Some(mesh.dim);
        if usize::try_from(self.dim).ok() == dim && dimension_of(self.kind) == dim {
            return Ok(());
        }
        let message = format!(
            "elements of dimension {} and kind {} do not fit nodes of dimension {}",
            self.dim, self.kind, mesh.dim
        );
        Err(malformed(Some(place), message))
    }
}

/// Tags count on from the smallest.
fn check_tag(tag: u64, header: &Header, index: usize, place: Place) -> Result<(), MeshError> {
    if Some(tag) == header.least_tag.checked_add(index as u64) {
        return Ok(());
    }
    Err(malformed(
        Some(place),
        "the tags of nodes must be consecutive",
    ))
}

/// The index of a node; −1 for one that cannot exist.
fn index_of(tag: u64, nodes: &Header) -> i32 {
    let index = tag.checked_sub(nodes.least_tag);
    index
        .and_then(|index| i32::try_from(index).ok())
        .unwrap_or(-1)
}

/// Reads a text file.
pub fn read_text(nodes: Section, elements: Section) -> Result<GmshMesh, MeshError> {
    let mut words = Words::of(nodes);
    let header = Header::from_words(&mut words)?;
    let count = header.checked("nodes", words.place())?;
    if header.largest_tag != header.count_in_block {
        let message = "the largest tag of a node must be the number of nodes";
        return Err(malformed(Some(words.place()), message));
    }
    let mut mesh = GmshMesh {
        dim: header.dimension(words.place())?,
        ..GmshMesh::default()
    };
    for index in 0..count {
        let tag = words.count("the tag of a node")?;
        check_tag(tag, &header, index, words.place())?;
    }
    for _ in 0..count {
        let mut point = [0.0; 3];
        for coordinate in &mut point {
            *coordinate = words.real("a coordinate of a node")?;
        }
        mesh.points.push(Vec3(point));
    }

    let mut words = Words::of(elements);
    let block = Header::from_words(&mut words)?;
    let count = block.checked("elements", words.place())?;
    block.check_elements(&mesh, words.place())?;
    for _ in 0..count {
        words.count("the tag of an element")?;
        for _ in 0..=mesh.dim {
            let tag = words.count("a node of an element")?;
            mesh.elements.push(index_of(tag, &header));
        }
    }
    Ok(mesh)
}

/// Reads a binary file.
pub fn read_binary(nodes: Section, elements: Section) -> Result<GmshMesh, MeshError> {
    let header = Header::from_bytes(&nodes)?;
    let count = header.checked("nodes", nodes.place(0))?;
    let mut mesh = GmshMesh {
        dim: header.dimension(nodes.place(32))?,
        ..GmshMesh::default()
    };
    nodes.check_length(HEADER, count, 4 * 8)?;
    for index in 0..count {
        let offset = index.saturating_mul(8).saturating_add(HEADER);
        check_tag(nodes.long(offset)?, &header, index, nodes.place(offset))?;
    }
    let coordinates = count.saturating_mul(8).saturating_add(HEADER);
    for index in 0..count {
        let record = index.saturating_mul(24).saturating_add(coordinates);
        let mut point = [0.0; 3];
        for (coordinate, offset) in point.iter_mut().zip([0, 8, 16]) {
            *coordinate = nodes.double(record.saturating_add(offset))?;
        }
        mesh.points.push(Vec3(point));
    }

    let block = Header::from_bytes(&elements)?;
    let count = block.checked("elements", elements.place(0))?;
    block.check_elements(&mesh, elements.place(32))?;
    // The tag of the element and its nodes.
    let longs = mesh.dim.saturating_add(2);
    elements.check_length(HEADER, count, longs.saturating_mul(8))?;
    for index in 0..count {
        let record = index.saturating_mul(longs);
        for corner in 1..longs {
            let long = record.saturating_add(corner);
            let offset = long.saturating_mul(8).saturating_add(HEADER);
            mesh.elements
                .push(index_of(elements.long(offset)?, &header));
        }
    }
    Ok(mesh)
}

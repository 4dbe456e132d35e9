//! One XML file as a tree of [`Node`]s that know their places.
//!
//! `scan` reads names, values and what stands between them, `build` makes the tree of it, `fault`
//! says what is wrong. Document types and entities of one's own are refused; comments may contain `--`, as
//! model files in the wild do; names with a prefix need its declaration, and lose the prefix where they
//! name an element. Nesting, number and memory of elements are limited, nothing here recurses, and
//! somebody looks at the clock for every tag and every piece of a long text.

mod build;
mod fault;
mod scan;

use crate::memory::Memory;
use crate::place::Place;
use crate::report::Report;

/// An element with its attributes and children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Element name.
    pub name: String,
    /// Attributes in the order they are written.
    pub attributes: Vec<NodeAttribute>,
    /// Child elements in order; text and comments are dropped.
    pub children: Vec<Node>,
    /// Where the element starts.
    pub place: Place,
    /// Whether text stands between the children.
    pub has_text: bool,
}

/// An attribute as written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeAttribute {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Where the name starts.
    pub place: Place,
    /// Where the text starts.
    pub value_place: Place,
    /// Whether the text stands in the file as it is, on one line: then a character of it can be
    /// pointed at.
    pub is_plain: bool,
}

impl Node {
    /// The text of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&NodeAttribute> {
        self.attributes.iter().find(|a| a.name == name)
    }
}

/// Limits on one file's tree.
pub struct TreeLimits<'a> {
    /// What the load may hold.
    pub memory: &'a Memory,
    /// Deepest nesting.
    pub nesting: usize,
    /// Most elements.
    pub elements: usize,
}

/// Reads the text of one file. `place` names document and file. Reports and returns `None` when
/// the text is not well formed or exceeds a limit; otherwise the tree. Takes the memory of the tree and
/// of what will be made of it.
pub fn parse(text: &str, place: Place, limits: &TreeLimits, report: &mut Report) -> Option<Parsed> {
    // Nodes have copies of names and values; elements have them again, and messages quote lines.
    let copies = text.len() as u64;
    let later = copies.saturating_mul(2);
    if let Err(shortage) = limits.memory.take(copies.saturating_add(later)) {
        shortage.report("reading the file", place, report);
        return None;
    }
    let mut builder = build::Builder::new(text, place, limits, report);
    let built = builder.document();
    let (elements, tree_bytes) = (builder.elements, builder.tree_bytes);
    match built {
        Ok(root) => Some(Parsed {
            root,
            elements,
            tree_bytes: tree_bytes.saturating_add(copies),
        }),
        Err(fault) => {
            fault.report(text, place, report);
            None
        }
    }
}

/// A file as a tree.
pub struct Parsed {
    /// Its root.
    pub root: Node,
    /// Number of elements.
    pub elements: usize,
    /// Memory to give back when the tree is gone.
    pub tree_bytes: u64,
}

/// Bytes per element: our node, its name, and its place in a list of at least four.
const NODE_BYTES: u64 = 480;
/// Bytes per attribute, and what two short strings cost.
const ATTRIBUTE_BYTES: u64 = 240;
/// Bytes per element of a Spec, the largest tables included.
pub const ELEMENT_BYTES: u64 = 1600;
/// Bytes per number in a list that may have grown.
const NUMBER_BYTES: u64 = 16;

/// More attributes than any element has.
const MOST_ATTRIBUTES: usize = 1000;

/// Line and column of byte offsets that mostly grow.
struct Cursor<'a> {
    text: &'a str,
    offset: usize,
    line: u32,
    column: u32,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Cursor {
            text,
            offset: 0,
            line: 1,
            column: 1,
        }
    }

    fn at(&mut self, offset: usize) -> (u32, u32) {
        if offset < self.offset {
            *self = Cursor::new(self.text);
        }
        if let Some(between) = self.text.get(self.offset..offset) {
            match between.rfind('\n') {
                Some(newline) => {
                    let lines = between.bytes().filter(|b| *b == b'\n').count();
                    self.line = self.line.saturating_add(u32_from(lines));
                    let tail = between.get(newline..).unwrap_or("");
                    // The tail starts with the newline itself, so its length is the column.
                    self.column = u32_from(tail.chars().count());
                }
                None => {
                    self.column = self
                        .column
                        .saturating_add(u32_from(between.chars().count()));
                }
            }
            self.offset = offset;
        }
        (self.line, self.column)
    }
}

fn u32_from(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Whether a text starts as XML does: with a tag, a comment or a declaration, and without bytes that
/// texts do not have. What a text without these says is nobody's business.
pub fn looks_like_xml(text: &str) -> bool {
    let Some(rest) = text.trim_start().strip_prefix('<') else {
        return false;
    };
    let starts_tag = rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '?');
    (starts_tag || rest.starts_with("!--")) && !text.contains('\0')
}

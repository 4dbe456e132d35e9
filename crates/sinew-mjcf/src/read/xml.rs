//! One XML file as a tree of [`Node`]s that know their places.
//!
//! Well-formedness is roxmltree's business; document types and entities are refused there. Two
//! things are ours: comments may contain `--`, as model files in the wild do, and nesting and
//! number of elements are limited. Nothing here recurses.

use std::borrow::Cow;

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
    // The tree has its own copies of the text, and one without hyphens in comments comes first.
    let copies = (text.len() as u64).saturating_mul(3);
    if let Err(shortage) = limits.memory.take(copies) {
        shortage.report("reading the file", place, report);
        return None;
    }
    let mut census = Census::default();
    let cleaned = match prepare(text, &mut census) {
        Ok(cleaned) => cleaned,
        Err(offset) => {
            let (line, column) = Cursor::new(text).at(offset);
            let message = format!("an element has more than {MOST_ATTRIBUTES} attributes");
            let place = Place {
                line,
                column,
                ..place
            };
            report.error("mjcf::too-many-attributes", place, message);
            return None;
        }
    };
    let tree_bytes = census.tree_bytes();
    let bytes = tree_bytes.saturating_add(census.spec_bytes(text));
    if let Err(shortage) = limits.memory.take(bytes) {
        shortage.report("reading the file", place, report);
        return None;
    }
    let options = roxmltree::ParsingOptions {
        // Elements and the text between them.
        nodes_limit: u32::try_from(limits.elements.saturating_mul(4)).unwrap_or(u32::MAX),
        ..roxmltree::ParsingOptions::default()
    };
    let tree = match roxmltree::Document::parse_with_options(&cleaned, options) {
        Ok(tree) => tree,
        Err(error) => {
            syntax_error(&cleaned, &error, place, limits, report);
            return None;
        }
    };
    let (root, elements) = build(&tree, text, place, limits, report)?;
    Some(Parsed {
        root,
        elements,
        tree_bytes: tree_bytes.saturating_add(copies),
    })
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

/// What a text consists of, counted before it is parsed.
#[derive(Default)]
struct Census {
    /// Tags that open something, and all others with comments.
    opening: u64,
    closing: u64,
    attributes: u64,
    /// Blanks inside values: each may end a number.
    blanks: u64,
}

/// Bytes per tag: roxmltree's nodes for it and the text before it, in a list that may have grown.
const TAG_BYTES: u64 = 160;
/// Bytes per element: our node, its name, and its place in a list of at least four.
const NODE_BYTES: u64 = 480;
/// Bytes per attribute: roxmltree's and ours, and what two short strings cost.
const ATTRIBUTE_BYTES: u64 = 240;
/// Bytes per element of a Spec, the largest tables included.
pub const ELEMENT_BYTES: u64 = 1600;
/// Bytes per number in a list that may have grown.
const NUMBER_BYTES: u64 = 16;

impl Census {
    /// At most the bytes of the trees, roxmltree's and ours.
    fn tree_bytes(&self) -> u64 {
        let tags = self.opening.saturating_add(self.closing);
        tags.saturating_mul(TAG_BYTES)
            .saturating_add(self.opening.saturating_mul(NODE_BYTES))
            .saturating_add(self.attributes.saturating_mul(ATTRIBUTE_BYTES))
    }

    /// At most the bytes of the elements, and of the text kept for messages.
    fn spec_bytes(&self, text: &str) -> u64 {
        (text.len() as u64)
            .saturating_mul(2)
            .saturating_add(self.opening.saturating_mul(ELEMENT_BYTES))
            .saturating_add(self.blanks.saturating_mul(NUMBER_BYTES))
    }

    fn count(&mut self, tag: &[u8], attributes: usize) {
        self.attributes = self.attributes.saturating_add(attributes as u64);
        if tag.starts_with(b"</") {
            self.closing = self.closing.saturating_add(1);
            return;
        }
        self.opening = self.opening.saturating_add(1);
        if attributes > 0 {
            let blanks = tag.iter().filter(|byte| byte.is_ascii_whitespace());
            self.blanks = self.blanks.saturating_add(blanks.count() as u64);
        }
    }
}

/// Turns roxmltree's tree into nodes, without recursion.
fn build(
    tree: &roxmltree::Document<'_>,
    text: &str,
    place: Place,
    limits: &TreeLimits,
    report: &mut Report,
) -> Option<(Node, usize)> {
    let mut cursor = Cursor::new(text);
    let mut open: Vec<Node> = Vec::new();
    let mut count = 0_usize;
    let mut at = Some(tree.root_element());
    while let Some(element) = at {
        count = count.saturating_add(1);
        if open.len() >= limits.nesting || count > limits.elements {
            let (line, column) = cursor.at(element.range().start);
            let place = Place {
                line,
                column,
                ..place
            };
            if open.len() >= limits.nesting {
                report.error(
                    "mjcf::nesting",
                    place,
                    format!("elements are nested more than {} deep", limits.nesting),
                );
            } else {
                report.error(
                    "mjcf::too-many-elements",
                    place,
                    format!("more than {} elements", limits.elements),
                );
            }
            return None;
        }
        open.push(node(&element, text, &mut cursor, place));
        at = element.first_element_child();
        // Close what ends here, up to the element that has a next sibling.
        let mut last = element;
        while at.is_none() {
            let closed = open.pop()?;
            match open.last_mut() {
                Some(parent) => parent.children.push(closed),
                None => return Some((closed, count)),
            }
            at = last.next_sibling_element();
            last = match last.parent_element() {
                Some(parent) if at.is_none() => parent,
                _ => break,
            };
        }
    }
    None
}

fn node(
    element: &roxmltree::Node<'_, '_>,
    text: &str,
    cursor: &mut Cursor<'_>,
    place: Place,
) -> Node {
    let mut here = |offset: usize| {
        let (line, column) = cursor.at(offset);
        Place {
            line,
            column,
            ..place
        }
    };
    let start = here(element.range().start);
    let attributes = element
        .attributes()
        .map(|attribute| NodeAttribute {
            name: text
                .get(attribute.range_qname())
                .unwrap_or(attribute.name())
                .to_string(),
            text: attribute.value().to_string(),
            place: here(attribute.range_qname().start),
            value_place: here(attribute.range_value().start),
            is_plain: text.get(attribute.range_value()) == Some(attribute.value()),
        })
        .collect();
    let has_text = element
        .children()
        .any(|child| child.is_text() && child.text().is_some_and(|t| !t.trim().is_empty()));
    Node {
        name: element.tag_name().name().to_string(),
        attributes,
        children: Vec::new(),
        place: start,
        has_text,
    }
}

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

/// Comparing attribute names with each other takes the square of their number.
const MOST_ATTRIBUTES: usize = 1000;

/// Replaces hyphens that XML forbids inside comments by spaces; positions stay. `Err`: the offset
/// of an element with too many attributes.
fn prepare<'a>(text: &'a str, census: &mut Census) -> Result<Cow<'a, str>, usize> {
    let mut out: Option<String> = None;
    let mut copied = 0;
    let mut from = 0;
    while let Some(next) = next_markup(text, from) {
        from = match next {
            Markup::Comment { start, end } => {
                census.closing = census.closing.saturating_add(1);
                let body = text.get(start..end).unwrap_or("");
                if body.contains("--") || body.ends_with('-') {
                    let out = out.get_or_insert_with(|| String::with_capacity(text.len()));
                    out.push_str(text.get(copied..start).unwrap_or(""));
                    out.push_str(&body.replace('-', " "));
                    copied = end;
                }
                end
            }
            Markup::Tag {
                start,
                end,
                attributes,
            } => {
                if attributes > MOST_ATTRIBUTES {
                    return Err(start);
                }
                let tag = text.as_bytes().get(start..end).unwrap_or_default();
                census.count(tag, attributes);
                end
            }
            Markup::Other { end } => end,
        };
    }
    Ok(match out {
        Some(mut out) => {
            out.push_str(text.get(copied..).unwrap_or(""));
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    })
}

enum Markup {
    /// The inside of a comment.
    Comment { start: usize, end: usize },
    /// A tag, and how many values in quotes it has.
    Tag {
        start: usize,
        end: usize,
        attributes: usize,
    },
    /// Anything else, up to its end.
    Other { end: usize },
}

/// The next tag or comment at or after an offset.
fn next_markup(text: &str, from: usize) -> Option<Markup> {
    let bytes = text.as_bytes();
    let open = from.checked_add(find(bytes.get(from..)?, b"<")?)?;
    let rest = bytes.get(open..)?;
    let end_of = |opening: usize, closing: &[u8]| {
        let inside = open.checked_add(opening)?;
        let end = inside.checked_add(find(bytes.get(inside..)?, closing)?)?;
        Some((inside, end))
    };
    if rest.starts_with(b"<!--") {
        let (start, end) = end_of(4, b"-->")?;
        return Some(Markup::Comment { start, end });
    }
    if rest.starts_with(b"<![CDATA[") {
        return end_of(9, b"]]>").map(|(_, end)| Markup::Other { end });
    }
    let mut quote = None;
    let mut attributes = 0_usize;
    for (i, byte) in rest.iter().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(q), b) if q == *b => {
                quote = None;
                attributes = attributes.saturating_add(1);
            }
            (None, b'>') => {
                return Some(Markup::Tag {
                    start: open,
                    end: open.checked_add(i)?,
                    attributes,
                });
            }
            _ => {}
        }
    }
    // The tag is not closed; roxmltree will say so.
    let end = bytes.len();
    (attributes > 0).then_some(Markup::Tag {
        start: open,
        end,
        attributes,
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

/// Whether a position lies after the tag that closes the root.
fn follows_root(text: &str, pos: roxmltree::TextPos) -> bool {
    let before: Vec<&str> = text.lines().take(pos.row as usize).collect();
    let Some((last, above)) = before.split_last() else {
        return false;
    };
    let column = pos.col.saturating_sub(1) as usize;
    let last: String = last.chars().take(column).collect();
    let closing = if last.trim().is_empty() {
        above
            .iter()
            .rev()
            .find(|line| !line.trim().is_empty())
            .copied()
    } else {
        Some(last.as_str())
    };
    closing.is_some_and(|line| {
        let line = line.trim_end();
        line.ends_with("/>") || line.rsplit('<').next().is_some_and(|t| t.starts_with('/'))
    })
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

/// Says what is wrong with the syntax. The file is quoted only when it looks like XML.
fn syntax_error(
    text: &str,
    error: &roxmltree::Error,
    place: Place,
    limits: &TreeLimits,
    report: &mut Report,
) {
    use roxmltree::Error;
    if !text.trim_start().starts_with('<') {
        report.error(
            "mjcf::not-xml",
            Place {
                line: 0,
                column: 0,
                ..place
            },
            "this is not an XML file",
        );
        return;
    }
    let pos = error.pos();
    let mut place = Place {
        line: pos.row,
        column: pos.col,
        ..place
    };
    let mut hint = None;
    let message = match error {
        Error::UnexpectedCloseTag(open, close, _) => {
            hint = Some(format!("close <{open}> with </{open}> first"));
            format!("</{close}> found where </{open}> was expected")
        }
        Error::UnclosedRootNode => {
            let lines = text.lines().count().max(1);
            place.line = u32_from(lines);
            place.column =
                u32_from(text.lines().last().map_or(0, |l| l.chars().count())).saturating_add(1);
            hint = Some("an element is not closed".to_string());
            "the file ends too early".to_string()
        }
        Error::NoRootNode => "the file has no element".to_string(),
        Error::DuplicatedAttribute(name, _) => {
            format!("attribute \"{name}\" is given twice")
        }
        Error::UnknownNamespace(prefix, _) => format!("unknown namespace \"{prefix}\""),
        Error::UnknownEntityReference(name, _) => {
            hint = Some("only &amp; &lt; &gt; &quot; &apos; and &#…; are known".to_string());
            format!("unknown entity \"&{name};\"")
        }
        Error::MalformedEntityReference(_) => {
            hint = Some("write &amp; for a plain &".to_string());
            "malformed entity".to_string()
        }
        Error::DtdDetected => {
            hint = Some("remove the <!DOCTYPE …> section".to_string());
            "document types are not supported".to_string()
        }
        Error::NodesLimitReached | Error::AttributesLimitReached => {
            format!("more than {} elements", limits.elements)
        }
        Error::InvalidAttributeValue(_) => {
            hint = Some("write &lt; for < inside a value".to_string());
            "invalid attribute value".to_string()
        }
        Error::InvalidName(_) => "invalid name".to_string(),
        Error::NonXmlChar(..) => "a control character is not allowed here".to_string(),
        Error::InvalidChar2(expected, ..) => format!("syntax error: {expected} expected"),
        Error::InvalidString(expected, _) => {
            if *expected == "-->" {
                hint = Some("a comment is not closed".to_string());
            }
            format!("syntax error: {expected} expected")
        }
        Error::InvalidChar(expected, found, _) => {
            if *found == b'<' && matches!(expected, b'"' | b'\'') {
                hint = Some("close the quotes, or write &lt; for < inside a value".to_string());
            }
            format!("syntax error: `{}` expected", char::from(*expected))
        }
        Error::UnexpectedEndOfStream => {
            let lines = text.lines().count().max(1);
            place.line = u32_from(lines);
            place.column =
                u32_from(text.lines().last().map_or(0, |l| l.chars().count())).saturating_add(1);
            hint = Some("a tag or a comment is not closed".to_string());
            "the file ends too early".to_string()
        }
        _ if follows_root(text, pos) => {
            hint = Some("a file has one root element".to_string());
            "something follows the end of the model".to_string()
        }
        _ => "syntax error".to_string(),
    };
    let entry = report.error("mjcf::syntax", place, message);
    if let Some(hint) = hint {
        entry.hint(hint);
    }
}

//! The tree of a file, tag by tag.

use std::collections::BTreeMap;

use super::fault::{Fault, Problem};
use super::scan::{Name, Scanner, reference};
use super::{
    ATTRIBUTE_BYTES, Cursor, ELEMENT_BYTES, MOST_ATTRIBUTES, NODE_BYTES, NUMBER_BYTES, Node,
    NodeAttribute, TreeLimits,
};
use crate::place::Place;
use crate::report::Report;

const XML_ADDRESS: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS_ADDRESS: &str = "http://www.w3.org/2000/xmlns/";

/// Up to so many names are compared with each other.
const FEW: usize = 32;

/// A tree that grows.
pub(super) struct Builder<'a, 'r> {
    scanner: Scanner<'a>,
    cursor: Cursor<'a>,
    /// Document and file.
    place: Place,
    limits: &'r TreeLimits<'r>,
    report: &'r mut Report,
    open: Vec<Open<'a>>,
    root: Option<Node>,
    /// Prefixes that are declared, and by how many open elements.
    prefixes: BTreeMap<&'a str, usize>,
    /// Elements so far.
    pub elements: usize,
    /// Memory taken for the tree.
    pub tree_bytes: u64,
}

/// An element that is not closed yet.
struct Open<'a> {
    node: Node,
    name: Name<'a>,
    declared: Vec<&'a str>,
}

/// A tag that is being read.
struct Tag<'a> {
    open: Open<'a>,
    /// Names of its attributes, and where they stand.
    names: Vec<(Name<'a>, usize)>,
    start: usize,
    /// Blanks in values: each may end a number.
    blanks: usize,
}

impl<'a, 'r> Builder<'a, 'r> {
    pub fn new(
        text: &'a str,
        place: Place,
        limits: &'r TreeLimits<'r>,
        report: &'r mut Report,
    ) -> Self {
        Builder {
            scanner: Scanner::new(text),
            cursor: Cursor::new(text),
            place,
            limits,
            report,
            open: Vec::new(),
            root: None,
            prefixes: BTreeMap::new(),
            elements: 0,
            tree_bytes: 0,
        }
    }

    /// Reads everything. The result is the root.
    pub fn document(&mut self) -> Result<Node, Fault> {
        self.declaration()?;
        let has_remarks = self.remarks()?;
        if self.scanner.starts_with("<!DOCTYPE") {
            return Err(self.fault(Problem::DocumentType));
        }
        if self.scanner.is_at_end() {
            let is_empty = !has_remarks && self.scanner.since(0).trim_start().is_empty();
            let problem = if is_empty {
                Problem::Empty
            } else {
                Problem::NoRoot
            };
            return Err(self.fault(problem));
        }
        if !self.scanner.starts_with("<") {
            return Err(self.fault(Problem::Syntax));
        }
        self.opening()?;
        while self.root.is_none() && !self.scanner.is_at_end() {
            self.content()?;
        }
        let Some(root) = self.root.take() else {
            let problem = if self.open.is_empty() {
                Problem::NoRoot
            } else {
                Problem::UnclosedRoot
            };
            return Err(self.fault(problem));
        };
        self.remarks()?;
        if self.scanner.is_at_end() {
            Ok(root)
        } else {
            Err(self.fault(Problem::AfterRoot))
        }
    }

    fn fault(&self, problem: Problem) -> Fault {
        Fault::new(problem, self.scanner.at)
    }

    fn here(&mut self, offset: usize) -> Place {
        let (line, column) = self.cursor.at(offset);
        Place {
            line,
            column,
            ..self.place
        }
    }

    fn skip_spaces(&mut self) -> Result<(), Fault> {
        self.scanner.skip_spaces(self.report, self.place)
    }

    /// `<?xml version=… encoding=… standalone=…?>`, if it is there.
    fn declaration(&mut self) -> Result<(), Fault> {
        if !self.scanner.starts_with("<?xml ") {
            return Ok(());
        }
        self.scanner.advance("<?xml".len());
        for (word, is_needed) in [
            ("version", true),
            ("encoding", false),
            ("standalone", false),
        ] {
            let is_end = self.scanner.starts_with("?>");
            if !self.scanner.is_at_space() && !is_end && !self.scanner.is_at_end() {
                return Err(self.fault(Problem::ExpectedThing("a whitespace")));
            }
            self.skip_spaces()?;
            if self.scanner.starts_with(word) {
                self.scanner.name()?;
                let quote = self.scanner.equals(self.report, self.place)?;
                let ends = [quote, b'<'];
                self.scanner.skip_until(&ends, self.report, self.place)?;
                self.scanner.expect(quote)?;
            } else if is_needed {
                return Err(self.fault(Problem::ExpectedText(word)));
            }
        }
        self.skip_spaces()?;
        self.scanner.expect_text("?>")
    }

    /// Comments, instructions and blanks outside the root. Whether there is more than blanks.
    fn remarks(&mut self) -> Result<bool, Fault> {
        let mut has_any = false;
        loop {
            self.skip_spaces()?;
            if self.scanner.starts_with("<!--") {
                self.comment()?;
            } else if self.scanner.starts_with("<?") {
                self.instruction()?;
            } else {
                return Ok(has_any);
            }
            has_any = true;
        }
    }

    fn comment(&mut self) -> Result<(), Fault> {
        self.scanner.look_at_clock(self.report, self.place)?;
        self.scanner.advance("<!--".len());
        self.scanner.skip_to("-->", self.report, self.place)?;
        self.scanner.expect_text("-->")
    }

    fn instruction(&mut self) -> Result<(), Fault> {
        self.scanner.look_at_clock(self.report, self.place)?;
        if self.scanner.starts_with("<?xml ") {
            return Err(self.fault(Problem::Syntax));
        }
        self.scanner.advance("<?".len());
        self.scanner.target()?;
        self.scanner.skip_to("?>", self.report, self.place)?;
        self.scanner.expect_text("?>")
    }

    /// The next piece inside the root.
    fn content(&mut self) -> Result<(), Fault> {
        self.scanner.look_at_clock(self.report, self.place)?;
        if self.scanner.byte()? != b'<' {
            return self.text();
        }
        match self.scanner.second() {
            Some(b'!') if self.scanner.starts_with("<!--") => self.comment(),
            Some(b'!') if self.scanner.starts_with("<![CDATA[") => self.characters(),
            Some(b'?') => self.instruction(),
            Some(b'/') => self.closing(),
            Some(b'!') | None => Err(self.fault(Problem::Syntax)),
            Some(_) => self.opening(),
        }
    }

    /// `<![CDATA[…]]>`
    fn characters(&mut self) -> Result<(), Fault> {
        self.scanner.advance("<![CDATA[".len());
        let start = self.scanner.at;
        self.scanner.skip_to("]]>", self.report, self.place)?;
        let inside = self.scanner.since(start);
        self.note_text(!inside.trim_start().is_empty());
        self.scanner.expect_text("]]>")
    }

    /// Text between tags.
    fn text(&mut self) -> Result<(), Fault> {
        let start = self.scanner.at;
        loop {
            self.scanner.skip_until(b"<]", self.report, self.place)?;
            if self.scanner.starts_with("]]>") {
                return Err(self.fault(Problem::Syntax));
            }
            if !self.scanner.starts_with("]") {
                break;
            }
            self.scanner.advance(1);
        }
        let inside = self.scanner.since(start);
        let mut has_text = false;
        for (offset, piece) in pieces(inside) {
            self.scanner.look_at_clock(self.report, self.place)?;
            has_text |= match piece.starts_with('&') {
                true => !reference(piece, start.saturating_add(offset))?
                    .0
                    .is_whitespace(),
                false => !piece.trim_start().is_empty(),
            };
        }
        self.note_text(has_text);
        Ok(())
    }

    fn note_text(&mut self, has_text: bool) {
        if let Some(open) = self.open.last_mut() {
            open.node.has_text |= has_text;
        }
    }

    /// `</name>`
    fn closing(&mut self) -> Result<(), Fault> {
        let start = self.scanner.at;
        self.scanner.advance("</".len());
        let name = self.scanner.name()?;
        self.skip_spaces()?;
        self.scanner.expect(b'>')?;
        let Some(open) = self.open.pop() else {
            return Err(Fault::new(Problem::Syntax, start));
        };
        if open.name != name {
            let problem = Problem::WrongClose(open.name.written(), name.written());
            return Err(Fault::new(problem, start));
        }
        self.close(open);
        Ok(())
    }

    fn close(&mut self, open: Open<'a>) {
        for prefix in open.declared {
            if let Some(count) = self.prefixes.get_mut(prefix) {
                *count = count.saturating_sub(1);
            }
        }
        match self.open.last_mut() {
            Some(parent) => parent.node.children.push(open.node),
            None => self.root = Some(open.node),
        }
    }

    /// `<name …>` or `<name …/>`
    fn opening(&mut self) -> Result<(), Fault> {
        let start = self.scanner.at;
        self.scanner.advance(1);
        let name = self.scanner.name()?;
        let node = Node {
            name: name.local.to_string(),
            place: self.here(start),
            ..Node::default()
        };
        let mut tag = Tag {
            open: Open {
                node,
                name,
                declared: Vec::new(),
            },
            names: Vec::new(),
            start,
            blanks: 0,
        };
        while !self.scanner.is_at_end() {
            let has_space = self.scanner.is_at_space();
            self.skip_spaces()?;
            match self.scanner.byte()? {
                b'/' => {
                    self.scanner.advance(1);
                    self.scanner.expect(b'>')?;
                    let open = self.complete(tag)?;
                    self.close(open);
                    return Ok(());
                }
                b'>' => {
                    self.scanner.advance(1);
                    let open = self.complete(tag)?;
                    self.open.push(open);
                    return Ok(());
                }
                _ if !has_space => {
                    return Err(self.fault(Problem::ExpectedThing("a whitespace")));
                }
                _ => self.attribute(&mut tag)?,
            }
        }
        // Whoever asked sees that the file is over.
        Ok(())
    }

    /// `name="value"`
    fn attribute(&mut self, tag: &mut Tag<'a>) -> Result<(), Fault> {
        let start = self.scanner.at;
        let name = self.scanner.name()?;
        let written = self.scanner.since(start);
        let quote = self.scanner.equals(self.report, self.place)?;
        let value_start = self.scanner.at;
        let ends = [quote, b'<'];
        let passed = self.scanner.skip_until(&ends, self.report, self.place)?;
        let value = self.scanner.since(value_start);
        self.scanner.expect(quote)?;
        tag.blanks = tag.blanks.saturating_add(passed.blanks);
        if tag.names.len() >= MOST_ATTRIBUTES {
            return Err(Fault::new(Problem::TooManyAttributes, tag.start));
        }
        if tag.names.len() < FEW && tag.names.iter().any(|known| known.0 == name) {
            return Err(repeated(name, start));
        }
        tag.names.push((name, start));
        let normal = if passed.is_special {
            Some(self.normal(value, value_start)?)
        } else {
            None
        };
        if name.prefix == "xmlns" || name.local == "xmlns" {
            return self.declare(tag, name, normal.as_deref().unwrap_or(value), start);
        }
        let (place, value_place) = (self.here(start), self.here(value_start));
        tag.open.node.attributes.push(NodeAttribute {
            name: written.to_string(),
            is_plain: normal.is_none(),
            text: normal.unwrap_or_else(|| value.to_string()),
            place,
            value_place,
        });
        Ok(())
    }

    /// A value whose references are replaced, and every blank by a space.
    fn normal(&mut self, value: &str, start: usize) -> Result<String, Fault> {
        let mut out = String::with_capacity(value.len());
        for (offset, piece) in pieces(value) {
            self.scanner.look_at_clock(self.report, self.place)?;
            if piece.starts_with('&') {
                out.push(reference(piece, start.saturating_add(offset))?.0);
                continue;
            }
            for (inside, character) in piece.char_indices() {
                let next = offset.saturating_add(inside).saturating_add(1);
                match character {
                    '\r' if value.as_bytes().get(next) == Some(&b'\n') => {}
                    '\t' | '\n' | '\r' => out.push(' '),
                    other => out.push(other),
                }
            }
        }
        Ok(out)
    }

    /// `xmlns:prefix="address"`, which is no attribute.
    fn declare(
        &mut self,
        tag: &mut Tag<'a>,
        name: Name<'a>,
        address: &str,
        start: usize,
    ) -> Result<(), Fault> {
        let is_plain = name.prefix != "xmlns";
        let is_xml = !is_plain && name.local == "xml";
        if address == XMLNS_ADDRESS || is_xml != (address == XML_ADDRESS) {
            return Err(Fault::new(Problem::Syntax, start));
        }
        if !is_plain {
            tag.open.declared.push(name.local);
        }
        Ok(())
    }

    /// Checks a tag that is read, and takes the memory of what becomes of it.
    fn complete(&mut self, tag: Tag<'a>) -> Result<Open<'a>, Fault> {
        let Tag {
            open,
            mut names,
            start,
            blanks,
        } = tag;
        let count = names.len();
        if count > FEW {
            names.sort_unstable();
            let equal = names.iter().zip(names.iter().skip(1));
            if let Some((_, second)) = equal.clone().find(|(first, second)| first.0 == second.0) {
                return Err(repeated(second.0, second.1));
            }
        }
        for prefix in &open.declared {
            let count = self.prefixes.entry(prefix).or_default();
            *count = count.saturating_add(1);
        }
        let is_known = |prefix: &str| self.prefixes.get(prefix).is_some_and(|count| *count > 0);
        let attributes = names.iter().filter(|(name, _)| name.prefix != "xmlns");
        let attributes = attributes.filter(|(name, _)| name.prefix != "xml");
        let own = (open.name, start.saturating_add(1));
        for (name, at) in attributes.chain([&own]) {
            if !name.prefix.is_empty() && !is_known(name.prefix) {
                let problem = Problem::UnknownPrefix(name.prefix.to_string());
                return Err(Fault::new(problem, *at));
            }
        }
        self.enter(&open.node, count, blanks)?;
        Ok(open)
    }

    /// Counts an element.
    fn enter(&mut self, node: &Node, attributes: usize, blanks: usize) -> Result<(), Fault> {
        self.elements = self.elements.saturating_add(1);
        let (limits, place) = (self.limits, node.place);
        let reported = Fault::new(Problem::Reported, self.scanner.at);
        if self.open.len() >= limits.nesting {
            let message = format!("elements are nested more than {} deep", limits.nesting);
            self.report.error("mjcf::nesting", place, message);
            return Err(reported);
        }
        if self.elements > limits.elements {
            let message = format!("more than {} elements", limits.elements);
            self.report.error("mjcf::too-many-elements", place, message);
            return Err(reported);
        }
        let tree = NODE_BYTES.saturating_add((attributes as u64).saturating_mul(ATTRIBUTE_BYTES));
        let spec = ELEMENT_BYTES.saturating_add((blanks as u64).saturating_mul(NUMBER_BYTES));
        if let Err(shortage) = limits.memory.take(tree.saturating_add(spec)) {
            shortage.report("reading the file", self.place, self.report);
            return Err(reported);
        }
        self.tree_bytes = self.tree_bytes.saturating_add(tree);
        Ok(())
    }
}

impl Name<'_> {
    /// As it is written.
    fn written(self) -> String {
        if self.prefix.is_empty() {
            self.local.to_string()
        } else {
            format!("{}:{}", self.prefix, self.local)
        }
    }
}

fn repeated(name: Name<'_>, at: usize) -> Fault {
    Fault::new(Problem::RepeatedAttribute(name.local.to_string()), at)
}

/// References and what stands between them, in pieces that are not long, with their offsets: `a&lt;b` is
/// `a`, `&lt;` and `b`. A reference that does not end is a piece, too.
fn pieces(text: &str) -> impl Iterator<Item = (usize, &str)> {
    const LONGEST: usize = 1 << 16;
    let mut at = 0_usize;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let mut most = rest.len().min(LONGEST);
        while !rest.is_char_boundary(most) {
            most = most.saturating_sub(1);
        }
        let rest = rest.get(..most)?;
        let length = if rest.starts_with('&') {
            let end = rest.find(';').map(|end| end.saturating_add(1));
            end.unwrap_or(rest.len())
        } else {
            rest.find('&').unwrap_or(rest.len())
        };
        let start = at;
        at = at.saturating_add(length);
        Some((start, rest.get(..length)?))
    })
}

//! XML text: elements, attributes, indentation, escapes.

use crate::memory::{Memory, Shortage};
use crate::spec::element::Element;

/// Collects the text of a document.
#[derive(Debug, Default)]
pub struct Text<'a> {
    out: String,
    depth: usize,
    /// Looks like what the reference saves: its order, its digits, a line between sections.
    is_saved: bool,
    /// Where the text of the last opened element ends.
    opened: usize,
    /// What the text may take, if it is limited.
    memory: Option<&'a Memory>,
    /// Why there is no more text.
    shortage: Option<Shortage>,
}

/// What the attributes of an element take as text, for each byte that their values take: a number of four bytes
/// has up to 24 characters, which are copied while their list grows.
const WRITTEN: u64 = 32;

impl<'a> Text<'a> {
    /// Text that looks like what the reference saves, as long as there is memory for it.
    pub fn saved(memory: &'a Memory) -> Self {
        Text {
            is_saved: true,
            memory: Some(memory),
            ..Text::default()
        }
    }

    /// The finished text.
    pub fn finish(self) -> Result<String, Shortage> {
        match self.shortage {
            Some(shortage) => Err(shortage),
            None => Ok(self.out),
        }
    }

    /// An element without children.
    pub fn leaf(&mut self, name: &str, table: &impl Element) {
        if self.has_room(table) {
            self.tag(name, table.written(), "/>\n");
        }
    }

    /// An element without children, if it says anything.
    pub fn setting(&mut self, name: &str, table: &impl Element) {
        if !self.has_room(table) {
            return;
        }
        let attributes = table.written();
        if !attributes.is_empty() {
            self.tag(name, attributes, "/>\n");
        }
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, table: &impl Element) {
        if self.has_room(table) {
            self.open_with(name, table.written());
        }
    }

    /// Opens an element with the given attributes.
    pub fn open_with(&mut self, name: &str, attributes: Vec<(&'static str, String)>) {
        self.tag(name, attributes, ">\n");
        self.depth += 1;
        self.opened = self.out.len();
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        if self.shortage.is_some() {
            return;
        }
        if self.is_saved && self.opened == self.out.len() {
            self.out.truncate(self.opened.saturating_sub(2));
            self.out.push_str("/>\n");
            return;
        }
        self.reserve(2 * self.depth + name.len() + 4);
        if self.shortage.is_some() {
            return;
        }
        self.indent();
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push_str(">\n");
    }

    /// Opens a section, writes it and closes it; nothing at all if it holds nothing.
    pub fn section(&mut self, name: &str, write: impl FnOnce(&mut Text)) {
        let before = self.out.len();
        self.open_with(name, Vec::new());
        let inside = self.out.len();
        write(self);
        if self.out.len() == inside {
            self.out.truncate(before);
            self.depth = self.depth.saturating_sub(1);
        } else {
            self.close(name);
        }
    }

    /// Whether the values of an element can be written.
    fn has_room(&mut self, table: &impl Element) -> bool {
        let Some(memory) = self.memory else {
            return true;
        };
        let bytes = (table.heap() as u64).saturating_mul(WRITTEN);
        match memory.take(bytes) {
            Ok(()) => memory.give_back(bytes),
            Err(shortage) => self.shortage = self.shortage.or(Some(shortage)),
        }
        self.shortage.is_none()
    }

    /// Makes room for so many bytes more.
    fn reserve(&mut self, bytes: usize) {
        let left = self.out.capacity().saturating_sub(self.out.len());
        let (Some(memory), true) = (self.memory, left < bytes) else {
            return;
        };
        let growth = bytes.max(self.out.len() / 2);
        let mut taken = memory.take(growth as u64);
        if taken.is_ok() && self.out.try_reserve_exact(growth).is_err() {
            let needed = growth as u64;
            taken = Err(Shortage { needed, left: 0 });
        }
        if let Err(shortage) = taken {
            self.shortage = self.shortage.or(Some(shortage));
        }
    }

    fn tag(&mut self, name: &str, attributes: Vec<(&'static str, String)>, end: &str) {
        let attributes = if self.is_saved {
            super::saved::saved(name, attributes)
        } else {
            attributes
        };
        let pairs = attributes
            .iter()
            .map(|(name, value)| name.len() + escaped_length(value) + 4);
        self.reserve(2 * self.depth + name.len() + end.len() + 2 + pairs.sum::<usize>());
        if self.shortage.is_some() {
            return;
        }
        let is_first = self.out.find('\n') == self.out.len().checked_sub(1);
        if self.is_saved && self.depth == 1 && !is_first {
            self.out.push('\n');
        }
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in &attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push_str("=\"");
            escape(value, &mut self.out);
            self.out.push('"');
        }
        self.out.push_str(end);
    }

    fn indent(&mut self) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }
}

/// What stands for a character that has a meaning of its own. Written plainly, white space other than blanks
/// would come back as blanks.
fn replacement(c: char) -> Option<&'static str> {
    Some(match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\t' => "&#9;",
        '\n' => "&#10;",
        '\r' => "&#13;",
        _ => return None,
    })
}

fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match replacement(c) {
            Some(text) => out.push_str(text),
            None => out.push(c),
        }
    }
}

fn escaped_length(value: &str) -> usize {
    let length = |c: char| replacement(c).map_or(c.len_utf8(), str::len);
    value.chars().map(length).sum()
}

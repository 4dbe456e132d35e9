//! XML text: elements, attributes, indentation, escapes.

use crate::spec::element::Element;

/// Collects the text of a document.
#[derive(Debug, Default)]
pub struct Text {
    out: String,
    depth: usize,
    /// Looks like what the reference saves: its order, its digits, a line between sections.
    is_saved: bool,
    /// Where the text of the last opened element ends.
    opened: usize,
}

impl Text {
    /// Text that looks like what the reference saves.
    pub fn saved() -> Self {
        Text {
            is_saved: true,
            ..Text::default()
        }
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.out
    }

    /// An element without children.
    pub fn leaf(&mut self, name: &str, table: &impl Element) {
        self.tag(name, &table.written(), "/>\n");
    }

    /// An element without children, if it says anything.
    pub fn setting(&mut self, name: &str, table: &impl Element) {
        let attributes = table.written();
        if !attributes.is_empty() {
            self.tag(name, &attributes, "/>\n");
        }
    }

    /// Opens an element.
    pub fn open(&mut self, name: &str, table: &impl Element) {
        self.open_with(name, &table.written());
    }

    /// Opens an element with the given attributes.
    pub fn open_with(&mut self, name: &str, attributes: &[(&'static str, String)]) {
        self.tag(name, attributes, ">\n");
        self.depth += 1;
        self.opened = self.out.len();
    }

    /// Closes an element.
    pub fn close(&mut self, name: &str) {
        self.depth = self.depth.saturating_sub(1);
        if self.is_saved && self.opened == self.out.len() {
            self.out.truncate(self.opened.saturating_sub(2));
            self.out.push_str("/>\n");
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
        self.open_with(name, &[]);
        let inside = self.out.len();
        write(self);
        if self.out.len() == inside {
            self.out.truncate(before);
            self.depth = self.depth.saturating_sub(1);
        } else {
            self.close(name);
        }
    }

    fn tag(&mut self, name: &str, attributes: &[(&'static str, String)], end: &str) {
        let shown;
        let attributes = if self.is_saved {
            shown = super::saved::saved(name, attributes.to_vec());
            &shown
        } else {
            attributes
        };
        let is_first = self.out.find('\n') == self.out.len().checked_sub(1);
        if self.is_saved && self.depth == 1 && !is_first {
            self.out.push('\n');
        }
        self.indent();
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
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

fn escape(value: &str, out: &mut String) {
    for c in value.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Written plainly, white space other than blanks would come back as blanks.
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            other => out.push(other),
        }
    }
}

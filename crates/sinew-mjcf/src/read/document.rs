//! A document: the main file with its includes spliced in, as one tree of nodes.
//!
//! An `include` is replaced, in place and in order, by the children of the included file's root.
//! Its file is looked for beside the main file first, then beside the including file. A file may
//! take part once, by identity and not by spelling, so a cycle is an error that prints itself.

use std::sync::Arc;

use super::xml::{self, Node, TreeLimits};
use crate::memory::Shortage;
use crate::place::Place;
use crate::report::Report;
use crate::source::{Source, directory_of, join};
use crate::spec::SourceFile;

/// Reads documents and keeps the table of all files of a load.
pub struct Documents<'a> {
    /// Where bytes come from.
    pub source: &'a Source,
    /// Everything said so far.
    pub report: &'a mut Report,
    /// All files read as text, shared by the main model and its sub-models.
    pub files: Vec<SourceFile>,
    /// Elements so far.
    elements: usize,
    /// Memory of the trees of the document being read.
    pub tree_bytes: u64,
}

/// A file of the document being read.
struct Included {
    identity: String,
    name: String,
    place: Place,
}

/// State of one document.
struct Splicing {
    document: u16,
    directory: String,
    /// Every file of this document.
    seen: Vec<Included>,
    /// Indices into `seen`, from the main file to the one being read.
    stack: Vec<usize>,
}

impl<'a> Documents<'a> {
    /// An empty table.
    pub fn new(source: &'a Source, report: &'a mut Report) -> Self {
        Documents {
            source,
            report,
            files: Vec::new(),
            elements: 0,
            tree_bytes: 0,
        }
    }

    /// Reads a document from text. `name` is shown in messages, `directory` is where its files
    /// are looked for. Returns the root and the index of the main file.
    pub fn read_text(
        &mut self,
        text: Arc<str>,
        name: &str,
        directory: &str,
        identity: String,
        document: u16,
    ) -> Option<(Node, u16)> {
        let place = self.add_file(name, directory, &text, document, Place::default())?;
        let mut splicing = Splicing {
            document,
            directory: directory.to_string(),
            seen: vec![Included {
                identity,
                name: name.to_string(),
                place,
            }],
            stack: vec![0],
        };
        let mut root = self.parse(&text, place, 0)?;
        self.splice(&mut root, 1, &mut splicing);
        Some((root, place.file))
    }

    /// A text, or an error that says there is no room for it.
    pub fn text(&mut self, text: Result<Arc<str>, Shortage>, asked: Place) -> Option<Arc<str>> {
        match text {
            Ok(text) => Some(text),
            Err(shortage) => {
                shortage.report("the text of the file", asked, self.report);
                None
            }
        }
    }

    /// Adds a file to the table; the result names it.
    fn add_file(
        &mut self,
        name: &str,
        directory: &str,
        text: &Arc<str>,
        document: u16,
        asked: Place,
    ) -> Option<Place> {
        let Ok(file) = u16::try_from(self.files.len()) else {
            self.report
                .error("mjcf::too-many-files", asked, "too many files");
            return None;
        };
        // A file that does not look like XML is never quoted.
        let quotable = xml::looks_like_xml(text);
        self.files.push(SourceFile {
            name: name.to_string(),
            directory: directory.to_string(),
            text: if quotable {
                text.clone()
            } else {
                Arc::default()
            },
        });
        Some(Place {
            document,
            file,
            line: 0,
            column: 0,
        })
    }

    fn parse(&mut self, text: &str, place: Place, depth: usize) -> Option<Node> {
        let limits = self.source.limits();
        let limits = TreeLimits {
            memory: self.source.memory(),
            nesting: limits.nesting.saturating_sub(depth),
            elements: limits.elements.saturating_sub(self.elements),
        };
        let parsed = xml::parse(text, place, &limits, self.report)?;
        self.elements = self.elements.saturating_add(parsed.elements);
        self.tree_bytes = self.tree_bytes.saturating_add(parsed.tree_bytes);
        Some(parsed.root)
    }

    /// Replaces the includes below a node. The depth is limited by the parser.
    fn splice(&mut self, node: &mut Node, depth: usize, splicing: &mut Splicing) {
        if !self.report.has_time(node.place) {
            return;
        }
        if node.children.iter().all(|child| child.name != "include") {
            for child in &mut node.children {
                self.splice(child, depth.saturating_add(1), splicing);
            }
            return;
        }
        for mut child in std::mem::take(&mut node.children) {
            if !self.report.has_time(child.place) {
                return;
            }
            if child.name == "include" {
                let included = self.include(&child, depth, splicing);
                node.children.extend(included);
            } else {
                self.splice(&mut child, depth.saturating_add(1), splicing);
                node.children.push(child);
            }
        }
    }

    /// The children of the file an `include` names.
    fn include(&mut self, node: &Node, depth: usize, splicing: &mut Splicing) -> Vec<Node> {
        if !node.children.is_empty() || node.has_text {
            self.report
                .error(
                    "mjcf::include-children",
                    node.place,
                    "<include> cannot have children",
                )
                .element("include");
            return Vec::new();
        }
        let Some(file) = node.attribute("file") else {
            self.report
                .error(
                    "mjcf::missing-attribute",
                    node.place,
                    "required attribute \"file\" missing in <include>",
                )
                .element("include")
                .attribute("file");
            return Vec::new();
        };
        for extra in node.attributes.iter().filter(|a| a.name != "file") {
            self.report
                .warning(
                    "mjcf::unknown-attribute",
                    extra.place,
                    format!("attribute \"{}\" of <include> is ignored", extra.name),
                )
                .element("include")
                .attribute(extra.name.clone());
        }
        let Some((root, place)) = self.included_file(&file.text, file.value_place, depth, splicing)
        else {
            return Vec::new();
        };
        let mut root = root;
        if root.children.is_empty() {
            self.report
                .error(
                    "mjcf::empty-include",
                    file.value_place,
                    format!("included file \"{}\" has no elements", file.text),
                )
                .element("include")
                .attribute("file");
        }
        let index = splicing.seen.len();
        splicing.seen.push(Included {
            identity: self.source.identity(&place.1),
            name: file.text.clone(),
            place: file.value_place,
        });
        splicing.stack.push(index);
        if splicing.stack.len() > self.source.limits().include_depth {
            self.report.error(
                "mjcf::include-depth",
                file.value_place,
                format!(
                    "includes are nested more than {} deep",
                    self.source.limits().include_depth
                ),
            );
            root.children.clear();
        } else {
            self.splice(&mut root, depth, splicing);
        }
        splicing.stack.pop();
        root.children
    }

    /// Finds, reads and parses an included file.
    fn included_file(
        &mut self,
        name: &str,
        asked: Place,
        depth: usize,
        splicing: &Splicing,
    ) -> Option<(Node, (Place, String))> {
        let mut candidates = vec![join(&splicing.directory, name)];
        if let Some(including) = self.files.get(usize::from(asked.file)) {
            let beside = join(&including.directory, name);
            if !candidates.contains(&beside) {
                candidates.push(beside);
            }
        }
        let path = candidates
            .iter()
            .find(|path| self.source.exists(path))
            .or(candidates.first())?
            .clone();
        let identity = self.source.identity(&path);
        if let Some(first) = splicing.seen.iter().position(|s| s.identity == identity) {
            self.repeated(name, asked, first, splicing);
            return None;
        }
        let bytes = match self.source.read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.report
                    .error(
                        "mjcf::include-file",
                        asked,
                        format!("cannot include \"{name}\": {error}"),
                    )
                    .element("include")
                    .attribute("file")
                    .hint(format!("tried {}", candidates.join(", ")));
                return None;
            }
        };
        let text = self.text(self.source.text(bytes), asked)?;
        let place = self.add_file(&path, directory_of(&path), &text, splicing.document, asked)?;
        let root = self.parse(&text, place, depth)?;
        Some((root, (place, path)))
    }

    fn repeated(&mut self, name: &str, asked: Place, first: usize, splicing: &Splicing) {
        let cycle = splicing.stack.iter().position(|index| *index == first);
        let message = match cycle.and_then(|start| splicing.stack.get(start..)) {
            Some(ring) => {
                let mut names: Vec<&str> = ring
                    .iter()
                    .filter_map(|index| splicing.seen.get(*index))
                    .map(|included| included.name.as_str())
                    .collect();
                names.push(name);
                format!("file \"{name}\" includes itself: {}", names.join(" → "))
            }
            None => format!("file \"{name}\" is already included"),
        };
        let before = splicing.seen.get(first).map(|included| included.place);
        let before = before.filter(|place| place.line > 0).and_then(|place| {
            let file = self.files.get(usize::from(place.file))?;
            Some(format!(
                "first included at {}:{}:{}",
                file.name, place.line, place.column
            ))
        });
        let entry = self.report.error("mjcf::repeated-include", asked, message);
        entry.element("include").attribute("file");
        if let Some(before) = before {
            entry.hint(before);
        }
    }
}

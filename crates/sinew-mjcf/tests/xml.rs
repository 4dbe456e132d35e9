//! The tree of a file is the one that another reader makes of it: of our models and of what becomes of them when pieces are
//! put in, taken out or doubled, seeded. What the other refuses is refused, and the other way round.

use sinew_mjcf::Place;
use sinew_mjcf::memory::Memory;
use sinew_mjcf::read::xml::{self, Node, TreeLimits};
use sinew_mjcf::report::Report;
use std::path::Path;

/// Depth, name, attributes, and whether there is text between its children.
type Row = (usize, String, Vec<(String, String)>, bool);

const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "=",
    "\"",
    "'",
    "&",
    ";",
    "&amp;",
    "&#65;",
    "&#x41;",
    "&#0;",
    "&lt;",
    "&no;",
    "<!--",
    "-->",
    "<!-- a--b -->",
    "<![CDATA[",
    "]]>",
    "<![CDATA[x]]>",
    "<?",
    "?>",
    "<?a b?>",
    "<?xml version='1.0'?>",
    " xmlns:a='b'",
    " a:b='c'",
    "a:",
    ":",
    "\r",
    "\r\n",
    "\t",
    "\n",
    " ",
    "\u{1}",
    "\u{fffe}",
    "\u{fffd}",
    "é",
    "x",
    "<a/>",
    "</a>",
    "<a>",
    "<a b='1' b='2'/>",
    "<!DOCTYPE a>",
    " name='1'",
    "\u{a0}",
];

/// Numbers that look like chance.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % most.max(1)
    }
}

fn ours(text: &str) -> Option<Vec<Row>> {
    fn add(node: &Node, depth: usize, rows: &mut Vec<Row>) {
        let attributes = node.attributes.iter();
        let attributes = attributes.map(|a| (a.name.clone(), a.text.clone()));
        rows.push((
            depth,
            node.name.clone(),
            attributes.collect(),
            node.has_text,
        ));
        for child in &node.children {
            add(child, depth + 1, rows);
        }
    }
    let limits = TreeLimits {
        memory: &Memory::default(),
        nesting: 500,
        elements: 100_000,
    };
    let mut report = Report::default();
    let parsed = xml::parse(text, Place::default(), &limits, &mut report);
    assert_eq!(parsed.is_none(), report.has_errors(), "{text}");
    let mut rows = Vec::new();
    add(&parsed?.root, 0, &mut rows);
    Some(rows)
}

fn theirs(text: &str) -> Option<Vec<Row>> {
    let cleaned = without_hyphens(text);
    let tree = roxmltree::Document::parse(&cleaned).ok()?;
    let mut rows = Vec::new();
    let mut stack = vec![(0, tree.root_element())];
    while let Some((depth, node)) = stack.pop() {
        let attributes = node.attributes();
        let attributes = attributes.map(|a| {
            let name = &cleaned[a.range_qname()];
            (name.to_string(), a.value().to_string())
        });
        let has_text = node
            .children()
            .filter(roxmltree::Node::is_text)
            .any(|child| child.text().is_some_and(|text| !text.trim().is_empty()));
        let name = node.tag_name().name().to_string();
        rows.push((depth, name, attributes.collect(), has_text));
        let children: Vec<_> = node.children().filter(|c| c.is_element()).collect();
        stack.extend(children.into_iter().rev().map(|child| (depth + 1, child)));
    }
    Some(rows)
}

/// Comments without the hyphens that the other reader refuses.
fn without_hyphens(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        out.push_str(before);
        let inside = |open: &str, close: &str| {
            let inside = tag.strip_prefix(open)?;
            Some(open.len() + inside.find(close).unwrap_or(inside.len()))
        };
        // What looks like a comment in other markup is none.
        let comment = inside("<!--", "-->").filter(|end| tag[*end..].starts_with("-->"));
        if let Some(end) = comment {
            out.push_str("<!--");
            out.push_str(&tag[4..end].replace('-', " "));
            rest = &tag[end..];
        } else {
            let other = inside("<![CDATA[", "]]>").or(inside("<?", "?>"));
            let (passed, left) = tag.split_at(other.unwrap_or(1));
            out.push_str(passed);
            rest = left;
        }
    }
    out + rest
}

fn texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    paths.sort();
    let read = |path| std::fs::read_to_string(path).expect("a text");
    paths.into_iter().map(read).collect()
}

#[test]
fn a_tree_is_what_another_reader_makes_of_it() {
    let small = "<?xml version='1.0' encoding=\"utf-8\"?>\n<!-- a -->\n<a xmlns:p='q' b='1&lt;2'>\n <p:c p:d='é'/>\
                 <![CDATA[<]]>&#65;<e>text</e><f g='1\t2\r\n3'></f><?do it?></a>\n<!-- end -->";
    let mut dice = Dice(7);
    let mut accepted = 0;
    for text in texts().iter().map(String::as_str).chain([small]) {
        assert_eq!(ours(text), theirs(text));
        let count = if text.len() < 1000 { 20_000 } else { 300 };
        for _ in 0..count {
            let mut text = text.to_string();
            for _ in 0..=dice.below(3) {
                mutate(&mut text, &mut dice);
            }
            let (own, other) = (ours(&text), theirs(&text));
            assert_eq!(own, other, "{text:?}");
            accepted += usize::from(own.is_some());
        }
    }
    assert!(accepted > 2000, "{accepted}");
}

fn mutate(text: &mut String, dice: &mut Dice) {
    let mut place = |text: &String| {
        let mut at = dice.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (first, second) = (place(text), place(text));
    let (low, high) = (first.min(second), first.max(second));
    let high = high.min(low + 12);
    let high = (low..=high)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(low);
    match dice.below(4) {
        0 => text.replace_range(low..high, ""),
        1 => {
            let piece = text[low..high].to_string();
            text.insert_str(first, &piece);
        }
        _ => text.insert_str(first, PIECES[dice.below(PIECES.len())]),
    }
}

//! One random change of a text or of bytes.

use std::ops::Range;

/// SplitMix64: the sequence depends on the seed alone.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 up to `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "0.5",
    "1e-9",
    "1e-16",
    "1e9",
    "1e30",
    "1e308",
    "-1e308",
    "1e-300",
    "nan",
    "inf",
    "-inf",
    "100",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "1e999",
    "1e-320",
    "",
    "x",
    "1 2 3 4 5 6 7 8 9 10 11",
    "0 0 0",
    "0 0 0 0",
];

const WORDS: &[&str] = &[
    "",
    "true",
    "false",
    "auto",
    "main",
    "world",
    "free",
    "ball",
    "slide",
    "mesh",
    "plane",
    "hfield",
    "sdf",
    "cable",
    "targetbody",
    "2d",
    "cube",
    "skybox",
    "user",
    "muscle",
    "é\u{1F980}",
    "a/../b",
    "\u{0}",
    "&lt;&amp;",
];

/// A tag in the text: where it is, whether it opens, closes or both, and its attributes' values.
struct Tag {
    range: Range<usize>,
    is_close: bool,
    is_empty: bool,
    attributes: Vec<(Range<usize>, Range<usize>)>,
}

/// All tags; the text is one of ours or close to it.
fn tags(text: &str) -> Vec<Tag> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        if text[open..].starts_with("<!--") {
            match text[open..].find("-->") {
                Some(end) => at = open + end + 3,
                None => break,
            }
            continue;
        }
        let Some(end) = text[open..].find('>').map(|i| open + i + 1) else {
            break;
        };
        let inside = &text[open..end];
        let mut attributes = Vec::new();
        let mut position = 0;
        while let Some(equals) = inside[position..].find('=').map(|i| position + i) {
            let name_start = inside[..equals]
                .rfind(char::is_whitespace)
                .map_or(1, |i| i + 1);
            let Some(quote) = inside[equals + 1..].chars().next() else {
                break;
            };
            if !matches!(quote, '"' | '\'') {
                position = equals + 1;
                continue;
            }
            let value = equals + 2;
            let Some(length) = inside[value..].find(quote) else {
                break;
            };
            attributes.push((
                open + name_start..open + equals,
                open + value..open + value + length,
            ));
            position = value + length + 1;
        }
        out.push(Tag {
            range: open..end,
            is_close: inside.starts_with("</"),
            is_empty: inside.ends_with("/>") || inside.starts_with("<?"),
            attributes,
        });
        at = end;
    }
    out
}

/// The text of an element from its opening to its closing tag.
fn element(tags: &[Tag], start: usize) -> Range<usize> {
    let first = &tags[start];
    if first.is_empty || first.is_close {
        return first.range.clone();
    }
    let mut depth = 0;
    for tag in &tags[start..] {
        match (tag.is_close, tag.is_empty) {
            (true, _) => depth -= 1,
            (false, false) => depth += 1,
            _ => {}
        }
        if depth == 0 {
            return first.range.start..tag.range.end;
        }
    }
    first.range.clone()
}

fn replaced(text: &str, range: Range<usize>, by: &str) -> String {
    format!("{}{by}{}", &text[..range.start], &text[range.end..])
}

/// One mutation of a model text.
pub fn mutate_text(text: &str, random: &mut Random) -> String {
    let tags = tags(text);
    if tags.is_empty() {
        return text.to_string();
    }
    let values: Vec<_> = tags.iter().flat_map(|tag| tag.attributes.clone()).collect();
    let tag_index = random.below(tags.len());
    match random.below(14) {
        // A number of a value, or the whole value.
        0..=4 => {
            let Some((_, value)) = random.pick(&values) else {
                return String::new();
            };
            let tokens: Vec<&str> = text[value.clone()].split_ascii_whitespace().collect();
            let at = random.below(tokens.len());
            let number = NUMBERS[random.below(NUMBERS.len())];
            let mut new: Vec<&str> = tokens;
            match new.get_mut(at) {
                Some(token) => *token = number,
                None => new.push(number),
            }
            replaced(text, value.clone(), &new.join(" "))
        }
        5 => match random.pick(&values) {
            Some((_, value)) => {
                let word = WORDS[random.below(WORDS.len())];
                replaced(text, value.clone(), word)
            }
            None => String::new(),
        },
        // The value of one attribute for another.
        6 => match (random.pick(&values).cloned(), random.pick(&values)) {
            (Some((_, to)), Some((_, from))) => replaced(text, to, &text[from.clone()]),
            _ => String::new(),
        },
        // The name of one attribute for another.
        7 => match (random.pick(&values).cloned(), random.pick(&values)) {
            (Some((to, _)), Some((from, _))) => replaced(text, to, &text[from.clone()]),
            _ => String::new(),
        },
        // Without an attribute.
        8 => match random.pick(&values) {
            Some((name, value)) => replaced(text, name.start..value.end + 1, ""),
            None => String::new(),
        },
        // Without an element.
        9 => replaced(text, element(&tags, tag_index), ""),
        // An element twice, or somewhere else.
        10 | 11 => {
            let copy = &text[element(&tags, tag_index)];
            let place = tags[random.below(tags.len())].range.end;
            replaced(text, place..place, copy)
        }
        // An element wrapped.
        12 => {
            let range = element(&tags, tag_index);
            let (open, close) = [
                ("<frame euler='10 20 30'>", "</frame>"),
                ("<replicate count='3' offset='1 0 0'>", "</replicate>"),
                ("<body>", "</body>"),
                ("<default class='w'>", "</default>"),
            ][random.below(4)];
            let inside = format!("{open}{}{close}", &text[range.clone()]);
            replaced(text, range, &inside)
        }
        _ => String::from_utf8_lossy(&mutate_bytes(text.as_bytes(), random)).into_owned(),
    }
}

/// One mutation of a binary file.
pub fn mutate_bytes(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    if out.is_empty() {
        return out;
    }
    let at = random.below(out.len());
    match random.below(6) {
        0 => out[at] ^= 1 << random.below(8),
        1 => out[at] = random.next() as u8,
        2 => out.truncate(at),
        3 => {
            let length = random.below(64).min(out.len() - at);
            out.drain(at..at + length);
        }
        4 => {
            let copied: Vec<u8> = out[at..(at + 16).min(out.len())].to_vec();
            let place = random.below(out.len());
            out.splice(place..place, copied);
        }
        _ => {
            // A count or a number, at the start more often than elsewhere.
            const WORDS: [u32; 10] = [
                0,
                1,
                3,
                0xFFFF_FFFF,
                0x7FFF_FFFF,
                0x8000_0000,
                0x7FC0_0000,
                0x7F80_0000,
                65_536,
                0x0100_0000,
            ];
            let at = if random.below(2) == 0 {
                at
            } else {
                random.below(120.min(out.len()))
            };
            let word = WORDS[random.below(WORDS.len())].to_le_bytes();
            for (byte, new) in out[at & !3..].iter_mut().zip(word) {
                *byte = new;
            }
        }
    }
    out
}

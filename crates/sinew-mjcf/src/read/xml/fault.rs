//! What can be wrong with the syntax of a file, and how that is said.

use super::Cursor;
use crate::place::Place;
use crate::report::Report;

/// What is wrong, and where.
pub(super) struct Fault {
    problem: Problem,
    /// Offset in bytes.
    at: usize,
}

/// What is wrong.
pub(super) enum Problem {
    /// It was reported where it was found.
    Reported,
    /// The file has nothing but blanks.
    Empty,
    NoRoot,
    UnclosedRoot,
    EarlyEnd,
    AfterRoot,
    /// The open element, and the tag that closes another.
    WrongClose(String, String),
    RepeatedAttribute(String),
    TooManyAttributes,
    UnknownPrefix(String),
    UnknownEntity(String),
    MalformedEntity,
    DocumentType,
    InvalidName,
    ForeignCharacter,
    /// The byte that was expected, and the one that is there.
    Expected(u8, u8),
    ExpectedText(&'static str),
    ExpectedThing(&'static str),
    /// Anything else.
    Syntax,
}

impl Fault {
    pub fn new(problem: Problem, at: usize) -> Self {
        Fault { problem, at }
    }

    /// Says what is wrong. The file is quoted only when it looks like XML.
    pub fn report(&self, text: &str, place: Place, report: &mut Report) {
        if matches!(self.problem, Problem::Reported) {
            return;
        }
        if matches!(self.problem, Problem::Empty) {
            report.error("mjcf::empty-file", place, "the file is empty");
            return;
        }
        if !text.trim_start().starts_with('<') {
            report.error("mjcf::not-xml", place, "this is not an XML file");
            return;
        }
        if matches!(self.problem, Problem::NoRoot) {
            let start = Place {
                line: 1,
                column: 1,
                ..place
            };
            report.error("mjcf::syntax", start, "the file has no element");
            return;
        }
        // What ends too early ends with its last line.
        let at = match self.problem {
            Problem::UnclosedRoot | Problem::EarlyEnd => {
                let line = text.strip_suffix('\n').unwrap_or(text);
                line.strip_suffix('\r').unwrap_or(line).len()
            }
            _ => self.at,
        };
        let (line, column) = Cursor::new(text).at(at);
        let place = Place {
            line,
            column,
            ..place
        };
        if matches!(self.problem, Problem::TooManyAttributes) {
            let most = super::MOST_ATTRIBUTES;
            let message = format!("an element has more than {most} attributes");
            report.error("mjcf::too-many-attributes", place, message);
            return;
        }
        let (message, hint) = self.words();
        let entry = report.error("mjcf::syntax", place, message);
        if let Some(hint) = hint {
            entry.hint(hint);
        }
    }

    fn words(&self) -> (String, Option<String>) {
        let plain = |message: &str| (message.to_string(), None);
        let hinted = |message: &str, hint: &str| (message.to_string(), Some(hint.to_string()));
        match &self.problem {
            Problem::WrongClose(open, close) => (
                format!("</{close}> found where </{open}> was expected"),
                Some(format!("close <{open}> with </{open}> first")),
            ),
            Problem::UnclosedRoot => hinted("the file ends too early", "an element is not closed"),
            Problem::EarlyEnd => hinted(
                "the file ends too early",
                "a tag or a comment is not closed",
            ),
            Problem::AfterRoot => hinted(
                "something follows the end of the model",
                "a file has one root element",
            ),
            Problem::RepeatedAttribute(name) => {
                plain(&format!("attribute \"{name}\" is given twice"))
            }
            Problem::UnknownPrefix(prefix) => plain(&format!("unknown namespace \"{prefix}\"")),
            Problem::UnknownEntity(name) => hinted(
                &format!("unknown entity \"&{name};\""),
                "only &amp; &lt; &gt; &quot; &apos; and &#…; are known",
            ),
            Problem::MalformedEntity => hinted("malformed entity", "write &amp; for a plain &"),
            Problem::DocumentType => hinted(
                "document types are not supported",
                "remove the <!DOCTYPE …> section",
            ),
            Problem::InvalidName => plain("invalid name"),
            Problem::ForeignCharacter => plain("a control character is not allowed here"),
            Problem::Expected(wanted, found) => {
                let message = format!("syntax error: `{}` expected", char::from(*wanted));
                let is_open = *found == b'<' && matches!(wanted, b'"' | b'\'');
                let hint = "close the quotes, or write &lt; for < inside a value";
                (message, is_open.then(|| hint.to_string()))
            }
            Problem::ExpectedText(wanted) => {
                let hint = (*wanted == "-->").then(|| "a comment is not closed".to_string());
                (format!("syntax error: {wanted} expected"), hint)
            }
            Problem::ExpectedThing(wanted) => plain(&format!("syntax error: {wanted} expected")),
            _ => plain("syntax error"),
        }
    }
}

//! What kind of file an asset names, and complaints about its content.

use super::Context;
use crate::place::At;

/// Reports a file whose content is wrong.
pub fn refuse(ctx: &mut Context, name: &At<String>, element: &str, attribute: &str, what: &str) {
    ctx.report
        .error(
            "mjcf::bad-file",
            name.place,
            format!("cannot use file `{}`: {what}", name.value),
        )
        .element(element)
        .attribute(attribute);
}

/// The content type of a file: as written, else from its extension; empty when unknown.
pub fn content_type(written: &Option<At<String>>, file: &str) -> String {
    if let Some(written) = written.as_ref().filter(|w| !w.value.is_empty()) {
        return written_type(&written.value).unwrap_or_default();
    }
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    match name.rsplit_once('.') {
        Some((_, extension)) if extension.eq_ignore_ascii_case("png") => "image/png".to_string(),
        _ => String::new(),
    }
}

/// `type/subtype` out of `type/subtype;parameter=value`.
fn written_type(text: &str) -> Option<String> {
    let (kind, rest) = text.split_once('/')?;
    if rest.is_empty() || kind.contains(';') {
        return None;
    }
    match rest.split_once(';') {
        None => Some(text.to_string()),
        Some((subtype, parameter)) if parameter.contains('=') => Some(format!("{kind}/{subtype}")),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_type_beats_the_extension() {
        let written = |text: &str| Some(At::new(text.to_string(), Default::default()));
        assert_eq!(content_type(&None, "a/b.PNG"), "image/png");
        assert_eq!(content_type(&None, "a.png/b"), "");
        assert_eq!(content_type(&written("image/png;x=1"), "b"), "image/png");
        assert_eq!(content_type(&written("image/png;x"), "b.png"), "");
        assert_eq!(content_type(&written("image"), "b.png"), "");
    }
}

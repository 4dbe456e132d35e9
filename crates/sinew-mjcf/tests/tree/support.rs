//! Helpers of the tests that load small models.

use sinew_mjcf::load_text;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;

/// Loads a model from text; says why if it does not load.
pub fn load(xml: &str) -> Model {
    match load_text(xml) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{error}\n{xml}"),
    }
}

/// The model must not load, and one message must contain the text and a line number.
pub fn refuse(xml: &str, text: &str) {
    match load_text(xml) {
        Ok(_) => panic!("should not load: {xml}"),
        Err(error) => {
            let found = error
                .diagnostics
                .iter()
                .any(|d| d.message.contains(text) && d.line > 0);
            assert!(found, "no message with \"{text}\" in:\n{error}\n{xml}");
        }
    }
}

/// Componentwise within a tolerance.
pub fn close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (f, e) in found.iter().zip(expected) {
        assert!(
            (f - e).abs() <= tolerance,
            "{what}: found {found:?}, expected {expected:?}"
        );
    }
}

/// Equal rotations: the sign of a quaternion is free.
pub fn same_rotation(found: &[f64; 4], expected: [f64; 4], tolerance: f64, what: &str) {
    let dot: f64 = found.iter().zip(&expected).map(|(f, e)| f * e).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    close(found, &expected.map(|e| sign * e), tolerance, what);
}

/// The id of a named object.
pub fn id(model: &Model, kind: ObjectType, name: &str) -> usize {
    match model.id(kind, name) {
        Some(id) => id,
        None => panic!("nothing of this kind is named {name}"),
    }
}

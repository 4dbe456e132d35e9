//! Models as text.

use sinew_mjcf::load_text;
use sinew_model::Model;

/// A model that is written in a test.
pub fn written(body: &str) -> Model {
    let text = format!("<mujoco>{body}</mujoco>");
    load_text(&text).expect("a model").model
}

//! Whether the structure of a model that comes from elsewhere holds together.

use super::structure::from_shape;
use sinew_model::ModelArrays;
use sinew_model::change::{ChangeError, Fault};
use sinew_model::column::Meaning;

/// Checks everything that simulations rely on, to the last index: ids and addresses lead somewhere, and
/// what follows from the shape of the tree is what would follow from it now.
///
/// Models that the compiler makes need no such check; arrays from a file do.
pub fn verify(model: &ModelArrays) -> Result<(), ChangeError> {
    model.check_references()?;
    let mut derived = model.clone();
    let differs = |column: &'static str, row: usize| ChangeError {
        column,
        row,
        fault: Fault::Structure,
    };
    if from_shape(&mut derived).is_err() {
        return Err(differs("sizes", 0));
    }
    if derived.sizes() != model.sizes() {
        return Err(differs("sizes", 0));
    }
    for (given, derived) in model.columns().iter().zip(derived.columns()) {
        if given.meaning == Meaning::Structure && given.bytes != derived.bytes {
            let pairs = given.bytes.iter().zip(derived.bytes);
            let byte = pairs.into_iter().position(|(a, b)| a != b).unwrap_or(0);
            let row_bytes = given.bytes.len() / given.rows.max(1);
            return Err(differs(given.name, byte / row_bytes.max(1)));
        }
    }
    Ok(())
}

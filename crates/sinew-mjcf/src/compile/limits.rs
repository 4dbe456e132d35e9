//! When a range limits something: `true`, `false`, or `auto` with a range that makes sense.

use super::Context;
use crate::place::Place;
use crate::spec::value::Tristate;

/// Whether a limit is in force. Under `auto` a reversed or empty range means no limit.
pub fn is_limited(limited: Tristate, range: [f64; 2]) -> bool {
    match limited {
        Tristate::True => true,
        Tristate::False => false,
        Tristate::Auto => range[0] < range[1],
    }
}

/// Reports a range that was given without saying whether it limits, where automatic limits are
/// switched off. `prefix` is what stands before `range` and `limited` in the attribute names.
pub fn check_automatic(
    ctx: &mut Context,
    place: Place,
    element: &str,
    prefix: &str,
    limited: Tristate,
    range: [f64; 2],
) {
    let is_given = range[0] != 0.0 || range[1] != 0.0;
    if limited != Tristate::Auto || !is_given || ctx.has_autolimits(place) {
        return;
    }
    ctx.report
        .error(
            "mjcf::ambiguous-limit",
            place,
            format!("`{prefix}range` is given but `{prefix}limited` is not, and autolimits is off"),
        )
        .element(element)
        .attribute(format!("{prefix}limited"))
        .hint(format!(
            "write `{prefix}limited=\"true\"` or \"false\", or set `autolimits=\"true\"` in compiler"
        ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn auto_needs_an_increasing_range() {
        assert!(is_limited(Tristate::Auto, [-1.0, 1.0]));
        assert!(!is_limited(Tristate::Auto, [1.0, -1.0]));
        assert!(!is_limited(Tristate::Auto, [0.0, 0.0]));
        assert!(is_limited(Tristate::True, [0.0, 0.0]));
        assert!(!is_limited(Tristate::False, [-1.0, 1.0]));
    }
}

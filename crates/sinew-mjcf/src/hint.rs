//! What usually mends an error of a kind, for places that know no better.
//!
//! A hint that knows the names at hand ("did you mean…") is given where the error is found; this table
//! serves all others of that kind.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

/// The usual remedy for errors with a code.
pub fn usual(code: &str) -> Option<&'static str> {
    let found = HINTS.iter().find(|(known, _)| *known == code);
    found.map(|(_, hint)| *hint)
}

const HINTS: &[(&str, &str)] = &[
    (
        "mjcf::attach-depth",
        "attach fewer models inside each other, or raise the limit",
    ),
    (
        "mjcf::axis",
        "give an axis with a length, such as \"0 0 1\"",
    ),
    (
        "mjcf::bad-file",
        "is it the file that was meant, whole and of this type?",
    ),
    (
        "mjcf::condim",
        "1 has no friction, 3 sliding, 4 also twisting, 6 also rolling friction",
    ),
    (
        "mjcf::count",
        "separate numbers by blanks, as many as the attribute takes",
    ),
    ("mjcf::default-class", "write <default class=\"…\">"),
    (
        "mjcf::direction",
        "give a direction with a length, such as \"0 0 -1\"",
    ),
    ("mjcf::empty-file", "a model starts with <mujoco>"),
    (
        "mjcf::empty-include",
        "put elements into its root, or remove the <include>",
    ),
    (
        "mjcf::eulerseq",
        "such as \"xyz\" for turning axes, \"XYZ\" for fixed ones",
    ),
    ("mjcf::file", "is the path right, and may the file be read?"),
    ("mjcf::fovy", "give the angle in degrees, below 180"),
    ("mjcf::include-children", "write <include file=\"…\"/>"),
    (
        "mjcf::include-depth",
        "include fewer files inside each other, or raise the limit",
    ),
    ("mjcf::invalid-actuator", "leave one of them out"),
    (
        "mjcf::invalid-condim",
        "1 has no friction, 3 sliding, 4 also twisting, 6 also rolling friction",
    ),
    (
        "mjcf::invalid-custom",
        "make `size` fit the data, or leave it out",
    ),
    (
        "mjcf::invalid-hfield",
        "give a file, or nrow, ncol and nrow·ncol elevations",
    ),
    ("mjcf::invalid-range", "write the lower end first"),
    (
        "mjcf::invalid-sensor",
        "change it, or leave the attribute out for its default",
    ),
    ("mjcf::invalid-size", "give a positive number"),
    (
        "mjcf::invalid-skin",
        "a skin has vertices, faces of existing vertices, and bones with one weight per vertex id",
    ),
    (
        "mjcf::invalid-statistic",
        "leave it out: it is then computed",
    ),
    (
        "mjcf::invalid-tendon",
        "a spatial path goes from site to site, with geoms and pulleys between them",
    ),
    (
        "mjcf::invalid-texture",
        "give `builtin` with width and height, or files; squares must fit the image",
    ),
    ("mjcf::invalid-visual", "leave it out for its default"),
    (
        "mjcf::key-size",
        "a key has as many numbers as the model, or none; `sinew info` tells the sizes",
    ),
    (
        "mjcf::mass",
        "give a positive number, or leave it out: the shape then decides",
    ),
    (
        "mjcf::mesh",
        "a mesh has one source: a file, `vertex`, or `builtin` with `params`",
    ),
    (
        "mjcf::misplaced-attribute",
        "remove it, or choose the target that it belongs to",
    ),
    ("mjcf::missing-attribute", "add it to the element"),
    (
        "mjcf::model-cycle",
        "a model cannot contain itself: break the ring",
    ),
    (
        "mjcf::nesting",
        "put bodies beside each other, or raise the limit",
    ),
    ("mjcf::not-finite", "give a finite number"),
    (
        "mjcf::not-xml",
        "a model is an XML file that starts with <mujoco>, or a URDF that starts with <robot>",
    ),
    (
        "mjcf::number",
        "write numbers such as 3, 0.5 or 1e-3, separated by blanks",
    ),
    (
        "mjcf::number-range",
        "give a number that 64 bits can hold, 32 for whole ones",
    ),
    (
        "mjcf::orientation",
        "give an axis with a length, such as \"0 0 1\"",
    ),
    ("mjcf::orientations", "keep one of them"),
    ("mjcf::repeated-class", "give one of them another name"),
    ("mjcf::repeated-config", "keep one of them"),
    ("mjcf::repeated-element", "merge them into one"),
    (
        "mjcf::repeated-include",
        "a file takes part once: break the ring",
    ),
    (
        "mjcf::repeated-object",
        "name another object, or leave the second out",
    ),
    ("mjcf::range", "write the lower end first"),
    (
        "mjcf::several-targets",
        "keep one of joint, jointinparent, tendon, site, slidersite with cranksite, and body",
    ),
    (
        "mjcf::site-type",
        "choose sphere, capsule, ellipsoid, cylinder or box",
    ),
    ("mjcf::interrupted", "load it again"),
    (
        "mjcf::size",
        "give a positive size for every direction of the shape",
    ),
    (
        "mjcf::syntax",
        "write attributes as name=\"value\" and close every tag",
    ),
    (
        "mjcf::time-limit",
        "make the model smaller, or raise the time that loading may take",
    ),
    ("mjcf::too-large", "ask for less, or raise the limit"),
    ("mjcf::too-many-attributes", "is a quote missing?"),
    (
        "mjcf::too-many-bodies",
        "use geoms, sites or frames where nothing moves",
    ),
    (
        "mjcf::too-many-elements",
        "make fewer copies, or raise the limit",
    ),
    ("mjcf::too-many-files", "merge files"),
    (
        "mjcf::unknown-attribute",
        "remove it, or give it to the element that takes it",
    ),
    (
        "mjcf::unknown-class",
        "define it with <default class=\"…\">",
    ),
    (
        "mjcf::unknown-name",
        "give an object that name, or name one that exists",
    ),
    (
        "mjcf::unknown-plugin",
        "is its name spelled with its library, such as mujoco.pid?",
    ),
    (
        "mjcf::user-data",
        "raise the number in `size`, or leave it out",
    ),
    ("mjcf::wrong-joint-type", "choose a hinge or a slide"),
    ("urdf::missing-attribute", "add it to the element"),
    ("urdf::missing-element", "add it inside the element"),
    ("urdf::not-finite", "give a finite number"),
    (
        "urdf::number",
        "write numbers such as 3, 0.5 or 1e-3, separated by blanks",
    ),
    ("urdf::repeated-element", "keep one of them"),
    ("urdf::repeated-name", "give one of them another name"),
    ("urdf::tree", "every link but one is the child of one joint"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_once() {
        for (i, (code, hint)) in HINTS.iter().enumerate() {
            assert!(
                HINTS.iter().skip(i + 1).all(|(other, _)| other != code),
                "{code}"
            );
            assert!(!hint.is_empty());
        }
    }
}

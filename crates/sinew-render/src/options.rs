//! What is shown, and how.

/// What is shown, and how. The default is what the reference's renderer shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Groups of geoms that are shown.
    pub geom_groups: [bool; 6],
    /// Groups of sites that are shown.
    pub site_groups: [bool; 6],
    /// Groups of tendons that are shown.
    pub tendon_groups: [bool; 6],
    /// Groups of flexes that are shown.
    pub flex_groups: [bool; 6],
    /// Groups of skins that are shown.
    pub skin_groups: [bool; 6],
    /// Whether materials have their textures.
    pub textures: bool,
    /// Whether geoms that do not move are shown.
    pub statics: bool,
    /// Whether geoms that move are translucent.
    pub translucent: bool,
    /// Whether contacts are marked.
    pub contact_points: bool,
    /// Whether forces of contacts are arrows.
    pub contact_forces: bool,
}

impl Default for Options {
    fn default() -> Self {
        let first_three = [true, true, true, false, false, false];
        Options {
            geom_groups: first_three,
            site_groups: first_three,
            tendon_groups: first_three,
            flex_groups: first_three,
            skin_groups: first_three,
            textures: true,
            statics: true,
            translucent: false,
            contact_points: false,
            contact_forces: false,
        }
    }
}

/// Whether an object of a group is shown; groups beyond the last count as the last.
pub(crate) fn shows(groups: &[bool; 6], group: i32) -> bool {
    groups[usize::try_from(group).unwrap_or(0).min(5)]
}

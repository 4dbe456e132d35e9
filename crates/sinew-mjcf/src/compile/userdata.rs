//! User numbers: a column as wide as the `size` element says, or as the longest list needs.

use super::Context;
use super::budget::check_user;
use crate::place::At;

/// The most numbers one array of a model may hold: half a gigabyte of them.
pub const MOST_NUMBERS: usize = 1 << 26;

/// The most numbers one array of a simulation may hold: four gigabytes of them.
pub const MOST_STATE_NUMBERS: usize = 1 << 29;

/// One user-data column under construction.
pub struct UserData {
    width: usize,
    /// Attribute of `size` that sets the width, such as `nuser_actuator`.
    attribute: &'static str,
}

impl UserData {
    /// Decides the width: as given (`-1` counts as not given), else the longest of the lists.
    pub fn new(
        ctx: &mut Context,
        attribute: &'static str,
        given: Option<&At<i32>>,
        lists: impl Iterator<Item = usize>,
    ) -> Self {
        let (mut longest, mut rows) = (0, 0);
        for length in lists {
            longest = longest.max(length);
            rows += 1;
        }
        let mut width = longest;
        if let Some(given) = given.filter(|given| given.value != -1) {
            width = usize::try_from(given.value).unwrap_or(0);
            if !check_user(ctx, rows, width, Some(given), attribute) {
                width = 0;
            }
        }
        UserData { width, attribute }
    }

    /// Numbers per object.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Appends the numbers of one object, padded with zeros.
    pub fn push(
        &self,
        ctx: &mut Context,
        column: &mut Vec<f64>,
        user: Option<&At<Vec<f64>>>,
        element: &str,
    ) {
        let numbers = user.map_or(&[][..], |user| user.value.as_slice());
        if let (Some(user), true) = (user, numbers.len() > self.width) {
            ctx.report
                .error(
                    "mjcf::too-many-user-numbers",
                    user.place,
                    format!(
                        "user has {} numbers, but {} is {}",
                        numbers.len(),
                        self.attribute,
                        self.width
                    ),
                )
                .element(element)
                .attribute("user")
                .hint(format!(
                    "raise `{}` in size, or leave it out",
                    self.attribute
                ));
        }
        let end = column.len() + self.width;
        column.extend(numbers.iter().take(self.width));
        column.resize(end, 0.0);
    }
}

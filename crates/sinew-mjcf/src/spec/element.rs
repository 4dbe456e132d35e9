//! The `element!` table: one row per attribute, from which reading, inheritance and writing follow.

use super::value::ValueError;
use crate::place::Place;

/// What became of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The table has no such attribute.
    Unknown,
    /// The value is in the table.
    Read,
    /// The value is in the table and has a NaN or an infinity.
    NotFinite,
}

/// What every element table offers.
pub trait Element: Clone + Default + super::held::Held {
    /// All attribute names this table knows, in writing order. Which of them a given context
    /// accepts is said by the [`schema`](crate::read::schema).
    const ATTRIBUTES: &'static [&'static str];

    /// An empty table of an element that starts at a place.
    fn placed(place: Place) -> Self;

    /// Reads one attribute.
    fn set(&mut self, name: &str, text: &str, place: Place) -> Result<Outcome, ValueError> {
        self.set_while(name, text, place, &mut || true)
    }

    /// Reads one attribute; who is asked now and then may end that, which is an error.
    fn set_while(
        &mut self,
        name: &str,
        text: &str,
        place: Place,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome, ValueError>;

    /// Takes from a default class what the element does not say itself.
    fn inherit(&mut self, class: &Self);

    /// Takes over everything a later element says.
    fn overwrite(&mut self, later: &Self);

    /// The attributes that are present, as text.
    fn written(&self) -> Vec<(&'static str, String)>;
}

/// Attributes that set one thing in different ways form a group, a bit each; 0 stands alone. An element
/// that uses one attribute of a group takes none of the group from its class. (`quat` is not in the
/// group: the alternatives win over it, wherever they come from.)
pub const fn group(attribute: &str) -> u8 {
    match attribute.as_bytes() {
        b"axisangle" | b"xyaxes" | b"zaxis" | b"euler" => 1,
        b"type" | b"directional" => 2,
        _ => 0,
    }
}

/// Declares an element: `field: Type = "attribute"`. Every field becomes `Option<At<Type>>`,
/// `None` when the attribute was not written.
#[macro_export]
macro_rules! element {
    ($( $(#[$meta:meta])* pub struct $name:ident { $( $field:ident : $t:ty = $attribute:literal, )* } )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            /// Where the element starts.
            pub place: $crate::place::Place,
            $(
                #[doc = concat!("Attribute `", $attribute, "`.")]
                pub $field: Option<$crate::place::At<$t>>,
            )*
        }

        impl $crate::spec::held::Held for $name {
            fn heap(&self) -> usize {
                0_usize $( .saturating_add(
                    self.$field.as_ref().map_or(0, |at| $crate::spec::value::Attribute::heap(&at.value))
                ) )*
            }
        }

        impl $crate::spec::element::Element for $name {
            const ATTRIBUTES: &'static [&'static str] = &[ $( $attribute, )* ];

            fn placed(place: $crate::place::Place) -> Self {
                $name { place, ..Self::default() }
            }

            fn set_while(
                &mut self,
                name: &str,
                text: &str,
                place: $crate::place::Place,
                goes_on: &mut dyn FnMut() -> bool,
            ) -> Result<$crate::spec::element::Outcome, $crate::spec::value::ValueError> {
                use $crate::spec::element::Outcome;
                use $crate::spec::value::Attribute;
                let is_finite = match name {
                    $( $attribute => {
                        let value = <$t as Attribute>::parse_while(text, goes_on)?;
                        let is_finite = value.as_ref().is_none_or(Attribute::is_finite);
                        self.$field = value.map(|value| $crate::place::At::new(value, place));
                        is_finite
                    } )*
                    _ => return Ok(Outcome::Unknown),
                };
                Ok(if is_finite { Outcome::Read } else { Outcome::NotFinite })
            }

            fn inherit(&mut self, class: &Self) {
                use $crate::spec::element::group;
                let groups: &[u8] = &[
                    $( if self.$field.is_some() { group($attribute) } else { 0 } ),*
                ];
                let used = groups.iter().fold(0, |used, group| used | group);
                $(
                    match (&mut self.$field, &class.$field) {
                        (Some(own), Some(class)) => {
                            $crate::spec::value::Attribute::complete(&mut own.value, &class.value);
                        }
                        (own @ None, Some(class)) if used & group($attribute) == 0 => {
                            *own = Some(class.clone());
                        }
                        _ => {}
                    }
                )*
            }

            fn overwrite(&mut self, later: &Self) {
                let mut merged = later.clone();
                merged.inherit(self);
                *self = merged;
            }

            fn written(&self) -> Vec<(&'static str, String)> {
                let all: Vec<Option<(&'static str, String)>> = vec![ $(
                    self.$field.as_ref().map(|at| {
                        ($attribute, $crate::spec::value::Attribute::write(&at.value))
                    })
                ),* ];
                all.into_iter().flatten().collect()
            }
        }
    )* };
}

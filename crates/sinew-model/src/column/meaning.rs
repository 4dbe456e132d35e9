//! What the numbers of a column stand for.

use super::Number;

/// What the numbers of a column stand for, and with it which of them make sense. Said in the
/// declaration of a column (`body_mass: nbody x f64 = NotNegative`), or by default: integers are
/// structure, floats are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Sizes, ids, addresses, types and names: what simulations rely on. It stays as compiled.
    Structure,
    /// Structure of what is drawn or collided with: meshes, textures, height fields, skins, names.
    Asset,
    /// A number that may change; floats are finite.
    Value,
    /// A value that is not negative.
    NotNegative,
    /// Lower and upper end, which may be infinite.
    Range,
    /// A direction or an orientation, of length 1.
    Unit,
    /// A contact dimension: 1, 3, 4 or 6.
    ContactDimension,
    /// A code of [`GainType`](crate::kinds::GainType).
    Gain,
    /// A code of [`BiasType`](crate::kinds::BiasType).
    Bias,
    /// A material's id, −1 for none.
    Material,
    /// A texture's id, −1 for none.
    Texture,
}

impl Meaning {
    /// The meaning of a column whose declaration says nothing.
    pub const fn of(number: Number) -> Meaning {
        match number {
            Number::F64 | Number::F32 => Meaning::Value,
            Number::I32 | Number::I64 | Number::U8 => Meaning::Structure,
        }
    }

    /// Whether the numbers may change in a compiled model.
    pub const fn is_value(self) -> bool {
        !matches!(self, Meaning::Structure | Meaning::Asset)
    }
}

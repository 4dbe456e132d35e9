//! Changes to the values of a compiled model.
//!
//! Sizes, trees, ids, addresses, types and names are the structure that simulations rely on: it stays
//! as compiled. The other numbers are values: poses, masses, gains, ranges, colours and the like. Which is
//! which, and what makes sense, stands in the declaration of each column ([`Meaning`]).
//! [`Model::change`] works on a copy of the arrays and takes it over if every changed number makes
//! sense, so that a refused change leaves no trace:
//!
//! - no value is NaN, and only the ends of ranges are infinite;
//! - masses, inertias, sizes, friction, armature and delays are not negative;
//! - the lower end of a range is not above the upper one;
//! - orientations are unit quaternions, directions of joints unit vectors;
//! - `condim`, gain and bias types, materials and textures are ones there are.
//!
//! What is derived from values (`body_subtreemass`, `dof_invweight0`, …) stays until
//! `set_constants` of the engine derives it again, as in the reference.

use crate::column::{Column, Meaning, Number};
use crate::kinds::{BiasType, GainType};
use crate::model::{Model, ModelArrays};
use core::fmt;
use sinew_math::MIN_VALUE;

/// Lengths may differ from 1 by this much.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Why a change of a model is refused. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeError {
    /// The array, or `sizes`.
    pub column: &'static str,
    /// Its row.
    pub row: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is structure and cannot change.
    Structure,
    /// The array has another length.
    Length,
    /// The number is NaN, or infinite where only finite ones make sense.
    NotFinite,
    /// The number is negative.
    Negative,
    /// The lower end is above the upper one.
    Range,
    /// The quaternion or direction has not length 1.
    NotUnit,
    /// The code has no meaning, or the object does not exist.
    Unknown,
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChangeError { column, row, fault } = self;
        match fault {
            Fault::Structure => write!(f, "{column} is structure: compile a model to change it"),
            Fault::Length => write!(f, "{column} cannot change its length"),
            Fault::NotFinite => write!(f, "{column}[{row}] is not finite"),
            Fault::Negative => write!(f, "{column}[{row}] is negative"),
            Fault::Range => write!(f, "{column}[{row}] has its lower end above the upper one"),
            Fault::NotUnit => write!(f, "{column}[{row}] has not length 1"),
            Fault::Unknown => write!(f, "{column}[{row}] has no meaning"),
        }
    }
}

impl core::error::Error for ChangeError {}

impl Model {
    /// Changes values. The closure gets a copy of the arrays, which replaces them if it passes the
    /// checks.
    ///
    /// ```
    /// # use sinew_model::Model;
    /// # fn lighter(model: &mut Model) -> Result<(), sinew_model::ChangeError> {
    /// model.change(|arrays| {
    ///     arrays.body_mass[1] *= 0.9;
    ///     arrays.geom_friction[3][0] = 0.6;
    /// })
    /// # }
    /// ```
    pub fn change(&mut self, edit: impl FnOnce(&mut ModelArrays)) -> Result<(), ChangeError> {
        let mut changed = ModelArrays::clone(self);
        edit(&mut changed);
        check(self, &changed)?;
        *self.unchecked() = changed;
        Ok(())
    }
}

impl ModelArrays {
    /// Whether no body with joints has a mass or inertia below zero, as whoever writes past [`Model::change`] may
    /// have left them. What a rounding left of an inertia of zero counts as zero.
    pub fn check_masses(&self) -> Result<(), ChangeError> {
        fn lowest(numbers: &[f64]) -> f64 {
            let lower = |low: f64, &x: &f64| if x < low { x } else { low };
            numbers.iter().fold(0.0, lower)
        }
        let inertias: &[f64] = bytemuck::cast_slice(&self.body_inertia);
        if lowest(&self.body_mass) == 0.0 && lowest(inertias) >= -MIN_VALUE {
            return Ok(());
        }
        let moving = || (0..self.nbody).filter(|body| self.body_dofnum[*body] > 0);
        let mass = moving().find(|body| self.body_mass[*body] < 0.0);
        let inertia = moving().find(|body| lowest(&self.body_inertia[*body].0) < -MIN_VALUE);
        let (column, row) = match (mass, inertia) {
            (Some(body), _) => ("body_mass", body),
            (None, Some(body)) => ("body_inertia", body),
            (None, None) => return Ok(()),
        };
        Err(ChangeError {
            column,
            row,
            fault: Fault::Negative,
        })
    }
}

/// The numbers that are not in columns.
fn scalars(arrays: &ModelArrays) -> ([i64; 4], u64) {
    let sizes = [arrays.nemax, arrays.njmax, arrays.nconmax, arrays.narena];
    (sizes, arrays.signature)
}

fn check(old: &ModelArrays, new: &ModelArrays) -> Result<(), ChangeError> {
    let fail = |column, fault| ChangeError {
        column,
        row: 0,
        fault,
    };
    if old.sizes() != new.sizes() || scalars(old) != scalars(new) {
        return Err(fail("sizes", Fault::Structure));
    }
    if let Some(column) = new.misshapen_column() {
        return Err(fail(column, Fault::Length));
    }
    for (old, column) in old.columns().iter().zip(&new.columns()) {
        if old.bytes == column.bytes {
            continue;
        }
        if !column.meaning.is_value() {
            return Err(fail(column.name, Fault::Structure));
        }
        check_column(old, column, (new.nmat, new.ntex))?;
    }
    Ok(())
}

/// The changed rows of a column.
fn check_column(old: &Column, new: &Column, assets: (usize, usize)) -> Result<(), ChangeError> {
    let width = new.width.unwrap_or(1).max(1);
    let size = match new.number {
        Number::F64 | Number::I64 => 8,
        Number::F32 | Number::I32 => 4,
        Number::U8 => 1,
    };
    let rows = old.bytes.chunks(width * size);
    for (row, (old, bytes)) in rows.zip(new.bytes.chunks(width * size)).enumerate() {
        if old == bytes {
            continue;
        }
        let fault = match new.number {
            Number::F64 => float_fault(new.meaning, &numbers(bytes, f64::from_ne_bytes)),
            Number::F32 => {
                let wide = |bytes| f64::from(f32::from_ne_bytes(bytes));
                float_fault(new.meaning, &numbers(bytes, wide))
            }
            Number::I32 => {
                let codes: Vec<i32> = numbers(bytes, i32::from_ne_bytes);
                let is_known = |code: &i32| is_known(new.meaning, *code, assets);
                (!codes.iter().all(is_known)).then_some(Fault::Unknown)
            }
            Number::I64 | Number::U8 => None,
        };
        if let Some(fault) = fault {
            return Err(ChangeError {
                column: new.name,
                row,
                fault,
            });
        }
    }
    Ok(())
}

fn numbers<const N: usize, T>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (cells, _) = bytes.as_chunks::<N>();
    cells.iter().map(|cell| number(*cell)).collect()
}

fn float_fault(meaning: Meaning, row: &[f64]) -> Option<Fault> {
    let is_finite = |x: &f64| x.is_finite() || (meaning == Meaning::Range && !x.is_nan());
    if !row.iter().all(is_finite) {
        return Some(Fault::NotFinite);
    }
    match meaning {
        Meaning::NotNegative if row.iter().any(|x| *x < 0.0) => Some(Fault::Negative),
        Meaning::Range if row[0] > row[1] => Some(Fault::Range),
        // A direction has three numbers, an orientation four; keyframes have a row of orientations.
        Meaning::Unit if !row.chunks(row.len().min(4)).all(is_unit) => Some(Fault::NotUnit),
        _ => None,
    }
}

fn is_unit(direction: &[f64]) -> bool {
    let square: f64 = direction.iter().map(|x| x * x).sum();
    (square.sqrt() - 1.0).abs() <= UNIT_TOLERANCE
}

/// Whether a code means something, with so many materials and textures.
fn is_known(meaning: Meaning, code: i32, (materials, textures): (usize, usize)) -> bool {
    let is_id = |count: usize| code >= -1 && i64::from(code) < count as i64;
    match meaning {
        Meaning::ContactDimension => matches!(code, 1 | 3 | 4 | 6),
        Meaning::Gain => GainType::from_code(code).is_some(),
        Meaning::Bias => BiasType::from_code(code).is_some(),
        Meaning::Material => is_id(materials),
        Meaning::Texture => is_id(textures),
        Meaning::NotNegative => code >= 0,
        _ => true,
    }
}

//! How hard a constraint is: impedance, regularisation and reference.
//!
//! The impedance d(r) rises from `solimp[0]` to `solimp[1]` over a violation of `solimp[2]`, along
//! two powers joined at the midpoint `solimp[3]`. It sets the regularisation
//! R = (1 − d)/d · diagApprox, where diagApprox stands for the diagonal of J·M⁻¹·Jᵀ and comes from
//! inverse weights at qpos0. `solref` sets the reference acceleration −B·v − K·d·r: as (time
//! constant, damping ratio) K = 1/(dmax²τ²ζ²), B = 2/(dmaxτ); negative as (−K, −B) directly.
//! Conforms to MuJoCo's `mj_makeImpedance`, `mj_referenceConstraint`.

use sinew_math::{MIN_VALUE, Mask, Real};

const LEAST_IMPEDANCE: f64 = 0.0001;
const MOST_IMPEDANCE: f64 = 0.9999;
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Impedance at a violation, its derivative, and the stiffness and damping of the reference.
#[derive(Clone, Copy, Debug)]
pub struct Impedance<T = f64> {
    /// Between 0 and 1.
    pub value: T,
    /// Derivative with respect to the violation.
    pub slope: T,
    /// K of the reference.
    pub stiffness: T,
    /// B of the reference.
    pub damping: T,
}

impl<T: Real> Impedance<T> {
    /// Regularisation of a row with the given diagonal entry of J·M⁻¹·Jᵀ.
    #[inline(always)]
    pub fn regularisation(&self, diagonal: T) -> T {
        let regularisation = (T::ONE - self.value) * diagonal / self.value;
        raised(regularisation, T::from_f64(MIN_VALUE))
    }

    /// The diagonal entry that a regularisation stands for.
    #[inline(always)]
    pub fn diagonal(&self, regularisation: T) -> T {
        regularisation * self.value / (T::ONE - self.value)
    }

    /// The numbers of a row, as `efc_KBIP` has them.
    #[inline(always)]
    pub fn row(&self) -> [T; 4] {
        [self.stiffness, self.damping, self.value, self.slope]
    }
}

/// Acceleration that a row with the numbers of `efc_KBIP` aims at: −B·v − K·d·r.
#[doc(alias = "mj_referenceConstraint")]
#[inline(always)]
pub fn reference<T: Real>([k, b, impedance, _]: [T; 4], velocity: T, violation: T) -> T {
    -b * velocity - k * impedance * violation
}

/// The number, or the floor where it is below or no number.
#[inline(always)]
pub(super) fn raised<T: Real>(x: T, floor: T) -> T {
    T::select(x.greater(floor), x, floor)
}

/// A reference that is usable: in one form or the other, and, where `timestep` is given, no time
/// constant below two of them, which would be unstable. What is in both forms becomes `otherwise`.
#[inline(always)]
pub fn safe_reference<T: Real>(solref: [T; 2], otherwise: [f64; 2], timestep: Option<T>) -> [T; 2] {
    let (first, second) = (solref[0].greater(T::ZERO), solref[1].greater(T::ZERO));
    let is_mixed = (first & !second) | (!first & second);
    let otherwise = otherwise.map(T::from_f64);
    let [time, ratio] = sinew_math::real::select(is_mixed, otherwise, solref);
    match timestep {
        Some(timestep) => {
            let longer = raised(time, T::from_f64(2.0) * timestep);
            [T::select(time.greater(T::ZERO), longer, time), ratio]
        }
        None => [time, ratio],
    }
}

/// The reference of a constraint made usable, the usual one where it is in both forms.
#[inline(always)]
pub fn usual_reference<T: Real>(solref: [T; 2], timestep: Option<T>) -> [T; 2] {
    safe_reference(solref, DEFAULT_SOLREF, timestep)
}

/// Impedance parameters within their ranges.
#[inline(always)]
pub fn safe_impedance<T: Real>([low, high, width, midpoint, power]: [T; 5]) -> [T; 5] {
    let clamp = |x: T| {
        let (least, most) = (T::from_f64(LEAST_IMPEDANCE), T::from_f64(MOST_IMPEDANCE));
        T::select(x.less(least), least, T::select(x.greater(most), most, x))
    };
    [
        clamp(low),
        clamp(high),
        raised(width, T::ZERO),
        clamp(midpoint),
        raised(power, T::ONE),
    ]
}

/// Impedance at a violation, with safe parameters.
#[inline(always)]
pub fn impedance<T: Real>(solref: [T; 2], solimp: &[T; 5], violation: T) -> Impedance<T> {
    let (value, slope) = rise(solimp, violation);
    Impedance {
        value,
        slope,
        stiffness: stiffness(solref, solimp),
        damping: damping(solref, solimp),
    }
}

/// Impedance at a violation, and its derivative.
#[inline(always)]
fn rise<T: Real>(solimp: &[T; 5], violation: T) -> (T, T) {
    let [low, high, width, midpoint, power] = *solimp;
    let is_constant = low.equals(high) | width.at_most(T::from_f64(MIN_VALUE));
    let mean = T::from_f64(0.5) * (low + high);
    if is_constant.all() {
        return (mean, T::ZERO);
    }
    let signed = violation / width;
    let x = signed.abs();
    let (is_full, is_least) = (x.at_least(T::ONE), x.at_most(T::ZERO));
    let level = T::select(is_constant, mean, T::select(is_full, high, low));
    let is_level = is_constant | is_full | is_least;
    if is_level.all() {
        return (level, T::ZERO);
    }
    let (y, slope) = sigmoid(x, midpoint, power);
    let sign = T::select(signed.less(T::ZERO), -T::ONE, T::ONE);
    (
        T::select(is_level, level, low + y * (high - low)),
        T::select(is_level, T::ZERO, slope * sign * (high - low) / width),
    )
}

/// Two powers joined at the midpoint, from (0, 0) to (1, 1), and the slope.
#[inline(always)]
fn sigmoid<T: Real>(x: T, midpoint: T, power: T) -> (T, T) {
    let is_straight = power.equals(T::ONE);
    if is_straight.all() {
        return (x, T::ONE);
    }
    // Both halves are the same curve, seen from its own end.
    let is_early = x.at_most(midpoint);
    let from_end = T::select(is_early, x, T::ONE - x);
    let joined_at = T::select(is_early, midpoint, T::ONE - midpoint);
    let scale = T::ONE / raise(joined_at, power - T::ONE);
    let rise = scale * raise(from_end, power);
    let y = T::select(is_early, rise, T::ONE - rise);
    let slope = power * scale * raise(from_end, power - T::ONE);
    (
        T::select(is_straight, x, y),
        T::select(is_straight, T::ONE, slope),
    )
}

/// A power; the usual exponents by multiplication.
#[inline(always)]
fn raise<T: Real>(base: T, exponent: T) -> T {
    let (is_one, is_two) = (exponent.equals(T::ONE), exponent.equals(T::from_f64(2.0)));
    let by_product = T::select(is_one, base, base * base);
    let is_product = is_one | is_two;
    if is_product.all() {
        return by_product;
    }
    T::select(is_product, by_product, base.pow(exponent))
}

/// K of a reference.
#[inline(always)]
fn stiffness<T: Real>([time, ratio]: [T; 2], solimp: &[T; 5]) -> T {
    let (square, tiny) = (solimp[1] * solimp[1], T::from_f64(MIN_VALUE));
    let is_time = time.greater(T::ZERO);
    let of_time = || T::ONE / raised(square * time * time * ratio * ratio, tiny);
    let given = || -time / raised(square, tiny);
    choose(is_time, of_time, given)
}

/// B of a reference.
#[inline(always)]
pub fn damping<T: Real>([time, ratio]: [T; 2], solimp: &[T; 5]) -> T {
    let (high, tiny) = (solimp[1], T::from_f64(MIN_VALUE));
    let of_time = || T::from_f64(2.0) / raised(high * time, tiny);
    let given = || -ratio / raised(high, tiny);
    choose(ratio.greater(T::ZERO), of_time, given)
}

/// `yes` where the mask holds, `no` elsewhere; what no lane wants is not computed.
#[inline(always)]
fn choose<T: Real>(mask: T::Mask, yes: impl FnOnce() -> T, no: impl FnOnce() -> T) -> T {
    if mask.all() {
        yes()
    } else if !mask.any() {
        no()
    } else {
        T::select(mask, yes(), no())
    }
}

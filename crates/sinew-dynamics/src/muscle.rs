//! Muscle curves.
//!
//! A muscle pulls with −F₀·(FL(L)·FV(V)·activation + FP(L)), where L and V are length and velocity
//! in units of the optimal length. FL rises and falls in four parabolas between lmin and lmax with
//! its maximum at 1; FV falls to 0 at shortening speed vmax and rises to fvmax when lengthening; FP
//! is a half parabola that continues linearly. Activation follows the control with time constants
//! that depend on activation (M. Millard et al., "Flexing Computational Muscle", 2013). Conforms to
//! MuJoCo's `mju_muscleGain`, `mju_muscleBias`, `mju_muscleDynamics`.

use sinew_math::{MIN_VALUE, Scalar};

/// A number that is not less than the least one; that where it is none.
#[inline(always)]
fn positive<T: Scalar>(x: T) -> T {
    let least = T::from_f64(MIN_VALUE);
    if x > least { x } else { least }
}

/// A number within 0 and 1.
#[inline(always)]
fn share<T: Scalar>(x: T) -> T {
    if x < T::ZERO {
        T::ZERO
    } else if x > T::ONE {
        T::ONE
    } else {
        x
    }
}

/// Parameters shared by the curves, in the order of `gainprm` and `biasprm`.
struct Muscle<T> {
    range: [T; 2],
    peak_force: T,
    lmin: T,
    lmax: T,
    vmax: T,
    fpmax: T,
    fvmax: T,
}

impl<T: Scalar> Muscle<T> {
    #[inline(always)]
    fn new(prm: &[T; 10], acc0: T) -> Self {
        // A negative force asks for scale over the acceleration that unit force causes.
        let peak_force = if prm[2] < T::ZERO {
            prm[3] / positive(acc0)
        } else {
            prm[2]
        };
        Muscle {
            range: [prm[0], prm[1]],
            peak_force,
            lmin: prm[4],
            lmax: prm[5],
            vmax: prm[6],
            fpmax: prm[7],
            fvmax: prm[8],
        }
    }

    #[inline(always)]
    fn optimal_length(&self, lengthrange: [T; 2]) -> T {
        (lengthrange[1] - lengthrange[0]) / positive(self.range[1] - self.range[0])
    }

    #[inline(always)]
    fn normalized_length(&self, length: T, lengthrange: [T; 2]) -> T {
        let optimal = positive(self.optimal_length(lengthrange));
        self.range[0] + (length - lengthrange[0]) / optimal
    }
}

/// Active force at full activation; negative: muscles pull.
#[doc(alias = "mju_muscleGain")]
#[inline(always)]
pub fn gain<T: Scalar>(length: T, velocity: T, lengthrange: [T; 2], acc0: T, prm: &[T; 10]) -> T {
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let v = velocity / positive(m.optimal_length(lengthrange) * m.vmax);
    -m.peak_force * length_curve(l, m.lmin, m.lmax) * velocity_curve(v, m.fvmax)
}

/// Derivative of the active force with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
#[inline(always)]
pub fn gain_velocity_derivative<T: Scalar>(
    length: T,
    velocity: T,
    lengthrange: [T; 2],
    acc0: T,
    prm: &[T; 10],
) -> T {
    let (zero, one, two) = (T::ZERO, T::ONE, T::from_f64(2.0));
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let unit = positive(m.optimal_length(lengthrange) * m.vmax);
    let v = velocity / unit;
    let y = m.fvmax - one;
    let slope = if v <= -one {
        zero
    } else if v <= zero {
        two * v + two
    } else if v <= y {
        (-two * v + two * y) / positive(y)
    } else {
        zero
    };
    -m.peak_force * length_curve(l, m.lmin, m.lmax) * slope / unit
}

/// Passive force; negative: muscles pull.
#[doc(alias = "mju_muscleBias")]
#[inline(always)]
pub fn bias<T: Scalar>(length: T, lengthrange: [T; 2], acc0: T, prm: &[T; 10]) -> T {
    let (one, half) = (T::ONE, T::from_f64(0.5));
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let b = half * (one + m.lmax);
    if l <= one {
        T::ZERO
    } else if l <= b {
        let x = (l - one) / positive(b - one);
        -m.peak_force * m.fpmax * half * x * x
    } else {
        let x = (l - b) / positive(b - one);
        -m.peak_force * m.fpmax * (half + x)
    }
}

/// Force–length curve with maximum 1 at length 1.
#[doc(alias = "mju_muscleGainLength")]
#[inline(always)]
pub fn length_curve<T: Scalar>(length: T, lmin: T, lmax: T) -> T {
    let (one, half) = (T::ONE, T::from_f64(0.5));
    if !(lmin <= length && length <= lmax) {
        return T::ZERO;
    }
    let (a, b) = (half * (lmin + one), half * (one + lmax));
    let unit = |from: T, span: T| from / positive(span);
    if length <= a {
        let x = unit(length - lmin, a - lmin);
        half * x * x
    } else if length <= one {
        let x = unit(one - length, one - a);
        one - half * x * x
    } else if length <= b {
        let x = unit(length - one, b - one);
        one - half * x * x
    } else {
        let x = unit(lmax - length, lmax - b);
        half * x * x
    }
}

/// Force–velocity curve: 0 at −1, 1 at 0, fvmax from fvmax − 1 on.
#[inline(always)]
fn velocity_curve<T: Scalar>(v: T, fvmax: T) -> T {
    let (zero, one) = (T::ZERO, T::ONE);
    let y = fvmax - one;
    if v <= -one {
        zero
    } else if v <= zero {
        (v + one) * (v + one)
    } else if v <= y {
        fvmax - (y - v) * (y - v) / positive(y)
    } else {
        fvmax
    }
}

/// Rate of change of activation; prm = time constants of activation and deactivation, width of the
/// smooth switch between them.
#[doc(alias = "mju_muscleDynamics")]
#[inline(always)]
pub fn activation_rate<T: Scalar>(control: T, activation: T, prm: &[T; 10]) -> T {
    let half = T::from_f64(0.5);
    let excess = share(control) - activation;
    let stretch = half + T::from_f64(1.5) * share(activation);
    let (rise, fall) = (prm[0] * stretch, prm[1] / stretch);
    let width = prm[2];
    let tau = if width < T::from_f64(MIN_VALUE) {
        if excess > T::ZERO { rise } else { fall }
    } else {
        fall + (rise - fall) * sigmoid(excess / width + half)
    };
    excess / positive(tau)
}

/// 0 below 0, 1 above 1, and between them the polynomial of degree 5 with two flat derivatives at
/// both ends.
#[doc(alias = "mju_sigmoid")]
#[inline(always)]
pub fn sigmoid<T: Scalar>(x: T) -> T {
    let number = T::from_f64;
    if x <= T::ZERO {
        T::ZERO
    } else if x >= T::ONE {
        T::ONE
    } else {
        x * x * x * (number(3.0) * x * (number(2.0) * x - number(5.0)) + number(10.0))
    }
}

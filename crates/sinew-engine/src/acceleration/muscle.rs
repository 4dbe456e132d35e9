//! Muscle curves.
//!
//! A muscle pulls with −F₀·(FL(L)·FV(V)·activation + FP(L)), where L and V are length and velocity
//! in units of the optimal length. FL rises and falls in four parabolas between lmin and lmax with
//! its maximum at 1; FV falls to 0 at shortening speed vmax and rises to fvmax when lengthening; FP
//! is a half parabola that continues linearly. Activation follows the control with time constants
//! that depend on activation (M. Millard et al., "Flexing Computational Muscle", 2013). Conforms to
//! MuJoCo's `mju_muscleGain`, `mju_muscleBias`, `mju_muscleDynamics`.

use sinew_math::MIN_VALUE;

/// Parameters shared by the curves, in the order of `gainprm` and `biasprm`.
struct Muscle {
    range: [f64; 2],
    peak_force: f64,
    lmin: f64,
    lmax: f64,
    vmax: f64,
    fpmax: f64,
    fvmax: f64,
}

impl Muscle {
    fn new(prm: &[f64; 10], acc0: f64) -> Self {
        // A negative force asks for scale over the acceleration that unit force causes.
        let peak_force = if prm[2] < 0.0 {
            prm[3] / acc0.max(MIN_VALUE)
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

    fn optimal_length(&self, lengthrange: [f64; 2]) -> f64 {
        (lengthrange[1] - lengthrange[0]) / (self.range[1] - self.range[0]).max(MIN_VALUE)
    }

    fn normalized_length(&self, length: f64, lengthrange: [f64; 2]) -> f64 {
        let optimal = self.optimal_length(lengthrange).max(MIN_VALUE);
        self.range[0] + (length - lengthrange[0]) / optimal
    }
}

/// Active force at full activation; negative: muscles pull.
#[doc(alias = "mju_muscleGain")]
pub fn gain(length: f64, velocity: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let v = velocity / (m.optimal_length(lengthrange) * m.vmax).max(MIN_VALUE);
    -m.peak_force * length_curve(l, m.lmin, m.lmax) * velocity_curve(v, m.fvmax)
}

/// Derivative of the active force with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
pub fn gain_velocity_derivative(
    length: f64,
    velocity: f64,
    lengthrange: [f64; 2],
    acc0: f64,
    prm: &[f64; 10],
) -> f64 {
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let unit = (m.optimal_length(lengthrange) * m.vmax).max(MIN_VALUE);
    let v = velocity / unit;
    let y = m.fvmax - 1.0;
    let slope = if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        2.0 * v + 2.0
    } else if v <= y {
        (-2.0 * v + 2.0 * y) / y.max(MIN_VALUE)
    } else {
        0.0
    };
    -m.peak_force * length_curve(l, m.lmin, m.lmax) * slope / unit
}

/// Passive force; negative: muscles pull.
#[doc(alias = "mju_muscleBias")]
pub fn bias(length: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64; 10]) -> f64 {
    let m = Muscle::new(prm, acc0);
    let l = m.normalized_length(length, lengthrange);
    let b = 0.5 * (1.0 + m.lmax);
    if l <= 1.0 {
        0.0
    } else if l <= b {
        let x = (l - 1.0) / (b - 1.0).max(MIN_VALUE);
        -m.peak_force * m.fpmax * 0.5 * x * x
    } else {
        let x = (l - b) / (b - 1.0).max(MIN_VALUE);
        -m.peak_force * m.fpmax * (0.5 + x)
    }
}

/// Force–length curve with maximum 1 at length 1.
#[doc(alias = "mju_muscleGainLength")]
pub fn length_curve(length: f64, lmin: f64, lmax: f64) -> f64 {
    if !(lmin <= length && length <= lmax) {
        return 0.0;
    }
    let (a, b) = (0.5 * (lmin + 1.0), 0.5 * (1.0 + lmax));
    let unit = |from: f64, span: f64| from / span.max(MIN_VALUE);
    if length <= a {
        let x = unit(length - lmin, a - lmin);
        0.5 * x * x
    } else if length <= 1.0 {
        let x = unit(1.0 - length, 1.0 - a);
        1.0 - 0.5 * x * x
    } else if length <= b {
        let x = unit(length - 1.0, b - 1.0);
        1.0 - 0.5 * x * x
    } else {
        let x = unit(lmax - length, lmax - b);
        0.5 * x * x
    }
}

/// Force–velocity curve: 0 at −1, 1 at 0, fvmax from fvmax − 1 on.
fn velocity_curve(v: f64, fvmax: f64) -> f64 {
    let y = fvmax - 1.0;
    if v <= -1.0 {
        0.0
    } else if v <= 0.0 {
        (v + 1.0) * (v + 1.0)
    } else if v <= y {
        fvmax - (y - v) * (y - v) / y.max(MIN_VALUE)
    } else {
        fvmax
    }
}

/// Rate of change of activation; prm = time constants of activation and deactivation, width of the
/// smooth switch between them.
#[doc(alias = "mju_muscleDynamics")]
pub fn activation_rate(control: f64, activation: f64, prm: &[f64; 10]) -> f64 {
    let excess = control.clamp(0.0, 1.0) - activation;
    let stretch = 0.5 + 1.5 * activation.clamp(0.0, 1.0);
    let (rise, fall) = (prm[0] * stretch, prm[1] / stretch);
    let width = prm[2];
    let tau = if width < MIN_VALUE {
        if excess > 0.0 { rise } else { fall }
    } else {
        fall + (rise - fall) * sigmoid(excess / width + 0.5)
    };
    excess / tau.max(MIN_VALUE)
}

/// 0 below 0, 1 above 1, and between them the polynomial of degree 5 with two flat derivatives at
/// both ends.
#[doc(alias = "mju_sigmoid")]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

//! Poses in the arithmetic of the reference's compiler.
//!
//! The compiler multiplies quaternions and normalises the product by division at once, rotates
//! vectors by matrix when it composes frames, and treats anything shorter than 1e-7 as zero. The
//! last bits of a compiled pose depend on these habits.

use sinew_math::{Mat3, Quat, Vec3, arc, sine};

pub use sinew_math::quotient::{EPSILON, normalize3 as normalize, normalized4 as unit};

/// Position and orientation of a frame in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Origin in the parent frame.
    pub pos: Vec3,
    /// Orientation in the parent frame.
    pub quat: Quat,
}

impl Default for Pose {
    fn default() -> Self {
        Pose {
            pos: Vec3::ZERO,
            quat: Quat::IDENTITY,
        }
    }
}

impl Pose {
    /// The pose of `child`, given in this frame, in the parent of this frame.
    #[doc(alias = "mjuu_frameaccum")]
    pub fn compose(&self, child: &Pose) -> Pose {
        Pose {
            pos: self.pos + self.quat.to_mat() * child.pos,
            quat: product(self.quat, child.quat),
        }
    }

    /// The pose of the parent in this frame.
    #[doc(alias = "mjuu_frameinvert")]
    pub fn inverse(&self) -> Pose {
        let quat = self.quat.conjugate();
        Pose {
            pos: -(quat.to_mat() * self.pos),
            quat,
        }
    }

    /// A point of this frame in the parent frame.
    pub fn transform(&self, point: Vec3) -> Vec3 {
        self.pos + self.quat.to_mat() * point
    }
}

/// Rotation `b` first, then `a`, normalised.
#[doc(alias = "mjuu_mulquat")]
pub fn product(a: Quat, b: Quat) -> Quat {
    unit(a * b)
}

/// Rotates a vector; the identity changes no bit, not even the sign of a zero.
#[doc(alias = "mjuu_rotVecQuat")]
pub fn rotate(q: Quat, v: Vec3) -> Vec3 {
    if v == Vec3::ZERO {
        Vec3::ZERO
    } else if q == Quat::IDENTITY {
        v
    } else {
        q.rotate(v)
    }
}

/// The smallest rotation from z to a unit vector; half a turn about x for −z.
#[doc(alias = "mjuu_z2quat")]
pub fn from_z_to(direction: Vec3) -> Quat {
    let (mut axis, sine) = normalize(Vec3::Z.cross(direction));
    if sine < 1e-10 {
        axis = Vec3::X;
    }
    let half = arc::atan2(sine, direction[2]) / 2.0;
    let s = sine::sin(half);
    Quat([sine::cos(half), axis[0] * s, axis[1] * s, axis[2] * s])
}

/// The rotation whose matrix has these columns.
#[doc(alias = "mjuu_frame2quat")]
pub fn from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let [a, b, c] = [x[0], y[1], z[2]];
    let q = if a + b + c > 0.0 {
        let w = 0.5 * (1.0 + a + b + c).sqrt();
        [
            w,
            0.25 * (y[2] - z[1]) / w,
            0.25 * (z[0] - x[2]) / w,
            0.25 * (x[1] - y[0]) / w,
        ]
    } else if a > b && a > c {
        let i = 0.5 * (1.0 + a - b - c).sqrt();
        [
            0.25 * (y[2] - z[1]) / i,
            i,
            0.25 * (y[0] + x[1]) / i,
            0.25 * (z[0] + x[2]) / i,
        ]
    } else if b > c {
        let j = 0.5 * (1.0 - a + b - c).sqrt();
        [
            0.25 * (z[0] - x[2]) / j,
            0.25 * (y[0] + x[1]) / j,
            j,
            0.25 * (z[1] + y[2]) / j,
        ]
    } else {
        let k = 0.5 * (1.0 - a - b + c).sqrt();
        [
            0.25 * (x[1] - y[0]) / k,
            0.25 * (z[0] + x[2]) / k,
            0.25 * (z[1] + y[2]) / k,
            k,
        ]
    };
    unit(Quat(q))
}

/// Inertia about the axes of the parent frame, as xx yy zz xy xz yz, of principal moments in a
/// rotated frame.
#[doc(alias = "mjuu_globalinertia")]
pub fn rotate_inertia(moments: Vec3, quat: Quat) -> [f64; 6] {
    let Mat3(m) = quat.to_mat();
    let entry = |i: usize, j: usize| {
        let (a, b) = (3 * i, 3 * j);
        m[a] * (m[b] * moments[0])
            + m[a + 1] * (m[b + 1] * moments[1])
            + m[a + 2] * (m[b + 2] * moments[2])
    };
    [
        entry(0, 0),
        entry(1, 1),
        entry(2, 2),
        entry(0, 1),
        entry(0, 2),
        entry(1, 2),
    ]
}

/// What a point mass at an offset adds to the inertia about the origin, as xx yy zz xy xz yz.
#[doc(alias = "mjuu_offcenter")]
pub fn offset_inertia(mass: f64, v: Vec3) -> [f64; 6] {
    [
        mass * (v[1] * v[1] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[2] * v[2]),
        mass * (v[0] * v[0] + v[1] * v[1]),
        -mass * v[0] * v[1],
        -mass * v[0] * v[2],
        -mass * v[1] * v[2],
    ]
}

//! The five ways to write an orientation, and the one quaternion they mean.
//!
//! An element may use one of `quat`, `axisangle`, `xyaxes`, `zaxis`, `euler`. The last four are
//! *alternatives*: an alternative inherited from a class gives way to another alternative on the
//! element, but wins over a plain `quat` on the element, because the reference keeps quaternion and
//! alternative side by side and looks at the alternative first.

use super::pose;
use crate::place::{At, Place};
use crate::report::Report;
use crate::spec::tree::{BodyTable, Camera, FlexcompTable, FrameTable, GeomTable, Inertial, Site};
use crate::spec::value::AngleUnit;
use crate::spec::{Document, Spec};
use core::f64::consts::PI;
use sinew_math::{Quat, Vec3, sine};

/// The orientation attributes of an element.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orientation<'a> {
    quat: Option<&'a At<[f64; 4]>>,
    axisangle: Option<&'a At<[f64; 4]>>,
    xyaxes: Option<&'a At<[f64; 6]>>,
    zaxis: Option<&'a At<[f64; 3]>>,
    euler: Option<&'a At<[f64; 3]>>,
}

/// An element that has an orientation.
pub trait Oriented {
    /// What was written.
    fn orientation(&self) -> Orientation<'_>;
}

macro_rules! oriented {
    ($($table:ty),*) => { $(
        impl Oriented for $table {
            fn orientation(&self) -> Orientation<'_> {
                Orientation {
                    quat: self.quat.as_ref(),
                    axisangle: self.axisangle.as_ref(),
                    xyaxes: self.xyaxes.as_ref(),
                    zaxis: self.zaxis.as_ref(),
                    euler: self.euler.as_ref(),
                }
            }
        }
    )* };
}
oriented!(
    BodyTable,
    FrameTable,
    Inertial,
    GeomTable,
    Site,
    Camera,
    FlexcompTable
);

impl Orientation<'_> {
    /// The attributes that are present.
    fn written(&self) -> impl Iterator<Item = (&'static str, Place)> {
        [
            ("quat", self.quat.map(|at| at.place)),
            ("axisangle", self.axisangle.map(|at| at.place)),
            ("xyaxes", self.xyaxes.map(|at| at.place)),
            ("zaxis", self.zaxis.map(|at| at.place)),
            ("euler", self.euler.map(|at| at.place)),
        ]
        .into_iter()
        .filter_map(|(name, place)| Some((name, place?)))
    }

    /// Whether anything was written.
    pub fn is_written(&self) -> bool {
        self.written().next().is_some()
    }

    /// Whether anything other than `quat` was written.
    pub fn has_alternative(&self) -> bool {
        self.written().any(|(name, _)| name != "quat")
    }

    /// The quaternion as written, not normalised; alternatives are normalised by construction.
    /// What cannot be resolved is reported and replaced by the identity.
    pub fn resolve(&self, owner: Place, spec: &Spec, element: &str, report: &mut Report) -> Quat {
        self.resolve_among(owner, &spec.documents, element, report)
    }

    /// The same, for a model whose documents stand elsewhere.
    pub fn resolve_among(
        &self,
        owner: Place,
        documents: &[Document],
        element: &str,
        report: &mut Report,
    ) -> Quat {
        match self.try_resolve(owner, documents) {
            Ok(quat) => quat,
            Err((attribute, place, message)) => {
                report
                    .error("mjcf::orientation", place, message)
                    .element(element)
                    .attribute(attribute);
                Quat::IDENTITY
            }
        }
    }

    fn try_resolve(
        &self,
        owner: Place,
        documents: &[Document],
    ) -> Result<Quat, (&'static str, Place, &'static str)> {
        let compiler = documents
            .get(owner.document as usize)
            .map(|document| &document.compiler);
        let is_degree = compiler
            .and_then(|c| c.angle.as_ref())
            .is_none_or(|angle| angle.value == AngleUnit::Degree);
        let radians = |angle: f64| {
            if is_degree { angle / 180.0 * PI } else { angle }
        };
        let mut quat = self.quat.map_or(Quat::IDENTITY, |at| Quat(at.value));
        if let Some(at) = self.axisangle {
            let [x, y, z, angle] = at.value;
            let (axis, length) = pose::normalize(Vec3([x, y, z]));
            if length < pose::EPSILON {
                return Err(("axisangle", at.place, "axisangle: the axis is too short"));
            }
            let half = radians(angle) / 2.0;
            let s = sine::sin(half);
            quat = Quat([sine::cos(half), s * axis[0], s * axis[1], s * axis[2]]);
        }
        if let Some(at) = self.xyaxes {
            let [a, b, c, d, e, f] = at.value;
            let (x, length) = pose::normalize(Vec3([a, b, c]));
            if length < pose::EPSILON {
                return Err(("xyaxes", at.place, "xyaxes: the x axis is too short"));
            }
            let y = Vec3([d, e, f]);
            let along = x.dot(y);
            let (y, length) = pose::normalize(y - x * along);
            if length < pose::EPSILON {
                return Err((
                    "xyaxes",
                    at.place,
                    "xyaxes: the y axis is too short or parallel to the x axis",
                ));
            }
            let (z, _) = pose::normalize(x.cross(y));
            quat = pose::from_axes(x, y, z);
        }
        if let Some(at) = self.zaxis {
            let (z, length) = pose::normalize(Vec3(at.value));
            if length < pose::EPSILON {
                return Err(("zaxis", at.place, "zaxis is too short"));
            }
            quat = pose::from_z_to(z);
        }
        if let Some(at) = self.euler {
            let sequence = compiler
                .and_then(|c| c.eulerseq.as_ref())
                .map_or("xyz", |sequence| sequence.value.as_str());
            quat = from_euler(sequence, at.value.map(radians)).ok_or((
                "euler",
                at.place,
                "euler: the sequence `eulerseq` must be three letters out of x, y, z, X, Y, Z",
            ))?;
        }
        Ok(quat)
    }
}

/// Composes three rotations about coordinate axes: lower-case letters turn about moving axes,
/// upper-case letters about fixed ones. `None`: the sequence has other letters or another length.
pub fn from_euler(sequence: &str, radians: [f64; 3]) -> Option<Quat> {
    let &[a, b, c] = sequence.as_bytes() else {
        return None;
    };
    let mut quat = Quat::IDENTITY;
    for (letter, angle) in [a, b, c].into_iter().zip(radians) {
        let axis = match letter.to_ascii_lowercase() {
            b'x' => 1,
            b'y' => 2,
            b'z' => 3,
            _ => return None,
        };
        let mut turn = [sine::cos(angle / 2.0), 0.0, 0.0, 0.0];
        turn[axis] = sine::sin(angle / 2.0);
        quat = if letter.is_ascii_lowercase() {
            pose::product(quat, Quat(turn))
        } else {
            pose::product(Quat(turn), quat)
        };
    }
    Some(pose::unit(quat))
}

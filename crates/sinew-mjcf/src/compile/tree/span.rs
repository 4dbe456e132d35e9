//! Shapes given by two points: `fromto` of geoms and sites.

use crate::compile::Context;
use crate::compile::pose::{EPSILON, Pose, from_z_to, normalize};
use crate::place::At;
use sinew_math::Vec3;
use sinew_model::kinds::GeomType;

/// A shape laid between two points: its local z axis points from the second to the first.
pub struct Span {
    /// Pose in the frame of the points.
    pub pose: Pose,
    /// Half the distance.
    pub half: f64,
}

impl Span {
    /// Resolves `fromto`. What is wrong is reported.
    pub fn between(
        ctx: &mut Context,
        fromto: &At<[f64; 6]>,
        pos: Vec3,
        kind: GeomType,
        label: &str,
    ) -> Span {
        let mut problem = |message: &str, hint: &str| {
            ctx.report
                .error("mjcf::fromto", fromto.place, message)
                .element(label)
                .attribute("fromto")
                .hint(hint);
        };
        if !matches!(
            kind,
            GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box
        ) {
            problem(
                "fromto requires a capsule, cylinder, box or ellipsoid",
                "set `type`, or use `pos` and an orientation",
            );
        }
        if pos != Vec3::ZERO {
            problem("pos and fromto are both given", "keep one of them");
        }
        let [a, b, c, d, e, f] = fromto.value;
        let (direction, length) = normalize(Vec3([a - d, b - e, c - f]));
        let half = length / 2.0;
        if half < EPSILON {
            problem("the points of fromto are too close", "move them apart");
        }
        Span {
            pose: Pose {
                pos: Vec3([(a + d) / 2.0, (b + e) / 2.0, (c + f) / 2.0]),
                quat: from_z_to(direction),
            },
            half,
        }
    }

    /// The sizes: the first as written, the length in the place the shape keeps it.
    pub fn sizes(&self, kind: GeomType, written: [f64; 3]) -> [f64; 3] {
        match kind {
            GeomType::Ellipsoid | GeomType::Box => [written[0], written[0], self.half],
            _ => [written[0], self.half, written[2]],
        }
    }
}

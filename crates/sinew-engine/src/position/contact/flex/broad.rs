//! Which flexes may touch bodies or each other.
//!
//! The world, and fixed bodies with a plane, meet every flex. Other bodies and flexes are compared by boxes along the
//! principal axes of all geoms and vertices that are not the world's. Some contacts reach beyond these boxes, so the
//! boxes are the reference's to the last bit. Conforms to `mj_broadphase`.

use super::Scene;
use crate::position::contact::sweep::{self, Interval};
use sinew_math::{Mat3, Vec3};
use sinew_model::Model;
use sinew_model::kinds::EnableFlag;

/// Storage of the broad phase, kept between steps.
#[derive(Clone, Debug, Default)]
pub(super) struct FlexPairs {
    /// The pairs. Flexes are counted from behind the bodies; the lower member stands first.
    pub pairs: Vec<[u32; 2]>,
    /// Boxes around the flexes.
    intervals: Vec<Interval>,
}

impl FlexPairs {
    /// Lists the pairs.
    pub fn list(&mut self, scene: &Scene<'_>) {
        let (model, kinematics) = (scene.model, scene.kinematics);
        let frame = sweep::principal_frame(model, kinematics, scene.flex);
        self.pairs.clear();
        self.intervals.clear();
        if let Some(frame) = &frame {
            let flexes = 0..model.nflex;
            self.intervals
                .extend(flexes.map(|flex| interval(scene, flex, frame)));
        }
        for body in 0..model.nbody {
            let bits = [model.body_contype[body], model.body_conaffinity[body]];
            if bits == [0; 2] || model.body_geomnum[body] == 0 {
                continue;
            }
            if sweep::meets_everything(model, body) {
                self.add(model, body, bits, 0, |_| true);
            } else if let Some(frame) = &frame {
                let own = sweep::interval(model, kinematics, body, frame);
                self.add(model, body, bits, 0, |flex| own.meets(flex));
            }
        }
        for flex in 0..self.intervals.len() {
            let bits = [model.flex_contype[flex], model.flex_conaffinity[flex]];
            let own = self.intervals[flex];
            self.add(model, model.nbody + flex, bits, flex + 1, |later| {
                own.meets(later)
            });
        }
    }

    /// Adds the pairs of a member with the flexes from one on that it meets and whose contact bits match.
    fn add(
        &mut self,
        model: &Model,
        member: usize,
        bits: [i32; 2],
        from: usize,
        meets: impl Fn(&Interval) -> bool,
    ) {
        let everywhere = Interval::default();
        for flex in from..model.nflex {
            let around = self.intervals.get(flex).unwrap_or(&everywhere);
            if match_flex(model, bits, flex) && meets(around) {
                let number = (model.nbody + flex) as u32;
                self.pairs.push([member as u32, number]);
            }
        }
    }
}

/// Whether contact bits match those of a flex.
pub(super) fn match_flex(model: &Model, [contype, conaffinity]: [i32; 2], flex: usize) -> bool {
    contype & model.flex_conaffinity[flex] != 0 || model.flex_contype[flex] & conaffinity != 0
}

/// Ends of the box around a flex along the rows of a frame.
fn interval(scene: &Scene<'_>, flex: usize, frame: &Mat3) -> Interval {
    let model = scene.model;
    let mut low = Vec3([f64::INFINITY; 3]);
    let mut high = Vec3([f64::NEG_INFINITY; 3]);
    for vertex in scene.placed(flex).vertices {
        let along = *frame * *vertex;
        for k in 0..3 {
            low[k] = low[k].min(along[k]);
            high[k] = high[k].max(along[k]);
        }
    }
    let is_overridden = model.opt.enableflags & EnableFlag::Override.code() != 0;
    let margin = match is_overridden {
        true => 0.5 * model.opt.o_margin,
        false => model.flex_margin[flex],
    };
    let bound = Vec3([model.flex_radius[flex] + margin; 3]);
    Interval {
        low: low - bound,
        high: high + bound,
    }
}

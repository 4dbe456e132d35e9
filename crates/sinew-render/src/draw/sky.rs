//! What is behind everything: a cube of pictures, and haze where an infinite plane meets it.

use super::project::Projection;
use crate::scene::{Scene, Shape};
use crate::texture::{Place, Texture};
use core::f64::consts::{FRAC_1_SQRT_2, PI};
use libm::{atan2, cos, sin};
use sinew_math::{Mat3, Vec3};

/// The sky is so far away, in parts of the far plane's distance.
const DISTANCE: f64 = 0.7;

/// The sky as an eye sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sky<'a> {
    pub texture: &'a Texture,
    /// Its radius, and half its height.
    radius: f64,
    haze: Option<Haze>,
}

/// A cone of haze around the eye, from an infinite plane up to the horizon.
#[derive(Clone, Copy, Debug)]
struct Haze {
    axes: Mat3,
    /// The eye's height above the plane, in radii of the sky.
    elevation: f64,
    /// How much the cone narrows downwards.
    narrowing: f64,
    /// Where between plane and horizon it is thickest.
    thickest: f64,
    colour: [f32; 3],
}

impl<'a> Sky<'a> {
    pub fn new(
        texture: &'a Texture,
        scene: &Scene,
        projection: &Projection,
        (narrowing, colour): (f64, [f32; 3]),
    ) -> Self {
        let radius = DISTANCE * projection.far;
        let plane = scene.pieces.iter().find(|piece| {
            piece.shape == Shape::Plane && piece.size[0] == 0.0 && piece.size[1] == 0.0
        });
        let haze = plane.filter(|_| scene.effects.haze).and_then(|plane| {
            let height = (projection.origin - plane.position).dot(plane.axes.column(2));
            let alpha = atan2(1.0, narrowing);
            let beta = 0.75 * PI - alpha;
            (height >= 0.0 && narrowing > 0.0).then(|| Haze {
                axes: plane.axes,
                elevation: height / radius,
                narrowing,
                thickest: FRAC_1_SQRT_2 * narrowing * sin(alpha) / sin(beta),
                colour,
            })
        });
        Sky {
            texture,
            radius,
            haze,
        }
    }

    /// How deep the sky is in a direction whose forward part is 1.
    pub fn depth(&self, direction: Vec3) -> f64 {
        // A cylinder along z.
        let [x, y, z] = direction.0;
        let side = (x * x + y * y).sqrt();
        self.radius / side.max(z.abs()).max(f64::MIN_POSITIVE)
    }

    /// The same of a sky whose wall has flat sides, as the reference's has.
    pub fn flat_depth(&self, direction: Vec3, sides: i32) -> f64 {
        let [x, y, z] = direction.0;
        let half = PI / f64::from(sides.max(3));
        let away = atan2(y, x).rem_euclid(2.0 * half) - half;
        let wall = (x * x + y * y).sqrt() * cos(away) / cos(half);
        self.radius / wall.max(z.abs()).max(f64::MIN_POSITIVE)
    }

    /// Its colour in a direction, where pixels lie apart by so much.
    pub fn colour(&self, direction: Vec3, apart: f64) -> [f32; 3] {
        let [x, y, z] = direction.0.map(|x| x as f32);
        let longest = x.abs().max(y.abs()).max(z.abs()).max(f32::MIN_POSITIVE);
        // A side of the cube has twice the length of its distance.
        let spread = 0.5 * apart as f32 / longest * self.texture.side();
        let place = Place::Direction([x, z, -y]);
        let colour = self.texture.sample(place, spread);
        [colour[0], colour[1], colour[2]]
    }

    /// Depth, colour and thickness of the haze in a direction, where there is any.
    pub fn haze(&self, direction: Vec3) -> Option<(f64, [f32; 3], f32)> {
        let haze = self.haze.as_ref()?;
        let [x, y, z] = haze.axes.transpose_mul(direction).0;
        let side = (x * x + y * y).sqrt();
        if z >= 0.0 || side == 0.0 {
            return None;
        }
        let slope = -z / side;
        let below = slope / (haze.elevation + slope * haze.narrowing);
        let height = 1.0 - below;
        if !(0.0..=1.0).contains(&height) {
            return None;
        }
        let thickness = if height < haze.thickest {
            height / haze.thickest
        } else {
            (1.0 - height) / (1.0 - haze.thickest)
        };
        let distance = self.radius * (1.0 - haze.narrowing * below);
        Some((distance / side, haze.colour, thickness as f32))
    }
}

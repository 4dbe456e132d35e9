//! What a light sees: a map of distances.

use super::project::Projection;
use super::raster::ONE;
use super::triangles::{Parts, Which};
use super::{MOST_COVERED, covered};
use crate::scene::{Light, LightKind, Piece, Shape};
use libm::tan;
use sinew_math::{Mat3, Vec3};

/// The largest map; the reference's are larger, for which few scenes are.
const LARGEST: usize = 2048;
/// Widest cone of a light that casts shadows, in degrees.
const WIDEST: f64 = 160.0;

/// Distances from a light.
#[derive(Debug)]
pub(super) struct Shadow {
    projection: Projection,
    side: usize,
    keys: Vec<f32>,
    planes: Vec<Screen>,
}

/// A plane before a light.
#[derive(Clone, Copy, Debug)]
struct Screen {
    middle: Vec3,
    axes: Mat3,
    /// Half its sides; 0: without end.
    half: [f64; 2],
}

impl Screen {
    fn new(piece: &Piece) -> Self {
        Screen {
            middle: piece.position,
            axes: piece.axes,
            half: [piece.size[0], piece.size[1]],
        }
    }

    /// Whether it is between a point and a light.
    fn hides(&self, point: Vec3, light: &Projection) -> bool {
        let own = |v: Vec3| self.axes.transpose_mul(v);
        let from = own(point - self.middle);
        let towards = if light.is_orthographic {
            own(-light.forward)
        } else {
            own(light.origin - point)
        };
        // Where the ray goes through, in parts of the way to a light that is somewhere.
        let along = -from[2] / towards[2];
        let is_between = along > 0.0 && (light.is_orthographic || along < 1.0);
        is_between
            && (0..2).all(|k| {
                let place = from[k] + towards[k] * along;
                self.half[k] <= 0.0 || place.abs() <= self.half[k]
            })
    }
}

/// How maps are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub side: usize,
    /// Half the width of what a directional light sees.
    pub clip: f64,
    /// What part of its cone a spot sees.
    pub scale: f64,
    pub near: f64,
    pub far: f64,
}

impl Shadow {
    /// The map of a light; none if it casts no shadow, or it would take too long to draw.
    pub fn new(light: &Light, parts: &Parts<'_>, settings: &Settings) -> Option<Self> {
        let side = settings.side.min(LARGEST);
        if !light.casts_shadow || side == 0 {
            return None;
        }
        let forward = light.direction;
        let other = if forward[0].abs() < 0.9 {
            Vec3::X
        } else {
            Vec3::Y
        };
        let up = (other - forward * other.dot(forward)).normalized();
        let half = match light.kind {
            LightKind::Directional => settings.clip,
            LightKind::Spot { cutoff, .. } => {
                let angle = (2.0 * f64::from(cutoff) * settings.scale).min(WIDEST);
                settings.near * tan(0.5 * angle.to_radians())
            }
        };
        let projection = Projection {
            origin: light.position,
            right: forward.cross(up),
            up,
            forward,
            edges: [-half, half, -half, half],
            near: settings.near,
            far: settings.far,
            is_orthographic: light.kind == LightKind::Directional,
            width: side as f64,
            height: side as f64,
        };
        let mut keys = vec![0.0; side * side];
        let flats = parts.project(&projection, Which::Casting, None);
        if covered(&flats, side, side) > MOST_COVERED {
            return None;
        }
        for flat in &flats {
            flat.for_each_sample(side, 0..side, &ONE, |x, y, _, key| {
                let nearest: &mut f32 = &mut keys[y * side + x];
                *nearest = nearest.max(key);
            });
        }
        let planes = parts.pieces.iter();
        let planes = planes.filter(|piece| piece.shape == Shape::Plane && !piece.is_decoration);
        Some(Shadow {
            projection,
            side,
            keys,
            planes: planes.map(Screen::new).collect(),
        })
    }

    /// How much of the light reaches a point of a surface: 0 to 1.
    pub fn light(&self, point: Vec3, normal: Vec3) -> f32 {
        let p = &self.projection;
        // A texel further out along the normal the surface does not shade itself.
        let depth = p.local(point)[2];
        let [left, right, ..] = p.edges;
        let texel = (right - left) / self.side as f64;
        let texel = if p.is_orthographic {
            texel
        } else {
            texel * depth / p.near
        };
        let outside = point + normal * (2.0 * texel);
        let local = p.local(outside);
        if local[2] <= p.near {
            return 1.0;
        }
        let at = p.point(local);
        let (x, y) = (at.x - 0.5, at.y - 0.5);
        let inside = 1.0..(self.side - 2) as f64;
        if !inside.contains(&x) || !inside.contains(&y) {
            return 1.0;
        }
        if self.planes.iter().any(|plane| plane.hides(outside, p)) {
            return 0.0;
        }
        let (u, v) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
        let first = y as usize * self.side + x as usize;
        let lit = |offset: usize| f32::from(at.key as f32 >= self.keys[first + offset] * 0.9999);
        let upper = lit(0) + (lit(1) - lit(0)) * u;
        let lower = lit(self.side) + (lit(self.side + 1) - lit(self.side)) * u;
        upper + (lower - upper) * v
    }
}

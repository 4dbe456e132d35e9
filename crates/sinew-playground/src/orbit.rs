//! An eye that a mouse leads around a point.

use sinew::model::Model;
use sinew::prelude::Vec3;
use sinew::render::View;

/// An eye that looks at a point from a distance, by two angles in degrees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orbit {
    point: Vec3,
    distance: f64,
    azimuth: f64,
    elevation: f64,
}

impl Orbit {
    /// The eye that the model asks for.
    pub fn new(model: &Model) -> Self {
        let global = &model.vis.global;
        Orbit {
            point: model.stat.center,
            distance: 1.5 * model.stat.extent,
            azimuth: f64::from(global.azimuth),
            elevation: f64::from(global.elevation),
        }
    }

    pub fn view(&self, model: &Model) -> View {
        View::around(
            model,
            self.point,
            self.distance,
            self.azimuth,
            self.elevation,
        )
    }

    /// Around the point, by degrees.
    pub fn turn(&mut self, azimuth: f64, elevation: f64) {
        if azimuth.is_finite() && elevation.is_finite() {
            self.azimuth = (self.azimuth + azimuth) % 360.0;
            self.elevation = (self.elevation + elevation).clamp(-89.9, 89.9);
        }
    }

    /// Nearer or farther, by a factor.
    pub fn zoom(&mut self, factor: f64, extent: f64) {
        if factor.is_finite() && factor > 0.0 {
            let distance = self.distance * factor;
            self.distance = distance.max(1e-3 * extent).min(1e3 * extent);
        }
    }

    /// Sideways and up in the picture, by parts of its height.
    pub fn shift(&mut self, right: f64, up: f64, model: &Model) {
        let view = self.view(model);
        let [bottom, top] = view.frustum.vertical;
        // The height of what is seen where the point is.
        let height = (top - bottom) / view.frustum.near * self.distance;
        let moved = self.point + view.right() * (right * height) + view.up * (up * height);
        if moved.0.iter().all(|x| x.is_finite()) {
            self.point = moved;
        }
    }
}

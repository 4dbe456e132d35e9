//! How degrees of freedom move the second side of a contact against the first, each side being moved by several bodies.

use super::share;
use crate::position::com::Com;
use crate::position::contact::Contact;
use crate::position::flex::Flex;
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use sinew_math::Vec3;
use sinew_math::spatial::rotation;
use sinew_model::Model;

/// The motion at one contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion {
    /// The degrees of freedom that move it, ascending.
    pub columns: Vec<i32>,
    /// Velocity at the point of contact, by degree of freedom.
    pub sliding: Vec<Vec3>,
    /// Angular velocity, by degree of freedom.
    pub turning: Vec<Vec3>,
    is_column: Vec<bool>,
}

impl Motion {
    /// Finds the motion at a contact.
    pub fn find(&mut self, model: &Model, com: &Com, flex: &Flex, contact: &Contact) {
        self.sliding.resize(model.nv, Vec3::ZERO);
        self.turning.resize(model.nv, Vec3::ZERO);
        self.is_column.resize(model.nv, false);
        self.columns.clear();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            share::for_each_body(model, flex, contact, side, |body, share| {
                self.add(model, com, body, contact.pos, sign * share);
            });
        }
        for column in &self.columns {
            self.is_column[*column as usize] = false;
        }
        self.columns.sort_unstable();
    }

    /// Adds the share of a body.
    fn add(&mut self, model: &Model, com: &Com, body: usize, point: Vec3, share: f64) {
        let offset = offset(model, com, body, point);
        for_each_dof(model, body, |dof| {
            let slide = translation_column(&com.cdof[dof], offset);
            let turn = rotation(&com.cdof[dof]);
            if self.is_column[dof] {
                self.sliding[dof] = self.sliding[dof].add_scaled(slide, share);
                self.turning[dof] = self.turning[dof].add_scaled(turn, share);
            } else {
                self.is_column[dof] = true;
                self.columns.push(dof as i32);
                self.sliding[dof] = slide * share;
                self.turning[dof] = turn * share;
            }
        });
    }
}

//! Functions of the positions: poses, centres of mass, tendons, inertia, transmissions.
//!
//! ```text
//! kinematics    xpos xquat xmat xipos ximat xanchor xaxis geom_x* site_x*
//! com           subtree_com cinert cdof
//! view          cam_x* light_x*
//! flex          flexvert_xpos flexelem_aabb flexedge_length flexedge_J flexvert_length flexvert_J bvh_aabb_dyn
//! tendon        ten_length ten_J wrap_*
//! inertia       crb M qM qLD qLDiagInv
//! contact       contact
//! constraint    efc_J efc_pos efc_D efc_R efc_KBIP
//! transmission  actuator_length actuator_moment
//! ```

mod address;
pub mod com;
pub mod constraint;
pub mod contact;
pub mod flex;
pub mod inertia;
pub mod island;
pub mod jacobian;
pub mod kinematics;
mod restore;
mod row;
pub mod tendon;
pub mod transmission;
pub mod view;

use com::Com;
use constraint::Constraints;
use contact::Contacts;
use flex::Flex;
use inertia::Inertia;
use island::Islands;
use kinematics::Kinematics;
use sinew_model::Model;
use sinew_model::column::Group;
use tendon::Tendon;
use transmission::Transmission;
use view::View;

sinew_model::groups! {
    /// Everything that depends on positions alone.
    pub struct Position {
        /// Poses of bodies, joints, geoms and sites.
        kinematics: Kinematics,
        /// Centres of mass, inertias and motion axes about them.
        com: Com,
        /// Poses of cameras and lights.
        view: View,
        /// Vertices, boxes and edges of flexes.
        flex: Flex,
        /// Tendon lengths, paths and Jacobians.
        tendon: Tendon,
        /// Joint-space inertia and its factor.
        inertia: Inertia,
        /// Contacts between geoms.
        contacts: Contacts,
        /// Constraint rows.
        constraints: Constraints,
        /// Groups of trees that constraints tie together.
        islands: Islands,
        /// Actuator lengths and moments.
        transmission: Transmission,
    }
}

impl Position {
    /// No constraint rows and no islands. Storage stays.
    pub(crate) fn clear_rows(&mut self, model: &Model) {
        self.constraints.clear(model);
        self.islands.clear();
    }
}

//! Constants that describe the model at its reference position `qpos0`.
//!
//! The inverse weights are means of the diagonal of J·M⁻¹·Jᵀ: how much a unit force accelerates a
//! body, a degree of freedom, a tendon. They scale constraints before anything is simulated.

use super::{ConstantsError, flex};
use crate::data::Data;
use crate::is_sparse;
use crate::position::inertia::{self, composite};
use crate::position::jacobian::{for_each_dof, offset, translation_column};
use crate::position::{Position, com, kinematics, tendon, transmission, view};
use core::ops::Range;
use sinew_math::dense::{dot, norm};
use sinew_math::spatial::{dot as dot6, mul_inertia, rotation};
use sinew_math::{MIN_VALUE, Quat, Vec3};
use sinew_model::Model;
use sinew_model::joint::Layout;
use sinew_model::kinds::{EqualityType, ObjectType};

/// Runs the position stage at `qpos0` and fills what follows from it. Leaves the stage's results in
/// `data`, with cameras and lights as if fixed.
pub(super) fn compute(model: &mut Model, data: &mut Data) -> Result<(), ConstantsError> {
    data.state.qpos.copy_from_slice(&model.qpos0);
    let (state, scratch) = (&data.state, &mut data.scratch);
    let p = &mut data.position;
    kinematics::compute(model, state, &data.input, &mut p.kinematics);
    com::compute(model, &p.kinematics, &mut p.com);
    view::fixed(model, &p.kinematics, &mut p.view);
    for direction in &mut p.view.light_xdir {
        *direction = direction.normalized();
    }
    diagonal_inertia(model, p);
    tendon::compute(model, state, &p.kinematics, &p.com, &mut p.tendon, scratch);
    inertia::compute(model, &p.com, &p.tendon, &mut p.inertia);
    inertia::factor(model, &mut p.inertia);
    let (kinematics, com, tendon) = (&p.kinematics, &p.com, &p.tendon);
    transmission::compute(
        model,
        state,
        kinematics,
        com,
        tendon,
        (&p.contacts, &p.constraints),
        &mut p.transmission,
        scratch,
    );

    model
        .unchecked()
        .tendon_length0
        .copy_from_slice(&p.tendon.ten_length);
    model
        .unchecked()
        .actuator_length0
        .copy_from_slice(&p.transmission.actuator_length);
    flex::lengths(model, p);
    let mut weights = Weights::new(model);
    weights.bodies(model, p)?;
    weights.dofs(model, p)?;
    weights.flex_edges(model, p);
    weights.tendons(model, p);
    weights.actuators(model, p);
    equalities(model, p);
    views(model, p);
    damping_ratios(model, p);
    Ok(())
}

/// Diagonal of M without tendon armature: what simple bodies use.
#[doc(alias = "mj_setM0")]
fn diagonal_inertia(model: &mut Model, p: &mut Position) {
    composite(model, &p.com, &mut p.inertia.crb);
    for i in 0..model.nv {
        let cdof = &p.com.cdof[i];
        let momentum = mul_inertia(&p.inertia.crb[model.dof_bodyid[i] as usize], cdof);
        model.unchecked().dof_M0[i] = model.dof_armature[i] + dot6(cdof, &momentum);
    }
}

/// Computes xᵀM⁻¹x for rows x. A row that belongs to some trees only is solved there only.
struct Weights {
    row: Vec<f64>,
    solution: Vec<f64>,
}

impl Weights {
    fn new(model: &Model) -> Self {
        Weights {
            row: vec![0.0; model.nv],
            solution: vec![0.0; model.nv],
        }
    }

    /// M⁻¹·row over a range of whole trees.
    fn solve(&mut self, model: &Model, p: &Position, dofs: Range<usize>) -> &[f64] {
        self.solution[dofs.clone()].copy_from_slice(&self.row[dofs.clone()]);
        p.inertia
            .solve_trees(model, dofs.clone(), &mut self.solution);
        &self.solution[dofs]
    }

    fn of_row(&mut self, model: &Model, p: &Position, dofs: Range<usize>) -> f64 {
        self.solve(model, p, dofs.clone());
        let weight = dot(&self.row[dofs.clone()], &self.solution[dofs.clone()]);
        self.row[dofs].fill(0.0);
        weight
    }

    /// Means over translation and rotation of the centre of mass. A body that can only translate or
    /// only rotate gets the one value for both.
    fn bodies(&mut self, model: &mut Model, p: &Position) -> Result<(), ConstantsError> {
        for i in 0..model.nbody {
            model.unchecked().body_invweight0[i] = if model.body_weldid[i] == 0 {
                [0.0, 0.0]
            } else if model.body_simple[i] == 2 {
                [1.0 / slider_mass(model, i)?, 0.0]
            } else {
                let offset = offset(model, &p.com, i, p.kinematics.xipos[i]);
                let dofs = tree_dofs(model, model.body_treeid[i]);
                let mut sum = [0.0; 2];
                for (half, sum) in sum.iter_mut().enumerate() {
                    for axis in 0..3 {
                        for_each_dof(model, i, |dof| {
                            let cdof = &p.com.cdof[dof];
                            self.row[dof] = if half == 0 {
                                translation_column(cdof, offset)[axis]
                            } else {
                                rotation(cdof)[axis]
                            };
                        });
                        *sum += self.of_row(model, p, dofs.clone());
                    }
                }
                let [translation, rotation] = [sum[0] / 3.0, sum[1] / 3.0];
                if translation < MIN_VALUE && rotation > MIN_VALUE {
                    [rotation; 2]
                } else if rotation < MIN_VALUE && translation > MIN_VALUE {
                    [translation; 2]
                } else {
                    [translation, rotation]
                }
            };
        }
        Ok(())
    }

    /// Means over the degrees of freedom of each ball, and of each half of a free joint.
    fn dofs(&mut self, model: &mut Model, p: &Position) -> Result<(), ConstantsError> {
        for j in 0..model.njnt {
            let first = model.jnt_dofadr[j] as usize;
            let body = model.jnt_bodyid[j] as usize;
            if model.body_simple[body] == 2 {
                model.unchecked().dof_invweight0[first] = 1.0 / slider_mass(model, body)?;
                continue;
            }
            let layout = Layout::of(model.jnt_type[j]);
            let group = if layout.turns { 3 } else { 1 };
            let tree = tree_dofs(model, model.dof_treeid[first]);
            for start in (0..layout.dofs()).step_by(group) {
                let dofs = first + start..first + start + group;
                let mut sum = 0.0;
                for dof in dofs.clone() {
                    self.row[dof] = 1.0;
                    sum += self.of_row(model, p, tree.clone());
                }
                let mean = if group == 1 { sum } else { sum / 3.0 };
                model.unchecked().dof_invweight0[dofs].fill(mean);
            }
        }
        Ok(())
    }

    /// Edges between bodies that only slide need no solution: the mean of their inverse masses.
    fn flex_edges(&mut self, model: &mut Model, p: &Position) {
        for f in 0..model.nflex {
            if model.flex_interp[f] != 0 {
                continue;
            }
            for edge in flex::edges(model, f) {
                let [a, b] = flex::end_bodies(model, f, edge);
                let weight = if model.flexedge_rigid[edge] != 0 || model.nv == 0 {
                    0.0
                } else if model.body_simple[a] == 2 && model.body_simple[b] == 2 {
                    (1.0 / model.body_mass[a] + 1.0 / model.body_mass[b]) / 2.0
                } else {
                    let mut dofs = Span::default();
                    flex::for_each_entry(model, p, f, edge, |dof, value| {
                        self.row[dof] = value;
                        dofs.include(tree_dofs(model, model.dof_treeid[dof]));
                    });
                    self.of_row(model, p, dofs.0)
                };
                model.unchecked().flexedge_invweight0[edge] = weight;
            }
        }
    }

    fn tendons(&mut self, model: &mut Model, p: &Position) {
        for i in 0..model.ntendon {
            let mut dofs = Span::default();
            p.tendon.for_each_entry(is_sparse(model), i, |dof, value| {
                if value != 0.0 {
                    self.row[dof] = value;
                    dofs.include(tree_dofs(model, model.dof_treeid[dof]));
                }
            });
            model.unchecked().tendon_invweight0[i] = self.of_row(model, p, dofs.0);
        }
    }

    /// Length of the acceleration that unit actuator force causes.
    fn actuators(&mut self, model: &mut Model, p: &Position) {
        for i in 0..model.nu {
            let (columns, values) = p.transmission.row(i);
            let mut dofs = Span::default();
            for (&dof, &value) in columns.iter().zip(values) {
                self.row[dof as usize] = value;
                dofs.include(tree_dofs(model, model.dof_treeid[dof as usize]));
            }
            model.unchecked().actuator_acc0[i] = norm(self.solve(model, p, dofs.0.clone()));
            self.row[dofs.0].fill(0.0);
        }
    }
}

/// The smallest range that holds several.
#[derive(Default)]
struct Span(Range<usize>);

impl Span {
    fn include(&mut self, other: Range<usize>) {
        self.0 = if self.0.is_empty() {
            other
        } else {
            self.0.start.min(other.start)..self.0.end.max(other.end)
        };
    }
}

/// The degrees of freedom of a tree.
fn tree_dofs(model: &Model, tree: i32) -> Range<usize> {
    let first = model.tree_dofadr[tree as usize] as usize;
    first..first + model.tree_dofnum[tree as usize] as usize
}

fn slider_mass(model: &Model, body: usize) -> Result<f64, ConstantsError> {
    match model.body_mass[body] {
        0.0 => Err(ConstantsError::MasslessBody(body)),
        mass => Ok(mass.max(MIN_VALUE)),
    }
}

/// Second anchors of connects, second anchors and relative poses of welds.
fn equalities(model: &mut Model, p: &Position) {
    let k = &p.kinematics;
    for i in 0..model.neq {
        let kind = EqualityType::from_code(model.eq_type[i]);
        let between_bodies = model.eq_objtype[i] == ObjectType::Body.code();
        let (first, second) = (model.eq_obj1id[i] as usize, model.eq_obj2id[i] as usize);
        let data = &mut model.unchecked().eq_data[i];
        let anchor = Vec3([data[0], data[1], data[2]]);
        let in_body = |point: Vec3, body: usize| k.xmat[body].transpose_mul(point - k.xpos[body]);
        match kind {
            Some(EqualityType::Connect) if between_bodies => {
                // Given in the first body.
                let other = in_body(k.point(first, anchor), second);
                data[3..6].copy_from_slice(&other.0);
            }
            Some(EqualityType::Connect) => data.fill(0.0),
            Some(EqualityType::Weld) if between_bodies => {
                let given = Quat([data[6], data[7], data[8], data[9]]);
                if given != Quat([0.0; 4]) {
                    data[6..10].copy_from_slice(&given.normalized().0);
                    continue;
                }
                // Given in the second body.
                let other = in_body(k.point(second, anchor), first);
                let relative = k.xquat[first].conjugate() * k.xquat[second];
                data[3..6].copy_from_slice(&other.0);
                data[6..10].copy_from_slice(&relative.0);
            }
            _ => {}
        }
    }
}

/// Where cameras and lights stand relative to what they may track.
fn views(model: &mut Model, p: &Position) {
    let tracked = |body: i32, target: i32| {
        if target >= 0 {
            target as usize
        } else {
            body as usize
        }
    };
    for i in 0..model.ncam {
        let body = model.cam_bodyid[i];
        let tracked = tracked(body, model.cam_targetbodyid[i]);
        model.unchecked().cam_pos0[i] = p.view.cam_xpos[i] - p.kinematics.xpos[body as usize];
        model.unchecked().cam_poscom0[i] = p.view.cam_xpos[i] - p.com.subtree_com[tracked];
        model.unchecked().cam_mat0[i] = p.view.cam_xmat[i];
    }
    for i in 0..model.nlight {
        let body = model.light_bodyid[i];
        let tracked = tracked(body, model.light_targetbodyid[i]);
        model.unchecked().light_pos0[i] = p.view.light_xpos[i] - p.kinematics.xpos[body as usize];
        model.unchecked().light_poscom0[i] = p.view.light_xpos[i] - p.com.subtree_com[tracked];
        model.unchecked().light_dir0[i] = p.view.light_xdir[i];
    }
}

/// A position servo (gain = −bias[1]) with positive bias[2] gave a damping ratio there: it becomes
/// the damping −2·ratio·√(kp·m), with m the inertia the actuator sees.
fn damping_ratios(model: &mut Model, p: &Position) {
    for i in 0..model.nu {
        let gain = model.actuator_gainprm[i][0];
        let bias = model.actuator_biasprm[i];
        if gain != -bias[1] || bias[2] <= 0.0 {
            continue;
        }
        let (columns, values) = p.transmission.row(i);
        let mut mass = 0.0;
        for (&dof, &value) in columns.iter().zip(values) {
            let square = value.abs() * value.abs();
            if square > MIN_VALUE {
                mass += model.dof_M0[dof as usize] / square;
            }
        }
        model.unchecked().actuator_biasprm[i][2] = -(bias[2] * 2.0 * (gain * mass).sqrt());
    }
}

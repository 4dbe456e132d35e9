//! What follows from the shape of the kinematic tree alone: ids of roots, welds and trees, which
//! frames coincide, which bodies have a diagonal inertia, and the layouts of the sparse matrices.
//!
//! - M (inertia): lower triangle, row i = ancestors of i ascending, then the diagonal; a *simple*
//!   degree of freedom stores its diagonal only.
//! - qM: the older layout of the same matrix, row i = diagonal first, then up the ancestors.
//! - D: all pairs that are ancestor and descendant, both triangles.
//! - B: for every body, the degrees of freedom of its ancestors, itself and its descendants.

use super::ConstantsError;
use sinew_math::{Quat, Vec3};
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::{SameFrame, TransmissionType, WrapType};

/// Frames closer than this, component by component, count as the same.
const FRAME_TOLERANCE: f64 = 1e-6;

/// Components of a joint axis up to this size count as zero.
const AXIS_TOLERANCE: f64 = 1e-14;

/// Fills every column that is a function of the tree's shape, and the sizes `ntree nM nB nC nD
/// nJmom`.
///
/// Reads `body_parentid body_jntnum body_jntadr body_dofnum body_dofadr body_ipos body_iquat`,
/// `jnt_type jnt_pos jnt_axis`, `dof_bodyid`, poses and owners of geoms and sites, tendon paths
/// with `tendon_armature`, and the actuators' transmissions. Writes `body_rootid body_weldid
/// body_treeid body_sameframe body_simple`, `dof_parentid dof_treeid dof_Madr dof_simplenum`,
/// `geom_sameframe site_sameframe`, `tree_bodyadr … tree_dofnum`, `tendon_treenum tendon_treeid`,
/// `B_* M_* D_*`, `mapM2M mapM2D mapD2M`, `flex_vertedge*`, the patterns `flexedge_J_* flexvert_J_*`. `tree_sleep_policy` gets its length; new entries are 0
/// (automatic).
pub fn structure(model: &mut ModelArrays) -> Result<(), ConstantsError> {
    structure_while(model, || true)
}

/// As [`structure()`], as long as `may_go_on` says so. Otherwise the model is left with some layouts filled and
/// others not.
pub fn structure_while(
    model: &mut ModelArrays,
    mut may_go_on: impl FnMut() -> bool,
) -> Result<(), ConstantsError> {
    ancestry(model);
    same_frames(model);
    simple_bodies(model);
    layouts(model, &mut may_go_on)
}

/// What follows from the shape of the tree without a look at values: everything but the frames that
/// coincide and the bodies that are simple, which are as they are.
pub(super) fn from_shape(model: &mut ModelArrays) -> Result<(), ConstantsError> {
    ancestry(model);
    layouts(model, &mut || true)
}

fn layouts(
    model: &mut ModelArrays,
    may_go_on: &mut dyn FnMut() -> bool,
) -> Result<(), ConstantsError> {
    sizes(model)?;
    if !model.allocate_while(may_go_on) {
        return Err(ConstantsError::Interrupted);
    }
    trees(model);
    tendon_trees(model);
    legacy_addresses(model);
    let mut pace = Pace {
        may_go_on,
        entries: 0,
    };
    inertia_rows(model, &mut pace)?;
    dof_dof_rows(model, &mut pace)?;
    body_dof_rows(model, &mut pace)?;
    maps(model, &mut pace)?;
    super::flex::patterns(model)
}

/// Asks the caller whether to go on, after so many entries, however they are shared out over rows.
struct Pace<'a> {
    may_go_on: &'a mut dyn FnMut() -> bool,
    entries: usize,
}

impl Pace<'_> {
    const ENTRIES: usize = 1 << 18;

    fn after(&mut self, entries: usize) -> Result<(), ConstantsError> {
        self.entries += entries;
        if self.entries < Self::ENTRIES {
            return Ok(());
        }
        self.entries = 0;
        if (self.may_go_on)() {
            Ok(())
        } else {
            Err(ConstantsError::Interrupted)
        }
    }
}

/// Roots, welds and the dof tree.
fn ancestry(model: &mut ModelArrays) {
    let mut last_dof = vec![-1; model.nbody];
    for i in 0..model.nbody {
        let parent = model.body_parentid[i] as usize;
        model.body_rootid[i] = if i == 0 || parent == 0 {
            i as i32
        } else {
            model.body_rootid[parent]
        };
        model.body_weldid[i] = if i == 0 {
            0
        } else if model.body_jntnum[i] > 0 {
            i as i32
        } else {
            model.body_weldid[parent]
        };
        let mut last = if i == 0 { -1 } else { last_dof[parent] };
        for k in 0..model.body_dofnum[i] {
            let dof = model.body_dofadr[i] + k;
            model.dof_parentid[dof as usize] = last;
            last = dof;
        }
        last_dof[i] = last;
    }
    let mut ntree = 0;
    for i in 0..model.nv {
        if model.dof_parentid[i] == -1 {
            ntree += 1;
        }
        model.dof_treeid[i] = ntree - 1;
    }
    model.ntree = ntree.max(0) as usize;
    for i in 0..model.nbody {
        let weld = model.body_weldid[i] as usize;
        model.body_treeid[i] = if model.body_dofnum[weld] > 0 {
            model.dof_treeid[model.body_dofadr[weld] as usize]
        } else {
            -1
        };
    }
}

fn same_position(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| (a[k] - b[k]).abs() < FRAME_TOLERANCE)
}

fn same_rotation(a: Quat, b: Quat) -> bool {
    (0..4).all(|k| (a[k] - b[k]).abs() < FRAME_TOLERANCE)
        || (0..4).all(|k| (a[k] + b[k]).abs() < FRAME_TOLERANCE)
}

/// How a frame in a body coincides with the body's frame or its inertial frame.
fn same_frame(pos: Vec3, quat: Quat, inertial: Option<(Vec3, Quat)>) -> u8 {
    let kind = if same_rotation(quat, Quat::IDENTITY) {
        if same_position(pos, Vec3::ZERO) {
            SameFrame::Body
        } else {
            SameFrame::Bodyrot
        }
    } else {
        match inertial {
            Some((ipos, iquat)) if same_rotation(quat, iquat) => {
                if same_position(pos, ipos) {
                    SameFrame::Inertia
                } else {
                    SameFrame::Inertiarot
                }
            }
            _ => SameFrame::None,
        }
    };
    kind.code() as u8
}

fn same_frames(model: &mut ModelArrays) {
    for i in 0..model.nbody {
        model.body_sameframe[i] = same_frame(model.body_ipos[i], model.body_iquat[i], None);
    }
    for i in 0..model.ngeom {
        let body = model.geom_bodyid[i] as usize;
        let inertial = Some((model.body_ipos[body], model.body_iquat[body]));
        model.geom_sameframe[i] = same_frame(model.geom_pos[i], model.geom_quat[i], inertial);
    }
    for i in 0..model.nsite {
        let body = model.site_bodyid[i] as usize;
        let inertial = Some((model.body_ipos[body], model.body_iquat[body]));
        model.site_sameframe[i] = same_frame(model.site_pos[i], model.site_quat[i], inertial);
    }
}

/// Bodies whose block of M is constant and diagonal: childless, at the top of a tree, inertial
/// frame equal to the body frame, joints through the origin and along its axes, at most one of
/// them a rotation and that one last. Level 2: sliders only.
fn simple_bodies(model: &mut ModelArrays) {
    for i in 0..model.nbody {
        let parent = model.body_parentid[i] as usize;
        let at_top = model.body_rootid[i] as usize == i
            || (model.body_parentid[parent] == 0 && model.body_dofnum[parent] == 0);
        let mut simple = at_top && model.body_sameframe[i] == SameFrame::Body.code() as u8;
        let mut sliders_only = true;
        let mut rotates = false;
        for k in 0..model.body_jntnum[i] {
            let joint = (model.body_jntadr[i] + k) as usize;
            let layout = Layout::of(model.jnt_type[joint]);
            let axis = model.jnt_axis[joint];
            let along_axis = axis.iter().filter(|c| c.abs() > AXIS_TOLERANCE).count() == 1;
            if rotates
                || !same_position(model.jnt_pos[joint], Vec3::ZERO)
                || (layout.is_scalar() && !along_axis)
            {
                simple = false;
            }
            rotates |= layout.angles || layout.turns;
            sliders_only &= layout.is_scalar() && !layout.angles;
        }
        model.body_simple[i] = match (simple, model.body_dofnum[i] > 0 && sliders_only) {
            (false, _) => 0,
            (true, false) => 1,
            (true, true) => 2,
        };
        if parent > 0 {
            model.body_simple[parent] = 0;
        }
    }

    // The armature of a tendon couples the bodies along its path.
    for i in 0..model.ntendon {
        if model.tendon_armature[i] == 0.0 {
            continue;
        }
        for k in path(model, i) {
            let object = model.wrap_objid[k] as usize;
            match WrapType::from_code(model.wrap_type[k]) {
                Some(WrapType::Site) => model.body_simple[model.site_bodyid[object] as usize] = 0,
                Some(WrapType::Sphere | WrapType::Cylinder) => {
                    model.body_simple[model.geom_bodyid[object] as usize] = 0;
                }
                _ => {}
            }
        }
    }

    let mut count = 0;
    for i in (0..model.nv).rev() {
        let simple = model.body_simple[model.dof_bodyid[i] as usize] > 0;
        count = if simple { count + 1 } else { 0 };
        model.dof_simplenum[i] = count;
    }
}

/// The entries of tendon `i`'s path.
fn path(model: &ModelArrays, i: usize) -> core::ops::Range<usize> {
    let start = model.tendon_adr[i] as usize;
    start..start + model.tendon_num[i] as usize
}

/// Number of ancestors of a dof, itself included, for all dofs.
fn depths(model: &ModelArrays) -> Vec<usize> {
    let mut depth = vec![0; model.nv];
    for i in 0..model.nv {
        let parent = model.dof_parentid[i];
        depth[i] = 1 + if parent >= 0 {
            depth[parent as usize]
        } else {
            0
        };
    }
    depth
}

/// Degrees of freedom of each body's subtree, itself included.
fn subtree_dofs(model: &ModelArrays) -> Vec<usize> {
    let mut count: Vec<usize> = model.body_dofnum.iter().map(|&n| n as usize).collect();
    for i in (1..model.nbody).rev() {
        count[model.body_parentid[i] as usize] += count[i];
    }
    count
}

/// Degrees of freedom of each body's proper ancestors.
fn ancestor_dofs(model: &ModelArrays) -> Vec<usize> {
    let mut count = vec![0; model.nbody];
    for i in 1..model.nbody {
        let parent = model.body_parentid[i] as usize;
        if parent > 0 {
            count[i] = count[parent] + model.body_dofnum[parent] as usize;
        }
    }
    count
}

fn sizes(model: &mut ModelArrays) -> Result<(), ConstantsError> {
    let depth = depths(model);
    let total: usize = depth.iter().sum();
    let limit = i32::MAX as usize / 2;
    if total > limit {
        return Err(ConstantsError::TooLarge("inertia matrix"));
    }
    model.nM = total;
    model.nD = 2 * total - model.nv;
    model.nC = (0..model.nv)
        .map(|i| {
            if model.dof_simplenum[i] > 0 {
                1
            } else {
                depth[i]
            }
        })
        .sum();
    model.nB = if model.nv == 0 {
        0
    } else {
        let below: usize = subtree_dofs(model).iter().sum();
        let above: usize = ancestor_dofs(model).iter().sum();
        below + above
    };
    if model.nB > limit {
        return Err(ConstantsError::TooLarge("body–dof matrix"));
    }

    model.nJmom = 0;
    for i in 0..model.nu {
        let target = model.actuator_trnid[i][0];
        model.nJmom += match TransmissionType::from_code(model.actuator_trntype[i]) {
            Some(TransmissionType::Joint | TransmissionType::Jointinparent) => {
                Layout::of(model.jnt_type[target as usize]).dofs()
            }
            _ => model.nv,
        };
    }
    if model.nJmom > limit {
        return Err(ConstantsError::TooLarge("actuator moments"));
    }
    Ok(())
}

fn trees(model: &mut ModelArrays) {
    model.tree_bodynum.fill(0);
    let mut current = -1;
    for i in 1..model.nbody {
        let tree = model.body_treeid[i];
        if tree >= 0 {
            if tree > current {
                current = tree;
                model.tree_bodyadr[tree as usize] = i as i32;
            }
            model.tree_bodynum[current as usize] += 1;
        }
    }
    model.tree_dofnum.fill(0);
    let mut current = -1;
    for i in 0..model.nv {
        let tree = model.dof_treeid[i];
        if tree > current {
            current = tree;
            model.tree_dofadr[tree as usize] = i as i32;
        }
        model.tree_dofnum[current as usize] += 1;
    }
}

/// The tree of the body an entry of a tendon path is attached to.
pub(super) fn wrap_tree(model: &ModelArrays, wrap: usize) -> Option<usize> {
    let object = model.wrap_objid[wrap] as usize;
    let body = match WrapType::from_code(model.wrap_type[wrap])? {
        WrapType::Joint => model.jnt_bodyid[object],
        WrapType::Site => model.site_bodyid[object],
        WrapType::Sphere | WrapType::Cylinder => model.geom_bodyid[object],
        WrapType::Pulley | WrapType::None => return None,
    };
    usize::try_from(model.body_treeid[body as usize]).ok()
}

/// How many trees each tendon touches, and the first two of them in path order.
fn tendon_trees(model: &mut ModelArrays) {
    let mut seen = vec![usize::MAX; model.ntree];
    for i in 0..model.ntendon {
        let mut count = 0;
        let mut first = [-1; 2];
        for k in path(model, i) {
            let Some(tree) = wrap_tree(model, k) else {
                continue;
            };
            if seen[tree] != i {
                seen[tree] = i;
                if count < 2 {
                    first[count] = tree as i32;
                }
                count += 1;
            }
        }
        model.tendon_treenum[i] = count as i32;
        model.tendon_treeid[i] = first;
    }
}

fn legacy_addresses(model: &mut ModelArrays) {
    let mut address = 0;
    for (i, depth) in depths(model).into_iter().enumerate() {
        model.dof_Madr[i] = address;
        address += depth as i32;
    }
}

/// Writes the ancestors of dof `i` ascending, ending with `i`, into the end of `row`.
fn write_ancestors(parents: &[i32], i: usize, row: &mut [i32]) {
    let mut dof = i as i32;
    for slot in row.iter_mut().rev() {
        *slot = dof;
        dof = parents[dof as usize];
    }
}

fn inertia_rows(model: &mut ModelArrays, pace: &mut Pace) -> Result<(), ConstantsError> {
    let depth = depths(model);
    let mut address = 0;
    for i in 0..model.nv {
        let length = if model.dof_simplenum[i] > 0 {
            1
        } else {
            depth[i]
        };
        model.M_rownnz[i] = length as i32;
        model.M_rowadr[i] = address as i32;
        write_ancestors(
            &model.dof_parentid,
            i,
            &mut model.M_colind[address..address + length],
        );
        address += length;
        pace.after(length)?;
    }
    Ok(())
}

fn dof_dof_rows(model: &mut ModelArrays, pace: &mut Pace) -> Result<(), ConstantsError> {
    let depth = depths(model);
    // Descendants of each dof, itself excluded.
    let mut below = vec![0; model.nv];
    for i in (0..model.nv).rev() {
        let parent = model.dof_parentid[i];
        if parent >= 0 {
            below[parent as usize] += below[i] + 1;
        }
    }
    let mut address = 0;
    for i in 0..model.nv {
        let length = depth[i] + below[i];
        model.D_rownnz[i] = length as i32;
        model.D_rowadr[i] = address as i32;
        model.D_diag[i] = depth[i] as i32 - 1;
        let row = &mut model.D_colind[address..address + length];
        write_ancestors(&model.dof_parentid, i, &mut row[..depth[i]]);
        address += length;
        pace.after(depth[i])?;
    }
    // Descendants come in ascending order when rows are visited in ascending order.
    let mut filled = depth;
    for i in 0..model.nv {
        let mut ancestor = model.dof_parentid[i];
        while ancestor >= 0 {
            let j = ancestor as usize;
            model.D_colind[model.D_rowadr[j] as usize + filled[j]] = i as i32;
            filled[j] += 1;
            ancestor = model.dof_parentid[j];
        }
        pace.after(model.D_diag[i] as usize)?;
    }
    Ok(())
}

fn body_dof_rows(model: &mut ModelArrays, pace: &mut Pace) -> Result<(), ConstantsError> {
    let below = subtree_dofs(model);
    let above = ancestor_dofs(model);
    let mut address = 0;
    for i in 0..model.nbody {
        let length = below[i] + above[i];
        model.B_rownnz[i] = length as i32;
        model.B_rowadr[i] = address as i32;
        let row = &mut model.B_colind[address..address + length];
        // Ancestors first: their dofs have smaller indices than those of the subtree.
        let mut end = above[i];
        let mut body = model.body_parentid[i] as usize;
        while body > 0 && i > 0 {
            let count = model.body_dofnum[body] as usize;
            for k in 0..count {
                row[end - count + k] = model.body_dofadr[body] + k as i32;
            }
            end -= count;
            body = model.body_parentid[body] as usize;
        }
        address += length;
        pace.after(above[i])?;
    }
    // Visiting bodies in ascending order fills every ancestor's row in ascending dof order.
    let mut filled = above;
    for i in 1..model.nbody {
        let mut body = i;
        loop {
            for k in 0..model.body_dofnum[i] {
                model.B_colind[model.B_rowadr[body] as usize + filled[body]] =
                    model.body_dofadr[i] + k;
                filled[body] += 1;
            }
            if body == 0 {
                break;
            }
            body = model.body_parentid[body] as usize;
            pace.after(model.body_dofnum[i] as usize)?;
        }
    }
    Ok(())
}

/// Index maps between the layouts of the inertia: M ← qM, D ← M (−1 where M has no entry), M ← D.
fn maps(model: &mut ModelArrays, pace: &mut Pace) -> Result<(), ConstantsError> {
    model.mapM2D.fill(-1);
    // Where the next descendant stands in each row of D: descendants come in ascending order.
    let mut next: Vec<usize> = (0..model.nv)
        .map(|i| (model.D_rowadr[i] + model.D_diag[i]) as usize + 1)
        .collect();
    for i in 0..model.nv {
        let start = model.M_rowadr[i] as usize;
        let length = model.M_rownnz[i] as usize;
        let row_d = model.D_rowadr[i] as usize;
        let above = model.D_diag[i] as usize;
        // A simple row of M has no ancestors.
        let missing = above + 1 - length;
        for k in 0..length {
            // qM runs from the diagonal up, M from the root down; the ancestors lead row i of D.
            let lower = row_d + missing + k;
            model.mapM2M[start + k] = model.dof_Madr[i] + (length - 1 - k) as i32;
            model.mapD2M[start + k] = lower as i32;
            model.mapM2D[lower] = (start + k) as i32;
        }
        for k in 0..above {
            let j = model.D_colind[row_d + k] as usize;
            if k >= missing {
                model.mapM2D[next[j]] = (start + k - missing) as i32;
            }
            next[j] += 1;
        }
        pace.after(above + 1)?;
    }
    Ok(())
}

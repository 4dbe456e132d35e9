//! The tree of bodies, and what is fixed to them.

use super::{Verdict, ids, spans, wrong};
use crate::joint::Layout;
use crate::kinds::{GeomType, JointType};
use crate::model::ModelArrays;
use std::ops::Range;

impl ModelArrays {
    /// Bodies follow their parents, joints and degrees of freedom their bodies, without a gap.
    pub(super) fn check_tree(&self) -> Verdict {
        if self.nbody == 0 || self.body_parentid[0] != 0 {
            return Err(wrong("body_parentid", 0));
        }
        let (mut joints, mut dofs, mut positions, mut mocaps) = (0, 0, 0, 0);
        for i in 0..self.nbody {
            let parent = self.body_parentid[i];
            if i > 0 && !(0..i as i32).contains(&parent) {
                return Err(wrong("body_parentid", i));
            }
            let (first_joint, first_dof) = (joints, dofs);
            let count = usize::try_from(self.body_jntnum[i]).unwrap_or(usize::MAX);
            if count > self.njnt - joints || (i == 0 && count > 0) {
                return Err(wrong("body_jntnum", i));
            }
            for joint in first_joint..first_joint + count {
                let code = self.jnt_type[joint];
                if JointType::from_code(code).is_none() {
                    return Err(wrong("jnt_type", joint));
                }
                let layout = Layout::of(code);
                if self.jnt_bodyid[joint] as usize != i {
                    return Err(wrong("jnt_bodyid", joint));
                }
                if self.jnt_qposadr[joint] as usize != positions {
                    return Err(wrong("jnt_qposadr", joint));
                }
                if self.jnt_dofadr[joint] as usize != dofs || layout.dofs() > self.nv - dofs {
                    return Err(wrong("jnt_dofadr", joint));
                }
                for dof in dofs..dofs + layout.dofs() {
                    if self.dof_bodyid[dof] as usize != i || self.dof_jntid[dof] as usize != joint {
                        return Err(wrong("dof_bodyid", dof));
                    }
                }
                dofs += layout.dofs();
                positions += layout.positions();
            }
            joints += count;
            let address = |count: usize, first: usize| if count > 0 { first as i32 } else { -1 };
            if self.body_jntadr[i] != address(count, first_joint) {
                return Err(wrong("body_jntadr", i));
            }
            let own = dofs - first_dof;
            if own > 6 || self.body_dofnum[i] as usize != own {
                return Err(wrong("body_dofnum", i));
            }
            if self.body_dofadr[i] != address(own, first_dof) {
                return Err(wrong("body_dofadr", i));
            }
            if self.body_mocapid[i] != -1 {
                if self.body_mocapid[i] as usize != mocaps || parent != 0 || own > 0 {
                    return Err(wrong("body_mocapid", i));
                }
                mocaps += 1;
            }
        }
        let totals = (joints, dofs, positions, mocaps);
        if totals != (self.njnt, self.nv, self.nq, self.nmocap) {
            return Err(wrong("body_jntnum", self.nbody - 1));
        }
        Ok(())
    }

    /// What is fixed to bodies.
    pub(super) fn check_bodies(&self) -> Verdict {
        let bodies = self.nbody;
        ids("geom_bodyid", &self.geom_bodyid, bodies, 0)?;
        ids("site_bodyid", &self.site_bodyid, bodies, 0)?;
        ids("cam_bodyid", &self.cam_bodyid, bodies, 0)?;
        ids("cam_targetbodyid", &self.cam_targetbodyid, bodies, -1)?;
        ids("light_bodyid", &self.light_bodyid, bodies, 0)?;
        ids("light_targetbodyid", &self.light_targetbodyid, bodies, -1)?;
        ids("light_texid", &self.light_texid, self.ntex, -1)?;
        ids("geom_matid", &self.geom_matid, self.nmat, -1)?;
        ids("site_matid", &self.site_matid, self.nmat, -1)?;
        ids("body_plugin", &self.body_plugin, self.nplugin, -1)?;
        ids("geom_plugin", &self.geom_plugin, self.nplugin, -1)?;
        spans(
            "body_geomadr",
            &self.body_geomadr,
            &self.body_geomnum,
            self.ngeom,
        )?;
        // Boxes that move are kept by simulations, and no array here is as long.
        if self.nbvhstatic.checked_add(self.nbvhdynamic) != Some(self.nbvh) {
            return Err(wrong("bvh_depth", 0));
        }
        spans(
            "body_bvhadr",
            &self.body_bvhadr,
            &self.body_bvhnum,
            self.nbvh,
        )?;
        for (body, (&first, &count)) in self.body_geomadr.iter().zip(&self.body_geomnum).enumerate()
        {
            let own = (0..count).map(|k| self.geom_bodyid[(first + k) as usize]);
            if own.into_iter().any(|owner| owner as usize != body) {
                return Err(wrong("body_geomadr", body));
            }
            self.check_volumes(body, first..first + count)?;
        }
        if let Some(body) = self.body_simple.iter().position(|simple| *simple > 2) {
            return Err(wrong("body_simple", body));
        }
        for (row, &code) in self.geom_type.iter().enumerate() {
            let (count, least) = match GeomType::from_code(code) {
                Some(GeomType::Hfield) => (self.nhfield, 0),
                Some(GeomType::Mesh | GeomType::Sdf) => (self.nmesh, 0),
                Some(kind) if (kind.code() as usize) < GeomType::Mesh.code() as usize => {
                    (self.nmesh, -1)
                }
                _ => return Err(wrong("geom_type", row)),
            };
            ids("geom_dataid", &self.geom_dataid[row..row + 1], count, least)
                .map_err(|_| wrong("geom_dataid", row))?;
        }
        for (row, &code) in self.site_type.iter().enumerate() {
            if GeomType::from_code(code).is_none_or(|kind| kind.code() > 6) {
                return Err(wrong("site_type", row));
            }
        }
        Ok(())
    }

    /// The bounding volumes of a body: none where none of its geoms can collide. Leaves hold a geom of the body, or
    /// nothing; what inner nodes hold means nothing, and is left over where bodies were fused.
    fn check_volumes(&self, body: usize, geoms: Range<i32>) -> Verdict {
        let (first, count) = (self.body_bvhadr[body], self.body_bvhnum[body]);
        if count == 0 && first != -1 {
            return Err(wrong("body_bvhnum", body));
        }
        self.check_nodes("body_bvhadr", first, count, |children, geom| {
            children > 0 || geom == -1 || geoms.contains(&geom)
        })
        .map_err(|_| wrong("body_bvhadr", body))
    }

    /// Children of a bounding volume come after it, so that no walk goes round; what a node may hold depends on
    /// how many it has.
    pub(super) fn check_nodes(
        &self,
        column: &'static str,
        first: i32,
        count: i32,
        may_hold: impl Fn(usize, i32) -> bool,
    ) -> Verdict {
        for node in 0..count {
            let at = (first + node) as usize;
            let children = self.bvh_child[at];
            let count_of_children = children.iter().filter(|child| **child >= 0).count();
            let descends = |&child: &i32| child < 0 || (child > node && child < count);
            if !children.iter().all(descends) || !may_hold(count_of_children, self.bvh_nodeid[at]) {
                return Err(wrong(column, at));
            }
        }
        Ok(())
    }
}

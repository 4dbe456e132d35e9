//! Flexes: nodes, vertices, edges and elements lie within their arrays and name bodies and vertices that exist.

use super::{Verdict, ids, spans, wrong};
use crate::model::ModelArrays;

impl ModelArrays {
    pub(super) fn check_flexes(&self) -> Verdict {
        let flexes = [
            (
                "flex_nodeadr",
                &self.flex_nodeadr,
                &self.flex_nodenum,
                self.nflexnode,
            ),
            (
                "flex_vertadr",
                &self.flex_vertadr,
                &self.flex_vertnum,
                self.nflexvert,
            ),
            (
                "flex_edgeadr",
                &self.flex_edgeadr,
                &self.flex_edgenum,
                self.nflexedge,
            ),
            (
                "flex_elemadr",
                &self.flex_elemadr,
                &self.flex_elemnum,
                self.nflexelem,
            ),
            (
                "flex_evpairadr",
                &self.flex_evpairadr,
                &self.flex_evpairnum,
                self.nflexevpair,
            ),
            (
                "flex_bvhadr",
                &self.flex_bvhadr,
                &self.flex_bvhnum,
                self.nbvh,
            ),
        ];
        for (column, addresses, counts, length) in flexes {
            spans(column, addresses, counts, length)?;
        }
        ids("flex_matid", &self.flex_matid, self.nmat, -1)?;
        ids("flex_nodebodyid", &self.flex_nodebodyid, self.nbody, 0)?;
        ids("flex_vertbodyid", &self.flex_vertbodyid, self.nbody, -1)?;
        for flex in 0..self.nflex {
            if !(1..=3).contains(&self.flex_dim[flex]) {
                return Err(wrong("flex_dim", flex));
            }
            let part = |first: i32, count: i32| {
                let first = usize::try_from(first).unwrap_or(0);
                first..first + usize::try_from(count).unwrap_or(0)
            };
            let vertices = usize::try_from(self.flex_vertnum[flex]).unwrap_or(0);
            for edge in part(self.flex_edgeadr[flex], self.flex_edgenum[flex]) {
                ids("flex_edge", &self.flex_edge[edge], vertices, 0)
                    .map_err(|_| wrong("flex_edge", edge))?;
                ids("flex_edgeflap", &self.flex_edgeflap[edge], vertices, -1)
                    .map_err(|_| wrong("flex_edgeflap", edge))?;
            }
            let corners = (self.flex_dim[flex] + 1) * self.flex_elemnum[flex];
            let data = part(self.flex_elemdataadr[flex], corners);
            let elements = self
                .flex_elem
                .get(data)
                .ok_or(wrong("flex_elemdataadr", flex))?;
            ids("flex_elem", elements, vertices, 0).map_err(|_| wrong("flex_elemdataadr", flex))?;
        }
        Ok(())
    }
}

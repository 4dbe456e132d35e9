//! Flexes: nodes, vertices, edges and elements lie within their arrays and name bodies and vertices that exist.

use super::{Verdict, ids, spans, wrong};
use crate::kinds::EqualityType;
use crate::model::ModelArrays;
use std::ops::Range;

impl ModelArrays {
    pub(super) fn check_flexes(&self) -> Verdict {
        let in_a_row = [
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
        ];
        let anywhere = [
            (
                "flex_nodeadr",
                &self.flex_nodeadr,
                &self.flex_nodenum,
                self.nflexnode,
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
        for (column, addresses, counts, length) in in_a_row.into_iter().chain(anywhere) {
            spans(column, addresses, counts, length)?;
        }
        // Vertices, edges and elements of a flex follow those of the flex before it.
        for (column, addresses, counts, length) in &in_a_row {
            let mut end = 0;
            for (flex, (&address, &count)) in addresses.iter().zip(counts.iter()).enumerate() {
                if i64::from(address) != end {
                    return Err(wrong(column, flex));
                }
                end += i64::from(count);
            }
            if end != *length as i64 {
                return Err(wrong(column, self.nflex.saturating_sub(1)));
            }
        }
        ids("flex_matid", &self.flex_matid, self.nmat, -1)?;
        ids("flex_nodebodyid", &self.flex_nodebodyid, self.nbody, 0)?;
        for flex in 0..self.nflex {
            self.check_carriers(flex)?;
            self.check_edges(flex)?;
            self.check_elements(flex)?;
            self.check_tree_of_elements(flex)?;
        }
        let strained = |row: &usize| self.eq_type[*row] == EqualityType::Flexvert.code();
        for row in (0..self.neq).filter(strained) {
            let flex = usize::try_from(self.eq_obj1id[row]).unwrap_or(usize::MAX);
            if self.flex_interp.get(flex) != Some(&0) {
                return Err(wrong("eq_obj1id", row));
            }
        }
        Ok(())
    }

    /// Vertices are carried by bodies, or by a box of nodes with as many as its order asks for.
    fn check_carriers(&self, flex: usize) -> Verdict {
        let order = self.flex_interp[flex];
        if !(0..=2).contains(&order) {
            return Err(wrong("flex_interp", flex));
        }
        let vertices = part(self.flex_vertadr[flex], self.flex_vertnum[flex]);
        if order == 0 {
            let bodies = &self.flex_vertbodyid[vertices];
            return ids("flex_vertbodyid", bodies, self.nbody, 0)
                .map_err(|_| wrong("flex_vertbodyid", flex));
        }
        let nodes = (order + 1).pow(3);
        if self.flex_nodenum[flex] != nodes {
            return Err(wrong("flex_nodenum", flex));
        }
        // An elastic box has a stiffness for every two motions of its nodes.
        let numbers = self.flex_stiffness.as_flattened();
        let stiffness = numbers.get(STIFFNESS * self.flex_elemadr[flex] as usize..);
        let stiffness = stiffness.unwrap_or_default();
        let is_elastic = stiffness.first().is_some_and(|number| *number != 0.0);
        if is_elastic && stiffness.len() < (9 * nodes * nodes) as usize {
            return Err(wrong("flex_stiffness", flex));
        }
        Ok(())
    }

    fn check_edges(&self, flex: usize) -> Verdict {
        let vertices = length(self.flex_vertnum[flex]);
        for edge in part(self.flex_edgeadr[flex], self.flex_edgenum[flex]) {
            ids("flex_edge", &self.flex_edge[edge], vertices, 0)
                .map_err(|_| wrong("flex_edge", edge))?;
            ids("flex_edgeflap", &self.flex_edgeflap[edge], vertices, -1)
                .map_err(|_| wrong("flex_edgeflap", edge))?;
            // Whoever has a second neighbour has a first.
            if matches!(self.flex_edgeflap[edge], [-1, (0..)]) {
                return Err(wrong("flex_edgeflap", edge));
            }
        }
        Ok(())
    }

    /// Corners and edges of elements, pieces of surface, pairs that may touch.
    fn check_elements(&self, flex: usize) -> Verdict {
        let dimension = self.flex_dim[flex];
        let per_element = match dimension {
            1 => 1,
            2 => 3,
            3 => 6,
            _ => return Err(wrong("flex_dim", flex)),
        };
        let [vertices, edges, elements] = [
            self.flex_vertnum[flex],
            self.flex_edgenum[flex],
            self.flex_elemnum[flex],
        ];
        let lists = [
            (
                "flex_elemdataadr",
                self.flex_elemdataadr[flex],
                i64::from(dimension + 1) * i64::from(elements),
                &self.flex_elem,
                vertices,
            ),
            (
                "flex_elemedgeadr",
                self.flex_elemedgeadr[flex],
                per_element * i64::from(elements),
                &self.flex_elemedge,
                edges,
            ),
            (
                "flex_shelldataadr",
                self.flex_shelldataadr[flex],
                i64::from(dimension) * i64::from(self.flex_shellnum[flex]),
                &self.flex_shell,
                vertices,
            ),
        ];
        for (column, address, count, values, named) in lists {
            let count = usize::try_from(count).map_err(|_| wrong(column, flex))?;
            if count > 0 {
                let listed = usize::try_from(address)
                    .ok()
                    .and_then(|first| values.get(first..)?.get(..count))
                    .ok_or(wrong(column, flex))?;
                ids(column, listed, length(named), 0).map_err(|_| wrong(column, flex))?;
            }
        }
        for pair in part(self.flex_evpairadr[flex], self.flex_evpairnum[flex]) {
            let [element, vertex] = self.flex_evpair[pair];
            if !(0..elements).contains(&element) || !(0..vertices).contains(&vertex) {
                return Err(wrong("flex_evpair", pair));
            }
        }
        Ok(())
    }

    /// A flex that has a tree has at least its root, among the volumes that move.
    fn check_tree_of_elements(&self, flex: usize) -> Verdict {
        let (first, count) = (self.flex_bvhadr[flex], self.flex_bvhnum[flex]);
        if first == -1 && count == 0 {
            return Ok(());
        }
        if count < 1 || length(first) < self.nbvhstatic {
            return Err(wrong("flex_bvhadr", flex));
        }
        let elements = self.flex_elemnum[flex];
        self.check_nodes("flex_bvhadr", first, count, |children, element| {
            children == if element < 0 { 2 } else { 0 } && element < elements
        })
    }
}

/// Numbers of `flex_stiffness` per element.
const STIFFNESS: usize = 21;

fn length(count: i32) -> usize {
    usize::try_from(count).unwrap_or(0)
}

fn part(first: i32, count: i32) -> Range<usize> {
    length(first)..length(first) + length(count)
}

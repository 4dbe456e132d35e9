//! Meshes with their hulls, height fields, textures, materials and skins.

use super::{Verdict, ids, spans, wrong};
use crate::model::ModelArrays;

impl ModelArrays {
    /// Indices of a mesh count from its own first vertex, normal and polygon.
    pub(super) fn check_meshes(&self) -> Verdict {
        spans(
            "mesh_vertadr",
            &self.mesh_vertadr,
            &self.mesh_vertnum,
            self.nmeshvert,
        )?;
        spans(
            "mesh_faceadr",
            &self.mesh_faceadr,
            &self.mesh_facenum,
            self.nmeshface,
        )?;
        spans(
            "mesh_normaladr",
            &self.mesh_normaladr,
            &self.mesh_normalnum,
            self.nmeshnormal,
        )?;
        spans(
            "mesh_texcoordadr",
            &self.mesh_texcoordadr,
            &self.mesh_texcoordnum,
            self.nmeshtexcoord,
        )?;
        spans(
            "mesh_bvhadr",
            &self.mesh_bvhadr,
            &self.mesh_bvhnum,
            self.nbvh,
        )?;
        spans(
            "mesh_octadr",
            &self.mesh_octadr,
            &self.mesh_octnum,
            self.noct,
        )?;
        spans(
            "mesh_polyadr",
            &self.mesh_polyadr,
            &self.mesh_polynum,
            self.nmeshpoly,
        )?;
        spans(
            "mesh_polyvertadr",
            &self.mesh_polyvertadr,
            &self.mesh_polyvertnum,
            self.nmeshpolyvert,
        )?;
        spans(
            "mesh_polymapadr",
            &self.mesh_polymapadr,
            &self.mesh_polymapnum,
            self.nmeshpolymap,
        )?;
        for mesh in 0..self.nmesh {
            let range = |first: i32, count: i32| {
                let first = usize::try_from(first).unwrap_or(0);
                first..first + usize::try_from(count).unwrap_or(0)
            };
            let vertices = self.mesh_vertnum[mesh] as usize;
            let faces = range(self.mesh_faceadr[mesh], self.mesh_facenum[mesh]);
            let polygons = range(self.mesh_polyadr[mesh], self.mesh_polynum[mesh]);
            for face in faces.clone() {
                let row = |_| wrong("mesh_face", face);
                ids("mesh_face", &self.mesh_face[face], vertices, 0).map_err(row)?;
                // A corner without a normal has −1.
                let normals = self.mesh_normalnum[mesh] as usize;
                ids("mesh_facenormal", &self.mesh_facenormal[face], normals, -1)
                    .map_err(|_| wrong("mesh_facenormal", face))?;
            }
            let facenum = self.mesh_facenum[mesh];
            if self.mesh_bvhnum[mesh] < 1 {
                return Err(wrong("mesh_bvhnum", mesh));
            }
            self.check_nodes(
                "mesh_bvhadr",
                self.mesh_bvhadr[mesh],
                self.mesh_bvhnum[mesh],
                |children, face| (children > 0) == (face < 0) && face < facenum,
            )?;
            for polygon in polygons.clone() {
                let corners = range(
                    self.mesh_polyvertadr[polygon],
                    self.mesh_polyvertnum[polygon],
                );
                ids("mesh_polyvert", &self.mesh_polyvert[corners], vertices, 0)
                    .map_err(|_| wrong("mesh_polyvertadr", polygon))?;
            }
            for vertex in range(self.mesh_vertadr[mesh], self.mesh_vertnum[mesh]) {
                let around = range(self.mesh_polymapadr[vertex], self.mesh_polymapnum[vertex]);
                ids(
                    "mesh_polymap",
                    &self.mesh_polymap[around],
                    polygons.len(),
                    0,
                )
                .map_err(|_| wrong("mesh_polymapadr", vertex))?;
            }
            self.check_graph(mesh, vertices)?;
        }
        Ok(())
    }

    /// A hull: numbers of corners and faces, then addresses, corners, neighbours and faces.
    pub(super) fn check_graph(&self, mesh: usize, vertices: usize) -> Verdict {
        let Ok(start) = usize::try_from(self.mesh_graphadr[mesh]) else {
            return Ok(());
        };
        let error = || wrong("mesh_graphadr", mesh);
        let graph = self.mesh_graph.get(start..).ok_or_else(error)?;
        let size = |at: usize| {
            let number = graph.get(at).copied().unwrap_or(-1);
            usize::try_from(number)
                .ok()
                .filter(|n| *n <= self.nmeshgraph)
        };
        let (corners, faces) = size(0).zip(size(1)).ok_or_else(error)?;
        let edges = corners + 3 * faces;
        let rest = graph
            .get(2..2 + 2 * corners + edges + 3 * faces)
            .ok_or_else(error)?;
        let (addresses, rest) = rest.split_at(corners);
        let (globals, rest) = rest.split_at(corners);
        let (neighbours, triangles) = rest.split_at(edges);
        ids("mesh_graph", addresses, edges, 0).map_err(|_| error())?;
        ids("mesh_graph", globals, vertices, 0).map_err(|_| error())?;
        ids("mesh_graph", neighbours, corners, -1).map_err(|_| error())?;
        ids("mesh_graph", triangles, vertices, 0).map_err(|_| error())?;
        // A list of neighbours ends with −1; the last one ends the whole.
        if corners > 0 && neighbours.last() != Some(&-1) {
            return Err(error());
        }
        Ok(())
    }

    /// Height fields, textures, materials and skins.
    pub(super) fn check_pictures(&self) -> Verdict {
        for row in 0..self.nhfield {
            let (rows, columns) = (self.hfield_nrow[row], self.hfield_ncol[row]);
            let cells = i64::from(rows) * i64::from(columns);
            let end = i64::from(self.hfield_adr[row]) + cells;
            if rows < 1 || columns < 1 || self.hfield_adr[row] < 0 || end > self.nhfielddata as i64
            {
                return Err(wrong("hfield_adr", row));
            }
        }
        for row in 0..self.ntex {
            let size = [
                self.tex_width[row],
                self.tex_height[row],
                self.tex_nchannel[row],
            ];
            let bytes = size.iter().try_fold(1_i64, |product, &n| {
                product.checked_mul(i64::from(n.max(0)))
            });
            let end = bytes.and_then(|bytes| self.tex_adr[row].checked_add(bytes));
            let is_inside = end.is_some_and(|end| end <= self.ntexdata as i64);
            if self.tex_adr[row] < 0 || size.iter().any(|n| *n < 0) || !is_inside {
                return Err(wrong("tex_adr", row));
            }
        }
        for (row, textures) in self.mat_texid.iter().enumerate() {
            ids("mat_texid", textures, self.ntex, -1).map_err(|_| wrong("mat_texid", row))?;
        }
        ids("skin_matid", &self.skin_matid, self.nmat, -1)?;
        spans(
            "skin_vertadr",
            &self.skin_vertadr,
            &self.skin_vertnum,
            self.nskinvert,
        )?;
        spans(
            "skin_faceadr",
            &self.skin_faceadr,
            &self.skin_facenum,
            self.nskinface,
        )?;
        spans(
            "skin_boneadr",
            &self.skin_boneadr,
            &self.skin_bonenum,
            self.nskinbone,
        )?;
        spans(
            "skin_bonevertadr",
            &self.skin_bonevertadr,
            &self.skin_bonevertnum,
            self.nskinbonevert,
        )?;
        ids("skin_bonebodyid", &self.skin_bonebodyid, self.nbody, 0)?;
        ids("skin_bonevertid", &self.skin_bonevertid, self.nskinvert, 0)?;
        ids(
            "skin_texcoordadr",
            &self.skin_texcoordadr,
            self.nskintexvert,
            -1,
        )?;
        for (row, face) in self.skin_face.iter().enumerate() {
            ids("skin_face", face, self.nskinvert, 0).map_err(|_| wrong("skin_face", row))?;
        }
        Ok(())
    }
}

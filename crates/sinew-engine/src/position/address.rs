//! Addresses among the arrays of a position: paths and Jacobians of tendons, moments of actuators.
//!
//! Stages write them and later ones rely on them. Who lets others write them asks here whether they still fit.

use super::Position;
use sinew_model::Model;

impl Position {
    /// The first array whose addresses lead nowhere.
    pub fn check_addresses(&self, model: &Model) -> Result<(), &'static str> {
        let tendon = &self.tendon;
        let points = 2 * model.nwrap;
        let own = (&tendon.ten_wrapadr, &tendon.ten_wrapnum);
        check_rows(own, points).map_err(|()| "ten_wrapadr")?;
        let own = (&tendon.ten_J_rowadr, &tendon.ten_J_rownnz);
        check_rows(own, tendon.ten_J.len()).map_err(|()| "ten_J_rowadr")?;
        check_ids(&tendon.ten_J_colind, 0, model.nv).map_err(|()| "ten_J_colind")?;
        check_ids(tendon.wrap_obj.as_flattened(), -2, model.ngeom).map_err(|()| "wrap_obj")?;
        let transmission = &self.transmission;
        let own = (&transmission.moment_rowadr, &transmission.moment_rownnz);
        check_rows(own, model.nJmom).map_err(|()| "moment_rowadr")?;
        check_ids(&transmission.moment_colind, 0, model.nv).map_err(|()| "moment_colind")
    }

    /// No paths, no rows, no moments, until a stage finds them again.
    pub fn forget_addresses(&mut self) {
        let (tendon, transmission) = (&mut self.tendon, &mut self.transmission);
        for addresses in [
            &mut tendon.ten_wrapadr,
            &mut tendon.ten_wrapnum,
            &mut tendon.ten_J_rowadr,
            &mut tendon.ten_J_rownnz,
            &mut tendon.ten_J_colind,
            &mut transmission.moment_rowadr,
            &mut transmission.moment_rownnz,
            &mut transmission.moment_colind,
        ] {
            addresses.fill(0);
        }
        tendon.wrap_obj.fill([-1; 2]);
    }
}

/// Whether rows lie within so many entries.
fn check_rows((starts, lengths): (&Vec<i32>, &Vec<i32>), entries: usize) -> Result<(), ()> {
    let fits = |(start, length): (&i32, &i32)| {
        let end = i64::from(*start) + i64::from(*length);
        *start >= 0 && *length >= 0 && end <= entries as i64
    };
    match starts.iter().zip(lengths).all(fits) {
        true => Ok(()),
        false => Err(()),
    }
}

/// Whether ids lie between a least one and a count.
fn check_ids(ids: &[i32], least: i32, count: usize) -> Result<(), ()> {
    let is_known = |id: &i32| *id >= least && i64::from(*id) < (count as i64).max(1);
    match ids.iter().all(is_known) {
        true => Ok(()),
        false => Err(()),
    }
}

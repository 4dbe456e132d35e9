//! Equalities, tendons, actuators and sensors.

use super::{Verdict, ids, spans, wrong};
use crate::joint::Layout;
use crate::kinds::{EqualityType, ObjectType, TransmissionType, WrapType};
use crate::model::ModelArrays;

impl ModelArrays {
    /// Pairs, exclusions, equalities and tendons.
    pub(super) fn check_constraints(&self) -> Verdict {
        ids("pair_geom1", &self.pair_geom1, self.ngeom, 0)?;
        ids("pair_geom2", &self.pair_geom2, self.ngeom, 0)?;
        for (row, dim) in self.pair_dim.iter().enumerate() {
            if ![1, 3, 4, 6].contains(dim) {
                return Err(wrong("pair_dim", row));
            }
        }
        for row in 0..self.neq {
            let objects = match EqualityType::from_code(self.eq_type[row]) {
                Some(EqualityType::Connect | EqualityType::Weld) => {
                    let kind = ObjectType::from_code(self.eq_objtype[row]);
                    if !matches!(kind, Some(ObjectType::Body | ObjectType::Site)) {
                        return Err(wrong("eq_objtype", row));
                    }
                    (kind.map_or(0, |kind| self.count_of(kind)), 0)
                }
                Some(EqualityType::Joint) => (self.njnt, -1),
                Some(EqualityType::Tendon) => (self.ntendon, -1),
                Some(EqualityType::Flex | EqualityType::Flexvert) => (self.nflex, -1),
                _ => return Err(wrong("eq_type", row)),
            };
            let (count, least) = objects;
            ids("eq_obj1id", &self.eq_obj1id[row..=row], count, 0)
                .map_err(|_| wrong("eq_obj1id", row))?;
            ids("eq_obj2id", &self.eq_obj2id[row..=row], count, least)
                .map_err(|_| wrong("eq_obj2id", row))?;
        }
        spans("tendon_adr", &self.tendon_adr, &self.tendon_num, self.nwrap)?;
        ids("tendon_matid", &self.tendon_matid, self.nmat, -1)?;
        for row in 0..self.nwrap {
            let count = match WrapType::from_code(self.wrap_type[row]) {
                Some(WrapType::Joint) => self.njnt,
                Some(WrapType::Site) => self.nsite,
                Some(WrapType::Sphere | WrapType::Cylinder) => self.ngeom,
                Some(WrapType::Pulley) => continue,
                _ => return Err(wrong("wrap_type", row)),
            };
            ids("wrap_objid", &self.wrap_objid[row..=row], count, 0)
                .map_err(|_| wrong("wrap_objid", row))?;
        }
        self.check_paths()
    }

    /// The paths of tendons lie one after the other. One of joints has joints only, all of them hinges or
    /// slides; on any other a geom stands between two sites.
    fn check_paths(&self) -> Verdict {
        let mut start = 0;
        for tendon in 0..self.ntendon {
            let count = usize::try_from(self.tendon_num[tendon]).unwrap_or(0);
            if count == 0 || self.tendon_adr[tendon] as usize != start {
                return Err(wrong("tendon_adr", tendon));
            }
            let path = start..start + count;
            let kind = |k: usize| {
                let code = path.contains(&k).then(|| self.wrap_type[k]);
                code.and_then(WrapType::from_code)
            };
            let is_of_joints = kind(start) == Some(WrapType::Joint);
            for k in path.clone() {
                let is_good = match kind(k) {
                    Some(WrapType::Joint) => {
                        let joint = self.jnt_type[self.wrap_objid[k] as usize];
                        is_of_joints && Layout::of(joint).is_scalar()
                    }
                    Some(WrapType::Sphere | WrapType::Cylinder) => {
                        let sides = [k.wrapping_sub(1), k + 1];
                        !is_of_joints && sides.map(kind) == [Some(WrapType::Site); 2]
                    }
                    _ => !is_of_joints,
                };
                if !is_good {
                    return Err(wrong("wrap_type", k));
                }
            }
            start = path.end;
        }
        if start != self.nwrap {
            return Err(wrong("tendon_num", self.ntendon.saturating_sub(1)));
        }
        Ok(())
    }

    pub(super) fn check_actuators(&self) -> Verdict {
        ids("actuator_plugin", &self.actuator_plugin, self.nplugin, -1)?;
        let mut activations = 0;
        for row in 0..self.nu {
            let (first, second) = match TransmissionType::from_code(self.actuator_trntype[row]) {
                Some(TransmissionType::Joint | TransmissionType::Jointinparent) => {
                    (self.njnt, None)
                }
                Some(TransmissionType::Slidercrank) => (self.nsite, Some((self.nsite, 0))),
                Some(TransmissionType::Tendon) => (self.ntendon, None),
                Some(TransmissionType::Site) => (self.nsite, Some((self.nsite, -1))),
                Some(TransmissionType::Body) => (self.nbody, None),
                _ => return Err(wrong("actuator_trntype", row)),
            };
            let [a, b] = self.actuator_trnid[row];
            let error = |_| wrong("actuator_trnid", row);
            ids("actuator_trnid", &[a], first, 0).map_err(error)?;
            if let Some((count, least)) = second {
                ids("actuator_trnid", &[b], count, least).map_err(error)?;
            }
            let count = usize::try_from(self.actuator_actnum[row]).unwrap_or(usize::MAX);
            let address = if count > 0 { activations } else { -1 };
            if count > self.na || self.actuator_actadr[row] != address {
                return Err(wrong("actuator_actadr", row));
            }
            activations += count as i32;
        }
        if activations as usize != self.na {
            return Err(wrong("actuator_actnum", self.nu.saturating_sub(1)));
        }
        Ok(())
    }

    /// Sensors, and the histories of actuators and sensors, which lie one after the other.
    pub(super) fn check_sensors(&self) -> Verdict {
        let (mut readings, mut past) = (0_usize, 0_usize);
        for row in 0..self.nu {
            let history = (self.actuator_history[row], self.actuator_historyadr[row]);
            check_history("actuator_historyadr", row, history, 1, &mut past)?;
        }
        ids("sensor_plugin", &self.sensor_plugin, self.nplugin, -1)?;
        for row in 0..self.nsensor {
            self.check_sensor(row)?;
            let dim = usize::try_from(self.sensor_dim[row]).unwrap_or(usize::MAX);
            if self.sensor_adr[row] as usize != readings || dim > self.nsensordata {
                return Err(wrong("sensor_adr", row));
            }
            readings += dim;
            let history = (self.sensor_history[row], self.sensor_historyadr[row]);
            check_history("sensor_historyadr", row, history, dim, &mut past)?;
        }
        if readings != self.nsensordata {
            return Err(wrong("sensor_dim", self.nsensor.saturating_sub(1)));
        }
        if past != self.nhistory {
            return Err(wrong("sensor_historyadr", self.nsensor.saturating_sub(1)));
        }
        Ok(())
    }
}

/// A history of `samples` rows of `dim` numbers has a user value, a cursor, times and the rows.
fn check_history(
    column: &'static str,
    row: usize,
    ([samples, _], address): ([i32; 2], i32),
    dim: usize,
    past: &mut usize,
) -> Verdict {
    let Ok(samples @ 1..) = usize::try_from(samples) else {
        return if address == -1 {
            Ok(())
        } else {
            Err(wrong(column, row))
        };
    };
    if address as usize != *past {
        return Err(wrong(column, row));
    }
    let numbers = dim
        .checked_add(1)
        .and_then(|width| width.checked_mul(samples))
        .and_then(|numbers| numbers.checked_add(2 + *past));
    *past = numbers.ok_or(wrong(column, row))?;
    Ok(())
}

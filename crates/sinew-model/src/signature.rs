//! A fingerprint of a model's structure.

use crate::ModelArrays;

impl ModelArrays {
    /// FNV-1a over the sizes and the integers that lay out trees, joints, tendons, actuators and
    /// sensors. Two models with equal fingerprints differ in numbers at most, not in what the arrays
    /// of a simulation mean.
    pub fn structure_signature(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        for (_, size) in self.sizes() {
            add(size as u64);
        }
        for column in [
            &self.body_parentid,
            &self.body_mocapid,
            &self.jnt_type,
            &self.jnt_bodyid,
            &self.dof_parentid,
            &self.geom_type,
            &self.geom_bodyid,
            &self.site_bodyid,
            &self.wrap_type,
            &self.wrap_objid,
            &self.tendon_adr,
            &self.actuator_trntype,
            &self.actuator_actadr,
            &self.actuator_historyadr,
            &self.eq_type,
            &self.sensor_type,
            &self.sensor_adr,
            &self.sensor_historyadr,
        ] {
            for &number in column {
                add(u64::from(number as u32));
            }
        }
        hash
    }
}

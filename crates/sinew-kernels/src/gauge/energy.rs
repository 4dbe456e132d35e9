//! The kinetic energy of the step before: what its sensor reads where a model asks for energies in each step.
//!
//! A world remembers the energy of its last stage as bits among its words, so that whoever keeps or forgets those does the
//! same with it.

use super::cut;
use crate::Number;
use crate::local::Local;
use crate::meeting::Place;
use crate::scene::{ENERGY_WORDS, Scene};
use crate::sense::energy::kinetic;

/// Reads all sensors of kinetic energy of a world at a time, and remembers the energy that it has now.
#[inline(always)]
pub fn energy<T: Number>(scene: &Scene<'_, T>, time: f64, place: &mut Place<'_, '_, T>) {
    let at = &Local::cut(&scene.head, &mut *place.memory.0, &mut *place.memory.1);
    let stage = place.words.stage[0];
    if stage < 0 {
        return;
    }
    let now = kinetic(scene, at).to_f64();
    let own = &mut *place.words.energy;
    // A world that has begun anew has no step before.
    let is_known = own[0] != 0 && time != 0.0;
    let before = match is_known {
        true => f64::from_bits(u64::from(own[1] as u32) | u64::from(own[2] as u32) << 32),
        false => now,
    };
    let bits = now.to_bits();
    (own[0], own[1], own[2]) = (1, bits as i32, (bits >> 32) as i32);
    // Within a step nobody reads.
    if stage > 0 {
        return;
    }
    let tables = &scene.tables;
    let sensors = tables.energy_words.as_chunks::<ENERGY_WORDS>().0;
    for i in 0..sensors.len() {
        let [address, numbers] = sensors[i];
        let cutoff = tables.energy_cutoffs[i];
        place.problem.sensordata[address as usize] = cut(numbers, cutoff, T::from_f64(before));
    }
}

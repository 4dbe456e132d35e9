//! Kernels of sensors that threads of their own read.

use super::{Arguments, Real, scratch, thread, warps};
use crate::gauge;
use crate::meeting::{self, Place};
use crate::scene::Scene;
use crate::warp::LANES;
use core::slice::from_raw_parts_mut;

impl Arguments {
    /// Has each of so many sensors of all worlds read by a thread.
    #[inline(always)]
    fn gauge(
        &self,
        count: usize,
        mut read: impl FnMut(&Scene<'_, Real>, usize, usize, &mut Place<'_, '_, Real>),
    ) {
        let worlds = self.worlds as usize;
        let mut i = thread();
        while i < count * worlds {
            let (sensor, world) = (i / worlds, i % worlds);
            let scene = &self.scene_of(world);
            let (mut problem, mut words) = self.problem(world, &scene.head);
            let place = &mut Place {
                memory: self.memory(world, &scene.head),
                problem: &mut problem,
                words: &mut words,
            };
            read(scene, sensor, world, place);
            i += warps() * LANES;
        }
    }
}

/// Sensors of distances. A thread has a sensor at a time, and memory.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gauge_distance(arguments: Arguments) {
    let memory = scratch(&arguments, thread());
    let head = arguments.scene().head;
    // SAFETY: the host reserves that much for every thread.
    let memory = unsafe { from_raw_parts_mut(memory, meeting::polytope_length(&head)) };
    arguments.gauge(head.distances, |scene, sensor, _, place| {
        // Within a step nobody reads.
        if place.words.stage[0] == 0 {
            gauge::distance(scene, sensor, place, memory);
        }
    });
}

/// Sensors of rays that may meet meshes or height fields. A thread has a sensor at a time.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gauge_ray(arguments: Arguments) {
    arguments.gauge(arguments.scene().head.rays, |scene, sensor, _, place| {
        if place.words.stage[0] == 0 {
            gauge::ray(scene, sensor, place);
        }
    });
}

/// Tactile sensors. A thread has a taxel at a time.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gauge_tactile(arguments: Arguments) {
    arguments.gauge(arguments.scene().head.taxels, |scene, taxel, _, place| {
        if place.words.stage[0] == 0 {
            gauge::tactile(scene, taxel, place);
        }
    });
}

/// Sensors of the kinetic energy of the step before. A thread has a world at a time.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn gauge_energy(arguments: Arguments) {
    arguments.gauge(1, |scene, _, world, place| {
        let time = arguments.block(arguments.time, world, 1)[0];
        gauge::energy(scene, time, place);
    });
}

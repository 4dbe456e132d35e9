//! Worlds begin anew, or are changed one by one.

use crate::batch::Batch;
use crate::which::Which;
use sinew_engine::integrate::integrate_position;
use sinew_engine::{CallError, Data};
use sinew_math::random::{Noise, Stream};

impl Batch {
    /// Puts worlds into the initial state, or into that of a keyframe.
    pub fn reset(&mut self, which: Which<'_>, key: Option<usize>) -> Result<(), CallError> {
        self.check_keyframe(key)?;
        let is_common = self.values.is_empty();
        let mut is_ready = false;
        self.for_each_in_turn(which, |model, shapes, start, chunk, world| {
            if !(is_ready && is_common) {
                match key {
                    Some(key) => start.reset_to_keyframe(model, key)?,
                    None => start.reset(model)?,
                }
                is_ready = true;
            }
            chunk.store_all(shapes, world, start);
            Ok(())
        })
    }

    fn check_keyframe(&self, key: Option<usize>) -> Result<(), CallError> {
        let (what, count) = ("keyframe", self.model().nkey);
        match key {
            Some(index) if index >= count => Err(CallError::Index { what, index, count }),
            _ => Ok(()),
        }
    }

    /// The same with random changes of positions and velocities. What a world draws depends on the seed, the world and
    /// how often it has drawn.
    pub fn reset_randomly(
        &mut self,
        which: Which<'_>,
        key: Option<usize>,
        noise: &Noise,
        seed: u64,
    ) -> Result<(), CallError> {
        self.reset(which, key)?;
        let mut velocity = vec![0.0; self.model().nv];
        self.for_each_in_turn(which, |model, shapes, data, chunk, world| {
            chunk.load(shapes, world, data);
            let mut stream = Stream::new(seed, chunk.first + world, chunk.draws[world]);
            chunk.draws[world] += 1;
            let mut number = || stream.number(noise.spread);
            velocity.fill_with(|| noise.position * number());
            integrate_position(model, &mut data.state.qpos, &velocity, 1.0)?;
            for speed in &mut data.state.qvel {
                *speed += noise.velocity * number();
            }
            chunk.store(shapes, world, data);
            Ok(())
        })
    }

    /// How often each world has drawn random numbers.
    pub fn draws(&self) -> &[u64] {
        &self.worlds.draws
    }

    /// How often each world has drawn random numbers, to go on from another place of its streams.
    pub fn draws_mut(&mut self) -> &mut [u64] {
        &mut self.worlds.draws
    }

    /// Lets a function change worlds one after the other, as a simulation whose state and inputs are the
    /// world's.
    pub fn put(
        &mut self,
        which: Which<'_>,
        mut change: impl FnMut(usize, &mut Data) -> Result<(), CallError>,
    ) -> Result<(), CallError> {
        self.for_each_in_turn(which, |_, shapes, data, chunk, world| {
            chunk.load(shapes, world, data);
            change(chunk.first + world, data)?;
            chunk.store_all(shapes, world, data);
            Ok(())
        })
    }
}

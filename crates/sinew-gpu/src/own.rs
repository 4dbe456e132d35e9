//! Worlds that differ in values of the model: their numbers are packed as those of all are, one row for each world.

use crate::device::DeviceError;
use crate::scene::{Scene, Wanted};
use crate::starts::Starts;
use sinew_kernels::Number;
use sinew_model::Model;
use std::thread;

/// Writes the values of a world into a model of the structure that all worlds have.
pub type Values<'a> = &'a (dyn Fn(usize, &mut Model) + Sync);

/// What a world has of its own.
pub(crate) struct Own<T> {
    pub world: usize,
    /// Numbers of its scene.
    pub numbers: Vec<T>,
    /// What it begins with.
    pub starts: Starts<T>,
}

/// The scene of the first world, and what each has of its own.
type Packed<T> = (Scene<T>, Vec<Own<T>>);

/// Packs the values of some worlds, with the scene of the first, whose words all of them must have: values that change what
/// the model consists of (what is damped, carried or in a fluid, what has rows) cannot differ.
pub(crate) fn pack<T: Number + Send>(
    model: &Model,
    wanted: &Wanted,
    worlds: &[usize],
    values: Values<'_>,
) -> Result<Option<Packed<T>>, DeviceError> {
    let Some(&first) = worlds.first() else {
        return Ok(None);
    };
    let mut own_model = model.clone();
    values(first, &mut own_model);
    let scene = Scene::<T>::wanted(&own_model, wanted)?.into_general();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let chunk = worlds.len().div_ceil(threads);
    let words = &scene.packed.words;
    let parts: Vec<Result<Vec<Own<T>>, DeviceError>> = thread::scope(|scope| {
        let work = |worlds| move || pack_some(model, wanted, worlds, values, words);
        let started: Vec<_> = worlds
            .chunks(chunk)
            .map(|worlds| scope.spawn(work(worlds)))
            .collect();
        let failed = || Err(DeviceError::Driver("a thread that packs failed".into()));
        let done = started
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| failed()));
        done.collect()
    });
    let mut all = Vec::with_capacity(worlds.len());
    for part in parts {
        all.extend(part?);
    }
    Ok(Some((scene, all)))
}

fn pack_some<T: Number + Send>(
    model: &Model,
    wanted: &Wanted,
    worlds: &[usize],
    values: Values<'_>,
    words: &[i32],
) -> Result<Vec<Own<T>>, DeviceError> {
    let mut model = model.clone();
    let mut pack = |&world: &usize| {
        values(world, &mut model);
        let scene = Scene::<T>::wanted(&model, wanted)?.into_general();
        if scene.packed.words != words {
            return Err(DeviceError::OtherStructure(world));
        }
        let starts = Starts::new(&model, &scene);
        let own = scene.packed.own;
        let mut numbers = scene.packed.numbers;
        numbers.truncate(own);
        Ok(Own {
            world,
            numbers,
            starts,
        })
    };
    worlds.iter().map(&mut pack).collect()
}

/// Worlds whose values are to be packed: those that are named, and all the first time.
pub(crate) fn meant(
    worlds: &[usize],
    count: usize,
    is_first: bool,
) -> Result<Vec<usize>, DeviceError> {
    match worlds.iter().find(|&&world| world >= count) {
        Some(&given) => Err(DeviceError::WrongLength {
            given,
            wanted: count,
        }),
        None if is_first => Ok((0..count).collect()),
        None => Ok(worlds.to_vec()),
    }
}

/// Whether worlds can go on with a scene: their blocks are the same, and so are the words unless all worlds get them.
pub(crate) fn check<T: Number>(
    scene: &Scene<T>,
    before: &Scene<T>,
    is_all: bool,
    worlds: &[usize],
) -> Result<(), DeviceError> {
    if !scene.has_blocks_of(before) {
        return Err(DeviceError::OtherModel);
    }
    match is_all || scene.packed.words == before.packed.words {
        true => Ok(()),
        false => Err(DeviceError::OtherStructure(
            worlds.first().copied().unwrap_or(0),
        )),
    }
}

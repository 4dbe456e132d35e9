//! What worlds begin with.

use crate::scene::Scene;
use sinew_kernels::Number;
use sinew_kernels::episode::Start;
use sinew_model::Model;

/// The initial state of a model and those of its keyframes, packed.
#[derive(Clone, Debug)]
pub(crate) struct Starts<T> {
    /// Blocks of states, one after the other.
    pub blocks: Vec<T>,
    /// Rows of controls.
    pub ctrl: Vec<T>,
    /// Times.
    pub time: Vec<f64>,
}

impl<T: Number> Starts<T> {
    pub fn new(model: &Model, scene: &Scene<T>) -> Self {
        let layout = &scene.state;
        let mut starts = Starts {
            blocks: scene.start.clone(),
            ctrl: vec![T::ZERO; model.nu],
            time: vec![0.0],
        };
        for key in 0..model.nkey {
            let mut block = scene.start.clone();
            for ([start, end], all) in [
                (layout.qpos, &model.key_qpos),
                (layout.qvel, &model.key_qvel),
                (layout.act, &model.key_act),
                (layout.mocap_pos, &model.key_mpos),
                (layout.mocap_quat, &model.key_mquat),
            ] {
                put(&mut block[start..end], all, key);
            }
            let mut ctrl = vec![T::ZERO; model.nu];
            put(&mut ctrl, &model.key_ctrl, key);
            starts.blocks.extend(block);
            starts.ctrl.extend(ctrl);
            starts.time.push(model.key_time[key]);
        }
        starts
    }

    /// Where the start is: the number of its block; an error if there is no such keyframe.
    pub fn index(&self, key: Option<usize>) -> Option<usize> {
        let index = key.map_or(Some(0), |key| key.checked_add(1))?;
        (index < self.time.len()).then_some(index)
    }

    /// A start by its number.
    pub fn get(&self, scene: &Scene<T>, index: usize) -> Start<'_, T> {
        let (length, nu) = (scene.state.length, scene.head.nu);
        Start {
            block: &self.blocks[index * length..][..length],
            ctrl: &self.ctrl[index * nu..][..nu],
            time: self.time[index],
        }
    }
}

/// Takes a keyframe's row of a column.
fn put<T: Number>(out: &mut [T], all: &[f64], key: usize) {
    let row = &all[key * out.len()..][..out.len()];
    for (out, &x) in out.iter_mut().zip(row) {
        *out = T::from_f64(x);
    }
}

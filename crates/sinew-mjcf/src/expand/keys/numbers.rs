//! The numbers of keys: taken from written keys into the slots as states, and put together from the
//! states in the end.

use super::{AssembledKey, Ledger, Pending, Sizes, States};
use crate::expand::names::Affix;
use crate::place::At;
use crate::spec::extra::Key;

impl Ledger {
    /// Stores every key as a state under the name of the copy that follows. `Err` says which
    /// vector of which key has another size than the model at this point.
    pub fn store(
        &mut self,
        keys: &[Key],
        affix: &Affix,
        states: &mut States,
    ) -> Result<Vec<Pending>, (usize, String)> {
        let mut pending = Vec::new();
        if !self.is_on || keys.is_empty() {
            return Ok(pending);
        }
        let sizes = self.sizes();
        let order = self.joint_order();
        for (index, key) in keys.iter().enumerate() {
            check_sizes(key, &sizes).map_err(|message| (index, message))?;
            let name = affix.apply(key.name.as_ref().map_or("", |at| at.value.as_str()));
            let state = states.id(&name);
            pending.push(Pending {
                state,
                written: AssembledKey {
                    name,
                    place: key.place,
                    time: key.time.as_ref().map_or(0.0, |at| at.value),
                    qpos: given(&key.qpos).map(|_| Vec::new()),
                    qvel: given(&key.qvel).map(|_| Vec::new()),
                    act: given(&key.act).map(|_| Vec::new()),
                    ctrl: given(&key.ctrl).map(|_| Vec::new()),
                    mpos: given(&key.mpos).map(|_| Vec::new()),
                    mquat: given(&key.mquat).map(|_| Vec::new()),
                },
            });
            self.save(key, state, &order);
        }
        Ok(pending)
    }

    fn save(&mut self, key: &Key, state: u32, order: &[usize]) {
        let mut qpos = given(&key.qpos).map(|numbers| numbers.iter());
        let mut qvel = given(&key.qvel).map(|numbers| numbers.iter());
        for index in order {
            let Some(slot) = self.joints.get_mut(*index) else {
                continue;
            };
            if let Some(numbers) = &mut qpos {
                let mut own = [0.0; 7];
                fill(&mut own, slot.nq(), numbers);
                slot.qpos.insert(state, own);
            }
            if let Some(numbers) = &mut qvel {
                let mut own = [0.0; 6];
                fill(&mut own, slot.nv(), numbers);
                slot.qvel.insert(state, own);
            }
        }
        let mut act = given(&key.act).map(|numbers| numbers.iter());
        let mut ctrl = given(&key.ctrl).map(|numbers| numbers.iter());
        for slot in self.actuators.iter_mut().filter(|slot| !slot.is_removed) {
            if let (Some(numbers), true) = (&mut act, slot.actdim > 0) {
                let own = numbers.by_ref().take(slot.actdim).copied().collect();
                slot.act.insert(state, own);
            }
            if let Some(number) = ctrl.as_mut().and_then(Iterator::next) {
                slot.ctrl.insert(state, *number);
            }
        }
        let mut mpos = given(&key.mpos).map(|numbers| numbers.iter());
        let mut mquat = given(&key.mquat).map(|numbers| numbers.iter());
        for slot in &mut self.mocaps {
            if let Some(numbers) = &mut mpos {
                let mut own = [0.0; 3];
                fill(&mut own, 3, numbers);
                slot.mpos.insert(state, own);
            }
            if let Some(numbers) = &mut mquat {
                let mut own = [0.0; 4];
                fill(&mut own, 4, numbers);
                slot.mquat.insert(state, own);
            }
        }
    }

    /// Lengthens keys to the size the model has now, with reference values as written.
    pub fn lengthen(&self, keys: &mut [Key]) {
        if !self.is_on || keys.is_empty() {
            return;
        }
        let sizes = self.sizes();
        let reference: Vec<f64> = self
            .joint_order()
            .into_iter()
            .filter_map(|index| self.joints.get(index))
            .flat_map(|slot| slot.reference.into_iter().take(slot.nq()))
            .collect();
        let mpos: Vec<f64> = self.mocaps.iter().flat_map(|slot| slot.pos).collect();
        let mquat: Vec<f64> = self.mocaps.iter().flat_map(|slot| slot.quat).collect();
        for key in keys {
            pad(&mut key.qpos, &reference, 1);
            pad(&mut key.qvel, &vec![0.0; sizes.nv], 1);
            pad(&mut key.act, &vec![0.0; sizes.na], 1);
            pad(&mut key.ctrl, &vec![0.0; sizes.nu], 1);
            pad(&mut key.mpos, &mpos, 3);
            pad(&mut key.mquat, &mquat, 4);
        }
    }

    /// How many numbers the finished keys will have.
    pub fn numbers(&self) -> usize {
        let sizes = self.sizes();
        let row = sizes.nq + sizes.nv + sizes.na + sizes.nu + 7 * sizes.nmocap;
        self.pending.len().saturating_mul(row)
    }

    /// The keys put together.
    pub fn assemble(mut self) -> Vec<AssembledKey> {
        self.joints.sort_by_key(|slot| slot.body);
        self.mocaps.sort_by_key(|slot| slot.body);
        let mut out = Vec::with_capacity(self.pending.len());
        for Pending { state, written } in &self.pending {
            let mut key = written.clone();
            for slot in &self.joints {
                if let Some(qpos) = &mut key.qpos {
                    let own = slot.qpos.get(state).filter(|own| !own[0].is_nan());
                    qpos.extend((0..slot.nq()).map(|i| own.and_then(|own| own.get(i).copied())));
                }
                if let Some(qvel) = &mut key.qvel {
                    let own = slot.qvel.get(state).filter(|own| !own[0].is_nan());
                    qvel.extend(
                        (0..slot.nv())
                            .map(|i| own.and_then(|own| own.get(i).copied()).unwrap_or(0.0)),
                    );
                }
            }
            for slot in self.actuators.iter().filter(|slot| !slot.is_removed) {
                if let Some(act) = &mut key.act {
                    let own = slot.act.get(state);
                    act.extend(
                        (0..slot.actdim)
                            .map(|i| own.and_then(|own| own.get(i).copied()).unwrap_or(0.0)),
                    );
                }
                if let Some(ctrl) = &mut key.ctrl {
                    ctrl.push(slot.ctrl.get(state).copied().unwrap_or(0.0));
                }
            }
            for slot in &self.mocaps {
                if let Some(mpos) = &mut key.mpos {
                    let own = slot.mpos.get(state).filter(|own| !own[0].is_nan());
                    mpos.extend((0..3).map(|i| own.and_then(|own| own.get(i).copied())));
                }
                if let Some(mquat) = &mut key.mquat {
                    let own = slot.mquat.get(state).filter(|own| !own[0].is_nan());
                    mquat.extend((0..4).map(|i| own.and_then(|own| own.get(i).copied())));
                }
            }
            out.push(key);
        }
        out
    }
}

/// The numbers of a vector that is not empty.
fn given(value: &Option<At<Vec<f64>>>) -> Option<&Vec<f64>> {
    value
        .as_ref()
        .map(|at| &at.value)
        .filter(|numbers| !numbers.is_empty())
}

fn fill<'n>(own: &mut [f64], count: usize, numbers: &mut impl Iterator<Item = &'n f64>) {
    for place in own.iter_mut().take(count) {
        *place = numbers.next().copied().unwrap_or(0.0);
    }
}

/// Extends a given vector to the length of `reference` with its tail; whole groups only.
fn pad(value: &mut Option<At<Vec<f64>>>, reference: &[f64], group: usize) {
    let Some(at) = value else { return };
    let groups = at.value.len() / group;
    if at.value.is_empty() || reference.len() / group <= groups {
        return;
    }
    at.value.truncate(groups * group);
    let tail = reference.get(groups * group..).unwrap_or_default();
    at.value.extend_from_slice(tail);
}

fn check_sizes(key: &Key, sizes: &Sizes) -> Result<(), String> {
    for (what, value, expected) in [
        ("qpos", &key.qpos, sizes.nq),
        ("qvel", &key.qvel, sizes.nv),
        ("act", &key.act, sizes.na),
        ("ctrl", &key.ctrl, sizes.nu),
        ("mpos", &key.mpos, 3 * sizes.nmocap),
        ("mquat", &key.mquat, 4 * sizes.nmocap),
    ] {
        if let Some(numbers) = given(value)
            && numbers.len() != expected
        {
            return Err(format!(
                "`{what}` of a key has {} numbers where the model read so far has {expected}",
                numbers.len()
            ));
        }
    }
    Ok(())
}

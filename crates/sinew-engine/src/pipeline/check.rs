//! Bad values met by a step: counted, and mended by a reset unless the model says otherwise.

use crate::data::Data;
use crate::engine::{Engine, Sensors};
use crate::error::{Diverged, StepError};
use crate::parts::{Laws, Parts};
use crate::{is_bad, is_disabled};
use sinew_model::Model;
use sinew_model::kinds::{DisableFlag, Stage, Warning};

/// Positions, then velocities. The first bad value, if the step can go on after it.
pub(crate) fn state<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Result<Option<Diverged>, StepError> {
    let model = engine.model;
    let position = positions(model, data);
    let met = position.or(velocities(model, data));
    forget(engine, met);
    stop_if_still_bad(model, data, met)
}

/// Accelerations. The first bad value, if the step can go on after it.
pub(crate) fn acceleration<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Result<Option<Diverged>, StepError> {
    let met = accelerations(engine, data);
    stop_if_still_bad(engine.model, data, met)
}

/// Counts a reading of a sensor that is not finite; it stays as it is.
pub(crate) fn readings(data: &mut Data) {
    let bad = data.sensor.sensordata.iter().position(|x| !x.is_finite());
    if let Some(index) = bad {
        data.warnings.count_bad_sensor(index, data.state.time);
    }
}

/// What a call returns that has met a bad value.
pub(crate) fn outcome(met: Option<Diverged>) -> Result<(), StepError> {
    met.map_or(Ok(()), |bad| Err(bad.into()))
}

/// Counts and resets bad positions.
pub(crate) fn positions(model: &Model, data: &mut Data) -> Option<Diverged> {
    let bad = data.state.qpos.iter().position(|&x| is_bad(x));
    diverged(model, data, Warning::Badqpos, bad?)
}

/// Counts and resets bad velocities.
pub(crate) fn velocities(model: &Model, data: &mut Data) -> Option<Diverged> {
    let bad = data.state.qvel.iter().position(|&x| is_bad(x));
    diverged(model, data, Warning::Badqvel, bad?)
}

/// Counts and resets bad accelerations; computes forward dynamics again after a reset.
pub(crate) fn accelerations<P: Parts>(
    engine: &mut Engine<'_, P>,
    data: &mut Data,
) -> Option<Diverged> {
    let qacc = &data.acceleration.solution.qacc;
    let bad = qacc.iter().position(|&x| is_bad(x))?;
    let met = diverged(engine.model, data, Warning::Badqacc, bad);
    forget(engine, met);
    if !is_disabled(engine.model, DisableFlag::Autoreset) {
        super::forward(engine, data, Stage::None, Sensors::Computed);
    }
    met
}

/// Laws forget with the state that was reset.
#[inline]
fn forget<P: Parts>(engine: &mut Engine<'_, P>, met: Option<Diverged>) {
    if met.is_some() && !is_disabled(engine.model, DisableFlag::Autoreset) {
        engine.parts.laws().reset();
    }
}

/// Counts a bad value and resets unless disabled. A value that stays counts twice, as in the
/// reference.
fn diverged(model: &Model, data: &mut Data, warning: Warning, index: usize) -> Option<Diverged> {
    data.warnings.count(warning, index, data.state.time);
    if !is_disabled(model, DisableFlag::Autoreset) {
        data.restart(model);
        data.warnings.count_reset();
    }
    data.warnings.count_again(warning, index);
    Some(Diverged { warning, index })
}

/// Ends a step whose bad value is there even after the reset, in a clean initial state that keeps
/// the counters.
fn stop_if_still_bad(
    model: &Model,
    data: &mut Data,
    met: Option<Diverged>,
) -> Result<Option<Diverged>, StepError> {
    let Some(bad) = met else {
        return Ok(None);
    };
    let state = &data.state;
    let qacc = &data.acceleration.solution.qacc;
    let mut numbers = state.qpos.iter().chain(&state.qvel).chain(qacc);
    if is_disabled(model, DisableFlag::Autoreset) || !numbers.any(|&x| is_bad(x)) {
        return Ok(met);
    }
    let warnings = data.warnings.clone();
    data.restart(model);
    data.warnings = warnings;
    Err(StepError::StillBad(bad))
}

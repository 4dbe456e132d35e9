//! State and input as one vector of numbers.
//!
//! Components are chosen by a mask of the bits of [`StateComponent`] and follow each other in the
//! order of their bits, each as the array of that name; `eq_active` becomes numbers 0 and 1.
//! Conforms to MuJoCo's `mj_getState` family.

use crate::data::Data;
use core::fmt;
use sinew_model::Model;
use sinew_model::kinds::StateComponent;

/// Single components in the order of their bits.
const COMPONENTS: [StateComponent; 14] = [
    StateComponent::Time,
    StateComponent::Qpos,
    StateComponent::Qvel,
    StateComponent::Act,
    StateComponent::History,
    StateComponent::Warmstart,
    StateComponent::Ctrl,
    StateComponent::QfrcApplied,
    StateComponent::XfrcApplied,
    StateComponent::EqActive,
    StateComponent::MocapPos,
    StateComponent::MocapQuat,
    StateComponent::Userdata,
    StateComponent::Plugin,
];

/// Why a state vector does not fit. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateError {
    /// The mask has bits that are no component.
    UnknownComponent(i32),
    /// The vector has another length than its components.
    Length {
        /// Numbers the components have.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// A component is asked for that the source does not have.
    Missing(i32),
    /// Simulation and model, or two simulations, do not belong together.
    Foreign,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateError::UnknownComponent(mask) => write!(f, "no state component in {mask:#x}"),
            StateError::Length { expected, found } => {
                write!(f, "the state has {expected} numbers, the vector {found}")
            }
            StateError::Foreign => write!(f, "simulation and model do not belong together"),
            StateError::Missing(mask) => write!(f, "the source lacks components {mask:#x}"),
        }
    }
}

impl core::error::Error for StateError {}

fn chosen(mask: i32) -> Result<impl Iterator<Item = StateComponent>, StateError> {
    let known: i32 = COMPONENTS.iter().map(|component| component.code()).sum();
    if mask & !known != 0 {
        return Err(StateError::UnknownComponent(mask));
    }
    Ok(COMPONENTS
        .into_iter()
        .filter(move |component| mask & component.code() != 0))
}

fn size_of(model: &Model, component: StateComponent) -> usize {
    match component {
        StateComponent::Time => 1,
        StateComponent::Qpos => model.nq,
        StateComponent::Qvel | StateComponent::Warmstart | StateComponent::QfrcApplied => model.nv,
        StateComponent::Act => model.na,
        StateComponent::History => model.nhistory,
        StateComponent::Ctrl => model.nu,
        StateComponent::XfrcApplied => 6 * model.nbody,
        StateComponent::EqActive => model.neq,
        StateComponent::MocapPos => 3 * model.nmocap,
        StateComponent::MocapQuat => 4 * model.nmocap,
        StateComponent::Userdata => model.nuserdata,
        StateComponent::Plugin => model.npluginstate,
        _ => 0,
    }
}

/// Numbers in the chosen components.
#[doc(alias = "mj_stateSize")]
pub fn state_size(model: &Model, components: i32) -> Result<usize, StateError> {
    Ok(chosen(components)?.map(|c| size_of(model, c)).sum())
}

fn check_length(model: &Model, components: i32, found: usize) -> Result<(), StateError> {
    let expected = state_size(model, components)?;
    if expected == found {
        Ok(())
    } else {
        Err(StateError::Length { expected, found })
    }
}

/// Takes some components out of a vector that has them and others.
#[doc(alias = "mj_extractState")]
pub fn extract_state(
    model: &Model,
    source: &[f64],
    source_components: i32,
    out: &mut [f64],
    components: i32,
) -> Result<(), StateError> {
    check_length(model, source_components, source.len())?;
    check_length(model, components, out.len())?;
    let missing = components & !source_components;
    if missing != 0 {
        return Err(StateError::Missing(missing));
    }
    let (mut from, mut to) = (0, 0);
    for component in chosen(source_components)? {
        let size = size_of(model, component);
        if components & component.code() != 0 {
            out[to..to + size].copy_from_slice(&source[from..from + size]);
            to += size;
        }
        from += size;
    }
    Ok(())
}

impl Data {
    /// The numbers of a component, unless they are the flags of equalities.
    fn component(&self, component: StateComponent) -> Option<&[f64]> {
        let (state, input) = (&self.state, &self.input);
        Some(match component {
            StateComponent::Time => core::slice::from_ref(&state.time),
            StateComponent::Qpos => &state.qpos,
            StateComponent::Qvel => &state.qvel,
            StateComponent::Act => &state.act,
            StateComponent::History => &state.history,
            StateComponent::Warmstart => &state.qacc_warmstart,
            StateComponent::Ctrl => &input.ctrl,
            StateComponent::QfrcApplied => &input.qfrc_applied,
            StateComponent::XfrcApplied => input.xfrc_applied.as_flattened(),
            StateComponent::MocapPos => bytemuck::cast_slice(&input.mocap_pos),
            StateComponent::MocapQuat => bytemuck::cast_slice(&input.mocap_quat),
            StateComponent::Userdata => &input.userdata,
            StateComponent::Plugin => &state.plugin_state,
            _ => return None,
        })
    }

    fn component_mut(&mut self, component: StateComponent) -> Option<&mut [f64]> {
        let (state, input) = (&mut self.state, &mut self.input);
        Some(match component {
            StateComponent::Time => core::slice::from_mut(&mut state.time),
            StateComponent::Qpos => &mut state.qpos,
            StateComponent::Qvel => &mut state.qvel,
            StateComponent::Act => &mut state.act,
            StateComponent::History => &mut state.history,
            StateComponent::Warmstart => &mut state.qacc_warmstart,
            StateComponent::Ctrl => &mut input.ctrl,
            StateComponent::QfrcApplied => &mut input.qfrc_applied,
            StateComponent::XfrcApplied => input.xfrc_applied.as_flattened_mut(),
            StateComponent::MocapPos => bytemuck::cast_slice_mut(&mut input.mocap_pos),
            StateComponent::MocapQuat => bytemuck::cast_slice_mut(&mut input.mocap_quat),
            StateComponent::Userdata => &mut input.userdata,
            StateComponent::Plugin => &mut state.plugin_state,
            _ => return None,
        })
    }

    fn check_state_model(&self, model: &Model) -> Result<(), StateError> {
        self.check_model(model).map_err(|_| StateError::Foreign)
    }

    /// Writes the chosen components into a vector of exactly their size.
    #[doc(alias = "mj_getState")]
    pub fn get_state(
        &self,
        model: &Model,
        components: i32,
        out: &mut [f64],
    ) -> Result<(), StateError> {
        self.check_state_model(model)?;
        check_length(model, components, out.len())?;
        let mut at = 0;
        for component in chosen(components)? {
            let size = size_of(model, component);
            let part = &mut out[at..at + size];
            match self.component(component) {
                Some(values) => part.copy_from_slice(values),
                None => {
                    for (value, &flag) in part.iter_mut().zip(&self.input.eq_active) {
                        *value = f64::from(flag);
                    }
                }
            }
            at += size;
        }
        Ok(())
    }

    /// Sets the chosen components from a vector of exactly their size.
    #[doc(alias = "mj_setState")]
    pub fn set_state(
        &mut self,
        model: &Model,
        components: i32,
        source: &[f64],
    ) -> Result<(), StateError> {
        self.check_state_model(model)?;
        check_length(model, components, source.len())?;
        let mut at = 0;
        for component in chosen(components)? {
            let size = size_of(model, component);
            let part = &source[at..at + size];
            match self.component_mut(component) {
                Some(values) => values.copy_from_slice(part),
                None => {
                    for (flag, &value) in self.input.eq_active.iter_mut().zip(part) {
                        *flag = value as u8;
                    }
                }
            }
            at += size;
        }
        Ok(())
    }

    /// Copies the chosen components of another simulation of the same model.
    #[doc(alias = "mj_copyState")]
    pub fn copy_state(&mut self, other: &Data, components: i32) -> Result<(), StateError> {
        self.check_same_structure(other)
            .map_err(|_| StateError::Foreign)?;
        for component in chosen(components)? {
            match (self.component_mut(component), other.component(component)) {
                (Some(target), Some(source)) => target.copy_from_slice(source),
                _ => self.input.eq_active.copy_from_slice(&other.input.eq_active),
            }
        }
        Ok(())
    }
}

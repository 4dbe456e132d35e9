//! Which arrays of a simulation a batch keeps for all its worlds, and where they are in a simulation.

use sinew_engine::Data;

/// One array of a simulation, under the reference's name. A batch keeps it as a matrix with a row per world.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The reference's name.
    pub name: &'static str,
    /// What the array is for a world.
    pub role: Role,
    pub(crate) read: fn(&Data) -> &[f64],
    pub(crate) write: fn(&mut Data) -> &mut [f64],
}

/// What an array is for a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// What a world consists of: kept for every world, read by a step and written.
    State,
    /// What users set: kept for every world, read by a step.
    Input,
    /// Follows from state and input: kept if asked for, written after a step.
    Derived(Need),
}

/// What has to be computed for a derived array besides what a step computes anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Nothing.
    Nothing,
    /// Accelerations of bodies and the forces between them (`mj_rnePostConstraint`).
    BodyForce,
    /// Momentum of subtrees (`mj_subtreeVel`).
    Momentum,
}

impl Field {
    /// The array of that name, if a batch can keep it.
    pub fn named(name: &str) -> Option<&'static Field> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// Whether every batch keeps it.
    pub fn is_kept_always(&self) -> bool {
        !matches!(self.role, Role::Derived(_))
    }
}

macro_rules! fields {
    ($($role:expr => { $($name:ident: $($part:ident).+ $(as $cells:ident)?,)+ })+) => {
        /// All arrays that a batch can keep, those that every batch keeps first.
        pub const FIELDS: &[Field] = &[$($(
            Field {
                name: stringify!($name),
                role: $role,
                read: |data| fields!(@read data, $($part).+ $(, $cells)?),
                write: |data| fields!(@write data, $($part).+ $(, $cells)?),
            },
        )+)+];
    };
    (@read $data:ident, $($part:ident).+) => { &$data.$($part).+ };
    (@write $data:ident, $($part:ident).+) => { &mut $data.$($part).+ };
    (@read $data:ident, $($part:ident).+, number) => { core::slice::from_ref(&$data.$($part).+) };
    (@write $data:ident, $($part:ident).+, number) => { core::slice::from_mut(&mut $data.$($part).+) };
    (@read $data:ident, $($part:ident).+, rows) => { bytemuck::cast_slice(&$data.$($part).+) };
    (@write $data:ident, $($part:ident).+, rows) => { bytemuck::cast_slice_mut(&mut $data.$($part).+) };
}

fields! {
    Role::State => {
        time: state.time as number,
        qpos: state.qpos,
        qvel: state.qvel,
        act: state.act,
        history: state.history,
        qacc_warmstart: state.qacc_warmstart,
        plugin_state: state.plugin_state,
        sensordata: sensor.sensordata,
    }
    Role::Input => {
        ctrl: input.ctrl,
        qfrc_applied: input.qfrc_applied,
        xfrc_applied: input.xfrc_applied as rows,
        mocap_pos: input.mocap_pos as rows,
        mocap_quat: input.mocap_quat as rows,
        userdata: input.userdata,
    }
    Role::Derived(Need::Nothing) => {
        energy: energy.values,
        xpos: position.kinematics.xpos as rows,
        xquat: position.kinematics.xquat as rows,
        xmat: position.kinematics.xmat as rows,
        xipos: position.kinematics.xipos as rows,
        ximat: position.kinematics.ximat as rows,
        xanchor: position.kinematics.xanchor as rows,
        xaxis: position.kinematics.xaxis as rows,
        geom_xpos: position.kinematics.geom_xpos as rows,
        geom_xmat: position.kinematics.geom_xmat as rows,
        site_xpos: position.kinematics.site_xpos as rows,
        site_xmat: position.kinematics.site_xmat as rows,
        subtree_com: position.com.subtree_com as rows,
        cdof: position.com.cdof as rows,
        cinert: position.com.cinert as rows,
        ten_length: position.tendon.ten_length,
        actuator_length: position.transmission.actuator_length,
        cvel: velocity.com.cvel as rows,
        cdof_dot: velocity.com.cdof_dot as rows,
        actuator_velocity: velocity.length.actuator_velocity,
        ten_velocity: velocity.length.ten_velocity,
        qfrc_bias: velocity.bias.qfrc_bias,
        qfrc_passive: velocity.passive.qfrc_passive,
        actuator_force: acceleration.actuation.actuator_force,
        qfrc_actuator: acceleration.actuation.qfrc_actuator,
        act_dot: acceleration.actuation.act_dot,
        qfrc_smooth: acceleration.smooth.qfrc_smooth,
        qacc_smooth: acceleration.smooth.qacc_smooth,
        qfrc_constraint: acceleration.solution.qfrc_constraint,
        qacc: acceleration.solution.qacc,
    }
    Role::Derived(Need::BodyForce) => {
        cacc: acceleration.body_force.cacc as rows,
        cfrc_int: acceleration.body_force.cfrc_int as rows,
        cfrc_ext: acceleration.body_force.cfrc_ext as rows,
    }
    Role::Derived(Need::Momentum) => {
        subtree_linvel: velocity.momentum.subtree_linvel as rows,
        subtree_angmom: velocity.momentum.subtree_angmom as rows,
    }
}

//! State and input: what a simulation starts from, everything else is derived.

use sinew_math::{Quat, Vec3};
use sinew_model::Model;

sinew_model::columns! {
    /// What integration advances.
    pub struct State<T>(StateRef, StateMut) for Model {
        sizes {
            /// Position coordinates.
            nq,
            /// Degrees of freedom.
            nv,
            /// Activations.
            na,
            /// Numbers in the history buffers.
            nhistory,
            /// Numbers of plugin state.
            npluginstate,
        }
        columns {
            /// Positions.
            qpos: nq x T,
            /// Velocities.
            qvel: nv x T,
            /// Actuator activations.
            act: na x T,
            /// Delayed controls and sensor readings.
            history: nhistory x T,
            /// Acceleration of the previous step, where the constraint solver starts.
            qacc_warmstart: nv x T,
            /// Plugin state.
            plugin_state: npluginstate x T,
        }
        other {
            /// Simulated time in seconds.
            time: f64,
        }
    }
}

sinew_model::columns! {
    /// What the user sets.
    pub struct Input<T>(InputRef, InputMut) for Model {
        sizes {
            /// Controls.
            nu,
            /// Degrees of freedom.
            nv,
            /// Bodies.
            nbody,
            /// Equality constraints.
            neq,
            /// Mocap bodies.
            nmocap,
            /// User numbers.
            nuserdata,
        }
        columns {
            /// Controls.
            ctrl: nu x T,
            /// Applied generalised force.
            qfrc_applied: nv x T,
            /// Applied force and torque at each body's centre of mass, world frame.
            xfrc_applied: nbody x [T; 6],
            /// Which equality constraints are active.
            eq_active: neq x u8,
            /// Positions of mocap bodies.
            mocap_pos: nmocap x Vec3<T>,
            /// Orientations of mocap bodies.
            mocap_quat: nmocap x Quat<T>,
            /// User data.
            userdata: nuserdata x T,
        }
    }
}

impl State {
    /// Back to `qpos0`, at rest, at time 0.
    pub(crate) fn reset(&mut self, model: &Model) {
        self.time = 0.0;
        self.qpos.copy_from_slice(&model.qpos0);
        self.qvel.fill(0.0);
        self.act.fill(0.0);
        self.qacc_warmstart.fill(0.0);
        self.plugin_state.fill(0.0);
        self.reset_history(model);
    }

    /// Empty delay buffers. A buffer is: user slot, cursor of the newest sample, n times, n samples.
    /// Times lie before 0, one step (or one sensor period) apart.
    fn reset_history(&mut self, model: &Model) {
        self.history.fill(0.0);
        let dt = model.opt.timestep;
        for i in 0..model.nu {
            let samples = model.actuator_history[i][0];
            if samples > 0 {
                let start = model.actuator_historyadr[i] as usize;
                let buffer = &mut self.history[start..];
                buffer[1] = f64::from(samples - 1);
                for j in 0..samples {
                    buffer[2 + j as usize] = -f64::from(samples - j) * dt;
                }
            }
        }
        for i in 0..model.nsensor {
            let samples = model.sensor_history[i][0];
            if samples <= 0 {
                continue;
            }
            let [period, phase] = model.sensor_interval[i];
            let newest = if phase == 0.0 { -period } else { phase };
            let start = model.sensor_historyadr[i] as usize;
            let buffer = &mut self.history[start..];
            buffer[0] = if period > 0.0 { newest } else { -dt };
            buffer[1] = f64::from(samples - 1);
            for j in 0..samples {
                buffer[2 + j as usize] = if period > 0.0 {
                    let time = newest - f64::from(samples - 1 - j) * period;
                    libm::ceil(time / dt) * dt
                } else {
                    -f64::from(samples - j) * dt
                };
            }
        }
    }
}

impl Input {
    /// Back to the initial input.
    pub(crate) fn reset(&mut self, model: &Model) {
        self.ctrl.fill(0.0);
        self.qfrc_applied.fill(0.0);
        self.xfrc_applied.fill([0.0; 6]);
        self.userdata.fill(0.0);
        self.eq_active.copy_from_slice(&model.eq_active0);
        for (mocap, pos, quat) in mocap_poses(model) {
            self.mocap_pos[mocap] = pos;
            self.mocap_quat[mocap] = quat;
        }
    }
}

/// Mocap bodies with the poses that they begin with.
pub(crate) fn mocap_poses(model: &Model) -> impl Iterator<Item = (usize, Vec3, Quat)> + '_ {
    (0..model.nbody).filter_map(|body| {
        let mocap = usize::try_from(model.body_mocapid[body]).ok()?;
        Some((mocap, model.body_pos[body], model.body_quat[body]))
    })
}

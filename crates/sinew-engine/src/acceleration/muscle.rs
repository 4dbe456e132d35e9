//! Muscle curves: those of [`sinew_dynamics::muscle`].

pub use sinew_dynamics::muscle::{
    activation_rate, bias, gain, gain_velocity_derivative, length_curve, sigmoid,
};

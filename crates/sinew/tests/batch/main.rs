//! Many worlds at once.

mod calls;
mod lanes;
mod simulate;
mod values;
mod worlds;

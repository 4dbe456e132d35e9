//! Many worlds at once.

mod calls;
mod lanes;
mod simulate;
mod single;
mod values;
mod worlds;

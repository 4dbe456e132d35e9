//! Many worlds at once.

mod lanes;
mod simulate;
mod worlds;

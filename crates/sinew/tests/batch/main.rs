//! Many worlds at once.

mod simulate;
mod worlds;

//! What the tree compiles to: bodies, frames, orientations.

mod bodies;
mod frames;
mod orientations;
mod support;

//! What the elements outside the tree compile to, in a small scene of which each test uses a part.

mod actuators;
mod assets;
mod constraints;
mod sensors;
mod settings;
mod tendons;
mod workbench;

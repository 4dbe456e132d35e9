//! Geometry that has never heard of a body: shapes, where they touch, hulls and bounding volumes.

pub mod pair;

//! Random problems with every kind of row.

#![allow(non_snake_case)]

mod agreement;
mod case;
mod group;
mod island;
mod lanes;

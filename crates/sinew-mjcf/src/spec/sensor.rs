//! Table of the sensors. One table serves all types; the schema says which attributes a type accepts.

use super::tree::Config;
use super::value::*;
use sinew_model::kinds;

crate::element! {
    /// every `sensor` element
    pub struct SensorTable {
        name: String = "name",
        site: String = "site",
        camera: String = "camera",
        joint: String = "joint",
        tendon: String = "tendon",
        actuator: String = "actuator",
        body: String = "body",
        geom: String = "geom",
        mesh: String = "mesh",
        geom1: String = "geom1",
        geom2: String = "geom2",
        body1: String = "body1",
        body2: String = "body2",
        subtree1: String = "subtree1",
        subtree2: String = "subtree2",
        objtype: String = "objtype",
        objname: String = "objname",
        reftype: String = "reftype",
        refname: String = "refname",
        data: Words = "data",
        num: i32 = "num",
        reduce: ContactReduce = "reduce",
        datatype: kinds::DataType = "datatype",
        needstage: kinds::Stage = "needstage",
        dim: i32 = "dim",
        plugin: String = "plugin",
        instance: String = "instance",
        nsample: i32 = "nsample",
        interp: Interpolation = "interp",
        delay: f64 = "delay",
        interval: Prefix<2> = "interval",
        cutoff: f64 = "cutoff",
        noise: f64 = "noise",
        user: Vec<f64> = "user",
    }
}

/// A sensor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensor {
    /// The element's name, such as `framepos`.
    pub element: &'static str,
    /// The attributes.
    pub table: SensorTable,
    /// Settings of a plugin sensor.
    pub config: Vec<Config>,
}

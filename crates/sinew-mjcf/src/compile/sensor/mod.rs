//! Sensors: types, objects, sizes and addresses in the sensor data.
//!
//! [`table`] lists the types; `target` finds the objects a sensor is attached to. Sensors have no
//! default class. Their readings lie one after the other in document order; history buffers follow
//! those of the actuators.

pub mod table;
mod target;

use super::Context;
use super::actuator::MOST_SAMPLES;
use super::plugin::touch_grid_size;
use super::userdata::{MOST_STATE_NUMBERS, UserData};
use crate::place::{At, Place};
use crate::spec::sensor::{Sensor, SensorTable};
use crate::spec::value::{ContactReduce, Words};
use sinew_model::ModelArrays;
use sinew_model::kinds::{DataType, ObjectType, SensorType};
use table::{CONTACT_DATA, RAY_DATA, Row};
use target::Attached;

/// Appends the sensor columns.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let user = UserData::new(
        ctx,
        "nuser_sensor",
        spec.size.nuser_sensor.as_ref(),
        spec.sensors
            .iter()
            .map(|s| s.table.user.as_ref().map_or(0, |u| u.value.len())),
    );
    model.nsensor = spec.sensors.len();
    model.nuser_sensor = user.width();
    for (id, sensor) in spec.sensors.iter().enumerate() {
        if !ctx.has_time(sensor.table.place) {
            return;
        }
        let element = describe(sensor);
        let place = sensor.table.place;
        let Some(row) = table::find(sensor.element) else {
            let message = format!("unknown sensor `{}`", sensor.element);
            error(ctx, place, &element, "", &message);
            continue;
        };
        check_numbers(ctx, &sensor.table, &element);
        let attached = target::find(ctx, model, row, sensor, &element);
        let parameters = parameters(ctx, row, &sensor.table, &element);
        let (Some(attached), Some(parameters)) = (attached, parameters) else {
            continue;
        };
        let datatype = match &sensor.table.datatype {
            Some(datatype) if row.kind == SensorType::User => datatype.value,
            _ => row.datatype,
        };
        check_cutoff(ctx, row, &sensor.table, datatype, &element);
        let units = i64::from(parameters.units).checked_mul(units(model, row, &attached));
        let dim = match row.kind {
            SensorType::Plugin => plugin_dimension(ctx, model, id, place, &element),
            _ => dimension(ctx, row, sensor, datatype, units, &element),
        };
        user.push(
            ctx,
            &mut model.sensor_user,
            sensor.table.user.as_ref(),
            &element,
        );
        push(
            model,
            row,
            &sensor.table,
            &attached,
            datatype,
            parameters.intprm,
            dim,
        );
        if model.nsensordata > MOST_STATE_NUMBERS || model.nhistory > MOST_STATE_NUMBERS {
            ctx.report
                .error(
                    "mjcf::too-large",
                    place,
                    "the sensors have too many numbers",
                )
                .element(&element);
            model.nsensordata = 0;
            model.nhistory = 0;
        }
    }
}

fn describe(sensor: &Sensor) -> String {
    match &sensor.table.name {
        Some(name) => format!("{} \"{}\"", sensor.element, name.value),
        None => sensor.element.to_string(),
    }
}

fn error(ctx: &mut Context, place: Place, element: &str, attribute: &str, message: &str) {
    let entry = ctx
        .report
        .error("mjcf::invalid-sensor", place, message)
        .element(element);
    if !attribute.is_empty() {
        entry.attribute(attribute);
    }
}

/// Checks that concern no object.
fn check_numbers(ctx: &mut Context, table: &SensorTable, element: &str) {
    for (attribute, value) in [("noise", &table.noise), ("cutoff", &table.cutoff)] {
        if let Some(value) = value.as_ref().filter(|value| value.value < 0.0) {
            let message = format!("{attribute} cannot be negative");
            error(ctx, value.place, element, attribute, &message);
        }
    }
    if let Some(At { value, place }) = &table.interval {
        let [period, phase] = value.over([0.0; 2]);
        let message = if period < 0.0 {
            "the period of an interval cannot be negative"
        } else if phase > 0.0 {
            "the phase of an interval cannot be positive"
        } else if period > 0.0 && phase <= -period {
            "the phase of an interval must be greater than minus its period"
        } else {
            ""
        };
        if !message.is_empty() {
            error(ctx, *place, element, "interval", message);
        }
    }
    let samples = table.nsample.as_ref().map_or(0, |nsample| nsample.value);
    if let Some(delay) = table.delay.as_ref().filter(|delay| delay.value > 0.0)
        && samples <= 0
    {
        let message = "a delay needs a history buffer: give nsample";
        error(ctx, delay.place, element, "delay", message);
    }
    if samples > MOST_SAMPLES {
        let message = format!("nsample is at most {MOST_SAMPLES}");
        error(ctx, table.place, element, "nsample", &message);
    }
}

fn check_cutoff(
    ctx: &mut Context,
    row: &Row,
    table: &SensorTable,
    datatype: DataType,
    element: &str,
) {
    let Some(cutoff) = table.cutoff.as_ref().filter(|cutoff| cutoff.value > 0.0) else {
        return;
    };
    let is_direction = datatype == DataType::Axis && row.kind != SensorType::Geomnormal;
    if is_direction || datatype == DataType::Quaternion {
        let message = "cutoff makes no sense for an axis or a quaternion";
        error(ctx, cutoff.place, element, "cutoff", message);
    }
}

/// Integer parameters, and the numbers per unit that follow from them.
struct Parameters {
    intprm: [i32; 3],
    units: i32,
}

fn parameters(
    ctx: &mut Context,
    row: &Row,
    table: &SensorTable,
    element: &str,
) -> Option<Parameters> {
    match row.kind {
        SensorType::Rangefinder => {
            let (bits, units) = data_words(ctx, &table.data, &RAY_DATA, element)?;
            Some(Parameters {
                intprm: [bits, 0, 0],
                units,
            })
        }
        SensorType::Contact => {
            let (bits, size) = data_words(ctx, &table.data, &CONTACT_DATA, element)?;
            let reduce = table
                .reduce
                .as_ref()
                .map_or(ContactReduce::None, |reduce| reduce.value);
            let num = table.num.as_ref().map_or(1, |num| num.value);
            if num <= 0 {
                error(ctx, table.place, element, "num", "num must be positive");
                return None;
            }
            let Some(units) = num.checked_mul(size) else {
                error(ctx, table.place, element, "num", "num is too large");
                return None;
            };
            Some(Parameters {
                intprm: [bits, reduce as i32, num],
                units,
            })
        }
        _ => Some(Parameters {
            intprm: [0; 3],
            units: row.dim,
        }),
    }
}

/// Reads `data`: a set of words in the order of their table. Gives the set as bits, and how many
/// numbers the words stand for; without the attribute the first word.
fn data_words(
    ctx: &mut Context,
    data: &Option<At<Words>>,
    words: &[(&str, i32)],
    element: &str,
) -> Option<(i32, i32)> {
    let order = || words.iter().map(|w| w.0).collect::<Vec<_>>().join(", ");
    let Some(At { value, place }) = data.as_ref().filter(|data| !data.value.0.is_empty()) else {
        return words.first().map(|(_, size)| (1, *size));
    };
    let (mut bits, mut numbers, mut next) = (0, 0, 0);
    for word in &value.0 {
        let Some(position) = words.iter().position(|(known, _)| known == word) else {
            ctx.report
                .error("mjcf::keyword", *place, format!("invalid keyword `{word}`"))
                .element(element)
                .attribute("data")
                .hint(format!("one of: {}", order()));
            return None;
        };
        if position < next {
            ctx.report
                .error(
                    "mjcf::keyword",
                    *place,
                    "the words of `data` have a fixed order",
                )
                .element(element)
                .attribute("data")
                .hint(format!("the order is: {}", order()));
            return None;
        }
        bits |= 1 << position;
        numbers += words.get(position).map_or(0, |(_, size)| *size);
        next = position + 1;
    }
    Some((bits, numbers))
}

/// How often the numbers of one unit are repeated: rays of a camera, vertices of a mesh.
fn units(model: &ModelArrays, row: &Row, attached: &Attached) -> i64 {
    let id = usize::try_from(attached.objid).unwrap_or(usize::MAX);
    match row.kind {
        SensorType::Rangefinder if attached.objtype == ObjectType::Camera => model
            .cam_resolution
            .get(id)
            .map_or(1, |[width, height]| i64::from(*width) * i64::from(*height)),
        SensorType::Tactile => model
            .mesh_vertnum
            .get(id)
            .map_or(0, |count| i64::from(*count)),
        _ => 1,
    }
}

fn dimension(
    ctx: &mut Context,
    row: &Row,
    sensor: &Sensor,
    datatype: DataType,
    numbers: Option<i64>,
    element: &str,
) -> i32 {
    let table = &sensor.table;
    if row.kind == SensorType::User {
        let Some(dim) = &table.dim else {
            ctx.missing(table.place, element, "dim");
            return 0;
        };
        let message = match (datatype, dim.value) {
            (_, dim) if dim < 0 => "dim cannot be negative",
            (DataType::Axis, dim) if dim != 3 => "an axis has dim 3",
            (DataType::Quaternion, dim) if dim != 4 => "a quaternion has dim 4",
            _ => "",
        };
        if !message.is_empty() {
            error(ctx, dim.place, element, "dim", message);
            return 0;
        }
        return dim.value;
    }
    let dim = numbers.and_then(|numbers| i32::try_from(numbers).ok());
    match dim.filter(|dim| *dim >= 0) {
        Some(dim) => dim,
        None => {
            ctx.report
                .error(
                    "mjcf::too-large",
                    table.place,
                    "the sensor has too many numbers",
                )
                .element(element);
            0
        }
    }
}

fn push(
    model: &mut ModelArrays,
    row: &Row,
    table: &SensorTable,
    attached: &Attached,
    datatype: DataType,
    intprm: [i32; 3],
    dim: i32,
) {
    let stage = match &table.needstage {
        Some(stage) if row.kind == SensorType::User => stage.value,
        _ => row.stage,
    };
    model.sensor_type.push(row.kind.code());
    model.sensor_datatype.push(datatype.code());
    model.sensor_needstage.push(stage.code());
    model.sensor_objtype.push(attached.objtype.code());
    model.sensor_objid.push(attached.objid);
    model.sensor_reftype.push(attached.reftype.code());
    model.sensor_refid.push(attached.refid);
    model.sensor_intprm.push(intprm);
    model.sensor_dim.push(dim);
    model.sensor_adr.push(model.nsensordata as i32);
    let dim = usize::try_from(dim).unwrap_or(0);
    model.nsensordata = model.nsensordata.saturating_add(dim);
    let number = |written: &Option<At<f64>>| written.as_ref().map_or(0.0, |at| at.value);
    model.sensor_cutoff.push(number(&table.cutoff));
    model.sensor_noise.push(number(&table.noise));

    let samples = table.nsample.as_ref().map_or(0, |nsample| nsample.value);
    let interpolation = table
        .interp
        .as_ref()
        .map_or(0, |interp| interp.value as i32);
    model.sensor_history.push([samples, interpolation]);
    match usize::try_from(samples) {
        Ok(samples) if samples > 0 => {
            model.sensor_historyadr.push(model.nhistory as i32);
            // user value, cursor, times, values
            let values = samples.saturating_mul(dim);
            model.nhistory = model
                .nhistory
                .saturating_add(2 + samples)
                .saturating_add(values);
        }
        _ => model.sensor_historyadr.push(-1),
    }
    model.sensor_delay.push(number(&table.delay));
    let interval = table.interval.as_ref();
    model
        .sensor_interval
        .push(interval.map_or([0.0; 2], |interval| interval.value.over([0.0; 2])));
    if row.kind != SensorType::Plugin {
        model.sensor_plugin.push(-1);
    }
}

/// Numbers of a plugin's sensor; also stores the instance.
fn plugin_dimension(
    ctx: &mut Context,
    model: &mut ModelArrays,
    id: usize,
    place: Place,
    element: &str,
) -> i32 {
    let found = ctx.plugins.of_sensor(id);
    let (instance, dim) = match found {
        Some((instance, settings)) => (instance as i32, touch_grid_size(settings)),
        None => (-1, None),
    };
    model.sensor_plugin.push(instance);
    dim.unwrap_or_else(|| {
        let message = "the setting `size` needs two positive numbers";
        error(ctx, place, element, "", message);
        0
    })
}

//! Keyframes: columns `key_*`.
//!
//! A vector that is not written is the model's reference: `qpos0`, zeros, the poses of the mocap
//! bodies. One that is too short is padded. The padding of positions is taken from the text and not
//! from the compiled model, as in the reference: angles stay in the unit of the file, poses of
//! bodies ignore frames and orientations other than `quat`, and the type of a joint is that of its
//! class (`as_written`).
//!
//! Keys assembled by expansion come last and know which numbers they leave to the model.

use super::Context;
use super::userdata::MOST_NUMBERS;
use crate::place::Place;
use crate::spec::extra::{AssembledKey, Key};
use sinew_math::Quat;
use sinew_math::quotient::normalized4;
use sinew_model::ModelArrays;
use sinew_model::joint::Layout;
use sinew_model::kinds::ObjectType;

/// Appends the keyframe columns. All sizes of the state must be known.
pub fn compile(ctx: &mut Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let asked = spec.size.nkey.as_ref();
    let least = asked.map_or(0, |nkey| usize::try_from(nkey.value).unwrap_or(0));
    let count = spec.keys.len().max(least);
    let total = count + spec.assembled_keys.len();
    let row = model.nq + model.nv + model.na + model.nu + 7 * model.nmocap + 1;
    if total.saturating_mul(row) > MOST_NUMBERS {
        let place = asked.map_or(Place::default(), |nkey| nkey.place);
        ctx.report
            .error(
                "mjcf::too-large",
                place,
                format!("{total} keyframes are too many"),
            )
            .element("size")
            .attribute("nkey");
        return;
    }
    // Columns that grow by doubling, and a name each.
    let bytes = (total as u64).saturating_mul(16 * row as u64 + 256);
    if let Err(shortage) = ctx.source.memory().take(bytes) {
        let place = asked.map_or(Place::default(), |nkey| nkey.place);
        shortage
            .report("the keyframes", place, ctx.report)
            .element("size");
        return;
    }
    model.nkey = total;

    let is_short = |key: &Key| {
        let shorter = |vector: &Option<crate::place::At<Vec<f64>>>, length: usize| {
            vector.as_ref().is_some_and(|v| v.value.len() < length)
        };
        shorter(&key.qpos, model.nq)
            || shorter(&key.mpos, 3 * model.nmocap)
            || shorter(&key.mquat, 4 * model.nmocap)
    };
    let padding = if spec.keys.iter().any(is_short) {
        as_written(ctx, model)
    } else {
        Reference::default()
    };
    let compiled = as_compiled(model);

    for key in &spec.keys {
        if !ctx.has_time(key.place) {
            return;
        }
        written(ctx, model, key, &padding, &compiled);
    }
    for _ in spec.keys.len()..count {
        let empty = Key::default();
        if !ctx.has_time(empty.place) {
            return;
        }
        ctx.names.add(ObjectType::Key, "", empty.place, ctx.report);
        written(ctx, model, &empty, &padding, &compiled);
    }
    for key in &spec.assembled_keys {
        if !ctx.has_time(key.place) {
            return;
        }
        ctx.names
            .add(ObjectType::Key, &key.name, key.place, ctx.report);
        assembled(ctx, model, key, &compiled);
    }
}

/// What fills a key where it says nothing.
#[derive(Clone, Debug, Default)]
struct Reference {
    qpos: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

/// The reference of the compiled model.
fn as_compiled(model: &ModelArrays) -> Reference {
    let mut reference = Reference {
        qpos: model.qpos0.clone(),
        mpos: vec![0.0; 3 * model.nmocap],
        mquat: vec![0.0; 4 * model.nmocap],
    };
    for (body, mocap) in model.body_mocapid.iter().enumerate() {
        let Ok(mocap) = usize::try_from(*mocap) else {
            continue;
        };
        if let Some(pos) = model.body_pos.get(body) {
            put(&mut reference.mpos, 3 * mocap, &pos.0);
        }
        if let Some(quat) = model.body_quat.get(body) {
            put(&mut reference.mquat, 4 * mocap, &quat.0);
        }
    }
    reference
}

/// The reference that the text gives, before anything is compiled.
fn as_written(ctx: &Context, model: &ModelArrays) -> Reference {
    let tree = &ctx.tree;
    let mut reference = Reference {
        qpos: vec![0.0; model.nq],
        mpos: vec![0.0; 3 * model.nmocap],
        mquat: vec![0.0; 4 * model.nmocap],
    };
    let mut address = 0;
    for joint in &tree.joints {
        let body = tree.bodies.get(joint.body).map(|body| &body.table);
        let pos = body
            .and_then(|b| b.pos.as_ref())
            .map_or([0.0; 3], |p| p.value);
        let quat = body.and_then(|b| b.quat.as_ref());
        let quat = quat.map_or([1.0, 0.0, 0.0, 0.0], |q| q.value);
        let angle = joint.table.reference.as_ref().map_or(0.0, |r| r.value);
        let layout = Layout::of(joint.class_kind.code());
        let ([x, y, z], [w, i, j, k]) = (pos, quat);
        let numbers = layout.at_reference([x, y, z, w, i, j, k], angle);
        let count = layout.positions();
        put(
            &mut reference.qpos,
            address,
            numbers.get(..count).unwrap_or(&numbers),
        );
        address += joint.layout().positions();
    }
    let mocap_bodies = tree.bodies.iter().filter(|body| body.is_mocap());
    for (mocap, body) in mocap_bodies.enumerate() {
        if let Some(pos) = &body.table.pos {
            put(&mut reference.mpos, 3 * mocap, &pos.value);
        }
        let quat = body.table.quat.as_ref();
        let quat = quat.map_or([1.0, 0.0, 0.0, 0.0], |q| q.value);
        put(&mut reference.mquat, 4 * mocap, &quat);
    }
    reference
}

/// Copies numbers to an address; what does not fit is dropped.
fn put(target: &mut [f64], address: usize, numbers: &[f64]) {
    for (to, from) in target.iter_mut().skip(address).zip(numbers) {
        *to = *from;
    }
}

/// Appends a key as it was written.
fn written(
    ctx: &mut Context,
    model: &mut ModelArrays,
    key: &Key,
    padding: &Reference,
    compiled: &Reference,
) {
    let name = key.name.as_ref().map_or("", |name| &name.value);
    let element = format!("key \"{name}\"");
    let mut vector = |written: &Option<crate::place::At<Vec<f64>>>,
                      attribute: &str,
                      length: usize,
                      group: usize,
                      padding: &[f64],
                      compiled: &[f64]| {
        let Some(written) = written.as_ref().filter(|w| !w.value.is_empty()) else {
            let mut numbers = compiled.to_vec();
            numbers.resize(length, 0.0);
            return numbers;
        };
        let mut numbers = written.value.clone();
        if numbers.len() > length {
            ctx.report
                .error(
                    "mjcf::key-size",
                    written.place,
                    format!(
                        "{attribute} has {} numbers, the model has {length}",
                        numbers.len()
                    ),
                )
                .element(&element)
                .attribute(attribute);
        }
        // Poses are padded as wholes.
        numbers.truncate(numbers.len() / group * group);
        let given = numbers.len();
        numbers.extend(padding.iter().skip(given));
        numbers.resize(length, 0.0);
        numbers
    };
    let sizes = (model.nq, model.nv, model.na, model.nu, model.nmocap);
    let (nq, nv, na, nu, nmocap) = sizes;
    let mut qpos = vector(&key.qpos, "qpos", nq, 1, &padding.qpos, &compiled.qpos);
    let mut qvel = vector(&key.qvel, "qvel", nv, 1, &[], &[]);
    let mut act = vector(&key.act, "act", na, 1, &[], &[]);
    let mut ctrl = vector(&key.ctrl, "ctrl", nu, 1, &[], &[]);
    let (mocap_pos, mocap_quat) = (3 * nmocap, 4 * nmocap);
    let mut mpos = vector(
        &key.mpos,
        "mpos",
        mocap_pos,
        3,
        &padding.mpos,
        &compiled.mpos,
    );
    let mut mquat = vector(
        &key.mquat,
        "mquat",
        mocap_quat,
        4,
        &padding.mquat,
        &compiled.mquat,
    );
    normalize(model, &mut qpos, &mut mquat);
    let time = key.time.as_ref().map_or(0.0, |time| time.value);
    model.key_time.push(time);
    model.key_qpos.append(&mut qpos);
    model.key_qvel.append(&mut qvel);
    model.key_act.append(&mut act);
    model.key_ctrl.append(&mut ctrl);
    model.key_mpos.append(&mut mpos);
    model.key_mquat.append(&mut mquat);
}

/// Appends a key that expansion put together.
fn assembled(ctx: &mut Context, model: &mut ModelArrays, key: &AssembledKey, compiled: &Reference) {
    let element = format!("key \"{}\"", key.name);
    let mut fit = |mut numbers: Vec<f64>, length: usize, attribute: &str| {
        if numbers.len() != length {
            ctx.report
                .error(
                    "mjcf::key-size",
                    key.place,
                    format!(
                        "{attribute} has {} numbers, the model has {length}",
                        numbers.len()
                    ),
                )
                .element(&element)
                .attribute(attribute);
            numbers.resize(length, 0.0);
        }
        numbers
    };
    let complete = |numbers: &Option<Vec<Option<f64>>>, reference: &[f64]| match numbers {
        None => reference.to_vec(),
        Some(numbers) => numbers
            .iter()
            .enumerate()
            .map(|(i, number)| number.unwrap_or(reference.get(i).copied().unwrap_or(0.0)))
            .collect(),
    };
    let plain = |numbers: &Option<Vec<f64>>, length: usize| match numbers {
        None => vec![0.0; length],
        Some(numbers) => numbers.clone(),
    };
    let mut qpos = fit(complete(&key.qpos, &compiled.qpos), model.nq, "qpos");
    let mut qvel = fit(plain(&key.qvel, model.nv), model.nv, "qvel");
    let mut act = fit(plain(&key.act, model.na), model.na, "act");
    let mut ctrl = fit(plain(&key.ctrl, model.nu), model.nu, "ctrl");
    let mut mpos = fit(
        complete(&key.mpos, &compiled.mpos),
        3 * model.nmocap,
        "mpos",
    );
    let mut mquat = fit(
        complete(&key.mquat, &compiled.mquat),
        4 * model.nmocap,
        "mquat",
    );
    normalize(model, &mut qpos, &mut mquat);
    model.key_time.push(key.time);
    model.key_qpos.append(&mut qpos);
    model.key_qvel.append(&mut qvel);
    model.key_act.append(&mut act);
    model.key_ctrl.append(&mut ctrl);
    model.key_mpos.append(&mut mpos);
    model.key_mquat.append(&mut mquat);
}

/// Normalises the quaternions of a key. Those of joints go through both of the reference's
/// normalisations, so that a quaternion without length becomes the identity.
fn normalize(model: &ModelArrays, qpos: &mut [f64], mquat: &mut [f64]) {
    for (kind, address) in model.jnt_type.iter().zip(&model.jnt_qposadr) {
        let Some(offset) = Layout::of(*kind).quaternion() else {
            continue;
        };
        let address = usize::try_from(*address).unwrap_or(usize::MAX);
        let quat = qpos.get_mut(address.saturating_add(offset)..);
        if let Some(quat) = quat.and_then(|rest| rest.first_chunk_mut::<4>()) {
            *quat = normalized4(Quat(*quat)).normalized().0;
        }
    }
    for quat in mquat.chunks_exact_mut(4) {
        if let Some(quat) = quat.first_chunk_mut::<4>() {
            *quat = normalized4(Quat(*quat)).0;
        }
    }
}

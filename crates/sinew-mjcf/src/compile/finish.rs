//! What comes last: paths, sizes, and the constants that need the whole model.

use super::Context;
use super::tree::columns::sleep_policies;
use crate::place::{At, Place};
use crate::source::base_name;
use sinew_engine::constants;
use sinew_math::Vec3;
use sinew_model::kinds::{EqualityType, ObjectType};
use sinew_model::{Model, ModelArrays};

/// Completes the model. What cannot be derived is reported.
pub fn compile(ctx: &mut Context, model: &mut Model) {
    let model_name = ctx
        .spec
        .documents
        .first()
        .map_or("", |document| document.name.as_str())
        .to_string();
    let arrays = model.unchecked();
    super::names::write(&ctx.names, &model_name, arrays, ctx.report);
    if !ctx.has_time(Place::default()) {
        return;
    }
    write_paths(ctx, arrays);
    arrays.nemax = arrays
        .eq_type
        .iter()
        .map(|&code| match EqualityType::from_code(code) {
            Some(EqualityType::Connect) => 3,
            Some(EqualityType::Weld) => 7,
            _ => 1,
        })
        .sum();

    super::budget::check_matrices(ctx, model);
    if ctx.report.has_errors() {
        return;
    }
    let source = ctx.source;
    let mut may_go_on = || !source.is_overdue();
    if !model.unchecked().allocate_while(&mut may_go_on) {
        ctx.has_time(Place::default());
        return;
    }
    let is_derived = constants::structure_while(model.unchecked(), may_go_on);
    if !succeeds(ctx, is_derived) {
        return;
    }
    let total = ctx.main_compiler().settotalmass.as_ref();
    if let Some(total) = total.filter(|at| at.value > 0.0) {
        if let Err(error) = constants::set_total_mass(model, total.value) {
            whole_model(ctx, &error.to_string());
            return;
        }
    }
    write_sleep_policies(ctx, model.unchecked());
    super::size::arena(ctx, model.unchecked());
    if ctx.report.has_errors() {
        return;
    }
    let are_derived = constants::set_constants_while(model, may_go_on);
    if !succeeds(ctx, are_derived) {
        return;
    }
    for (id, joint) in ctx.tree.joints.iter().enumerate() {
        if let Some(at) = &joint.table.springdamper {
            // The joint is one of the model's.
            let _ = constants::set_spring_damper(model, id, at.value[0], at.value[1]);
        }
    }
    super::actuator::length_range::resolve(ctx, model);
    override_statistics(ctx, model);
    let Some(signature) = model.structure_signature_while(&mut may_go_on) else {
        ctx.has_time(Place::default());
        return;
    };
    model.unchecked().signature = signature;
    super::law::compile(ctx, model);
}

/// Whether constants could be derived; reported if not.
fn succeeds(ctx: &mut Context, derived: Result<(), constants::ConstantsError>) -> bool {
    match derived {
        Ok(()) => return true,
        Err(constants::ConstantsError::Interrupted) => {
            ctx.has_time(Place::default());
        }
        Err(error) => whole_model(ctx, &error.to_string()),
    }
    false
}

fn whole_model(ctx: &mut Context, message: &str) {
    ctx.report
        .error("mjcf::model", Place::default(), message)
        .element("mujoco");
}

/// Asset files, in the reference's order: height fields, meshes, skins, textures.
fn write_paths(ctx: &Context, model: &mut ModelArrays) {
    let spec = ctx.spec;
    let mut characters = Vec::new();
    let mut store = |files: &mut dyn Iterator<Item = Option<&At<String>>>| -> Vec<i32> {
        files
            .map(|file| match file {
                Some(file) if !file.value.is_empty() => {
                    let address = characters.len() as i32;
                    let strip = ctx.compiler(file.place).strippath.as_ref();
                    let path = if strip.is_some_and(|strip| strip.value) {
                        base_name(&file.value)
                    } else {
                        &file.value
                    };
                    characters.extend_from_slice(path.as_bytes());
                    characters.push(0);
                    address
                }
                _ => -1,
            })
            .collect()
    };
    let left = |kind, count: usize| (0..count).map(move |id| ctx.names.former(kind, id));
    model.hfield_pathadr = store(
        &mut left(ObjectType::Hfield, model.nhfield).map(|id| spec.hfields.get(id)?.file.as_ref()),
    );
    model.mesh_pathadr = store(
        &mut left(ObjectType::Mesh, model.nmesh).map(|id| spec.meshes.get(id)?.table.file.as_ref()),
    );
    model.skin_pathadr = store(
        &mut left(ObjectType::Skin, model.nskin).map(|id| spec.skins.get(id)?.table.file.as_ref()),
    );
    model.tex_pathadr = store(
        &mut left(ObjectType::Texture, model.ntex).map(|id| spec.textures.get(id)?.file.as_ref()),
    );
    if characters.is_empty() {
        characters.push(0);
    }
    model.npaths = characters.len();
    model.paths = characters;
}

/// A sleep policy belongs to the first body of a tree.
fn write_sleep_policies(ctx: &mut Context, model: &mut ModelArrays) {
    let asked: Vec<_> = sleep_policies(&ctx.tree).collect();
    for (body, policy) in asked {
        let tree = model.body_treeid[body];
        if tree < 0 || (body > 0 && tree == model.body_treeid[body - 1]) {
            let body = &ctx.tree.bodies[body];
            let (name, place) = (body.name.clone(), body.place);
            let message = "a sleep policy is only allowed for movable root bodies";
            super::tree::fail(ctx, "body", &name, place, message);
        } else {
            model.tree_sleep_policy[tree as usize] = policy.code();
        }
    }
}

/// Statistics given by the user win over computed ones.
fn override_statistics(ctx: &Context, model: &mut Model) {
    let given = &ctx.spec.statistic;
    let defined = |at: &Option<At<f64>>| at.as_ref().map(|at| at.value).filter(|x| !x.is_nan());
    let stat = &mut model.stat;
    for (field, value) in [
        (&mut stat.extent, &given.extent),
        (&mut stat.meaninertia, &given.meaninertia),
        (&mut stat.meanmass, &given.meanmass),
        (&mut stat.meansize, &given.meansize),
    ] {
        if let Some(value) = defined(value) {
            *field = value;
        }
    }
    let center = given.center.as_ref();
    if let Some(center) = center.filter(|at| !at.value[0].is_nan()) {
        stat.center = Vec3(center.value);
    }
}

//! Spec → Model.
//!
//! The order is the reference's: settings, names, assets, the kinematic tree (then fused and
//! stripped of visual geoms on request), everything that refers to the tree, keyframes, sizes and
//! names, and last the constants that need the position stage at `qpos0`. Every pass is a file with
//! one entry function `compile(ctx, model)`; it appends its own columns and reports what is wrong.
//! A pass that finds errors goes on, so that one compilation reports all of them; the passes after
//! the tree only run when the tree is sound, because their ids would mean nothing.

pub mod context;
pub mod finish;
pub mod mesh;
pub mod names;
pub mod orientation;
pub mod pose;
pub mod tree;

pub mod actuator;
mod budget;
pub mod custom;
pub mod equality;
pub mod exclude;
pub mod file;
pub mod flex;
pub mod hfield;
pub mod keyframe;
pub mod law;
pub mod limits;
pub mod material;
pub mod option;
pub mod pair;
pub mod plugin;
pub mod sensor;
pub mod signature;
pub mod size;
pub mod skin;
pub mod tendon;
pub mod texture;
pub mod threads;
pub mod tuple;
pub mod userdata;
pub mod visual;

use crate::classes::Classes;
use crate::place::Place;
use crate::report::Report;
use crate::source::Source;
use crate::spec::Spec;
pub use context::Context;
use names::Names;
use sinew_model::Model;
use sinew_model::kinds::ObjectType;
use sinew_model::law::Laws;
use tree::Tree;

/// Compiles an expanded Spec, whose tree is used up. `None`: the report says why.
pub fn compile(spec: &mut Spec, source: &Source, report: &mut Report) -> Option<Model> {
    let world = std::mem::take(&mut spec.world);
    let spec = &*spec;
    let classes = Classes::new(spec, report);
    let mut ctx = Context {
        spec,
        source,
        classes: &classes,
        report,
        names: Names::default(),
        tree: Tree::default(),
        meshes: Vec::new(),
        plugins: plugin::Instances::default(),
        laws: Laws::default(),
    };
    let mut model = Model::default();

    // Settings of the whole model.
    option::compile(&mut ctx, &mut model);
    size::compile(&mut ctx, model.unchecked());
    visual::compile(&mut ctx, &mut model);

    // Every object gets its name and id before anything refers to it.
    ctx.tree = tree::flatten::flatten(&mut ctx, world);
    tree::collect_names(&mut ctx);
    names::collect(&mut ctx);
    plugin::collect(&mut ctx);
    budget::take_outside(&mut ctx);
    ctx.has_time(Place::default());
    if ctx.report.has_errors() {
        return None;
    }

    // Assets, then the tree that uses them.
    if ctx.discards_visual() {
        ctx.names.reorder(ObjectType::Texture, &[], ctx.report);
        ctx.names.reorder(ObjectType::Material, &[], ctx.report);
    } else {
        texture::compile(&mut ctx, model.unchecked());
        material::compile(&mut ctx, model.unchecked());
    }
    hfield::compile(&mut ctx, model.unchecked());
    mesh::compile(&mut ctx);
    tree::compile(&mut ctx, model.unchecked());
    if ctx.report.has_errors() {
        return None;
    }

    // What refers to the tree.
    let passes = [
        flex::compile,
        skin::compile,
        pair::compile,
        exclude::compile,
        equality::compile,
        tendon::compile,
        actuator::compile,
        sensor::compile,
        custom::compile,
        tuple::compile,
        plugin::compile,
        keyframe::compile,
    ];
    for pass in passes {
        pass(&mut ctx, model.unchecked());
        // A pass that ran out of time leaves columns that are too short.
        if !ctx.has_time(Place::default()) {
            return None;
        }
    }
    if ctx.report.has_errors() {
        return None;
    }

    budget::check(&mut ctx, &model);
    ctx.has_time(Place::default());
    if ctx.report.has_errors() {
        return None;
    }
    finish::compile(&mut ctx, &mut model);
    if ctx.report.has_errors() {
        return None;
    }
    Some(model)
}

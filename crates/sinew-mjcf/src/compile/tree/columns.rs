//! Writes the compiled tree to the model's columns.

use super::{Body, Camera, Geom, Joint, Light, Site, Tree, volumes};
use crate::compile::Context;
use crate::place::At;
use crate::spec::value::Prefix;
use sinew_math::{Quat, Vec3};
use sinew_model::ModelArrays;
use sinew_model::kinds::{ObjectType, Projection, SleepPolicy, TrackingMode};

/// Constraint parameters where nothing is written.
const SOLREF: [f64; 2] = [0.02, 1.0];
const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

fn or<T: Clone>(at: &Option<At<T>>, usual: T) -> T {
    at.as_ref().map_or(usual, |at| at.value.clone())
}

fn over<const N: usize>(at: &Option<At<Prefix<N>>>, usual: [f64; N]) -> [f64; N] {
    at.as_ref().map_or(usual, |at| at.value.over(usual))
}

fn id(option: Option<usize>) -> i32 {
    option.map_or(-1, |id| id as i32)
}

/// Adds the user numbers of one object, filled up with zeros.
fn push_user(column: &mut Vec<f64>, user: &[f64], width: usize) {
    column.extend((0..width).map(|k| user.get(k).copied().unwrap_or(0.0)));
}

/// Fills the columns of bodies, joints, degrees of freedom, geoms, sites, cameras and lights, and
/// the reference configuration. `None`: no time is left, reported.
pub fn write(ctx: &mut Context, model: &mut ModelArrays) -> Option<()> {
    let Context {
        tree,
        names,
        report,
        ..
    } = ctx;
    let mut in_time = |place| report.has_time(place).then_some(());
    model.nbody = tree.bodies.len();
    model.njnt = tree.joints.len();
    model.ngeom = tree.geoms.len();
    model.nsite = tree.sites.len();
    model.ncam = tree.cameras.len();
    model.nlight = tree.lights.len();
    for body in &tree.bodies {
        in_time(body.place)?;
        write_body(model, tree, body);
    }
    for joint in &tree.joints {
        in_time(joint.place)?;
        write_joint(model, tree, joint);
    }
    for geom in &tree.geoms {
        in_time(geom.place)?;
        write_geom(model, geom);
    }
    for site in &tree.sites {
        in_time(site.place)?;
        write_site(model, site);
    }
    let body_id = |name: &Option<At<String>>| {
        let name = name.as_ref().map_or("", |at| at.value.as_str());
        id(names.find(ObjectType::Body, name))
    };
    for camera in &tree.cameras {
        in_time(camera.place)?;
        write_camera(model, camera, body_id(&camera.table.target));
    }
    for light in &tree.lights {
        in_time(light.place)?;
        write_light(model, light, body_id(&light.table.target));
    }
    for body in &tree.bodies {
        volumes::write(model, tree, body, report)?;
    }
    Some(())
}

/// Sleep policies asked for by bodies, as (body, policy).
pub fn sleep_policies(tree: &Tree) -> impl Iterator<Item = (usize, SleepPolicy)> {
    tree.bodies.iter().enumerate().filter_map(|(id, body)| {
        let policy = or(&body.table.sleep, SleepPolicy::Auto);
        (policy != SleepPolicy::Auto).then_some((id, policy))
    })
}

fn write_body(model: &mut ModelArrays, tree: &Tree, body: &Body) {
    let address = |list: &[usize]| list.first().map_or(-1, |&first| first as i32);
    model.body_parentid.push(body.parent as i32);
    model.body_weldid.push(body.weld as i32);
    model.body_mocapid.push(if body.is_mocap() {
        model.nmocap += 1;
        model.nmocap as i32 - 1
    } else {
        -1
    });
    model.body_jntnum.push(body.joints.len() as i32);
    model.body_jntadr.push(address(&body.joints));
    model.body_dofnum.push(body.dofs as i32);
    model
        .body_dofadr
        .push(if body.dofs > 0 { model.nv as i32 } else { -1 });
    model.nv += body.dofs;
    model.body_geomnum.push(body.geoms.len() as i32);
    model.body_geomadr.push(address(&body.geoms));
    model.body_pos.push(body.pose.pos);
    model.body_quat.push(body.pose.quat);
    model.body_ipos.push(body.lump.pose.pos);
    model.body_iquat.push(body.lump.pose.quat);
    model.body_mass.push(body.lump.mass);
    model.body_inertia.push(body.lump.moments);
    model.body_gravcomp.push(or(&body.table.gravcomp, 0.0));
    push_user(&mut model.body_user, &body.user, model.nuser_body);
    model
        .body_plugin
        .push(body.plugin.map_or(-1, |id| id as i32));

    let geoms = || body.geoms.iter().map(|&geom| &tree.geoms[geom]);
    model
        .body_contype
        .push(geoms().fold(0, |bits, geom| bits | geom.contype()));
    model
        .body_conaffinity
        .push(geoms().fold(0, |bits, geom| bits | geom.conaffinity()));
    model.body_margin.push(body.margin);
}

fn write_joint(model: &mut ModelArrays, tree: &Tree, joint: &Joint) {
    let table = &joint.table;
    let layout = joint.layout();
    let id = model.jnt_type.len() as i32;
    model.jnt_type.push(joint.kind.code());
    model.jnt_qposadr.push(model.nq as i32);
    model.jnt_dofadr.push(model.dof_bodyid.len() as i32);
    model.jnt_bodyid.push(joint.body as i32);
    model.jnt_group.push(or(&table.group, 0));
    model.jnt_limited.push(u8::from(joint.is_limited));
    model
        .jnt_actfrclimited
        .push(u8::from(joint.is_force_limited));
    model
        .jnt_actgravcomp
        .push(u8::from(or(&table.actuatorgravcomp, false)));
    model.jnt_solref.push(over(&table.solreflimit, SOLREF));
    model.jnt_solimp.push(over(&table.solimplimit, SOLIMP));
    model.jnt_pos.push(joint.pos);
    model.jnt_axis.push(joint.axis);
    model.jnt_stiffness.push(or(&table.stiffness, 0.0));
    model.jnt_range.push(joint.range);
    model
        .jnt_actfrcrange
        .push(or(&table.actuatorfrcrange, [0.0; 2]));
    model.jnt_margin.push(or(&table.margin, 0.0));
    push_user(&mut model.jnt_user, &joint.user, model.nuser_jnt);

    model.nq += layout.positions();
    let pose = &tree.bodies[joint.body].pose;
    let (Vec3([x, y, z]), Quat([w, i, j, k])) = (pose.pos, pose.quat);
    for (column, position) in [
        (&mut model.qpos0, joint.reference),
        (&mut model.qpos_spring, joint.springref),
    ] {
        let numbers = layout.at_reference([x, y, z, w, i, j, k], position);
        column.extend_from_slice(&numbers[..layout.positions()]);
    }
    for _ in 0..layout.dofs() {
        model.dof_bodyid.push(joint.body as i32);
        model.dof_jntid.push(id);
        model.dof_solref.push(over(&table.solreffriction, SOLREF));
        model.dof_solimp.push(over(&table.solimpfriction, SOLIMP));
        model.dof_frictionloss.push(or(&table.frictionloss, 0.0));
        model.dof_armature.push(or(&table.armature, 0.0));
        model.dof_damping.push(or(&table.damping, 0.0));
    }
}

fn write_geom(model: &mut ModelArrays, geom: &Geom) {
    let table = &geom.table;
    model.geom_type.push(geom.kind().code());
    model.geom_contype.push(geom.contype());
    model.geom_conaffinity.push(geom.conaffinity());
    model.geom_condim.push(or(&table.condim, 3));
    model.geom_bodyid.push(geom.body as i32);
    model.geom_dataid.push(id(geom.data));
    model.geom_matid.push(id(geom.material));
    model.geom_group.push(geom.group());
    model.geom_priority.push(or(&table.priority, 0));
    model
        .geom_plugin
        .push(geom.plugin.map_or(-1, |id| id as i32));
    model.geom_solmix.push(or(&table.solmix, 1.0));
    model.geom_solref.push(over(&table.solref, SOLREF));
    model.geom_solimp.push(over(&table.solimp, SOLIMP));
    model.geom_size.push(geom.size);
    model.geom_aabb.push(geom.aabb);
    model.geom_rbound.push(geom.bounding_radius);
    model.geom_pos.push(geom.pose.pos);
    model.geom_quat.push(geom.pose.quat);
    model
        .geom_friction
        .push(over(&table.friction, [1.0, 0.005, 0.0001]));
    model.geom_margin.push(geom.margin());
    model.geom_gap.push(or(&table.gap, 0.0));
    model.geom_fluid.push(geom.fluid);
    push_user(&mut model.geom_user, &geom.user, model.nuser_geom);
    model.geom_rgba.push(or(&table.rgba, [0.5, 0.5, 0.5, 1.0]));
}

fn write_site(model: &mut ModelArrays, site: &Site) {
    model.site_type.push(site.kind().code());
    model.site_bodyid.push(site.body as i32);
    model.site_matid.push(id(site.material));
    model.site_group.push(or(&site.table.group, 0));
    model.site_size.push(site.size);
    model.site_pos.push(site.pose.pos);
    model.site_quat.push(site.pose.quat);
    push_user(&mut model.site_user, &site.user, model.nuser_site);
    model
        .site_rgba
        .push(or(&site.table.rgba, [0.5, 0.5, 0.5, 1.0]));
}

fn write_camera(model: &mut ModelArrays, camera: &Camera, target: i32) {
    let table = &camera.table;
    model
        .cam_mode
        .push(or(&table.mode, TrackingMode::Fixed).code());
    model.cam_bodyid.push(camera.body as i32);
    model.cam_targetbodyid.push(target);
    model.cam_pos.push(camera.pose.pos);
    model.cam_quat.push(camera.pose.quat);
    model
        .cam_projection
        .push(or(&table.projection, Projection::Perspective).code());
    model.cam_fovy.push(camera.fovy);
    model.cam_ipd.push(or(&table.ipd, 0.068));
    model.cam_resolution.push(or(&table.resolution, [1, 1]));
    model.cam_output.push(camera.output);
    model.cam_sensorsize.push(or(&table.sensorsize, [0.0; 2]));
    model.cam_intrinsic.push(camera.intrinsic);
    push_user(&mut model.cam_user, &camera.user, model.nuser_cam);
}

fn write_light(model: &mut ModelArrays, light: &Light, target: i32) {
    let table = &light.table;
    model
        .light_mode
        .push(or(&table.mode, TrackingMode::Fixed).code());
    model.light_bodyid.push(light.body as i32);
    model.light_targetbodyid.push(target);
    model.light_type.push(light.kind().code());
    model.light_texid.push(id(light.texture));
    model
        .light_castshadow
        .push(u8::from(or(&table.castshadow, true)));
    model.light_bulbradius.push(or(&table.bulbradius, 0.02));
    model.light_intensity.push(or(&table.intensity, 0.0));
    model.light_range.push(or(&table.range, 10.0));
    model.light_active.push(u8::from(or(&table.active, true)));
    model.light_pos.push(light.pos);
    model.light_dir.push(light.dir);
    model
        .light_attenuation
        .push(or(&table.attenuation, [1.0, 0.0, 0.0]));
    model.light_cutoff.push(or(&table.cutoff, 45.0));
    model.light_exponent.push(or(&table.exponent, 10.0));
    model.light_ambient.push(or(&table.ambient, [0.0; 3]));
    model.light_diffuse.push(or(&table.diffuse, [0.7; 3]));
    model.light_specular.push(or(&table.specular, [0.3; 3]));
}

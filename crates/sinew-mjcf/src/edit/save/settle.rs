//! A draft with the values that compiling gave: poses, sizes and ranges as the model has them.
//!
//! Frames have no pose of their own any more, angles are radians, every other way to say an
//! orientation or a shape has become the plain one.

use super::files::relocate;
use super::merge::merge;
use crate::edit::draft::Draft;
use crate::edit::field::values;
use crate::edit::record::{Id, Record};
use crate::edit::table::Kind;
use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::kinds::{GeomType, InertiaFromGeom, JointType};

/// The draft with compiled values. A kind of which the model does not have as many elements stays as it is.
pub(super) fn settle(draft: &Draft, model: &Model) -> Draft {
    let mut settled = draft.clone();
    merge(&mut settled, model);
    relocate(&mut settled);
    let saves_all = masses(&mut settled);
    classes(&mut settled);
    each(&mut settled, Kind::Body, model.nbody, |body, id, _| {
        self::body(body, id, model, saves_all);
    });
    each(
        &mut settled,
        Kind::Joint,
        model.njnt,
        |joint, id, degree| self::joint(joint, id, model, degree),
    );
    each(&mut settled, Kind::Geom, model.ngeom, |geom, id, _| {
        self::geom(geom, id, model)
    });
    each(&mut settled, Kind::Site, model.nsite, |site, id, _| {
        pose(site, model.site_pos.get(id), model.site_quat.get(id));
        put(
            site,
            "size",
            model.site_size.get(id).map(|size| size.to_vec()),
        );
        put(
            site,
            "fromto",
            Some(vec![f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
        );
    });
    each(&mut settled, Kind::Camera, model.ncam, |camera, id, _| {
        pose(camera, model.cam_pos.get(id), model.cam_quat.get(id));
    });
    each(&mut settled, Kind::Light, model.nlight, |light, id, _| {
        put(
            light,
            "pos",
            model.light_pos.get(id).map(|pos| pos.to_vec()),
        );
        put(
            light,
            "dir",
            model.light_dir.get(id).map(|dir| dir.to_vec()),
        );
    });
    each(&mut settled, Kind::Actuator, model.nu, |actuator, id, _| {
        if actuator.real("inheritrange") > 0.0 {
            put(
                actuator,
                "ctrlrange",
                model.actuator_ctrlrange.get(id).map(|range| range.to_vec()),
            );
            put(
                actuator,
                "actrange",
                model.actuator_actrange.get(id).map(|range| range.to_vec()),
            );
            actuator.put("inheritrange", 0.0);
        }
    });
    each(&mut settled, Kind::Key, model.nkey, |key, id, _| {
        key.about.clear();
        self::key(key, id, model)
    });
    for id in settled.list(0, Kind::Frame) {
        if let Some(frame) = settled.record_mut(id) {
            pose(frame, Some(&Vec3::from([0.0; 3])), Some(&Quat::identity()));
        }
    }
    settings(&mut settled, model);
    settled
}

/// Whether every body says its mass and inertia. A total mass was spread over bodies that were given and bodies
/// that were computed; it counts once, so that all of them are given then, geoms are not asked any more, and
/// bounds have done their work.
fn masses(draft: &mut Draft) -> bool {
    let compiler = draft.setting(0, Kind::Compiler);
    let Some(compiler) = compiler.and_then(|id| draft.record_mut(id)) else {
        return false;
    };
    let is_scaled = compiler.real("settotalmass") > 0.0;
    let is_fused = compiler.integer("fusestatic") != 0 || compiler.integer("discardvisual") != 0;
    let from_geoms = compiler.integer("inertiafromgeom") == i64::from(InertiaFromGeom::True.code());
    if !(is_scaled || is_fused && from_geoms) {
        return compiler.integer("saveinertial") != 0;
    }
    compiler.put("settotalmass", -1.0);
    compiler.put("boundmass", 0.0);
    compiler.put("boundinertia", 0.0);
    compiler.put("inertiafromgeom", i64::from(InertiaFromGeom::Auto.code()));
    true
}

/// Does something to every element of a kind, with its id in the model and whether its angles are degrees.
fn each(draft: &mut Draft, kind: Kind, count: usize, change: impl Fn(&mut Record, usize, bool)) {
    let ids: Vec<Id> = draft.list(0, kind);
    if ids.len() != count {
        return;
    }
    for (position, id) in ids.into_iter().enumerate() {
        let root = draft.record(id).map_or(0, |record| record.root);
        let compiler = draft.setting_record(root, Kind::Compiler);
        let degree = compiler.is_some_and(|compiler| compiler.integer("degree") != 0);
        if let Some(record) = draft.record_mut(id) {
            change(record, position, degree);
        }
    }
}

fn put(record: &mut Record, field: &str, numbers: Option<Vec<f64>>) {
    if let Some(numbers) = numbers {
        record.put(field, numbers);
    }
}

fn pose(record: &mut Record, pos: Option<&Vec3>, quat: Option<&Quat>) {
    put(record, "pos", pos.map(|pos| pos.to_vec()));
    put(record, "quat", quat.map(|quat| quat.to_vec()));
    record.put("alt.type", 0);
}

/// Classes say nothing about poses: elements do. Nor about ranges to inherit: those are known now.
fn classes(draft: &mut Draft) {
    let main = draft.main_class(0);
    for class in draft.list(0, Kind::Default) {
        let parts = draft
            .record(class)
            .map_or(Vec::new(), |class| class.children.clone());
        if let Some(record) = draft.record_mut(class)
            && Some(class) != main
        {
            record.parent = record.parent.or(main);
        }
        for part in parts {
            let Some(record) = draft.record_mut(part) else {
                continue;
            };
            let defaults = values(record.kind.fields());
            for ((field, value), default) in record
                .kind
                .fields()
                .iter()
                .zip(&mut record.values)
                .zip(defaults)
            {
                if [
                    "pos",
                    "quat",
                    "alt",
                    "fromto",
                    "axis",
                    "dir",
                    "inheritrange",
                ]
                .contains(&field.name)
                {
                    *value = default;
                }
            }
        }
    }
}

fn body(body: &mut Record, id: usize, model: &Model, saves_all: bool) {
    pose(body, model.body_pos.get(id), model.body_quat.get(id));
    let mass = model.body_mass.get(id).copied().unwrap_or(0.0);
    let has_own = !body.reals("ipos").first().is_none_or(|x| x.is_nan())
        || body.integer("explicitinertial") != 0 && mass > 0.0;
    if !(has_own || saves_all && mass > 0.0) {
        return;
    }
    body.put("mass", mass);
    put(
        body,
        "ipos",
        model.body_ipos.get(id).map(|pos| pos.to_vec()),
    );
    put(
        body,
        "iquat",
        model.body_iquat.get(id).map(|quat| quat.to_vec()),
    );
    put(
        body,
        "inertia",
        model.body_inertia.get(id).map(|inertia| inertia.to_vec()),
    );
    put(
        body,
        "fullinertia",
        Some(vec![f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
    );
    body.put("ialt.type", 0);
}

fn joint(joint: &mut Record, id: usize, model: &Model, degree: bool) {
    put(joint, "pos", model.jnt_pos.get(id).map(|pos| pos.to_vec()));
    put(
        joint,
        "axis",
        model.jnt_axis.get(id).map(|axis| axis.to_vec()),
    );
    put(
        joint,
        "range",
        model.jnt_range.get(id).map(|range| range.to_vec()),
    );
    let kind = joint.integer("type");
    if degree && kind == i64::from(JointType::Hinge.code()) {
        for field in ["ref", "springref"] {
            joint.put(field, joint.real(field).to_radians());
        }
    }
    if joint
        .reals("springdamper")
        .iter()
        .any(|&number| number > 0.0)
    {
        joint.put("springdamper", vec![0.0; 2]);
        if let Some(&stiffness) = model.jnt_stiffness.get(id) {
            joint.put("stiffness", stiffness);
        }
        let dof = model
            .jnt_dofadr
            .get(id)
            .and_then(|&dof| usize::try_from(dof).ok());
        if let Some(&damping) = dof.and_then(|dof| model.dof_damping.get(dof)) {
            joint.put("damping", damping);
        }
    }
}

/// A mesh has a frame of its own, which is taken out of the pose again.
fn geom(geom: &mut Record, id: usize, model: &Model) {
    let (Some(&pos), Some(&quat), Some(&code)) = (
        model.geom_pos.get(id),
        model.geom_quat.get(id),
        model.geom_type.get(id),
    ) else {
        return;
    };
    put(
        geom,
        "fromto",
        Some(vec![f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]),
    );
    let kind = GeomType::from_code(code);
    let mesh = model
        .geom_dataid
        .get(id)
        .and_then(|&mesh| usize::try_from(mesh).ok());
    let mesh = mesh.filter(|_| matches!(kind, Some(GeomType::Mesh | GeomType::Sdf)));
    let frame =
        mesh.and_then(|mesh| Some((*model.mesh_pos.get(mesh)?, *model.mesh_quat.get(mesh)?)));
    match frame {
        Some((mesh_pos, mesh_quat)) => {
            let own = quat * mesh_quat.conjugate();
            pose(geom, Some(&(pos - own.rotate(mesh_pos))), Some(&own));
        }
        None => {
            pose(geom, Some(&pos), Some(&quat));
            if kind != Some(GeomType::Hfield) {
                put(
                    geom,
                    "size",
                    model.geom_size.get(id).map(|size| size.to_vec()),
                );
            }
            // A shape that was fitted to a mesh is that shape now.
            geom.put("type", i64::from(code));
            geom.put("meshname", "");
        }
    }
}

fn key(key: &mut Record, id: usize, model: &Model) {
    let row = |numbers: &[f64], width: usize| {
        let start = id.saturating_mul(width);
        numbers
            .get(start..start.saturating_add(width))
            .unwrap_or_default()
            .to_vec()
    };
    let unless = |numbers: Vec<f64>, usual: &[f64]| {
        if numbers == usual {
            Vec::new()
        } else {
            numbers
        }
    };
    let rest = |numbers: Vec<f64>| {
        if numbers.iter().all(|&number| number == 0.0) {
            Vec::new()
        } else {
            numbers
        }
    };
    key.put("qpos", unless(row(&model.key_qpos, model.nq), &model.qpos0));
    key.put("qvel", rest(row(&model.key_qvel, model.nv)));
    key.put("act", rest(row(&model.key_act, model.na)));
    key.put("ctrl", rest(row(&model.key_ctrl, model.nu)));
    key.put("mpos", row(&model.key_mpos, model.nmocap.saturating_mul(3)));
    key.put(
        "mquat",
        row(&model.key_mquat, model.nmocap.saturating_mul(4)),
    );
}

fn settings(draft: &mut Draft, model: &Model) {
    let compiler = draft.setting(0, Kind::Compiler);
    if let Some(compiler) = compiler.and_then(|id| draft.record_mut(id)) {
        compiler.put("degree", 0);
        compiler.put("eulerseq", "xyz");
    }
    let size = |count: usize| {
        if count == 0 {
            -1
        } else {
            i64::try_from(count).unwrap_or(-1)
        }
    };
    let Some(sizes) = draft
        .setting(0, Kind::Model)
        .and_then(|id| draft.record_mut(id))
    else {
        return;
    };
    for (field, count) in [
        ("nuser_body", model.nuser_body),
        ("nuser_jnt", model.nuser_jnt),
        ("nuser_geom", model.nuser_geom),
        ("nuser_site", model.nuser_site),
        ("nuser_cam", model.nuser_cam),
        ("nuser_tendon", model.nuser_tendon),
        ("nuser_actuator", model.nuser_actuator),
        ("nuser_sensor", model.nuser_sensor),
    ] {
        sizes.put(field, size(count));
    }
    sizes.put("nkey", i64::try_from(model.nkey).unwrap_or(0));
}

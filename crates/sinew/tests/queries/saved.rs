//! Models as bytes: what was saved comes back, what was cut or changed is refused or harmless.

use sinew::engine::Data;
use sinew::engine::saved::{SavedError, from_bytes, seal, to_bytes};
use sinew::mjcf::memory::simulation_bytes;
use sinew::model::Model;
use sinew::model::law::Law;

/// Bytes of a checksum.
const CHECKSUM: usize = 8;

fn model() -> Model {
    let text = "<mujoco><option timestep='.004'/><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>\
        <worldbody><body><freejoint/><geom type='mesh' mesh='m'/><site name='s'/><body pos='0 0 1'><joint name='j'/>\
        <geom size='.1'/></body></body></worldbody><actuator><general joint='j' sinew_gain='series_elastic 100 1 2'/></actuator>\
        <sensor><framepos objtype='site' objname='s'/></sensor></mujoco>";
    let mut model = sinew::mjcf::load_text(text).expect("a model").model;
    model.laws_mut().solver = Some(Law::new("xpbd", [4.0]));
    model
}

/// A cloth whose law is prepared when the model is read.
fn cloth() -> Model {
    let text = "<mujoco><worldbody><flexcomp name='cloth' type='grid' dim='2' count='3 3 1' spacing='.1 .1 .1' radius='.01' \
        mass='.1' sinew_bending='dihedral .01 1e-4'><elasticity young='1e4' thickness='.01' elastic2d='both'/></flexcomp>\
        </worldbody></mujoco>";
    sinew::mjcf::load_text(text).expect("a model").model
}

/// Bytes without their checksum, changed and sealed anew.
fn resealed(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len() - CHECKSUM].to_vec();
    change(&mut bytes);
    seal(&mut bytes);
    bytes
}

#[test]
fn a_saved_model_is_the_same() {
    let mut model = model();
    model.opt.gravity[2] = -3.0;
    let again = from_bytes(&to_bytes(&model).expect("bytes")).expect("a model");
    for (one, other) in model.columns().iter().zip(again.columns()) {
        assert_eq!(one.bytes, other.bytes, "{}", one.name);
    }
    assert_eq!(again.opt.gravity, model.opt.gravity);
    assert_eq!(again.laws(), model.laws());
    assert_eq!(again.signature, model.signature);
}

#[test]
fn a_changed_byte_is_noticed() {
    let bytes = to_bytes(&model()).expect("bytes");
    for place in (0..bytes.len()).step_by(97) {
        let mut changed = bytes.clone();
        changed[place] ^= 0x40;
        let why = from_bytes(&changed).expect_err("changed").to_string();
        assert!(why.starts_with("this is no model of sinew"), "{why}");
    }
}

#[test]
fn bytes_that_are_missing_or_too_many_are_refused() {
    let bytes = to_bytes(&model()).expect("bytes");
    for length in (0..bytes.len() - CHECKSUM).step_by(61) {
        let cut = resealed(&bytes, |bytes| bytes.truncate(length));
        assert!(from_bytes(&cut).is_err(), "{length} bytes");
    }
    let longer = resealed(&bytes, |bytes| bytes.extend(b"more"));
    assert!(from_bytes(&longer).is_err());
}

/// Sizes of whatever number are refused before anything is reserved, or make a model that steps.
#[test]
fn words_that_are_changed_are_refused_or_harmless() {
    let bytes = to_bytes(&model()).expect("bytes");
    let (mut refused, mut taken) = (0, 0);
    for place in (14..bytes.len() - 2 * CHECKSUM).step_by(8) {
        for word in [-1_i64, 0, 1, 1 << 20, 1 << 40, i64::MAX] {
            let changed = resealed(&bytes, |bytes| {
                bytes[place..place + 8].copy_from_slice(&word.to_le_bytes());
            });
            match from_bytes(&changed) {
                Ok(model) if simulation_bytes(&model) < 1 << 20 => {
                    let _ = Data::new(&model).step(&model);
                    taken += 1;
                }
                Ok(_) => taken += 1,
                Err(error) => {
                    assert!(matches!(error, SavedError::Wrong { .. }), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} and {taken}");
}

/// Sizes that no array of the model has, but arrays of a simulation, are refused or cost nothing while a law is prepared.
#[test]
fn sizes_of_simulations_are_not_believed() {
    let model = cloth();
    let bytes = to_bytes(&model).expect("bytes");
    for (number, (name, _)) in model.sizes().into_iter().enumerate() {
        let changed = resealed(&bytes, |bytes| {
            let place = 14 + 8 * number;
            bytes[place..place + 8].copy_from_slice(&(1_i64 << 40).to_le_bytes());
        });
        let is_read = from_bytes(&changed).is_ok();
        // Numbers of the user's own, and those of objects that there are none of.
        let is_free = name == "nuserdata" || name == "ngravcomp" || name.starts_with("nuser_");
        assert!(!is_read || is_free, "{name}");
    }
}

//! A simulation never takes much more than the memory that its model grants, however crowded it is.

use crate::counting::bytes;
use sinew::engine::Data;
use sinew::mjcf::Loader;
use sinew::model::Model;
use sinew::model::kinds::DisableFlag;

const BOX: &str = r#"type="box" size=".1 .1 .1""#;
const SPHERE: &str = r#"size=".1""#;
const LIMIT: usize = 64 << 20;

/// Bodies that all overlap, with more contacts than fit.
fn crowd(count: usize, geom: &str, option: &str) -> Model {
    let text = format!(
        r#"<mujoco><size memory="{LIMIT}"/>{option}<worldbody><replicate count="{count}" offset=".0001 0 0">
           <body><freejoint/><geom {geom}/></body></replicate></worldbody></mujoco>"#
    );
    match Loader::new().load_text(&text) {
        Ok(loaded) => loaded.model,
        Err(error) => panic!("{option}: {error}"),
    }
}

/// The most bytes that contacts and what follows from them take in a few steps, and how many rows there are.
fn taken(model: &mut Model) -> (usize, usize) {
    let mut data = Data::new(model);
    // What a simulation takes without any contact is there already.
    model.opt.disableflags |= DisableFlag::Contact.code();
    let _ = data.step(model);
    model.opt.disableflags &= !DisableFlag::Contact.code();
    data.reset(model).expect("its own model");
    let before = bytes();
    let (mut most, mut rows) = (0, 0);
    for _ in 0..3 {
        // A wild heap may diverge.
        let _ = data.step(model);
        // What a step took it keeps; what it asked for to see whether it is there it does not.
        most = most.max(bytes() - before);
        rows = rows.max(data.position.constraints.nefc());
    }
    (most as usize, rows)
}

#[test]
fn crowds_keep_to_their_memory() {
    let mut wrong = Vec::new();
    for option in [
        r#"<option iterations="2"/>"#,
        r#"<option solver="CG" iterations="3"/>"#,
        r#"<option solver="PGS" iterations="3"/>"#,
        r#"<option noslip_iterations="2" iterations="2"/>"#,
        r#"<option cone="elliptic" iterations="2"/>"#,
        r#"<option cone="elliptic" solver="PGS" iterations="2"/>"#,
        r#"<option cone="elliptic" solver="CG" noslip_iterations="2" iterations="2"/>"#,
        r#"<option iterations="2"><flag island="disable"/></option>"#,
        r#"<option solver="CG" iterations="2"><flag island="disable"/></option>"#,
        r#"<option jacobian="dense" iterations="2"/>"#,
        r#"<option jacobian="dense" solver="CG" iterations="2"/>"#,
        r#"<option jacobian="dense" solver="PGS" iterations="2"/>"#,
    ] {
        for (count, geom) in [(300, BOX), (120, BOX), (900, SPHERE), (300, SPHERE)] {
            let mut model = crowd(count, geom, option);
            let (most, rows) = taken(&mut model);
            assert!(rows > 500, "{count} {geom} {option}");
            if most > LIMIT + LIMIT / 10 {
                wrong.push(format!(
                    "{count} {geom} {option}: {} of {} KiB",
                    most >> 10,
                    LIMIT >> 10
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

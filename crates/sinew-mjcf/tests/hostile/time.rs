//! Loading ends when its time is over, also in the middle of what takes long.

use crate::limits;
use sinew_engine::constants::{ConstantsError, set_constants_while};
use sinew_mjcf::{Limits, Loader};
use std::time::Duration;

fn chain(links: usize) -> String {
    let link = "<body pos='0 0 .1'><joint type='ball'/><geom size='.01'/>";
    format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        link.repeat(links),
        "</body>".repeat(links)
    )
}

#[test]
fn no_time_at_all_is_an_error() {
    let no_time = Limits {
        load_time: Duration::ZERO,
        ..limits()
    };
    for text in [chain(1), chain(100)] {
        let error = Loader::new().limits(no_time.clone()).load_text(&text);
        let Err(error) = error else {
            panic!("it loads");
        };
        assert_eq!(error.diagnostics[0].code, "mjcf::time-limit");
        assert!(error.diagnostics[0].hint.is_some());
    }
}

/// How often a caller is asked while constants are derived.
fn asked(links: usize) -> usize {
    let loader = Loader::new().limits(limits());
    let mut model = loader.load_text(&chain(links)).expect("a chain").model;
    let before = model.body_invweight0.clone();
    let mut asked = 0;
    set_constants_while(&mut model, || {
        asked += 1;
        true
    })
    .expect("constants");
    assert_eq!(model.body_invweight0, before);
    for last in [0, asked / 2, asked - 1] {
        let mut calls = 0;
        let result = set_constants_while(&mut model, || {
            calls += 1;
            calls <= last
        });
        assert_eq!(
            result,
            Err(ConstantsError::Interrupted),
            "{last} of {asked}"
        );
        assert_eq!(calls, last + 1);
    }
    asked
}

/// Rows are solved eight at a time: nine rows per link.
#[test]
fn constants_are_derived_as_long_as_the_caller_wants() {
    assert_eq!(asked(80), 90);
    assert_eq!(asked(160), 180);
}

//! Limits: what is too large is refused before it is made.

#![allow(clippy::expect_used, clippy::indexing_slicing)]

use super::Budget;
use crate::source::Source;
use crate::{Limits, Loader};
use std::time::{Duration, Instant};

/// Loads text that must fail, within a second, and returns the code of the first error.
fn refused(text: &str) -> &'static str {
    let started = Instant::now();
    let error = Loader::new().load_text(text).expect_err("too large");
    assert!(started.elapsed() < Duration::from_secs(1), "took too long");
    let first = &error.diagnostics[0];
    assert!(first.line > 0, "{first}");
    first.code
}

fn world(inside: &str) -> String {
    format!("<mujoco><worldbody>{inside}</worldbody></mujoco>")
}

#[test]
fn a_thousand_million_copies_are_refused_at_once() {
    let text = world("<replicate count=\"1000000000\"><geom size=\"1\"/></replicate>");
    assert_eq!(refused(&text), "mjcf::too-many-elements");
    let cable = "<composite type=\"cable\" count=\"1000000000\" curve=\"s\"><geom type=\"box\" size=\"1\"/></composite>";
    assert_eq!(refused(&world(cable)), "mjcf::too-many-elements");
    let skin = "<composite type=\"cable\" count=\"9\" curve=\"s\"><geom type=\"box\" size=\"1 1 1\"/>\
                <skin subgrid=\"2000000000\"/></composite>";
    assert_eq!(refused(&world(skin)), "mjcf::too-many-elements");
}

#[test]
fn nested_replicates_are_counted_by_their_product() {
    let open = "<replicate count=\"10\">".repeat(9);
    let close = "</replicate>".repeat(9);
    let text = world(&format!("{open}<geom size=\"1\"/>{close}"));
    assert_eq!(refused(&text), "mjcf::too-many-elements");
}

#[test]
fn sensors_that_double_with_every_copy_are_counted() {
    let text = "<mujoco><sensor><clock/></sensor><worldbody>\
        <replicate count=\"1000\"><geom size=\"1\"/></replicate></worldbody></mujoco>";
    assert_eq!(refused(text), "mjcf::too-many-elements");
}

#[test]
fn keys_that_grow_with_every_copy_are_counted() {
    let text = "<mujoco><keyframe><key qpos=\"0\"/></keyframe><worldbody>\
        <replicate count=\"60000\"><body><joint/><geom size=\"1\"/></body></replicate></worldbody></mujoco>";
    let started = Instant::now();
    let loader = Loader::new().limits(Limits {
        load_time: Duration::from_millis(500),
        ..Limits::default()
    });
    assert!(loader.load_text(text).is_err());
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_long_cable_is_refused_when_it_nests_too_deep() {
    let most = Budget::default().nesting;
    let cable = format!(
        "<composite type=\"cable\" count=\"{}\" curve=\"s\"><geom type=\"capsule\" size=\"1\"/></composite>",
        most + 2
    );
    assert_eq!(refused(&world(&cable)), "mjcf::nesting");
}

#[test]
fn copies_nested_nine_hundred_deep_fit_a_stack_of_two_mebibytes() {
    let expand = || {
        let text = world(
            "<replicate count=\"2\" sep=\"-\"><composite type=\"cable\" prefix=\"x\" count=\"900\" curve=\"s\">\
             <geom type=\"capsule\" size=\".001\"/></composite></replicate>",
        );
        let spec = Loader::new().read_spec_text(&text).expect("reads").spec;
        let mut report = crate::report::Report::default();
        let spec = super::expand(spec, &Source::default(), &Budget::default(), &mut report);
        assert!(!report.has_errors());
        spec.excludes.len()
    };
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(expand);
    let excludes = thread.expect("a thread").join().expect("no overflow");
    assert_eq!(excludes, 2 * 898);
}

#[test]
fn a_model_that_attaches_itself_is_refused() {
    let text = "<mujoco><asset><model name=\"me\" file=\"me.xml\"/></asset><worldbody>\
        <attach model=\"me\" prefix=\"p\"/></worldbody></mujoco>";
    let loader = Loader::new().asset("me.xml", text.as_bytes().to_vec());
    assert!(loader.load_text(text).is_err());
}

#[test]
fn copies_cost_what_they_copy() {
    // Each copy has an actuator, a sensor and an exclude of its own; a cost per copy that grew with
    // the model would make this take minutes.
    let text = "<mujoco><actuator><motor name=\"a\" joint=\"j\"/></actuator>\
        <sensor><jointpos name=\"s\" joint=\"j\"/></sensor>\
        <contact><exclude body1=\"b\" body2=\"c\"/></contact><worldbody>\
        <replicate count=\"30000\"><body name=\"b\"><joint name=\"j\"/><geom size=\"1\"/>\
        <body name=\"c\"/></body></replicate></worldbody></mujoco>";
    let source = Loader::new().read_spec_text(text).expect("reads").spec;
    let started = Instant::now();
    let mut report = crate::report::Report::default();
    let spec = super::expand(source, &Source::default(), &Budget::default(), &mut report);
    assert!(!report.has_errors());
    assert_eq!(spec.actuators.len(), 30_000);
    assert_eq!(spec.sensors.len(), 30_000);
    assert_eq!(spec.excludes.len(), 30_000);
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

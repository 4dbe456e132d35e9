//! A file that is not what it should be is not repeated in messages, neither as text nor as numbers.

use crate::limits;
use sinew_mjcf::{LoadError, Loader};

/// What stands in a file that the model should not have named.
const SECRET: &str = "hunter2:opensesame:19876:0:99999:7:::\nswordfish:letmein:0:0:root:/root:/bin/sh\n\
    correct horse battery staple correct horse battery staple correct horse battery staple\n";

/// Places where a model may name a file, with the name it takes.
const USES: [(&str, &str); 14] = [
    ("a.xml", "<mujoco><include file='a.xml'/></mujoco>"),
    (
        "a.xml",
        "<mujoco><asset><model name='m' file='a.xml'/></asset></mujoco>",
    ),
    (
        "a.png",
        "<mujoco><asset><texture name='t' type='2d' file='a.png'/></asset></mujoco>",
    ),
    (
        "a.tex",
        "<mujoco><asset><texture name='t' type='2d' file='a.tex'/></asset></mujoco>",
    ),
    (
        "a.ktx",
        "<mujoco><asset><texture name='t' type='2d' file='a.ktx'/></asset></mujoco>",
    ),
    (
        "a.png",
        "<mujoco><asset><texture name='t' type='cube' fileup='a.png'/></asset></mujoco>",
    ),
    (
        "a.png",
        "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.png'/></asset></mujoco>",
    ),
    (
        "a.bin",
        "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.bin'/></asset></mujoco>",
    ),
    (
        "a.stl",
        "<mujoco><asset><mesh name='m' file='a.stl'/></asset></mujoco>",
    ),
    (
        "a.msh",
        "<mujoco><asset><mesh name='m' file='a.msh'/></asset></mujoco>",
    ),
    (
        "a.obj",
        "<mujoco><asset><mesh name='m' file='a.obj'/></asset></mujoco>",
    ),
    (
        "a.ply",
        "<mujoco><asset><mesh name='m' file='a.ply'/></asset></mujoco>",
    ),
    (
        "a",
        "<mujoco><asset><mesh name='m' file='a' content_type='model/stl'/></asset></mujoco>",
    ),
    (
        "a.skn",
        "<mujoco><deformable><skin name='s' file='a.skn'/></deformable></mujoco>",
    ),
];

fn said(error: &LoadError) -> String {
    let shown: Vec<String> = error
        .diagnostics
        .iter()
        .map(|d| format!("{d}\n{d:?}\n{}", d.render()))
        .collect();
    shown.join("\n")
}

/// Words of the secret, and the integers and floats that its bytes are at any offset.
fn traces(secret: &str) -> Vec<String> {
    let words = secret.split(|c: char| !c.is_alphanumeric());
    let mut traces: Vec<String> = words.filter(|w| w.len() > 4).map(String::from).collect();
    for window in secret.as_bytes().windows(4) {
        let word = [window[0], window[1], window[2], window[3]];
        traces.push(i32::from_le_bytes(word).to_string());
        traces.push(i32::from_be_bytes(word).to_string());
    }
    traces
}

fn check(name: &str, secret: &str, text: &str, traces: &[String]) {
    let loader = Loader::new()
        .limits(limits())
        .asset(name, secret.as_bytes());
    let Err(error) = loader.load_text(text) else {
        panic!("{text} loads with {secret:?}");
    };
    let said = said(&error);
    for trace in traces {
        assert!(
            !said.contains(trace.as_str()),
            "{name} tells {trace}: {said}"
        );
    }
}

#[test]
fn files_that_are_something_else_are_not_repeated() {
    let traces = traces(SECRET);
    for (name, text) in USES {
        check(name, SECRET, text, &traces);
    }
}

/// Whatever the first bytes are.
#[test]
fn headers_of_foreign_files_are_not_repeated() {
    for start in [
        "9",
        "<",
        "<!DOCTYPE html",
        "v ",
        "f ",
        "\u{0}\u{0}",
        "1 2 3 4 5 6 7 8",
    ] {
        let secret = format!("{start}swordfish:opensesame{SECRET}");
        for (name, text) in USES {
            // An XML file may be quoted, and this might be one.
            if name.ends_with(".xml") && start == "<" {
                continue;
            }
            // That a document type is not supported is said in these words.
            let mut traces = traces(&secret);
            traces.retain(|trace| trace != "DOCTYPE");
            check(name, &secret, text, &traces);
        }
    }
}

//! What loads as in the reference although nobody can mean it: each with a warning that names the place.

use sinew_mjcf::{Diagnostic, Loader};

fn warnings(loader: &Loader, text: &str) -> Vec<Diagnostic> {
    match loader.load_text(text) {
        Ok(loaded) => loaded.warnings,
        Err(error) => panic!("{text}\n{error}"),
    }
}

/// Loads a text that has one thing to say.
fn check(text: &str, code: &str, attribute: &str) -> Diagnostic {
    let found = warnings(&Loader::new(), text);
    let [warning] = found.as_slice() else {
        panic!("{text}: {found:?}");
    };
    assert_eq!(
        (warning.code, warning.attribute.as_deref()),
        (code, Some(attribute)),
        "{text}"
    );
    let (line, value) = (warning.source_line.as_deref(), format!("{attribute}="));
    assert!(line.is_some_and(|line| line.contains(&value)), "{text}");
    warning.clone()
}

#[test]
fn numbers_below_what_makes_sense() {
    for attribute in ["damping", "armature", "frictionloss"] {
        let joint = |value: &str| {
            format!(
                "<mujoco><worldbody><body><joint {attribute}='{value}'/><geom size='1'/></body>\
                 </worldbody></mujoco>"
            )
        };
        check(&joint("-1"), "mjcf::too-small", attribute);
        assert!(warnings(&Loader::new(), &joint("0")).is_empty());
        assert!(warnings(&Loader::new(), &joint("0.1")).is_empty());
    }
    for count in ["-1", "0"] {
        let text = format!(
            "<mujoco><worldbody><replicate count='{count}' offset='1 0 0'><geom size='1'/>\
             </replicate></worldbody></mujoco>"
        );
        check(&text, "mjcf::too-small", "count");
    }
    for resolution in ["-1 4", "4 -1", "0 0"] {
        let text =
            format!("<mujoco><worldbody><camera resolution='{resolution}'/></worldbody></mujoco>");
        check(&text, "mjcf::too-small", "resolution");
    }
}

#[test]
fn a_class_is_warned_of_once() {
    let text = format!(
        "<mujoco><default><joint damping='-1'/></default><worldbody>{}</worldbody></mujoco>",
        "<body><joint/><geom size='1'/></body>".repeat(5)
    );
    check(&text, "mjcf::too-small", "damping");
}

#[test]
fn heights_that_are_not_numbers() {
    let text = "<mujoco><asset><hfield name='h' size='1 1 1 1' file='a.bin'/></asset></mujoco>";
    for odd in [f32::NAN, f32::INFINITY] {
        let mut bytes = [2_i32.to_le_bytes(), 3_i32.to_le_bytes()].concat();
        bytes.extend(
            [0.0, 1.0, odd, 3.0, odd, 5.0]
                .iter()
                .flat_map(|x: &f32| x.to_le_bytes()),
        );
        let loader = Loader::new().asset("a.bin", bytes);
        let found = warnings(&loader, text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].code, "mjcf::not-finite");
        assert!(found[0].message.starts_with("2 of the 6"), "{}", found[0]);
    }
    let mut bytes = [2_i32.to_le_bytes(), 2_i32.to_le_bytes()].concat();
    bytes.extend(
        [0.0_f32, 1.0, 2.0, 3.0]
            .iter()
            .flat_map(|x| x.to_le_bytes()),
    );
    assert!(warnings(&Loader::new().asset("a.bin", bytes), text).is_empty());
}

fn robot(limit: &str, dynamics: &str) -> String {
    let link = "<inertial><mass value='1'/>\
        <inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
    format!(
        "<robot name='r'><link name='a'>{link}<link name='b'>{link}\n\
         <joint name='j' type='revolute'><parent link='a'/><child link='b'/>\n\
         <limit {limit} effort='1' velocity='1'/>\n<dynamics {dynamics}/></joint></robot>"
    )
}

#[test]
fn limits_of_robots_that_limit_nothing() {
    let dynamics = "damping='1'";
    check(
        &robot("lower='1' upper='-1'", dynamics),
        "urdf::limits",
        "lower",
    );
    let one_end = warnings(&Loader::new(), &robot("upper='1'", dynamics));
    assert_eq!(one_end.len(), 1, "{one_end:?}");
    assert!(warnings(&Loader::new(), &robot("lower='-1' upper='1'", dynamics)).is_empty());
    let limit = "lower='-1' upper='1'";
    check(&robot(limit, "damping='-1'"), "urdf::too-small", "damping");
    check(
        &robot(limit, "friction='-1'"),
        "urdf::too-small",
        "friction",
    );
}

/// A file may have more warnings than are kept: errors among them are not lost.
#[test]
fn errors_are_kept_among_a_thousand_warnings() {
    let joints = |count: usize| "<body><joint damping='-1'/><geom size='.1'/></body>".repeat(count);
    let text = format!(
        "<mujoco><worldbody>{}<geom size='x'/>{}</worldbody></mujoco>",
        joints(1200),
        joints(50)
    );
    let error = sinew_mjcf::load_text(&text).expect_err("a size that is none");
    assert_eq!(error.diagnostics[0].code, "mjcf::number");
    assert!(error.diagnostics.len() <= 1000);
}

/// Lines are counted in pieces: whatever stands before it, a message quotes its own line.
#[test]
fn messages_far_from_the_start_quote_their_line() {
    for lines in [0, 1, 4000, 4094, 4095, 4096, 4097, 9000] {
        for blank in ["\n", "\r\n", "<!-- ä -->\n"] {
            let text = format!("<mujoco>{}<foo/></mujoco>", blank.repeat(lines));
            let error = sinew_mjcf::load_text(&text).expect_err("an unknown element");
            let first = &error.diagnostics[0];
            assert_eq!(first.line as usize, lines + 1);
            let line = text.lines().nth(lines);
            assert_eq!(first.source_line.as_deref(), line, "{lines}");
        }
    }
}

/// A line of more than 10,000 bytes is not quoted, nor is its end looked for, a thousand times.
#[test]
fn lines_that_are_too_long_are_not_quoted() {
    for (length, is_quoted) in [(9_000, true), (11_000, false), (3_000_000, false)] {
        let text = format!("<mujoco><foo/>{}</mujoco>", " ".repeat(length));
        let error = sinew_mjcf::load_text(&text).expect_err("an unknown element");
        assert_eq!(error.diagnostics[0].source_line.is_some(), is_quoted);
    }
}

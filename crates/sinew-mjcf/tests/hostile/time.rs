//! Loading ends when its time is over, also in the middle of what takes long.

use crate::limits;
use sinew_engine::constants::{
    ConstantsError, LengthRangeError, LengthRangeOptions, find_length_range,
    model_for_length_range, set_constants_while, structure_while,
};
use sinew_mjcf::memory::Memory;
use sinew_mjcf::read::xml::{self, TreeLimits};
use sinew_mjcf::report::{Deadline, Report};
use sinew_mjcf::{Limits, LoadError, Loader, Place};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// The weights of a long chain are found without rows, whose cost would grow with its length cubed.
#[test]
fn constants_of_a_long_chain_need_no_rows() {
    for links in [240, 480] {
        let loader = Loader::new().limits(limits());
        let mut model = loader.load_text(&chain(links)).expect("a chain").model;
        let before = model.body_invweight0.clone();
        set_constants_while(&mut model, || false).expect("nobody is asked");
        assert_eq!(model.body_invweight0, before);
    }
}

/// Layouts of the inertia grow with the square of a chain's length: whoever wants no more is heard between rows.
#[test]
fn layouts_are_filled_as_long_as_the_caller_wants() {
    let loader = Loader::new().limits(limits());
    let model = loader.load_text(&chain(480)).expect("a chain").model;
    let mut arrays = (*model).clone();
    let mut asked = 0;
    let result = structure_while(&mut arrays, || {
        asked += 1;
        true
    });
    assert_eq!(result, Ok(()));
    assert!((10..100).contains(&asked), "{asked}");
    assert_eq!(arrays.mapM2D, model.mapM2D);
    for last in [0, asked / 2, asked - 1] {
        let mut calls = 0;
        let result = structure_while(&mut arrays, || {
            calls += 1;
            calls <= last
        });
        assert_eq!(result, Err(ConstantsError::Interrupted));
        assert_eq!(calls, last + 1);
    }
    assert_eq!(
        model.structure_signature_while(&mut || true),
        Some(model.signature)
    );
    let mut empty = sinew_model::ModelArrays {
        nD: 1 << 22,
        ..Default::default()
    };
    assert!(!empty.allocate_while(&mut || false));
}

/// Each entry of one layout leads to the entry of the other that stands for the same two degrees of freedom.
#[test]
fn layouts_of_the_inertia_lead_to_each_other() {
    let text = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>\
        <body><freejoint/><geom size='.1'/><body><joint/><geom size='.1'/></body>\
        <body><joint type='ball'/><geom size='.1'/></body></body>\
        <body><joint type='slide'/><joint type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody></mujoco>";
    let loader = Loader::new().limits(limits());
    let model = loader.load_text(text).expect("a model").model;
    let pairs = |addresses: &[i32], counts: &[i32], columns: &[i32]| -> Vec<(i32, i32)> {
        let rows = addresses.iter().zip(counts).zip(0..);
        rows.flat_map(|((&address, &count), row)| {
            let range = address as usize..(address + count) as usize;
            columns[range].iter().map(move |&column| (row, column))
        })
        .collect()
    };
    let inertia = pairs(&model.M_rowadr, &model.M_rownnz, &model.M_colind);
    let full = pairs(&model.D_rowadr, &model.D_rownnz, &model.D_colind);
    for (entry, pair) in inertia.iter().enumerate() {
        assert_eq!(full[model.mapD2M[entry] as usize], *pair);
    }
    for (entry, &(row, column)) in full.iter().enumerate() {
        let lower = (row.max(column), row.min(column));
        let expected = inertia.iter().position(|pair| *pair == lower);
        let expected = expected.map_or(-1, |place| place as i32);
        assert_eq!(model.mapM2D[entry], expected, "{row}, {column}");
    }
}

fn muscle(joint: &str, settings: &str) -> String {
    format!(
        "<mujoco><compiler><lengthrange {settings}/></compiler><worldbody><body>\
         <joint name='j' {joint}/><geom size='.1'/></body></worldbody>\
         <actuator><muscle joint='j'/></actuator></mujoco>"
    )
}

/// A simulation that would never end is not begun; one that meets a bad value is not begun again.
#[test]
fn length_ranges_that_cannot_be_found_are_refused() {
    let cases = [
        (muscle("", "inttotal='1e300'"), "too many steps"),
        (muscle("", "timestep='1e-12'"), "too many steps"),
        (muscle("ref='1e300'", ""), "unstable"),
        (muscle("ref='inf'", ""), "unstable"),
    ];
    for (text, words) in cases {
        let Err(error) = Loader::new().limits(limits()).load_text(&text) else {
            panic!("{text} loads");
        };
        let first = &error.diagnostics[0];
        assert_eq!(first.code, "mjcf::length-range", "{first}");
        assert!(first.message.contains(words), "{first}");
    }
}

/// Whoever wants no more is heard within the step, of which there are a hundred million here.
#[test]
fn length_ranges_are_searched_as_long_as_the_caller_wants() {
    let text = muscle("range='-1 1'", "").replace("<muscle", "<muscle lengthrange='-1 1'");
    let loader = Loader::new().limits(limits());
    let model = loader.load_text(&text).expect("a muscle").model;
    let options = LengthRangeOptions {
        timestep: 1e-7,
        ..LengthRangeOptions::default()
    };
    let pulled = model_for_length_range(&model, &options);
    let mut asked = 0;
    let found = find_length_range(&pulled, 0, &options, || {
        asked += 1;
        asked < 100
    });
    assert_eq!(found, Err(LengthRangeError::Stopped));
    assert!((100..=102).contains(&asked), "{asked}");
}

/// Everybody who goes through a list looks at the clock: without time nothing is read, expanded or compiled.
#[test]
fn nobody_begins_when_there_is_no_time() {
    let mut report = Report::until(Deadline::after(Duration::ZERO, Arc::default()));
    let place = Place::default();
    assert!(!report.has_time(place));
    assert!(!report.has_time(place));
    assert_eq!(report.error_count(), 1, "it is said once");
    let text = "<mujoco><custom><numeric name='n' data='1 2 3'/></custom></mujoco>";
    let limits = TreeLimits {
        memory: &Memory::default(),
        nesting: 500,
        elements: 1000,
    };
    assert!(xml::parse(text, place, &limits, &mut report).is_none());
    assert_eq!(report.error_count(), 1);
}

/// Loading these took the square of their length.
#[test]
fn long_lists_take_no_longer_than_they_are() {
    let many =
        |count: usize, make: &dyn Fn(usize) -> String| -> String { (0..count).map(make).collect() };
    let config = many(15_000, &|i| format!("<config key='k{i}' value='1'/>"));
    let words = many(60_000, &|i| format!("w{i} "));
    let links = many(9_000, &|i| format!("<link name='l{i}'/>"));
    let ring = many(9_000, &|i| {
        let next = (i + 1) % 9_000;
        format!(
            "<joint name='j{i}' type='fixed'><parent link='l{i}'/><child link='l{next}'/></joint>"
        )
    });
    let strangers = many(9_000, &|i| {
        format!("<joint name='j{i}' type='fixed'><parent link='x{i}'/><child link='y{i}'/></joint>")
    });
    let texts = [
        format!(
            "<mujoco><extension><plugin plugin='mujoco.pid'><instance name='i'>{config}</instance></plugin>\
             </extension></mujoco>"
        ),
        format!("<mujoco><sensor><contact data='{words}'/></sensor></mujoco>"),
        format!("<robot name='r'>{links}{ring}</robot>"),
        format!("<robot name='r'>{links}{strangers}</robot>"),
    ];
    for text in texts {
        let loader = Loader::new().limits(Limits {
            elements: 40_000,
            ..limits()
        });
        let Err(error) = loader.load_text(&text) else {
            panic!("{} loads", &text[..60]);
        };
        assert_ne!(error.diagnostics[0].code, "mjcf::time-limit");
    }
}

/// How often a loader asks whether to go on, if it always hears yes. Asked fewer times it ends with that alone.
fn asked_by<T>(run: impl Fn(&Loader) -> Result<T, LoadError>) -> usize {
    let counting = |last: usize| {
        let calls = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&calls);
        let is_wanted = move || counter.fetch_add(1, Ordering::Relaxed) < last;
        let loader = Loader::new().while_wanted(is_wanted);
        let codes: Vec<&str> = match run(&loader) {
            Ok(_) => Vec::new(),
            Err(error) => error.diagnostics.iter().map(|said| said.code).collect(),
        };
        (calls.load(Ordering::Relaxed), codes)
    };
    let (all, codes) = counting(usize::MAX);
    assert!(codes.is_empty(), "{codes:?}");
    for last in (0..all).step_by(all.div_ceil(40)) {
        let (calls, codes) = counting(last);
        assert_eq!(codes, ["mjcf::interrupted"], "after {last} of {all}");
        // Whoever hears it, and whoever reports it.
        assert!(calls <= last + 4, "{calls} calls after {last} of {all}");
    }
    all
}

/// The edges, the surface and the elasticity of a flex are found bit by bit.
#[test]
fn flexes_are_made_as_long_as_the_caller_wants() {
    let grid = |count: usize| {
        let flexcomp = format!(
            "<mujoco><worldbody><body name='b'><flexcomp name='f' type='grid' dim='3' count='{count} {count} {count}' \
             spacing='.1 .1 .1' mass='1' dof='trilinear' radius='.01'><elasticity young='1000'/><contact \
             selfcollide='none' internal='false'/></flexcomp></body></worldbody></mujoco>"
        );
        asked_by(|loader| loader.load_text(&flexcomp))
    };
    let (small, large) = (grid(5), grid(25));
    assert!(
        large > small + 300,
        "{large} times, {small} for a small one"
    );
}

#[test]
fn files_of_skins_are_read_as_long_as_the_caller_wants() {
    let skin = |vertices: i32| {
        let mut file: Vec<u8> = [vertices, 0, 1, 1].map(i32::to_le_bytes).concat();
        file.resize(file.len() + 12 * vertices as usize, 0);
        file.extend([0, 1, 2].map(i32::to_le_bytes).concat());
        file.extend([b'b'].into_iter().chain([0; 39]));
        file.extend(
            [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
                .map(f32::to_le_bytes)
                .concat(),
        );
        file.extend(vertices.to_le_bytes());
        file.extend((0..vertices).flat_map(i32::to_le_bytes));
        file.extend((0..vertices).flat_map(|_| 1.0_f32.to_le_bytes()));
        let text = "<mujoco><asset><skin file='a.skn'/></asset><worldbody><body name='b'/></worldbody></mujoco>";
        asked_by(|loader| loader.clone().asset("a.skn", file.clone()).load_text(text))
    };
    let (small, large) = (skin(3), skin(300_000));
    assert!(large > small + 20, "{large} times, {small} for a small one");
}

/// An element of a read model takes as long to become one of a draft as it took to be read.
#[test]
fn drafts_are_made_as_long_as_the_caller_wants() {
    let steps = "<geom geom='g'/><site site='s'/>".repeat(50);
    let text = format!(
        "<mujoco><worldbody>{}<site name='s'/></worldbody><tendon><spatial>{steps}</spatial></tendon></mujoco>",
        "<geom name='g' size='1'/>"
            .repeat(50)
            .replacen("name='g'", "", 49)
    );
    let read = asked_by(|loader| loader.read_spec_text(&text));
    let drafted = asked_by(|loader| loader.read_draft_text(&text));
    assert!(drafted > read + 150, "{drafted} times, {read} to read it");
}

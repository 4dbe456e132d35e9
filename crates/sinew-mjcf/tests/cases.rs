//! Small models against what MuJoCo 3.5.0 makes of them: replicates, attached models and cables;
//! flexes; URDF.
//!
//! `cases/*.txt` holds the models, `cases/*_reference.txt` the reference's answers;
//! `conformance/cases.py` says how both are written.

use sinew_mjcf::Loader;
use sinew_model::Model;
use sinew_model::column::Number;
use std::collections::BTreeMap;

/// Relative tolerance of 64-bit and of 32-bit numbers.
const SAME_MATH: f64 = 1e-12;
const SAME_MATH_F32: f64 = 1e-6;

type Files = BTreeMap<String, String>;

#[test]
fn expansion_equals_the_reference() {
    check_all(
        include_str!("cases/expansion.txt"),
        include_str!("cases/expansion_reference.txt"),
        95,
    );
}

#[test]
fn flexes_equal_the_reference() {
    check_all(
        include_str!("cases/flex.txt"),
        include_str!("cases/flex_reference.txt"),
        69,
    );
}

#[test]
fn urdf_equals_the_reference() {
    check_all(
        include_str!("cases/urdf.txt"),
        include_str!("cases/urdf_reference.txt"),
        25,
    );
}

fn check_all(models: &str, reference: &str, least: usize) {
    let cases = cases(models);
    let answers = answers(reference);
    assert!(cases.len() >= least, "{} cases", cases.len());
    assert_eq!(cases.len(), answers.len());
    let mut wrong = Vec::new();
    for ((name, files), (answered, answer)) in cases.iter().zip(&answers) {
        assert_eq!(name, answered);
        if let Err(message) = check(files, answer) {
            wrong.push(format!("{name}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(files: &Files, answer: &[&str]) -> Result<(), String> {
    let mut loader = Loader::new();
    for (name, text) in files.iter().filter(|(name, _)| *name != "main.xml") {
        loader = loader.asset(name, text.as_bytes().to_vec());
    }
    let loaded = loader.load_text(&files["main.xml"]);
    let model = match (loaded, answer) {
        (Err(error), ["error"]) => {
            let first = &error.diagnostics[0];
            assert!(first.line > 0, "an error without a place: {first}");
            return Ok(());
        }
        (Ok(_), ["error"]) => return Err("the reference refuses this".to_string()),
        (Err(error), _) => return Err(error.to_string()),
        (Ok(loaded), _) => loaded.model,
    };
    for line in answer {
        let mut words = line.split(' ');
        let head = words.next().unwrap_or_default();
        if let Some(field) = head.strip_prefix('=') {
            compare_numbers(&model, field, words)?;
        } else {
            let expected: Vec<&str> = words.collect();
            let found = names(&model, head);
            if found != expected {
                return Err(format!("{head} {found:?} instead of {expected:?}"));
            }
        }
    }
    Ok(())
}

/// Names of all objects of a kind; `-` for those without.
fn names<'m>(model: &'m Model, kind: &str) -> Vec<&'m str> {
    let addresses = match kind {
        "body" => &model.name_bodyadr,
        "joint" => &model.name_jntadr,
        "geom" => &model.name_geomadr,
        "site" => &model.name_siteadr,
        "camera" => &model.name_camadr,
        "light" => &model.name_lightadr,
        "flex" => &model.name_flexadr,
        "mesh" => &model.name_meshadr,
        "skin" => &model.name_skinadr,
        "texture" => &model.name_texadr,
        "material" => &model.name_matadr,
        "pair" => &model.name_pairadr,
        "exclude" => &model.name_excludeadr,
        "equality" => &model.name_eqadr,
        "tendon" => &model.name_tendonadr,
        "actuator" => &model.name_actuatoradr,
        "sensor" => &model.name_sensoradr,
        "numeric" => &model.name_numericadr,
        "text" => &model.name_textadr,
        "tuple" => &model.name_tupleadr,
        "key" => &model.name_keyadr,
        other => panic!("no such kind: {other}"),
    };
    let name = |address: &i32| {
        let bytes = &model.names[*address as usize..];
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(0);
        match std::str::from_utf8(&bytes[..end]) {
            Ok("") | Err(_) => "-",
            Ok(name) => name,
        }
    };
    addresses.iter().map(name).collect()
}

fn compare_numbers<'w>(
    model: &Model,
    field: &str,
    words: impl Iterator<Item = &'w str>,
) -> Result<(), String> {
    let columns = model.columns();
    let Some(column) = columns.iter().find(|column| column.name == field) else {
        return Err(format!("no column {field}"));
    };
    let expected: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
    let found: Vec<f64> = match column.number {
        Number::F64 => column
            .bytes
            .chunks(8)
            .map(|b| f64::from_ne_bytes(b.try_into().unwrap()))
            .collect(),
        Number::F32 => column
            .bytes
            .chunks(4)
            .map(|b| f32::from_ne_bytes(b.try_into().unwrap()).into())
            .collect(),
        Number::I32 => column
            .bytes
            .chunks(4)
            .map(|b| i32::from_ne_bytes(b.try_into().unwrap()).into())
            .collect(),
        Number::I64 => column
            .bytes
            .chunks(8)
            .map(|b| i64::from_ne_bytes(b.try_into().unwrap()) as f64)
            .collect(),
        Number::U8 => column.bytes.iter().map(|b| f64::from(*b)).collect(),
    };
    if found.len() != expected.len() {
        return Err(format!(
            "{field} has {} numbers instead of {}",
            found.len(),
            expected.len()
        ));
    }
    let tolerance = match column.number {
        Number::F64 => SAME_MATH,
        Number::F32 => SAME_MATH_F32,
        _ => 0.0,
    };
    let scale = expected
        .iter()
        .fold(1.0_f64, |scale, value| scale.max(value.abs()));
    for (index, (a, b)) in found.iter().zip(&expected).enumerate() {
        if (a - b).abs() > tolerance * scale || a.is_nan() != b.is_nan() {
            return Err(format!("{field}[{index}] is {a} instead of {b}"));
        }
    }
    Ok(())
}

fn cases(text: &str) -> Vec<(String, Files)> {
    let mut shared = Files::new();
    let mut out: Vec<(String, Files)> = Vec::new();
    let mut file = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("== ") {
            let name = title.split(':').next().unwrap_or_default().to_string();
            file = "main.xml".to_string();
            let mut files = shared.clone();
            files.insert(file.clone(), String::new());
            out.push((name, files));
            continue;
        }
        let files = out.last_mut().map_or(&mut shared, |(_, files)| files);
        if let Some(name) = line.strip_prefix("-- ") {
            file = name.to_string();
            files.insert(file.clone(), String::new());
        } else if let Some(text) = files.get_mut(&file) {
            text.push_str(line);
            text.push('\n');
        }
    }
    out
}

fn answers(text: &str) -> Vec<(String, Vec<&str>)> {
    let mut out: Vec<(String, Vec<&str>)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            out.push((name.to_string(), Vec::new()));
        } else if let Some((_, answer)) = out.last_mut() {
            answer.push(line);
        }
    }
    out
}

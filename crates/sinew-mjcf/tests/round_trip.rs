//! A model written and read again compiles to the same model.

use sinew_mjcf::expand::{Budget, expand};
use sinew_mjcf::report::Report;
use sinew_mjcf::{Loader, Spec, compile, read, write};
use sinew_model::Model;
use std::path::{Path, PathBuf};

#[test]
fn every_model_of_the_repository_survives_writing() {
    let mut files = Vec::new();
    collect(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"),
        &mut files,
    );
    assert!(files.len() >= 15, "{} models", files.len());
    let wrong: Vec<String> = files
        .iter()
        .filter_map(|file| check_file(file).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_expansion_case_survives_writing() {
    // Only the cases of one file: attached models are read from their own files.
    let text = include_str!("cases/expansion.txt");
    let mut checked = 0;
    for case in text.split("\n== ").skip(1) {
        let Some((title, body)) = case.split_once('\n') else {
            continue;
        };
        if body.contains("\n-- ") || body.contains("<attach") {
            continue;
        }
        let spec = read_text(body, "");
        if let Some(original) = spec.as_ref().and_then(|spec| compiled(spec.clone())) {
            let message = check(spec.as_ref().expect("read"), &original, "");
            assert!(message.is_ok(), "{title}: {message:?}");
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} cases");
}

#[test]
fn text_is_laid_out_by_section_and_escaped() {
    let written = "<mujoco model=\"a &lt;b&gt;\">\n  \
        <compiler angle=\"radian\"/>\n  \
        <option timestep=\"0.001\">\n    <flag contact=\"disable\"/>\n  </option>\n  \
        <default>\n    <geom friction=\"0.5\"/>\n    \
        <default class=\"arm\">\n      <joint damping=\"1\"/>\n    </default>\n  </default>\n  \
        <custom>\n    <text name=\"t\" data=\"x &quot;&amp;&quot; y\"/>\n  </custom>\n  \
        <worldbody>\n    <body name=\"b\" childclass=\"arm\">\n      <joint name=\"j\" range=\"-1 1\"/>\n      \
        <geom size=\"0.1\"/>\n    </body>\n  </worldbody>\n  \
        <actuator>\n    <motor joint=\"j\"/>\n  </actuator>\n\
        </mujoco>\n";
    let spec = read_text(written, "").expect("reads");
    assert_eq!(write::write(&spec), written);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
}

fn check_file(path: &Path) -> Result<(), String> {
    let shown = path.display();
    let name = path.to_str().ok_or("a name that is not text")?;
    // A file that is only a part of others does not compile by itself.
    let Ok(read) = Loader::new().read_spec_path(name) else {
        return Ok(());
    };
    let Some(original) = compiled(read.spec.clone()) else {
        return Ok(());
    };
    let folder = path.parent().and_then(Path::to_str).unwrap_or_default();
    check(&read.spec, &original, folder).map_err(|message| format!("{shown}: {message}"))
}

fn check(spec: &Spec, original: &Model, folder: &str) -> Result<(), String> {
    let text = write::write(spec);
    let again = read_text(&text, folder).ok_or_else(|| format!("does not read:\n{text}"))?;
    let model = compiled(again).ok_or_else(|| format!("does not compile:\n{text}"))?;
    if model.sizes() != original.sizes() {
        return Err("sizes differ".to_string());
    }
    for (a, b) in model.columns().iter().zip(original.columns()) {
        if a.bytes != b.bytes {
            return Err(format!("{} differs", a.name));
        }
    }
    Ok(())
}

fn read_text(text: &str, folder: &str) -> Option<Spec> {
    let mut report = Report::default();
    let source = Loader::new().source();
    let spec = read::read_text(text, "again.xml", folder, &source, &mut report);
    (!report.has_errors()).then_some(spec)
}

fn compiled(spec: Spec) -> Option<Model> {
    let mut report = Report::default();
    let source = Loader::new().source();
    let mut spec = expand(spec, &source, &Budget::default(), &mut report);
    let model = compile::compile(&mut spec, &source, &mut report);
    model.filter(|_| !report.has_errors())
}

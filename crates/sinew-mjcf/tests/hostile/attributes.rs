//! Every attribute of our models, one at a time, without a value or with one that nobody means.

use crate::{limits, survives};
use sinew_mjcf::Loader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What stands in place of a value: nothing, a number of each kind, a list, a word.
const VALUES: [&str; 8] = [
    "",
    " ",
    "-1",
    "0",
    "nan",
    "1e300",
    "2147483647",
    "no_such_name",
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            out.extend(files(&path));
        } else {
            out.push(path);
        }
    }
    out.sort();
    out
}

/// The byte ranges of all attribute values of a text, comments left out.
fn values(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut out = Vec::new();
    let (mut at, mut tag) = (0, false);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if text[at..].starts_with("<!--") {
            at += text[at..].find("-->").expect("a closed comment");
        } else if bytes[at] == b'<' {
            tag = true;
        } else if bytes[at] == b'>' {
            tag = false;
        } else if tag && (bytes[at] == b'"' || bytes[at] == b'\'') {
            let length = text[at + 1..]
                .find(bytes[at] as char)
                .expect("a closed value");
            out.push(at + 1..at + 1 + length);
            at += length + 1;
        }
        at += 1;
    }
    out
}

/// Constraints and sensors of each kind that names something, by each attribute that can.
const NAMES: &str = r#"<mujoco>
  <extension><plugin plugin="mujoco.sdf.torus"><instance name="i"><config key="radius1" value="1"/></instance></plugin></extension>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="4" height="4"/>
    <material name="m" texture="t"/>
    <mesh name="p" builtin="sphere" params="1"/>
    <hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>
  </asset>
  <default><default class="k"><geom material="m"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" class="k"/>
    <geom name="field" type="hfield" hfield="h"/>
    <light name="l" mode="targetbody" target="a" texture="t"/>
    <camera name="c" mode="targetbody" target="a"/>
    <frame name="fr" childclass="k"><site name="w"/></frame>
    <body name="a" childclass="k"><joint name="j" range="-1 1"/><geom name="ga" size=".1" material="m"/><site name="sa" material="m"/>
      <body name="b" pos="1 0 0"><joint name="s" type="slide"/><geom name="gb" type="mesh" mesh="p"/><site name="sb" pos="1 0 0"/></body>
    </body>
    <body name="f" pos="3 0 0"><freejoint name="fj"/><geom name="gf" size=".1"/><site name="sf"/></body>
    <body name="g" pos="5 0 0"><joint name="ball" type="ball"/><geom size=".1"/></body>
    <replicate count="2" sep="-" offset="1 0 0" childclass="k"><site name="rep"/></replicate>
    <composite type="cable" prefix="cab" curve="s" count="5 1 1" size="1" initial="ball"><joint kind="main" damping="1"/><geom type="capsule" size=".01"/></composite>
  </worldbody>
  <contact><pair name="pa" geom1="ga" geom2="gf" class="k"/><exclude name="ex" body1="a" body2="f"/></contact>
  <equality>
    <connect name="e0" site1="sa" site2="sf" class="k"/>
    <connect name="e1" body1="a" body2="f" anchor="0 0 0"/>
    <weld name="e2" site1="sa" site2="sf"/>
    <weld name="e3" body1="a" body2="f"/>
    <joint name="e4" joint1="j" joint2="s"/>
    <tendon name="e5" tendon1="tf" tendon2="ts"/>
  </equality>
  <tendon>
    <fixed name="tf" class="k"><joint joint="j" coef="1"/></fixed>
    <spatial name="ts" material="m" range="0 9"><site site="sa"/><geom geom="gf" sidesite="sf"/><site site="sb"/><pulley divisor="2"/><site site="sa"/><site site="sf"/></spatial>
  </tendon>
  <actuator>
    <motor name="a0" joint="j" class="k"/><position name="a1" jointinparent="ball"/><velocity name="a2" tendon="ts"/>
    <general name="a3" site="sa" refsite="sf"/><general name="a4" cranksite="sa" slidersite="sb" cranklength="1"/>
    <adhesion name="a5" body="f" ctrlrange="0 1"/><muscle name="a6" tendon="ts" lengthrange="0 1"/>
  </actuator>
  <sensor>
    <touch name="n0" site="sa"/><rangefinder name="n1" site="sa"/><camprojection name="n2" site="sa" camera="c"/>
    <jointpos name="n3" joint="j"/><tendonpos name="n4" tendon="ts"/><actuatorpos name="n5" actuator="a0"/>
    <ballquat name="n6" joint="ball"/><jointlimitpos name="n7" joint="j"/><tendonlimitpos name="n8" tendon="ts"/>
    <framepos name="n9" objtype="body" objname="a" reftype="site" refname="sf"/>
    <subtreecom name="n10" body="a"/><insidesite name="n11" site="sa" objtype="geom" objname="gf"/>
    <distance name="n12" geom1="ga" body2="f"/><normal name="n13" body1="a" geom2="gf"/>
    <contact name="n14" geom1="ga" body2="f" data="found"/><contact name="n15" subtree1="a" data="force"/>
    <contact name="n16" site="sa" data="pos"/><jointactuatorfrc name="n17" joint="j"/><user name="n18" dim="1" objtype="geom" objname="ga"/>
  </sensor>
  <custom>
    <numeric name="q" data="1"/><text name="x" data="y"/>
    <tuple name="tu"><element objtype="body" objname="a"/><element objtype="geom" objname="ga"/></tuple>
  </custom>
  <keyframe><key name="k0" time="1"/></keyframe>
  <deformable>
    <skin name="sk" material="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin>
  </deformable>
</mujoco>"#;

/// Replaces every value of a text by every hostile one; the cases that panic.
fn attack(loader: &Loader, name: &str, text: &str, instead: &[&str]) -> (usize, Vec<String>) {
    let mut bad = Vec::new();
    let mut cases = 0;
    for range in values(text) {
        for value in instead {
            let mut changed = text.to_string();
            changed.replace_range(range.clone(), value);
            cases += 1;
            if catch_unwind(AssertUnwindSafe(|| survives(loader, &changed))).is_err() {
                let line = text[..range.start].lines().count();
                let before = &text[range.start.saturating_sub(20)..range.start];
                bad.push(format!("{name}:{line}: {before}{value}\""));
            }
        }
    }
    (cases, bad)
}

#[test]
fn every_name_may_be_empty_or_wrong() {
    let loader = Loader::new().limits(limits());
    if let Err(error) = loader.load_text(NAMES) {
        panic!("the model itself must load: {error}");
    }
    let (cases, bad) = attack(&loader, "names", NAMES, &VALUES);
    assert!(cases > 1000, "{cases}");
    assert!(bad.is_empty(), "{} panic:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn every_attribute_of_our_models_may_be_empty_or_wrong() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let all = files(&folder);
    let mut loader = Loader::new().limits(limits());
    for path in &all {
        let bytes: Arc<[u8]> = std::fs::read(path).expect("a file").into();
        loader = loader.asset(&path.file_name().expect("a name").to_string_lossy(), bytes);
    }
    let mut bad = Vec::new();
    for path in all
        .iter()
        .filter(|path| path.extension().is_some_and(|e| e == "xml"))
    {
        let text = std::fs::read_to_string(path).expect("a text");
        // Long chains repeat one link; the other models have every attribute.
        if text.len() < 12_000 {
            bad.extend(attack(&loader, &path.to_string_lossy(), &text, &["", "-1"]).1);
        }
    }
    assert!(bad.is_empty(), "{} panic:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn keywords_are_few() {
    let words: String = (0..65).map(|k| format!("w{k} ")).collect();
    let text = format!("<mujoco><sensor><contact data=\"{words}\"/></sensor></mujoco>");
    let error = Loader::new().load_text(&text).expect_err("too many");
    let told = &error.diagnostics[0];
    assert_eq!(told.code, "mjcf::keyword");
    assert!(told.render().contains("more than 64 keywords"), "{error}");
    let twice = "<mujoco><sensor><contact data=\"found found\"/></sensor></mujoco>";
    let error = Loader::new().load_text(twice).expect_err("twice");
    assert!(error.to_string().contains("\"found\" is given twice"));
}

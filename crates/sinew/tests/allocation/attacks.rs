//! Small inputs that ask for a lot: each is refused with little memory; what is legal loads.

use crate::counting::peak_of;
use sinew::mjcf::Loader;
use std::path::Path;

/// What an input that is refused may use.
const MOST: usize = 256 << 20;

fn refused(name: &str, loader: &Loader, text: &str) {
    let (result, peak) = peak_of(|| loader.load_text(text).map(drop));
    assert!(result.is_err(), "{name} loads");
    assert!(peak < MOST, "{name} uses {} MiB", peak >> 20);
}

/// A file whose header claims what is not there.
fn mesh(file: &str, bytes: Vec<u8>) -> (Loader, String) {
    let text = format!(
        "<mujoco><asset><mesh name='m' file='{file}'/></asset><worldbody>\
         <body><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    );
    (Loader::new().asset(file, bytes), text)
}

#[test]
fn attacks_use_little_memory() {
    let plain = Loader::new();
    let copies = "<mujoco><worldbody><replicate count='1000000000'><geom size='1'/></replicate>\
        </worldbody></mujoco>";
    refused("a billion copies", &plain, copies);
    refused(
        "an arena",
        &plain,
        "<mujoco><size memory='900000T'/></mujoco>",
    );
    let own = "<mujoco><asset><model name='m' file='a.xml'/></asset>\
        <worldbody><attach model='m' prefix='p'/></worldbody></mujoco>";
    let within = Loader::new().asset("a.xml", own.as_bytes());
    refused("a model that contains itself", &within, own);
    for element in ["body", "frame", "default"] {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let nested = format!(
            "<mujoco><worldbody>{}{}</worldbody></mujoco>",
            open.repeat(50_000),
            close.repeat(50_000)
        );
        refused("nested elements", &plain, &nested);
    }
    // An STL that claims 4·10⁹ triangles.
    let mut stl = vec![0_u8; 80];
    stl.extend(4_000_000_000_u32.to_le_bytes());
    stl.extend([0; 100]);
    let (loader, text) = mesh("m.stl", stl);
    refused("an STL", &loader, &text);
    // A mesh file that claims 2·10⁹ of everything.
    let claims = 2_000_000_000_i32.to_le_bytes();
    let (loader, text) = mesh("m.msh", claims.repeat(4));
    refused("an MSH", &loader, &text);
}

/// Every bad file of the loader's corpus, the PNG of 1.6·10⁹ pixels among them.
#[test]
fn bad_files_use_little_memory() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sinew-mjcf/tests/corpus");
    let list = std::fs::read_to_string(folder.join("expected.tsv")).expect("the list");
    let files = list.lines().filter(|line| !line.starts_with('#'));
    let files: Vec<&str> = files.filter_map(|line| line.split('\t').next()).collect();
    assert!(files.len() >= 150);
    for file in files {
        let path = folder.join(file);
        let path = path.to_string_lossy();
        let (result, peak) = peak_of(|| Loader::new().load_path(&path).map(drop));
        assert!(result.is_err(), "{file} loads");
        assert!(peak < MOST, "{file} uses {} MiB", peak >> 20);
    }
}

#[test]
fn a_legal_chain_of_450_links_loads() {
    let text = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body pos='0 0 .1'><joint/><geom size='.01'/>".repeat(450),
        "</body>".repeat(450)
    );
    let (result, peak) = peak_of(|| Loader::new().load_text(&text).map(drop));
    assert!(result.is_ok());
    assert!(peak < MOST, "{} MiB", peak >> 20);
}

/// Loading and dropping, and failing to load, leave nothing behind.
#[test]
fn loads_and_failed_loads_leave_nothing() {
    let good = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>";
    let bad = "<mujoco><worldbody><body><joint/><geom sizee='.1'/></body></worldbody></mujoco>";
    let cycle = || {
        for text in [good, bad] {
            drop(Loader::new().load_text(text));
        }
    };
    cycle();
    let before = crate::counting::bytes();
    for _ in 0..1000 {
        cycle();
    }
    assert_eq!(crate::counting::bytes(), before);
}

//! What the crates are built from: the policy on dependencies, checked with `cargo metadata`.
//!
//! - Sources: crates.io or this workspace; no git, no other registry.
//! - Licences: each expression is satisfied by the licences in [`LICENCES`].
//! - No C or C++ in the physics and loader crates: none of their dependencies links a native library,
//!   has a tool that compiles one, or a build script that is not known to do neither.
//! - The engine uses `bytemuck` and `libm`, nothing else.
//!
//! Run alone: `cargo test -p sinew --test architecture dependencies`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Licences that a dependency may have.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Zlib",
];

/// Crates that run no foreign code: what the command line and the bindings add is not theirs.
const PURE: &[&str] = &[
    "sinew-math",
    "sinew-collision",
    "sinew-solver",
    "sinew-model",
    "sinew-dynamics",
    "sinew-engine",
    "sinew-mjcf",
    "sinew-batch",
    "sinew-render",
    "sinew",
];

/// What the first six of them may use.
const ENGINE_USES: &[&str] = &["bytemuck", "libm"];

/// Crates whose build scripts only ask the compiler what it can do.
const BUILD_SCRIPTS: &[&str] = &[
    "libm",
    "proc-macro2",
    "quote",
    "crc32fast",
    "serde",
    "serde_core",
];

/// Tools that compile or find native libraries.
const NATIVE_TOOLS: &[&str] = &["cc", "cmake", "bindgen", "pkg-config", "vcpkg", "cxx-build"];

struct Graph {
    packages: BTreeMap<String, Value>,
    /// Normal and build dependencies by id.
    uses: BTreeMap<String, Vec<String>>,
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or("")
}

fn list<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value[field].as_array().map_or(&[], Vec::as_slice)
}

fn graph() -> Graph {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_string());
    let output = Command::new(cargo)
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(crate::root())
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "the lock file is not current: {errors}"
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata");
    let packages = list(&metadata, "packages").iter();
    let packages = packages.map(|package| (text(package, "id").to_string(), package.clone()));
    let mut uses = BTreeMap::new();
    for node in list(&metadata["resolve"], "nodes") {
        let is_used = |edge: &&Value| {
            let kinds = list(edge, "dep_kinds").iter();
            kinds.into_iter().any(|kind| text(kind, "kind") != "dev")
        };
        let edges = list(node, "deps").iter().filter(is_used);
        let targets = edges.map(|edge| text(edge, "pkg").to_string()).collect();
        uses.insert(text(node, "id").to_string(), targets);
    }
    Graph {
        packages: packages.collect(),
        uses,
    }
}

impl Graph {
    fn name(&self, id: &str) -> &str {
        text(&self.packages[id], "name")
    }

    fn id(&self, name: &str) -> &str {
        let mut ids = self.packages.keys();
        ids.find(|id| self.name(id) == name && self.packages[*id]["source"].is_null())
            .unwrap_or_else(|| panic!("no crate {name}"))
    }

    /// A crate and everything it is built from.
    fn closure<'a>(&'a self, id: &'a str) -> BTreeSet<&'a str> {
        let mut seen = BTreeSet::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if seen.insert(id) {
                pending.extend(self.uses[id].iter().map(String::as_str));
            }
        }
        seen
    }
}

/// Whether a licence expression can be satisfied: `OR` needs one side, `AND` both; `/` is `OR`.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let verdict = either(&words, &mut at);
    verdict && at == words.len()
}

fn either(words: &[&str], at: &mut usize) -> bool {
    let mut verdict = both(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        let other = both(words, at);
        verdict |= other;
    }
    verdict
}

fn both(words: &[&str], at: &mut usize) -> bool {
    let mut verdict = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        let other = one(words, at);
        verdict &= other;
    }
    verdict
}

fn one(words: &[&str], at: &mut usize) -> bool {
    let Some(word) = words.get(*at) else {
        return false;
    };
    *at += 1;
    if *word == "(" {
        let verdict = either(words, at);
        *at += 1;
        return verdict;
    }
    let mut licence = word.to_string();
    if words.get(*at) == Some(&"WITH") {
        licence = format!("{word} WITH {}", words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    LICENCES.contains(&licence.as_str())
}

#[test]
fn licence_expressions_are_understood() {
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("MIT/Apache-2.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("(MIT OR Apache-2.0) AND OpenSSL", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-2.0 WITH Classpath-exception-2.0", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression), expected, "{expression}");
    }
}

#[test]
fn dependencies_come_from_the_registry_with_allowed_licences() {
    let graph = graph();
    for package in graph.packages.values() {
        let (name, licence) = (text(package, "name"), text(package, "license"));
        let source = text(package, "source");
        let is_ours = source.is_empty() && name.starts_with("sinew");
        let is_registered = source.starts_with("registry+https://github.com/rust-lang/crates.io");
        assert!(is_ours || is_registered, "{name} comes from {source:?}");
        assert!(is_allowed(licence), "{name} has the licence {licence:?}");
    }
}

#[test]
fn physics_and_loaders_compile_no_foreign_code() {
    let graph = graph();
    for own in PURE {
        for id in graph.closure(graph.id(own)) {
            let (name, package) = (graph.name(id), &graph.packages[id]);
            assert!(!NATIVE_TOOLS.contains(&name), "{own} is built with {name}");
            assert!(package["links"].is_null(), "{own} links through {name}");
            let kinds = list(package, "targets").iter();
            let mut kinds = kinds.flat_map(|target| list(target, "kind"));
            let has_script = kinds.any(|kind| kind == "custom-build");
            let is_known = BUILD_SCRIPTS.contains(&name);
            assert!(!has_script || is_known, "{own}: {name} has a build script");
        }
    }
}

#[test]
fn the_engine_uses_two_crates_of_others() {
    let graph = graph();
    for own in &PURE[..6] {
        for id in &graph.uses[graph.id(own)] {
            let name = graph.name(id);
            let is_known = name.starts_with("sinew-") || ENGINE_USES.contains(&name);
            assert!(is_known, "{own} uses {name}");
        }
    }
}

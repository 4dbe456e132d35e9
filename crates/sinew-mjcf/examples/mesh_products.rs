//! Compiles meshes and writes their products, for comparison with the reference.
//!
//! Every line of standard input is one mesh: `key=value` pairs separated by tabs. Keys: `out`
//! (file to write), `file`, `content_type`, `vertex`/`normal`/`texcoord` (files of raw f32),
//! `face` (file of raw i32), `builtin`, `params`, `refpos`, `refquat`, `scale`, `smoothnormal`,
//! `maxhullvert`, `inertia`, `hull`. The output is a sequence of `name type count` lines, each
//! followed by that many raw values. Prints one line per mesh: seconds, or the error.

use sinew_mjcf::asset::mesh::{
    CompiledMesh, MeshBuiltin, MeshInertia, MeshRequest, MeshSource, compile_mesh,
};
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> Result<(), Box<dyn Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let keys: HashMap<&str, &str> = line
            .split('\t')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        match run(&keys) {
            Ok(seconds) => println!("ok {seconds:.6}"),
            Err(error) => println!("error {error}"),
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn run(keys: &HashMap<&str, &str>) -> Result<f64, Box<dyn Error>> {
    let raw = |key: &str| -> Result<Vec<u8>, Box<dyn Error>> {
        Ok(match keys.get(key) {
            Some(path) => std::fs::read(path)?,
            None => Vec::new(),
        })
    };
    let floats = |key: &str| -> Result<Vec<f32>, Box<dyn Error>> {
        Ok(raw(key)?
            .chunks_exact(4)
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    };
    let (vertex, normal, texcoord) = (floats("vertex")?, floats("normal")?, floats("texcoord")?);
    let face: Vec<i32> = raw("face")?
        .chunks_exact(4)
        .map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect();
    let bytes = raw("file")?;
    let params: Vec<f64> = numbers(keys.get("params").copied().unwrap_or_default())?;
    let mut request = MeshRequest {
        vertex: &vertex,
        normal: &normal,
        texcoord: &texcoord,
        face: &face,
        smoothnormal: keys.get("smoothnormal") == Some(&"1"),
        needs_hull: keys.get("hull") == Some(&"1"),
        ..MeshRequest::default()
    };
    if let Some(name) = keys.get("file") {
        request.source = MeshSource::File {
            name,
            content_type: keys.get("content_type").copied().unwrap_or_default(),
            bytes: &bytes,
        };
    }
    if let Some(name) = keys.get("builtin") {
        let builtin = match *name {
            "sphere" => MeshBuiltin::Sphere,
            "hemisphere" => MeshBuiltin::Hemisphere,
            "cone" => MeshBuiltin::Cone,
            "supersphere" => MeshBuiltin::Supersphere,
            "supertorus" => MeshBuiltin::Supertorus,
            "wedge" => MeshBuiltin::Wedge,
            "plate" => MeshBuiltin::Plate,
            other => return Err(format!("no builtin {other}").into()),
        };
        request.source = MeshSource::Builtin {
            builtin,
            params: &params,
        };
    }
    if let Some(text) = keys.get("refpos") {
        request.refpos = array(text)?;
    }
    if let Some(text) = keys.get("refquat") {
        request.refquat = array(text)?;
    }
    if let Some(text) = keys.get("scale") {
        request.scale = array(text)?;
    }
    if let Some(text) = keys.get("maxhullvert") {
        request.maxhullvert = text.parse()?;
    }
    if let Some(text) = keys.get("inertia") {
        request.inertia = match *text {
            "convex" => MeshInertia::Convex,
            "exact" => MeshInertia::Exact,
            "legacy" => MeshInertia::Legacy,
            "shell" => MeshInertia::Shell,
            other => return Err(format!("no inertia {other}").into()),
        };
    }
    let start = std::time::Instant::now();
    let mesh = compile_mesh(&request)?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(path) = keys.get("out") {
        std::fs::write(path, products(&mesh))?;
    }
    Ok(seconds)
}

fn numbers(text: &str) -> Result<Vec<f64>, Box<dyn Error>> {
    text.split(',')
        .filter(|t| !t.is_empty())
        .map(|t| Ok(t.parse()?))
        .collect()
}

fn array<const N: usize>(text: &str) -> Result<[f64; N], Box<dyn Error>> {
    numbers(text)?
        .try_into()
        .map_err(|_| format!("expected {N} numbers in {text}").into())
}

fn products(mesh: &CompiledMesh) -> Vec<u8> {
    let mut out = Vec::new();
    let mut f32s = |name: &str, values: &[f32]| {
        out.extend_from_slice(format!("{name} f4 {}\n", values.len()).as_bytes());
        values.iter().for_each(|v| out.extend(v.to_le_bytes()));
    };
    f32s("vert", mesh.vert.as_flattened());
    f32s("normal", mesh.normal.as_flattened());
    f32s("texcoord", mesh.texcoord.as_flattened());
    let mut i32s = |name: &str, values: &[i32]| {
        out.extend_from_slice(format!("{name} i4 {}\n", values.len()).as_bytes());
        values.iter().for_each(|v| out.extend(v.to_le_bytes()));
    };
    i32s("face", mesh.face.as_flattened());
    i32s("facenormal", mesh.facenormal.as_flattened());
    i32s("facetexcoord", mesh.facetexcoord.as_flattened());
    i32s("graph", &mesh.graph);
    i32s("polyvertadr", &mesh.polyvertadr);
    i32s("polyvertnum", &mesh.polyvertnum);
    i32s("polyvert", &mesh.polyvert);
    i32s("polymapadr", &mesh.polymapadr);
    i32s("polymapnum", &mesh.polymapnum);
    i32s("polymap", &mesh.polymap);
    i32s("bvh_depth", &mesh.bvh.depth);
    i32s("bvh_child", mesh.bvh.child.as_flattened());
    i32s("bvh_nodeid", &mesh.bvh.nodeid);
    let mut f64s = |name: &str, values: &[f64]| {
        out.extend_from_slice(format!("{name} f8 {}\n", values.len()).as_bytes());
        values.iter().for_each(|v| out.extend(v.to_le_bytes()));
    };
    let normals: Vec<[f64; 3]> = mesh.polynormal.iter().map(|n| n.0).collect();
    f64s("polynormal", normals.as_flattened());
    f64s("bvh_aabb", mesh.bvh.aabb.as_flattened());
    f64s("pos", &mesh.pos.0);
    f64s("quat", &mesh.quat.0);
    f64s("volume", &[mesh.volume]);
    f64s("inertia_box", &mesh.inertia_box);
    f64s("aamm", &mesh.aamm);
    out
}

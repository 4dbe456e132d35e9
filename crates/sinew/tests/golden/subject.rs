//! Our side of the comparison: fields by name, as plain numbers.

use sinew::engine::{Data, is_sparse};
use sinew::model::Model;
use sinew::model::column::{Column, ColumnMut, Number};

/// A field's numbers, shape and bytes.
pub enum Actual {
    /// Integers of any width.
    Integers {
        values: Vec<i64>,
        shape: Vec<usize>,
        bytes: Vec<u8>,
    },
    /// Floats of any width.
    Floats {
        values: Vec<f64>,
        shape: Vec<usize>,
        bytes: Vec<u8>,
    },
}

impl Actual {
    /// Lengths; empty for a single number.
    pub fn shape(&self) -> &[usize] {
        match self {
            Actual::Integers { shape, .. } | Actual::Floats { shape, .. } => shape,
        }
    }

    /// The numbers as little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Actual::Integers { bytes, .. } | Actual::Floats { bytes, .. } => bytes,
        }
    }

    fn from_bytes(number: Number, bytes: &[u8], shape: Vec<usize>) -> Self {
        fn each<const N: usize, T>(bytes: &[u8], convert: impl Fn([u8; N]) -> T) -> Vec<T> {
            let chunk_to_number =
                |chunk: &[u8]| convert(chunk.try_into().expect("a chunk of N bytes"));
            bytes.chunks_exact(N).map(chunk_to_number).collect()
        }
        let bytes_copy = bytes.to_vec();
        match number {
            Number::F64 => Actual::Floats {
                values: each(bytes, f64::from_ne_bytes),
                shape,
                bytes: bytes_copy,
            },
            Number::F32 => {
                let values = each(bytes, |chunk| f64::from(f32::from_ne_bytes(chunk)));
                Actual::Floats {
                    values,
                    shape,
                    bytes: bytes_copy,
                }
            }
            Number::I32 => {
                let values = each(bytes, |chunk| i64::from(i32::from_ne_bytes(chunk)));
                Actual::Integers {
                    values,
                    shape,
                    bytes: bytes_copy,
                }
            }
            Number::I64 => Actual::Integers {
                values: each(bytes, i64::from_ne_bytes),
                shape,
                bytes: bytes_copy,
            },
            Number::U8 => {
                let values = bytes.iter().map(|&byte| i64::from(byte)).collect();
                Actual::Integers {
                    values,
                    shape,
                    bytes: bytes_copy,
                }
            }
        }
    }

    fn from_i32(values: &[i32], shape: Vec<usize>) -> Self {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_ne_bytes())
            .collect();
        Actual::from_bytes(Number::I32, &bytes, shape)
    }

    fn from_f64(values: Vec<f64>, shape: Vec<usize>) -> Self {
        let bytes = values
            .iter()
            .flat_map(|value| value.to_ne_bytes())
            .collect();
        Actual::Floats {
            values,
            shape,
            bytes,
        }
    }

    fn size(value: i64) -> Self {
        Actual::from_bytes(Number::I64, &value.to_ne_bytes(), Vec::new())
    }
}

/// A field of the model, of its options (`opt.timestep`), statistics or visual settings.
pub fn model_field(model: &mut Model, name: &str) -> Option<Actual> {
    if let Some((group, field)) = name.rsplit_once('.') {
        let fields = match group {
            "opt" => model.opt.fields_mut(),
            "stat" => model.stat.fields_mut(),
            "vis.global_" => model.vis.global.fields_mut(),
            "vis.quality" => model.vis.quality.fields_mut(),
            "vis.headlight" => model.vis.headlight.fields_mut(),
            "vis.map" => model.vis.map.fields_mut(),
            "vis.scale" => model.vis.scale.fields_mut(),
            "vis.rgba" => model.vis.rgba.fields_mut(),
            _ => return None,
        };
        return fields
            .into_iter()
            .find(|column| column.name == field)
            .map(|column| single_row(&column));
    }
    if name == "hull_vertices" {
        let values = hull_vertices(model);
        let shape = vec![values.len()];
        return Some(Actual::from_i32(&values, shape));
    }
    match name {
        "narena" => return Some(Actual::size(model.narena)),
        "njmax" => return Some(Actual::size(model.njmax)),
        "nconmax" => return Some(Actual::size(model.nconmax)),
        "nemax" => return Some(Actual::size(model.nemax)),
        _ => {}
    }
    if let Some((_, value)) = model.sizes().into_iter().find(|(size, _)| *size == name) {
        return Some(Actual::size(value as i64));
    }
    model
        .columns()
        .iter()
        .find(|column| column.name == name)
        .map(from_column)
}

/// A result of the position stage. The suffixes `_used` and `_dense` mark forms that leave out
/// what the reference does not define; `conformance/position_fields.py` describes them.
pub fn data_field(model: &Model, data: &Data, name: &str) -> Option<Actual> {
    let columns = data.columns();
    let get = |name: &str| {
        columns
            .iter()
            .find(|column| column.name == name)
            .map(from_column)
    };
    let integers = |name: &str| match get(name) {
        Some(Actual::Integers { values, .. }) => {
            values.iter().map(|&value| value as usize).collect()
        }
        _ => Vec::new(),
    };
    let floats = |name: &str| match get(name) {
        Some(Actual::Floats { values, .. }) => values,
        _ => Vec::new(),
    };
    let rows = |counts: &str, addresses: &str| Rows {
        counts: integers(counts),
        addresses: integers(addresses),
    };
    let tendon_rows = || rows("ten_J_rownnz", "ten_J_rowadr");
    let moment_rows = || rows("moment_rownnz", "moment_rowadr");
    let as_i32 = |values: Vec<usize>| {
        values
            .into_iter()
            .map(|value| value as i32)
            .collect::<Vec<i32>>()
    };
    match name {
        "ten_J_rownnz_used" | "ten_J_rowadr_used" if is_sparse(model) => {
            get(name.strip_suffix("_used")?)
        }
        "ten_J_colind_used" if is_sparse(model) => {
            let used = as_i32(tendon_rows().used(&integers("ten_J_colind")));
            let shape = vec![used.len()];
            Some(Actual::from_i32(&used, shape))
        }
        "ten_J_dense" if !is_sparse(model) => get("ten_J"),
        "ten_J_dense" => {
            let dense = tendon_rows().dense(&integers("ten_J_colind"), &floats("ten_J"), model.nv);
            Some(Actual::from_f64(dense, vec![model.ntendon, model.nv]))
        }
        "wrap_obj_used" => {
            let points = rows("ten_wrapnum", "ten_wrapadr");
            let Some(Actual::Integers { values, .. }) = get("wrap_obj") else {
                return None;
            };
            let used: Vec<i32> = points
                .used(&values)
                .into_iter()
                .map(|value| value as i32)
                .collect();
            let shape = vec![used.len(), 1];
            Some(Actual::from_i32(&used, shape))
        }
        "wrap_xpos_used" => {
            let points = rows("ten_wrapnum", "ten_wrapadr");
            let flat = floats("wrap_xpos");
            let triples: Vec<[f64; 3]> = flat.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            let used: Vec<f64> = points.used(&triples).concat();
            let shape = vec![used.len() / 3, 3];
            Some(Actual::from_f64(used, shape))
        }
        "moment_colind_used" => {
            let used = as_i32(moment_rows().used(&integers("moment_colind")));
            let shape = vec![used.len()];
            Some(Actual::from_i32(&used, shape))
        }
        "actuator_moment_used" => {
            let used = moment_rows().used(&floats("actuator_moment"));
            let shape = vec![used.len()];
            Some(Actual::from_f64(used, shape))
        }
        _ => get(name),
    }
}

/// Writes an input of the position stage; false if our field has another length.
pub fn set_data_field(data: &mut Data, name: &str, values: &[f64]) -> bool {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_ne_bytes())
        .collect();
    let mut columns = data.columns_mut();
    let Some(column) = columns.iter_mut().find(|column| column.name == name) else {
        return false;
    };
    let fits = column.bytes.len() == bytes.len();
    if fits {
        column.bytes.copy_from_slice(&bytes);
    }
    fits
}

/// The rows of a sparse array.
struct Rows {
    counts: Vec<usize>,
    addresses: Vec<usize>,
}

impl Rows {
    /// The used entries, row after row.
    fn used<T: Copy>(&self, values: &[T]) -> Vec<T> {
        let ranges = self.counts.iter().zip(&self.addresses);
        ranges
            .flat_map(|(&count, &address)| values[address..address + count].iter().copied())
            .collect()
    }

    /// The matrix written out.
    fn dense(&self, columns: &[usize], values: &[f64], width: usize) -> Vec<f64> {
        let mut matrix = vec![0.0; self.counts.len() * width];
        for (row, (&count, &address)) in self.counts.iter().zip(&self.addresses).enumerate() {
            for entry in address..address + count {
                matrix[row * width + columns[entry]] = values[entry];
            }
        }
        matrix
    }
}

/// Per mesh with a hull: the number of hull vertices and their ids in rising order.
fn hull_vertices(model: &Model) -> Vec<i32> {
    let mut numbers = Vec::new();
    for &address in &model.mesh_graphadr {
        let Ok(start) = usize::try_from(address) else {
            continue;
        };
        let count = model.mesh_graph[start] as usize;
        let first = start + 2 + count;
        let mut ids = model.mesh_graph[first..first + count].to_vec();
        ids.sort_unstable();
        numbers.push(count as i32);
        numbers.extend(ids);
    }
    numbers
}

fn from_column(column: &Column<'_>) -> Actual {
    let mut shape = vec![column.rows];
    shape.extend(column.width);
    Actual::from_bytes(column.number, column.bytes, shape)
}

/// A record's field: a number without shape, or a list.
fn single_row(column: &ColumnMut<'_>) -> Actual {
    Actual::from_bytes(
        column.number,
        column.bytes,
        column.width.into_iter().collect(),
    )
}

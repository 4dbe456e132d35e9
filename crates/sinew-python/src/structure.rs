//! Ids, addresses, counts and codes of a model in the hands of Python.
//!
//! A step relies on them, and Python may write them: nobody hears of it. So what Python has asked for is kept as it was
//! when it was last found right, and compared before every call:
//!
//! ```text
//! m.geom_type          the array is lent, its present numbers are kept
//! a call, the same     nothing to do
//! a call, others       the whole structure is checked: right: kept, and the model gets a new version
//!                                                      wrong: an error, also from every later call until it is mended
//! ```
//!
//! Models whose structure nobody has asked for pay nothing. Nodes of the bounding volumes of meshes are many, and rays alone
//! read them: they are compared where there may be rays.

use crate::failure;
use crate::view::Memory;
use pyo3::PyResult;
use sinew::engine::constants::verify;
use sinew::model::Model;
use sinew::model::change::{ChangeError, Fault};
use sinew::model::column::Meaning;
use sinew::model::kinds::{SameFrame, SensorType};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Whether an array is lent on demand: structure, and trees of bounding volumes. Texts are looked up once and for all.
pub fn is_lent(memory: &Memory) -> bool {
    let is_structure = memory.meaning == Meaning::Structure;
    let is_tree = memory.meaning == Meaning::Asset && memory.name.starts_with("bvh_");
    let is_text = matches!(memory.name, "paths" | "text_data" | "plugin_attr");
    (is_structure || is_tree) && !is_text
}

/// How many places an error names.
const SHOWN: usize = 12;

/// How much of what Python has is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What every step reads.
    Step,
    /// The trees of meshes, too, which rays read.
    Rays,
}

/// What Python has of the structure of one model.
#[derive(Default)]
pub struct Structure {
    has_lent: AtomicBool,
    lent: RwLock<Vec<Lent>>,
}

/// An array that Python has.
struct Lent {
    /// Its number among the columns.
    column: usize,
    /// What was in it when the structure was last found right.
    known: Vec<u8>,
    /// The bytes of it that are nodes of meshes.
    far: Range<usize>,
}

impl Lent {
    fn is_same(&self, columns: &[Memory], extent: Extent) -> bool {
        let present = columns[self.column].bytes();
        match extent {
            Extent::Rays => present == self.known,
            Extent::Step => {
                let Range { start, end } = self.far;
                present[..start] == self.known[..start] && present[end..] == self.known[end..]
            }
        }
    }
}

impl Structure {
    /// Keeps the present numbers of a column that Python is about to get. They must be right. An empty one stays as it is;
    /// to compare it would be slow, since processors stumble over an address that is none.
    pub fn lend(&self, model: &Model, columns: &[Memory], column: usize) {
        if columns[column].bytes().is_empty() {
            return;
        }
        let mut lent = self.lent.write().unwrap_or_else(PoisonError::into_inner);
        if lent.iter().all(|known| known.column != column) {
            let known = columns[column].bytes().to_vec();
            let far = if columns[column].name.starts_with("bvh_") {
                let row = known.len() / model.nbvh.max(1);
                let nodes = nodes_of_meshes(model);
                nodes.start * row..nodes.end * row
            } else {
                0..0
            };
            lent.push(Lent { column, known, far });
        }
        self.has_lent.store(true, Ordering::Release);
    }

    /// Refuses a structure that Python has written and that does not hold together. The columns must be the model's.
    #[inline]
    pub fn check(&self, model: &Model, columns: &[Memory], extent: Extent) -> PyResult<()> {
        if !self.has_lent.load(Ordering::Acquire) {
            return Ok(());
        }
        let has_rays = |&code: &i32| code == SensorType::Rangefinder.code();
        let extent = match model.sensor_type.iter().any(has_rays) {
            true => Extent::Rays,
            false => extent,
        };
        let lent = self.lent.read().unwrap_or_else(PoisonError::into_inner);
        if lent.iter().all(|lent| lent.is_same(columns, extent)) {
            return Ok(());
        }
        drop(lent);
        self.check_written(model, columns)
    }

    /// Nobody waits for the list while this looks or complains: that may need the interpreter lock.
    #[cold]
    fn check_written(&self, model: &Model, columns: &[Memory]) -> PyResult<()> {
        // Copied before they are looked at: what another thread writes meanwhile is found by the next call.
        let present = self.present(columns);
        let found = failure::guard(|| check_codes(model).and_then(|()| verify(model)))?;
        let mut lent = self.lent.write().unwrap_or_else(PoisonError::into_inner);
        let Err(error) = found else {
            for present in present {
                if let Some(lent) = lent.iter_mut().find(|lent| lent.column == present.column) {
                    lent.known = present.known;
                }
            }
            model.note_written();
            return Ok(());
        };
        let mut written = Vec::new();
        for (lent, present) in lent.iter().zip(present) {
            let column = &columns[lent.column];
            let rows = column.other_rows(&lent.known, &present.known);
            written.extend(rows.map(|row| (column.name, row)));
        }
        drop(lent);
        Err(failure::wrong_call(refusal(error, &written)))
    }

    /// What Python has, with what is in it now.
    fn present(&self, columns: &[Memory]) -> Vec<Lent> {
        let lent = self.lent.read().unwrap_or_else(PoisonError::into_inner);
        let now = |lent: &Lent| Lent {
            column: lent.column,
            known: columns[lent.column].bytes().to_vec(),
            far: lent.far.clone(),
        };
        lent.iter().map(now).collect()
    }
}

/// The nodes of bounding volumes from the first to the last of a mesh.
fn nodes_of_meshes(model: &Model) -> Range<usize> {
    let trees = model.mesh_bvhadr.iter().zip(&model.mesh_bvhnum);
    let trees = trees.filter(|(_, count)| **count > 0);
    let ends = trees.map(|(&first, &count)| (first as usize, (first + count) as usize));
    let hull = |whole: Option<Range<usize>>, (first, end): (usize, usize)| {
        let whole = whole.unwrap_or(first..end);
        Some(whole.start.min(first)..whole.end.max(end))
    };
    ends.fold(None, hull).unwrap_or(0..0)
}

/// Codes that need not follow from anything.
fn check_codes(model: &Model) -> Result<(), ChangeError> {
    let is_frame = |code: u8| SameFrame::from_code(i32::from(code)).is_some();
    for (column, codes) in [
        ("body_sameframe", &model.body_sameframe),
        ("geom_sameframe", &model.geom_sameframe),
        ("site_sameframe", &model.site_sameframe),
    ] {
        if let Some(row) = codes.iter().position(|&code| !is_frame(code)) {
            let fault = Fault::Unknown;
            return Err(ChangeError { column, row, fault });
        }
    }
    Ok(())
}

/// What is wrong, and where it was written: what does not hold together may show elsewhere.
fn refusal(error: ChangeError, written: &[(&str, usize)]) -> String {
    let ChangeError { column, row, fault } = error;
    let said = match fault {
        Fault::Structure => format!("{column}[{row}] is not what follows from the rest"),
        _ => error.to_string(),
    };
    if written.contains(&(column, row)) {
        return said;
    }
    let place = |(name, row): &(&str, usize)| format!("{name}[{row}]");
    let mut places: Vec<String> = written.iter().take(SHOWN).map(place).collect();
    if written.len() > SHOWN {
        places.push("…".to_owned());
    }
    format!("{} was written: {said}", places.join(", "))
}

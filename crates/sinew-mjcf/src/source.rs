//! Where the bytes of a model come from: named buffers in memory, then files.
//!
//! Paths are text with `/` (or `\`) as separator, as they stand in model files. A path is looked
//! up among the buffers first, by its reduced spelling and then, as the reference does, by its bare
//! file name without regard to case; then in the file system. Only regular files are opened, never
//! devices, pipes, folders or addresses. In confined mode symbolic links are resolved and whatever
//! lies outside the root folder is refused. [`Limits`] are checked before memory is reserved.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::memory::{Memory, Shortage};
use crate::place::Place;
use crate::report::{Deadline, Wish};
use crate::spec::{Document, SourceFile, Spec};

/// How much a model may ask for. Everything is checked before memory is reserved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files of a model together.
    pub total_bytes: u64,
    /// Number of files.
    pub files: u64,
    /// Nesting of includes.
    pub include_depth: usize,
    /// Nesting of sub-models.
    pub attach_depth: usize,
    /// Nesting of elements.
    pub nesting: usize,
    /// Elements, as written and after expansion.
    pub elements: usize,
    /// Bodies and flexes together.
    pub bodies: usize,
    /// Faces of an STL file.
    pub stl_faces: usize,
    /// Vertices or faces of any other mesh.
    pub mesh_elements: usize,
    /// Pixels of an image, cells of a height field.
    pub pixels: u64,
    /// Bytes of a compiled Model.
    pub model_bytes: u64,
    /// Bytes of one Data.
    pub data_bytes: u64,
    /// Bytes that a load may hold at once, the model included. `None`: what the process may still get,
    /// at most 8 GiB.
    pub memory: Option<u64>,
    /// Time a load may take.
    pub load_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 256 << 20,
            total_bytes: 1 << 30,
            files: 10_000,
            include_depth: 64,
            attach_depth: 32,
            nesting: 500,
            elements: 1_000_000,
            bodies: 65_533,
            stl_faces: 200_000,
            mesh_elements: 10_000_000,
            pixels: 1 << 26,
            model_bytes: 4 << 30,
            data_bytes: 4 << 30,
            memory: None,
            load_time: Duration::from_secs(60),
        }
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceError {
    /// Nothing of that name exists.
    NotFound,
    /// It is a folder, a device, a pipe or an address.
    NotAFile,
    /// It lies outside the root folder of confined mode.
    Outside,
    /// A limit is exceeded.
    TooLarge(String),
    /// There is not enough memory for it.
    Memory(Shortage),
    /// The system refused.
    Io(String),
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SourceError::NotFound => write!(f, "file not found"),
            SourceError::NotAFile => write!(f, "not a regular file"),
            SourceError::Outside => write!(f, "outside the permitted folder"),
            SourceError::TooLarge(what) => write!(f, "too large: {what}"),
            SourceError::Memory(shortage) => write!(f, "it would take {shortage}"),
            SourceError::Io(what) => write!(f, "cannot be read: {what}"),
        }
    }
}

/// The kinds of asset file; they differ in the folder they are looked for in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// `mesh`, and the mesh files of a flexcomp.
    Mesh,
    /// `hfield`
    HeightField,
    /// `skin`
    Skin,
    /// `texture`
    Texture,
    /// `model`
    Model,
}

/// The content of a file.
#[derive(Clone, Debug)]
pub enum FileBytes {
    /// A buffer of the user.
    Shared(Arc<[u8]>),
    /// Read from disk for this load.
    Read(Vec<u8>),
}

impl std::ops::Deref for FileBytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            FileBytes::Shared(bytes) => bytes,
            FileBytes::Read(bytes) => bytes,
        }
    }
}

/// Buffers, file system and limits of one load.
#[derive(Debug)]
pub struct Source {
    assets: BTreeMap<String, Arc<[u8]>>,
    root: Option<PathBuf>,
    is_strict: bool,
    limits: Limits,
    memory: Arc<Memory>,
    deadline: Deadline,
    bytes_read: AtomicU64,
    files_read: AtomicU64,
}

impl Default for Source {
    fn default() -> Self {
        Source::new(Limits::default())
    }
}

impl Source {
    /// A source without buffers. The time limit counts from here.
    pub fn new(limits: Limits) -> Self {
        let memory = Arc::new(Memory::new(limits.memory));
        Source {
            assets: BTreeMap::new(),
            root: None,
            is_strict: false,
            deadline: Deadline::after(limits.load_time, memory.clone()),
            memory,
            limits,
            bytes_read: AtomicU64::new(0),
            files_read: AtomicU64::new(0),
        }
    }

    /// Adds a buffer under a name. A name in use is replaced.
    pub fn insert(&mut self, name: &str, bytes: Arc<[u8]>) {
        self.assets.insert(reduce(name), bytes);
    }

    /// Ends the load when nobody wants it any more.
    pub fn end_without(&mut self, wish: Wish) {
        self.deadline = self.deadline().or_without(wish);
    }

    /// Confines the file system to a folder.
    pub fn confine(&mut self, root: PathBuf) {
        self.root = Some(root);
    }

    /// Refuses what the reference does not have.
    pub fn make_strict(&mut self) {
        self.is_strict = true;
    }

    /// Whether what the reference does not have is refused.
    pub fn is_strict(&self) -> bool {
        self.is_strict
    }

    /// The limits in force.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The memory this load holds.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// When this load has to be over.
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }

    /// Whether the time for this load is used up.
    pub fn is_overdue(&self) -> bool {
        self.deadline.is_over()
    }

    /// Whether something readable has this name.
    pub fn exists(&self, path: &str) -> bool {
        self.buffer(path).is_some() || matches!(self.file(path), Ok((_, length)) if length > 0)
    }

    /// One spelling per file: equal for every path that leads to it.
    pub fn identity(&self, path: &str) -> String {
        if let Some((name, _)) = self.buffer(path) {
            return format!("buffer:{name}");
        }
        match std::fs::canonicalize(path) {
            Ok(real) => real.to_string_lossy().into_owned(),
            Err(_) => reduce(path),
        }
    }

    /// The bytes of a buffer or file. Those of a file are held until [`Source::release`].
    pub fn read(&self, path: &str) -> Result<FileBytes, SourceError> {
        if let Some((_, bytes)) = self.buffer(path) {
            self.account(bytes.len() as u64)?;
            return Ok(FileBytes::Shared(bytes.clone()));
        }
        let (real, length) = self.file(path)?;
        self.account(length)?;
        self.memory.take(length).map_err(SourceError::Memory)?;
        let file = std::fs::File::open(&real).map_err(system_error)?;
        if !file.metadata().map_err(system_error)?.is_file() {
            return Err(SourceError::NotAFile);
        }
        let mut bytes = Vec::new();
        let expected = usize::try_from(length).unwrap_or(usize::MAX);
        bytes
            .try_reserve_exact(expected)
            .map_err(|_| SourceError::TooLarge(format!("{length} bytes do not fit the memory")))?;
        file.take(length)
            .read_to_end(&mut bytes)
            .map_err(system_error)?;
        Ok(FileBytes::Read(bytes))
    }

    /// The text of bytes that were read, which are let go of: UTF-8 without its byte order mark; foreign bytes become `�`.
    pub fn text(&self, bytes: FileBytes) -> Result<Arc<str>, Shortage> {
        // Each foreign byte becomes three.
        let replaced = match std::str::from_utf8(&bytes) {
            Ok(_) => 0,
            Err(_) => (bytes.len() as u64).saturating_mul(3),
        };
        self.memory.take(replaced)?;
        let text = self.copy(&String::from_utf8_lossy(&bytes));
        self.memory.give_back(replaced);
        self.release(bytes);
        text
    }

    /// A text of this load's own, without its byte order mark.
    pub fn copy(&self, text: &str) -> Result<Arc<str>, Shortage> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        self.memory.take(text.len() as u64)?;
        Ok(Arc::from(text))
    }

    /// Gives back the memory of bytes that are not needed any more.
    pub fn release(&self, bytes: FileBytes) {
        if let FileBytes::Read(bytes) = bytes {
            self.memory.give_back(bytes.capacity() as u64);
        }
    }

    fn account(&self, length: u64) -> Result<(), SourceError> {
        let limits = &self.limits;
        if length > limits.file_bytes {
            return Err(SourceError::TooLarge(format!(
                "{length} bytes, the limit for one file is {}",
                limits.file_bytes
            )));
        }
        let before = self.bytes_read.fetch_add(length, Ordering::Relaxed);
        if before.saturating_add(length) > limits.total_bytes {
            return Err(SourceError::TooLarge(format!(
                "the files of this model exceed {} bytes",
                limits.total_bytes
            )));
        }
        if self.files_read.fetch_add(1, Ordering::Relaxed) >= limits.files {
            return Err(SourceError::TooLarge(format!(
                "this model reads more than {} files",
                limits.files
            )));
        }
        Ok(())
    }

    fn buffer(&self, path: &str) -> Option<(&str, &Arc<[u8]>)> {
        if self.assets.is_empty() {
            return None;
        }
        let reduced = reduce(path);
        if let Some((name, bytes)) = self.assets.get_key_value(&reduced) {
            return Some((name, bytes));
        }
        let bare = base_name(&reduced).to_ascii_lowercase();
        self.assets
            .iter()
            .find(|(name, _)| base_name(name).to_ascii_lowercase() == bare)
            .map(|(name, bytes)| (name.as_str(), bytes))
    }

    /// The real path and length of a regular file.
    fn file(&self, path: &str) -> Result<(PathBuf, u64), SourceError> {
        if path.is_empty() || path.contains('\0') {
            return Err(SourceError::NotFound);
        }
        let mut real = PathBuf::from(path);
        if let Some(root) = &self.root {
            let root = std::fs::canonicalize(root).map_err(system_error)?;
            real = std::fs::canonicalize(&real).map_err(|error| match system_error(error) {
                // Whether something outside exists is nobody's business.
                SourceError::NotFound if !stays_inside(&root, Path::new(path)) => {
                    SourceError::Outside
                }
                other => other,
            })?;
            if !real.starts_with(&root) {
                return Err(SourceError::Outside);
            }
        }
        let metadata = std::fs::metadata(&real).map_err(system_error)?;
        if !metadata.is_file() {
            return Err(SourceError::NotAFile);
        }
        Ok((real, metadata.len()))
    }
}

/// Whether a path that does not exist would lie in the root folder.
fn stays_inside(root: &Path, path: &Path) -> bool {
    let mut ancestor = path.parent();
    while let Some(folder) = ancestor {
        if let Ok(real) = std::fs::canonicalize(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        }) {
            return real.starts_with(root);
        }
        ancestor = folder.parent();
    }
    false
}

fn system_error(error: std::io::Error) -> SourceError {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => SourceError::NotFound,
        std::io::ErrorKind::IsADirectory => SourceError::NotAFile,
        _ => SourceError::Io(error.to_string()),
    }
}

/// The paths an asset may lie at, best first: the folder of its kind, then, for an asset named in
/// an included file, that file's own folder.
pub fn asset_path(spec: &Spec, place: Place, kind: AssetKind, name: &str) -> Vec<String> {
    asset_path_among(&spec.documents, &spec.files, place, kind, name)
}

/// The same, for a model whose documents and files stand elsewhere.
pub fn asset_path_among(
    documents: &[Document],
    files: &[SourceFile],
    place: Place,
    kind: AssetKind,
    name: &str,
) -> Vec<String> {
    let Some(document) = documents.get(usize::from(place.document)) else {
        return vec![name.to_string()];
    };
    let compiler = &document.compiler;
    let strip = compiler.strippath.as_ref().is_some_and(|s| s.value);
    let name = if strip && kind != AssetKind::Model {
        base_name(name)
    } else {
        name
    };
    let folder = match kind {
        AssetKind::Mesh | AssetKind::HeightField | AssetKind::Skin => compiler.meshdir.as_ref(),
        AssetKind::Texture => compiler.texturedir.as_ref(),
        AssetKind::Model => None,
    };
    let folder = folder.map_or("", |f| f.value.as_str());
    let mut paths = vec![join(&document.directory, &join(folder, name))];
    if place.file != document.main_file
        && let Some(file) = files.get(usize::from(place.file))
    {
        let beside = join(&file.directory, name);
        if !paths.contains(&beside) {
            paths.push(beside);
        }
    }
    paths
}

/// Joins a folder and a path; an absolute path stands for itself.
pub fn join(folder: &str, path: &str) -> String {
    if folder.is_empty() || absolute_prefix(path) > 0 {
        return reduce(path);
    }
    let slash = if folder.ends_with(['/', '\\']) {
        ""
    } else {
        "/"
    };
    reduce(&format!("{folder}{slash}{path}"))
}

/// The folder part of a path, with its closing slash; empty when there is none.
pub fn directory_of(path: &str) -> &str {
    let end = path
        .rfind(['/', '\\'])
        .map_or(0, |slash| slash.saturating_add(1));
    path.get(..end).unwrap_or("")
}

/// The last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Length of the part that makes a path absolute: `/`, or up to `:/` and `:\`.
fn absolute_prefix(path: &str) -> usize {
    if path.starts_with(['/', '\\']) {
        return 1;
    }
    path.find(":/")
        .or_else(|| path.find(":\\"))
        .map_or(0, |at| at.saturating_add(2))
}

/// Removes `.` parts and resolves `..` against the part before it.
pub fn reduce(path: &str) -> String {
    let (prefix, rest) = path
        .split_at_checked(absolute_prefix(path))
        .unwrap_or(("", path));
    let mut kept: Vec<&str> = Vec::new();
    let mut parts = rest.split(['/', '\\']).peekable();
    while let Some(part) = parts.next() {
        let is_last = parts.peek().is_none();
        match part {
            ".." if !is_last && kept.last().is_some_and(|last| *last != "..") => {
                kept.pop();
            }
            "." if !is_last => {}
            _ => kept.push(part),
        }
    }
    format!("{prefix}{}", kept.join("/"))
}

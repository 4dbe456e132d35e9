//! What the commands write: text in one piece, and tables.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

/// Writes text to standard output in one piece. A reader that has gone away is not an error.
pub fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a line to standard error. There is nowhere to report a failure of that.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A heading: bold on a terminal.
pub fn heading(text: &str) -> String {
    let is_plain = std::env::var_os("NO_COLOR").is_some() || !io::stdout().is_terminal();
    if is_plain {
        text.to_owned()
    } else {
        format!("\x1b[1m{text}\x1b[0m")
    }
}

/// `1 body`, `2 bodies`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Rows whose cells are aligned in columns, indented by two spaces. A column that is empty in every
/// row is left out, with its title.
#[derive(Default)]
pub struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with a title above each column.
    pub fn with_titles<const N: usize>(titles: [&str; N]) -> Self {
        Table {
            titles: titles.map(str::to_owned).to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.to_vec());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, i: usize| row.get(i).map_or(0, |c| c.chars().count());
        let used: Vec<usize> = (0..columns)
            .filter(|&i| self.rows.iter().any(|row| cell(row, i) > 0))
            .collect();
        let all_rows = || std::iter::once(&self.titles).chain(&self.rows);
        let width = |i: usize| all_rows().map(|row| cell(row, i)).max().unwrap_or(0);
        let widths: Vec<usize> = used.iter().map(|&i| width(i)).collect();
        for row in all_rows().filter(|row| !row.is_empty()) {
            let mut line = String::new();
            for (&i, width) in used.iter().zip(&widths) {
                let text = row.get(i).map_or("", String::as_str);
                line.push_str("  ");
                line.push_str(text);
                line.extend(std::iter::repeat_n(' ', width - text.chars().count()));
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Whether something can be written to a path: its folder exists, and it is not the model's own file.
pub fn check_path(path: &str, input: &str, what: &str) -> Result<(), String> {
    let file = Path::new(path);
    if is_same_file(file, Path::new(input)) {
        return Err(format!("{path}: {what} would overwrite the model {input}"));
    }
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.is_dir()) {
        return Err(format!("{path}: the folder does not exist"));
    }
    Ok(())
}

/// The same for a picture, which is a PNG file and must not be named as something else.
pub fn check_picture_path(path: &str, input: &str, what: &str) -> Result<(), String> {
    check_path(path, input, what)?;
    let file = Path::new(path);
    match file.extension() {
        Some(ending) if !ending.eq_ignore_ascii_case("png") => Err(format!(
            "{path}: pictures are PNG files, name it {}",
            file.with_extension("png").display()
        )),
        _ => Ok(()),
    }
}

/// Whether two paths lead to one file, by whatever spelling or link.
fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Writes a file whole, or not at all.
pub fn write_file(path: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = format!("{path}.{}.part", std::process::id());
    let written = std::fs::write(&temporary, bytes);
    let done = written.and_then(|()| std::fs::rename(&temporary, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let mut table = Table::with_titles(["name", "unused", "value"]);
        table.row(["a".into(), String::new(), "1".into()]);
        table.row(["längst".into(), String::new(), "22".into()]);
        assert_eq!(
            table.to_string(),
            "  name    value\n  a       1\n  längst  22\n"
        );
    }
}

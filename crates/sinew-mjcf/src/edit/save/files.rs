//! File names of attached models, which were looked for from other folders than those of the model they belong to now.

use crate::edit::draft::Draft;
use crate::edit::record::Id;
use crate::edit::table::Kind;
use crate::source::{base_name, join};

/// The kinds of element with files, and the setting that names their folder.
const FOLDERS: [(Kind, &str); 4] = [
    (Kind::Mesh, "meshdir"),
    (Kind::HField, "meshdir"),
    (Kind::Skin, "meshdir"),
    (Kind::Texture, "texturedir"),
];

/// Says where the files of attached models are, seen from the folder of the model.
pub(super) fn relocate(draft: &mut Draft) {
    for (kind, setting) in FOLDERS {
        let home = folder(draft, 0, setting);
        for id in draft.list(0, kind) {
            let root = draft.record(id).map_or(0, |record| record.root);
            if root != 0 {
                let away = folder(draft, root, setting);
                let strips = draft
                    .setting_record(root, Kind::Model)
                    .is_some_and(|model| model.integer("strippath") != 0);
                rename(draft, id, |file| {
                    let file = if strips { base_name(file) } else { file };
                    from(&home, &join(&away, file))
                });
            }
        }
    }
}

/// The folder of a kind of files of one of the models.
fn folder(draft: &Draft, root: usize, setting: &str) -> String {
    let text = |kind, field| {
        let record = draft.setting_record(root, kind);
        record.map_or("", |record| record.text(field))
    };
    join(
        text(Kind::Model, "modelfiledir"),
        text(Kind::Compiler, setting),
    )
}

fn rename(draft: &mut Draft, id: Id, name: impl Fn(&str) -> String) {
    let Some(record) = draft.record_mut(id) else {
        return;
    };
    let file = record.text("file");
    if !file.is_empty() {
        let file = name(file);
        record.put("file", file);
    }
    if record.kind == Kind::Texture {
        let files = record.texts("cubefiles").iter();
        let files: Vec<String> = files
            .map(|file| {
                if file.is_empty() {
                    String::new()
                } else {
                    name(file)
                }
            })
            .collect();
        record.put("cubefiles", files);
    }
}

/// A path as it is written in a folder: relative to it where that can be said.
fn from(folder: &str, path: &str) -> String {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['/', '\\']).map(str::to_string);
        parts.collect()
    };
    let mut folder = parts(folder);
    if folder.last().is_some_and(String::is_empty) {
        folder.pop();
    }
    let path = parts(path);
    let is_shared = |(one, other): &(&String, &String)| one == other;
    let shared = folder.iter().zip(&path).take_while(is_shared).count();
    let up = folder.get(shared..).unwrap_or_default();
    let is_rooted = |parts: &[String]| {
        parts
            .first()
            .is_some_and(|part| part.is_empty() || part.ends_with(':'))
    };
    if up.iter().any(|part| part == "..")
        || is_rooted(&folder) != is_rooted(&path) && !folder.is_empty()
    {
        return path.join("/");
    }
    let down = path.get(shared..).unwrap_or_default().iter().cloned();
    let up = up.iter().map(|_| "..".to_string());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::from;

    #[test]
    fn paths_are_said_from_a_folder() {
        for (folder, path, said) in [
            ("", "assets/a.obj", "assets/a.obj"),
            ("", "/far/a.obj", "/far/a.obj"),
            ("models/", "models/assets/a.obj", "assets/a.obj"),
            ("/x/models/meshes", "/x/parts/a.obj", "../../parts/a.obj"),
            ("models", "/far/a.obj", "/far/a.obj"),
            ("../here", "../there/a.obj", "../there/a.obj"),
        ] {
            assert_eq!(from(folder, path), said, "{path} in {folder}");
        }
    }
}

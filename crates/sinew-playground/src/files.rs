//! Which of the files that were dropped is the model.

/// A file as it was dropped, or as an archive names it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// Names of the files that can be a model, the likeliest first: what no other file includes, near the top of its
/// archive, a scene before a robot.
pub(crate) fn models(files: &[File]) -> Vec<&str> {
    let mut found: Vec<(&str, &[u8])> = files
        .iter()
        .filter(|file| is_model(&file.name, &file.bytes))
        .map(|file| (file.name.as_str(), file.bytes.as_slice()))
        .collect();
    let texts: Vec<&[u8]> = found.iter().map(|(_, bytes)| *bytes).collect();
    found.sort_by_cached_key(|(name, _)| {
        let bare = bare(name);
        let quoted = [
            format!("/{bare}\""),
            format!("\"{bare}\""),
            format!("/{bare}'"),
            format!("'{bare}'"),
        ];
        let is_included = texts
            .iter()
            .any(|text| quoted.iter().any(|word| contains(text, word.as_bytes())));
        let depth = name.matches('/').count();
        (
            is_included,
            depth,
            !bare.starts_with("scene"),
            (*name).to_owned(),
        )
    });
    found.into_iter().map(|(name, _)| name).collect()
}

fn is_model(name: &str, bytes: &[u8]) -> bool {
    let ending = name.rsplit('.').next().unwrap_or("").to_ascii_lowercase();
    // What systems put into archives beside the files.
    let is_shadow = name.starts_with("__MACOSX/") || bare(name).starts_with('.');
    let is_text = ["xml", "mjcf", "urdf"].contains(&ending.as_str());
    is_text && !is_shadow && (contains(bytes, b"<mujoco") || contains(bytes, b"<robot"))
}

fn bare(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File {
            name: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    #[test]
    fn the_scene_that_includes_the_others_comes_first() {
        let files = [
            file("robot/assets/arm.stl", "solid"),
            file("robot/arm.xml", "<mujoco/>"),
            file("robot/notes.xml", "<notes/>"),
            file("__MACOSX/robot/._arm.xml", "<mujoco/>"),
            file(
                "robot/scene.xml",
                "<mujoco><include file=\"arm.xml\"/></mujoco>",
            ),
            file("robot/parts/leg.xml", "<mujoco/>"),
        ];
        let expected = ["robot/scene.xml", "robot/parts/leg.xml", "robot/arm.xml"];
        assert_eq!(models(&files), expected);
        assert_eq!(models(&files[..1]), [""; 0]);
    }
}

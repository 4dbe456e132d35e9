//! Many pictures: files of a folder, or a film by the program `ffmpeg`.

use sinew::render::Image;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Where pictures go.
pub enum Film {
    /// Into a folder, with numbers for names.
    Folder(PathBuf, usize),
    /// To the program that makes a film of them, which gets its name when it is done.
    Encoder {
        child: Child,
        unfinished: PathBuf,
        name: PathBuf,
    },
}

/// Whether a file is a film by its name.
pub fn is_film(path: &str) -> bool {
    let ending = Path::new(path)
        .extension()
        .and_then(|ending| ending.to_str());
    matches!(ending, Some("mp4" | "gif"))
}

impl Film {
    /// Pictures of a folder, which is made.
    pub fn in_folder(path: &str) -> Result<Self, String> {
        std::fs::create_dir_all(path).map_err(|error| format!("cannot make {path}: {error}"))?;
        Ok(Film::Folder(PathBuf::from(path), 0))
    }

    /// A film of pictures of a size, so many per second.
    pub fn encoded(path: &str, size: (usize, usize), rate: f64) -> Result<Self, String> {
        let name = PathBuf::from(path);
        let ending = name.extension().unwrap_or_default().to_string_lossy();
        let unfinished = name.with_extension(format!("part{}.{ending}", std::process::id()));
        let filter = match &*ending {
            // A film of 256 colours chooses them first.
            "gif" => "split[a][b];[a]palettegen[p];[b][p]paletteuse",
            // Usual players want even sides, and colours at half the size.
            _ => "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p",
        };
        let child = Command::new("ffmpeg")
            .args(["-y", "-loglevel", "error", "-f", "rawvideo"])
            .args(["-pixel_format", "rgb24", "-video_size"])
            .arg(format!("{}x{}", size.0, size.1))
            .args(["-framerate", &rate.to_string(), "-i", "-", "-vf", filter])
            .arg(&unfinished)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        match child {
            Ok(child) => Ok(Film::Encoder {
                child,
                unfinished,
                name,
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Err(
                "a film needs the program ffmpeg; --frames FOLDER writes pictures without it"
                    .to_owned(),
            ),
            Err(error) => Err(format!("cannot start ffmpeg: {error}")),
        }
    }

    /// Adds a picture.
    pub fn add(&mut self, image: &Image) -> Result<(), String> {
        match self {
            Film::Folder(folder, count) => {
                let path = folder.join(format!("{count:05}.png"));
                *count += 1;
                std::fs::write(&path, image.to_png())
                    .map_err(|error| format!("cannot write {}: {error}", path.display()))
            }
            Film::Encoder { child, .. } => {
                let written = child
                    .stdin
                    .as_mut()
                    .map(|pipe| pipe.write_all(&image.pixels));
                written
                    .unwrap_or(Ok(()))
                    .map_err(|error| format!("ffmpeg takes no more pictures: {error}"))
            }
        }
    }

    /// Ends the film; a film that is not wanted, or did not succeed, leaves nothing.
    pub fn finish(self, is_wanted: bool) -> Result<(), String> {
        let Film::Encoder {
            mut child,
            unfinished,
            name,
        } = self
        else {
            return Ok(());
        };
        drop(child.stdin.take());
        let ended = child.wait();
        let is_made = ended.is_ok_and(|status| status.success());
        let result = if !is_wanted {
            Ok(())
        } else if is_made {
            std::fs::rename(&unfinished, &name)
                .map_err(|error| format!("cannot write {}: {error}", name.display()))
        } else {
            Err("ffmpeg did not make the film".to_owned())
        };
        // Nothing is there after a success.
        let _ = std::fs::remove_file(&unfinished);
        result
    }
}

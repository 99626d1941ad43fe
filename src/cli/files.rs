//! Reading and writing files: all of one or nothing of it.

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::Input;
use crate::cli::{Ended, output};

/// Why a command failed, and about which file.
pub(super) struct Failure {
    file: Option<String>,
    message: String,
}

impl Failure {
    pub(super) fn new(message: impl fmt::Display) -> Self {
        Self { file: None, message: message.to_string() }
    }

    pub(super) fn in_file(self, file: &Path) -> Self {
        Self { file: Some(file.display().to_string()), ..self }
    }

    /// Tells it on standard error, as JSON if that is wanted.
    pub(super) fn tell(self, json: bool) -> Ended {
        let Self { file, message } = self;
        if json {
            // Control characters are escapes in JSON.
            let object = serde_json::json!({ "error": message, "file": file });
            let _ = writeln!(std::io::stderr(), "{object}");
        } else {
            output::error(&match file {
                Some(file) => format!("{file}: {message}"),
                None => message,
            });
        }
        Ended::Failed
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::new(error)
    }
}

/// Whether a path stands for standard input or output.
pub(super) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads a document; `-` is standard input.
pub(super) fn read(path: &Path) -> Result<Input, Failure> {
    let read = || -> Result<Input, Failure> {
        let limit = crate::Limits::default().bytes as u64;
        let mut bytes = Vec::new();
        if is_stream(path) {
            // One byte more than allowed is enough to be told that it is too much.
            std::io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
            return Ok(Input::new(bytes));
        }
        let file = std::fs::File::open(path)?;
        let size = file.metadata()?;
        if size.is_dir() {
            return Err(Failure::new("it is a folder"));
        }
        bytes.reserve_exact(usize::try_from(size.len().min(limit) + 1).unwrap_or(0));
        file.take(limit + 1).read_to_end(&mut bytes)?;
        Ok(Input::new(bytes).file_name(path.to_string_lossy()))
    };
    read().map_err(|failure| failure.in_file(path))
}

/// Reads a text file.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::from(error).in_file(path))
}

/// Writes a file: under another name first, then all at once. One that exists is replaced only
/// with `force`.
pub(super) fn write(
    path: &Path,
    force: bool,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let write = || -> Result<(), Failure> {
        if !force && path.symlink_metadata().is_ok() {
            return Err(Failure::new("it exists already; --force replaces it"));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".bunzai-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // What the system allows a new file; not the narrow rights of a temporary one.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        let mut out = std::io::BufWriter::new(file);
        content(&mut out)?;
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        if force {
            file.persist(path)?;
        } else {
            file.persist_noclobber(path)?;
        }
        Ok(())
    };
    write().map_err(|failure| failure.in_file(path))
}

/// The mapping files of a folder and the folders in it.
pub(super) fn mapping_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| Failure::from(error).in_file(&folder))?;
        for entry in entries {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

//! Reading and writing files: all of one or nothing of it.

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::cli::{Ended, output};
use crate::{Error, Input, Limits, printable};

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

    /// What is wrong, without the file.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Tells it on standard error, as JSON if that is wanted.
    pub(super) fn tell(self, json: bool) -> Ended {
        let Self { file, message } = self;
        if json {
            output::json_error(&serde_json::json!({ "error": message, "file": file }));
        } else {
            output::error(&match file {
                Some(file) => format!("{}: {message}", printable(&file)),
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
        let limit = Limits::default().native as u64;
        let mut bytes = Vec::new();
        if is_stream(path) {
            // One byte more than allowed is enough to be told that it is too much.
            std::io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
            return Ok(Input::new(bytes));
        }
        let file = std::fs::File::open(path)?;
        let known = file.metadata()?;
        if known.is_dir() {
            return Err(Failure::new("it is a folder"));
        }
        if known.len() > limit {
            return Err(Error::TooLarge { size: usize::try_from(known.len())?, limit: Limits::default().bytes }.into());
        }
        bytes.reserve_exact(usize::try_from(known.len() + 1).unwrap_or(0));
        file.take(limit + 1).read_to_end(&mut bytes)?;
        Ok(Input::new(bytes).file_name(path.to_string_lossy()))
    };
    read().map_err(|failure| failure.in_file(path))
}

/// How many bytes a mapping file may have.
const MAPPING: u64 = 1 << 20;

/// Reads a mapping file.
pub(super) fn read_mapping(path: &Path) -> Result<String, Failure> {
    let read = || -> Result<String, Failure> {
        let file = std::fs::File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(Failure::new("it is no file"));
        }
        let mut text = String::new();
        file.take(MAPPING + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAPPING {
            return Err(Failure::new(format!("a mapping file has {MAPPING} bytes at the most")));
        }
        Ok(text)
    };
    read().map_err(|failure| failure.in_file(path))
}

/// Writes to standard output. A reader that has seen enough and closes the pipe is no error.
pub(super) fn write_stdout(content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    match content(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// A file that is written under another name, and not yet there.
pub(super) struct Pending {
    /// Nothing where it was written into what stands there, and is no plain file.
    file: Option<NamedTempFile>,
    path: PathBuf,
    force: bool,
}

impl Pending {
    /// Writes a file to be put at a path. One that exists is replaced only with `force`, keeps its
    /// permissions, and is the one that a link leads to.
    pub(super) fn write(
        path: &Path,
        force: bool,
        content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<Self, Failure> {
        let write = || -> Result<Self, Failure> {
            check_place(path, force)?;
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let known = path.metadata().ok();
            if known.as_ref().is_some_and(|known| !known.is_file()) {
                // A pipe or a device takes what is written, and stays what it is.
                content(&mut std::fs::OpenOptions::new().write(true).open(&path)?)?;
                return Ok(Self { file: None, path, force });
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !folder.is_dir() {
                return Err(Failure::new(format!("there is no folder {}", folder.display())));
            }
            let mut builder = tempfile::Builder::new();
            builder.prefix(".bunzai-");
            let known = known.map(|known| known.permissions());
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                // What the system allows a new file; not the narrow rights of a temporary one.
                builder.permissions(known.clone().unwrap_or(std::fs::Permissions::from_mode(0o666)));
            }
            let file = builder.tempfile_in(folder)?;
            let mut out = std::io::BufWriter::new(file);
            content(&mut out)?;
            let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
            if let Some(known) = known {
                file.as_file().set_permissions(known)?;
            }
            Ok(Self { file: Some(file), path, force })
        };
        write().map_err(|failure| failure.in_file(path))
    }

    /// Puts it at its path, all at once.
    pub(super) fn keep(self) -> Result<(), Failure> {
        let Self { file, path, force } = self;
        let Some(file) = file else { return Ok(()) };
        let kept = if force { file.persist(&path) } else { file.persist_noclobber(&path) };
        kept.map(drop).map_err(|error| Failure::from(error.error).in_file(&path))
    }
}

/// Writes a file, all of it or nothing.
pub(super) fn write(
    path: &Path,
    force: bool,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Failure> {
    Pending::write(path, force, content)?.keep()
}

/// Refuses a place at which no file may be written.
pub(super) fn check_place(path: &Path, force: bool) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::new("it is a folder"));
    }
    if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(Failure::new("there is no such folder"));
    }
    // A pipe or a device takes what is written, and stays what it is.
    let takes = path.metadata().is_ok_and(|known| !known.is_file());
    if !force && !takes && path.symlink_metadata().is_ok() {
        return Err(Failure::new("it exists already; --force replaces it"));
    }
    Ok(())
}

/// Writes JSON: to standard output, or to a file that is still to be put in its place.
pub(super) fn write_json(place: &Path, force: bool, value: &serde_json::Value) -> Result<Option<Pending>, Failure> {
    let content = |out: &mut dyn Write| writeln!(out, "{value:#}");
    if is_stream(place) {
        return write_stdout(content).map(|()| None);
    }
    Pending::write(place, force, content).map(Some)
}

/// Whether two paths lead to one file, which need not be there.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    !is_stream(one) && !is_stream(other) && whole(one) == whole(other)
}

/// Where a path leads, links followed; the file need not be there.
pub(super) fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path,
        }
    })
}

/// A writer that refuses to write more than a file may have, which no one could read again.
pub(super) struct Limited<'w> {
    out: &'w mut dyn Write,
    limit: usize,
    left: usize,
}

impl<'w> Limited<'w> {
    /// `native` says whether it is a native file.
    pub(super) fn new(out: &'w mut dyn Write, native: bool) -> Self {
        let limits = Limits::default();
        let limit = if native { limits.native } else { limits.bytes };
        Self { out, limit, left: limit }
    }
}

impl Write for Limited<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.left = self.left.checked_sub(written).ok_or_else(|| {
            let limit = self.limit;
            std::io::Error::other(format!("it would have more than {limit} bytes, and no one could read it again"))
        })?;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

/// The text of a part of a mapping file.
pub(super) fn open_part(path: &str) -> Result<String, String> {
    read_mapping(Path::new(path)).map_err(|failure| failure.message)
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

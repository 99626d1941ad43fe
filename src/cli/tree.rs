//! The files of a folder and the folders in it.

use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

/// What a walk has found, in the order of the paths.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) items: Vec<Found>,
    /// How many hidden files and folders were passed over.
    pub(super) hidden: usize,
}

/// Something that is to be converted, or to be told.
pub(super) struct Found {
    /// Its path in the folder.
    pub(super) path: PathBuf,
    pub(super) state: State,
}

pub(super) enum State {
    /// A file to be read.
    File,
    /// Nothing to be converted, and why.
    Passed(&'static str),
    /// What cannot even be looked at, and why.
    Unreadable(String),
}

/// Walks a folder. Both paths are canonical; what is in the folder `without` is not looked at.
///
/// A link to a file in the folder is a file like others. No other link is followed: it would lead
/// out of the folder, or to files that are found where they stand.
pub(super) fn walk(root: &Path, without: &Path) -> Tree {
    let mut tree = Tree::default();
    let mut hidden = 0;
    let is_wanted = |entry: &DirEntry| {
        let is_hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
        let is_wanted = entry.path() != without && !is_hidden;
        hidden += usize::from(is_hidden);
        is_wanted
    };
    for entry in WalkDir::new(root).sort_by_file_name().into_iter().filter_entry(is_wanted) {
        let (path, state) = match entry {
            Ok(entry) if entry.file_type().is_dir() => continue,
            Ok(entry) => {
                let state = state(&entry, root, without);
                (entry.into_path(), state.unwrap_or_else(|error| State::Unreadable(error.to_string())))
            }
            Err(error) => {
                let path = error.path().unwrap_or(root).to_owned();
                let message = error.into_io_error().map_or_else(|| "it cannot be read".into(), |e| e.to_string());
                (path, State::Unreadable(message))
            }
        };
        let path = path.strip_prefix(root).map_or_else(|_| path.clone(), Path::to_owned);
        tree.items.push(Found { path, state });
    }
    tree.hidden = hidden;
    tree
}

/// What is to be done with something that is no folder.
fn state(entry: &DirEntry, root: &Path, without: &Path) -> io::Result<State> {
    let kind = if entry.path_is_symlink() {
        let real = entry.path().canonicalize()?;
        if !real.starts_with(root) {
            return Ok(State::Passed("a link that leads out of the folder"));
        }
        if real.starts_with(without) {
            return Ok(State::Passed("a link to what is written"));
        }
        real.metadata()?.file_type()
    } else {
        entry.file_type()
    };
    Ok(match kind {
        kind if kind.is_file() => State::File,
        kind if kind.is_dir() => State::Passed("a link to a folder, whose files are found where they stand"),
        // A pipe has no end, and a device may have none.
        _ => State::Passed("no plain file"),
    })
}

//! Formats from mapping files at run time, for the built-in kinds.

use std::fmt;

use bunzai_mapping::{Declaration, Diagnostic, Shown, check, check_loadable};

use crate::model::KINDS;
use crate::{Declared, Kind};

/// A mapping file that is wrong.
#[derive(Debug, Clone)]
pub struct MappingError {
    path: String,
    source: String,
    wrong: Vec<Diagnostic>,
}

impl MappingError {
    /// Everything that is wrong, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.wrong
    }

    /// The text of the file, to show the place of one of them as the whole error does.
    pub fn shown(&self) -> Shown<'_> {
        Shown { path: &self.path, source: &self.source }
    }
}

/// How many diagnostics are shown; nobody mends more at once.
const MOST: usize = 100;

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.shown();
        for (n, wrong) in self.wrong.iter().take(MOST).enumerate() {
            if n > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(&shown.render(wrong))?;
        }
        match self.wrong.len().checked_sub(MOST) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "\n\nand {more} more"),
        }
    }
}

impl std::error::Error for MappingError {}

/// Makes a format of the text of a mapping file. It runs like a compiled one.
///
/// `path` is how the file is named in messages.
///
/// # Errors
/// Everything that is wrong with the file.
///
/// ```
/// let wrong = bunzai::load("mini.toml", "format = \"mini\"\nkind = \"persona\"").unwrap_err();
/// assert!(wrong.to_string().contains("mini.toml:1:1"));
/// ```
pub fn load(path: &str, source: &str) -> Result<Declared, MappingError> {
    let wrong = |wrong| MappingError { path: path.to_owned(), source: source.to_owned(), wrong };
    let declaration = checked(path, source)?;
    let unloadable = check_loadable(&declaration);
    let kind: Option<&Kind> = KINDS.iter().find(|kind| kind.name == declaration.kind);
    match kind.filter(|_| unloadable.is_empty()) {
        Some(kind) => Ok(Declared::loaded(declaration.map, *kind)),
        None => Err(wrong(unloadable)),
    }
}

/// Reads and checks a mapping file for one of the built-in kinds.
pub(crate) fn checked(path: &str, source: &str) -> Result<Declaration, MappingError> {
    let kinds: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind.shape)).collect();
    check(source, &kinds).map_err(|wrong| MappingError { path: path.to_owned(), source: source.to_owned(), wrong })
}

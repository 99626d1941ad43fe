//! Formats from mapping files at run time, for the built-in kinds.

use std::fmt;

use bunzai_mapping::{Diagnostic, Shown, check};

use crate::model::KINDS;
use crate::{Declared, Kind};

/// A mapping file that is wrong.
#[derive(Debug, Clone)]
pub struct Mapping {
    path: String,
    source: String,
    wrong: Vec<Diagnostic>,
}

impl Mapping {
    /// Everything that is wrong, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.wrong
    }
}

/// How many diagnostics are shown; nobody mends more at once.
const MOST: usize = 100;

impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = Shown { path: &self.path, source: &self.source };
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

impl std::error::Error for Mapping {}

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
pub fn load(path: &str, source: &str) -> Result<Declared, Mapping> {
    let kinds: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind.shape)).collect();
    let wrong = |wrong| Mapping { path: path.to_owned(), source: source.to_owned(), wrong };
    let declaration = check(source, &kinds).map_err(wrong)?;
    let kind: Option<&Kind> = KINDS.iter().find(|kind| kind.name == declaration.kind);
    // The check has found the kind.
    kind.map(|kind| Declared::loaded(declaration.map, *kind)).ok_or_else(|| wrong(Vec::new()))
}

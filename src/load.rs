//! Formats from mapping files at run time, for the built-in kinds.

use std::fmt;

use bunzai_mapping::{Declaration, Diagnostic, Files, Open, check_loadable, check_with};

use crate::model::KINDS;
use crate::{Declared, Kind};

/// A mapping file that is wrong, or a part of it.
#[derive(Debug, Clone)]
pub struct MappingError {
    files: Files,
    wrong: Vec<Diagnostic>,
}

impl MappingError {
    /// Everything that is wrong, in the order of the file.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.wrong
    }

    /// The texts of the file and of its parts, to show one of them as the whole error does.
    pub fn files(&self) -> &Files {
        &self.files
    }
}

/// How many diagnostics are shown; nobody mends more at once.
const MOST: usize = 100;

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, wrong) in self.wrong.iter().take(MOST).enumerate() {
            if n > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(&self.files.render(wrong))?;
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
/// `path` is how the file is named in messages. The file stands alone; [`load_with`] reads one that uses
/// parts.
///
/// # Errors
/// Everything that is wrong with the file.
///
/// ```
/// let wrong = bunzai::load("mini.toml", "format = \"mini\"\nkind = \"persona\"").unwrap_err();
/// assert!(wrong.to_string().contains("mini.toml:1:1"));
/// ```
pub fn load(path: &str, source: &str) -> Result<Declared, MappingError> {
    load_with(path, source, &|_| Err("no other files are read here".to_owned()))
}

/// Makes a format of the text of a mapping file and of the parts that it uses.
///
/// `open` gives the text of a part, or says why it cannot. It is asked for the path that stands in the
/// file, put behind the folder of `path`.
///
/// # Errors
/// Everything that is wrong with the files.
///
/// ```
/// let open = |path: &str| std::fs::read_to_string(path).map_err(|error| error.to_string());
/// let source = std::fs::read_to_string("mappings/sillytavern/kobold.toml")?;
/// let kobold = bunzai::load_with("mappings/sillytavern/kobold.toml", &source, &open)?;
/// assert_eq!(kobold.map().format, "sillytavern-kobold");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_with(path: &str, source: &str, open: &Open<'_>) -> Result<Declared, MappingError> {
    checked(path, source, open)?.load()
}

/// A mapping file that is in order by itself.
pub(crate) struct Checked {
    pub(crate) declaration: Declaration,
    files: Files,
}

impl Checked {
    /// Makes a format of it.
    pub(crate) fn load(self) -> Result<Declared, MappingError> {
        let Self { declaration, files } = self;
        let unloadable = check_loadable(&declaration);
        let kind: Option<&Kind> = KINDS.iter().find(|kind| kind.name == declaration.kind);
        match kind.filter(|_| unloadable.is_empty()) {
            Some(kind) => Ok(Declared::loaded(declaration.map, *kind)),
            None => Err(MappingError { files, wrong: unloadable }),
        }
    }

    /// The same file, if it is in order beside others too: `formats` are the ids of all formats there are,
    /// and `other` is the file that declares the same one.
    #[cfg(feature = "cli")]
    pub(crate) fn beside(self, formats: &[&str], other: Option<&str>) -> Result<Self, MappingError> {
        let wrong = bunzai_mapping::check_beside(&self.declaration, formats, other);
        if wrong.is_empty() { Ok(self) } else { Err(MappingError { files: self.files, wrong }) }
    }
}

/// Reads and checks a mapping file for one of the built-in kinds.
pub(crate) fn checked(path: &str, source: &str, open: &Open<'_>) -> Result<Checked, MappingError> {
    let kinds: Vec<_> = KINDS.iter().map(|kind| (kind.name, kind.shape)).collect();
    let checked = check_with(path, source, open, &kinds);
    let checked = checked.map(|(declaration, files)| Checked { declaration, files });
    checked.map_err(|(files, wrong)| MappingError { files, wrong })
}

/// Checks a part by itself.
#[cfg(feature = "cli")]
pub(crate) fn checked_part(path: &str, source: &str) -> Result<(), MappingError> {
    let (files, wrong) = bunzai_mapping::check_part(path, source);
    if wrong.is_empty() { Ok(()) } else { Err(MappingError { files, wrong }) }
}

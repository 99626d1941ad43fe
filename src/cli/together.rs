//! Mapping files that are read together: each by itself, and then beside the others.

use std::path::{Path, PathBuf};

use super::files::{self, Failure};
use super::output;
use crate::load::{Checked, checked, checked_part};
use crate::{MappingError, printable};

/// A mapping file or a part, read.
pub(super) struct Member {
    /// The path, as it is shown.
    pub(super) name: String,
    /// The format it declares, also where something else is wrong.
    id: Option<String>,
    pub(super) read: Result<Sort, Trouble>,
}

/// What a file is that is in order.
pub(super) enum Sort {
    Mapping(Box<Checked>),
    Part,
}

/// Why a file is not in order.
pub(super) enum Trouble {
    Unreadable(Failure),
    /// A document of an application, say: a list of what is no TOML in it helps nobody.
    NoMapping(String),
    Wrong(MappingError),
}

impl Trouble {
    /// Tells it; the answer is how many things it is.
    pub(super) fn tell(self, name: &str) -> usize {
        match self {
            Self::Unreadable(failure) => {
                failure.tell(false);
                1
            }
            Self::NoMapping(why) => {
                output::error(&format!("{}: {why}", printable(name)));
                1
            }
            // Every diagnostic says itself that it is an error, and where.
            Self::Wrong(mapping) => {
                output::note(&mapping.to_string());
                output::note("");
                mapping.diagnostics().len()
            }
        }
    }
}

/// Reads mapping files, which know the formats of each other and those of some ids.
pub(super) fn read(paths: &[PathBuf], formats: &[&str]) -> Vec<Member> {
    let members: Vec<Member> = paths.iter().map(|path| member(path)).collect();
    let declared: Vec<(String, Option<String>)> = members.iter().map(|m| (m.name.clone(), m.id.clone())).collect();
    let ids = declared.iter().filter_map(|(_, id)| id.as_deref());
    let formats: Vec<&str> = formats.iter().copied().chain(ids).collect();
    let beside = |(n, member): (usize, Member)| {
        let same = |(_, id): &&(String, Option<String>)| id.is_some() && *id == member.id;
        let other = declared[..n].iter().find(same).map(|(name, _)| name.as_str());
        let read = match member.read {
            Ok(Sort::Mapping(checked)) => match checked.beside(&formats, other) {
                Ok(checked) => Ok(Sort::Mapping(Box::new(checked))),
                Err(wrong) => Err(Trouble::Wrong(wrong)),
            },
            other => other,
        };
        Member { read, ..member }
    };
    members.into_iter().enumerate().map(beside).collect()
}

fn member(path: &Path) -> Member {
    let name = path.display().to_string();
    let source = match files::read_mapping(path) {
        Ok(source) => source,
        Err(failure) => return Member { name, id: None, read: Err(Trouble::Unreadable(failure)) },
    };
    let read = match bunzai_mapping::is_part(&source) {
        true => checked_part(&name, &source).map(|()| Sort::Part),
        false => checked(&name, &source, &files::open_part).map(|checked| Sort::Mapping(Box::new(checked))),
    };
    let trouble = |wrong| no_mapping(path, &source, &wrong).map_or(Trouble::Wrong(wrong), Trouble::NoMapping);
    Member { id: bunzai_mapping::format_of(&source), read: read.map_err(trouble), name }
}

/// Why a file that is wrong is no mapping file at all: it is JSON, or neither called nor written like one.
fn no_mapping(path: &Path, source: &str, wrong: &MappingError) -> Option<String> {
    let first = wrong.diagnostics().iter().find(|one| one.code.id == "B001")?;
    let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    if serde_json::from_str::<serde_json::Value>(source).is_ok() {
        Some("this is JSON, and no mapping file; those are TOML, and end in `.toml`".to_owned())
    } else if !is_named {
        Some(format!("this is no mapping file; those are TOML, and end in `.toml` ({})", first.message))
    } else {
        None
    }
}

//! The names of the files that a folder becomes.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use unicode_normalization::UnicodeNormalization;

use super::item::Converted;

/// The longest name in bytes. File systems allow 255; a number must fit behind it.
const LONGEST: usize = 240;

/// Gives every item a path of its own.
pub(super) struct Names {
    taken: HashSet<String>,
    /// What the names of items begin with, up to each of their dots: names for items alone.
    reserved: HashSet<String>,
}

/// The name of one item, below the folder that is written.
pub(super) struct Named {
    pub(super) path: PathBuf,
    /// Whether its name was another's already, and it got a number.
    pub(super) numbered: bool,
}

impl Names {
    /// `taken` are paths that no item may have.
    pub(super) fn new<'p>(taken: impl IntoIterator<Item = &'p Path>) -> Self {
        Self { taken: taken.into_iter().map(key).collect(), reserved: HashSet::new() }
    }

    /// Keeps what is like the names of these items for them: the pieces that go beside get others.
    pub(super) fn reserve<'p>(mut self, items: impl IntoIterator<Item = &'p Path>) -> Self {
        for item in items {
            let name = item.file_name().unwrap_or_default().to_string_lossy();
            let stems = name.match_indices('.').map(|(at, _)| &name[..at]).chain([&*name]);
            self.reserved.extend(stems.map(|stem| key(&item.with_file_name(stem))));
        }
        self
    }

    /// The path of a linked piece beside a document, by the name that its export suggests.
    pub(super) fn beside(&mut self, folder: &Path, suggested: &str) -> Named {
        let stem = suggested.strip_suffix(".bunzai.json").or_else(|| suggested.rsplit_once('.').map(|(stem, _)| stem));
        let stem = stem.filter(|stem| !stem.is_empty()).unwrap_or(suggested);
        let extension = suggested[stem.len()..].trim_start_matches('.');
        let is_free = |names: &Self, stem: &OsStr| !names.reserved.contains(&key(&folder.join(stem)));
        self.claim_where(folder, OsStr::new(stem), extension, is_free)
    }

    /// The path of what a file becomes: its own, with the extension of the target. Where a format
    /// takes the name of the entity from that of the file and this one would not do, the name that
    /// the export suggests.
    pub(super) fn name<'i>(&mut self, source: &Path, converted: Converted<'i>) -> (Named, Converted<'i>) {
        let extensions = converted.target().extensions();
        let extension = extensions.first().copied().unwrap_or("json");
        let stem = stem(source, &converted.item().source().extensions());
        let mirrored = with_extension(&stem, extension);
        let suggested = converted.exported().name();
        let fits = mirrored.len() <= LONGEST && converted.exported().reads_back_from(&mirrored.to_string_lossy());
        let stem = match suggested.strip_suffix(extension).and_then(|name| name.strip_suffix('.')) {
            Some(suggested) if !fits => OsString::from(suggested),
            _ => stem,
        };
        let named = self.claim(source.parent().unwrap_or(Path::new("")), &stem, extension);
        let file_name = named.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (named, converted.file_name(file_name))
    }

    fn claim(&mut self, folder: &Path, stem: &OsStr, extension: &str) -> Named {
        self.claim_where(folder, stem, extension, |_, _| true)
    }

    fn claim_where(
        &mut self,
        folder: &Path,
        stem: &OsStr,
        extension: &str,
        is_free: impl Fn(&Self, &OsStr) -> bool,
    ) -> Named {
        let mut path = folder.join(with_extension(stem, extension));
        let mut number = 1;
        let mut numbered = stem.to_owned();
        while !is_free(self, &numbered) || !self.taken.insert(key(&path)) {
            number += 1;
            numbered = stem.to_owned();
            numbered.push(format!("-{number}"));
            path.set_file_name(with_extension(&numbered, extension));
        }
        Named { path, numbered: number > 1 }
    }
}

/// Two paths of one key may be one file: some systems know no case, and some compose accents.
fn key(path: &Path) -> String {
    path.to_string_lossy().nfkc().flat_map(char::to_lowercase).collect()
}

fn with_extension(stem: &OsStr, extension: &str) -> OsString {
    let mut name = stem.to_owned();
    name.push(".");
    name.push(extension);
    name
}

/// The name of a file without its extension: one of those its format writes, or whatever looks
/// like one.
fn stem(file: &Path, extensions: &[&str]) -> OsString {
    let name = Path::new(file.file_name().unwrap_or_default());
    let known = extensions.iter().filter_map(|extension| without(name, extension));
    let shortest = known.min_by_key(|stem| stem.as_os_str().len());
    let looks_like_one = |extension: &OsStr| {
        let bytes = extension.as_encoded_bytes();
        let is_short = bytes.len() <= 5 && bytes.iter().all(u8::is_ascii_alphanumeric);
        // `Dr. Mira` and `v1.2` have none.
        is_short && bytes.first().is_some_and(u8::is_ascii_alphabetic)
    };
    let stem = shortest.or_else(|| name.extension().filter(|e| looks_like_one(e)).and(name.file_stem()).map(Path::new));
    stem.unwrap_or(name).as_os_str().to_owned()
}

/// A name without an extension that may have dots in it; nothing when it has another.
fn without<'n>(name: &'n Path, extension: &str) -> Option<&'n Path> {
    extension.rsplit('.').try_fold(name, |name, part| {
        let ends_so = name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(part));
        if ends_so { name.file_stem().map(Path::new) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::{Names, stem};
    use std::ffi::OsStr;
    use std::path::{Path, PathBuf};

    #[test]
    fn a_stem_is_a_name_without_its_extension() {
        let table = [
            ("wren.json", "wren"),
            ("sub/wren.persona.json", "wren.persona"),
            ("wren.bunzai.json", "wren"),
            ("wren.BUNZAI.JSON", "wren"),
            ("bunzai.json", "bunzai"),
            ("wren.txt", "wren"),
            ("v1.2", "v1.2"),
            ("Dr. Mira", "Dr. Mira"),
            ("wren", "wren"),
        ];
        for (name, expected) in table {
            assert_eq!(stem(Path::new(name), &["bunzai.json", "json"]), expected, "{name}");
        }
    }

    #[test]
    fn no_path_is_given_twice() {
        let mut names = Names::new([Path::new("a/B.json")]);
        let mut claim = |folder: &str, stem: &str| names.claim(Path::new(folder), OsStr::new(stem), "json").path;
        assert_eq!(claim("a", "b"), PathBuf::from("a/b-2.json"));
        assert_eq!(claim("a", "b-2"), PathBuf::from("a/b-2-2.json"));
        assert_eq!(claim("a", "B"), PathBuf::from("a/B-3.json"));
        assert_eq!(claim("", "b"), PathBuf::from("b.json"));
        assert_eq!(claim("", "\u{e9}"), PathBuf::from("\u{e9}.json"));
        assert_eq!(claim("", "E\u{301}"), PathBuf::from("E\u{301}-2.json"));
    }
}

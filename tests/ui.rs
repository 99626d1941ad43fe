//! What the compiler says of declarations that are wrong: one folder of cases for each theme, with
//! the expected words beside each case.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes those words anew; read the difference then. A
//! part of them is the compiler's own, and another version of it may say it differently.

#![allow(clippy::unwrap_used, reason = "a test may stop where it stands")]

use std::path::{Path, PathBuf};
use std::sync::Once;

use bunzai_mapping::CODES;

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui")
}

/// Puts the mapping files of the cases where the crate that is made of them looks for its own.
///
/// `codec!` reads paths relative to the crate that calls it, and `trybuild` makes that crate beside
/// the other output of cargo.
fn place_mappings() {
    // Once: a case that is being compiled must not see half a file.
    static PLACED: Once = Once::new();
    PLACED.call_once(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let mappings = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("mappings");
        std::fs::create_dir_all(&mappings).unwrap();
        for entry in std::fs::read_dir(here().join("file/mappings")).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, mappings.join(path.file_name().unwrap())).unwrap();
        }
    });
}

#[test]
fn what_is_right_compiles_and_runs() {
    place_mappings();
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}

/// Words of attributes that do not agree with each other.
#[test]
fn attributes() {
    trybuild::TestCases::new().compile_fail("tests/ui/attribute/*.rs");
}

/// Attributes that cannot be read.
#[test]
fn malformed_attributes() {
    trybuild::TestCases::new().compile_fail("tests/ui/malformed/*.rs");
}

/// Rows that do not fit the canonical type.
#[test]
fn rows_and_the_model() {
    trybuild::TestCases::new().compile_fail("tests/ui/model/*.rs");
}

/// The same mistakes and others in a mapping file.
#[test]
fn mapping_files() {
    place_mappings();
    trybuild::TestCases::new().compile_fail("tests/ui/file/*.rs");
}

/// Types that cannot be part of a model.
#[test]
fn canonical_types() {
    trybuild::TestCases::new().compile_fail("tests/ui/canonical/*.rs");
}

/// The expected words of all cases.
fn snapshots() -> Vec<(PathBuf, String)> {
    let themes = std::fs::read_dir(here()).unwrap().map(|entry| entry.unwrap().path());
    let files = themes.flat_map(|theme| std::fs::read_dir(theme).unwrap().map(|entry| entry.unwrap().path()));
    let snapshots = files.filter(|path| path.extension().is_some_and(|extension| extension == "stderr"));
    snapshots.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn every_code_has_a_case() {
    let snapshots = snapshots();
    let told = |id: &str| {
        let code = format!("[{id}]");
        snapshots.iter().any(|(_, text)| text.contains(&code))
    };
    // B000 is never told, B035 only where a file is loaded, and B036 and B037 where several files are.
    let elsewhere = ["B000", "B035", "B036", "B037"];
    let codes = CODES.iter().map(|code| code.id).filter(|id| !elsewhere.contains(id));
    let without: Vec<&str> = codes.filter(|id| !told(id)).collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn the_expected_words_hold_nothing_of_this_machine() {
    let root = env!("CARGO_MANIFEST_DIR");
    for (path, text) in snapshots() {
        for odd in [root, ".cargo", "/rustc/", "/tmp/"] {
            assert!(!text.contains(odd), "{odd} in {}", path.display());
        }
        // A line of the library would change with every edit of it.
        let line = text.lines().find(|line| line.contains("bunzai-") && line.contains(".rs:"));
        assert_eq!(line, None, "{}", path.display());
    }
}

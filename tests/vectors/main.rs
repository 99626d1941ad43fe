//! The test vectors under `fixtures/vectors/`: each says what a codec makes of one input.
//!
//! `fixtures/vectors/README.md` has their format. Every codec has one test, which runs all its
//! vectors and tells all failures together; a folder that is added there is found by itself, a
//! codec that is new gets a line in [`codecs!`].

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where it stands"
)]

mod broken;
mod compare;
mod layout;
mod patch;
mod run;
mod vector;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use bunzai::Registry;
use vector::Vector;

static FORMATS: LazyLock<Registry> = LazyLock::new(bunzai::registry);

/// Every vector there is, or what is wrong with its file.
static VECTORS: LazyLock<Vec<Result<Vector, String>>> =
    LazyLock::new(|| vector::collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vectors")));

macro_rules! codecs {
    ($($test:ident: $codec:literal,)*) => {
        const CODECS: &[&str] = &[$($codec),*];

        $(
            #[test]
            fn $test() {
                check($codec);
            }
        )*
    };
}

codecs! {
    bunzai: "bunzai",
    marinara_lorebook: "marinara-lorebook",
    marinara_persona: "marinara-persona",
    marinara_preset: "marinara-preset",
    marinara_regex: "marinara-regex",
    sillytavern_context: "sillytavern-context",
    sillytavern_instruct: "sillytavern-instruct",
    sillytavern_lorebook: "sillytavern-lorebook",
    sillytavern_novel: "sillytavern-novel",
    sillytavern_persona: "sillytavern-persona",
    sillytavern_preset: "sillytavern-preset",
    sillytavern_quickreply: "sillytavern-quickreply",
    sillytavern_reasoning: "sillytavern-reasoning",
    sillytavern_regex: "sillytavern-regex",
    sillytavern_sysprompt: "sillytavern-sysprompt",
    sillytavern_textgen: "sillytavern-textgen",
}

/// Runs the vectors of a codec.
fn check(codec: &str) {
    let (mut passed, mut skipped, mut failed) = (0, 0, 0);
    let mut told = String::new();
    for vector in VECTORS.iter().flatten().filter(|vector| vector.codec == codec) {
        if let Some(why) = &vector.skip {
            skipped += 1;
            println!("skipped {}: {why}", vector.name);
            continue;
        }
        let failures = run::run(&FORMATS, vector);
        if failures.is_empty() {
            passed += 1;
            continue;
        }
        failed += 1;
        let _ = writeln!(told, "{} ({})", vector.name, vector.why);
        for failure in failures {
            let _ = writeln!(told, "    {failure}");
        }
    }
    println!("{codec}: {passed} passed, {failed} failed, {skipped} skipped");
    assert!(failed == 0, "{failed} vectors of {codec} failed ({passed} passed, {skipped} skipped):\n{told}");
    assert!(passed > 0, "{codec} has no vector that runs");
}

#[test]
fn every_file_is_a_vector() {
    let bad: Vec<&str> = VECTORS.iter().filter_map(|vector| vector.as_ref().err()).map(String::as_str).collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn every_vector_belongs_to_a_codec_that_exists_and_has_a_test() {
    let named: BTreeSet<&str> = VECTORS.iter().flatten().map(|vector| vector.codec.as_str()).collect();
    let untested: Vec<&str> = named.iter().copied().filter(|codec| !CODECS.contains(codec)).collect();
    assert!(untested.is_empty(), "these codecs have vectors and no test here: {}", untested.join(", "));
    for vector in VECTORS.iter().flatten().filter(|vector| vector.skip.is_none()) {
        for format in [vector.source(), vector.target()] {
            assert!(FORMATS.format(format).is_ok(), "{}: there is no format `{format}`", vector.name);
        }
    }
}

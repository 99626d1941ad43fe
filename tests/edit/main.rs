//! Frame, by hand: what an edit of the model does to the bytes of the document it came from.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

mod forms;
mod lorebook;
mod native;
mod persona;
mod preset;
mod rules;

use std::path::Path;

use bunzai::json::locate;
use bunzai::{Codec, Entity, Input};

fn sample(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/marinara").join(name)).unwrap()
}

/// The document after an edit, and what the report names.
struct Edited {
    text: String,
    named: Vec<String>,
}

/// Reads a document, edits the entity, and writes it.
#[track_caller]
fn edited<C: Codec>(source: &str, edit: impl FnOnce(&mut C::Body)) -> (Edited, Entity<C::Body>) {
    let mut entity = C::to_canonical(Input::new(source).file_name("rules.json")).unwrap().entity;
    edit(&mut entity.body);
    let exported = C::from_canonical(&entity).unwrap();
    let text = String::from_utf8(exported.bytes().into_owned()).unwrap();
    let report = exported.report().unwrap();
    let losses = report.lost.iter().chain(&report.coerced).chain(&report.kept);
    let named = losses.map(|loss| loss.at.clone()).collect();
    (Edited { text, named }, entity)
}

/// Edits a document in a way that loses nothing, so that it reads back as it was edited.
#[track_caller]
fn carried<C: Codec>(source: &str, edit: impl FnOnce(&mut C::Body)) -> String
where
    C::Body: PartialEq + std::fmt::Debug,
{
    let (Edited { text, named }, entity) = edited::<C>(source, edit);
    assert_eq!(named, [""; 0]);
    let again = C::to_canonical(Input::new(text.as_str()).file_name("rules.json")).unwrap().entity;
    assert_eq!(again.body, entity.body, "it reads back as something else:\n{text}");
    text
}

/// Where the slot at a pointer stands, counted from the end of a byte order mark.
fn slot(text: &str, pointer: &str) -> std::ops::Range<usize> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let span = locate(&text[start..], pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {text}"));
    start + span.start..start + span.end
}

/// The values at the pointers of two documents are all that differs in their bytes.
#[track_caller]
fn only_differ_at(before: &str, after: &str, pointers: &[&str]) {
    let rest = |text: &str| {
        let mut spans: Vec<_> = pointers.iter().map(|pointer| slot(text, pointer)).collect();
        spans.sort_by_key(|span| span.start);
        let mut rest = String::new();
        let mut from = 0;
        for span in spans {
            rest += &text[from..span.start];
            from = span.end;
        }
        rest + &text[from..]
    };
    assert_eq!(rest(before), rest(after));
}

/// The value at a pointer of a document.
#[track_caller]
fn value(text: &str, pointer: &str) -> serde_json::Value {
    serde_json::from_str(&text[slot(text, pointer)]).unwrap()
}

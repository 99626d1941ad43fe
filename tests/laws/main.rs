//! The laws, for every format, over documents and edits made at random.
//!
//! Every case has a seed, which a failure prints; `BUNZAI_SEED` runs one case again and
//! `BUNZAI_CASES` sets how many are run.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "these are tests")]

mod document;
mod edit;
mod pairs;
mod wire;

use std::collections::BTreeSet;

use bunzai::{AnyEntity, Declared, Format, Input, NATIVE_FORMAT, Report};
use document::{Doc, Hostility, Style};
use edit::{Edited, json};
use fastrand::Rng;
use serde_json::Value;
use wire::{changes, pattern};

/// Runs a law over many cases of every format, printing the seed of one that fails.
fn each_case(law: &str, check: impl Fn(&'static Declared, &mut Rng, &mut Tally)) {
    let cases = std::env::var("BUNZAI_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let only: Option<u64> = std::env::var("BUNZAI_SEED").ok().and_then(|n| n.parse().ok());
    for format in bunzai::FORMATS {
        let format = format();
        let mut tally = Tally::default();
        for seed in only.map_or(0..cases, |seed| seed..seed + 1) {
            let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                check(format, &mut Rng::with_seed(seed), &mut tally);
            }));
            if told.is_err() {
                panic!("{law} fails for {} with BUNZAI_SEED={seed}", format.id());
            }
        }
        println!("{law}: {}: {tally:?}", format.id());
    }
}

/// What was looked at, and what was not because the report names it.
#[derive(Debug, Default)]
struct Tally {
    checked: usize,
    skipped: usize,
}

fn text(format: &Declared, rng: &mut Rng, hostility: u8) -> String {
    let doc = document::random(format, rng, Hostility(hostility));
    let style = Style::random(rng);
    doc.print(style, rng)
}

fn import(format: &Declared, text: &str) -> AnyEntity {
    let input = Input::new(text).file_name("Some name.json");
    format.import(input).unwrap_or_else(|error| panic!("{error}\n{text}")).entity
}

fn export(format: &Declared, entity: &AnyEntity) -> String {
    let out = Format::export(format, entity.into()).unwrap();
    String::from_utf8(out.bytes().into_owned()).unwrap()
}

/// Through the native file and back.
fn through_native(entity: &AnyEntity) -> AnyEntity {
    let bytes = NATIVE_FORMAT.export(entity.into()).unwrap().bytes().into_owned();
    NATIVE_FORMAT.import(Input::new(bytes)).unwrap_or_else(|error| panic!("{error}")).entity
}

#[test]
fn untouched() {
    each_case("Untouched", |format, rng, tally| {
        let hostility = [0, 5, 30][rng.usize(..3)];
        let text = text(format, rng, hostility);
        let entity = import(format, &text);
        assert_eq!(export(format, &entity), text);
        let kept = through_native(&entity);
        assert_eq!(json(kept.body.as_node()), json(entity.body.as_node()));
        assert_eq!(export(format, &kept), text);
        tally.checked += 1;
    });
}

/// Some edits at once.
fn edits(entity: &mut AnyEntity, rng: &mut Rng, structural: bool) -> Vec<Edited> {
    (0..rng.usize(1..5)).filter_map(|_| edit::edit(entity.body.as_node_mut(), rng, structural)).collect()
}

#[test]
fn edit_sticks() {
    each_case("EditSticks", |format, rng, tally| {
        let hostility = [0, 5][rng.usize(..2)];
        let text = text(format, rng, hostility);
        let mut entity = import(format, &text);
        edits(&mut entity, rng, true);
        check_reads_back(format, &entity, tally);
    });
}

#[test]
fn fresh_reads() {
    each_case("FreshReads", |format, rng, tally| {
        let mut entity = import(format, &text(format, rng, 0));
        edit::fill_node(entity.body.as_node_mut(), rng);
        entity.original.clear();
        check_reads_back(format, &entity, tally);
    });
}

/// What is written reads back as what was given, but for what the report names.
fn check_reads_back(format: &Declared, entity: &AnyEntity, tally: &mut Tally) {
    let out = Format::export(format, entity.into()).unwrap();
    let report = out.report().unwrap();
    let bytes = out.bytes().into_owned();
    if report.warnings.iter().any(|warning| warning.message.contains("not recognised")) {
        // The format cannot say this entity at all, and the report says so.
        tally.skipped += 1;
        return;
    }
    let again = format.import(Input::new(bytes.clone()).file_name(out.name())).unwrap();
    let (given, found) = (json(entity.body.as_node()), json(again.entity.body.as_node()));
    let named = named(&report);
    let excused = wire::excused(format);
    for change in changes(&given, &found) {
        let at = format!("/body{}", change.at);
        // Of a list that is shorter or longer the report names the items.
        if named
            .iter()
            .any(|path| at == *path || at.starts_with(&format!("{path}/")) || path.starts_with(&format!("{at}/")))
        {
            tally.skipped += 1;
            continue;
        }
        let both = [&change.before, &change.after].into_iter().all(|value| excused.is_nothing(value.as_ref()));
        let is_file_name = excused.from_file.contains(&pattern(&change.at));
        assert!(
            both || is_file_name,
            "{at} was {:?} and reads back {:?}, and the report does not say so\n{}\n{report:#?}",
            change.before,
            change.after,
            String::from_utf8_lossy(&bytes),
        );
    }
    // The report names nothing that reads back the same.
    for path in &named {
        let pointer = path.strip_prefix("/body").unwrap_or(path);
        assert_ne!(given.pointer(pointer), found.pointer(pointer), "{path} is named for nothing");
    }
    tally.checked += 1;
}

fn named(report: &Report) -> BTreeSet<String> {
    let all = [&report.lost, &report.coerced, &report.kept].into_iter().flatten();
    all.map(|loss| loss.at.clone()).collect()
}

#[test]
fn frame() {
    each_case("Frame", |format, rng, tally| {
        let hostility = [0, 5][rng.usize(..2)];
        let text = text(format, rng, hostility);
        let mut entity = import(format, &text);
        let edited: BTreeSet<String> = edits(&mut entity, rng, false).into_iter().map(|edit| edit.path).collect();
        let out = export(format, &entity);
        wire::check_frame(format, &text, &out, &edited);
        tally.checked += 1;
    });
}

#[test]
fn follow() {
    each_case("Follow", |format, rng, tally| {
        let mut doc = document::random(format, rng, Hostility(0));
        wire::mark_rows(format, &mut doc);
        let style = Style::random(rng);
        let text = doc.print(style, rng);
        let mut entity = import(format, &text);
        for _ in 0..rng.usize(1..4) {
            edit::edit(entity.body.as_node_mut(), rng, true);
        }
        let out = export(format, &entity);
        let value: Value = serde_json::from_str(out.trim_start_matches('\u{feff}')).unwrap();
        wire::check_marks(format, &value);
        tally.checked += 1;
    });
}

#[test]
fn recognised() {
    each_case("Recognised", |format, rng, tally| {
        let mut entity = import(format, &text(format, rng, 0));
        edit::fill_node(entity.body.as_node_mut(), rng);
        entity.original.clear();
        let out = Format::export(format, (&entity).into()).unwrap();
        let found = bunzai::formats().detect(&Input::new(out.bytes().into_owned())).unwrap();
        match found.first() {
            Some(best) if best.format.id() == format.id() => tally.checked += 1,
            _ => {
                let report = out.report().unwrap();
                let told = report.warnings.iter().any(|warning| warning.message.contains("not recognised"));
                assert!(told, "not recognised, and nothing said: {found:?}");
                tally.skipped += 1;
            }
        }
    });
}

#[test]
fn contained() {
    each_case("Contained", |format, rng, tally| {
        let mut entity = import(format, &text(format, rng, 0));
        let foreign = format!("{{\"secret-{}\": \"of another application\"}}", rng.u32(..));
        let native = NATIVE_FORMAT.export((&entity).into()).unwrap().bytes().into_owned();
        let native = String::from_utf8(native).unwrap();
        let at = native.find("\"original\": {").unwrap() + "\"original\": {".len();
        let with = format!("{}\"other-format\": {{\"raw\": {foreign}}},{}", &native[..at], &native[at..]);
        entity = NATIVE_FORMAT.import(Input::new(with)).unwrap().entity;
        edits(&mut entity, rng, true);
        assert!(!export(format, &entity).contains("of another application"));
        entity.original.shift_remove(format.id());
        assert!(!export(format, &entity).contains("of another application"));
        tally.checked += 1;
    });
}

#[test]
fn schema_fits() {
    let validators: Vec<_> = bunzai::FORMATS
        .iter()
        .map(|format| {
            let schema = format().read_schema().unwrap().to_value();
            (format().id().to_owned(), jsonschema::validator_for(&schema).unwrap())
        })
        .collect();
    each_case("SchemaFits", |format, rng, tally| {
        let hostility = Hostility([0, 3, 20][rng.usize(..3)]);
        let doc: Doc = document::random(format, rng, hostility);
        let text = doc.compact();
        // A validator sees the last of two equal keys, as the import does.
        let value: Value = serde_json::from_str(&text).unwrap();
        let (_, validator) = validators.iter().find(|(id, _)| id == format.id()).unwrap();
        let imported = format.import(Input::new(text.clone())).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let odd: Vec<_> = imported.warnings.iter().filter(|w| w.kind == bunzai::WarningKind::Type).collect();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert_eq!(odd.is_empty(), errors.is_empty(), "import: {odd:?}\nschema: {errors:?}\n{text}");
        tally.checked += 1;
        tally.skipped += usize::from(!odd.is_empty());
    });
}

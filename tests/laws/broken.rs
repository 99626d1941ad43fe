//! What breaks a law on purpose is told: a test that cannot fail is worse than none.

use std::sync::atomic::{AtomicUsize, Ordering};

use bunzai::{AnyEntity, Canonical, Codec, Declared, Loss, MarinaraLorebook, MarinaraPersona, MarinaraRegex};
use bunzai_runtime::json::Value;
use bunzai_runtime::map::Hatch;
use serde_json::Value as Json;

use crate::checks::Schemas;
use crate::laws::{self, Law};
use crate::own::{AlbumFile, DrawerFile, JotterFile, ProgrammeFile};
use crate::subject::{Out, Subject, value};
use crate::tally::Bounds;
use crate::{Case, run};

/// What is done to what was written.
type Break = fn(&AnyEntity, &mut Out);

/// Runs a law over a format that breaks it; the answer is what the law tells.
fn told(law: Law, format: &'static Declared, break_it: fn(&mut Subject)) -> String {
    let mut subject = Subject::new(format);
    break_it(&mut subject);
    match run(&Case::new(subject), &law) {
        Ok(tally) => panic!("nobody tells: {tally:?}"),
        Err(wrong) => wrong,
    }
}

/// The same for what is done to what was written.
fn told_of(law: Law, format: &'static Declared, break_export: Break) -> String {
    run(&Case::new(Subject { break_export: Some(break_export), ..Subject::new(format) }), &law)
        .map_or_else(|wrong| wrong, |tally| panic!("nobody tells: {tally:?}"))
}

/// Says that some law told something of this sort.
#[track_caller]
fn assert_told(told: &str, part: &str) {
    assert!(told.contains(part), "{part:?} is not what was told: {told}");
}

/// Prints what was written anew.
fn reprint(_: &AnyEntity, out: &mut Out) {
    out.text = value(&out.text).to_string();
}

#[test]
fn untouched_tells_a_writer_that_prints_anew() {
    assert_told(&told_of(laws::untouched, MarinaraPersona::format(), reprint), "unedited, this is written");
}

#[test]
fn untouched_tells_an_import_that_loses_the_twin() {
    let told = told(laws::untouched, MarinaraRegex::format(), |subject| {
        subject.break_import = Some(|entity| entity.original.clear());
    });
    assert_told(&told, "fails for marinara-regex");
}

/// A kind with one text, whose hatch lies.
#[derive(Debug, Clone, PartialEq, Canonical)]
#[canonical(kind = "memo", name = text)]
struct Memo {
    text: String,
    word: Option<String>,
}

/// It reads another value every time.
static MOODY: Hatch = Hatch {
    read: |_| {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        vec![Some(Value::text(format!("mood {}", COUNT.fetch_add(1, Ordering::Relaxed))))]
    },
    write: |paths, _| vec![paths[0].as_ref().and_then(Value::as_text).map(|text| Value::text(text.to_owned()))],
};

/// A memo with a hatch that is not pure.
#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Memo, label = "Memo", detect(all(text: string)))]
#[codec(joins = [(wire = [word], to = [word], via = "crate::broken::MOODY")])]
struct MoodyMemo {
    #[codec(to = text, need)]
    text: String,
}

/// A memo whose gate asks for what is never written.
#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Memo, label = "Memo", lost = [word], detect(all(text: string, stamp: string)))]
struct StrictMemo {
    #[codec(to = text, need)]
    text: String,
    #[codec(sealed)]
    stamp: String,
}

#[test]
fn untouched_tells_a_hatch_that_lies() {
    assert_told(&told(laws::untouched, MoodyMemo::format(), |_| {}), "unedited");
}

#[test]
fn the_report_must_name_every_loss() {
    let hide = |_: &AnyEntity, out: &mut Out| out.report.lost.clear();
    assert_told(&told_of(laws::edit_sticks, MarinaraRegex::format(), hide), "the report does not name");
    assert_told(&told_of(laws::fresh_reads, MarinaraLorebook::format(), hide), "the report does not name");
    let hide = |_: &AnyEntity, out: &mut Out| out.report.coerced.clear();
    assert_told(&told_of(laws::edit_sticks, AlbumFile::format(), hide), "the report does not name");
}

#[test]
fn the_report_must_name_nothing_else() {
    let add = |_: &AnyEntity, out: &mut Out| {
        out.report.lost.push(Loss { at: "/body/name".into(), reason: String::new(), value: None });
    };
    assert_told(&told_of(laws::fresh_reads, MarinaraPersona::format(), add), "reads back the same");
    let swap = |_: &AnyEntity, out: &mut Out| std::mem::swap(&mut out.report.lost, &mut out.report.coerced);
    assert_told(&told_of(laws::edit_sticks, MarinaraRegex::format(), swap), "is said of");
}

#[test]
fn what_is_written_must_read_back() {
    let lose = |_: &AnyEntity, out: &mut Out| out.text = out.text.replace("lamp", "lump");
    assert_told(&told_of(laws::edit_sticks, MarinaraPersona::format(), lose), "the report does not name");
    assert_told(&told_of(laws::fresh_reads, DrawerFile::format(), lose), "the report does not name");
}

#[test]
fn frame_tells_every_byte_that_is_not_the_twins() {
    let breaks: [(Break, &str); 6] = [
        (reprint, "fails"),
        // Between a key and its value.
        (|_, out| out.text = out.text.replacen("\":", "\"  :", 1), "changed"),
        // What no map knows.
        (|_, out| out.text = out.text.replacen("mark 1", "mark one", 1), "fails"),
        // Behind the document.
        (|_, out| out.text.push('\n'), "around the document"),
        // Escapes inside a string.
        (|_, out| out.text = out.text.replacen("\\u0009", "\\t", 1), "changed"),
        // A slot that was not edited.
        (|_, out| out.text = out.text.replacen("lamp", "lump", 1), "changed"),
    ];
    for (n, (break_export, part)) in breaks.into_iter().enumerate() {
        let format = if n % 2 == 0 { MarinaraLorebook::format() } else { AlbumFile::format() };
        assert_told(&told_of(laws::frame, format, break_export), part);
    }
}

#[test]
fn frame_tells_bytes_of_a_text_in_a_string() {
    // The rows of an option list stand in JSON text.
    let spaced = |_: &AnyEntity, out: &mut Out| out.text = out.text.replacen("\\\":", "\\\" :", 1);
    assert_told(&told_of(laws::frame, bunzai::MarinaraPreset::format(), spaced), "changed");
}

#[test]
fn frame_tells_rows_and_ids_that_lost_their_place() {
    let drop_stale = |_: &AnyEntity, out: &mut Out| out.text = out.text.replacen("\"stale\"", "\"fresh\"", 1);
    assert_told(&told_of(laws::frame, DrawerFile::format(), drop_stale), "boxOrder");
}

#[test]
fn follow_tells_what_went_to_another_row() {
    let swap = |_: &AnyEntity, out: &mut Out| {
        out.text = out.text.replace("mark 0", "mark x").replace("mark 1", "mark 0").replace("mark x", "mark 1");
    };
    assert_told(&told_of(laws::follow, MarinaraLorebook::format(), swap), "bore");
    assert_told(&told_of(laws::follow, bunzai::MarinaraPreset::format(), swap), "bore");
    assert_told(&told_of(laws::follow, DrawerFile::format(), swap), "bore");
}

#[test]
fn rows_that_several_maps_read_are_looked_at() {
    let stale = |_: &AnyEntity, out: &mut Out| out.text = out.text.replacen("\"stale\"", "\"fresh\"", 1);
    assert_told(&told_of(laws::frame, ProgrammeFile::format(), stale), "/order");
    // The mark of an item, or of a row.
    let mark = |_: &AnyEntity, out: &mut Out| out.text = out.text.replacen("mark 3", "mark three", 1);
    assert_told(&told_of(laws::frame, ProgrammeFile::format(), mark), "fails");
    let spaced = |_: &AnyEntity, out: &mut Out| out.text = out.text.replacen("\":", "\"  :", 1);
    assert_told(&told_of(laws::frame, JotterFile::format(), spaced), "changed");
    let swap = |_: &AnyEntity, out: &mut Out| {
        out.text = out.text.replace("mark 0", "mark x").replace("mark 1", "mark 0").replace("mark x", "mark 1");
    };
    assert_told(&told_of(laws::follow, ProgrammeFile::format(), swap), "bore");
    assert_told(&told_of(laws::follow, JotterFile::format(), swap), "bore");
    let hide = |_: &AnyEntity, out: &mut Out| out.report.coerced.retain(|loss| !loss.at.starts_with("/body/acts"));
    assert_told(&told_of(laws::edit_sticks, ProgrammeFile::format(), hide), "the report does not name");
    let ungrouped = |_: &AnyEntity, out: &mut Out| out.text = out.text.replace("\"~~ ", "\"").replace("\"= ", "\"");
    assert_told(&told_of(laws::fresh_reads, ProgrammeFile::format(), ungrouped), "the report does not name");
}

#[test]
fn recognised_tells_a_gate_that_refuses_its_own_file() {
    let told = told_of(laws::recognised, StrictMemo::format(), |_, out| out.report.warnings.clear());
    assert_told(&told, "not recognised, and nothing said");
    // Where the export says so nothing is wrong with a case; but all cases are too many.
    let tally = run(&Case::new(Subject::new(StrictMemo::format())), &laws::recognised).unwrap();
    assert_eq!(tally.skipped, tally.cases);
    if tally.cases >= Bounds::ENOUGH {
        assert!(Bounds { skipped: 99, named: 100 }.check(&tally).is_err());
    }
}

#[test]
fn contained_tells_what_another_application_keeps() {
    let leak = |entity: &AnyEntity, out: &mut Out| {
        if let Some(other) = entity.original.get("other-format") {
            out.text.push_str(other.raw());
        }
    };
    assert_told(&told_of(laws::contained, MarinaraPersona::format(), leak), "another application");
}

#[test]
fn the_gate_tells_a_score_that_is_not_its_own() {
    for break_score in [(|_| 0.0) as fn(f64) -> f64, |_| 1.0] {
        let subject = Subject { break_score: Some(break_score), ..Subject::new(MarinaraRegex::format()) };
        let wrong = run(&Case::new(subject), &laws::gate_is_import).map(drop).unwrap_err();
        assert_told(&wrong, "the score is");
    }
}

#[test]
fn schemas_tell_documents_that_are_not_theirs() {
    for law in [laws::schema_fits as Law, laws::fresh_fits] {
        let case = Case::new(Subject::new(MarinaraLorebook::format()));
        let other = Schemas::of(&Subject::new(bunzai::MarinaraPreset::format()));
        assert!(case.schemas.set(other).is_ok());
        assert!(run(&case, &law).is_err());
    }
}

#[test]
fn a_case_that_panics_is_told_with_its_seed() {
    let told = run(&Case::new(Subject::new(MarinaraPersona::format())), &|_, _, _| panic!("on purpose"));
    assert_told(&told.map(drop).unwrap_err(), "BUNZAI_SEED=0: it panics");
}

#[test]
fn the_oracle_knows_what_may_differ_and_nothing_else() {
    let subject = Subject::new(MarinaraLorebook::format());
    let entry = |extra: Json| {
        let mut entry = serde_json::json!({ "id": "a", "title": "T", "content": "" });
        entry.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        serde_json::json!({ "name": "N", "entries": [entry] })
    };
    let count = |a: Json, b: Json| {
        let (a, b) = (entry(a), entry(b));
        let none = &std::collections::BTreeSet::new();
        let (a, b) = (subject.body(&a, &Json::Null), subject.body(&b, &Json::Null));
        crate::compare::differences(&subject.quotients[0], &a, &b, none).len()
    };
    let json = |text: &str| serde_json::from_str::<Json>(text).unwrap();
    // The default of its own path, and not that of another.
    assert_eq!(count(json(r#"{"probability": 100}"#), json("{}")), 0);
    assert_eq!(count(json(r#"{"depth": 100}"#), json("{}")), 1);
    // A blank where the row says so.
    assert_eq!(count(json(r#"{"groupName": " "}"#), json("{}")), 0);
    assert_eq!(count(json(r#"{"content": " "}"#), json("{}")), 1);
    // An empty parent, and one that says something.
    assert_eq!(count(json(r#"{"characterFilter": {"names": [], "tags": []}}"#), json("{}")), 0);
    assert_eq!(count(json(r#"{"characterFilter": {"isExclude": true}}"#), json("{}")), 1);
    // Made ids and titles are alike; those that only look so are not, as they are in the document.
    assert_eq!(count(json(r#"{"title": "Entry 1"}"#), json(r#"{"title": "Entry 7"}"#)), 0);
    assert_eq!(count(json(r#"{"title": "Entry 1"}"#), json(r#"{"title": "Other"}"#)), 1);
    // A bag of which a row knows one key is a parent; what nobody knows in it is something.
    assert_eq!(count(json(r#"{"metadata": {}}"#), json("{}")), 0);
    assert_eq!(count(json(r#"{"metadata": {"bag": {}}}"#), json("{}")), 1);
}

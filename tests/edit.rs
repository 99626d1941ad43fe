//! Frame, by hand: what an edit of the model does to the bytes of the document it came from.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use std::path::Path;

use bunzai::json::locate;
use bunzai::model::{PersonaBody, PersonaPresentation, RegexPhase, RegexRule, RegexSetBody, RegexTarget};
use bunzai::{Codec, Entity, Error, Format as _, Input, MarinaraPersona, MarinaraRegex, NATIVE_FORMAT, Nullable};

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

#[track_caller]
fn persona(source: &str, edit: impl FnOnce(&mut PersonaBody)) -> String {
    carried::<MarinaraPersona>(source, edit)
}

#[track_caller]
fn rules(source: &str, edit: impl FnOnce(&mut RegexSetBody)) -> String {
    carried::<MarinaraRegex>(source, edit)
}

/// Where the slot at a pointer stands, counted from the end of a byte order mark.
fn slot(text: &str, pointer: &str) -> std::ops::Range<usize> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let span = locate(&text[start..], pointer).unwrap_or_else(|| panic!("nothing at {pointer} in {text}"));
    start + span.start..start + span.end
}

#[test]
fn each_slot_of_a_persona_is_rewritten_alone_in_every_layout() {
    type Edit = (&'static str, fn(&mut PersonaBody, String));
    let edits: &[Edit] = &[
        ("/name", |body, text| body.name = text),
        ("/description", |body, text| body.content = text),
        ("/comment", |body, text| body.brief = Some(text)),
        ("/personality", |body, text| body.sections.as_mut().unwrap().personality = Some(text)),
        ("/appearance", |body, text| body.sections.as_mut().unwrap().appearance = Some(text)),
        ("/backstory", |body, text| body.sections.as_mut().unwrap().history = Some(text)),
        ("/avatarPath", |body, text| body.presentation.as_mut().unwrap().image_url = Some(text)),
    ];
    let samples = [
        ("wren.persona.json", ""),
        ("wren-compact.persona.json", ""),
        ("wren-tabs.persona.json", ""),
        ("wren-bom.persona.json", ""),
        ("wren-crlf.persona.json", ""),
        ("ilse.persona-export.json", "/data"),
    ];
    for (name, root) in samples {
        let source = sample(name);
        for (pointer, edit) in edits {
            // The envelope has no picture and an empty appearance, which is no slot of a value.
            if !root.is_empty() && ["/avatarPath", "/appearance"].contains(pointer) {
                continue;
            }
            let new = "new \"text\"\twith \u{1f30a} and \\".to_owned();
            let text = persona(&source, |body| edit(body, new.clone()));
            let at = format!("{root}{pointer}");
            let (was, is) = (slot(&source, &at), slot(&text, &at));
            assert_eq!(source[..was.start], text[..is.start], "{name} {at}: before it");
            assert_eq!(source[was.end..], text[is.end..], "{name} {at}: behind it");
            assert_eq!(serde_json::from_str::<String>(&text[is]).unwrap(), new, "{name} {at}");
        }
    }
}

#[test]
fn a_value_that_goes_takes_its_comma_with_it() {
    let source = sample("wren-tabs.persona.json");
    let text = persona(&source, |body| body.brief = None);
    let line = source.split_inclusive('\n').find(|line| line.contains("\"comment\"")).unwrap();
    // The white space between the places stays: what goes is the comma and the space before it.
    assert_eq!(text.len(), source.len() - line.len(), "{text}");
    assert!(!text.contains("tide clock"));
    let first = "{\n  \"comment\": \"a\",\n  \"id\": \"p\", \"name\": \"\", \"description\": \"\", \"personality\": \"\", \"boxColor\": 1\n}";
    let text = persona(first, |body| body.brief = None);
    assert_eq!(text, first.replace("\"comment\": \"a\",\n  ", ""));
}

#[test]
fn a_new_value_stands_behind_its_neighbour_in_the_neighbours_layout() {
    let lines = "{\r\n\t\"id\" : \"p\",\r\n\t\"name\" : \"N\",\r\n\t\"description\" : \"\",\r\n\t\"personality\" : \"\",\r\n\t\
                 \"boxColor\" : \"\"\r\n}";
    let text = persona(lines, |body| body.brief = Some("b".into()));
    assert_eq!(text, lines.replace("\"personality\" : \"\",", "\"personality\" : \"\",\r\n\t\"comment\" : \"b\","));
    let compact = r#"{"boxColor":"","personality":"","description":"","name":"N","id":"p"}"#;
    let text = persona(compact, |body| {
        body.presentation =
            Some(PersonaPresentation { signature_color: None, colors: None, image_url: Some("/x".into()) });
    });
    assert_eq!(text, compact.replace("\"personality\":\"\",", "\"personality\":\"\",\"avatarPath\":\"/x\","));
}

#[test]
fn what_is_not_there_stays_and_what_is_said_to_be_nothing_clears() {
    let source = sample("wren.persona.json");
    let past = |body: &mut PersonaBody, text: Option<&str>| {
        body.sections.as_mut().unwrap().history = text.map(str::to_owned);
    };
    let (kept, _) = edited::<MarinaraPersona>(&source, |body| past(body, None));
    assert!(kept.text == source, "{}", kept.text);
    assert_eq!(kept.named, ["/body/sections/history"]);
    // A blank reads as nothing, which is no loss.
    let (cleared, _) = edited::<MarinaraPersona>(&source, |body| past(body, Some("")));
    let (was, is) = (slot(&source, "/backstory"), slot(&cleared.text, "/backstory"));
    assert_eq!(cleared.text, [&source[..was.start], "\"\"", &source[was.end..]].concat());
    assert_eq!((&cleared.text[is], cleared.named.len()), ("\"\"", 0));
}

#[test]
fn an_entity_that_was_not_edited_is_the_source_itself() {
    for name in ["wren-tabs.persona.json", "ilse.persona-export.json"] {
        let source = sample(name);
        let entity = MarinaraPersona::to_canonical(source.as_str()).unwrap().entity;
        let exported = MarinaraPersona::from_canonical(&entity).unwrap();
        assert!(exported.is_source() && exported.bytes() == source.as_bytes(), "{name}");
        assert!(exported.report().unwrap().is_lossless(), "{name}");
    }
}

/// Two rows in a layout of their own, each with a key of its own.
const ROWS: &str = concat!(
    "[\n",
    "  {\"id\":\"a\", \"findRegex\":\"x\",   \"order\":1.0, \"mine\" : [1 ,2]},\n",
    "\n",
    "\t{ \"findRegex\" : \"y\", \"enabled\":\"true\", \"id\":\"b\", \"order\":2, \"placement\":\"[\\\"ai_output\\\", \\\"slash\\\"]\" } ,\n",
    "  {\"id\":\"c\",\"findRegex\":\"z\",\"trimStrings\":[\"p\" , 5, \"q\"],\"theirs\":true}\n",
    "]\n"
);

fn new_rule(id: &str) -> RegexRule {
    RegexRule {
        id: id.into(),
        label: "New".into(),
        note: None,
        find: "n".into(),
        flags: "g".into(),
        use_flags: None,
        replace: String::new(),
        trim_strings: None,
        phases: vec![RegexPhase::Output],
        targets: None,
        substitute_find: None,
        min_depth: Some(Nullable::Null),
        max_depth: Some(Nullable::Null),
        run_on_edit: None,
        character_ids: None,
        first_match_only: None,
        condition: None,
        overlay: None,
        enabled: true,
        sort_order: 9.into(),
        extras: serde_json::json!({ "marinaraCreatedAt": "", "marinaraUpdatedAt": "" }).as_object().cloned(),
    }
}

#[test]
fn a_row_keeps_its_spelling_where_it_is_not_edited() {
    let text = rules(ROWS, |body| body.rules[0].find = "w".into());
    assert_eq!(text, ROWS.replace("\"x\"", "\"w\""));
    let text = rules(ROWS, |body| body.rules[1].enabled = false);
    assert_eq!(text, ROWS.replace("\"true\"", "\"false\""));
    let text = rules(ROWS, |body| body.rules[0].sort_order = 7.into());
    assert_eq!(text, ROWS.replace("1.0", "7"));
    // 1 is what `1.0` says.
    assert_eq!(rules(ROWS, |body| body.rules[0].sort_order = 1.into()), ROWS);
}

#[test]
fn text_in_a_slot_is_spliced_and_what_no_row_knows_stays_in_it() {
    let text = rules(ROWS, |body| body.rules[1].phases.push(RegexPhase::Input));
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text).unwrap()[1]["placement"],
        r#"["ai_output", "slash", "user_input"]"#,
        "{text}"
    );
    let text = rules(ROWS, |body| body.rules[2].trim_strings = Some(vec!["p".into(), "r".into()]));
    assert_eq!(text, ROWS.replace("\"q\"", "\"r\""));
}

#[test]
fn a_word_of_a_list_can_be_a_slot_of_its_own() {
    let text = rules(ROWS, |body| body.rules[0].targets = Some(vec![RegexTarget::Prompt]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value[0]["promptOnly"], true);
    let (several, _) = edited::<MarinaraRegex>(ROWS, |body| {
        body.rules[0].targets = Some(vec![RegexTarget::Display, RegexTarget::Prompt]);
    });
    assert_eq!(several.named, ["/body/rules/0/targets/0"]);
}

#[test]
fn rows_move_as_bytes_and_keep_what_is_theirs() {
    let rows: Vec<&str> = (0..3).map(|n| &ROWS[locate(ROWS, &format!("/{n}")).unwrap()]).collect();
    let text = rules(ROWS, |body| body.rules.rotate_left(1));
    let moved: Vec<&str> = (0..3).map(|n| &text[locate(&text, &format!("/{n}")).unwrap()]).collect();
    assert_eq!(moved, [rows[1], rows[2], rows[0]]);
    // The white space between the places stays where it is.
    let around =
        |text: &str, rows: &[&str]| rows.iter().fold(text.to_owned(), |text, row| text.replacen(row, "ROW", 1));
    assert_eq!(around(&text, &rows), around(ROWS, &rows));
}

#[test]
fn rows_go_and_come_and_the_others_stay_as_they_are() {
    let rows: Vec<&str> = (0..3).map(|n| &ROWS[locate(ROWS, &format!("/{n}")).unwrap()]).collect();
    let text = rules(ROWS, |body| drop(body.rules.remove(1)));
    assert!(text.contains(rows[0]) && text.contains(rows[2]) && !text.contains("\"y\""), "{text}");
    let text = rules(ROWS, |body| drop(body.rules.remove(0)));
    assert!(text.starts_with("[\n") && text.contains(rows[1]) && text.contains(rows[2]), "{text}");
    let text = rules(ROWS, |body| body.rules.insert(1, new_rule("new")));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let ids: Vec<_> = value.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "new", "b", "c"]);
    assert!(rows.iter().all(|row| text.contains(row)), "{text}");
    assert_eq!(value[1]["placement"], serde_json::json!(["ai_output"]));
    assert_eq!(value[1]["minDepth"], serde_json::Value::Null);
}

#[test]
fn a_default_that_reads_back_where_nothing_was_is_no_loss() {
    let (new, _) = edited::<MarinaraRegex>(ROWS, |body| {
        body.rules.push(RegexRule { extras: None, min_depth: None, max_depth: None, ..new_rule("new") });
    });
    assert_eq!(new.named, [""; 0], "{}", new.text);
}

#[test]
fn rows_of_one_id_are_told_apart() {
    let same = "[{\"id\":\"a\",\"findRegex\":\"1\",\"order\":1,\"k\":1},{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2}]";
    assert_eq!(rules(same, |body| body.rules[1].find = "3".into()), same.replace("\"2\"", "\"3\""));
    let swapped = rules(same, |body| body.rules.swap(0, 1));
    assert_eq!(
        swapped,
        "[{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2},{\"id\":\"a\",\"findRegex\":\"1\",\"order\":1,\"k\":1}]"
    );
    assert_eq!(
        rules(same, |body| drop(body.rules.remove(0))),
        "[{\"id\":\"a\",\"findRegex\":\"2\",\"order\":2,\"k\":2}]"
    );
}

#[test]
fn the_last_row_that_goes_leaves_an_empty_list_and_a_warning() {
    let mut entity = MarinaraRegex::to_canonical(ROWS).unwrap().entity;
    entity.body.rules.clear();
    let exported = MarinaraRegex::from_canonical(&entity).unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&exported.bytes()).unwrap(), serde_json::json!([]));
    // The format does not recognise an empty list.
    assert_eq!(exported.report().unwrap().warnings.len(), 1);
}

#[test]
fn a_profile_of_the_format_is_laid_over_the_body() {
    let source = sample("wren.persona.json");
    let mut entity = MarinaraPersona::to_canonical(source.as_str()).unwrap().entity;
    let profile = serde_json::json!({ "name": "Wren of the marsh" });
    entity.profiles.insert("marinara-persona".into(), profile.as_object().unwrap().clone());
    entity.profiles.insert("other".into(), bunzai::Extras::new());
    let exported = MarinaraPersona::from_canonical(&entity).unwrap();
    let text = String::from_utf8(exported.bytes().into_owned()).unwrap();
    assert_eq!(text, source.replace("Wren Aldermoor", "Wren of the marsh"));
    assert_eq!(exported.warnings().len(), 1, "{:?}", exported.warnings());
}

#[test]
fn a_twin_that_was_printed_anew_is_told_until_it_is_read_anew() {
    let source = sample("wren.persona.json");
    let formats = bunzai::formats();
    let marinara = formats.format("marinara-persona").unwrap();
    let imported = marinara.import(Input::new(source)).unwrap();
    let native =
        String::from_utf8(NATIVE_FORMAT.export((&imported.entity).into()).unwrap().bytes().into_owned()).unwrap();
    let reprinted = native.replace("\"creator\": \"tidepool\"", "\"creator\":\"tidepool\"");
    assert_ne!(native, reprinted);
    let warned = |native: &str| {
        let read = NATIVE_FORMAT.import(Input::new(native)).unwrap();
        let warnings = marinara.export((&read.entity).into()).unwrap().warnings().len();
        let saved = NATIVE_FORMAT.export((&read.entity).into()).unwrap().bytes().into_owned();
        (warnings, String::from_utf8(saved).unwrap())
    };
    assert_eq!(warned(&native).0, 0);
    let (warnings, saved) = warned(&reprinted);
    assert_eq!(warnings, 1);
    assert_eq!(warned(&saved).0, 1, "after the entity was saved once more nothing is told");
}

/// A native file in a layout of its own.
const NATIVE: &str = "{ \"schemaVersion\":\"1\",\n\t\"kind\": \"persona\", \"id\":\"x\",\n\t\"body\": {\n\t\t\"name\" : \"\\u0058\",\n\t\t\
                      \"content\" : \"\",\n\t\t\"traits\" : [ \"a\",\"b\" ]\n\t} }";

#[test]
fn a_native_file_is_edited_in_place() {
    let set = |pointer: &str, value: &str| NATIVE_FORMAT.set(NATIVE, pointer, value).unwrap();
    assert_eq!(set("/body/name", "Y"), NATIVE.replace("\\u0058", "Y"));
    assert_eq!(set("/body/traits/1", "c"), NATIVE.replace("\"b\"", "\"c\""));
    assert_eq!(set("/body/traits/-", "c"), NATIVE.replace("\"b\"", "\"b\",\"c\""));
    assert_eq!(set("/id", "7"), NATIVE.replace("\"x\"", "\"7\""));
    assert_eq!(set("/body/brief", "b").replace("\"brief\" : \"b\",\n\t\t", "").len(), NATIVE.len());
    assert_eq!(NATIVE_FORMAT.remove(NATIVE, "/body/traits/0").unwrap(), NATIVE.replace("\"a\",", ""));
    assert_eq!(
        NATIVE_FORMAT.remove(NATIVE, "/body/traits").unwrap(),
        NATIVE.replace(",\n\t\t\"traits\" : [ \"a\",\"b\" ]", "")
    );
    // What is there already is not written again.
    assert_eq!(set("/body/name", "X"), NATIVE.replace("\\u0058", "X"));
}

#[test]
fn a_native_file_is_not_edited_into_a_wrong_one() {
    let refused = |pointer: &str, value: &str| NATIVE_FORMAT.set(NATIVE, pointer, value).unwrap_err();
    assert!(matches!(refused("/body/rating", "adult"), Error::Invalid(_)));
    assert!(matches!(refused("/body/traits/5", "c"), Error::Nowhere { .. }));
    assert!(matches!(refused("name", "c"), Error::Nowhere { .. }));
    assert!(matches!(NATIVE_FORMAT.remove(NATIVE, "/body/content"), Err(Error::Invalid(_))));
    assert!(matches!(NATIVE_FORMAT.remove(NATIVE, "/body/brief"), Err(Error::Nowhere { .. })));
    assert!(matches!(NATIVE_FORMAT.set("[]", "/body/name", "c"), Err(Error::Invalid(_))));
}

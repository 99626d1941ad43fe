//! Bundles: a preset file with regex scripts in it, taken apart and put together again.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use bunzai::model::{PresetBody, PresetPrompt, RegexRule, RegexSetBody};
use bunzai::{AnyEntity, Bundle, Entity, Input, Nullable, Number, PieceReport, Report, Way, formats};
use serde_json::{Value, json};

const PRESET: &str = "sillytavern-preset";

/// A preset with scripts in both places; one of them stands in either.
const MOORING: &str = include_str!("../../fixtures/sillytavern/Mooring.json");

#[track_caller]
fn read(text: &str) -> Bundle {
    let format = formats().format(PRESET).unwrap();
    formats().import_bundle(format, Input::new(text).file_name("presets/Mooring.json")).unwrap()
}

#[track_caller]
fn written_as(bundle: &Bundle, format: &str) -> (String, Report) {
    let exported = formats().export_bundle(bundle, formats().format(format).unwrap()).unwrap();
    (exported.main.text().into_owned(), exported.report().unwrap())
}

/// What is written, where nothing of it is lost; it reads back as it was.
#[track_caller]
fn carried(bundle: &Bundle) -> String {
    let (text, report) = written_as(bundle, PRESET);
    assert!(report.is_lossless(), "{report:#?}");
    assert_eq!(report.warnings, []);
    text
}

#[track_caller]
fn set(entity: &AnyEntity) -> &RegexSetBody {
    entity.body.as_any().downcast_ref().unwrap()
}

fn preset(entity: &AnyEntity) -> &PresetBody {
    entity.body.as_any().downcast_ref().unwrap()
}

fn edit_set(entity: &mut AnyEntity, edit: impl FnOnce(&mut RegexSetBody)) {
    let mut typed = entity.clone().downcast::<RegexSetBody>().unwrap();
    edit(&mut typed.body);
    *entity = typed.into();
}

fn edit_preset(entity: &mut AnyEntity, edit: impl FnOnce(&mut PresetBody)) {
    let mut typed = entity.clone().downcast::<PresetBody>().unwrap();
    edit(&mut typed.body);
    *entity = typed.into();
}

#[track_caller]
fn edited(edit: impl FnOnce(&mut RegexSetBody)) -> String {
    let mut bundle = read(MOORING);
    edit_set(&mut bundle.linked[0], edit);
    let text = carried(&bundle);
    // An edit sticks: what is read again is what was written.
    let again = read(&text);
    let sorted = |entity: &AnyEntity| {
        let mut rules = set(entity).rules.clone();
        rules.iter_mut().for_each(|rule| rule.sort_order = 0.into());
        rules.sort_by(|a, b| a.id.cmp(&b.id));
        rules
    };
    assert_eq!(sorted(&again.linked[0]), sorted(&bundle.linked[0]));
    text
}

fn ids(entity: &AnyEntity) -> Vec<&str> {
    set(entity).rules.iter().map(|rule| rule.id.as_str()).collect()
}

fn rows(text: &str, pointer: &str) -> Vec<String> {
    let value: Value = serde_json::from_str(text).unwrap();
    let rows = value.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    rows.iter().map(|row| row["id"].as_str().unwrap_or("-").to_owned()).collect()
}

const SCRIPTS: &str = "/extensions/regex_scripts";
const BINDING: &str = "/extensions/SPreset/RegexBinding/regexes";

fn rule(id: &str, find: &str) -> RegexRule {
    RegexRule {
        id: id.into(),
        label: id.into(),
        find: find.into(),
        enabled: true,
        min_depth: Some(Nullable::Null),
        max_depth: Some(Nullable::Null),
        run_on_edit: Some(true),
        ..RegexRule::default()
    }
}

/// A set from elsewhere, whose rules stand in their places.
fn other_set(name: &str, mut rules: Vec<RegexRule>) -> AnyEntity {
    rules.iter_mut().zip(0..).for_each(|(rule, place)| rule.sort_order = Number::from(place));
    Entity::new(RegexSetBody { name: name.into(), rules, ..RegexSetBody::default() }).into()
}

/// Links a piece to the main entity.
fn link(bundle: &mut Bundle, piece: AnyEntity) {
    edit_preset(&mut bundle.main, |preset| preset.behavior_refs.get_or_insert_default().push(piece.id.clone()));
    bundle.linked.push(piece);
}

#[test]
fn a_preset_is_taken_apart_and_names_its_scripts() {
    let bundle = read(MOORING);
    assert_eq!(bundle.warnings, []);
    assert_eq!(bundle.linked.len(), 1);
    let scripts = &bundle.linked[0];
    assert_eq!((scripts.id.as_str(), set(scripts).name.as_str()), ("mooring-regex", "Mooring regex"));
    assert_eq!(ids(scripts), ["tide", "gull", "rope"]);
    assert_eq!(preset(&bundle.main).behavior_refs.as_deref(), Some(&["mooring-regex".to_owned()][..]));
    assert!(scripts.is_part_of(&bundle.main));
    // By itself an import says what the file says.
    let format = formats().format(PRESET).unwrap();
    let plain = format.import(Input::new(MOORING)).unwrap().entity;
    assert_eq!(preset(&plain).behavior_refs, None);
}

#[test]
fn unedited_it_comes_back_byte_for_byte() {
    assert_eq!(carried(&read(MOORING)), MOORING);
    let marked = format!("\u{feff}\n{}\n\n", MOORING.replace('\n', "\r\n"));
    assert_eq!(carried(&read(&marked)), marked);
}

#[test]
fn the_scripts_alone_are_a_file_of_their_own() {
    let bundle = read(MOORING);
    let format = formats().format("sillytavern-regex").unwrap();
    let file = format.export((&bundle.linked[0]).into()).unwrap();
    assert_eq!(file.name(), "Mooring regex.json");
    let text = file.text();
    assert!(text.starts_with("[\n  {\n  \t\"id\": \"tide\",\n"), "{text}");
    assert!(text.contains("\"buoy\": 7.0 },\n  {\"id\":\"rope\""), "{text}");
    assert!(file.report().unwrap().is_lossless());
}

#[test]
fn an_edit_writes_the_value_of_that_rule_alone() {
    let text = edited(|set| set.rules[0].replace = "_".into());
    assert_eq!(text, MOORING.replace(r#""\u0020""#, r#""_""#));
    let text = edited(|set| set.rules[2].label = "Plain".into());
    assert_eq!(text, MOORING.replace(r#""scriptName":"Unstrike""#, r#""scriptName":"Plain""#));
}

#[test]
fn an_edit_of_a_rule_that_stands_twice_is_made_in_both_places() {
    let text = edited(|set| set.rules[1].replace = "?".into());
    let expected = MOORING
        .replace(r#""replaceString": "!""#, r#""replaceString": "?""#)
        .replace(r#""replaceString":"!""#, r#""replaceString":"?""#);
    assert_eq!(text, expected);
}

#[test]
fn what_the_copies_say_differently_stays_where_it_is_not_edited() {
    let file = MOORING.replace(r#""id":"gull","scriptName":"No shouting""#, r#""id":"gull","scriptName":"Old title""#);
    let mut bundle = read(&file);
    assert_eq!(carried(&bundle), file);
    edit_set(&mut bundle.linked[0], |set| set.rules[1].replace = "?".into());
    let expected = file
        .replace(r#""replaceString": "!""#, r#""replaceString": "?""#)
        .replace(r#""replaceString":"!""#, r#""replaceString":"?""#);
    assert_eq!(carried(&bundle), expected);
}

#[test]
fn rules_come_and_go_where_they_stand() {
    let text = edited(|set| {
        set.rules.retain(|rule| rule.id != "gull");
        set.rules[1].sort_order = 1.into();
    });
    assert_eq!((rows(&text, SCRIPTS), rows(&text, BINDING)), (vec!["tide".into()], vec!["rope".into()]));
    let kept = text.split("\"gull\"").next().unwrap();
    assert_eq!(kept, text, "nothing of it is left");

    let text = edited(|set| {
        set.rules[2].sort_order = 3.into();
        set.rules.push(RegexRule { sort_order: 2.into(), ..rule("new", "x") });
    });
    assert_eq!(rows(&text, SCRIPTS), ["tide", "gull", "new"]);
    assert_eq!(rows(&text, BINDING), ["rope", "gull"]);
    // A new row is laid out as the text around it is.
    assert!(text.contains("\n\t\t\t{\n\t\t\t\t\"id\": \"new\""), "{text}");
}

#[test]
fn rules_move_as_bytes() {
    let text = edited(|set| {
        set.rules[0].sort_order = 1.into();
        set.rules[1].sort_order = 0.into();
    });
    assert_eq!(rows(&text, SCRIPTS), ["gull", "tide"]);
    assert!(text.contains("\"buoy\": 7.0 },\n"), "{text}");
    assert_eq!(text.len(), MOORING.len());
}

#[test]
fn an_edit_of_the_preset_and_of_its_scripts_are_both_made() {
    let mut bundle = read(MOORING);
    edit_preset(&mut bundle.main, |preset| preset.samplers.as_mut().unwrap().temperature = Some(1.into()));
    edit_set(&mut bundle.linked[0], |set| set.rules[0].enabled = false);
    let expected = MOORING.replace("0.90", "1").replacen("\"disabled\": false", "\"disabled\": true", 1);
    assert_eq!(carried(&bundle), expected);
}

#[test]
fn a_set_from_elsewhere_is_appended() {
    let mut bundle = read(MOORING);
    link(&mut bundle, other_set("Storm", vec![rule("storm", "a+"), rule("squall", "b+")]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS), ["tide", "gull", "storm", "squall"]);
    assert_eq!(rows(&text, BINDING), ["rope", "gull"]);
    // What was there is untouched.
    let end = MOORING.find("\"buoy\": 7.0 }").unwrap() + "\"buoy\": 7.0 }".len();
    assert!(text.starts_with(&MOORING[..end]) && text.ends_with(&MOORING[end..]), "{text}");
    assert!(text.contains("\n\t\t\t{\n\t\t\t  \"id\": \"storm\""), "{text}");
    // That both are one set now is told.
    assert!(report.lost.is_empty() && report.kept.is_empty(), "{report:#?}");
    let told: Vec<&str> = report.linked.iter().map(|piece| piece.way).collect();
    assert_eq!(told, ["embedded", "embedded"]);
    let names: Vec<&str> = report.linked[1].report.coerced.iter().map(|loss| loss.at.as_str()).collect();
    assert_eq!(names, ["/body/name"]);
    assert!(report.linked[0].report.is_lossless(), "{report:#?}");
}

#[test]
fn a_set_of_a_file_keeps_what_the_model_does_not_know() {
    let scripts = r#"[{"id":"own","scriptName":"Own","findRegex":"x","markdownOnly":"odd","deck":{"a":1.0}}]"#;
    let format = formats().format("sillytavern-regex").unwrap();
    let piece = format.import(Input::new(scripts).file_name("Own.json")).unwrap().entity;
    let mut bundle = read(MOORING);
    link(&mut bundle, piece);
    let (text, _) = written_as(&bundle, PRESET);
    assert!(text.contains(scripts.trim_matches(['[', ']'])), "{text}");
}

#[test]
fn equal_ids_of_two_sets_stay_two_rules() {
    let mut bundle = read(MOORING);
    link(&mut bundle, other_set("Storm", vec![rule("tide", "quite another")]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS), ["tide", "gull", "tide-2"]);
    let told = &report.linked[1].report;
    assert!(told.lost.is_empty(), "{report:#?}");
    let loss = told.coerced.iter().find(|loss| loss.at == "/body/rules/0/id").unwrap();
    assert!(loss.reason.contains("another row with this id; it reads back as \"tide-2\""), "{loss}");
    // The same rows once more are the same rows.
    let mut again = read(&text);
    let copy = again.linked[0].clone();
    link(&mut again, AnyEntity { id: "a-copy".into(), ..copy });
    assert_eq!(rows(&written_as(&again, PRESET).0, SCRIPTS), ["tide", "gull", "tide-2"]);
}

#[test]
fn unlinking_removes_the_rows_and_nothing_brings_them_back() {
    for refs in [None, Some(Vec::new())] {
        let mut bundle = read(MOORING);
        edit_preset(&mut bundle.main, |preset| preset.behavior_refs = refs);
        let (text, report) = written_as(&bundle, PRESET);
        assert_eq!((rows(&text, SCRIPTS), rows(&text, BINDING)), (vec![], vec![]));
        assert_eq!(report.linked[0].way, "left");
        assert!(report.is_lossless(), "{report:#?}");
        bundle.linked.clear();
        assert_eq!(written_as(&bundle, PRESET).0, text);
        let again = read(&text);
        assert!(again.linked.is_empty() && preset(&again.main).behavior_refs.is_none());
    }
}

#[test]
fn a_piece_that_is_named_and_not_at_hand_leaves_the_document_as_it_is() {
    let mut bundle = read(MOORING);
    bundle.linked.clear();
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(text, MOORING);
    assert!(report.is_lossless());
    assert!(report.warnings[0].message.contains("`mooring-regex` is not at hand"), "{report:#?}");

    edit_preset(&mut bundle.main, |preset| preset.behavior_refs = Some(vec!["mooring-regex".into(), "gone".into()]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(text, MOORING);
    assert_eq!((report.lost[0].at.as_str(), report.lost.len()), ("/body/behaviorRefs/1", 1));
}

#[test]
fn what_was_never_taken_apart_keeps_its_rows() {
    let format = formats().format(PRESET).unwrap();
    let main = format.import(Input::new(MOORING)).unwrap().entity;
    let mut bundle = Bundle { main, linked: Vec::new(), warnings: Vec::new() };
    assert_eq!(carried(&bundle), MOORING);
    link(&mut bundle, other_set("Storm", vec![rule("storm", "a+")]));
    assert_eq!(rows(&written_as(&bundle, PRESET).0, SCRIPTS), ["tide", "gull", "storm"]);
}

#[test]
fn a_set_that_is_switched_off_is_left_out() {
    let mut bundle = read(MOORING);
    edit_set(&mut bundle.linked[0], |set| set.enabled = Some(false));
    let (text, report) = written_as(&bundle, PRESET);
    assert!(rows(&text, SCRIPTS).is_empty());
    assert_eq!(report.lost[0].at, "/body/behaviorRefs/0");
    assert!(report.lost[0].reason.contains("switched off"), "{report:#?}");
}

#[test]
fn a_new_preset_gets_the_slot() {
    let main = Entity::new(PresetBody { name: "Fresh".into(), ..PresetBody::default() }).into();
    let mut bundle = Bundle { main, linked: Vec::new(), warnings: Vec::new() };
    link(&mut bundle, other_set("Fresh regex", vec![rule("one", "a+"), rule("two", "b")]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS), ["one", "two"]);
    assert!(report.is_lossless(), "{report:#?}");
    assert!(text.contains("\n    \"regex_scripts\": [\n      {\n        \"id\": \"one\""), "{text}");
    let format = formats().format(PRESET).unwrap();
    let again = formats().import_bundle(format, Input::new(text).file_name("Fresh.json")).unwrap();
    assert_eq!(ids(&again.linked[0]), ["one", "two"]);
}

#[test]
fn what_cannot_carry_a_set_says_so() {
    let bundle = read(MOORING);
    let exported = formats().export_bundle(&bundle, formats().format("marinara-preset").unwrap()).unwrap();
    let Way::Beside(beside) = &exported.linked[0].way else { panic!("{exported:?}") };
    assert_eq!(beside.name(), "Mooring regex.json");
    assert_eq!(rows(&beside.text(), ""), ["tide", "gull", "rope"]);
    let report = exported.report().unwrap();
    let loss = report.lost.iter().find(|loss| loss.at == "/body/behaviorRefs/0").unwrap();
    assert!(loss.reason.contains("it travels beside"), "{loss}");
    assert_eq!((report.linked[0].way, report.linked[0].report.to.as_str()), ("beside", "marinara-regex"));

    let exported = formats().export_bundle(&bundle, formats().format("bunzai").unwrap()).unwrap();
    let Way::Beside(beside) = &exported.linked[0].way else { panic!("{exported:?}") };
    assert_eq!(beside.name(), "mooring-regex.bunzai.json");
    assert!(exported.report().unwrap().is_lossless());
}

#[test]
fn a_bundle_survives_its_canonical_files() {
    let bundle = read(MOORING);
    let native = formats().format("bunzai").unwrap();
    let pieces = formats().export_bundle(&bundle, native).unwrap();
    let back = |text: &str| native.import(Input::new(text)).unwrap().entity;
    let Way::Beside(beside) = &pieces.linked[0].way else { panic!("{pieces:?}") };
    let mut again =
        Bundle { main: back(&pieces.main.text()), linked: vec![back(&beside.text())], warnings: Vec::new() };
    assert!(again.linked[0].is_part_of(&again.main));
    assert_eq!(carried(&again), MOORING);
    edit_set(&mut again.linked[0], |set| set.rules[0].replace = "_".into());
    assert_eq!(carried(&again), MOORING.replace(r#""\u0020""#, r#""_""#));
}

#[test]
fn rows_without_an_id_are_rows_of_their_own() {
    let file = json!({
        "prompts": [],
        "extensions": {
            "regex_scripts": [{"findRegex": "a", "scriptName": "A"}, 7, {"id": 5, "findRegex": "b"}],
            "SPreset": { "RegexBinding": { "regexes": [{"findRegex": "c"}, {"id": "5", "findRegex": "b"}] } },
        },
    })
    .to_string();
    let mut bundle = read(&file);
    assert_eq!(set(&bundle.linked[0]).rules.iter().map(|rule| rule.find.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(carried(&bundle), file);
    edit_set(&mut bundle.linked[0], |set| set.rules[2].find = "d".into());
    assert_eq!(carried(&bundle), file.replace("\"c\"", "\"d\""));
}

#[test]
fn odd_slots_are_left_alone() {
    for slot in ["null", "\"text\"", "[]", "[1, \"x\"]", "{}"] {
        let file = format!(r#"{{"prompts": [], "extensions": {{"regex_scripts": {slot}}}}}"#);
        let bundle = read(&file);
        assert_eq!(carried(&bundle), file);
    }
    for extensions in ["null", r#"{"regex_scripts": null}"#] {
        let mut bundle = read(&format!(r#"{{"prompts": [], "extensions": {extensions}}}"#));
        link(&mut bundle, other_set("Storm", vec![rule("storm", "a+")]));
        assert_eq!(rows(&written_as(&bundle, PRESET).0, SCRIPTS), ["storm"]);
    }
    let file = r#"{"prompts": [], "extensions": "none"}"#;
    let mut bundle = read(file);
    link(&mut bundle, other_set("Storm", vec![rule("storm", "a+")]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(text, file);
    assert_eq!(report.linked[0].way, "beside");
    assert_eq!(report.lost[0].at, "/body/behaviorRefs/0");
}

/// A set of a file of scripts; `rows` are its ids and titles.
fn set_of(rows: &[(&str, &str)]) -> AnyEntity {
    let scripts = rows.iter().map(|(id, title)| json!({"id": id, "scriptName": title, "findRegex": "x"}));
    let format = formats().format("sillytavern-regex").unwrap();
    let input = Input::new(Value::from_iter(scripts).to_string()).file_name("Gale.json");
    format.import(input).unwrap().entity
}

/// A preset with scripts in both of its places; these are their ids and titles.
fn preset_of(first: &[(&str, &str)], other: &[(&str, &str)]) -> String {
    let scripts = |rows: &[(&str, &str)]| {
        let scripts = rows.iter().map(|(id, title)| json!({"id": id, "scriptName": title, "findRegex": "x"}));
        Value::from_iter(scripts)
    };
    let binding = json!({ "RegexBinding": { "regexes": scripts(other) } });
    json!({"prompts": [], "extensions": { "regex_scripts": scripts(first), "SPreset": binding }}).to_string()
}

/// What is told of a piece beside its name, which several in one file cannot keep.
fn changes(piece: &PieceReport) -> Vec<(&str, &str)> {
    let coerced = piece.report.coerced.iter().filter(|loss| loss.at != "/body/name");
    coerced.map(|loss| (loss.at.as_str(), loss.reason.as_str())).collect()
}

/// The ids and titles of the rules.
fn titles(entity: &AnyEntity) -> Vec<(&str, &str)> {
    set(entity).rules.iter().map(|rule| (rule.id.as_str(), rule.label.as_str())).collect()
}

#[test]
fn equal_rules_of_one_set_are_all_written() {
    // The model tells them apart.
    let twins = set_of(&[("q", "Q"), ("q", "Q")]);
    assert_eq!(titles(&twins), [("q", "Q"), ("q-2", "Q")]);
    let mut bundle = read(&preset_of(&[("a", "A")], &[]));
    link(&mut bundle, twins.clone());
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS), ["a", "q", "q"]);
    assert!(report.linked[1].report.lost.is_empty() && changes(&report.linked[1]).is_empty(), "{report:#?}");
    assert_eq!(titles(&read(&text).linked[0]), [("a", "A"), ("q", "Q"), ("q-2", "Q")]);

    // One of them is there already: it is one of the two.
    let mut bundle = read(&preset_of(&[("q", "Q")], &[]));
    link(&mut bundle, twins.clone());
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(titles(&read(&text).linked[0]), [("q", "Q"), ("q-2", "Q")]);
    assert!(report.linked[1].report.lost.is_empty() && changes(&report.linked[1]).is_empty(), "{report:#?}");

    // Under the id there is another rule: none of the two has what the other is called.
    let mut bundle = read(&preset_of(&[("q", "Another")], &[]));
    link(&mut bundle, twins);
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(titles(&read(&text).linked[0]), [("q", "Another"), ("q-3", "Q"), ("q-2", "Q")]);
    let told = changes(&report.linked[1]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].0 == "/body/rules/0/id" && told[0].1.contains("\"q-3\""), "{told:?}");
}

#[test]
fn a_rule_that_another_place_has_differently_is_another_rule() {
    // What the preset reads under this id is the rule of the first place.
    let mut bundle = read(&preset_of(&[("c", "One")], &[("c", "Two")]));
    link(&mut bundle, set_of(&[("c", "Two")]));
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(titles(&read(&text).linked[0]), [("c", "One"), ("c-2", "Two")]);
    assert_eq!(changes(&report.linked[1])[0].0, "/body/rules/0/id");
}

#[test]
fn a_new_rule_is_none_of_another_place() {
    let mut bundle = read(&preset_of(&[("a", "A")], &[("c", "C")]));
    edit_set(&mut bundle.linked[0], |set| {
        set.rules.push(RegexRule { label: "New".into(), sort_order: 2.into(), ..rule("c", "x") });
    });
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!((rows(&text, SCRIPTS), rows(&text, BINDING)), (vec!["a".into(), "c-2".into()], vec!["c".into()]));
    assert_eq!(titles(&read(&text).linked[0]), [("a", "A"), ("c-2", "New"), ("c", "C")]);
    let told = changes(&report.linked[0]);
    assert!(told.iter().any(|(at, why)| *at == "/body/rules/2/id" && why.contains("\"c-2\"")), "{told:?}");
}

#[test]
fn a_place_that_is_none_is_told() {
    let mut bundle = read(&preset_of(&[("a", "A"), ("b", "B")], &[("c", "C")]));
    edit_set(&mut bundle.linked[0], |set| set.rules[2].sort_order = 7.into());
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(changes(&report.linked[0]), [("/body/rules/2/sortOrder", "it reads back as 2")]);
    assert_eq!(rows(&text, SCRIPTS), ["a", "b"]);
    // A rule stays in the place of the file where it stands, whatever its number.
    edit_set(&mut bundle.linked[0], |set| {
        (set.rules[1].sort_order, set.rules[2].sort_order) = (2.into(), 1.into());
    });
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS), ["a", "b"]);
    assert!(changes(&report.linked[0]).iter().any(|(at, _)| at.starts_with("/body/rules")), "{report:#?}");
    // That there are others before it in the file changes no place of a set.
    let mut bundle = read(&preset_of(&[("a", "A")], &[("c", "C")]));
    link(&mut bundle, set_of(&[("x", "X"), ("a", "A"), ("y", "Y")]));
    let (_, report) = written_as(&bundle, PRESET);
    assert!(changes(&report.linked[0]).is_empty(), "{report:#?}");
    let told = changes(&report.linked[1]);
    assert!(told.iter().any(|(at, _)| *at == "/body/rules"), "the one that is there comes first: {told:?}");
}

#[test]
fn many_rules_and_many_ids_are_no_more_than_many() {
    const MANY: usize = 3000;
    let all: Vec<(String, String)> = (0..MANY).map(|n| ("a".to_owned(), n.to_string())).collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(id, title)| (id.as_str(), title.as_str())).collect();
    let mut bundle = read(&preset_of(&[("a", "A")], &[]));
    link(&mut bundle, set_of(&all));
    edit_preset(&mut bundle.main, |preset| {
        preset.behavior_refs.get_or_insert_default().extend((0..MANY).map(|n| format!("gone-{n}")));
        let prompt = PresetPrompt { xml_tag_name: Some("a".into()), ..PresetPrompt::default() };
        preset.prompts.extend((0..MANY).map(|n| PresetPrompt { id: n.to_string(), ..prompt.clone() }));
    });
    let (text, report) = written_as(&bundle, PRESET);
    assert_eq!(rows(&text, SCRIPTS).len(), MANY + 1);
    assert_eq!(report.lost.iter().filter(|loss| loss.at.starts_with("/body/behaviorRefs/")).count(), MANY);
    assert_eq!(report.lost.iter().filter(|loss| loss.at.starts_with("/body/prompts/")).count(), MANY);
    assert_eq!(changes(&report.linked[1]).len(), 1);
}

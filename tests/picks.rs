//! Rows that are one out of many: what odd documents do to them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use bunzai::model::PersonaBody;
use bunzai::{AnyEntity, Declared, Entity, Format, Input, WarningKind};

/// The picked row of a list, and what the same key tells in another one.
const LISTED: &str = r#"
format = "listed"
kind   = "persona"
label  = "Listed"
lost   = ["sections", "sectionOrder", "traits", "identity", "presentation", "rating", "chatInjection", "attribution", "media"]
detect = { all = [{ at = "name", is = "string" }] }

[pick.main]
at = "orders"
by = "for"
is = [100001, "100000", "@none"]

[fields]
name                 = { to = "name", need = true }
"orders[main].text"  = { to = "content", or = "" }
"orders[main].refs"  = { to = "knowledgeRefs", also = ["orders[main].links"] }
"others[main].short" = { to = "brief" }
"#;

fn listed() -> Declared {
    bunzai::load("listed.toml", LISTED).unwrap()
}

fn read(format: &Declared, text: &str) -> (Entity<PersonaBody>, Vec<bunzai::Warning>) {
    let got = format.import(Input::new(text)).unwrap();
    (got.entity.downcast().unwrap(), got.warnings)
}

fn written(format: &Declared, entity: &Entity<PersonaBody>) -> String {
    let any: AnyEntity = entity.clone().into();
    let out = format.export((&any).into()).unwrap();
    assert!(out.report().unwrap().is_lossless(), "{:?}", out.report());
    out.text().into_owned()
}

/// What is written after the content was edited.
fn edited(text: &str) -> String {
    let format = listed();
    let (mut entity, _) = read(&format, text);
    assert_eq!(written(&format, &entity), text);
    entity.body.content = "new".into();
    written(&format, &entity)
}

#[test]
fn the_first_choice_that_is_there_is_read() {
    let content = |orders: &str| {
        let (entity, warnings) = read(&listed(), &format!(r#"{{"name": "n", "orders": {orders}}}"#));
        (entity.body.content, warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>())
    };
    let said = |text: &str, kinds: &[WarningKind]| (text.to_owned(), kinds.to_vec());
    let both = r#"[{"text": "c"}, {"for": 100000, "text": "b"}, {"for": 100001, "text": "a"}]"#;
    assert_eq!(content(both), said("a", &[]));
    // Compared as text; a number that is spelled otherwise is the same number.
    assert_eq!(content(r#"[{"for": "100001", "text": "a"}]"#), said("a", &[]));
    assert_eq!(content(r#"[{"for": 100001.0, "text": "a"}]"#), said("a", &[]));
    assert_eq!(content(r#"[{"f\u006fr": 100000, "text": "b"}]"#), said("b", &[WarningKind::Row]));
    assert_eq!(content(r#"[{"for": null, "text": "c"}]"#), said("c", &[WarningKind::Row]));
    // Of rows that share a key the first is read; of equal keys in a row the last one counts.
    let shared = r#"[{"for": 1, "for": 100001, "text": "a"}, {"for": 100001, "text": "b"}]"#;
    assert_eq!(content(shared).0, "a");
    // No row, and what is none.
    for none in ["[]", "null", r#"["100001", null, {"for": [100001], "text": "x"}]"#] {
        assert_eq!(content(none), said("", &[]), "{none}");
    }
    assert_eq!(content(r#"{"for": 100001}"#), said("", &[WarningKind::Type]));
    // What is odd in the row no schema can tell.
    assert_eq!(content(r#"[{"for": 100001, "text": 7}]"#), said("", &[WarningKind::Row]));
}

#[test]
fn other_places_in_the_row_are_tried() {
    let text = r#"{"name": "n", "orders": [{"for": 100001, "refs": 5, "links": ["x"]}]}"#;
    let (entity, warnings) = read(&listed(), text);
    assert_eq!(entity.body.knowledge_refs, Some(vec!["x".to_owned()]));
    assert_eq!(warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>(), [WarningKind::Row]);
}

#[test]
fn the_row_that_is_read_is_written_and_no_other() {
    let text = r#"{"name": "n", "orders": [{"for": 1, "text": "x"}, {"for": 100000, "text": "old", "x": 1}]}"#;
    assert_eq!(edited(text), text.replace("old", "new"));
    let text = "{\"name\": \"n\", \"orders\": [\n  {\"text\": \"x\", \"for\": null, \"text\": \"old\"}\n]}";
    assert_eq!(edited(text), text.replace("old", "new"));
}

#[test]
fn a_row_that_is_not_there_is_made_for_the_first_choice() {
    let made = r#"{"for": 100001, "text": "new"}"#;
    assert_eq!(edited(r#"{"name": "n", "x": 1}"#), format!(r#"{{"name": "n", "orders": [{made}], "x": 1}}"#));
    assert_eq!(edited(r#"{"name": "n", "orders": null}"#), format!(r#"{{"name": "n", "orders": [{made}]}}"#));
    assert_eq!(edited(r#"{"name": "n", "orders": []}"#), format!(r#"{{"name": "n", "orders": [{made}]}}"#));
    let with_others = r#"{"name": "n", "orders": [{"for": 7}, 5]}"#;
    assert_eq!(edited(with_others), with_others.replace("5]", &format!("5, {made}]")));
}

#[test]
fn the_same_key_tells_the_row_of_another_list() {
    let format = listed();
    let rows = r#"[{"for": 100001, "short": "a"}, {"for": "100000", "short": "b"}]"#;
    let text = format!(r#"{{"name": "n", "orders": [{{"for": 100000}}], "others": {rows}}}"#);
    let (mut entity, _) = read(&format, &text);
    assert_eq!(entity.body.brief.as_deref(), Some("b"));
    entity.body.brief = Some("c".into());
    assert_eq!(written(&format, &entity), text.replace(r#""b""#, r#""c""#));
    // A row is made there with the key of the row that is picked.
    let text = r#"{"name": "n", "orders": [{"for": 100000, "text": "x"}]}"#;
    let (mut entity, _) = read(&format, text);
    entity.body.brief = Some("c".into());
    let made = r#"], "others": [{"for": "100000", "short": "c"}]}"#;
    assert_eq!(written(&format, &entity), text.replace("]}", made));
    // Where no row is picked one is made in both, or it would not be read again.
    let text = r#"{"name": "n", "x": 1}"#;
    let (mut entity, _) = read(&format, text);
    entity.body.brief = Some("c".into());
    let made = r#", "orders": [{"for": 100001}], "others": [{"for": 100001, "short": "c"}], "x""#;
    assert_eq!(written(&format, &entity), text.replace(r#", "x""#, made));
}

#[test]
fn another_type_in_the_place_of_the_rows_is_not_written_over() {
    let format = listed();
    let text = r#"{"name": "n", "orders": {"a": 1}}"#;
    let (mut entity, _) = read(&format, text);
    entity.body.content = "new".into();
    let any: AnyEntity = entity.into();
    let out = format.export((&any).into()).unwrap();
    assert_eq!(out.text(), text);
    let lost: Vec<_> = out.report().unwrap().lost.into_iter().map(|loss| loss.at).collect();
    assert_eq!(lost, ["/body/content"]);
}

#[test]
fn what_stands_under_the_key_of_the_default_persona_and_is_none_is_passed_over() {
    let format = bunzai::formats().format("sillytavern-persona").unwrap().declared().unwrap();
    let text = r#"{"personas": {"Wren.png": 5, "ilse.png": "Ilse"}, "persona_descriptions": {}, "default_persona": "Wren.png"}"#;
    let (mut entity, warnings) = read(format, text);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!((warnings[0].at.as_str(), warnings[0].kind), ("/personas", WarningKind::Row));
    assert_eq!(entity.body.name, "Ilse");
    entity.body.content = "I keep the light.".into();
    let made = r#"{"ilse.png": {"description": "I keep the light."}}"#;
    assert_eq!(written(format, &entity), text.replace("{}", made));
}

#[test]
fn a_slot_that_names_no_row_is_no_fallback() {
    let format = bunzai::formats().format("sillytavern-persona").unwrap();
    let kinds = |default: &str| {
        let text = format!(r#"{{"personas": {{"a.png": "A", "b.png": "B"}}, "persona_descriptions": {{}}{default}}}"#);
        let warnings = format.import(Input::new(text)).unwrap().warnings;
        warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(""), []);
    assert_eq!(kinds(r#", "default_persona": null"#), []);
    assert_eq!(kinds(r#", "default_persona": "b.png""#), []);
    assert_eq!(kinds(r#", "default_persona": "gone.png""#), [WarningKind::Row]);
}

#[test]
fn a_warning_inside_a_picked_row_has_its_place() {
    let format = bunzai::formats().format("sillytavern-preset").unwrap();
    let order = r#"{"character_id": 100001, "order": [{"identifier": "a", "enabled": "no"}, {"identifier": "z"}]}"#;
    let prompts = r#"[{"identifier": "a", "name": "A"}]"#;
    let text = format!(r#"{{"prompts": {prompts}, "prompt_order": [{{"character_id": 7, "order": []}}, {order}]}}"#);
    let warnings = format.import(Input::new(text)).unwrap().warnings;
    let mut at: Vec<&str> = warnings.iter().map(|warning| warning.at.as_str()).collect();
    at.sort_unstable();
    assert_eq!(at, ["/prompt_order/1/order/0/enabled", "/prompt_order/1/order/1"]);
}

//! What a crate that embeds its own formats relies on.

use bunzai::{Codec, Entity, Input};
use notes::{AcmeNote, Link, MemoNote, Note, State};

const ACME: &str = r#"{
    "noteTitle": "Lamps",  "body": "Trim the wicks.",
    "urgency": "3", "done": "false", "labels": ["harbour"],
    "changedAt": "2026-01-02", "private": {"x": [1.0, 2]}
}
"#;

const MEMO: &str = r#"{"v":1,"memo":{"heading":"Ropes","tags":"[\"yard\",\"yard\"]","state":"done"},"links":[{"key":"a","href":"https://a.example","pinned":true},{"key":"b","visits":4}]}"#;

#[test]
fn an_unedited_note_comes_back_byte_for_byte() {
    let acme = AcmeNote::to_canonical(ACME).unwrap().entity;
    assert_eq!(AcmeNote::from_canonical(&acme).unwrap().bytes(), ACME.as_bytes());
    let memo = MemoNote::to_canonical(MEMO).unwrap().entity;
    assert_eq!(MemoNote::from_canonical(&memo).unwrap().bytes(), MEMO.as_bytes());
}

#[test]
fn both_formats_read_into_the_same_model() {
    let acme = AcmeNote::to_canonical(ACME).unwrap();
    assert!(acme.warnings.is_empty());
    let note = acme.entity.body;
    assert_eq!((note.title.as_str(), note.urgency, note.state), ("Lamps", Some(3), State::Open));
    let note = MemoNote::to_canonical(MEMO).unwrap().entity.body;
    assert_eq!((note.title.as_str(), note.text.as_str(), note.state), ("Ropes", "", State::Done));
    assert_eq!(note.tags, Some(vec!["yard".to_owned()]));
    assert_eq!(note.links.map(|links| links.len()), Some(2));
}

#[test]
fn an_edit_changes_its_own_bytes_and_no_others() {
    let mut acme = AcmeNote::to_canonical(ACME).unwrap().entity;
    acme.body.urgency = Some(9);
    acme.body.state = State::Done;
    let edited = ACME.replace("\"3\"", "\"9\"").replace("\"false\"", "\"true\"");
    assert_eq!(AcmeNote::from_canonical(&acme).unwrap().bytes(), edited.as_bytes());

    let mut memo = MemoNote::to_canonical(MEMO).unwrap().entity;
    memo.body.tags = Some(vec!["yard".into(), "dock".into()]);
    let links = memo.body.links.as_mut().unwrap();
    links.swap(0, 1);
    links.push(Link { id: "c".into(), url: "https://c.example".into(), visits: None });
    let edited = MEMO.replace(r#"\"yard\",\"yard\""#, r#"\"yard\",\"dock\""#).replace(
        r#"[{"key":"a","href":"https://a.example","pinned":true},{"key":"b","visits":4}]"#,
        r#"[{"key":"b","visits":4},{"key":"a","href":"https://a.example","pinned":true},{"key":"c","href":"https://c.example"}]"#,
    );
    assert_eq!(String::from_utf8_lossy(&MemoNote::from_canonical(&memo).unwrap().bytes()), edited);
}

#[test]
fn a_conversion_says_what_the_other_format_cannot_carry() {
    let memo = MemoNote::to_canonical(MEMO).unwrap().entity;
    let acme = AcmeNote::from_canonical(&memo).unwrap();
    let report = acme.report().unwrap();
    let lost: Vec<&str> = report.lost.iter().map(|loss| loss.at.as_str()).collect();
    assert_eq!(lost, ["/body/links"]);
    let again = AcmeNote::to_canonical(&*acme.bytes()).unwrap().entity.body;
    assert_eq!((again.title.as_str(), again.state), ("Ropes", State::Done));
}

#[test]
fn a_new_note_is_written_with_the_constants_of_its_format() {
    let note =
        Note { title: "New".into(), text: String::new(), tags: None, urgency: None, state: State::Open, links: None };
    let entity = Entity::new(note.clone());
    assert_eq!(entity.id, "new");
    let acme = AcmeNote::from_canonical(&entity).unwrap();
    let expected = serde_json::json!({ "acmeVersion": "2", "noteTitle": "New", "body": "", "done": "false" });
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&acme.bytes()).unwrap(), expected);
    assert!(acme.report().unwrap().is_lossless());
    let memo = MemoNote::from_canonical(&entity).unwrap();
    assert_eq!(MemoNote::to_canonical(&*memo.bytes()).unwrap().entity.body, note);
}

#[test]
fn a_hub_has_serde_and_a_schema() {
    let note = MemoNote::to_canonical(Input::new(MEMO)).unwrap().entity.body;
    let json = serde_json::to_value(&note).unwrap();
    assert_eq!(serde_json::from_value::<Note>(json.clone()).unwrap(), note);
    let mut extra = json;
    extra["unknown"] = true.into();
    assert!(serde_json::from_value::<Note>(extra).is_err());
    let schema = bunzai::schemars::schema_for!(Note);
    assert_eq!(schema.get("properties").unwrap()["urgency"]["maximum"], 255);
    assert_eq!(MemoNote::read_schema().unwrap().get("properties").unwrap()["links"]["x-bunzai-to"], "links");
}

#[test]
fn a_file_of_another_format_is_refused_with_what_it_lacks() {
    let error = AcmeNote::to_canonical(MEMO).unwrap_err().to_string();
    assert!(error.contains("acme-note") && error.contains("`noteTitle` is string"), "{error}");
}

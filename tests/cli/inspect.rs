//! `bunzai inspect`

use serde_json::{Value, json};

use crate::folder::{Folder, fixture_names, format_of};

#[test]
fn a_file_is_told_to_machines_as_one_object() {
    let folder = Folder::with(&["wren.persona.json"]);
    let expected = json!({
        "file": "wren.persona.json",
        "format": "marinara-persona",
        "kind": "persona",
        "name": "Wren Aldermoor",
        "score": 0.95,
        "candidates": [{ "format": "marinara-persona", "kind": "persona", "score": 0.95 }]
    });
    assert_eq!(folder.done(["inspect", "--json", "wren.persona.json"]).json(), expected);
}

#[test]
fn every_sample_is_recognised_by_its_own_format_above_all_others() {
    let names = fixture_names();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let folder = Folder::with(&names);
    let ran = folder.done(["inspect", "--json"].iter().chain(&names));
    let told = ran.json_lines();
    assert_eq!(told.len(), names.len());
    for (name, told) in names.iter().zip(told) {
        assert_eq!((&told["file"], &told["format"]), (&json!(name), &json!(format_of(name))));
        let candidates = told["candidates"].as_array().unwrap();
        assert_eq!(candidates[0]["format"], told["format"]);
        let score = |n: usize| candidates.get(n).map_or(0.0, |candidate| candidate["score"].as_f64().unwrap());
        assert!(score(0) > score(1), "{told}");
    }
}

#[test]
fn a_native_file_is_of_the_kind_of_its_entity() {
    let folder = Folder::with(&["harbour-filters.regex.json"]);
    folder.done(["convert", "harbour-filters.regex.json", "h.bunzai.json", "--to", "bunzai"]);
    let told = folder.done(["inspect", "--json", "h.bunzai.json"]).json();
    assert_eq!(told["format"], "bunzai");
    assert_eq!(told["kind"], "regex");
    assert_eq!(told["name"], "harbour-filters.regex");
    assert_eq!(told["score"].as_f64(), Some(1.0));
    assert_eq!(told["candidates"][0], json!({ "format": "bunzai", "kind": "regex", "score": 1.0 }));
}

#[test]
fn people_read_what_it_is_and_what_rides_in_escrow() {
    let folder = Folder::with(&["ilse.persona-export.json", "wren.persona.json"]);
    let ran = folder.done(["inspect", "ilse.persona-export.json", "wren.persona.json"]);
    let row = |start: &str| {
        let line = ran.out.lines().find(|line| line.trim_start().starts_with(start));
        line.unwrap_or_else(|| panic!("no {start:?} in {}", ran.out))
    };
    assert!(ran.out.starts_with("ilse.persona-export.json\n"), "{}", ran.out);
    assert!(row("format").contains("marinara-persona (Marinara persona), score 1"));
    assert!(row("because").contains("`type` is \"marinara_persona\""));
    assert!(row("kind").ends_with("persona"));
    assert!(row("id").ends_with("ilse-vantongeren"));
    assert!(row("name").ends_with("Ilse Vantongeren"));
    assert!(row("escrow").contains("/data/tags") && row("escrow").contains("/exportedAt"), "{}", row("escrow"));
    let rides = |at: &str| row("escrow").split([' ', ',']).any(|place| place == at);
    assert!(rides("/data/nameColor") && !rides("/data/name"), "a mapped slot is no escrow: {}", row("escrow"));
    assert!(ran.out.contains("\n\nwren.persona.json\n"), "{}", ran.out);
}

#[test]
fn counts_of_rows_stand_in_the_escrow() {
    let ran = Folder::with(&["harbour-filters.regex.json"]);
    let ran = ran.done(["inspect", "harbour-filters.regex.json"]);
    assert!(ran.out.contains("5 items"), "{}", ran.out);
    assert!(ran.out.contains("/*/applyMode"), "{}", ran.out);
}

#[test]
fn what_no_format_claims_is_told_and_the_others_are_still_shown() {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.write("list.json", "[1, 2]");
    folder.write("torn.json", "{\"a\": ");
    let ran = folder.refused(1, ["inspect", "--json", "list.json", "wren.persona.json", "torn.json"]);
    let told = ran.json_lines();
    let formats: Vec<&Value> = told.iter().map(|object| &object["format"]).collect();
    assert_eq!(formats, [&Value::Null, &json!("marinara-persona"), &Value::Null]);
    let nothing = json!({
        "file": "list.json", "format": null, "kind": null, "name": null, "score": null, "candidates": []
    });
    assert_eq!(told[0], nothing);
    let errors = ran.json_errors();
    assert_eq!(errors[0], json!({ "error": "no format claims this file", "file": "list.json" }));
    assert_eq!(errors[1]["file"], "torn.json");
    assert!(errors[1]["error"].as_str().is_some_and(|text| text.starts_with("not JSON: line 1")), "{errors:?}");
}

#[test]
fn what_is_nearly_a_known_file_is_told_what_it_lacks() {
    let folder = Folder::new();
    folder.write("a.json", r#"{"id": "p", "name": "Wren", "description": "", "boxColor": ""}"#);
    folder.refused(1, ["inspect", "a.json"]).says(&["no format claims", "marinara-persona", "`personality` is string"]);
}

#[test]
fn standard_input_can_be_inspected() {
    let folder = Folder::with(&["wren.persona.json"]);
    let ran = folder.run_with(["inspect", "--json", "-"], folder.read("wren.persona.json").as_bytes());
    assert_eq!((ran.code, &ran.json()["format"]), (0, &json!("marinara-persona")));
}

#[test]
fn warnings_do_not_get_into_the_output() {
    let folder = Folder::new();
    folder.write("p.json", r#"{"id":"p","name":"N","description":"","personality":"","boxColor":"","comment":5}"#);
    let ran = folder.done(["inspect", "p.json"]);
    ran.says(&["warning: /comment: expected string"]);
    assert!(!ran.out.contains("warning"));
    assert_eq!(folder.done(["inspect", "--json", "p.json"]).json()["name"], "N");
}

#[test]
fn a_missing_file_and_a_folder_are_errors() {
    let folder = Folder::new();
    folder.write("sub/file", "");
    folder.refused(1, ["inspect", "nowhere.json"]).says(&["nowhere.json: "]);
    folder.refused(1, ["inspect", "sub"]).says(&["sub: it is a folder"]);
    let errors = folder.refused(1, ["inspect", "--json", "nowhere.json"]).json_errors();
    assert_eq!(errors[0]["file"], "nowhere.json");
}

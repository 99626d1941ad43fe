//! `bunzai formats`, and the usage of the command as a whole.

use serde_json::{Value, json};

use crate::folder::Folder;

#[test]
fn every_codec_is_listed() {
    let ran = Folder::new().done(["formats"]);
    // Labels have spaces in them; columns are two spaces apart.
    let row =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("|");
    let rows: Vec<String> = ran.out.lines().map(row).collect();
    for expected in [
        "FORMAT|KIND|LABEL|EXTENSIONS",
        "bunzai|any|Bunzai|bunzai.json",
        "marinara-persona|persona|Marinara persona|json",
        "marinara-regex|regex|Marinara regex scripts|json",
    ] {
        assert!(rows.iter().any(|row| row == expected), "no {expected} in {rows:?}");
    }
}

#[test]
fn the_list_is_for_machines_too() {
    let list = Folder::new().done(["formats", "--json"]).json();
    let formats = list["formats"].as_array().unwrap();
    let ids: Vec<&str> = formats.iter().filter_map(|format| format["id"].as_str()).collect();
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    assert_eq!(ids, sorted);
    assert_eq!(ids.len(), formats.len());
    let persona = formats.iter().find(|format| format["id"] == "marinara-persona").unwrap();
    assert_eq!(persona["kind"], "persona");
    assert_eq!(persona["label"], "Marinara persona");
    assert_eq!(persona["extensions"], json!(["json"]));
    assert!(persona["about"].as_str().is_some_and(|about| !about.is_empty()));
    let native = formats.iter().find(|format| format["id"] == "bunzai").unwrap();
    assert_eq!((&native["kind"], &native["extensions"]), (&Value::Null, &json!(["bunzai.json"])));
}

#[test]
fn wrong_usage_has_a_status_of_its_own() {
    let folder = Folder::with(&["wren.persona.json"]);
    let none: [&str; 0] = [];
    folder.refused(2, none);
    for arguments in [
        &["transmogrify"][..],
        &["convert"],
        &["convert", "wren.persona.json", "out.json", "more"],
        &["convert", "wren.persona.json", "out.json", "--lenient"],
        &["convert", "wren.persona.json", "out.json", "--to"],
        &["inspect"],
        &["validate"],
        &["edit", "wren.persona.json"],
        &["edit", "wren.persona.json", "/body/name"],
        &["edit", "wren.persona.json", "/body/name", "x", "--remove"],
        &["schema"],
        &["schema", "persona", "--all", "out"],
        &["check"],
    ] {
        folder.refused(2, arguments);
    }
}

#[test]
fn help_and_version_are_no_errors() {
    let folder = Folder::new();
    let help = folder.done(["--help"]);
    for command in ["formats", "inspect", "convert", "edit", "validate", "schema", "check"] {
        assert!(help.out.contains(command), "{command} in {}", help.out);
        folder.done([command, "--help"]);
    }
    assert_eq!(folder.done(["--version"]).out.trim(), concat!("bunzai ", env!("CARGO_PKG_VERSION")));
}

//! A preset and the regex scripts that go with it, from one application to the other and back.

use bunzai::model::PresetBody;
use bunzai::{AnyEntity, Bundle, Input, Way, formats};
use serde_json::{Value, json};

use crate::read;

const MOORING: &str = include_str!("../../fixtures/sillytavern/Mooring.json");
const PILOT: &str = include_str!("../../fixtures/cross/pilot.preset.json");
const FILTERS: &str = include_str!("../../fixtures/marinara/harbour-filters.regex.json");

/// A preset with a set of scripts linked to it.
fn linked(main: AnyEntity, piece: AnyEntity) -> Bundle {
    let mut main = main.downcast::<PresetBody>().unwrap();
    main.body.behavior_refs = Some(vec![piece.id.clone()]);
    Bundle { main: main.into(), linked: vec![piece], warnings: Vec::new() }
}

/// What is written for SillyTavern, with the scripts in it.
#[track_caller]
fn embedded(bundle: &Bundle) -> Value {
    let exported = formats().export_bundle(bundle, formats().format("sillytavern-preset").unwrap()).unwrap();
    assert!(matches!(exported.linked[0].way, Way::Embedded), "{exported:?}");
    serde_json::from_str(&exported.main.text()).unwrap()
}

/// The scripts of a SillyTavern preset, by what each of them does.
fn scripts(preset: &Value) -> Value {
    let row = |row: &Value| json!([row["scriptName"], row["findRegex"], row["replaceString"], row["placement"]]);
    preset["extensions"]["regex_scripts"].as_array().unwrap().iter().map(row).collect()
}

#[test]
fn marinara_scripts_go_into_a_sillytavern_preset() {
    let preset = read("marinara-preset", "pilot.json", PILOT);
    let preset = embedded(&linked(preset, read("marinara-regex", "Harbour filters.json", FILTERS)));
    assert_eq!(
        scripts(&preset),
        json!([
            ["Steady the ellipses", "/\\.{4,}/g", "…", [2]],
            ["Knots to words", "/(\\d+)\\s?kn\\b/g", "$1 knots", [2]],
            ["Drop stage directions", "/^\\*\\((.+?)\\)\\*$/gim", "", [2, 1]],
            ["Old harbour names", "/\\b(?:Kingsmouth|Kingsmouth-on-Sea)\\b/g", "the old harbour", [1]],
            ["Nothing yet", "", "", []],
        ])
    );
    // What only Marinara knows of them stays at home.
    assert!(!preset.to_string().contains("applyMode"), "{preset}");
}

#[test]
fn scripts_that_travelled_beside_can_be_put_back() {
    let format = formats().format("sillytavern-preset").unwrap();
    let bundle = formats().import_bundle(format, Input::new(MOORING).file_name("Mooring.json")).unwrap();
    let exported = formats().export_bundle(&bundle, formats().format("marinara-preset").unwrap()).unwrap();
    let Way::Beside(beside) = &exported.linked[0].way else { panic!("{exported:?}") };
    let rows: Value = serde_json::from_str(&beside.text()).unwrap();
    let told = |row: &Value| json!([row["name"], row["findRegex"], row["flags"], row["placement"], row["order"]]);
    assert_eq!(
        rows.as_array().unwrap().iter().map(told).collect::<Value>(),
        json!([
            ["Squeeze spaces", " {2,}", "g", ["ai_output"], 0],
            ["No shouting", "!{2,}", "g", ["user_input", "ai_output"], 1],
            ["Unstrike", "~~(.+?)~~", "g", ["ai_output"], 2],
        ])
    );

    // A Marinara preset names no scripts, so who puts them back says which.
    let preset = read("marinara-preset", exported.main.name(), &exported.main.text());
    let set = read("marinara-regex", beside.name(), &beside.text());
    assert_eq!(set.id, "mooring-regex");
    assert_eq!(
        scripts(&embedded(&linked(preset, set))),
        json!([
            ["Squeeze spaces", "/ {2,}/g", " ", [2]],
            ["No shouting", "/!{2,}/g", "!", [1, 2]],
            ["Unstrike", "/~~(.+?)~~/g", "$1", [2]],
        ])
    );
}

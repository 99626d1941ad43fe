//! `--report` and `--strict`.

use serde_json::{Value, json};

use crate::folder::Folder;

const WREN: &str = "wren.persona.json";

/// An entity that the persona of Marinara cannot carry whole.
fn rich() -> Folder {
    let folder = Folder::new();
    let entity = json!({
        "schemaVersion": "1", "kind": "persona", "id": "mara",
        "body": { "name": "Mara", "content": "I cut reeds.", "traits": ["blunt"], "sections": { "quirks": "Hums." },
                  "attribution": { "source": "custom" } }
    });
    folder.write("mara.bunzai.json", entity.to_string());
    folder
}

const TO_MARINARA: [&str; 4] = ["convert", "mara.bunzai.json", "out.json", "--to"];

#[test]
fn the_report_names_what_is_lost_and_what_is_changed() {
    let folder = rich();
    let ran = folder.done(TO_MARINARA.iter().chain(&["marinara-persona", "--report", "r.json"]));
    let report = folder.json("r.json");
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["from", "to", "lost", "coerced", "kept", "sealed", "warnings"]);
    assert_eq!((&report["from"], &report["to"]), (&json!("bunzai"), &json!("marinara-persona")));
    let losses = report["lost"].as_array().unwrap();
    let mut lost: Vec<&str> = losses.iter().filter_map(|loss| loss["at"].as_str()).collect();
    lost.sort_unstable();
    // The sections have nothing but what is lost, so they are lost as a whole; the source reads back
    // as the stamp of every import.
    assert_eq!(lost, ["/body/attribution/source", "/body/sections", "/body/traits"]);
    assert_eq!((&report["coerced"], &report["kept"]), (&json!([]), &json!([])));
    let traits = losses.iter().find(|loss| loss["at"] == "/body/traits").unwrap();
    assert_eq!(traits["value"], json!(["blunt"]));
    assert!(traits["reason"].as_str().is_some_and(|reason| !reason.is_empty()));
    ran.says(&["lost /body/traits: ", "lost /body/sections: "]);
}

#[test]
fn the_report_counts_what_rides_in_escrow() {
    let folder = Folder::with(&["harbour-filters.regex.json"]);
    folder.done(["convert", "harbour-filters.regex.json", "c.bunzai.json", "--to", "bunzai", "--report", "r.json"]);
    let report = folder.json("r.json");
    let count = |at: &str| report["sealed"].as_array().unwrap().iter().find(|sealed| sealed["at"] == at).cloned();
    assert_eq!(count("/*/applyMode"), Some(json!({ "at": "/*/applyMode", "count": 1 })));
    assert_eq!(count("/*/name"), None);
    assert_eq!((&report["from"], &report["to"]), (&json!("marinara-regex"), &json!("bunzai")));
    assert_eq!(report["lost"], json!([]));
    assert_eq!(report["warnings"], json!([]));
}

#[test]
fn a_name_that_travels_as_that_of_the_file_is_told_when_the_file_has_another() {
    let folder = Folder::with(&["harbour-filters.regex.json"]);
    folder.done(["convert", "harbour-filters.regex.json", "c.bunzai.json", "--to", "bunzai"]);
    let coerced = |out: &str| {
        folder.done(["convert", "c.bunzai.json", out, "--report", "r.json", "--force"]);
        folder.json("r.json")["coerced"].clone()
    };
    let told_of = |told: &Value, name: &str| {
        assert_eq!((&told[0]["at"], &told[0]["value"]), (&json!("/body/name"), &json!(name)));
    };
    // A copy of a file is not renamed by it.
    assert_eq!(coerced("out.json"), json!([]));
    folder.done(["edit", "c.bunzai.json", "/body/name", "Evening filters"]);
    assert_eq!(coerced("Evening filters.json"), json!([]));
    told_of(&coerced("out.json"), "Evening filters");
    // No file can have this one.
    folder.done(["edit", "c.bunzai.json", "/body/name", "Rain/snow"]);
    told_of(&coerced("out.json"), "Rain/snow");
}

#[test]
fn a_report_replaces_no_file_without_force() {
    let folder = rich();
    folder.write("r.json", "mine");
    let convert = ["convert", "mara.bunzai.json", "out.json", "--to", "marinara-persona", "--report", "r.json"];
    folder.refused(1, convert).says(&["r.json: it exists already", "--force"]);
    assert_eq!(folder.read("r.json"), "mine");
    folder.done(convert.iter().chain(&["--force"]));
    assert!(folder.json("r.json")["lost"].is_array());
}

#[test]
fn losses_that_rows_share_are_told_in_one_line() {
    let folder = Folder::new();
    let rows = (0..9).map(|n| json!({ "identifier": format!("p{n}"), "name": "N", "injection_trigger": ["normal"] }));
    folder.write("many.json", json!({ "prompts": rows.collect::<Vec<_>>() }).to_string());
    let ran = folder.done(["convert", "many.json", "out.json", "--to", "marinara-preset"]);
    let lines: Vec<&str> = ran.err.lines().filter(|line| line.contains("injectionTrigger")).collect();
    assert_eq!(lines, ["lost /body/prompts/*/injectionTrigger (9): marinara-preset has no place for it"], "{ran:?}");
}

#[test]
fn what_rides_inside_json_text_is_counted_too() {
    let folder = Folder::with(&["harbour.preset.json"]);
    folder.done(["convert", "harbour.preset.json", "c.bunzai.json", "--to", "bunzai", "--report", "r.json"]);
    let report = folder.json("r.json");
    let sealed: Vec<&str> =
        report["sealed"].as_array().unwrap().iter().filter_map(|sealed| sealed["at"].as_str()).collect();
    assert!(sealed.contains(&"/data/preset/parameters/verbosity"), "{sealed:?}");
    // What the order of the blocks is made of is no stranger.
    assert!(!sealed.contains(&"/data/preset/sectionOrder"), "{sealed:?}");
}

#[test]
fn the_report_has_the_warnings() {
    let folder = Folder::new();
    folder.write("p.json", r#"{"id":"p","name":"N","description":"","personality":"","boxColor":"","comment":5}"#);
    folder.done(["convert", "p.json", "c.bunzai.json", "--to", "bunzai", "--report", "r.json"]);
    let report = folder.json("r.json");
    let warnings = report["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0]["at"], "/comment");
    assert!(warnings[0]["message"].as_str().is_some_and(|text| text.contains("string")));
}

#[test]
fn a_long_list_of_losses_is_cut_and_the_report_has_all() {
    let folder = Folder::new();
    let rule = |n: usize| {
        json!({
            "id": n.to_string(), "label": "", "find": "", "flags": "", "replace": "", "phases": ["input"],
            "enabled": true, "sortOrder": n,
            // Each has one of its own: what rows share is told in one line.
            "extras": { "marinaraCreatedAt": "", "marinaraUpdatedAt": "", format!("mine{n}"): 1 }
        })
    };
    let rules: Vec<Value> = (0..25).map(rule).collect();
    let entity = json!({ "schemaVersion": "1", "kind": "regex", "id": "x", "body": { "name": "X", "rules": rules } });
    folder.write("x.bunzai.json", entity.to_string());
    let ran = folder.done(["convert", "x.bunzai.json", "out.json", "--to", "marinara-regex", "--report", "r.json"]);
    assert_eq!(folder.json("r.json")["lost"].as_array().map(Vec::len), Some(25));
    assert_eq!(ran.err.lines().filter(|line| line.starts_with("lost /body/rules/")).count(), 20, "{}", ran.err);
    ran.says(&["and 5 more"]);
}

#[test]
fn strict_writes_nothing_that_loses_something() {
    let folder = rich();
    let strict = TO_MARINARA.iter().chain(&["marinara-persona", "--strict"]);
    folder.refused(3, strict.clone()).says(&["lost /body/traits", "--strict"]);
    folder.write("out.json", "mine");
    folder.refused(3, strict.chain(&["--force"]));
    assert_eq!(folder.read("out.json"), "mine");
    // The stream is an output too.
    let ran = folder.refused(3, ["convert", "mara.bunzai.json", "--to", "marinara-persona", "--strict"]);
    assert_eq!(ran.out, "");
}

#[test]
fn strict_says_in_the_report_why_it_refuses() {
    let folder = rich();
    let ran = folder.run(TO_MARINARA.iter().chain(&["marinara-persona", "--strict", "--report", "r.json"]));
    assert_eq!(ran.code, 3);
    assert_eq!(folder.names(), ["mara.bunzai.json", "r.json"]);
    assert!(folder.json("r.json")["lost"].as_array().is_some_and(|lost| !lost.is_empty()));
}

#[test]
fn strict_lets_through_what_loses_nothing() {
    let folder = Folder::with(&[WREN]);
    folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai", "--strict"]);
    folder.done(["convert", "c.bunzai.json", "back.json", "--strict"]);
    assert_eq!(folder.read("back.json"), folder.read(WREN));
}

#[test]
fn strict_lets_through_what_reads_back_as_a_default() {
    let folder = Folder::new();
    let rule = json!({
        "id": "a", "label": "", "find": "", "flags": "", "replace": "", "phases": ["input"], "enabled": true,
        "sortOrder": 0
    });
    let entity = json!({ "schemaVersion": "1", "kind": "regex", "id": "x", "body": { "name": "X", "rules": [rule] } });
    folder.write("x.bunzai.json", entity.to_string());
    folder.done(["convert", "x.bunzai.json", "out.json", "--to", "marinara-regex", "--strict"]);
}

#[test]
fn strict_counts_what_the_twin_holds_against_the_model() {
    let folder = Folder::with(&[WREN]);
    folder.done(["convert", WREN, "c.bunzai.json", "--to", "bunzai"]);
    folder.done(["edit", "c.bunzai.json", "/body/sections/history", "--remove"]);
    folder.refused(3, ["convert", "c.bunzai.json", "back.json", "--strict"]).says(&["kept /body/sections/history"]);
    folder.done(["convert", "c.bunzai.json", "back.json", "--report", "r.json"]);
    assert_eq!(folder.json("r.json")["kept"][0]["at"], "/body/sections/history");
    assert!(folder.read("back.json").contains("Raised in the lighthouse"));
}

#[test]
fn a_report_that_cannot_be_written_leaves_nothing_written() {
    let folder = Folder::with(&[WREN]);
    folder.refused(1, ["convert", WREN, "out.json", "--to", "bunzai", "--report", "nowhere/r.json"]);
}

#[test]
fn the_report_never_takes_the_place_of_the_file_it_is_about() {
    let folder = Folder::with(&[WREN]);
    let source = folder.read(WREN);
    for report in [WREN, "./wren.persona.json"] {
        let ran = folder.run(["convert", WREN, "out.json", "--to", "bunzai", "--report", report, "--force"]);
        assert_eq!(folder.read(WREN), source, "{ran:?}");
        assert_ne!(ran.code, 0, "{ran:?}");
    }
    let ran = folder.run(["convert", WREN, "one.json", "--to", "bunzai", "--report", "one.json"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(!folder.names().contains(&"one.json".to_owned()), "{:?}", folder.json("one.json"));
}

#[test]
fn the_report_can_go_to_standard_output_if_the_document_does_not() {
    let folder = rich();
    let ran = folder.done(TO_MARINARA.iter().chain(&["marinara-persona", "--report", "-"]));
    assert_eq!((&ran.json()["to"], folder.names().len()), (&json!("marinara-persona"), 2));
    for output in [None, Some("-")] {
        let convert = ["convert", "mara.bunzai.json"].into_iter().chain(output);
        let ran = folder.refused(1, convert.chain(["--to", "marinara-persona", "--report", "-"]));
        assert_eq!(ran.out, "", "{output:?}");
    }
}

#[test]
fn the_report_of_a_conversion_that_fails_is_not_written() {
    let folder = Folder::with(&[WREN]);
    folder.refused(1, ["convert", WREN, "out.json", "--to", "marinara-regex", "--report", "r.json"]);
    folder.write("out.json", "mine");
    folder.refused(1, ["convert", WREN, "out.json", "--to", "bunzai", "--report", "r.json"]).says(&["--force"]);
}

#[test]
fn a_lone_value_that_is_lost_is_named_even_when_it_is_nothing_much() {
    let folder = Folder::new();
    let entity = json!({
        "schemaVersion": "1", "kind": "regex", "id": "x",
        "body": { "name": "X", "enabled": false, "description": "", "rules": [{
            "id": "a", "label": "", "find": "", "flags": "", "replace": "", "phases": ["input"], "enabled": true,
            "sortOrder": 0, "runOnEdit": false, "useFlags": false }] }
    });
    folder.write("x.bunzai.json", entity.to_string());
    folder.done(["convert", "x.bunzai.json", "out.json", "--to", "marinara-regex", "--report", "r.json"]);
    let report = folder.json("r.json");
    let lost: Vec<&str> = report["lost"].as_array().unwrap().iter().filter_map(|loss| loss["at"].as_str()).collect();
    for at in ["/body/enabled", "/body/description", "/body/rules/0/runOnEdit", "/body/rules/0/useFlags"] {
        assert!(lost.contains(&at), "{at} is not in {lost:?}");
    }
    let off = report["lost"].as_array().unwrap().iter().find(|loss| loss["at"] == "/body/enabled").unwrap();
    assert_eq!(off["value"], Value::Bool(false));
}

#[test]
fn a_report_that_cannot_be_written_leaves_no_document() {
    let folder = rich();
    std::fs::create_dir(folder.path("reports")).unwrap();
    let ran = folder.refused(1, TO_MARINARA.iter().chain(&["marinara-persona", "--report", "reports"]));
    ran.says(&["reports: it is a folder"]);
}

#[test]
fn what_only_the_source_knows_is_told_where_another_application_has_the_file() {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.done(["convert", "wren.persona.json", "c.bunzai.json"]);
    for (input, to, is_told) in [
        ("wren.persona.json", "sillytavern-persona", true),
        ("wren.persona.json", "marinara-persona", false),
        ("wren.persona.json", "bunzai", false),
        ("c.bunzai.json", "sillytavern-persona", false),
        ("c.bunzai.json", "marinara-persona", false),
    ] {
        let ran = folder.done(["convert", input, "out.json", "--to", to, "--force"]);
        assert_eq!(ran.err.contains("sealed, for only "), is_told, "{input} {to}: {ran:?}");
    }
}

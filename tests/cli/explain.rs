//! `bunzai explain`

use crate::folder::Folder;

#[test]
fn a_field_map_tells_where_each_field_goes_and_how() {
    let ran = Folder::new().done(["explain", "marinara-lorebook"]);
    let line = |wire: &str| {
        let line = ran.out.lines().find(|line| line.trim_start().starts_with(&format!("{wire} ")));
        line.unwrap_or_else(|| panic!("no {wire} in {}", ran.out)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("data.lorebook.scanDepth"), "data.lorebook.scanDepth globalScanDepth else 2");
    assert_eq!(line("probability"), "probability probability narrowed to 0 to 100; else 100");
    assert!(line("data.entries").contains("entries rows; told apart by id"));
    assert!(line("selectiveLogic").contains("and_all = and_all"));
    assert!(line("schedule").contains("- sealed (object|null); new: null Activation by in-game time"));
    assert!(line("selective").contains("triggerMode, secondaryTriggers joined below"));
    assert!(line("recognised").contains("`type` is \"marinara_lorebook\""));
    assert!(ran.out.contains("each row of data.folders"));
    assert!(line("not").contains("entries[].sideEffects"));
}

#[test]
fn the_same_is_there_for_machines() {
    let map = Folder::new().done(["explain", "marinara-preset", "--json"]).json();
    assert_eq!((&map["format"], &map["kind"]), (&"marinara-preset".into(), &"preset".into()));
    let sections = map["sections"].as_array().unwrap();
    let samplers = sections.iter().find(|s| s["title"] == "the object in data.preset.parameters (JSON text)").unwrap();
    let top_p = samplers["rows"].as_array().unwrap().iter().find(|row| row["wire"] == "topP").unwrap();
    assert_eq!(top_p["to"], "samplers.topP");
}

#[test]
fn what_has_no_field_map_is_told() {
    let ran = Folder::new().run(["explain", "bunzai"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("no field map"), "{}", ran.err);
    assert_eq!(Folder::new().run(["explain", "no-such-format"]).code, 1);
}

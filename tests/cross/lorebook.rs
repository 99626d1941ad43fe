//! Lorebooks between Marinara and SillyTavern.

use serde_json::{Value, json};

use crate::{File, convert, differ_in_the_end, native_between, read};

const MARINARA: &str = "marinara-lorebook";
const SILLYTAVERN: &str = "sillytavern-lorebook";

const PILOTS: File = File {
    format: MARINARA,
    name: "tidewater.lorebook.json",
    text: include_str!("../../fixtures/cross/tidewater.lorebook.json"),
};

const TIDEWATER: File = File {
    format: SILLYTAVERN,
    name: "Tidewater.json",
    text: include_str!("../../fixtures/sillytavern/Tidewater.json"),
};

/// Some keys of every entry.
fn columns(file: &Value, keys: &[&str]) -> Value {
    let rows: Vec<&Value> = match &file["entries"] {
        Value::Object(rows) => rows.values().collect(),
        _ => file["data"]["entries"].as_array().unwrap().iter().collect(),
    };
    rows.into_iter().map(|row| keys.iter().map(|key| row[key].clone()).collect::<Value>()).collect()
}

#[test]
fn sillytavern_reads_what_marinara_means() {
    let trips = PILOTS.there_and_back(SILLYTAVERN);
    let file = trips.0.file();
    assert_eq!(file["entries"].as_object().unwrap().keys().collect::<Vec<_>>(), ["0", "1", "2", "3", "4", "5", "6"]);
    assert_eq!(
        columns(&file, &["comment", "key", "keysecondary", "selective", "selectiveLogic"]),
        json!([
            ["Tide tables", ["tide", "ebb"], [], true, 0],
            ["Harbour law", ["law"], ["fine", "permit"], true, 3],
            ["Gull colony", ["gull"], ["inland"], true, 2],
            ["Rope trade", ["rope"], ["silk", "hemp"], true, 1],
            ["Lamp oath", ["/lamps?/", "/oath\\/vow/"], [], true, 0],
            ["Old charts", ["chart"], [], true, 0],
            ["Rumours", ["rumour"], [], true, 0],
        ])
    );
    assert_eq!(
        columns(&file, &["order", "position", "depth", "role", "outletName", "constant", "disable"]),
        json!([
            [10, 0, 4, 0, "", true, false],
            [20, 1, 4, 0, "", false, false],
            [30, 0, 4, 0, "", false, false],
            [40, 0, 4, 0, "", false, true],
            [50, 4, 2, 1, "", false, false],
            [60, 4, 1, 2, "", false, false],
            [70, 7, 4, 0, "rumours", false, false],
        ])
    );
    assert_eq!(
        columns(&file, &["probability", "useProbability", "sticky", "cooldown", "delay", "group", "groupWeight"]),
        json!([
            [100, true, null, null, null, "", 1],
            [60, true, 3, 2, 1, "", 1],
            [100, true, null, null, null, "", 1],
            [100, true, null, null, null, "trade", 40],
            [100, true, null, null, null, "", 1],
            [100, true, null, null, null, "", 1],
            [100, true, null, null, null, "", 1],
        ])
    );
    assert_eq!(
        columns(&file, &["scanDepth", "caseSensitive", "matchWholeWords", "characterFilter"]),
        json!([
            [null, false, false, null],
            [null, false, false, null],
            [6, true, true, null],
            [null, false, false, null],
            [null, false, false, null],
            [null, false, false, { "isExclude": false, "names": ["chr-pilot"], "tags": [] }],
            [null, false, false, { "isExclude": true, "names": [], "tags": ["ghost"] }],
        ])
    );
    // Without a filter there is no key, as in a file of the application.
    assert_eq!(file.pointer("/entries/0/characterFilter"), None);
    let scans = ["matchPersonaDescription", "matchScenario", "matchCharacterDescription", "matchCharacterPersonality"];
    assert_eq!(columns(&file, &scans)[4], json!([true, true, false, false]));
    assert_eq!(columns(&file, &scans)[6], json!([false, false, true, true]));
    let recursion = ["excludeRecursion", "preventRecursion", "delayUntilRecursion"];
    assert_eq!(columns(&file, &recursion)[5], json!([true, true, 1]));
    assert_eq!(columns(&file, &recursion)[0], json!([false, false, 0]));
    let book = ["name", "description", "scan_depth", "token_budget", "recursive_scanning"];
    let said: Value = book.iter().map(|key| file[key].clone()).collect();
    assert_eq!(said, json!(["Tidewater", "What the harbour knows.", 3, 1500, true]));

    let lost = [
        "lorebookType,tags,enabled,entryBudget,categories",
        "entries/0-6/comment",
        "entries/0,1/categoryId",
        "entries/1-3/triggerMode",
    ];
    trips.0.loses(&lost);
    trips.0.changes(&["entries/0-6/id,displayIndex"]);
    trips.0.adds(&SAID_BY_SILLYTAVERN);
    trips.1.loses(&["entries/0-6/vectorized,groupOverride,scanCharacterDepthPrompt,scanCreatorNotes,displayIndex"]);
    trips.1.changes(&["entries/1-3/triggerMode"]);
    trips.1.adds(&["enabled"]);
    let in_the_end = ["lorebookType,tags,entryBudget,categories", "entries/0-6/id,comment", "entries/0,1/categoryId"];
    differ_in_the_end(&trips, &in_the_end);
}

/// What every entry of SillyTavern says, and Marinara leaves open.
const SAID_BY_SILLYTAVERN: [&str; 4] = [
    "entries/*/groupOverride",
    "entries/*/scanCharacterDepthPrompt",
    "entries/*/scanCreatorNotes",
    "entries/*/vectorized",
];

#[test]
fn marinara_reads_what_sillytavern_means() {
    let trips = TIDEWATER.there_and_back(MARINARA);
    let file = trips.0.file();
    assert_eq!(
        columns(&file, &["name", "keys", "useRegex", "secondaryKeys", "selective", "selectiveLogic"]),
        json!([
            ["Tide tables", ["tide", "ebb"], false, [], false, "and"],
            ["Harbour law", ["law"], false, ["fine", "permit"], true, "and_all"],
            ["Gull colony", ["gull"], false, ["inland"], true, "not"],
            ["Rope trade", ["rope"], false, ["silk", "hemp"], true, "not_all"],
            ["Lamp oath", ["lamp(s)?", "oath"], true, [], false, "and"],
            // One switch is for all keys of an entry.
            ["Old charts", ["chart", "sound(ing)?s"], false, [], false, "and"],
            ["Shanty", ["song"], false, [], false, "and"],
            ["Reply to the shanty", ["song"], false, [], false, "and"],
            ["Rumours", ["rumour"], false, [], false, "and"],
        ])
    );
    assert_eq!(
        columns(&file, &["order", "position", "depth", "role", "outletName", "enabled", "constant", "probability"]),
        json!([
            [10, 0, 4, "system", null, true, true, 100],
            [20, 1, 4, "system", null, true, false, 60],
            // The author's note stands in the chat, four messages up.
            [30, 2, 4, "system", null, true, false, 100],
            [40, 2, 4, "system", null, true, false, 100],
            [50, 2, 2, "user", null, true, false, 100],
            // A probability that does not count is certainty.
            [60, 2, 0, "assistant", null, true, false, 100],
            [70, 0, 4, "system", null, false, false, 100],
            [80, 1, 4, "system", null, true, false, 100],
            [90, 7, 4, "system", "rumours", true, false, 100],
        ])
    );
    let filters = ["characterFilterMode", "characterFilterIds", "characterTagFilterMode", "characterTagFilters"];
    let none = json!(["any", [], "any", []]);
    let only = json!(["exclude", ["Ferryman"], "exclude", ["t-17"]]);
    assert_eq!(columns(&file, &filters), json!([none, none, none, none, none, none, none, only, none]));
    let rest = ["sticky", "cooldown", "delay", "scanDepth", "caseSensitive", "matchWholeWords"];
    assert_eq!(columns(&file, &rest)[1], json!([3, 2, 1, null, null, null]));
    assert_eq!(columns(&file, &rest)[3], json!([0, 0, 0, 6, true, true]));
    assert_eq!(columns(&file, &["group", "groupWeight"])[6], json!(["songs", 40]));
    let recursion = ["excludeRecursion", "preventRecursion", "delayUntilRecursion"];
    assert_eq!(columns(&file, &recursion)[7], json!([true, true, true]));
    let sources = columns(&file, &["additionalMatchingSources"]);
    assert_eq!(sources[4], json!([["persona_description", "character_scenario"]]));
    assert_eq!(sources[6], json!([["character_description", "character_personality"]]));
    assert_eq!(file["data"]["lorebook"]["name"], "Tidewater");
    assert_eq!(file["data"]["lorebook"]["scanDepth"], 4);

    let lost = [
        "entries/6/position",
        "entries/0-8/vectorized,groupOverride,scanCharacterDepthPrompt,scanCreatorNotes,displayIndex",
        "entries/4/triggers/0/flags",
        "entries/5/triggers/1/flags",
        "entries/8/automationId,useGroupScoring,ignoreBudget,useMemo",
        "entries/8/metadata/generationTriggers",
    ];
    trips.0.loses(&lost);
    let changed = [
        "entries/1-3/triggerMode",
        "entries/2,3,7/position",
        "entries/5/triggers/1/isRegex",
        "entries/7/delayUntilRecursion",
    ];
    trips.0.changes(&changed);
    trips.0.adds(&["description", "enabled"]);
    trips.1.loses(&["enabled", "entries/1-3/triggerMode"]);
    trips.1.changes(&["entries/0-8/displayIndex"]);
    trips.1.adds(&SAID_BY_SILLYTAVERN);
    let in_the_end = [
        "entries/2,3,6,7/position",
        "entries/4/triggers/0/flags",
        "entries/5/triggers/1/flags,isRegex",
        "entries/6/groupOverride",
        "entries/7/delayUntilRecursion",
        "entries/8/vectorized,automationId,useGroupScoring,ignoreBudget,useMemo",
        "entries/8/scanCharacterDepthPrompt,scanCreatorNotes",
        "entries/8/metadata/generationTriggers",
    ];
    differ_in_the_end(&trips, &in_the_end);
}

#[test]
fn a_filter_that_names_nobody_filters_nothing() {
    let text = r#"{"entries": {"0": {"uid": 0, "key": ["a"], "content": "", "characterFilter": {"isExclude": false, "names": [], "tags": []}}}}"#;
    let trip = convert(&read(SILLYTAVERN, "a.json", text), MARINARA);
    // `include` with an empty list would be for no character at all.
    let modes = columns(&trip.file(), &["characterFilterMode", "characterTagFilterMode"]);
    assert_eq!(modes, json!([["any", "any"]]));
}

#[test]
fn a_key_that_would_read_as_a_pattern_is_not_written_as_one() {
    let text = r#"{"type": "marinara_lorebook", "data": {"lorebook": {"name": "L", "enabled": false},
        "entries": [{"id": "0", "name": "E", "keys": ["/a/", "b, c"], "content": ""}]}}"#;
    let trip = convert(&read(MARINARA, "a.json", text), SILLYTAVERN);
    assert_eq!(trip.file()["entries"]["0"]["key"], json!(["b, c"]));
    trip.loses(&["enabled", "entryBudget", "entries/0/triggers/0"]);
}

#[test]
fn a_native_file_between_keeps_the_original() {
    native_between(&PILOTS, SILLYTAVERN, &["lb-9", "activationConditions", "maxRecursionDepth", "character_tags"]);
    native_between(&TIDEWATER, MARINARA, &["futureKey", "Odo"]);
}

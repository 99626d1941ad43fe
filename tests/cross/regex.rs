//! Regex scripts between Marinara and SillyTavern.

use serde_json::{Value, json};

use crate::{File, differ_in_the_end, native_between};

const MARINARA: &str = "marinara-regex";
const SILLYTAVERN: &str = "sillytavern-regex";

const FILTERS: File = File {
    format: MARINARA,
    name: "Harbour filters.json",
    text: include_str!("../../fixtures/marinara/harbour-filters.regex.json"),
};

const HYGIENE: File = File {
    format: SILLYTAVERN,
    name: "Harbour hygiene.json",
    text: include_str!("../../fixtures/sillytavern/Harbour hygiene.json"),
};

/// Some keys of every row.
fn columns(file: &Value, keys: &[&str]) -> Value {
    let pick = |row: &Value| keys.iter().map(|key| row[key].clone()).collect::<Value>();
    file.as_array().unwrap().iter().map(pick).collect()
}

#[test]
fn sillytavern_reads_what_marinara_means() {
    let trips = FILTERS.there_and_back(SILLYTAVERN);
    let file = trips.0.file();
    // Marinara runs the lowest order first; SillyTavern runs the list from the top.
    assert_eq!(
        columns(&file, &["id", "scriptName", "findRegex", "placement", "disabled"]),
        json!([
            ["rx-ellipsis", "Steady the ellipses", "/\\.{4,}/g", [2], false],
            ["rx-numbers", "Knots to words", "/(\\d+)\\s?kn\\b/g", [2], false],
            ["rx-stage", "Drop stage directions", "/^\\*\\((.+?)\\)\\*$/gim", [2, 1], false],
            ["rx-harbour", "Old harbour names", "/\\b(?:Kingsmouth|Kingsmouth-on-Sea)\\b/g", [1], true],
            ["rx-empty", "Nothing yet", "", [], false],
        ])
    );
    assert_eq!(
        columns(&file, &["replaceString", "trimStrings", "promptOnly", "markdownOnly", "minDepth", "maxDepth"]),
        json!([
            ["…", [], false, false, null, null],
            ["$1 knots", [], false, false, 2, null],
            ["", ["(sighs)", "~"], true, false, null, null],
            ["the old harbour", [], false, false, 0, 4],
            ["", [], false, false, null, null],
        ])
    );
    // What Marinara has no word for is as in a new script.
    assert_eq!(columns(&file, &["runOnEdit", "substituteRegex"]), json!(vec![json!([true, 0]); 5]));

    trips.0.loses(&["rules/2/characterIds"]);
    trips.0.changes(&["rules/1-4/sortOrder"]);
    trips.0.adds(&["rules/*/runOnEdit"]);
    trips.1.loses(&["rules/0-4/runOnEdit"]);
    trips.1.changes(&[]);
    trips.1.adds(&[]);
    differ_in_the_end(&trips, &["rules/2/characterIds", "rules/1-4/sortOrder"]);
}

#[test]
fn marinara_reads_what_sillytavern_means() {
    let trips = HYGIENE.there_and_back(MARINARA);
    let file = trips.0.file();
    assert_eq!(
        columns(&file, &["name", "findRegex", "flags", "placement", "enabled", "order"]),
        json!([
            ["Shorten dashes", "-{3,}", "g", ["ai_output"], true, 0],
            ["Hide the log", "<log>.*?<\\/log>", "gis", ["ai_output"], true, 1],
            ["Plain oath", "by the tide", "", ["user_input", "ai_output"], false, 2],
            ["Names of ships", "\\b(Gannet|Petrel)\\b", "", ["user_input"], true, 3],
            ["Lore and thoughts", "{{char}}'s lamp", "i", [], true, 4],
        ])
    );
    assert_eq!(
        columns(&file, &["replaceString", "trimStrings", "promptOnly", "minDepth", "maxDepth"]),
        json!([
            ["—", [], false, null, null],
            ["", [], false, 1, 8],
            ["by the moon", [], true, null, null],
            ["the *$1*", ["\"", "'"], true, null, null],
            ["the lamp", [], false, -1, null],
        ])
    );
    assert_eq!(columns(&file, &["targetCharacterIds", "createdAt"]), json!(vec![json!([[], ""]); 5]));

    let lost = [
        "rules/0-4/runOnEdit",
        "rules/1/targets",
        "rules/3/targets/0",
        "rules/4/phases,substituteFind",
        "rules/4/extras/buoy",
    ];
    trips.0.loses(&lost);
    trips.0.changes(&[]);
    trips.0.adds(&["rules/*/extras", "rules/*/extras/marinaraCreatedAt", "rules/*/extras/marinaraUpdatedAt"]);
    trips.1.loses(&[]);
    trips.1.changes(&[]);
    trips.1.adds(&["rules/*/runOnEdit"]);
    // A new script runs on edit, and so did four of these.
    let in_the_end = ["rules/1,3/targets", "rules/4/runOnEdit", "rules/4/phases,substituteFind", "rules/4/extras/buoy"];
    differ_in_the_end(&trips, &in_the_end);
}

#[test]
fn a_native_file_between_keeps_the_original() {
    native_between(&FILTERS, SILLYTAVERN, &["applyMode", "targetPromptPresetIds", "characterId"]);
    native_between(&HYGIENE, MARINARA, &["buoy", "substituteRegex", "scriptName"]);
}

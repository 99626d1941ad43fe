//! Prompt presets between Marinara and SillyTavern.

use serde_json::{Value, json};

use crate::{File, convert, differ_in_the_end, native_between, read};

const MARINARA: &str = "marinara-preset";
const SILLYTAVERN: &str = "sillytavern-preset";

const PILOT: File =
    File { format: MARINARA, name: "pilot.preset.json", text: include_str!("../../fixtures/cross/pilot.preset.json") };

const LANTERN: File =
    File { format: SILLYTAVERN, name: "Lantern.json", text: include_str!("../../fixtures/sillytavern/Lantern.json") };

/// Some keys of every row.
fn columns(rows: &Value, keys: &[&str]) -> Value {
    let pick = |row: &Value| keys.iter().map(|key| row[key].clone()).collect::<Value>();
    rows.as_array().unwrap().iter().map(pick).collect()
}

/// JSON that stands in a text.
fn inner(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap()).unwrap()
}

#[test]
fn sillytavern_reads_what_marinara_means() {
    let trips = PILOT.there_and_back(SILLYTAVERN);
    let file = trips.0.file();
    // Slots are known by their identifiers; groups are rows with decorated names.
    assert_eq!(
        columns(&file["prompts"], &["identifier", "name", "marker"]),
        json!([
            ["section_1", "Who you are", null],
            ["worldInfoBefore", "Lore before", true],
            ["charDescription", "Character", true],
            ["personaDescription", "Persona", true],
            ["grp-a", "===Style===", false],
            ["section_5", "Short", null],
            ["grp-b", "<Weather>", false],
            ["section_6", "Wet", null],
            ["grp-c", "===Closing===", false],
            ["worldInfoAfter", "Lore after", true],
            ["dialogueExamples", "Examples", true],
            ["chatHistory", "History", true],
            ["chat_summary", "Summary", null],
            ["section_11", "Last word", null],
        ])
    );
    let row = |n: usize| {
        let keys = ["content", "role", "injection_position", "injection_depth", "injection_order", "forbid_overrides"];
        columns(&file["prompts"], &keys)[n].clone()
    };
    assert_eq!(row(0), json!(["You run the pilot station.", "system", 0, 0, 0, true]));
    assert_eq!(row(7), json!(["Say how wet it is.", "user", 1, 2, 90, false]));
    assert_eq!(row(13), json!(["The lamp is lit.", "assistant", 0, 0, 1000, false]));
    // Every row is in the list that SillyTavern reads; what is off is off there.
    assert_eq!(file["prompt_order"][0]["character_id"], 100_001);
    let order = &file["prompt_order"][0]["order"];
    assert_eq!(columns(order, &["identifier"]), columns(&file["prompts"], &["identifier"]));
    let off: Vec<&Value> = order.as_array().unwrap().iter().filter(|item| item["enabled"] == false).collect();
    assert_eq!(
        json!(off),
        json!([
            { "identifier": "grp-b", "enabled": false }, { "identifier": "section_6", "enabled": false }
        ])
    );
    let settings = [
        ("temperature", json!(0.85)),
        ("top_p", json!(0.95)),
        ("top_k", json!(40)),
        ("min_p", json!(0.05)),
        ("openai_max_tokens", json!(700)),
        ("openai_max_context", json!(32000)),
        ("frequency_penalty", json!(0.1)),
        ("presence_penalty", json!(0.2)),
        ("reasoning_effort", json!("medium")),
        ("show_thoughts", json!(false)),
        ("squash_system_messages", json!(true)),
        ("assistant_prefill", json!("The lamp")),
    ];
    for (key, value) in settings {
        assert_eq!(file[key], value, "{key}");
    }

    let lost = ["description,choices", "prompts/2,9/markerSlot", "prompts/4/wrapInXml,xmlTagName", "groups/0-2/order"];
    trips.0.loses(&lost);
    trips.0.changes(&["prompts/1-3,6-8/id,isDefault", "prompts/9/marker"]);
    trips.0.adds(&[]);
    trips.1.loses(&["prompts/1-3,6-8/isDefault"]);
    // SillyTavern has no name for the slot of the character, and Marinara needs one.
    trips.1.changes(&["prompts/2/markerSlot"]);
    trips.1.adds(&["groups/*/enabled", "groups/*/order"]);
    let in_the_end = [
        "description,choices",
        "prompts/1-3,6-8/id",
        "prompts/9/markerSlot",
        "prompts/4/wrapInXml,xmlTagName",
        "prompts/9/marker",
        "groups/1,2/order",
    ];
    differ_in_the_end(&trips, &in_the_end);
}

#[test]
fn marinara_reads_what_sillytavern_means() {
    let trips = LANTERN.there_and_back(MARINARA);
    let file = trips.0.file();
    let data = &file["data"];
    let sections = &data["sections"];
    assert_eq!(
        columns(sections, &["identifier", "isMarker", "enabled", "groupId"]),
        json!([
            ["main", "false", "true", null],
            ["worldInfoBefore", "true", "true", null],
            ["personaDescription", "true", "true", null],
            ["charDescription", "true", "true", null],
            ["charPersonality", "true", "true", null],
            ["scenario", "true", "true", null],
            ["8d1f-short", "false", "true", "8d1f-style"],
            ["8d1f-wet", "false", "false", "8d1f-style"],
            ["worldInfoAfter", "true", "true", "8d1f-end"],
            ["dialogueExamples", "true", "true", "8d1f-end"],
            ["chatHistory", "true", "true", "8d1f-end"],
            ["trackers", "true", "true", "8d1f-end"],
            ["jailbreak", "false", "false", "8d1f-end"],
            ["8d1f-start", "false", "true", "8d1f-end"],
            // No list has it, so it is off.
            ["8d1f-spare", "false", "false", "8d1f-end"],
        ])
    );
    let slot = |identifier: &str| {
        let row = sections.as_array().unwrap().iter().find(|row| row["identifier"] == identifier).unwrap();
        inner(&row["markerConfig"])
    };
    assert_eq!(slot("worldInfoBefore"), json!({ "type": "world_info_before" }));
    assert_eq!(slot("worldInfoAfter"), json!({ "type": "world_info_after" }));
    assert_eq!(slot("personaDescription"), json!({ "type": "persona" }));
    // One marker has all of the character.
    assert_eq!(slot("charDescription"), json!({ "type": "character" }));
    let personality = sections.as_array().unwrap().iter().find(|row| row["identifier"] == "charPersonality");
    assert_eq!(personality.unwrap()["markerConfig"], Value::Null);
    assert_eq!(slot("dialogueExamples"), json!({ "type": "dialogue_examples" }));
    assert_eq!(slot("chatHistory"), json!({ "type": "chat_history" }));
    let row = |n: usize| {
        let keys = ["content", "role", "injectionPosition", "injectionDepth", "injectionOrder", "forbidOverrides"];
        columns(sections, &keys)[n].clone()
    };
    assert_eq!(row(0), json!(["You are the keeper of {{char}}'s harbour.", "system", "ordered", 4, 100, "true"]));
    assert_eq!(row(7), json!(["Say how wet it is.", "user", "depth", 2, 90, "false"]));
    assert_eq!(row(13), json!(["The lamp is lit.", "assistant", "ordered", 4, 100, "false"]));
    // Only sections in this list are sent.
    let ids: Value = sections.as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(inner(&data["preset"]["sectionOrder"]), ids);
    assert_eq!(inner(&data["preset"]["groupOrder"]), json!(["8d1f-style", "8d1f-end"]));
    assert_eq!(
        columns(&data["groups"], &["id", "name", "parentGroupId", "enabled"]),
        json!([["8d1f-style", "Style", null, "true"], ["8d1f-end", "Closing", null, "false"]])
    );
    assert_eq!(
        inner(&data["preset"]["parameters"]),
        json!({
            "temperature": 0.85, "topP": 0.95, "topK": 40, "minP": 0.05, "maxTokens": 700, "maxContext": 32000,
            "frequencyPenalty": 0.1, "presencePenalty": 0.2, "squashSystemMessages": true, "showThoughts": false,
            "reasoningEffort": "medium", "assistantPrefill": "The lamp"
        })
    );
    assert_eq!(data["preset"]["name"], "Lantern");

    let lost = [
        "behavior,generation,templates",
        "samplers/topA,repetitionPenalty",
        "systemPrompts/impersonation,newChat",
        "apiOptions/streamResponses",
        "prompts/0-5,8-12/systemPrompt",
        "prompts/0-5,8-10,12/isDefault",
        "prompts/7/injectionTrigger",
    ];
    trips.0.loses(&lost);
    trips.0.changes(&["prompts/3/markerSlot"]);
    trips.0.adds(&["groups/*/enabled", "groups/*/order"]);
    trips.1.loses(&["groups/0-1/order", "prompts/3/markerSlot"]);
    trips.1.changes(&["prompts/0-5,8-10,12/isDefault"]);
    trips.1.adds(&[]);
    // The identifiers came back, and with them the stock rows.
    let in_the_end: Vec<&str> = lost.into_iter().filter(|path| !path.ends_with("isDefault")).collect();
    differ_in_the_end(&trips, &in_the_end);
}

/// A preset of SillyTavern with one setting.
fn with_effort(effort: &str) -> String {
    json!({ "prompts": [], "reasoning_effort": effort }).to_string()
}

#[test]
fn efforts_have_other_words_at_their_ends() {
    let parameters = |effort: &str| {
        let trip = convert(&read(SILLYTAVERN, "a.json", &with_effort(effort)), MARINARA);
        (inner(&trip.file()["data"]["preset"]["parameters"]), trip)
    };
    for (effort, word) in [("low", "low"), ("high", "high"), ("xhigh", "xhigh")] {
        let (parameters, trip) = parameters(effort);
        assert_eq!(parameters, json!({ "reasoningEffort": word }));
        trip.changes(&[]);
    }
    for (effort, word) in [("max", "maximum"), ("min", "low")] {
        let (parameters, trip) = parameters(effort);
        assert_eq!(parameters, json!({ "reasoningEffort": word }));
        trip.changes(&["apiOptions/reasoningEffort"]);
    }
    // Left to the model, it is nothing in Marinara.
    let (auto, trip) = parameters("auto");
    assert_eq!(auto, json!({}));
    trip.loses(&["apiOptions"]);

    let text = PILOT.text.replace(r#"\"reasoningEffort\": \"medium\""#, r#"\"reasoningEffort\": \"maximum\""#);
    let trip = convert(&read(MARINARA, "a.json", &text), SILLYTAVERN);
    assert_eq!(trip.file()["reasoning_effort"], "max");
}

#[test]
fn a_group_goes_on_until_the_next_one() {
    // The first and the third section are of one group, and the last one is of none.
    let section = |id: &str, group: Value| {
        json!({
            "id": id, "identifier": id, "name": id, "content": "", "role": "system", "enabled": "true",
            "isMarker": "false", "groupId": group, "injectionPosition": "ordered", "injectionDepth": 0,
            "injectionOrder": 100
        })
    };
    let group = |id: &str| json!({ "id": id, "name": id.to_uppercase(), "order": 100, "enabled": "true" });
    let text = json!({ "type": "marinara_preset", "data": {
        "preset": { "name": "Woven", "sectionOrder": "[\"a\",\"b\",\"c\",\"d\"]" },
        "sections": [section("a", json!("g")), section("b", json!("h")), section("c", json!("g")), section("d", json!(null))],
        "groups": [group("g"), group("h")]
    } });
    let trip = convert(&read(MARINARA, "woven.json", &text.to_string()), SILLYTAVERN);
    let names = columns(&trip.file()["prompts"], &["name"]);
    assert_eq!(names, json!([["━━━ G ━━━"], ["a"], ["━━━ H ━━━"], ["b"], ["c"], ["d"]]));
    trip.loses(&["groups/0-1/order"]);
    trip.changes(&["prompts/2-3/groupId"]);
}

#[test]
fn a_native_file_between_keeps_the_original() {
    native_between(&PILOT, SILLYTAVERN, &["pst-9", "Someone", "verbosity", "chatHistoryOptions", "xmlTagName"]);
    native_between(&LANTERN, MARINARA, &["lamp.invalid", "lampRoom", "character_id", "names_behavior"]);
}

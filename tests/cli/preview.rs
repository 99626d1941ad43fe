//! `bunzai preview`

use serde_json::{Value, json};

use crate::folder::{Folder, Ran};

const FERRY: &str = "night-ferry.bunzai.json";

fn ferry() -> Folder {
    let folder = Folder::new();
    folder.write(FERRY, include_str!("../../fixtures/native/night-ferry.bunzai.json"));
    folder
}

/// A preset as Marinara exports it.
const EXPORT: &str = r#"{
  "type": "marinara_preset", "version": 1,
  "data": {
    "preset": {"id": "p", "name": "Tide", "sectionOrder": "[\"2\",\"1\"]", "parameters": "{}"},
    "sections": [
      {"id": "1", "identifier": "main", "name": "Main", "content": "Write.", "role": "system", "enabled": "true"},
      {"id": "2", "identifier": "chat", "name": "Chat", "content": "", "role": "system", "enabled": "true",
       "isMarker": "true", "markerConfig": "{\"type\":\"chat_history\"}", "injectionPosition": "depth", "injectionDepth": 2,
       "forbidOverrides": 5}
    ],
    "groups": [],
    "choiceBlocks": [
      {"id": "c", "variableName": "tone", "question": "Tone?", "options": "[{\"id\":\"x\",\"label\":\"X\"}]"}
    ]
  }
}"#;

fn ids(ran: &Ran) -> Vec<String> {
    let told = ran.json();
    let lines = told["lines"].as_array().unwrap();
    lines.iter().map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn machines_get_one_object() {
    let folder = Folder::new();
    folder.write("p.json", EXPORT);
    let ran = folder.done(["preview", "--json", "p.json"]);
    let told = ran.json();
    let warning = told["warnings"][0].as_str().unwrap_or_default();
    assert!(warning.starts_with("/data/sections/1/forbidOverrides: expected"), "{told}");
    let expected = json!({
        "file": "p.json",
        "format": "marinara-preset",
        "name": "Tide",
        "lines": [
            {"id": "main", "name": "Main", "role": "system", "placement": "relative", "isMarker": false, "tokens": 2,
             "text": "Write."},
            {"id": "chat", "name": "Chat", "role": "system", "placement": "in_chat", "isMarker": true,
             "markerSlot": "chatHistory", "depth": 2, "tokens": 0, "text": "chat history (filled in at runtime)"}
        ],
        "weight": {
            "totalCount": 2, "enabledCount": 2, "inChatCount": 1, "tokens": 2,
            "largest": {"id": "main", "name": "Main", "tokens": 2}
        },
        "choices": null,
        "warnings": [warning]
    });
    assert_eq!(told, expected);
    assert_eq!(ran.err, "");
}

#[test]
fn people_see_the_blocks_in_order_and_the_sums() {
    let ran = ferry().done(["preview", FERRY]);
    let expected = "\
Night ferry
  ID       NAME               ROLE    PLACEMENT       TOKENS  TEXT
  open     Open               system  prepend_preset  4       ⛴ All aboard 😀
  lamp     Lamp               system  beside          4       The lamp is lit.
  main     Main               system  relative        13      Write the next crossing of the ferry as…
  history  Chat               system  relative        0       chat history (filled in at runtime)
  skills   Skills             system  relative        0       skills (filled in at runtime)
  voice    Voice              system  append 0        4       Short sentences.
  note     Note of the pilot  user    in_chat 2       4       Mind the tide.
  close    Close              system  append_preset   6       Stop before the landing.
  8 of 11 blocks, 2 in the chat; tokens: about 35; the largest is main (13)
";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""));
}

#[test]
fn choices_count_when_they_are_asked_for() {
    let folder = ferry();
    let alone = ["open", "lamp", "main", "history", "skills", "voice", "note", "close"];
    assert_eq!(ids(&folder.done(["preview", "--json", FERRY])), alone);
    let ran = folder.done(["preview", "--json", FERRY, "--choices"]);
    assert_eq!(ids(&ran), alone, "these are the defaults");
    let expected = json!({
        "answers": [
            {"id": "wet", "type": "toggle", "answer": false, "from": "default"},
            {"id": "weather", "type": "one", "answer": "clear", "from": "default"},
            {"id": "aboard", "type": "many", "answer": ["pilot"], "from": "default"},
            {"id": "town", "type": "input", "answer": "Vanton", "from": "default"}
        ],
        "invalid": [{"id": "lost", "reason": "its default does not fit: there is no option `dark`"}]
    });
    assert_eq!(ran.json()["choices"], expected);
}

#[test]
fn answers_and_switches_turn_blocks_on_and_off() {
    let folder = ferry();
    let run = |more: &[&str]| ids(&folder.done(["preview", "--json", FERRY].iter().chain(more)));
    let [thick, smith, pilot] = ["--answer=weather=thick", "--answer=aboard=smith", "--answer=aboard=pilot"];
    assert_eq!(run(&[thick, smith]), ["open", "lamp", "fog", "main", "history", "skills", "voice", "close"]);
    assert_eq!(run(&[smith, pilot, "--answer", "wet=on"])[4..], ["rain", "skills", "voice", "note", "close"]);
    assert_eq!(run(&[smith, "--switch", "note=on", "--switch=draft=on", "--switch=open=off"])[..2], ["lamp", "main"]);
    assert_eq!(run(&[smith, "--switch", "note=on"]).iter().filter(|id| *id == "note").count(), 1);

    assert_eq!(run(&[smith, "--answer", "aboard="]), run(&[smith]), "no value is no option");

    let ran = folder.done(["preview", "--json", FERRY, "--answer", "town=A = B", "--answer=weather=clear", thick]);
    let answers = &ran.json()["choices"]["answers"];
    assert_eq!(answers[3], json!({"id": "town", "type": "input", "answer": "A = B", "from": "answer"}));
    assert_eq!(answers[1]["answer"], "thick", "the last counts");
}

#[test]
fn people_see_the_answers_and_what_is_not_asked() {
    let ran = ferry().done(["preview", FERRY, "--answer", "wet=on", "--answer=aboard=smith", "--answer=aboard=pilot"]);
    let expected = "\
Night ferry
  Rain?: on
  What weather?: clear
  Who is aboard?: pilot, smith
  Which town?: Vanton
  Lamp?: not asked, its default does not fit: there is no option `dark`
";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
}

#[test]
fn what_is_asked_for_and_cannot_be_done_is_refused_all_at_once() {
    let folder = ferry();
    let wrong = ["wether=thick", "lost=lit", "weather=storm", "aboard=", "wet=maybe"].map(|text| ["--answer", text]);
    let ran = folder.refused(1, ["preview", FERRY, "--switch", "nobody=on"].iter().chain(wrong.as_flattened()));
    ran.says(&[
        "night-ferry.bunzai.json: ",
        "there is no choice `wether`; did you mean `weather`?",
        "choice `lost` is not asked: its default does not fit: there is no option `dark`",
        "choice `weather`: the answer of the scene does not fit: there is no option `storm`",
        "choice `aboard`: the answer of the scene does not fit: it selects 0, and 1 is the fewest",
        "choice `wet` is answered by `on` or `off`",
        "there is no block `nobody` to switch",
    ]);
    assert_eq!(ran.out, "");
    let ran = folder.refused(1, ["preview", "--json", FERRY, "--answer", "aboard=nobody", "--answer=aboard=pilot"]);
    let message = "choice `aboard`: the answer of the scene names `nobody`, which is no option";
    assert_eq!((ran.out.as_str(), ran.json_errors()), ("", vec![json!({"error": message, "file": FERRY})]));
}

#[test]
fn an_argument_that_says_nothing_is_wrong_usage() {
    let folder = ferry();
    for argument in ["--answer=weather", "--switch=main", "--switch=main=yes", "--switch=on"] {
        folder.refused(2, ["preview", FERRY, argument]).says(&["expected "]);
    }
    folder.refused(2, ["preview"]);
}

#[test]
fn what_is_odd_about_a_preset_is_warned_of() {
    let folder = ferry();
    folder.write("odd.bunzai.json", folder.read(FERRY).replace("\"id\": \"fog\"", "\"id\": \"mist\""));
    let warning = "choice `weather`: there is no block `fog` to turn on or off";
    folder.done(["preview", "odd.bunzai.json", "--choices"]).says(&["warning: ", warning]);
    let told = folder.done(["preview", "--json", "odd.bunzai.json", "--choices"]).json();
    assert_eq!(told["warnings"], json!([warning]));
    assert_eq!(folder.done(["preview", "--json", "odd.bunzai.json"]).json()["warnings"], json!([]));
}

#[test]
fn only_a_preset_has_a_preview() {
    let folder = Folder::with(&["wren.persona.json"]);
    folder.refused(1, ["preview", "wren.persona.json"]).says(&["only a preset has a preview; this is a persona"]);
    folder.write("list.json", "[1]");
    let errors = folder.refused(1, ["preview", "--json", "list.json"]).json_errors();
    assert_eq!(errors, [json!({"error": "no format claims this file", "file": "list.json"})]);
    folder.refused(1, ["preview", "nowhere.json"]).says(&["nowhere.json: "]);
}

#[test]
fn standard_input_can_be_previewed() {
    let folder = Folder::new();
    let ran = folder.run_with(["preview", "--json", "-"], EXPORT.as_bytes());
    assert_eq!((ran.code, &ran.json()["name"]), (0, &Value::from("Tide")));
}

#[test]
fn a_long_name_does_not_widen_every_line() {
    let folder = ferry();
    let long = "x".repeat(5000);
    folder.write("long.bunzai.json", folder.read(FERRY).replace("\"voice\"", &format!("\"{long}\"")));
    let ran = folder.done(["preview", "long.bunzai.json"]);
    assert!(ran.out.lines().all(|line| line.chars().count() < 160), "{}", ran.out);
}

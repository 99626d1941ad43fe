//! The preview build.

use bunzai::model::PresetBody;
use bunzai::preset::{Preview, preview};
use bunzai::{Format as _, Input, NATIVE_FORMAT, Number};
use serde_json::{Value, json};

use crate::{block, preset};

fn blocks(prompts: Vec<Value>) -> PresetBody {
    preset(prompts, json!([]))
}

fn ids<'p>(preview: &Preview<'p>) -> Vec<&'p str> {
    preview.lines.iter().map(|line| line.block.id.as_str()).collect()
}

fn text(slot: Value, content: &str) -> String {
    let mut marker = block("m", json!({ "marker": true, "content": content }));
    if !slot.is_null() {
        marker["markerSlot"] = slot;
    }
    let preset = blocks(vec![marker]);
    preview(&preset).lines[0].text.to_string()
}

fn tokens(content: &str) -> usize {
    let preset = blocks(vec![block("a", json!({ "content": content }))]);
    preview(&preset).weight.tokens
}

#[test]
fn the_sample_stands_in_its_order() {
    let text = include_str!("../../fixtures/native/night-ferry.bunzai.json");
    let entity = NATIVE_FORMAT.import(Input::new(text)).unwrap().entity;
    let preset = entity.downcast::<PresetBody>().unwrap().body;
    let preview = preview(&preset);
    assert_eq!(ids(&preview), ["open", "lamp", "main", "history", "skills", "voice", "note", "close"]);
    let weight = &preview.weight;
    assert_eq!((weight.total_count, weight.enabled_count, weight.in_chat_count), (11, 8, 2));
    assert_eq!(weight.tokens, 4 + 4 + 13 + 4 + 4 + 6);
    assert_eq!(weight.largest.as_ref().map(|l| (l.block.id.as_str(), l.tokens)), Some(("main", 13)));
}

#[test]
fn places_have_a_rank_each() {
    let at = |placement: &str| block(placement, json!({ "placement": placement }));
    let preset =
        blocks(["append_preset", "append", "in_chat", "beside", "relative", "prepend_preset"].map(at).to_vec());
    let order = ["prepend_preset", "beside", "relative", "append", "in_chat", "append_preset"];
    assert_eq!(ids(&preview(&preset)), order, "equal ranks keep the order of the preset");
}

#[test]
fn injection_order_counts_at_every_place_and_depth_at_none() {
    let preset = blocks(vec![
        block("deep", json!({ "placement": "in_chat", "injectionDepth": 9, "injectionOrder": 2 })),
        block("near", json!({ "placement": "append", "injectionDepth": 0, "injectionOrder": 2 })),
        block("early", json!({ "placement": "in_chat", "injectionDepth": 5, "injectionOrder": -1.5 })),
        block("late", json!({ "injectionOrder": 101 })),
        block("usual", json!({})),
    ]);
    assert_eq!(ids(&preview(&preset)), ["usual", "late", "early", "deep", "near"]);
}

#[test]
fn a_block_that_is_off_is_left_out_and_counted() {
    let preset = blocks(vec![
        block("on", json!({})),
        block("off", json!({ "enabled": false, "content": "never", "placement": "in_chat" })),
    ]);
    let preview = preview(&preset);
    assert_eq!(ids(&preview), ["on"]);
    let weight = preview.weight;
    assert_eq!((weight.total_count, weight.enabled_count, weight.in_chat_count, weight.tokens), (2, 1, 0, 0));
}

#[test]
fn groups_choices_and_the_switch_of_the_preset_are_ignored() {
    let choice = json!([{
        "id": "c", "label": "", "type": "one", "default": "x",
        "options": [{ "id": "x", "label": "" }, { "id": "y", "label": "", "enablesPrompts": ["a"] }]
    }]);
    let mut preset = preset(vec![block("a", json!({ "groupId": "g" }))], choice);
    preset.enabled = Some(false);
    preset.groups = serde_json::from_value(json!([
        { "id": "g", "name": "", "enabled": false, "parentGroupId": "h" },
        { "id": "h", "name": "", "enabled": false, "parentGroupId": "g" }
    ]))
    .unwrap();
    assert_eq!(ids(&preview(&preset)), ["a"]);
}

#[test]
fn only_what_stands_in_the_chat_has_a_depth() {
    let at = |placement: &str| block("a", json!({ "placement": placement, "injectionDepth": 3 }));
    for (placement, depth) in [
        ("in_chat", Some(3)),
        ("append", Some(3)),
        ("relative", None),
        ("append_preset", None),
        ("prepend_preset", None),
        ("beside", None),
    ] {
        let preset = blocks(vec![at(placement)]);
        let preview = preview(&preset);
        assert_eq!(preview.lines[0].depth, depth.map(Number::integer), "{placement}");
        assert_eq!(preview.weight.in_chat_count, usize::from(depth.is_some()), "{placement}");
    }
}

#[test]
fn a_marker_is_labelled_by_its_slot() {
    for (slot, label) in [
        ("chatHistory", "chat history"),
        ("worldInfoBefore", "lorebook entries before the character"),
        ("worldInfoAfter", "lorebook entries after the character"),
        ("dialogueExamples", "examples of dialogue"),
        ("personaDescription", "description of the persona"),
        ("charDescription", "description of the character"),
        ("charPersonality", "personality of the character"),
        ("scenario", "scenario of the character"),
        ("tide table", "tide table"),
        ("trackers", "trackers"),
        ("", "placeholder"),
    ] {
        assert_eq!(text(json!(slot), "unused"), format!("{label} (filled in at runtime)"));
    }
    assert_eq!(text(Value::Null, ""), "placeholder (filled in at runtime)");
}

#[test]
fn a_text_stays_as_it_is() {
    let preset = blocks(vec![block("a", json!({ "content": " {{getvar::x}}\n", "markerSlot": "chatHistory" }))]);
    assert_eq!(preview(&preset).lines[0].text, " {{getvar::x}}\n");
}

#[test]
fn tokens_are_quarters_of_utf_16_code_units_rounded_up() {
    assert_eq!(["", "a", "abcd", "abcde", "😀", "😀😀a", "éééé"].map(tokens), [0, 1, 1, 2, 1, 2, 1]);
}

#[test]
fn a_marker_has_no_tokens() {
    let preset = blocks(vec![block("a", json!({ "content": "12345678", "marker": true, "placement": "append" }))]);
    let preview = preview(&preset);
    assert_eq!((preview.lines[0].tokens, preview.weight.tokens), (0, 0));
    assert_eq!((preview.weight.enabled_count, preview.weight.in_chat_count), (1, 1));
}

#[test]
fn the_largest_is_the_first_of_the_preset_that_none_exceeds() {
    let largest = |prompts: Vec<Value>| {
        let preset = blocks(prompts);
        preview(&preset).weight.largest.map(|largest| (largest.block.id.clone(), largest.tokens))
    };
    let of =
        |id: &str, content: &str, placement: &str| block(id, json!({ "content": content, "placement": placement }));
    let equal = vec![of("a", "1", ""), of("b", "12345", "append"), of("c", "12345678", "prepend_preset")];
    assert_eq!(largest(equal), Some(("b".into(), 2)), "not the first of the lines");
    let marker = block("m", json!({ "marker": true }));
    assert_eq!(largest(vec![marker, of("a", "", "")]), Some(("m".into(), 0)));
    assert_eq!(largest(vec![block("off", json!({ "enabled": false, "content": "12345" }))]), None);
    assert_eq!(largest(vec![]), None);
}

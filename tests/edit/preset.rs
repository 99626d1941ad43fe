//! Presets: JSON text in strings, and rows whose order a list keeps.

use bunzai::MarinaraPreset;
use bunzai::model::{
    MarkerSlot, PresetBody, PresetChoiceOption, PresetGroup, PresetPrompt, PresetSamplers, PromptPlacement,
};
use serde_json::{Value, json};

use crate::{carried, edited, only_differ_at, sample, value};

fn harbour() -> String {
    sample("harbour.preset.json")
}

#[track_caller]
fn preset(edit: impl FnOnce(&mut PresetBody)) -> String {
    carried::<MarinaraPreset>(&harbour(), edit)
}

/// The JSON in the string at a pointer.
#[track_caller]
fn inside(text: &str, pointer: &str) -> Value {
    serde_json::from_str(value(text, pointer).as_str().unwrap()).unwrap()
}

fn block(id: &str) -> PresetPrompt {
    PresetPrompt {
        id: id.into(),
        name: "Weather".into(),
        content: "Mind the tide.".into(),
        enabled: true,
        injection_order: 100.into(),
        placement: PromptPlacement::Relative,
        ..PresetPrompt::default()
    }
}

fn samplers(body: &mut PresetBody) -> &mut PresetSamplers {
    body.samplers.as_mut().unwrap()
}

#[test]
fn a_sampler_is_changed_inside_its_text_and_its_neighbours_stay_byte_for_byte() {
    let text = preset(|body| samplers(body).temperature = Some(0.75.try_into().unwrap()));
    assert_eq!(text, harbour().replace(r#"\"temperature\":1,"#, r#"\"temperature\":0.75,"#));
    let text = preset(|body| samplers(body).top_k = None);
    assert_eq!(text, harbour().replace(r#"\"topK\":0,"#, ""));
    let text = preset(|body| body.api_options.as_mut().unwrap().reasoning_effort = Some("low".into()));
    assert_eq!(text, harbour().replace(r#"\"reasoningEffort\":\"high\""#, r#"\"reasoningEffort\":\"low\""#));
}

#[test]
fn booleans_that_are_text_stay_text() {
    let text = preset(|body| body.prompts[0].enabled = false);
    only_differ_at(&harbour(), &text, &["/data/sections/0/enabled"]);
    assert_eq!(value(&text, "/data/sections/0/enabled"), "false");
}

#[test]
fn a_reorder_changes_the_list_of_the_order_alone() {
    let text = preset(|body| body.prompts.swap(0, 2));
    only_differ_at(&harbour(), &text, &["/data/preset/sectionOrder"]);
    assert_eq!(inside(&text, "/data/preset/sectionOrder"), json!(["sec-3", "sec-2", "sec-1"]));
    let text = preset(|body| body.groups.as_mut().unwrap().swap(0, 1));
    only_differ_at(&harbour(), &text, &["/data/preset/groupOrder"]);
}

#[test]
fn a_new_block_stands_in_the_rows_and_in_the_order_and_looks_like_one_of_the_application() {
    let text = preset(|body| body.prompts.insert(1, block("weather")));
    assert_eq!(inside(&text, "/data/preset/sectionOrder"), json!(["sec-1", "weather", "sec-2", "sec-3"]));
    let rows = value(&text, "/data/sections");
    let new = rows.as_array().unwrap().iter().find(|row| row["identifier"] == "weather").unwrap();
    assert_eq!((&new["id"], &new["presetId"]), (&json!("weather"), &json!("pst-1")));
    assert_eq!(
        (&new["enabled"], &new["markerConfig"], &new["injectionPosition"]),
        (&json!("true"), &Value::Null, &json!("ordered"))
    );
}

#[test]
fn a_block_that_goes_leaves_the_order_too() {
    let text = preset(|body| drop(body.prompts.remove(0)));
    assert_eq!(inside(&text, "/data/preset/sectionOrder"), json!(["sec-2", "sec-3"]));
    assert_eq!(value(&text, "/data/sections").as_array().unwrap().len(), 2);
}

#[test]
fn ids_in_the_order_that_no_row_bears_keep_their_place() {
    let source = harbour().replace(r#"[\"sec-1\",\"sec-2\""#, r#"[\"gone\",\"sec-1\",\"sec-2\""#);
    let text = carried::<MarinaraPreset>(&source, |body| body.prompts.reverse());
    assert_eq!(inside(&text, "/data/preset/sectionOrder"), json!(["gone", "sec-3", "sec-2", "sec-1"]));
}

#[test]
fn a_marker_changes_its_slot_and_keeps_what_else_its_text_says() {
    let text = preset(|body| body.prompts[1].marker_slot = Some(MarkerSlot::ChatHistory));
    only_differ_at(&harbour(), &text, &["/data/sections/1/markerConfig"]);
    assert_eq!(
        inside(&text, "/data/sections/1/markerConfig"),
        json!({ "type": "chat_history", "lorebookFormat": "full" })
    );
}

#[test]
fn groups_and_choices_come_and_go() {
    let group = PresetGroup {
        id: "weather".into(),
        name: "Weather".into(),
        order: Some(300.into()),
        enabled: Some(true),
        ..PresetGroup::default()
    };
    let text = preset(|body| body.groups.as_mut().unwrap().push(group));
    assert_eq!(inside(&text, "/data/preset/groupOrder"), json!(["grp-1", "grp-2", "weather"]));
    assert_eq!(value(&text, "/data/groups/2/parentGroupId"), Value::Null);
    let text = preset(|body| drop(body.choices.as_mut().unwrap().remove(0)));
    assert_eq!(value(&text, "/data/choiceBlocks/0/id"), "cho-1");
}

#[test]
fn options_of_a_choice_are_rows_inside_a_text() {
    let wild = PresetChoiceOption {
        id: "o-c".into(),
        label: "Wild".into(),
        value: Some("wild".into()),
        ..PresetChoiceOption::default()
    };
    let text = preset(|body| body.choices.as_mut().unwrap()[0].options.insert(1, wild));
    only_differ_at(&harbour(), &text, &["/data/choiceBlocks/0/options"]);
    let was = value(&harbour(), "/data/choiceBlocks/0/options").as_str().unwrap().to_owned();
    let new = r#"{"id":"o-c","label":"Wild","value":"wild"}"#;
    let is = value(&text, "/data/choiceBlocks/0/options").as_str().unwrap().to_owned();
    assert_eq!(is, was.replace("},{\"id\":\"o-b\"", &format!("}},{new},{{\"id\":\"o-b\"")));
}

#[test]
fn what_the_application_cannot_carry_is_told_and_never_dropped_in_silence() {
    let (told, _) = edited::<MarinaraPreset>(&harbour(), |body| {
        body.behavior_refs = Some(vec!["tidy-rules".into()]);
        body.prompts[0].placement = PromptPlacement::AppendPreset;
        samplers(body).top_a = Some(1.into());
    });
    assert_eq!(told.named, ["/body/prompts/0/placement", "/body/samplers/topA", "/body/behaviorRefs"]);
}

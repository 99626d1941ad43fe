//! Presets at work, by worked cases: the preview build, and choices.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

mod choices;
mod hostile;
mod preview;

use bunzai::model::PresetBody;
use serde_json::{Value, json};

/// A block that is on, with what else is said of it.
fn block(id: &str, more: Value) -> Value {
    let mut block = json!({
        "id": id, "name": id, "content": "", "role": "system", "enabled": true, "systemPrompt": false, "marker": false,
        "placement": "relative", "injectionDepth": 4, "injectionOrder": 100, "forbidOverrides": false
    });
    block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    block
}

fn preset(prompts: Vec<Value>, choices: Value) -> PresetBody {
    serde_json::from_value(json!({ "name": "Tide", "prompts": prompts, "choices": choices })).unwrap()
}

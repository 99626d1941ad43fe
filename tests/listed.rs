//! Rows and the list that keeps their order, where the two stand in texts of their own.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use bunzai::model::{PresetBody, QuickReplyBody};
use bunzai::{AnyEntity, Canonical, Declared, Entity, Format, Input};

/// Rows in JSON text, and a list beside them that has a half of each.
const REPLIES: &str = r#"
format = "listed-replies"
kind   = "quickreply"
label  = "Listed replies"
lost   = ["notes", "extras", "replies[].title", "replies[].extras"]
detect = { all = [{ at = "title", is = "string" }] }

[fields]
title = { to = "name", need = true }
rows  = { to = "replies", each = "row", by = "id", text = "json|plain", order = { at = "plan", by = "row", map = "item" } }

[maps.row.fields]
id      = { to = "id", need = true }
label   = { to = "label", or = "" }
message = { to = "message", or = "" }

[maps.item.fields]
hidden = { to = "hidden" }
"#;

/// Rows of which some open groups, and the ids of all of them in JSON text.
const PROMPTS: &str = r#"
format = "listed-prompts"
kind   = "preset"
label  = "Listed prompts"
lost   = ["description", "enabled", "choices", "behaviorRefs", "quickReplyRefs", "reasoning", "samplerSet", "samplers",
          "systemPrompts", "templates", "behavior", "apiOptions", "media", "generation", "prompts[].attachments",
          "prompts[].wrapInXml", "prompts[].xmlTagName", "prompts[].extras", "prompts[].injectionTrigger",
          "prompts[].markerSlot", "groups[].order", "groups[].extras", "groups[].content", "groups[].parentGroupId"]
detect = { all = [{ at = "rows", is = "list" }] }

[fields]
name = { to = "name", or = "" }
rows = { to = "prompts", each = "prompt", by = "id", order = { at = "ids", text = "json" }, heads = [{ to = "groups", maps = ["line"], fill = "groupId" }] }

[maps.prompt.fields]
id   = { to = "id" }
name = { to = "name", or = "" }
text = { to = "content", or = "" }

[maps.prompt.stamp]
role            = "system"
enabled         = true
systemPrompt    = false
marker          = false
placement       = "relative"
injectionDepth  = 4
injectionOrder  = 100
forbidOverrides = false
isDefault       = true

[maps.line]
stamp = { enabled = true }

[maps.line.fields]
id   = { to = "id" }
name = { to = "name", wrap = ["= ", " ="], need = true }
"#;

fn read<B: Canonical>(format: &Declared, text: &str) -> Entity<B> {
    format.import(Input::new(text)).unwrap().entity.downcast().unwrap()
}

fn written<B: Canonical>(format: &Declared, entity: Entity<B>) -> String {
    let any: AnyEntity = entity.into();
    let out = format.export((&any).into()).unwrap();
    assert!(out.warnings().is_empty() && out.report().unwrap().is_lossless(), "{:?}", out.report());
    out.text().into_owned()
}

#[test]
fn rows_in_a_text_of_their_own_that_share_an_id_find_their_items() {
    let format = bunzai::load("replies.toml", REPLIES).unwrap();
    let rows = r#"[{\"id\": \"a\", \"label\": \"1\", \"own\": 1}, {\"id\": \"a\", \"label\": \"2\"}]"#;
    let plan = r#"[{"row": "a", "hidden": true}, {"row": "a", "x": 2}]"#;
    let text = format!(r#"{{"title": "q", "keep": 1, "rows": "{rows}", "plan": {plan}}}"#);
    let entity: Entity<QuickReplyBody> = read(&format, &text);
    assert_eq!(written(&format, entity.clone()), text);

    let mut entity = entity;
    entity.body.replies[1].hidden = Some(true);
    assert_eq!(written(&format, entity), text.replace(r#""x": 2"#, r#""x": 2, "hidden": true"#));
}

#[test]
fn rows_that_open_groups_may_be_ordered_by_a_text_of_ids() {
    let format = bunzai::load("prompts.toml", PROMPTS).unwrap();
    let rows = r#"[{"id": "a", "name": "A"}, {"id": "g", "name": "= G ="}, {"id": "c", "name": "C"}]"#;
    let text = format!(r#"{{"name": "n", "rows": {rows}, "ids": "[\"g\", \"c\", \"a\"]"}}"#);
    let mut entity: Entity<PresetBody> = read(&format, &text);
    let said: Vec<_> = entity.body.prompts.iter().map(|p| (p.id.as_str(), p.group_id.as_deref())).collect();
    assert_eq!(said, [("c", Some("g")), ("a", Some("g"))]);
    assert_eq!(written(&format, entity.clone()), text);

    entity.body.prompts.reverse();
    assert_eq!(written(&format, entity), text.replace(r#"\"c\", \"a\""#, r#"\"a\", \"c\""#));
}

/// What an import warns of: the place and the message.
fn warnings(format: &Declared, text: &str) -> Vec<(String, String)> {
    let warnings = format.import(Input::new(text)).unwrap().warnings;
    warnings.into_iter().map(|warning| (warning.at, warning.message)).collect()
}

#[test]
fn items_that_are_passed_over_are_told_with_the_reason() {
    let format = bunzai::load("replies.toml", REPLIES).unwrap();
    let plan = r#"[{"row": "a"}, {"row": "a"}, {"row": "b"}]"#;
    let text = format!(r#"{{"title": "q", "rows": [{{"id": "a"}}], "plan": {plan}}}"#);
    let told = warnings(&format, &text);
    let told: Vec<(&str, &str)> = told.iter().map(|(at, message)| (at.as_str(), message.as_str())).collect();
    let twice = "names a row that another item has named; it is passed over";
    assert_eq!(told, [("/plan/1", twice), ("/plan/2", "names no row; it is passed over")]);
}

//! Lorebooks: rows with folders, lists of keys, flags and joins.

use bunzai::model::{EntryPosition, LorebookBody, LorebookCategory, LorebookEntry, LorebookTrigger, TriggerMode};
use bunzai::{MarinaraLorebook, Nullable};
use serde_json::{Value, json};

use crate::{carried, edited, only_differ_at, sample, value};

fn fen() -> String {
    sample("fen.lorebook.json")
}

#[track_caller]
fn book(edit: impl FnOnce(&mut LorebookBody)) -> String {
    carried::<MarinaraLorebook>(&fen(), edit)
}

fn trigger(keyword: &str) -> LorebookTrigger {
    LorebookTrigger { keyword: keyword.into(), ..LorebookTrigger::default() }
}

/// An entry as a user makes one, with what the application expects of it.
fn entry(id: &str) -> LorebookEntry {
    LorebookEntry {
        id: id.into(),
        title: "Ferry".into(),
        content: "It crosses at dusk.".into(),
        comment: Some(Nullable::Null),
        enabled: true,
        triggers: vec![trigger("ferry")],
        trigger_mode: TriggerMode::Simple,
        position: EntryPosition::World,
        depth: 4.into(),
        sort_order: 50.into(),
        priority: 100.into(),
        group_weight: 1.into(),
        probability: 100.into(),
        ..LorebookEntry::default()
    }
}

fn ids(text: &str, list: &str) -> Vec<String> {
    let rows = value(text, list);
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// The bytes of a row, found by its id.
#[track_caller]
fn row<'t>(text: &'t str, id: &str) -> &'t str {
    let n = ids(text, "/data/entries").iter().position(|other| other == id).unwrap();
    &text[crate::slot(text, &format!("/data/entries/{n}"))]
}

#[test]
fn one_field_of_one_entry_is_rewritten_alone() {
    let text = book(|body| body.entries[1].content = "Edited \"text\".".into());
    only_differ_at(&fen(), &text, &["/data/entries/1/content"]);
    let text = book(|body| body.entries[0].position = EntryPosition::Depth);
    only_differ_at(&fen(), &text, &["/data/entries/0/position"]);
    assert_eq!(value(&text, "/data/entries/0/position"), 2);
    let text = book(|body| body.global_scan_depth = 9.into());
    only_differ_at(&fen(), &text, &["/data/lorebook/scanDepth"]);
}

#[test]
fn a_new_entry_looks_like_one_of_the_application_and_follows_the_one_before_it() {
    let text = book(|body| body.entries.insert(1, entry("ferry")));
    assert_eq!(ids(&text, "/data/entries"), ["ent-1", "ferry", "ent-2", "ent-3", "ent-4"]);
    for id in ["ent-1", "ent-2", "ent-3", "ent-4"] {
        assert_eq!(row(&text, id), row(&fen(), id));
    }
    let new: Value = serde_json::from_str(row(&text, "ferry")).unwrap();
    let own: Value = serde_json::from_str(row(&fen(), "ent-3")).unwrap();
    // The keys the application writes, but for those that only it can know.
    let known = ["lorebookId", "createdAt", "updatedAt", "embedding"];
    let missing: Vec<&String> = own.as_object().unwrap().keys().filter(|key| new.get(key).is_none()).collect();
    assert!(missing.iter().all(|key| known.contains(&key.as_str())), "{missing:?}");
    assert_eq!((&new["keys"], &new["useRegex"], &new["selective"]), (&json!(["ferry"]), &json!(false), &json!(false)));
    assert_eq!((&new["relationships"], &new["schedule"]), (&json!({}), &Value::Null));
    // It is laid out like its neighbours: one key a line, as deep as theirs.
    let line = |text: &str, start: &str| text.lines().find(|l| l.trim_start().starts_with(start)).unwrap().to_owned();
    let indent = |line: String| line.len() - line.trim_start().len();
    assert_eq!(indent(line(&text, "\"id\": \"ferry\"")), indent(line(&text, "\"id\": \"ent-1\"")));
}

#[test]
fn entries_go_move_and_are_doubled_and_unknown_fields_follow_them() {
    let source = fen().replace("\"id\": \"ent-3\",", "\"id\": \"ent-3\", \"odd\" : [1 ,2],");
    let edit = |edit: fn(&mut LorebookBody)| carried::<MarinaraLorebook>(&source, edit);
    let text = edit(|body| drop(body.entries.remove(1)));
    assert_eq!(ids(&text, "/data/entries"), ["ent-1", "ent-3", "ent-4"]);
    assert_eq!(row(&text, "ent-3"), row(&source, "ent-3"));
    let text = edit(|body| body.entries.reverse());
    assert_eq!(ids(&text, "/data/entries"), ["ent-4", "ent-3", "ent-2", "ent-1"]);
    assert!(row(&text, "ent-3").contains("\"odd\" : [1 ,2]"));
    let text = edit(|body| {
        let copy = LorebookEntry { id: "ent-3-2".into(), ..body.entries[2].clone() };
        body.entries.insert(3, copy);
    });
    assert_eq!(ids(&text, "/data/entries"), ["ent-1", "ent-2", "ent-3", "ent-3-2", "ent-4"]);
    assert_eq!((row(&text, "ent-3"), row(&text, "ent-3-2").contains("odd")), (row(&source, "ent-3"), false));
}

#[test]
fn keys_come_and_go_in_their_list() {
    let text = book(|body| body.entries[1].triggers.push(trigger("lamp")));
    only_differ_at(&fen(), &text, &["/data/entries/1/keys"]);
    assert_eq!(value(&text, "/data/entries/1/keys"), json!(["watch", "lamp"]));
    let text = book(|body| drop(body.entries[0].triggers.remove(0)));
    assert_eq!(value(&text, "/data/entries/0/keys"), json!(["marsh road"]));
}

#[test]
fn words_of_a_list_are_switched_and_the_others_keep_their_order() {
    let text = book(|body| {
        body.entries[0].scan_user_persona = false;
        body.entries[0].scan_scenario = true;
    });
    only_differ_at(&fen(), &text, &["/data/entries/0/additionalMatchingSources"]);
    let words = json!(["character_description", "character_name", "character_scenario"]);
    assert_eq!(value(&text, "/data/entries/0/additionalMatchingSources"), words);
}

#[test]
fn what_two_slots_say_together_is_changed_together() {
    let text = book(|body| body.entries[0].trigger_mode = TriggerMode::Advanced);
    only_differ_at(&fen(), &text, &["/data/entries/0/selective"]);
    let text = book(|body| {
        body.entries[1].trigger_mode = TriggerMode::Simple;
        body.entries[1].secondary_triggers.clear();
    });
    only_differ_at(&fen(), &text, &["/data/entries/1/selective", "/data/entries/1/secondaryKeys"]);
    // Secondary keys that are there make the entry selective whatever else is said.
    let (told, _) = edited::<MarinaraLorebook>(&fen(), |body| body.entries[1].trigger_mode = TriggerMode::Simple);
    assert_eq!(told.named, ["/body/entries/1/triggerMode"]);
}

#[test]
fn a_flag_for_all_keys_is_on_when_all_are_and_a_mixture_is_told() {
    let all = |body: &mut LorebookBody, on: bool| {
        let entry = &mut body.entries[1];
        entry.triggers.iter_mut().chain(&mut entry.secondary_triggers).for_each(|one| one.is_regex = on);
    };
    let text = book(|body| all(body, true));
    only_differ_at(&fen(), &text, &["/data/entries/1/useRegex"]);
    let (told, _) = edited::<MarinaraLorebook>(&fen(), |body| body.entries[1].triggers[0].is_regex = true);
    assert_eq!(told.named, ["/body/entries/1/triggers/0/isRegex"]);
    assert_eq!(value(&told.text, "/data/entries/1/useRegex"), false);
}

#[test]
fn folders_come_move_and_go() {
    let hall = LorebookCategory { id: "hall".into(), name: "Hall".into(), sort_order: 5.into(), enabled: Some(true) };
    let text = book(|body| body.categories.as_mut().unwrap().insert(0, hall));
    assert_eq!(ids(&text, "/data/folders"), ["hall", "fol-1", "fol-2"]);
    assert_eq!(value(&text, "/data/folders/0/parentFolderId"), Value::Null);
    // A folder that lies in another keeps that: no row maps it.
    let text = book(|body| body.categories.as_mut().unwrap().reverse());
    assert_eq!(ids(&text, "/data/folders"), ["fol-2", "fol-1"]);
    assert_eq!(value(&text, "/data/folders/0/parentFolderId"), "fol-1");
    let text = book(|body| {
        body.categories = None;
        body.entries.iter_mut().for_each(|entry| entry.category_id = Nullable::Null);
    });
    assert_eq!(value(&text, "/data/folders"), json!([]));
    assert_eq!(value(&text, "/data/entries/0/folderId"), Value::Null);
}

#[test]
fn a_value_that_is_cleared_is_cleared_as_the_application_does() {
    let text = book(|body| {
        body.description = Some(Nullable::Null);
        body.entries[0].scan_depth = Nullable::Null;
    });
    only_differ_at(&fen(), &text, &["/data/lorebook/description"]);
    assert_eq!(value(&text, "/data/lorebook/description"), Value::Null);
}

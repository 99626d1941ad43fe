//! What is refused: each key, each null, each type and each word, at every level.

use bunzai::shape::Type;
use serde_json::{Value, json};

use crate::file::{KINDS, Readers, places, read, sample, with};

fn object(value: &mut Value) -> &mut serde_json::Map<String, Value> {
    value.as_object_mut().unwrap()
}

#[test]
fn a_required_key_is_there() {
    for kind in KINDS {
        let readers = Readers::of(kind);
        for place in places(kind, &sample(kind)) {
            for field in place.shape.fields {
                let file = with(kind, &place.at, |value| {
                    object(value).shift_remove(field.name);
                });
                match field.optional {
                    true => readers.take(&file),
                    false => readers.refuse(&file, &format!("{}/{}", place.at, field.name), "is missing"),
                }
            }
        }
    }
}

#[test]
fn null_stands_only_where_it_may() {
    for kind in KINDS {
        let readers = Readers::of(kind);
        let sample = sample(kind);
        for place in places(kind, &sample) {
            for field in place.shape.fields {
                let at = format!("{}/{}", place.at, field.name);
                if sample.pointer(&at).is_none() {
                    continue;
                }
                let file = with(kind, &at, |value| *value = Value::Null);
                match field.nullable {
                    true => readers.take(&file),
                    false => readers.refuse(&file, &at, "found null"),
                }
                // Nor in a list.
                if sample.pointer(&format!("{at}/0")).is_some() {
                    let file = with(kind, &at, |value| value[0] = Value::Null);
                    match field.ty {
                        Type::Union(_) => readers.refuse(&file, &at, "found a list"),
                        _ => readers.refuse(&file, &format!("{at}/0"), "found null"),
                    }
                }
            }
        }
    }
}

#[test]
fn an_unknown_key_is_refused_at_every_level() {
    for kind in KINDS {
        let readers = Readers::of(kind);
        for place in places(kind, &sample(kind)) {
            let file = with(kind, &place.at, |value| value["nope"] = json!(1));
            readers.refuse(&file, &format!("{}/nope", place.at), "unknown key `nope`");
        }
    }
}

#[test]
fn bags_take_anything_and_their_keys_keep_their_order() {
    let anything = json!({ "z": null, "a": [1.5, { "b": [[]] }], "": "x" });
    for (kind, at) in [
        ("lorebook", "/body/entries/0/metadata"),
        ("preset", "/body/prompts/0/extras"),
        ("preset", "/body/groups/0/extras"),
        ("preset", "/body/choices/0/extras"),
        ("quickreply", "/body/extras"),
        ("quickreply", "/body/replies/0/extras"),
    ] {
        let readers = Readers::of(kind);
        readers.take(&with(kind, at, |value| *value = anything.clone()));
        readers.refuse(&with(kind, at, |value| *value = json!([])), at, "expected an object");
    }
    let (readers, at) = (Readers::of("preset"), "/body/choices/0/options/0/set");
    readers.take(&with("preset", at, |value| *value = json!({ "b": "1", "a": "" })));
    for wrong in [json!(1), json!(null), json!({})] {
        let file = with("preset", at, |value| value["key"] = wrong);
        readers.refuse(&file, &format!("{at}/key"), "expected a string");
    }
}

#[test]
fn a_value_has_the_type_of_its_field() {
    let values = [json!(true), json!(1), json!(0.5), json!("text"), json!([]), json!({})];
    for kind in KINDS {
        let readers = Readers::of(kind);
        let sample = sample(kind);
        for place in places(kind, &sample) {
            for field in place.shape.fields {
                let at = format!("{}/{}", place.at, field.name);
                if sample.pointer(&at).is_none() {
                    continue;
                }
                for value in &values {
                    let file = with(kind, &at, |old| *old = value.clone());
                    match (field.ty, value) {
                        (Type::Text(_), Value::String(_))
                        | (Type::Bool, Value::Bool(_))
                        | (Type::Number, Value::Number(_))
                        | (Type::List(_), Value::Array(_))
                        | (Type::Dict(_), Value::Object(_))
                        | (Type::Union(_), Value::String(_) | Value::Array(_) | Value::Bool(_)) => {
                            take(&readers, &file)
                        }
                        // An object that lacks what the struct needs.
                        (Type::Node(shape), Value::Object(_)) if shape.fields.iter().any(|field| !field.optional) => {
                            assert!(read(&file.to_string()).is_err());
                        }
                        (Type::Node(_), Value::Object(_)) => take(&readers, &file),
                        _ => readers.refuse(&file, &at, "expected"),
                    }
                }
            }
        }
    }
}

/// A file that is taken, unless it makes a marker of the block that has files.
#[track_caller]
fn take(readers: &Readers, file: &Value) {
    let is_marker = file.pointer("/body/prompts/0/marker") == Some(&json!(true));
    if !is_marker {
        readers.take(file);
    }
}

#[test]
fn a_closed_set_has_its_words_and_an_open_one_any() {
    for kind in KINDS {
        let readers = Readers::of(kind);
        let sample = sample(kind);
        for place in places(kind, &sample) {
            for field in place.shape.fields {
                let at = format!("{}/{}", place.at, field.name);
                let (Type::Words(words) | Type::Text(words)) = field.ty else { continue };
                if sample.pointer(&at).is_none() || words.is_empty() {
                    continue;
                }
                for word in words.iter().filter(|word| **word != "tool") {
                    readers.take(&with(kind, &at, |value| *value = json!(word)));
                }
                for other in ["", "nope", &words[0].to_uppercase()] {
                    let file = with(kind, &at, |value| *value = json!(other));
                    match field.ty {
                        Type::Words(_) => readers.refuse(&file, &at, "expected one of"),
                        _ => readers.take(&file),
                    }
                }
            }
        }
    }
}

#[test]
fn numbers_are_any_finite_ones() {
    let readers = Readers::of("lorebook");
    for number in ["-3", "0.125", "900", "18446744073709551615", "-9223372036854775808", "1e-7"] {
        let number: Value = serde_json::from_str(number).unwrap();
        for field in ["depth", "sortOrder", "probability", "scanDepth", "displayIndex"] {
            readers.take(&with("lorebook", "/body/entries/0", |entry| entry[field] = number.clone()));
        }
    }
    let text = sample("lorebook").to_string().replace("\"sortOrder\":-5", "\"sortOrder\":1e999");
    assert_eq!(read(&text).unwrap_err()[0].at, "/body/entries/0/sortOrder");
}

#[test]
fn an_answer_beforehand_is_of_three_types() {
    let readers = Readers::of("preset");
    let at = "/body/choices/0/default";
    for good in [json!("a"), json!(""), json!(["a", "b"]), json!([]), json!(true), json!(false)] {
        readers.take(&with("preset", at, |value| *value = good));
    }
    for wrong in [json!(1), json!({}), json!([1]), json!(["a", null]), json!([["a"]])] {
        readers.refuse(
            &with("preset", at, |value| *value = wrong),
            at,
            "expected a string or a list or a boolean, found",
        );
    }
}

#[test]
fn the_least_there_can_be() {
    let preset = json!({ "schemaVersion": "1", "kind": "preset", "id": "p", "body": { "name": "", "prompts": [] } });
    Readers::of("preset").take(&preset);
    let lorebook = json!({
        "schemaVersion": "1", "kind": "lorebook", "id": "l",
        "body": {
            "name": "", "tags": [], "globalCaseSensitive": false, "globalMatchWholeWords": false, "globalScanDepth": 4,
            "globalRecursion": false, "tokenBudget": 0, "budgetMode": "entry", "entryBudget": 0, "entries": [],
        },
    });
    Readers::of("lorebook").take(&lorebook);
    for (kind, body) in [
        ("promptformat", json!({ "name": "" })),
        ("promptformat", json!({ "name": "", "instruct": { "inputSequence": "", "outputSequence": "" } })),
        ("promptformat", json!({ "name": "", "context": { "storyString": "" } })),
        ("quickreply", json!({ "name": "", "replies": [] })),
        ("quickreply", json!({ "name": "", "replies": [{ "id": "1", "label": "", "message": "" }] })),
    ] {
        Readers::of(kind).take(&json!({ "schemaVersion": "1", "kind": kind, "id": "x", "body": body }));
    }
}

#[test]
fn a_button_has_an_id_and_any_length() {
    let readers = Readers::of("quickreply");
    let wrong = with("quickreply", "/body/replies/0", |reply| reply["id"] = json!(""));
    readers.refuse_but_for_the_schema(&wrong, "/body/replies/0/id", "an id is never empty");
    // Ids are no numbers, as they are in SillyTavern's files.
    let wrong = with("quickreply", "/body/replies/0", |reply| reply["id"] = json!(1));
    readers.refuse(&wrong, "/body/replies/0/id", "expected a string");
    readers.take(&with("quickreply", "/body/replies/1", |reply| reply["id"] = json!("1")));
    readers.take(&with("quickreply", "/body/replies/0", |reply| reply["message"] = json!("/echo x | ".repeat(10_000))));
    readers.take(&with("quickreply", "/body/replies", |replies| {
        *replies = (0..600).map(|n| json!({ "id": format!("{n}"), "label": "", "message": "" })).collect();
    }));
}

#[test]
fn nothing_is_said_twice() {
    let text = sample("preset").to_string();
    let twice = text.replacen("\"role\":\"system\"", "\"role\":\"system\",\"role\":\"user\"", 1);
    let problems = read(&twice).unwrap_err();
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(
        (problems[0].at.as_str(), problems[0].message.as_str()),
        ("/body/prompts/0/role", "the key `role` stands here twice")
    );
}

//! JSON pointers (RFC 6901) and edits (RFC 6902).

use serde_json::Value;

use crate::compare::{Rules, differs};

/// The steps of a pointer; nothing for a text that is none.
fn steps(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    let steps = pointer.strip_prefix('/')?.split('/');
    Some(steps.map(|step| step.replace("~1", "/").replace("~0", "~")).collect())
}

/// The index of an item, which may be one behind the last when something is added.
fn index(step: &str, most: usize) -> Option<usize> {
    let plain = step == "0" || !step.starts_with('0');
    let n = step.parse().ok().filter(|_| plain && step.bytes().all(|b| b.is_ascii_digit()))?;
    (n < most).then_some(n)
}

/// The value at a pointer.
pub(crate) fn get<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    steps(pointer)?.iter().try_fold(value, |value, step| match value {
        Value::Object(members) => members.get(step),
        Value::Array(items) => items.get(index(step, items.len())?),
        _ => None,
    })
}

fn get_mut<'v>(value: &'v mut Value, steps: &[String]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match value {
        Value::Object(members) => members.get_mut(step),
        Value::Array(items) => {
            let n = index(step, items.len())?;
            items.get_mut(n)
        }
        _ => None,
    })
}

fn add(document: &mut Value, pointer: &str, value: Value) -> Option<()> {
    let steps = steps(pointer)?;
    let (last, parents) = steps.split_last()?;
    match get_mut(document, parents)? {
        Value::Object(members) => {
            members.insert(last.clone(), value);
        }
        Value::Array(items) => {
            let n = if last == "-" { items.len() } else { index(last, items.len() + 1)? };
            items.insert(n, value);
        }
        _ => return None,
    }
    Some(())
}

fn take(document: &mut Value, pointer: &str) -> Option<Value> {
    let steps = steps(pointer)?;
    let (last, parents) = steps.split_last()?;
    match get_mut(document, parents)? {
        Value::Object(members) => members.shift_remove(last),
        Value::Array(items) => {
            let n = index(last, items.len())?;
            Some(items.remove(n))
        }
        _ => None,
    }
}

fn one(document: &mut Value, edit: &Value) -> Option<()> {
    let word = |key: &str| edit.get(key).and_then(Value::as_str);
    let (path, value) = (word("path")?, || edit.get("value").cloned());
    match word("op")? {
        "add" => add(document, path, value()?),
        "remove" => take(document, path).map(drop),
        "replace" => {
            *get_mut(document, &steps(path)?)? = value()?;
            Some(())
        }
        "move" => {
            let moved = take(document, word("from")?)?;
            add(document, path, moved)
        }
        "copy" => {
            let copied = get(document, word("from")?)?.clone();
            add(document, path, copied)
        }
        "test" => differs(&value()?, get(document, path)?, Rules::default()).is_none().then_some(()),
        _ => None,
    }
}

/// Applies edits in order; the error is the first that cannot be done.
pub(crate) fn apply(document: &mut Value, edits: &[Value]) -> Result<(), String> {
    edits.iter().try_for_each(|edit| one(document, edit).ok_or_else(|| format!("cannot be done: {edit}")))
}

#[test]
fn edits_do_what_they_say() {
    use serde_json::json;
    let mut document = json!({ "list": [1, 2, 3], "a/b": { "~": 1 } });
    let edits = json!([
        { "op": "add", "path": "/list/1", "value": 9 },
        { "op": "add", "path": "/list/-", "value": 4 },
        { "op": "remove", "path": "/list/0" },
        { "op": "replace", "path": "/a~1b/~0", "value": 2 },
        { "op": "copy", "from": "/list/0", "path": "/copied" },
        { "op": "move", "from": "/list/3", "path": "/moved" },
        { "op": "test", "path": "/moved", "value": 4.0 }
    ]);
    assert_eq!(apply(&mut document, edits.as_array().unwrap()), Ok(()));
    assert_eq!(document, json!({ "list": [9, 2, 3], "a/b": { "~": 2 }, "copied": 9, "moved": 4 }));
    for bad in [
        json!({ "op": "remove", "path": "/none" }),
        json!({ "op": "replace", "path": "/none", "value": 1 }),
        json!({ "op": "add", "path": "/list/04", "value": 1 }),
        json!({ "op": "test", "path": "/moved", "value": 5 }),
        json!({ "op": "turn", "path": "/list" }),
    ] {
        assert!(apply(&mut document, std::slice::from_ref(&bad)).is_err(), "{bad}");
    }
}

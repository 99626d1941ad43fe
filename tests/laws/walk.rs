//! A document gone through with its map: the rows of every list, in the order in which the model
//! has them.

use bunzai_runtime::map::{Carrier, Inner, Map, Order, Part, Step, Text, Wire};
use serde_json::Value;

use crate::gate;
use crate::paths::below;

/// Calls with every row of every list: the canonical path of its scope, its part, and the row.
pub(crate) fn rows(map: &Map, document: &Value, call: &mut dyn FnMut(&str, &Part, &Value)) {
    let Some(shape) = gate::shape(map, document) else { return };
    let root = map.shapes[shape].at.iter().try_fold(document, |value, key| value.get(key.as_ref()));
    if let Some(value) = root {
        within(map, self::root(map, &map.shapes[shape]), value, "", call);
    }
}

/// The part that reads the fields of a shape.
pub(crate) fn root<'m>(map: &'m Map, shape: &Carrier) -> &'m Part {
    shape.map.map_or(&map.root, |part| &map.parts[part].1)
}

fn within(map: &Map, part: &Part, value: &Value, scope: &str, call: &mut dyn FnMut(&str, &Part, &Value)) {
    for row in part.rows.iter() {
        let (Wire::At(steps), path) = (&row.wire, row.to.first().map_or("", |path| path.as_ref())) else { continue };
        let Some(found) = at(value, steps).and_then(|found| inside(found, &row.text)) else { continue };
        match &row.inner {
            Inner::Map(inner) => within(map, &map.parts[*inner].1, &found, &below(scope, path), call),
            Inner::Each(each) => {
                let scope = format!("{}[]", below(scope, path));
                let inner = &map.parts[each.part].1;
                let rows: Vec<&Value> = match &found {
                    Value::Array(items) => items.iter().collect(),
                    Value::Object(members) => members.values().collect(),
                    _ => Vec::new(),
                };
                for row in rows {
                    call(&scope, inner, row);
                    within(map, inner, row, &scope, call);
                }
            }
            _ => {}
        }
    }
}

pub(crate) fn at<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key.as_ref()),
        Step::Every | Step::Pick(_) => None,
    })
}

/// The value in a slot, or in the text it holds; what is no list is one of itself where that is so.
pub(crate) fn inside(value: &Value, texts: &[Text]) -> Option<Value> {
    match value {
        Value::String(text) if texts.contains(&Text::Json) => serde_json::from_str(text).ok(),
        Value::Object(_) if texts.contains(&Text::Lone) => Some(Value::Array(vec![value.clone()])),
        value => Some(value.clone()),
    }
}

/// The rows of a list in the order of the model; nothing orders them where the list that should is
/// none.
pub(crate) fn sequence(order: Option<&Order>, holder: &Value, rows: &[Value]) -> Vec<usize> {
    let mut sequence = Vec::new();
    if let Some(order) = order {
        let list = at(holder, &order.at).and_then(|list| readable(list, &order.text));
        for id in list.iter().flatten().filter_map(called) {
            let next = (0..rows.len()).find(|n| {
                !sequence.contains(n) && rows[*n].get(order.of.as_ref()).and_then(called).as_ref() == Some(&id)
            });
            sequence.extend(next);
        }
    }
    let rest: Vec<usize> = (0..rows.len()).filter(|n| !sequence.contains(n)).collect();
    sequence.extend(rest);
    sequence
}

/// The items of an order list, if it is one.
pub(crate) fn readable(list: &Value, texts: &[Text]) -> Option<Vec<Value>> {
    let plain = texts.is_empty() || texts.contains(&Text::Plain);
    match list {
        Value::Array(items) if plain => Some(items.clone()),
        Value::String(text) if texts.contains(&Text::Json) => match serde_json::from_str(text).ok()? {
            Value::Array(items) => Some(items),
            _ => None,
        },
        _ => None,
    }
}

/// An identity: a text, or a number as its text.
pub(crate) fn called(value: &Value) -> Option<String> {
    match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(n) => match n.as_f64() {
            Some(f) if f.fract() == 0.0 && f.abs() < 1e15 => Some(format!("{f}")),
            _ => Some(n.to_string()),
        },
        _ => None,
    }
}

/// The key that marks a row of a test; it is the same in every case.
pub(crate) const MARK: &str = "xmark";

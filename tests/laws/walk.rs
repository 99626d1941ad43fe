//! A document gone through with its map: the rows of every list, in the order in which the model
//! has them.

use bunzai_runtime::map::{Carrier, Inner, Map, Order, Part, Step, Text, Wire};
use serde_json::Value;

use crate::gate;
use crate::paths::below;
use crate::woven::{self, Woven};

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
            Inner::Each(each) if woven::is_woven(each) => {
                let rows = objects(&found);
                let woven = Woven::new(map, each, value, &rows);
                for (row, of) in rows.iter().zip(&woven.of) {
                    let Some(of) = of else { continue };
                    let to = woven.heads.filter(|_| of.level.is_some()).map_or(path, |heads| heads.to.as_ref());
                    call(&format!("{}[]", below(scope, to)), &map.parts[of.part].1, row);
                }
            }
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

/// The rows of a list, which are objects.
pub(crate) fn objects(list: &Value) -> Vec<Value> {
    let rows: Vec<&Value> = match list {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    rows.into_iter().filter(|row| row.is_object()).cloned().collect()
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
    sequence_of(order, holder, rows).0
}

/// The same, and for each row the item of the list that names it; no items where the list names
/// nothing, though there are rows.
pub(crate) fn sequence_of(
    order: Option<&Order>,
    holder: &Value,
    rows: &[Value],
) -> (Vec<usize>, Option<Vec<Option<usize>>>) {
    let mut sequence = Vec::new();
    let mut items = None;
    if let Some(order) = order
        && let Some(list) = at(holder, &order.at).and_then(|list| readable(list, &order.text))
    {
        let ids: Vec<Option<String>> = list.iter().map(|item| id_in(order, item)).collect();
        let mut naming = vec![None; rows.len()];
        for (item, id) in ids.iter().enumerate().filter(|(_, id)| id.is_some()) {
            let is_next = |n: &usize| {
                !sequence.contains(n) && rows[*n].get(order.of.as_ref()).and_then(called).as_ref() == id.as_ref()
            };
            if let Some(n) = (0..rows.len()).find(is_next) {
                sequence.push(n);
                naming[n] = Some(item);
            }
        }
        items = Some(naming).filter(|_| rows.is_empty() || ids.iter().any(Option::is_some));
    }
    let rest: Vec<usize> = (0..rows.len()).filter(|n| !sequence.contains(n)).collect();
    sequence.extend(rest);
    (sequence, items)
}

/// What an item of a list that keeps an order calls its row.
pub(crate) fn id_in(order: &Order, item: &Value) -> Option<String> {
    match &order.by {
        Some(by) => item.get(by.as_ref()).and_then(called),
        None => called(item),
    }
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

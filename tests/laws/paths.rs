//! Values and paths: equality, the values at canonical paths, the paths that a map has rows for.

use std::collections::BTreeSet;

use bunzai_runtime::map::{Inner, Map, Part, Row, Step, Wire};
use serde_json::Value;

/// Equality by value: 2.0 is 2, and members have no order.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64(), a.as_u64(), b.as_u64()) {
            (Some(a), Some(b), ..) => a == b,
            (_, _, Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

pub(crate) fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => equal(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// A canonical path below another one.
pub(crate) fn below(scope: &str, path: &str) -> String {
    match (scope, path) {
        (scope, "." | "") => scope.to_owned(),
        ("", path) => path.to_owned(),
        (scope, path) => format!("{scope}.{path}"),
    }
}

/// The value at a canonical path that leads through no list, but for single items.
pub(crate) fn get<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').filter(|key| !key.is_empty()).try_fold(value, |value, key| {
        let Some((key, one)) = key.split_once('[') else { return value.get(key) };
        let items = value.get(key)?.as_array()?;
        match one.trim_end_matches(']').split_once('=') {
            None => items.get(one.trim_end_matches(']').parse::<usize>().ok()?),
            Some((by, text)) => items.iter().find(|item| item.get(by).and_then(Value::as_str) == Some(text)),
        }
    })
}

/// A canonical path with `[]` in the place of single items.
pub(crate) fn of_all(path: &str) -> String {
    let mut pieces = path.split('[');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + "[]" + piece.split_once(']').map_or("", |(_, rest)| rest))
}

/// Calls with every value that holds no other, and its path.
pub(crate) fn leaves(value: &Value, path: &str, call: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| leaves(value, &below(path, key), call)),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, &format!("{path}[]"), call)),
        leaf => call(path, leaf),
    }
}

/// The canonical path that the slot of a key goes to.
pub(crate) fn path_of(part: &Part, by: &str) -> Option<String> {
    let key = |row: &&Row| matches!(&row.wire, Wire::At(steps) if matches!(&**steps, [Step::Key(key)] if key == by));
    part.rows.iter().find(key)?.to.first().map(|path| path.to_string())
}

/// The path that the place of a row goes to, if a part has one.
pub(crate) fn index_of(part: &Part) -> Option<String> {
    let index = part.rows.iter().find(|row| row.wire == Wire::Index)?;
    index.to.first().map(|path| path.to_string())
}

/// Rows by the number at a path: one that has none stays behind the one before it.
pub(crate) fn sorted(rows: &[Value], index: &str) -> Vec<usize> {
    let mut last = 0.0;
    let numbers: Vec<f64> = rows
        .iter()
        .map(|row| {
            last = get(row, index).and_then(Value::as_f64).unwrap_or(last);
            last
        })
        .collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
    order
}

/// The identities that several rows of one list share.
pub(crate) fn shared_ids(body: &Value, list: &str, by: &str) -> Vec<String> {
    let mut shared = Vec::new();
    each_list(body, list, &mut |rows| {
        let ids: Vec<&str> = rows.iter().filter_map(|row| get(row, by)?.as_str()).collect();
        let twice = ids.iter().enumerate().filter(|(n, id)| ids[..*n].contains(id));
        shared.extend(twice.map(|(_, id)| (*id).to_owned()));
    });
    shared
}

/// Calls with every list at a path.
fn each_list<'v>(value: &'v Value, path: &str, call: &mut dyn FnMut(&'v [Value])) {
    match path.split_once("[]") {
        None => {
            if let Some(rows) = get(value, path).and_then(Value::as_array) {
                call(rows);
            }
        }
        Some((list, rest)) => {
            for row in get(value, list).and_then(Value::as_array).into_iter().flatten() {
                each_list(row, rest.trim_start_matches('.'), call);
            }
        }
    }
}

/// The paths of all lists whose items are rows of the wire.
pub(crate) fn row_lists(map: &Map) -> BTreeSet<String> {
    let mut lists = BTreeSet::new();
    map.shapes.iter().for_each(|shape| add_lists(map, crate::walk::root(map, shape), "", &mut lists));
    lists
}

fn add_lists(map: &Map, part: &Part, path: &str, lists: &mut BTreeSet<String>) {
    for row in part.rows.iter() {
        let to = below(path, row.to.first().map_or("", |to| to.as_ref()));
        match &row.inner {
            Inner::Map(inner) => add_lists(map, &map.parts[*inner].1, &to, lists),
            Inner::Each(each) => {
                add_lists(map, &map.parts[each.part].1, &format!("{to}[]"), lists);
                lists.extend(each.heads.iter().map(|heads| below(path, &heads.to)));
                lists.insert(to);
            }
            _ => {}
        }
    }
}

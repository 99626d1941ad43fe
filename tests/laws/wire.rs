//! What a map says of its wire, worked out apart from the engine: which slot belongs to which
//! canonical path, and what may count as nothing.

use std::collections::BTreeSet;

use bunzai::{Declared, Format};
use bunzai_runtime::json::locate;
use bunzai_runtime::map::{Fill, Inner, Literal, Map, Part, Row, Step, Wire};
use serde_json::Value;

use crate::document::Doc;

/// A difference between two JSON values.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// JSON pointer.
    pub(crate) at: String,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
}

/// Where two values differ; lists item by item when they are as long.
pub(crate) fn changes(before: &Value, after: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(before, after, String::new(), &mut found);
    found
}

fn compare(before: &Value, after: &Value, at: String, found: &mut Vec<Change>) {
    let step = |at: &str, key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
    match (before, after) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a {
                match b.get(key) {
                    Some(other) => compare(value, other, step(&at, key), found),
                    None => found.push(Change { at: step(&at, key), before: Some(value.clone()), after: None }),
                }
            }
            for (key, value) in b.iter().filter(|(key, _)| !a.contains_key(*key)) {
                found.push(Change { at: step(&at, key), before: None, after: Some(value.clone()) });
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, format!("{at}/{n}"), found);
            }
        }
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
        (a, b) if a == b => {}
        (a, b) => found.push(Change { at, before: Some(a.clone()), after: Some(b.clone()) }),
    }
}

/// A pointer as a path with `[]` for indexes: `/rules/0/find` is `rules[].find`.
pub(crate) fn pattern(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        if step.chars().all(|c| c.is_ascii_digit()) && !step.is_empty() {
            path.push_str("[]");
        } else {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(step);
        }
    }
    path
}

/// What may differ without being a loss.
pub(crate) struct Excused {
    defaults: Vec<Value>,
    /// Paths that travel as the name of the file.
    pub(crate) from_file: BTreeSet<String>,
}

impl Excused {
    /// Absent, null, a blank, or a constant of the map.
    pub(crate) fn is_nothing(&self, value: Option<&Value>) -> bool {
        match value {
            None | Some(Value::Null | Value::Bool(false)) => true,
            Some(Value::String(text)) if text.trim().is_empty() => true,
            Some(Value::Array(items)) if items.is_empty() => true,
            Some(Value::Object(members)) => members.values().all(|value| self.is_nothing(Some(value))),
            Some(value) => self.defaults.contains(value),
        }
    }
}

pub(crate) fn excused(format: &Declared) -> Excused {
    let map = format.map();
    let mut excused = Excused { defaults: Vec::new(), from_file: BTreeSet::new() };
    for part in [&map.root].into_iter().chain(map.parts.iter().map(|(_, part)| part)) {
        let constants = part.rows.iter().flat_map(|row| [&row.or, &row.fresh]).flatten().filter_map(Fill::literal);
        let stamps = part.stamp.iter().map(|(_, literal)| literal);
        excused.defaults.extend(constants.chain(stamps).filter_map(Literal::value).map(Value::from));
        let files = part.rows.iter().filter(|row| !matches!(row.wire, Wire::At(_)));
        excused.from_file.extend(files.flat_map(|row| row.to.iter().map(|path| path.to_string())));
    }
    excused
}

/// The slots of a map: wire pattern and the canonical patterns it goes to.
fn slots(map: &Map) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for shape in map.shapes.iter() {
        let prefix: String = shape.at.iter().map(|key| format!("{key}.")).collect();
        part_slots(map, &map.root, prefix.trim_end_matches('.'), "", &mut found);
    }
    found
}

fn part_slots(map: &Map, part: &Part, wire: &str, scope: &str, found: &mut Vec<(String, Vec<String>)>) {
    for row in part.rows.iter() {
        let Wire::At(steps) = &row.wire else { continue };
        let mut at = wire.to_owned();
        for step in steps.iter() {
            match step {
                Step::Key(key) if at.is_empty() => at.push_str(key),
                Step::Key(key) => at = format!("{at}.{key}"),
                Step::Every => at.push_str("[]"),
            }
        }
        let to: Vec<String> = row
            .to
            .iter()
            .map(|path| if scope.is_empty() { path.to_string() } else { format!("{scope}.{path}") })
            .collect();
        if let (Inner::Each(each), Some(path)) = (&row.inner, to.first()) {
            part_slots(map, &map.parts[each.part].1, &format!("{at}[]"), &format!("{path}[]"), found);
        }
        found.push((at, to));
    }
}

/// Every value of the document that changed is a slot of an edited path, and nothing around the
/// changed values changed.
pub(crate) fn check_frame(format: &Declared, before: &str, after: &str, edited: &BTreeSet<String>) {
    let parse = |text: &str| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).unwrap();
    let slots = slots(format.map());
    let touched = |to: &str| {
        edited.iter().any(|path| {
            path == to
                || path.starts_with(&format!("{to}."))
                || to.starts_with(&format!("{path}."))
                || path.starts_with(&format!("{to}["))
        })
    };
    let changed = changes(&parse(before), &parse(after));
    for change in &changed {
        let at = pattern(&change.at);
        // A slot that is a list or an object changes as a whole or inside.
        let owner = slots.iter().find(|(wire, _)| {
            *wire == at
                || at.strip_prefix(wire.as_str()).is_some_and(|rest| rest.starts_with(['.', '[']) && !wire.is_empty())
                    && !slots
                        .iter()
                        .any(|(other, _)| other.len() > wire.len() && (*other == at || at.starts_with(other.as_str())))
        });
        let owner = owner.unwrap_or_else(|| panic!("{} changed and is no slot: {change:?}", change.at));
        assert!(
            owner.1.iter().any(|to| touched(to)),
            "{} changed, but only {edited:?} was edited: {change:?}",
            change.at
        );
    }
    // Around values that are there before and after, every byte stays. (Where members came or
    // went the bytes between cannot be compared like this.)
    if changed.iter().any(|change| change.before.is_none() || change.after.is_none()) {
        return;
    }
    let spans = |text: &str| {
        let start = text.len() - text.trim_start_matches('\u{feff}').len();
        let mut spans: Vec<_> = changed.iter().filter_map(|change| locate(&text[start..], &change.at)).collect();
        spans.sort_by_key(|span| span.start);
        let mut rest = String::new();
        let mut from = 0;
        for span in spans {
            rest.push_str(&text[from..start + span.start]);
            from = start + span.end;
        }
        rest.push_str(&text[from..]);
        rest
    };
    assert_eq!(spans(before), spans(after), "bytes around {changed:?} changed");
}

const MARK: &str = "x-mark";

/// The lists of rows at the top of a map: the steps to them, and the key of the identity.
fn row_lists(map: &Map) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let rows = map.root.rows.iter().filter_map(|row: &Row| match (&row.wire, &row.inner) {
        (Wire::At(steps), Inner::Each(each)) => Some((steps, each.by.clone()?)),
        _ => None,
    });
    for (steps, by) in rows {
        let keys = steps.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.to_string()),
            Step::Every => None,
        });
        found.push((keys.collect(), by.to_string()));
    }
    found
}

/// Gives every row an identity of its own and an unknown key that says whose it is.
pub(crate) fn mark_rows(format: &Declared, doc: &mut Doc) {
    for (keys, by) in row_lists(format.map()) {
        let Some(Doc::List(items)) = doc.member_mut(&keys) else { continue };
        for (n, item) in items.iter_mut().enumerate() {
            let Doc::Object(members) = item else { continue };
            let id = format!("row-of-{n}");
            members.retain(|(key, _)| *key != by && key != MARK);
            members.push((MARK.into(), Doc::Text(id.clone())));
            members.push((by.clone(), Doc::Text(id)));
        }
    }
}

/// Every row that still has its identity still has its mark, and no other row has one.
pub(crate) fn check_marks(format: &Declared, document: &Value) {
    for (keys, by) in row_lists(format.map()) {
        let pointer: String = keys.iter().map(|key| format!("/{key}")).collect();
        for row in document.pointer(&pointer).and_then(Value::as_array).into_iter().flatten() {
            let (id, mark) = (row.get(&by), row.get(MARK));
            match id.and_then(Value::as_str) {
                Some(id) if id.starts_with("row-of-") => {
                    assert_eq!(mark.and_then(Value::as_str), Some(id), "{}: {row}", format.id());
                }
                _ => assert_eq!(mark, None, "{}: {row}", format.id()),
            }
        }
    }
}

//! What the documents of a format look like that are read.

use serde_json::{Map, Value, json};

use super::{any_of, domain_schema, text_schema, types_schema};
use crate::engine::{Frame, RowPlan, RowWay, RowsPlan, Slot, Way};
use crate::map::{Inner, Text, below};
use crate::model::{describe, or_null};

/// The schema of the value at a place; `scope` is the canonical path of the frame.
pub(super) fn place_schema(frame: &Frame, at: usize, scope: &str) -> Value {
    let place = &frame.places[at];
    if let Some(row) = place.row {
        return row_schema(&frame.rows[row], scope);
    }
    if let Some((row, slot)) = also(frame, at) {
        return slot_schema(row, slot, scope);
    }
    if let Some(items) = items(frame, at) {
        return or_null(json!({ "type": "array", "items": any_of(items) }));
    }
    if let Some(child) = place.picked {
        return picked_schema(frame, at, child, scope);
    }
    if place.children.is_empty() && !place.rest {
        // Only the gate or a join asks about it.
        return json!({});
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, child) in place.children.iter() {
        properties.insert(key.into(), place_schema(frame, child, scope));
        if is_needed(frame, child) {
            required.push(key);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    if let Some(object) = schema.as_object_mut().filter(|_| !required.is_empty()) {
        object.insert("required".into(), required.into());
    }
    if is_needed(frame, at) || at == 0 { schema } else { or_null(schema) }
}

/// The schema of an object or list of which one row is picked. Which one it is no schema can say, so
/// what the row looks like is only a note.
fn picked_schema(frame: &Frame, at: usize, child: usize, scope: &str) -> Value {
    let sort = if frame.picked_in_object(child) { "object" } else { "array" };
    let schema = json!({ "type": sort, "x-bunzai-row": place_schema(frame, child, scope) });
    if is_needed(frame, at) { schema } else { or_null(schema) }
}

/// The row of which a place is one of the other places, and what it is there.
fn also(frame: &Frame, at: usize) -> Option<(&RowPlan, &Slot)> {
    let mut rows = frame.rows.iter();
    rows.find_map(|row| Some((row, &row.also.iter().find(|(place, _)| *place == at)?.1)))
}

/// The items of a list that keeps the order of rows, where they have slots of their own.
fn items(frame: &Frame, at: usize) -> Option<Vec<Value>> {
    let rows = frame.rows.iter().find(|row| row.order().is_some_and(|order| order.place == at))?;
    let Way::Rows(rows) = &rows.way else { return None };
    let items: Vec<Value> = rows.of_items().into_iter().map(|frame| place_schema(frame, 0, "")).collect();
    (!items.is_empty()).then_some(items)
}

/// Whether something at or below a place must be there.
fn is_needed(frame: &Frame, at: usize) -> bool {
    let place = &frame.places[at];
    place.row.is_some_and(|row| frame.rows[row].row.need && frame.rows[row].also.is_empty())
        || place.inside().any(|child| is_needed(frame, child))
}

fn row_schema(row: &RowPlan, scope: &str) -> Value {
    slot_schema(row, &row.slot, scope)
}

fn slot_schema(row: &RowPlan, slot: &Slot, scope: &str) -> Value {
    let plain = match &row.way {
        Way::Sealed | Way::File | Way::Index => types_schema(row.row.is),
        Way::Value | Way::Word(_) | Way::Gather => domain_schema(slot.reads()),
        Way::Items | Way::Flags(_) => json!({ "type": "array", "items": domain_schema(slot.reads()) }),
        Way::Map(frame) => place_schema(frame, 0, &below(scope, row.row.to.first().map_or("", |path| path.as_ref()))),
        Way::Rows(rows) => {
            let path = row.row.to.first().map_or("", |path| path.as_ref());
            let item = format!("{}[]", below(scope, path));
            let item = one_row(rows, &item);
            match rows.keyed {
                None => json!({ "type": "array", "items": item }),
                Some(_) => json!({ "type": "object", "additionalProperties": item }),
            }
        }
    };
    let mut schema = in_text(row, plain);
    if (!row.row.need || !row.also.is_empty()) && schema != json!({}) {
        schema = or_null(schema);
    }
    describe(&mut schema, &row.row.about);
    let flags = match &row.row.inner {
        Inner::Flags(flags) => flags.iter().map(|(_, path)| below(scope, path)).collect(),
        _ => Vec::new(),
    };
    let to: Vec<String> = row.row.to.iter().map(|path| below(scope, path)).chain(flags).collect();
    if let Some(object) = schema.as_object_mut() {
        match to.as_slice() {
            [] => {}
            [one] => {
                object.insert("x-bunzai-to".into(), one.as_str().into());
            }
            several => {
                object.insert("x-bunzai-to".into(), several.into());
            }
        }
    }
    schema
}

/// What a row of a list looks like, which may be read in several ways.
fn one_row(rows: &RowsPlan, scope: &str) -> Value {
    let Some(woven) = &rows.woven else { return place_schema(&rows.frame, 0, scope) };
    // A row may stand for its item in the list that keeps the order.
    let read = |way: &RowWay| {
        let own = way.frame.as_ref().unwrap_or(&rows.frame);
        any_of(way.whole.iter().chain([own]).map(|frame| place_schema(frame, 0, scope)).collect())
    };
    // The first way counts whose conditions are met; a row that meets none is no row.
    let ways = woven.ways.iter().rev().fold(json!(false), |others, way| match way.when.schemas().as_slice() {
        [] => read(way),
        conditions => json!({ "if": { "allOf": conditions }, "then": read(way), "else": others }),
    });
    // Whether a row opens a group depends on the other rows too, so it may look like either.
    let heads = woven.dialects.iter().flat_map(|dialect| &dialect.levels).map(|head| {
        let mut all = head.when.schemas();
        all.extend(head.frame.iter().flat_map(decorations));
        all.push(read(head));
        json!({ "allOf": all })
    });
    any_of(heads.chain([ways]).collect())
}

/// What the texts look like without which a row opens no group.
fn decorations(frame: &Frame) -> Vec<Value> {
    let needed = frame.rows.iter().filter(|row| row.row.need);
    let decorated = needed.filter_map(|row| {
        let pattern = row.row.text.iter().find_map(|text| match text {
            Text::Wrap(wrap) => Some(wrap.pattern()),
            _ => None,
        })?;
        let text = json!({ "type": "string", "pattern": pattern });
        let keys = frame.keys_to(row.place?);
        Some(keys.iter().rev().fold(text, |inner, key| json!({ "properties": { *key: inner }, "required": [key] })))
    });
    decorated.collect()
}

/// The slot with the forms of text it may have.
fn in_text(row: &RowPlan, plain: Value) -> Value {
    if row.row.text.is_empty() {
        return plain;
    }
    let forms: Vec<Value> = row
        .row
        .text
        .iter()
        .map(|text| match (text, plain.get("items").or(plain.get("additionalProperties"))) {
            (Text::Lone, Some(item)) => item.clone(),
            (text, _) => text_schema(text, plain.clone()),
        })
        .collect();
    any_of(forms)
}

//! The JSON Schema of a format: what its documents look like, and where each field goes.

use schemars::Schema;
use serde_json::{Map, Value, json};

use crate::engine::{Frame, RowPlan, Slot, Way};
use crate::error::Result;
use crate::format::Declared;
use crate::json::Value as Json;
use crate::map::{Carrier, Cell, Inner, Literal, Predicate, Step, Test, Text, Types, ValueTest};
use crate::model::{describe, or_null};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The read schema of a format: open objects, every spelling, null wherever nothing is needed.
///
/// A document of the format imports without a type warning exactly when it validates.
pub(crate) fn read_schema(format: &Declared) -> Result<Schema> {
    let (map, frames) = (format.map(), &format.prepared()?.plan.carriers);
    let fields = frames.iter().map(|frame| place_schema(frame, 0, ""));
    if let [frame] = frames.as_slice() {
        // Where there is one shape there is nothing to tell apart.
        return Ok(titled(format, place_schema(frame, 0, "")));
    }
    let shapes = map.shapes.iter().zip(fields).map(|(carrier, fields)| match gate_schema(carrier) {
        Some(gate) => json!({ "allOf": [gate, fields] }),
        None => fields,
    });
    Ok(titled(format, json!({ "anyOf": shapes.collect::<Vec<_>>() })))
}

/// The read schema of one shape of a format.
pub(crate) fn shape_schema(format: &Declared, carrier: usize) -> Result<Schema> {
    Ok(titled(format, place_schema(format.frame(carrier)?, 0, "")))
}

fn titled(format: &Declared, schema: Value) -> Schema {
    let map = format.map();
    let mut titled = json!({
        "$schema": DRAFT,
        "title": map.label,
        "description": map.about,
        "x-bunzai-format": map.format,
        "x-bunzai-kind": format.kind_of_body().name,
    });
    match (titled.as_object_mut(), schema) {
        (Some(root), Value::Object(schema)) => root.extend(schema),
        (Some(root), other) => drop(root.insert("allOf".into(), json!([other]))),
        (None, _) => {}
    }
    titled.try_into().unwrap_or_default()
}

/// The schema of the value at a place; `scope` is the canonical path of the frame.
fn place_schema(frame: &Frame, at: usize, scope: &str) -> Value {
    let place = &frame.places[at];
    if let Some(row) = place.row {
        return row_schema(&frame.rows[row], scope);
    }
    if let Some((row, slot)) = also(frame, at) {
        return slot_schema(row, slot, scope);
    }
    if place.children.is_empty() {
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

/// The row of which a place is one of the other places, and what it is there.
fn also(frame: &Frame, at: usize) -> Option<(&RowPlan, &Slot)> {
    let mut rows = frame.rows.iter();
    rows.find_map(|row| Some((row, &row.also.iter().find(|(place, _)| *place == at)?.1)))
}

/// Whether something at or below a place must be there.
fn is_needed(frame: &Frame, at: usize) -> bool {
    let place = &frame.places[at];
    place.row.is_some_and(|row| frame.rows[row].row.need && frame.rows[row].also.is_empty())
        || place.children.iter().any(|(_, child)| is_needed(frame, child))
}

fn row_schema(row: &RowPlan, scope: &str) -> Value {
    slot_schema(row, &row.slot, scope)
}

fn slot_schema(row: &RowPlan, slot: &Slot, scope: &str) -> Value {
    let plain = match &row.way {
        Way::Sealed | Way::File => types_schema(row.row.is),
        Way::Value | Way::Word(_) | Way::Gather => value_schema(slot),
        Way::Items | Way::Flags(_) => json!({ "type": "array", "items": value_schema(slot) }),
        Way::Map(frame) => place_schema(
            frame,
            0,
            &row.row.to.first().map_or_else(|| scope.to_owned(), |path| below(scope, path) + "."),
        ),
        Way::Rows(rows) => {
            let path = row.row.to.first().map_or("", |path| path.as_ref());
            let item = place_schema(&rows.frame, 0, &format!("{}[].", below(scope, path)));
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

fn below(scope: &str, path: &str) -> String {
    if path == "." { scope.trim_end_matches('.').to_owned() } else { format!("{scope}{path}") }
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
        .map(|text| match text {
            Text::Plain => plain.clone(),
            Text::Json => {
                json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": plain })
            }
        })
        .collect();
    match <[Value; 1]>::try_from(forms) {
        Ok([one]) => one,
        Err(several) => json!({ "anyOf": several }),
    }
}

/// The values that a slot, or an item of it, can be read from.
fn value_schema(slot: &Slot) -> Value {
    let known = slot.known_values();
    let open = slot.open_types();
    let words: Vec<Value> = known.into_iter().map(Value::from).collect();
    match (words.is_empty(), open.is_empty()) {
        (false, true) => json!({ "enum": words }),
        (true, _) => {
            slot.pattern().map_or_else(|| types_schema(open), |pattern| json!({ "type": "string", "pattern": pattern }))
        }
        (false, false) => json!({ "anyOf": [{ "enum": words }, types_schema(open)] }),
    }
}

/// The schema of a set of types; any type for none.
fn types_schema(types: Types) -> Value {
    if types.is_empty() || types == Types::ANY {
        return json!({});
    }
    let mut names: Vec<&str> = Types::WORDS
        .iter()
        .filter(|(word, one)| !matches!(*word, "any" | "blank") && types.meets(*one))
        .map(|(word, _)| if *word == "list" { "array" } else { *word })
        .collect();
    if names.contains(&"number") {
        names.retain(|name| *name != "integer");
    }
    match names.as_slice() {
        [one] => json!({ "type": one }),
        several => json!({ "type": several }),
    }
}

/// What a gate demands, as far as a schema can say it of single places: it tells the shapes of a
/// format apart.
fn gate_schema(carrier: &Carrier) -> Option<Value> {
    let demands: Vec<Value> = carrier
        .gate
        .iter()
        .filter_map(|test| match test {
            Test::At(predicate) => predicate_schema(predicate),
            Test::Any(_) | Test::None(_) => None,
        })
        .collect();
    match demands.len() {
        0 => None,
        1 => demands.into_iter().next(),
        _ => Some(json!({ "allOf": demands })),
    }
}

fn predicate_schema(predicate: &Predicate) -> Option<Value> {
    let mut schema = match &predicate.test {
        ValueTest::Present => json!({}),
        ValueTest::Is(types) if types.meets(Types::BLANK) => return None,
        ValueTest::Is(types) => types_schema(*types),
        ValueTest::In(values) => {
            json!({ "enum": values.iter().filter_map(Literal::value).map(Value::from).collect::<Vec<_>>() })
        }
        ValueTest::Has(_) => return None,
    };
    for step in predicate.at.iter().rev() {
        schema = match step {
            Step::Key(key) => json!({ "type": "object", "properties": { key.as_ref(): schema }, "required": [key] }),
            Step::Every => json!({ "type": "array", "items": schema, "minItems": 1 }),
        };
    }
    Some(schema)
}

impl Cell {
    /// The constant of a cell that is one.
    pub(crate) fn constant(&self) -> Option<Json<'_>> {
        match self {
            Self::Is(literal) => literal.value(),
            Self::Any | Self::Some | Self::None => None,
        }
    }
}

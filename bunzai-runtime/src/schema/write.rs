//! What a fresh export of a format looks like.

use serde_json::{Map, Value, json};

use super::{any_of, domain_schema, text_schema};
use crate::engine::{Frame, OrderPlan, RowPlan, Slot, TiePlan, Way};
use crate::map::{Cell, Fill, Gone, Inner};
use crate::model::describe;

/// A place of a fresh value: what may stand there, and whether something always does.
struct Written {
    schema: Value,
    always: bool,
}

/// The schema of the value that a frame writes.
pub(super) fn frame_schema(frame: &Frame) -> Value {
    place_schema(frame, 0).map_or_else(|| json!({ "type": "object" }), |written| written.schema)
}

/// What is written at a place; nothing for one that a fresh value does not have.
fn place_schema(frame: &Frame, at: usize) -> Option<Written> {
    let place = &frame.places[at];
    let row = place.row.and_then(|row| row_schema(frame, &frame.rows[row]));
    let order = frame.rows.iter().find_map(|row| Some((row, row.order().filter(|order| order.place == at)?)));
    if let Some((rows, order)) = order {
        let ids = json!({ "type": "array", "items": item_schema(rows, order) });
        let schema = in_text(&order.slot, ids);
        // Without rows there is nothing to order, but what fills the slot may stand there.
        let always = is_always_said(rows) || row.as_ref().is_some_and(|row| row.always);
        let schema = any_of([schema].into_iter().chain(row.map(|row| row.schema)).collect());
        return Some(Written { schema, always });
    }
    let joined = joined(frame, at);
    match (row, joined) {
        (None, None) => {}
        (Some(row), None) => return Some(row),
        (row, Some(joined)) => {
            let always = row.as_ref().is_some_and(|row| row.always) && joined.always;
            let schemas = row.map(|row| row.schema).into_iter().chain([joined.schema]).collect();
            return Some(Written { schema: any_of(schemas), always });
        }
    }
    if frame.picks.iter().any(|pick| pick.wire() == Some(at)) {
        return Some(Written { schema: json!({ "type": "string" }), always: false });
    }
    if let Some(child) = place.picked {
        return picked_schema(frame, child);
    }
    if place.row.is_some() || (place.children.is_empty() && !place.rest && at != 0) {
        return None;
    }
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (key, child) in place.children.iter() {
        let Some(written) = place_schema(frame, child) else { continue };
        properties.insert(key.into(), written.schema);
        if written.always {
            required.push(key);
        }
    }
    let always = !required.is_empty() || at == 0;
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    if let Some(object) = schema.as_object_mut().filter(|_| !place.rest) {
        object.insert("additionalProperties".into(), false.into());
    }
    Some(Written { schema, always })
}

/// What is written for a row into the list that keeps the order.
fn item_schema(rows: &RowPlan, order: &OrderPlan) -> Value {
    let (Some(by), Way::Rows(rows)) = (&order.by, &rows.way) else { return json!({ "type": "string" }) };
    let frames = rows.of_items();
    let mut items: Vec<Value> = frames.into_iter().map(frame_schema).collect();
    if items.is_empty() {
        items.push(json!({ "type": "object", "properties": {}, "required": [] }));
    }
    for item in &mut items {
        item["properties"][by.as_ref()] = json!({ "type": "string" });
        if let Some(required) = item["required"].as_array_mut() {
            required.insert(0, by.as_ref().into());
        }
    }
    any_of(items)
}

/// What is written where one row of an object or list is picked.
fn picked_schema(frame: &Frame, child: usize) -> Option<Written> {
    let Written { mut schema, always } = place_schema(frame, child)?;
    let by = frame.places[child].pick.and_then(|pick| frame.picks[pick].by.as_ref());
    let Some(by) = by else {
        let rows = json!({ "type": "object", "additionalProperties": schema });
        return Some(Written { schema: rows, always });
    };
    if let Some(properties) = schema.pointer_mut("/properties").and_then(Value::as_object_mut) {
        properties.insert(by.to_string(), json!({ "type": ["string", "number", "boolean"] }));
    }
    Some(Written { schema: json!({ "type": "array", "items": schema }), always })
}

/// A value in the form that a fresh slot has.
fn in_text(slot: &Slot, schema: Value) -> Value {
    text_schema(slot.first_text(), schema)
}

/// What joins write at a place.
fn joined(frame: &Frame, at: usize) -> Option<Written> {
    let mut values = Vec::new();
    let mut always = true;
    for join in &frame.joins {
        for column in (0..join.slots.len()).filter(|column| join.slots[*column] == at) {
            let TiePlan::Table(table) = &join.tie else { return Some(Written { schema: json!({}), always: false }) };
            for row in table.rows.iter().chain(table.write.iter()) {
                match row.wire.get(column) {
                    Some(Cell::Is(literal)) => values.extend(literal.value().map(Value::from)),
                    Some(Cell::None) => always = false,
                    Some(Cell::Any | Cell::Some | Cell::Has(_)) | None => {}
                }
            }
        }
    }
    (!values.is_empty()).then(|| Written { schema: json!({ "enum": values }), always })
}

/// What a row writes; nothing for one that writes nothing into a fresh value.
fn row_schema(frame: &Frame, row: &RowPlan) -> Option<Written> {
    let filled = filled(row);
    let said = match &row.way {
        Way::Sealed | Way::File | Way::Index => None,
        Way::Value if row.numbered => Some(json!({ "type": "integer" })),
        Way::Value | Way::Word(_) | Way::Gather => Some(domain_schema(row.slot.writes())),
        Way::Items | Way::Flags(_) => Some(json!({ "type": "array", "items": domain_schema(row.slot.writes()) })),
        Way::Map(frame) => Some(frame_schema(frame)),
        Way::Rows(rows) => {
            let item = any_of(rows.writers().into_iter().map(frame_schema).collect());
            Some(match rows.keyed {
                None => json!({ "type": "array", "items": item }),
                Some(_) => json!({ "type": "object", "additionalProperties": item }),
            })
        }
    };
    let always = filled.as_ref().is_some_and(|(_, always)| *always) || is_always_said(row);
    // A lean value leaves out what it would read as anyway.
    let may_be_left_out = row.row.or.is_some() && (row.row.lean || frame.lean.is_some());
    let always = always && !may_be_left_out;
    let said = said.map(|said| in_text(&row.slot, said));
    let mut forms: Vec<Value> = said.into_iter().chain(filled.map(|(schema, _)| schema)).collect();
    if forms.is_empty() {
        return None;
    }
    let null = json!({ "type": "null" });
    if row.row.keep_null && !forms.contains(&null) {
        forms.push(null);
    }
    let mut schema = any_of(forms);
    describe(&mut schema, &row.row.about);
    let to: Vec<Value> = match &row.row.inner {
        Inner::Flags(flags) => flags.iter().map(|(_, path)| path.as_ref().into()).collect(),
        _ => row.row.to.iter().map(|path| path.as_ref().into()).collect(),
    };
    if let (Some(object), [first, ..]) = (schema.as_object_mut(), to.as_slice()) {
        object.insert("x-bunzai-to".into(), if to.len() == 1 { first.clone() } else { to.into() });
    }
    Some(Written { schema, always })
}

/// What a row writes where the model has nothing, and whether it always does then.
fn filled(row: &RowPlan) -> Option<(Value, bool)> {
    let constant = |value: Value| match value {
        Value::Null => json!({ "type": "null" }),
        value => json!({ "const": value }),
    };
    let blank = || constant(Value::from(row.slot.blank_in_text()));
    match (&row.row.fresh, row.row.gone) {
        (Some(Fill::Is(literal)), _) => literal.value().map(|value| (constant(value.into()), true)),
        (Some(Fill::Count { word, .. }), _) => {
            Some((json!({ "type": if word.is_empty() { "integer" } else { "string" } }), true))
        }
        // What these are made of may not be there.
        (Some(Fill::Wire { .. }), _) => Some((json!({}), false)),
        (Some(_), _) => Some((json!({ "type": "string" }), false)),
        (None, Gone::Null) => Some((constant(Value::Null), true)),
        (None, Gone::Blank) => Some((blank(), true)),
        (None, Gone::Remove | Gone::Keep) => row.row.need.then(|| (blank(), true)),
    }
}

/// Whether the model always has something for a row.
fn is_always_said(row: &RowPlan) -> bool {
    if row.numbered {
        return true;
    }
    let has_value = row.routes.first().is_some_and(|route| !route.whole.sparse);
    match &row.way {
        Way::Sealed | Way::File | Way::Index | Way::Map(_) => false,
        Way::Word(_) | Way::Flags(_) | Way::Gather => true,
        // A table may have no word for what the model holds.
        Way::Value | Way::Items | Way::Rows(_) => has_value && !row.row.omit_blank && !row.slot.may_be_unsayable(),
    }
}

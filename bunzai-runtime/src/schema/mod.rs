//! The JSON Schemas of a format: what its documents look like, and where each field goes.
mod gate;
mod read;
mod write;

use schemars::Schema;
use serde_json::{Value, json};

use self::gate::gate_schemas;
use crate::engine::Domain;
use crate::error::Result;
use crate::format::Declared;
use crate::map::Types;

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The read schema of a format: its gate, open objects, every spelling, null wherever nothing is
/// needed.
///
/// A document of the format imports without a type warning exactly when it validates.
pub(crate) fn read_schema(format: &Declared) -> Result<Schema> {
    let (map, frames) = (format.map(), &format.prepared()?.plan.carriers);
    let mut shapes: Vec<Value> = map
        .shapes
        .iter()
        .zip(frames)
        .enumerate()
        .map(|(n, (carrier, frame))| {
            let mut fields = read::place_schema(frame, 0, "");
            let mut gates = gate_schemas(carrier);
            // A document that passes several gates comes in the shape of the best.
            let rivals = map
                .shapes
                .iter()
                .enumerate()
                .filter(|(k, rival)| rival.score > carrier.score || (rival.score >= carrier.score && *k < n));
            gates.extend(rivals.map(|(_, rival)| json!({ "not": { "allOf": gate_schemas(rival) } })));
            match fields.as_object_mut() {
                Some(object) => drop(object.insert("allOf".into(), gates.into())),
                None => fields = json!({ "allOf": gates }),
            }
            fields
        })
        .collect();
    let whole = if shapes.len() == 1 { shapes.remove(0) } else { json!({ "anyOf": shapes }) };
    Ok(titled(format, whole))
}

/// The read schema of one shape of a format, for documents that pass its gate.
pub(crate) fn shape_schema(format: &Declared, carrier: usize) -> Result<Schema> {
    Ok(titled(format, read::place_schema(format.frame(carrier)?, 0, "")))
}

/// The write schema of a format: what a fresh export looks like.
pub(crate) fn write_schema(format: &Declared) -> Result<Schema> {
    Ok(titled(format, write::frame_schema(format.frame(0)?)))
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

/// The schema of some values.
fn domain_schema(domain: Domain) -> Value {
    let mut forms = Vec::new();
    if !domain.values.is_empty() {
        let words: Vec<Value> = domain.values.into_iter().map(Value::from).collect();
        forms.push(json!({ "enum": words }));
    }
    if domain.numbers_in_text {
        forms.push(json!({ "type": "string", "pattern": r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$" }));
    }
    if !domain.types.is_empty() && domain.filled {
        forms.push(json!({ "allOf": [types_schema(domain.types), { "not": any_of(gate::blanks()) }] }));
    } else if !domain.types.is_empty() {
        forms.push(types_schema(domain.types));
    }
    any_of(forms)
}

/// One of some schemas; of none nothing is said.
fn any_of(mut forms: Vec<Value>) -> Value {
    match forms.len() {
        0 => json!({}),
        1 => forms.remove(0),
        _ => json!({ "anyOf": forms }),
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

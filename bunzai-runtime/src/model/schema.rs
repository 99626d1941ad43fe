//! The JSON Schema of canonical types, made from their shapes.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{FieldShape, Kind, Shape, Type};

/// The schema of a canonical type; the structs in it become definitions of the generator.
pub fn schema_of(ty: Type, generator: &mut SchemaGenerator) -> Schema {
    let schema = match ty {
        // The type itself is what is asked for, not a reference to it.
        Type::Node(shape) => node(shape, generator),
        ty => of_type(ty, generator),
    };
    schema.try_into().unwrap_or_default()
}

/// The schema of the native files of a kind.
pub fn kind_schema(kind: &Kind) -> Schema {
    let mut generator = SchemaGenerator::default();
    let body = of_type(Type::Node(kind.shape), &mut generator);
    let mut profile = node(kind.shape, &mut generator);
    if let Some(profile) = profile.as_object_mut() {
        // A profile has some keys of the body.
        profile.remove("required");
        profile.insert("description".into(), "What differs for one application: keys of the body it replaces.".into());
    }
    let text = json!({ "type": "string" });
    let definitions = Value::Object(generator.take_definitions(true).into_iter().collect());
    json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Bunzai {}", kind.name),
        "description": kind.shape.doc,
        "type": "object",
        "properties": {
            "schemaVersion": { "const": "1", "description": "The version of the model." },
            "kind": { "const": kind.name },
            "id": { "type": "string", "minLength": 1, "description": "The slug of the name." },
            "body": body,
            "profiles": {
                "type": "object",
                "description": "What differs for single applications, by format id.",
                "additionalProperties": profile,
            },
            "original": {
                "type": "object",
                "description": "The documents that were imported, by format id.",
                "additionalProperties": {
                    "type": "object",
                    "properties": {
                        "raw": { "description": "The document, byte for byte." },
                        "unmapped": { "type": "object", "description": "Facts about the file that are not in it." },
                        "sourceMedia": {
                            "type": "object",
                            "properties": { "b64": text, "mime": text },
                            "required": ["b64", "mime"],
                            "additionalProperties": false,
                        },
                    },
                    "required": ["raw"],
                    "additionalProperties": false,
                },
            },
            "notes": {
                "type": "array",
                "description": "Remarks of the people who edit the piece.",
                "items": {
                    "type": "object",
                    "properties": { "id": text, "text": text, "at": text, "by": text },
                    "required": ["id", "text", "at"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["schemaVersion", "kind", "id", "body"],
        "additionalProperties": false,
        "$defs": definitions,
    })
}

/// The schema of a type, with structs as references.
pub(crate) fn of_type(ty: Type, generator: &mut SchemaGenerator) -> Value {
    match ty {
        Type::Text([]) => json!({ "type": "string" }),
        Type::Text(known) => json!({ "type": "string", "examples": known }),
        Type::Words(words) => json!({ "enum": words }),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Number => json!({ "type": "number" }),
        Type::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Type::Any => json!({}),
        Type::List(item) => json!({ "type": "array", "items": of_type(*item, generator) }),
        Type::Dict(Type::Any) => json!({ "type": "object" }),
        Type::Dict(item) => json!({ "type": "object", "additionalProperties": of_type(*item, generator) }),
        Type::Union(types) => {
            let any: Vec<Value> = types.iter().map(|ty| of_type(*ty, generator)).collect();
            json!({ "anyOf": any })
        }
        Type::Node(shape) => {
            if !generator.definitions().contains_key(shape.name) {
                // Set before the fields are looked at, so that a struct may hold itself.
                generator.definitions_mut().insert(shape.name.into(), true.into());
                let schema = node(shape, generator);
                generator.definitions_mut().insert(shape.name.into(), schema);
            }
            json!({ "$ref": format!("#/$defs/{}", shape.name) })
        }
    }
}

fn node(shape: &Shape, generator: &mut SchemaGenerator) -> Value {
    let mut properties = Map::new();
    for field in shape.fields {
        let mut schema = of_type(field.ty, generator);
        if field.nullable && field.ty != Type::Any {
            schema = or_null(schema);
        }
        describe(&mut schema, &description(field));
        properties.insert(field.name.into(), schema);
    }
    let required: Vec<&str> = shape.fields.iter().filter(|field| !field.optional).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    describe(&mut schema, shape.doc);
    if let Some(object) = schema.as_object_mut() {
        if !required.is_empty() {
            object.insert("required".into(), required.into());
        }
        object.insert("additionalProperties".into(), false.into());
    }
    schema
}

fn description(field: &FieldShape) -> String {
    match field.producers {
        "" => field.doc.to_owned(),
        producers => format!("{} Producers: {producers}.", field.doc).trim().to_owned(),
    }
}

/// Adds a description, if there is one.
pub(crate) fn describe(schema: &mut Value, text: &str) {
    if let (Some(object), false) = (schema.as_object_mut(), text.is_empty()) {
        object.insert("description".into(), text.into());
    }
}

/// The schema that null fits as well.
pub(crate) fn or_null(mut schema: Value) -> Value {
    if let Some(ty) = schema.get_mut("type") {
        match ty {
            Value::Array(types) if types.contains(&"null".into()) => {}
            Value::Array(types) => types.push("null".into()),
            ty => *ty = json!([ty, "null"]),
        }
        return schema;
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
        return schema;
    }
    if schema == json!({}) { schema } else { json!({ "anyOf": [schema, { "type": "null" }] }) }
}

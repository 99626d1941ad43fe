//! The JSON Schema of mapping files, for the completion of editors.

use bunzai_mapping::words::{Context, FILE, PART, Takes, Word};
use serde_json::{Map, Value, json};

use crate::schemars::Schema;

/// The schema of mapping files, made of the words of the language.
pub fn mapping_schema() -> Schema {
    let mut definitions = Map::new();
    let (file, part) = (context(&FILE, &mut definitions), context(&PART, &mut definitions));
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Bunzai mapping",
        "description": "The declaration of a format: a field map between an application's files and the shared model.",
        "if": { "type": "object", "required": ["part"] },
        "then": { "$ref": part },
        "else": { "$ref": file },
        "$defs": definitions,
    });
    for (context, needed) in [(&FILE, json!(["format", "kind", "label", "fields"])), (&PART, json!(["part"]))] {
        if let Some(definition) = schema.pointer_mut(&format!("/$defs/{}/required", name_of(context))) {
            *definition = needed;
        }
    }
    schema.try_into().unwrap_or_default()
}

/// The name of a place in the definitions: `a sealed slot` is `sealed-slot`.
fn name_of(context: &Context) -> String {
    let name = context.name;
    ["a ", "an "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name).replace(' ', "-")
}

/// A reference to the schema of a place, which is made if it is new.
fn context(context: &Context, definitions: &mut Map<String, Value>) -> String {
    let name = name_of(context);
    if !definitions.contains_key(&name) {
        definitions.insert(name.clone(), Value::Bool(true));
        let words = context.words.iter();
        let properties: Map<String, Value> =
            words.map(|word| (word.name.to_owned(), takes(word, definitions))).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": [],
            "additionalProperties": false,
        });
        definitions.insert(name.clone(), schema);
    }
    format!("#/$defs/{name}")
}

fn takes(word: &Word, definitions: &mut Map<String, Value>) -> Value {
    let mut of = |inner: &'static Context| json!({ "$ref": context(inner, definitions) });
    let mut schema = match word.takes {
        Takes::Text => json!({ "type": "string" }),
        Takes::Texts => json!({ "type": ["string", "array"], "items": { "type": "string" } }),
        Takes::Listed => json!({ "type": "array", "items": { "type": "string" } }),
        Takes::Flag => json!({ "type": "boolean" }),
        Takes::Number => json!({ "type": "number" }),
        Takes::Choice(words) => json!({ "enum": words }),
        Takes::Choices(words) => some_of(words),
        Takes::ChoicesOr(words, inner) => json!({ "anyOf": [some_of(words), of(inner)] }),
        Takes::Chain(words) => json!({ "anyOf": chain(words) }),
        Takes::ChainOr(words, start) => {
            let begins = json!({ "type": "string", "pattern": format!("^{start}.") });
            json!({ "anyOf": chain(words).into_iter().chain([begins]).collect::<Vec<_>>() })
        }
        Takes::Value => json!({}),
        Takes::List => json!({ "type": "array" }),
        Takes::Constants => json!({ "type": "object" }),
        Takes::One(inner) => of(inner),
        Takes::Many(inner) => json!({ "type": "array", "items": of(inner) }),
        Takes::Named(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
    };
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("description".into(), word.about.into());
    }
    schema
}

/// Some of these words, or a list of such.
fn chain(words: &[&str]) -> [Value; 2] {
    [some_of(words), json!({ "type": "array", "items": some_of(words) })]
}

/// Some of these words, with `|` between.
fn some_of(words: &[&str]) -> Value {
    let one = format!("({})", words.join("|"));
    json!({ "type": "string", "pattern": format!(r"^ *{one} *(\| *{one} *)*$") })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bunzai_mapping::words::CONTEXTS;

    use super::{mapping_schema, name_of};

    #[test]
    fn each_place_has_a_definition_of_its_own() {
        let names: BTreeSet<String> = CONTEXTS.iter().map(|context| name_of(context)).collect();
        assert_eq!(names.len(), CONTEXTS.len(), "{names:?}");
    }

    #[test]
    fn every_definition_that_is_referred_to_is_there() {
        let text = serde_json::to_string(&mapping_schema()).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
        for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(schema.pointer(reference).is_some_and(serde_json::Value::is_object), "{reference}");
        }
    }
}

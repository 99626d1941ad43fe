//! What the gate of a shape demands, as a schema.

use serde_json::{Value, json};

use super::{any_of, types_schema};
use crate::detect::Detector;
use crate::map::{Carrier, Literal, Predicate, Step, Test, Types, ValueTest};

/// The conditions of a gate, one by one.
pub(super) fn gate_schemas(carrier: &Carrier) -> Vec<Value> {
    carrier.gate.iter().map(|test| test_schema(test, true)).collect()
}

impl Detector {
    /// The conditions of all gates, one by one.
    pub(super) fn schemas(&self) -> Vec<Value> {
        self.tests().map(|test| test_schema(test, true)).collect()
    }
}

fn test_schema(test: &Test, every: bool) -> Value {
    let some = |tests: &[Test]| -> Vec<Value> { tests.iter().map(|test| test_schema(test, false)).collect() };
    match test {
        Test::At(predicate) => predicate_schema(predicate, every),
        Test::All(tests) => json!({ "allOf": tests.iter().map(|test| test_schema(test, true)).collect::<Vec<_>>() }),
        Test::Any(tests) => json!({ "anyOf": some(tests) }),
        Test::None(tests) => json!({ "not": { "anyOf": some(tests) } }),
    }
}

/// A condition; `every` is what a step over the items of a list means.
fn predicate_schema(predicate: &Predicate, every: bool) -> Value {
    let mut schema = match &predicate.test {
        ValueTest::Present => json!({}),
        ValueTest::Is(types) if types.meets(Types::BLANK) => {
            let mut forms = blanks();
            let others = types.without(Types::BLANK);
            if !others.is_empty() {
                forms.push(types_schema(others));
            }
            any_of(forms)
        }
        ValueTest::Is(types) => types_schema(*types),
        ValueTest::In(values) => json!({ "enum": constants(values) }),
        ValueTest::Has(values) => json!({ "type": "array", "contains": { "enum": constants(values) } }),
        ValueTest::Only(keys) => json!({ "type": "object", "propertyNames": { "enum": keys } }),
    };
    for step in predicate.at.iter().rev() {
        schema = match step {
            Step::Key(key) => json!({ "type": "object", "properties": { key.as_ref(): schema }, "required": [key] }),
            Step::Every | Step::Pick(_) if every => json!({ "anyOf": [
                { "type": "array", "items": schema, "minItems": 1 },
                { "type": "object", "additionalProperties": schema, "minProperties": 1 },
            ] }),
            Step::Every | Step::Pick(_) => json!({ "anyOf": [
                { "type": "array", "contains": schema },
                { "type": "object", "not": { "additionalProperties": { "not": schema } } },
            ] }),
        };
    }
    schema
}

/// White space, an empty list or object, null.
pub(super) fn blanks() -> Vec<Value> {
    vec![
        json!({ "type": "string", "pattern": r"^\s*$" }),
        json!({ "type": "array", "maxItems": 0 }),
        json!({ "type": "object", "maxProperties": 0 }),
        json!({ "type": "null" }),
    ]
}

fn constants(values: &[Literal]) -> Vec<Value> {
    values.iter().filter_map(Literal::value).map(Value::from).collect()
}

//! Gates, asked apart from the engine.

use bunzai_runtime::map::{Literal, Map, Predicate, Step, Test, Types, ValueTest};
use serde_json::Value;

/// The shape that a document comes in: the best score, then the first.
pub(crate) fn shape(map: &Map, document: &Value) -> Option<usize> {
    let passing =
        map.shapes.iter().enumerate().filter(|(_, shape)| shape.gate.iter().all(|test| holds(test, document)));
    passing.rev().max_by(|(_, a), (_, b)| a.score.total_cmp(&b.score)).map(|(n, _)| n)
}

pub(crate) fn holds(test: &Test, document: &Value) -> bool {
    match test {
        Test::At(predicate) => met(predicate, document, true),
        Test::All(tests) => tests.iter().all(|test| holds(test, document)),
        Test::Any(tests) => tests.iter().any(|test| holds_somewhere(test, document)),
        Test::None(tests) => !tests.iter().any(|test| holds_somewhere(test, document)),
    }
}

/// The same where one row of a list is enough.
fn holds_somewhere(test: &Test, document: &Value) -> bool {
    match test {
        Test::At(predicate) => met(predicate, document, false),
        test => holds(test, document),
    }
}

fn met(predicate: &Predicate, document: &Value, every: bool) -> bool {
    at(&predicate.at, document, every, &|value| match &predicate.test {
        ValueTest::Present => true,
        ValueTest::Is(types) => is(value, *types),
        ValueTest::In(known) => known.iter().any(|known| is_constant(value, known)),
        ValueTest::Has(known) => {
            let holds = |item: &Value| known.iter().any(|known| is_constant(item, known));
            value.as_array().is_some_and(|items| items.iter().any(holds))
        }
        ValueTest::Only(keys) => {
            value.as_object().is_some_and(|members| members.keys().all(|key| keys.iter().any(|known| known == key)))
        }
    })
}

fn at(steps: &[Step], value: &Value, every: bool, test: &dyn Fn(&Value) -> bool) -> bool {
    match steps.split_first() {
        None => test(value),
        Some((Step::Key(key), rest)) => value.get(key.as_ref()).is_some_and(|value| at(rest, value, every, test)),
        Some((Step::Every, rest)) => {
            let items: Vec<&Value> = match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(members) => members.values().collect(),
                _ => Vec::new(),
            };
            if every {
                !items.is_empty() && items.iter().all(|item| at(rest, item, every, test))
            } else {
                items.iter().any(|item| at(rest, item, every, test))
            }
        }
        Some((Step::Pick(_), _)) => false,
    }
}

fn is_constant(value: &Value, known: &Literal) -> bool {
    known.value().is_some_and(|known| crate::paths::equal(value, &known.into()))
}

pub(crate) fn is(value: &Value, types: Types) -> bool {
    let whole = |value: &Value| {
        value.as_i64().is_some() || value.as_u64().is_some() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
    };
    types.meets(match value {
        Value::Null => Types::NULL.or(Types::BLANK),
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(_) if whole(value) => Types::NUMBER.or(Types::INTEGER),
        Value::Number(_) => Types::NUMBER,
        Value::String(text) if text.trim().is_empty() => Types::STRING.or(Types::BLANK),
        Value::String(_) => Types::STRING,
        Value::Array(items) if items.is_empty() => Types::LIST.or(Types::BLANK),
        Value::Array(_) => Types::LIST,
        Value::Object(members) if members.is_empty() => Types::OBJECT.or(Types::BLANK),
        Value::Object(_) => Types::OBJECT,
    })
}

//! Conditions on the model: which form a new file, row or shape has.

use crate::blank::value_is_nothing;
use crate::json::Number;
use crate::map::{Literal, Predicate, Step, Test, Types, ValueTest};
use crate::model::{Field, Node, View};

/// Whether the model passes every test. Paths start at the struct; `[*]` is every row in a
/// condition that must be met, and some row elsewhere.
pub(super) fn passes(tests: &[Test], scope: &dyn Node) -> bool {
    tests.iter().all(|test| holds(test, scope, true))
}

fn holds(test: &Test, scope: &dyn Node, every: bool) -> bool {
    match test {
        Test::At(Predicate { at, test }) => met(at, View::Node(scope), every, test),
        Test::All(tests) => tests.iter().all(|test| holds(test, scope, true)),
        Test::Any(tests) => tests.iter().any(|test| holds(test, scope, false)),
        Test::None(tests) => !tests.iter().any(|test| holds(test, scope, false)),
    }
}

fn met(steps: &[Step], view: View<'_>, every: bool, test: &ValueTest) -> bool {
    match (steps.split_first(), view) {
        (None, View::Absent) => false,
        (None, view) => is(view, test),
        (Some((Step::Key(key), rest)), View::Node(node)) => {
            let field = node.shape().find(key.as_bytes()).and_then(|n| node.field(n));
            met(rest, field.map_or(View::Absent, Field::view), every, test)
        }
        (Some((Step::Key(key), rest)), View::Dict(dict)) => {
            met(rest, dict.get(key).map_or(View::Absent, Field::view), every, test)
        }
        (Some((Step::Every, rest)), View::List(list)) => {
            let item = |n: usize| met(rest, list.item(n).map_or(View::Absent, Field::view), every, test);
            if every { !list.is_empty() && (0..list.len()).all(item) } else { (0..list.len()).any(item) }
        }
        _ => false,
    }
}

fn is(view: View<'_>, test: &ValueTest) -> bool {
    match test {
        ValueTest::Present => true,
        ValueTest::Is(types) => {
            types.meets(type_of(view)) || types.meets(Types::BLANK) && value_is_nothing(view.value().as_ref())
        }
        ValueTest::In(values) => values.iter().filter_map(Literal::value).any(|value| view.is(&value)),
        ValueTest::Has(values) => match view {
            View::List(list) => (0..list.len())
                .any(|n| list.item(n).is_some_and(|item| is(item.view(), &ValueTest::In(values.clone())))),
            _ => false,
        },
        ValueTest::Only(keys) => match view {
            View::Dict(dict) => {
                let mut only = true;
                dict.each(&mut |key, _| only &= keys.iter().any(|known| known == key));
                only
            }
            View::Node(node) => node.shape().fields.iter().enumerate().all(|(n, field)| {
                keys.iter().any(|key| key == field.name) || node.field(n).is_none_or(|field| field.view().is_absent())
            }),
            _ => false,
        },
    }
}

fn type_of(view: View<'_>) -> Types {
    match view {
        View::Absent => Types::NONE,
        View::Null => Types::NULL,
        View::Bool(_) => Types::BOOLEAN,
        View::Number(n) if Number::is_integer(n) => Types::NUMBER.or(Types::INTEGER),
        View::Number(_) => Types::NUMBER,
        View::Text(_) => Types::STRING,
        View::List(_) => Types::LIST,
        View::Node(_) | View::Dict(_) => Types::OBJECT,
    }
}

//! Comparing what is with what is expected.

use serde_json::{Map, Number, Value};

use crate::patch::get;
use crate::run::Failure;

/// What may differ.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// Objects have at least the keys listed; lists still have the same length.
    pub(crate) subset: bool,
    /// In an entity an empty object is an absent one, and an id written `rowN` stands for any id.
    pub(crate) entity: bool,
}

/// Where and how two values differ; nothing when they say the same.
pub(crate) fn differs(want: &Value, have: &Value, rules: Rules) -> Option<String> {
    differs_at("", want, have, rules)
}

fn differs_at(at: &str, want: &Value, have: &Value, rules: Rules) -> Option<String> {
    let told = |want: &str, have: &str| Some(format!("{at}: want {want}, have {have}"));
    match (want, have) {
        (Value::Object(want), Value::Object(have)) => members_differ(at, want, have, rules),
        (Value::Array(want), Value::Array(have)) => {
            let items = want.iter().zip(have).enumerate();
            items.map(|(n, (want, have))| differs_at(&format!("{at}/{n}"), want, have, rules)).find_map(|d| d).or_else(
                || {
                    let count = |list: &[Value]| format!("{} items", list.len());
                    if want.len() == have.len() { None } else { told(&count(want), &count(have)) }
                },
            )
        }
        (Value::Number(a), Value::Number(b)) if equal(a, b) => None,
        (want, have) if want == have => None,
        (want, have) => told(&shown(want), &shown(have)),
    }
}

fn members_differ(at: &str, want: &Map<String, Value>, have: &Map<String, Value>, rules: Rules) -> Option<String> {
    let below = |key: &str| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
    let nothing = |value: &Value| rules.entity && is_empty_object(value);
    for (key, want) in want {
        match have.get(key) {
            Some(have) if rules.entity && key == "id" && any_id(want, have) => {}
            Some(have) => {
                if let Some(difference) = differs_at(&below(key), want, have, rules) {
                    return Some(difference);
                }
            }
            None if nothing(want) => {}
            None => return Some(format!("{}: want {}, have nothing", below(key), shown(want))),
        }
    }
    let more = have.iter().find(|(key, have)| !rules.subset && !want.contains_key(*key) && !nothing(have));
    more.map(|(key, have)| format!("{}: want nothing, have {}", below(key), shown(have)))
}

fn is_empty_object(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

/// Whether `row4` and such is wanted, which stands for any id the engine makes.
fn any_id(want: &Value, have: &Value) -> bool {
    let digits = want.as_str().and_then(|id| id.strip_prefix("row"));
    have.is_string() && digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

/// Numbers are equal by value: `2.0` is 2.
fn equal(a: &Number, b: &Number) -> bool {
    let whole = |n: &Number| n.as_i128();
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        (Some(whole), None) | (None, Some(whole)) => {
            let double = if a.is_f64() { a.as_f64() } else { b.as_f64() };
            // A double that is no whole number becomes another one on the way.
            double.is_some_and(|d| d as i128 == whole && d.fract() == 0.0)
        }
        (None, None) => a.as_f64() == b.as_f64(),
    }
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

/// Asks a document everything that is expected of it under a word: `canonical` or `wire`.
pub(crate) fn check(what: &'static str, expect: &Map<String, Value>, value: &Value, failures: &mut Vec<Failure>) {
    let exact = Rules { subset: false, entity: what == "canonical" };
    let asked = |suffix: &str| expect.get(&format!("{what}{suffix}"));
    let mut fail = |suffix: &str, text: String| failures.push(Failure::new(format!("{what}{suffix}"), text));
    if let Some(difference) = asked("").and_then(|want| differs(want, value, exact)) {
        fail("", difference);
    }
    if let Some(Value::Array(any)) = asked("_any") {
        let told: Vec<String> = any.iter().filter_map(|want| differs(want, value, exact)).collect();
        if told.len() == any.len() {
            fail("_any", format!("none of {} fits: {}", told.len(), told.join("; ")));
        }
    }
    let subset = Rules { subset: true, ..exact };
    if let Some(difference) = asked("_subset").and_then(|want| differs(want, value, subset)) {
        fail("_subset", difference);
    }
    for (pointer, want) in asked("_at").and_then(Value::as_object).into_iter().flatten() {
        match get(value, pointer) {
            Some(have) if exact.entity && pointer.ends_with("/id") && any_id(want, have) => {}
            Some(have) => differs_at(pointer, want, have, exact).into_iter().for_each(|d| fail("_at", d)),
            None => fail("_at", format!("{pointer}: want {}, have nothing", shown(want))),
        }
    }
    for pointer in asked("_absent").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        match get(value, pointer) {
            Some(have) if !(exact.entity && is_empty_object(have)) => {
                fail("_absent", format!("{pointer}: want nothing, have {}", shown(have)));
            }
            _ => {}
        }
    }
}

#[test]
fn values_are_compared_by_what_they_say() {
    use serde_json::json;
    let entity = Rules { entity: true, ..Rules::default() };
    let subset = Rules { subset: true, ..Rules::default() };
    let same = [
        (json!(2.0), json!(2), Rules::default()),
        (json!(-0.0), json!(0), Rules::default()),
        (json!(18_446_744_073_709_551_615_u64), json!(18_446_744_073_709_551_615_u64), Rules::default()),
        (json!({ "a": 1, "b": 2 }), json!({ "b": 2, "a": 1 }), Rules::default()),
        (json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), subset),
        (json!({ "a": {} }), json!({}), entity),
        (json!({}), json!({ "a": {} }), entity),
        (json!([{ "id": "row0" }]), json!([{ "id": "row-0-2" }]), entity),
    ];
    for (want, have, rules) in same {
        assert_eq!(differs(&want, &have, rules), None, "{want} {have}");
    }
    let different = [
        (json!(2.5), json!(2), Rules::default()),
        (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), Rules::default()),
        (json!(1), json!(true), Rules::default()),
        (json!("1"), json!(1), Rules::default()),
        (json!([1]), json!([1, 2]), subset),
        (json!({ "a": null }), json!({}), entity),
        (json!({ "a": {} }), json!({}), Rules::default()),
        (json!([{ "id": "row0" }]), json!([{ "id": 0 }]), entity),
        (json!([{ "id": "row0" }]), json!([{ "id": "x" }]), Rules::default()),
    ];
    for (want, have, rules) in different {
        assert!(differs(&want, &have, rules).is_some(), "{want} {have}");
    }
}

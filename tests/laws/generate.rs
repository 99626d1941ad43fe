//! Documents of a format, made at random from its schema; its gate is satisfied by force.

use bunzai::Declared;
use bunzai_runtime::map::{Literal, Map, Predicate, Test, Types, ValueTest};
use fastrand::Rng;
use serde_json::Value;

use crate::doc::{Doc, Style, number, text};

/// What makes documents of one format.
pub(crate) struct Generator<'m> {
    pub(crate) map: &'m Map,
    /// The schemas of the shapes.
    shapes: Vec<Value>,
}

impl<'m> Generator<'m> {
    pub(crate) fn new(format: &'m Declared) -> Self {
        let map = format.map();
        let schema = format.read_schema().expect("a format has a schema").to_value();
        let shapes = match schema.get("anyOf").and_then(Value::as_array) {
            Some(shapes) if map.shapes.len() > 1 => shapes.clone(),
            _ => vec![schema],
        };
        Self { map, shapes }
    }

    /// A document that the format claims; of a hundred values so many are spoilt.
    pub(crate) fn document(&self, rng: &mut Rng, hostility: u8) -> Doc {
        let n = rng.usize(..self.shapes.len());
        let mut doc = from_schema(&self.shapes[n], rng, hostility, 0);
        crate::picks::name_rows(self.map, &mut doc, rng);
        crate::hostile::cells(self.map, &mut doc, rng);
        crate::hostile::identities(self.map, &mut doc, rng, hostility);
        if hostility > 0 {
            crate::hostile::spoil(self.map, &mut doc, rng, hostility);
        }
        self.claim(n, &mut doc, rng);
        doc
    }

    /// Makes a document pass the gate of a shape; everything else stays random. Conditions can undo
    /// each other, so they are gone through until all hold.
    pub(crate) fn claim(&self, shape: usize, doc: &mut Doc, rng: &mut Rng) {
        for _ in 0..3 {
            self.map.shapes[shape].gate.iter().for_each(|test| satisfy(doc, test, true, rng));
        }
    }
}

/// `every` is whether a condition on rows is one on all of them.
pub(crate) fn satisfy(doc: &mut Doc, test: &Test, every: bool, rng: &mut Rng) {
    match test {
        Test::At(Predicate { at, test }) => {
            for place in doc.at(at, every) {
                match test {
                    ValueTest::Present => {}
                    ValueTest::Is(types) if place.is(*types) => {}
                    ValueTest::Is(types) if types.meets(Types::BLANK) && !types.meets(Types::STRING) => match place {
                        Doc::List(items) => items.clear(),
                        Doc::Object(members) => members.clear(),
                        place => *place = Doc::null(),
                    },
                    ValueTest::Is(types) => *place = of_types(*types, rng),
                    ValueTest::In(values) => {
                        let value = literal(&values[rng.usize(..values.len())]);
                        if !values.iter().any(|known| literal(known) == *place) {
                            *place = value;
                        }
                    }
                    ValueTest::Has(values) => {
                        let value = literal(&values[rng.usize(..values.len())]);
                        match place {
                            Doc::List(items) if items.contains(&value) => {}
                            Doc::List(items) => items.push(value),
                            place => *place = Doc::List(vec![value]),
                        }
                    }
                    ValueTest::Only(keys) => match place {
                        Doc::Object(members) => members.retain(|(key, _)| keys.iter().any(|known| known == key)),
                        place => *place = Doc::Object(Vec::new()),
                    },
                }
            }
        }
        Test::All(tests) => tests.iter().for_each(|test| satisfy(doc, test, true, rng)),
        Test::Any(tests) => {
            let n = rng.usize(..tests.len());
            if !crate::gate::holds(test, &crate::subject::value(&doc.compact())) {
                satisfy(doc, &tests[n], false, rng);
            }
        }
        Test::None(tests) => {
            for test in tests.iter() {
                deny(doc, test);
            }
        }
    }
}

fn deny(doc: &mut Doc, test: &Test) {
    match test {
        Test::At(predicate) => doc.remove(&predicate.at),
        Test::All(tests) => tests.iter().take(1).for_each(|test| deny(doc, test)),
        Test::Any(tests) => tests.iter().for_each(|test| deny(doc, test)),
        Test::None(_) => {}
    }
}

fn of_types(types: Types, rng: &mut Rng) -> Doc {
    if types.meets(Types::STRING) {
        Doc::Text(text(rng))
    } else if types.meets(Types::LIST) {
        Doc::List(Vec::new())
    } else if types.meets(Types::OBJECT) {
        Doc::Object(Vec::new())
    } else if types.meets(Types::BOOLEAN) {
        Doc::Raw("true".into())
    } else if types.meets(Types::NUMBER.or(Types::INTEGER)) {
        Doc::Raw("1".into())
    } else {
        Doc::null()
    }
}

pub(crate) fn literal(literal: &Literal) -> Doc {
    literal.value().map_or(Doc::null(), |value| from_value(&value.into()))
}

pub(crate) fn from_value(value: &Value) -> Doc {
    match value {
        Value::String(text) => Doc::Text(text.clone()),
        Value::Array(items) => Doc::List(items.iter().map(from_value).collect()),
        Value::Object(members) => Doc::Object(members.iter().map(|(k, v)| (k.clone(), from_value(v))).collect()),
        other => Doc::Raw(other.to_string()),
    }
}

fn from_schema(schema: &Value, rng: &mut Rng, hostility: u8, level: usize) -> Doc {
    if level > 0 && rng.u8(..100) < hostility {
        return junk(rng, 0);
    }
    if let Some([first, ..]) = schema.get("allOf").and_then(Value::as_array).map(Vec::as_slice)
        && schema.get("type").is_none()
    {
        return from_schema(first, rng, hostility, level);
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        let is_null = |schema: &&Value| schema["type"] == "null";
        return from_schema(seldom(any.iter().collect(), &is_null, rng), rng, hostility, level);
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return from_value(&words[rng.usize(..words.len())]);
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(ty)) => vec![ty],
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        _ => return junk(rng, 1),
    };
    match seldom(types, &|ty| *ty == "null", rng) {
        "string" => match schema.get("contentSchema") {
            Some(inner) => {
                let inner = from_schema(inner, rng, hostility, level + 1);
                Doc::Json(Box::new(inner), Style::random_inside(rng))
            }
            None if schema.get("pattern").is_some() => Doc::Text(number(rng)),
            None => Doc::Text(text(rng)),
        },
        "number" => Doc::Raw(number(rng)),
        "integer" => Doc::Raw(rng.i32(-3..120).to_string()),
        "boolean" => Doc::Raw(rng.bool().to_string()),
        "array" => {
            let item = schema.get("items").cloned().unwrap_or(Value::Bool(true));
            let most = if level == 0 { 6 } else { 5 };
            Doc::List((0..rng.usize(..most)).map(|_| from_schema(&item, rng, hostility, level + 1)).collect())
        }
        "object" => object(schema, rng, hostility, level),
        _ => Doc::null(),
    }
}

/// One of some, of which those that say nothing come seldom.
fn seldom<T: Copy>(mut some: Vec<T>, is_nothing: &dyn Fn(&T) -> bool, rng: &mut Rng) -> T {
    if rng.u8(..8) > 0 && !some.iter().all(is_nothing) {
        some.retain(|one| !is_nothing(one));
    }
    some[rng.usize(..some.len())]
}

fn object(schema: &Value, rng: &mut Rng, hostility: u8, level: usize) -> Doc {
    let mut members = Vec::new();
    let needed = |key: &String| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|k| *k == **key));
    for (key, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if rng.u8(..100) < 75 || (needed(key) && rng.u8(..100) >= hostility) {
            members.push((key.clone(), from_schema(schema, rng, hostility, level + 1)));
        }
    }
    if let Some(row) = schema.get("x-bunzai-row") {
        for _ in 0..rng.usize(1..4) {
            let key = crate::picks::key(rng);
            if !members.iter().any(|(known, _)| *known == key) {
                members.push((key, from_schema(row, rng, hostility, level + 1)));
            }
        }
    }
    if let Some(item) = schema.get("additionalProperties").filter(|item| item.is_object()) {
        for n in 0..rng.usize(..5) {
            let key = if rng.bool() { n.to_string() } else { format!("key {n}") };
            members.push((key, from_schema(item, rng, hostility, level + 1)));
        }
        return Doc::Object(members);
    }
    if rng.u8(..4) == 0 {
        rng.shuffle(&mut members);
    }
    if rng.bool() {
        let at = rng.usize(..=members.len());
        members.insert(at, (UNKNOWN[rng.usize(..UNKNOWN.len())].to_owned(), junk(rng, 2)));
    }
    if rng.u8(..100) < hostility / 4 && !members.is_empty() {
        // A key twice; the last one counts.
        let (key, _) = members[rng.usize(..members.len())].clone();
        members.push((key, junk(rng, 0)));
    }
    Doc::Object(members)
}

/// Keys that no map knows, in several cases.
const UNKNOWN: [&str; 7] = ["x-unknown", "unknown_key", "unknownKey", "UnknownKey", "UNKNOWN_KEY", "", "a/b~c.d"];

/// Any value at all.
pub(crate) fn junk(rng: &mut Rng, depth: usize) -> Doc {
    match rng.u8(..if depth > 0 { 8 } else { 6 }) {
        0 => Doc::null(),
        1 => Doc::Raw(rng.bool().to_string()),
        2 => Doc::Raw(number(rng)),
        3 => Doc::Text(text(rng)),
        4 => Doc::List(Vec::new()),
        5 => Doc::Object(Vec::new()),
        6 => Doc::List((0..rng.usize(..3)).map(|_| junk(rng, depth - 1)).collect()),
        _ => Doc::Object((0..rng.usize(..3)).map(|n| (format!("k{n}"), junk(rng, depth - 1))).collect()),
    }
}

//! Documents as text: a tree that keeps what JSON values lose (duplicate keys, spelling), printed
//! in many layouts, and made at random from the schema of a format.

use std::fmt::Write as _;

use bunzai::Declared;
use bunzai_runtime::map::{Literal, Predicate, Step, Test, Types, ValueTest};
use fastrand::Rng;
use serde_json::Value;

/// A JSON value as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Doc {
    /// Anything that is printed as it stands: numbers, literals.
    Raw(String),
    Text(String),
    List(Vec<Doc>),
    Object(Vec<(String, Doc)>),
}

/// How a document is printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    indent: Option<&'static str>,
    eol: &'static str,
    colon: &'static str,
    /// How many of a hundred characters are written as escapes that need not be.
    escapes: u8,
    tail: &'static str,
    bom: bool,
}

impl Style {
    pub(crate) fn random(rng: &mut Rng) -> Self {
        Self {
            indent: *rng.choice(&[None, Some("  "), Some("    "), Some("\t"), Some("")]).unwrap_or(&None),
            eol: if rng.u8(..4) == 0 { "\r\n" } else { "\n" },
            colon: [": ", ":", " : "][rng.usize(..3)],
            escapes: [0, 0, 10][rng.usize(..3)],
            tail: ["", "\n", "\r\n", " \t\n"][rng.usize(..4)],
            bom: rng.u8(..8) == 0,
        }
    }
}

impl Doc {
    pub(crate) fn print(&self, style: Style, rng: &mut Rng) -> String {
        let mut out = String::new();
        if style.bom {
            out.push('\u{feff}');
        }
        self.write(style, 0, rng, &mut out);
        out.push_str(style.tail);
        out
    }

    fn write(&self, style: Style, level: usize, rng: &mut Rng, out: &mut String) {
        let line = |level: usize, out: &mut String| {
            if let Some(indent) = style.indent {
                out.push_str(style.eol);
                (0..level).for_each(|_| out.push_str(indent));
            }
        };
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Text(text) => quote(text, style.escapes, rng, out),
            Self::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(level + 1, out);
                    item.write(style, level + 1, rng, out);
                }
                if !items.is_empty() {
                    line(level, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (n, (key, value)) in members.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(level + 1, out);
                    quote(key, style.escapes, rng, out);
                    out.push_str(style.colon);
                    value.write(style, level + 1, rng, out);
                }
                if !members.is_empty() {
                    line(level, out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn compact(&self) -> String {
        let style = Style { indent: None, eol: "\n", colon: ":", escapes: 0, tail: "", bom: false };
        self.print(style, &mut Rng::with_seed(0))
    }

    /// The value at the end of a path, made if it is not there; lists get one row.
    fn at<'d>(&'d mut self, steps: &[Step]) -> Vec<&'d mut Doc> {
        let Some((step, rest)) = steps.split_first() else { return vec![self] };
        match step {
            Step::Key(key) => {
                if !matches!(self, Self::Object(_)) {
                    *self = Self::Object(Vec::new());
                }
                let Self::Object(members) = self else { return Vec::new() };
                let n = members.iter().rposition(|(k, _)| k == key).unwrap_or_else(|| {
                    members.push((key.to_string(), Self::Raw("null".into())));
                    members.len() - 1
                });
                members[n].1.at(rest)
            }
            Step::Every => {
                if !matches!(self, Self::List(_)) {
                    *self = Self::List(Vec::new());
                }
                let Self::List(items) = self else { return Vec::new() };
                if items.is_empty() {
                    items.push(Self::Object(Vec::new()));
                }
                items.iter_mut().flat_map(|item| item.at(rest)).collect()
            }
        }
    }

    /// The value at the end of a path of keys, if it is there.
    pub(crate) fn member_mut(&mut self, keys: &[String]) -> Option<&mut Doc> {
        let Some((key, rest)) = keys.split_first() else { return Some(self) };
        let Self::Object(members) = self else { return None };
        let n = members.iter().rposition(|(k, _)| k == key)?;
        members[n].1.member_mut(rest)
    }

    fn remove(&mut self, steps: &[Step]) {
        match (steps, self) {
            ([Step::Key(key)], Self::Object(members)) => members.retain(|(k, _)| k != key),
            ([Step::Key(key), rest @ ..], Self::Object(members)) => {
                members.iter_mut().filter(|(k, _)| k == key).for_each(|(_, value)| value.remove(rest));
            }
            ([Step::Every, rest @ ..], Self::List(items)) => items.iter_mut().for_each(|item| item.remove(rest)),
            _ => {}
        }
    }

    fn is(&self, types: Types) -> bool {
        types.meets(match self {
            Self::Text(_) => Types::STRING,
            Self::List(_) => Types::LIST,
            Self::Object(_) => Types::OBJECT,
            Self::Raw(text) => match text.as_str() {
                "null" => Types::NULL,
                "true" | "false" => Types::BOOLEAN,
                _ => Types::NUMBER.or(Types::INTEGER),
            },
        })
    }
}

fn quote(text: &str, escapes: u8, rng: &mut Rng, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' || (escapes > 0 && rng.u8(..100) < escapes) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Text of the sorts that break converters.
pub(crate) fn text(rng: &mut Rng) -> String {
    const PIECES: [&str; 20] = [
        "lamp", " ", "\n", "tide", "Ω", "🙂", "\"", "\\", "/", "{", "[1,2]", "null", "true", "é", "한", "\u{7f}", "\t",
        "$1", "{{user}}", "x",
    ];
    match rng.u8(..12) {
        0 => String::new(),
        1 => "  ".into(),
        2 => PIECES[rng.usize(..PIECES.len())].repeat(rng.usize(1..300)),
        _ => (0..rng.usize(1..8)).map(|_| PIECES[rng.usize(..PIECES.len())]).collect(),
    }
}

pub(crate) fn number(rng: &mut Rng) -> String {
    match rng.u8(..8) {
        0 => "0".into(),
        1 => format!("{}.0", rng.i32(-50..50)),
        2 => format!("{}e{}", rng.i32(-50..50), rng.i32(-3..4)),
        3 => rng.u64(..).to_string(),
        4 => rng.i64(..).to_string(),
        5 => format!("{}", f64::from(rng.i32(..)) / 1000.0),
        _ => rng.i32(-3..120).to_string(),
    }
}

/// How unkind the documents of a run are: how many of a hundred values are spoilt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hostility(pub(crate) u8);

/// A random document that the format claims.
pub(crate) fn random(format: &Declared, rng: &mut Rng, hostility: Hostility) -> Doc {
    let schema = format.read_schema().expect("a built-in format has a schema").to_value();
    let carriers = &format.map().shapes;
    let carrier = &carriers[rng.usize(..carriers.len())];
    let shape = match schema.get("anyOf").and_then(Value::as_array) {
        Some(shapes) => {
            let n = carriers.iter().position(|other| std::ptr::eq(other, carrier)).unwrap_or(0);
            shapes[n]["allOf"].as_array().and_then(|parts| parts.last()).unwrap_or(&shapes[n]).clone()
        }
        None => schema,
    };
    let mut doc = from_schema(&shape, rng, hostility, 0);
    // The gate is satisfied by force; everything else stays random. Conditions can undo each
    // other, so they are gone through until all hold.
    for _ in 0..3 {
        for test in carrier.gate.iter() {
            satisfy(&mut doc, test, rng);
        }
    }
    doc
}

fn satisfy(doc: &mut Doc, test: &Test, rng: &mut Rng) {
    match test {
        Test::At(Predicate { at, test }) => {
            for place in doc.at(at) {
                match test {
                    ValueTest::Present => {}
                    ValueTest::Is(types) if place.is(*types) => {}
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
                }
            }
        }
        Test::Any(tests) => {
            let n = rng.usize(..tests.len());
            satisfy(doc, &tests[n], rng);
        }
        Test::None(tests) => {
            for test in tests.iter() {
                if let Test::At(predicate) = test {
                    doc.remove(&predicate.at);
                }
            }
        }
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
        Doc::Raw("null".into())
    }
}

fn literal(literal: &Literal) -> Doc {
    literal.value().map_or(Doc::Raw("null".into()), |value| from_value(&value.into()))
}

pub(crate) fn from_value(value: &Value) -> Doc {
    match value {
        Value::String(text) => Doc::Text(text.clone()),
        Value::Array(items) => Doc::List(items.iter().map(from_value).collect()),
        Value::Object(members) => Doc::Object(members.iter().map(|(k, v)| (k.clone(), from_value(v))).collect()),
        other => Doc::Raw(other.to_string()),
    }
}

fn from_schema(schema: &Value, rng: &mut Rng, hostility: Hostility, level: usize) -> Doc {
    if level > 0 && rng.u8(..100) < hostility.0 {
        return junk(rng, 0);
    }
    if let Some(all) = schema.get("allOf").and_then(Value::as_array) {
        return from_schema(&all[all.len() - 1], rng, hostility, level);
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return from_schema(&any[rng.usize(..any.len())], rng, hostility, level);
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return from_value(&words[rng.usize(..words.len())]);
    }
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(ty)) => vec![ty],
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        _ => return junk(rng, 1),
    };
    match types[rng.usize(..types.len())] {
        "string" => match schema.get("contentSchema") {
            Some(inner) => {
                let inner = from_schema(inner, rng, hostility, level + 1);
                let style = Style { bom: false, tail: "", ..Style::random(rng) };
                Doc::Text(inner.print(style, rng))
            }
            None if schema.get("pattern").is_some() => Doc::Text(number(rng)),
            None => Doc::Text(text(rng)),
        },
        "number" => Doc::Raw(number(rng)),
        "integer" => Doc::Raw(rng.i32(-3..120).to_string()),
        "boolean" => Doc::Raw(rng.bool().to_string()),
        "array" => {
            let item = schema.get("items").cloned().unwrap_or(Value::Bool(true));
            let most = if level == 0 { 6 } else { 4 };
            Doc::List((0..rng.usize(..most)).map(|_| from_schema(&item, rng, hostility, level + 1)).collect())
        }
        "object" => {
            let mut members = Vec::new();
            for (key, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if rng.u8(..100) < 75 {
                    members.push((key.clone(), from_schema(schema, rng, hostility, level + 1)));
                }
            }
            if rng.u8(..4) == 0 {
                rng.shuffle(&mut members);
            }
            if rng.bool() {
                let at = rng.usize(..=members.len());
                members.insert(at, (format!("x-unknown{}", rng.u8(..3)), junk(rng, 2)));
            }
            if rng.u8(..100) < hostility.0 / 4 && !members.is_empty() {
                // A key twice; the last one counts.
                let (key, _) = members[rng.usize(..members.len())].clone();
                members.push((key, junk(rng, 0)));
            }
            Doc::Object(members)
        }
        _ => Doc::Raw("null".into()),
    }
}

/// Any value at all.
/// Puts something that does not belong there into a JSON value.
pub(crate) fn spoil(value: &mut Value, rng: &mut Rng) {
    let odd = serde_json::from_str(&junk(rng, 1).compact()).unwrap_or(Value::Null);
    match value {
        Value::Object(members) if !members.is_empty() && rng.u8(..4) > 0 => {
            let n = rng.usize(..members.len());
            if let Some((_, inner)) = members.iter_mut().nth(n) {
                spoil(inner, rng);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let n = rng.usize(..items.len());
            spoil(&mut items[n], rng);
        }
        Value::Object(members) if rng.bool() => drop(members.insert("odd".to_owned(), odd)),
        value => *value = odd,
    }
}

fn junk(rng: &mut Rng, depth: usize) -> Doc {
    match rng.u8(..if depth > 0 { 8 } else { 6 }) {
        0 => Doc::Raw("null".into()),
        1 => Doc::Raw(rng.bool().to_string()),
        2 => Doc::Raw(number(rng)),
        3 => Doc::Text(text(rng)),
        4 => Doc::List(Vec::new()),
        5 => Doc::Object(Vec::new()),
        6 => Doc::List((0..rng.usize(..3)).map(|_| junk(rng, depth - 1)).collect()),
        _ => Doc::Object((0..rng.usize(..3)).map(|n| (format!("k{n}"), junk(rng, depth - 1))).collect()),
    }
}

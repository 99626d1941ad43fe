//! Documents as text: a tree that keeps what JSON values lose (duplicate keys, spelling), printed
//! in many layouts.

use std::fmt::Write as _;

use bunzai_runtime::map::{Step, Types};
use fastrand::Rng;

/// A JSON value as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Doc {
    /// Anything that is printed as it stands: numbers, literals.
    Raw(String),
    Text(String),
    /// JSON text in a string.
    Json(Box<Doc>, Style),
    List(Vec<Doc>),
    Object(Vec<(String, Doc)>),
}

/// How a document is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    indent: Option<&'static str>,
    eol: &'static str,
    colon: &'static str,
    /// How many of a hundred characters are written as escapes that need not be.
    escapes: u8,
    tail: &'static str,
    bom: bool,
    /// Whether white space is strewn about.
    ragged: bool,
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
            ragged: rng.u8(..5) == 0,
        }
    }

    /// One for a text inside a string.
    pub(crate) fn random_inside(rng: &mut Rng) -> Self {
        Self { bom: false, tail: "", ..Self::random(rng) }
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
        let space = |rng: &mut Rng, out: &mut String| {
            if style.ragged {
                out.push_str(["", "", " ", "\n", "\t  "][rng.usize(..5)]);
            }
        };
        let line = |level: usize, rng: &mut Rng, out: &mut String| {
            if let Some(indent) = style.indent {
                out.push_str(style.eol);
                (0..level).for_each(|_| out.push_str(indent));
            }
            space(rng, out);
        };
        match self {
            Self::Raw(text) => out.push_str(text),
            Self::Text(text) => quote(text, style.escapes, rng, out),
            Self::Json(inner, inside) => quote(&inner.print(*inside, rng), style.escapes, rng, out),
            Self::List(items) => {
                out.push('[');
                for (n, item) in items.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(level + 1, rng, out);
                    item.write(style, level + 1, rng, out);
                    space(rng, out);
                }
                if !items.is_empty() {
                    line(level, rng, out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (n, (key, value)) in members.iter().enumerate() {
                    out.push_str(if n > 0 { "," } else { "" });
                    line(level + 1, rng, out);
                    quote(key, style.escapes, rng, out);
                    out.push_str(style.colon);
                    value.write(style, level + 1, rng, out);
                    space(rng, out);
                }
                if !members.is_empty() {
                    line(level, rng, out);
                }
                out.push('}');
            }
        }
    }

    pub(crate) fn compact(&self) -> String {
        let style = Style { indent: None, eol: "\n", colon: ":", escapes: 0, tail: "", bom: false, ragged: false };
        self.print(style, &mut Rng::with_seed(0))
    }

    /// The values at the end of a path, made if they are not there: of `[*]` those of all rows, or
    /// that of one; lists, and objects of rows, get one row.
    pub(crate) fn at<'d>(&'d mut self, steps: &[Step], every: bool) -> Vec<&'d mut Doc> {
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
                members[n].1.at(rest, every)
            }
            Step::Every => {
                if !matches!(self, Self::List(_) | Self::Object(_)) {
                    *self = Self::List(Vec::new());
                }
                match self {
                    Self::List(items) if items.is_empty() => items.push(Self::Object(Vec::new())),
                    Self::Object(members) if members.is_empty() => {
                        members.push(("0".into(), Self::Object(Vec::new())));
                    }
                    _ => {}
                }
                let most = if every { usize::MAX } else { 1 };
                rows_of(self).into_iter().take(most).flat_map(|item| item.at(rest, every)).collect()
            }
            Step::Pick(_) => Vec::new(),
        }
    }

    /// The value at the end of a path of keys, if it is there; text in strings is entered.
    pub(crate) fn get_mut(&mut self, steps: &[Step]) -> Option<&mut Doc> {
        let Some((step, rest)) = steps.split_first() else { return Some(self) };
        let (Step::Key(key), Self::Object(members)) = (step, self.inside()) else { return None };
        let n = members.iter().rposition(|(k, _)| k == key)?;
        members[n].1.get_mut(rest)
    }

    /// The value in a string that holds text, else the value itself.
    pub(crate) fn inside(&mut self) -> &mut Doc {
        match self {
            Self::Json(inner, _) => inner.inside(),
            plain => plain,
        }
    }

    pub(crate) fn null() -> Self {
        Self::Raw("null".into())
    }

    pub(crate) fn remove(&mut self, steps: &[Step]) {
        match (steps, self) {
            ([Step::Key(key)], Self::Object(members)) => members.retain(|(k, _)| k != key),
            ([Step::Key(key), rest @ ..], Self::Object(members)) => {
                members.iter_mut().filter(|(k, _)| k == key).for_each(|(_, value)| value.remove(rest));
            }
            ([Step::Every, rest @ ..], list) => rows_of(list).into_iter().for_each(|item| item.remove(rest)),
            _ => {}
        }
    }

    pub(crate) fn is(&self, types: Types) -> bool {
        types.meets(match self {
            Self::Text(text) if text.trim().is_empty() => Types::STRING.or(Types::BLANK),
            Self::Text(_) | Self::Json(..) => Types::STRING,
            Self::List(items) if items.is_empty() => Types::LIST.or(Types::BLANK),
            Self::List(_) => Types::LIST,
            Self::Object(members) if members.is_empty() => Types::OBJECT.or(Types::BLANK),
            Self::Object(_) => Types::OBJECT,
            Self::Raw(text) => match text.as_str() {
                "null" => Types::NULL.or(Types::BLANK),
                "true" | "false" => Types::BOOLEAN,
                _ => Types::NUMBER.or(Types::INTEGER),
            },
        })
    }
}

/// The items of a list, or the members of an object.
pub(crate) fn rows_of(list: &mut Doc) -> Vec<&mut Doc> {
    match list {
        Doc::List(items) => items.iter_mut().collect(),
        // Of two equal keys the last one counts.
        Doc::Object(members) => {
            let keys: Vec<String> = members.iter().map(|(key, _)| key.clone()).collect();
            let counts = |n: usize| !keys[n + 1..].contains(&keys[n]);
            members.iter_mut().enumerate().filter(|(n, _)| counts(*n)).map(|(_, (_, value))| value).collect()
        }
        _ => Vec::new(),
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
        3 if rng.u8(..250) == 0 => "long ".repeat(20_000),
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

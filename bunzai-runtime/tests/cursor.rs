//! The cursor against serde_json, over generated and mutated documents: the same texts are JSON,
//! and strings and numbers read the same.

use bunzai_runtime::json::{Cursor, Number, Value, locate, unescape, write_text};
use fastrand::Rng;
use serde::de::IgnoredAny;

const CASES: u64 = 60_000;

/// Bytes that make up, and break, JSON.
const PIECES: [&str; 44] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\"a\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\u12\"",
    "\"\\x\"",
    "true",
    "false",
    "null",
    "nul",
    "0",
    "-0",
    "1",
    "-1",
    "01",
    "1.5",
    "1.",
    ".5",
    "1e5",
    "1E+2",
    "1e",
    "-",
    "1e400",
    "18446744073709551615",
    "18446744073709551616",
    "9007199254740993",
    "0.1",
    "123456789012345678901234567890",
    " ",
    "\n",
    "\t",
    "\r",
    "\u{b}",
    "\u{feff}",
    "é",
    "\u{0}",
];

fn document(rng: &mut Rng, depth: usize, out: &mut String) {
    let space = |rng: &mut Rng, out: &mut String| out.push_str(["", "", " ", "\n\t"][rng.usize(..4)]);
    space(rng, out);
    match rng.u8(..if depth > 0 { 8 } else { 5 }) {
        0 => out.push_str(["true", "false", "null"][rng.usize(..3)]),
        1 => out.push_str(&f64::to_string(&(f64::from(rng.i32(..)) / f64::from(rng.u16(1..))))),
        2 => out.push_str(
            ["0", "-0", "1e3", "-2.50", "18446744073709551615", "-9223372036854775808", "1E-7"][rng.usize(..7)],
        ),
        3 | 4 => string(rng, out),
        5 | 6 => {
            out.push('{');
            for n in 0..rng.usize(..4) {
                out.push_str(if n > 0 { "," } else { "" });
                space(rng, out);
                string(rng, out);
                space(rng, out);
                out.push(':');
                document(rng, depth - 1, out);
            }
            space(rng, out);
            out.push('}');
        }
        _ => {
            out.push('[');
            for n in 0..rng.usize(..4) {
                out.push_str(if n > 0 { "," } else { "" });
                document(rng, depth - 1, out);
            }
            space(rng, out);
            out.push(']');
        }
    }
    space(rng, out);
}

fn string(rng: &mut Rng, out: &mut String) {
    out.push('"');
    for _ in 0..rng.usize(..20) {
        match rng.u8(..10) {
            0 => out.push_str(["\\n", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\r", "\\t"][rng.usize(..8)]),
            1 => out.push_str(&format!("\\u{:04X}", rng.u32(1..0xD800))),
            2 => out.push_str("\\ud83d\\ude00"),
            3 => out.push(['é', '水', '🙂'][rng.usize(..3)]),
            _ => out.push(char::from(rng.u8(b'#'..b'['))),
        }
    }
    out.push('"');
}

fn mutate(rng: &mut Rng, text: &mut String) {
    for _ in 0..rng.usize(1..4) {
        let mut at = rng.usize(..=text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match rng.u8(..3) {
            0 => text.truncate(at),
            1 => text.insert_str(at, PIECES[rng.usize(..PIECES.len())]),
            _ => {
                if let Some(c) = text[at..].chars().next() {
                    text.replace_range(at..at + c.len_utf8(), "");
                }
            }
        }
    }
}

fn accepts(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip().and_then(|()| cursor.end()).is_ok()
}

#[test]
fn the_same_texts_are_json() {
    let mut valid = 0;
    for seed in 0..CASES {
        let mut rng = Rng::with_seed(seed);
        let mut text = String::new();
        document(&mut rng, 4, &mut text);
        if seed % 3 > 0 {
            mutate(&mut rng, &mut text);
        }
        let oracle = serde_json::from_slice::<IgnoredAny>(text.as_bytes()).is_ok();
        assert_eq!(accepts(&text), oracle, "seed {seed}: {text:?}");
        valid += usize::from(oracle);
    }
    assert!(valid > 20_000 && valid < 58_000, "both sides must be met: {valid}");
}

#[test]
fn values_read_the_same() {
    for seed in 0..CASES / 2 {
        let mut rng = Rng::with_seed(seed);
        let mut text = String::new();
        document(&mut rng, 4, &mut text);
        let Ok(oracle) = serde_json::from_str::<serde_json::Value>(&text) else {
            panic!("seed {seed}: {text:?} is JSON");
        };
        let mut cursor = Cursor::new(&text);
        let read = Value::read(&mut cursor).unwrap().unwrap();
        // An object keeps its equal keys until it becomes a map.
        assert_eq!(
            numbers_as_doubles(serde_json::Value::from(read)),
            numbers_as_doubles(oracle),
            "seed {seed}: {text:?}"
        );
    }
}

/// Integers and doubles of the same value are the same number here.
fn numbers_as_doubles(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Number(n) => {
            let n = Number::from(&n);
            n.as_u64().map(Into::into).or(n.as_i64().map(Into::into)).unwrap_or_else(|| n.as_f64().into())
        }
        serde_json::Value::Array(items) => items.into_iter().map(numbers_as_doubles).collect(),
        serde_json::Value::Object(members) => {
            serde_json::Value::Object(members.into_iter().map(|(k, v)| (k, numbers_as_doubles(v))).collect())
        }
        other => other,
    }
}

#[test]
fn a_text_is_the_same_in_place_as_when_it_is_read() {
    for seed in 0..CASES / 2 {
        let mut rng = Rng::with_seed(seed);
        let mut text = String::new();
        string(&mut rng, &mut text);
        let read: String = serde_json::from_str(&text).unwrap();
        assert_eq!(unescape(&text[1..text.len() - 1]).0, read);
        assert!(Cursor::new(&text).same_text(&read).unwrap(), "{text}");
        let mut other = read.clone();
        mutate(&mut rng, &mut other);
        let mut cursor = Cursor::new(&text);
        assert_eq!(cursor.same_text(&other).unwrap(), other == read, "{text} and {other:?}");
        assert_eq!(cursor.at(), text.len(), "the whole string is read either way");
        let mut written = String::new();
        write_text(&read, &mut written);
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), read);
    }
}

#[test]
fn nesting_is_limited_and_never_overflows() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    assert!(accepts(&nested(128)));
    assert!(!accepts(&nested(129)));
    assert!(!accepts(&"[".repeat(100_000)));
    assert!(!accepts(&"{\"a\":".repeat(100_000)));
    assert!(Value::read(&mut Cursor::new(&nested(128))).is_ok());
    assert!(Value::read(&mut Cursor::new(&"[".repeat(100_000))).is_err());
    assert_eq!(locate(&"[".repeat(100_000), "/0/0/0"), None);
}

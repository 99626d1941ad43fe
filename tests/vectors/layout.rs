//! The layouts in which a JSON input is written: a codec may prefer none of them.

use serde_json::Value;

/// A way to write a JSON value.
pub(crate) struct Layout {
    pub(crate) name: &'static str,
    /// What stands before the value, and after it.
    around: (&'static str, &'static str),
    line_break: &'static str,
    /// One level of indentation; nothing for everything on one line.
    indent: Option<&'static str>,
    colon: &'static str,
    /// Whether what is not ASCII is escaped.
    escaped: bool,
}

const TWO_SPACES: Layout =
    Layout { name: "two spaces", around: ("", ""), line_break: "\n", indent: Some("  "), colon: ": ", escaped: false };

pub(crate) const LAYOUTS: &[Layout] = &[
    TWO_SPACES,
    Layout { name: "compact", indent: None, colon: ":", ..TWO_SPACES },
    Layout { name: "four spaces, a last line break", around: ("", "\n"), indent: Some("    "), ..TWO_SPACES },
    Layout { name: "tabs, ASCII only", indent: Some("\t"), colon: "\t:\t", escaped: true, ..TWO_SPACES },
    Layout { name: "CRLF", around: ("", "\r\n"), line_break: "\r\n", ..TWO_SPACES },
    Layout { name: "byte order mark, space around", around: ("\u{feff} \n", " \n\n"), ..TWO_SPACES },
];

/// A value as a file that this project writes has it.
pub(crate) fn pretty(value: &Value) -> String {
    TWO_SPACES.write(value) + "\n"
}

impl Layout {
    pub(crate) fn write(&self, value: &Value) -> String {
        let mut out = self.around.0.to_owned();
        self.value(value, 0, &mut out);
        out + self.around.1
    }

    fn value(&self, value: &Value, level: usize, out: &mut String) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                out.push('{');
                for (n, (key, value)) in members.iter().enumerate() {
                    self.item(n, level, out);
                    self.text(key, out);
                    out.push_str(self.colon);
                    self.value(value, level + 1, out);
                }
                self.line(level, out);
                out.push('}');
            }
            Value::Array(items) if !items.is_empty() => {
                out.push('[');
                for (n, value) in items.iter().enumerate() {
                    self.item(n, level, out);
                    self.value(value, level + 1, out);
                }
                self.line(level, out);
                out.push(']');
            }
            Value::String(text) => self.text(text, out),
            other => out.push_str(&other.to_string()),
        }
    }

    fn item(&self, n: usize, level: usize, out: &mut String) {
        if n > 0 {
            out.push(',');
        }
        self.line(level + 1, out);
    }

    fn line(&self, level: usize, out: &mut String) {
        if let Some(indent) = self.indent {
            out.push_str(self.line_break);
            out.push_str(&indent.repeat(level));
        }
    }

    fn text(&self, text: &str, out: &mut String) {
        let printed = Value::from(text).to_string();
        for c in printed.chars() {
            if c.is_ascii() || !self.escaped {
                out.push(c);
            } else {
                let mut units = [0; 2];
                out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
            }
        }
    }
}

#[test]
fn every_layout_says_the_same() {
    let value =
        serde_json::json!({ "a": [1, 2.5, -0.0, null, true, {}, []], "b\n": "\"é\u{1f41d}\\", "c": { "d": "" } });
    let written: Vec<String> = LAYOUTS.iter().map(|layout| layout.write(&value)).collect();
    for (layout, text) in LAYOUTS.iter().zip(&written) {
        let read: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
        assert_eq!(read, value, "{}", layout.name);
        assert_eq!(written.iter().filter(|other| *other == text).count(), 1, "{} is there twice", layout.name);
    }
}

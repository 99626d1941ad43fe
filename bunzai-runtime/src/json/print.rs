//! Printing values, in a layout of one's own or in that of the text around them.

use super::{Cursor, Value, write_text};

/// How the members of one container are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// None: everything on one line.
    lines: Option<Lines>,
    /// What stands after a comma when everything is on one line.
    space: String,
    /// What stands between a key and its value, the colon included.
    colon: String,
}

/// One item a line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lines {
    /// The line break and the indentation of the container's closing bracket.
    close: String,
    /// One more level of indentation.
    unit: String,
}

impl Layout {
    /// One line, no spaces.
    pub(crate) fn compact() -> Self {
        Self { lines: None, space: String::new(), colon: ":".into() }
    }

    /// One item a line, two spaces a level, from the start of a line.
    pub(crate) fn pretty() -> Self {
        Self { lines: Some(Lines { close: "\n".into(), unit: "  ".into() }), space: String::new(), colon: ": ".into() }
    }

    /// The layout of a container whose first item stands `lead` after the opening bracket and
    /// whose last item stands `tail` before the closing one. `gap` is what follows a comma,
    /// `colon` what stands between key and value.
    pub(crate) fn seen(lead: &str, gap: Option<&str>, tail: &str, colon: Option<&str>, outer: &Layout) -> Self {
        let colon = colon.map_or_else(|| outer.colon.clone(), str::to_owned);
        if !lead.contains('\n') {
            let space = gap.map_or_else(|| outer.space.clone(), str::to_owned);
            return Self { lines: None, space, colon };
        }
        let unit = match lead.strip_prefix(tail) {
            Some(unit) if !unit.contains('\n') => unit.to_owned(),
            _ => outer.lines.as_ref().map_or_else(|| "  ".to_owned(), |l| l.unit.clone()),
        };
        let close =
            if tail.contains('\n') { tail.to_owned() } else { lead.strip_suffix(&unit).unwrap_or(lead).to_owned() };
        Self { lines: Some(Lines { close, unit }), space: String::new(), colon }
    }

    /// The layout of a container that is an item of this one.
    pub(crate) fn inner(&self) -> Self {
        let mut inner = self.clone();
        if let Some(lines) = &mut inner.lines {
            lines.close.push_str(&lines.unit);
        }
        inner
    }

    /// What stands before the first item.
    pub(crate) fn lead(&self) -> String {
        self.lines.as_ref().map_or_else(String::new, |l| format!("{}{}", l.close, l.unit))
    }

    /// What stands between two items.
    pub(crate) fn between(&self) -> String {
        match &self.lines {
            Some(lines) => format!(",{}{}", lines.close, lines.unit),
            None => format!(",{}", self.space),
        }
    }

    /// What stands after the last item.
    pub(crate) fn tail(&self) -> &str {
        self.lines.as_ref().map_or("", |l| &l.close)
    }

    /// What stands between a key and its value.
    pub(crate) fn colon(&self) -> &str {
        &self.colon
    }
}

/// How a text is laid out, as far as its first lines say: found out once for a text.
#[derive(Debug)]
pub(crate) struct Style {
    colon: &'static str,
    /// What stands after a comma on one line.
    space: &'static str,
    /// The line break and one level of indentation, in a text of several lines.
    lines: Option<(&'static str, String)>,
    /// Where the lines start.
    starts: Vec<usize>,
}

impl Style {
    pub(crate) fn of(text: &str) -> Self {
        let colon = match text.split_once("\":") {
            Some((_, after)) if after.starts_with(' ') => ": ",
            Some(_) => ":",
            None if text.contains('\n') => ": ",
            None => ":",
        };
        let lines = text.find('\n').map(|first| {
            let eol = if text[..first].ends_with('\r') { "\r\n" } else { "\n" };
            let unit = match indent(&text[first + 1..]) {
                "" => "  ",
                unit => unit,
            };
            (eol, unit.to_owned())
        });
        let space = if colon == ": " && (lines.is_some() || text.contains(", ")) { " " } else { "" };
        let starts = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(n, _)| n + 1);
        Self { colon, space, lines, starts: starts.collect() }
    }

    /// The layout that a container at a byte of the text would have: one line if the text is one
    /// line, else the text's own indentation, one level below the line the container stands on.
    pub(crate) fn at(&self, text: &str, at: usize) -> Layout {
        let colon = self.colon.to_owned();
        if let Some((eol, unit)) = &self.lines {
            let start = match self.starts.partition_point(|start| *start <= at) {
                0 => 0,
                n => self.starts[n - 1],
            };
            if is_start_of_line(&text[start..at]) {
                let lines = Lines { close: format!("{eol}{}", indent(&text[start..])), unit: unit.clone() };
                return Layout { lines: Some(lines), space: String::new(), colon };
            }
        }
        // What stands in a container on one line is written on one line.
        Layout { lines: None, space: self.space.to_owned(), colon }
    }
}

/// The white space that a line begins with.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether nothing stands on a line before a value but its own key.
fn is_start_of_line(before: &str) -> bool {
    let mut key = Cursor::new(before);
    before.trim_ascii().is_empty() || key.key().is_ok() && key.at() == before.len()
}

/// Prints a value; `layout` is that of the value itself, should it be a container.
pub(crate) fn print(value: &Value<'_>, layout: &Layout, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::Text(text) => write_text(text, out),
        Value::List(items) => {
            container('[', ']', items.iter(), layout, out, |item, inner, out| print(item, inner, out))
        }
        Value::Object(members) => container('{', '}', members.iter(), layout, out, |(key, value), inner, out| {
            write_text(key, out);
            out.push_str(&layout.colon);
            print(value, inner, out);
        }),
    }
}

fn container<T>(
    open: char,
    close: char,
    items: impl ExactSizeIterator<Item = T>,
    layout: &Layout,
    out: &mut String,
    mut each: impl FnMut(T, &Layout, &mut String),
) {
    out.push(open);
    if items.len() > 0 {
        let (inner, between) = (layout.inner(), layout.between());
        out.push_str(&layout.lead());
        for (n, item) in items.enumerate() {
            if n > 0 {
                out.push_str(&between);
            }
            each(item, &inner, out);
        }
        out.push_str(layout.tail());
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Cursor;

    fn printed(text: &str, layout: &Layout) -> String {
        let mut out = String::new();
        print(&Value::read(&mut Cursor::new(text)).unwrap().unwrap(), layout, &mut out);
        out
    }

    #[test]
    fn pretty_is_two_spaces_and_no_final_line_break() {
        let text = r#"{"a":[1,{"b":null}],"c":{},"d":[]}"#;
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(printed(text, &Layout::pretty()), serde_json::to_string_pretty(&value).unwrap());
        assert_eq!(printed(text, &Layout::compact()), text);
    }

    #[test]
    fn a_seen_layout_goes_on_in_the_style_of_its_neighbours() {
        let tabs = Layout::seen("\r\n\t\t", Some("\r\n\t\t"), "\r\n\t", Some(" : "), &Layout::pretty());
        assert_eq!(printed("[{\"a\":1}]", &tabs), "[\r\n\t\t{\r\n\t\t\t\"a\" : 1\r\n\t\t}\r\n\t]");
        let spaced = Layout::seen("", Some(" "), "", Some(": "), &Layout::pretty());
        assert_eq!(printed("{\"a\":[1,2]}", &spaced), "{\"a\": [1, 2]}");
    }
}

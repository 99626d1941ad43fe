//! Layers: text that a slot's value stands in, and how a change in it gets back into the slot.
//!
//! Every layer shows the value as JSON text of its own, which is read, compared and patched like
//! any document. JSON text in a string is one; a bare item in the place of a list, text that is
//! split into items, a regex literal and decorated text are others.

use std::borrow::Cow;
use std::ops::Range;

use super::types::has_first;
use crate::json::{Cursor, Layout, Patches, Result, Value, is_blank, items, print};
use crate::map::{RegexText, Run, Text, Types, Wrap};

/// The text that a slot's value stands in.
#[derive(Debug)]
pub(crate) enum Layer<'s, 't> {
    /// The document itself.
    Plain,
    /// A text of its own, inside the slot.
    Inside(Inside<'s, 't>),
    /// Nothing that is read.
    Unreadable,
}

/// The value of a slot as JSON text of its own.
#[derive(Debug)]
pub(crate) struct Inside<'s, 't> {
    /// The text.
    pub(crate) text: Cow<'t, str>,
    /// How it stands in the slot.
    pub(super) form: &'s Text,
    /// Whether a regex may be a literal or its bare source, as it comes.
    pub(super) either: bool,
}

impl Text {
    /// The value at the cursor as text of its own; nothing where it has not this form. The cursor
    /// moves behind the value if it has.
    pub(super) fn open<'t>(&self, cursor: &mut Cursor<'t>, list: Types, item: Types) -> Result<Option<Inside<'_, 't>>> {
        let first = cursor.peek()?;
        let mut behind = cursor.clone();
        let text = match self {
            Self::Plain => return Ok(None),
            Self::Lone => {
                if first == b'[' || !has_first(item, first) {
                    return Ok(None);
                }
                let start = behind.at();
                behind.skip()?;
                Some(Cow::Owned(format!("[{}]", &behind.source()[start..behind.at()])))
            }
            _ if first != b'"' => return Ok(None),
            Self::Json => {
                let inner = behind.text()?;
                let mut inside = Cursor::new(&inner);
                let fits = inside.peek().is_ok_and(|b| b == b'n' || has_first(list, b));
                (fits && inside.skip().is_ok() && inside.end().is_ok()).then_some(inner)
            }
            Self::Split(sep) => Some(Cow::Owned(printed(&Value::List(split(&behind.text()?, sep))))),
            Self::Regex(regex) => Some(Cow::Owned(printed(&regex.parts(&behind.text()?).value()))),
            Self::Wrap(wrap) => {
                let text = behind.text()?;
                wrap.unwrap(&text).map(|span| Cow::Owned(printed(&Value::text(&text[span]))))
            }
        };
        let inside = text.map(|text| Inside { text, form: self, either: false });
        if inside.is_some() {
            *cursor = behind;
        }
        Ok(inside)
    }

    /// A value as a new slot of this form holds it; nothing where it cannot.
    pub(super) fn put<'v>(&self, value: Value<'v>) -> Option<Value<'v>> {
        Some(match (self, value) {
            (Self::Plain | Self::Lone | Self::Split(_), value) => value,
            (_, Value::Null) => Value::Null,
            (Self::Json, value) => Value::text(printed(&value)),
            (Self::Regex(regex), value) => Value::text(regex.print(&RegexParts::of(&value), None)?),
            (Self::Wrap(wrap), Value::Text(text)) => Value::text(wrap.decorate(&text)?),
            (Self::Wrap(_), _) => return None,
        })
    }
}

impl Inside<'_, '_> {
    /// Whether it is JSON text in a string.
    pub(super) fn is_json(&self) -> bool {
        matches!(self.form, Text::Json)
    }

    /// Patches for the inner text of a slot, which stands at a byte of a source that others are for.
    pub(super) fn patches(&self, source: &str, at: usize, outer: &Patches) -> Patches {
        match self.form {
            // The list that a bare item becomes is laid out as any other that is new there.
            Text::Lone => Patches::laid_out(outer.layout(source, at)),
            _ => Patches::default(),
        }
    }

    /// Carries the patches of the inner text over to the slot, which stands at a span of a source.
    pub(super) fn carry(self, patches: Patches, source: &str, span: Range<usize>, outer: &mut Patches) -> Result<()> {
        if patches.is_empty() {
            return Ok(());
        }
        if self.is_json() {
            patches.carry_into(&source[span.start + 1..span.end - 1], span.start + 1, outer);
            return Ok(());
        }
        let is_other = patches.replaces(1..self.text.len().saturating_sub(1));
        let mut changed = String::new();
        patches.apply(&self.text, &mut changed);
        let old = || Cursor::starting_at(source, span.start, 0).text();
        match self.form {
            Text::Plain | Text::Json => {}
            Text::Lone => {
                let list = items(&changed, 0)?;
                match list.inside.as_slice() {
                    [one] if is_other => {
                        let other = Value::read(&mut Cursor::new(&changed[one.clone()]))?;
                        other.iter().for_each(|value| outer.put(source, span.clone(), value));
                    }
                    [one] => outer.replace(span, |out| out.push_str(&changed[one.clone()])),
                    [] => outer.replace(span, |out| out.push_str("[]")),
                    [first, .., last] => {
                        let layout = outer.layout(source, span.start);
                        let inside = &changed[first.start..last.end];
                        outer.replace(span, |out| {
                            [&format!("[{}", layout.lead()), inside, layout.tail(), "]"]
                                .iter()
                                .for_each(|text| out.push_str(text));
                        });
                    }
                }
            }
            Text::Split(sep) => {
                let Some(Value::List(items)) = Value::read(&mut Cursor::new(&changed))? else { return Ok(()) };
                let loose = old()?.contains(&format!("{sep} "));
                match joined(&items, sep, loose) {
                    Some(text) => outer.put(source, span, &Value::text(text)),
                    None => outer.put(source, span, &Value::List(items)),
                }
            }
            Text::Regex(regex) => {
                let value = Value::read(&mut Cursor::new(&changed))?.unwrap_or(Value::Null);
                let mut wanted = RegexParts::of(&value);
                wanted.literal = wanted.literal.filter(|_| !self.either);
                // What no literal says is left as it was, and the report tells.
                if let Some(text) = regex.print(&wanted, Some(&old()?)) {
                    outer.put(source, span, &Value::text(text));
                }
            }
            Text::Wrap(wrap) => {
                let Some(Value::Text(new)) = Value::read(&mut Cursor::new(&changed))? else { return Ok(()) };
                let old = old()?;
                if let Some(inner) = wrap.unwrap(&old) {
                    let text = [&old[..inner.start], &new, &old[inner.end..]].concat();
                    // Only a text that reads back is one.
                    if wrap.unwrap(&text).is_some_and(|span| text[span] == *new) {
                        outer.put(source, span, &Value::text(text));
                    }
                }
            }
        }
        Ok(())
    }
}

fn printed(value: &Value<'_>) -> String {
    let mut text = String::new();
    print(value, &Layout::compact(), &mut text);
    text
}

fn split(text: &str, sep: &str) -> Vec<Value<'static>> {
    text.split(sep).map(str::trim).filter(|item| !item.is_empty()).map(|item| Value::text(item.to_owned())).collect()
}

/// The items as one text; nothing where an item would not come back.
fn joined(items: &[Value<'_>], sep: &str, loose: bool) -> Option<String> {
    let between = if loose { format!("{sep} ") } else { sep.to_owned() };
    let texts = items.iter().map(|item| item.as_text().filter(|text| !text.contains(sep) && text.trim() == *text));
    let texts = texts.collect::<Option<Vec<_>>>()?;
    (!texts.iter().any(|text| is_blank(text))).then(|| texts.join(&between))
}

/// What a text says that may be a regex literal.
#[derive(Debug, Clone, PartialEq)]
struct RegexParts<'v> {
    source: Cow<'v, str>,
    flags: Cow<'v, str>,
    /// Whether it was one; nothing where that does not matter.
    literal: Option<bool>,
}

impl<'v> RegexParts<'v> {
    fn of(value: &'v Value<'_>) -> Self {
        let text = |key: &str| Cow::Borrowed(value.get(key).and_then(Value::as_text).unwrap_or(""));
        let literal = match value.get("literal") {
            Some(Value::Bool(literal)) => Some(*literal),
            _ => None,
        };
        Self { source: text("source"), flags: text("flags"), literal }
    }

    fn value(&self) -> Value<'_> {
        Value::Object(vec![
            ("source".into(), Value::text(self.source.as_ref())),
            ("flags".into(), Value::text(self.flags.as_ref())),
            ("literal".into(), Value::Bool(self.literal == Some(true))),
        ])
    }

    /// Whether it says what is wanted.
    fn says(&self, wanted: &RegexParts<'_>) -> bool {
        self.source == wanted.source
            && self.flags == wanted.flags
            && wanted.literal.is_none_or(|literal| self.literal == Some(literal))
    }
}

impl RegexText {
    /// What a text says; one that is no literal is all source.
    fn parts<'v>(&self, text: &'v str) -> RegexParts<'v> {
        self.literal(text).unwrap_or(RegexParts { source: text.into(), flags: "".into(), literal: Some(false) })
    }

    fn literal<'v>(&self, text: &'v str) -> Option<RegexParts<'v>> {
        let body = text.strip_prefix('/')?;
        let end = if self.escaped { unescaped_slash(body)? } else { body.rfind('/')? };
        let (source, rest) = (&body[..end], &body[end + 1..]);
        let flags_end = match self.tail {
            true => rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()),
            false => rest.len(),
        };
        let flags = &rest[..flags_end];
        let legal = flags.chars().all(|c| self.flags.contains(c));
        let once = flags.char_indices().all(|(n, c)| !flags[..n].contains(c));
        if source.is_empty() || !legal || !once {
            return None;
        }
        let source = if self.escaped { source.replace("\\/", "/").into() } else { Cow::Borrowed(source) };
        Some(RegexParts { source, flags: flags.into(), literal: Some(true) })
    }

    /// The text that says this, in the form of the twin if that can. Of flags that no literal may have
    /// the text says nothing: an expression without one of its flags is more than none.
    fn print(&self, wanted: &RegexParts<'_>, twin: Option<&str>) -> Option<String> {
        self.print_exactly(wanted, twin).or_else(|| {
            let legal = |(n, c): (usize, char)| self.flags.contains(c) && !wanted.flags[..n].contains(c);
            let flags: String = wanted.flags.char_indices().filter(|at| legal(*at)).map(|(_, c)| c).collect();
            let sayable = RegexParts { flags: flags.into(), ..wanted.clone() };
            (sayable != *wanted).then(|| self.print_exactly(&sayable, twin)).flatten()
        })
    }

    fn print_exactly(&self, wanted: &RegexParts<'_>, twin: Option<&str>) -> Option<String> {
        let bare = wanted.source.to_string();
        let literal = format!("/{}/{}", wanted.source, wanted.flags);
        let escaped = format!("/{}/{}", escape_slashes(&wanted.source), wanted.flags);
        let was_literal = twin.is_some_and(|twin| self.literal(twin).is_some());
        let forms = if was_literal { [literal, escaped, bare] } else { [bare, literal, escaped] };
        forms.into_iter().find(|text| self.parts(text).says(wanted))
    }
}

/// The first slash before which no backslash stands.
fn unescaped_slash(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (n, b) in text.bytes().enumerate() {
        match b {
            b'/' if !escaped => return Some(n),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

fn escape_slashes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escaped = false;
    for c in text.chars() {
        if c == '/' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

impl Wrap {
    /// Where the inner text stands, trimmed; nothing where the decoration is not there.
    fn unwrap(&self, text: &str) -> Option<Range<usize>> {
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        let whole = start..start + trimmed.len();
        let inner = match self {
            Self::Pair(before, after) => {
                let inner = trimmed.strip_prefix(before.as_ref())?.strip_suffix(after.as_ref())?;
                whole.start + before.len()..whole.start + before.len() + inner.len()
            }
            Self::Run(Run { of, least, .. }) => {
                let is_mark = |c: char| of.contains(c);
                let inner = trimmed.trim_start_matches(is_mark);
                let lead = &trimmed[..trimmed.len() - inner.len()];
                let core = inner.trim_end_matches(is_mark);
                let tail = &inner[core.len()..];
                if lead.chars().count() + tail.chars().count() < *least {
                    return None;
                }
                whole.start + lead.len()..whole.start + lead.len() + core.len()
            }
        };
        let text = &text[inner.clone()];
        let name = text.trim();
        let start = inner.start + (text.len() - text.trim_start().len());
        Some(start..start + name.len())
    }

    /// What a decorated text looks like, as a pattern of ECMA-262.
    pub(crate) fn pattern(&self) -> String {
        let escaped = |text: &str| -> String {
            let mut out = String::new();
            for c in text.chars() {
                if "^$\\.*+?()[]{}|/".contains(c) {
                    out.push('\\');
                }
                out.push(c);
            }
            out
        };
        match self {
            Self::Pair(before, after) => format!(r"^\s*{}[\s\S]*{}\s*$", escaped(before), escaped(after)),
            Self::Run(Run { of, least, .. }) => {
                let marks = format!("[{}]", escaped(of).replace('-', "\\-"));
                let split = |n: usize| format!(r"{marks}{{{n},}}[\s\S]*{marks}{{{},}}", least - n);
                format!(r"^\s*({})\s*$", (0..=*least).map(split).collect::<Vec<_>>().join("|"))
            }
        }
    }

    /// A new text around an inner one; nothing where it would not come back.
    fn decorate(&self, inner: &str) -> Option<String> {
        let (before, after) = match self {
            Self::Pair(before, after) => (before.to_string(), after.to_string()),
            Self::Run(Run { before, after, .. }) => (before.to_string(), after.to_string()),
        };
        let text = format!("{before}{inner}{after}");
        self.unwrap(&text).is_some_and(|span| text[span] == *inner).then_some(text)
    }
}

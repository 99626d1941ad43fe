//! A document cut into its pieces, none of which is lost: values, keys, and the gaps between them.
//!
//! A string may hold JSON text. The pieces of that text keep the bytes they have inside the string,
//! escapes and all, so that whatever stands around a change can be compared byte by byte.

use std::rc::Rc;

use serde_json::Value;

/// A text as it reads, and the bytes each character of it was read from.
#[derive(Debug, Clone)]
struct Source {
    raw: Rc<str>,
    plain: String,
    /// For each byte of `plain`, and for its end, where it stands in `raw`.
    at: Vec<usize>,
}

/// A value.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Its bytes in the document.
    pub(crate) raw: String,
    /// Its JSON text, with the escapes of the strings around it resolved.
    plain: String,
    /// What a string reads as.
    text: Option<Source>,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Leaf,
    List(Vec<Node>, Gaps),
    Object(Vec<Member>, Gaps),
}

/// The bytes before each item and after the last one, commas included.
pub(crate) type Gaps = Vec<String>;

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) key: String,
    /// The bytes of the key, and all up to the value.
    pub(crate) head: String,
    pub(crate) value: Node,
}

/// A document: what stands before its value, the value, and what stands behind it.
pub(crate) fn document(text: &str) -> Option<(&str, Node, &str)> {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let start = text.len() - text.trim_start_matches('\u{feff}').trim_start_matches(SPACE).len();
    let end = text.trim_end_matches(SPACE).len();
    let source = Source { raw: text.into(), plain: text.to_owned(), at: (0..=text.len()).collect() };
    let node = Reader { source: &source, at: start }.value()?;
    Some((&text[..start], node, &text[end..]))
}

impl Node {
    /// The value of the JSON text in a string, with the bytes around it.
    pub(crate) fn inside(&self) -> Option<(String, Node, String)> {
        let source = self.text.as_ref()?;
        let mut reader = Reader { source, at: 0 };
        reader.space();
        let start = reader.at;
        let node = reader.value()?;
        let end = reader.at;
        reader.space();
        let raw = |from: usize, to: usize| source.raw[source.at[from]..source.at[to]].to_owned();
        (reader.at == source.plain.len()).then(|| (raw(0, start), node, raw(end, source.plain.len())))
    }

    /// The value without its layout.
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.plain).unwrap_or_default()
    }

    pub(crate) fn is_text(&self) -> bool {
        self.text.is_some()
    }

    pub(crate) fn is_container(&self) -> bool {
        !matches!(self.kind, Kind::Leaf)
    }

    pub(crate) fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(..))
    }

    pub(crate) fn is_null(&self) -> bool {
        self.plain == "null"
    }

    /// The value of a key; of two equal keys the last one.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Object(members, _) => members.iter().rev().find(|member| member.key == key).map(|m| &m.value),
            _ => None,
        }
    }
}

struct Reader<'s> {
    source: &'s Source,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.plain.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn raw(&self, from: usize) -> String {
        self.source.raw[self.source.at[from]..self.source.at[self.at]].to_owned()
    }

    fn value(&mut self) -> Option<Node> {
        let start = self.at;
        let (kind, text) = match self.peek()? {
            b'{' => (self.object()?, None),
            b'[' => (self.list()?, None),
            b'"' => (Kind::Leaf, Some(self.text()?)),
            _ => {
                while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')) {
                    self.at += 1;
                }
                let literal = &self.source.plain[start..self.at];
                serde_json::from_str::<Value>(literal).ok()?;
                (Kind::Leaf, None)
            }
        };
        Some(Node { kind, raw: self.raw(start), plain: self.source.plain[start..self.at].to_owned(), text })
    }

    /// What stands between two items: space, and perhaps a comma.
    fn gap(&mut self, comma: bool) -> Option<String> {
        let start = self.at;
        self.space();
        if comma && self.peek()? == b',' {
            self.at += 1;
            self.space();
        }
        Some(self.raw(start))
    }

    fn list(&mut self) -> Option<Kind> {
        self.at += 1;
        let (mut items, mut gaps) = (Vec::new(), Vec::new());
        loop {
            gaps.push(self.gap(!items.is_empty())?);
            if self.peek()? == b']' {
                self.at += 1;
                return Some(Kind::List(items, gaps));
            }
            items.push(self.value()?);
        }
    }

    fn object(&mut self) -> Option<Kind> {
        self.at += 1;
        let (mut members, mut gaps) = (Vec::new(), Vec::new());
        loop {
            gaps.push(self.gap(!members.is_empty())?);
            if self.peek()? == b'}' {
                self.at += 1;
                return Some(Kind::Object(members, gaps));
            }
            let start = self.at;
            let key = self.text()?.plain;
            self.space();
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            self.space();
            let head = self.raw(start);
            members.push(Member { key, head, value: self.value()? });
        }
    }

    fn text(&mut self) -> Option<Source> {
        let (mut plain, mut at) = (String::new(), Vec::new());
        self.at += 1;
        loop {
            let start = self.source.at[self.at];
            let c = self.source.plain[self.at..].chars().next()?;
            self.at += c.len_utf8();
            let read = match c {
                '"' => {
                    at.push(start);
                    return Some(Source { raw: self.source.raw.clone(), plain, at });
                }
                '\\' => self.escape()?,
                c => c,
            };
            at.extend(std::iter::repeat_n(start, read.len_utf8()));
            plain.push(read);
        }
    }

    fn escape(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(match c {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let unit = self.unit()?;
                if (0xd800..0xdc00).contains(&unit) && self.source.plain[self.at..].starts_with("\\u") {
                    let back = self.at;
                    self.at += 2;
                    match char::decode_utf16([unit, self.unit()?]).next()? {
                        Ok(c) => return Some(c),
                        Err(_) => self.at = back,
                    }
                }
                char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}')
            }
            c => char::from(c),
        })
    }

    fn unit(&mut self) -> Option<u16> {
        let digits = self.source.plain.get(self.at..self.at + 4)?;
        self.at += 4;
        u16::from_str_radix(digits, 16).ok()
    }
}

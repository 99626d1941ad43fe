use std::borrow::Cow;

use super::scan::special;

/// The escape at `at` (a backslash): its character, its length in bytes, and whether it was a
/// lone surrogate, which reads as U+FFFD.
#[inline]
pub(super) fn escape(bytes: &[u8], at: usize) -> Option<(char, usize, bool)> {
    Some(match bytes.get(at + 1)? {
        b'n' => ('\n', 2, false),
        b'"' => ('"', 2, false),
        b'\\' => ('\\', 2, false),
        b't' => ('\t', 2, false),
        b'r' => ('\r', 2, false),
        b'/' => ('/', 2, false),
        b'b' => ('\u{8}', 2, false),
        b'f' => ('\u{c}', 2, false),
        b'u' => {
            let high = hex(bytes, at + 2)?;
            if let Some(c) = char::from_u32(high) {
                return Some((c, 6, false));
            }
            if (0xD800..0xDC00).contains(&high) && bytes.get(at + 6..at + 8) == Some(b"\\u") {
                let low = hex(bytes, at + 8)?;
                if (0xDC00..0xE000).contains(&low) {
                    let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                    return char::from_u32(code).map(|c| (c, 12, false));
                }
            }
            (char::REPLACEMENT_CHARACTER, 6, true)
        }
        _ => return None,
    })
}

fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.iter().try_fold(0, |n, b| Some(n << 4 | char::from(*b).to_digit(16)?))
}

/// Resolves the escapes of the body of a string; true when a lone surrogate became U+FFFD.
pub fn unescape(raw: &str) -> (Cow<'_, str>, bool) {
    let bytes = raw.as_bytes();
    let Some(first) = raw.find('\\') else {
        return (Cow::Borrowed(raw), false);
    };
    let mut out = String::with_capacity(raw.len());
    let mut replaced = false;
    let (mut start, mut at) = (0, first);
    loop {
        out.push_str(&raw[start..at]);
        if at == raw.len() {
            return (Cow::Owned(out), replaced);
        }
        // The cursor has checked every escape before this is called; a foreign text that holds
        // a stray backslash keeps it.
        let (c, length, lone) = escape(bytes, at).unwrap_or(('\\', 1, false));
        replaced |= lone;
        out.push(c);
        start = at + length;
        at = raw[start..].find('\\').map_or(raw.len(), |n| start + n);
    }
}

/// Appends a text as a JSON string, with the quotes.
pub fn write_text(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Appends the body of a JSON string.
pub(super) fn write_escaped(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut start = 0;
    loop {
        let at = special(bytes, start);
        out.push_str(&text[start..at]);
        let Some(&b) = bytes.get(at) else { return };
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            _ => {
                out.push_str("\\u00");
                for digit in [b >> 4, b & 15] {
                    out.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
                }
            }
        }
        start = at + 1;
    }
}

/// Whether a text is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(char::is_whitespace)
}

/// Finds in the body of a string the place that a byte of its resolved text came from.
///
/// Text in text is edited in its resolved form; the patches then have to land on the escaped one.
/// The positions asked for must not go backwards.
#[derive(Debug)]
pub(crate) struct OuterSpan<'t> {
    raw: &'t str,
    outer: usize,
    inner: usize,
}

impl<'t> OuterSpan<'t> {
    pub(crate) fn new(raw: &'t str) -> Self {
        Self { raw, outer: 0, inner: 0 }
    }

    /// The byte of the escaped body at which byte `inner` of the resolved text stands.
    pub(crate) fn of(&mut self, inner: usize) -> usize {
        let bytes = self.raw.as_bytes();
        while self.inner < inner {
            match bytes.get(self.outer) {
                Some(b'\\') => {
                    let (c, length, _) = escape(bytes, self.outer).unwrap_or(('\\', 1, false));
                    self.inner += c.len_utf8();
                    self.outer += length;
                }
                Some(_) => {
                    self.inner += 1;
                    self.outer += 1;
                }
                None => break,
            }
        }
        self.outer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_resolve_and_lone_surrogates_are_told() {
        assert_eq!(unescape(r"a\u00e9\ud83d\ude00\n\/"), ("aé😀\n/".into(), false));
        assert_eq!(unescape(r"\ud83dx\ude00"), ("\u{fffd}x\u{fffd}".into(), true));
    }

    #[test]
    fn written_text_reads_back() {
        let text: String = (0u32..0x300).filter_map(char::from_u32).collect();
        let mut out = String::new();
        write_text(&text, &mut out);
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
    }

    #[test]
    fn inner_positions_are_found_behind_escapes() {
        let raw = r#"{\"k\": \"\u00e9\ud83d\ude00x\"}"#;
        let (inner, _) = unescape(raw);
        let mut outer = OuterSpan::new(raw);
        for (at, _) in inner.char_indices() {
            let place = outer.of(at);
            assert_eq!(unescape(&raw[place..]).0, inner[at..], "inner byte {at}");
        }
        assert_eq!(outer.of(inner.len()), raw.len());
    }
}

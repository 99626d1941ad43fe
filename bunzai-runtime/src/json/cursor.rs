use std::borrow::Cow;

use super::scan::{marks, special, word};
use super::text::{escape, unescape};
use super::{AROUND, MAX_DEPTH, Number, Result, SyntaxError, SyntaxErrorKind};

/// A pull reader over the text of a JSON document.
///
/// It stands at a byte of the text; every call reads one piece and moves behind it. Containers
/// are walked with a first call that says whether there is anything inside and [`Cursor::more`]
/// after each item:
///
/// ```
/// use bunzai_runtime::json::Cursor;
///
/// let mut cursor = Cursor::new(r#"{"a": 1, "b": [true]}"#);
/// let mut keys = Vec::new();
/// if cursor.object()? {
///     loop {
///         keys.push(cursor.key()?.text().into_owned());
///         cursor.skip()?;
///         if !cursor.more(b'}')? {
///             break;
///         }
///     }
/// }
/// cursor.end()?;
/// assert_eq!(keys, ["a", "b"]);
/// # Ok::<(), bunzai_runtime::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct Cursor<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    depth: u32,
    /// How many containers it may be inside of.
    deepest: u32,
    /// What was odd in the values read since the last look.
    odd: Odd,
    /// Where text with escapes is put together before its length is known.
    scratch: String,
}

impl Clone for Cursor<'_> {
    fn clone(&self) -> Self {
        Self { scratch: String::new(), ..*self }
    }
}

/// What a value may have that JSON allows and that is not read as it stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Odd {
    /// A lone surrogate escape, read as U+FFFD.
    pub(crate) replaced: bool,
    /// A key that stands twice in one object, of which the last counts.
    pub(crate) repeated: bool,
}

/// The key of a member, still escaped.
#[derive(Debug, Clone, Copy)]
pub struct Key<'t> {
    raw: &'t str,
    escaped: bool,
    /// Where the opening quote stands.
    pub at: usize,
}

impl<'t> Key<'t> {
    /// The key with its escapes resolved.
    pub fn text(self) -> Cow<'t, str> {
        if self.escaped { unescape(self.raw).0 } else { Cow::Borrowed(self.raw) }
    }
}

impl<'t> Cursor<'t> {
    /// A cursor at the start of a text.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        Self { text, bytes, at: 0, depth: 0, deepest: MAX_DEPTH, odd: Odd::default(), scratch: String::new() }
    }

    /// A cursor at a byte of a text, `depth` levels down.
    ///
    /// It goes a few levels deeper: to where a native file holds a document, or a part of one, that
    /// is as deep as may be.
    pub(crate) fn starting_at(text: &'t str, at: usize, depth: u32) -> Self {
        Self { at, depth, deepest: MAX_DEPTH + AROUND, ..Self::new(text) }
    }

    /// The whole text.
    pub fn source(&self) -> &'t str {
        self.text
    }

    /// The byte the cursor stands at.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes back to a byte at which the cursor stood in the same container.
    pub(crate) fn go_back(&mut self, at: usize) {
        self.at = at;
    }

    /// How many containers the cursor is inside of.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// What was odd in the values read since this was last asked.
    #[inline]
    pub(crate) fn take_odd(&mut self) -> Option<Odd> {
        (self.odd != Odd::default()).then(|| std::mem::take(&mut self.odd))
    }

    /// A key stands twice in an object that was read.
    #[cold]
    pub(crate) fn note_repeated(&mut self) {
        self.odd.repeated = true;
    }

    #[cold]
    fn fail<T>(&self, at: usize, kind: SyntaxErrorKind) -> Result<T> {
        let kind = if at >= self.bytes.len() && kind != SyntaxErrorKind::Depth { SyntaxErrorKind::Ends } else { kind };
        Err(SyntaxError::new(at.min(self.bytes.len()), kind))
    }

    #[inline(always)]
    fn space(&mut self) {
        if self.bytes.get(self.at).is_some_and(|b| *b > b' ') {
            return;
        }
        self.long_space();
    }

    #[inline(never)]
    fn long_space(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Moves to the next value and tells its first byte.
    #[inline(always)]
    pub fn peek(&mut self) -> Result<u8> {
        self.space();
        match self.bytes.get(self.at) {
            Some(b) => Ok(*b),
            None => self.fail(self.at, SyntaxErrorKind::Ends),
        }
    }

    #[inline(always)]
    fn eat(&mut self, byte: u8) -> Result<()> {
        if self.bytes.get(self.at) == Some(&byte) {
            self.at += 1;
            Ok(())
        } else {
            self.fail(self.at, SyntaxErrorKind::Unexpected)
        }
    }

    /// Enters an object; false when it is empty (and left again).
    #[inline]
    pub fn object(&mut self) -> Result<bool> {
        self.enter(b'{', b'}')
    }

    /// Enters a list; false when it is empty (and left again).
    #[inline]
    pub fn list(&mut self) -> Result<bool> {
        self.enter(b'[', b']')
    }

    #[inline(always)]
    fn enter(&mut self, open: u8, close: u8) -> Result<bool> {
        self.space();
        let start = self.at;
        self.eat(open)?;
        if self.depth == self.deepest {
            return self.fail(start, SyntaxErrorKind::Depth);
        }
        if self.peek()? == close {
            self.at += 1;
            return Ok(false);
        }
        self.depth += 1;
        Ok(true)
    }

    /// After an item: true at the next one, false when the container ended here.
    #[inline(always)]
    pub fn more(&mut self, close: u8) -> Result<bool> {
        match self.peek()? {
            b',' => {
                self.at += 1;
                self.space();
                Ok(true)
            }
            b if b == close && self.depth > 0 => {
                self.at += 1;
                self.depth -= 1;
                Ok(false)
            }
            _ => self.fail(self.at, SyntaxErrorKind::Unexpected),
        }
    }

    /// Reads the key of a member and moves to its value.
    #[inline(always)]
    pub fn key(&mut self) -> Result<Key<'t>> {
        self.space();
        let at = self.at;
        let (raw, escaped) = self.raw_text()?;
        self.space();
        self.eat(b':')?;
        self.space();
        Ok(Key { raw, escaped, at })
    }

    /// The body of the string at the cursor, escapes unresolved, and whether there are any.
    #[inline(always)]
    pub(crate) fn raw_text(&mut self) -> Result<(&'t str, bool)> {
        self.eat(b'"')?;
        let start = self.at;
        let end = special(self.bytes, start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok((&self.text[start..end], false));
        }
        self.escaped_text(start, end)
    }

    #[inline(never)]
    fn escaped_text(&mut self, start: usize, mut at: usize) -> Result<(&'t str, bool)> {
        loop {
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok((&self.text[start..at], true));
                }
                Some(b'\\') => {
                    at += match self.bytes.get(at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') => {
                            let digits = self.bytes.get(at + 2..at + 6);
                            if !digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit)) {
                                return self.fail(at, SyntaxErrorKind::Escape);
                            }
                            6
                        }
                        None => return self.fail(at + 1, SyntaxErrorKind::Ends),
                        Some(_) => return self.fail(at, SyntaxErrorKind::Escape),
                    };
                    at = special(self.bytes, at);
                }
                Some(_) => return self.fail(at, SyntaxErrorKind::Control),
                None => return self.fail(at, SyntaxErrorKind::Ends),
            }
        }
    }

    /// Reads the string at the cursor. A lone surrogate escape reads as U+FFFD.
    #[inline(always)]
    pub fn text(&mut self) -> Result<Cow<'t, str>> {
        self.eat(b'"')?;
        let start = self.at;
        let end = special(self.bytes, start);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Cow::Borrowed(&self.text[start..end]));
        }
        self.unescaped_text(start, end)
    }

    /// One pass: what stands between the escapes is copied while they are found.
    #[inline(never)]
    fn unescaped_text(&mut self, mut start: usize, mut at: usize) -> Result<Cow<'t, str>> {
        self.scratch.clear();
        loop {
            self.scratch.push_str(&self.text[start..at]);
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(Cow::Owned(self.scratch.as_str().to_owned()));
                }
                Some(b'\\') => {
                    let Some((c, length, lone)) = escape(self.bytes, at) else {
                        return self.fail(at, SyntaxErrorKind::Escape);
                    };
                    self.odd.replaced |= lone;
                    self.scratch.push(c);
                    start = at + length;
                    at = special(self.bytes, start);
                }
                Some(_) => return self.fail(at, SyntaxErrorKind::Control),
                None => return self.fail(at, SyntaxErrorKind::Ends),
            }
        }
    }

    /// Reads the string at the cursor and tells whether it says `other`, without copying.
    #[inline]
    pub fn same_text(&mut self, other: &str) -> Result<bool> {
        self.eat(b'"')?;
        let start = self.at;
        let other = other.as_bytes();
        let (mut at, mut seen) = (start, 0);
        loop {
            if let (Some(a), Some(b)) = (word(self.bytes, at), word(other, seen)) {
                let (special, differs) = (marks(a), a ^ b);
                if special | differs == 0 {
                    at += 8;
                    seen += 8;
                    continue;
                }
                let steps = (special.trailing_zeros() / 8) as usize;
                if ((differs.trailing_zeros() / 8) as usize) < steps {
                    break;
                }
                at += steps;
                seen += steps;
            }
            match self.bytes.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    return Ok(seen == other.len());
                }
                Some(b'\\') => {
                    let Some((c, length, _)) = escape(self.bytes, at) else {
                        return self.fail(at, SyntaxErrorKind::Escape);
                    };
                    let mut buffer = [0; 4];
                    let encoded = c.encode_utf8(&mut buffer).as_bytes();
                    if !other[seen..].starts_with(encoded) {
                        break;
                    }
                    at += length;
                    seen += encoded.len();
                }
                Some(b) => {
                    if other.get(seen) != Some(b) || *b < 0x20 {
                        break;
                    }
                    at += 1;
                    seen += 1;
                }
                None => return self.fail(at, SyntaxErrorKind::Ends),
            }
        }
        // Different: the rest is still read, because it must be a string.
        let end = special(self.bytes, at);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
        } else {
            self.escaped_text(start, end)?;
        }
        Ok(false)
    }

    /// Reads the number at the cursor; nothing when it is too large for a double.
    #[inline]
    pub fn number(&mut self) -> Result<Option<Number>> {
        let (text, integer) = self.raw_number()?;
        Ok(Number::parse(text, integer))
    }

    /// The text of the number at the cursor, and whether it is written as an integer.
    #[inline]
    fn raw_number(&mut self) -> Result<(&'t str, bool)> {
        let (start, bytes) = (self.at, self.bytes);
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let mut at = start;
        let mut integer = true;
        if bytes.get(at) == Some(&b'-') {
            at += 1;
        }
        match bytes.get(at) {
            Some(b'0') => at += 1,
            Some(b'1'..=b'9') => at = digits(at + 1),
            _ if at == start => return self.fail(at, SyntaxErrorKind::Unexpected),
            _ => return self.fail(at, SyntaxErrorKind::Number),
        }
        if bytes.get(at) == Some(&b'.') {
            integer = false;
            let end = digits(at + 1);
            if end == at + 1 {
                return self.fail(end, SyntaxErrorKind::Number);
            }
            at = end;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            integer = false;
            at += 1;
            if matches!(bytes.get(at), Some(b'+' | b'-')) {
                at += 1;
            }
            let end = digits(at);
            if end == at {
                return self.fail(end, SyntaxErrorKind::Number);
            }
            at = end;
        }
        self.at = at;
        Ok((&self.text[start..at], integer))
    }

    /// Reads `true`, `false` or `null` (as nothing).
    #[inline]
    pub fn literal(&mut self) -> Result<Option<bool>> {
        let (word, value): (&[u8], _) = match self.bytes.get(self.at) {
            Some(b't') => (b"true", Some(true)),
            Some(b'f') => (b"false", Some(false)),
            _ => (b"null", None),
        };
        if self.bytes[self.at.min(self.bytes.len())..].starts_with(word) {
            self.at += word.len();
            return Ok(value);
        }
        let same = word.iter().zip(&self.bytes[self.at.min(self.bytes.len())..]).take_while(|(a, b)| a == b).count();
        self.fail(self.at + same, SyntaxErrorKind::Unexpected)
    }

    /// Reads one value of any kind and drops it, checking that it is JSON.
    #[inline]
    pub fn skip(&mut self) -> Result<()> {
        match self.peek()? {
            b'"' => self.raw_text().map(drop),
            b'{' | b'[' => self.skip_container(),
            _ => self.skip_scalar(),
        }
    }

    #[inline]
    fn skip_scalar(&mut self) -> Result<()> {
        match self.bytes.get(self.at) {
            Some(b't' | b'f' | b'n') => self.literal().map(drop),
            _ => self.raw_number().map(drop),
        }
    }

    /// The kinds of the open containers are the bits of one word; what is deeper than a word is
    /// skipped by a call of its own.
    #[inline(never)]
    fn skip_container(&mut self) -> Result<()> {
        const { assert!(MAX_DEPTH + AROUND <= 2 * u128::BITS) };
        let outside = self.depth;
        let mut objects: u128 = 0;
        loop {
            match self.peek()? {
                b'{' | b'[' if self.depth - outside == u128::BITS => self.skip_container()?,
                b'{' => {
                    if self.object()? {
                        objects = objects << 1 | 1;
                        self.key()?;
                        continue;
                    }
                }
                b'[' => {
                    if self.list()? {
                        objects <<= 1;
                        continue;
                    }
                }
                b'"' => {
                    self.raw_text()?;
                }
                _ => self.skip_scalar()?,
            }
            loop {
                if self.depth == outside {
                    return Ok(());
                }
                if objects & 1 == 1 {
                    if self.more(b'}')? {
                        self.key()?;
                        break;
                    }
                } else if self.more(b']')? {
                    break;
                }
                objects >>= 1;
            }
        }
    }

    /// Checks that nothing but white space follows.
    pub fn end(&mut self) -> Result<()> {
        self.space();
        if self.at == self.bytes.len() { Ok(()) } else { self.fail(self.at, SyntaxErrorKind::Trailing) }
    }
}

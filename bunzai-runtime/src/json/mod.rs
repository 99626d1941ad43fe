//! JSON as text: reading it in place, comparing it in place, printing it, and splicing it.
//!
//! The engine never builds a tree of a document. A [`Cursor`] walks the bytes of the source; what
//! is mapped is read or compared where it stands, and what changed is spliced back into the text.

mod cursor;
mod locate;
mod number;
mod outline;
mod pointer;
mod print;
mod scan;
mod splice;
mod text;
mod value;

pub(crate) use cursor::Odd;
pub use cursor::{Cursor, Key};
pub(crate) use locate::{Change, set};
pub use locate::{locate, locate_all};
pub use number::Number;
pub(crate) use outline::{Item, Member, Outline, items, members};
pub use pointer::Pointer;
pub(crate) use print::{Layout, Style, print};
pub(crate) use splice::{NewMember, Patches, Place};
pub(crate) use text::{OuterSpan, is_blank};
pub use text::{unescape, write_text};
pub use value::Value;

use std::fmt;

/// Levels of nesting a document may have; a deeper one is refused.
pub const MAX_DEPTH: u32 = 128;

/// The levels that a native file may put around a value of a document.
pub(crate) const AROUND: u32 = 16;

/// Why a text is not JSON, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Byte offset into the text.
    pub at: usize,
    /// What stands there.
    pub kind: SyntaxErrorKind,
}

/// What is wrong at the place of a [`SyntaxError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    /// The text ends inside a value.
    Ends,
    /// A character that cannot stand there.
    Unexpected,
    /// A control character inside a string.
    Control,
    /// A backslash that starts no escape.
    Escape,
    /// A number that JSON does not write so.
    Number,
    /// More levels of nesting than [`MAX_DEPTH`].
    Depth,
    /// Text after the value.
    Trailing,
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ends => "the text ends inside a value",
            Self::Unexpected => "unexpected character",
            Self::Control => "control character inside a string",
            Self::Escape => "unknown escape",
            Self::Number => "malformed number",
            Self::Depth => return write!(f, "more than {MAX_DEPTH} levels of nesting"),
            Self::Trailing => "text after the end of the value",
        })
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.at)
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    pub(crate) const fn new(at: usize, kind: SyntaxErrorKind) -> Self {
        Self { at, kind }
    }
}

/// The answer of everything that reads JSON.
pub type Result<T, E = SyntaxError> = std::result::Result<T, E>;

/// Lines and columns of byte offsets that are asked for in their order: each byte is counted once.
#[derive(Debug)]
pub struct Lines<'t> {
    text: &'t str,
    line: usize,
    /// The byte reached, and its column.
    reached: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    /// Starts before the first byte.
    pub fn new(text: &'t str) -> Self {
        Self { text, line: 1, reached: 0, column: 1 }
    }

    /// Line and column, both from 1, of a byte offset that is not before the last one.
    pub fn line_column(&mut self, at: usize) -> (usize, usize) {
        let at = (0..=at.min(self.text.len())).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0);
        let between = &self.text[self.reached.min(at)..at];
        match between.rfind('\n') {
            None => self.column += between.chars().count(),
            Some(last) => {
                self.line += between.bytes().filter(|b| *b == b'\n').count();
                self.column = between[last + 1..].chars().count() + 1;
            }
        }
        self.reached = at;
        (self.line, self.column)
    }
}

/// Line and column of a byte offset, both from 1, the column in characters.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    Lines::new(text).line_column(at)
}

use std::fmt;

use crate::json::{SyntaxError, line_column};
use crate::printable::printable;

/// The answer of everything that can fail as a whole.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a document cannot be imported or an entity cannot be exported.
///
/// A value of the wrong type is none of these: it is a [`Warning`], and its bytes stay in the twin.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The file is larger than the limit.
    TooLarge {
        /// Its size in bytes.
        size: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file is not UTF-8.
    NotUtf8 {
        /// The first byte that is not.
        at: usize,
        /// The line of that byte, from 1.
        line: usize,
    },
    /// The file is not JSON.
    NotJson {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// A document has more rows than the limit.
    TooManyRows {
        /// The limit.
        limit: usize,
    },
    /// Text in text in text, deeper than the limit.
    TooManyTexts {
        /// The limit.
        limit: usize,
    },
    /// No format claims the document.
    NotRecognised {
        /// Why the format that came nearest does not, if one came near.
        nearest: Option<Box<Error>>,
    },
    /// The document is not of the format it was to be read as.
    Refused {
        /// The format.
        format: String,
        /// The condition that failed.
        because: String,
    },
    /// A slot that a format cannot do without is not there.
    Needed {
        /// The format.
        format: String,
        /// JSON pointer into the document.
        at: String,
        /// What should be there.
        expected: String,
    },
    /// A value that the format refuses to read.
    Unreadable {
        /// The format.
        format: String,
        /// JSON pointer into the document.
        at: String,
    },
    /// A native file that is not one: everything that is wrong with it.
    Invalid(Vec<Problem>),
    /// A pointer leads nowhere.
    Nowhere {
        /// The pointer.
        at: String,
    },
    /// The format is of another kind than the entity.
    WrongKind {
        /// The format.
        format: String,
        /// Its kind.
        expected: String,
        /// The kind of the entity.
        found: String,
    },
    /// There is no such format.
    UnknownFormat {
        /// What was asked for.
        name: String,
        /// The id that was probably meant.
        meant: Option<String>,
    },
    /// A map that does not fit the type it maps to. The checks of a mapping file rule this out.
    BadMap {
        /// The format.
        format: String,
        /// What does not fit.
        message: String,
    },
}

/// One problem of a native file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer into the document.
    pub at: String,
    /// Line, from 1; 0 where it is about no text that is at hand.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Something odd that was read past; the bytes of it stay in the twin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// JSON pointer into the document it is about.
    pub at: String,
    /// What sort of thing it is.
    pub kind: WarningKind,
    /// What is odd.
    pub message: String,
}

/// What sort of thing a [`Warning`] is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// A value of another type than the format knows, or a word it does not know.
    Type,
    /// The same inside JSON text in a string, or a string that should be JSON text and is not. A
    /// schema describes such text, but validators do not look into it.
    Text,
    /// Of a row that is one out of many: which one it is, that it is not there, or what is odd in it.
    /// A schema does not know which row that is.
    Row,
    /// A key that stands twice in one object.
    DuplicateKey,
    /// Half of a surrogate pair, read as U+FFFD.
    Surrogate,
    /// Something about the conversion as a whole.
    Other,
}

impl Error {
    /// An error of JSON syntax, placed in its text.
    pub(crate) fn syntax(source: &str, error: SyntaxError) -> Self {
        let (line, column) = line_column(source, error.at);
        Self::NotJson { line, column, message: error.kind.to_string() }
    }

    /// The error of a document before which this text stands.
    pub(crate) fn below(self, lead: &str) -> Self {
        match self {
            Self::NotJson { line, column, message } => {
                let (lines, columns) = line_column(lead, lead.len());
                let column = if line == 1 { column + columns - 1 } else { column };
                Self::NotJson { line: line + lines - 1, column, message }
            }
            error => error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { size, limit } => {
                write!(f, "the file has {size} bytes; the limit is {limit}")
            }
            Self::NotUtf8 { at, line } => write!(f, "not UTF-8: byte {at}, in line {line}, starts no character"),
            Self::NotJson { line, column, message } => {
                write!(f, "not JSON: line {line}, column {column}: {message}")
            }
            Self::TooManyRows { limit } => write!(f, "more than {limit} rows"),
            Self::TooManyTexts { limit } => write!(f, "more than {limit} levels of JSON text inside JSON text"),
            Self::NotRecognised { nearest: None } => f.write_str("no format claims this file"),
            Self::NotRecognised { nearest: Some(nearest) } => {
                write!(f, "no format claims this file; the nearest says: {nearest}")
            }
            Self::Refused { format, because } => {
                write!(f, "this is no {} file: it is not so that {}", printable(format), printable(because))
            }
            Self::Needed { format, at, expected } => {
                write!(f, "{}: `{}` must be {expected}, and is not", printable(format), printable(at))
            }
            Self::Unreadable { format, at } => {
                write!(f, "{}: the value at `{}` has no reading", printable(format), printable(at))
            }
            Self::Invalid(problems) => {
                f.write_str("no valid canonical file:")?;
                for problem in problems {
                    write!(f, "\n  {problem}")?;
                }
                Ok(())
            }
            Self::Nowhere { at } => write!(f, "there is nothing at `{}`", printable(at)),
            Self::WrongKind { format, expected, found } => {
                write!(f, "{} holds a {expected}; this is a {found}", printable(format))
            }
            Self::UnknownFormat { name, meant } => {
                write!(f, "there is no format `{}`", printable(name))?;
                meant.as_ref().map_or(Ok(()), |meant| write!(f, "; did you mean `{}`?", printable(meant)))
            }
            Self::BadMap { format, message } => {
                write!(f, "the map of {}: {}", printable(format), printable(message))
            }
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Problem {
    /// `/body/name (line 3, column 5): expected a string`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, line, column, message } = self;
        let at = if at.is_empty() { "/" } else { at };
        match line {
            // Of a text that is nowhere to be seen no line is told.
            0 => write!(f, "{}: {}", printable(at), printable(message)),
            _ => write!(f, "{} (line {line}, column {column}): {}", printable(at), printable(message)),
        }
    }
}

impl fmt::Display for Warning {
    /// `/comment: expected string`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, message) = (printable(&self.at), printable(&self.message));
        if at.is_empty() { f.write_str(&message) } else { write!(f, "{at}: {message}") }
    }
}

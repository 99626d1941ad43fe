use std::borrow::Cow;

use super::{Seq, Step, Str, Types};
use crate::json::{Number, Value};

/// A constant of a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `"@none"`: no value.
    Absent,
    /// `"@null"`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(Str),
    /// A list.
    List(Seq<Literal>),
    /// An object, in order.
    Object(Seq<(Str, Literal)>),
}

/// What fills a slot or a path that has nothing of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// A constant.
    Is(Literal),
    /// The slug of the text at a canonical path.
    Slug {
        /// The path, in the scope of the row.
        path: Str,
        /// What stands between its words.
        sep: Str,
    },
    /// Texts one after another.
    Concat(Seq<Piece>),
    /// What stands for the text at a canonical path; nothing for a text that is not here.
    Words {
        /// The path, in the scope of the row.
        path: Str,
        /// The texts, and what stands for each.
        words: Seq<(Str, Str)>,
    },
    /// The name of the file without folders and last extension.
    FileStem,
    /// The name of the file without folders.
    FileName,
    /// The place of the row, counted from a number; with a word in front, text.
    Count {
        /// The number of the first row.
        from: i64,
        /// The word before it.
        word: Str,
    },
    /// A value of the file that is being written.
    Wire {
        /// Whether the path starts at the document, and not at the object the value stands in.
        whole: bool,
        /// The path.
        at: Seq<Step>,
    },
}

/// A piece of a [`Fill::Concat`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// This text.
    Is(Str),
    /// The text at a canonical path.
    Path(Str),
}

impl Literal {
    /// The constant as a value; nothing for [`Literal::Absent`].
    pub fn value(&self) -> Option<Value<'_>> {
        Some(match self {
            Self::Absent => return None,
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(*b),
            Self::Number(n) => Value::Number(*n),
            Self::Text(text) => Value::Text(Cow::Borrowed(text)),
            Self::List(items) => Value::List(items.iter().filter_map(Self::value).collect()),
            Self::Object(members) => Value::Object(
                members.iter().filter_map(|(key, v)| Some((Cow::Borrowed(key.as_ref()), v.value()?))).collect(),
            ),
        })
    }

    /// The JSON type of the constant.
    pub const fn types(&self) -> Types {
        match self {
            Self::Absent => Types::NONE,
            Self::Null => Types::NULL,
            Self::Bool(_) => Types::BOOLEAN,
            Self::Number(_) => Types::NUMBER,
            Self::Text(_) => Types::STRING,
            Self::List(_) => Types::LIST,
            Self::Object(_) => Types::OBJECT,
        }
    }

    /// Whether the constant is nothing: `@none`, null, white space, an empty list or object.
    pub fn is_nothing(&self) -> bool {
        crate::blank::value_is_nothing(self.value().as_ref())
    }

    /// Whether a value is this constant.
    pub fn is(&self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(a), Value::Bool(b)) => a == b,
            (Self::Number(a), Value::Number(b)) => a == b,
            (Self::Text(a), Value::Text(b)) => a == b,
            (Self::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is(b)),
            (Self::Object(a), Value::Object(b)) => {
                a.len() == b.len() && a.iter().all(|(k, a)| value.get(k).is_some_and(|b| a.is(b)))
            }
            _ => false,
        }
    }
}

impl From<Value<'_>> for Literal {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(b),
            Value::Number(n) => Self::Number(n),
            Value::Text(text) => Self::Text(Cow::Owned(text.into_owned())),
            Value::List(items) => Self::List(items.into_iter().map(Into::into).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), v.into())).collect())
            }
        }
    }
}

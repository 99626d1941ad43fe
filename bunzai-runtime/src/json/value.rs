use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::IndexMap;

use super::{Cursor, Number, Result};

/// A JSON value that borrows its text where it can.
///
/// The engine moves single values in this form. Members keep their order.
#[derive(Debug, Clone, PartialEq)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number within reach of a double.
    Number(Number),
    /// A string.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Value<'a>>),
    /// An object, in the order of its members.
    Object(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// The value of a text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// The text, if the value is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member of an object.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// Reads the value at a cursor. A number too large for a double gives nothing.
    pub fn read(cursor: &mut Cursor<'a>) -> Result<Option<Self>> {
        Self::read_with(cursor, None)
    }

    /// Reads the value at a cursor, with another value for each number too large for a double.
    pub fn read_or(cursor: &mut Cursor<'a>, large: &Value<'a>) -> Result<Self> {
        Ok(Self::read_with(cursor, Some(large))?.unwrap_or(Self::Null))
    }

    fn read_with(cursor: &mut Cursor<'a>, large: Option<&Value<'a>>) -> Result<Option<Self>> {
        Ok(Some(match cursor.peek()? {
            b'"' => Self::Text(cursor.text()?),
            b'{' => {
                let mut members = Vec::new();
                let mut whole = true;
                if cursor.object()? {
                    loop {
                        let key = cursor.key()?.text();
                        match Self::read_with(cursor, large)? {
                            Some(value) => members.push((key, value)),
                            None => whole = false,
                        }
                        if !cursor.more(b'}')? {
                            break;
                        }
                    }
                }
                if members.len() > 1 && last_of_equal(&mut members) {
                    cursor.note_repeated();
                }
                if !whole {
                    return Ok(None);
                }
                Self::Object(members)
            }
            b'[' => {
                let mut items = Vec::new();
                let mut whole = true;
                if cursor.list()? {
                    loop {
                        match Self::read_with(cursor, large)? {
                            Some(value) => items.push(value),
                            None => whole = false,
                        }
                        if !cursor.more(b']')? {
                            break;
                        }
                    }
                }
                if !whole {
                    return Ok(None);
                }
                Self::List(items)
            }
            b't' | b'f' | b'n' => cursor.literal()?.map_or(Self::Null, Self::Bool),
            _ => match cursor.number()? {
                Some(number) => Self::Number(number),
                None => return Ok(large.cloned()),
            },
        }))
    }

    /// The same value, borrowing nothing.
    pub fn into_owned(self) -> Value<'static> {
        match self {
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(b),
            Self::Number(n) => Value::Number(n),
            Self::Text(text) => Value::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Value::List(items.into_iter().map(Value::into_owned).collect()),
            Self::Object(members) => {
                Value::Object(members.into_iter().map(|(k, v)| (Cow::Owned(k.into_owned()), v.into_owned())).collect())
            }
        }
    }
}

/// Leaves of members with equal keys the last, in the place of the first; true when there were
/// such.
fn last_of_equal(members: &mut Vec<(Cow<'_, str>, Value<'_>)>) -> bool {
    const FEW: usize = 12;
    let repeats = if members.len() <= FEW {
        (1..members.len()).any(|n| members[..n].iter().any(|(key, _)| *key == members[n].0))
    } else {
        let mut seen = HashSet::with_capacity(members.len());
        !members.iter().all(|(key, _)| seen.insert(key.as_ref()))
    };
    if repeats {
        let mut last = IndexMap::with_capacity(members.len());
        last.extend(members.drain(..));
        members.extend(last);
    }
    repeats
}

impl From<Value<'_>> for serde_json::Value {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(b) => Self::Bool(b),
            Value::Number(n) => Self::Number(n.into()),
            Value::Text(text) => Self::String(text.into_owned()),
            Value::List(items) => Self::Array(items.into_iter().map(Into::into).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(k, v)| (k.into_owned(), v.into())).collect())
            }
        }
    }
}

impl<'a> From<&'a serde_json::Value> for Value<'a> {
    fn from(value: &'a serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(b) => Self::Bool(*b),
            serde_json::Value::Number(n) => Self::Number(n.into()),
            serde_json::Value::String(text) => Self::Text(text.into()),
            serde_json::Value::Array(items) => Self::List(items.iter().map(Into::into).collect()),
            serde_json::Value::Object(members) => {
                Self::Object(members.iter().map(|(k, v)| (Cow::Borrowed(k.as_str()), v.into())).collect())
            }
        }
    }
}

//! Spellings: how a value of the model is written on the wire, and read again.

use std::borrow::Cow;

use crate::json::{Cursor, Value};
use crate::map::{Spelling, Types};

impl Spelling {
    /// The JSON types it reads.
    pub(crate) fn reads(self) -> Types {
        match self {
            Self::Bool | Self::Not => Types::BOOLEAN,
            Self::BoolText | Self::NumberText | Self::Trim => Types::STRING,
            Self::BoolInt | Self::Number => Types::NUMBER,
            Self::Unique => Types::LIST,
        }
    }

    /// The values it reads, if they are finitely many.
    pub(super) fn finite_values(self) -> Vec<Value<'static>> {
        match self {
            Self::Bool | Self::Not => vec![Value::Bool(true), Value::Bool(false)],
            Self::BoolText => vec![Value::text("true"), Value::text("false")],
            Self::BoolInt => vec![Value::Number(1.into()), Value::Number(0.into())],
            Self::Number | Self::NumberText | Self::Trim | Self::Unique => Vec::new(),
        }
    }

    pub(super) fn read<'v>(self, value: &Value<'v>) -> Option<Value<'v>> {
        Some(match (self, value) {
            (Self::Bool, Value::Bool(b)) => Value::Bool(*b),
            (Self::Not, Value::Bool(b)) => Value::Bool(!b),
            (Self::BoolText, Value::Text(text)) => match text.as_ref() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => return None,
            },
            (Self::BoolInt, Value::Number(n)) => match n.as_u64() {
                Some(1) => Value::Bool(true),
                Some(0) => Value::Bool(false),
                _ => return None,
            },
            (Self::Number, Value::Number(n)) => Value::Number(*n),
            (Self::NumberText, Value::Text(text)) => {
                let mut cursor = Cursor::new(text);
                let number = cursor.number().ok().flatten()?;
                if cursor.at() != text.len() {
                    return None;
                }
                Value::Number(number)
            }
            (Self::Trim, Value::Text(text)) => Value::Text(match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
            }),
            _ => return None,
        })
    }

    pub(super) fn write(self, value: Value<'_>) -> Option<Value<'_>> {
        Some(match (self, value) {
            (Self::Not, Value::Bool(b)) => Value::Bool(!b),
            (Self::BoolText, Value::Bool(b)) => Value::text(if b { "true" } else { "false" }),
            (Self::BoolInt, Value::Bool(b)) => Value::Number(u64::from(b).into()),
            (Self::NumberText, Value::Number(n)) => Value::text(n.to_string()),
            (Self::Bool, value @ Value::Bool(_))
            | (Self::Number, value @ Value::Number(_))
            | (Self::Trim, value @ Value::Text(_)) => value,
            _ => return None,
        })
    }
}

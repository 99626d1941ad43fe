//! Spellings: how a value of the model is written on the wire, and read again.

use std::borrow::Cow;

use crate::json::{Cursor, Number, Value};
use crate::map::{Spelling, Types};

/// One way to spell a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spell {
    Bool,
    BoolText,
    BoolInt,
    Number,
    NumberText,
    Text,
    Not,
    Trim,
    /// `"TRUE"`, white space around it or not.
    LooseBool,
    /// Decimal text, white space around it or not.
    LooseNumber,
    /// A number or a boolean in the place of text.
    LooseText,
}

impl Spell {
    /// The ways that a word of the language offers for a value of some types.
    pub(super) fn of(word: Spelling, types: Types) -> Vec<Self> {
        let of = |one: Types, ways: &[Self]| if types.meets(one) { ways.to_vec() } else { Vec::new() };
        match word {
            Spelling::Bool => vec![Self::Bool],
            Spelling::BoolText => vec![Self::BoolText],
            Spelling::BoolInt => vec![Self::BoolInt],
            Spelling::Number => vec![Self::Number],
            Spelling::NumberText => vec![Self::NumberText],
            Spelling::Not => vec![Self::Not],
            Spelling::Trim => vec![Self::Trim],
            // It is about lists, and not about how a value is spelled.
            Spelling::Unique => Vec::new(),
            Spelling::Loose => [
                of(Types::STRING, &[Self::Text]),
                of(Types::NUMBER.or(Types::INTEGER), &[Self::Number]),
                of(Types::BOOLEAN, &[Self::Bool]),
                // What has a type of its own is no other one spelled oddly.
                if types.meets(Types::STRING) {
                    Vec::new()
                } else {
                    of(Types::NUMBER.or(Types::INTEGER), &[Self::LooseNumber])
                },
                if types.meets(Types::STRING) {
                    Vec::new()
                } else {
                    of(Types::BOOLEAN, &[Self::LooseBool, Self::BoolInt])
                },
                if types == Types::STRING { vec![Self::LooseText] } else { Vec::new() },
            ]
            .concat(),
        }
    }

    /// The JSON types it reads.
    pub(crate) fn reads(self) -> Types {
        match self {
            Self::Bool | Self::Not => Types::BOOLEAN,
            Self::BoolText | Self::NumberText | Self::Text | Self::Trim | Self::LooseBool | Self::LooseNumber => {
                Types::STRING
            }
            Self::BoolInt | Self::Number => Types::NUMBER,
            Self::LooseText => Types::NUMBER.or(Types::BOOLEAN),
        }
    }

    /// The values it reads, if they are finitely many.
    pub(super) fn finite_values(self) -> Vec<Value<'static>> {
        match self {
            Self::Bool | Self::Not => vec![Value::Bool(true), Value::Bool(false)],
            Self::BoolText => vec![Value::text("true"), Value::text("false")],
            Self::BoolInt => vec![Value::Number(1.into()), Value::Number(0.into())],
            _ => Vec::new(),
        }
    }

    pub(super) fn read<'v>(self, value: &Value<'v>) -> Option<Value<'v>> {
        Some(match (self, value) {
            (Self::Bool, Value::Bool(b)) => Value::Bool(*b),
            (Self::Not, Value::Bool(b)) => Value::Bool(!b),
            (Self::BoolText, Value::Text(text)) => Value::Bool(bool_of(text)?),
            (Self::LooseBool, Value::Text(text)) => Value::Bool(bool_of(&text.trim().to_ascii_lowercase())?),
            (Self::BoolInt, Value::Number(n)) => match n.as_u64() {
                Some(1) => Value::Bool(true),
                Some(0) => Value::Bool(false),
                _ => return None,
            },
            (Self::Number, Value::Number(n)) => Value::Number(*n),
            (Self::NumberText, Value::Text(text)) => Value::Number(number_of(text)?),
            (Self::LooseNumber, Value::Text(text)) => Value::Number(number_of(text.trim())?),
            (Self::Text, Value::Text(text)) => Value::Text(text.clone()),
            (Self::LooseText, Value::Number(n)) => Value::text(n.to_string()),
            (Self::LooseText, Value::Bool(b)) => Value::text(if *b { "true" } else { "false" }),
            (Self::Trim, Value::Text(text)) => Value::Text(match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
                Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
            }),
            _ => return None,
        })
    }

    /// The value in this spelling; it comes back where it cannot be spelled so.
    pub(super) fn write(self, value: Value<'_>) -> Result<Value<'_>, Value<'_>> {
        Ok(match (self, value) {
            (Self::Not, Value::Bool(b)) => Value::Bool(!b),
            (Self::BoolText | Self::LooseBool, Value::Bool(b)) => Value::text(if b { "true" } else { "false" }),
            (Self::BoolInt, Value::Bool(b)) => Value::Number(u64::from(b).into()),
            (Self::NumberText | Self::LooseNumber, Value::Number(n)) => Value::text(n.to_string()),
            (Self::LooseText, Value::Text(text)) => match (bool_of(&text), number_of(&text)) {
                (Some(b), _) => Value::Bool(b),
                (None, Some(number)) if number.to_string() == *text => Value::Number(number),
                _ => return Err(Value::Text(text)),
            },
            (Self::Bool, value @ Value::Bool(_))
            | (Self::Number, value @ Value::Number(_))
            | (Self::Text | Self::Trim, value @ Value::Text(_)) => value,
            (_, value) => return Err(value),
        })
    }
}

fn bool_of(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn number_of(text: &str) -> Option<Number> {
    let mut cursor = Cursor::new(text);
    let number = cursor.number().ok().flatten()?;
    (cursor.at() == text.len()).then_some(number)
}

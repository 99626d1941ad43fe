//! Types: those of JSON and those of the model.

use crate::json::{Value, is_blank};
use crate::map::{Literal, Types};
use crate::model::Type;

/// The JSON types of a model type.
pub(crate) fn json_types(ty: Type) -> Types {
    match ty {
        Type::Text(_) | Type::Words(_) => Types::STRING,
        Type::Bool => Types::BOOLEAN,
        Type::Number | Type::Integer { .. } => Types::NUMBER,
        Type::Any => Types::ANY,
        Type::Node(_) | Type::Dict(_) => Types::OBJECT,
        Type::List(_) => Types::LIST,
        Type::Union(types) => types.iter().fold(Types::NONE, |all, ty| all.or(json_types(*ty))),
    }
}

/// The JSON types of a model type as a schema says them.
pub(super) fn schema_types(ty: Type) -> Types {
    match ty {
        Type::Integer { .. } => Types::INTEGER,
        ty => json_types(ty),
    }
}

/// Whether a value that starts with this byte can be of one of these types.
pub(crate) fn has_first(types: Types, first: u8) -> bool {
    types.meets(match first {
        b'"' => Types::STRING,
        b'{' => Types::OBJECT,
        b'[' => Types::LIST,
        b't' | b'f' => Types::BOOLEAN,
        b'n' => Types::NULL,
        _ => Types::NUMBER.or(Types::INTEGER),
    })
}

/// Whether a value is one of a model type.
pub(crate) fn fits(ty: Type, value: &Value<'_>) -> bool {
    match (ty, value) {
        (Type::Words(words), Value::Text(text)) => words.contains(&text.as_ref()),
        (Type::Integer { min, max }, Value::Number(n)) => n.is_integer_between(min, max),
        (Type::Union(types), value) => types.iter().any(|ty| fits(*ty, value)),
        (Type::List(item), Value::List(items)) => items.iter().all(|value| fits(*item, value)),
        (Type::Dict(item), Value::Object(members)) => members.iter().all(|(_, value)| fits(*item, value)),
        (Type::Any, _)
        | (Type::Text(_), Value::Text(_))
        | (Type::Bool, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::Node(_), Value::Object(_)) => true,
        _ => false,
    }
}

/// White space, an empty list or object, `false`.
pub(crate) fn value_is_blank(value: &Value<'_>) -> bool {
    match value {
        Value::Text(text) => is_blank(text),
        Value::List(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(b) => !b,
        Value::Null | Value::Number(_) => false,
    }
}

impl Literal {
    /// The JSON type of the constant.
    pub(crate) fn types(&self) -> Types {
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
}

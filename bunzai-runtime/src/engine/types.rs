//! Types: those of JSON and those of the model.

use crate::json::Value;
use crate::map::Types;
use crate::model::Type;

/// The JSON types of a model type as a schema says them.
pub(super) fn schema_types(ty: Type) -> Types {
    match ty {
        Type::Integer { .. } => Types::INTEGER,
        ty => ty.json(),
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

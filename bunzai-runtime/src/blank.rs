//! What says nothing.
//!
//! Three things are meant by that. *Blank* is what `blank = "omit"` reads as nothing: white space, an
//! empty list or object, `false`. *Nothing* is what `@none` takes and what gates call blank: the same
//! without `false`, but null, and what is not there. *Unset* is what a struct has that was just made.

use crate::json::{Cursor, Number, Result, Value, is_blank};
use crate::model::View;

/// Whether a value is blank.
pub(crate) fn value_is_blank(value: &Value<'_>) -> bool {
    match value {
        Value::Bool(b) => !b,
        Value::Null => false,
        value => value_is_nothing(Some(value)),
    }
}

/// Whether what the model holds is blank; a struct never is.
pub(crate) fn view_is_blank(view: View<'_>) -> bool {
    match view {
        View::Bool(b) => !b,
        View::Absent | View::Null | View::Node(_) => false,
        view => view_is_nothing(view),
    }
}

/// Whether a value is nothing.
pub(crate) fn value_is_nothing(value: Option<&Value<'_>>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Text(text)) => is_blank(text),
        Some(Value::List(items)) => items.is_empty(),
        Some(Value::Object(members)) => members.is_empty(),
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}

/// Whether the value at the cursor is nothing. No list or object is built for it.
pub(crate) fn nothing_at(cursor: &mut Cursor<'_>) -> Result<bool> {
    Ok(match cursor.peek()? {
        b'"' => is_blank(&cursor.text()?),
        b'{' => !cursor.object()?,
        b'[' => !cursor.list()?,
        first => first == b'n',
    })
}

/// Whether what the model holds is nothing, or a struct with nothing in it.
pub(crate) fn view_is_nothing(view: View<'_>) -> bool {
    match view {
        View::Absent | View::Null => true,
        View::Bool(_) | View::Number(_) => false,
        View::Text(text) => is_blank(text),
        View::List(list) => list.is_empty(),
        View::Dict(dict) => dict.is_empty(),
        View::Node(node) => {
            (0..node.shape().fields.len()).all(|n| node.field(n).is_none_or(|field| view_is_nothing(field.view())))
        }
    }
}

/// Whether what the model holds is unset.
pub(crate) fn view_is_unset(view: View<'_>) -> bool {
    match view {
        View::Absent | View::Null => true,
        View::Bool(b) => !b,
        View::Number(n) => n == Number::ZERO,
        View::Text(text) => text.is_empty(),
        View::List(list) => list.is_empty(),
        View::Dict(dict) => dict.is_empty(),
        View::Node(node) => {
            (0..node.shape().fields.len()).all(|n| node.field(n).is_none_or(|field| view_is_unset(field.view())))
        }
    }
}

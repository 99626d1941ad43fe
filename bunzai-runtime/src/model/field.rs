use std::fmt;

use super::{Fault, Shape, Type};
use crate::json::{Cursor, Number, Result, Value};

/// One value of the model: a leaf, a struct, a list, or an option of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a canonical model",
    note = "a model is made of `String`, `bool`, numbers, `serde_json::Value`, structs and enums with `#[derive(bunzai::Canonical)]`, and of `Option`, `Nullable`, `Vec` and `IndexMap<String, _>` of these"
)]
pub trait Field: fmt::Debug + Send + Sync {
    /// What the field holds.
    fn view(&self) -> View<'_>;

    /// Takes a value; false, and unchanged, when its type does not fit.
    fn set(&mut self, value: Value<'_>) -> bool;

    /// Sets the field to what it is in a blank struct.
    fn clear(&mut self);

    /// Enters the field, making the struct or list that an option lacks.
    fn open(&mut self) -> Open<'_>;
}

/// A [`Field`] whose type is known: what stands in a struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a canonical model",
    note = "a model is made of `String`, `bool`, numbers, `serde_json::Value`, structs and enums with `#[derive(bunzai::Canonical)]`, and of `Option`, `Nullable`, `Vec` and `IndexMap<String, _>` of these"
)]
pub trait Typed: Field + Sized + 'static {
    /// What it holds.
    const TYPE: Type;
    /// Whether it can be absent.
    const OPTIONAL: bool = false;
    /// Whether it can be `null`.
    const NULLABLE: bool = false;

    /// The value of a new struct.
    fn blank() -> Self;
}

/// A struct of the model, reached by the indexes of its [`Shape`].
pub trait Node: Field {
    /// Its shape.
    fn shape(&self) -> &'static Shape;

    /// The field at an index of the shape.
    fn field(&self, index: usize) -> Option<&dyn Field>;

    /// The field at an index of the shape, to be changed.
    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Field>;

    /// What is wrong with it although each of its fields has the right type. The strict reader asks
    /// it of what it has read; imports and edits do not.
    fn faults(&self) -> Vec<Fault> {
        Vec::new()
    }
}

/// A list of the model.
pub trait List: fmt::Debug {
    /// How many items there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at an index.
    fn item(&self, index: usize) -> Option<&dyn Field>;

    /// The item at an index, to be changed.
    fn item_mut(&mut self, index: usize) -> Option<&mut dyn Field>;

    /// A blank item that is in no list.
    fn blank(&self) -> Box<dyn Field>;

    /// Appends a blank item; nothing when memory cannot hold it.
    fn push(&mut self) -> Option<&mut dyn Field>;

    /// Takes the last item away.
    fn pop(&mut self);

    /// Puts the items into a new order: the item at place `n` is the one at `order[n]` before.
    /// An order that is no permutation changes nothing.
    fn reorder(&mut self, order: &[usize]);
}

/// An object of the model with free keys.
pub trait Dict: fmt::Debug {
    /// How many members there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a key.
    fn get(&self, key: &str) -> Option<&dyn Field>;

    /// Calls back with every member, in order.
    fn each<'a>(&'a self, call: &mut dyn FnMut(&'a str, &'a dyn Field));

    /// Sets the value of a key; false, and unchanged, when its type does not fit.
    fn insert(&mut self, key: &str, value: Value<'_>) -> bool;

    /// Takes a key away.
    fn remove(&mut self, key: &str);
}

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub enum View<'a> {
    /// Nothing: an option that is empty.
    Absent,
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(&'a str),
    /// A struct.
    Node(&'a dyn Node),
    /// A list.
    List(&'a dyn List),
    /// An object with free keys.
    Dict(&'a dyn Dict),
}

/// A field that has been entered.
#[derive(Debug)]
pub enum Open<'a> {
    /// There is nothing inside: a leaf.
    Leaf,
    /// A struct.
    Node(&'a mut dyn Node),
    /// A list.
    List(&'a mut dyn List),
    /// An object with free keys.
    Dict(&'a mut dyn Dict),
}

impl<'a> View<'a> {
    /// Whether nothing is there.
    pub fn is_absent(self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether the view says what a JSON value says.
    pub fn is(self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Bool(a), Value::Bool(b)) => a == *b,
            (Self::Number(a), Value::Number(b)) => a == *b,
            (Self::Text(a), Value::Text(b)) => a == b,
            (Self::List(list), Value::List(items)) => {
                list.len() == items.len()
                    && items.iter().enumerate().all(|(n, item)| list.item(n).is_some_and(|i| i.view().is(item)))
            }
            (Self::Dict(dict), Value::Object(members)) => {
                dict.len() == members.len()
                    && members.iter().all(|(key, value)| dict.get(key).is_some_and(|v| v.view().is(value)))
            }
            (Self::Node(node), Value::Object(members)) => {
                let shape = node.shape();
                let present = (0..shape.fields.len()).filter_map(|n| node.field(n)).filter(|f| !f.view().is_absent());
                present.count() == members.len()
                    && members.iter().all(|(key, value)| {
                        let field = shape.find(key.as_bytes()).and_then(|n| node.field(n));
                        field.is_some_and(|f| f.view().is(value))
                    })
            }
            _ => false,
        }
    }

    /// The view as a JSON value; nothing when it is absent.
    pub fn value(self) -> Option<Value<'a>> {
        Some(match self {
            Self::Absent => return None,
            Self::Null => Value::Null,
            Self::Bool(b) => Value::Bool(b),
            Self::Number(n) => Value::Number(n),
            Self::Text(text) => Value::text(text),
            Self::List(list) => {
                Value::List((0..list.len()).filter_map(|n| list.item(n)).filter_map(|i| i.view().value()).collect())
            }
            Self::Dict(dict) => {
                let mut members = Vec::with_capacity(dict.len());
                dict.each(&mut |key, field| members.extend(field.view().value().map(|v| (key.into(), v))));
                Value::Object(members)
            }
            Self::Node(node) => {
                let fields = node.shape().fields.iter().enumerate();
                let member =
                    |(n, f): (usize, &super::FieldShape)| Some((f.name.into(), node.field(n)?.view().value()?));
                Value::Object(fields.filter_map(member).collect())
            }
        })
    }
}

/// Whether a field says what stands at the cursor, which moves behind it.
pub fn same(view: View<'_>, cursor: &mut Cursor<'_>) -> Result<bool> {
    match (view, cursor.peek()?) {
        (View::Text(text), b'"') => cursor.same_text(text),
        (View::Bool(b), b't' | b'f') => Ok(cursor.literal()? == Some(b)),
        (View::Null, b'n') => cursor.literal().map(|_| true),
        (View::Number(n), b'-' | b'0'..=b'9') => Ok(cursor.number()? == Some(n)),
        (View::List(_), b'[') | (View::Dict(_) | View::Node(_), b'{') => {
            Ok(Value::read(cursor)?.is_some_and(|value| view.is(&value)))
        }
        _ => cursor.skip().map(|()| false),
    }
}

/// Sets a blank struct from a JSON object.
///
/// False, and set in part, when the value is no object, has an unknown key, or a value of the wrong
/// type.
pub fn set_node(node: &mut dyn Node, value: Value<'_>) -> bool {
    let Value::Object(members) = value else { return false };
    let shape = node.shape();
    members.into_iter().all(|(key, value)| {
        let index = shape.find(key.as_bytes());
        index.and_then(|n| node.field_mut(n)).is_some_and(|field| field.set(value))
    })
}

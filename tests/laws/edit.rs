//! Random edits of a body, through nothing but its shape.

use bunzai_runtime::json::{Number, Value};
use bunzai_runtime::model::{Field, List, Node, Open, Type, View};
use fastrand::Rng;

use crate::document::text;

/// What an edit changed: the canonical path, with `[]` for the items of lists.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edited {
    pub(crate) path: String,
    /// Whether rows came, went or moved.
    pub(crate) structural: bool,
}

/// Edits a body at one random place; nothing when the place could not be changed.
pub(crate) fn edit(body: &mut dyn Node, rng: &mut Rng, structural: bool) -> Option<Edited> {
    let mut path = String::new();
    edit_node(body, &mut path, rng, structural).map(|structural| Edited { path, structural })
}

fn edit_node(node: &mut dyn Node, path: &mut String, rng: &mut Rng, structural: bool) -> Option<bool> {
    let shape = node.shape();
    // Lists of rows hold most of what there is, so they are gone into more often.
    let rows = |n: &usize| matches!(shape.fields[*n].ty, Type::List(Type::Node(_)));
    let lists: Vec<usize> = (0..shape.fields.len()).filter(rows).collect();
    let n = match lists.is_empty() || rng.u8(..3) == 0 {
        true => rng.usize(..shape.fields.len()),
        false => lists[rng.usize(..lists.len())],
    };
    let field = &shape.fields[n];
    if field.name == "id" && !structural {
        // Another identity is another row.
        return None;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(field.name);
    edit_field(node.field_mut(n)?, field.ty, field.optional, field.nullable, path, rng, structural)
}

fn edit_field(
    field: &mut dyn Field,
    ty: Type,
    optional: bool,
    nullable: bool,
    path: &mut String,
    rng: &mut Rng,
    structural: bool,
) -> Option<bool> {
    if optional && rng.u8(..5) == 0 && !field.view().is_absent() {
        // A whole list of rows that goes is a change of structure.
        let rows = matches!(ty, Type::List(Type::Node(_)));
        if rows && !structural {
            return None;
        }
        field.clear();
        return Some(rows);
    }
    if nullable && rng.u8(..5) == 0 {
        return field.set(Value::Null).then_some(false);
    }
    match ty {
        Type::Node(_) => match field.open() {
            Open::Node(node) => edit_node(node, path, rng, structural),
            _ => None,
        },
        Type::List(item @ Type::Node(_)) => match field.open() {
            Open::List(list) => edit_rows(list, *item, path, rng, structural),
            _ => None,
        },
        ty => field.set(value(ty, rng)?).then_some(false),
    }
}

fn edit_rows(list: &mut dyn List, item: Type, path: &mut String, rng: &mut Rng, structural: bool) -> Option<bool> {
    path.push_str("[]");
    let length = list.len();
    match if structural { rng.u8(..8) } else { 7 } {
        0 | 1 if length > 1 => {
            let mut order: Vec<usize> = (0..length).collect();
            rng.shuffle(&mut order);
            list.reorder(&order);
            Some(true)
        }
        2 | 3 if length > 0 => {
            let gone = rng.usize(..length);
            let order: Vec<usize> = (0..length).filter(|n| *n != gone).chain([gone]).collect();
            list.reorder(&order);
            list.pop();
            Some(true)
        }
        4 | 5 => {
            fill(list.push()?, item, rng);
            let order: Vec<usize> = {
                let at = rng.usize(..=length);
                (0..at).chain([length]).chain(at..length).collect()
            };
            list.reorder(&order);
            Some(true)
        }
        _ if length > 0 => match list.item_mut(rng.usize(..length))?.open() {
            Open::Node(node) => edit_node(node, path, rng, structural),
            _ => None,
        },
        _ => None,
    }
}

/// Fills a blank value at random.
pub(crate) fn fill(field: &mut dyn Field, ty: Type, rng: &mut Rng) {
    match ty {
        Type::Node(_) => {
            if let Open::Node(node) = field.open() {
                fill_node(node, rng);
            }
        }
        Type::List(item @ Type::Node(_)) => {
            if let Open::List(list) = field.open() {
                for _ in 0..rng.usize(..3) {
                    if let Some(field) = list.push() {
                        fill(field, *item, rng);
                    }
                }
            }
        }
        ty => {
            if let Some(value) = value(ty, rng) {
                field.set(value);
            }
        }
    }
}

pub(crate) fn fill_node(node: &mut dyn Node, rng: &mut Rng) {
    for (n, shape) in node.shape().fields.iter().enumerate() {
        if shape.optional && rng.bool() {
            continue;
        }
        if let Some(field) = node.field_mut(n) {
            match shape.name {
                // Rows are told apart by it.
                "id" => {
                    field.set(Value::text(format!("new-{}", rng.u32(..))));
                }
                _ if shape.nullable && rng.u8(..4) == 0 => {
                    field.set(Value::Null);
                }
                _ => fill(field, shape.ty, rng),
            }
        }
    }
}

fn value(ty: Type, rng: &mut Rng) -> Option<Value<'static>> {
    Some(match ty {
        Type::Text(known) if !known.is_empty() && rng.bool() => Value::text(known[rng.usize(..known.len())]),
        Type::Text(_) => Value::text(text(rng)),
        Type::Words(words) => Value::text(words[rng.usize(..words.len())]),
        Type::Bool => Value::Bool(rng.bool()),
        Type::Number => Value::Number(match rng.u8(..4) {
            0 => Number::from_f64(f64::from(rng.i32(..)) / 256.0)?,
            _ => Number::from(rng.i32(-5..200)),
        }),
        Type::Integer { .. } => Value::Number(Number::from(rng.i32(0..100))),
        Type::Any => Value::text("any"),
        Type::List(item) => Value::List((0..rng.usize(..4)).map(|_| value(*item, rng)).collect::<Option<Vec<_>>>()?),
        Type::Dict(item) => {
            let members = (0..rng.usize(..3)).map(|n| Some((format!("key{n}").into(), value(*item, rng)?)));
            Value::Object(members.collect::<Option<Vec<_>>>()?)
        }
        Type::Union(types) => value(types[rng.usize(..types.len())], rng)?,
        Type::Node(_) => return None,
    })
}

/// A body as a JSON value.
pub(crate) fn json(node: &dyn Node) -> serde_json::Value {
    View::Node(node).value().map(Into::into).unwrap_or_default()
}

//! Random edits of a body, through nothing but its shape.

use std::cell::RefCell;
use std::collections::BTreeSet;

use bunzai_runtime::json::{Number, Value};
use bunzai_runtime::model::{Field, List, Node, Open, Type, View};
use fastrand::Rng;

use crate::doc::text;
use crate::paths::below;

/// What is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// Values; the rows stay as they are.
    Values,
    /// Rows come, go, move, or get another identity.
    Rows,
    /// Either.
    Both,
}

/// What edits bodies of a format.
pub(crate) struct Editor<'a> {
    /// The canonical paths of the lists whose items are rows of the wire.
    pub(crate) lists: &'a BTreeSet<String>,
    /// Whether new rows get identities that collide with others.
    pub(crate) unkind: bool,
    /// The identities that were given.
    pub(crate) given: RefCell<BTreeSet<String>>,
}

/// What an edit comes to: the path of the list that was changed, or of another value.
type Edited = Option<String>;

impl<'a> Editor<'a> {
    pub(crate) fn new(lists: &'a BTreeSet<String>, unkind: bool) -> Self {
        Self { lists, unkind, given: RefCell::default() }
    }

    /// Edits a body at one random place; nothing when the place could not be changed.
    pub(crate) fn edit(&self, body: &mut dyn Node, what: What, rng: &mut Rng) -> Edited {
        self.node(body, "", what, rng)
    }

    fn node(&self, node: &mut dyn Node, path: &str, what: What, rng: &mut Rng) -> Edited {
        let shape = node.shape();
        // Lists of rows hold most of what there is, so they are gone into more often.
        let rows = |n: &usize| matches!(shape.fields[*n].ty, Type::List(Type::Node(_)));
        let lists: Vec<usize> = (0..shape.fields.len()).filter(rows).collect();
        let into_list = !lists.is_empty() && (what == What::Rows || rng.u8(..3) > 0);
        let n = if into_list { lists[rng.usize(..lists.len())] } else { rng.usize(..shape.fields.len()) };
        let field = &shape.fields[n];
        let path = below(path, field.name);
        // Another identity is another row.
        let is_identity = field.name == "id" && path.contains("[]");
        if is_identity && what == What::Values {
            return None;
        }
        let into = node.field_mut(n)?;
        if is_identity {
            let set = into.set(self.identity(rng));
            forget_mark(node);
            return set.then(|| path.trim_end_matches("[].id").to_owned());
        }
        self.field(into, field.ty, field.optional, field.nullable, path, what, rng)
    }

    #[expect(clippy::too_many_arguments, reason = "a field is told by its shape")]
    fn field(
        &self,
        field: &mut dyn Field,
        ty: Type,
        optional: bool,
        nullable: bool,
        path: String,
        what: What,
        rng: &mut Rng,
    ) -> Edited {
        let is_leaf = !matches!(ty, Type::Node(_) | Type::List(Type::Node(_)));
        if what == What::Rows && is_leaf {
            return None;
        }
        // What marks the rows of a test stays.
        let is_marked = matches!(field.view(), View::Dict(members) if members.get(crate::walk::MARK).is_some());
        let goes = rng.u8(..6) == 0 && what != What::Rows && !is_marked;
        if goes && optional && !field.view().is_absent() {
            field.clear();
            return Some(path);
        }
        if goes && nullable {
            return field.set(Value::Null).then_some(path);
        }
        match ty {
            Type::Node(_) => match field.open() {
                Open::Node(node) => self.node(node, &path, what, rng),
                _ => None,
            },
            Type::List(item @ Type::Node(_)) => match field.open() {
                Open::List(list) => self.rows(list, *item, path, what, rng),
                _ => None,
            },
            Type::Dict(item) => {
                let members = members(field, *item, rng)?;
                field.set(members).then_some(path)
            }
            ty => field.set(value(ty, rng)?).then_some(path),
        }
    }

    fn rows(&self, list: &mut dyn List, item: Type, path: String, what: What, rng: &mut Rng) -> Edited {
        let length = list.len();
        // Of a list that is no list of rows of the wire the items are values.
        let are_rows = self.lists.contains(&path);
        let may_move = match what {
            What::Both => true,
            What::Values => !are_rows,
            What::Rows => are_rows,
        };
        match if may_move { rng.u8(..9) } else { 8 } {
            0 | 1 if length > 1 => {
                let mut order: Vec<usize> = (0..length).collect();
                rng.shuffle(&mut order);
                list.reorder(&order);
                Some(path)
            }
            2 | 3 if length > 0 => {
                let gone = rng.usize(..length);
                let order: Vec<usize> = (0..length).filter(|n| *n != gone).chain([gone]).collect();
                list.reorder(&order);
                list.pop();
                Some(path)
            }
            4 | 5 => {
                self.fill(list.push()?, item, rng);
                let at = rng.usize(..=length);
                let order: Vec<usize> = (0..at).chain([length]).chain(at..length).collect();
                list.reorder(&order);
                Some(path)
            }
            _ if length > 0 => match list.item_mut(rng.usize(..length))?.open() {
                Open::Node(node) => self.node(node, &format!("{path}[]"), what, rng),
                _ => None,
            },
            _ => None,
        }
    }

    fn identity(&self, rng: &mut Rng) -> Value<'static> {
        const LIKE_OTHERS: [&str; 10] = ["a", "b", "x", "x-2", "row-0", "row-3", "0", "1", "id 0", "id 1"];
        let id = match self.unkind && rng.bool() {
            true => LIKE_OTHERS[rng.usize(..LIKE_OTHERS.len())].to_owned(),
            false => format!("new-{}", rng.u32(..)),
        };
        self.given.borrow_mut().insert(id.clone());
        Value::text(id)
    }

    /// Fills a blank value at random.
    fn fill(&self, field: &mut dyn Field, ty: Type, rng: &mut Rng) {
        match ty {
            Type::Node(_) => {
                if let Open::Node(node) = field.open() {
                    self.fill_node(node, rng);
                }
            }
            Type::List(item @ Type::Node(_)) => {
                if let Open::List(list) = field.open() {
                    for _ in 0..rng.usize(..3) {
                        if let Some(field) = list.push() {
                            self.fill(field, *item, rng);
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

    pub(crate) fn fill_node(&self, node: &mut dyn Node, rng: &mut Rng) {
        for (n, shape) in node.shape().fields.iter().enumerate() {
            if shape.optional && rng.bool() {
                continue;
            }
            let Some(field) = node.field_mut(n) else { continue };
            if shape.name == "id" {
                field.set(self.identity(rng));
            } else if shape.nullable && rng.u8(..4) == 0 {
                field.set(Value::Null);
            } else {
                self.fill(field, shape.ty, rng);
            }
        }
    }
}

/// Another row has no mark, where the model has it.
fn forget_mark(node: &mut dyn Node) {
    for n in 0..node.shape().fields.len() {
        if let Some(field) = node.field_mut(n).filter(|field| matches!(field.view(), View::Dict(_)))
            && let Open::Dict(dict) = field.open()
        {
            dict.remove(crate::walk::MARK);
        }
    }
}

/// An open object with some of its members changed.
fn members(field: &dyn Field, item: Type, rng: &mut Rng) -> Option<Value<'static>> {
    let mut members = match field.view().value().map(Value::into_owned) {
        Some(Value::Object(members)) => members,
        _ => Vec::new(),
    };
    members.retain(|(key, _)| key == crate::walk::MARK || rng.u8(..3) > 0);
    for _ in 0..rng.usize(..3) {
        const KEYS: [&str; 7] = ["key", "twoWords", "two_words", "x-unknown", "URLOf", "é", "a b"];
        let key = KEYS[rng.usize(..KEYS.len())];
        members.retain(|(known, _)| known != key);
        members.push((key.into(), value(item, rng)?));
    }
    Some(Value::Object(members))
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
        Type::Any => match rng.u8(..6) {
            0 => Value::Null,
            1 => Value::Bool(rng.bool()),
            2 => Value::Number(Number::from(rng.i32(..))),
            3 => Value::List(vec![Value::text(text(rng))]),
            4 => Value::Object(vec![("k".into(), Value::text(text(rng)))]),
            _ => Value::text(text(rng)),
        },
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

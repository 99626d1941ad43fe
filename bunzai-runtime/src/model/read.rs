//! The strict reader of the model's own JSON. It fills in nothing, coerces nothing, and lists
//! every problem of a document, each with its place.

use super::{Field, FieldShape, Node, Open, Type};
use crate::error::Problem;
use crate::json::{Cursor, Lines, Pointer, Result, Value};
use crate::map::nearest;

/// How many problems are told one by one.
const TOLD: usize = 1_000;

/// The problems found so far, and where the reader stands.
#[derive(Debug)]
pub(crate) struct Problems<'t> {
    source: &'t str,
    pub(crate) path: Pointer,
    list: Vec<(usize, Problem)>,
    count: usize,
    /// Whether a lone surrogate was read as U+FFFD.
    pub(crate) replaced: bool,
}

impl<'t> Problems<'t> {
    pub(crate) fn new(source: &'t str) -> Self {
        Self { source, path: Pointer::root(), list: Vec::new(), count: 0, replaced: false }
    }

    /// A problem at the current path.
    pub(crate) fn add(&mut self, at: usize, message: impl Into<String>) {
        self.count += 1;
        if self.list.len() < TOLD {
            // Line numbers are counted at the end; until then the offset stands for them.
            self.list.push((at, Problem { at: self.path.to_string(), line: 0, column: 0, message: message.into() }));
        }
    }

    /// A problem at a key below the current path.
    pub(crate) fn add_at(&mut self, key: &str, at: usize, message: impl Into<String>) {
        let length = self.path.len();
        self.path.push(key);
        self.add(at, message);
        self.path.cut(length);
    }

    /// Notes what was odd in what a cursor has read at a byte.
    fn finish(&mut self, cursor: &mut Cursor<'_>, at: usize) {
        if let Some(odd) = cursor.take_odd() {
            self.replaced |= odd.replaced;
            if odd.repeated {
                self.add(at, "a key stands twice in one object here");
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn into_list(mut self) -> Vec<Problem> {
        self.list.sort_by_key(|(at, _)| *at);
        let mut lines = Lines::new(self.source);
        let more = self.count - self.list.len();
        let located = self.list.into_iter().map(|(at, problem)| {
            let (line, column) = lines.line_column(at);
            Problem { line, column, ..problem }
        });
        let mut list: Vec<Problem> = located.collect();
        if more > 0 {
            list.push(Problem { at: String::new(), line: 0, column: 0, message: format!("and {more} more") });
        }
        list
    }
}

/// Reads the object at the cursor into a struct whose fields are blank.
pub(crate) fn read_node(node: &mut dyn Node, cursor: &mut Cursor<'_>, problems: &mut Problems<'_>) -> Result<()> {
    let shape = node.shape();
    let start = cursor.at();
    let known = problems.len();
    // Where the value of each field stands.
    let mut seen: Vec<Option<usize>> = vec![None; shape.fields.len()];
    if cursor.object()? {
        loop {
            let key = cursor.key()?;
            let (name, at) = (key.text(), key.at);
            let index = shape.find(name.as_bytes());
            match index.and_then(|n| Some((n, node.field_mut(n)?))) {
                None => {
                    problems.add_at(&name, at, unknown(&name, shape.fields.iter().map(|field| field.name)));
                    cursor.skip()?;
                }
                Some((n, _)) if seen[n].replace(cursor.at()).is_some() => {
                    problems.add_at(&name, at, format!("the key `{name}` stands here twice"));
                    cursor.skip()?;
                }
                Some((n, field)) => {
                    let length = problems.path.len();
                    problems.path.push(&name);
                    read_field(field, &shape.fields[n], cursor, problems)?;
                    problems.path.cut(length);
                }
            }
            if !cursor.more(b'}')? {
                break;
            }
        }
    }
    for (field, seen) in shape.fields.iter().zip(&seen) {
        if seen.is_none() && !field.optional {
            problems.add_at(field.name, start, format!("the key `{}` is missing", field.name));
        }
    }
    // Of a struct that is not read in full nothing more can be said.
    if problems.len() == known {
        for fault in node.faults() {
            let at = shape.find(fault.field.as_bytes()).and_then(|n| seen[n]);
            problems.add_at(fault.field, at.unwrap_or(start), fault.message);
        }
    }
    Ok(())
}

/// Reads the value at the cursor into a field.
pub(crate) fn read_field(
    field: &mut dyn Field,
    shape: &FieldShape,
    cursor: &mut Cursor<'_>,
    problems: &mut Problems<'_>,
) -> Result<()> {
    let at = cursor.at();
    if cursor.peek()? == b'n' && !shape.nullable && shape.ty != Type::Any {
        cursor.literal()?;
        problems.add(at, format!("expected {}, found null", shape.ty.describe()));
        return Ok(());
    }
    read_typed(field, shape.ty, cursor, problems)
}

fn read_typed(field: &mut dyn Field, ty: Type, cursor: &mut Cursor<'_>, problems: &mut Problems<'_>) -> Result<()> {
    let at = cursor.at();
    match (ty, cursor.peek()?) {
        (Type::Node(_), b'{') => match field.open() {
            Open::Node(node) => read_node(node, cursor, problems),
            _ => cursor.skip(),
        },
        (Type::List(item), b'[') => match field.open() {
            Open::List(list) => {
                let mut n = 0;
                if !cursor.list()? {
                    return Ok(());
                }
                loop {
                    let length = problems.path.len();
                    problems.path.push_index(n);
                    cursor.peek()?;
                    match list.push() {
                        Some(field) => read_typed(field, *item, cursor, problems)?,
                        None => cursor.skip()?,
                    }
                    problems.path.cut(length);
                    n += 1;
                    if !cursor.more(b']')? {
                        return Ok(());
                    }
                }
            }
            _ => cursor.skip(),
        },
        (Type::Dict(item), b'{') => match field.open() {
            Open::Dict(dict) => {
                if !cursor.object()? {
                    return Ok(());
                }
                loop {
                    let key = cursor.key()?;
                    let at = cursor.at();
                    let key = key.text();
                    if dict.get(&key).is_some() {
                        problems.add_at(&key, at, format!("the key `{key}` stands here twice"));
                    }
                    let value = Value::read(cursor)?;
                    problems.finish(cursor, at);
                    if !value.is_some_and(|value| dict.insert(&key, value)) {
                        problems.add_at(&key, at, format!("expected {}", item.describe()));
                    }
                    if !cursor.more(b'}')? {
                        return Ok(());
                    }
                }
            }
            _ => cursor.skip(),
        },
        (_, first) => {
            let value = Value::read(cursor)?;
            problems.finish(cursor, at);
            let shown = value.as_ref().and_then(Value::as_text).map(|text| text.chars().take(40).collect::<String>());
            if !value.is_some_and(|value| field.set(value)) {
                let found = match (ty, shown) {
                    (Type::Words(_), Some(word)) => format!("{word:?}"),
                    _ => found(first).to_owned(),
                };
                problems.add(at, format!("expected {}, found {found}", ty.describe()));
            }
            Ok(())
        }
    }
}

/// What is said of a key that may not stand where it does.
pub(crate) fn unknown<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    match nearest(name, known) {
        Some(meant) => format!("unknown key `{name}`; did you mean `{meant}`?"),
        None => format!("unknown key `{name}`"),
    }
}

/// The JSON type that a first byte announces.
pub(crate) fn found(first: u8) -> &'static str {
    match first {
        b'"' => "a string",
        b'{' => "an object",
        b'[' => "a list",
        b't' | b'f' => "a boolean",
        b'n' => "null",
        _ => "a number",
    }
}

impl Type {
    /// What a value of this type is called in a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Text(_) => "a string".into(),
            Self::Words(words) => {
                let words: Vec<_> = words.iter().map(|w| format!("{w:?}")).collect();
                format!("one of {}", words.join(", "))
            }
            Self::Bool => "a boolean".into(),
            Self::Number => "a number".into(),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Any => "any value".into(),
            Self::Node(_) | Self::Dict(_) => "an object".into(),
            Self::List(_) => "a list".into(),
            Self::Union(types) => types.iter().map(Self::describe).collect::<Vec<_>>().join(" or "),
        }
    }
}

//! The format of linked pieces, whose documents are lists of rows.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use crate::engine::Route;
use crate::entity::AnyEntity;
use crate::error::{Error, Result};
use crate::format::{Declared, Format, document_in};
use crate::json::{Change, Cursor, Value, items, locate, members, set};
use crate::map::{Inner, Linked, Map, Step, Str, Text, Wire};
use crate::model::{Node, View};
use crate::registry::Registry;

/// The format of the pieces of a declaration.
#[derive(Debug)]
pub(super) struct Pieces<'r> {
    pub(super) format: &'r Declared,
    rows: Rows,
}

/// What is known of a format whose documents are lists of rows.
#[derive(Debug)]
struct Rows {
    /// The list in the model.
    list: Str,
    /// The key of the identity of a row, and its field.
    by: Str,
    id: Str,
    /// The name of the piece.
    name: Str,
    /// The field that keeps the place of a row.
    place: Option<Str>,
    /// Whether a bare row is a list of one.
    lone: bool,
}

/// A row of a piece, as the document of the piece by itself has it.
#[derive(Debug)]
pub(super) struct PieceRow {
    pub(super) text: String,
    /// The identity it has there.
    pub(super) id: Option<String>,
    /// Which row of the model it is, and what that is called.
    pub(super) row: Option<(usize, String)>,
}

impl<'r> Pieces<'r> {
    /// # Errors
    /// When there is no such format, or its documents are no lists of rows.
    pub(super) fn new(registry: &'r Registry, holder: &Declared, link: &Linked) -> Result<Self> {
        let refused = |what: &str| Error::BadMap {
            format: holder.id().to_owned(),
            message: format!("`linked` names the format `{}`, {what}", link.format),
        };
        let format = registry.format(&link.format).ok().and_then(Format::declared);
        let format = format.ok_or_else(|| refused("and there is none"))?;
        let rows = Rows::of(format.map());
        let no_rows = "whose documents are no lists of rows with identities that are named by their file";
        Ok(Self { format, rows: rows.ok_or_else(|| refused(no_rows))? })
    }

    /// Whether a bare row is a list of one.
    pub(super) fn is_lone(&self) -> bool {
        self.rows.lone
    }

    /// Where in an entity the rows stand.
    pub(super) fn list_at(&self) -> String {
        format!("/body/{}", self.rows.list.replace('.', "/"))
    }

    /// Where in an entity the identity of a row stands.
    pub(super) fn id_at(&self, row: usize) -> String {
        format!("{}/{row}/{}", self.list_at(), self.rows.id)
    }

    /// Gives a body the name of a piece.
    pub(super) fn set_name(&self, body: &mut dyn Node, name: &str) {
        if let Ok(route) = Route::find(body.shape(), &self.rows.name) {
            route.whole.set(body, Value::text(name));
        }
    }

    /// The rows of a body.
    pub(super) fn rules(&self, body: &dyn Node) -> Vec<Value<'static>> {
        let Ok(route) = Route::find(body.shape(), &self.rows.list) else { return Vec::new() };
        let View::List(list) = route.whole.view(body) else { return Vec::new() };
        (0..list.len()).filter_map(|n| list.item(n)?.view().value()).map(Value::into_owned).collect()
    }

    /// The rows of a piece, as its format is to write them.
    pub(super) fn rules_of(&self, piece: &AnyEntity) -> Vec<Value<'static>> {
        let lens = self.format.lens(piece.into(), &mut Vec::new());
        self.rules(lens.as_deref().unwrap_or(&*piece.body).as_node())
    }

    pub(super) fn set_rules(&self, body: &mut dyn Node, rules: Vec<Value<'_>>) {
        if let Ok(route) = Route::find(body.shape(), &self.rows.list) {
            route.whole.set(body, Value::List(rules));
        }
    }

    /// The identity of a row of the model.
    pub(super) fn called(&self, rule: &Value<'_>) -> String {
        match rule.get(&self.rows.id) {
            Some(Value::Text(id)) => id.to_string(),
            Some(Value::Number(n)) => n.to_string(),
            _ => String::new(),
        }
    }

    /// Gives a row of the model another identity.
    pub(super) fn call(&self, rule: &mut Value<'static>, id: Option<Value<'static>>) {
        put(rule, &self.rows.id, id);
    }

    /// The identity of a row of the model, as it stands there.
    pub(super) fn id_in(&self, rule: &Value<'_>) -> Option<Value<'static>> {
        rule.get(&self.rows.id).cloned().map(Value::into_owned)
    }

    /// The field that keeps the place of a row.
    pub(super) fn place(&self) -> Option<&str> {
        self.rows.place.as_deref()
    }

    /// Which of two rows of the model stands first; equal where that is not said.
    pub(super) fn by_place(&self, one: &Value<'_>, other: &Value<'_>) -> Ordering {
        let place = |rule: &Value<'_>| match rule.get(self.place()?) {
            Some(Value::Number(place)) => Some(*place),
            _ => None,
        };
        place(one).zip(place(other)).map_or(Ordering::Equal, |(one, other)| one.total_cmp(other))
    }

    /// Gives a row of the model a place, if rows have one.
    pub(super) fn set_place(&self, rule: &mut Value<'static>, place: usize) {
        if let Some(key) = &self.rows.place {
            put(rule, key, Some(Value::Number(u64::try_from(place).unwrap_or(u64::MAX).into())));
        }
    }

    /// The rows in the value at a place of a document.
    pub(super) fn rows_at(&self, document: &str, at: Range<usize>) -> Vec<Range<usize>> {
        match document.as_bytes().get(at.start) {
            Some(b'[') => {
                let list = items(document, at.start).map(|list| list.inside).unwrap_or_default();
                list.into_iter().filter(|item| document[item.clone()].starts_with('{')).collect()
            }
            Some(b'{') if self.rows.lone => vec![at],
            _ => Vec::new(),
        }
    }

    /// The identity that a row of a document has.
    pub(super) fn id_of(&self, row: &str) -> Option<String> {
        let object = members(row, 0).ok()?;
        let id = object.inside.iter().rev().find(|member| member.key == *self.rows.by)?;
        match Value::read(&mut Cursor::starting_at(row, id.value.start, 0)).ok()?? {
            Value::Text(id) if !id.is_empty() => Some(id.into_owned()),
            Value::Number(n) => Some(n.to_string()),
            _ => None,
        }
    }

    /// A row of a document under another identity.
    pub(super) fn renamed(&self, row: &str, id: &str) -> String {
        let by = [self.rows.by.to_string()];
        let done = set(row, 0..row.len(), &by, None, Change::Set(&Value::text(id)));
        done.ok().flatten().unwrap_or_else(|| row.to_owned())
    }

    /// The rows of a piece from elsewhere, as its own document has them.
    pub(super) fn rows_of(&self, piece: &AnyEntity) -> Result<Vec<PieceRow>> {
        let exported = self.format.export(piece.into())?;
        let text = exported.text();
        let document = &text[document_in(&text)];
        let Ok(carrier) = self.format.carrier(document) else { return Ok(Vec::new()) };
        let Some(shape) = self.format.map().shapes.get(carrier) else { return Ok(Vec::new()) };
        let steps: Vec<String> = shape.at.iter().map(ToString::to_string).collect();
        let Some(at) = locate(document, &super::homes::pointer(&steps)) else { return Ok(Vec::new()) };
        let read = self.format.read_at(carrier, document).map(|(body, _)| self.rules(body.as_node()));
        let read = read.unwrap_or_default();
        let given = self.rules_of(piece);
        let mut waiting = self.waiting(&given);
        let mut rows: Vec<PieceRow> = (self.rows_at(document, at).into_iter().enumerate())
            .map(|(k, span)| {
                let text = dedented(&document[span]);
                let row = read.get(k).and_then(|rule| waiting.get_mut(&self.called(rule))?.pop_front());
                PieceRow { id: self.id_of(&text), text, row: row.map(|n| (n, self.called(&given[n]))) }
            })
            .collect();
        // Those whose identity reads back as another one are the others, in their order.
        let mut others: Vec<usize> = waiting.into_values().flatten().collect();
        others.sort_unstable();
        let unknown = rows.iter_mut().filter(|row| row.row.is_none());
        unknown.zip(others).for_each(|(row, n)| row.row = Some((n, self.called(&given[n]))));
        Ok(rows)
    }

    /// Which rows have an identity, in their order: the next of them is taken from the front.
    pub(super) fn waiting(&self, rules: &[Value<'_>]) -> HashMap<String, VecDeque<usize>> {
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (n, rule) in rules.iter().enumerate() {
            waiting.entry(self.called(rule)).or_default().push_back(n);
        }
        waiting
    }
}

/// Sets a key of an object, or takes it away.
fn put(object: &mut Value<'static>, key: &str, value: Option<Value<'static>>) {
    let Value::Object(members) = object else { return };
    members.retain(|(other, _)| other != key);
    members.extend(value.map(|value| (key.to_owned().into(), value)));
}

impl Rows {
    fn of(map: &Map) -> Option<Self> {
        let document = map.root.rows.iter().find(|row| matches!(&row.wire, Wire::At(at) if at.is_empty()))?;
        let Inner::Each(each) = &document.inner else { return None };
        let by = each.by.clone()?;
        let part = map.part(each.part)?;
        let is_key = |wire: &Wire| matches!(wire, Wire::At(at) if matches!(&at[..], [Step::Key(key)] if *key == by));
        let field = |found: &dyn Fn(&Wire) -> bool| {
            let row = part.rows.iter().find(|row| found(&row.wire))?;
            row.to.first().filter(|path| !path.contains('.')).cloned()
        };
        let is_file = |wire: &Wire| matches!(wire, Wire::FileStem | Wire::FileName);
        let name = map.root.rows.iter().find(|row| is_file(&row.wire))?;
        Some(Self {
            list: document.to.first()?.clone(),
            id: field(&is_key)?,
            by,
            name: name.to.first()?.clone(),
            place: field(&|wire| *wire == Wire::Index),
            lone: document.text.contains(&Text::Lone),
        })
    }
}

/// A value without the indentation that its last line has. No line of JSON begins inside a text.
pub(super) fn dedented(value: &str) -> String {
    let last = value.rsplit('\n').next().unwrap_or_default();
    let indent = &last[..last.len() - last.trim_start_matches([' ', '\t']).len()];
    if !value.contains('\n') || indent.is_empty() {
        return value.to_owned();
    }
    let lines = value.split('\n').enumerate();
    let lines = lines.map(|(n, line)| if n == 0 { line } else { line.strip_prefix(indent).unwrap_or(line) });
    lines.collect::<Vec<_>>().join("\n")
}

/// A value with another line break and indentation; without one it is on one line.
pub(super) fn indented(value: &str, line: &str) -> String {
    match line {
        "" => value.split('\n').map(|line| line.trim_matches([' ', '\t', '\r'])).collect(),
        _ => value.split('\n').map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join(line),
    }
}

//! The slots of a document that hold the rows of a piece: reading them, and writing them in place.
//!
//! The format of the piece reads each slot where it stands, as if the slot were where its fields
//! start. So what is written back is what that format would write over the slot, and nothing else.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use crate::engine::Route;
use crate::error::{Error, Result, Warning};
use crate::format::{Declared, Format};
use crate::json::{Change, Cursor, Layout, Patches, Place, Pointer, Value, items, locate, locate_all, members, set};
use crate::map::{Carrier, Inner, Linked, Map, Seq, Step, Str, Text, Wire};
use crate::model::{Body, Node, View};
use crate::registry::Registry;

/// The slots of one declaration in one document.
#[derive(Debug)]
pub(super) struct Homes<'r> {
    pub(super) link: &'r Linked,
    /// The format of the pieces.
    pub(super) format: &'r Declared,
    rows: Rows,
    /// The slots, as steps and as pointers.
    steps: Vec<Vec<String>>,
    pointers: Vec<String>,
    /// The format of the pieces, which reads the whole of a document in its first shape, and each of
    /// the slots in one more.
    pub(super) view: Declared,
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

/// The rows that the slots of a document hold, each once.
#[derive(Debug)]
pub(super) struct Held {
    /// For every slot and every row in it: which of all rows it is.
    which: Vec<Vec<usize>>,
    /// What each slot says by itself.
    slots: Vec<Box<dyn Body>>,
    /// For each of all rows the slot that it is read from, and whether it has an identity there.
    home: Vec<usize>,
    named: Vec<bool>,
    /// All rows as a document of their own, and what that says.
    pub(super) text: String,
    pub(super) body: Box<dyn Body>,
    pub(super) warnings: Vec<Warning>,
}

/// What is written into the slots, by the places of the rows of the piece.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// The document, where it is another one now.
    pub(super) text: Option<String>,
    /// The rows of the first slot, and those that only stand in others, in the order they are read in.
    pub(super) first: Vec<usize>,
    pub(super) others: Vec<usize>,
}

impl Held {
    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.home.len()
    }

    /// How many of them are in the first slot.
    pub(super) fn in_first(&self) -> usize {
        self.home.iter().filter(|home| **home == 0).count()
    }
}

impl<'r> Homes<'r> {
    /// The slots of a declaration in a document of its format; nothing where the document is of a
    /// shape that has none.
    pub(super) fn new(
        registry: &'r Registry,
        holder: &'r Declared,
        link: &'r Linked,
        document: &str,
    ) -> Result<Option<Self>> {
        let format = piece_format(registry, holder, link)?;
        let rows = Rows::of(format.map()).ok_or_else(|| Error::BadMap {
            format: holder.id().to_owned(),
            message: format!(
                "`linked` names `{}`, whose documents are no lists of rows with identities that are named by their file",
                link.format
            ),
        })?;
        let shapes = &holder.map().shapes;
        let Some(shape) = shapes.get(holder.carrier(document).unwrap_or(0)).filter(|shape| shape.map.is_none()) else {
            return Ok(None);
        };
        let keys = |slot: &Seq<Step>| -> Vec<Str> {
            let below = slot.iter().filter_map(|step| match step {
                Step::Key(key) => Some(key.clone()),
                Step::Every => None,
            });
            shape.at.iter().cloned().chain(below).collect()
        };
        let slots: Vec<Vec<Str>> = link.at.iter().map(keys).collect();
        let steps: Vec<Vec<String>> = slots.iter().map(|keys| keys.iter().map(ToString::to_string).collect()).collect();
        let carriers = [Vec::new()].into_iter().chain(slots).map(carrier).collect::<Vec<_>>();
        let map = Map { shapes: carriers.into(), ..format.map().clone() };
        let view = Declared::loaded(map, *format.kind_of_body());
        let pointers = steps.iter().map(|steps| pointer(steps)).collect();
        Ok(Some(Self { link, format, rows, steps, pointers, view }))
    }

    /// What is in the slots of a document; nothing when there are no rows.
    pub(super) fn held(&self, document: &str) -> Result<Option<Held>> {
        let pointers: Vec<&str> = self.pointers.iter().map(String::as_str).collect();
        let places = locate_all(document, &pointers);
        let mut which = Vec::new();
        let mut rows: Vec<(usize, Range<usize>)> = Vec::new();
        let mut named = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (slot, place) in places.iter().enumerate() {
            let mut here: Vec<(String, usize)> = Vec::new();
            let mut of = Vec::new();
            for span in place.iter().flat_map(|place| self.rows_at(document, place.clone())) {
                let id = self.id_of(&document[span.clone()]);
                // What an earlier slot has under this identity counts once.
                let n = id.as_ref().and_then(|id| known.get(id)).copied().unwrap_or_else(|| {
                    rows.push((slot, span));
                    named.push(id.is_some());
                    rows.len() - 1
                });
                of.push(n);
                here.extend(id.map(|id| (id, n)));
            }
            for (id, n) in here {
                known.entry(id).or_insert(n);
            }
            which.push(of);
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let only = rows[0].0;
        let text = match &places[only] {
            // Where one slot has all of them, it is the document.
            Some(place) if which.iter().enumerate().all(|(n, of)| n == only || of.is_empty()) => {
                dedented(&document[place.clone()])
            }
            _ => {
                let mut list: Vec<String> = Vec::new();
                list.extend(rows.iter().map(|(_, span)| indented(&dedented(&document[span.clone()]), "\n  ")));
                format!("[\n  {}\n]", list.join(",\n  "))
            }
        };
        let (body, warnings) = self.view.read_at(0, &text)?;
        let slots = (1..=self.steps.len()).map(|n| Ok(self.view.read_at(n, document)?.0));
        let slots = slots.collect::<Result<Vec<_>>>()?;
        let counts = slots.iter().zip(&which).map(|(body, of)| (body, of.len())).chain([(&body, rows.len())]);
        for (body, count) in counts {
            if self.rules(body.as_node()).len() != count {
                let because = "every row in its slots is one row of the model".to_owned();
                return Err(Error::Refused { format: self.link.format.to_string(), because });
            }
        }
        let home = rows.into_iter().map(|(slot, _)| slot).collect();
        Ok(Some(Held { which, slots, home, named, text, body, warnings }))
    }

    /// Writes the rows of a piece over those that the slots hold: each row into every slot where it
    /// stands, new ones into the first. Without a piece all of them go.
    pub(super) fn merge(&self, document: &str, held: &Held, piece: Option<&dyn Node>) -> Result<Merged> {
        let known = self.rules(held.body.as_node());
        let given = piece.map(|piece| self.rules(piece)).unwrap_or_default();
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (n, rule) in given.iter().enumerate() {
            waiting.entry(self.called(rule)).or_default().push_back(n);
        }
        let partner: Vec<Option<usize>> =
            known.iter().map(|rule| waiting.get_mut(&self.called(rule))?.pop_front()).collect();
        let partnered: HashSet<usize> = partner.iter().flatten().copied().collect();
        let mut merged = Merged::default();
        for (slot, which) in held.which.iter().enumerate() {
            let here = self.rules(held.slots[slot].as_node());
            let pairs: Vec<(usize, usize, usize)> =
                which.iter().enumerate().filter_map(|(k, n)| Some((*n, partner[*n]?, k))).collect();
            let new: Vec<usize> = (0..given.len()).filter(|n| slot == 0 && !partnered.contains(n)).collect();
            let is_placed = |(n, m, _): &(usize, usize, usize)| self.place_of(&given[*m]) == self.place_of(&known[*n]);
            // Places are those in the piece or those in the slot, for all of its rows alike.
            let moved = !new.is_empty() || !pairs.iter().all(is_placed);
            let mut sequence: Vec<(usize, usize, Value<'static>)> = pairs
                .iter()
                .map(|(n, m, k)| (*n, *m, self.edited(&given[*m], &known[*n], &here[*k], moved)))
                .chain(new.iter().map(|m| (usize::MAX, *m, given[*m].clone())))
                .collect();
            let mut by_row: Vec<(usize, usize)> = pairs.iter().map(|(n, m, _)| (*n, *m)).collect();
            by_row.sort_unstable();
            if !new.is_empty() || !by_row.is_sorted_by_key(|(_, m)| *m) {
                sequence.sort_by_key(|(_, m, _)| *m);
            }
            sequence.sort_by(|(.., a), (.., b)| match (self.place_of(a), self.place_of(b)) {
                (Some(Value::Number(a)), Some(Value::Number(b))) => a.total_cmp(*b),
                _ => std::cmp::Ordering::Equal,
            });
            if slot == 0 {
                merged.first = sequence.iter().map(|(_, m, _)| *m).collect();
            } else {
                let own = sequence.iter().filter(|(n, ..)| held.home.get(*n) == Some(&slot));
                merged.others.extend(own.map(|(_, m, _)| *m));
            }
            let rules: Vec<Value<'static>> = sequence.into_iter().map(|(.., rule)| rule).collect();
            if rules == here {
                continue;
            }
            let mut body = held.slots[slot].clone();
            self.set_rules(body.as_node_mut(), rules);
            let text = merged.text.as_deref().unwrap_or(document);
            if let Some(text) = self.view.put_at(slot + 1, text, body.as_node())? {
                merged.text = Some(text);
            }
        }
        Ok(merged)
    }

    /// A row as a slot has it, with what was edited since it was read.
    fn edited(&self, given: &Value<'_>, known: &Value<'_>, here: &Value<'_>, moved: bool) -> Value<'static> {
        let (Value::Object(given), Value::Object(own)) = (given, here) else { return given.clone().into_owned() };
        let is_place = |key: &str| moved && self.rows.place.as_deref() == Some(key);
        let mut row = Vec::new();
        for (key, value) in given {
            if is_place(key) || known.get(key) != Some(value) {
                row.push((key.clone(), value.clone()));
            } else if let Some(value) = here.get(key) {
                row.push((key.clone(), value.clone()));
            }
        }
        let is_there = |key: &str| given.iter().any(|(other, _)| other == key);
        row.extend(own.iter().filter(|(key, _)| !is_there(key) && known.get(key).is_none()).cloned());
        Value::Object(row).into_owned()
    }

    /// Appends rows to the first slot, as they are; nothing where it cannot be made.
    pub(super) fn append(&self, document: &str, rows: &[String]) -> Result<Option<String>> {
        let (Some(pointer), Some(steps)) = (self.pointers.first(), self.steps.first()) else { return Ok(None) };
        let mut text = document.to_owned();
        match locate(&text, pointer) {
            Some(at) if text[at.clone()].starts_with('[') => {}
            Some(at) if self.rows.lone && text[at.clone()].starts_with('{') => {
                text.insert(at.end, ']');
                text.insert(at.start, '[');
            }
            // What is there and is nothing of the kind stays.
            Some(at) if &text[at.clone()] != "null" => return Ok(None),
            _ => {
                let empty = Value::List(Vec::new());
                let made = set(&text, 0..text.len(), steps, None, Change::Set(&empty));
                match made.map_err(|error| Error::syntax(&text, error))? {
                    Some(made) => text = made,
                    None => return Ok(None),
                }
            }
        }
        let Some(at) = locate(&text, pointer) else { return Ok(None) };
        let list = items(&text, at.start).map_err(|error| Error::syntax(&text, error))?;
        let mut patches = Patches::default();
        let layout = patches.layout(&text, at.start);
        let writers: Vec<_> = rows
            .iter()
            .map(|row| move |layout: &Layout, out: &mut String| out.push_str(&indented(row, layout.tail())))
            .collect();
        let old = (0..list.inside.len()).map(Place::Old);
        let sequence: Vec<Place<'_>> = old.chain(writers.iter().map(|write| Place::New(write))).collect();
        patches.edit_list(&text, &list, &sequence, 0, &layout);
        let mut out = String::new();
        patches.apply(&text, &mut out);
        Ok(Some(out))
    }

    /// The rows of a document of the format of the pieces, as text; and for each which row of a body
    /// it says.
    pub(super) fn rows_in(&self, document: &str, body: &dyn Node) -> Vec<(String, Option<usize>)> {
        let Ok(carrier) = self.format.carrier(document) else { return Vec::new() };
        let Some(shape) = self.format.map().shapes.get(carrier) else { return Vec::new() };
        let steps: Vec<String> = shape.at.iter().map(ToString::to_string).collect();
        let Some(at) = locate(document, &pointer(&steps)) else { return Vec::new() };
        let read = self.format.read_at(carrier, document).map(|(body, _)| self.rules(body.as_node()));
        let read = read.unwrap_or_default();
        let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (n, rule) in self.rules(body).iter().enumerate() {
            waiting.entry(self.called(rule)).or_default().push_back(n);
        }
        let rows = self.rows_at(document, at).into_iter().enumerate();
        rows.map(|(k, span)| {
            let which = read.get(k).and_then(|rule| waiting.get_mut(&self.called(rule))?.pop_front());
            (dedented(&document[span]), which)
        })
        .collect()
    }

    /// The identities in the slots of a document, and what stands under each.
    pub(super) fn taken(&self, document: &str) -> HashMap<String, Vec<String>> {
        let pointers: Vec<&str> = self.pointers.iter().map(String::as_str).collect();
        let mut taken: HashMap<String, Vec<String>> = HashMap::new();
        for place in locate_all(document, &pointers).into_iter().flatten() {
            for row in self.rows_at(document, place) {
                let row = &document[row];
                taken.entry(self.id_of(row).unwrap_or_default()).or_default().push(row.to_owned());
            }
        }
        taken.remove("");
        taken
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

    /// A row under another identity.
    pub(super) fn renamed(&self, row: &str, id: &str) -> String {
        let by = [self.rows.by.to_string()];
        let done = set(row, 0..row.len(), &by, None, Change::Set(&Value::text(id)));
        done.ok().flatten().unwrap_or_else(|| row.to_owned())
    }

    /// Where in an entity the identity of a row stands, and what it is.
    pub(super) fn identity(&self, body: &dyn Node, row: usize) -> (String, Option<serde_json::Value>) {
        let at = format!("/body/{}/{row}/{}", self.rows.list.replace('.', "/"), self.rows.id);
        let rule = self.rules(body).into_iter().nth(row);
        (at, rule.and_then(|rule| rule.get(&self.rows.id).cloned()).map(Into::into))
    }

    /// Gives a body the name of a piece.
    pub(super) fn set_name(&self, body: &mut dyn Node, name: &str) {
        if let Ok(route) = Route::find(body.shape(), &self.rows.name) {
            route.whole.set(body, Value::text(name));
        }
    }

    /// The rows of a piece that read back from a document, beside those that were given: `expected`
    /// says of each row that is read which row of the piece it is, `renamed` which rows of the piece
    /// were given another identity. A body to compare with the piece; nothing when other rows read
    /// back than were written.
    pub(super) fn read_back(
        &self,
        held: &Held,
        given: &dyn Node,
        expected: &[Option<usize>],
        renamed: &[usize],
    ) -> Option<Box<dyn Body>> {
        let read = self.rules(held.body.as_node());
        if read.len() != expected.len() {
            return None;
        }
        // What is nowhere expected stands in the document already, as it is.
        let mut rules = self.rules(given);
        for (n, (row, m)) in read.iter().zip(expected).enumerate() {
            let Some((m, rule)) = m.and_then(|m| Some((m, rules.get_mut(m)?))) else { continue };
            let mut found = row.clone();
            let mut keep = |key: &str| {
                let (Value::Object(row), value) = (&mut found, rule.get(key)) else { return };
                row.retain(|(other, _)| other != key);
                row.extend(value.map(|value| (key.to_owned().into(), value.clone())));
            };
            // The place of a row is one in the slot, and so is an identity that none stands for.
            self.rows.place.iter().for_each(|key| keep(key));
            if !held.named[n] || renamed.contains(&m) {
                keep(&self.rows.id);
            }
            *rule = found;
        }
        let mut body = held.body.clone();
        self.set_rules(body.as_node_mut(), rules);
        Some(body)
    }

    /// The rows in the value at a place of a document.
    fn rows_at(&self, document: &str, at: Range<usize>) -> Vec<Range<usize>> {
        match document.as_bytes().get(at.start) {
            Some(b'[') => {
                let list = items(document, at.start).map(|list| list.inside).unwrap_or_default();
                list.into_iter().filter(|item| document[item.clone()].starts_with('{')).collect()
            }
            Some(b'{') if self.rows.lone => vec![at],
            _ => Vec::new(),
        }
    }

    /// The rows of a body.
    fn rules(&self, body: &dyn Node) -> Vec<Value<'static>> {
        let Ok(route) = Route::find(body.shape(), &self.rows.list) else { return Vec::new() };
        let View::List(list) = route.whole.view(body) else { return Vec::new() };
        (0..list.len()).filter_map(|n| list.item(n)?.view().value()).map(Value::into_owned).collect()
    }

    fn set_rules(&self, body: &mut dyn Node, rules: Vec<Value<'_>>) {
        if let Ok(route) = Route::find(body.shape(), &self.rows.list) {
            route.whole.set(body, Value::List(rules));
        }
    }

    /// The identity of a row of the model.
    fn called(&self, rule: &Value<'_>) -> String {
        match rule.get(&self.rows.id) {
            Some(Value::Text(id)) => id.to_string(),
            Some(Value::Number(n)) => n.to_string(),
            _ => String::new(),
        }
    }

    fn place_of<'v, 'a>(&self, rule: &'v Value<'a>) -> Option<&'v Value<'a>> {
        rule.get(self.rows.place.as_deref()?)
    }
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

/// The format of the pieces of a declaration.
pub(super) fn piece_format<'r>(registry: &'r Registry, holder: &Declared, link: &Linked) -> Result<&'r Declared> {
    let found = registry.format(&link.format).ok().and_then(Format::declared);
    found.ok_or_else(|| Error::BadMap {
        format: holder.id().to_owned(),
        message: format!("`linked` names the format `{}`, and there is none", link.format),
    })
}

/// A shape that starts at a place, and asks nothing of a document.
fn carrier(at: Vec<Str>) -> Carrier {
    let (gate, rows, write) = (Seq::default(), Seq::default(), Seq::default());
    Carrier { at: at.into(), score: 1.0, gate, rows, map: None, write }
}

fn pointer(steps: &[String]) -> String {
    let mut pointer = Pointer::root();
    steps.iter().for_each(|step| pointer.push(step));
    pointer.as_str().to_owned()
}

/// A value without the indentation that its last line has. No line of JSON begins inside a text.
fn dedented(value: &str) -> String {
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
fn indented(value: &str, line: &str) -> String {
    match line {
        "" => value.split('\n').map(|line| line.trim_matches([' ', '\t', '\r'])).collect(),
        _ => value.split('\n').map(|line| line.trim_end_matches('\r')).collect::<Vec<_>>().join(line),
    }
}

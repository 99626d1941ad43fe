//! Picks: one row out of many, found before a document is read, so that every pass knows where it
//! stands.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use super::fill::fill_value;
use super::plan::Frame;
use super::types::has_first;
use super::{At, Source};
use crate::json::{Cursor, Outline, Value, items, members};
use crate::map::{Fill, Literal, Types};
use crate::model::Node;

/// A pick, worked out.
#[derive(Debug)]
pub(crate) struct PickPlan {
    pub(super) name: Box<str>,
    /// The place of the object or list.
    pub(super) at: usize,
    /// The key in the rows of a list that tells them apart; none where they are members.
    pub(crate) by: Option<Box<str>>,
    pub(super) is: Vec<ChoicePlan>,
    /// What tells a new row.
    pub(super) new: Option<Fill>,
}

/// One of the rows a pick would have.
#[derive(Debug)]
pub(super) enum ChoicePlan {
    /// The one that this tells.
    Is(Literal),
    /// The one that has no key.
    Lacks,
    /// The one that the value at a place tells.
    Wire(usize),
    /// The first one.
    First,
}

/// What tells a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RowKey {
    /// This text.
    Is(String),
    /// That it has no key.
    Lacks,
    /// Nothing that could be compared.
    Odd,
}

impl RowKey {
    /// What a value tells, as text.
    fn of(value: Option<&Value<'_>>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Lacks,
            Some(Value::Text(text)) => Self::Is(text.clone().into_owned()),
            Some(Value::Number(number)) => Self::Is(number.to_string()),
            Some(Value::Bool(b)) => Self::Is(b.to_string()),
            Some(Value::List(_) | Value::Object(_)) => Self::Odd,
        }
    }
}

/// The rows that a document has at the picks of a frame.
#[derive(Debug, Default)]
pub(super) struct Picked {
    /// For each pick what tells its row, and whether that had to do for another one.
    chosen: Vec<Option<(RowKey, bool)>>,
    /// Where the rows stand, by place.
    rows: HashMap<usize, Row>,
}

/// A row of a document.
#[derive(Debug, Clone)]
struct Row {
    key: RowKey,
    start: usize,
    step: At<'static>,
}

impl Picked {
    /// Looks for the rows. What cannot be read has none; the pass will tell.
    pub(super) fn find(frame: &Frame, text: &str) -> Self {
        let mut picked = Self::default();
        if frame.picks.is_empty() {
            return picked;
        }
        let mut looking = Looking { frame, text, starts: HashMap::new() };
        for pick in &frame.picks {
            let chosen = looking.choose(pick, &picked);
            picked.chosen.push(chosen.as_ref().map(|(row, is_other)| (row.key.clone(), *is_other)));
            if let Some((place, (row, _))) = frame.places[pick.at].picked.zip(chosen) {
                picked.rows.insert(place, row);
            }
        }
        // A place lies in one of a lower number.
        for (place, pick) in frame.places.iter().enumerate().filter_map(|(n, place)| Some((n, place.pick?))) {
            if let (false, Some((key, _))) = (picked.rows.contains_key(&place), &picked.chosen[pick]) {
                let start = looking.start(frame.places[place].parent, &picked);
                let types = frame.row_types(place);
                let rows = start.map(|start| looking.rows(&frame.picks[pick], start, types)).unwrap_or_default();
                if let Some(row) = rows.into_iter().find(|row| row.key == *key && *key != RowKey::Odd) {
                    picked.rows.insert(place, row);
                }
            }
        }
        picked
    }

    /// The step to the row at a place, if it starts at a byte.
    pub(super) fn step_at(&self, place: usize, start: usize) -> Option<At<'static>> {
        self.rows.get(&place).filter(|row| row.start == start).map(|row| row.step.clone())
    }

    /// The steps from the value of the frame to a place, rows that are picked among them.
    pub(super) fn steps_to<'p>(&self, frame: &'p Frame, mut place: usize) -> Vec<At<'p>> {
        let mut steps = Vec::new();
        while place != 0 {
            let here = &frame.places[place];
            let row = self.rows.get(&place).filter(|_| here.pick.is_some());
            steps.push(row.map_or(At::Key(&here.key), |row| row.step.clone()));
            place = here.parent;
        }
        steps.reverse();
        steps
    }

    /// What tells the row of a pick, if there is one.
    pub(super) fn key(&self, pick: usize) -> Option<&RowKey> {
        self.chosen.get(pick)?.as_ref().map(|(key, _)| key)
    }

    /// The picks that had to do with another row than the first they would have.
    pub(super) fn fallbacks(&self) -> impl Iterator<Item = usize> {
        let is_other = |chosen: &Option<(RowKey, bool)>| chosen.as_ref().is_some_and(|(_, is_other)| *is_other);
        self.chosen.iter().enumerate().filter(move |(_, chosen)| is_other(chosen)).map(|(n, _)| n)
    }
}

struct Looking<'l> {
    frame: &'l Frame,
    text: &'l str,
    /// Where the members of the objects stand that were looked into, by object and key.
    starts: HashMap<usize, HashMap<String, usize>>,
}

impl Looking<'_> {
    /// The row of a pick, and whether it is none of the first choice. A slot that names no row makes no
    /// choice.
    fn choose(&mut self, pick: &PickPlan, picked: &Picked) -> Option<(Row, bool)> {
        let start = self.start(pick.at, picked)?;
        let types = self.frame.places[pick.at].picked.map_or(Types::ANY, |place| self.frame.row_types(place));
        let rows = self.rows(pick, start, types);
        let mut by_key: HashMap<&str, &Row> = HashMap::new();
        for row in &rows {
            if let RowKey::Is(key) = &row.key {
                by_key.entry(key).or_insert(row);
            }
        }
        let named = pick.wire().map(|place| self.start(place, picked).map_or(RowKey::Lacks, |at| self.key_at(at)));
        let first = usize::from(named == Some(RowKey::Lacks));
        pick.is.iter().enumerate().find_map(|(which, choice)| {
            let row = match choice {
                ChoicePlan::Is(literal) => match RowKey::of(literal.value().as_ref()) {
                    RowKey::Is(key) => by_key.get(key.as_str()).copied(),
                    RowKey::Lacks | RowKey::Odd => None,
                },
                ChoicePlan::Lacks => rows.iter().find(|row| row.key == RowKey::Lacks),
                ChoicePlan::Wire(place) => match self.start(*place, picked).map(|at| self.key_at(at))? {
                    RowKey::Is(key) => by_key.get(key.as_str()).copied(),
                    RowKey::Lacks | RowKey::Odd => None,
                },
                ChoicePlan::First => rows.first(),
            };
            row.map(|row| (row.clone(), which > first))
        })
    }

    /// Where the value at a place starts, if it is there.
    fn start(&mut self, place: usize, picked: &Picked) -> Option<usize> {
        if place == 0 {
            return Some(0);
        }
        let (key, parent) = (&self.frame.places[place].key, self.frame.places[place].parent);
        if self.frame.places[place].pick.is_some() {
            return picked.rows.get(&place).map(|row| row.start);
        }
        let at = self.start(parent, picked)?;
        let text = self.text;
        let known = self.starts.entry(at).or_insert_with(|| {
            let object = object_at(text, at);
            let members = object.into_iter().flat_map(|object| object.inside);
            members.map(|member| (member.key.into_owned(), member.value.start)).collect()
        });
        known.get(&**key).copied()
    }

    fn key_at(&self, at: usize) -> RowKey {
        let value = Value::read(&mut Cursor::starting_at(self.text, at, 0)).ok().flatten();
        value.as_ref().map_or(RowKey::Odd, |value| RowKey::of(Some(value)))
    }

    /// The rows of the object or list at a byte. Of two equal keys the last one counts, in the place of
    /// the first.
    fn rows(&self, pick: &PickPlan, at: usize, types: Types) -> Vec<Row> {
        let may_be = |start: usize| {
            let first = Cursor::starting_at(self.text, start, 0).peek().unwrap_or(b'n');
            first != b'n' && has_first(types, first)
        };
        let Some(by) = &pick.by else {
            let mut known: IndexMap<String, usize> = IndexMap::new();
            let object = object_at(self.text, at);
            let members = object.into_iter().flat_map(|object| object.inside);
            members.for_each(|member| {
                known.insert(member.key.into_owned(), member.value.start);
            });
            let rows = known.into_iter().filter(|(_, start)| may_be(*start));
            return rows.map(|(key, start)| Row { start, step: At::Name(key.clone()), key: RowKey::Is(key) }).collect();
        };
        let list = (first_at(self.text, at) == Some(b'[')).then(|| items(self.text, at).ok()).flatten();
        let items = list.into_iter().flat_map(|list| list.inside).enumerate();
        let rows = items.filter(|(_, item)| may_be(item.start)).map(|(n, item)| {
            let object = object_at(self.text, item.start);
            let own = object.as_ref().and_then(|row| row.inside.iter().rev().find(|member| member.key == **by));
            let key = own.map_or(RowKey::Lacks, |own| self.key_at(own.value.start));
            Row { key, start: item.start, step: At::Index(n) }
        });
        rows.collect()
    }
}

fn first_at(text: &str, at: usize) -> Option<u8> {
    Cursor::starting_at(text, at, 0).peek().ok()
}

fn object_at(text: &str, at: usize) -> Option<Outline<crate::json::Member<'_>>> {
    (first_at(text, at) == Some(b'{')).then(|| members(text, at).ok()).flatten()
}

impl PickPlan {
    /// The place of the slot that says which row is the first choice.
    pub(crate) fn wire(&self) -> Option<usize> {
        match self.is.first() {
            Some(ChoicePlan::Wire(place)) => Some(*place),
            _ => None,
        }
    }

    /// What tells a row, as it is written.
    pub(super) fn value_of(&self, key: &RowKey) -> Option<Value<'static>> {
        let RowKey::Is(text) = key else { return None };
        let constants = self.is.iter().filter_map(|choice| match choice {
            ChoicePlan::Is(literal) => literal.value(),
            _ => None,
        });
        let same = constants.into_iter().find(|value| RowKey::of(Some(value)) == *key);
        Some(same.map_or_else(|| Value::text(text.clone()), Value::into_owned))
    }

    /// What tells a new row; nothing for a row without a key. `wired` is what the slot of the first
    /// choice says now, and no row has a key that is `taken`.
    pub(super) fn new_key(
        &self,
        wired: Option<Value<'static>>,
        taken: &HashSet<String>,
        scope: &dyn Node,
        source: Source<'_>,
    ) -> Option<Value<'static>> {
        match self.is.first() {
            Some(ChoicePlan::Is(literal)) => return literal.value().map(Value::into_owned),
            Some(ChoicePlan::Lacks) => return None,
            Some(ChoicePlan::Wire(_) | ChoicePlan::First) | None => {}
        }
        let wired = match RowKey::of(wired.as_ref()) {
            RowKey::Is(key) => Some(key),
            RowKey::Lacks | RowKey::Odd => None,
        };
        let new = || match self.new.as_ref().and_then(|new| fill_value(new, scope, 0, source)) {
            Some(Value::Text(text)) if !text.is_empty() => text.into_owned(),
            _ => self.name.to_string(),
        };
        let key = wired.unwrap_or_else(new);
        let mut free = key.clone();
        let mut n = 2;
        while taken.contains(&free) {
            free = format!("{key}-{n}");
            n += 1;
        }
        Some(Value::text(free))
    }
}

/// A row of a list that has its key, in front of what else it holds.
pub(super) fn with_key<'v>(by: &'v str, key: Option<Value<'v>>, row: Value<'v>) -> Value<'v> {
    match row {
        Value::Object(mut members) => {
            members.retain(|(own, _)| own != by);
            members.splice(0..0, key.map(|key| (by.into(), key)));
            Value::Object(members)
        }
        row => row,
    }
}

/// A key of a row as the key of a member.
pub(super) fn text_of(key: &Value<'_>) -> String {
    match RowKey::of(Some(key)) {
        RowKey::Is(text) => text,
        RowKey::Lacks | RowKey::Odd => String::new(),
    }
}

//! Fresh documents: what a map writes when there is no twin.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::export::{Scope, gathered, is_on};
use super::fill::fill_value;
use super::items::Items;
use super::pick::with_key;
use super::plan::{Frame, RowPlan, RowsPlan, TiePlan, Way};
use super::rows::NewKeys;
use super::scope::{PlainItem, node_at};
use super::slot::Form;
use super::{Source, asks};
use crate::blank::value_is_blank;
use crate::json::{Cursor, Layout, Value, members, print};
use crate::map::{Fill, Gone, Literal, Step};
use crate::model::{Field, List, Node, View};

/// The whole document of a body, two spaces a level and without a final line break.
pub(crate) fn fresh(frame: &Frame, body: &dyn Node, source: Source<'_>) -> String {
    let root = Scope { frame, node: body, index: 0, key: None };
    let fresh = Fresh { source, root, document: None, depth: Cell::new(0), wired: Rc::default() };
    let mut out = String::new();
    print(&fresh.value(&root, true), &Layout::pretty(), &mut out);
    out
}

/// What the writing of new values knows of the document they go into.
pub(super) struct Fresh<'a> {
    pub(super) source: Source<'a>,
    /// The frame and the body of the whole document.
    pub(super) root: Scope<'a, 'a>,
    /// The document, if there is one.
    pub(super) document: Option<&'a str>,
    /// How many values that stand for others are being worked out.
    pub(super) depth: Cell<usize>,
    /// The values of the document that new ones stand for, by their paths.
    pub(super) wired: Rc<RefCell<HashMap<String, Option<Value<'static>>>>>,
}

/// A row of the model as a new row of a file; nothing for a plain one that the file has no word for.
pub(super) fn fresh_row(
    rows: &RowsPlan,
    list: &dyn List,
    n: usize,
    key: Option<&str>,
    fresh: &Fresh<'_>,
) -> Option<Value<'static>> {
    let value = |node: &dyn Node| {
        let scope = Scope { frame: &rows.frame, node, index: n, key };
        fresh.said(&scope, true).map(Value::into_owned)
    };
    if rows.plain {
        return value(&PlainItem(list.item(n)?));
    }
    let said = value(node_at(list, n)?);
    if rows.are_values() { said } else { Some(said.unwrap_or(Value::Object(Vec::new()))) }
}

/// The value of a frame, as it is being made.
struct Making<'v> {
    frame: &'v Frame,
    /// For each pick what tells the row that is made for it.
    new_keys: Vec<Option<Value<'static>>>,
    value: Option<Value<'v>>,
    /// The places of slots that something other than their row writes, should it: they have their place
    /// among the keys already.
    open: Vec<usize>,
}

impl<'v> Making<'v> {
    fn path(&self, place: usize) -> Vec<Cow<'v, str>> {
        self.frame.path_of(place, &self.new_keys)
    }

    /// What stands at a place.
    fn at(&self, place: usize) -> Option<Value<'v>> {
        if self.open.contains(&place) {
            return None;
        }
        value_at(self.value.as_ref(), &self.path(place)).cloned()
    }

    fn is_there(&self, place: usize) -> bool {
        value_at(self.value.as_ref(), &self.path(place)).is_some()
    }

    fn put(&mut self, place: usize, value: Value<'v>) {
        self.open.retain(|other| *other != place);
        let path = self.path(place);
        put_at(&mut self.value, &path, value);
    }

    fn take(&mut self, place: usize) {
        let path = self.path(place);
        take_at(&mut self.value, &path);
    }

    /// Takes out the slots that nothing has written.
    fn close(&mut self, closes: impl Fn(&Frame, usize) -> bool) {
        let (closed, open) = self.open.iter().copied().partition::<Vec<usize>, _>(|place| closes(self.frame, *place));
        self.open = open;
        closed.into_iter().for_each(|place| self.take(place));
    }

    /// Makes rows of what was written for picks, in the object or list that has them.
    fn put_picks(&mut self) {
        let frame = self.frame;
        for (n, pick) in frame.picks.iter().enumerate() {
            let made = frame.places.iter().enumerate().filter(|(_, place)| place.pick == Some(n));
            let made: Vec<usize> = made.map(|(place, _)| place).collect();
            let is_made = made.iter().any(|place| self.is_there(*place));
            if let (true, Some(row)) = (is_made, frame.places[pick.at].picked)
                && !self.is_there(row)
            {
                self.put(row, frame.blank_row(row));
            }
            for place in made {
                let path = self.path(frame.places[place].parent);
                if let (Some(by), Some(rows)) = (&pick.by, value_at_mut(self.value.as_mut(), &path)) {
                    let row = match std::mem::replace(rows, Value::Null) {
                        Value::Object(members) => members.into_iter().next().map(|(_, row)| row),
                        _ => None,
                    };
                    let key = self.new_keys[n].clone();
                    *rows = Value::List(row.map(|row| with_key(by, key, row)).into_iter().collect());
                }
            }
            if let (true, Some(wire), Some(key)) = (is_made, pick.wire(), self.new_keys[n].clone()) {
                self.put(wire, key);
            }
        }
    }
}

impl Fresh<'_> {
    /// The JSON value that a frame writes for a scope. In a `whole` one the fillings of the map
    /// are written too; else only what the model says.
    pub(super) fn value<'v>(&self, scope: &Scope<'v, 'v>, whole: bool) -> Value<'v> {
        self.said(scope, whole).unwrap_or(Value::Object(Vec::new()))
    }

    /// The same; nothing where nothing is written.
    fn said<'v>(&self, scope: &Scope<'v, 'v>, whole: bool) -> Option<Value<'v>> {
        let frame = scope.frame;
        let new_keys =
            frame.picks.iter().map(|pick| pick.new_key(None, &HashSet::new(), scope.node, self.source)).collect();
        let mut made = Making { frame, new_keys, value: None, open: Vec::new() };
        self.put_rows(scope, whole, &mut made);
        self.put_joins(scope, &mut made);
        made.close(|frame, place| !frame.names_picked_row(place));
        made.put_picks();
        made.close(|_, _| true);
        let Making { new_keys, mut value, .. } = made;
        if let Some(rest) = &frame.rest {
            let leftovers = frame.leftovers(scope.node);
            if !leftovers.is_empty()
                && let Some(members) = members_at(&mut value, &frame.path_of(rest.place, &new_keys))
            {
                // Two names may come to one key; the first has it.
                let mut known = HashSet::new();
                let new = leftovers.into_iter().filter(|(_, key, _)| known.insert(key.clone()));
                members.extend(new.filter_map(|(_, key, field)| Some((key, field.view().value()?))));
            }
        }
        value
    }

    /// What the rows write, and the lists that keep an order.
    fn put_rows<'v>(&self, scope: &Scope<'v, 'v>, whole: bool, made: &mut Making<'v>) {
        let frame = scope.frame;
        let lean = whole && frame.lean.as_ref().is_some_and(|tests| asks::passes(tests, scope.node));
        for row in &frame.rows {
            let Some(place) = row.place else { continue };
            if whole && (lean || row.row.lean) && self.says_or(row, scope) {
                continue;
            }
            if let Some(slot) = self.slot(row, scope, whole) {
                made.put(place, slot);
            } else if frame.is_tied(place) {
                made.put(place, Value::Null);
                made.open.push(place);
            }
        }
        for row in frame.rows.iter().filter(|_| whole) {
            if let Some((place, ids)) = self.order(row, scope) {
                made.put(place, ids);
            }
        }
    }

    /// What the joins write, over what the rows have written.
    fn put_joins<'v>(&self, scope: &Scope<'v, 'v>, made: &mut Making<'v>) {
        let frame = scope.frame;
        for join in &frame.joins {
            let slots: Vec<Option<Value<'v>>> = join.slots.iter().map(|place| made.at(*place)).collect();
            let is_mapped =
                |place: usize| frame.places[place].row.is_some_and(|row| !frame.rows[row].routes.is_empty());
            let own = join.slots.iter().zip(&slots).skip(join.seen).filter(|(place, _)| !is_mapped(**place));
            let mut own = own.map(|(_, slot)| slot);
            // Where no slot that it alone writes has a value yet, the first row of the table counts that says it.
            let twin = match &join.tie {
                TiePlan::Table(table) if own.any(Option::is_some) => super::table::row_of_values(table, &slots),
                _ => None,
            };
            let said = twin.map_or(super::join::Said::Unknown, super::join::Said::Row);
            let written = join.write(scope.node, &slots, &said);
            for (place, new) in join.slots.iter().zip(written).filter_map(|(place, new)| Some((*place, new?))) {
                match new {
                    Some(new) => made.put(place, new),
                    None => made.take(place),
                }
            }
        }
    }

    /// Whether the model says what a slot that is not there reads as, by the `or` of its row.
    fn says_or(&self, row: &RowPlan, scope: &Scope<'_, '_>) -> bool {
        let or = row.row.or.as_ref().and_then(|fill| fill_value(fill, scope.node, scope.index, self.source));
        or.is_some_and(|or| row.routes.iter().all(|route| route.whole.view(scope.node).is(&or)))
    }

    /// What a slot holds that was not there, if it is written at all.
    pub(super) fn slot<'v>(&self, row: &'v RowPlan, scope: &Scope<'v, 'v>, whole: bool) -> Option<Value<'v>> {
        if let (true, Some(Ok(number))) = (row.numbered, scope.key.map(str::parse::<u64>)) {
            return row.slot.in_text(Value::Number(number.into()));
        }
        let said = match &row.way {
            Way::Rows(rows) => self.rows(row, rows, scope, whole),
            Way::Map(frame) => match self.value(&Scope { frame, ..*scope }, whole) {
                Value::Object(members) if members.is_empty() => Said::Nothing,
                value => Said::Value(value),
            },
            _ => said(row, scope.node, None),
        };
        let value = match said {
            Said::Value(value) if !(whole && row.row.omit_blank && value_is_blank(&value)) => row.slot.in_text(value),
            Said::Value(_) | Said::Nothing | Said::Unsayable => None,
        };
        value.or_else(|| if whole { self.filled(row, scope) } else { None })
    }

    /// What a slot of a new value holds when the model has nothing for it.
    fn filled<'v>(&self, row: &'v RowPlan, scope: &Scope<'v, 'v>) -> Option<Value<'v>> {
        match &row.row.fresh {
            Some(Fill::Wire { whole, at }) => return self.written(scope, *whole, at),
            Some(fill) => return fill_value(fill, scope.node, scope.index, self.source).map(Value::into_owned),
            None => {}
        }
        match row.row.gone {
            Gone::Null => Some(Value::Null),
            Gone::Blank => Some(row.slot.blank_in_text()),
            Gone::Remove | Gone::Keep => row.row.need.then(|| row.slot.blank_in_text()),
        }
    }

    /// A value of the file that is written: of the document, or of the object a slot stands in.
    fn written<'v>(&self, scope: &Scope<'v, 'v>, whole: bool, at: &[Step]) -> Option<Value<'v>> {
        const DEEPEST: usize = 8;
        let keys = at.iter().filter_map(|step| match step {
            Step::Key(key) => Some(key.as_ref()),
            Step::Every | Step::Pick(_) => None,
        });
        if let (true, Some(document)) = (whole, self.document) {
            let path: String = keys.clone().map(|key| format!("/{key}")).collect();
            let found = self.wired.borrow().get(&path).cloned();
            let value = found.unwrap_or_else(|| {
                let start = keys.clone().try_fold(Some(0), |at, key| member_of(document, at?, key)).flatten();
                let read = start.and_then(|start| Value::read(&mut Cursor::starting_at(document, start, 0)).ok()?);
                let value = read.map(Value::into_owned);
                self.wired.borrow_mut().insert(path, value.clone());
                value
            });
            if value.is_some() {
                return value;
            }
        }
        // Values that stand for each other stand for nothing.
        if self.depth.get() == DEEPEST {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let slot_of = |scope: &Scope<'_, '_>| {
            let place = keys.clone().try_fold(0, |at, key| scope.frame.places[at].children.get(key))?;
            let row = scope.frame.places[place].row?;
            self.slot(&scope.frame.rows[row], &Scope { ..*scope }, true).map(Value::into_owned)
        };
        let value = if whole { slot_of(&self.root) } else { slot_of(scope) };
        self.depth.set(self.depth.get() - 1);
        value
    }

    fn rows<'v>(&self, row: &'v RowPlan, rows: &'v RowsPlan, scope: &Scope<'v, 'v>, whole: bool) -> Said<'v> {
        if let Some(woven) = &rows.woven {
            // The list that keeps an order comes with a new object, and not with new rows.
            let written = self.woven(row, rows, woven, scope, whole && rows.order.is_some());
            return written.map_or(Said::Nothing, |(rows, _)| Said::Value(rows));
        }
        let list = row.routes.first().map(|route| route.whole.view(scope.node));
        let Some(View::List(list)) = list else { return Said::Nothing };
        let order = rows.order_of(list).unwrap_or_else(|| (0..list.len()).collect());
        Said::Value(match rows.keyed {
            None => {
                let values = order.into_iter().enumerate().filter_map(|(index, n)| {
                    if rows.are_values() {
                        return fresh_row(rows, list, n, None, self);
                    }
                    let scope = Scope { frame: &rows.frame, node: node_at(list, n)?, index, key: None };
                    Some(self.value(&scope, true))
                });
                Value::List(values.collect())
            }
            Some(_) => {
                let mut keys = NewKeys::none(rows, list);
                let members = order.into_iter().filter_map(|n| {
                    let key = keys.of(rows, list, n)?;
                    let value = fresh_row(rows, list, n, Some(&key), self)?;
                    Some((Cow::Owned(key), value))
                });
                Value::Object(members.collect())
            }
        })
    }

    /// The list that keeps the order of rows, and its place.
    fn order<'v>(&self, row: &'v RowPlan, scope: &Scope<'v, 'v>) -> Option<(usize, Value<'v>)> {
        let Way::Rows(rows) = &row.way else { return None };
        let order = rows.order.as_ref()?;
        if let Some(woven) = &rows.woven {
            let (_, items) = self.woven(row, rows, woven, scope, true)?;
            return Some((order.place, order.slot.in_text(items)?));
        }
        let list = row.list(scope.node)?;
        let mut keys = NewKeys::none(rows, list);
        let ids = (0..list.len()).filter_map(|n| {
            let key = keys.of(rows, list, n);
            order.id_in(rows, &fresh_row(rows, list, n, key.as_deref(), self)?)
        });
        let ids = Value::List(ids.map(Value::text).collect());
        Some((order.place, order.slot.in_text(ids)?))
    }
}

/// Where the value of a key of the object at a byte of a text starts.
fn member_of(text: &str, at: usize, key: &str) -> Option<Option<usize>> {
    let object = (text.as_bytes().get(at) == Some(&b'{')).then(|| members(text, at).ok()).flatten()?;
    Some(object.inside.iter().rev().find(|member| member.key == key).map(|member| member.value.start))
}

/// What the model has to say in the slot of a row.
#[derive(Debug)]
pub(crate) enum Said<'v> {
    Value(Value<'v>),
    Nothing,
    /// Something, but this wire has no word for it.
    Unsayable,
}

/// What the model says in a slot that is no list of rows, spelled; `twin` is the form in which the
/// slot is spelled now.
pub(super) fn said<'v>(row: &'v RowPlan, scope: &'v dyn Node, twin: Option<&Form>) -> Said<'v> {
    said_in(row, &row.slot, scope, twin)
}

/// The same in one of several slots of the row.
pub(super) fn said_in<'v>(
    row: &'v RowPlan,
    slot: &'v super::slot::Slot,
    scope: &'v dyn Node,
    twin: Option<&Form>,
) -> Said<'v> {
    let spelled = |value: Value<'v>| slot.spell(value, twin).map_or(Said::Unsayable, Said::Value);
    if let Way::Flags(flags) = &row.way {
        let on = flags.iter().filter(|(_, target)| is_on(target, scope));
        return Said::Value(Value::List(on.map(|(word, _)| Value::text(word.as_ref())).collect()));
    }
    let Some(route) = row.routes.first() else { return Said::Nothing };
    let view = route.whole.view(scope);
    match &row.way {
        Way::Sealed | Way::File | Way::Index | Way::Rows(_) | Way::Map(_) | Way::Flags(_) => Said::Nothing,
        Way::Value => match view.value() {
            None => slot.spell_nothing(twin).map_or(Said::Nothing, Said::Value),
            // A null that the wire has no word for is nothing.
            Some(Value::Null) => slot.spell(Value::Null, twin).map_or(Said::Nothing, Said::Value),
            Some(value) => spelled(value),
        },
        Way::Items => {
            let Some(items) = Items::of(route, scope) else {
                return match view {
                    View::Null if row.row.keep_null => Said::Value(Value::Null),
                    _ => Said::Nothing,
                };
            };
            let spelled = items.values().into_iter().filter_map(|value| slot.spell(value, twin));
            Said::Value(Value::List(spelled.collect()))
        }
        Way::Word(word) => {
            let has = match view {
                View::List(list) => (0..list.len()).any(|n| holds(list.item(n), word)),
                _ => false,
            };
            spelled(Value::Bool(has))
        }
        Way::Gather => spelled(Value::Bool(gathered(row, scope).unwrap_or(false))),
    }
}

fn holds(item: Option<&dyn Field>, word: &Literal) -> bool {
    item.and_then(|item| item.view().value()).is_some_and(|value| word.is(&value))
}

/// Puts a value at the end of a path of keys, making the objects on the way.
fn put_at<'v>(whole: &mut Option<Value<'v>>, keys: &[Cow<'v, str>], value: Value<'v>) {
    match keys.split_last() {
        None => *whole = Some(value),
        Some((key, holder)) => put_member(whole, holder, key.clone(), value),
    }
}

/// Sets a member of the object at a path of keys.
fn put_member<'v>(whole: &mut Option<Value<'v>>, holder: &[Cow<'v, str>], key: Cow<'v, str>, value: Value<'v>) {
    let Some(members) = members_at(whole, holder) else { return };
    match members.iter_mut().find(|(k, _)| *k == key) {
        Some((_, old)) => *old = value,
        None => members.push((key, value)),
    }
}

/// The members of the object at a path of keys, which is made if it is not there.
fn members_at<'a, 'v>(
    whole: &'a mut Option<Value<'v>>,
    holder: &[Cow<'v, str>],
) -> Option<&'a mut Vec<(Cow<'v, str>, Value<'v>)>> {
    let mut at = whole.get_or_insert_with(|| Value::Object(Vec::new()));
    for key in holder {
        let Value::Object(members) = at else { return None };
        let n = members.iter().position(|(k, _)| k == key).unwrap_or_else(|| {
            members.push((key.clone(), Value::Object(Vec::new())));
            members.len() - 1
        });
        at = &mut members[n].1;
    }
    match at {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

fn value_at<'a, 'v>(mut value: Option<&'a Value<'v>>, keys: &[Cow<'_, str>]) -> Option<&'a Value<'v>> {
    for key in keys {
        value = value?.get(key);
    }
    value
}

fn value_at_mut<'a, 'v>(value: Option<&'a mut Value<'v>>, keys: &[Cow<'_, str>]) -> Option<&'a mut Value<'v>> {
    keys.iter().try_fold(value?, |value, key| match value {
        Value::Object(members) => members.iter_mut().find(|(own, _)| own == key).map(|(_, value)| value),
        _ => None,
    })
}

fn take_at(whole: &mut Option<Value<'_>>, keys: &[Cow<'_, str>]) {
    let Some((last, holder)) = keys.split_last() else { return };
    let Some(mut at) = whole.as_mut() else { return };
    for key in holder {
        let Value::Object(members) = at else { return };
        let Some((_, inner)) = members.iter_mut().find(|(k, _)| k == key) else { return };
        at = inner;
    }
    let Value::Object(members) = at else { return };
    members.retain(|(key, _)| key != last);
    // An object with nothing in it was only made to hold what goes.
    if members.is_empty() {
        take_at(whole, holder);
    }
}

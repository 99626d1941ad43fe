//! Lists of rows: which row of the twin belongs to which row of the model.

use std::collections::{HashMap, HashSet, VecDeque};

use super::export::{Export, Scope};
use super::fresh::fresh_value;
use super::ids;
use super::import::{decode_row, fill_value};
use super::plan::{RowPlan, RowsPlan, Way};
use super::value::{Got, Layer};
use super::{At, Pass};
use crate::error::WarningKind;
use crate::json::{Cursor, Item, Layout, Outline, Patches, Place, items, print};
use crate::model::{Field, List, Node, Open, View};

/// What is asked of the row that holds the identity.
#[derive(Clone, Copy)]
pub(super) enum Identity {
    /// There is none, or it is like any other row.
    None,
    /// The row at this index tells rows apart: if it differs, nothing is edited.
    Asked(usize),
    /// The row at this index has been matched.
    Known(usize),
}

impl RowPlan {
    /// The list of the model that the row goes to.
    pub(super) fn list<'m>(&self, scope: &'m dyn Node) -> Option<&'m dyn List> {
        match self.routes.first()?.whole.view(scope) {
            View::List(list) => Some(list),
            _ => None,
        }
    }

    /// Whether the model has the identity that a row without one is given.
    pub(super) fn is_unnamed(&self, scope: &Scope<'_, '_>) -> bool {
        let view = self.routes.first().map(|route| route.whole.view(scope.node));
        matches!(view, Some(View::Text(id)) if id == ids::synthetic(scope.index))
    }

    /// Whether the list of the model holds the word that the slot stands for.
    pub(super) fn has_word(&self, scope: &dyn Node) -> bool {
        let Way::Word(word) = &self.way else { return false };
        let Some(list) = self.list(scope) else { return false };
        let is_word = |n: usize| list.item(n)?.view().value().map(|value| word.is(&value));
        (0..list.len()).any(|n| is_word(n) == Some(true))
    }
}

impl RowsPlan {
    /// Gives the rows that have none an identity.
    pub(super) fn name(&self, list: &mut dyn List, unnamed: &[usize]) {
        let Some(route) = self.by.and_then(|by| self.frame.rows[by].routes.first()) else { return };
        let is_named = |n: usize| unnamed.binary_search(&n).is_err();
        let wire = (0..list.len()).map(|n| node_at(list, n).filter(|_| is_named(n)).map(|node| self.identity(node)));
        let settled = ids::settle(wire.collect());
        for n in unnamed {
            if let Some(Open::Node(node)) = list.item_mut(*n).map(Field::open) {
                route.whole.set(node, crate::json::Value::text(settled[*n].as_str()));
            }
        }
    }

    /// The identity of a row of the model; rows without one are all alike.
    fn identity(&self, node: &dyn Node) -> String {
        let route = self.by.and_then(|by| self.frame.rows[by].routes.first());
        match route.map(|route| route.whole.view(node)) {
            None => String::new(),
            Some(View::Text(text)) => text.to_owned(),
            Some(view) => shown(view),
        }
    }
}

/// A value as a text that only equal values have.
fn shown(view: View<'_>) -> String {
    let mut text = String::new();
    if let Some(value) = view.value() {
        print(&value, &Layout::compact(), &mut text);
    }
    text
}

fn node_at(list: &dyn List, n: usize) -> Option<&dyn Node> {
    match list.item(n)?.view() {
        View::Node(node) => Some(node),
        _ => None,
    }
}

/// The rows of a twin: where their objects stand among the items of the list.
struct Twins<'t> {
    text: &'t str,
    outline: Outline<Item>,
    rows: Vec<usize>,
    depth: u32,
}

impl<'t> Twins<'t> {
    fn new(start: &Cursor<'t>) -> Pass<Self> {
        let text = start.source();
        let outline = items(text, start.at())?;
        let is_row = |n: &usize| text.as_bytes().get(outline.inside[*n].start) == Some(&b'{');
        let rows = (0..outline.inside.len()).filter(is_row).collect();
        Ok(Self { text, outline, rows, depth: start.depth() + 1 })
    }

    fn cursor(&self, row: usize) -> Cursor<'t> {
        Cursor::starting_at(self.text, self.outline.inside[self.rows[row]].start, self.depth)
    }
}

impl<'p> Export<'p> {
    /// Compares a list of rows with that of the model, and edits it where they differ.
    ///
    /// As long as the rows come in the order of the model this is one pass; otherwise they are
    /// matched through one look-up table.
    pub(super) fn rows(
        &mut self,
        rows: &'p RowsPlan,
        list: &dyn List,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let (start, mark) = (cursor.clone(), patches.mark());
        let identity = rows.by.map_or(Identity::None, Identity::Asked);
        let (mut n, mut place, mut aligned, mut same) = (0, 0, true, true);
        let mut sums = self.truth.start_rows(rows);
        let any = cursor.list()?;
        if any {
            loop {
                self.truth.start_row(rows);
                if cursor.peek()? != b'{' {
                    cursor.skip()?;
                } else {
                    self.walk.row()?;
                    match node_at(list, n).filter(|_| aligned) {
                        Some(node) => {
                            self.walk.path.push(At::Index(place));
                            let scope = Scope { frame: &rows.frame, node, index: n };
                            let compared = self.frame(&scope, cursor, patches, identity)?;
                            self.walk.path.pop();
                            aligned = compared.same_identity;
                            same &= compared.same;
                        }
                        None => {
                            aligned = false;
                            self.truth.pass_over(&rows.frame, 0, cursor)?;
                        }
                    }
                    n += 1;
                }
                self.truth.end_row(rows, &mut sums);
                place += 1;
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        // Rows in the order of the model are not the rows of the model where several share an
        // identity and one differs: they may have changed places.
        if !aligned || n != list.len() || (!same && some_share(rows, list)) {
            patches.discard(mark);
            self.match_rows(rows, list, &start, patches)?;
        }
        self.truth.end_rows(rows, &sums, any);
        Ok(())
    }

    /// Matches rows by identity and gives the list the sequence of the model.
    fn match_rows(&mut self, rows: &'p RowsPlan, list: &dyn List, start: &Cursor<'_>, patches: &mut Patches) -> Pass {
        let twins = Twins::new(start)?;
        let matched = self.matches(rows, list, &twins)?;
        let identity = rows.by.map_or(Identity::None, Identity::Known);
        let mark = patches.mark();
        let mut made = Vec::new();
        for (n, row) in matched.into_iter().enumerate() {
            let Some(node) = node_at(list, n) else { continue };
            match row {
                Some(row) => {
                    let scope = Scope { frame: &rows.frame, node, index: row };
                    self.frame(&scope, &mut twins.cursor(row), patches, identity)?;
                    made.push((Some(twins.rows[row]), None));
                }
                None => made.push((None, Some(fresh_value(&rows.frame, node, n, self.walk.source)))),
            }
        }
        let writers: Vec<_> = made
            .iter()
            .map(|(_, value)| {
                move |layout: &Layout, out: &mut String| {
                    if let Some(value) = value {
                        print(value, layout, out);
                    }
                }
            })
            .collect();
        let mut sequence: Vec<Place<'_>> =
            made.iter().zip(&writers).map(|((old, _), write)| old.map_or(Place::New(write), Place::Old)).collect();
        // What is no row keeps its index.
        for n in (0..twins.outline.inside.len()).filter(|n| twins.rows.binary_search(n).is_err()) {
            sequence.insert(n.min(sequence.len()), Place::Old(n));
        }
        let layout = Layout::at(twins.text, twins.outline.span.start);
        patches.edit_list(twins.text, &twins.outline, &sequence, mark, &layout);
        Ok(())
    }

    /// For each row of the model the row of the twin that it is.
    ///
    /// Rows that share an identity (all of them, where there is none) are matched where they say
    /// the same, and the others in order.
    fn matches(&mut self, rows: &'p RowsPlan, list: &dyn List, twins: &Twins<'_>) -> Pass<Vec<Option<usize>>> {
        let mut wire = Vec::with_capacity(twins.rows.len());
        for row in 0..twins.rows.len() {
            wire.push(self.wire_identity(rows, list, twins, row)?);
        }
        let mut queues: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (row, id) in ids::settle(wire).into_iter().enumerate() {
            queues.entry(id).or_default().push_back(row);
        }
        // What the rows of the twin say, for those that are not alone with their identity.
        let mut says: HashMap<(String, String), VecDeque<usize>> = HashMap::new();
        for (id, queue) in queues.iter().filter(|(_, queue)| queue.len() > 1) {
            for row in queue {
                let said = self.decoded(rows, list, twins, *row)?;
                says.entry((id.clone(), said)).or_default().push_back(*row);
            }
        }
        let mut matched = vec![None; list.len()];
        let mut taken = HashSet::new();
        let mut waiting = Vec::new();
        for (n, matched) in matched.iter_mut().enumerate() {
            let Some(node) = node_at(list, n) else { continue };
            let id = rows.identity(node);
            match queues.get(&id).map(VecDeque::len) {
                None => {}
                Some(1) => *matched = queues.get_mut(&id).and_then(VecDeque::pop_front),
                Some(_) => {
                    let key = (id, shown(View::Node(node)));
                    *matched = says.get_mut(&key).and_then(VecDeque::pop_front);
                    match matched {
                        Some(row) => drop(taken.insert(*row)),
                        None => waiting.push((n, key.0)),
                    }
                }
            }
        }
        let several = waiting.len() > 1;
        queues.values_mut().for_each(|queue| queue.retain(|row| !taken.contains(row)));
        for (n, id) in waiting {
            let Some(queue) = queues.get_mut(&id) else { continue };
            if several && queue.len() > 1 && rows.by.is_some() {
                self.walk.warn(
                    WarningKind::Other,
                    format!("several rows are called {id:?} and were edited; they are told apart by their order"),
                );
            }
            matched[n] = queue.pop_front();
        }
        Ok(matched)
    }

    /// What a row of the twin reads as.
    fn decoded(&self, rows: &'p RowsPlan, list: &dyn List, twins: &Twins<'_>, row: usize) -> Pass<String> {
        let mut item = list.blank();
        if let Open::Node(node) = item.open() {
            decode_row(&rows.frame, &mut twins.cursor(row), node, row, self.walk.source, self.walk.limits)?;
        }
        Ok(shown(item.view()))
    }

    /// The identity of a row of the twin, if it has one.
    fn wire_identity(
        &self,
        rows: &'p RowsPlan,
        list: &dyn List,
        twins: &Twins<'_>,
        row: usize,
    ) -> Pass<Option<String>> {
        let Some(by) = rows.by.map(|by| &rows.frame.rows[by]) else { return Ok(Some(String::new())) };
        let key = by.place.map(|place| rows.frame.places[place].key.as_ref()).unwrap_or_default();
        let mut cursor = twins.cursor(row);
        let mut identity = None;
        if cursor.object()? {
            loop {
                if cursor.key()?.text() != key {
                    cursor.skip()?;
                } else {
                    identity = match by.slot.layer(&mut cursor)? {
                        Layer::Plain => identity_of(by.slot.read(&mut cursor)?),
                        Layer::Json(inner) => identity_of(by.slot.read(&mut Cursor::new(&inner))?),
                        Layer::Unreadable => cursor.skip().map(|()| None)?,
                    };
                }
                if !cursor.more(b'}')? {
                    break;
                }
            }
        }
        let or = || {
            let blank = list.blank();
            let View::Node(node) = blank.view() else { return None };
            let fill = by.row.or.as_ref()?;
            fill_value(fill, node, row, self.walk.source).and_then(|value| identity_of(Got::Value(value)))
        };
        Ok(identity.or_else(or))
    }
}

fn identity_of(got: Got<'_>) -> Option<String> {
    match got {
        Got::Value(crate::json::Value::Text(text)) => Some(text.into_owned()),
        Got::Value(value) => {
            let mut text = String::new();
            print(&value, &Layout::compact(), &mut text);
            Some(text)
        }
        Got::Blank | Got::Null | Got::Unknown | Got::Wrong | Got::Refused => None,
    }
}

/// Whether several rows of the model share an identity; all do where there is none.
fn some_share(rows: &RowsPlan, list: &dyn List) -> bool {
    if rows.by.is_none() {
        return list.len() > 1;
    }
    let mut seen = HashSet::with_capacity(list.len());
    !(0..list.len()).filter_map(|n| node_at(list, n)).all(|node| seen.insert(rows.identity(node)))
}

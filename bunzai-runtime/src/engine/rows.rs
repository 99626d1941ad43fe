//! Lists of rows: which row of the twin belongs to which row of the model.

use std::collections::{HashMap, VecDeque};

use super::Pass;
use super::export::{Export, Scope};
use super::fresh::fresh_value;
use super::plan::{RowPlan, RowsPlan, Way};
use super::value::Got;
use crate::json::{Cursor, Layout, Outline, Patches, Place, items, print};
use crate::model::{List, Node, View};

impl RowPlan {
    /// The list of the model that the row goes to.
    pub(super) fn list<'m>(&self, scope: &'m dyn Node) -> Option<&'m dyn List> {
        match self.routes.first()?.whole.view(scope) {
            View::List(list) => Some(list),
            _ => None,
        }
    }

    /// Whether the list of the model holds the word that the slot stands for.
    pub(super) fn has_word(&self, scope: &dyn Node) -> bool {
        let Way::Word(word) = &self.way else { return false };
        let Some(list) = self.list(scope) else { return false };
        let is_word = |n: usize| list.item(n)?.view().value().map(|value| word.is(&value));
        (0..list.len()).any(|n| is_word(n) == Some(true))
    }
}

fn node_at(list: Option<&dyn List>, n: usize) -> Option<&dyn Node> {
    match list?.item(n)?.view() {
        View::Node(node) => Some(node),
        _ => None,
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
        list: Option<&dyn List>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let (start, mark) = (cursor.clone(), patches.mark());
        let length = list.map_or(0, List::len);
        let (mut n, mut aligned) = (0, true);
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
                            let scope = Scope { frame: &rows.frame, node, index: n };
                            let compared = self.frame(&scope, cursor, patches, rows.by)?;
                            aligned = compared.same_identity && (compared.same || rows.by.is_some());
                        }
                        None => {
                            aligned = false;
                            self.truth.pass_over(&rows.frame, 0, cursor)?;
                        }
                    }
                    n += 1;
                }
                self.truth.end_row(rows, &mut sums);
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        if !aligned || n != length {
            patches.discard(mark);
            self.match_rows(rows, list, start, patches)?;
        }
        self.truth.end_rows(rows, &sums, any);
        Ok(())
    }

    /// Matches rows by identity and gives the list the sequence of the model.
    fn match_rows(
        &mut self,
        rows: &'p RowsPlan,
        list: Option<&dyn List>,
        start: Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let text = start.source();
        let outline = items(text, start.at())?;
        let twins: Vec<usize> = (0..outline.inside.len())
            .filter(|n| text.as_bytes().get(outline.inside[*n].start) == Some(&b'{'))
            .collect();
        let matched = self.matches(rows, list, &twins, &outline, text)?;
        let mark = patches.mark();
        let mut fresh = Vec::new();
        for (n, row) in matched.into_iter().enumerate() {
            let Some(node) = node_at(list, n) else { continue };
            match row {
                Some(row) => {
                    let scope = Scope { frame: &rows.frame, node, index: row };
                    let span = outline.inside[twins[row]].clone();
                    self.frame(&scope, &mut Cursor::starting_at(text, span.start, start.depth()), patches, None)?;
                    fresh.push((Some(twins[row]), None));
                }
                None => fresh.push((None, Some(fresh_value(&rows.frame, node, n, self.walk.source)))),
            }
        }
        let writers: Vec<_> = fresh
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
            fresh.iter().zip(&writers).map(|((old, _), write)| old.map_or(Place::New(write), Place::Old)).collect();
        // What is no row keeps its index.
        for n in (0..outline.inside.len()).filter(|n| twins.binary_search(n).is_err()) {
            sequence.insert(n.min(sequence.len()), Place::Old(n));
        }
        patches.edit_list(text, &outline, &sequence, mark, &Layout::at(text, outline.span.start));
        Ok(())
    }

    /// For each row of the model the row of the twin that it is.
    fn matches(
        &mut self,
        rows: &'p RowsPlan,
        list: Option<&dyn List>,
        twins: &[usize],
        outline: &Outline<crate::json::Item>,
        text: &str,
    ) -> Pass<Vec<Option<usize>>> {
        let mut matched = vec![None; list.map_or(0, List::len)];
        let mut free: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (row, n) in twins.iter().enumerate() {
            let id = identity_at(rows, text, outline.inside[*n].start)?.unwrap_or_default();
            free.entry(id).or_default().push_back(row);
        }
        let identity = |node: &dyn Node| match rows.by.and_then(|by| rows.frame.rows[by].routes.first()) {
            Some(route) => match route.whole.view(node) {
                View::Text(text) => text.to_owned(),
                view => view.value().map(|value| format!("{value:?}")).unwrap_or_default(),
            },
            None => String::new(),
        };
        // Rows that share an identity: those that say the same first, then in order.
        let mut waiting = Vec::new();
        for (n, matched) in matched.iter_mut().enumerate() {
            let Some(node) = node_at(list, n) else { continue };
            let Some(queue) = free.get_mut(&identity(node)) else { continue };
            if queue.len() == 1 && rows.by.is_some() {
                *matched = queue.pop_front();
                continue;
            }
            let equal = queue.iter().position(|row| {
                let at = outline.inside[twins[*row]].start;
                let scope = Scope { frame: &rows.frame, node, index: *row };
                let compared = self.frame(&scope, &mut Cursor::starting_at(text, at, 0), &mut Patches::default(), None);
                compared.is_ok_and(|compared| compared.same)
            });
            match equal {
                Some(place) => *matched = queue.remove(place),
                None => waiting.push(n),
            }
        }
        for n in waiting {
            let Some(node) = node_at(list, n) else { continue };
            matched[n] = free.get_mut(&identity(node)).and_then(VecDeque::pop_front);
        }
        Ok(matched)
    }
}

/// The identity of the row at a byte of a text, as the model has it.
fn identity_at(rows: &RowsPlan, text: &str, at: usize) -> Pass<Option<String>> {
    let Some(by) = rows.by.map(|by| &rows.frame.rows[by]) else { return Ok(None) };
    let Some(place) = by.place else { return Ok(None) };
    let mut cursor = Cursor::starting_at(text, at, 0);
    let mut identity = None;
    if cursor.object()? {
        loop {
            let key = cursor.key()?.text();
            if rows.frame.places[0].children.get(&key) == Some(place) {
                identity = match by.slot.read(&mut cursor)? {
                    Got::Value(value) => Some(match value.as_text() {
                        Some(text) => text.to_owned(),
                        None => format!("{value:?}"),
                    }),
                    Got::Nothing | Got::Wrong => None,
                };
            } else {
                cursor.skip()?;
            }
            if !cursor.more(b'}')? {
                break;
            }
        }
    }
    Ok(identity)
}

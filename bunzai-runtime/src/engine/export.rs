//! Export over a twin: one pass that walks the twin beside the model, compares value by value,
//! and splices what differs.
//!
//! The pass reads the twin exactly as an import would, so that a row is written only where the
//! model is not what the twin reads as. Nothing is built or copied until something differs. What
//! several places speak for is settled when the whole object is known, as in an import.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::edit::Differing;
use super::fill::{fill_value, place_of};
use super::gate::Truth;
use super::items::Items;
use super::join::{Claim, value_of};
use super::layer::Layer;
use super::pick::Picked;
use super::plan::{Frame, Leaf, RowPlan, Way};
use super::rows::{Identity, Listing, Twins};
use super::scope::node_at;
use super::slot::{Direct, Slot};
use super::target::Target;
use super::{Pass, Source, Walk};
use crate::blank::view_is_unset;
use crate::error::{Error, Warning};
use crate::json::{Cursor, Patches, Value};
use crate::limits::Limits;
use crate::model::{Field, List, Node, View};

/// What an export over a twin came to.
#[derive(Debug)]
pub(crate) enum Put {
    /// The twin says what the model says.
    Same,
    /// The twin with what differed spliced in.
    Changed(String),
    /// The twin does not pass the gate of its format.
    Refused,
}

/// Writes a body over its twin.
pub(crate) fn put<'p>(
    frame: &'p Frame,
    text: &'p str,
    body: &'p dyn Node,
    source: Source<'p>,
) -> Result<(Put, Vec<Warning>), Error> {
    let root = Scope { frame, node: body, index: 0, key: None };
    let mut export = Export {
        // The twin was within the limits when it was read.
        walk: Walk::new(source, Limits::NONE),
        root,
        document: text,
        met: Vec::new(),
        overruled: Vec::new(),
        leftovers: Vec::new(),
        truth: Truth::new(frame),
        wired: Rc::default(),
        picked: Picked::find(frame, text),
    };
    let mut patches = Patches::default();
    let done = export.frame(&root, &mut Cursor::new(text), &mut patches, Identity::None);
    done.map_err(|stop| stop.into_error(text))?;
    if !export.truth.passes() {
        return Ok((Put::Refused, Vec::new()));
    }
    if patches.is_empty() {
        return Ok((Put::Same, export.walk.into_warnings()));
    }
    let mut out = String::new();
    patches.apply(text, &mut out);
    Ok((Put::Changed(out), export.walk.into_warnings()))
}

/// A frame beside the struct of the model it speaks of.
#[derive(Clone, Copy)]
pub(super) struct Scope<'p, 'm> {
    pub(super) frame: &'p Frame,
    pub(super) node: &'m dyn Node,
    /// The place of the row, should the frame read one.
    pub(super) index: usize,
    /// Its key, where rows are members of an object.
    pub(super) key: Option<&'m str>,
}

pub(super) struct Export<'p> {
    pub(super) walk: Walk<'p>,
    /// The frame and the body of the whole document, and its text.
    pub(super) root: Scope<'p, 'p>,
    pub(super) document: &'p str,
    /// What has been met at each place of the frames that are open, the innermost last.
    pub(super) met: Vec<Met>,
    /// The rows of these frames that a join has the last word about, and whether the model says
    /// something else than the join.
    overruled: Vec<(usize, bool)>,
    /// The members without a row that have been met in these frames, where the map takes them.
    pub(super) leftovers: Vec<(String, Range<usize>)>,
    pub(super) truth: Truth<'p>,
    /// The values of the document that new ones stand for, by their paths.
    pub(super) wired: Rc<RefCell<HashMap<String, Option<Value<'static>>>>>,
    /// The rows out of many, in the frame of the document.
    pub(super) picked: Picked,
}

/// What was met at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Met {
    pub(super) start: usize,
    /// Zero: the place is not there.
    pub(super) end: usize,
    /// Whether the model says something else.
    differs: bool,
}

impl Met {
    pub(super) fn is_there(self) -> bool {
        self.end > 0
    }

    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A frame that is being compared: where its places begin among those of all open frames.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    /// How many patches there were before.
    patches: usize,
    pub(super) met: usize,
    overruled: usize,
    pub(super) leftovers: usize,
}

/// How a frame compared.
pub(super) struct Compared {
    /// Whether the row that holds the identity says what the model says. If not, nothing was
    /// edited.
    pub(super) same_identity: bool,
    /// Whether every row does.
    pub(super) same: bool,
}

impl<'p> Export<'p> {
    /// Compares the value at the cursor with the model, and edits it where they differ.
    pub(super) fn frame(
        &mut self,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
        identity: Identity<'p>,
    ) -> Pass<Compared> {
        let mark = patches.mark();
        let entered = Entered {
            patches: mark,
            met: self.met.len(),
            overruled: self.overruled.len(),
            leftovers: self.leftovers.len(),
        };
        self.met.resize(entered.met + scope.frame.places.len(), Met::default());
        let text = cursor.source();
        let depth = cursor.depth();
        self.place(scope, entered, 0, cursor, patches)?;
        let here = Cursor::starting_at(text, 0, depth);
        self.settle(scope, entered, &here, patches)?;
        let mut differing = Vec::new();
        let mut same_identity = true;
        for (n, row) in scope.frame.rows.iter().enumerate() {
            let Some(place) = row.place else { continue };
            let met = self.met[entered.met + place];
            let overruled = self.overruled[entered.overruled..].iter().rev().find(|(row, _)| *row == n);
            let differs = match overruled {
                Some((_, differs)) => *differs,
                None if met.is_there() || !row.also.is_empty() => met.differs,
                None => !self.default_is(row, scope),
            };
            if !differs {
                continue;
            }
            match identity {
                // A row without an identity was given one that is not written.
                Identity::Known(by) if by == n => {}
                Identity::Asked(by, rows) if by == n => same_identity = self.is_made(row, scope, met, &here, rows)?,
                _ => differing.push(n),
            }
        }
        let joins = self.joins(scope, entered, &differing, &here)?;
        let leftovers = self.differing_leftovers(scope, entered, &here)?;
        let none_differs = differing.is_empty() && joins.is_empty() && leftovers.is_empty();
        let same = none_differs && patches.mark() == mark;
        if same_identity && !none_differs {
            self.edit(scope, entered, Differing { rows: &differing, joins, leftovers }, text, patches)?;
        }
        self.met.truncate(entered.met);
        self.overruled.truncate(entered.overruled);
        self.leftovers.truncate(entered.leftovers);
        Ok(Compared { same_identity, same })
    }

    fn place(
        &mut self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        at: usize,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let place = &scope.frame.places[at];
        let first = cursor.peek()?;
        let start = cursor.at();
        if self.met[entered.met + at].is_there() {
            // Of two equal keys the last one counts: what was found out about the first is void.
            self.forget(scope.frame, entered, at, patches);
        }
        self.truth.at(place, first, cursor)?;
        let same = match place.row {
            Some(row) => self.row(&scope.frame.rows[row], scope, cursor, patches)?,
            None => {
                if let Some(child) = place.picked {
                    self.one_of_many(scope, entered, child, cursor, patches)?;
                } else if first == b'{' && (!place.children.is_empty() || place.rest) {
                    self.members(scope, entered, at, cursor, patches)?;
                } else {
                    cursor.skip()?;
                }
                true
            }
        };
        self.met[entered.met + at] = Met { start, end: cursor.at(), differs: !same };
        Ok(())
    }

    fn members(
        &mut self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        at: usize,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let place = &scope.frame.places[at];
        let mut hint = 0;
        if !cursor.object()? {
            return Ok(());
        }
        loop {
            let key = cursor.key()?;
            match place.children.find(&key.text(), &mut hint) {
                None => {
                    let start = cursor.at();
                    cursor.skip()?;
                    if place.rest {
                        self.leftovers.push((key.text().into_owned(), start..cursor.at()));
                    }
                }
                Some(child) => match scope.frame.places[child].leaf {
                    Some(leaf) if !self.met[entered.met + child].is_there() => {
                        self.leaf(scope, entered, child, leaf, cursor, patches)?;
                    }
                    _ => self.place(scope, entered, child, cursor, patches)?,
                },
            }
            if !cursor.more(b'}')? {
                return Ok(());
            }
        }
    }

    /// Compares the row that is picked in an object or list, if it is there.
    fn one_of_many(
        &mut self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        child: usize,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let is_object = scope.frame.picked_in_object(child);
        let (open, close) = if is_object { (b'{', b'}') } else { (b'[', b']') };
        if cursor.peek()? != open {
            return Ok(cursor.skip()?);
        }
        let mut more = if is_object { cursor.object()? } else { cursor.list()? };
        while more {
            if is_object {
                cursor.key()?;
            }
            cursor.peek()?;
            match self.picked.step_at(child, cursor.at()) {
                None => cursor.skip()?,
                Some(_) => self.place(scope, entered, child, cursor, patches)?,
            }
            more = cursor.more(close)?;
        }
        Ok(())
    }

    /// Compares a value that goes to a field as it is.
    #[inline]
    fn leaf(
        &mut self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        at: usize,
        leaf: Leaf,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass {
        let first = cursor.peek()?;
        let start = cursor.at();
        let view = scope.node.field(leaf.field).map_or(View::Absent, Field::view);
        let same = match (leaf.direct, view, first) {
            (Direct::Text, View::Text(text), b'"') => cursor.same_text(text)?,
            (Direct::Bool, View::Bool(b), b't' | b'f') => cursor.literal()? == Some(b),
            (Direct::Number, View::Number(n), b'-' | b'0'..=b'9') => match cursor.number()? {
                Some(number) => number == n,
                None => {
                    cursor.go_back(start);
                    return self.place(scope, entered, at, cursor, patches);
                }
            },
            _ => return self.place(scope, entered, at, cursor, patches),
        };
        self.met[entered.met + at] = Met { start, end: cursor.at(), differs: !same };
        Ok(())
    }

    #[cold]
    fn forget(&mut self, frame: &Frame, entered: Entered, at: usize, patches: &mut Patches) {
        patches.discard_inside(entered.patches, self.met[entered.met + at].span());
        self.met[entered.met + at] = Met::default();
        if frame.places[at].rest {
            self.leftovers.truncate(entered.leftovers);
        }
        self.truth.forget(frame, at);
        for child in frame.places[at].inside() {
            self.forget(frame, entered, child, patches);
        }
    }

    /// Whether the slot at the cursor says what the model says. Rows of a list are edited here.
    fn row(
        &mut self,
        row: &'p RowPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        if row.is_later() {
            // What is settled later is only passed by.
            match &row.way {
                Way::Rows(rows) if !row.slot.has_texts() => self.truth.pass_over_rows(rows, cursor)?,
                _ => cursor.skip()?,
            }
            return Ok(true);
        }
        if !row.slot.has_texts() {
            return self.plain_row(row, scope, cursor, patches);
        }
        let same = self.in_text(&row.slot, cursor, patches, |export, cursor, patches| {
            export.plain_row(row, scope, cursor, patches)
        })?;
        Ok(same.unwrap_or_else(|| self.default_is(row, scope)))
    }

    /// Does something in the text that a slot's value stands in, and carries the patches over to
    /// the text around it; nothing where there is no text that can be read.
    pub(super) fn in_text<T>(
        &mut self,
        slot: &Slot,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
        act: impl FnOnce(&mut Self, &mut Cursor<'_>, &mut Patches) -> Pass<T>,
    ) -> Pass<Option<T>> {
        let start = cursor.at();
        match slot.layer(cursor)? {
            Layer::Plain => act(self, cursor, patches).map(Some),
            Layer::Unreadable => Ok(cursor.skip().map(|()| None)?),
            Layer::Inside(inner) => {
                self.walk.texts += 1;
                self.walk.check_texts()?;
                let mut inside = inner.patches(cursor.source(), start, patches);
                let done = act(self, &mut Cursor::new(&inner.text), &mut inside)?;
                self.walk.texts -= 1;
                inner.carry(inside, cursor.source(), start..cursor.at(), patches)?;
                Ok(Some(done))
            }
        }
    }

    fn plain_row(
        &mut self,
        row: &'p RowPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        match &row.way {
            Way::Sealed | Way::File | Way::Index | Way::Gather => Ok(cursor.skip().map(|()| true)?),
            Way::Value => self.same_value(row, &row.slot, scope, cursor),
            Way::Items => self.same_items(row, &row.slot, scope, cursor),
            Way::Word(_) => {
                let has = row.has_word(scope.node);
                Ok(row.slot.same(cursor, View::Bool(has), |_| !has)?)
            }
            Way::Flags(flags) => {
                if cursor.peek()? != b'[' {
                    cursor.skip()?;
                    return Ok(self.default_is(row, scope));
                }
                let mut on = vec![false; flags.len()];
                row.slot.read_items(
                    cursor,
                    |value| {
                        let known = flags.iter().position(|(word, _)| value.as_text() == Some(word));
                        known.into_iter().for_each(|n| on[n] = true);
                    },
                    |_, _| {},
                )?;
                Ok(flags.iter().zip(on).all(|((_, target), on)| is_on(target, scope.node) == on))
            }
            Way::Map(frame) => match cursor.peek()? {
                b'{' => {
                    let inner = Scope { frame, ..*scope };
                    self.below(row, scope, |export| export.frame(&inner, cursor, patches, Identity::None))?;
                    Ok(true)
                }
                _ => {
                    cursor.skip()?;
                    Ok(self.default_is(row, scope))
                }
            },
            Way::Rows(rows) => {
                let open = if rows.keyed.is_some() { b'{' } else { b'[' };
                match (cursor.peek()? == open, row.list(scope.node)) {
                    (true, Some(list)) => {
                        self.below(row, scope, |export| export.rows(rows, list, cursor, patches))?;
                        Ok(true)
                    }
                    (true, None) => {
                        let is_empty = Twins::new(cursor, rows)?.is_empty();
                        self.truth.pass_over_rows(rows, cursor)?;
                        Ok(is_empty && row.row.omit_blank)
                    }
                    (false, list) => {
                        self.truth.pass_over_rows(rows, cursor)?;
                        Ok(list.is_none_or(List::is_empty))
                    }
                }
            }
        }
    }

    /// Does something at the place of a row.
    fn below<T>(&mut self, row: &'p RowPlan, scope: &Scope<'p, '_>, act: impl FnOnce(&mut Self) -> Pass<T>) -> Pass<T> {
        let before = self.walk.path.len();
        let steps = row.place.map(|place| self.picked.steps_to(scope.frame, place)).unwrap_or_default();
        self.walk.path.extend(steps);
        let done = act(self);
        self.walk.path.truncate(before);
        done
    }

    fn same_value(&self, row: &RowPlan, slot: &Slot, scope: &Scope<'p, '_>, cursor: &mut Cursor<'_>) -> Pass<bool> {
        let start = cursor.at();
        let mut same = true;
        for (n, route) in row.routes.iter().enumerate() {
            if n > 0 {
                cursor.go_back(start);
            }
            let view = route.whole.view(scope.node);
            let default = |view: View<'_>| is_default(row, &route.whole, view, scope, self.walk.source);
            same &= slot.same(cursor, view, default)?;
        }
        Ok(same)
    }

    fn same_items(&self, row: &RowPlan, slot: &Slot, scope: &Scope<'p, '_>, cursor: &mut Cursor<'_>) -> Pass<bool> {
        if cursor.peek()? != b'[' {
            cursor.skip()?;
            return Ok(self.default_is(row, scope));
        }
        let items = row.routes.first().and_then(|route| Items::of(route, scope.node));
        let same = slot.same_items(cursor, items.as_ref())?;
        Ok(same.unwrap_or_else(|| self.default_is(row, scope)))
    }

    /// Settles what is left when all places are known: rows that several places speak for, and
    /// what joins have the last word about. `here` is a cursor in the text of the frame.
    fn settle(&mut self, scope: &Scope<'p, '_>, entered: Entered, here: &Cursor<'_>, patches: &mut Patches) -> Pass {
        for row in scope.frame.later.iter().map(|n| &scope.frame.rows[*n]) {
            let Some(place) = row.place else { continue };
            let met = self.met[entered.met + place];
            let same = match &row.way {
                Way::Rows(rows) if met.is_there() => {
                    let ids = rows.order.as_ref().and_then(|order| self.cursor_at(entered, order.place, here));
                    // The list stands in the text of the frame, and the rows perhaps in one of their own.
                    let mut outer = Patches::default();
                    let same =
                        self.in_text(&row.slot, &mut at(here, met.start), patches, |export, cursor, patches| {
                            export.below(row, scope, |export| {
                                let listing = Listing { ids, patches: &mut outer };
                                match rows.woven {
                                    Some(_) => export.woven(row, rows, scope, cursor, listing, patches),
                                    None => export.ordered_rows(row, rows, scope, cursor, listing, patches),
                                }
                            })
                        })?;
                    patches.append(outer);
                    same.unwrap_or_else(|| self.default_is(row, scope))
                }
                Way::Gather if met.is_there() => {
                    let gathered = gathered(row, scope.node);
                    let mut at = at(here, met.start);
                    match gathered {
                        Some(all) => row.slot.same(&mut at, View::Bool(all), |_| self.default_is(row, scope))?,
                        None => true,
                    }
                }
                _ if !row.also.is_empty() => match self.used(row, entered, here)? {
                    Some((place, slot)) => {
                        let mut at = at(here, self.met[entered.met + place].start);
                        let same = self.in_text(slot, &mut at, patches, |export, cursor, _| match row.way {
                            Way::Items => export.same_items(row, slot, scope, cursor),
                            _ => export.same_value(row, slot, scope, cursor),
                        })?;
                        same.unwrap_or_else(|| self.default_is(row, scope))
                    }
                    None => self.default_is(row, scope),
                },
                _ => continue,
            };
            self.met[entered.met + place].differs = !same;
        }
        for join in &scope.frame.joins {
            let said = join.said(&self.cursors_at(entered, &join.slots, here))?;
            for (n, owners) in join.owners.iter().enumerate() {
                let claim = join.claim(&said, n);
                if let Claim::None = claim {
                    continue;
                }
                for owner in owners {
                    let routes = &scope.frame.rows[*owner].routes;
                    let holds = routes.iter().all(|route| claim.holds(route.whole.view(scope.node)));
                    self.overruled.push((*owner, !holds));
                }
            }
        }
        Ok(())
    }

    fn cursor_at<'t>(&self, entered: Entered, place: usize, here: &Cursor<'t>) -> Option<Cursor<'t>> {
        let met = self.met[entered.met + place];
        met.is_there().then(|| at(here, met.start))
    }

    fn cursors_at<'t>(&self, entered: Entered, places: &[usize], here: &Cursor<'t>) -> Vec<Option<Cursor<'t>>> {
        places.iter().map(|place| self.cursor_at(entered, *place, here)).collect()
    }

    /// Which of its places a row is read from.
    pub(super) fn used(
        &self,
        row: &'p RowPlan,
        entered: Entered,
        here: &Cursor<'_>,
    ) -> Pass<Option<(usize, &'p Slot)>> {
        let own = row.place.map(|place| (place, &row.slot));
        for (place, slot) in own.into_iter().chain(row.also.iter().map(|(place, slot)| (*place, slot))) {
            let Some(mut cursor) = self.cursor_at(entered, place, here) else { continue };
            let says = |cursor: &mut Cursor<'_>| -> Pass<bool> {
                Ok(match row.way {
                    Way::Items if cursor.peek()? == b'[' => {
                        // A list without an item is a blank.
                        let mut any = !slot.omits_empty();
                        slot.read_items(cursor, |_| any = true, |_, _| {})?;
                        any
                    }
                    Way::Items => false,
                    _ => matches!(slot.read(cursor)?, super::slot::Got::Value(_)),
                })
            };
            let says = match slot.layer(&mut cursor)? {
                Layer::Plain => says(&mut cursor)?,
                Layer::Inside(inner) => says(&mut Cursor::new(&inner.text))?,
                Layer::Unreadable => false,
            };
            if says {
                return Ok(Some((place, slot)));
            }
        }
        Ok(None)
    }

    /// Whether the identity of a row that has none of its own is the one it was given.
    fn is_made(
        &self,
        row: &RowPlan,
        scope: &Scope<'p, '_>,
        met: Met,
        here: &Cursor<'_>,
        rows: &super::plan::RowsPlan,
    ) -> Pass<bool> {
        let Some(View::Text(id)) = row.routes.first().map(|route| route.whole.view(scope.node)) else {
            return Ok(false);
        };
        let is_nothing = if met.is_there() {
            match row.slot.read(&mut at(here, met.start))? {
                super::slot::Got::Value(Value::Text(text)) => rows.ids == crate::map::Ids::Unique && text.is_empty(),
                super::slot::Got::Value(_) => false,
                _ => true,
            }
        } else {
            true
        };
        Ok(is_nothing
            && row.row.or.is_none()
            && id == scope.key.map_or_else(|| rows.made_for(scope.index), str::to_owned))
    }

    /// What joins write, slot by slot.
    fn joins(
        &self,
        scope: &Scope<'p, '_>,
        entered: Entered,
        differing: &[usize],
        here: &Cursor<'_>,
    ) -> Pass<Vec<(usize, Option<Value<'static>>)>> {
        let mut writes = Vec::new();
        for join in &scope.frame.joins {
            let said = join.said(&self.cursors_at(entered, &join.slots, here))?;
            let differs = join.targets.iter().enumerate().any(|(n, target)| match join.claim(&said, n) {
                Claim::None => join.owners[n].iter().any(|owner| differing.contains(owner)),
                claim => !claim.holds(target.view(scope.node)),
            });
            if !differs {
                continue;
            }
            let slots = self.cursors_at(entered, &join.slots, here);
            let slots = slots.iter().map(value_of).collect::<Result<Vec<_>, _>>()?;
            let written = join.write(scope.node, &slots, &said);
            let written = join.slots.iter().zip(written).filter_map(|(place, value)| Some((*place, value?)));
            writes.extend(written.map(|(place, value)| (place, value.map(Value::into_owned))));
        }
        Ok(writes)
    }

    /// The members without a row that differ from the object of the model.
    fn differing_leftovers(&self, scope: &Scope<'p, '_>, entered: Entered, here: &Cursor<'_>) -> Pass<Vec<Leftover>> {
        let Some(rest) = &scope.frame.rest else { return Ok(Vec::new()) };
        let met = &self.leftovers[entered.leftovers..];
        let dict = rest.dict(scope.node);
        let mut differing = Vec::new();
        let mut known = std::collections::HashSet::new();
        // Of two equal keys the last one counts.
        for (key, span) in met.iter().rev() {
            let name = rest.name_of(key);
            if rest.is_claimed(&name) || !known.insert(name.clone().into_owned()) {
                continue;
            }
            match dict.and_then(|dict| dict.get(&name)) {
                // What the model cannot hold, as a number that is too large, it never had.
                None if Value::read(&mut at(here, span.start))?.is_none() => {}
                None => differing.push(Leftover::Removed(key.clone())),
                Some(field) if crate::model::same(field.view(), &mut at(here, span.start))? => {}
                Some(field) => {
                    let value = field.view().value().map_or(Value::Null, Value::into_owned);
                    differing.push(Leftover::Changed(span.clone(), value));
                }
            }
        }
        for (name, key, field) in scope.frame.leftovers(scope.node) {
            if !known.contains(name) {
                let value = field.view().value().map_or(Value::Null, Value::into_owned);
                differing.push(Leftover::New(key.into_owned(), value));
            }
        }
        Ok(differing)
    }

    /// Whether the model holds what a slot reads as that says nothing.
    pub(super) fn default_is(&self, row: &RowPlan, scope: &Scope<'_, '_>) -> bool {
        match &row.way {
            Way::Sealed | Way::File => true,
            Way::Index => row.routes.iter().all(|route| route.whole.view(scope.node).is(&place_of(scope.index))),
            Way::Word(_) => !row.has_word(scope.node),
            Way::Rows(_) => row.list(scope.node).is_none_or(List::is_empty),
            Way::Flags(flags) => flags.iter().all(|(_, target)| !is_on(target, scope.node)),
            Way::Gather => gathered(row, scope.node).is_none_or(|all| {
                let or =
                    row.row.or.as_ref().and_then(|fill| fill_value(fill, scope.node, scope.index, self.walk.source));
                or.map_or(!all, |or| View::Bool(all).is(&or))
            }),
            Way::Map(frame) => self.frame_is_default(&Scope { frame, ..*scope }),
            Way::Value | Way::Items => row
                .routes
                .iter()
                .all(|route| is_default(row, &route.whole, route.whole.view(scope.node), scope, self.walk.source)),
        }
    }

    /// Whether the model holds what a value reads as that is not there.
    fn frame_is_default(&self, scope: &Scope<'_, '_>) -> bool {
        let mut claimed = Vec::new();
        for join in &scope.frame.joins {
            let none = vec![None; join.slots.len()];
            let Ok(said) = join.said(&none) else { return false };
            for (n, target) in join.targets.iter().enumerate() {
                match join.claim(&said, n) {
                    Claim::None => {}
                    claim if claim.holds(target.view(scope.node)) => claimed.extend(&join.owners[n]),
                    _ => return false,
                }
            }
        }
        let rest_is_none = scope.frame.leftovers(scope.node).is_empty();
        let rows = scope.frame.rows.iter().enumerate();
        rest_is_none && rows.filter(|(n, _)| !claimed.contains(n)).all(|(_, row)| self.default_is(row, scope))
    }
}

/// A member without a row that is not what the model has.
pub(super) enum Leftover {
    Removed(String),
    Changed(Range<usize>, Value<'static>),
    New(String, Value<'static>),
}

/// A cursor at another byte of the same text.
fn at<'t>(here: &Cursor<'t>, start: usize) -> Cursor<'t> {
    Cursor::starting_at(here.source(), start, here.depth())
}

/// Whether a flag of the model is on.
pub(super) fn is_on(target: &Target, scope: &dyn Node) -> bool {
    matches!(target.view(scope), View::Bool(true))
}

/// Whether a field of every row of some lists is on; nothing when there is no row.
pub(super) fn gathered(row: &RowPlan, scope: &dyn Node) -> Option<bool> {
    let mut all = None;
    for route in &row.routes {
        let (View::List(list), Some(item)) = (route.whole.view(scope), &route.item) else { continue };
        for node in (0..list.len()).filter_map(|n| node_at(list, n)) {
            all = Some(all.unwrap_or(true) && is_on(item, node));
        }
    }
    all
}

/// Whether a view is what a row reads from a slot that says nothing.
fn is_default(row: &RowPlan, target: &Target, view: View<'_>, scope: &Scope<'_, '_>, source: Source<'_>) -> bool {
    match row.row.or.as_ref().and_then(|fill| fill_value(fill, scope.node, scope.index, source)) {
        // A value that the model cannot hold fills nothing.
        Some(value) if row.slot.fits(&value) => view.is(&value),
        _ => is_none(row, target, view),
    }
}

/// Whether a view is what a blank struct has at a target.
fn is_none(row: &RowPlan, target: &Target, view: View<'_>) -> bool {
    match view {
        View::Absent => true,
        View::Null => !target.optional || !row.row.keep_null,
        View::Node(_) => false,
        view => !target.optional && !target.nullable && view_is_unset(view),
    }
}

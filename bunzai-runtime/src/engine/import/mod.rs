//! Import: one pass over a document that fills the model.
//!
//! Most rows take their value where the pass meets it. What several places speak for (joins, rows
//! with other places, lists whose order stands elsewhere) is settled when the whole object is
//! known; of the places it looks at, the pass keeps where they stand.

mod rows;
mod settle;
mod slots;
mod tell;

use std::ops::Range;

use super::gate::Truth;
use super::pick::Picked;
use super::plan::{Frame, Leaf, RowPlan, Way};
use super::scope::clear_all;
use super::slot::Direct;
use super::target::Target;
use super::{At, Pass, Source, Walk};
use crate::error::{Error, Warning, WarningKind};
use crate::json::{Cursor, Value};
use crate::limits::Limits;
use crate::model::{Made, Node, Open};

/// Reads a document into a blank body; the answer is what was odd in it, or nothing when the
/// document does not pass the gate of the frame.
pub(crate) fn import<'p>(
    format: &'p str,
    frame: &'p Frame,
    text: &str,
    body: &mut dyn Node,
    source: Source<'p>,
    limits: Limits,
) -> Result<Option<Vec<Warning>>, Error> {
    import_and_tell(format, frame, text, body, source, limits).map(|(warnings, _)| warnings)
}

/// The same, with the identities and titles that were made because the document had none.
pub(crate) fn import_and_tell<'p>(
    format: &'p str,
    frame: &'p Frame,
    text: &str,
    body: &mut dyn Node,
    source: Source<'p>,
    limits: Limits,
) -> Result<(Option<Vec<Warning>>, Made), Error> {
    let mut import = Import::new(format, frame, source, limits);
    import.picked = Picked::find(frame, text);
    import.tell_fallbacks(frame);
    let mut cursor = Cursor::new(text);
    let end = import.frame(frame, &mut cursor, body, 0, None).and_then(|_| Ok(cursor.end()?));
    end.map_err(|stop| stop.into_error(text))?;
    if let Some((.., error)) = import.walk.faults.drain(..).next() {
        return Err(error);
    }
    let passes = import.truth.passes();
    Ok((passes.then(|| import.walk.into_warnings()), import.made))
}

/// Reads one row of a twin, as an import would.
pub(super) fn decode_row<'p>(
    frame: &'p Frame,
    cursor: &mut Cursor<'_>,
    row: &mut dyn Node,
    index: usize,
    source: Source<'p>,
) -> Pass {
    Import::new("", frame, source, Limits::NONE).frame(frame, cursor, row, index, None).map(drop)
}

pub(super) struct Import<'p> {
    format: &'p str,
    pub(super) walk: Walk<'p>,
    /// What has been met at each place of the frames that are open, the innermost last.
    seen: Vec<Seen>,
    /// Where the watched places of these frames stand.
    spans: Vec<Range<usize>>,
    pub(super) truth: Truth<'p>,
    pub(super) made: Made,
    /// The rows out of many, in the frame of the document.
    pub(super) picked: Picked,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// The slot is there, and is null or of no type its row reads.
    There,
    /// The slot has a blank that counts as nothing.
    Blank,
    /// The slot gave its row a value.
    Filled,
}

impl Seen {
    fn filled(filled: bool) -> Self {
        if filled { Self::Filled } else { Self::There }
    }
}

/// A frame that is being read: where its places begin among those of all open frames.
#[derive(Clone, Copy)]
pub(super) struct Entered<'p> {
    pub(super) frame: &'p Frame,
    seen: usize,
    spans: usize,
    /// How many warnings there were before.
    warnings: usize,
    /// The place of the row, should the frame read one.
    pub(super) index: usize,
}

impl<'p> Import<'p> {
    fn new(format: &'p str, frame: &'p Frame, source: Source<'p>, limits: Limits) -> Self {
        let truth = Truth::new(frame);
        let (walk, made, picked) = (Walk::new(source, limits), Made::new(), Picked::default());
        Self { format, walk, seen: Vec::new(), spans: Vec::new(), truth, made, picked }
    }

    /// Reads the value at the cursor with the rows of a frame; false when the row that holds the
    /// identity, if there is one, got no value.
    pub(super) fn frame(
        &mut self,
        frame: &'p Frame,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
        index: usize,
        by: Option<usize>,
    ) -> Pass<bool> {
        let entered = self.enter(frame, index, scope);
        self.place(entered, 0, cursor, scope)?;
        self.settle(entered, Some(cursor), scope)?;
        let named = by.is_none_or(|by| {
            let row = &frame.rows[by];
            row.row.or.is_some() || row.place.is_none_or(|place| self.seen[entered.seen + place] == Seen::Filled)
        });
        self.leave(entered);
        Ok(named)
    }

    fn enter(&mut self, frame: &'p Frame, index: usize, scope: &mut dyn Node) -> Entered<'p> {
        for (route, literal) in &frame.stamps {
            if let Some(value) = literal.value() {
                route.whole.set(scope, value);
            }
        }
        let (seen, spans, warnings) = (self.seen.len(), self.spans.len(), self.walk.warnings.len());
        let entered = Entered { frame, seen, spans, warnings, index };
        self.seen.resize(entered.seen + frame.places.len(), Seen::Not);
        self.spans.resize(entered.spans + frame.watched, 0..0);
        entered
    }

    fn leave(&mut self, entered: Entered<'p>) {
        self.seen.truncate(entered.seen);
        self.spans.truncate(entered.spans);
    }

    /// A cursor at a watched place, if it is there.
    pub(super) fn at<'t>(&self, entered: Entered<'p>, place: usize, cursor: &Cursor<'t>) -> Option<Cursor<'t>> {
        let watch = entered.frame.places[place].watch?;
        let span = self.spans[entered.spans + watch].clone();
        (!span.is_empty()).then(|| Cursor::starting_at(cursor.source(), span.start, cursor.depth()))
    }

    /// Reads the value at the cursor, which stands at a place of the frame.
    fn place(&mut self, entered: Entered<'p>, at: usize, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass {
        let place = &entered.frame.places[at];
        if self.seen[entered.seen + at] != Seen::Not {
            let mark = entered.warnings;
            self.walk.step(place.step(), |walk| {
                walk.forget_warnings(mark);
                walk.warn(WarningKind::DuplicateKey, "the key stands here twice; the last one counts");
            });
            self.forget(entered, at, scope);
        }
        let first = cursor.peek()?;
        let start = cursor.at();
        self.truth.at(place, first, cursor)?;
        self.seen[entered.seen + at] = match place.row {
            Some(row) => self.row(place, &entered.frame.rows[row], cursor, scope, entered.index)?,
            None => {
                self.members(entered, at, cursor, scope)?;
                Seen::There
            }
        };
        if let Some(watch) = place.watch {
            self.spans[entered.spans + watch] = start..cursor.at();
        }
        Ok(())
    }

    /// Reads an object of which the map knows some members.
    fn members(&mut self, entered: Entered<'p>, at: usize, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass {
        let place = &entered.frame.places[at];
        if let Some(child) = place.picked {
            return self.one_of_many(entered, at, child, cursor, scope);
        }
        let first = cursor.peek()?;
        let is_known = !place.children.is_empty() || place.rest;
        if first != b'{' || !is_known {
            if first != b'n' && is_known {
                self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, "expected an object"));
            }
            return Ok(cursor.skip()?);
        }
        if !cursor.object()? {
            return Ok(());
        }
        let mut hint = 0;
        self.walk.path.push(place.step());
        loop {
            let key = cursor.key()?;
            match place.children.find(&key.text(), &mut hint) {
                None if place.rest => self.leftover(entered.frame, &key.text(), cursor, scope)?,
                None => cursor.skip()?,
                Some(child) => match entered.frame.places[child].leaf {
                    Some(leaf) if self.seen[entered.seen + child] == Seen::Not => {
                        self.leaf(entered, child, leaf, cursor, scope)?;
                    }
                    _ => self.place(entered, child, cursor, scope)?,
                },
            }
            if !cursor.more(b'}')? {
                break;
            }
        }
        self.walk.path.pop();
        Ok(())
    }

    /// Reads the row that is picked in an object or list, if it is there.
    fn one_of_many(
        &mut self,
        entered: Entered<'p>,
        at: usize,
        child: usize,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass {
        let place = &entered.frame.places[at];
        let is_object = entered.frame.picked_in_object(child);
        let (open, close) = if is_object { (b'{', b'}') } else { (b'[', b']') };
        let first = cursor.peek()?;
        if first != open {
            if first != b'n' {
                let expected = if is_object { "expected an object" } else { "expected a list" };
                self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, expected));
            }
            return Ok(cursor.skip()?);
        }
        let mut more = if is_object { cursor.object()? } else { cursor.list()? };
        self.walk.path.push(place.step());
        while more {
            if is_object {
                cursor.key()?;
            }
            cursor.peek()?;
            match self.picked.step_at(child, cursor.at()) {
                None => cursor.skip()?,
                Some(step) => {
                    self.walk.picks += 1;
                    self.walk.path.push(step);
                    self.place(entered, child, cursor, scope)?;
                    self.walk.path.pop();
                    self.walk.picks -= 1;
                }
            }
            more = cursor.more(close)?;
        }
        self.walk.path.pop();
        Ok(())
    }

    /// Reads a value that goes to a field as it is.
    #[inline]
    fn leaf(
        &mut self,
        entered: Entered<'p>,
        at: usize,
        leaf: Leaf,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass {
        let value = match (leaf.direct, cursor.peek()?) {
            (Direct::Text, b'"') => Value::Text(cursor.text()?),
            (Direct::Bool, b't' | b'f') => cursor.literal()?.map_or(Value::Null, Value::Bool),
            (Direct::Number, b'-' | b'0'..=b'9') => {
                let start = cursor.at();
                match cursor.number()? {
                    Some(number) => Value::Number(number),
                    None => {
                        cursor.go_back(start);
                        return self.place(entered, at, cursor, scope);
                    }
                }
            }
            _ => return self.place(entered, at, cursor, scope),
        };
        let set = scope.field_mut(leaf.field).is_some_and(|field| field.set(value));
        self.seen[entered.seen + at] = Seen::filled(set);
        let place = &entered.frame.places[at];
        if !set {
            self.unfit(place);
        }
        if let Some(odd) = cursor.take_odd() {
            self.odd(place, odd);
        }
        Ok(())
    }

    /// Reads a member that has no row into the object for such.
    fn leftover(&mut self, frame: &'p Frame, key: &str, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass {
        let Some(rest) = &frame.rest else { return Ok(cursor.skip()?) };
        let name = rest.name_of(key);
        if rest.is_claimed(&name) {
            return Ok(cursor.skip()?);
        }
        let stands_twice = rest.dict(scope).is_some_and(|dict| dict.get(&name).is_some());
        let value = Value::read(cursor)?;
        let odd = cursor.take_odd();
        if stands_twice || value.is_none() || odd.is_some() {
            self.walk.path.push(At::Name(key.to_owned()));
            if stands_twice {
                self.walk.warn(WarningKind::DuplicateKey, "the key stands here twice; the last one counts");
            }
            if value.is_none() {
                self.walk.warn(WarningKind::Type, "a number here is too large; the value is not read");
            }
            odd.iter().for_each(|odd| self.say_odd(*odd));
            self.walk.path.pop();
        }
        match value {
            Some(value) => rest.insert(scope, &name, value),
            None if stands_twice => rest.target.open(scope, |open| {
                if let Open::Dict(dict) = open {
                    dict.remove(&name);
                }
            }),
            None => {}
        }
        Ok(())
    }

    /// Undoes what the first of two equal keys did.
    #[cold]
    fn forget(&mut self, entered: Entered<'p>, at: usize, scope: &mut dyn Node) {
        self.seen[entered.seen + at] = Seen::Not;
        let place = &entered.frame.places[at];
        self.truth.forget(entered.frame, at);
        if let Some(watch) = place.watch {
            self.spans[entered.spans + watch] = 0..0;
        }
        if let Some(row) = place.row.map(|n| &entered.frame.rows[n]) {
            forget_row(row, scope);
        }
        if let Some(rest) = entered.frame.rest.as_ref().filter(|_| place.rest) {
            rest.forget(scope);
        }
        for child in place.inside() {
            self.forget(entered, child, scope);
        }
    }
}

/// Takes back what a row has set.
fn forget_row(row: &RowPlan, scope: &mut dyn Node) {
    match &row.way {
        Way::Word(_) => row.routes.iter().for_each(|route| remove_word(row, &route.whole, scope)),
        Way::Map(frame) => {
            frame.rows.iter().for_each(|row| forget_row(row, scope));
            frame.joins.iter().flat_map(|join| &join.targets).for_each(|target| target.clear(scope));
            frame.rest.iter().for_each(|rest| rest.forget(scope));
        }
        Way::Flags(flags) => flags.iter().for_each(|(_, target)| target.clear(scope)),
        Way::Gather => {}
        _ => clear_all(row, scope),
    }
}

fn remove_word(row: &RowPlan, target: &Target, scope: &mut dyn Node) {
    let Way::Word(word) = &row.way else { return };
    let Some(word) = word.value() else { return };
    let mut empty = false;
    target.open(scope, |open| {
        if let Open::List(list) = open {
            let kept: Vec<usize> =
                (0..list.len()).filter(|n| !list.item(*n).is_some_and(|f| f.view().is(&word))).collect();
            let gone: Vec<usize> = (0..list.len()).filter(|n| !kept.contains(n)).collect();
            let order: Vec<usize> = kept.iter().chain(&gone).copied().collect();
            list.reorder(&order);
            gone.iter().for_each(|_| list.pop());
            empty = list.is_empty();
        }
    });
    if empty {
        target.clear(scope);
    }
}

//! Import: one pass over a document that fills the model.
//!
//! Most rows take their value where the pass meets it. What several places speak for (joins, rows
//! with other places, lists whose order stands elsewhere) is settled when the whole object is
//! known; of the places it looks at, the pass keeps where they stand.

use std::ops::Range;

use super::gate::Truth;
use super::items::{Once, item_view};
use super::layer::Layer;
use super::pick::{PickPlan, Picked};
use super::plan::{Frame, Leaf, Place, RowPlan, RowsPlan, Way};
use super::scope::{Lone, clear_all, items_of, set_all};
use super::slot::{Direct, Got, Slot};
use super::target::Target;
use super::types::has_first;
use super::{At, Pass, Source, Walk};
use crate::error::{Error, Warning, WarningKind};
use crate::json::{Cursor, Number, Odd, Value, is_blank};
use crate::limits::Limits;
use crate::map::{Fill, Literal, Piece, Types, Wire};
use crate::model::{List, Made, Node, Open, View};

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
    picked: Picked,
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

    /// Settles what is left when all places are known: rows that several places speak for, rows
    /// whose slot says nothing, joins. Without a cursor the value of the frame is not there.
    fn settle(&mut self, entered: Entered<'p>, cursor: Option<&Cursor<'_>>, scope: &mut dyn Node) -> Pass {
        let frame = entered.frame;
        for row in frame.later.iter().map(|n| &frame.rows[*n]).filter(|row| !row.also.is_empty()) {
            self.one_of(entered, row, cursor, scope)?;
        }
        for row in frame.fills.iter().map(|n| &frame.rows[*n]) {
            let met = row.place.map_or(Seen::Not, |place| self.seen[entered.seen + place]);
            if met != Seen::Filled {
                self.fill(entered, row, met, cursor.is_some(), scope)?;
            }
        }
        for row in frame.later.iter().map(|n| &frame.rows[*n]) {
            match &row.way {
                Way::Gather => self.gather(entered, row, cursor, scope)?,
                Way::Rows(rows) if rows.woven.is_some() => {
                    if let Some(cursor) = cursor {
                        self.woven(entered, row, rows, cursor, scope)?;
                    }
                }
                Way::Rows(rows) => self.order(entered, row, rows, cursor, scope)?,
                _ => {}
            }
        }
        for join in &frame.joins {
            let slots = join.slots.iter().map(|place| cursor.and_then(|cursor| self.at(entered, *place, cursor)));
            let slots: Vec<Option<Cursor<'_>>> = slots.collect();
            if !join.read(&slots, scope)? {
                self.refuse(&frame.places[join.slots[0]]);
            }
        }
        Ok(())
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

    /// Warns of picks that had to do with another row than the first they would have.
    fn tell_fallbacks(&mut self, frame: &'p Frame) {
        for pick in self.picked.fallbacks().collect::<Vec<_>>() {
            let PickPlan { name, at, .. } = &frame.picks[pick];
            self.walk.path.extend(frame.keys_to(*at).into_iter().map(At::Key));
            self.walk.warn(WarningKind::Row, format!("the row that `{name}` names is not here; another one is read"));
            self.walk.path.clear();
        }
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

    #[cold]
    fn odd(&mut self, place: &'p Place, odd: Odd) {
        self.walk.path.push(place.step());
        self.say_odd(odd);
        self.walk.path.pop();
    }

    /// Warns of what is odd in the value at the current place.
    fn say_odd(&mut self, odd: Odd) {
        if odd.replaced {
            self.walk.warn(WarningKind::Surrogate, "half of a surrogate pair reads as U+FFFD");
        }
        if odd.repeated {
            let message = "a key stands twice in one object here; the last one counts";
            self.walk.warn(WarningKind::DuplicateKey, message);
        }
    }

    /// Warns of a value of the right type that the model cannot hold.
    #[cold]
    fn unfit(&mut self, place: &'p Place) -> Seen {
        self.walk.step(place.step(), |walk| {
            walk.warn(WarningKind::Type, "the model cannot hold this value; it stays as it is and reads as nothing");
        });
        Seen::There
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
            None => rest.target.open(scope, |open| {
                if let Open::Dict(dict) = open {
                    dict.remove(&name);
                }
            }),
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

    /// Reads the slot of a row.
    fn row(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
        index: usize,
    ) -> Pass<Seen> {
        // What several places say is read when all of them are known.
        if !row.also.is_empty() {
            return Ok(cursor.skip().map(|()| Seen::There)?);
        }
        self.in_text(place, &row.slot, cursor, |import, cursor| import.plain_row(place, row, cursor, scope, index))
    }

    /// Reads the value of a slot in the text that it stands in.
    fn in_text(
        &mut self,
        place: &'p Place,
        slot: &'p Slot,
        cursor: &mut Cursor<'_>,
        read: impl FnOnce(&mut Self, &mut Cursor<'_>) -> Pass<Seen>,
    ) -> Pass<Seen> {
        if !slot.has_texts() {
            return read(self, cursor);
        }
        let is_text = cursor.peek()? == b'"' && slot.may_be_inside();
        match slot.layer(cursor)? {
            Layer::Plain if !is_text => read(self, cursor),
            layer => {
                // What is odd about a string here is odd about the text in it.
                self.walk.texts += usize::from(is_text);
                let seen = match layer {
                    Layer::Plain => read(self, cursor),
                    Layer::Inside(inner) => {
                        self.walk.check_texts()?;
                        read(self, &mut Cursor::new(&inner.text))
                    }
                    Layer::Unreadable => {
                        cursor.skip()?;
                        Ok(self.wrong(place, Got::Wrong, slot.accepts()))
                    }
                };
                self.walk.texts -= usize::from(is_text);
                if let Some(odd) = cursor.take_odd() {
                    self.odd(place, odd);
                }
                seen
            }
        }
    }

    fn plain_row(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
        index: usize,
    ) -> Pass<Seen> {
        let seen = match &row.way {
            Way::Value => self.value(place, row, &row.slot, cursor, scope)?,
            Way::Sealed => self.sealed(place, row.sealed_types(), cursor)?,
            Way::Items => self.items(place, row, cursor, scope)?,
            Way::Rows(rows) => self.rows(place, row, rows, cursor, scope)?,
            Way::Map(frame) => self.map(place, frame, cursor, scope, index)?,
            Way::Word(word) => match row.slot.read(cursor)? {
                Got::Value(value) => {
                    if value == Value::Bool(true) {
                        add_word(row, word, scope);
                    }
                    Seen::Filled
                }
                got => self.wrong(place, got, row.slot.accepts()),
            },
            Way::Flags(flags) => self.flags(place, flags, &row.slot, cursor, scope)?,
            Way::Gather => match row.slot.read(cursor)? {
                Got::Value(_) => Seen::Filled,
                got => self.wrong(place, got, row.slot.accepts()),
            },
            Way::File | Way::Index => cursor.skip().map(|()| Seen::There)?,
        };
        if let Some(odd) = cursor.take_odd() {
            self.odd(place, odd);
        }
        Ok(seen)
    }

    fn value(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        slot: &'p Slot,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        self.tell_odd(place, slot, cursor)?;
        Ok(match slot.read(cursor)? {
            Got::Value(value) => {
                let has_no_item = row.routes.iter().any(|route| route.whole.is_in_item()) && slot.fits(&value);
                if set_all(row, scope, value) {
                    Seen::Filled
                } else if has_no_item {
                    self.walk.step(place.step(), |walk| {
                        walk.warn(
                            WarningKind::Row,
                            "the model has no such item; the value stays as it is and reads as nothing",
                        );
                    });
                    Seen::There
                } else {
                    self.unfit(place)
                }
            }
            Got::Refused => self.refuse(place),
            got => self.wrong(place, got, slot.accepts()),
        })
    }

    /// Warns of a value that its table does not know, and yet has something for.
    fn tell_odd(&mut self, place: &'p Place, slot: &'p Slot, cursor: &Cursor<'_>) -> Pass {
        if slot.is_odd(cursor)? {
            let message = "not one of the values known here; it stays as it is and reads as the table says of such";
            self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        }
        Ok(())
    }

    /// Reads a row from the first of its places that says something.
    fn one_of(
        &mut self,
        entered: Entered<'p>,
        row: &'p RowPlan,
        cursor: Option<&Cursor<'_>>,
        scope: &mut dyn Node,
    ) -> Pass {
        let Some(cursor) = cursor else { return Ok(()) };
        let own = row.place.map(|place| (place, &row.slot));
        let mut is_filled = false;
        for (at, slot) in own.into_iter().chain(row.also.iter().map(|(place, slot)| (*place, slot))) {
            let Some(mut here) = self.at(entered, at, cursor) else { continue };
            let place = &entered.frame.places[at];
            let picks = self.walk.picks;
            self.walk.picks += usize::from(entered.frame.pick_around(at).is_some());
            let seen = self.in_text(place, slot, &mut here, |import, cursor| {
                let seen = match row.way {
                    _ if is_filled => import.look_at(place, row, slot, cursor).map(|()| Seen::There),
                    Way::Items => import.items_in(place, row, slot, cursor, scope),
                    _ => import.value(place, row, slot, cursor, scope),
                };
                cursor.take_odd().iter().for_each(|odd| import.odd(place, *odd));
                seen
            })?;
            self.walk.picks = picks;
            if let Some(own) = row.place.filter(|_| seen != Seen::There) {
                self.seen[entered.seen + own] = seen;
            }
            is_filled |= seen == Seen::Filled;
        }
        Ok(())
    }

    /// Reads a slot of a row that has its value from another one, for what is odd in it.
    fn look_at(&mut self, place: &'p Place, row: &'p RowPlan, slot: &'p Slot, cursor: &mut Cursor<'_>) -> Pass {
        match row.way {
            Way::Items if cursor.peek()? == b'[' => {
                let mut odd = Vec::new();
                slot.read_items(cursor, |_| {}, |n, got| odd.push((n, matches!(got, Got::Refused))))?;
                self.odd_items(place, &odd)
            }
            Way::Items => {
                let got = if cursor.peek()? == b'n' { Got::Null } else { Got::Wrong };
                self.wrong(place, got, Types::LIST);
                Ok(cursor.skip()?)
            }
            _ => match self.tell_odd(place, slot, cursor).map(|()| slot.read(cursor))?? {
                Got::Value(value) if slot.fits(&value) => Ok(()),
                Got::Value(_) => {
                    self.unfit(place);
                    Ok(())
                }
                Got::Refused => {
                    self.refuse(place);
                    Ok(())
                }
                got => {
                    self.wrong(place, got, slot.accepts());
                    Ok(())
                }
            },
        }
    }

    /// Reads an object with the rows of a named map.
    fn map(
        &mut self,
        place: &'p Place,
        frame: &'p Frame,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
        index: usize,
    ) -> Pass<Seen> {
        match cursor.peek()? {
            b'{' => {
                self.walk.path.push(place.step());
                self.frame(frame, cursor, scope, index, None)?;
                self.walk.path.pop();
                Ok(Seen::Filled)
            }
            b'n' => Ok(cursor.literal().map(|_| Seen::There)?),
            _ => {
                cursor.skip()?;
                Ok(self.wrong(place, Got::Wrong, Types::OBJECT))
            }
        }
    }

    fn sealed(&mut self, place: &'p Place, types: Types, cursor: &mut Cursor<'_>) -> Pass<Seen> {
        let first = cursor.peek()?;
        let whole_only = types.meets(Types::INTEGER) && !types.meets(Types::NUMBER);
        let fits = if whole_only && matches!(first, b'-' | b'0'..=b'9') {
            cursor.number()?.is_some_and(Number::is_integer)
        } else {
            cursor.skip()?;
            types.is_empty() || first == b'n' || has_first(types, first)
        };
        Ok(if fits { Seen::There } else { self.wrong(place, Got::Wrong, types) })
    }

    fn items(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        self.items_in(place, row, &row.slot, cursor, scope)
    }

    fn items_in(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        slot: &'p Slot,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        match cursor.peek()? {
            b'[' => {}
            b'n' => {
                cursor.literal()?;
                return Ok(Seen::filled(row.row.keep_null && set_all(row, scope, Value::Null)));
            }
            _ => {
                cursor.skip()?;
                return Ok(self.wrong(place, Got::Wrong, Types::LIST));
            }
        }
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| Seen::There)?) };
        let (mut odd, mut once) = (Vec::new(), Once::default());
        let mut any = false;
        route.whole.open(scope, |open| {
            let Open::List(list) = open else { return cursor.skip() };
            slot.read_items(
                cursor,
                |value| {
                    any = true;
                    let view =
                        |n: usize| list.item(n).map_or(View::Absent, |item| item_view(item, route.item.as_ref()));
                    if !slot.is_unique() || once.is_new(&value, list.len(), view) {
                        push_item(list, route.item.as_ref(), value);
                    }
                },
                |n, got| odd.push((n, matches!(got, Got::Refused))),
            )
        })?;
        self.odd_items(place, &odd)?;
        if !any && slot.omits_empty() {
            route.whole.clear(scope);
            return Ok(Seen::Blank);
        }
        Ok(Seen::Filled)
    }

    /// Warns of the items of a list that could not be read, by index.
    fn odd_items(&mut self, place: &'p Place, odd: &[(usize, bool)]) -> Pass {
        self.walk.path.push(place.step());
        for (n, refused) in odd {
            self.walk.path.push(At::Index(*n));
            if *refused {
                self.refuse_here();
            } else {
                self.walk.warn(WarningKind::Type, "not one of the items known here; it is passed over");
            }
            self.walk.path.pop();
        }
        self.walk.path.pop();
        Ok(())
    }

    /// Reads a list of words, each of which stands for a boolean.
    fn flags(
        &mut self,
        place: &'p Place,
        flags: &'p [(crate::map::Str, Target)],
        slot: &'p Slot,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        match cursor.peek()? {
            b'[' => {}
            b'n' => return Ok(cursor.literal().map(|_| Seen::There)?),
            _ => {
                cursor.skip()?;
                return Ok(self.wrong(place, Got::Wrong, Types::LIST));
            }
        }
        let (mut on, mut odd) = (vec![false; flags.len()], Vec::new());
        slot.read_items(
            cursor,
            |value| {
                let known = flags.iter().position(|(word, _)| value.as_text() == Some(word));
                known.into_iter().for_each(|n| on[n] = true);
            },
            |n, got| odd.push((n, matches!(got, Got::Refused))),
        )?;
        for ((_, target), on) in flags.iter().zip(on) {
            target.set(scope, Value::Bool(on));
        }
        self.odd_items(place, &odd)?;
        Ok(Seen::Filled)
    }

    fn rows(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| Seen::There)?) };
        match (cursor.peek()?, rows.keyed) {
            (b'[', None) | (b'{', Some(_)) => {}
            (b'n', _) => {
                cursor.literal()?;
                return Ok(Seen::There);
            }
            (_, keyed) => {
                self.truth.pass_over_rows(rows, cursor)?;
                let types = if keyed.is_some() { Types::OBJECT } else { Types::LIST };
                return Ok(self.wrong(place, Got::Wrong, types));
            }
        }
        if rows.woven.is_some() {
            // What they are is known when the whole object is.
            self.truth.pass_over_rows(rows, cursor)?;
            return Ok(Seen::Filled);
        }
        self.walk.path.push(place.step());
        let any = route.whole.open(scope, |open| match open {
            Open::List(list) => self.list(rows, cursor, list),
            _ => Ok(cursor.skip().map(|()| false)?),
        })?;
        self.walk.path.pop();
        if !any && row.row.omit_blank {
            route.whole.clear(scope);
            return Ok(Seen::Blank);
        }
        Ok(Seen::Filled)
    }

    /// Reads rows, the items of a list or the members of an object; true when there is a row.
    fn list(&mut self, rows: &'p RowsPlan, cursor: &mut Cursor<'_>, list: &mut dyn List) -> Pass<bool> {
        let (mut n, mut place) = (0, 0);
        // The rows without an identity, and the key each of them has.
        let mut unnamed: Vec<(usize, Option<String>)> = Vec::new();
        let mut sums = self.truth.start_rows(rows);
        let close = if rows.keyed.is_some() { b'}' } else { b']' };
        let any = if rows.keyed.is_some() { cursor.object()? } else { cursor.list()? };
        if any {
            loop {
                let key = if rows.keyed.is_some() { Some(cursor.key()?.text().into_owned()) } else { None };
                self.walk.path.push(key.clone().map_or(At::Index(place), At::Name));
                self.truth.start_row(rows);
                let first = cursor.peek()?;
                if rows.is_row(cursor)? {
                    self.walk.row()?;
                    if !self.one_row(rows, cursor, list, n)? {
                        unnamed.push((n, key));
                    }
                    n += 1;
                } else {
                    if !rows.may_be_row(first) {
                        self.walk.warn(WarningKind::Type, "expected an object; this is no row");
                    }
                    self.truth.pass_over(&rows.frame, 0, cursor)?;
                }
                self.truth.end_row(rows, &mut sums);
                self.walk.path.pop();
                place += 1;
                if !cursor.more(close)? {
                    break;
                }
            }
        }
        self.truth.end_rows(rows, &sums, any);
        if let Some(id) = rows.name(list, &unnamed, &mut self.made) {
            let message = format!("several rows are called {id:?}; in the model each has a name of its own");
            self.walk.warn(WarningKind::Other, message);
        }
        Ok(n > 0)
    }

    /// Reads a row into a new item of the list; false when it has no identity and should.
    fn one_row(&mut self, rows: &'p RowsPlan, cursor: &mut Cursor<'_>, list: &mut dyn List, n: usize) -> Pass<bool> {
        let Some(item) = list.push() else { return Ok(cursor.skip().map(|()| true)?) };
        if rows.plain {
            return self.frame(&rows.frame, cursor, &mut Lone(item), n, None).map(|_| true);
        }
        match item.open() {
            Open::Node(node) => self.frame(&rows.frame, cursor, node, n, rows.by),
            _ => Ok(cursor.skip().map(|()| true)?),
        }
    }

    /// Sets a field of every row of some lists.
    fn gather(
        &mut self,
        entered: Entered<'p>,
        row: &'p RowPlan,
        cursor: Option<&Cursor<'_>>,
        scope: &mut dyn Node,
    ) -> Pass {
        let here = row.place.and_then(|place| cursor.and_then(|cursor| self.at(entered, place, cursor)));
        let read = match here {
            Some(mut here) => match row.slot.read(&mut here)? {
                Got::Value(value) => Some(value.into_owned()),
                _ => None,
            },
            None => None,
        };
        let or = || row.row.or.as_ref().and_then(Fill::literal).and_then(Literal::value);
        let Some(value) = read.or_else(or) else { return Ok(()) };
        for route in &row.routes {
            let Some(item) = &route.item else { continue };
            items_of(&route.whole, scope, |node| {
                item.set(node, value.clone());
            });
        }
        Ok(())
    }

    /// Puts the rows of the model into the order that a list elsewhere keeps.
    fn order(
        &mut self,
        entered: Entered<'p>,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        cursor: Option<&Cursor<'_>>,
        scope: &mut dyn Node,
    ) -> Pass {
        let (Some(order), Some(place), Some(cursor)) = (&rows.order, row.place, cursor) else { return Ok(()) };
        let list = self.at(entered, order.place, cursor);
        let Some(here) = self.at(entered, place, cursor) else { return Ok(()) };
        let Some(ids) = list.map(|list| order.ids(list)).transpose()?.flatten() else { return Ok(()) };
        let sequence = match row.slot.layer(&mut here.clone())? {
            Layer::Plain => rows.sequence(order, &here, &ids)?,
            Layer::Inside(inner) => rows.sequence(order, &Cursor::new(&inner.text), &ids)?,
            Layer::Unreadable => return Ok(()),
        };
        if let Some(route) = row.routes.first().filter(|_| !sequence.is_sorted()) {
            route.whole.open(scope, |open| {
                if let Open::List(list) = open {
                    list.reorder(&sequence);
                }
            });
        }
        Ok(())
    }

    /// Warns of a value that is none for its row.
    #[cold]
    fn wrong(&mut self, place: &'p Place, got: Got<'_>, types: Types) -> Seen {
        let message = match got {
            Got::Blank => return Seen::Blank,
            Got::Null => return Seen::There,
            Got::Unknown => "not one of the values known here; it stays as it is and reads as nothing".to_owned(),
            Got::Value(_) | Got::Wrong | Got::Refused => {
                format!("expected {types}; it stays as it is and reads as nothing")
            }
        };
        self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        Seen::There
    }

    /// Keeps that the table of a slot refuses its value.
    #[cold]
    fn refuse(&mut self, place: &'p Place) -> Seen {
        self.walk.path.push(place.step());
        self.refuse_here();
        self.walk.path.pop();
        Seen::There
    }

    fn refuse_here(&mut self) {
        let format = self.format.to_owned();
        self.walk.fault(|at| Error::Unreadable { format, at });
    }

    /// Gives a row whose slot said nothing what it has instead. Inside a value that is not there
    /// nothing is needed.
    fn fill(&mut self, entered: Entered<'p>, row: &'p RowPlan, met: Seen, there: bool, scope: &mut dyn Node) -> Pass {
        if let Way::Map(frame) = &row.way {
            let inner = self.enter(frame, entered.index, scope);
            self.settle(inner, None, scope)?;
            self.leave(inner);
            return Ok(());
        }
        let file = match row.row.wire {
            Wire::FileStem => self.walk.source.stem(),
            Wire::FileName => self.walk.source.name(),
            Wire::Index => {
                set_all(row, scope, place_of(entered.index));
                return Ok(());
            }
            Wire::At(_) => None,
        };
        if let Some(name) = file.filter(|name| !(row.row.omit_blank && is_blank(name))) {
            set_all(row, scope, Value::text(name));
            return Ok(());
        }
        if let Some(fill) = &row.row.or {
            let value = fill_value(fill, &*scope, entered.index, self.walk.source).map(Value::into_owned);
            if let (Fill::Count { .. }, Some(value)) = (fill, &value) {
                let made = match value {
                    Value::Text(text) => Some(text.clone().into_owned()),
                    Value::Number(n) => Some(n.to_string()),
                    _ => None,
                };
                self.made.extend(made.map(|made| (row.serial, made)));
            }
            if let Some(value) = value.filter(|_| !matches!(row.way, Way::Gather)) {
                set_all(row, scope, value);
            }
        } else if row.row.need && met != Seen::Blank && there {
            self.needed(entered.frame, row);
        } else if let Way::Flags(flags) = &row.way {
            for (_, target) in flags {
                target.set(scope, Value::Bool(false));
            }
        }
        Ok(())
    }

    #[cold]
    fn needed(&mut self, frame: &'p Frame, row: &RowPlan) {
        let length = self.walk.path.len();
        let keys = row.place.map(|place| frame.keys_to(place)).unwrap_or_default();
        self.walk.path.extend(keys.into_iter().map(At::Key));
        let (format, expected) = (self.format.to_owned(), row.slot.accepts().to_string());
        self.walk.fault(|at| Error::Needed { format, at, expected });
        self.walk.path.truncate(length);
    }
}

/// The place of a row as a value of the model.
pub(super) fn place_of(index: usize) -> Value<'static> {
    Value::Number(Number::from(u64::try_from(index).unwrap_or(u64::MAX)))
}

impl Source<'_> {
    /// The name of the file without folders.
    pub(crate) fn name(&self) -> Option<&str> {
        self.file.map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file))
    }

    /// The name of the file without folders and last extension.
    pub(crate) fn stem(&self) -> Option<&str> {
        self.name().map(|name| match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        })
    }
}

/// What a fill gives in a scope; `index` is the place of the row it stands in.
pub(crate) fn fill_value<'v>(
    fill: &'v Fill,
    scope: &'v dyn Node,
    index: usize,
    source: Source<'v>,
) -> Option<Value<'v>> {
    let text_at = |path: &str| match super::target::Route::find(scope.shape(), path).ok()?.whole.view(scope) {
        View::Text(text) => Some(text),
        _ => None,
    };
    Some(match fill {
        Fill::Is(literal) => return literal.value(),
        Fill::Slug { path, sep } => {
            let slug = crate::id::slug(text_at(path)?, sep);
            Value::text(slug)
        }
        Fill::Concat(pieces) => {
            let mut text = String::new();
            for piece in pieces.iter() {
                text.push_str(match piece {
                    Piece::Is(text) => text,
                    Piece::Path(path) => text_at(path)?,
                });
            }
            Value::text(text)
        }
        Fill::FileStem => Value::text(source.file.map(|_| source.stem().unwrap_or_default().to_owned())?),
        Fill::FileName => Value::text(source.file.map(|_| source.name().unwrap_or_default().to_owned())?),
        Fill::Count { from, word } => {
            let n = i64::try_from(index).ok()?.checked_add(*from)?;
            if word.is_empty() { Value::Number(n.into()) } else { Value::text(format!("{word} {n}")) }
        }
        // A value of the file that is written; there is none that is read.
        Fill::Wire { .. } => return None,
    })
}

/// Appends an item to a list, or a row that holds it.
fn push_item(list: &mut dyn List, item: Option<&Target>, value: Value<'_>) {
    let set = match (list.push(), item) {
        (Some(field), None) => field.set(value),
        (Some(field), Some(target)) => match field.open() {
            Open::Node(node) => target.set(node, value),
            _ => false,
        },
        (None, _) => return,
    };
    if !set {
        list.pop();
    }
}

/// Adds the word that a boolean slot stands for to its list.
fn add_word(row: &RowPlan, word: &Literal, scope: &mut dyn Node) {
    if let (Some(word), Some(route)) = (word.value(), row.routes.first()) {
        route.whole.open(scope, |open| {
            if let Open::List(list) = open
                && !(0..list.len()).any(|n| list.item(n).is_some_and(|field| field.view().is(&word)))
            {
                push_item(list, None, word);
            }
        });
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

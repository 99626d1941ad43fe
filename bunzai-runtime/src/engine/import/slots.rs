//! Import: what stands in the slot of a row.

use super::{Entered, Import, Seen};
use crate::engine::Pass;
use crate::engine::items::{Once, item_view};
use crate::engine::layer::Layer;
use crate::engine::plan::{Frame, Place, RowPlan, Way};
use crate::engine::scope::set_all;
use crate::engine::slot::{Got, Slot};
use crate::engine::target::Target;
use crate::engine::types::has_first;
use crate::error::WarningKind;
use crate::json::{Cursor, Number, Value};
use crate::map::{Literal, Str, Types};
use crate::model::{List, Node, Open, View};

impl<'p> Import<'p> {
    /// Reads the slot of a row.
    pub(super) fn row(
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
                        Ok(if is_text { self.unreadable(place) } else { self.wrong(place, Got::Wrong, slot.accepts()) })
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
            Way::Items => self.items(place, row, &row.slot, cursor, scope)?,
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
                            "the model has no such item; the value stays as it is and counts as missing",
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

    /// Reads a row from the first of its places that says something.
    pub(super) fn one_of(
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
                    Way::Items => import.items(place, row, slot, cursor, scope),
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

    /// Reads a list of words, each of which stands for a boolean.
    fn flags(
        &mut self,
        place: &'p Place,
        flags: &'p [(Str, Target)],
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

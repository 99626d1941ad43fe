//! Import: the rows of a list, and what is said of all of them elsewhere.

use super::{Entered, Import, Seen};
use crate::engine::layer::Layer;
use crate::engine::plan::{Place, RowPlan, RowsPlan};
use crate::engine::scope::{PlainItem, items_of};
use crate::engine::slot::Got;
use crate::engine::{At, Pass};
use crate::error::WarningKind;
use crate::json::Cursor;
use crate::map::{Fill, Literal, Types};
use crate::model::{List, Node, Open};

impl<'p> Import<'p> {
    pub(super) fn rows(
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
            return self.frame(&rows.frame, cursor, &mut PlainItem(item), n, None).map(|_| true);
        }
        match item.open() {
            Open::Node(node) => self.frame(&rows.frame, cursor, node, n, rows.by),
            _ => Ok(cursor.skip().map(|()| true)?),
        }
    }

    /// Sets a field of every row of some lists.
    pub(super) fn gather(
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
    pub(super) fn order(
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
}

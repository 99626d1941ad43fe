//! Import: what is settled when the whole object is known.

use super::{Entered, Import, Seen};
use crate::engine::Pass;
use crate::engine::fill::{fill_value, place_of};
use crate::engine::plan::{RowPlan, Way};
use crate::engine::scope::set_all;
use crate::json::{Cursor, Value, is_blank};
use crate::map::{Fill, Wire};
use crate::model::Node;

impl<'p> Import<'p> {
    /// Settles what is left when all places are known: rows that several places speak for, rows
    /// whose slot says nothing, joins. Without a cursor the value of the frame is not there.
    pub(super) fn settle(&mut self, entered: Entered<'p>, cursor: Option<&Cursor<'_>>, scope: &mut dyn Node) -> Pass {
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
}

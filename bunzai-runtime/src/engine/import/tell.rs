//! Import: what is odd in a document, and what is wrong.

use super::{Import, Seen};
use crate::engine::pick::PickPlan;
use crate::engine::plan::{Frame, Place, RowPlan};
use crate::engine::slot::{Got, Slot};
use crate::engine::{At, Pass};
use crate::error::{Error, WarningKind};
use crate::json::{Cursor, Odd};
use crate::map::Types;

impl<'p> Import<'p> {
    /// Warns of picks that had to do with another row than the first they would have.
    pub(super) fn tell_fallbacks(&mut self, frame: &'p Frame) {
        for pick in self.picked.fallbacks().collect::<Vec<_>>() {
            let PickPlan { name, at, .. } = &frame.picks[pick];
            self.walk.path.extend(self.picked.steps_to(frame, *at));
            self.walk.warn(WarningKind::Row, format!("the row that `{name}` names is not here; another one is read"));
            self.walk.path.clear();
        }
    }

    #[cold]
    pub(super) fn odd(&mut self, place: &'p Place, odd: Odd) {
        self.walk.path.push(place.step());
        self.say_odd(odd);
        self.walk.path.pop();
    }

    /// Warns of what is odd in the value at the current place.
    pub(super) fn say_odd(&mut self, odd: Odd) {
        if odd.replaced {
            self.walk.warn(WarningKind::Surrogate, "half of a surrogate pair reads as U+FFFD");
        }
        if odd.repeated {
            let message = "a key stands twice in one object here; the last one counts";
            self.walk.warn(WarningKind::DuplicateKey, message);
        }
    }

    /// Warns of a value that its table does not know, and yet has something for.
    pub(super) fn tell_odd(&mut self, place: &'p Place, slot: &'p Slot, cursor: &Cursor<'_>) -> Pass {
        if slot.is_odd(cursor)? {
            let message = "not one of the values known here; it stays as it is and reads as the table says of such";
            self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        }
        Ok(())
    }

    /// Warns of the items of a list that could not be read, by index.
    pub(super) fn odd_items(&mut self, place: &'p Place, odd: &[(usize, bool)]) -> Pass {
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

    /// Warns of a value of the right type that the model cannot hold.
    #[cold]
    pub(super) fn unfit(&mut self, place: &'p Place) -> Seen {
        self.walk.step(place.step(), |walk| {
            walk.warn(WarningKind::Type, "the model cannot hold this value; it stays as it is and counts as missing");
        });
        Seen::There
    }

    /// Warns of a value that is none for its row.
    #[cold]
    pub(super) fn wrong(&mut self, place: &'p Place, got: Got<'_>, types: Types) -> Seen {
        let message = match got {
            Got::Blank => return Seen::Blank,
            Got::Null => return Seen::There,
            Got::Unknown => "not one of the values known here; it stays as it is and counts as missing".to_owned(),
            Got::Value(_) | Got::Wrong | Got::Refused => {
                format!("expected {types}; it stays as it is and counts as missing")
            }
        };
        self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        Seen::There
    }

    /// Warns of a text that has none of the forms of its row.
    #[cold]
    pub(super) fn unreadable(&mut self, place: &'p Place) -> Seen {
        let message = "the text has not the form that is read here; it stays as it is and counts as missing";
        self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        Seen::There
    }

    /// Keeps that the table of a slot refuses its value.
    #[cold]
    pub(super) fn refuse(&mut self, place: &'p Place) -> Seen {
        self.walk.path.push(place.step());
        self.refuse_here();
        self.walk.path.pop();
        Seen::There
    }

    fn refuse_here(&mut self) {
        let format = self.format.to_owned();
        self.walk.fault(|at| Error::Unreadable { format, at });
    }

    #[cold]
    pub(super) fn needed(&mut self, frame: &'p Frame, row: &RowPlan) {
        let length = self.walk.path.len();
        let steps = row.place.map(|place| self.picked.steps_to(frame, place)).unwrap_or_default();
        self.walk.path.extend(steps);
        let (format, expected) = (self.format.to_owned(), row.slot.accepts().to_string());
        self.walk.fault(|at| Error::Needed { format, at, expected });
        self.walk.path.truncate(length);
    }
}

//! Joins: several slots and several paths, tied by a table or by Rust code.

use super::plan::{JoinPlan, TiePlan};
use super::table;
use super::types::fits;
use crate::json::{Cursor, Result, Value};
use crate::map::{Cell, Else, Literal, TableRow};
use crate::model::{Node, View};

/// What the slots of a join say of one of its paths.
#[derive(Debug)]
pub(super) enum Claim<'v> {
    /// Nothing: what other rows say of it stands.
    None,
    /// This value, or that there is none.
    Is(Option<Value<'v>>),
}

impl Claim<'_> {
    /// Whether the model holds what is claimed.
    pub(super) fn holds(&self, view: View<'_>) -> bool {
        match self {
            Self::None => true,
            Self::Is(Some(value)) => view.is(value),
            Self::Is(None) => Cell::None.admits_view(view),
        }
    }
}

/// What the slots of a join come to.
#[derive(Debug)]
pub(super) enum Said<'v> {
    /// A row of the table, by index.
    Row(usize),
    /// What Rust code made of them.
    Values(Vec<Option<Value<'v>>>),
    /// No row is for them.
    Unknown,
    /// No row is for them, and the table refuses such.
    Refused,
}

impl JoinPlan {
    /// What the slots say.
    pub(super) fn said(&self, slots: &[Option<Cursor<'_>>]) -> Result<Said<'static>> {
        Ok(match &self.tie {
            TiePlan::Table(table) => match table::row_of_all(table, slots)? {
                Some(n) => Said::Row(n),
                None if table.other == Else::Error => Said::Refused,
                None => Said::Unknown,
            },
            TiePlan::Via(hatch) => {
                let values = slots.iter().map(value_of).collect::<Result<Vec<_>>>()?;
                Said::Values((hatch.read)(&values))
            }
        })
    }

    /// What is claimed of the path at an index.
    pub(super) fn claim<'v>(&'v self, said: &'v Said<'v>, n: usize) -> Claim<'v> {
        match (said, &self.tie) {
            (Said::Row(row), TiePlan::Table(table)) => match table.rows.get(*row).and_then(|row| row.model.get(n)) {
                Some(Cell::Is(Literal::Absent) | Cell::None) => Claim::Is(None),
                Some(Cell::Is(literal)) => Claim::Is(literal.value()),
                Some(Cell::Any | Cell::Some) | None => Claim::None,
            },
            // A value that the model cannot hold says nothing.
            (Said::Values(values), _) => match values.get(n).cloned().flatten() {
                Some(value) if !self.targets.get(n).is_some_and(|target| fits(target.ty, &value)) => Claim::None,
                value => Claim::Is(value),
            },
            _ => Claim::None,
        }
    }

    /// Sets the paths to what the slots say; false when the table refuses them.
    pub(super) fn read(&self, slots: &[Option<Cursor<'_>>], scope: &mut dyn Node) -> Result<bool> {
        let said = self.said(slots)?;
        for (n, target) in self.targets.iter().enumerate() {
            match self.claim(&said, n) {
                Claim::None => {}
                Claim::Is(Some(value)) => drop(target.set(scope, value)),
                Claim::Is(None) => target.prune(scope),
            }
        }
        Ok(!matches!(said, Said::Refused))
    }

    /// What the slots are to hold for what the model holds, slot by slot; nothing for a slot that
    /// is left as it is. `slots` is what they hold now, and `said` what that says.
    pub(super) fn write<'v>(
        &'v self,
        scope: &dyn Node,
        slots: &[Option<Value<'v>>],
        said: &Said<'_>,
    ) -> Vec<Option<Option<Value<'v>>>> {
        let leave = || vec![None; self.slots.len()];
        match &self.tie {
            TiePlan::Table(table) => {
                let views: Vec<View<'_>> = self.targets.iter().map(|target| target.view(scope)).collect();
                let twin = if let Said::Row(n) = said { Some(*n) } else { None };
                match table::row_to_write(table, &views, slots, twin) {
                    Some(row) => self.cells(row, slots),
                    None => leave(),
                }
            }
            TiePlan::Via(hatch) => {
                let values: Vec<_> = self.targets.iter().map(|target| target.view(scope).value()).collect();
                let written = (hatch.write)(&values, slots);
                let change = |(new, old): (Option<Value<'static>>, &Option<Value<'_>>)| (new != *old).then_some(new);
                written.into_iter().zip(slots).map(change).collect()
            }
        }
    }

    fn cells<'v>(&self, row: &'v TableRow, slots: &[Option<Value<'v>>]) -> Vec<Option<Option<Value<'v>>>> {
        let cells = row.wire.iter().zip(slots);
        cells
            .map(|(cell, slot)| {
                let new = table::written(cell, slot);
                (cell.claims() && new != *slot).then_some(new)
            })
            .collect()
    }
}

/// The value at a cursor, if there is one; a number too large counts as none.
pub(super) fn value_of<'t>(slot: &Option<Cursor<'t>>) -> Result<Option<Value<'t>>> {
    slot.clone().map_or(Ok(None), |mut cursor| Value::read(&mut cursor))
}

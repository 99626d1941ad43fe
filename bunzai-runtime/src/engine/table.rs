//! Tables, read and written.

use crate::blank::{nothing_at, value_is_nothing, view_is_nothing};
use crate::json::{Cursor, Result, Value};
use crate::map::{Cell, Else, Literal, Table, TableRow, Types};
use crate::model::View;

impl Cell {
    /// Whether the cell, on the side that is read, lets a value through.
    pub(super) fn admits(&self, value: Option<&Value<'_>>) -> bool {
        match self {
            Self::Any => true,
            Self::Is(Literal::Absent) | Self::None => value_is_nothing(value),
            Self::Some => !value_is_nothing(value),
            Self::Is(literal) => value.is_some_and(|value| literal.is(value)),
            Self::Has(literal) => match value {
                Some(Value::List(items)) => items.iter().any(|item| literal.is(item)),
                _ => false,
            },
        }
    }

    /// The same for what stands at a cursor, if anything does. No list or object is built for a
    /// cell that only asks whether there is something.
    pub(super) fn admits_at(&self, cursor: Option<&Cursor<'_>>) -> Result<bool> {
        let Some(mut cursor) = cursor.cloned() else { return Ok(self.admits(None)) };
        let first = cursor.peek()?;
        let nothing = |cursor: &mut Cursor<'_>| match first {
            // A number that is too large cannot be read.
            b'-' | b'0'..=b'9' => Ok(cursor.number()?.is_none()),
            _ => nothing_at(cursor),
        };
        Ok(match self {
            Self::Any => true,
            Self::Is(Literal::Absent) | Self::None => nothing(&mut cursor)?,
            Self::Some => !nothing(&mut cursor)?,
            Self::Is(literal) => Value::read(&mut cursor)?.is_some_and(|value| literal.is(&value)),
            Self::Has(_) => first == b'[' && self.admits(Value::read(&mut cursor)?.as_ref()),
        })
    }

    /// The same for what the model holds.
    pub(super) fn admits_view(&self, view: View<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Is(Literal::Absent) | Self::None => view_is_nothing(view),
            Self::Some => !view_is_nothing(view),
            Self::Is(literal) => literal.value().is_some_and(|value| view.is(&value)),
            Self::Has(_) => self.admits(view.value().as_ref()),
        }
    }

    /// Whether the cell is a value of its own, or nothing; not a test of what is there.
    pub(super) fn claims(&self) -> bool {
        matches!(self, Self::Is(_) | Self::None)
    }
}

/// The JSON types of the wire side of a table with one column.
pub(super) fn reads(table: &Table, passed: Types) -> Types {
    let cells = table.rows.iter().filter_map(|row| row.wire.first());
    let known = cells.fold(Types::NONE, |types, cell| match cell {
        Cell::Is(literal) => types.or(literal.types()),
        Cell::Any | Cell::Some | Cell::None => types.or(Types::ANY),
        Cell::Has(_) => types.or(Types::LIST),
    });
    if table.other == Else::Pass { known.or(passed) } else { known }
}

/// What a wire value reads as in a table with one column; `Some(None)` is nothing.
pub(super) fn read_one<'v>(table: &'v Table, value: Value<'v>) -> Option<Option<Value<'v>>> {
    match row_of(table, &value) {
        Some(n) => match table.rows[n].model.first()? {
            Cell::Is(literal) => Some(literal.value()),
            Cell::None => Some(None),
            Cell::Any | Cell::Some | Cell::Has(_) => None,
        },
        None if table.other == Else::Pass => Some(Some(value)),
        None => None,
    }
}

/// The values of the model that are written as what reads as nothing: they say the same as nothing.
pub(super) fn silent(table: &Table) -> impl Iterator<Item = Value<'_>> {
    let is_silent = |wire: &Literal| {
        let value = wire.value()?;
        matches!(read_one(table, value), Some(None)).then_some(())
    };
    table.write.iter().filter_map(move |row| match (row.wire.first(), row.model.first()) {
        (Some(Cell::Is(wire)), Some(Cell::Is(model))) => is_silent(wire).and_then(|()| model.value()),
        _ => None,
    })
}

/// What is written where the model has nothing, if the table says so: by the row of the twin, else
/// by the first such row.
pub(super) fn write_nothing(table: &Table, twin: Option<usize>) -> Option<Value<'_>> {
    let says = |row: &&TableRow| matches!(row.model.first(), Some(Cell::None | Cell::Is(Literal::Absent)));
    let twin = twin.and_then(|n| table.rows.get(n)).filter(says);
    let row = twin.or_else(|| table.write.iter().find(says)).or_else(|| table.rows.iter().find(says))?;
    wire_of(row)
}

/// Whether a wire value is read by the row for all that no other row knows.
pub(super) fn is_met_by_last(table: &Table, value: &Value<'_>) -> bool {
    table.other == Else::Last && row_of(table, value).is_some_and(|n| n + 1 == table.rows.len())
}

/// The row by which a wire value is read.
pub(super) fn row_of(table: &Table, value: &Value<'_>) -> Option<usize> {
    table.rows.iter().position(|row| row.wire.first().is_some_and(|cell| cell.admits(Some(value))))
}

/// What a model value is written as in a table with one column: by the row of the twin if it says
/// the same, else by the first row that does.
pub(super) fn write_one<'v>(table: &'v Table, value: Value<'v>, twin: Option<usize>) -> Option<Value<'v>> {
    let says = |row: &TableRow| row.model.first().is_some_and(|cell| cell.admits(Some(&value)));
    let reads_back = |row: &TableRow| {
        let written = wire_of(row);
        written.and_then(|written| row_of(table, &written)).is_some_and(|n| says(&table.rows[n]))
    };
    let twin = twin.and_then(|n| table.rows.get(n)).filter(|row| says(row));
    let chosen = twin
        .or_else(|| table.write.iter().find(|row| says(row)))
        .or_else(|| table.rows.iter().find(|row| says(row) && reads_back(row)));
    if let Some(row) = chosen {
        return wire_of(row);
    }
    // A word that passes must not be one that the table reads as another.
    (table.other == Else::Pass && row_of(table, &value).is_none()).then_some(value)
}

fn wire_of(row: &TableRow) -> Option<Value<'_>> {
    match row.wire.first()? {
        Cell::Is(literal) => literal.value(),
        Cell::Any | Cell::Some | Cell::None | Cell::Has(_) => None,
    }
}

/// The row by which the values of several slots are read.
pub(super) fn row_of_all(table: &Table, slots: &[Option<Cursor<'_>>]) -> Result<Option<usize>> {
    'rows: for (n, row) in table.rows.iter().enumerate() {
        for (cell, slot) in row.wire.iter().zip(slots) {
            if !cell.admits_at(slot.as_ref())? {
                continue 'rows;
            }
        }
        return Ok(Some(n));
    }
    Ok(None)
}

/// The same for values.
pub(super) fn row_of_values(table: &Table, slots: &[Option<Value<'_>>]) -> Option<usize> {
    let admits = |row: &TableRow| row.wire.iter().zip(slots).all(|(cell, slot)| cell.admits(slot.as_ref()));
    table.rows.iter().position(admits)
}

/// The row by which what the model holds is written; `slots` is what the slots hold now, of which
/// the first `seen` stay, and `twin` the row by which they are read. Nothing when no row says it, or when the row of the twin
/// still does: then there is nothing to write.
pub(super) fn row_to_write<'t>(
    table: &'t Table,
    views: &[View<'_>],
    slots: &[Option<Value<'_>>],
    seen: usize,
    twin: Option<usize>,
) -> Option<&'t TableRow> {
    let says = |row: &TableRow| row.model.iter().zip(views).all(|(cell, view)| cell.admits_view(*view));
    if twin.and_then(|n| table.rows.get(n)).is_some_and(says) {
        return None;
    }
    let reads_back = |row: &TableRow| {
        let slots = row.wire.iter().zip(slots).enumerate();
        let written: Vec<Option<Value<'_>>> =
            slots.map(|(n, (cell, slot))| if n < seen { slot.clone() } else { written(cell, slot) }).collect();
        let read = table
            .rows
            .iter()
            .find(|row| row.wire.iter().zip(&written).all(|(cell, value)| cell.admits(value.as_ref())));
        read.is_some_and(says)
    };
    let write = table.write.iter().find(|row| says(row));
    write.or_else(|| table.rows.iter().find(|row| says(row) && reads_back(row)))
}

/// What a slot holds when a row has been written to it.
pub(super) fn written<'v>(cell: &'v Cell, slot: &Option<Value<'v>>) -> Option<Value<'v>> {
    match cell {
        Cell::Is(literal) => literal.value(),
        Cell::None => None,
        Cell::Any | Cell::Some | Cell::Has(_) => slot.clone(),
    }
}

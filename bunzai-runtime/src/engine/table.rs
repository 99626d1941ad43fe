//! Tables, read and written.

use crate::json::Value;
use crate::map::{Cell, Else, Literal, Table, TableRow, Types};

use super::value::value_is_blank;

impl Cell {
    /// Whether the cell, on the side that is read, lets a value through.
    pub(crate) fn admits(&self, value: Option<&Value<'_>>) -> bool {
        match self {
            Self::Any => true,
            Self::Is(Literal::Absent) | Self::None => is_nothing(value),
            Self::Some => !is_nothing(value),
            Self::Is(literal) => value.is_some_and(|value| literal.is(value)),
        }
    }
}

/// Nothing, null, white space, an empty list or object; `false` is something.
fn is_nothing(value: Option<&Value<'_>>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Bool(_)) => false,
        Some(value) => value_is_blank(value),
    }
}

/// The JSON types of the wire side of a table with one column.
pub(crate) fn reads(table: &Table, passed: Types) -> Types {
    let cells = table.rows.iter().filter_map(|row| row.wire.first());
    let known = cells.fold(Types::NONE, |types, cell| match cell {
        Cell::Is(literal) => types.or(literal.types()),
        Cell::Any | Cell::Some | Cell::None => types.or(Types::ANY),
    });
    if table.other == Else::Pass { known.or(passed) } else { known }
}

/// What a wire value reads as in a table with one column.
pub(crate) fn read_one<'v>(table: &'v Table, value: Value<'v>) -> Option<Value<'v>> {
    match row_of(table, &value) {
        Some(n) => match table.rows[n].model.first()? {
            Cell::Is(literal) => literal.value(),
            Cell::Any | Cell::Some | Cell::None => None,
        },
        None if table.other == Else::Pass => Some(value),
        None => None,
    }
}

/// The row by which a wire value is read.
pub(crate) fn row_of(table: &Table, value: &Value<'_>) -> Option<usize> {
    table.rows.iter().position(|row| row.wire.first().is_some_and(|cell| cell.admits(Some(value))))
}

/// What a model value is written as in a table with one column: by the row of the twin if it says
/// the same, else by the first row that does.
pub(crate) fn write_one<'v>(table: &'v Table, value: Value<'v>, twin: Option<usize>) -> Option<Value<'v>> {
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
        Cell::Any | Cell::Some | Cell::None => None,
    }
}

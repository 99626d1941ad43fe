//! Tables: finite relations between the wire and the model.

use std::collections::HashSet;

use bunzai_runtime::map::{Cell, Else, Literal, Seq, Str, Table as Relation, TableRow, nearest};

use super::Lower;
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

/// The constant in a cell, with its place.
pub(super) struct CellAt {
    pub(super) side: Side,
    pub(super) column: usize,
    pub(super) literal: Literal,
    pub(super) loc: Loc,
}

/// What a table belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// A row: what it reads is the value of the row.
    Row,
    /// A join, which never writes so many of its first slots: what it only tests it leaves to others.
    Join(usize),
}

/// A side of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Wire,
    Model,
}

impl Lower<'_> {
    /// A table of so many columns on each side.
    pub(super) fn relation(&mut self, name: &str, table: &Table, (wire, model): (usize, usize), of: Of) -> usize {
        let mut at = Vec::new();
        let mut rows = table
            .get("rows")
            .map_or_else(Rows::default, |tree| self.table_rows(tree, "rows", (wire, model), of, &mut at));
        let write =
            table.get("write").map(|tree| self.write_rows(tree, (wire, model), of, &mut at)).unwrap_or_default();
        let other = match table.get("else").map(|tree| (tree, &tree.node)) {
            Some((tree, Node::Table(_))) => {
                self.last_row(tree, (wire, model), of, &mut rows, &mut at);
                Some(Else::Last)
            }
            _ => self.choice(table, "else", &Else::WORDS),
        };
        if other == Some(Else::Pass) && (wire, model) != (1, 1) {
            let loc = table.get("else").map_or(Loc::default(), |tree| tree.loc);
            self.add("B005", loc, "only a table of one slot and one path can pass a value as it is");
        }
        let other = other.unwrap_or(Else::None);
        self.add_table(
            Relation { name: name.to_owned().into(), rows: rows.list.into(), write: write.into(), other },
            at,
        )
    }

    /// The row for all that no other row takes: `else = { value = V }`.
    fn last_row(&mut self, tree: &Tree, columns: (usize, usize), of: Of, rows: &mut Rows, at: &mut Vec<CellAt>) {
        let Some(table) = self.table(tree, "else") else { return };
        self.check_words(table, &words::ELSE_VALUE);
        if columns != (1, 1) || of != Of::Row {
            self.add("B005", tree.loc, "only a table of one row's slot can say what another value reads as");
        }
        let Some(value) = table.get("value") else {
            self.add("B006", tree.loc, "`value` is missing: it is what a value without a row reads as");
            return;
        };
        let Some(literal) = self.literal(value) else { return };
        let row = TableRow { wire: vec![Cell::Some].into(), model: vec![Cell::Is(literal.clone())].into() };
        self.add_row(rows, row, tree.loc);
        at.push(CellAt { side: Side::Model, column: 0, literal, loc: value.loc });
    }

    fn add_table(&mut self, relation: Relation, at: Vec<CellAt>) -> usize {
        self.tables.push(relation);
        self.cells.push(at);
        self.tables.len() - 1
    }

    /// The cells of a row, as many as there are columns; those of `first` stand first.
    fn row_of_cells(
        &mut self,
        item: &Tree,
        word: &str,
        [first, second]: [(Side, usize); 2],
        of: Of,
        at: &mut Vec<CellAt>,
    ) -> Option<(Vec<Cell>, Vec<Cell>)> {
        let count = first.1 + second.1;
        let cells = self.list(item, word).to_vec();
        if cells.len() != count {
            let message = format!("a row of this table has {count} cells, and this has {}", cells.len());
            self.add("B022", item.loc, message);
            return None;
        }
        let read: Vec<_> = cells.iter().map(|cell| self.cell(cell)).collect();
        let mut read = read.into_iter().collect::<Option<Vec<Cell>>>()?;
        for (n, (cell, tree)) in read.iter().zip(&cells).enumerate() {
            let (side, column) = if n < first.1 { (first.0, n) } else { (second.0, n - first.1) };
            if let Cell::Is(literal) = cell {
                at.push(CellAt { side, column, literal: literal.clone(), loc: tree.loc });
            } else if (of, first.0, side) == (Of::Row, Side::Wire, Side::Model) && cell.is_test() {
                self.add("B021", tree.loc, "a table of one path reads as a value, null or nothing");
            }
        }
        let rest = read.split_off(first.1);
        Some((read, rest))
    }

    /// Rows that hold both ways.
    fn table_rows(
        &mut self,
        tree: &Tree,
        word: &str,
        (wire, model): (usize, usize),
        of: Of,
        at: &mut Vec<CellAt>,
    ) -> Rows {
        let mut rows = Rows::default();
        let sides = [(Side::Wire, wire), (Side::Model, model)];
        for item in self.list(tree, word).to_vec() {
            let Some((wire, model)) = self.row_of_cells(&item, word, sides, of, at) else { continue };
            let row = TableRow { wire: wire.into(), model: model.into() };
            self.add_row(&mut rows, row, item.loc);
        }
        rows
    }

    /// Rows from model to wire; the model cells stand first.
    fn write_rows(
        &mut self,
        tree: &Tree,
        (wire, model): (usize, usize),
        of: Of,
        at: &mut Vec<CellAt>,
    ) -> Vec<TableRow> {
        let mut rows = Vec::new();
        let sides = [(Side::Model, model), (Side::Wire, wire)];
        for item in self.list(tree, "write").to_vec() {
            let Some((model, wire)) = self.row_of_cells(&item, "write", sides, of, at) else { continue };
            let row = TableRow { wire: wire.into(), model: model.into() };
            self.check_written(&row, of, item.loc);
            rows.push(row);
        }
        rows
    }

    /// A row of `write` writes some slot.
    fn check_written(&mut self, row: &TableRow, of: Of, loc: Loc) {
        let seen = if let Of::Join(seen) = of { seen } else { 0 };
        if row.wire.iter().skip(seen).all(Cell::is_test) {
            self.add("B021", loc, "this row writes nothing: none of its wire cells is a value");
        }
    }

    /// Adds a row. One that an earlier one hides is never read.
    fn add_row(&mut self, rows: &mut Rows, row: TableRow, loc: Loc) {
        if !rows.add(row) {
            self.add("B020", loc, "an earlier row takes everything this row would take");
        }
    }

    /// The table of a row: a name, a map of words, or the rows themselves.
    pub(super) fn table_of(&mut self, row: &Table) -> Option<usize> {
        let tree = row.get("table")?;
        let mut at = Vec::new();
        let rows = match &tree.node {
            Node::Text(_) => return self.table_named(tree, (1, 1), Of::Row),
            Node::Table(words) => {
                let mut rows = Vec::new();
                for entry in &words.0 {
                    let Some(model) = self.cell(&entry.value) else { continue };
                    let wire = Literal::Text(entry.key.clone().into());
                    at.push(CellAt { side: Side::Wire, column: 0, literal: wire.clone(), loc: entry.key_loc });
                    if let Cell::Is(literal) = &model {
                        let literal = literal.clone();
                        at.push(CellAt { side: Side::Model, column: 0, literal, loc: entry.value.loc });
                    }
                    rows.push(TableRow { wire: vec![Cell::Is(wire)].into(), model: vec![model].into() });
                }
                rows
            }
            Node::List(_) => self.table_rows(tree, "table", (1, 1), Of::Row, &mut at).list,
            _ => {
                self.wrong(tree, "table", "the name of a table, a map of words, or rows");
                return None;
            }
        };
        let relation = Relation { name: Str::default(), rows: rows.into(), write: Seq::default(), other: Else::None };
        Some(self.add_table(relation, at))
    }

    /// A named table, as one of so many columns on each side.
    pub(super) fn table_named(&mut self, tree: &Tree, (wire, model): (usize, usize), of: Of) -> Option<usize> {
        let name = self.text(tree, "table")?;
        let Some(n) = self.table_names.iter().position(|known| known.text == name) else {
            let mut message = format!("there is no table `{name}`");
            if let Some(meant) = nearest(name, self.table_names.iter().map(|known| known.text.as_str())) {
                message += &format!("; did you mean `{meant}`?");
            }
            self.add("B011", tree.loc, message);
            return None;
        };
        self.table_names[n].used = true;
        if let Some((_, index)) = self.read_tables.iter().find(|(key, _)| *key == (n, wire, model, of)) {
            return Some(*index);
        }
        let entry = self.named_tables.0.get(n).cloned()?;
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::TABLE);
        if table.get("rows").is_none() {
            self.add("B006", entry.key_loc, format!("the table `{name}` has no `rows`"));
        }
        let index = self.relation(name, table, (wire, model), of);
        self.read_tables.push(((n, wire, model, of), index));
        Some(index)
    }
}

/// Rows that are tried in order.
#[derive(Default)]
struct Rows {
    list: Vec<TableRow>,
    /// The wire cells of those that are constants alone: such a row hides only its like, so that a long
    /// table need not be gone through for each of its rows.
    constants: HashSet<String>,
    /// Which of the others there are.
    tests: Vec<usize>,
}

impl Rows {
    /// Adds a row. The answer is whether none before it takes everything it takes.
    fn add(&mut self, row: TableRow) -> bool {
        let hides = |n: &usize| self.list[*n].wire.iter().zip(row.wire.iter()).all(|(a, b)| covers(a, b));
        let mut is_reached = !self.tests.iter().any(hides);
        if row.wire.iter().all(|cell| matches!(cell, Cell::Is(_))) {
            is_reached &= self.constants.insert(format!("{:?}", row.wire));
        } else {
            self.tests.push(self.list.len());
        }
        self.list.push(row);
        is_reached
    }
}

/// Whether a cell takes every value that another one takes.
fn covers(one: &Cell, other: &Cell) -> bool {
    match (one, other) {
        (Cell::Any, _) => true,
        (Cell::Some, Cell::Is(literal)) => !literal.is_nothing(),
        (Cell::Some, Cell::Has(_)) => true,
        (Cell::Has(one), Cell::Is(Literal::List(items))) => items.contains(one),
        (Cell::None, Cell::Is(literal)) => literal.is_nothing(),
        (one, other) => one == other,
    }
}

//! Tables: finite relations between the wire and the model.

use bunzai_runtime::map::{Cell, Else, Literal, Seq, Str, Table as Relation, TableRow, nearest};

use super::Lower;
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

/// The constants on the model side of a table.
pub(super) fn model_cells(table: &Relation) -> impl Iterator<Item = &Literal> {
    let rows = table.rows.iter().chain(table.write.iter());
    rows.flat_map(|row| row.model.iter()).filter_map(|cell| match cell {
        Cell::Is(literal) => Some(literal),
        Cell::Any | Cell::Some | Cell::None => None,
    })
}

impl Lower<'_> {
    /// The tables under `[tables]`, in their order.
    pub(super) fn named_tables(&mut self, file: &Table) {
        let Some(tables) = file.get("tables").and_then(|tree| self.table(tree, "tables")) else { return };
        for entry in &tables.0 {
            let read = self.table(&entry.value, &entry.key).map(|table| self.relation(&entry.key, table));
            let empty =
                Relation { name: Str::default(), rows: Seq::default(), write: Seq::default(), other: Else::None };
            self.tables.push(read.unwrap_or(empty));
        }
    }

    fn relation(&mut self, name: &str, table: &Table) -> Relation {
        self.check_words(table, &words::TABLE);
        if table.get("rows").is_none() {
            let loc = table.0.first().map_or(Loc::default(), |entry| entry.key_loc);
            self.add("B006", loc, format!("the table `{name}` has no `rows`"));
        }
        let rows = table.get("rows").map(|tree| self.table_rows(tree, "rows", false)).unwrap_or_default();
        let write = table.get("write").map(|tree| self.table_rows(tree, "write", true)).unwrap_or_default();
        let other = self.choice(table, "else", &[("none", Else::None), ("pass", Else::Pass), ("error", Else::Error)]);
        Relation {
            name: name.to_owned().into(),
            rows: rows.into(),
            write: write.into(),
            other: other.unwrap_or(Else::None),
        }
    }

    /// Rows of two cells; of `write` rows the model cell stands first.
    fn table_rows(&mut self, tree: &Tree, word: &str, model_first: bool) -> Vec<TableRow> {
        let mut rows: Vec<TableRow> = Vec::new();
        for item in self.list(tree, word).to_vec() {
            let cells = self.list(&item, word).to_vec();
            let [first, second] = cells.as_slice() else {
                self.add("B022", item.loc, format!("a row of this table has two cells, and this has {}", cells.len()));
                continue;
            };
            let (Some(first), Some(second)) = (self.cell(first), self.cell(second)) else { continue };
            let (wire, model) = if model_first { (second, first) } else { (first, second) };
            let row = TableRow { wire: vec![wire].into(), model: vec![model].into() };
            if model_first {
                self.check_written(&row, item.loc);
            } else {
                self.check_reachable(&rows, &row, item.loc);
            }
            rows.push(row);
        }
        rows
    }

    /// A row is written by its wire cell, so that must be a value. (In a table of one column every
    /// row that is reached reads back what it was written from.)
    fn check_written(&mut self, row: &TableRow, loc: Loc) {
        if !row.wire.iter().all(|cell| matches!(cell, Cell::Is(_))) {
            self.add("B021", loc, "this row writes nothing: its wire cell is no value");
        }
    }

    fn check_reachable(&mut self, rows: &[TableRow], row: &TableRow, loc: Loc) {
        let covers = |earlier: &Cell, later: &Cell| earlier == later || *earlier == Cell::Any;
        let hidden = |earlier: &TableRow| earlier.wire.iter().zip(row.wire.iter()).all(|(a, b)| covers(a, b));
        if rows.iter().any(hidden) {
            self.add("B020", loc, "an earlier row takes everything this row would take");
        }
    }

    /// The table of a row: a name, a map of words, or the rows themselves.
    pub(super) fn table_of(&mut self, row: &Table) -> Option<usize> {
        let tree = row.get("table")?;
        let table = match &tree.node {
            Node::Text(name) => return self.named_table(tree, name),
            Node::Table(words) => {
                let mut rows = Vec::new();
                for entry in &words.0 {
                    let Some(model) = self.cell(&entry.value) else { continue };
                    let wire = Cell::Is(Literal::Text(entry.key.clone().into()));
                    rows.push(TableRow { wire: vec![wire].into(), model: vec![model].into() });
                }
                rows
            }
            Node::List(_) => self.table_rows(tree, "table", false),
            _ => {
                self.wrong(tree, "table", "the name of a table, a map of words, or rows");
                return None;
            }
        };
        let relation = Relation { name: Str::default(), rows: table.into(), write: Seq::default(), other: Else::None };
        self.tables.push(relation);
        Some(self.tables.len() - 1)
    }

    fn named_table(&mut self, tree: &Tree, name: &str) -> Option<usize> {
        match self.table_names.iter_mut().enumerate().find(|(_, known)| known.text == *name) {
            Some((n, known)) => {
                known.used = true;
                Some(n)
            }
            None => {
                let mut message = format!("there is no table `{name}`");
                if let Some(meant) = nearest(name, self.table_names.iter().map(|known| known.text.as_str())) {
                    message += &format!("; did you mean `{meant}`?");
                }
                self.add("B011", tree.loc, message);
                None
            }
        }
    }
}

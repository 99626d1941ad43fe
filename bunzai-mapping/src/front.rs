//! The front end for mapping files: TOML to a tree, with every syntax error of the file.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Sink;
use crate::tree::{Entry, Loc, Node, Table, Tree};

/// Reads the TOML of a mapping file, the places of which are counted from a number on. What could not
/// be read is reported and left out.
pub(crate) fn read(source: &str, start: usize, sink: &mut Sink) -> Tree {
    let (table, errors) = DeTable::parse_recoverable(source);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        sink.add("B001", Loc { start: start + span.start, end: start + span.end }, error.message().to_owned());
    }
    let loc = Loc { start, end: start + source.len() };
    let mut reading = Reading { start, sink };
    Tree::new(Node::Table(reading.table(table.into_inner())), loc)
}

/// Reads the words of a mapping file as they stand there; what cannot be read is left out.
pub fn read_tree(source: &str) -> Tree {
    read(source, 0, &mut Sink::default())
}

struct Reading<'s> {
    /// Where the places of the file start.
    start: usize,
    sink: &'s mut Sink,
}

impl Reading<'_> {
    fn table(&mut self, table: DeTable<'_>) -> Table {
        let mut entries: Vec<Entry> = table
            .into_iter()
            .map(|(key, value)| {
                let key_loc = self.loc_of(&key);
                Entry { key: key.into_inner().into_owned(), key_loc, value: self.value(value) }
            })
            .collect();
        // The parser sorts by key; the order of the file is the order of a fresh document.
        entries.sort_by_key(|entry| entry.key_loc);
        Table(entries)
    }

    fn value(&mut self, value: Spanned<DeValue<'_>>) -> Tree {
        let loc = self.loc_of(&value);
        let node = match value.into_inner() {
            DeValue::String(text) => Node::Text(text.into_owned()),
            DeValue::Boolean(b) => Node::Bool(b),
            DeValue::Integer(n) => match i128::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) if i64::try_from(n).is_ok() || u64::try_from(n).is_ok() => Node::Integer(n),
                _ => {
                    self.sink.add("B001", loc, "this integer is too large".to_owned());
                    Node::Integer(0)
                }
            },
            DeValue::Float(f) => match f.as_str().parse::<f64>() {
                Ok(f) if f.is_finite() => Node::Float(f),
                _ => {
                    self.sink.add("B001", loc, "this is no finite number".to_owned());
                    Node::Integer(0)
                }
            },
            DeValue::Datetime(_) => {
                self.sink.add("B001", loc, "a date means nothing here; write it as text".to_owned());
                Node::Text(String::new())
            }
            DeValue::Array(items) => Node::List(items.into_iter().map(|item| self.value(item)).collect()),
            DeValue::Table(table) => Node::Table(self.table(table)),
        };
        Tree::new(node, loc)
    }

    fn loc_of<T>(&self, spanned: &Spanned<T>) -> Loc {
        let span = spanned.span();
        Loc { start: self.start + span.start, end: self.start + span.end }
    }
}

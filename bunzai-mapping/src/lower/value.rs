//! Constants and derived values.

use std::borrow::Cow;

use bunzai_runtime::Number;
use bunzai_runtime::map::{Cell, Fill, Literal, Piece, Str, nearest};

use super::{Lower, path, shared};
use crate::tree::{Entry, Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// A constant. Text that begins with `@` is a word; `@@x` is the text `@x`.
    pub(super) fn literal(&mut self, tree: &Tree) -> Option<Literal> {
        Some(match &tree.node {
            Node::Text(text) => match text.as_str() {
                "@null" => Literal::Null,
                "@none" => Literal::Absent,
                _ => match text.strip_prefix('@').filter(|name| !name.starts_with('@') && name.contains('.')) {
                    Some(name) => self.shared_value(tree, name)?,
                    None => Literal::Text(self.plain_text(tree, text)?),
                },
            },
            Node::Bool(b) => Literal::Bool(*b),
            Node::Integer(_) | Node::Float(_) => Literal::Number(number(tree)?),
            Node::List(items) => {
                let read: Vec<_> = items.iter().map(|item| self.literal(item)).collect();
                Literal::List(read.into_iter().collect::<Option<Vec<_>>>()?.into())
            }
            Node::Table(table) => {
                let read: Vec<_> = table.0.iter().map(|e| (Str::from(e.key.clone()), self.literal(&e.value))).collect();
                let read = read.into_iter().map(|(key, value)| Some((key, value?)));
                Literal::Object(read.collect::<Option<Vec<_>>>()?.into())
            }
        })
    }

    /// The value of a part.
    fn shared_value(&mut self, tree: &Tree, name: &str) -> Option<Literal> {
        let Some(n) = self.values.find(name) else {
            let mut message = format!("no part that is used here has a value `{name}`");
            if let Some(meant) = nearest(name, self.values.names()) {
                message += &format!("; did you mean `@{meant}`?");
            }
            self.add("B027", tree.loc, format!("{message}; the text itself is written `@@{name}`"));
            return None;
        };
        if self.open_values.contains(&n) {
            self.add("B027", tree.loc, format!("the value `{name}` is made of itself"));
            return None;
        }
        let was_full = self.values.is_full();
        if self.open_values.is_empty() {
            self.values.take(n);
        }
        if self.values.is_full() {
            // It is told once: nothing that is named after it has room.
            if !was_full {
                let most = format!("{} bytes, or name each other through more than {}", shared::MOST, shared::DEEPEST);
                self.add("B027", tree.loc, format!("with `{name}` the values of parts come to more than {most}"));
            }
            return None;
        }
        self.open_values.push(n);
        let value = self.values.tree(n).clone();
        let literal = self.literal(&value);
        self.open_values.pop();
        literal
    }

    fn plain_text(&mut self, tree: &Tree, text: &str) -> Option<Str> {
        match text.strip_prefix('@') {
            None => Some(text.to_owned().into()),
            Some(rest) if rest.starts_with('@') => Some(rest.to_owned().into()),
            Some(_) => {
                let message = format!("`{text}` means nothing here; the text itself is written `@{text}`");
                self.add("B005", tree.loc, message);
                None
            }
        }
    }

    /// The cell of a table: a constant, or a word that tests.
    pub(super) fn cell(&mut self, tree: &Tree) -> Option<Cell> {
        match tree.as_text() {
            Some("@any") => Some(Cell::Any),
            Some("@some") => Some(Cell::Some),
            Some("@none") => Some(Cell::None),
            _ => match tree.as_table().map(|table| table.0.as_slice()) {
                Some([only]) if only.key == "has" => self.literal(&only.value).map(Cell::Has),
                _ => self.literal(tree).map(Cell::Is),
            },
        }
    }

    /// A value that may be worked out.
    pub(super) fn fill(&mut self, tree: &Tree) -> Option<Fill> {
        let derives = |table: &Table| {
            let known = |key: &str| words::DERIVED.words.iter().any(|word| word.name == key);
            !table.0.is_empty() && table.0.iter().all(|entry| known(&entry.key))
        };
        match tree.as_table().filter(|table| derives(table)) {
            Some(table) => self.derived(tree, table),
            None => self.literal(tree).map(Fill::Is),
        }
    }

    fn derived(&mut self, tree: &Tree, table: &Table) -> Option<Fill> {
        self.check_words(table, &words::DERIVED);
        if let Some(slug) = table.get("slug") {
            let path = self.text(slug, "slug")?.to_owned();
            if let Some(message) = path::canonical_fault(&path) {
                self.add("B007", slug.loc, message);
            }
            return Some(Fill::Slug { path: path.into(), sep: self.text_or(table, "sep", "-") });
        }
        if let Some(concat) = table.get("concat") {
            let items = self.list(concat, "concat").to_vec();
            let pieces: Vec<_> = items.iter().map(|item| self.piece(item)).collect();
            return Some(Fill::Concat(pieces.into_iter().collect::<Option<Vec<_>>>()?.into()));
        }
        if let Some(of) = table.get("of") {
            return self.words_of(table, of);
        }
        if table.get("file").is_some() {
            let choices = [("stem", Fill::FileStem), ("name", Fill::FileName)];
            let choices: Vec<(&str, usize)> = choices.iter().enumerate().map(|(n, (name, _))| (*name, n)).collect();
            let chosen = self.choice(table, "file", &choices)?;
            return Some(if chosen == 0 { Fill::FileStem } else { Fill::FileName });
        }
        if table.get("count").is_some() || table.get("word").is_some() {
            let from = match table.get("count") {
                None => 1,
                Some(Tree { node: Node::Integer(n), .. }) if i64::try_from(*n).is_ok() => i64::try_from(*n).ok()?,
                Some(tree) => {
                    self.wrong(tree, "count", "a whole number");
                    return None;
                }
            };
            return Some(Fill::Count { from, word: self.text_or(table, "word", "") });
        }
        if let Some(wire) = table.get("wire") {
            let text = self.text(wire, "wire")?;
            let (whole, path) = text.strip_prefix('/').map_or((false, text), |rest| (true, rest));
            return match path::steps(path) {
                Ok(at) => {
                    self.refuse_picks(&at, wire.loc);
                    Some(Fill::Wire { whole, at: at.into() })
                }
                Err(message) => {
                    self.add("B007", wire.loc, message);
                    None
                }
            };
        }
        self.add("B006", tree.loc, "nothing here says what the value is made of");
        None
    }

    /// What stands for the text at a path.
    fn words_of(&mut self, table: &Table, of: &Tree) -> Option<Fill> {
        let at = self.text(of, "of")?.to_owned();
        if let Some(message) = path::canonical_fault(&at) {
            self.add("B007", of.loc, message);
        }
        let Some(words) = table.get("words") else {
            self.add("B006", of.loc, "`words` is missing: what stands for which text");
            return None;
        };
        let entries = self.table(words, "words")?.0.clone();
        let word =
            |entry: &Entry| Some((entry.key.clone().into(), self.text(&entry.value, "words")?.to_owned().into()));
        let words = entries.iter().map(word).collect::<Option<Vec<(Str, Str)>>>()?;
        Some(Fill::Words { path: at.into(), words: words.into() })
    }

    fn piece(&mut self, tree: &Tree) -> Option<Piece> {
        let text = self.text(tree, "concat")?;
        Some(match text.strip_prefix('@') {
            Some(rest) if !rest.starts_with('@') => Piece::Path(rest.to_owned().into()),
            Some(rest) => Piece::Is(rest.to_owned().into()),
            None => Piece::Is(Cow::Owned(text.to_owned())),
        })
    }
}

pub(super) fn number(tree: &Tree) -> Option<Number> {
    match tree.node {
        Node::Integer(n) => match i64::try_from(n) {
            Ok(n) => Some(n.into()),
            Err(_) => u64::try_from(n).ok().map(Into::into),
        },
        Node::Float(f) => Number::from_f64(f),
        _ => None,
    }
}

//! Reading words: what stands where it may, and of the type it should have.

use std::borrow::Cow;

use bunzai_runtime::NATIVE;
use bunzai_runtime::map::{Seq, Str, nearest};

use super::{Lower, path};
use crate::tree::{Loc, Node, Table, Tree};
use crate::words::Context;

impl Lower<'_> {
    pub(super) fn add(&mut self, code: &str, loc: Loc, message: impl Into<String>) {
        self.sink.add(code, loc, message.into());
    }

    /// Refuses words that may not stand in a place.
    pub(super) fn check_words(&mut self, table: &Table, context: &Context) {
        crate::parts::check_words(table, context, self.sink);
    }

    pub(super) fn wrong(&mut self, tree: &Tree, word: &str, expected: &str) {
        let message = format!("`{word}` takes {expected}, and this is {}", tree.sort());
        self.add("B003", tree.loc, message);
    }

    pub(super) fn text<'t>(&mut self, tree: &'t Tree, word: &str) -> Option<&'t str> {
        let text = tree.as_text();
        if text.is_none() {
            self.wrong(tree, word, "text");
        }
        text
    }

    pub(super) fn table<'t>(&mut self, tree: &'t Tree, word: &str) -> Option<&'t Table> {
        let table = tree.as_table();
        if table.is_none() {
            self.wrong(tree, word, "a table");
        }
        table
    }

    pub(super) fn list<'t>(&mut self, tree: &'t Tree, word: &str) -> &'t [Tree] {
        match &tree.node {
            Node::List(items) => items,
            _ => {
                self.wrong(tree, word, "a list");
                &[]
            }
        }
    }

    /// Refuses a list that names nothing.
    pub(super) fn refuse_empty(&mut self, table: &Table, word: &str, what: &str) {
        if let Some(tree) = table.get(word).filter(|tree| tree.as_list().is_some_and(<[Tree]>::is_empty)) {
            self.add("B006", tree.loc, format!("`{word}` names no {what}"));
        }
    }

    pub(super) fn flag(&mut self, table: &Table, word: &str) -> bool {
        match table.get(word) {
            None => false,
            Some(Tree { node: Node::Bool(b), .. }) => *b,
            Some(tree) => {
                self.wrong(tree, word, "`true` or `false`");
                false
            }
        }
    }

    pub(super) fn text_or(&mut self, table: &Table, word: &str, default: &'static str) -> Str {
        match table.get(word) {
            None => Cow::Borrowed(default),
            Some(tree) => Cow::Owned(self.text(tree, word).unwrap_or(default).to_owned()),
        }
    }

    pub(super) fn needed_text(&mut self, table: &Table, word: &str) -> Str {
        let text = self.text_or(table, word, "");
        if text.is_empty() && table.get(word).is_none_or(|tree| tree.as_text().is_some()) {
            let loc = table.get(word).map_or(Loc::default(), |tree| tree.loc);
            self.add("B006", loc, format!("`{word}` is missing"));
        }
        text
    }

    /// One of a few words.
    pub(super) fn choice<T: Clone>(&mut self, table: &Table, word: &str, choices: &[(&str, T)]) -> Option<T> {
        let tree = table.get(word)?;
        let names: Vec<_> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let Some(text) = tree.as_text() else {
            self.wrong(tree, word, &names.join(" or "));
            return None;
        };
        let found = choices.iter().find(|(name, _)| *name == text);
        if found.is_none() {
            let mut message = format!("`{word}` takes {}, and not \"{text}\"", names.join(", "));
            if let Some(meant) = nearest(text, choices.iter().map(|(name, _)| *name)) {
                message += &format!("; did you mean \"{meant}\"?");
            }
            self.add("B005", tree.loc, message);
        }
        found.map(|(_, choice)| choice.clone())
    }

    /// The id of the format.
    pub(super) fn format_id(&mut self, file: &Table) -> Str {
        let id = self.needed_text(file, "format");
        let words = id.split('-');
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        let loc = file.get("format").map_or(Loc::default(), |tree| tree.loc);
        if !id.is_empty() && !words.into_iter().all(is_word) {
            let message = format!("`{id}` is no id of a format: lower-case words with hyphens between, `acme-persona`");
            self.add("B005", loc, message);
        } else if id == NATIVE {
            self.add("B005", loc, format!("`{NATIVE}` is the canonical format"));
        }
        id
    }

    pub(super) fn writes(&mut self, file: &Table) -> Seq<Str> {
        let Some(tree) = file.get("writes") else { return Cow::Owned(vec!["json".into()]) };
        let items = self.list(tree, "writes");
        let texts: Vec<Str> =
            items.iter().filter_map(|t| self.text(t, "writes")).map(|t| t.to_owned().into()).collect();
        self.refuse_empty(file, "writes", "file extension");
        for (text, item) in texts.iter().zip(items) {
            let is_name =
                text.split('.').all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric()));
            if !is_name {
                self.add("B005", item.loc, format!("\"{text}\" is no file extension; write it like \"json\""));
            }
        }
        texts.into()
    }

    pub(super) fn lost(&mut self, file: &Table) -> Vec<(String, Loc)> {
        let Some(tree) = file.get("lost") else { return Vec::new() };
        let items = self.list(tree, "lost");
        let texts = items.iter().filter_map(|item| Some((self.text(item, "lost")?, item.loc)));
        let texts: Vec<(String, Loc)> = texts.map(|(text, loc)| (text.to_owned(), loc)).collect();
        for (path, loc) in &texts {
            if let Some(message) = path::canonical_fault(path.strip_suffix(".*").unwrap_or(path)) {
                self.add("B007", *loc, message);
            } else if path.replace("[]", "").contains('[') {
                self.add("B007", *loc, "a single item is not lost by itself; `[]` is every item that is not mapped");
            }
        }
        texts
    }
}

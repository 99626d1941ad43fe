//! Forms: the text that a slot's value stands in, and how the value is spelled.

use bunzai_runtime::map::{RegexText, Run, Seq, Spelled, Spelling, Str, Text, Wrap};

use super::Lower;
use crate::tree::{Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// The forms that a slot may have, the one of a new slot first.
    pub(super) fn texts(&mut self, table: &Table) -> Seq<Text> {
        let mut texts = match table.get("text") {
            None => Vec::new(),
            Some(tree) => match tree.as_table() {
                Some(inner) => self.regex(tree, inner).map(Text::Regex).into_iter().collect(),
                None => self.alternatives(tree, "text", &Text::WORDS),
            },
        };
        let split = table.get("as").and_then(separator);
        if let (Some(""), Some(tree)) = (split, table.get("as")) {
            self.add("B005", tree.loc, "`split:` is followed by what stands between the items, such as `split:,`");
        }
        let others = [
            split.filter(|sep| !sep.is_empty()).map(|sep| Text::Split(Str::from(sep.to_owned()))),
            self.flag(table, "lone").then_some(Text::Lone),
        ];
        for text in others.into_iter().flatten() {
            if texts.is_empty() {
                texts.push(Text::Plain);
            }
            texts.push(text);
        }
        if let Some(wrap) = table.get("wrap").and_then(|tree| self.wrap(tree)) {
            texts.push(Text::Wrap(wrap));
        }
        texts.into()
    }

    fn regex(&mut self, tree: &Tree, table: &Table) -> Option<RegexText> {
        self.check_words(table, &words::REGEX);
        let flags = self.needed(table, "regex", tree)?;
        let flags = self.text(flags, "regex")?.to_owned();
        let slashes: Vec<_> = words::SLASHES.iter().map(|word| (*word, *word == "escaped")).collect();
        let escaped = self.choice(table, "slash", &slashes).unwrap_or(false);
        Some(RegexText { flags: flags.into(), escaped, tail: self.flag(table, "tail") })
    }

    /// `["<", ">"]`, or `{ of = "-=", least = 2, new = ["== ", " =="] }`
    fn wrap(&mut self, tree: &Tree) -> Option<Wrap> {
        let Node::Table(table) = &tree.node else {
            let [before, after] = self.pair(tree, "wrap")?;
            return Some(Wrap::Pair(before, after));
        };
        self.check_words(table, &words::WRAP);
        let of = self.needed(table, "of", tree)?;
        let of = self.text(of, "of")?.to_owned();
        let new = self.needed(table, "new", tree)?;
        let [before, after] = self.pair(new, "new")?;
        let least = match table.get("least").map(|tree| (tree, &tree.node)) {
            None => 1,
            Some((_, Node::Integer(n))) if (1..100).contains(n) => usize::try_from(*n).unwrap_or(1),
            Some((tree, _)) => {
                self.wrong(tree, "least", "a whole number from 1 on");
                return None;
            }
        };
        Some(Wrap::Run(Run { of: of.into(), least, before, after }))
    }

    fn needed<'t>(&mut self, table: &'t Table, word: &str, tree: &Tree) -> Option<&'t Tree> {
        let found = table.get(word);
        if found.is_none() {
            self.add("B006", tree.loc, format!("`{word}` is missing"));
        }
        found
    }

    fn pair(&mut self, tree: &Tree, word: &str) -> Option<[Str; 2]> {
        let texts = match &tree.node {
            Node::List(items) => items.iter().map(|item| item.as_text().map(str::to_owned)).collect(),
            _ => None::<Vec<_>>,
        };
        match texts.as_deref() {
            Some([before, after]) => Some([before.clone().into(), after.clone().into()]),
            _ => {
                self.wrong(tree, word, "two texts, what stands before and what stands behind");
                None
            }
        }
    }

    /// How a value is spelled, by the words of a row or else those of its map.
    /// `more` is what `as` takes there besides spellings.
    pub(super) fn spelled(&mut self, table: &Table, more: &str) -> Spelled {
        let links = match table.get("as") {
            None => return Spelled { links: self.usual_links(table), table: self.table_of(table) },
            Some(tree) if separator(tree).is_some() => Vec::new(),
            Some(tree @ Tree { node: Node::Text(_), .. }) => vec![tree.clone()],
            Some(tree) => self.list(tree, "as").to_vec(),
        };
        let mut read = |link| Seq::from(self.alternatives_beside(link, "as", &Spelling::WORDS, more));
        let links = links.iter().map(&mut read).collect();
        Spelled { links, table: self.table_of(table) }
    }

    /// The spelling that the map gives to its rows, where a row can have one.
    fn usual_links(&self, table: &Table) -> Seq<Seq<Spelling>> {
        let can = table.get("to").is_some()
            && ["each", "map", "has", "flags", "gather", "text", "lone", "wrap", "via"]
                .iter()
                .all(|word| table.get(word).is_none());
        if can { self.usual.clone() } else { Seq::default() }
    }
}

/// What the `as` of a row takes besides spellings, for messages.
pub(super) const SPLITS: &str = ", `split:SEP`";

/// What stands between the items of split text, if a spelling says that it is one.
pub(super) fn separator(spelling: &Tree) -> Option<&str> {
    spelling.as_text()?.strip_prefix(words::SPLIT)
}

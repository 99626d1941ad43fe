//! Joins: slots and paths tied together.

use bunzai_runtime::map::Case;
use bunzai_runtime::map::{Join, Rest, Seq, Step, Tie, Via};

use super::table::Of;
use super::{Lower, PartClaims};
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// The joins of a map, each with its place.
    pub(super) fn joins(&mut self, map: &Table, claims: &mut PartClaims) -> Vec<(Join, Loc)> {
        let Some(tree) = map.get("joins") else { return Vec::new() };
        let mut joins = Vec::new();
        for item in self.list(tree, "joins").to_vec() {
            let Some(table) = self.table(&item, "joins") else { continue };
            self.check_words(table, &words::JOIN);
            if let Some(join) = self.join(table, item.loc) {
                let loc = table.get("to").map_or(item.loc, |tree| tree.loc);
                self.claim_join(&join, loc, claims);
                joins.push((join, loc));
            }
        }
        joins
    }

    fn join(&mut self, table: &Table, loc: Loc) -> Option<Join> {
        let (see, wire) = (self.slots(table, "see")?, self.slots(table, "wire")?);
        let to = self.paths(table, "to");
        for (word, is_empty) in [("wire", wire.is_empty() && see.is_empty()), ("to", to.is_empty())] {
            if is_empty && table.get(word).is_none() {
                self.add("B006", loc, format!("`{word}` is missing: a join ties slots to paths"));
            }
        }
        for (word, what) in [("see", "slot"), ("wire", "slot"), ("to", "path")] {
            self.refuse_empty(table, word, what);
        }
        let columns = see.len() + wire.len();
        if columns == 0 || to.is_empty() {
            return None;
        }
        let ties = ["table", "rows", "via"].into_iter().filter(|word| table.get(word).is_some()).collect::<Vec<_>>();
        let tie = match ties.as_slice() {
            ["via"] => self.via(table.get("via")?).map(Tie::Via),
            ["table"] if ["write", "else"].iter().any(|word| table.get(word).is_some()) => {
                for entry in ["write", "else"].iter().filter_map(|word| table.entry(word)) {
                    let message = format!("`{}` cannot stand beside `table`: the table says it", entry.key);
                    self.add("B008", entry.key_loc, message);
                }
                None
            }
            ["table"] => {
                self.table_named(table.get("table")?, (columns, to.len()), Of::Join(see.len())).map(Tie::Table)
            }
            ["rows"] => Some(Tie::Table(self.relation("", table, (columns, to.len()), Of::Join(see.len())))),
            [] => {
                self.add("B006", loc, "a join needs `table`, `rows` or `via`: they say what ties its slots and paths");
                None
            }
            [_, other, ..] => {
                let loc = table.entry(other).map_or(loc, |entry| entry.key_loc);
                self.add("B008", loc, "a join has one of `table`, `rows` and `via`");
                None
            }
            [_] => None,
        };
        Some(Join { see: see.into(), wire: wire.into(), to, tie: tie? })
    }

    /// The slots that a word names; nothing when one of them is no path.
    fn slots(&mut self, table: &Table, word: &str) -> Option<Vec<Seq<Step>>> {
        let slots = match table.get(word).map(|tree| (tree, &tree.node)) {
            Some((tree, Node::Text(_))) => vec![tree.clone()],
            Some((tree, _)) => self.list(tree, word).to_vec(),
            None => Vec::new(),
        };
        let read: Vec<_> = slots.iter().map(|slot| self.steps(slot, word)).collect();
        read.into_iter().collect()
    }

    /// A row with `via` is a join of one slot.
    pub(super) fn join_of_row(&mut self, key: &str, table: &Table) -> Option<(Join, Loc)> {
        let tree = table.get("via")?;
        let via = self.via(tree)?;
        let steps = super::path::steps(key).ok()?;
        let to = self.paths(table, "to");
        let wire = Seq::from(vec![steps.into()]);
        Some((Join { see: Seq::default(), wire, to, tie: Tie::Via(via) }, tree.loc))
    }

    fn via(&mut self, tree: &Tree) -> Option<Via> {
        self.hatches.push(tree.loc);
        let name = self.text(tree, "via")?;
        let is_path = name.split("::").all(|step| {
            let mut chars = step.chars();
            chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && chars.all(|c| c.is_alphanumeric() || c == '_')
        });
        if !is_path {
            self.add("B007", tree.loc, format!("`{name}` is no path of Rust"));
            return None;
        }
        Some(Via { name: name.to_owned().into(), hatch: None })
    }

    /// Where the keys without a row go.
    pub(super) fn rest(&mut self, map: &Table, claims: &mut PartClaims) -> Option<Rest> {
        let case = self.choice(map, "case", &Case::WORDS);
        let Some(tree) = map.get("rest") else {
            if let Some(entry) = map.entry("case") {
                self.add("B008", entry.key_loc, "`case` needs `rest`: it is about the keys that go there");
            }
            return None;
        };
        let to = self.canonical(tree, "rest")?;
        let rest = Rest { to, case };
        self.claim_rest(&rest, tree.loc, claims);
        Some(rest)
    }
}

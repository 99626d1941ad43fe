//! Joins: slots and paths tied together.

use bunzai_runtime::map::Case;
use bunzai_runtime::map::{Join, Rest, Seq, Tie, Via};

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
        let slots = match table.get("wire").map(|tree| (tree, &tree.node)) {
            Some((tree, Node::Text(_))) => vec![tree.clone()],
            Some((tree, _)) => self.list(tree, "wire").to_vec(),
            None => Vec::new(),
        };
        let wire: Vec<_> = slots.iter().filter_map(|slot| self.steps(slot, "wire")).collect();
        let to = self.paths(table, "to");
        for (word, is_empty) in [("wire", wire.is_empty()), ("to", to.is_empty())] {
            if is_empty && table.get(word).is_none() {
                self.add("B006", loc, format!("`{word}` is missing: a join ties slots to paths"));
            }
        }
        if wire.len() != slots.len() || wire.is_empty() || to.is_empty() {
            return None;
        }
        let ties = ["table", "rows", "via"].into_iter().filter(|word| table.get(word).is_some()).collect::<Vec<_>>();
        let tie = match ties.as_slice() {
            ["via"] => self.via(table.get("via")?).map(Tie::Via),
            ["table"] => self.table_named(table.get("table")?, wire.len(), to.len()).map(Tie::Table),
            ["rows"] => Some(Tie::Table(self.relation("", table, wire.len(), to.len()))),
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
        Some(Join { wire: wire.into(), to, tie: tie? })
    }

    /// A row with `via` is a join of one slot.
    pub(super) fn join_of_row(&mut self, key: &str, table: &Table) -> Option<(Join, Loc)> {
        let tree = table.get("via")?;
        let via = self.via(tree)?;
        let steps = super::path::steps(key).ok()?;
        let to = self.paths(table, "to");
        Some((Join { wire: Seq::from(vec![steps.into()]), to, tie: Tie::Via(via) }, tree.loc))
    }

    fn via(&mut self, tree: &Tree) -> Option<Via> {
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

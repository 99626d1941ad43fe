//! Slots that hold pieces of another format.

use bunzai_runtime::map::{Fill, Linked, Literal, Part, Seq, Step, Wire};

use super::claims::fill_paths;
use super::{Lower, Owner, PartClaims, Wanted, path};
use crate::tree::{Loc, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// The pieces of other formats that a document holds. Their slots are no rows of the map: what
    /// reads and writes them is the other format.
    pub(super) fn linked(&mut self, file: &Table, root: &Part, claims: &mut PartClaims) -> Vec<Linked> {
        let Some(tree) = file.get("linked") else { return Vec::new() };
        let mut linked: Vec<Linked> = Vec::new();
        for item in self.list(tree, "linked").to_vec() {
            let Some(table) = self.table(&item, "linked") else { continue };
            self.check_words(table, &words::LINKED);
            for word in ["format", "to", "at", "name"].into_iter().filter(|word| table.get(word).is_none()) {
                self.add("B006", item.loc, format!("`{word}` is missing"));
            }
            let format = self.text_or(table, "format", "");
            let to = self.text_or(table, "to", "");
            if let Some(tree) = table.get("to").filter(|_| !to.is_empty()) {
                match path::canonical_fault(&to) {
                    Some(message) => self.add("B007", tree.loc, message),
                    None => {
                        let is_list = (Wanted::List, tree.loc);
                        let of_texts = (Wanted::Cell(Literal::Text("an-id".into())), tree.loc);
                        claims.row(&to, tree.loc, &[is_list, of_texts]);
                        // What is named there is of one declaration, or a piece could belong to several.
                        if linked.iter().any(|other| other.to == to) {
                            self.add("B014", tree.loc, format!("`{to}` is set by another `[[linked]]`"));
                        } else {
                            claims.set(&to, false, Owner::Row, None, tree.loc);
                        }
                    }
                }
            }
            let mut at: Vec<Seq<Step>> = Vec::new();
            let slots = table.get("at").map(|tree| self.list(tree, "at").to_vec()).unwrap_or_default();
            self.refuse_empty(table, "at", "slot");
            for tree in slots {
                let Some(slot) = self.linked_slot(&tree, root) else { continue };
                if at.contains(&slot) || linked.iter().any(|other| other.at.contains(&slot)) {
                    self.add("B013", tree.loc, format!("the slot `{}` is named twice", path::shown(&slot)));
                    continue;
                }
                at.push(slot);
            }
            let Some(name) = table.get("name").and_then(|tree| self.linked_name(tree, claims)) else { continue };
            linked.push(Linked { format, to, at: at.into(), name });
        }
        linked
    }

    /// A slot: a path of keys that no row of the map reads.
    fn linked_slot(&mut self, tree: &Tree, root: &Part) -> Option<Seq<Step>> {
        let steps = self.steps(tree, "at")?;
        if steps.is_empty() {
            self.add("B007", tree.loc, "the document itself is no slot of it");
            return None;
        }
        let reads = |wire: &Wire| match wire {
            Wire::At(other) => steps[..].starts_with(other) || other.starts_with(&steps),
            Wire::FileStem | Wire::FileName | Wire::Index => false,
        };
        // A row without `to` keeps what is around the slot in the original.
        let reader = root.rows.iter().find(|row| !row.to.is_empty() && reads(&row.wire));
        if let Some(Wire::At(other)) = reader.map(|row| &row.wire) {
            let (slot, other) = (path::shown(&steps), path::shown(other));
            self.add("B013", tree.loc, format!("`{slot}` and `{other}` overlap; one value has one row"));
            return None;
        }
        Some(steps)
    }

    /// What a piece is called: text that is made of what the document says.
    fn linked_name(&mut self, tree: &Tree, claims: &mut PartClaims) -> Option<Fill> {
        let name = self.fill(tree)?;
        match &name {
            Fill::Concat(_) | Fill::Is(Literal::Text(_)) => {}
            _ => {
                self.wrong(tree, "name", "text, or a `concat`");
                return None;
            }
        }
        for path in fill_paths(&name) {
            claims.row(path, tree.loc, &[(Wanted::Text, tree.loc)]);
        }
        Some(name)
    }
}

/// The formats that are named, each with its place.
pub(super) fn formats(file: &Table) -> Vec<(String, Loc)> {
    let linked = file.get("linked").and_then(Tree::as_list).unwrap_or_default();
    let named = linked.iter().filter_map(|link| link.as_table()?.get("format"));
    named.filter_map(|tree| Some((tree.as_text()?.to_owned(), tree.loc))).collect()
}

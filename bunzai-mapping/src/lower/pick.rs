//! Picks: one row out of many.

use bunzai_runtime::map::{Choice, Inner, Literal, Part, Pick, Seq, Step, Str, Wire, nearest};

use super::{Lower, Name, PartClaims, path};
use crate::tree::{Entry, Loc, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// The picks of a file.
    pub(super) fn picks(&mut self, file: &Table) -> Vec<Pick> {
        let Some(table) = file.get("pick").and_then(|tree| self.table(tree, "pick")).cloned() else {
            return Vec::new();
        };
        table.0.iter().filter_map(|entry| self.pick(entry)).collect()
    }

    fn pick(&mut self, entry: &Entry) -> Option<Pick> {
        let table = self.table(&entry.value, &entry.key)?;
        self.check_words(table, &words::PICK);
        if !matches!(path::steps(&format!("x[{}]", entry.key)).as_deref(), Ok([_, Step::Pick(_)])) {
            self.add(
                "B005",
                entry.key_loc,
                format!("`{}` is no name of a pick: a letter, then letters and digits", entry.key),
            );
        }
        for word in ["at", "by", "is"].iter().filter(|word| table.get(word).is_none()) {
            self.add("B006", entry.key_loc, format!("`{word}` is missing: a pick is a row of some, told by a key"));
        }
        let at = self.place_of_rows(table.get("at")?, "at")?;
        let by = self.text(table.get("by")?, "by").map(str::to_owned)?;
        if by.starts_with('@') && by != "@key" {
            self.add("B005", table.get("by")?.loc, format!("`{by}` is no key; there is `@key`, the key of a member"));
        }
        let by = (by != "@key").then(|| Str::from(by));
        let tree = table.get("is")?;
        let items = self.list(tree, "is").to_vec();
        let is: Vec<Choice> = items.iter().filter_map(|item| self.pick_choice(item, by.is_some())).collect();
        if items.is_empty() && tree.as_table().is_none() {
            self.add("B006", tree.loc, "`is` names no row");
        }
        let new = table.get("new").and_then(|tree| self.fill(tree));
        let is_made = matches!(is.first(), Some(Choice::Wire(_) | Choice::First));
        match table.entry("new") {
            Some(entry) if !is_made && !is.is_empty() => {
                self.add(
                    "B008",
                    entry.key_loc,
                    "`new` says what tells a new row, and the first of `is` says it already",
                );
            }
            None if is_made => {
                self.add("B006", entry.key_loc, "`new` is missing: nothing else says what tells a new row");
            }
            _ => {}
        }
        Some(Pick { name: entry.key.clone().into(), at, by, is: is.into(), new })
    }

    /// A place without a pick.
    fn place_of_rows(&mut self, tree: &Tree, word: &str) -> Option<Seq<Step>> {
        let steps = self.steps(tree, word)?;
        self.refuse_picks(&steps, tree.loc);
        Some(steps)
    }

    fn pick_choice(&mut self, tree: &Tree, in_list: bool) -> Option<Choice> {
        if let Some(wire) = tree.as_table().and_then(|table| table.get("wire")) {
            return self.place_of_rows(wire, "wire").map(Choice::Wire);
        }
        match tree.as_text() {
            Some("@first") => return Some(Choice::First),
            Some("@none") if in_list => return Some(Choice::Lacks),
            Some("@none") => {
                self.add("B005", tree.loc, "a member always has a key");
                return None;
            }
            _ => {}
        }
        match self.literal(tree)? {
            literal @ (Literal::Text(_) | Literal::Number(_) | Literal::Bool(_)) => Some(Choice::Is(literal)),
            _ => {
                self.wrong(tree, "is", "texts, numbers, `{ wire = PATH }`, `@first` and `@none`");
                None
            }
        }
    }

    /// The picks in a path are some of the file; nothing, and told, if one is not.
    pub(super) fn know_picks(&mut self, steps: &[Step], loc: Loc) -> Option<()> {
        for step in steps {
            let Step::Pick(name) = step else { continue };
            self.picking.push(loc);
            if let Some(known) = self.pick_names.iter_mut().find(|known| known.text == *name) {
                known.used = true;
                continue;
            }
            let mut message = format!("there is no pick `{name}`");
            if let Some(meant) = nearest(name, self.pick_names.iter().map(|known| known.text.as_str())) {
                message += &format!("; did you mean `{meant}`?");
            }
            self.add("B028", loc, message);
            return None;
        }
        Some(())
    }

    pub(super) fn refuse_picks(&mut self, steps: &[Step], loc: Loc) {
        if steps.iter().any(|step| matches!(step, Step::Pick(_))) {
            self.add("B007", loc, "a pick is known to the rows of the fields, and not here");
        }
    }

    /// A pick leads from the start of the fields on: what is opened further in has none. What says
    /// which row it is belongs to no row of the model.
    pub(super) fn check_picks(&mut self, picks: &[Pick], claims: &[&PartClaims], roots: &[(&Part, &Table)]) {
        for opened in claims.iter().flat_map(|claims| &claims.opens) {
            // The claims of the root map stand before those of the named ones.
            for loc in claims.get(opened.part + 1).iter().flat_map(|claims| claims.picking.clone()) {
                self.add(
                    "B028",
                    loc,
                    "a pick leads from the start of the fields, and this map is opened inside of them",
                );
            }
        }
        for (part, table) in roots {
            let fields = table.get("fields").and_then(Tree::as_table);
            for row in part.rows.iter().filter(|row| !row.to.is_empty() || !matches!(row.inner, Inner::Value)) {
                let Wire::At(at) = &row.wire else { continue };
                if let Some(pick) = picks.iter().find(|pick| tells(pick, at)) {
                    let key = path::shown(at);
                    let loc =
                        fields.and_then(|fields| fields.entry(&key)).map_or(Loc::default(), |entry| entry.key_loc);
                    self.add("B013", loc, format!("`{key}` says which row `{}` is, and no row maps it", pick.name));
                }
            }
        }
    }
}

/// Whether a slot says which row a pick is.
fn tells(pick: &Pick, at: &[Step]) -> bool {
    let by_wire = pick.is.iter().any(|choice| matches!(choice, Choice::Wire(wire) if wire[..] == *at));
    let by_key = match at {
        [.., Step::Pick(name), Step::Key(key)] => *name == pick.name && pick.by.as_ref() == Some(key),
        _ => false,
    };
    by_wire || by_key
}

/// The names of the picks of a file.
pub(super) fn names(file: &Table) -> Vec<Name> {
    let entries = file.get("pick").and_then(Tree::as_table).map(|table| table.0.as_slice()).unwrap_or_default();
    entries.iter().map(|entry| Name { text: entry.key.clone(), loc: entry.key_loc, used: false }).collect()
}

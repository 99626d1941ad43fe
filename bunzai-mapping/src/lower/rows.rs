//! Lists of rows, and the maps that read them.

use bunzai_runtime::map::{Each, Fill, Ids, Inner, Keyed, Map, Order, Part, Row, Step, Str, Text, Wire, nearest};

use super::Lower;
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// `each`, and the words that belong to it.
    pub(super) fn each(&mut self, table: &Table) -> Option<Each> {
        let part = self.map_named(table.get("each")?, "each")?;
        let by = table.get("by").and_then(|tree| self.text(tree, "by")).map(|by| Str::from(by.to_owned()));
        let ids = self.choice(table, "ids", &Ids::WORDS);
        let keyed = self.choice(table, "keyed", &Keyed::WORDS);
        let order = table.get("order").and_then(|tree| self.order(tree, by.as_ref()));
        Some(Each { part, by, ids: ids.unwrap_or(Ids::Verbatim), keyed, order })
    }

    fn order(&mut self, tree: &Tree, by: Option<&Str>) -> Option<Order> {
        let table = self.table(tree, "order")?;
        self.check_words(table, &words::ORDER);
        let Some(at) = table.get("at") else {
            self.add("B006", tree.loc, "`at` is missing: it is where the list stands");
            return None;
        };
        let at = self.steps(at, "at")?;
        let text = table.get("text").map(|tree| self.alternatives(tree, "text", &Text::WORDS)).unwrap_or_default();
        let of = table.get("of").and_then(|tree| self.text(tree, "of")).map(|of| Str::from(of.to_owned()));
        Some(Order { at, text: text.into(), of: of.or_else(|| by.cloned())? })
    }

    /// The index of a named map.
    pub(super) fn map_named(&mut self, tree: &Tree, word: &str) -> Option<usize> {
        let name = self.text(tree, word)?;
        match self.map_names.iter_mut().enumerate().find(|(_, known)| known.text == name) {
            Some((part, known)) => {
                known.used = true;
                Some(part)
            }
            None => {
                let mut message = format!("there is no map `{name}`");
                if let Some(meant) = nearest(name, self.map_names.iter().map(|known| known.text.as_str())) {
                    message += &format!("; did you mean `{meant}`?");
                }
                self.add("B010", tree.loc, message);
                None
            }
        }
    }

    /// The lists that keep the order of the rows of a map, each with its place.
    pub(super) fn orders(&self, map: &Table, part: &Part) -> Vec<(Order, Loc)> {
        let fields = map.get("fields").and_then(Tree::as_table);
        let found = part.rows.iter().filter_map(|row| match (&row.inner, &row.wire) {
            (Inner::Each(Each { order: Some(order), .. }), Wire::At(at)) => Some((order, super::path::shown(at))),
            _ => None,
        });
        let loc = |key: &str| Some(fields?.get(key)?.as_table()?.get("order")?.loc);
        found.map(|(order, key)| (order.clone(), loc(&key).unwrap_or_default())).collect()
    }

    /// A map with what it has of the maps it is like.
    pub(super) fn with_likes(&mut self, map: &Table, maps: &Table) -> Table {
        let mut whole = map.clone();
        let mut seen = Vec::new();
        while let Some(tree) = whole.get("like").cloned() {
            whole.0.retain(|entry| entry.key != "like");
            let Some(part) = self.map_named(&tree, "like") else { break };
            if seen.contains(&part) {
                self.add("B009", tree.loc, "the maps are like each other in a circle");
                break;
            }
            seen.push(part);
            let other = maps.0.get(part).and_then(|entry| entry.value.as_table());
            for entry in other.map(|table| table.0.as_slice()).unwrap_or_default() {
                let Some(own) = whole.0.iter_mut().find(|own| own.key == entry.key) else {
                    whole.0.push(entry.clone());
                    continue;
                };
                // Of rows and constants each is a word of its own.
                let is_named = ["fields", "sealed", "fresh", "stamp"].contains(&entry.key.as_str());
                if let (true, Node::Table(own), Node::Table(other)) = (is_named, &mut own.value.node, &entry.value.node)
                {
                    let missing: Vec<_> =
                        other.0.iter().filter(|other| own.get(&other.key).is_none()).cloned().collect();
                    own.0.splice(0..0, missing);
                }
            }
        }
        whole
    }

    /// The keys that tell rows apart have rows in their map. The answer is these keys, by the maps.
    pub(super) fn check_identities(&mut self, map: &Map, file: &Table) -> Vec<(String, String)> {
        let mut identities = Vec::new();
        let empty = Table::default();
        let maps = file.get("maps").and_then(Tree::as_table).unwrap_or(&empty);
        let tables = [file].into_iter().chain(maps.0.iter().filter_map(|entry| entry.value.as_table()));
        let rows = tables.filter_map(|table| table.get("fields")?.as_table()).flat_map(|fields| fields.0.iter());
        for row in rows.filter_map(|entry| entry.value.as_table()) {
            let Some(each) = row.get("each").and_then(Tree::as_text) else { continue };
            let Some((_, part)) = map.parts.iter().find(|(name, _)| name == each) else { continue };
            let stands_at = |row: &Row, key: &str| match &row.wire {
                Wire::At(steps) => matches!(&steps[..], [Step::Key(only)] if only == key),
                Wire::FileStem | Wire::FileName | Wire::Index => false,
            };
            let of = row.get("order").and_then(Tree::as_table).and_then(|order| order.get("of"));
            let by = row.get("by").and_then(Tree::as_text);
            identities.extend(by.map(|by| (each.to_owned(), by.to_owned())));
            for (tree, is_mapped) in [(row.get("by"), true), (of, false)] {
                let Some((tree, key)) = tree.and_then(|tree| Some((tree, tree.as_text()?))) else { continue };
                let found = part.rows.iter().find(|row| stands_at(row, key));
                let is_derived = |row: &&Row| matches!(row.or, Some(Fill::Slug { .. } | Fill::Concat(_)));
                if is_mapped && found.is_some_and(|row| !row.also.is_empty()) {
                    self.add(
                        "B008",
                        tree.loc,
                        format!("`{key}` tells rows apart; it stands in one place and has no `also`"),
                    );
                }
                if is_mapped && found.filter(is_derived).is_some() {
                    let message = format!("`{key}` tells rows apart; it cannot be made of what they say");
                    self.add("B008", tree.loc, message);
                }
                if found.is_none_or(|row| is_mapped && row.to.is_empty()) {
                    let verb = if is_mapped { "maps" } else { "has" };
                    self.add("B019", tree.loc, format!("the map `{each}` {verb} no slot `{key}`"));
                }
            }
        }
        identities
    }

    /// A derived value is made of what a document says: of no other derived value, and of no
    /// identity, which is settled when all rows are read.
    pub(super) fn check_derived(&mut self, part: &Part, fields: &Table, identity: Option<&str>) {
        let derived = |row: &&Row| matches!(row.or, Some(Fill::Slug { .. } | Fill::Concat(_)));
        let unsure: Vec<&Row> = part.rows.iter().filter(derived).collect();
        for row in &unsure {
            let Wire::At(steps) = &row.wire else { continue };
            let key = super::path::shown(steps);
            let loc = fields.get(&key).and_then(Tree::as_table).and_then(|words| words.get("or")).map(|tree| tree.loc);
            for path in row.or.iter().flat_map(super::claims::fill_paths) {
                let is_derived = unsure.iter().any(|other| other.to.contains(path));
                let settled_late = part.rows.iter().any(|other| {
                    let is_identity =
                        matches!(&other.wire, Wire::At(steps) if identity == Some(&super::path::shown(steps)));
                    is_identity && !other.need && other.to.contains(path)
                });
                let is_here = part.rows.iter().any(|other| other.to.contains(path))
                    || part.stamp.iter().any(|(stamped, _)| stamped == path)
                    || part.joins.iter().any(|join| join.to.contains(path));
                if !is_here {
                    let message = format!("no row of this map sets `{path}`, so it may not be known yet");
                    self.add("B008", loc.unwrap_or_default(), message);
                } else if is_derived {
                    let message =
                        format!("`{path}` may be derived itself, and cannot be what another value is made of");
                    self.add("B008", loc.unwrap_or_default(), message);
                } else if settled_late {
                    let message = format!("`{path}` tells rows apart and may be missing; give its row `need`");
                    self.add("B008", loc.unwrap_or_default(), message);
                }
            }
        }
    }
}

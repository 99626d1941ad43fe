//! Lists of rows, and the maps that read them.

use bunzai_runtime::map::{Each, Heads, Ids, Inner, Keyed, Map, Order, Part, Row, Step, Str, Text, Wire, nearest};

use super::{Lower, PartClaims};
use crate::tree::{Loc, Node, Table, Tree};
use crate::words;

impl Lower<'_> {
    /// `each`, and the words that belong to it.
    pub(super) fn each(&mut self, table: &Table, claims: &mut PartClaims) -> Option<Each> {
        let tree = table.get("each")?;
        let parts: Vec<usize> = match &tree.node {
            Node::List(names) => names.iter().filter_map(|name| self.map_named(name, "each")).collect(),
            _ => self.map_named(tree, "each").into_iter().collect(),
        };
        let (part, others) = parts.split_first()?;
        let by = table.get("by").and_then(|tree| self.text(tree, "by")).map(|by| Str::from(by.to_owned()));
        let ids = self.choice(table, "ids", &Ids::WORDS);
        let keyed = self.choice(table, "keyed", &Keyed::WORDS);
        let order = table.get("order").and_then(|tree| self.order(tree, by.as_ref()));
        let mut heads = Vec::new();
        if let Some(tree) = table.get("heads") {
            let items = self.list(tree, "heads").to_vec();
            heads.extend(items.iter().filter_map(|item| self.heads(item, claims)));
        }
        let (part, others) = (*part, others.to_vec().into());
        Some(Each { part, others, by, ids: ids.unwrap_or(Ids::Verbatim), keyed, order, heads: heads.into() })
    }

    /// Rows that open groups, of one dialect.
    fn heads(&mut self, tree: &Tree, claims: &mut PartClaims) -> Option<Heads> {
        let table = self.table(tree, "heads")?;
        self.check_words(table, &words::HEADS);
        let needed =
            [("to", "the list of the groups"), ("maps", "what reads them"), ("fill", "what names a row's group")];
        for (word, what) in needed.iter().filter(|(word, _)| table.get(word).is_none()) {
            self.add("B006", tree.loc, format!("`{word}` is missing: it is {what}"));
        }
        let to = self.canonical(table.get("to")?, "to")?;
        let maps = table.get("maps")?;
        let levels: Vec<usize> =
            self.list(maps, "maps").to_vec().iter().filter_map(|name| self.map_named(name, "maps")).collect();
        if levels.is_empty() {
            self.add("B006", maps.loc, "one map at least tells which rows open a group");
            return None;
        }
        let item = table.get("item").and_then(|tree| self.map_named(tree, "item"));
        let fill = self.canonical(table.get("fill")?, "fill")?;
        let up = table.get("up").and_then(|tree| self.canonical(tree, "up"));
        if levels.len() > 1 && up.is_none() {
            self.add("B006", tree.loc, "`up` is missing: several levels need a field for the group around one");
        }
        let write =
            table.get("write").and_then(|tree| self.model_conditions(tree, "write", claims)).unwrap_or_default();
        Some(Heads { to, levels: levels.into(), item, fill, up, write })
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
        let mut key =
            |word: &str| table.get(word).and_then(|tree| self.text(tree, word)).map(|of| Str::from(of.to_owned()));
        let (of, own) = (key("of"), key("by"));
        let part = table.get("map").and_then(|tree| self.map_named(tree, "map"));
        let unlisted = table.get("unlisted").and_then(|tree| self.literal(tree));
        for word in ["map", "unlisted"].into_iter().filter(|word| table.get(word).is_some()) {
            let loc = table.entry(word).map_or(tree.loc, |entry| entry.key_loc);
            if own.is_none() {
                self.add("B008", loc, format!("`{word}` needs `by`: it is about items that are objects"));
            } else if word == "unlisted" && part.is_none() {
                self.add("B008", loc, "`unlisted` needs `map`, which reads it");
            } else if !text.is_empty() {
                self.add("B008", loc, format!("`{word}` cannot stand beside `text`"));
            }
        }
        Some(Order { at, text: text.into(), of: of.or_else(|| by.cloned())?, by: own, part, unlisted })
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
                    // The other map says in which order they stand; what it has not comes last.
                    let rows = other.0.iter().map(|entry| own.entry(&entry.key).unwrap_or(entry).clone());
                    let more = own.0.iter().filter(|entry| other.get(&entry.key).is_none()).cloned();
                    own.0 = rows.chain(more).collect();
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
            for each in &maps_of(row) {
                let Some((_, part)) = map.parts.iter().find(|(name, _)| name == each) else { continue };
                let stands_at = |row: &Row, key: &str| match &row.wire {
                    Wire::At(steps) => matches!(&steps[..], [Step::Key(only)] if only == key),
                    Wire::FileStem | Wire::FileName | Wire::Index => false,
                };
                let of = row.get("order").and_then(Tree::as_table).and_then(|order| order.get("of"));
                let by = row.get("by").and_then(Tree::as_text);
                identities.extend(by.map(|by| (each.clone(), by.to_owned())));
                for (tree, is_mapped) in [(row.get("by"), true), (of, false)] {
                    let Some((tree, key)) = tree.and_then(|tree| Some((tree, tree.as_text()?))) else { continue };
                    let found = part.rows.iter().find(|row| stands_at(row, key));
                    let is_derived =
                        |row: &&Row| row.or.as_ref().is_some_and(|or| !super::claims::fill_paths(or).is_empty());
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
        }
        identities
    }

    /// The wire keys that tell the rows of a map apart.
    pub(super) fn keys_of_rows(file: &Table, name: &str) -> Vec<String> {
        let maps = file.get("maps").and_then(Tree::as_table).map(|maps| maps.0.as_slice()).unwrap_or_default();
        let tables = [file].into_iter().chain(maps.iter().filter_map(|entry| entry.value.as_table()));
        let rows = tables.filter_map(|table| table.get("fields")?.as_table()).flat_map(|fields| fields.0.iter());
        let rows =
            rows.filter_map(|entry| entry.value.as_table()).filter(|row| maps_of(row).iter().any(|map| map == name));
        rows.filter_map(|row| row.get("by")?.as_text()).map(str::to_owned).collect()
    }

    /// A derived value is made of what a document says: of no other derived value, and of no
    /// identity, which is settled when all rows are read.
    pub(super) fn check_derived(&mut self, part: &Part, fields: &Table, identity: Option<&str>) {
        let derived = |row: &&Row| row.or.as_ref().is_some_and(|or| !super::claims::fill_paths(or).is_empty());
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

/// The names of the maps that read the rows of a list, those that open groups among them.
fn maps_of(row: &Table) -> Vec<String> {
    let named = |tree: Option<&Tree>| match tree.map(|tree| &tree.node) {
        Some(Node::List(names)) => names.iter().filter_map(Tree::as_text).map(str::to_owned).collect(),
        _ => tree.and_then(Tree::as_text).map(str::to_owned).into_iter().collect::<Vec<_>>(),
    };
    let heads = match row.get("heads").map(|tree| &tree.node) {
        Some(Node::List(heads)) => heads.as_slice(),
        _ => &[],
    };
    let heads = heads.iter().filter_map(Tree::as_table).flat_map(|heads| named(heads.get("maps")));
    named(row.get("each")).into_iter().chain(heads).collect()
}

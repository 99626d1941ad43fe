//! What a map may hold depends on what opens it.

use bunzai_runtime::map::{Each, Inner, Map, Part, RegexText, Row, Wire, nearest};

use super::Lower;
use crate::tree::{Entry, Table, Tree};

/// The slot that is the place of a row.
const INDEX: &str = "@index";

impl Lower<'_> {
    /// Checks the maps against their uses; `wholes` are the named ones as they stand in the file,
    /// with what they have of those they are like.
    pub(super) fn check_uses(&mut self, map: &Map, file: &Table, wholes: &[Table]) {
        self.check_index(file, "the root map reads no rows");
        let rows =
            || [&map.root].into_iter().chain(map.parts.iter().map(|(_, part)| part)).flat_map(|part| &*part.rows);
        let opens = |row: &Row, part: usize| matches!(row.inner, Inner::Map(opened) if opened == part);
        for (part, whole) in wholes.iter().enumerate() {
            let name = self.map_names.get(part).map(|name| name.text.clone()).unwrap_or_default();
            if map.shapes.iter().any(|shape| shape.map == Some(part)) {
                self.check_index(whole, &format!("the map `{name}` of a shape reads no rows"));
            } else if rows().any(|row| opens(row, part)) {
                self.check_index(
                    whole,
                    &format!("the map `{name}` is opened by `map`, and not for the rows of a list"),
                );
            }
        }
        for (table, part) in [(file, &map.root)].into_iter().chain(wholes.iter().zip(map.parts.iter().map(|(_, p)| p)))
        {
            self.check_order(map, table, part);
        }
        let mut regexes = std::mem::take(&mut self.regexes);
        regexes.sort_unstable();
        regexes.dedup();
        for whole in regexes.iter().filter_map(|part| wholes.get(*part)) {
            self.check_regex(whole);
        }
    }

    /// A map that reads no rows has no place of one.
    fn check_index(&mut self, table: &Table, because: &str) {
        if let Some(entry) = table.get("fields").and_then(Tree::as_table).and_then(|fields| fields.entry(INDEX)) {
            self.add("B008", entry.key_loc, format!("`{INDEX}` is the place of a row, and {because}"));
        }
    }

    /// The order of rows is kept by a list, or by the rows themselves.
    fn check_order(&mut self, map: &Map, table: &Table, part: &Part) {
        let has_index = |part: usize| {
            map.parts.get(part).is_some_and(|(_, part)| part.rows.iter().any(|row| row.wire == Wire::Index))
        };
        let fields = table.get("fields").and_then(Tree::as_table);
        for row in part.rows.iter() {
            let (Inner::Each(Each { part, order: Some(_), .. }), Wire::At(at)) = (&row.inner, &row.wire) else {
                continue;
            };
            let entry = fields.and_then(|fields| fields.get(&super::path::shown(at))?.as_table()?.entry("order"));
            if let (true, Some(entry)) = (has_index(*part), entry) {
                let message = format!("`order` cannot stand beside `{INDEX}` of the rows: both say what comes first");
                self.add("B008", entry.key_loc, message);
            }
        }
    }

    /// The map of a regex knows its parts and nothing else.
    fn check_regex(&mut self, table: &Table) {
        let words = ["fields", "sealed", "fresh"].into_iter().filter_map(|word| table.get(word)?.as_table());
        let rows = words.flat_map(|rows| &rows.0).map(|Entry { key, key_loc, .. }| (key.as_str(), *key_loc));
        let joins = table.get("joins").and_then(Tree::as_list).unwrap_or_default().iter().filter_map(Tree::as_table);
        let slots = joins.flat_map(|join| ["see", "wire"].into_iter().filter_map(|word| join.get(word)));
        let slots = slots.flat_map(|tree| tree.as_list().unwrap_or(std::slice::from_ref(tree)));
        let slots = slots.filter_map(|tree| Some((tree.as_text()?, tree.loc)));
        let unknown = rows.chain(slots).filter(|(key, _)| !key.starts_with('@') && !RegexText::KEYS.contains(key));
        for (key, loc) in unknown {
            let mut message =
                format!("unknown key `{key}` in the map of a regex, which is `source`, `flags` and `literal`");
            if let Some(meant) = nearest(key, RegexText::KEYS) {
                message += &format!("; did you mean `{meant}`?");
            }
            self.add("B002", loc, message);
        }
    }
}

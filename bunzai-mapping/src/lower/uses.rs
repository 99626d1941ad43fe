//! What a map may hold depends on what opens it.

use bunzai_runtime::map::{Each, Inner, Map, Part, RegexText, Row, Str, Wire, nearest};

use super::Lower;
use crate::tree::{Entry, Loc, Table, Tree};

/// The slot that is the place of a row.
const INDEX: &str = "@index";

/// Whether more than one map reads rows.
fn is_woven(each: &Each) -> bool {
    !each.others.is_empty() || !each.heads.is_empty() || items(each).next().is_some()
}

/// The maps of which each row of the list is read with one.
fn ways(each: &Each) -> impl Iterator<Item = usize> + '_ {
    [each.part].into_iter().chain(each.others.iter().copied())
}

/// The maps of the items in the list that keeps the order.
fn items(each: &Each) -> impl Iterator<Item = usize> + '_ {
    each.heads.iter().filter_map(|heads| heads.item).chain(each.order.iter().filter_map(|order| order.part))
}

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
            self.check_woven(map, table, part, wholes);
        }
        self.check_when(map, wholes);
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

    /// What is asked of the maps of rows that more than one map reads.
    fn check_woven(&mut self, map: &Map, table: &Table, part: &Part, wholes: &[Table]) {
        let fields = table.get("fields").and_then(Tree::as_table);
        let found = part.rows.iter().filter_map(|row| match (&row.inner, &row.wire) {
            (Inner::Each(each), Wire::At(at)) if is_woven(each) => {
                Some((each, fields?.get(&super::path::shown(at))?.as_table()?))
            }
            _ => None,
        });
        for (each, words) in found {
            let loc = |word: &str| words.entry(word).map(|entry| entry.value.loc).unwrap_or_default();
            self.check_reached(map, each, words);
            let readers = ways(each).map(|part| (part, loc("each")));
            let heads = each.heads.iter().flat_map(|heads| heads.levels.iter().chain(&heads.item));
            let heads = heads.map(|part| (*part, loc("heads")));
            let item = each.order.iter().filter_map(|order| order.part).map(|part| (part, loc("order")));
            for (part, loc) in readers.chain(heads).chain(item) {
                self.check_objects(map, part, loc);
            }
            let mut items: Vec<usize> = items(each).collect();
            items.sort_unstable();
            items.dedup();
            for item in &items {
                self.check_item(map, each, *item, wholes.get(*item));
            }
            if each.heads.is_empty() {
                continue;
            }
            if each.heads.iter().any(|heads| heads.to != each.heads[0].to) {
                self.add("B008", loc("heads"), "the groups of all dialects go to one list; `to` is the same in all");
            }
            let opens = each.heads.iter().flat_map(|heads| heads.levels.iter());
            for level in opens {
                let Some((name, part)) = map.parts.get(*level) else { continue };
                if part.when.is_empty() && !part.rows.iter().any(|row| row.need) {
                    let message =
                        format!("the map `{name}` has neither `when` nor `need`; every row would open a group");
                    self.add("B008", loc("heads"), message);
                }
            }
        }
    }

    /// Every map that may read a row comes to its turn.
    fn check_reached(&mut self, map: &Map, each: &Each, words: &Table) {
        let names = words.get("each").and_then(Tree::as_list).unwrap_or_default();
        let parts: Vec<&(Str, Part)> = ways(each).filter_map(|part| map.parts.get(part)).collect();
        for (n, (name, part)) in parts.iter().enumerate() {
            let takes_all = |other: &&&(Str, Part)| other.1.when.is_empty() || other.1.when == part.when;
            let Some((other, before)) = parts[..n].iter().find(takes_all) else { continue };
            let message = if before.when.is_empty() {
                format!("`{other}` has no `when` and reads every row, so that `{name}` reads none")
            } else {
                format!("`{name}` has the `when` of `{other}`, perhaps by way of `like`, and so reads no row")
            };
            self.add("B020", names.get(n).map(|tree| tree.loc).unwrap_or_default(), message);
        }
    }

    /// Rows that several maps read are objects, in the order of the file or of a list.
    fn check_objects(&mut self, map: &Map, part: usize, loc: Loc) {
        let Some((name, part)) = map.parts.get(part) else { return };
        let is_value = |row: &Row| {
            matches!(&row.wire, Wire::At(steps) if steps.is_empty()) || row.to.iter().any(|path| path.as_ref() == ".")
        };
        if part.rows.iter().any(is_value) {
            self.add(
                "B008",
                loc,
                format!("the map `{name}` reads plain values; rows that several maps read are objects"),
            );
        }
        if part.rows.iter().any(|row| row.wire == Wire::Index) {
            let message = format!("the map `{name}` has `{INDEX}`, and rows that several maps read have no such order");
            self.add("B008", loc, message);
        }
    }

    /// The map of an item has slots of its own, and nothing that needs the row they belong to.
    fn check_item(&mut self, map: &Map, each: &Each, item: usize, whole: Option<&Table>) {
        let (Some((name, part)), Some(whole)) = (map.parts.get(item), whole) else { return };
        for word in ["joins", "stamp", "rest", "lean", "when"] {
            if let Some(entry) = whole.entry(word) {
                let message =
                    format!("`{word}` cannot stand in `{name}`, the map of an item in the list of an `order`");
                self.add("B008", entry.key_loc, message);
            }
        }
        let by = each.order.as_ref().and_then(|order| order.by.as_ref());
        let heads =
            each.heads.iter().filter(|heads| heads.item == Some(item)).flat_map(|heads| heads.levels.iter().copied());
        let own = each.order.iter().filter(|order| order.part == Some(item)).flat_map(|_| ways(each));
        let beside: Vec<usize> = heads.chain(own).collect();
        for row in part.rows.iter() {
            let Wire::At(at) = &row.wire else { continue };
            let key = super::path::shown(at);
            let loc =
                ["fields", "sealed", "fresh"].into_iter().find_map(|word| whole.get(word)?.as_table()?.entry(&key));
            let loc = loc.map(|entry| entry.key_loc).unwrap_or_default();
            if by.is_some_and(|by| **by == *key) {
                self.add("B013", loc, format!("`{key}` is what names the row in an item, and has no row"));
            }
            let owns = |part: &usize| {
                let (name, part) = map.parts.get(*part)?;
                part.rows.iter().any(|other| other.wire == row.wire).then_some(name)
            };
            if let Some(other) = beside.iter().find_map(owns) {
                let message = format!("`{key}` has a row in `{other}` too; a row without a list stands for its item");
                self.add("B013", loc, message);
            }
        }
    }

    /// `when` tells which of several maps reads a row, and is asked nowhere else.
    fn check_when(&mut self, map: &Map, wholes: &[Table]) {
        let parts = [&map.root].into_iter().chain(map.parts.iter().map(|(_, part)| part));
        let (mut chosen, mut opened) = (Vec::new(), Vec::new());
        for row in parts.flat_map(|part| part.rows.iter()) {
            match &row.inner {
                Inner::Each(each) if is_woven(each) => {
                    chosen.extend(ways(each).chain(each.heads.iter().flat_map(|heads| heads.levels.iter().copied())));
                }
                Inner::Each(each) => opened.push(each.part),
                Inner::Map(part) => opened.push(*part),
                _ => {}
            }
        }
        opened.extend(map.shapes.iter().filter_map(|shape| shape.map));
        for (part, whole) in wholes.iter().enumerate().filter(|(part, _)| opened.contains(part)) {
            if let Some(entry) = whole.entry("when").filter(|_| !chosen.contains(&part)) {
                let message =
                    "`when` has no say here: no list of `each` and no `heads` chooses among this map and others";
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

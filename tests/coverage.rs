//! Every key that the sample files and vectors have is one that the map of their format knows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bunzai::Input;
use bunzai::map::{Inner, Map, Part, Row, Step, Wire};
use serde_json::Value;

/// Keys that vectors have to show what becomes of such as nobody knows.
const UNKNOWN_ON_PURPOSE: &[&str] = &["futureKey", "note", "pinned", "vendor_color", "x_vendor"];

/// What a map knows of one JSON value.
#[derive(Debug, Default)]
struct Known {
    members: BTreeMap<String, Known>,
    /// What it knows of each item, or of each member of an object of rows.
    items: Option<Box<Known>>,
    /// Whether everything inside is spoken for.
    whole: bool,
}

impl Known {
    fn of(map: &Map) -> Self {
        let mut known = Self::default();
        for shape in map.shapes.iter() {
            let start: Vec<Step> = shape.at.iter().map(|key| Step::Key(key.clone())).collect();
            known.add(&start).add_part(map, shape.map.map_or(&map.root, |part| &map.parts[part].1));
            shape.rows.iter().for_each(|row| known.add_row(map, row));
            for pick in map.picks.iter() {
                let by = pick.by.iter().map(|by| Step::Key(by.clone()));
                let steps: Vec<Step> =
                    start.iter().chain(pick.at.iter()).cloned().chain([Step::Every]).chain(by).collect();
                known.add(&steps).whole |= pick.by.is_some();
            }
        }
        known
    }

    fn add(&mut self, steps: &[Step]) -> &mut Self {
        steps.iter().fold(self, |known, step| match step {
            Step::Key(key) => known.members.entry(key.to_string()).or_default(),
            Step::Every | Step::Pick(_) => known.items.get_or_insert_default(),
        })
    }

    fn add_part(&mut self, map: &Map, part: &Part) {
        part.rows.iter().for_each(|row| self.add_row(map, row));
        part.joins.iter().flat_map(|join| join.slots()).for_each(|at| self.add(at).whole = true);
        self.whole |= part.rest.is_some();
    }

    fn add_row(&mut self, map: &Map, row: &Row) {
        let Wire::At(at) = &row.wire else { return };
        row.also.iter().for_each(|also| self.add(&also.at).whole = true);
        let known = self.add(at);
        match &row.inner {
            Inner::Map(part) => known.add_part(map, &map.parts[*part].1),
            Inner::Each(each) => {
                let items = each.order.iter().filter_map(|order| order.part);
                let item_of_heads = each.heads.iter().filter_map(|heads| heads.item);
                let items: Vec<usize> = items.chain(item_of_heads).collect();
                let heads = each.heads.iter().flat_map(|heads| heads.levels.iter());
                for part in [each.part].iter().chain(each.others.iter()).chain(heads).chain(&items) {
                    // A row may stand for its item.
                    known.items.get_or_insert_default().add_part(map, &map.parts[*part].1);
                }
                if let Some(order) = &each.order {
                    let listed = self.add(&order.at).items.get_or_insert_default();
                    order.by.iter().for_each(|by| listed.add(&[Step::Key(by.clone())]).whole = true);
                    items.iter().for_each(|part| listed.add_part(map, &map.parts[*part].1));
                }
            }
            _ => known.whole = true,
        }
    }

    /// The places of a value that nothing is known of.
    fn strangers(&self, value: &Value, at: &str, found: &mut BTreeSet<String>) {
        if self.whole && self.members.is_empty() && self.items.is_none() {
            return;
        }
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let at = format!("{at}/{key}");
                    match self.members.get(key).or(self.items.as_deref()) {
                        Some(known) => known.strangers(value, &at, found),
                        // What has no row is in the model.
                        None if self.whole => {}
                        None => drop(found.insert(at)),
                    }
                }
            }
            Value::Array(items) => {
                let known = self.items.as_deref();
                known
                    .iter()
                    .for_each(|known| items.iter().for_each(|item| known.strangers(item, &format!("{at}/*"), found)));
            }
            // JSON text in a string.
            Value::String(text) => {
                if let Ok(inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str(text) {
                    self.strangers(&inner, at, found);
                }
            }
            _ => {}
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn every_key_of_a_sample_is_known_to_the_map_of_its_format() {
    let mut strangers = BTreeMap::<String, BTreeSet<String>>::new();
    let mut seen = 0;
    for path in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(document) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) else { continue };
        // A vector has its document inside.
        let document = document.pointer("/input/json").cloned().unwrap_or(document);
        let input = Input::new(document.to_string());
        let Ok(format) = bunzai::formats().recognise(&input) else { continue };
        let Some(map) = format.declared().map(bunzai::Declared::map) else { continue };
        let mut found = BTreeSet::new();
        Known::of(map).strangers(&document, "", &mut found);
        found.retain(|at| !UNKNOWN_ON_PURPOSE.contains(&at.rsplit('/').next().unwrap()));
        if !found.is_empty() {
            strangers
                .entry(format!("{} ({})", format.id(), path.file_name().unwrap().display()))
                .or_default()
                .extend(found);
        }
        seen += 1;
    }
    assert!(seen > 50, "{seen} documents");
    assert!(strangers.is_empty(), "keys that no map knows: {strangers:#?}");
}

//! Follow: what no map knows of a row stays with the row.
//!
//! Every row of a twin bears a mark that no map knows. Where the model says which row is which, by
//! an identity that is its own or by a value that is its own, the mark must be where the row is.

use bunzai_runtime::map::{Ids, Inner, Keyed, Map, Part, Wire};
use serde_json::Value;

use crate::doc::{Doc, rows_of};
use crate::hostile::{each_object, rows_in};
use crate::paths::{below, equal, get, index_of, path_of, sorted};
use crate::walk::{self, MARK, at, objects, sequence};
use crate::woven::{self, Woven};

/// Gives every row a mark of its own.
pub(crate) fn mark_rows(map: &Map, doc: &mut Doc) {
    let mut count = 0;
    each_object(map, doc, &mut |part, doc| {
        for row in part.rows.iter() {
            let (Wire::At(steps), Inner::Each(each)) = (&row.wire, &row.inner) else { continue };
            for row in doc.get_mut(steps).map(|list| rows_in(list, row, each)).unwrap_or_default() {
                let Doc::Object(members) = row else { continue };
                members.retain(|(key, _)| key != MARK);
                members.push((MARK.to_owned(), Doc::Text(format!("mark {count}"))));
                count += 1;
            }
            if let Some(order) = each.order.as_ref().filter(|_| woven::item_of(each).is_some()) {
                for item in doc.get_mut(&order.at).map(rows_of).unwrap_or_default() {
                    let Doc::Object(members) = item else { continue };
                    members.retain(|(key, _)| key != MARK);
                    members.push((MARK.to_owned(), Doc::Text(format!("mark {count}"))));
                    count += 1;
                }
            }
        }
    });
}

/// A value at four times: the body that was imported, that was exported, that reads back; and the
/// documents it was read from and written to.
#[derive(Clone, Copy)]
pub(crate) struct Story<'v> {
    pub(crate) imported: &'v Value,
    pub(crate) edited: &'v Value,
    pub(crate) again: &'v Value,
    pub(crate) twin: &'v Value,
    pub(crate) out: &'v Value,
}

/// How many rows were looked at, and how many could not be told apart.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub(crate) rows: usize,
    pub(crate) unknown: usize,
    /// Those that cannot because their list has no identities.
    pub(crate) nameless: usize,
}

impl Followed {
    fn unknown(&mut self, rows: usize, has_identities: bool) {
        if has_identities {
            self.unknown += rows;
        } else {
            self.nameless += rows;
        }
    }
}

pub(crate) fn check(map: &Map, story: Story<'_>, followed: &mut Followed) -> Result<(), String> {
    let Some(shape) = crate::gate::shape(map, story.twin).map(|n| &map.shapes[n]) else { return Ok(()) };
    let root = |document| shape.at.iter().try_fold(document, |value: &Value, key| value.get(key.as_ref()));
    match (root(story.twin), root(story.out)) {
        (Some(twin), Some(out)) => part(map, crate::walk::root(map, shape), "", Story { twin, out, ..story }, followed),
        _ => Ok(()),
    }
}

fn part(map: &Map, part_of: &Part, path: &str, story: Story<'_>, followed: &mut Followed) -> Result<(), String> {
    static NOTHING: Value = Value::Null;
    for row in part_of.rows.iter() {
        let Wire::At(steps) = &row.wire else { continue };
        let to = row.to.first().map_or("", |to| to.as_ref());
        let inside = |value| at(value, steps).and_then(|found| walk::inside(found, &row.text)).unwrap_or_default();
        let model = |value| get(value, to).unwrap_or(&NOTHING);
        let (twin, out) = (inside(story.twin), inside(story.out));
        let inner =
            Story { imported: model(story.imported), edited: model(story.edited), again: model(story.again), ..story };
        match &row.inner {
            Inner::Map(n) => {
                part(map, &map.parts[*n].1, &below(path, to), Story { twin: &twin, out: &out, ..inner }, followed)?;
            }
            Inner::Each(each) if woven::is_woven(each) => {
                let (before, after) = (objects(&twin), objects(&out));
                let was = Woven::new(map, each, story.twin, &before);
                let is = Woven::new(map, each, story.out, &after);
                let lists = [(false, to)].into_iter().chain(was.heads.map(|heads| (true, heads.to.as_ref())));
                for (are_heads, to) in lists {
                    let rows = |woven: &Woven<'_>, rows: &[Value]| {
                        woven.those(are_heads).into_iter().map(|n| rows[n].clone()).collect::<Vec<_>>()
                    };
                    let (twin, out) = (rows(&was, &before), rows(&is, &after));
                    let model = |value| get(value, to).unwrap_or(&NOTHING);
                    let by = each.by.as_ref().and_then(|by| path_of(&map.parts[each.part].1, by));
                    let lists = Lists {
                        by,
                        numbered: false,
                        index: None,
                        ordered: each.order.is_some(),
                        twin: &twin,
                        out: &out,
                    };
                    let story = Story {
                        imported: model(story.imported),
                        edited: model(story.edited),
                        again: model(story.again),
                        ..story
                    };
                    lists.check(&below(path, to), story, followed)?;
                }
            }
            Inner::Each(each) => {
                let of = &map.parts[each.part].1;
                // What has no row is in the model there, the mark too; and a plain value has nothing.
                let are_values = of.rows.iter().any(|row| matches!(&row.wire, Wire::At(steps) if steps.is_empty()));
                if of.rest.is_some() || are_values {
                    continue;
                }
                let ordered = |holder: &Value, list: &Value| {
                    let rows = objects(list);
                    sequence(each.order.as_ref(), holder, &rows)
                        .into_iter()
                        .map(|n| rows[n].clone())
                        .collect::<Vec<_>>()
                };
                let (twin, out) = (ordered(story.twin, &twin), ordered(story.out, &out));
                let by = each.by.as_ref().and_then(|by| path_of(of, by));
                let index = index_of(of);
                let numbered = each.keyed == Some(Keyed::Number) && each.ids == Ids::Unique;
                let lists = Lists { by, numbered, index, ordered: each.order.is_some(), twin: &twin, out: &out };
                for (k, j) in lists.check(&below(path, to), inner, followed)? {
                    let item = |value: &'_ Value, n: usize| value.get(n).cloned().unwrap_or_default();
                    let given = match (&lists.index, inner.edited.as_array()) {
                        (Some(index), Some(rows)) => sorted(rows, index)[k],
                        _ => k,
                    };
                    let (imported, edited, again) =
                        (item(inner.imported, j), item(inner.edited, given), item(inner.again, k));
                    let story =
                        Story { imported: &imported, edited: &edited, again: &again, twin: &twin[j], out: &out[k] };
                    part(map, of, &format!("{}[]", below(path, to)), story, followed)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

struct Lists<'a> {
    /// The path of the identity in a row of the model.
    by: Option<String>,
    /// Whether the identity of a new row is the number that it is keyed by.
    numbered: bool,
    /// The path of the place of a row, if the rows stand in its order.
    index: Option<String>,
    /// Whether a list elsewhere orders the rows.
    ordered: bool,
    /// The rows of the documents, in the order of the model.
    twin: &'a [Value],
    out: &'a [Value],
}

impl Lists<'_> {
    /// The rows of the model that stayed, with the rows they were.
    fn check(&self, path: &str, story: Story<'_>, followed: &mut Followed) -> Result<Vec<(usize, usize)>, String> {
        let rows = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
        let (imported, edited, again) = (rows(story.imported), rows(story.edited), rows(story.again));
        let edited = match &self.index {
            Some(index) => sorted(&edited, index).into_iter().map(|n| edited[n].clone()).collect(),
            None => edited,
        };
        let id = |row: &Value| self.by.as_ref().and_then(|by| get(row, by).cloned());
        // A list that could not be written, or not in this order, is in the report.
        // A new row that is keyed by number gets another identity.
        let is_new = |row: &Value| self.numbered && !imported.iter().any(|other| id(other) == id(row));
        let in_order =
            edited.len() == again.len() && edited.iter().zip(&again).all(|(a, b)| id(a) == id(b) || is_new(a));
        if self.twin.len() != imported.len() || self.out.len() != edited.len() || !in_order {
            followed.unknown(edited.len(), self.by.is_some());
            return Ok(Vec::new());
        }
        let count = |rows: &[Value], is: &dyn Fn(&Value) -> bool| rows.iter().filter(|row| is(row)).count();
        let mut stayed = Vec::new();
        for (k, row) in edited.iter().enumerate() {
            let bears = |other: &Value| id(other).is_some() && id(other) == id(row);
            let says = |other: &Value| equal(other, row);
            let was = if count(&imported, &bears) == 1 && count(&edited, &bears) == 1 {
                imported.iter().position(bears)
            } else if count(&edited, &bears) > 1 && self.ordered || self.by.is_none() && !equal(row, &again[k]) {
                // A list of identities cannot tell rows apart that share one.
                followed.unknown(1, self.by.is_some());
                continue;
            } else if count(&imported, &says) == 1 && count(&edited, &says) == 1 {
                imported.iter().position(says)
            } else if self.by.is_some() && count(&imported, &bears) == 0 {
                None
            } else {
                followed.unknown(1, self.by.is_some());
                continue;
            };
            followed.rows += 1;
            let expected = was.and_then(|j| self.twin[j].get(MARK));
            if self.out[k].get(MARK) != expected {
                return Err(format!(
                    "row {k} of {path} was {was:?} and bore {expected:?}, and bears {:?}: {row}",
                    self.out[k].get(MARK)
                ));
            }
            stayed.extend(was.map(|j| (k, j)));
        }
        Ok(stayed)
    }
}

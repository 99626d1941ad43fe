//! What breaks converters, put into a document where its map says it hurts: identities that
//! collide or look like made ones, order lists that are stale, rows that are none, texts that are
//! spoilt, nulls.

use bunzai_runtime::map::{Cell, Each, Inner, Map, Part, Row, Step, Text, Tie, Wire};
use fastrand::Rng;

use crate::doc::{Doc, Style, rows_of};
use crate::generate::{junk, literal};

/// Identities that collide, and that look like those the engine makes.
const IDS: [&str; 12] = ["a", "a", "b", "x", "x-2", "x-3", "row-0", "row-1", "row-3", "0", "1", "2"];

/// Calls with every object that a part reads, and the part; the rows of a list after the list.
pub(crate) fn each_object(map: &Map, doc: &mut Doc, call: &mut dyn FnMut(&Part, &mut Doc)) {
    let mut known = Vec::new();
    for shape in map.shapes.iter().filter(|shape| {
        let is_new = !known.contains(&(&shape.at, shape.map));
        known.push((&shape.at, shape.map));
        is_new
    }) {
        let steps: Vec<Step> = shape.at.iter().map(|key| Step::Key(key.clone())).collect();
        if let Some(doc) = doc.get_mut(&steps) {
            within(map, crate::walk::root(map, shape), doc, call);
        }
    }
}

fn within(map: &Map, part: &Part, doc: &mut Doc, call: &mut dyn FnMut(&Part, &mut Doc)) {
    call(part, doc);
    for row in part.rows.iter() {
        let Wire::At(steps) = &row.wire else { continue };
        match &row.inner {
            Inner::Map(inner) => {
                if let Some(doc) = doc.get_mut(steps) {
                    within(map, &map.parts[*inner].1, doc.inside(), call);
                }
            }
            Inner::Each(each) => {
                for row in doc.get_mut(steps).map(|list| rows_in(list, row, each)).unwrap_or_default() {
                    within(map, &map.parts[each.part].1, row, call);
                }
            }
            _ => {}
        }
    }
}

/// The rows of a list, or of an object whose members are rows; or one that stands by itself.
pub(crate) fn rows_in<'d>(list: &'d mut Doc, row: &Row, each: &Each) -> Vec<&'d mut Doc> {
    match list.inside() {
        lone @ Doc::Object(_) if each.keyed.is_none() => {
            if row.text.contains(&Text::Lone) {
                vec![lone]
            } else {
                Vec::new()
            }
        }
        rows => rows_of(rows),
    }
}

/// The rows of a part that hold rows, with their slots.
fn lists(part: &Part) -> impl Iterator<Item = (&Row, &[Step], &Each)> {
    part.rows.iter().filter_map(|row| match (&row.wire, &row.inner) {
        (Wire::At(steps), Inner::Each(each)) => Some((row, &**steps, each)),
        _ => None,
    })
}

/// Fills slots of joins with what their tables know.
pub(crate) fn cells(map: &Map, doc: &mut Doc, rng: &mut Rng) {
    each_object(map, doc, &mut |part, doc| {
        for join in part.joins.iter() {
            for (column, steps) in join.slots().enumerate() {
                let known: Vec<Doc> = match join.tie {
                    Tie::Table(table) => {
                        let cells = map.tables[table].rows.iter().filter_map(|row| row.wire.get(column));
                        let known = cells.filter_map(|cell| match cell {
                            Cell::Is(known) => Some(literal(known)),
                            Cell::Has(known) => Some(Doc::List(vec![Doc::Raw("2".into()), literal(known)])),
                            _ => None,
                        });
                        known.collect()
                    }
                    Tie::Via(_) => vec![Doc::Raw(rng.i32(0..100).to_string())],
                };
                if let (Some(place), false, true) = (doc.get_mut(steps), known.is_empty(), rng.u8(..4) > 0) {
                    *place = known[rng.usize(..known.len())].clone();
                }
            }
        }
    });
}

/// Gives rows identities, kind ones or unkind ones, and the lists that order them.
pub(crate) fn identities(map: &Map, doc: &mut Doc, rng: &mut Rng, hostility: u8) {
    each_object(map, doc, &mut |part, doc| {
        for (row, steps, each) in lists(part) {
            let unkind = hostility > 0 && rng.bool();
            let mut called = Vec::new();
            let mut rows = doc.get_mut(steps).map(|list| rows_in(list, row, each)).unwrap_or_default();
            crate::woven::weave(map, each, &mut rows, rng);
            for (n, row) in rows.iter_mut().enumerate() {
                let Doc::Object(members) = row else { continue };
                if let Some(by) = &each.by {
                    let id = if unkind { unkind_id(rng) } else { Some(Doc::Text(format!("id {n}"))) };
                    set(members, by, id);
                }
                if let Some(order) = each.order.as_ref().filter(|order| each.by.as_ref() != Some(&order.of)) {
                    let id = if unkind { unkind_id(rng) } else { Some(Doc::Text(format!("ref {n}"))) };
                    set(members, &order.of, id);
                }
                if let Some(order) = &each.order {
                    called.extend(members.iter().filter(|(key, _)| *key == order.of).map(|(_, id)| id.clone()));
                }
            }
            if let Some(order) = &each.order {
                rng.shuffle(&mut called);
                if unkind {
                    unsettle(&mut called, rng);
                }
                let called = match &order.by {
                    Some(by) => crate::woven::items(doc.get_mut(&order.at), by, called, rng),
                    None => called,
                };
                // A form of text that nobody reads comes now and then.
                let in_text = if order.text.is_empty() { rng.u8(..8) == 0 } else { rng.bool() };
                let list = if in_text {
                    Doc::Json(Box::new(Doc::List(called)), Style::random_inside(rng))
                } else {
                    Doc::List(called)
                };
                if rng.u8(..8) > 0
                    && let [place] = doc.at(&order.at, true).as_mut_slice()
                {
                    **place = list;
                }
            }
        }
    });
}

fn set(members: &mut Vec<(String, Doc)>, key: &str, value: Option<Doc>) {
    members.retain(|(k, _)| k != key);
    if let Some(value) = value {
        members.insert(0, (key.to_owned(), value));
    }
}

fn unkind_id(rng: &mut Rng) -> Option<Doc> {
    Some(match rng.u8(..16) {
        0 => return None,
        1 => Doc::null(),
        2 => Doc::Text(String::new()),
        3 => Doc::Raw(rng.i32(0..4).to_string()),
        4 => Doc::Raw("1.0".into()),
        5 if rng.u8(..8) == 0 => Doc::Text("i".repeat(100_000)),
        6 => junk(rng, 0),
        _ => Doc::Text(IDS[rng.usize(..IDS.len())].into()),
    })
}

/// Takes identities out of an order list, doubles some, puts in some that no row bears.
fn unsettle(ids: &mut Vec<Doc>, rng: &mut Rng) {
    for _ in 0..rng.usize(..4) {
        let at = rng.usize(..=ids.len());
        match rng.u8(..4) {
            0 if at < ids.len() => drop(ids.remove(at)),
            1 if at < ids.len() => ids.insert(at, ids[rng.usize(..ids.len())].clone()),
            2 => ids.insert(at, junk(rng, 0)),
            _ => ids.insert(at, Doc::Text("stale".into())),
        }
    }
}

/// Puts in rows that are none, texts that cannot be read, and nulls.
pub(crate) fn spoil(map: &Map, doc: &mut Doc, rng: &mut Rng, hostility: u8) {
    let often = move |rng: &mut Rng| rng.u8(..100) < hostility;
    each_object(map, doc, &mut |part, doc| {
        for (_, steps, each) in lists(part) {
            let Some(Doc::List(items)) = doc.get_mut(steps).map(Doc::inside) else { continue };
            // The key of an object is a place in a list of plain values.
            let plain =
                map.parts[each.part].1.rows.iter().any(|row| matches!(&row.wire, Wire::At(at) if at.is_empty()));
            for _ in 0..3 {
                if often(rng) {
                    let no_row = if plain { Doc::Object(Vec::new()) } else { Doc::Raw("7".into()) };
                    items.insert(rng.usize(..=items.len()), no_row);
                }
            }
        }
        for row in part.rows.iter() {
            let Wire::At(steps) = &row.wire else { continue };
            let Some(place) = doc.get_mut(steps) else { continue };
            if often(rng) && rng.bool() {
                *place = Doc::null();
            } else if !row.text.is_empty() && often(rng) {
                *place = Doc::Text(["{", "[1,", "  ", "nul", "\"a", "[]]"][rng.usize(..6)].into());
            }
        }
    });
}

/// Changes anything in a document, so that it may be none of its format any more.
pub(crate) fn mutilate(doc: &mut Doc, rng: &mut Rng) {
    match doc.inside() {
        Doc::Object(members) if !members.is_empty() && rng.u8(..4) > 0 => {
            let n = rng.usize(..members.len());
            match rng.u8(..4) {
                0 => drop(members.remove(n)),
                1 => {
                    let key = members[n].0.clone();
                    members.push((key, junk(rng, 1)));
                }
                _ => mutilate(&mut members[n].1, rng),
            }
        }
        Doc::List(items) if !items.is_empty() && rng.u8(..4) > 0 => {
            let n = rng.usize(..items.len());
            mutilate(&mut items[n], rng);
        }
        place => *place = junk(rng, 1),
    }
}

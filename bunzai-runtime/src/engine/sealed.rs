//! What of a document rides in escrow, because no row maps it.

use indexmap::IndexMap;

use super::layer::Layer;
use super::pick::Picked;
use super::plan::{Frame, RowPlan, Way};
use crate::json::{Cursor, Pointer, Result};

/// The places of a document that no row maps, as patterns with `*` for every item of a list, and
/// how often each is met; in the order of the document.
pub(crate) fn sealed(frame: &Frame, text: &str) -> Vec<(String, usize)> {
    let mut found = IndexMap::new();
    let picked = Picked::find(frame, text);
    // A document that cannot be read has nothing in escrow.
    let _ = at_place(frame, 0, &mut Cursor::new(text), &mut Pointer::root(), &picked, &mut found);
    found.into_iter().collect()
}

fn count(found: &mut IndexMap<String, usize>, at: &Pointer) {
    match found.get_mut(at.as_str()) {
        Some(count) => *count += 1,
        None => drop(found.insert(at.to_string(), 1)),
    }
}

fn at_place(
    frame: &Frame,
    at: usize,
    cursor: &mut Cursor<'_>,
    path: &mut Pointer,
    picked: &Picked,
    found: &mut IndexMap<String, usize>,
) -> Result<()> {
    let place = &frame.places[at];
    let Some(row) = place.row.map(|n| &frame.rows[n]) else {
        return members(frame, at, cursor, path, picked, found);
    };
    match &row.way {
        Way::Sealed if !frame.is_tied(at) => count(found, path),
        Way::Map(_) | Way::Rows(_) => {
            return match row.slot.layer(cursor)? {
                // A regex says all that its text does.
                Layer::Inside(inner) if matches!(row.way, Way::Map(_)) && !inner.is_json() => Ok(()),
                Layer::Inside(inner) => inside(row, &mut Cursor::new(&inner.text), path, picked, found),
                Layer::Plain => inside(row, cursor, path, picked, found),
                Layer::Unreadable => {
                    count(found, path);
                    cursor.skip()
                }
            };
        }
        _ => {}
    }
    cursor.skip()
}

/// What rides in escrow of the value of a row that has a map.
fn inside(
    row: &RowPlan,
    cursor: &mut Cursor<'_>,
    path: &mut Pointer,
    picked: &Picked,
    found: &mut IndexMap<String, usize>,
) -> Result<()> {
    let rows = match &row.way {
        Way::Map(inner) => return at_place(inner, 0, cursor, path, picked, found),
        Way::Rows(rows) => rows,
        _ => return cursor.skip(),
    };
    let is_object = rows.keyed.is_some();
    if cursor.peek()? != opens_with(is_object) {
        return cursor.skip();
    }
    each(is_object, cursor, path, |cursor, path| {
        if rows.may_be_row(cursor.peek()?) {
            return at_place(&rows.frame, 0, cursor, path, picked, found);
        }
        count(found, path);
        cursor.skip()
    })
}

fn opens_with(is_object: bool) -> u8 {
    if is_object { b'{' } else { b'[' }
}

/// Does something at the value of every member of an object, or at every item of a list.
fn each(
    is_object: bool,
    cursor: &mut Cursor<'_>,
    path: &mut Pointer,
    mut act: impl FnMut(&mut Cursor<'_>, &mut Pointer) -> Result<()>,
) -> Result<()> {
    let mut more = if is_object { cursor.object()? } else { cursor.list()? };
    let length = path.len();
    path.push("*");
    while more {
        if is_object {
            cursor.key()?;
        }
        act(cursor, path)?;
        more = cursor.more(if is_object { b'}' } else { b']' })?;
    }
    path.cut(length);
    Ok(())
}

/// What rides in escrow of a value without a row.
fn members(
    frame: &Frame,
    at: usize,
    cursor: &mut Cursor<'_>,
    path: &mut Pointer,
    picked: &Picked,
    found: &mut IndexMap<String, usize>,
) -> Result<()> {
    let place = &frame.places[at];
    if let Some(child) = place.picked {
        return others(frame, child, cursor, path, picked, found);
    }
    let first = cursor.peek()?;
    if first != b'{' {
        // Null in the place of an object holds nothing.
        if !frame.is_tied(at) && (at != 0 || first != b'n') {
            count(found, path);
        }
        return cursor.skip();
    }
    let mut more = cursor.object()?;
    while more {
        let key = cursor.key()?.text();
        let length = path.len();
        path.push(&key);
        match place.children.get(&key) {
            Some(child) => at_place(frame, child, cursor, path, picked, found)?,
            // Neither what tells a row that is picked
            None if place.pick.is_some_and(|pick| frame.picks[pick].by.as_deref() == Some(&*key)) => cursor.skip()?,
            // nor what a bag of the model holds is in escrow.
            None if place.rest => cursor.skip()?,
            None => {
                count(found, path);
                cursor.skip()?;
            }
        }
        path.cut(length);
        more = cursor.more(b'}')?;
    }
    Ok(())
}

/// What rides in escrow of an object or list in which one row is picked.
fn others(
    frame: &Frame,
    child: usize,
    cursor: &mut Cursor<'_>,
    path: &mut Pointer,
    picked: &Picked,
    found: &mut IndexMap<String, usize>,
) -> Result<()> {
    let is_object = frame.picked_in_object(child);
    if cursor.peek()? != opens_with(is_object) {
        count(found, path);
        return cursor.skip();
    }
    each(is_object, cursor, path, |cursor, path| {
        cursor.peek()?;
        if picked.step_at(child, cursor.at()).is_some() {
            return at_place(frame, child, cursor, path, picked, found);
        }
        count(found, path);
        cursor.skip()
    })
}

//! What of a document rides in escrow, because no row maps it.

use indexmap::IndexMap;

use super::plan::{Frame, Way};
use super::slot::Layer;
use crate::json::{Cursor, Pointer, Result};

/// The places of a document that no row maps, as patterns with `*` for every item of a list, and
/// how often each is met; in the order of the document.
pub(crate) fn sealed(frame: &Frame, text: &str) -> Vec<(String, usize)> {
    let mut found = IndexMap::new();
    // A document that cannot be read has nothing in escrow.
    let _ = at_place(frame, 0, &mut Cursor::new(text), &mut Pointer::root(), &mut found);
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
    place: usize,
    cursor: &mut Cursor<'_>,
    at: &mut Pointer,
    found: &mut IndexMap<String, usize>,
) -> Result<()> {
    let place = &frame.places[place];
    let first = cursor.peek()?;
    match place.row.map(|n| &frame.rows[n]).map(|row| (row, &row.way)) {
        Some((_, Way::Sealed)) => count(found, at),
        Some((row, Way::Map(inner))) => {
            return match row.slot.layer(cursor)? {
                Layer::Json(text) => at_place(inner, 0, &mut Cursor::new(&text), at, found),
                Layer::Plain => at_place(inner, 0, cursor, at, found),
                Layer::Unreadable => {
                    count(found, at);
                    cursor.skip()
                }
            };
        }
        Some((_, Way::Rows(rows))) if first == if rows.keyed.is_some() { b'{' } else { b'[' } => {
            let close = if rows.keyed.is_some() { b'}' } else { b']' };
            if if rows.keyed.is_some() { cursor.object()? } else { cursor.list()? } {
                let length = at.len();
                at.push("*");
                loop {
                    if rows.keyed.is_some() {
                        cursor.key()?;
                    }
                    if rows.is_row(cursor.peek()?) {
                        at_place(&rows.frame, 0, cursor, at, found)?;
                    } else {
                        count(found, at);
                        cursor.skip()?;
                    }
                    if !cursor.more(close)? {
                        break;
                    }
                }
                at.cut(length);
            }
            return Ok(());
        }
        Some(_) => {}
        None if first == b'{' => {
            if cursor.object()? {
                loop {
                    let key = cursor.key()?.text();
                    let length = at.len();
                    at.push(&key);
                    match place.children.get(&key) {
                        Some(child) => at_place(frame, child, cursor, at, found)?,
                        // What a bag of the model holds is not in escrow.
                        None if place.rest => cursor.skip()?,
                        None => {
                            count(found, at);
                            cursor.skip()?;
                        }
                    }
                    at.cut(length);
                    if !cursor.more(b'}')? {
                        break;
                    }
                }
            }
            return Ok(());
        }
        None => count(found, at),
    }
    cursor.skip()
}

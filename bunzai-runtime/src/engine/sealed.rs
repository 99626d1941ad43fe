//! What of a document rides in escrow, because no row maps it.

use super::plan::{Frame, Way};
use crate::json::{Cursor, Pointer, Result};

/// The places of a document that no row maps, as patterns with `*` for every item of a list, and
/// how often each is met; in the order of the document.
pub(crate) fn sealed(frame: &Frame, text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    // A document that cannot be read has nothing in escrow.
    let _ = at_place(frame, 0, &mut Cursor::new(text), &mut Pointer::root(), &mut found);
    found
}

fn count(found: &mut Vec<(String, usize)>, at: &Pointer) {
    match found.iter_mut().find(|(known, _)| known == at.as_str()) {
        Some((_, count)) => *count += 1,
        None => found.push((at.to_string(), 1)),
    }
}

fn at_place(
    frame: &Frame,
    place: usize,
    cursor: &mut Cursor<'_>,
    at: &mut Pointer,
    found: &mut Vec<(String, usize)>,
) -> Result<()> {
    let place = &frame.places[place];
    let first = cursor.peek()?;
    match place.row.map(|n| &frame.rows[n].way) {
        Some(Way::Sealed) => count(found, at),
        Some(Way::Rows(rows)) if first == b'[' => {
            if cursor.list()? {
                let length = at.len();
                at.push("*");
                loop {
                    if cursor.peek()? == b'{' {
                        at_place(&rows.frame, 0, cursor, at, found)?;
                    } else {
                        count(found, at);
                        cursor.skip()?;
                    }
                    if !cursor.more(b']')? {
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

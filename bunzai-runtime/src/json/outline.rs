//! Where the members of an object and the items of a list stand. Made only where something is to
//! be edited; the engine's passes need no such index.

use std::borrow::Cow;
use std::ops::Range;

use super::{Cursor, Result};

/// One member of an object.
#[derive(Debug, Clone)]
pub(crate) struct Member<'t> {
    pub(crate) key: Cow<'t, str>,
    /// Where the quote of the key stands.
    pub(crate) start: usize,
    pub(crate) value: Range<usize>,
}

/// One item of a list.
pub(crate) type Item = Range<usize>;

/// What stands inside one container, and the container's own span.
#[derive(Debug, Clone)]
pub(crate) struct Outline<T> {
    pub(crate) span: Range<usize>,
    pub(crate) inside: Vec<T>,
}

/// The members of the object at `at`.
pub(crate) fn members(text: &str, at: usize) -> Result<Outline<Member<'_>>> {
    let mut cursor = Cursor::starting_at(text, at, 0);
    cursor.peek()?;
    let start = cursor.at();
    let mut inside = Vec::new();
    if cursor.object()? {
        loop {
            let key = cursor.key()?;
            let value = cursor.at();
            cursor.skip()?;
            inside.push(Member { key: key.text(), start: key.at, value: value..cursor.at() });
            if !cursor.more(b'}')? {
                break;
            }
        }
    }
    Ok(Outline { span: start..cursor.at(), inside })
}

/// The items of the list at `at`.
pub(crate) fn items(text: &str, at: usize) -> Result<Outline<Item>> {
    let mut cursor = Cursor::starting_at(text, at, 0);
    cursor.peek()?;
    let start = cursor.at();
    let mut inside = Vec::new();
    if cursor.list()? {
        loop {
            cursor.peek()?;
            let item = cursor.at();
            cursor.skip()?;
            inside.push(item..cursor.at());
            if !cursor.more(b']')? {
                break;
            }
        }
    }
    Ok(Outline { span: start..cursor.at(), inside })
}

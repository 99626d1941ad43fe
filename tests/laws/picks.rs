//! Rows that are one out of many, found apart from the engine.

use std::borrow::Cow;

use bunzai_runtime::map::{Choice, Map, Pick, Step, Types, Wire};
use fastrand::Rng;
use serde_json::Value;

use crate::doc::{Doc, text};
use crate::gate::is;

/// Keys of rows, few enough for those of two objects to meet.
const KEYS: [&str; 4] = ["one", "two", "a.b", "3"];

/// The key of a row, for the generator.
pub(crate) fn key(rng: &mut Rng) -> String {
    KEYS[rng.usize(..KEYS.len())].to_owned()
}

/// Lets the slots that say which row is picked name one that may be there.
pub(crate) fn name_rows(map: &Map, doc: &mut Doc, rng: &mut Rng) {
    for choice in map.picks.iter().flat_map(|pick| pick.is.iter()) {
        let Choice::Wire(steps) = choice else { continue };
        if let Some(slot) = doc.get_mut(steps) {
            *slot = Doc::Text(if rng.u8(..4) > 0 { key(rng) } else { text(rng) });
        }
    }
}

/// The map for one document: its picks are the keys of the rows that they name there. Nothing where
/// one of them names none.
pub(crate) fn resolved<'m>(map: &'m Map, document: &Value) -> Option<Cow<'m, Map>> {
    if map.picks.is_empty() {
        return Some(Cow::Borrowed(map));
    }
    let (whole, mut map) = (map, map.clone());
    for row in map.root.rows.to_mut() {
        let own = match &mut row.wire {
            Wire::At(steps) => Some(steps),
            _ => None,
        };
        for steps in own.into_iter().chain(row.also.to_mut().iter_mut().map(|also| &mut also.at)) {
            for step in steps.to_mut() {
                let Step::Pick(name) = step else { continue };
                let pick = whole.picks.iter().find(|pick| pick.name == *name);
                *step = Step::Key(picked(&whole.root.rows, pick?, document)?.into());
            }
        }
    }
    Some(Cow::Owned(map))
}

fn picked(rows: &[bunzai_runtime::map::Row], pick: &Pick, document: &Value) -> Option<String> {
    let members = crate::walk::at(document, &pick.at)?.as_object()?;
    let whole = rows.iter().find(|row| match &row.wire {
        Wire::At(at) => {
            at.len() == pick.at.len() + 1 && at.starts_with(&pick.at) && matches!(at.last(), Some(Step::Pick(_)))
        }
        _ => false,
    });
    let types = if whole.is_some() { Types::STRING } else { Types::OBJECT };
    let is_row = |key: &str| members.get(key).is_some_and(|row| is(row, types));
    pick.is.iter().find_map(|choice| match choice {
        Choice::Is(literal) => Some(literal.value()?.as_text()?.to_owned()).filter(|key| is_row(key)),
        Choice::Wire(at) => Some(crate::walk::at(document, at)?.as_str()?.to_owned()).filter(|key| is_row(key)),
        Choice::First => members.keys().find(|key| is_row(key)).cloned(),
        Choice::Lacks => None,
    })
}

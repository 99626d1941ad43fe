//! Slots have one owner.

use bunzai_runtime::map::{Step, Wire};

use super::{Lower, path};
use crate::tree::Loc;

/// The slots that rows of a map own.
#[derive(Default)]
pub(super) struct Owners(Vec<(Wire, String)>);

impl Lower<'_> {
    /// Takes a slot for a row; nothing inside an owned slot has another owner.
    pub(super) fn own(&mut self, owners: &mut Owners, key: &str, loc: Loc) {
        let Ok(wire) = path::wire(key) else { return };
        if let Some((other, name)) = owners.0.iter().find(|(other, _)| overlap(other, &wire)) {
            let message = if *other == wire {
                format!("the slot `{name}` has a row already")
            } else {
                format!("`{key}` and `{name}` overlap; one value has one row")
            };
            self.add("B013", loc, message);
        }
        owners.0.push((wire, key.to_owned()));
    }

    /// Says that something other than a row reads or writes a slot: it is a slot of its own, or that
    /// of a row, and no part of one.
    pub(super) fn tie(&mut self, owners: &mut Owners, at: &[Step], loc: Loc) {
        let wire = Wire::At(at.to_vec().into());
        if let Some((_, name)) = owners.0.iter().find(|(other, _)| *other != wire && overlap(other, &wire)) {
            let message = format!("`{}` and `{name}` overlap; one value has one row", path::shown(at));
            self.add("B013", loc, message);
        }
        if !owners.0.iter().any(|(other, _)| *other == wire) {
            owners.0.push((wire, path::shown(at)));
        }
    }

    /// Takes the slots of the rows of the root map, which start at a place of a shape.
    pub(super) fn own_fields<'k>(&mut self, owners: &mut Owners, at: &[Step], keys: impl Iterator<Item = &'k str>) {
        for key in keys {
            if let Ok(Wire::At(steps)) = path::wire(key) {
                let whole: Vec<Step> = at.iter().chain(steps.iter()).cloned().collect();
                let name = path::shown(&whole);
                owners.0.push((Wire::At(whole.into()), name));
            }
        }
    }
}

/// Whether one slot lies in the other, or is the same.
fn overlap(one: &Wire, other: &Wire) -> bool {
    match (one, other) {
        (Wire::At(one), Wire::At(other)) => match one.iter().zip(other.iter()).find(|(a, b)| a != b) {
            None => true,
            // Any member or item may be the one that is picked.
            Some((a, b)) => matches!(a, Step::Pick(_)) || matches!(b, Step::Pick(_)),
        },
        (one, other) => one == other,
    }
}

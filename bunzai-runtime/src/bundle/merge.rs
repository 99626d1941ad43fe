//! The rows of a piece over those that the slots of a document hold.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::homes::{Held, Homes};
use super::names::Free;
use crate::error::Result;
use crate::json::Value;

/// What is written into the slots, by the places of the rows of the piece.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// The document, where it is another one now.
    pub(super) text: Option<String>,
    /// The rows of the first slot, and those that only stand in others, in the order they are read in.
    pub(super) first: Vec<usize>,
    pub(super) others: Vec<usize>,
    /// The rows that got another identity.
    pub(super) renamed: Vec<usize>,
}

/// The rows of a piece, and what the slots have of them.
struct Merge<'m, 'r> {
    homes: &'m Homes<'r>,
    held: &'m Held,
    /// What the slots say, and what the piece says now.
    known: Vec<Value<'static>>,
    given: Vec<Value<'static>>,
    /// For each row that is known the one that is given; nothing when it goes.
    partner: Vec<Option<usize>>,
    /// The rows that no slot has.
    new: Vec<usize>,
}

/// A row of the piece, as it is to stand in a slot.
struct Placed {
    /// Which row of the piece it is.
    given: usize,
    /// Which of the rows that are known; nothing for a new one.
    known: Option<usize>,
    rule: Value<'static>,
}

impl Homes<'_> {
    /// Writes the rows of a piece over those that the slots hold: each row into every slot where it
    /// stands, new ones into the first. Those that are not given go.
    pub(super) fn merge(&self, document: &str, held: &Held, given: Vec<Value<'static>>) -> Result<Merged> {
        let known = self.pieces.rules(held.body.as_node());
        let mut waiting = self.pieces.waiting(&given);
        let partner: Vec<Option<usize>> =
            known.iter().map(|rule| waiting.get_mut(&self.pieces.called(rule))?.pop_front()).collect();
        let partnered: HashSet<usize> = partner.iter().flatten().copied().collect();
        let new = (0..given.len()).filter(|n| !partnered.contains(n)).collect();
        let mut merge = Merge { homes: self, held, known, given, partner, new };
        let mut merged = Merged { renamed: merge.set_apart(), ..Merged::default() };
        for slot in 0..held.slots.len() {
            let here = self.pieces.rules(held.slots[slot].as_node());
            let sequence = merge.sequence(slot, &here);
            if slot == 0 {
                merged.first = sequence.iter().map(|row| row.given).collect();
            } else {
                let is_home = |row: &&Placed| row.known.is_some_and(|n| held.listing.rows[n].slot == slot);
                merged.others.extend(sequence.iter().filter(is_home).map(|row| row.given));
            }
            let rules: Vec<Value<'static>> = sequence.into_iter().map(|row| row.rule).collect();
            if rules == here {
                continue;
            }
            let mut body = held.slots[slot].clone();
            self.pieces.set_rules(body.as_node_mut(), rules);
            let text = merged.text.as_deref().unwrap_or(document);
            if let Some(text) = self.view.put_at(slot + 1, text, body.as_node())? {
                merged.text = Some(text);
            }
        }
        Ok(merged)
    }
}

impl Merge<'_, '_> {
    /// Gives new rows an identity that no other slot has: there, it would say that both are one row.
    fn set_apart(&mut self) -> Vec<usize> {
        let pieces = &self.homes.pieces;
        let mut elsewhere: HashSet<String> = HashSet::new();
        for slot in self.held.listing.which.iter().skip(1) {
            for n in slot.iter().filter(|n| self.partner[**n].is_some()) {
                elsewhere.extend(self.held.listing.rows[*n].id.clone());
                elsewhere.insert(pieces.called(&self.known[*n]));
            }
        }
        let all = self.known.iter().chain(&self.given).map(|rule| pieces.called(rule));
        let mut free = Free::new(all.chain(self.held.listing.rows.iter().filter_map(|row| row.id.clone())));
        let mut renamed = Vec::new();
        for n in &self.new {
            let id = pieces.called(&self.given[*n]);
            if elsewhere.contains(&id) {
                let other = free.like(&id);
                pieces.call(&mut self.given[*n], Some(Value::text(other)));
                renamed.push(*n);
            }
        }
        renamed
    }

    /// The rows of a slot, in their order.
    fn sequence(&self, slot: usize, here: &[Value<'_>]) -> Vec<Placed> {
        let pieces = &self.homes.pieces;
        let new: &[usize] = if slot == 0 { &self.new } else { &[] };
        let kept: Vec<(usize, usize, usize)> = (self.held.listing.which[slot].iter().enumerate())
            .filter_map(|(k, known)| Some((k, *known, self.partner[*known]?)))
            .collect();
        let mut by_row: Vec<(usize, usize)> = kept.iter().map(|(_, known, given)| (*known, *given)).collect();
        by_row.sort_unstable();
        // Places are those in the piece or those in the slot, for all of its rows alike.
        let is_moved = !new.is_empty() || !by_row.is_sorted_by(|(_, a), (_, b)| self.in_order(*a, *b));
        let old = kept.iter().map(|&(k, known, given)| {
            let rule = self.edited(&self.given[given], &self.known[known], &here[k], is_moved);
            Placed { given, known: Some(known), rule }
        });
        let added = new.iter().map(|n| Placed { given: *n, known: None, rule: self.given[*n].clone() });
        let mut sequence: Vec<Placed> = old.chain(added).collect();
        if !new.is_empty() || !by_row.is_sorted_by_key(|(_, given)| *given) {
            sequence.sort_by_key(|row| row.given);
        }
        sequence.sort_by(|a, b| pieces.by_place(&a.rule, &b.rule));
        sequence
    }

    /// Whether one row that is given stands before another, or is the same.
    fn in_order(&self, one: usize, other: usize) -> bool {
        let pieces = &self.homes.pieces;
        match pieces.by_place(&self.given[one], &self.given[other]) {
            Ordering::Less => true,
            // Without places the sequence of the model counts, and is looked at by itself.
            Ordering::Equal => pieces.place().is_none() || one <= other,
            Ordering::Greater => false,
        }
    }

    /// A row as a slot has it, with what was edited since it was read.
    fn edited(&self, given: &Value<'_>, known: &Value<'_>, here: &Value<'_>, is_moved: bool) -> Value<'static> {
        let (Value::Object(given), Value::Object(own)) = (given, here) else { return given.clone().into_owned() };
        let is_edited = |key: &str, value| match self.homes.pieces.place() {
            Some(place) if place == key => is_moved,
            _ => known.get(key) != Some(value),
        };
        let mut row = Vec::new();
        for (key, value) in given {
            if is_edited(key, value) {
                row.push((key.clone(), value.clone()));
            } else if let Some(value) = here.get(key) {
                row.push((key.clone(), value.clone()));
            }
        }
        let is_there = |key: &str| given.iter().any(|(other, _)| other == key);
        row.extend(own.iter().filter(|(key, _)| !is_there(key) && known.get(key).is_none()).cloned());
        Value::Object(row).into_owned()
    }
}

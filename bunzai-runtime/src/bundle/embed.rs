//! Pieces on their way into the slots of a document.

use std::collections::{HashMap, HashSet};

use super::homes::{Held, Homes};
use super::names::Free;
use super::pieces::PieceRow;
use crate::entity::AnyEntity;
use crate::error::Result;

/// A piece of a bundle, and which one it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'b> {
    pub(super) n: usize,
    pub(super) entity: &'b AnyEntity,
}

/// A row of a piece of a bundle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) piece: usize,
    pub(super) row: usize,
}

/// The slots of one declaration that were written.
#[derive(Debug)]
pub(super) struct Written<'b> {
    pub(super) homes: Homes<'b>,
    /// For every row that is to be read back: the rows of pieces that it stands for.
    pub(super) rows: Vec<Vec<Origin>>,
    /// The pieces in them.
    pub(super) pieces: Vec<usize>,
    /// The rows that got another identity.
    pub(super) renamed: Vec<Origin>,
}

/// A document with the pieces that are in its slots so far.
#[derive(Debug)]
pub(super) struct Embedding<'b> {
    homes: Homes<'b>,
    pub(super) document: String,
    /// The rows of the first slot, and those that only stand in others: which rows of pieces they are.
    first: Vec<Vec<Origin>>,
    others: Vec<Vec<Origin>>,
    pieces: Vec<usize>,
    renamed: Vec<Origin>,
    /// What the rows that are there are called in the model.
    called: Vec<String>,
}

/// Rows of pieces from elsewhere, to be appended to a document.
#[derive(Debug, Default)]
struct Added {
    rows: Vec<String>,
    /// For every row of the document and then for every one to be appended: the rows of these pieces
    /// that it stands for.
    origins: Vec<Vec<Origin>>,
    renamed: Vec<Origin>,
    /// What the rows say under their identities, and which rows these are.
    known: HashMap<Said, Vec<usize>>,
    /// The identities that the rows have.
    ids: HashSet<String>,
    free: Free,
}

/// An identity, and what a row says under it.
type Said = (String, String);

impl<'b> Embedding<'b> {
    pub(super) fn new(homes: Homes<'b>, document: &str) -> Self {
        Self {
            homes,
            document: document.to_owned(),
            first: Vec::new(),
            others: Vec::new(),
            pieces: Vec::new(),
            renamed: Vec::new(),
            called: Vec::new(),
        }
    }

    /// Leaves the rows as they are that the slots hold; they are of no piece.
    pub(super) fn keep(&mut self, held: &Held) {
        let in_first = held.listing.in_first();
        self.first = vec![Vec::new(); in_first];
        self.others = vec![Vec::new(); held.listing.rows.len() - in_first];
        let rules = self.homes.pieces.rules(held.body.as_node());
        self.called = rules.iter().map(|rule| self.homes.pieces.called(rule)).collect();
    }

    /// Writes the piece over the rows that was taken out of them; without one all of them go.
    pub(super) fn put(&mut self, held: &Held, own: Option<Piece<'_>>) -> Result<()> {
        let given = own.map(|own| self.homes.pieces.rules_of(own.entity)).unwrap_or_default();
        self.called = given.iter().map(|rule| self.homes.pieces.called(rule)).collect();
        let merged = self.homes.merge(&self.document, held, given)?;
        if let Some(text) = merged.text {
            self.document = text;
        }
        let Some(Piece { n, .. }) = own else { return Ok(()) };
        let origin = |row| Origin { piece: n, row };
        self.first = merged.first.into_iter().map(|row| vec![origin(row)]).collect();
        self.others = merged.others.into_iter().map(|row| vec![origin(row)]).collect();
        self.renamed = merged.renamed.into_iter().map(origin).collect();
        self.pieces.push(n);
        Ok(())
    }

    /// Appends pieces from elsewhere to the first slot. Where that cannot be made, none of them is
    /// there.
    pub(super) fn add(&mut self, foreign: &[Piece<'_>]) -> Result<()> {
        if foreign.is_empty() {
            return Ok(());
        }
        let pieces = foreign.iter().map(|piece| Ok((piece.n, self.homes.pieces.rows_of(piece.entity)?)));
        let pieces = pieces.collect::<Result<Vec<_>>>()?;
        let mut added = self.before(&pieces);
        for (n, rows) in pieces {
            added.take(&self.homes, n, rows);
        }
        if !added.rows.is_empty() {
            match self.homes.append(&self.document, &added.rows)? {
                Some(text) => self.document = text,
                None => return Ok(()),
            }
        }
        self.pieces.extend(foreign.iter().map(|piece| piece.n));
        self.renamed.append(&mut added.renamed);
        let mut origins = added.origins.into_iter();
        for (row, more) in self.first.iter_mut().chain(&mut self.others).zip(&mut origins) {
            row.extend(more);
        }
        self.first.extend(origins);
        Ok(())
    }

    /// What is in the document before pieces are added.
    fn before(&self, pieces: &[(usize, Vec<PieceRow>)]) -> Added {
        let mut added = Added { ids: self.called.iter().cloned().collect(), ..Added::default() };
        let listed = self.homes.listing(&self.document).rows;
        added.origins.resize(listed.len(), Vec::new());
        for (k, row) in listed.into_iter().enumerate() {
            let Some(id) = row.id else { continue };
            added.ids.insert(id.clone());
            added.known.entry((id, said(&self.document[row.span]))).or_default().push(k);
        }
        let rows = pieces.iter().flat_map(|(_, rows)| rows);
        let coming = rows.flat_map(|row| row.id.iter().chain(row.row.as_ref().map(|(_, called)| called)));
        added.free = Free::new(added.ids.iter().chain(coming).cloned());
        added
    }

    /// The document, and what was written into it.
    pub(super) fn done(self) -> (String, Written<'b>) {
        let Self { homes, document, first, others, pieces, renamed, .. } = self;
        let rows = first.into_iter().chain(others).collect();
        (document, Written { homes, rows, pieces, renamed })
    }
}

impl Added {
    /// Adds the rows of a piece. A row that was there before the piece, the same under the same
    /// identity, is not added again; each stands for one row of the piece.
    fn take(&mut self, homes: &Homes<'_>, piece: usize, rows: Vec<PieceRow>) {
        let mut met: HashMap<Said, usize> = HashMap::new();
        let mut new: Vec<(Said, usize)> = Vec::new();
        for PieceRow { mut text, id, row } in rows {
            let origin = row.as_ref().map(|(row, _)| Origin { piece, row: *row });
            if let Some(id) = id {
                let mut key = (id, said(&text));
                if let Some(there) = self.known.get(&key) {
                    let count = met.entry(key.clone()).or_default();
                    *count += 1;
                    if let Some(k) = there.get(*count - 1) {
                        self.origins[*k].extend(origin);
                        continue;
                    }
                }
                if self.ids.contains(&key.0) {
                    let other = self.another(&key.0, row.as_ref().map(|(_, called)| called));
                    text = homes.pieces.renamed(&text, &other);
                    self.renamed.extend(origin);
                    key = (other, said(&text));
                }
                new.push((key, self.origins.len()));
            }
            self.origins.push(origin.into_iter().collect());
            self.rows.push(text);
        }
        for (key, k) in new {
            self.ids.insert(key.0.clone());
            self.known.entry(key).or_default().push(k);
        }
    }

    /// Another identity for a row: what it is called in the model where that is none's, since equal
    /// ones of a document are told apart there.
    fn another(&mut self, id: &str, called: Option<&String>) -> String {
        match called.filter(|called| *called != id && !self.ids.contains(*called)) {
            Some(called) => called.clone(),
            None => self.free.like(id),
        }
    }
}

/// What a row says, whatever its layout and the order of its keys.
fn said(row: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<serde_json::Value>(row) else { return row.to_owned() };
    value.sort_all_objects();
    value.to_string()
}

//! What rows and joins claim of the canonical type.

use bunzai_runtime::map::{
    Cell, Fill, Inner, Join, Literal, Part, Piece, Rest, Row, Spelling, Str, Table as Relation, Tie, Wire,
};

use super::{Lower, Owner, PartClaims, Wanted};
use crate::tree::{Loc, Table};

impl Lower<'_> {
    /// What the words of a row claim of its targets.
    pub(super) fn claim_row(&mut self, table: &Table, row: &Row, claims: &mut PartClaims) {
        let to = table.get("to").map_or(Loc::default(), |tree| tree.loc);
        let loc = |word: &str| table.get(word).map_or(to, |tree| tree.loc);
        if let Inner::Flags(flags) = &row.inner {
            for (_, path) in flags.iter() {
                claims.row(path, loc("flags"), &[(Wanted::Bool, loc("flags"))]);
                claims.set(path, true, Owner::Row, loc("flags"));
            }
        }
        let spells = |one: Spelling| {
            let also = row.also.iter().map(|also| &also.spelled);
            also.chain([&row.spelled]).any(|spelled| spelled.links.iter().any(|link| link.contains(&one)))
        };
        for path in row.to.iter() {
            let mut wants = vec![match &row.inner {
                Inner::Each(_) => (Wanted::List, loc("each")),
                Inner::Map(_) => (Wanted::Node, loc("map")),
                Inner::Word(word) => (Wanted::Cell(word.clone()), loc("has")),
                Inner::Gather => (Wanted::Bool, loc("gather")),
                Inner::Value | Inner::Flags(_) => (Wanted::Leaf, to),
            }];
            let tables: Vec<usize> =
                row.also.iter().map(|also| &also.spelled).chain([&row.spelled]).filter_map(|s| s.table).collect();
            if tables.is_empty() && matches!(row.inner, Inner::Value) {
                if [Spelling::Bool, Spelling::BoolText, Spelling::BoolInt, Spelling::Not].into_iter().any(spells) {
                    wants.push((Wanted::Bool, loc("as")));
                }
                if spells(Spelling::Number) || spells(Spelling::NumberText) {
                    wants.push((Wanted::Number, loc("as")));
                }
                if spells(Spelling::Trim) || !matches!(row.wire, Wire::At(_)) {
                    wants.push((Wanted::Text, loc("as")));
                }
                if row.spelled.links.is_empty() && row.text.is_empty() && !row.is.is_empty() {
                    wants.push((Wanted::Is(row.is), loc("is")));
                }
            }
            if spells(Spelling::Unique) {
                wants.push((Wanted::List, loc("as")));
            }
            if row.clamp.is_some() {
                wants.push((Wanted::Number, loc("clamp")));
            }
            match &row.or {
                None | Some(Fill::Wire { .. }) => {}
                Some(Fill::Is(literal)) => wants.push((Wanted::Fits(literal.clone()), loc("or"))),
                Some(Fill::Count { word, .. }) if word.is_empty() => wants.push((Wanted::Number, loc("or"))),
                Some(_) => wants.push((Wanted::Text, loc("or"))),
            }
            if row.keep_null {
                wants.push((Wanted::Nullable, loc("null")));
            }
            for table in tables.iter().filter_map(|n| self.tables.get(*n)) {
                wants.extend(constants(table, 0).map(|cell| (Wanted::Cell(cell.clone()), loc("table"))));
            }
            claims.row(path, to, &wants);
            if matches!(row.inner, Inner::Map(_)) {
                continue;
            }
            let owner = if matches!(row.inner, Inner::Word(_)) { Owner::Word } else { Owner::Row };
            // Of a row in a list every import of that row sets it.
            let always = row.or.is_some() || row.need || owner == Owner::Word || matches!(row.inner, Inner::Gather);
            claims.set(path, always, owner, to);
        }
        for (word, fill) in [("or", &row.or), ("fresh", &row.fresh)] {
            for path in fill.iter().flat_map(fill_paths) {
                claims.row(path, loc(word), &[(Wanted::Text, loc(word))]);
            }
        }
        let path = row.to.first();
        match (&row.inner, path) {
            (Inner::Each(each), Some(path)) => claims.opens.push((each.part, format!("{path}[]"))),
            (Inner::Map(part), path) => claims.opens.push((*part, path.map_or_else(String::new, |p| p.to_string()))),
            _ => {}
        }
    }

    /// What a join claims of its targets.
    pub(super) fn claim_join(&self, join: &Join, loc: Loc, claims: &mut PartClaims) {
        for (n, path) in join.to.iter().enumerate() {
            let (wants, always) = match join.tie {
                Tie::Via(_) => (Vec::new(), false),
                Tie::Table(table) => {
                    let Some(table) = self.tables.get(table) else { continue };
                    let sets = |row: &bunzai_runtime::map::TableRow| {
                        row.wire.iter().all(|cell| *cell == Cell::Any) && matches!(row.model.get(n), Some(Cell::Is(_)))
                    };
                    let wants = constants(table, n).map(|cell| (Wanted::Cell(cell.clone()), loc));
                    (wants.collect(), table.rows.iter().any(sets))
                }
            };
            claims.row(path, loc, &wants);
            claims.set(path, always, Owner::Join, loc);
        }
    }

    /// What is claimed of the object for the keys without a row.
    pub(super) fn claim_rest(&self, rest: &Rest, loc: Loc, claims: &mut PartClaims) {
        claims.row(&rest.to, loc, &[(Wanted::Open, loc)]);
        claims.set(&rest.to, false, Owner::Row, loc);
    }

    /// A slot has one writer: what a join writes, no mapped row owns and no other join writes.
    pub(super) fn check_writers(&mut self, part: &Part, joins: &[(Join, Loc)]) {
        for (n, (join, loc)) in joins.iter().enumerate() {
            for (column, slot) in join.wire.iter().enumerate() {
                if !self.is_writer(join, column) {
                    continue;
                }
                let is_slot = |row: &&Row| matches!(&row.wire, Wire::At(steps) if steps == slot);
                let mapped = |row: &Row| !row.to.is_empty() || !matches!(row.inner, Inner::Value);
                let by_row = part.rows.iter().find(is_slot).is_some_and(mapped);
                let by_join = joins[..n].iter().any(|(other, _)| {
                    other
                        .wire
                        .iter()
                        .enumerate()
                        .any(|(column, other_slot)| other_slot == slot && self.is_writer(other, column))
                });
                if by_row || by_join {
                    let name = super::path::shown(slot);
                    let other = if by_row { "its row" } else { "another join" };
                    self.add("B013", *loc, format!("the slot `{name}` is written by this join and by {other}"));
                }
            }
        }
    }

    /// Whether a join ever writes the slot of a column.
    fn is_writer(&self, join: &Join, column: usize) -> bool {
        match join.tie {
            Tie::Via(_) => true,
            Tie::Table(table) => self.tables.get(table).is_some_and(|table| {
                let rows = table.rows.iter().chain(table.write.iter());
                rows.filter_map(|row| row.wire.get(column)).any(|cell| matches!(cell, Cell::Is(_) | Cell::None))
            }),
        }
    }
}

/// The constants in a column on the model side of a table.
fn constants(table: &Relation, column: usize) -> impl Iterator<Item = &Literal> {
    let rows = table.rows.iter().chain(table.write.iter());
    rows.filter_map(move |row| row.model.get(column)).filter_map(|cell| match cell {
        Cell::Is(literal) => Some(literal),
        Cell::Any | Cell::Some | Cell::None => None,
    })
}

/// The canonical paths a derived value is made of.
fn fill_paths(fill: &Fill) -> Vec<&Str> {
    match fill {
        Fill::Slug { path, .. } => vec![path],
        Fill::Concat(pieces) => {
            let paths = pieces.iter().filter_map(|piece| match piece {
                Piece::Path(path) => Some(path),
                Piece::Is(_) => None,
            });
            paths.collect()
        }
        Fill::Is(_) | Fill::FileStem | Fill::FileName | Fill::Count { .. } | Fill::Wire { .. } => Vec::new(),
    }
}

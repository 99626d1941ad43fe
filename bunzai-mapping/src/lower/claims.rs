//! What rows and joins claim of the canonical type.

use bunzai_runtime::map::{
    Cell, Each, Else, Fill, Inner, Join, Literal, Part, Piece, Rest, Row, Spelled, Spelling, Step, Str, TableRow, Text,
    Tie, Types, Wire,
};

use super::table::Side;
use super::{Choice, Lower, Opens, Owner, PartClaims, Wanted};
use crate::tree::{Loc, Table};

impl Lower<'_> {
    /// What the words of a row claim of its targets; `slot` is its wire path.
    pub(super) fn claim_row(&mut self, slot: &str, table: &Table, row: &Row, claims: &mut PartClaims) {
        let to = table.get("to").map_or(Loc::default(), |tree| tree.loc);
        let loc = |word: &str| table.get(word).map_or(to, |tree| tree.loc);
        if let Inner::Flags(flags) = &row.inner {
            for (_, path) in flags.iter() {
                claims.row(path, loc("flags"), &[(Wanted::Bool, loc("flags"))]);
                claims.set(path, true, Owner::Row, None, loc("flags"));
            }
        }
        for path in row.to.iter() {
            claims.row(path, to, &self.wants(table, row, path));
            let owner = match &row.inner {
                Inner::Map(_) => continue,
                Inner::Word(word) => Owner::Word(word.clone()),
                Inner::Each(_) => Owner::Rows,
                Inner::Gather => Owner::Gathered,
                Inner::Value | Inner::Flags(_) => Owner::Row,
            };
            // What goes into the items of a list makes them, and is in each.
            let into_items = path.contains("[]") && matches!(row.inner, Inner::Value);
            let always = row.wire == Wire::Index
                || into_items
                || row.or.is_some()
                || row.need
                || matches!(row.inner, Inner::Gather | Inner::Word(_));
            claims.set(path, always, owner, Some(slot), to);
        }
        for (word, fill) in [("or", &row.or), ("fresh", &row.fresh)] {
            for path in fill.iter().flat_map(fill_paths) {
                claims.row(path, loc(word), &[(Wanted::Text, loc(word))]);
            }
        }
        let path = row.to.first();
        match (&row.inner, path) {
            (Inner::Each(each), Some(path)) => Self::claim_rows(each, path, table, to, claims),
            (Inner::Map(part), path) => {
                let path = path.map_or_else(String::new, |path| path.to_string());
                claims.opens.push(Opens { part: *part, path, by: None, choice: None });
            }
            _ => {}
        }
    }

    /// What a list of rows claims, and the maps it opens.
    fn claim_rows(each: &Each, path: &str, table: &Table, to: Loc, claims: &mut PartClaims) {
        let by = each.by.as_ref().map(ToString::to_string);
        let mut open = |parts: Vec<usize>, path: String, by: Option<String>, among: usize| {
            let count = parts.len();
            for (number, part) in parts.into_iter().enumerate() {
                let choice = (count > 1).then_some(Choice { among: to.start + among, number, count });
                claims.opens.push(Opens { part, path: path.clone(), by: by.clone(), choice });
            }
        };
        open([each.part].into_iter().chain(each.others.iter().copied()).collect(), format!("{path}[]"), by.clone(), 0);
        if let Some(part) = each.order.as_ref().and_then(|order| order.part) {
            open(vec![part], format!("{path}[]"), None, 0);
        }
        // The dialects of one list are instead of each other, as the levels of one dialect are.
        let mut lists: Vec<&Str> = each.heads.iter().map(|heads| &heads.to).collect();
        lists.sort_unstable();
        lists.dedup();
        let loc = table.get("heads").map_or(to, |tree| tree.loc);
        for (n, list) in lists.into_iter().enumerate() {
            let dialects = || each.heads.iter().filter(|heads| heads.to == *list);
            let groups = format!("{list}[]");
            open(
                dialects().flat_map(|heads| heads.levels.iter().copied()).collect(),
                groups.clone(),
                by.clone(),
                n + 1,
            );
            let mut items: Vec<usize> = dialects().filter_map(|heads| heads.item).collect();
            items.sort_unstable();
            items.dedup();
            open(items, groups.clone(), None, n + 1 + each.heads.len());
        }
        for (n, heads) in each.heads.iter().enumerate() {
            let fill = format!("{path}[].{}", heads.fill);
            claims.row(&fill, loc, &[(Wanted::AnyText, loc)]);
            if each.heads[..n].iter().all(|other| other.fill != heads.fill) {
                claims.set(&fill, false, Owner::Row, None, loc);
            }
            if each.heads[..n].iter().all(|other| other.to != heads.to) {
                claims.row(&heads.to, loc, &[(Wanted::List, loc)]);
                claims.set(&heads.to, false, Owner::Rows, None, loc);
            }
            if let Some(up) = &heads.up {
                let up = format!("{}[].{up}", heads.to);
                claims.row(&up, loc, &[(Wanted::AnyText, loc)]);
                let is_new = |other: &bunzai_runtime::map::Heads| other.to != heads.to || other.up != heads.up;
                if each.heads[..n].iter().all(is_new) {
                    claims.set(&up, false, Owner::Row, None, loc);
                }
            }
        }
    }

    /// What the words of a row claim of one of its targets.
    fn wants(&self, table: &Table, row: &Row, path: &Str) -> Vec<(Wanted, Loc)> {
        let to = table.get("to").map_or(Loc::default(), |tree| tree.loc);
        let loc = |word: &str| table.get(word).map_or(to, |tree| tree.loc);
        let spelled: Vec<&Spelled> = row.also.iter().map(|also| &also.spelled).chain([&row.spelled]).collect();
        let spells = |one: Spelling| spelled.iter().any(|spelled| spelled.links.iter().any(|link| link.contains(&one)));
        let tables: Vec<usize> = spelled.iter().filter_map(|spelled| spelled.table).collect();
        let mut wants = vec![match &row.inner {
            Inner::Each(_) => (Wanted::List, loc("each")),
            Inner::Map(_) => (Wanted::Node, loc("map")),
            Inner::Word(word) => (Wanted::Cell(word.clone()), loc("has")),
            Inner::Gather => (Wanted::Bool, loc("gather")),
            Inner::Value | Inner::Flags(_) => (Wanted::Leaf, to),
        }];
        if let (Inner::Value, [first, _, ..]) = (&row.inner, &row.to[..]) {
            wants.push((Wanted::Alike(first.to_string()), to));
        }
        if tables.is_empty() && matches!(row.inner, Inner::Value) {
            if [Spelling::Bool, Spelling::BoolText, Spelling::BoolInt, Spelling::Not].into_iter().any(spells) {
                wants.push((Wanted::Bool, loc("as")));
            }
            if spells(Spelling::Number) || spells(Spelling::NumberText) {
                wants.push((Wanted::Number, loc("as")));
            }
            if spells(Spelling::Trim) || matches!(row.wire, Wire::FileStem | Wire::FileName) {
                wants.push((Wanted::Text, loc("as")));
            }
            if row.wire == Wire::Index {
                wants.push((Wanted::Number, to));
            }
            // The items of a list go to the rows of another.
            let is_list_of_items = path.contains("[]") && row.is.meets(Types::LIST);
            if row.spelled.links.is_empty() && row.text.is_empty() && !row.is.is_empty() && !is_list_of_items {
                wants.push((Wanted::Is(row.is), loc("is")));
            }
        }
        let is_one = |text: &Text| matches!(text, Text::Wrap(_));
        let is_list = |text: &Text| matches!(text, Text::Lone | Text::Split(_));
        if let (Inner::Value, Some(_)) = (&row.inner, row.text.iter().find(|text| is_one(text))) {
            wants.push((Wanted::One, loc("wrap")));
            wants.extend(tables.is_empty().then(|| (Wanted::Text, loc("wrap"))));
        }
        // A path through a list has one item of the slot in each of its rows.
        if let (false, Some(text)) = (path.contains("[]"), row.text.iter().find(|text| is_list(text))) {
            wants.push((Wanted::List, loc(if *text == Text::Lone { "lone" } else { "as" })));
        }
        if spells(Spelling::Unique) && !path.contains("[]") {
            wants.push((Wanted::List, loc("as")));
        }
        if row.clamp.is_some() {
            wants.push((Wanted::Number, loc("clamp")));
        }
        match &row.or {
            None | Some(Fill::Wire { .. }) => {}
            // What is fit for the items of a list is told elsewhere.
            Some(Fill::Is(_)) if path.contains("[]") && !matches!(row.inner, Inner::Gather) => {}
            Some(Fill::Is(literal)) => wants.push((Wanted::Fits(literal.clone()), loc("or"))),
            Some(Fill::Count { word, .. }) if word.is_empty() => wants.push((Wanted::Number, loc("or"))),
            Some(_) => wants.push((Wanted::AnyText, loc("or"))),
        }
        let is_plain = row.spelled == Spelled::default() && row.text.is_empty() && row.also.is_empty();
        if let (Some(Fill::Is(literal)), Inner::Value, true, false) =
            (&row.fresh, &row.inner, is_plain, path.contains("[]"))
            && !matches!(literal, Literal::Null | Literal::Absent)
        {
            wants.push((Wanted::Fits(literal.clone()), loc("fresh")));
        }
        // An item that no row knows is left out, and nothing else.
        if tables.iter().filter_map(|n| self.tables.get(*n)).any(|table| table.other == Else::Last) {
            wants.push((Wanted::One, loc("table")));
        }
        if row.keep_null {
            wants.push((Wanted::Nullable, loc("null")));
        }
        for cell in tables.iter().filter_map(|n| self.cells.get(*n)).flatten().filter(|cell| cell.side == Side::Model) {
            wants.push((Wanted::Cell(cell.literal.clone()), cell.loc));
        }
        wants
    }

    /// What a join claims of its targets.
    pub(super) fn claim_join(&self, join: &Join, loc: Loc, claims: &mut PartClaims) {
        for (n, path) in join.to.iter().enumerate() {
            let (wants, always) = match join.tie {
                Tie::Via(_) => (Vec::new(), false),
                Tie::Table(index) => {
                    let Some(table) = self.tables.get(index) else { continue };
                    let sets = |row: &TableRow| {
                        row.wire.iter().all(|cell| *cell == Cell::Any) && matches!(row.model.get(n), Some(Cell::Is(_)))
                    };
                    let cells = self.cells.get(index).into_iter().flatten();
                    let cells = cells.filter(|cell| cell.side == Side::Model && cell.column == n);
                    let wants = cells.map(|cell| (Wanted::Fits(cell.literal.clone()), cell.loc));
                    (wants.collect(), table.rows.iter().any(sets))
                }
            };
            claims.row(path, loc, &wants);
            claims.set(path, always, Owner::Join, None, loc);
        }
    }

    /// What is claimed of the object for the keys without a row.
    pub(super) fn claim_rest(&self, rest: &Rest, loc: Loc, claims: &mut PartClaims) {
        claims.row(&rest.to, loc, &[(Wanted::Open, loc)]);
        claims.set(&rest.to, false, Owner::Rest, None, loc);
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
                // A row that is there keeps what tells it apart; a join names new ones.
                let is_key = self.keys.iter().any(|key| matches!(&slot[..], [Step::Key(only)] if only == key));
                let by_row = part.rows.iter().find(is_slot).is_some_and(mapped) && !is_key;
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
                let column = column + join.see.len();
                rows.filter_map(|row| row.wire.get(column)).any(|cell| matches!(cell, Cell::Is(_) | Cell::None))
            }),
        }
    }
}

/// The canonical paths a derived value is made of.
pub(super) fn fill_paths(fill: &Fill) -> Vec<&Str> {
    match fill {
        Fill::Slug { path, .. } | Fill::Words { path, .. } => vec![path],
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

//! Laying the model beside the rows of a twin.

use super::super::Pass;
use super::super::export::{Export, Scope};
use super::super::gate::Truth;
use super::super::order::{arrange, edit_items, items_for};
use super::super::plan::{RowPlan, RowsPlan, WovenPlan};
use super::super::rows::{Identity, Listing, Made, NewKeys, Reader, pair_all, shown};
use super::{How, Of, Reading, Weave};
use crate::json::{Cursor, Patches, Value};
use crate::map::Gone;
use crate::model::{List, Open, View};

impl<'p> Export<'p> {
    /// Compares rows that several maps read with those of the model, and edits them where they
    /// differ; false when the slot as a whole is to be written.
    pub(in super::super) fn woven(
        &mut self,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        scope: &Scope<'p, '_>,
        cursor: &mut Cursor<'_>,
        listing: Listing<'_, '_>,
        patches: &mut Patches,
    ) -> Pass<bool> {
        let (true, Some(woven)) = (cursor.peek()? == rows.opens_with(), &rows.woven) else {
            return Ok(self.default_is(row, scope));
        };
        let reading = rows.reading(woven, cursor, listing.ids.clone())?;
        let Some(list) = row.list(scope.node) else {
            return Ok(reading.twins.is_empty() && row.row.omit_blank || row.row.gone == Gone::Keep);
        };
        let dialect = reading.dialect.or_else(|| woven.dialect_for(scope.node));
        let weave = Weave::new(rows, woven, list, scope.node, dialect);
        // What the gate asks of the rows was asked when they were met.
        let truth = std::mem::replace(&mut self.truth, Truth::silent());
        let done = Beside { rows, woven, scope, reading, weave }.put(self, list, listing, patches);
        self.truth = truth;
        done.map(|()| true)
    }
}

/// The model beside the rows of a twin.
struct Beside<'p, 't, 's, 'm> {
    rows: &'p RowsPlan,
    woven: &'p WovenPlan,
    scope: &'s Scope<'p, 'm>,
    reading: Reading<'t>,
    weave: Weave<'p, 'm>,
}

impl<'p> Beside<'p, '_, '_, '_> {
    fn put(
        &self,
        export: &mut Export<'p>,
        list: &dyn List,
        Listing { ids, patches: outer }: Listing<'_, '_>,
        patches: &mut Patches,
    ) -> Pass {
        let Self { rows, reading, weave, .. } = self;
        let pairs = self.pairs(export, list)?;
        let mut strands = vec![None; reading.of.len()];
        for (n, row) in pairs.iter().enumerate() {
            if let Some(row) = row {
                strands[*row] = Some(n);
            }
        }
        let read: Vec<usize> = reading.read.rows.iter().filter_map(|row| strands[*row]).collect();
        let sequence = weave.sequence(&read);
        let mark = patches.mark();
        let keys = NewKeys::new(rows, list, &reading.twins);
        let made = self.put_rows(export, &pairs, &sequence, keys, patches)?;
        let in_order = made.len() == reading.of.len()
            && made.iter().map(|made| made.twin).eq(reading.read.rows.iter().copied().map(Some));
        let (Some(listed_items), Some(order), Some(mut ids)) = (&reading.items, &rows.order, ids) else {
            if !in_order {
                let sequence: Vec<usize> = (0..made.len()).collect();
                reading.twins.edit(rows, &made, &sequence, mark, patches);
            }
            return Ok(());
        };
        let items = reading.item_of();
        let must = self.must_be_listed(export, &made, &sequence, &items)?;
        let called: Vec<Option<String>> = made
            .iter()
            .map(|made| match (made.twin, &made.value) {
                (Some(twin), _) => reading.named[twin].clone(),
                (None, Some(value)) => order.id_in(rows, value),
                (None, None) => None,
            })
            .collect();
        let arranged = (!in_order || !must.is_empty()).then(|| arrange(&made, &called, &reading.read, &must));
        let listed = arranged.as_ref().map(|arranged| {
            let fresh = export.fresh();
            items_for(arranged, &made, &reading.read, |n| {
                let id = called[n].clone().unwrap_or_default();
                self.rows.new_item(weave.how(sequence[n]), weave.strands[sequence[n]].node, id, &fresh)
            })
        });
        export.in_text(&order.slot, &mut ids, outer, |export, cursor, patches| {
            let mark = patches.mark();
            for (made, n) in made.iter().zip(&sequence) {
                let item = made.twin.and_then(|twin| items[twin]).and_then(|item| listed_items.at(item));
                let (Some(mut at), Some(frame)) = (item, self.twin_how(made.twin).item) else { continue };
                let scope = Scope { frame, node: weave.strands[*n].node, index: *n, key: None };
                export.frame(&scope, &mut at, patches, Identity::None)?;
            }
            match listed {
                Some(listed) => edit_items(cursor, &reading.read, &listed, mark, patches),
                None => Ok(()),
            }
        })?;
        if let Some(arranged) = arranged.filter(|_| !in_order) {
            reading.twins.edit(rows, &made, &arranged.array, mark, patches);
        }
        Ok(())
    }

    /// How a row of the twin is read.
    fn twin_how(&self, twin: Option<usize>) -> How<'p> {
        let of = twin.map_or(Of::Row(0), |twin| self.reading.of[twin]);
        self.rows.how(self.woven, self.reading.dialect, of)
    }

    /// For each row of the model, and each group, the row of the twin that it is.
    fn pairs(&self, export: &mut Export<'p>, list: &dyn List) -> Pass<Vec<Option<usize>>> {
        let Self { rows, reading, weave, .. } = self;
        let groups = reading.dialect.map(|n| self.woven.dialects[n].to.view(self.scope.node));
        let groups = match groups {
            Some(View::List(list)) => Some(list),
            _ => None,
        };
        let list_of = |of: Of| if of.is_head() { groups } else { Some(list) };
        let mut wire = Vec::with_capacity(reading.of.len());
        for (row, of) in reading.of.iter().enumerate() {
            let reader = self.twin_how(Some(row)).own(reading.items.is_some());
            wire.push(export.wire_identity(reader, list_of(*of), &reading.twins, row)?);
        }
        let settled = reading.settle(rows.ids, wire);
        let twins: Vec<_> = settled.iter().zip(&reading.of).map(|(id, of)| Some((of.is_head(), id.clone()))).collect();
        let groups = reading.groups();
        let dialect = reading.dialect.map(|n| &self.woven.dialects[n]);
        let model: Vec<_> = (0..weave.strands.len()).map(|n| weave.identity(n)).collect();
        let items = reading.item_of();
        let twin_says = |row: usize, (_, id): &(bool, String)| {
            let Some(list) = list_of(reading.of[row]) else { return Ok(String::new()) };
            let how = self.twin_how(Some(row));
            let mut item = list.blank();
            let cursor = reading.twins.cursor(row);
            export.decode(how.own(reading.items.is_some()), false, cursor, row, id, &mut *item)?;
            if let (Some(listed), Some(frame)) = (&reading.items, how.item) {
                let reader = Reader { frame, by: None };
                let own = items[row].and_then(|item| listed.at(item));
                let text = own.unwrap_or_else(|| Cursor::new(&self.woven.unlisted));
                export.decode(reader, false, text, row, id, &mut *item)?;
            }
            let field = dialect.and_then(|dialect| dialect.names_group(reading.of[row]));
            if let (Some(group), Some(field), Open::Node(node)) = (groups[row], field, item.open()) {
                field.set(node, Value::text(settled[group].as_str()));
            }
            Ok(shown(item.view()))
        };
        let (pairs, guessed) = pair_all(&model, &twins, twin_says, |n| shown(weave.strands[n].field.view()))?;
        guessed.iter().for_each(|(_, id)| export.guessed(id));
        Ok(pairs)
    }

    fn put_rows(
        &self,
        export: &mut Export<'p>,
        pairs: &[Option<usize>],
        sequence: &[usize],
        mut keys: NewKeys,
        patches: &mut Patches,
    ) -> Pass<Vec<Made>> {
        let Self { reading, weave, .. } = self;
        let with_items = reading.items.is_some();
        let mut made = Vec::with_capacity(sequence.len());
        for n in sequence {
            let node = weave.strands[*n].node;
            made.push(match pairs[*n] {
                Some(row) => {
                    let Reader { frame, by } = self.twin_how(Some(row)).own(with_items);
                    let scope = Scope { frame, node, index: row, key: reading.twins.key(row) };
                    let identity = by.map_or(Identity::None, Identity::Known);
                    export.frame(&scope, &mut reading.twins.cursor(row), patches, identity)?;
                    Made { twin: Some(row), value: None, key: None }
                }
                None => {
                    let how = weave.how(*n);
                    let key = keys.next(how.own(true).identity(node).unwrap_or_default());
                    let scope = Scope { frame: how.own(with_items).frame, node, index: *n, key: key.as_deref() };
                    let value = export.fresh().value(&scope, true).into_owned();
                    Made { twin: None, value: Some(value), key }
                }
            });
        }
        Ok(made)
    }

    /// The rows of the twin that the list does not name, and that say something else than such rows
    /// do.
    fn must_be_listed(
        &self,
        export: &mut Export<'p>,
        made: &[Made],
        sequence: &[usize],
        items: &[Option<usize>],
    ) -> Pass<Vec<usize>> {
        let mut must = Vec::new();
        for (made, n) in made.iter().zip(sequence) {
            let Some(twin) = made.twin.filter(|twin| items[*twin].is_none()) else { continue };
            let Some(frame) = self.twin_how(made.twin).item else { continue };
            let scope = Scope { frame, node: self.weave.strands[*n].node, index: *n, key: None };
            let mut cursor = Cursor::new(&self.woven.unlisted);
            if !export.frame(&scope, &mut cursor, &mut Patches::default(), Identity::None)?.same {
                must.push(twin);
            }
        }
        Ok(must)
    }
}

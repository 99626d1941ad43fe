//! Reading them into the model.

use std::collections::HashSet;

use super::super::gate::Truth;
use super::super::import::{Entered, Import};
use super::super::layer::Layer;
use super::super::plan::{RowPlan, RowsPlan, WovenPlan};
use super::super::rows::Reader;
use super::super::target::Target;
use super::super::{At, Pass};
use super::{Of, Reading};
use crate::error::WarningKind;
use crate::json::{self, Cursor, Value};
use crate::model::{Field, List, Node, Open};

impl<'p> Import<'p> {
    /// Warns of the items of a list that keeps an order, should they be objects, which name no row.
    fn tell_items(
        &mut self,
        entered: Entered<'p>,
        rows: &'p RowsPlan,
        list: Option<Cursor<'_>>,
        naming: &HashSet<usize>,
        named: &[Option<String>],
    ) -> Pass {
        let (Some(mut list), Some(order)) = (list, rows.order.as_ref().filter(|order| order.by.is_some())) else {
            return Ok(());
        };
        let length = self.walk.path.len();
        self.walk.path.extend(self.picked.steps_to(entered.frame, order.place));
        match list.peek()? {
            b'[' => {
                let ids = order.ids(list.clone())?.unwrap_or_default();
                let named: HashSet<&String> = named.iter().flatten().collect();
                let names_a_row = |item: usize| ids.get(item).is_some_and(|id| id.iter().any(|id| named.contains(id)));
                let starts = json::items(list.source(), list.at())?.inside.into_iter().map(|item| item.start);
                for (item, start) in starts.enumerate().filter(|(item, _)| !naming.contains(item)) {
                    let is_object = Cursor::starting_at(list.source(), start, list.depth() + 1).peek()? == b'{';
                    self.walk.path.push(At::Index(item));
                    match is_object {
                        true if names_a_row(item) => {
                            self.walk
                                .warn(WarningKind::Other, "names a row that another item has named; it is passed over");
                        }
                        true => self.walk.warn(WarningKind::Other, "names no row; it is passed over"),
                        false => self.walk.warn(WarningKind::Type, "expected an object"),
                    }
                    self.walk.path.pop();
                }
            }
            b'n' => {}
            _ => self.walk.warn(WarningKind::Type, "expected a list"),
        }
        self.walk.path.truncate(length);
        Ok(())
    }

    /// Reads rows that could not be read where they were met; `cursor` is in the text of the frame.
    pub(in super::super) fn woven(
        &mut self,
        entered: Entered<'p>,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        cursor: &Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass {
        let (Some(woven), Some(place)) = (&rows.woven, row.place) else { return Ok(()) };
        let list = rows.order.as_ref().and_then(|order| self.at(entered, order.place, cursor));
        let inner;
        let start = match self.at(entered, place, cursor) {
            None => None,
            Some(mut here) => match row.slot.layer(&mut here)? {
                Layer::Plain => Some(here),
                Layer::Inside(inside) => {
                    inner = inside;
                    Some(Cursor::new(&inner.text))
                }
                Layer::Unreadable => None,
            },
        };
        let opens = |start: &Cursor<'_>| Ok::<_, crate::json::SyntaxError>(start.clone().peek()? == rows.opens_with());
        let Some(start) = start.map(|start| opens(&start).map(|is| is.then_some(start))).transpose()?.flatten() else {
            return self.tell_items(entered, rows, list, &HashSet::new(), &[]);
        };
        let reading = rows.reading(woven, &start, list.clone())?;
        // What the gate asks of the rows was asked when they were met.
        let truth = std::mem::replace(&mut self.truth, Truth::silent());
        let length = self.walk.path.len();
        let done = Strands { entered, row, rows, woven, reading: &reading, list }.read(self, scope);
        self.walk.path.truncate(length);
        self.truth = truth;
        done
    }
}

/// Rows that are being read.
struct Strands<'p, 't, 'r> {
    entered: Entered<'p>,
    row: &'p RowPlan,
    rows: &'p RowsPlan,
    woven: &'p WovenPlan,
    reading: &'r Reading<'t>,
    list: Option<Cursor<'t>>,
}

impl<'p> Strands<'p, '_, '_> {
    fn read(&self, import: &mut Import<'p>, scope: &mut dyn Node) -> Pass {
        let Reading { twins, of, read, .. } = self.reading;
        self.tell(import)?;
        let items = self.reading.item_of();
        // For each row its place in the list of the model that it goes to, and its identity there.
        let (mut at, mut own) = (Vec::with_capacity(of.len()), Vec::with_capacity(of.len()));
        let (mut rows, mut heads) = (0, 0);
        for (n, one) in of.iter().enumerate() {
            import.walk.row()?;
            let count = if one.is_head() { &mut heads } else { &mut rows };
            at.push(*count);
            *count += 1;
            let Some(target) = self.target(*one) else { continue };
            own.push(target.open(scope, |open| self.read_one(import, n, items[n], open))?);
        }
        let wire: Vec<_> = (0..own.len()).map(|n| own[n].clone().or_else(|| twins.key(n).map(str::to_owned))).collect();
        let ids = self.reading.settle(self.rows.ids, wire.clone());
        for (n, id) in ids.iter().enumerate().filter(|(n, id)| own[*n].as_ref() != Some(*id)) {
            self.rename(import, scope, (of[n], at[n]), id, wire[n].as_ref() != Some(id));
        }
        for (is_head, count) in [(false, rows), (true, heads)] {
            let order: Vec<usize> = read.rows.iter().filter(|n| of[**n].is_head() == is_head).map(|n| at[*n]).collect();
            let any = of.iter().find(|one| one.is_head() == is_head).and_then(|one| self.target(*one));
            if let Some(target) = any.filter(|_| order.len() == count && !order.is_sorted()) {
                with_list(target, scope, |list| list.reorder(&order));
            }
        }
        self.fill(scope, &ids);
        if rows == 0
            && self.row.row.omit_blank
            && let Some(route) = self.row.routes.first()
        {
            route.whole.clear(scope);
        }
        Ok(())
    }

    /// The list of the model that a row goes to.
    fn target(&self, of: Of) -> Option<&'p Target> {
        match of {
            Of::Row(_) => self.row.routes.first().map(|route| &route.whole),
            Of::Head(_) => self.reading.dialect.and_then(|n| self.woven.dialects.get(n)).map(|dialect| &dialect.to),
        }
    }

    /// Reads a row into a new item of its list; the answer is its identity, if it has one.
    fn read_one(&self, import: &mut Import<'p>, n: usize, item: Option<usize>, open: Open<'_>) -> Pass<Option<String>> {
        let Open::List(list) = open else { return Ok(None) };
        let Some(Open::Node(node)) = list.push().map(Field::open) else { return Ok(None) };
        let how = self.rows.how(self.woven, self.reading.dialect, self.reading.of[n]);
        let Reader { frame, by } = how.own(self.reading.items.is_some());
        let (start, twins) = (import.walk.path.len(), &self.reading.twins);
        self.step_to(import, self.row.place, twins.rows[n], twins.key(n));
        let named = import.frame(frame, &mut twins.cursor(n), node, n, by)?;
        import.walk.path.truncate(start);
        if let (Some(items), Some(frame)) = (&self.reading.items, how.item) {
            match item.and_then(|item| Some((item, items.at(item)?))) {
                Some((item, mut cursor)) => {
                    self.step_to(import, self.rows.order.as_ref().map(|order| order.place), item, None);
                    import.frame(frame, &mut cursor, node, n, None)?;
                    import.walk.path.truncate(start);
                }
                None => drop(import.frame(frame, &mut Cursor::new(&self.woven.unlisted), node, n, None)?),
            }
        }
        Ok(if named { Reader { frame, by }.identity(node) } else { None })
    }

    fn step_to(&self, import: &mut Import<'p>, place: Option<usize>, index: usize, key: Option<&str>) {
        let steps = place.map(|place| import.picked.steps_to(self.entered.frame, place)).unwrap_or_default();
        import.walk.path.extend(steps);
        import.walk.path.push(key.map_or(At::Index(index), |key| At::Name(key.to_owned())));
    }

    /// Gives a row the identity that it has not got itself: its key, or one that was made for it.
    fn rename(&self, import: &mut Import<'p>, scope: &mut dyn Node, (of, at): (Of, usize), id: &str, is_made: bool) {
        let how = self.rows.how(self.woven, self.reading.dialect, of);
        let (Some(target), Some(by)) = (self.target(of), how.by.map(|by| &how.frame.rows[by])) else { return };
        with_list(target, scope, |list| {
            if let (Some(Open::Node(node)), Some(route)) = (list.item_mut(at).map(Field::open), by.routes.first()) {
                route.whole.set(node, Value::text(id.to_owned()));
            }
        });
        if is_made {
            import.made.insert((by.serial, id.to_owned()));
        }
    }

    /// Says of every row which group it is in, and of every group which one is around it.
    fn fill(&self, scope: &mut dyn Node, ids: &[String]) {
        let Some(dialect) = self.reading.dialect.and_then(|n| self.woven.dialects.get(n)) else { return };
        let (groups, mut counts) = (self.reading.groups(), [0, 0]);
        for n in &self.reading.read.rows {
            let of = self.reading.of[*n];
            let count = &mut counts[usize::from(of.is_head())];
            let place = std::mem::replace(count, *count + 1);
            let (Some(group), Some(field), Some(target)) = (groups[*n], dialect.names_group(of), self.target(of))
            else {
                continue;
            };
            with_list(target, scope, |list| {
                if let Some(Open::Node(node)) = list.item_mut(place).map(Field::open) {
                    field.set(node, Value::text(ids[group].clone()));
                }
            });
        }
    }

    /// Warns of what is no row, and of items that name none.
    fn tell(&self, import: &mut Import<'p>) -> Pass {
        let Reading { twins, strangers, items, read, .. } = self.reading;
        for (places, message) in [
            (&twins.others, "expected an object; this is no row"),
            (strangers, "none of the rows known here; it is passed over"),
        ] {
            for place in places {
                let start = import.walk.path.len();
                self.step_to(import, self.row.place, *place, twins.key_at(*place));
                import.walk.warn(WarningKind::Type, message);
                import.walk.path.truncate(start);
            }
        }
        let start = import.walk.path.len();
        let nameless = self.reading.named.iter().enumerate().filter(|(_, name)| items.is_some() && name.is_none());
        for (row, _) in nameless {
            self.step_to(import, self.row.place, twins.rows[row], twins.key(row));
            import.walk.warn(WarningKind::Other, "the row has nothing that the list could name it by");
            import.walk.path.truncate(start);
        }
        let naming = items.iter().flat_map(|_| &read.items).copied().collect();
        import.tell_items(self.entered, self.rows, self.list.clone(), &naming, &self.reading.named)
    }
}

fn with_list(target: &Target, scope: &mut dyn Node, act: impl FnOnce(&mut dyn List)) {
    target.open(scope, |open| {
        if let Open::List(list) = open {
            act(list);
        }
    });
}

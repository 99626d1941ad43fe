//! What the rows of a map do not tell apart, written down for the comparison of reports.

use super::plan::{Frame, RowPlan, RowWay, RowsPlan, Way, WovenPlan};
use super::target::Step as Towards;
use crate::json::Value;
use crate::map::{Fill, Gone};
use crate::model::Quotients;

impl Frame {
    /// Says what the rows of this frame do not tell apart.
    pub(super) fn tell(&self, scope: &mut Quotients) {
        for (route, literal) in &self.stamps {
            let at = route.whole.quotients(scope);
            at.defaults.extend(literal.value().map(Value::into_owned));
            at.mapped = true;
        }
        for join in &self.joins {
            join.targets.iter().for_each(|target| target.quotients(scope).mapped = true);
        }
        if let Some(rest) = &self.rest {
            let at = rest.target.quotients(scope);
            (at.mapped, at.open) = (true, true);
        }
        self.rows.iter().for_each(|row| row.tell(scope));
    }
}

impl RowPlan {
    fn tell(&self, scope: &mut Quotients) {
        match &self.way {
            Way::Map(frame) => frame.tell(scope),
            Way::Flags(flags) => flags.iter().for_each(|(_, target)| {
                let at = target.quotients(scope);
                (at.mapped, at.blank) = (true, true);
            }),
            _ => {}
        }
        for route in self.routes.iter().filter(|_| !matches!(self.way, Way::Map(_))) {
            let at = route.whole.quotients(scope);
            at.mapped = true;
            at.blank |= self.row.omit_blank;
            match &self.way {
                Way::Rows(rows) => {
                    at.defaults.extend(self.defaults());
                    rows.tell(at);
                    if let Some(woven) = &rows.woven {
                        woven.tell(scope);
                    }
                    continue;
                }
                // No word on is no list.
                Way::Word(_) => (at.set, at.blank) = (true, true),
                _ => {}
            }
            at.null |= !self.row.keep_null;
            at.keep |= self.row.gone == Gone::Keep;
            at.defaults.extend(self.defaults());
            if let Some(Fill::Count { .. }) = self.row.or {
                at.makers.push(self.serial);
            }
            if let Way::Items | Way::Word(_) | Way::Gather = self.way {
                let items = at.items.get_or_insert_default();
                items.mapped = true;
                if let Some(item) = &route.item {
                    let item = item.quotients(items);
                    item.mapped = true;
                    if let Way::Gather = self.way {
                        item.gathered = true;
                        item.defaults.extend(self.defaults());
                    }
                }
            }
        }
    }
}

impl RowsPlan {
    fn tell(&self, list: &mut Quotients) {
        list.by = self.by.and_then(|by| self.frame.field_of(by));
        let index = self.frame.rows.iter().find(|row| matches!(row.way, Way::Index));
        list.sorted = index.and_then(|row| match row.routes.first()?.whole.steps.as_slice() {
            [Towards::Field(n)] => Some(*n),
            _ => None,
        });
        let items = list.items.get_or_insert_default();
        match &self.woven {
            None => self.frame.tell(items),
            Some(woven) => **items = meet(woven.ways.iter().map(|way| way.told(&self.frame))),
        }
        for dialect in self.woven.iter().flat_map(|woven| &woven.dialects) {
            dialect.fill.quotients(items).mapped = true;
        }
        let by = self.by.map(|by| &self.frame.rows[by]);
        if let Some((by, route)) = by.and_then(|by| Some((by, by.routes.first()?))) {
            route.whole.quotients(list.items.get_or_insert_default()).makers.push(by.serial);
        }
    }
}

impl Frame {
    /// The field that a row sets.
    fn field_of(&self, row: usize) -> Option<usize> {
        match self.rows[row].routes.first()?.whole.steps.first()? {
            Towards::Field(n) => Some(*n),
            Towards::Key(_) | Towards::Item(_) | Towards::Where(..) => None,
        }
    }
}

impl RowWay {
    /// What is said of a row that is read so; `usual` is the frame of a way that has none.
    fn told(&self, usual: &Frame) -> Quotients {
        let mut told = Quotients::default();
        self.frame.as_ref().unwrap_or(usual).tell(&mut told);
        self.item.iter().chain(&self.whole).for_each(|frame| frame.tell(&mut told));
        if let Some(made) = self.by.map(|by| &self.frame.as_ref().unwrap_or(usual).rows[by]) {
            made.routes.iter().for_each(|route| route.whole.quotients(&mut told).makers.push(made.serial));
        }
        told
    }
}

/// What is said of rows of which each is read in one of these ways.
fn meet(ways: impl Iterator<Item = Quotients>) -> Quotients {
    ways.reduce(Quotients::meet).unwrap_or_default()
}

impl WovenPlan {
    /// Says what the groups do not tell apart.
    fn tell(&self, scope: &mut Quotients) {
        let Some(first) = self.dialects.first() else { return };
        let by = first.levels.first().and_then(|level| level.frame.as_ref()?.field_of(level.by?));
        let levels = self.dialects.iter().flat_map(|dialect| &dialect.levels);
        let told = meet(levels.filter_map(|level| Some(level.told(level.frame.as_ref()?))));
        let list = first.to.quotients(scope);
        (list.mapped, list.blank, list.by, list.items) = (true, true, by, Some(Box::new(told)));
        for up in self.dialects.iter().filter_map(|dialect| dialect.up.as_ref()) {
            up.quotients(list.items.get_or_insert_default()).mapped = true;
        }
    }
}

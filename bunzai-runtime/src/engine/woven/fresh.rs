//! Writing them where there is no twin.

use std::borrow::Cow;

use super::super::export::Scope;
use super::super::fresh::Fresh;
use super::super::plan::{RowPlan, RowsPlan, WovenPlan};
use super::super::rows::NewKeys;
use super::{How, Weave};
use crate::json::Value;
use crate::model::Node;

impl Fresh<'_> {
    /// The rows, and the list that keeps their order where it is written too.
    pub(in super::super) fn woven<'v>(
        &self,
        row: &'v RowPlan,
        rows: &'v RowsPlan,
        woven: &'v WovenPlan,
        scope: &Scope<'v, 'v>,
        with_list: bool,
    ) -> Option<(Value<'v>, Value<'v>)> {
        let rows_of = row.list(scope.node)?;
        let weave = Weave::new(rows, woven, rows_of, scope.node, woven.dialect_for(scope.node));
        let mut keys = rows.keyed.map(|_| NewKeys::none(rows, rows_of));
        let (mut list, mut members, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for (index, n) in weave.sequence(&[]).into_iter().enumerate() {
            let (how, node) = (weave.how(n), weave.strands[n].node);
            let frame = how.own(with_list).frame;
            let key = match &mut keys {
                Some(keys) => Some(keys.next(how.own(true).identity(node).unwrap_or_default())?),
                None => None,
            };
            let value = self.value(&Scope { frame, node, index, key: key.as_deref() }, true).into_owned();
            if let Some(id) = rows.order.as_ref().and_then(|order| order.id_in(rows, &value)) {
                items.push(rows.new_item(how, node, id, self));
            }
            match key {
                None => list.push(value),
                Some(key) => members.push((Cow::Owned(key), value)),
            }
        }
        let values = if keys.is_some() { Value::Object(members) } else { Value::List(list) };
        Some((values, Value::List(items)))
    }
}

impl RowsPlan {
    /// A new item of the list that keeps the order, for a row of the model.
    pub(super) fn new_item<'v>(&self, how: How<'_>, node: &dyn Node, id: String, fresh: &Fresh<'_>) -> Value<'v> {
        let Some(by) = self.order.as_ref().and_then(|order| order.by.as_deref()) else { return Value::text(id) };
        let mut members = vec![(Cow::Owned(by.to_owned()), Value::text(id))];
        if let Some(frame) = how.item
            && let Value::Object(more) = fresh.value(&Scope { frame, node, index: 0, key: None }, true).into_owned()
        {
            members.extend(more.into_iter().filter(|(key, _)| key != by));
        }
        Value::Object(members)
    }
}

//! The part of the model that a frame reads into: rows and their targets.

use super::plan::{RowPlan, RowsPlan, Way};
use super::target::Target;
use crate::json::Value;
use crate::model::{Field, List, Node, Open, Shape, View, order_by};

/// Sets every target of a row; true when one took the value.
pub(super) fn set_all(row: &RowPlan, scope: &mut dyn Node, value: Value<'_>) -> bool {
    match row.routes.as_slice() {
        [one] => one.whole.set(scope, value),
        routes => {
            let value = value.into_owned();
            routes.iter().fold(false, |any, route| route.whole.set(scope, value.clone()) | any)
        }
    }
}

/// Makes every target of a row what it is in a blank struct.
pub(super) fn clear_all(row: &RowPlan, scope: &mut dyn Node) {
    row.routes.iter().for_each(|route| route.whole.clear(scope));
}

/// Calls back with every struct of a list of the model.
pub(super) fn items_of(list: &Target, scope: &mut dyn Node, mut call: impl FnMut(&mut dyn Node)) {
    if !matches!(list.view(scope), View::List(_)) {
        return;
    }
    list.open(scope, |open| {
        let Open::List(list) = open else { return };
        for n in 0..list.len() {
            if let Some(Open::Node(node)) = list.item_mut(n).map(Field::open) {
                call(node);
            }
        }
    });
}

/// The struct at an index of a list of the model.
pub(super) fn node_at(list: &dyn List, n: usize) -> Option<&dyn Node> {
    match list.item(n)?.view() {
        View::Node(node) => Some(node),
        _ => None,
    }
}

/// A list of the model in another order.
#[derive(Debug)]
pub(super) struct Sorted<'l> {
    list: &'l dyn List,
    order: Vec<usize>,
}

impl RowsPlan {
    /// The rows of the model in the order in which they are written, where that is another one.
    pub(super) fn sorted<'l>(&self, list: &'l dyn List) -> Option<Sorted<'l>> {
        self.order_of(list).map(|order| Sorted { list, order })
    }

    /// The indexes of the rows of the model in the order in which they are written, where a number
    /// of theirs says it and it is another one.
    pub(super) fn order_of(&self, list: &dyn List) -> Option<Vec<usize>> {
        let index = self.frame.rows.iter().find(|row| matches!(row.way, Way::Index))?.routes.first()?;
        let numbers = (0..list.len()).map(|n| match node_at(list, n).map(|node| index.whole.view(node)) {
            Some(View::Number(number)) => Some(number),
            _ => None,
        });
        let order = order_by(numbers);
        (!order.is_sorted()).then_some(order)
    }
}

impl List for Sorted<'_> {
    fn len(&self) -> usize {
        self.list.len()
    }

    fn item(&self, index: usize) -> Option<&dyn Field> {
        self.list.item(*self.order.get(index)?)
    }

    fn item_mut(&mut self, _: usize) -> Option<&mut dyn Field> {
        None
    }

    fn blank(&self) -> Box<dyn Field> {
        self.list.blank()
    }

    fn push(&mut self) -> Option<&mut dyn Field> {
        None
    }

    fn pop(&mut self) {}

    fn reorder(&mut self, _: &[usize]) {}
}

/// A plain value of a list as a struct of one field without a name, so that rows can read it.
#[derive(Debug)]
pub(super) struct PlainItem<F>(pub(super) F);

static PLAIN_ITEM: Shape = Shape { name: "", doc: "", fields: &[] };

impl Field for PlainItem<&mut dyn Field> {
    fn view(&self) -> View<'_> {
        View::Node(self)
    }

    fn set(&mut self, _: Value<'_>) -> bool {
        false
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn open(&mut self) -> Open<'_> {
        Open::Node(self)
    }
}

impl Node for PlainItem<&mut dyn Field> {
    fn shape(&self) -> &'static Shape {
        &PLAIN_ITEM
    }

    fn field(&self, index: usize) -> Option<&dyn Field> {
        (index == 0).then_some(&*self.0)
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Field> {
        if index == 0 { Some(&mut *self.0) } else { None }
    }
}

impl Field for PlainItem<&dyn Field> {
    fn view(&self) -> View<'_> {
        View::Node(self)
    }

    fn set(&mut self, _: Value<'_>) -> bool {
        false
    }

    fn clear(&mut self) {}

    fn open(&mut self) -> Open<'_> {
        Open::Leaf
    }
}

impl Node for PlainItem<&dyn Field> {
    fn shape(&self) -> &'static Shape {
        &PLAIN_ITEM
    }

    fn field(&self, index: usize) -> Option<&dyn Field> {
        (index == 0).then_some(self.0)
    }

    fn field_mut(&mut self, _: usize) -> Option<&mut dyn Field> {
        None
    }
}

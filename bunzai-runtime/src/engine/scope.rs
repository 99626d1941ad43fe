//! The part of the model that a frame reads into: rows and their targets.

use super::plan::RowPlan;
use super::target::Target;
use crate::json::Value;
use crate::model::{Field, List, Node, Open, Shape, View};

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

/// A plain value of a list as a struct of one field without a name, so that rows can read it.
#[derive(Debug)]
pub(super) struct Lone<F>(pub(super) F);

static LONE: Shape = Shape { name: "", doc: "", fields: &[] };

impl Field for Lone<&mut dyn Field> {
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

impl Node for Lone<&mut dyn Field> {
    fn shape(&self) -> &'static Shape {
        &LONE
    }

    fn field(&self, index: usize) -> Option<&dyn Field> {
        (index == 0).then_some(&*self.0)
    }

    fn field_mut(&mut self, index: usize) -> Option<&mut dyn Field> {
        if index == 0 { Some(&mut *self.0) } else { None }
    }
}

impl Field for Lone<&dyn Field> {
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

impl Node for Lone<&dyn Field> {
    fn shape(&self) -> &'static Shape {
        &LONE
    }

    fn field(&self, index: usize) -> Option<&dyn Field> {
        (index == 0).then_some(self.0)
    }

    fn field_mut(&mut self, _: usize) -> Option<&mut dyn Field> {
        None
    }
}

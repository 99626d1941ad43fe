//! Fresh documents: what a map writes when there is no twin.

use std::borrow::Cow;

use super::Source;
use super::import::fill_value;
use super::plan::{Frame, RowPlan, RowsPlan, Way};
use super::value::{Form, Items, value_is_blank};
use crate::json::{Layout, Value, print};
use crate::map::{Gone, Literal};
use crate::model::{Field, Node, View};

/// The whole document of a body, two spaces a level and without a final line break.
pub(crate) fn fresh(frame: &Frame, body: &dyn Node, source: Source<'_>) -> String {
    let mut out = String::new();
    print(&fresh_value(frame, body, 0, source), &Layout::pretty(), &mut out);
    out
}

/// The JSON value that a frame writes for a scope; `index` is the place of the row.
pub(crate) fn fresh_value<'v>(frame: &'v Frame, scope: &'v dyn Node, index: usize, source: Source<'v>) -> Value<'v> {
    let mut whole = None;
    for row in &frame.rows {
        let Some(place) = row.place else { continue };
        if let Some(value) = fresh_slot(row, scope, index, source, true) {
            put_at(&mut whole, &frame.keys_to(place), value);
        }
    }
    whole.unwrap_or(Value::Object(Vec::new()))
}

/// What a slot holds that was not there, if it is written at all. In a fresh row or file the
/// fillings of the map are written too.
pub(crate) fn fresh_slot<'v>(
    row: &'v RowPlan,
    scope: &'v dyn Node,
    index: usize,
    source: Source<'v>,
    whole: bool,
) -> Option<Value<'v>> {
    let said = match &row.way {
        Way::Rows(rows) => fresh_rows(row, rows, scope, source),
        _ => said(row, scope, None),
    };
    match said {
        Said::Value(value) if !(whole && row.row.omit_blank && value_is_blank(&value)) => Some(in_text(row, value)),
        _ if !whole => None,
        Said::Value(_) | Said::Nothing | Said::Unsayable => filled(row, scope, index, source),
    }
}

/// What a fresh slot holds when the model has nothing for it.
fn filled<'v>(row: &'v RowPlan, scope: &'v dyn Node, index: usize, source: Source<'v>) -> Option<Value<'v>> {
    if let Some(fill) = &row.row.fresh {
        return fill_value(fill, scope, index, source);
    }
    match row.row.gone {
        Gone::Null => Some(Value::Null),
        Gone::Blank => Some(row.slot.blank_in_text()),
        Gone::Remove | Gone::Keep => row.row.need.then(|| row.slot.blank_in_text()),
    }
}

fn fresh_rows<'v>(row: &'v RowPlan, rows: &'v RowsPlan, scope: &'v dyn Node, source: Source<'v>) -> Said<'v> {
    let list = row.routes.first().map(|route| route.whole.view(scope));
    let Some(View::List(list)) = list else { return Said::Nothing };
    let nodes = (0..list.len()).filter_map(|n| match list.item(n)?.view() {
        View::Node(node) => Some(node),
        _ => None,
    });
    let values = nodes.enumerate().map(|(n, node)| fresh_value(&rows.frame, node, n, source));
    Said::Value(Value::List(values.collect()))
}

/// Prints a value as JSON text where a fresh slot holds that.
fn in_text<'v>(row: &RowPlan, value: Value<'v>) -> Value<'v> {
    if !row.slot.fresh_is_json_text() || value == Value::Null {
        return value;
    }
    let mut text = String::new();
    print(&value, &Layout::compact(), &mut text);
    Value::text(text)
}

/// What the model has to say in the slot of a row.
#[derive(Debug)]
pub(crate) enum Said<'v> {
    Value(Value<'v>),
    Nothing,
    /// Something, but this wire has no word for it.
    Unsayable,
}

/// What the model says in a slot that is no list of rows, spelled; `twin` is the form in which the
/// slot is spelled now.
pub(crate) fn said<'v>(row: &'v RowPlan, scope: &'v dyn Node, twin: Option<&Form>) -> Said<'v> {
    let Some(route) = row.routes.first() else { return Said::Nothing };
    let view = route.whole.view(scope);
    match &row.way {
        Way::Sealed | Way::File | Way::Rows(_) => Said::Nothing,
        Way::Value => match view.value() {
            None => Said::Nothing,
            Some(Value::Null) if !row.row.keep_null => Said::Nothing,
            Some(value) => row.slot.spell(value, twin).map_or(Said::Unsayable, Said::Value),
        },
        Way::Items => {
            let Some(items) = Items::of(route, scope) else {
                return match view {
                    View::Null if row.row.keep_null => Said::Value(Value::Null),
                    _ => Said::Nothing,
                };
            };
            let spelled = (0..items.len()).filter_map(|n| row.slot.spell(items.view(n).value()?, twin));
            Said::Value(Value::List(spelled.collect()))
        }
        Way::Word(word) => {
            let has = match view {
                View::List(list) => (0..list.len()).any(|n| holds(list.item(n), word)),
                _ => false,
            };
            row.slot.spell(Value::Bool(has), twin).map_or(Said::Unsayable, Said::Value)
        }
    }
}

fn holds(item: Option<&dyn Field>, word: &Literal) -> bool {
    item.and_then(|item| item.view().value()).is_some_and(|value| word.is(&value))
}

/// Puts a value at the end of a path of keys, making the objects on the way.
fn put_at<'v>(whole: &mut Option<Value<'v>>, keys: &[&'v str], value: Value<'v>) {
    let Some((key, rest)) = keys.split_first() else {
        *whole = Some(value);
        return;
    };
    let members = match whole.get_or_insert_with(|| Value::Object(Vec::new())) {
        Value::Object(members) => members,
        _ => return,
    };
    let n = members.iter().position(|(k, _)| k == key).unwrap_or_else(|| {
        members.push((Cow::Borrowed(key), Value::Object(Vec::new())));
        members.len() - 1
    });
    let mut inner = Some(std::mem::replace(&mut members[n].1, Value::Null));
    if rest.is_empty() {
        inner = Some(value);
    } else {
        put_at(&mut inner, rest, value);
    }
    members[n].1 = inner.unwrap_or(Value::Null);
}

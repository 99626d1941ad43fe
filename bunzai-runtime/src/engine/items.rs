//! Lists of plain values that change: what is the same keeps its bytes, what is no item its place.

use std::collections::{HashMap, VecDeque};

use super::Pass;
use super::plan::RowPlan;
use super::value::{Form, Got, Items};
use crate::json::{Cursor, Layout, Patches, Place, Value, items, print};
use crate::model::Node;

/// The form of the first item of a list that can be read.
pub(super) fn form_of_items(row: &RowPlan, text: &str, at: usize) -> Pass<Option<Form>> {
    for item in items(text, at)?.inside {
        let value = Value::read(&mut Cursor::starting_at(text, item.start, 0))?;
        if let Some(form) = value.and_then(|value| row.slot.form(&value)) {
            return Ok(Some(form));
        }
    }
    Ok(None)
}

/// Gives a list the items of the model.
///
/// An item of the wrong type keeps its index; one that the table does not know stays behind the
/// item before it. Doubles that `unique` dropped go.
pub(super) fn edit_items(
    row: &RowPlan,
    scope: &dyn Node,
    form: Option<&Form>,
    text: &str,
    at: usize,
    patches: &mut Patches,
) -> Pass {
    let list = items(text, at)?;
    // A list that the model does not have is emptied like one that it has with nothing in it.
    let model = row.routes.first().and_then(|route| Items::of(route, scope));
    let mut old: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut unknown = vec![false; list.inside.len()];
    let mut wrong = Vec::new();
    for (n, item) in list.inside.iter().enumerate() {
        match row.slot.read_item(&mut Cursor::starting_at(text, item.start, 0))? {
            Got::Value(value) => old.entry(compact(&value)).or_default().push_back(n),
            Got::Unknown | Got::Refused => unknown[n] = true,
            Got::Blank | Got::Null | Got::Wrong => wrong.push(n),
        }
    }
    let count = model.as_ref().map_or(0, Items::len);
    let values: Vec<Value<'_>> = (0..count).filter_map(|n| model.as_ref()?.view(n).value()).collect();
    // Each item of the model: the old item with the same value, else the next old one that is
    // left, overwritten where it stands, else new text.
    let same: Vec<Option<usize>> =
        values.iter().map(|value| old.get_mut(&compact(value)).and_then(VecDeque::pop_front)).collect();
    let mut kept = vec![false; list.inside.len()];
    same.iter().flatten().for_each(|n| kept[*n] = true);
    let mark = patches.mark();
    let mut left =
        (0..list.inside.len()).filter(|n| !unknown[*n] && !wrong.contains(n) && !kept[*n]).collect::<VecDeque<_>>();
    let mut new: Vec<(Option<usize>, String)> = Vec::with_capacity(values.len());
    for (value, same) in values.into_iter().zip(same) {
        if same.is_some() {
            new.push((same, String::new()));
            continue;
        }
        let Some(text) = row.slot.spell(value, form).map(|value| compact(&value)) else { continue };
        let place = left.pop_front();
        if let Some(n) = place {
            patches.replace(list.inside[n].clone(), |out| out.push_str(&text));
        }
        new.push((place, text));
    }
    new.iter().filter_map(|(n, _)| *n).for_each(|n| kept[n] = true);
    let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut before = None;
    for n in 0..list.inside.len() {
        if kept[n] {
            before = Some(n);
        } else if unknown[n] {
            followers.entry(before).or_default().push(n);
        }
    }
    let writers: Vec<_> = new.iter().map(|(_, text)| move |_: &Layout, out: &mut String| out.push_str(text)).collect();
    let mut sequence: Vec<Place<'_>> = Vec::new();
    let mut follow = |sequence: &mut Vec<Place<'_>>, before| {
        sequence.extend(followers.remove(&before).into_iter().flatten().map(Place::Old));
    };
    follow(&mut sequence, None);
    for ((old, _), write) in new.iter().zip(&writers) {
        match old {
            Some(n) => {
                sequence.push(Place::Old(*n));
                follow(&mut sequence, Some(*n));
            }
            None => sequence.push(Place::New(write)),
        }
    }
    for n in wrong {
        sequence.insert(n.min(sequence.len()), Place::Old(n));
    }
    patches.edit_list(text, &list, &sequence, mark, &Layout::at(text, at));
    Ok(())
}

/// A value as one line of JSON, by which equal values are found.
fn compact(value: &Value<'_>) -> String {
    let mut text = String::new();
    print(value, &Layout::compact(), &mut text);
    text
}

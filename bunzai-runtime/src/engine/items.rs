//! Lists of plain values that change: what is the same keeps its bytes, what is no item its place.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use super::Pass;
use super::slot::{Form, Got, Slot};
use super::target::{Route, Target};
use crate::json::{Cursor, Layout, Patches, Place, Value, items, print};
use crate::model::{Field, List, Node, View};

/// The items of a list of the model, or one value of each of its rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Items<'m> {
    list: &'m dyn List,
    item: Option<&'m Target>,
}

impl<'m> Items<'m> {
    /// The items at a route, if there is a list.
    pub(crate) fn of(route: &'m Route, scope: &'m dyn Node) -> Option<Self> {
        match route.whole.view(scope) {
            View::List(list) => Some(Self { list, item: route.item.as_ref() }),
            _ => None,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn view(&self, n: usize) -> View<'m> {
        self.list.item(n).map_or(View::Absent, |item| item_view(item, self.item))
    }

    /// The items as values.
    pub(crate) fn values(&self) -> Vec<Value<'m>> {
        (0..self.len()).filter_map(|n| self.view(n).value()).collect()
    }
}

/// What an item of a list says, or the place in it that a target leads to.
pub(super) fn item_view<'m>(item: &'m dyn Field, target: Option<&Target>) -> View<'m> {
    match (target, item.view()) {
        (None, view) => view,
        (Some(target), View::Node(node)) => target.view(node),
        (Some(_), _) => View::Absent,
    }
}

/// Whether values come for the first time; a few are compared one by one, many are looked up.
#[derive(Debug, Default)]
pub(super) struct Once {
    seen: HashSet<String>,
}

impl Once {
    const FEW: usize = 16;

    /// Whether a value is none of the `n` that came before, which `earlier` gives.
    pub(super) fn is_new<'v>(&mut self, value: &Value<'_>, n: usize, earlier: impl Fn(usize) -> View<'v>) -> bool {
        if n < Self::FEW {
            return !(0..n).any(|n| earlier(n).is(value));
        }
        if self.seen.is_empty() {
            self.seen.extend((0..n).filter_map(|n| Some(key_of(&earlier(n).value()?))));
        }
        self.seen.insert(key_of(value))
    }
}

/// Puts what keeps its place between what has a sequence of its own.
pub(super) fn with_fixed<T>(sequence: impl Iterator<Item = T>, fixed: impl Iterator<Item = (usize, T)>) -> Vec<T> {
    let mut sequence = sequence.fuse();
    let mut whole = Vec::new();
    for (place, item) in fixed {
        while whole.len() < place {
            match sequence.next() {
                Some(item) => whole.push(item),
                None => break,
            }
        }
        whole.push(item);
    }
    whole.extend(sequence);
    whole
}

/// The form of the first item of a list that can be read.
pub(super) fn form_of_items(slot: &Slot, text: &str, at: usize) -> Pass<Option<Form>> {
    let mut cursor = Cursor::starting_at(text, at, 0);
    if cursor.list()? {
        loop {
            let value = Value::read(&mut cursor)?;
            if let Some(form) = value.and_then(|value| slot.form(&value)) {
                return Ok(Some(form));
            }
            if !cursor.more(b']')? {
                break;
            }
        }
    }
    Ok(None)
}

/// Gives a list of plain values other ones.
///
/// An item of the wrong type keeps its index; one that the table does not know stays behind the
/// item before it. Doubles that `unique` dropped go.
pub(super) fn edit_items(
    slot: &Slot,
    values: Vec<Value<'_>>,
    form: Option<&Form>,
    text: &str,
    at: usize,
    patches: &mut Patches,
) -> Pass {
    let list = items(text, at)?;
    let mut old: HashMap<String, VecDeque<usize>> = HashMap::new();
    let mut stands = vec![Item::Known; list.inside.len()];
    for (n, item) in list.inside.iter().enumerate() {
        match slot.read_item(&mut Cursor::starting_at(text, item.start, 0))? {
            Got::Value(value) => old.entry(key_of(&value)).or_default().push_back(n),
            Got::Unknown | Got::Refused => stands[n] = Item::Unknown,
            Got::Blank | Got::Null | Got::Wrong => stands[n] = Item::Wrong,
        }
    }
    // Each value: the old item that says it, else the next old one that is left, overwritten where
    // it stands, else new text.
    let same: Vec<Option<usize>> =
        values.iter().map(|value| old.get_mut(&key_of(value)).and_then(VecDeque::pop_front)).collect();
    same.iter().flatten().for_each(|n| stands[*n] = Item::Kept);
    let mark = patches.mark();
    let mut left = (0..stands.len()).filter(|n| stands[*n] == Item::Known).collect::<VecDeque<_>>();
    let mut new: Vec<(Option<usize>, String)> = Vec::with_capacity(values.len());
    for (value, same) in values.into_iter().zip(same) {
        if same.is_some() {
            new.push((same, String::new()));
            continue;
        }
        let Some(text) = slot.spell(value, form).map(|value| compact(&value)) else { continue };
        let place = left.pop_front();
        if let Some(n) = place {
            patches.replace(list.inside[n].clone(), |out| out.push_str(&text));
        }
        new.push((place, text));
    }
    new.iter().filter_map(|(n, _)| *n).for_each(|n| stands[n] = Item::Kept);
    let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut before = None;
    for (n, item) in stands.iter().enumerate() {
        match item {
            Item::Kept => before = Some(n),
            Item::Unknown => followers.entry(before).or_default().push(n),
            Item::Known | Item::Wrong => {}
        }
    }
    let writers: Vec<_> = new.iter().map(|(_, text)| move |_: &Layout, out: &mut String| out.push_str(text)).collect();
    let mut follow = |before| followers.remove(&before).into_iter().flatten().map(Place::Old).collect::<Vec<_>>();
    let mut sequence: Vec<Place<'_>> = follow(None);
    for ((old, _), write) in new.iter().zip(&writers) {
        match old {
            Some(n) => {
                sequence.push(Place::Old(*n));
                sequence.extend(follow(Some(*n)));
            }
            None => sequence.push(Place::New(write)),
        }
    }
    let wrong = (0..stands.len()).filter(|n| stands[*n] == Item::Wrong).map(|n| (n, Place::Old(n)));
    let sequence = with_fixed(sequence.into_iter(), wrong);
    let layout = patches.layout(text, at);
    patches.edit_list(text, &list, &sequence, mark, &layout);
    Ok(())
}

/// What becomes of an item of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// It was read, and is not needed as it is.
    Known,
    Kept,
    Unknown,
    Wrong,
}

/// A value as one line of JSON.
fn compact(value: &Value<'_>) -> String {
    let mut text = String::new();
    print(value, &Layout::compact(), &mut text);
    text
}

/// A text that equal values have, and no others: those that [`View::is`] takes for each other. The
/// order of members is none of an object's.
pub(super) fn key_of(value: &Value<'_>) -> String {
    fn ordered<'v>(value: &'v Value<'_>) -> Value<'v> {
        match value {
            Value::List(items) => Value::List(items.iter().map(ordered).collect()),
            Value::Object(members) => {
                let mut members: Vec<_> =
                    members.iter().map(|(key, value)| (Cow::Borrowed(key.as_ref()), ordered(value))).collect();
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                Value::Object(members)
            }
            Value::Text(text) => Value::text(text.as_ref()),
            Value::Null => Value::Null,
            Value::Bool(b) => Value::Bool(*b),
            Value::Number(n) => Value::Number(*n),
        }
    }
    match value {
        Value::List(_) | Value::Object(_) => compact(&ordered(value)),
        value => compact(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{key_of, with_fixed};
    use crate::json::{Cursor, Value};

    #[test]
    fn equal_values_have_one_key_and_others_have_others() {
        let key = |text: &str| key_of(&Value::read(&mut Cursor::new(text)).unwrap().unwrap());
        assert_eq!(key(r#"[{"a": 1, "b": {"c": 2.0, "d": 3}}]"#), key(r#"[{"b":{"d":3,"c":2},"a":1.0}]"#));
        assert_ne!(key("[1, 2]"), key("[2, 1]"));
        assert_ne!(key(r#""1""#), key("1"));
    }

    #[test]
    fn what_keeps_its_place_does_where_it_can() {
        let whole = |count: usize, fixed: &[usize]| -> Vec<String> {
            let sequence = (0..count).map(|n| n.to_string());
            with_fixed(sequence, fixed.iter().map(|n| (*n, format!("x{n}"))))
        };
        assert_eq!(whole(3, &[1, 3]), ["0", "x1", "1", "x3", "2"]);
        assert_eq!(whole(1, &[0, 2, 9]), ["x0", "0", "x2", "x9"]);
    }
}

//! The order of rows, where a list elsewhere keeps it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Pass;
use super::items::with_fixed;
use super::layer::Layer;
use super::plan::{OrderPlan, RowsPlan};
use super::rows::{Made, Twins, member};
use super::slot::Got;
use crate::json::{Cursor, Layout, Patches, Place, Result, Value, items, print};

impl OrderPlan {
    /// The identities that the list at a cursor holds, with nothing for what is none; nothing at
    /// all when there is no list that can be read.
    pub(super) fn ids(&self, mut cursor: Cursor<'_>) -> Result<Option<Vec<Option<String>>>> {
        match self.slot.layer(&mut cursor)? {
            Layer::Plain => self.ids_in(&mut cursor),
            Layer::Inside(inner) => self.ids_in(&mut Cursor::new(&inner.text)),
            Layer::Unreadable => Ok(None),
        }
    }

    /// What the list calls a row that is to be written.
    pub(super) fn id_in(&self, rows: &RowsPlan, value: &Value<'_>) -> Option<String> {
        match value.get(&rows.frame.places[self.of].key)? {
            Value::Text(text) => Some(text.clone().into_owned()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    fn ids_in(&self, cursor: &mut Cursor<'_>) -> Result<Option<Vec<Option<String>>>> {
        if cursor.peek()? != b'[' {
            return Ok(None);
        }
        let mut ids = Vec::new();
        if cursor.list()? {
            loop {
                ids.push(self.id_of_item(cursor)?);
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        Ok(Some(ids))
    }

    /// What an item calls its row.
    fn id_of_item(&self, cursor: &mut Cursor<'_>) -> Result<Option<String>> {
        let Some(by) = &self.by else { return self.id_at(cursor) };
        let here = cursor.clone();
        cursor.skip()?;
        match member(here, by)? {
            Some(mut id) => self.id_at(&mut id),
            None => Ok(None),
        }
    }

    fn id_at(&self, cursor: &mut Cursor<'_>) -> Result<Option<String>> {
        Ok(match self.slot.read_item(cursor)? {
            Got::Value(Value::Text(id)) => Some(id.into_owned()),
            _ => None,
        })
    }
}

impl RowsPlan {
    /// The sequence of the rows at a cursor that a list of identities gives; where there are no rows
    /// at all there is nothing to order.
    pub(super) fn sequence(&self, order: &OrderPlan, cursor: &Cursor<'_>, ids: &[Option<String>]) -> Pass<Vec<usize>> {
        if cursor.clone().peek()? != self.opens_with() {
            return Ok(Vec::new());
        }
        let twins = Twins::new(cursor, self)?;
        let named = twins.named(self, order)?;
        Ok(sequence(&named, ids).rows)
    }
}

/// The sequence of rows that a list of identities gives.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The rows: those that the list names, in its order, and then the others in theirs.
    pub(super) rows: Vec<usize>,
    /// For those that the list names, which come first, the item that does.
    pub(super) items: Vec<usize>,
}

impl Sequence {
    /// The rows that the list names.
    pub(super) fn listed(&self) -> &[usize] {
        &self.rows[..self.items.len()]
    }
}

/// The sequence that a list of identities gives to rows with these identities. Of rows that share
/// one each mention is the next.
pub(super) fn sequence(rows: &[Option<String>], ids: &[Option<String>]) -> Sequence {
    let mut waiting: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (n, id) in rows.iter().enumerate() {
        if let Some(id) = id {
            waiting.entry(id).or_default().push_back(n);
        }
    }
    let (mut sequence, mut items) = (Vec::with_capacity(rows.len()), Vec::new());
    for (item, id) in ids.iter().enumerate() {
        let named = id.as_deref().and_then(|id| waiting.get_mut(id)?.pop_front());
        if let Some(n) = named {
            sequence.push(n);
            items.push(item);
        }
    }
    let mut is_listed = vec![false; rows.len()];
    sequence.iter().for_each(|n| is_listed[*n] = true);
    sequence.extend((0..rows.len()).filter(|n| !is_listed[*n]));
    Sequence { rows: sequence, items }
}

/// How rows and the list of their identities are to stand.
#[derive(Debug)]
pub(super) struct Arranged {
    /// The rows in the file, by their indexes in the model.
    pub(super) array: Vec<usize>,
    /// The rows that the list names, in its order.
    pub(super) listed: Vec<usize>,
}

/// Arranges the rows of the model, each with what the list calls it.
///
/// The rows of the twin stay where they stand; a new one follows the row before it in the model.
/// Rows that the list did not name stay out of it as long as that says the order of the model, but
/// for those that `must` be named.
pub(super) fn arrange(made: &[Made], called: &[Option<String>], read: &Sequence, must: &[usize]) -> Arranged {
    let mut array: Vec<usize> = (0..made.len()).filter(|n| made[*n].twin.is_some()).collect();
    array.sort_by_key(|n| made[*n].twin);
    let mut followers: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    let mut before = None;
    for (n, made) in made.iter().enumerate() {
        if made.twin.is_some() {
            before = Some(n);
        } else {
            followers.entry(before).or_default().push(n);
        }
    }
    let mut follow = |n: Option<usize>| followers.remove(&n).unwrap_or_default();
    let first = follow(None);
    let array: Vec<usize> =
        first.into_iter().chain(array.into_iter().flat_map(|n| [vec![n], follow(Some(n))].concat())).collect();

    let was_listed: HashSet<usize> = read.listed().iter().chain(must).copied().collect();
    let mut before_is_listed = true;
    let mut few = Vec::new();
    for (n, made) in made.iter().enumerate() {
        let is_listed = made.twin.map_or(before_is_listed, |twin| was_listed.contains(&twin));
        before_is_listed = is_listed;
        few.extend(called[n].as_ref().filter(|_| is_listed).map(|_| n));
    }
    let in_array: Vec<Option<String>> = array.iter().map(|n| called[*n].clone()).collect();
    let says = |listed: &[usize]| {
        let ids: Vec<Option<String>> = listed.iter().map(|n| called[*n].clone()).collect();
        sequence(&in_array, &ids).rows.into_iter().map(|n| array[n]).eq(0..made.len())
    };
    let listed = if says(&few) { few } else { (0..made.len()).filter(|n| called[*n].is_some()).collect() };
    Arranged { array, listed }
}

/// Gives the list at a cursor a new sequence. `listed` are the rows it is to name: each with the
/// item that names it now, or with a new item. Items that name no row keep their place; patches
/// made since `mark` go along with the items they are in.
pub(super) fn edit_items(
    cursor: &mut Cursor<'_>,
    before: &Sequence,
    listed: &[Listed<'_>],
    mark: usize,
    patches: &mut Patches,
) -> Pass {
    let text = cursor.source();
    let list = items(text, cursor.at())?;
    let writers: Vec<_> = listed
        .iter()
        .map(|item| {
            move |layout: &Layout, out: &mut String| {
                if let Listed::New(value) = item {
                    print(value, layout, out);
                }
            }
        })
        .collect();
    let places = listed.iter().zip(&writers).map(|(item, write)| match item {
        Listed::Old(item) => Place::Old(*item),
        Listed::New(_) => Place::New(write),
    });
    let naming: HashSet<usize> = before.items.iter().copied().collect();
    let fixed = (0..list.inside.len()).filter(|n| !naming.contains(n));
    let sequence = with_fixed(places, fixed.map(|n| (n, Place::Old(n))));
    let unchanged = sequence.len() == list.inside.len()
        && sequence.iter().enumerate().all(|(n, place)| matches!(place, Place::Old(old) if *old == n));
    if !unchanged {
        let layout = patches.layout(text, list.span.start);
        patches.edit_list(text, &list, &sequence, mark, &layout);
    }
    Ok(())
}

/// An item of the list that keeps the order.
#[derive(Debug)]
pub(super) enum Listed<'v> {
    /// One that is there.
    Old(usize),
    New(Value<'v>),
}

/// The items that are to name the rows which are listed: the one that does now, or a new one.
pub(super) fn items_for<'v>(
    arranged: &Arranged,
    made: &[Made],
    before: &Sequence,
    mut new: impl FnMut(usize) -> Value<'v>,
) -> Vec<Listed<'v>> {
    let items: HashMap<usize, usize> = before.rows.iter().copied().zip(before.items.iter().copied()).collect();
    let item_of = |n: &usize| items.get(&made[*n].twin?).copied();
    arranged.listed.iter().map(|n| item_of(n).map_or_else(|| Listed::New(new(*n)), Listed::Old)).collect()
}

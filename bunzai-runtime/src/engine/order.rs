//! The order of rows, where a list elsewhere keeps it.

use std::collections::{HashMap, HashSet, VecDeque};

use super::Pass;
use super::items::with_fixed;
use super::plan::{OrderPlan, RowsPlan};
use super::rows::{Made, Twins};
use super::slot::{Got, Layer};
use crate::json::{Cursor, Layout, Patches, Place, Result, Value, items, write_text};

impl OrderPlan {
    /// The identities that the list at a cursor holds, with nothing for what is none; nothing at
    /// all when there is no list that can be read.
    pub(super) fn ids(&self, mut cursor: Cursor<'_>) -> Result<Option<Vec<Option<String>>>> {
        match self.slot.layer(&mut cursor)? {
            Layer::Plain => self.ids_in(&mut cursor),
            Layer::Json(inner) => self.ids_in(&mut Cursor::new(&inner)),
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
                ids.push(match self.slot.read_item(cursor)? {
                    Got::Value(Value::Text(id)) => Some(id.into_owned()),
                    _ => None,
                });
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        Ok(Some(ids))
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
    /// How many of them the list names.
    pub(super) listed: usize,
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
    let listed = ids.iter().flatten().filter_map(|id| waiting.get_mut(id.as_str())?.pop_front());
    let mut sequence: Vec<usize> = listed.collect();
    let listed = sequence.len();
    let mut is_listed = vec![false; rows.len()];
    sequence.iter().for_each(|n| is_listed[*n] = true);
    sequence.extend((0..rows.len()).filter(|n| !is_listed[*n]));
    Sequence { rows: sequence, listed }
}

/// How rows and the list of their identities are to stand.
#[derive(Debug)]
pub(super) struct Arranged {
    /// The rows in the file, by their indexes in the model.
    pub(super) array: Vec<usize>,
    /// The identities in the list.
    pub(super) ids: Vec<String>,
}

/// Arranges the rows of the model, each with what the list calls it.
///
/// The rows of the twin stay where they stand; a new one follows the row before it in the model.
/// Rows that the list did not name stay out of it as long as that says the order of the model.
pub(super) fn arrange(made: &[Made], called: &[Option<String>], read: &Sequence) -> Arranged {
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

    let was_listed: HashSet<usize> = read.rows[..read.listed].iter().copied().collect();
    let mut before_is_listed = true;
    let mut few = Vec::new();
    for (n, made) in made.iter().enumerate() {
        let is_listed = made.twin.map_or(before_is_listed, |twin| was_listed.contains(&twin));
        before_is_listed = is_listed;
        few.extend(called[n].clone().filter(|_| is_listed));
    }
    let in_array: Vec<Option<String>> = array.iter().map(|n| called[*n].clone()).collect();
    let says = |ids: &[String]| {
        let ids: Vec<Option<String>> = ids.iter().cloned().map(Some).collect();
        sequence(&in_array, &ids).rows.into_iter().map(|n| array[n]).eq(0..made.len())
    };
    let ids = if says(&few) { few } else { called.iter().flatten().cloned().collect() };
    Arranged { array, ids }
}

/// Gives the list at a cursor these identities. Identities that no row bears keep their place.
pub(super) fn edit_ids(
    cursor: &mut Cursor<'_>,
    before: &Sequence,
    listed: &[Option<String>],
    rows: &[Option<String>],
    ids: &[String],
    patches: &mut Patches,
) -> Pass {
    let text = cursor.source();
    let list = items(text, cursor.at())?;
    // The items that name a row, each by its identity.
    let mut mentions: HashMap<&str, usize> = HashMap::new();
    for row in &before.rows[..before.listed] {
        if let Some(id) = &rows[*row] {
            *mentions.entry(id).or_default() += 1;
        }
    }
    let mut standing: HashMap<&str, VecDeque<usize>> = HashMap::new();
    let mut fixed = Vec::new();
    for (n, id) in listed.iter().enumerate() {
        match id.as_deref().and_then(|id| Some((id, mentions.get_mut(id).filter(|left| **left > 0)?))) {
            Some((id, left)) => {
                *left -= 1;
                standing.entry(id).or_default().push_back(n);
            }
            None => fixed.push(n),
        }
    }
    let texts: Vec<String> = ids.iter().map(|id| printed(id)).collect();
    let writers: Vec<_> = texts.iter().map(|text| move |_: &Layout, out: &mut String| out.push_str(text)).collect();
    let places: Vec<Place<'_>> = ids
        .iter()
        .zip(&writers)
        .map(|(id, write)| {
            standing.get_mut(id.as_str()).and_then(VecDeque::pop_front).map_or(Place::New(write), Place::Old)
        })
        .collect();
    let sequence = with_fixed(places.into_iter(), fixed.into_iter().map(|n| (n, Place::Old(n))));
    let unchanged = sequence.len() == list.inside.len()
        && sequence.iter().enumerate().all(|(n, place)| matches!(place, Place::Old(old) if *old == n));
    if !unchanged {
        let (mark, layout) = (patches.mark(), patches.layout(text, list.span.start));
        patches.edit_list(text, &list, &sequence, mark, &layout);
    }
    Ok(())
}

fn printed(id: &str) -> String {
    let mut text = String::new();
    write_text(id, &mut text);
    text
}

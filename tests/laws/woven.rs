//! Rows that several maps read: what each of them is, worked out apart from the engine.

use bunzai_runtime::map::{Each, Heads, Map, Part, Row, Step, Text, Wire, Wrap};
use fastrand::Rng;
use serde_json::Value;

use crate::doc::Doc;
use crate::gate::holds;
use crate::slots::is_wrapped;
use crate::walk::{at, sequence_of};

/// What a row is: the map that reads it, and whether it opens a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Of {
    pub(crate) part: usize,
    pub(crate) level: Option<usize>,
}

/// What the rows of a list are.
#[derive(Debug)]
pub(crate) struct Woven<'m> {
    /// For each row what it is; nothing for one that no map reads.
    pub(crate) of: Vec<Option<Of>>,
    /// The rows that a map reads, in the order of the model.
    pub(crate) sequence: Vec<usize>,
    /// For each row the item that names it, where a list orders the rows.
    pub(crate) items: Option<Vec<Option<usize>>>,
    pub(crate) heads: Option<&'m Heads>,
}

/// Whether the rows of a list are more than one map reads.
pub(crate) fn is_woven(each: &Each) -> bool {
    !each.others.is_empty() || !each.heads.is_empty() || item_of(each).is_some()
}

/// The map of the items in the list that keeps the order.
pub(crate) fn item_of(each: &Each) -> Option<usize> {
    each.order.as_ref().and_then(|order| order.part)
}

/// The maps that read a row of the list itself.
pub(crate) fn parts(each: &Each) -> impl Iterator<Item = usize> + '_ {
    [each.part].into_iter().chain(each.others.iter().copied())
}

impl<'m> Woven<'m> {
    /// What these rows of an object are.
    pub(crate) fn new(map: &'m Map, each: &'m Each, holder: &Value, rows: &[Value]) -> Self {
        let part = |n: usize| &map.parts[n].1;
        let shows = |n: usize, row: &Value| part(n).when.iter().all(|test| holds(test, row));
        let opens = |n: usize, row: &Value| shows(n, row) && needed(part(n)).all(|need| says(need, row));
        let heads = each.heads.iter().find(|heads| rows.iter().any(|row| opens(heads.levels[0], row)));
        let way = |row: &Value| parts(each).find(|n| shows(*n, row)).map(|part| Of { part, level: None });
        let level = |row: &Value| {
            let levels = heads?.levels.iter().enumerate();
            levels.clone().find(|(_, n)| opens(**n, row)).map(|(level, n)| Of { part: *n, level: Some(level) })
        };
        let mut of: Vec<Option<Of>> = rows.iter().map(|row| level(row).or_else(|| way(row))).collect();
        // What no map reads is as if it were not there.
        let known: Vec<usize> = (0..rows.len()).filter(|n| of[*n].is_some()).collect();
        let read: Vec<Value> = known.iter().map(|n| rows[*n].clone()).collect();
        let (order, items) = sequence_of(each.order.as_ref(), holder, &read);
        let sequence: Vec<usize> = order.into_iter().map(|n| known[n]).collect();
        let mut open = 0;
        for n in &sequence {
            match of[*n].and_then(|of| of.level) {
                Some(level) if level <= open => open = level + 1,
                Some(_) => of[*n] = way(&rows[*n]).or(Some(Of { part: each.part, level: None })),
                None => {}
            }
        }
        let items = items.map(|items| {
            let mut whole = vec![None; rows.len()];
            items.into_iter().enumerate().for_each(|(n, item)| whole[known[n]] = item);
            whole
        });
        Self { of, sequence, items, heads }
    }

    /// The rows that are none of the groups, or all that are, in the order of the model.
    pub(crate) fn those(&self, are_heads: bool) -> Vec<usize> {
        let is = |n: &usize| self.of[*n].is_some_and(|of| of.level.is_some() == are_heads);
        self.sequence.iter().copied().filter(is).collect()
    }
}

fn needed(part: &Part) -> impl Iterator<Item = &Row> {
    part.rows.iter().filter(|row| row.need)
}

fn says(row: &Row, value: &Value) -> bool {
    let Wire::At(steps) = &row.wire else { return false };
    let wraps = row.text.iter().filter_map(|text| match text {
        Text::Wrap(wrap) => Some(wrap),
        _ => None,
    });
    match at(value, steps) {
        Some(Value::String(text)) => wraps.clone().next().is_none() || wraps.clone().any(|wrap| is_wrapped(wrap, text)),
        _ => false,
    }
}

/// Makes rows of what a list holds that its maps tell apart: groups of one dialect, or of several,
/// and rows that show what a map asks for.
pub(crate) fn weave(map: &Map, each: &Each, rows: &mut [&mut Doc], rng: &mut Rng) {
    if !is_woven(each) {
        return;
    }
    let mut dialect = rng.usize(..=each.heads.len());
    for row in rows.iter_mut().filter(|row| matches!(row, Doc::Object(_))) {
        if rng.u8(..10) == 0 {
            dialect = rng.usize(..=each.heads.len());
        }
        if let (Some(heads), true) = (each.heads.get(dialect), rng.u8(..3) == 0) {
            let part = &map.parts[heads.levels[rng.usize(..heads.levels.len())]].1;
            show(part, row, rng);
            for need in needed(part) {
                let (Wire::At(steps), Some(Text::Wrap(wrap))) = (&need.wire, need.text.first()) else { continue };
                let name = ["Act", "", " One ", "=", "<x>"][rng.usize(..5)];
                let text = match wrap {
                    Wrap::Pair(before, after) => format!("{before}{name}{after}"),
                    Wrap::Run(run) => format!("{}{name}", run.of.repeat(rng.usize(1..3))),
                };
                row.at(steps, true).into_iter().for_each(|place| *place = Doc::Text(text.clone()));
            }
        } else if !each.others.is_empty() && rng.u8(..4) > 0 {
            let parts: Vec<usize> = parts(each).collect();
            show(&map.parts[parts[rng.usize(..parts.len())]].1, row, rng);
        }
    }
}

/// Lets a row show what a map asks of it.
fn show(part: &Part, row: &mut Doc, rng: &mut Rng) {
    part.when.iter().for_each(|test| crate::generate::satisfy(row, test, true, rng));
}

/// The items of a list that keeps the order: those that are there, or new ones, with these names.
pub(crate) fn items(was: Option<&mut Doc>, by: &str, called: Vec<Doc>, rng: &mut Rng) -> Vec<Doc> {
    let mut was: Vec<Doc> = match was {
        Some(Doc::List(items)) => std::mem::take(items),
        _ => Vec::new(),
    };
    let item = |id: Doc| {
        let found = was.pop().filter(|item| matches!(item, Doc::Object(_)));
        let mut item = found.unwrap_or_else(|| Doc::Object(Vec::new()));
        let step = Step::Key(by.to_owned().into());
        if rng.u8(..40) > 0 {
            item.at(&[step], true).into_iter().for_each(|place| *place = id.clone());
        }
        item
    };
    called.into_iter().map(item).collect()
}

//! How two bodies differ, up to the quotients of their map.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use crate::paths::{below, equal, get, same, sorted};
use crate::quotients::{Quotients, shown};

/// How a value that was given does not read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum How {
    Lost,
    Coerced,
    Kept,
}

/// One difference that no quotient excuses.
#[derive(Debug)]
pub(crate) struct Difference {
    /// JSON pointer into the entity.
    pub(crate) at: String,
    pub(crate) how: How,
    pub(crate) given: Option<Value>,
    pub(crate) found: Option<Value>,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {}: {:?} was given, and {:?} found", self.how, self.at, self.given, self.found)
    }
}

/// A body, and the ids and titles in it that the engine made: by path and value.
pub(crate) struct Body<'v> {
    pub(crate) value: &'v Value,
    pub(crate) made: HashSet<(String, String)>,
}

/// The differences between two bodies. `lost` are the items of lists that are known to be gone.
pub(crate) fn differences(
    quotients: &Quotients,
    given: &Body<'_>,
    found: &Body<'_>,
    lost: &BTreeSet<String>,
) -> Vec<Difference> {
    let mut compare = Compare { quotients, given, found, lost, list: Vec::new() };
    compare.values(Some(given.value), Some(found.value), "/body", "");
    compare.list
}

struct Compare<'a> {
    quotients: &'a Quotients,
    given: &'a Body<'a>,
    found: &'a Body<'a>,
    lost: &'a BTreeSet<String>,
    list: Vec<Difference>,
}

impl Compare<'_> {
    fn values(&mut self, given: Option<&Value>, found: Option<&Value>, at: &str, path: &str) {
        match (given, found) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => {
                let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
                for key in keys {
                    let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                    self.values(a.get(key), b.get(key), &at, &below(path, key));
                }
            }
            (Some(Value::Array(a)), Some(Value::Array(b))) if !a.is_empty() && !b.is_empty() => {
                self.lists((a, b), (given, found), at, path);
            }
            _ if same(given, found) => {}
            _ if self.is_made(self.given, given, path) && self.is_made(self.found, found, path) => {}
            _ => self.add(given, found, at, path),
        }
    }

    fn is_made(&self, body: &Body<'_>, value: Option<&Value>, path: &str) -> bool {
        value.is_some_and(|value| body.made.contains(&(path.to_owned(), shown(value))))
    }

    fn add(&mut self, given: Option<&Value>, found: Option<&Value>, at: &str, path: &str) {
        let rule = self.quotients.get(path);
        let how = match (self.quotients.is_none(given, path), self.quotients.is_none(found, path)) {
            (true, true) => return,
            (true, false) if rule.is_some_and(|rule| rule.keeps) => How::Kept,
            (false, true) if !rule.is_some_and(|rule| rule.gathered) => How::Lost,
            _ => How::Coerced,
        };
        self.list.push(Difference { at: at.to_owned(), how, given: given.cloned(), found: found.cloned() });
    }

    fn lists(
        &mut self,
        (a, b): (&[Value], &[Value]),
        (given, found): (Option<&Value>, Option<&Value>),
        at: &str,
        path: &str,
    ) {
        let rule = self.quotients.get(path);
        let words = rule.is_some_and(|rule| rule.words);
        let by = rule.and_then(|rule| rule.by.clone());
        let place = |n: usize| format!("{at}/{n}");
        let whole = words || a.len() != b.len();
        let order = match rule.and_then(|rule| rule.index.as_ref()) {
            Some(index) => sorted(a, index),
            None => (0..a.len()).collect(),
        };
        let gone: Vec<usize> = order.iter().copied().filter(|n| whole && self.lost.contains(&place(*n))).collect();
        let kept: Vec<usize> = order.iter().copied().filter(|n| !gone.contains(n)).collect();
        for n in &gone {
            let how = How::Lost;
            self.list.push(Difference { at: place(*n), how, given: Some(a[*n].clone()), found: None });
        }
        // Of lists of different lengths those belong together that are alike, in their order; where
        // something is there besides, the list is another one.
        let mut partners = Vec::new();
        let mut next = 0;
        for n in kept.iter().filter(|_| whole) {
            let alike = |b: &Value| match &by {
                Some(by) => same(get(&a[*n], by), get(b, by)),
                None => equal(&a[*n], b),
            };
            let Some(k) = (next..b.len()).find(|k| alike(&b[*k])) else { break };
            partners.push((*n, k));
            next = k + 1;
        }
        // The same items in another order are another value of the whole.
        if let Some(places) = by.as_ref().filter(|_| !whole).and_then(|by| moved(a, &order, b, by)) {
            let how = How::Coerced;
            self.list.push(Difference { at: at.to_owned(), how, given: given.cloned(), found: found.cloned() });
            for (k, n) in places.into_iter().enumerate() {
                self.values(Some(&a[n]), Some(&b[k]), &place(n), &format!("{path}[]"));
            }
            return;
        }
        let partners = if whole { partners } else { kept.iter().enumerate().map(|(k, n)| (*n, k)).collect() };
        if partners.len() != kept.len() || b.len() > partners.len() {
            let how = How::Coerced;
            self.list.push(Difference { at: at.to_owned(), how, given: given.cloned(), found: found.cloned() });
        }
        for (n, k) in partners {
            self.values(Some(&a[n]), Some(&b[k]), &place(n), &format!("{path}[]"));
        }
    }
}

/// For each item that is found the one that was given, where they stand in another order than they
/// were written in; they are known by texts of which each is another.
fn moved(given: &[Value], order: &[usize], found: &[Value], by: &str) -> Option<Vec<usize>> {
    let id = |row: &Value| get(row, by)?.as_str().map(str::to_owned);
    let written: Vec<String> = order.iter().map(|n| id(&given[*n])).collect::<Option<_>>()?;
    let found: Vec<String> = found.iter().map(id).collect::<Option<_>>()?;
    let are_unlike = |ids: &[String]| ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    let place = |id: &String| written.iter().position(|other| other == id).map(|k| order[k]);
    let places: Option<Vec<usize>> = found.iter().map(place).collect();
    places.filter(|_| written != found && are_unlike(&written) && are_unlike(&found))
}

//! How two bodies differ, up to what a format may lawfully not tell apart.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::Hash;
use std::sync::LazyLock;

use super::{Field, List, Node, View};
use crate::blank::view_is_blank;
use crate::json::{Layout, Number, Pointer, Value, print};

/// What counts as the same at one path of the model, and below it.
#[derive(Debug, Default)]
pub(crate) struct Quotients {
    /// A blank is nothing.
    pub(crate) blank: bool,
    /// Null is nothing.
    pub(crate) null: bool,
    /// These values are nothing.
    pub(crate) defaults: Vec<Value<'static>>,
    /// The rows that make a value where a document has none; any two that they made are the same.
    pub(crate) makers: Vec<usize>,
    /// What the twin has stays when the model has nothing.
    pub(crate) keep: bool,
    /// Some row speaks of the path.
    pub(crate) mapped: bool,
    /// Every key below it has a place of its own.
    pub(crate) open: bool,
    pub(crate) fields: HashMap<usize, Quotients>,
    pub(crate) keys: HashMap<String, Quotients>,
    pub(crate) items: Option<Box<Quotients>>,
    /// Single items of the list have slots of their own.
    pub(crate) single: bool,
    /// The field that tells the items of a list apart.
    pub(crate) by: Option<usize>,
    /// The order of the list says nothing: each item has a place of its own.
    pub(crate) set: bool,
    /// The items are written in the order of the number in this field.
    pub(crate) sorted: Option<usize>,
    /// One slot speaks for the path in every row: what reads back otherwise was outvoted.
    pub(crate) gathered: bool,
}

/// The identities and titles of a body that its import made, because the document had none: each
/// with the row that made it.
pub(crate) type Made = HashSet<(usize, String)>;

/// One way in which what reads back is not what was written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Difference {
    pub(crate) at: Pointer,
    pub(crate) kind: DifferenceKind,
    /// What was given.
    pub(crate) given: Option<serde_json::Value>,
    /// What reads back.
    pub(crate) found: Option<serde_json::Value>,
    /// Whether some row speaks of the path.
    pub(crate) mapped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DifferenceKind {
    /// Nothing, or only the default, reads back.
    Lost,
    /// Another value reads back.
    Coerced,
    /// The twin's value stayed.
    Kept,
}

/// The differences between what was given and what reads back; `is_made` says of two identities or
/// titles whether both were made, by one of these rows.
pub(crate) fn differences(
    given: &dyn Node,
    found: &dyn Node,
    quotients: &Quotients,
    is_made: &dyn Fn(&[usize], &str, &str) -> bool,
) -> Vec<Difference> {
    let mut diff = Diff { at: Pointer::root(), list: Vec::new(), is_made };
    diff.at.push("body");
    diff.nodes(given, found, quotients);
    diff.list
}

struct Diff<'d> {
    at: Pointer,
    list: Vec<Difference>,
    is_made: &'d dyn Fn(&[usize], &str, &str) -> bool,
}

static NONE: LazyLock<Quotients> = LazyLock::new(Quotients::default);
static MAPPED: LazyLock<Quotients> = LazyLock::new(|| Quotients { mapped: true, ..Quotients::default() });

fn meet_all<K: Eq + Hash>(one: HashMap<K, Quotients>, mut other: HashMap<K, Quotients>) -> HashMap<K, Quotients> {
    let mut met: HashMap<K, Quotients> = HashMap::with_capacity(one.len());
    for (key, one) in one {
        let beside = other.remove(&key).unwrap_or_default();
        met.insert(key, one.meet(beside));
    }
    met.extend(other.into_iter().map(|(key, other)| (key, Quotients::default().meet(other))));
    met
}

impl Quotients {
    /// What is said of rows that are read in one of two ways: the same is what both hold for it.
    pub(crate) fn meet(self, mut other: Self) -> Self {
        let mut makers = self.makers;
        makers.append(&mut other.makers);
        Self {
            blank: self.blank && other.blank,
            null: self.null && other.null,
            defaults: self.defaults.into_iter().filter(|value| other.defaults.contains(value)).collect(),
            makers,
            keep: self.keep || other.keep,
            mapped: self.mapped || other.mapped,
            open: self.open || other.open,
            fields: meet_all(self.fields, other.fields),
            keys: meet_all(self.keys, other.keys),
            items: match (self.items, other.items) {
                (Some(one), Some(other)) => Some(Box::new(one.meet(*other))),
                (one, other) => one.or(other),
            },
            single: self.single || other.single,
            by: self.by.or(other.by),
            set: self.set && other.set,
            sorted: self.sorted.or(other.sorted),
            gathered: self.gathered || other.gathered,
        }
    }

    fn field(&self, n: usize) -> &Self {
        self.fields.get(&n).unwrap_or(&NONE)
    }

    fn item(&self) -> &Self {
        self.items.as_deref().unwrap_or(&NONE)
    }

    fn key(&self, key: &str) -> &Self {
        self.keys.get(key).unwrap_or(if self.open { &MAPPED } else { &NONE })
    }

    /// Whether some row speaks of the path, or of something below it.
    fn is_spoken_of(&self) -> bool {
        self.mapped || self.fields.values().chain(self.keys.values()).any(Self::is_spoken_of)
    }

    /// Whether a view says nothing here.
    fn is_nothing(&self, view: View<'_>) -> bool {
        match view {
            View::Absent => true,
            View::Null if self.null => true,
            View::Node(node) => (0..node.shape().fields.len())
                .all(|n| node.field(n).is_none_or(|field| self.field(n).is_nothing(field.view()))),
            View::List(list) if self.single => {
                (0..list.len()).all(|n| list.item(n).is_none_or(|item| self.item().is_nothing(item.view())))
            }
            // Of an object whose keys have rows each key has a nothing of its own.
            View::Dict(dict) if !self.keys.is_empty() => {
                let mut nothing = true;
                dict.each(&mut |key, field| {
                    nothing &= self.key(key).is_nothing(field.view());
                });
                nothing
            }
            view => (self.blank && view_is_blank(view)) || self.defaults.iter().any(|value| view.is(value)),
        }
    }
}

fn equal(a: View<'_>, b: View<'_>) -> bool {
    match (a, b) {
        (View::Absent, View::Absent) => true,
        (a, b) => b.value().is_some_and(|value| a.is(&value)),
    }
}

impl Diff<'_> {
    fn below(&mut self, key: &str, act: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push(key);
        act(self);
        self.at.cut(length);
    }

    fn item(&mut self, n: usize, act: impl FnOnce(&mut Self)) {
        let length = self.at.len();
        self.at.push_index(n);
        act(self);
        self.at.cut(length);
    }

    fn add(&mut self, kind: DifferenceKind, given: View<'_>, found: View<'_>, quotients: &Quotients) {
        self.list.push(Difference {
            at: self.at.clone(),
            kind,
            given: given.value().map(Into::into),
            found: found.value().map(Into::into),
            mapped: quotients.is_spoken_of(),
        });
    }

    fn nodes(&mut self, given: &dyn Node, found: &dyn Node, quotients: &Quotients) {
        for (n, field) in given.shape().fields.iter().enumerate() {
            let (Some(a), Some(b)) = (given.field(n), found.field(n)) else { continue };
            self.below(field.name, |diff| diff.views(a.view(), b.view(), quotients.field(n)));
        }
    }

    fn views(&mut self, given: View<'_>, found: View<'_>, quotients: &Quotients) {
        match (given, found) {
            (View::Node(a), View::Node(b)) => return self.nodes(a, b, quotients),
            (View::List(a), View::List(b)) if !a.is_empty() && !b.is_empty() => return self.lists(a, b, quotients),
            (View::Dict(a), View::Dict(b)) => {
                a.each(&mut |key, field| {
                    let found = b.get(key).map_or(View::Absent, |field| field.view());
                    self.below(key, |diff| diff.views(field.view(), found, quotients.key(key)));
                });
                b.each(&mut |key, field| {
                    if a.get(key).is_none() {
                        self.below(key, |diff| diff.views(View::Absent, field.view(), quotients.key(key)));
                    }
                });
                return;
            }
            _ => {}
        }
        if equal(given, found) || self.are_made(given, found, quotients) {
            return;
        }
        match (quotients.is_nothing(given), quotients.is_nothing(found)) {
            (true, true) => {}
            (true, false) if quotients.keep => self.add(DifferenceKind::Kept, given, found, quotients),
            (false, true) if !quotients.gathered => self.add(DifferenceKind::Lost, given, found, quotients),
            _ => self.add(DifferenceKind::Coerced, given, found, quotients),
        }
    }

    fn are_made(&self, given: View<'_>, found: View<'_>, quotients: &Quotients) -> bool {
        let are_made = |given: &str, found: &str| (self.is_made)(&quotients.makers, given, found);
        match (given, found) {
            _ if quotients.makers.is_empty() => false,
            (View::Text(given), View::Text(found)) => are_made(given, found),
            (View::Number(given), View::Number(found)) => are_made(&given.to_string(), &found.to_string()),
            _ => false,
        }
    }

    /// Items at the same place are compared; of lists of different lengths those that belong
    /// together, in their order. The others that were given are lost; others that are found make
    /// the list another one.
    fn lists(&mut self, given: &dyn List, found: &dyn List, quotients: &Quotients) {
        let inner = quotients.item();
        if quotients.set {
            return self.sets(given, found, quotients);
        }
        let in_order =
            |list: &dyn List| quotients.sorted.map_or_else(|| (0..list.len()).collect(), |field| sorted(list, field));
        let (order, read): (Vec<usize>, Vec<usize>) = (in_order(given), in_order(found));
        if given.len() == found.len() {
            let order = match moved(given, found, quotients.by, (&order, &read)) {
                Some(places) => {
                    // The same items in another order are another value of the whole.
                    self.add(DifferenceKind::Coerced, View::List(given), View::List(found), quotients);
                    places
                }
                None => order,
            };
            for (k, n) in read.into_iter().zip(order) {
                let (Some(a), Some(b)) = (given.item(n), found.item(k)) else { continue };
                self.item(n, |diff| diff.views(a.view(), b.view(), inner));
            }
            return;
        }
        let mut partners: HashMap<String, VecDeque<usize>> = HashMap::new();
        for n in 0..found.len() {
            partners.entry(called(found, n, quotients.by)).or_default().push_back(n);
        }
        let (mut next, mut partnered) = (0, 0);
        for n in order {
            let Some(a) = given.item(n) else { continue };
            let partner = partners.get_mut(&called(given, n, quotients.by)).and_then(|queue| {
                while queue.front().is_some_and(|k| *k < next) {
                    queue.pop_front();
                }
                queue.pop_front()
            });
            match partner.and_then(|k| Some((k, found.item(k)?))) {
                Some((k, b)) => {
                    (next, partnered) = (k + 1, partnered + 1);
                    self.item(n, |diff| diff.views(a.view(), b.view(), inner));
                }
                None => self.item(n, |diff| diff.add(DifferenceKind::Lost, a.view(), View::Absent, inner)),
            }
        }
        if partnered < found.len() {
            // Something reads back that was not given.
            self.add(DifferenceKind::Coerced, View::List(given), View::List(found), quotients);
        }
    }

    /// Items whose order a format does not keep: those that are not found are lost, and another order
    /// is another value of the whole.
    fn sets(&mut self, given: &dyn List, found: &dyn List, quotients: &Quotients) {
        let all = |list: &dyn List| (0..list.len()).map(|n| called(list, n, None)).collect::<Vec<_>>();
        let (in_given, in_found) = (all(given), all(found));
        let known: HashSet<&String> = in_found.iter().collect();
        let lost: BTreeSet<usize> = (0..given.len()).filter(|n| !known.contains(&in_given[*n])).collect();
        for n in &lost {
            let view = given.item(*n).map_or(View::Absent, Field::view);
            self.item(*n, |diff| diff.add(DifferenceKind::Lost, view, View::Absent, quotients.item()));
        }
        let rest = in_given.iter().enumerate().filter(|(n, _)| !lost.contains(n)).map(|(_, called)| called);
        if !rest.eq(&in_found) {
            self.add(DifferenceKind::Coerced, View::List(given), View::List(found), quotients);
        }
    }
}

/// The items in the order of a number in a field.
pub(crate) fn sorted(list: &dyn List, field: usize) -> Vec<usize> {
    let number = |n: usize| match list.item(n)?.view() {
        View::Node(node) => match node.field(field)?.view() {
            View::Number(number) => Some(number),
            _ => None,
        },
        _ => None,
    };
    order_by((0..list.len()).map(number))
}

/// The indexes of items in the order of a number of each; one without it stays behind the one before.
pub(crate) fn order_by(numbers: impl Iterator<Item = Option<Number>>) -> Vec<usize> {
    let mut before = Number::ZERO;
    let numbers: Vec<Number> = numbers
        .map(|number| {
            before = number.unwrap_or(before);
            before
        })
        .collect();
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|a, b| numbers[*a].total_cmp(numbers[*b]));
    order
}

/// For each item that is found the one that was given, where all are there and stand in another
/// order than they were written in; they are known by one field.
fn moved(
    given: &dyn List,
    found: &dyn List,
    by: Option<usize>,
    (order, read): (&[usize], &[usize]),
) -> Option<Vec<usize>> {
    let by = Some(by?);
    let given: Vec<String> = order.iter().map(|n| called(given, *n, by)).collect();
    let found: Vec<String> = read.iter().map(|n| called(found, *n, by)).collect();
    if given == found {
        return None;
    }
    let count = given.len();
    let mut places: HashMap<String, usize> = given.into_iter().zip(order.iter().copied()).collect();
    if places.len() < count {
        return None;
    }
    found.iter().map(|id| places.remove(id)).collect()
}

/// What an item of a list is found again by: the field that tells items apart, or all of it.
fn called(list: &dyn List, n: usize, by: Option<usize>) -> String {
    let view = list.item(n).map_or(View::Absent, Field::view);
    let view = match (view, by) {
        (View::Node(node), Some(by)) => node.field(by).map_or(View::Absent, Field::view),
        (view, _) => view,
    };
    let mut text = String::new();
    if let Some(value) = view.value() {
        print(&value, &Layout::compact(), &mut text);
    }
    text
}

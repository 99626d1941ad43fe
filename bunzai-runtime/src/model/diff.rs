//! How two bodies differ, up to what a format may lawfully not tell apart.

use std::collections::HashMap;

use super::{List, Node, View};
use crate::engine::{is_suffixed, is_synthetic};
use crate::json::{Pointer, Value, is_blank};

/// What counts as the same at one path of the model, and below it.
#[derive(Debug, Default)]
pub(crate) struct Quotients {
    /// A blank is nothing.
    pub(crate) blank: bool,
    /// Null is nothing.
    pub(crate) null: bool,
    /// These values are nothing.
    pub(crate) defaults: Vec<Value<'static>>,
    /// The engine makes a value where a document has none, and any two that it made are the same.
    pub(crate) made: Option<Made>,
    /// What the twin has stays when the model has nothing.
    pub(crate) keep: bool,
    /// The value travels as the name of the file.
    pub(crate) file: bool,
    /// Some row speaks of the path.
    pub(crate) mapped: bool,
    /// Every key below it has a place of its own.
    pub(crate) open: bool,
    pub(crate) fields: HashMap<usize, Quotients>,
    pub(crate) keys: HashMap<String, Quotients>,
    pub(crate) items: Option<Box<Quotients>>,
    /// The field that tells the items of a list apart.
    pub(crate) by: Option<usize>,
}

/// What the engine makes where a document has nothing.
#[derive(Debug, Clone)]
pub(crate) enum Made {
    /// The identity of a row.
    Identity,
    /// The identity of a row, made unique.
    Unique,
    /// The place of a row, counted, after this word.
    Count(String),
}

impl Made {
    /// Whether a value is one that the engine makes.
    fn made(&self, view: View<'_>) -> bool {
        match (self, view) {
            (Self::Identity, View::Text(id)) => is_synthetic(id),
            (Self::Unique, View::Text(id)) => is_suffixed(id),
            (Self::Count(word), View::Number(n)) => word.is_empty() && n.is_integer(),
            (Self::Count(word), View::Text(text)) => {
                let number = text.strip_prefix(word.as_str()).and_then(|rest| rest.strip_prefix(' '));
                number.is_some_and(|number| number.parse::<i64>().is_ok())
            }
            _ => false,
        }
    }
}

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

/// The differences between what was given and what reads back.
pub(crate) fn differences(given: &dyn Node, found: &dyn Node, quotients: &Quotients) -> Vec<Difference> {
    let mut diff = Diff { at: Pointer::root(), list: Vec::new() };
    diff.at.push("body");
    diff.nodes(given, found, quotients);
    diff.list
}

struct Diff {
    at: Pointer,
    list: Vec<Difference>,
}

static NONE: std::sync::LazyLock<Quotients> = std::sync::LazyLock::new(Quotients::default);

impl Quotients {
    fn field(&self, n: usize) -> &Self {
        self.fields.get(&n).unwrap_or(&NONE)
    }

    fn item(&self) -> &Self {
        self.items.as_deref().unwrap_or(&NONE)
    }

    /// Whether a view says nothing here.
    fn is_nothing(&self, view: View<'_>) -> bool {
        match view {
            View::Absent => true,
            View::Null if self.null => true,
            View::Node(node) => (0..node.shape().fields.len())
                .all(|n| node.field(n).is_none_or(|field| self.field(n).is_nothing(field.view()))),
            // Of an object whose keys have rows each key has a nothing of its own.
            View::Dict(dict) if !self.keys.is_empty() => {
                let mut nothing = true;
                dict.each(&mut |key, field| {
                    nothing &= self.keys.get(key).unwrap_or(&NONE).is_nothing(field.view());
                });
                nothing
            }
            view => (self.blank && blank(view)) || self.defaults.iter().any(|value| view.is(value)),
        }
    }
}

fn blank(view: View<'_>) -> bool {
    match view {
        View::Text(text) => is_blank(text),
        View::Bool(b) => !b,
        View::List(list) => list.is_empty(),
        View::Dict(dict) => dict.is_empty(),
        View::Absent | View::Null | View::Number(_) | View::Node(_) => false,
    }
}

fn equal(a: View<'_>, b: View<'_>) -> bool {
    match (a, b) {
        (View::Absent, View::Absent) => true,
        (a, b) => b.value().is_some_and(|value| a.is(&value)),
    }
}

impl Diff {
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
            mapped: quotients.mapped,
        });
    }

    fn nodes(&mut self, given: &dyn Node, found: &dyn Node, quotients: &Quotients) {
        for (n, field) in given.shape().fields.iter().enumerate() {
            let (Some(a), Some(b)) = (given.field(n), found.field(n)) else { continue };
            self.below(field.name, |diff| diff.views(a.view(), b.view(), quotients.field(n)));
        }
    }

    fn views(&mut self, given: View<'_>, found: View<'_>, quotients: &Quotients) {
        if quotients.file {
            return;
        }
        match (given, found) {
            (View::Node(a), View::Node(b)) => return self.nodes(a, b, quotients),
            (View::List(a), View::List(b)) if !a.is_empty() && !b.is_empty() => return self.lists(a, b, quotients),
            (View::Dict(a), View::Dict(b)) => {
                a.each(&mut |key, field| {
                    let found = b.get(key).map_or(View::Absent, |field| field.view());
                    let quotients = quotients.keys.get(key).unwrap_or(&NONE);
                    self.below(key, |diff| diff.views(field.view(), found, quotients));
                });
                b.each(&mut |key, field| {
                    if a.get(key).is_none() {
                        let quotients = quotients.keys.get(key).unwrap_or(&NONE);
                        self.below(key, |diff| diff.views(View::Absent, field.view(), quotients));
                    }
                });
                return;
            }
            _ => {}
        }
        if equal(given, found) || quotients.made.as_ref().is_some_and(|made| made.made(given) && made.made(found)) {
            return;
        }
        match (quotients.is_nothing(given), quotients.is_nothing(found)) {
            (true, true) => {}
            (true, false) if quotients.keep => self.add(DifferenceKind::Kept, given, found, quotients),
            (false, true) => self.add(DifferenceKind::Lost, given, found, quotients),
            _ => self.add(DifferenceKind::Coerced, given, found, quotients),
        }
    }

    /// Items at the same place are compared; of lists of different lengths those that belong
    /// together, and the others are lost.
    fn lists(&mut self, given: &dyn List, found: &dyn List, quotients: &Quotients) {
        let inner = quotients.item();
        if given.len() == found.len() {
            for n in 0..given.len() {
                let (Some(a), Some(b)) = (given.item(n), found.item(n)) else { continue };
                self.item(n, |diff| diff.views(a.view(), b.view(), inner));
            }
            return;
        }
        let mut next = 0;
        for n in 0..given.len() {
            let Some(a) = given.item(n) else { continue };
            let partner =
                (next..found.len()).find(|k| found.item(*k).is_some_and(|b| belong(a.view(), b.view(), quotients.by)));
            match partner.and_then(|k| Some((k, found.item(k)?))) {
                Some((k, b)) => {
                    next = k + 1;
                    self.item(n, |diff| diff.views(a.view(), b.view(), inner));
                }
                None => self.item(n, |diff| diff.add(DifferenceKind::Lost, a.view(), View::Absent, inner)),
            }
        }
    }
}

fn belong(a: View<'_>, b: View<'_>, by: Option<usize>) -> bool {
    match (a, b, by) {
        (View::Node(a), View::Node(b), Some(by)) => match (a.field(by), b.field(by)) {
            (Some(a), Some(b)) => equal(a.view(), b.view()),
            _ => false,
        },
        (a, b, _) => equal(a, b),
    }
}

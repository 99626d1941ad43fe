//! Which slots of the wire an edit of the model may change: worked out from the map and from the
//! bodies before and after, apart from the engine.

use std::collections::{BTreeMap, BTreeSet};

use bunzai_runtime::map::{
    Cell, Each, Fill, Inner, Join, Map, Order, Part, Piece, Row, Step, Str, Text, Tie, Wire, Wrap,
};
use serde_json::Value;

use crate::paths::{below, get, path_of, same, shared_ids};
use crate::tree::{Kind, Node};
use crate::woven;

/// An edit of a body: values first, then rows.
pub(crate) struct Edit<'v> {
    pub(crate) map: &'v Map,
    /// The body that was imported, with other values, and with other rows.
    pub(crate) imported: &'v Value,
    pub(crate) edited: &'v Value,
    pub(crate) last: &'v Value,
    /// The lists whose rows came, went or moved.
    pub(crate) moved: &'v BTreeSet<String>,
    /// The identities that rows were given: a row of the twin with one of them may be another row.
    pub(crate) given: &'v BTreeSet<String>,
}

/// The struct that a part speaks of, before and after the edit of values.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'v> {
    Pair(&'v Value, &'v Value),
    /// A row that may have been taken for another one with its identity: all of it may change.
    Free,
}

/// A place of an object that a part reads.
#[derive(Debug, Default)]
pub(crate) struct Place<'v> {
    pub(crate) slot: Slot<'v>,
    pub(crate) children: BTreeMap<String, Place<'v>>,
    pub(crate) rest: Option<Rest>,
}

/// What may become of the value in a slot.
#[derive(Debug, Default)]
pub(crate) enum Slot<'v> {
    /// It keeps its bytes.
    #[default]
    Kept,
    /// It may change; unless it is text that cannot be read where the row has these forms.
    Open(&'v [Text]),
    /// What changes is told by a map.
    Map(&'v [Text], &'v Part, String, Scope<'v>),
    Rows(Rows<'v>),
    /// Rows that several maps read.
    Woven(Rows<'v>, Scope<'v>),
    /// The items of the list that keeps the order of such rows.
    Items(Rows<'v>, Scope<'v>, &'v [Step]),
    /// Words may come and go.
    Words(Vec<&'v Str>),
    /// The order of the rows of the list at this path.
    Order(&'v Order, &'v [Step], bool),
}

/// The keys that a part takes without a row.
#[derive(Debug)]
pub(crate) struct Rest {
    /// The names that changed in the model, without their case.
    changed: BTreeSet<String>,
    free: bool,
}

/// A list of rows.
#[derive(Debug, Clone)]
pub(crate) struct Rows<'v> {
    pub(crate) row: &'v Row,
    pub(crate) each: &'v Each,
    pub(crate) part: &'v Part,
    /// The canonical path of its rows.
    pub(crate) path: String,
    /// The rows before and after the edit of values.
    pub(crate) pair: Option<(&'v [Value], &'v [Value])>,
    /// Whether rows may come, go and move.
    pub(crate) moves: bool,
    /// Whether anything in it differs.
    pub(crate) touched: bool,
    /// The identities that several rows share, before or after.
    pub(crate) shared: BTreeSet<String>,
}

pub(crate) fn bare(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_')).flat_map(char::to_lowercase).collect()
}

impl Rest {
    pub(crate) fn may_change(&self, key: &str) -> bool {
        self.free || self.changed.contains(&bare(key))
    }
}

impl<'v> Scope<'v> {
    /// The scope at a path below it.
    fn at(self, path: &str) -> Self {
        static NOTHING: Value = Value::Null;
        match self {
            Self::Pair(a, b) => Self::Pair(get(a, path).unwrap_or(&NOTHING), get(b, path).unwrap_or(&NOTHING)),
            Self::Free => Self::Free,
        }
    }

    /// Whether the values at a path differ; of a path through a list the values in all its items.
    fn differs(self, path: &str) -> bool {
        match (self, path.split_once("[]")) {
            (Self::Free, _) => true,
            (Self::Pair(a, b), None) => !same(get(a, path), get(b, path)),
            (Self::Pair(a, b), Some((list, inner))) => {
                let inner = inner.trim_start_matches('.');
                let column = |value: &'v Value| {
                    let items = get(value, list).and_then(Value::as_array);
                    items.map(|items| items.iter().map(|item| get(item, inner)).collect::<Vec<_>>())
                };
                match (column(a), column(b)) {
                    (Some(a), Some(b)) => a.len() != b.len() || a.iter().zip(&b).any(|(a, b)| !same(*a, *b)),
                    (a, b) => a.is_some() != b.is_some(),
                }
            }
        }
    }
}

impl<'v> Edit<'v> {
    pub(crate) fn root(&self) -> Scope<'v> {
        Scope::Pair(self.imported, self.edited)
    }

    /// The places of a part, and what may become of each.
    pub(crate) fn places(&self, part: &'v Part, path: &str, scope: Scope<'v>) -> Place<'v> {
        let mut root = Place::default();
        for row in part.rows.iter() {
            let Wire::At(steps) = &row.wire else { continue };
            let slot = self.slot(row, path, scope);
            if let (Slot::Woven(rows, scope), Some(order)) = (&slot, row_order(row)) {
                root.at(&order.at).slot = Slot::Items(rows.clone(), *scope, steps);
            }
            if let (Slot::Rows(rows), Some(order)) = (&slot, row_order(row)) {
                root.at(&order.at).slot = Slot::Order(order, steps, rows.moves || rows.touched);
            }
            if let (Slot::Open(_), Some(order)) = (&slot, row_order(row)) {
                root.at(&order.at).slot = Slot::Open(&order.text);
            }
            if matches!(slot, Slot::Open(_)) {
                row.also.iter().for_each(|also| root.at(&also.at).slot = Slot::Open(&row.text));
            }
            if !matches!(slot, Slot::Kept) {
                root.at(steps).slot = slot;
            } else {
                root.at(steps);
            }
        }
        for join in part.joins.iter().filter(|join| join.to.iter().any(|to| self.differs(to, path, scope))) {
            let written =
                join.wire.iter().enumerate().filter(|(column, _)| self.is_written(join, *column + join.see.len()));
            written.for_each(|(_, steps)| root.at(steps).slot = Slot::Open(&[]));
        }
        if let Some(rest) = &part.rest {
            let changed = match scope {
                Scope::Free => BTreeSet::new(),
                Scope::Pair(a, b) => changed_names(get(a, &rest.to), get(b, &rest.to)),
            };
            root.rest = Some(Rest { changed, free: matches!(scope, Scope::Free) });
        }
        root
    }

    /// Whether a canonical path differs, or lies in a list whose rows moved.
    fn differs(&self, to: &str, path: &str, scope: Scope<'v>) -> bool {
        let list = below(path, to.split_once('[').map_or(to, |(list, _)| list));
        scope.differs(to) || self.moved.contains(&list)
    }

    fn slot(&self, row: &'v Row, path: &str, scope: Scope<'v>) -> Slot<'v> {
        let to = row.to.first().map_or("", |to| to.as_ref());
        match &row.inner {
            Inner::Map(inner) => Slot::Map(&row.text, &self.map.parts[*inner].1, below(path, to), scope.at(to)),
            Inner::Each(each) if woven::is_woven(each) => self.woven(row, each, to, path, scope),
            Inner::Each(each) => self.rows(row, each, to, path, scope),
            Inner::Flags(flags) => match flags.iter().any(|(_, to)| scope.differs(to)) {
                true => Slot::Words(flags.iter().map(|(word, _)| word).collect()),
                false => Slot::Kept,
            },
            Inner::Word(word) => {
                let word: Option<Value> = word.value().map(Into::into);
                let has = |value: &Value| {
                    let list = get(value, to).and_then(Value::as_array);
                    list.is_some_and(|list| list.iter().any(|item| Some(item) == word.as_ref()))
                };
                match scope {
                    Scope::Pair(a, b) if has(a) == has(b) => Slot::Kept,
                    _ => Slot::Open(&row.text),
                }
            }
            Inner::Value | Inner::Gather => {
                let sources = row.to.iter().chain(row.or.iter().flat_map(made_of));
                match row.to.is_empty() || !sources.clone().any(|to| self.differs(to, path, scope)) {
                    true => Slot::Kept,
                    false => Slot::Open(&row.text),
                }
            }
        }
    }

    /// Rows that several maps read, and the groups that some of them open.
    fn woven(&self, row: &'v Row, each: &'v Each, to: &'v str, path: &str, scope: Scope<'v>) -> Slot<'v> {
        let heads = each.heads.first();
        let by = each.by.as_ref().and_then(|by| path_of(&self.map.parts[each.part].1, by));
        let (mut moves, mut touched) = (matches!(scope, Scope::Free), matches!(scope, Scope::Free));
        let mut shared: BTreeSet<String> = self.given.iter().cloned().collect();
        for to in [to].into_iter().chain(heads.map(|heads| heads.to.as_ref())) {
            let list = below(path, to);
            if let Some(by) = &by {
                shared.extend([self.imported, self.last].into_iter().flat_map(|body| shared_ids(body, &list, by)));
            }
            let inside = format!("{list}[]");
            touched |= scope.differs(to) || self.moved.iter().any(|moved| *moved == list || moved.starts_with(&inside));
            moves |= self.moved.contains(&list);
            if let Scope::Pair(a, b) = scope {
                let length = |value| get(value, to).and_then(Value::as_array).map(Vec::len);
                moves |= length(a) != length(b);
            }
        }
        // Which group a row is in tells where the row that opens it stands.
        for heads in each.heads.iter() {
            moves |= scope.differs(&format!("{to}[].{}", heads.fill));
            moves |= heads.up.as_ref().is_some_and(|up| scope.differs(&format!("{}[].{up}", heads.to)));
        }
        moves |= touched && shared.len() > self.given.len();
        let part = &self.map.parts[each.part].1;
        Slot::Woven(Rows { row, each, part, path: path.to_owned(), pair: None, moves, touched, shared }, scope)
    }

    fn rows(&self, row: &'v Row, each: &'v Each, to: &str, path: &str, scope: Scope<'v>) -> Slot<'v> {
        let list = below(path, to);
        let pair = match scope {
            Scope::Free => None,
            Scope::Pair(a, b) => match (get(a, to).and_then(Value::as_array), get(b, to).and_then(Value::as_array)) {
                // A list that came or went, or one of plain values, is one value.
                (a, b) if a.map(Vec::len) != b.map(Vec::len) => return Slot::Open(&row.text),
                (Some(a), Some(b)) => Some((a.as_slice(), b.as_slice())),
                _ => Some((&[][..], &[][..])),
            },
        };
        let part = &self.map.parts[each.part].1;
        let is_plain = part.rows.iter().any(|row| matches!(&row.wire, Wire::At(steps) if steps.is_empty()));
        let differs = scope.differs(to);
        if is_plain {
            let may = differs || self.moved.contains(&list);
            return if may { Slot::Open(&row.text) } else { Slot::Kept };
        }
        let by = each.by.as_ref().and_then(|by| path_of(part, by));
        let shared = match &by {
            Some(by) => {
                let shared = [self.imported, self.last].into_iter().flat_map(|body| shared_ids(body, &list, by));
                shared.chain(self.given.iter().cloned()).collect()
            }
            None => BTreeSet::new(),
        };
        let inside = format!("{list}[]");
        let touched = differs || self.moved.iter().any(|moved| *moved == list || moved.starts_with(&inside));
        let may_be_another = by.is_none() || shared.len() > self.given.len();
        // Rows that stand in the order of a number move with it.
        let column = |index: &str| format!("{to}[].{index}");
        let resorted = crate::paths::index_of(part).is_some_and(|index| scope.differs(&column(&index)));
        let moves = self.moved.contains(&list) || touched && may_be_another || pair.is_none() || resorted;
        Slot::Rows(Rows { row, each, part, path: inside, pair, moves, touched, shared })
    }

    fn is_written(&self, join: &Join, column: usize) -> bool {
        match join.tie {
            Tie::Via(_) => true,
            Tie::Table(table) => {
                let table = &self.map.tables[table];
                let cells = table.rows.iter().chain(table.write.iter()).filter_map(|row| row.wire.get(column));
                cells.into_iter().any(|cell| matches!(cell, Cell::Is(_) | Cell::None))
            }
        }
    }

    /// Whether anything at or below a place may change.
    pub(crate) fn may_change(&self, place: &Place<'v>) -> bool {
        let slot = match &place.slot {
            Slot::Kept => false,
            Slot::Open(_) | Slot::Words(_) => true,
            Slot::Map(_, part, path, scope) => self.may_change(&self.places(part, path, *scope)),
            Slot::Rows(rows) | Slot::Woven(rows, _) | Slot::Items(rows, ..) => rows.moves || rows.touched,
            Slot::Order(_, _, moves) => *moves,
        };
        let rest = place.rest.as_ref().is_some_and(|rest| rest.free || !rest.changed.is_empty());
        slot || rest || place.children.values().any(|child| self.may_change(child))
    }
}

impl<'v> Rows<'v> {
    /// The scope of a row that several maps read: one of the list, or of the groups.
    pub(crate) fn woven_scope(&self, heads: Option<&str>, index: usize, holder: Scope<'v>) -> Scope<'v> {
        let Scope::Pair(a, b) = holder else { return Scope::Free };
        let to = heads.unwrap_or_else(|| self.row.to.first().map_or("", |to| to.as_ref()));
        let row = |value| get(value, to).and_then(Value::as_array).and_then(|rows| rows.get(index));
        let (Some(before), Some(after)) = (row(a), row(b)) else { return Scope::Free };
        let by = self.each.by.as_ref().and_then(|by| path_of(self.part, by));
        let id = by.and_then(|by| get(before, &by).and_then(Value::as_str));
        let is_shared = id.is_none_or(|id| self.shared.contains(id));
        if is_shared && self.touched { Scope::Free } else { Scope::Pair(before, after) }
    }

    /// Whether a value is what holds such rows.
    pub(crate) fn fits(&self, node: &Node) -> bool {
        matches!((&node.kind, self.each.keyed), (Kind::Object(..), Some(_)) | (Kind::List(..), None))
    }

    /// The scope of a row, by its index in the model.
    pub(crate) fn scope(&self, index: usize) -> Option<Scope<'v>> {
        let Some((before, after)) = self.pair else { return Some(Scope::Free) };
        let (before, after) = (before.get(index)?, after.get(index)?);
        let by = self.each.by.as_ref().and_then(|by| path_of(self.part, by));
        let is_shared = match by {
            Some(by) => get(before, &by).and_then(Value::as_str).is_some_and(|id| self.shared.contains(id)),
            None => true,
        };
        Some(if is_shared && self.touched { Scope::Free } else { Scope::Pair(before, after) })
    }
}

impl<'v> Place<'v> {
    /// The places of two parts that read one object.
    pub(crate) fn with(mut self, other: Self) -> Self {
        self.children.extend(other.children);
        self
    }

    pub(crate) fn at(&mut self, steps: &[Step]) -> &mut Self {
        steps.iter().fold(self, |place, step| match step {
            Step::Key(key) => place.children.entry(key.to_string()).or_default(),
            Step::Every | Step::Pick(_) => place,
        })
    }
}

fn row_order(row: &Row) -> Option<&Order> {
    match &row.inner {
        Inner::Each(each) => each.order.as_ref(),
        _ => None,
    }
}

/// The canonical paths that a derived value is made of.
fn made_of(fill: &Fill) -> Vec<&Str> {
    match fill {
        Fill::Slug { path, .. } | Fill::Words { path, .. } => vec![path],
        Fill::Concat(pieces) => {
            let paths = pieces.iter().filter_map(|piece| match piece {
                Piece::Path(path) => Some(path),
                Piece::Is(_) => None,
            });
            paths.collect()
        }
        _ => Vec::new(),
    }
}

fn changed_names(a: Option<&Value>, b: Option<&Value>) -> BTreeSet<String> {
    let empty = serde_json::Map::new();
    let members = |value: Option<&'_ Value>| value.and_then(Value::as_object).unwrap_or(&empty).clone();
    let (a, b) = (members(a), members(b));
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    names.into_iter().filter(|name| !same(a.get(*name), b.get(*name))).map(|name| bare(name)).collect()
}

/// Whether a string holds neither text that can be read in one of these forms nor nothing. What is
/// a bare item or is split reads any text, and so does a regex.
pub(crate) fn is_unreadable(node: &Node, texts: &[Text]) -> bool {
    let value = node.value();
    let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) else { return false };
    let reads = |form: &Text| match form {
        Text::Plain => false,
        Text::Json => node.inside().is_some(),
        Text::Lone | Text::Split(_) | Text::Regex(_) => true,
        Text::Wrap(wrap) => is_wrapped(wrap, text),
    };
    !texts.is_empty() && !texts.iter().any(reads)
}

/// Whether the decoration stands around a text.
pub(crate) fn is_wrapped(wrap: &Wrap, text: &str) -> bool {
    let text = text.trim();
    match wrap {
        Wrap::Pair(before, after) => {
            text.len() >= before.len() + after.len()
                && text.starts_with(before.as_ref())
                && text.ends_with(after.as_ref())
        }
        Wrap::Run(run) => {
            let marks = |text: &mut dyn Iterator<Item = char>| text.take_while(|c| run.of.contains(*c)).count();
            let (lead, all) = (marks(&mut text.chars()), text.chars().count());
            let tail = if lead == all { 0 } else { marks(&mut text.chars().rev()) };
            lead + tail >= run.least
        }
    }
}

//! How two bodies differ, up to the four quotients of the language: worked out from the map,
//! path by path, apart from the engine.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bunzai_runtime::map::{Cell, Each, Else, Fill, Gone, Ids, Inner, Literal, Map, Part, Row, Spelling, Tie, Wire};
use bunzai_runtime::model::{Shape, Type};
use serde_json::Value;

/// Equality by value: 2.0 is 2, and members have no order.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64(), a.as_u64(), b.as_u64()) {
            (Some(a), Some(b), ..) => a == b,
            (_, _, Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

pub(crate) fn same(a: Option<&Value>, b: Option<&Value>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => equal(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// What a map says of one canonical path.
#[derive(Debug, Default)]
struct Rule {
    /// A blank is none.
    blank: bool,
    /// Null is none.
    null: bool,
    /// These are none.
    defaults: Vec<Value>,
    /// The text of the twin may stay against a none.
    keeps: bool,
    /// The engine makes a value of this sort.
    made: Option<Made>,
    /// The items are words, each with a slot of its own.
    words: bool,
    /// One slot speaks for all rows.
    gathered: bool,
    /// The path of what tells the rows apart.
    by: Option<String>,
}

/// What the engine makes where a document has nothing.
#[derive(Debug, Clone)]
enum Made {
    /// The identity of a row: `row-3`, or with `ids = "unique"` `3` or `x-2`.
    Id(Ids),
    /// A title that counts: `Entry 3`.
    Count(String),
}

impl Made {
    fn is_like(&self, value: &Value) -> bool {
        let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        match (self, value) {
            (Self::Id(Ids::Verbatim), Value::String(id)) => {
                id.strip_prefix("row-").is_some_and(|rest| rest.split('-').all(number))
            }
            (Self::Id(Ids::Unique), Value::String(id)) => {
                number(id) || id.rsplit_once('-').is_some_and(|(_, n)| number(n))
            }
            (Self::Count(word), Value::String(text)) => {
                text.strip_prefix(word.as_str()).and_then(|rest| rest.strip_prefix(' ')).is_some_and(number)
            }
            (Self::Count(word), Value::Number(n)) => word.is_empty() && (n.is_i64() || n.is_u64()),
            _ => false,
        }
    }
}

/// The quotients of a map.
#[derive(Debug, Default)]
pub(crate) struct Quotients {
    rules: BTreeMap<String, Rule>,
    /// The paths of structs, which are parents and no values.
    parents: BTreeSet<String>,
}

pub(crate) fn below(scope: &str, path: &str) -> String {
    match (scope, path) {
        (scope, "." | "") => scope.to_owned(),
        ("", path) => path.to_owned(),
        (scope, path) => format!("{scope}.{path}"),
    }
}

impl Quotients {
    pub(crate) fn of(map: &Map, shape: &Shape) -> Self {
        let mut quotients = Self::default();
        quotients.part(map, &map.root, "");
        quotients.add_parents(shape, "");
        quotients
    }

    fn add_parents(&mut self, shape: &Shape, path: &str) {
        for field in shape.fields {
            let path = below(path, field.name);
            match field.ty {
                Type::Node(inner) => {
                    self.add_parents(inner, &path);
                    self.parents.insert(path);
                }
                Type::List(Type::Node(inner)) => self.add_parents(inner, &format!("{path}[]")),
                _ => {}
            }
        }
    }

    fn rule(&mut self, path: &str) -> &mut Rule {
        self.rules.entry(path.to_owned()).or_default()
    }

    fn part(&mut self, map: &Map, part: &Part, scope: &str) {
        for (path, literal) in part.stamp.iter() {
            self.rule(&below(scope, path)).defaults.extend(constant(literal));
        }
        for row in part.rows.iter() {
            if let Inner::Map(inner) = &row.inner {
                let to = row.to.first().map_or("", |path| path.as_ref());
                self.part(map, &map.parts[*inner].1, &below(scope, to));
                continue;
            }
            for to in row.to.iter() {
                // Where the items of a list go into rows, it is the list that has a default.
                let to = match (to.split_once("[]"), &row.inner) {
                    (Some((list, _)), Inner::Value) => list,
                    _ => to.as_ref(),
                };
                let path = below(scope, to);
                self.row(map, row, &path);
                if let Inner::Each(each) = &row.inner {
                    self.each(map, each, &format!("{path}[]"));
                }
            }
        }
    }

    fn row(&mut self, map: &Map, row: &Row, path: &str) {
        let rule = self.rule(path);
        rule.blank |= row.omit_blank || matches!(row.inner, Inner::Word(_));
        rule.null |= !row.keep_null;
        rule.words |= matches!(row.inner, Inner::Word(_));
        rule.gathered |= matches!(row.inner, Inner::Gather);
        rule.keeps |= row.gone == Gone::Keep;
        match &row.or {
            Some(Fill::Is(literal)) => rule.defaults.extend(constant(literal)),
            Some(Fill::Count { word, .. }) => rule.made = Some(Made::Count(word.to_string())),
            _ => {}
        }
        if let Some(Fill::Is(literal)) = &row.fresh {
            rule.defaults.extend(constant(literal).and_then(|value| reads_as(map, row, &value)));
        }
    }

    fn each(&mut self, map: &Map, each: &Each, scope: &str) {
        let part = &map.parts[each.part].1;
        self.part(map, part, scope);
        if let Some(path) = each.by.as_ref().and_then(|by| path_of(part, by)) {
            self.rule(&below(scope, &path)).made = Some(Made::Id(each.ids));
            self.rule(scope.trim_end_matches("[]")).by = Some(path);
        }
    }

    /// Whether members of an open object have rows.
    fn holds_paths(&self, path: &str) -> bool {
        self.rules.keys().any(|known| known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
    }

    /// Whether a value says nothing at a path.
    fn is_none(&self, value: Option<&Value>, path: &str) -> bool {
        let Some(value) = value else { return true };
        let rule = self.rules.get(path);
        if let Some(rule) = rule {
            let blank = match value {
                Value::String(text) => text.trim().is_empty(),
                Value::Array(items) => items.is_empty(),
                Value::Object(members) => members.is_empty(),
                Value::Bool(on) => !on,
                Value::Null => rule.null,
                Value::Number(_) => false,
            };
            let null = *value == Value::Null && rule.null;
            if null || (rule.blank && blank) || rule.defaults.iter().any(|known| equal(known, value)) {
                return true;
            }
        }
        // A parent is empty when all of it is none.
        match value {
            Value::Object(members) => {
                (self.parents.contains(path) || self.holds_paths(path))
                    && members.iter().all(|(key, value)| self.is_none(Some(value), &below(path, key)))
            }
            _ => false,
        }
    }
}

pub(crate) fn path_of(part: &Part, by: &str) -> Option<String> {
    let key = |row: &&Row| matches!(&row.wire, Wire::At(steps) if matches!(&**steps, [bunzai_runtime::map::Step::Key(key)] if key == by));
    part.rows.iter().find(key)?.to.first().map(|path| path.to_string())
}

fn constant(literal: &Literal) -> Option<Value> {
    literal.value().map(Value::from)
}

/// What a constant of the wire reads as.
fn reads_as(map: &Map, row: &Row, value: &Value) -> Option<Value> {
    if let (Value::Array(items), Inner::Value) = (value, &row.inner) {
        let items = items.iter().map(|item| reads_as(map, row, item));
        return items.collect::<Option<Vec<_>>>().map(Value::Array);
    }
    if value.is_null() {
        return Some(Value::Null);
    }
    let mut value = value.clone();
    for link in row.spelled.links.iter() {
        value = link.iter().find_map(|spelling| spelled(*spelling, &value))?;
    }
    let Some(table) = row.spelled.table.map(|n| &map.tables[n]) else { return Some(value) };
    let found = table.rows.iter().find(|row| match &row.wire[0] {
        Cell::Is(known) => constant(known).is_some_and(|known| equal(&known, &value)),
        Cell::Any => true,
        Cell::Has(literal) => {
            value.as_array().is_some_and(|items| items.iter().any(|item| constant(literal).as_ref() == Some(item)))
        }
        Cell::Some => !value.as_str().is_some_and(|text| text.trim().is_empty()),
        Cell::None => false,
    });
    match (found.map(|row| &row.model[0]), table.other) {
        (Some(Cell::Is(known)), _) => constant(known),
        (None, Else::Pass) => Some(value),
        _ => None,
    }
}

fn spelled(spelling: Spelling, value: &Value) -> Option<Value> {
    Some(match (spelling, value) {
        (Spelling::Bool, Value::Bool(_)) | (Spelling::Number, Value::Number(_)) | (Spelling::Unique, _) => {
            value.clone()
        }
        (Spelling::BoolText, Value::String(text)) => Value::Bool(text.parse().ok()?),
        (Spelling::BoolInt, Value::Number(n)) => Value::Bool(n.as_f64()? == 1.0),
        (Spelling::NumberText, Value::String(text)) => text.parse::<serde_json::Number>().ok()?.into(),
        (Spelling::Not, Value::Bool(on)) => Value::Bool(!on),
        (Spelling::Trim, Value::String(text)) => text.trim().into(),
        _ => return None,
    })
}

/// Whether some table makes an import of odd values an error.
pub(crate) fn refuses(map: &Map) -> bool {
    let joins = map.parts.iter().map(|(_, part)| part).chain([&map.root]).flat_map(|part| part.joins.iter());
    let joined = joins.filter_map(|join| match join.tie {
        Tie::Table(table) => Some(table),
        Tie::Via(_) => None,
    });
    joined.chain(0..map.tables.len()).any(|table| map.tables[table].other == Else::Error)
}

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

/// The values of a body that the engine made: those that look like it, and are more than those that
/// the document has.
pub(crate) fn made(map: &Map, quotients: &Quotients, body: &Value, document: &Value) -> HashSet<(String, String)> {
    let mut borne: HashMap<(String, String), usize> = HashMap::new();
    crate::walk::rows(map, document, &mut |scope, part, row| {
        for known in part.rows.iter() {
            let Wire::At(steps) = &known.wire else { continue };
            let value = crate::walk::at(row, steps).and_then(crate::walk::called);
            for path in known.to.iter() {
                value.iter().for_each(|value| *borne.entry((below(scope, path), value.clone())).or_default() += 1);
            }
        }
    });
    let mut found: HashMap<(String, String), usize> = HashMap::new();
    leaves(body, "", &mut |path, value| {
        if quotients.rules.get(path).and_then(|rule| rule.made.as_ref()).is_some_and(|made| made.is_like(value)) {
            *found.entry((path.to_owned(), shown(value))).or_default() += 1;
        }
    });
    found.into_iter().filter(|(key, n)| *n > borne.get(key).copied().unwrap_or(0)).map(|(key, _)| key).collect()
}

/// A text, or a number as its text.
fn shown(value: &Value) -> String {
    crate::walk::called(value).unwrap_or_default()
}

/// Calls with every value that holds no other, and its path.
pub(crate) fn leaves(value: &Value, path: &str, call: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, value)| leaves(value, &below(path, key), call)),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, &format!("{path}[]"), call)),
        leaf => call(path, leaf),
    }
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
        let rule = self.quotients.rules.get(path);
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
        let rule = self.quotients.rules.get(path);
        let words = rule.is_some_and(|rule| rule.words);
        let by = rule.and_then(|rule| rule.by.clone());
        let place = |n: usize| format!("{at}/{n}");
        let whole = words || a.len() != b.len();
        let gone: Vec<usize> = (0..a.len()).filter(|n| whole && self.lost.contains(&place(*n))).collect();
        let kept: Vec<usize> = (0..a.len()).filter(|n| !gone.contains(n)).collect();
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
                Some(by) => same(crate::slots::get(&a[*n], by), crate::slots::get(b, by)),
                None => equal(&a[*n], b),
            };
            let Some(k) = (next..b.len()).find(|k| alike(&b[*k])) else { break };
            partners.push((*n, k));
            next = k + 1;
        }
        let partners = if whole { partners } else { kept.iter().map(|n| (*n, *n)).collect() };
        if partners.len() != kept.len() || b.len() > partners.len() {
            let how = How::Coerced;
            self.list.push(Difference { at: at.to_owned(), how, given: given.cloned(), found: found.cloned() });
        }
        for (n, k) in partners {
            self.values(Some(&a[n]), Some(&b[k]), &place(n), &format!("{path}[]"));
        }
    }
}

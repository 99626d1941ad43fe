//! What the language lets differ without a word, path by path: worked out from the map, apart from
//! the engine.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use bunzai_runtime::map::{
    Cell, Each, Else, Fill, Gone, Heads, Ids, Inner, Literal, Map, Part, Row, Spelling, Tie, Wire,
};
use bunzai_runtime::model::{Shape, Type};
use serde_json::Value;

use crate::paths::{below, equal, get, index_of, leaves, of_all, path_of};
use crate::woven;

/// What a map says of one canonical path.
#[derive(Debug, Default)]
pub(crate) struct Rule {
    /// A blank is none.
    blank: bool,
    /// Null is none.
    null: bool,
    /// These are none.
    defaults: Vec<Value>,
    /// The text of the twin may stay against a none.
    pub(crate) keeps: bool,
    /// The engine makes a value of this sort.
    made: Option<Made>,
    /// The items are words, each with a slot of its own.
    pub(crate) words: bool,
    /// One slot speaks for all rows.
    pub(crate) gathered: bool,
    /// Single items have slots of their own.
    single: bool,
    /// The path of what tells the rows apart.
    pub(crate) by: Option<String>,
    /// The path of the number in whose order the rows are written.
    pub(crate) index: Option<String>,
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

impl Quotients {
    /// Those of the part that reads a document.
    pub(crate) fn of(map: &Map, root: &Part, shape: &Shape) -> Self {
        let mut quotients = Self::default();
        quotients.part(map, root, "");
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

    /// What is said of a path.
    pub(crate) fn get(&self, path: &str) -> Option<&Rule> {
        self.rules.get(path)
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
                let path = below(scope, &of_all(to));
                self.item(part, row, to, scope);
                self.row(map, row, &path);
                if let Inner::Each(each) = &row.inner {
                    self.each(map, each, &format!("{path}[]"));
                    self.heads(map, each, scope);
                }
            }
        }
    }

    /// What is said of the list by a path to a single item of it.
    fn item(&mut self, part: &Part, row: &Row, to: &str, scope: &str) {
        let Some((list, one)) = to.split_once('[').filter(|(_, one)| !one.starts_with(']')) else { return };
        let rule = self.rule(&below(scope, list));
        match one.split_once('=') {
            None => rule.single = true,
            Some((by, _)) => drop(rule.by.get_or_insert(by.to_owned())),
        }
        // A slot that says nothing leaves what a stamp has put there.
        let stamped = part.stamp.iter().find(|(path, _)| path == list).and_then(|(_, literal)| constant(literal));
        let stamped = stamped.map(|value| serde_json::json!({ list: value }));
        if let (Some(stamped), None, false) = (stamped, &row.or, row.need) {
            let default = get(&stamped, to).cloned();
            self.rule(&below(scope, &of_all(to))).defaults.extend(default);
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
        // What is written as what reads as nothing says nothing.
        let table = row.spelled.table.filter(|_| row.spelled.links.is_empty()).map(|n| &map.tables[n]);
        for written in table.iter().flat_map(|table| table.write.iter()) {
            let (Cell::Is(wire), Cell::Is(model)) = (&written.wire[0], &written.model[0]) else { continue };
            let is_silent = table.is_some_and(|table| {
                let found = table.rows.iter().find(|row| matches!(&row.wire[0], Cell::Is(known) if known == wire));
                found.is_some_and(|row| row.model[0] == Cell::None)
            });
            rule.defaults.extend(constant(model).filter(|_| is_silent));
        }
    }

    /// Of rows that are read with one of several maps what all of these say.
    fn one_of(&mut self, map: &Map, ways: &[Vec<usize>], scope: &str) {
        let told = ways.iter().map(|parts| {
            let mut told = Self::default();
            parts.iter().for_each(|part| told.part(map, &map.parts[*part].1, scope));
            told
        });
        let told: Vec<Self> = told.collect();
        let paths: BTreeSet<&String> = told.iter().flat_map(|told| told.rules.keys()).collect();
        for path in paths {
            let none = Rule::default();
            let all: Vec<&Rule> = told.iter().map(|told| told.rules.get(path).unwrap_or(&none)).collect();
            let rule = self.rules.entry(path.clone()).or_default();
            rule.blank = all.iter().all(|rule| rule.blank);
            rule.null = all.iter().all(|rule| rule.null);
            rule.keeps = all.iter().any(|rule| rule.keeps);
            let in_all = |value: &&Value| all.iter().all(|rule| rule.defaults.contains(value));
            rule.defaults = all[0].defaults.iter().filter(in_all).cloned().collect();
            rule.made = all.iter().find_map(|rule| rule.made.clone());
        }
    }

    fn heads(&mut self, map: &Map, each: &Each, scope: &str) {
        let with_item = |part: usize, item: Option<usize>| [part].into_iter().chain(item).collect::<Vec<_>>();
        let levels = |heads: &Heads| heads.levels.iter().map(|level| with_item(*level, heads.item)).collect::<Vec<_>>();
        let ways: Vec<Vec<usize>> = each.heads.iter().flat_map(levels).collect();
        let Some(heads) = each.heads.first() else { return };
        let list = below(scope, &heads.to);
        self.one_of(map, &ways, &format!("{list}[]"));
        let rule = self.rule(&list);
        (rule.blank, rule.null) = (true, true);
        let by = each.by.as_ref().and_then(|by| path_of(&map.parts[heads.levels[0]].1, by));
        if let Some(path) = &by {
            self.rule(&below(&format!("{list}[]"), path)).made = Some(Made::Id(each.ids));
        }
        self.rule(&list).by = by;
    }

    fn each(&mut self, map: &Map, each: &Each, scope: &str) {
        let part = &map.parts[each.part].1;
        if woven::is_woven(each) {
            let item = woven::item_of(each);
            let ways: Vec<_> = woven::parts(each).map(|part| [part].into_iter().chain(item).collect()).collect();
            self.one_of(map, &ways, scope);
        } else {
            self.part(map, part, scope);
        }
        self.rule(scope.trim_end_matches("[]")).index = index_of(part);
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
    pub(crate) fn is_none(&self, value: Option<&Value>, path: &str) -> bool {
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
            Value::Array(items) => {
                let items_of = format!("{path}[]");
                rule.is_some_and(|rule| rule.single) && items.iter().all(|item| self.is_none(Some(item), &items_of))
            }
            Value::Object(members) => {
                (self.parents.contains(path) || self.holds_paths(path))
                    && members.iter().all(|(key, value)| self.is_none(Some(value), &below(path, key)))
            }
            _ => false,
        }
    }
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
            let holds = |item: &Value| literal.value().is_some_and(|known| equal(item, &known.into()));
            value.as_array().is_some_and(|items| items.iter().any(holds))
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
        (Spelling::Loose, value) => value.clone(),
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
pub(crate) fn shown(value: &Value) -> String {
    crate::walk::called(value).unwrap_or_default()
}

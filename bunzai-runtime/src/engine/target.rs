//! Canonical paths, worked out: how a row reaches its place in the model.

use crate::blank::view_is_unset;
use crate::json::Value;
use crate::model::{Field, List, Node, Open, Quotients, Shape, Type, View};

/// One step into the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A field of a struct, by index.
    Field(usize),
    /// A key of an open object.
    Key(Box<str>),
    /// An item of a list, by index.
    Item(usize),
    /// The first item of a list in which a field holds this text.
    Where(usize, Box<str>),
}

/// A place in the model, from a struct of it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) steps: Vec<Step>,
    /// What stands there.
    pub(crate) ty: Type,
    pub(crate) nullable: bool,
    pub(crate) optional: bool,
    /// Whether it, or something on the way to it, can be absent or null.
    pub(crate) sparse: bool,
}

/// A canonical path, cut at the first `[]`.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    /// The value, or the list of the rows that `item` goes into.
    pub(crate) whole: Target,
    /// Where in each row.
    pub(crate) item: Option<Target>,
}

impl Route {
    /// Works a dotted path out; the message says what is wrong with one that leads nowhere.
    pub(crate) fn find(shape: &'static Shape, path: &str) -> Result<Self, String> {
        // A plain value that stands where rows have a struct.
        if let (".", [lone]) = (path, shape.fields) {
            let steps = vec![Step::Field(0)];
            let (nullable, optional) = (lone.nullable, lone.optional);
            let whole = Target { steps, ty: lone.ty, nullable, optional, sparse: nullable || optional };
            return Ok(Self { whole, item: None });
        }
        match path.split_once("[]") {
            None => Ok(Self { whole: Target::find(Type::Node(shape), path)?, item: None }),
            Some((list, rest)) => {
                let whole = Target::find(Type::Node(shape), list)?;
                let Type::List(item) = whole.ty else { return Err(format!("`{list}` is no list")) };
                let rest = rest.strip_prefix('.').unwrap_or(rest);
                Ok(Self { item: Some(Target::find(*item, rest)?), whole })
            }
        }
    }
}

impl Target {
    fn find(mut ty: Type, path: &str) -> Result<Self, String> {
        let mut steps = Vec::new();
        let (mut nullable, mut optional, mut sparse) = (false, false, false);
        for name in path.split('.').filter(|name| !name.is_empty()) {
            let (name, mut brackets) = name.split_once('[').unwrap_or((name, ""));
            match ty {
                Type::Node(shape) => {
                    let found = shape.find(name.as_bytes());
                    let index = found.ok_or_else(|| format!("no field `{name}` in `{}`", shape.name))?;
                    let field = &shape.fields[index];
                    (ty, nullable, optional) = (field.ty, field.nullable, field.optional);
                    steps.push(Step::Field(index));
                }
                Type::Dict(item) => {
                    (ty, nullable, optional) = (*item, *item == Type::Any, true);
                    steps.push(Step::Key(name.into()));
                }
                _ => return Err(format!("nothing is inside the holder of `{name}` in `{path}`")),
            }
            sparse |= nullable || optional;
            while let Some((one, rest)) = brackets.split_once(']') {
                let Type::List(item) = ty else { return Err(format!("`{name}` in `{path}` is no list")) };
                steps.push(Step::one_of(*item, one).ok_or_else(|| format!("`[{one}]` in `{path}` is no item"))?);
                // The item may not be there.
                (ty, nullable, optional, sparse) = (*item, false, true, true);
                brackets = rest.strip_prefix('[').unwrap_or(rest);
            }
        }
        Ok(Self { steps, ty, nullable, optional, sparse })
    }

    /// Whether the place is a single item of a list, or lies in one.
    pub(crate) fn is_in_item(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Item(_) | Step::Where(..)))
    }

    /// What stands at the place.
    #[inline]
    pub(crate) fn view<'m>(&self, scope: &'m dyn Node) -> View<'m> {
        match self.steps.as_slice() {
            [Step::Field(n)] => scope.field(*n).map_or(View::Absent, Field::view),
            [Step::Field(n), rest @ ..] => scope.field(*n).map_or(View::Absent, |field| view_below(field.view(), rest)),
            _ => View::Node(scope),
        }
    }

    /// Sets the place, making what lies on the way to it; false when the value does not fit.
    pub(crate) fn set(&self, scope: &mut dyn Node, value: Value<'_>) -> bool {
        match self.steps.as_slice() {
            [Step::Field(n)] => scope.field_mut(*n).is_some_and(|field| field.set(value)),
            [Step::Field(n), rest @ ..] => scope.field_mut(*n).is_some_and(|field| set_below(field, rest, value)),
            _ => false,
        }
    }

    /// Makes the place what it is in a blank struct.
    pub(crate) fn clear(&self, scope: &mut dyn Node) {
        if let Some((Step::Field(n), rest)) = self.steps.split_first()
            && let Some(field) = scope.field_mut(*n)
        {
            clear_below(field, rest);
        }
    }

    /// Makes the place what it is in a blank struct, and what holds it too if that leaves nothing in
    /// it.
    pub(crate) fn prune(&self, scope: &mut dyn Node) {
        if let Some((Step::Field(n), rest)) = self.steps.split_first()
            && let Some(field) = scope.field_mut(*n)
        {
            prune_below(field, rest);
        }
    }

    /// What counts as the same at the place.
    pub(crate) fn quotients<'q>(&self, mut scope: &'q mut Quotients) -> &'q mut Quotients {
        for step in &self.steps {
            scope = match step {
                Step::Field(n) => scope.fields.entry(*n).or_default(),
                Step::Key(key) => scope.keys.entry(key.to_string()).or_default(),
                Step::Item(_) => {
                    scope.single = true;
                    scope.items.get_or_insert_default()
                }
                Step::Where(by, _) => {
                    scope.by.get_or_insert(*by);
                    scope.items.get_or_insert_default()
                }
            };
        }
        scope
    }

    /// Calls back with the place entered, making what lies on the way to it.
    pub(crate) fn open<R>(&self, scope: &mut dyn Node, call: impl FnOnce(Open<'_>) -> R) -> R {
        match self.steps.split_first() {
            Some((Step::Field(n), rest)) => match scope.field_mut(*n) {
                Some(field) => call(open_below(field, rest)),
                None => call(Open::Leaf),
            },
            _ => call(Open::Leaf),
        }
    }
}

fn view_below<'m>(mut view: View<'m>, steps: &[Step]) -> View<'m> {
    for step in steps {
        view = match (step, view) {
            (Step::Field(n), View::Node(node)) => node.field(*n).map_or(View::Absent, Field::view),
            (Step::Key(key), View::Dict(dict)) => dict.get(key).map_or(View::Absent, Field::view),
            (step, View::List(list)) => step.item_of(list).map_or(View::Absent, Field::view),
            _ => return View::Absent,
        };
    }
    view
}

fn set_below(field: &mut dyn Field, steps: &[Step], value: Value<'_>) -> bool {
    match steps.split_first() {
        None => field.set(value),
        Some((Step::Field(n), rest)) => match field.open() {
            Open::Node(node) => node.field_mut(*n).is_some_and(|field| set_below(field, rest, value)),
            _ => false,
        },
        Some((Step::Key(key), [])) => match field.open() {
            Open::Dict(dict) => dict.insert(key, value),
            _ => false,
        },
        Some((Step::Key(_), _)) => false,
        Some((step, rest)) => {
            let (length, Some(n)) = (length_of(field.view()), step.index_in(field.view())) else { return false };
            let Open::List(list) = field.open() else { return false };
            if n == length && list.push().is_none() {
                return false;
            }
            let set = list.item_mut(n).is_some_and(|item| set_below(item, rest, value));
            if !set && n == length {
                list.pop();
                if length == 0 {
                    field.clear();
                }
            }
            set
        }
    }
}

fn length_of(view: View<'_>) -> usize {
    match view {
        View::List(list) => list.len(),
        _ => 0,
    }
}

impl Step {
    /// What a bracket says of a list of such items: `0`, or `id=main`.
    fn one_of(item: Type, one: &str) -> Option<Self> {
        match (one.split_once('='), item) {
            (None, _) => one.parse().ok().map(Self::Item),
            (Some((key, text)), Type::Node(shape)) => Some(Self::Where(shape.find(key.as_bytes())?, text.into())),
            (Some(_), _) => None,
        }
    }

    /// The index of the item in a list, or that behind the last one for an item that can be made.
    fn index_in(&self, view: View<'_>) -> Option<usize> {
        match (self, view) {
            (Self::Item(n), view) => Some(*n).filter(|n| *n <= length_of(view)),
            (Self::Where(field, text), View::List(list)) => (0..list.len()).find(|n| {
                let item = list.item(*n).map(Field::view);
                matches!(item, Some(View::Node(node)) if matches!(node.field(*field).map(Field::view), Some(View::Text(own)) if *own == **text))
            }),
            _ => None,
        }
    }

    /// The item in a list, if it is there.
    fn item_of<'m>(&self, list: &'m dyn List) -> Option<&'m dyn Field> {
        list.item(self.index_in(View::List(list))?)
    }
}

/// Makes a single item of a list what it is where nothing is said, or something in it.
fn clear_item(field: &mut dyn Field, step: &Step, rest: &[Step], clear: fn(&mut dyn Field, &[Step])) {
    let length = length_of(field.view());
    let Some(n) = step.index_in(field.view()).filter(|n| *n < length) else { return };
    let Open::List(list) = field.open() else { return };
    if rest.is_empty() && n + 1 == length {
        list.pop();
        if n == 0 {
            field.clear();
        }
    } else if let Some(item) = list.item_mut(n) {
        clear(item, rest);
    }
}

fn clear_below(field: &mut dyn Field, steps: &[Step]) {
    match steps.split_first() {
        None => field.clear(),
        Some(_) if field.view().is_absent() => {}
        Some((Step::Field(n), rest)) => {
            if let Open::Node(node) = field.open()
                && let Some(field) = node.field_mut(*n)
            {
                clear_below(field, rest);
            }
        }
        Some((Step::Key(key), _)) => {
            if let Open::Dict(dict) = field.open() {
                dict.remove(key);
            }
        }
        Some((step, rest)) => clear_item(field, step, rest, clear_below),
    }
}

fn prune_below(field: &mut dyn Field, steps: &[Step]) {
    if steps.is_empty() {
        return field.clear();
    }
    if field.view().is_absent() || matches!(field.view(), View::Null) {
        return;
    }
    match (steps.split_first(), field.open()) {
        (Some((Step::Field(n), rest)), Open::Node(node)) => {
            if let Some(field) = node.field_mut(*n) {
                prune_below(field, rest);
            }
        }
        (Some((Step::Key(key), _)), Open::Dict(dict)) => dict.remove(key),
        (Some((step @ (Step::Item(_) | Step::Where(..)), rest)), Open::List(_)) => {
            // An item that is chosen stays, whatever is in it.
            return clear_item(field, step, rest, prune_below);
        }
        _ => {}
    }
    if view_is_unset(field.view()) {
        field.clear();
    }
}

fn open_below<'m>(field: &'m mut dyn Field, steps: &[Step]) -> Open<'m> {
    match steps.split_first() {
        None => field.open(),
        Some((Step::Field(n), rest)) => match field.open() {
            Open::Node(node) => match node.field_mut(*n) {
                Some(field) => open_below(field, rest),
                None => Open::Leaf,
            },
            _ => Open::Leaf,
        },
        Some((Step::Key(_), _)) => Open::Leaf,
        Some((step, rest)) => {
            let (length, Some(n)) = (length_of(field.view()), step.index_in(field.view())) else { return Open::Leaf };
            let Open::List(list) = field.open() else { return Open::Leaf };
            if n == length && list.push().is_none() {
                return Open::Leaf;
            }
            list.item_mut(n).map_or(Open::Leaf, |item| open_below(item, rest))
        }
    }
}

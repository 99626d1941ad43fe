//! Import: one pass over a document that fills the model.

use super::plan::{Frame, RowPlan, RowsPlan, Way};
use super::target::Target;
use super::value::{Got, Layer, has_first};
use super::{At, Pass, Source, Stop, Walk};
use crate::error::{Error, Warning, WarningKind};
use crate::json::{Cursor, Number, Value};
use crate::limits::Limits;
use crate::map::{Fill, Piece, Types, Wire};
use crate::model::{Field, List, Node, Open, View};

/// Reads a document into a blank body; the answer is what was odd in it.
pub(crate) fn import<'p>(
    format: &'p str,
    frame: &'p Frame,
    text: &str,
    body: &mut dyn Node,
    source: Source<'p>,
    limits: Limits,
) -> Result<Vec<Warning>, Error> {
    let mut import = Import { format, walk: Walk::new(source, limits), seen: Vec::new() };
    let mut cursor = Cursor::new(text);
    let end = import.frame(frame, &mut cursor, body, 0).and_then(|()| Ok(cursor.end()?));
    end.map_err(|stop| stop.into_error(text))?;
    Ok(import.walk.warnings)
}

struct Import<'p> {
    format: &'p str,
    walk: Walk<'p>,
    /// What has been met at each place of the frames that are open, the innermost last.
    seen: Vec<Seen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// The slot is there and says nothing to its row.
    There,
    /// The slot gave its row a value.
    Filled,
}

impl<'p> Import<'p> {
    fn frame(&mut self, frame: &'p Frame, cursor: &mut Cursor<'_>, scope: &mut dyn Node, index: usize) -> Pass {
        for (route, literal) in &frame.stamps {
            if let Some(value) = literal.value() {
                route.whole.set(scope, value);
            }
        }
        let base = self.seen.len();
        self.seen.resize(base + frame.places.len(), Seen::Not);
        self.place(frame, base, 0, cursor, scope)?;
        for row in &frame.rows {
            let met = row.place.map_or(Seen::Not, |place| self.seen[base + place]);
            if met != Seen::Filled {
                self.fill(frame, row, met, scope, index)?;
            }
        }
        self.seen.truncate(base);
        Ok(())
    }

    /// Reads the value at the cursor, which stands at a place of the frame.
    fn place(&mut self, frame: &'p Frame, base: usize, at: usize, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass {
        let place = &frame.places[at];
        if self.seen[base + at] != Seen::Not {
            self.walk.warn(WarningKind::DuplicateKey, "the key stands here twice; the last one counts");
            self.forget(frame, base, at, scope);
        }
        self.seen[base + at] = Seen::There;
        if let Some(row) = place.row {
            let row = &frame.rows[row];
            if self.row(row, cursor, scope)? {
                self.seen[base + at] = Seen::Filled;
            }
            return Ok(());
        }
        match cursor.peek()? {
            b'{' if !place.children.is_empty() => {
                let mut hint = 0;
                if !cursor.object()? {
                    return Ok(());
                }
                loop {
                    let key = cursor.key()?.text();
                    match place.children.find(&key, &mut hint) {
                        None => cursor.skip()?,
                        Some(child) => {
                            self.walk.path.push(At::Key(&frame.places[child].key));
                            self.place(frame, base, child, cursor, scope)?;
                            self.walk.path.pop();
                        }
                    }
                    if !cursor.more(b'}')? {
                        return Ok(());
                    }
                }
            }
            first => {
                if !place.children.is_empty() && first != b'n' {
                    self.walk.warn(WarningKind::Type, "expected an object");
                }
                Ok(cursor.skip()?)
            }
        }
    }

    /// Undoes what the first of two equal keys did.
    fn forget(&mut self, frame: &Frame, base: usize, at: usize, scope: &mut dyn Node) {
        self.seen[base + at] = Seen::Not;
        let place = &frame.places[at];
        if let Some(row) = place.row.map(|n| &frame.rows[n]) {
            for route in &row.routes {
                match &row.way {
                    Way::Word(_) => remove_word(row, &route.whole, scope),
                    _ => route.whole.clear(scope),
                }
            }
        }
        for (_, child) in place.children.iter() {
            self.forget(frame, base, child, scope);
        }
    }

    /// Reads the slot of a row; true when the row got a value.
    fn row(&mut self, row: &'p RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        if let Way::Sealed = row.way {
            return self.sealed(row.sealed_types(), cursor).map(|()| false);
        }
        match row.slot.layer(cursor)? {
            Layer::Plain => self.plain_row(row, cursor, scope),
            Layer::Json(inner) => {
                self.walk.enter_text()?;
                let filled = self.plain_row(row, &mut Cursor::new(&inner), scope);
                self.walk.texts -= 1;
                filled
            }
        }
    }

    fn plain_row(&mut self, row: &'p RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        let filled = match &row.way {
            Way::Value => self.value(row, cursor, scope)?,
            Way::Items => self.items(row, cursor, scope)?,
            Way::Rows(rows) => self.rows(row, rows, cursor, scope)?,
            Way::Word(_) => self.word(row, cursor, scope)?,
            Way::Sealed | Way::File => {
                cursor.skip()?;
                false
            }
        };
        if cursor.take_replaced() {
            self.walk.warn(WarningKind::Surrogate, "half of a surrogate pair reads as U+FFFD");
        }
        Ok(filled)
    }

    fn sealed(&mut self, types: Types, cursor: &mut Cursor<'_>) -> Pass {
        let first = cursor.peek()?;
        let whole_only = types.meets(Types::INTEGER) && !types.meets(Types::NUMBER);
        let fits = if whole_only && matches!(first, b'-' | b'0'..=b'9') {
            cursor.number()?.is_some_and(Number::is_integer)
        } else {
            cursor.skip()?;
            types.is_empty() || first == b'n' || has_first(types, first)
        };
        if !fits {
            self.wrong(types);
        }
        Ok(())
    }

    fn value(&mut self, row: &RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        match row.slot.read(cursor)? {
            Got::Value(value) => Ok(set_all(row, scope, value)),
            Got::Nothing => Ok(false),
            Got::Wrong => {
                self.wrong(row.slot.accepts());
                Ok(false)
            }
        }
    }

    fn items(&mut self, row: &RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        match cursor.peek()? {
            b'[' => {}
            b'n' => return self.value(row, cursor, scope),
            _ => {
                cursor.skip()?;
                self.wrong(Types::LIST);
                return Ok(false);
            }
        }
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| false)?) };
        let mut odd = Vec::new();
        let mut any = false;
        let result = route.whole.open(scope, |open| {
            let Open::List(list) = open else { return cursor.skip() };
            row.slot.read_items(
                cursor,
                |value| {
                    any = true;
                    push_item(list, route.item.as_ref(), value, row.slot.is_unique());
                },
                |n| odd.push(n),
            )
        });
        result?;
        for n in odd {
            self.walk.step(At::Index(n), |walk| {
                walk.warn(WarningKind::Type, "not one of the items known here; it is passed over");
            });
        }
        if !any && row.slot.omits_empty() {
            route.whole.clear(scope);
            return Ok(false);
        }
        Ok(true)
    }

    fn rows(&mut self, row: &'p RowPlan, rows: &'p RowsPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| false)?) };
        match cursor.peek()? {
            b'[' => {}
            first => {
                cursor.skip()?;
                if first != b'n' {
                    self.wrong(Types::LIST);
                }
                return Ok(false);
            }
        }
        route.whole.open(scope, |open| match open {
            Open::List(list) => self.list(rows, cursor, list),
            _ => Ok(cursor.skip()?),
        })?;
        Ok(true)
    }

    fn list(&mut self, rows: &'p RowsPlan, cursor: &mut Cursor<'_>, list: &mut dyn List) -> Pass {
        let (mut n, mut place) = (0, 0);
        if !cursor.list()? {
            return Ok(());
        }
        loop {
            self.walk.path.push(At::Index(place));
            if cursor.peek()? == b'{' {
                self.walk.row()?;
                match list.push().map(Field::open) {
                    Some(Open::Node(node)) => self.frame(&rows.frame, cursor, node, n)?,
                    _ => cursor.skip()?,
                }
                n += 1;
            } else {
                self.walk.warn(WarningKind::Type, "expected an object; this is no row");
                cursor.skip()?;
            }
            self.walk.path.pop();
            place += 1;
            if !cursor.more(b']')? {
                return Ok(());
            }
        }
    }

    fn word(&mut self, row: &RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<bool> {
        let Way::Word(word) = &row.way else { return Ok(false) };
        match row.slot.read(cursor)? {
            Got::Value(Value::Bool(true)) => {
                if let (Some(word), Some(route)) = (word.value(), row.routes.first()) {
                    route.whole.open(scope, |open| {
                        if let Open::List(list) = open {
                            push_item(list, None, word, true);
                        }
                    });
                }
                Ok(true)
            }
            Got::Value(_) => Ok(true),
            Got::Nothing => Ok(false),
            Got::Wrong => {
                self.wrong(row.slot.accepts());
                Ok(false)
            }
        }
    }

    #[cold]
    fn wrong(&mut self, types: Types) {
        self.walk.warn(WarningKind::Type, format!("expected {types}; it stays as it is and reads as nothing"));
    }

    /// Gives a row whose slot said nothing what it has instead.
    fn fill(&mut self, frame: &'p Frame, row: &RowPlan, met: Seen, scope: &mut dyn Node, index: usize) -> Pass {
        let file = match row.row.wire {
            Wire::FileStem => self.walk.source.stem(),
            Wire::FileName => self.walk.source.name(),
            Wire::At(_) => None,
        };
        if let Some(name) = file.filter(|name| !(row.row.omit_blank && name.trim().is_empty())) {
            set_all(row, scope, Value::text(name));
            return Ok(());
        }
        if row.row.need && met == Seen::Not {
            return Err(self.needed(frame, row));
        }
        if let Some(fill) = &row.row.or {
            let value = fill_value(fill, &*scope, index, self.walk.source).map(Value::into_owned);
            if let Some(value) = value {
                set_all(row, scope, value);
            }
        }
        Ok(())
    }

    #[cold]
    fn needed(&mut self, frame: &'p Frame, row: &RowPlan) -> Stop {
        for key in row.place.map(|place| frame.keys_to(place)).unwrap_or_default() {
            self.walk.path.push(At::Key(key));
        }
        let expected = row.slot.accepts().to_string();
        Error::Needed { format: self.format.to_owned(), at: self.walk.pointer().to_string(), expected }.into()
    }
}

impl Source<'_> {
    /// The name of the file without folders.
    pub(crate) fn name(&self) -> Option<&str> {
        self.file.map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file))
    }

    /// The name of the file without folders and last extension.
    pub(crate) fn stem(&self) -> Option<&str> {
        self.name().map(|name| match name.rsplit_once('.') {
            Some((stem, _)) if !stem.is_empty() => stem,
            _ => name,
        })
    }
}

/// What a fill gives in a scope; `index` is the place of the row it stands in.
pub(crate) fn fill_value<'v>(
    fill: &'v Fill,
    scope: &'v dyn Node,
    index: usize,
    source: Source<'v>,
) -> Option<Value<'v>> {
    let text_at = |path: &str| match super::target::Route::find(scope.shape(), path).ok()?.whole.view(scope) {
        View::Text(text) => Some(text),
        _ => None,
    };
    Some(match fill {
        Fill::Is(literal) => return literal.value(),
        Fill::Slug { path, sep } => {
            let slug = crate::id::slug(text_at(path)?, sep);
            Value::text(slug)
        }
        Fill::Concat(pieces) => {
            let mut text = String::new();
            for piece in pieces.iter() {
                text.push_str(match piece {
                    Piece::Is(text) => text,
                    Piece::Path(path) => text_at(path)?,
                });
            }
            Value::text(text)
        }
        Fill::FileStem => Value::text(source.file.map(|_| source.stem().unwrap_or_default().to_owned())?),
        Fill::FileName => Value::text(source.file.map(|_| source.name().unwrap_or_default().to_owned())?),
        Fill::Count { from, word } => {
            let n = i64::try_from(index).ok()?.checked_add(*from)?;
            if word.is_empty() { Value::Number(n.into()) } else { Value::text(format!("{word} {n}")) }
        }
    })
}

/// Sets every target of a row; true when one took the value.
fn set_all(row: &RowPlan, scope: &mut dyn Node, value: Value<'_>) -> bool {
    match row.routes.as_slice() {
        [one] => one.whole.set(scope, value),
        routes => {
            let value = value.into_owned();
            routes.iter().fold(false, |any, route| route.whole.set(scope, value.clone()) | any)
        }
    }
}

/// Appends an item to a list, or a row that holds it; nothing when it is there and must be alone.
fn push_item(list: &mut dyn List, item: Option<&Target>, value: Value<'_>, unique: bool) {
    if unique && (0..list.len()).any(|n| list.item(n).is_some_and(|field| field.view().is(&value))) {
        return;
    }
    let set = match (list.push(), item) {
        (Some(field), None) => field.set(value),
        (Some(field), Some(target)) => match field.open() {
            Open::Node(node) => target.set(node, value),
            _ => false,
        },
        (None, _) => return,
    };
    if !set {
        list.pop();
    }
}

fn remove_word(row: &RowPlan, target: &Target, scope: &mut dyn Node) {
    let Way::Word(word) = &row.way else { return };
    let Some(word) = word.value() else { return };
    target.open(scope, |open| {
        if let Open::List(list) = open {
            let kept: Vec<usize> = (0..list.len()).filter(|n| !list.item(*n).is_some_and(|f| f.view().is(&word))).collect();
            let gone: Vec<usize> = (0..list.len()).filter(|n| !kept.contains(n)).collect();
            let order: Vec<usize> = kept.iter().chain(&gone).copied().collect();
            list.reorder(&order);
            gone.iter().for_each(|_| list.pop());
        }
    });
}


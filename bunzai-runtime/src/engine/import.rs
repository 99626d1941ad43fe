//! Import: one pass over a document that fills the model.

use super::gate::Truth;
use super::plan::{Frame, Place, RowPlan, RowsPlan, Way};
use super::target::Target;
use super::value::{Got, Layer, has_first};
use super::{At, Pass, Source, Stop, Walk};
use crate::error::{Error, Warning, WarningKind};
use crate::json::{Cursor, Number, Value};
use crate::limits::Limits;
use crate::map::{Fill, Literal, Piece, Types, Wire};
use crate::model::{Field, List, Node, Open, View};

/// Reads a document into a blank body; the answer is what was odd in it, or nothing when the
/// document does not pass the gate of the frame.
pub(crate) fn import<'p>(
    format: &'p str,
    frame: &'p Frame,
    text: &str,
    body: &mut dyn Node,
    source: Source<'p>,
    limits: Limits,
) -> Result<Option<Vec<Warning>>, Error> {
    let mut import = Import { format, walk: Walk::new(source, limits), seen: Vec::new(), truth: Truth::new(frame) };
    let mut cursor = Cursor::new(text);
    let end = import.frame(frame, &mut cursor, body, 0, None).and_then(|_| Ok(cursor.end()?));
    end.map_err(|stop| stop.into_error(text))?;
    Ok(import.truth.passes().then_some(import.walk.warnings))
}

/// Reads one row of a twin, as an import would.
pub(super) fn decode_row<'p>(
    frame: &'p Frame,
    cursor: &mut Cursor<'_>,
    row: &mut dyn Node,
    index: usize,
    source: Source<'p>,
    limits: Limits,
) -> Pass {
    let mut import = Import { format: "", walk: Walk::new(source, limits), seen: Vec::new(), truth: Truth::new(frame) };
    import.frame(frame, cursor, row, index, None).map(drop)
}

struct Import<'p> {
    format: &'p str,
    walk: Walk<'p>,
    /// What has been met at each place of the frames that are open, the innermost last.
    seen: Vec<Seen>,
    truth: Truth<'p>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// The slot is there, and is null or of no type its row reads.
    There,
    /// The slot has a blank that counts as nothing.
    Blank,
    /// The slot gave its row a value.
    Filled,
}

impl Seen {
    fn filled(filled: bool) -> Self {
        if filled { Self::Filled } else { Self::There }
    }
}

impl<'p> Import<'p> {
    /// Reads the value at the cursor with the rows of a frame; false when the row that holds the
    /// identity, if there is one, got no value.
    fn frame(
        &mut self,
        frame: &'p Frame,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
        index: usize,
        by: Option<usize>,
    ) -> Pass<bool> {
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
        let unnamed = |row: &RowPlan| {
            row.row.or.is_none() && row.place.is_some_and(|place| self.seen[base + place] != Seen::Filled)
        };
        let named = !by.is_some_and(|by| unnamed(&frame.rows[by]));
        self.seen.truncate(base);
        Ok(named)
    }

    /// Reads the value at the cursor, which stands at a place of the frame.
    fn place(
        &mut self,
        frame: &'p Frame,
        base: usize,
        at: usize,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass {
        let place = &frame.places[at];
        if self.seen[base + at] != Seen::Not {
            self.walk.step(place.step(), |walk| {
                walk.forget_warnings();
                walk.warn(WarningKind::DuplicateKey, "the key stands here twice; the last one counts");
            });
            self.forget(frame, base, at, scope);
        }
        let first = cursor.peek()?;
        self.truth.at(place, first, cursor)?;
        self.seen[base + at] = match place.row {
            Some(row) => self.row(place, &frame.rows[row], cursor, scope)?,
            None => {
                self.members(frame, base, at, cursor, scope)?;
                Seen::There
            }
        };
        Ok(())
    }

    /// Reads an object of which the map knows some members.
    fn members(
        &mut self,
        frame: &'p Frame,
        base: usize,
        at: usize,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass {
        let place = &frame.places[at];
        let first = cursor.peek()?;
        if first != b'{' || place.children.is_empty() {
            if first != b'n' && !place.children.is_empty() {
                self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, "expected an object"));
            }
            return Ok(cursor.skip()?);
        }
        if !cursor.object()? {
            return Ok(());
        }
        let mut hint = 0;
        self.walk.path.push(place.step());
        loop {
            let key = cursor.key()?;
            match place.children.find(&key.text(), &mut hint) {
                None => cursor.skip()?,
                Some(child) => self.place(frame, base, child, cursor, scope)?,
            }
            if !cursor.more(b'}')? {
                break;
            }
        }
        self.walk.path.pop();
        Ok(())
    }

    /// Undoes what the first of two equal keys did.
    fn forget(&mut self, frame: &Frame, base: usize, at: usize, scope: &mut dyn Node) {
        self.seen[base + at] = Seen::Not;
        let place = &frame.places[at];
        self.truth.forget(place);
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

    /// Reads the slot of a row.
    fn row(&mut self, place: &'p Place, row: &'p RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<Seen> {
        if !row.slot.has_texts() {
            return self.plain_row(place, row, cursor, scope);
        }
        let is_text = cursor.peek()? == b'"';
        match row.slot.layer(cursor)? {
            Layer::Plain if !is_text => self.plain_row(place, row, cursor, scope),
            layer => {
                // What is odd about a string here is odd about the text in it.
                self.walk.texts += usize::from(is_text);
                let seen = match layer {
                    Layer::Plain => self.plain_row(place, row, cursor, scope),
                    Layer::Json(inner) => {
                        self.walk.check_texts()?;
                        self.plain_row(place, row, &mut Cursor::new(&inner), scope)
                    }
                    Layer::Unreadable => {
                        cursor.skip()?;
                        Ok(self.wrong(place, Got::Wrong, row.slot.accepts()))
                    }
                };
                self.walk.texts -= usize::from(is_text);
                seen
            }
        }
    }

    fn plain_row(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        let seen = match &row.way {
            Way::Value => match row.slot.read(cursor)? {
                Got::Value(value) => Seen::filled(set_all(row, scope, value)),
                Got::Refused => return Err(self.refused(place)),
                got => self.wrong(place, got, row.slot.accepts()),
            },
            Way::Sealed => self.sealed(place, row.sealed_types(), cursor)?,
            Way::Items => self.items(place, row, cursor, scope)?,
            Way::Rows(rows) => self.rows(place, row, rows, cursor, scope)?,
            Way::Word(word) => match row.slot.read(cursor)? {
                Got::Value(value) => {
                    if value == Value::Bool(true) {
                        add_word(row, word, scope);
                    }
                    Seen::Filled
                }
                got => self.wrong(place, got, row.slot.accepts()),
            },
            Way::File => cursor.skip().map(|()| Seen::There)?,
        };
        if cursor.take_replaced() {
            self.walk.step(place.step(), |walk| {
                walk.warn(WarningKind::Surrogate, "half of a surrogate pair reads as U+FFFD");
            });
        }
        Ok(seen)
    }

    fn sealed(&mut self, place: &'p Place, types: Types, cursor: &mut Cursor<'_>) -> Pass<Seen> {
        let first = cursor.peek()?;
        let whole_only = types.meets(Types::INTEGER) && !types.meets(Types::NUMBER);
        let fits = if whole_only && matches!(first, b'-' | b'0'..=b'9') {
            cursor.number()?.is_some_and(Number::is_integer)
        } else {
            cursor.skip()?;
            types.is_empty() || first == b'n' || has_first(types, first)
        };
        Ok(if fits { Seen::There } else { self.wrong(place, Got::Wrong, types) })
    }

    fn items(&mut self, place: &'p Place, row: &RowPlan, cursor: &mut Cursor<'_>, scope: &mut dyn Node) -> Pass<Seen> {
        match cursor.peek()? {
            b'[' => {}
            b'n' => {
                cursor.literal()?;
                return Ok(Seen::filled(row.row.keep_null && set_all(row, scope, Value::Null)));
            }
            _ => {
                cursor.skip()?;
                return Ok(self.wrong(place, Got::Wrong, Types::LIST));
            }
        }
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| Seen::There)?) };
        let mut odd = Vec::new();
        let mut any = false;
        route.whole.open(scope, |open| {
            let Open::List(list) = open else { return cursor.skip() };
            row.slot.read_items(
                cursor,
                |value| {
                    any = true;
                    push_item(list, route.item.as_ref(), value, row.slot.is_unique());
                },
                |n, got| odd.push((n, matches!(got, Got::Refused))),
            )
        })?;
        self.walk.path.push(place.step());
        for (n, refused) in odd {
            self.walk.path.push(At::Index(n));
            if refused {
                return Err(self.refused_here());
            }
            self.walk.warn(WarningKind::Type, "not one of the items known here; it is passed over");
            self.walk.path.pop();
        }
        self.walk.path.pop();
        if !any && row.slot.omits_empty() {
            route.whole.clear(scope);
            return Ok(Seen::Blank);
        }
        Ok(Seen::Filled)
    }

    fn rows(
        &mut self,
        place: &'p Place,
        row: &'p RowPlan,
        rows: &'p RowsPlan,
        cursor: &mut Cursor<'_>,
        scope: &mut dyn Node,
    ) -> Pass<Seen> {
        let Some(route) = row.routes.first() else { return Ok(cursor.skip().map(|()| Seen::There)?) };
        match cursor.peek()? {
            b'[' => {}
            b'n' => {
                cursor.literal()?;
                return Ok(Seen::There);
            }
            _ => {
                cursor.skip()?;
                return Ok(self.wrong(place, Got::Wrong, Types::LIST));
            }
        }
        self.walk.path.push(place.step());
        let any = route.whole.open(scope, |open| match open {
            Open::List(list) => self.list(rows, cursor, list),
            _ => Ok(cursor.skip().map(|()| false)?),
        })?;
        self.walk.path.pop();
        if !any && row.row.omit_blank {
            route.whole.clear(scope);
            return Ok(Seen::Blank);
        }
        Ok(Seen::Filled)
    }

    /// Reads a list of rows; true when there is a row.
    fn list(&mut self, rows: &'p RowsPlan, cursor: &mut Cursor<'_>, list: &mut dyn List) -> Pass<bool> {
        let (mut n, mut place) = (0, 0);
        let mut unnamed = Vec::new();
        let mut sums = self.truth.start_rows(rows);
        let any = cursor.list()?;
        if any {
            loop {
                self.walk.path.push(At::Index(place));
                self.truth.start_row(rows);
                if cursor.peek()? == b'{' {
                    self.walk.row()?;
                    match list.push().map(Field::open) {
                        Some(Open::Node(node)) => {
                            if !self.frame(&rows.frame, cursor, node, n, rows.by)? {
                                unnamed.push(n);
                            }
                        }
                        _ => cursor.skip()?,
                    }
                    n += 1;
                } else {
                    self.walk.warn(WarningKind::Type, "expected an object; this is no row");
                    cursor.skip()?;
                }
                self.truth.end_row(rows, &mut sums);
                self.walk.path.pop();
                place += 1;
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        self.truth.end_rows(rows, &sums, any);
        if !unnamed.is_empty() {
            rows.name(list, &unnamed);
        }
        Ok(n > 0)
    }

    /// Warns of a value that is none for its row.
    #[cold]
    fn wrong(&mut self, place: &'p Place, got: Got<'_>, types: Types) -> Seen {
        let message = match got {
            Got::Blank => return Seen::Blank,
            Got::Null => return Seen::There,
            Got::Unknown => "not one of the values known here; it stays as it is and reads as nothing".to_owned(),
            Got::Value(_) | Got::Wrong | Got::Refused => {
                format!("expected {types}; it stays as it is and reads as nothing")
            }
        };
        self.walk.step(place.step(), |walk| walk.warn(WarningKind::Type, message));
        Seen::There
    }

    /// The error of a value that its table refuses.
    #[cold]
    fn refused(&mut self, place: &'p Place) -> Stop {
        self.walk.path.push(place.step());
        self.refused_here()
    }

    fn refused_here(&self) -> Stop {
        Error::Unreadable { format: self.format.to_owned(), at: self.walk.pointer().to_string() }.into()
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
        if let Some(fill) = &row.row.or {
            let value = fill_value(fill, &*scope, index, self.walk.source).map(Value::into_owned);
            if let Some(value) = value {
                set_all(row, scope, value);
            }
        } else if row.row.need && met != Seen::Blank {
            return Err(self.needed(frame, row));
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

/// Adds the word that a boolean slot stands for to its list.
fn add_word(row: &RowPlan, word: &Literal, scope: &mut dyn Node) {
    if let (Some(word), Some(route)) = (word.value(), row.routes.first()) {
        route.whole.open(scope, |open| {
            if let Open::List(list) = open {
                push_item(list, None, word, true);
            }
        });
    }
}

fn remove_word(row: &RowPlan, target: &Target, scope: &mut dyn Node) {
    let Way::Word(word) = &row.way else { return };
    let Some(word) = word.value() else { return };
    let mut empty = false;
    target.open(scope, |open| {
        if let Open::List(list) = open {
            let kept: Vec<usize> =
                (0..list.len()).filter(|n| !list.item(*n).is_some_and(|f| f.view().is(&word))).collect();
            let gone: Vec<usize> = (0..list.len()).filter(|n| !kept.contains(n)).collect();
            let order: Vec<usize> = kept.iter().chain(&gone).copied().collect();
            list.reorder(&order);
            gone.iter().for_each(|_| list.pop());
            empty = list.is_empty();
        }
    });
    if empty {
        target.clear(scope);
    }
}

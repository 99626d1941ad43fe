//! One slot: what the words of its row and the type of its target make of the value in it.

use super::items::{Items, Once};
use super::layer::{Inside, Layer};
use super::spelling::Spell;
use super::table;
use super::types::{fits, has_first};
use crate::blank::value_is_blank;
use crate::json::{Cursor, Number, Result, Value, is_blank};
use crate::map::{Clamp, Else, Row, Spelled, Spelling, Table, Text, Types};
use crate::model::{Type, View};

/// How the value of a slot is read and written.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// The type of the value, or of each item.
    pub(super) leaf: Type,
    /// Whether the slot holds a list of values.
    list: bool,
    texts: Vec<Text>,
    pub(super) links: Vec<Vec<Spell>>,
    unique: bool,
    pub(super) table: Option<Table>,
    /// The JSON types of the plain slot.
    accepts: Types,
    /// The JSON types of each item.
    item_accepts: Types,
    omit_blank: bool,
    keep_null: bool,
    clamp: Option<Clamp>,
    /// Whether a number counts as its decimal text: in the identity of rows.
    decimal: bool,
    /// What the value is if it starts with the right byte, whatever words the slot has.
    direct: Direct,
    /// Whether a regex may be a literal or its bare source, as it comes: no row says which it is.
    pub(super) either: bool,
}

/// A value that most slots have and that no word changes: it is read and compared at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direct {
    None,
    Text,
    Bool,
    Number,
}

/// What a slot said.
#[derive(Debug)]
pub(crate) enum Got<'v> {
    Value(Value<'v>),
    /// A blank that counts as nothing.
    Blank,
    /// Null.
    Null,
    /// A value of the right type that no spelling or table row knows.
    Unknown,
    /// A value of another type.
    Wrong,
    /// A value that the table refuses.
    Refused,
}

/// Which of several spellings a slot had; a change is written in the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    links: Vec<usize>,
    table: Option<usize>,
}

impl Slot {
    /// The slot of a row, whose value, or each item of it in a `list`, is of a type.
    pub(crate) fn new(row: &Row, spelled: &Spelled, tables: &[Table], leaf: Type, list: bool) -> Self {
        let unique = spelled.links.iter().any(|link| link.contains(&Spelling::Unique));
        let table = spelled.table.and_then(|n| tables.get(n)).cloned();
        let spelled_types = match &table {
            Some(table) => table::reads(table, leaf.json()),
            None => leaf.json(),
        };
        let links: Vec<Vec<Spell>> = spelled
            .links
            .iter()
            .map(|link| link.iter().flat_map(|word| Spell::of(*word, spelled_types)).collect::<Vec<_>>())
            .filter(|link| !link.is_empty())
            .collect();
        let one = if !row.is.is_empty() && leaf == Type::Any && !list {
            row.is
        } else if let Some(first) = links.first() {
            first.iter().fold(Types::NONE, |types, s| types.or(s.reads()))
        } else if let Some(table) = &table {
            table::reads(table, leaf.json())
        } else {
            leaf.json()
        };
        let is_first = |spell: Spell| links.is_empty() || links.len() == 1 && links[0].first() == Some(&spell);
        let reads_bool = |link: &Vec<Spell>| link.contains(&Spell::Bool);
        let direct = match leaf {
            _ if table.is_some()
                || row.clamp.is_some()
                || row.text.first().is_some_and(|text| *text != Text::Plain) =>
            {
                Direct::None
            }
            Type::Text(_) if is_first(Spell::Text) => Direct::Text,
            Type::Number if is_first(Spell::Number) => Direct::Number,
            Type::Bool if links.is_empty() || (links.len() == 1 && links.iter().all(reads_bool)) => Direct::Bool,
            _ => Direct::None,
        };
        Self {
            leaf,
            list,
            texts: row.text.to_vec(),
            links,
            unique,
            table,
            accepts: if list { Types::LIST } else { one },
            item_accepts: one,
            omit_blank: row.omit_blank,
            keep_null: row.keep_null,
            clamp: row.clamp,
            decimal: false,
            direct,
            either: false,
        }
    }

    /// Lets a number count as its decimal text.
    pub(crate) fn read_decimals(&mut self) {
        self.decimal = true;
        self.accepts = self.accepts.or(Types::NUMBER);
        self.item_accepts = self.accepts;
    }

    /// Lets a number among the items count as its decimal text.
    pub(crate) fn read_item_decimals(&mut self) {
        self.decimal = true;
        self.item_accepts = self.item_accepts.or(Types::NUMBER);
    }

    /// The value of most slots, which no word changes.
    pub(crate) fn direct(&self) -> Direct {
        if self.omit_blank || self.has_texts() || self.list { Direct::None } else { self.direct }
    }

    /// Whether the slot may hold its value inside a text.
    pub(crate) fn has_texts(&self) -> bool {
        !self.texts.is_empty()
    }

    /// Whether a string may hold the value as text of its own, which a schema does not look into.
    pub(crate) fn may_be_inside(&self) -> bool {
        self.texts.iter().any(|text| !matches!(text, Text::Plain | Text::Lone))
    }

    pub(crate) fn is_list(&self) -> bool {
        self.list
    }

    /// The JSON types that the slot may have besides text that holds them.
    pub(crate) fn accepts(&self) -> Types {
        self.accepts
    }

    /// Which text the value at the cursor stands in. The cursor moves behind a [`Layer::Inside`].
    pub(crate) fn layer<'t>(&self, cursor: &mut Cursor<'t>) -> Result<Layer<'_, 't>> {
        if self.texts.is_empty() {
            return Ok(Layer::Plain);
        }
        let first = cursor.peek()?;
        for text in &self.texts {
            if *text == Text::Plain && (first == b'n' || has_first(self.accepts, first)) {
                return Ok(Layer::Plain);
            }
            if let Some(inside) = text.open(cursor, self.accepts, self.item_accepts)? {
                return Ok(Layer::Inside(Inside { either: self.either, ..inside }));
            }
        }
        Ok(if first == b'n' { Layer::Plain } else { Layer::Unreadable })
    }

    /// Reads the single value at the cursor.
    #[inline]
    pub(crate) fn read<'v, 't: 'v>(&'v self, cursor: &mut Cursor<'t>) -> Result<Got<'v>> {
        let value = match (self.direct, cursor.peek()?) {
            (Direct::Text, b'"') => Value::Text(cursor.text()?),
            (Direct::Bool, b't' | b'f') => cursor.literal()?.map_or(Value::Null, Value::Bool),
            (Direct::Number, b'-' | b'0'..=b'9') => match cursor.number()? {
                Some(number) => Value::Number(number),
                None => return Ok(Got::Wrong),
            },
            _ => match self.read_one(self.accepts, cursor)? {
                Got::Value(value) => value,
                got => return Ok(got),
            },
        };
        Ok(if self.omit_blank && value_is_blank(&value) { Got::Blank } else { Got::Value(value) })
    }

    #[inline(never)]
    fn read_one<'v, 't: 'v>(&'v self, accepts: Types, cursor: &mut Cursor<'t>) -> Result<Got<'v>> {
        let first = cursor.peek()?;
        if first == b'n' && !accepts.meets(Types::NULL) {
            cursor.literal()?;
            return Ok(if self.keep_null { Got::Value(Value::Null) } else { Got::Null });
        }
        if !has_first(accepts, first) {
            cursor.skip()?;
            return Ok(Got::Wrong);
        }
        let Some(value) = Value::read(cursor)? else { return Ok(Got::Wrong) };
        let refuses = self.table.as_ref().is_some_and(|table| table.other == Else::Error);
        let unknown = || if refuses { Got::Refused } else { Got::Unknown };
        Ok(match self.decode(value) {
            Some(Some(value)) => Got::Value(value),
            Some(None) => Got::Blank,
            // Null is nothing where no row of the table reads it.
            None if first == b'n' && self.keep_null => Got::Value(Value::Null),
            None if first == b'n' => Got::Null,
            None => unknown(),
        })
    }

    /// Whether the single value at the cursor is none that the table knows, though it says what such
    /// a value reads as.
    pub(crate) fn is_odd(&self, cursor: &Cursor<'_>) -> Result<bool> {
        let Some(table) = self.table.as_ref().filter(|table| table.other == Else::Last) else { return Ok(false) };
        let Some(mut value) = Value::read(&mut cursor.clone())? else { return Ok(false) };
        for link in &self.links {
            match link.iter().find_map(|s| s.read(&value)) {
                Some(read) => value = read.into_owned(),
                None => return Ok(false),
            }
        }
        Ok(table::is_met_by_last(table, &value))
    }

    /// What a wire value reads as, by the links and the table; `Some(None)` is nothing.
    fn decode<'v>(&'v self, mut value: Value<'v>) -> Option<Option<Value<'v>>> {
        for link in &self.links {
            value = link.iter().find_map(|s| s.read(&value))?;
        }
        if let Some(table) = &self.table {
            match table::read_one(table, value)? {
                Some(read) => value = read,
                None => return Some(None),
            }
        }
        if let (Some(clamp), Value::Number(number)) = (&self.clamp, &value) {
            value = Value::Number(number.between(clamp.min, clamp.max));
        }
        if let (true, Value::Number(number)) = (self.decimal, &value) {
            value = Value::text(number.to_string());
        }
        (value == Value::Null || fits(self.leaf, &value)).then_some(Some(value))
    }

    /// Whether the model can hold a value where the slot goes.
    pub(crate) fn fits(&self, value: &Value<'_>) -> bool {
        match value {
            Value::Null => true,
            Value::List(items) if self.list => items.iter().all(|item| fits(self.leaf, item)),
            value => !self.list && fits(self.leaf, value),
        }
    }

    /// The values of the model that say the same as nothing.
    pub(crate) fn silent(&self) -> impl Iterator<Item = Value<'static>> {
        self.table.iter().filter(|_| !self.list).flat_map(table::silent).map(Value::into_owned)
    }

    /// What a wire constant reads as.
    pub(crate) fn decode_constant(&self, value: Value<'static>) -> Option<Value<'static>> {
        let decode = |value| self.decode(value).flatten().map(Value::into_owned);
        if !self.list {
            return decode(value);
        }
        let Value::List(items) = value else { return None };
        items.into_iter().map(decode).collect::<Option<Vec<_>>>().map(Value::List)
    }

    /// Reads the list at the cursor item by item; what is no item is passed to `odd` by index.
    /// (An item that is no item keeps its place in the twin.)
    pub(crate) fn read_items<'v, 't: 'v>(
        &'v self,
        cursor: &mut Cursor<'t>,
        mut item: impl FnMut(Value<'v>),
        mut odd: impl FnMut(usize, Got<'v>),
    ) -> Result<()> {
        let mut n = 0;
        if cursor.list()? {
            loop {
                match self.read_item(cursor)? {
                    Got::Value(value) => item(value),
                    got => odd(n, got),
                }
                n += 1;
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Reads the item at the cursor.
    pub(crate) fn read_item<'v, 't: 'v>(&'v self, cursor: &mut Cursor<'t>) -> Result<Got<'v>> {
        if self.direct == Direct::Text && cursor.peek()? == b'"' {
            return Ok(Got::Value(Value::Text(cursor.text()?)));
        }
        self.read_one(self.item_accepts, cursor)
    }

    /// Whether only the first of equal items counts.
    pub(crate) fn is_unique(&self) -> bool {
        self.unique
    }

    /// Whether a decoded list counts as nothing.
    pub(crate) fn omits_empty(&self) -> bool {
        self.omit_blank
    }

    /// Whether the single value at the cursor reads as what the model holds. `default` is what the
    /// model would hold if the slot said nothing.
    pub(crate) fn same(
        &self,
        cursor: &mut Cursor<'_>,
        view: View<'_>,
        is_default: impl FnOnce(View<'_>) -> bool,
    ) -> Result<bool> {
        if let (Direct::Text, View::Text(text), b'"') = (self.direct, view, cursor.peek()?) {
            let start = cursor.at();
            let same = cursor.same_text(text)?;
            // Where a blank reads as nothing, what it is compared with is the default.
            if !self.omit_blank || (same && !is_blank(text)) {
                return Ok(same);
            }
            cursor.go_back(start);
        }
        Ok(match self.read(cursor)? {
            Got::Value(value) => view.is(&value),
            Got::Blank | Got::Null | Got::Unknown | Got::Wrong | Got::Refused => is_default(view),
        })
    }

    /// Whether the list at the cursor reads as the list of the model; nothing when it reads as
    /// nothing.
    pub(crate) fn same_items(&self, cursor: &mut Cursor<'_>, items: Option<&Items<'_>>) -> Result<Option<bool>> {
        let (mut n, mut same, mut once) = (0, true, Once::default());
        let view = |n: usize| items.map_or(View::Absent, |items| items.view(n));
        if self.direct == Direct::Text && !self.unique {
            return self.same_texts(cursor, items);
        }
        self.read_items(
            cursor,
            |value| {
                // As long as all are the same the values before are those of the model.
                if !same || self.unique && !once.is_new(&value, n, view) {
                    return;
                }
                same = view(n).is(&value);
                n += 1;
            },
            |_, _| {},
        )?;
        if n == 0 && same && self.omit_blank {
            return Ok(None);
        }
        Ok(Some(same && items.is_some_and(|items| n == items.len())))
    }

    /// The same for a list of texts, of which none is copied.
    fn same_texts(&self, cursor: &mut Cursor<'_>, items: Option<&Items<'_>>) -> Result<Option<bool>> {
        let (mut n, mut same) = (0, true);
        if cursor.list()? {
            loop {
                if cursor.peek()? == b'"' {
                    same &= match items.map(|items| items.view(n)) {
                        Some(View::Text(text)) => cursor.same_text(text)?,
                        _ => cursor.skip().map(|()| false)?,
                    };
                    n += 1;
                } else {
                    cursor.skip()?;
                }
                if !cursor.more(b']')? {
                    break;
                }
            }
        }
        if n == 0 && self.omit_blank {
            return Ok(None);
        }
        Ok(Some(same && items.is_some_and(|items| n == items.len())))
    }

    /// Spells that the model has nothing, where the table has a word for it.
    pub(crate) fn spell_nothing(&self, twin: Option<&Form>) -> Option<Value<'_>> {
        let table = self.table.as_ref()?;
        let value = table::write_nothing(table, twin.and_then(|f| f.table))?;
        self.spell_links(value, twin)
    }

    /// Spells a value of the model for the wire, in the form of the twin if that can say it.
    pub(crate) fn spell<'v>(&'v self, value: Value<'v>, twin: Option<&Form>) -> Option<Value<'v>> {
        let twin_row = twin.and_then(|f| f.table);
        let value = match &self.table {
            Some(table) if value == Value::Null => match table::write_one(table, value, twin_row) {
                Some(value) => value,
                None => return self.keep_null.then_some(Value::Null),
            },
            Some(table) => table::write_one(table, value, twin_row)?,
            None if value == Value::Null => return self.keep_null.then_some(value),
            None => value,
        };
        self.spell_links(value, twin)
    }

    pub(super) fn spell_links<'v>(&'v self, mut value: Value<'v>, twin: Option<&Form>) -> Option<Value<'v>> {
        for (n, link) in self.links.iter().enumerate().rev() {
            let used = twin.and_then(|f| f.links.get(n)).and_then(|k| link.get(*k));
            let written = used.into_iter().chain(link).try_fold(value, |value, spell| match spell.write(value) {
                Ok(written) => Err(written),
                Err(value) => Ok(value),
            });
            value = written.err()?;
        }
        Some(value)
    }

    /// Whether the slot can be spelled in several ways.
    pub(crate) fn has_forms(&self) -> bool {
        self.table.is_some() || !self.links.is_empty()
    }

    /// The form in which a wire value is spelled.
    pub(crate) fn form(&self, value: &Value<'_>) -> Option<Form> {
        let mut form = Form::default();
        let mut value = value.clone();
        for link in &self.links {
            let (n, read) = link.iter().enumerate().find_map(|(n, s)| Some((n, s.read(&value)?.into_owned())))?;
            form.links.push(n);
            value = read;
        }
        if let Some(table) = &self.table {
            form.table = table::row_of(table, &value);
        }
        Some(form)
    }

    /// The JSON types that a value, or an item, may have.
    pub(super) fn item_accepts(&self) -> Types {
        self.item_accepts
    }

    /// Whether the model may hold something that the slot has no word for.
    pub(crate) fn may_be_unsayable(&self) -> bool {
        self.table.is_some()
    }

    /// The types that count as their text.
    pub(super) fn decimal_types(&self) -> Types {
        if self.decimal { Types::NUMBER } else { Types::NONE }
    }

    /// Whether a wire value is read as one of the model, or as nothing.
    pub(crate) fn is_read(&self, value: &Value<'static>) -> bool {
        self.decode(value.clone()).is_some()
    }

    /// The blank of the slot, in the form of the twin.
    pub(crate) fn blank(&self, twin: Option<&Form>) -> Value<'_> {
        let blank = match self.leaf {
            _ if self.list => return Value::List(Vec::new()),
            Type::Bool => Value::Bool(false),
            Type::Number | Type::Integer { .. } => Value::Number(Number::ZERO),
            Type::Node(_) | Type::Dict(_) => return Value::Object(Vec::new()),
            _ => Value::text(""),
        };
        self.spell(blank, twin).unwrap_or_else(|| Value::text(""))
    }

    /// The blank of a slot that is filled anew: the first form it may have.
    pub(crate) fn blank_in_text(&self) -> Value<'_> {
        self.in_text(self.blank(None)).unwrap_or_else(|| Value::text(""))
    }

    /// A value in the first form the slot may have: itself, or text that says it; nothing where no
    /// text can.
    pub(crate) fn in_text<'v>(&self, value: Value<'v>) -> Option<Value<'v>> {
        match self.texts.first() {
            None => Some(value),
            Some(text) => text.put(value),
        }
    }

    /// The first form the slot may have.
    pub(crate) fn first_text(&self) -> &Text {
        self.texts.first().unwrap_or(&Text::Plain)
    }
}

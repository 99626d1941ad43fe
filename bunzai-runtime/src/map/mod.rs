//! A declared format as data: what a mapping file says, with nothing worked out yet.
//!
//! A [`Map`] compiled in is a constant; one loaded at run time is the same type with owned parts.
//! The engine makes a plan of it (`engine::plan`) and runs that.

mod choices;
mod claim;
mod literal;
mod names;

pub use choices::{word_of, words};
pub use claim::{Claim, Known, Leaves, Listing, Message, Site, Want, wrong_kind};
pub use literal::{Fill, Literal, Piece};
pub use names::{nearest, similar};

use std::borrow::Cow;

use crate::json::{Number, Value};

/// A text of a map.
pub type Str = Cow<'static, str>;
/// A list of a map.
pub type Seq<T> = Cow<'static, [T]>;

/// The declaration of one format.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// The id of the format: `marinara-persona`.
    pub format: Str,
    /// What people call it.
    pub label: Str,
    /// What it is, in a sentence.
    pub about: Str,
    /// File extensions it is written with, the first one by default.
    pub writes: Seq<Str>,
    /// The carriers it comes in; a fresh file is written in the first whose `write` holds.
    pub shapes: Seq<Carrier>,
    /// The map of the whole document.
    pub root: Part,
    /// The named maps.
    pub parts: Seq<(Str, Part)>,
    /// The tables, named ones first; rows and joins refer to them by index.
    pub tables: Seq<Table>,
    /// One row out of many each, which wire paths name.
    pub picks: Seq<Pick>,
    /// Canonical paths that this wire cannot carry.
    pub lost: Seq<Str>,
    /// The pieces of other formats that a document holds.
    pub linked: Seq<Linked>,
}

/// Slots of a document that hold pieces of another format.
#[derive(Debug, Clone, PartialEq)]
pub struct Linked {
    /// The format that reads and writes them; its documents are lists of rows, and have no name.
    pub format: Str,
    /// The canonical list of the ids of such pieces.
    pub to: Str,
    /// The slots of the rows, from where the fields of the root map start; new rows go to the first.
    /// A row whose identity stands in an earlier slot too is one row.
    pub at: Seq<Seq<Step>>,
    /// What a piece that is read is called.
    pub name: Fill,
}

/// One way a format's document looks from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct Carrier {
    /// Where the fields start.
    pub at: Seq<Str>,
    /// The score of a document that passes the gate.
    pub score: f64,
    /// What a document must show; all of it.
    pub gate: Seq<Test>,
    /// What stands around the fields, from the document on.
    pub rows: Seq<Row>,
    /// The named map of its fields, by index; without one the root map.
    pub map: Option<usize>,
    /// What the model must show for a fresh file to have this shape.
    pub write: Seq<Test>,
}

/// One condition of a gate.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// About one place.
    At(Predicate),
    /// All of them.
    All(Seq<Test>),
    /// One of them at least.
    Any(Seq<Test>),
    /// None of them.
    None(Seq<Test>),
}

/// A condition on the value at one place of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Predicate {
    /// The place, from the document on.
    pub at: Seq<Step>,
    /// What the value must be; nothing: it must be there.
    pub test: ValueTest,
}

/// What a [`Predicate`] asks of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueTest {
    /// That it is there.
    Present,
    /// That it is of one of these types.
    Is(Types),
    /// That it is one of these values.
    In(Seq<Literal>),
    /// That it is a list that holds one of these values.
    Has(Seq<Literal>),
    /// That it is an object, and has no other keys.
    Only(Seq<Str>),
}

/// One step of a wire path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The member of an object.
    Key(Str),
    /// Every item of a list; in a condition every member of an object too.
    Every,
    /// The row that the pick of this name stands for.
    Pick(Str),
}

/// One row out of many.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// What wire paths call it.
    pub name: Str,
    /// The object or list of the rows, from the start of the fields on.
    pub at: Seq<Step>,
    /// The key in the rows of a list that tells them apart; none where they are the members of an
    /// object.
    pub by: Option<Str>,
    /// Which row it is: the first of these that is there.
    pub is: Seq<Choice>,
    /// What tells a new row.
    pub new: Option<Fill>,
}

/// One of the rows a [`Pick`] would have.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// The one that this tells, compared as text.
    Is(Literal),
    /// The one that lacks the key.
    Lacks,
    /// The one that the value of this slot tells.
    Wire(Seq<Step>),
    /// The first one.
    First,
}

/// A wire path as a mapping file writes it.
pub fn shown(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Every => text.push_str("[*]"),
            Step::Pick(name) => {
                text.push('[');
                text.push_str(name);
                text.push(']');
            }
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&key.replace('.', "\\."));
            }
        }
    }
    if text.is_empty() { ".".to_owned() } else { text }
}

/// A canonical path that starts at another one.
pub fn below(scope: &str, path: &str) -> String {
    match (scope, path) {
        ("", path) => path.to_owned(),
        (scope, "" | ".") => scope.to_owned(),
        (scope, path) => format!("{scope}.{path}"),
    }
}

/// The left side of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wire {
    /// A place in the document; no step: the value of the map itself.
    At(Seq<Step>),
    /// The name of the file without its folders and last extension.
    FileStem,
    /// The name of the file without its folders.
    FileName,
    /// The place of a row in its list, from 0; rows are written in the order of what it goes to.
    Index,
}

/// A set of JSON types.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Types(u8);

/// A group of rows that belong to one JSON value.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The rows, in the order of a fresh file.
    pub rows: Seq<Row>,
    /// What ties several slots to several paths.
    pub joins: Seq<Join>,
    /// Canonical paths that every import sets.
    pub stamp: Seq<(Str, Literal)>,
    /// Where keys without a row go.
    pub rest: Option<Rest>,
    /// What the model must show for a new value to leave out what reads as the `or` of its row.
    pub lean: Option<Seq<Test>>,
    /// What a row must show to be read with this map, where there are several; all of it.
    pub when: Seq<Test>,
}

/// Where the keys of an object go that have no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rest {
    /// The canonical path of an open object.
    pub to: Str,
    /// How the keys are written on the wire; in the model they are in camel case.
    pub case: Option<Case>,
}

/// How the words of a key are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// `snake_case`
    Snake,
    /// `camelCase`
    Camel,
    /// `PascalCase`
    Pascal,
    /// `kebab-case`
    Kebab,
    /// `SCREAMING_SNAKE_CASE`
    ScreamingSnake,
}

impl Join {
    /// Every slot it looks at, those that are never written first.
    pub fn slots(&self) -> impl Iterator<Item = &Seq<Step>> {
        self.see.iter().chain(self.wire.iter())
    }
}

/// One row: a wire slot, and where it goes. Without a target it is sealed.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The slot.
    pub wire: Wire,
    /// The canonical paths it goes to.
    pub to: Seq<Str>,
    /// Other slots that say the same, tried in order.
    pub also: Seq<Also>,
    /// The value when the slot holds nothing readable.
    pub or: Option<Fill>,
    /// Whether the slot must be there.
    pub need: bool,
    /// Whether a blank reads as nothing.
    pub omit_blank: bool,
    /// Whether null reads as null.
    pub keep_null: bool,
    /// What nothing writes over a slot that is there.
    pub gone: Gone,
    /// What a new row or file gets when the model has nothing.
    pub fresh: Option<Fill>,
    /// Whether a new row or file leaves out what reads as `or`.
    pub lean: bool,
    /// The forms of text the slot may have.
    pub text: Seq<Text>,
    /// How its value is spelled.
    pub spelled: Spelled,
    /// What a number is narrowed to.
    pub clamp: Option<Clamp>,
    /// What the slot is, if it is more than a value.
    pub inner: Inner,
    /// The types the slot is known to have, for sealed rows and open targets.
    pub is: Types,
    /// What the slot is, for schemas and docs.
    pub about: Str,
}

/// How the value of a slot is spelled.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spelled {
    /// The spellings, link by link; each link offers alternatives.
    pub links: Seq<Seq<Spelling>>,
    /// The table between slot and model, by index.
    pub table: Option<usize>,
}

/// Another slot of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Also {
    /// The slot.
    pub at: Seq<Step>,
    /// How its value is spelled.
    pub spelled: Spelled,
}

/// What a slot is.
#[derive(Debug, Clone, PartialEq)]
pub enum Inner {
    /// A value.
    Value,
    /// An object that a named map reads, by index.
    Map(usize),
    /// Rows of a list, each read with a named map.
    Each(Each),
    /// A boolean that stands for a word of the list.
    Word(Literal),
    /// A list of words, each of which stands for a boolean at a canonical path.
    Flags(Seq<(Str, Str)>),
    /// One flag for a field of every row of lists.
    Gather,
}

/// How rows are read.
#[derive(Debug, Clone, PartialEq)]
pub struct Each {
    /// The named map, by index.
    pub part: usize,
    /// Other named maps: a row is read with the first whose conditions it meets.
    pub others: Seq<usize>,
    /// The wire key of the identity.
    pub by: Option<Str>,
    /// What becomes of identities that repeat or are missing.
    pub ids: Ids,
    /// Whether the rows are members of an object, and what the keys of new ones are.
    pub keyed: Option<Keyed>,
    /// The list that keeps their order.
    pub order: Option<Order>,
    /// Rows among them that open groups; one of these dialects at a time.
    pub heads: Seq<Heads>,
}

/// What becomes of identities that repeat or are missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ids {
    /// Repeated ones stay; a missing one becomes `row-N`.
    Verbatim,
    /// A repeated one gains a number, a missing one becomes the place of the row; a number counts
    /// as its decimal text.
    Unique,
}

/// What the key of a new row is, where rows are members of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyed {
    /// Its identity.
    Id,
    /// The lowest whole number that is free.
    Number,
}

/// A list of identities that keeps the order of rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The list, from the value of the map on.
    pub at: Seq<Step>,
    /// The forms of text it may have.
    pub text: Seq<Text>,
    /// The wire key of a row that the list holds.
    pub of: Str,
    /// The key in an item of the list that holds it; without one the items are the identities.
    pub by: Option<Str>,
    /// The named map that reads an item into the row that it names, by index.
    pub part: Option<usize>,
    /// The item that a row is read as having which the list does not name.
    pub unlisted: Option<Literal>,
}

/// Rows that open groups: the rows behind one belong to it, until the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Heads {
    /// The canonical list of the groups.
    pub to: Str,
    /// The named maps of the rows that open a group, by index: the outermost level first.
    pub levels: Seq<usize>,
    /// The named map that reads the item of such a row in the list that keeps the order, by index.
    pub item: Option<usize>,
    /// The field of a row that holds the identity of its group.
    pub fill: Str,
    /// The field of a group that holds the identity of the group around it.
    pub up: Option<Str>,
    /// What the model must show for a new file to have this dialect.
    pub write: Seq<Test>,
}

/// What nothing writes over a slot that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// The key is removed.
    Remove,
    /// Null.
    Null,
    /// The blank of the row's type.
    Blank,
    /// The twin's value stays.
    Keep,
}

/// A form in which a slot may hold its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text {
    /// The value itself.
    Plain,
    /// JSON text in a string.
    Json,
    /// A bare item in the place of a list of one.
    Lone,
    /// Text that is split into items at this separator.
    Split(Str),
    /// A regex literal, or its source; read as an object.
    Regex(RegexText),
    /// Text with something around it.
    Wrap(Wrap),
}

/// How a text says a regex: `/source/flags`, or the source alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegexText {
    /// The flags that a literal may have, each once.
    pub flags: Str,
    /// Whether the first slash without a backslash ends the source, in which `\/` is a slash;
    /// else the last slash does, and nothing is unescaped.
    pub escaped: bool,
    /// Whether text behind the flags is no matter.
    pub tail: bool,
}

impl RegexText {
    /// The keys of the object that it is read as.
    pub const KEYS: [&str; 3] = ["source", "flags", "literal"];
}

/// What stands around a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wrap {
    /// One text before and one behind it.
    Pair(Str, Str),
    /// Runs of some characters on both sides.
    Run(Run),
}

/// Runs of some characters on both sides of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The characters.
    pub of: Str,
    /// How many there are at the least, on both sides together.
    pub least: usize,
    /// What stands before a new text.
    pub before: Str,
    /// What stands behind it.
    pub after: Str,
}

/// How a value is spelled on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// A JSON boolean.
    Bool,
    /// `"true"` or `"false"`.
    BoolText,
    /// 1 or 0.
    BoolInt,
    /// A JSON number.
    Number,
    /// Decimal text.
    NumberText,
    /// The opposite boolean.
    Not,
    /// Text without the white space around it.
    Trim,
    /// The first of equal items.
    Unique,
    /// The value itself, or what plainly says it: a number its decimal text, a boolean `"TRUE"`
    /// or 1, a text a number or a boolean.
    Loose,
}

/// A finite relation between wire cells and model cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its name; empty for one that stands in a row.
    pub name: Str,
    /// Rows that hold both ways.
    pub rows: Seq<TableRow>,
    /// Rows from model to wire only, tried first on export.
    pub write: Seq<TableRow>,
    /// What a wire value without a row reads as.
    pub other: Else,
}

/// One row of a [`Table`].
#[derive(Debug, Clone, PartialEq)]
pub struct TableRow {
    /// The wire side.
    pub wire: Seq<Cell>,
    /// The model side.
    pub model: Seq<Cell>,
}

/// One cell of a [`TableRow`].
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// This value.
    Is(Literal),
    /// Anything, also nothing. It tests on the side that is read and leaves the other alone.
    Any,
    /// Something.
    Some,
    /// Nothing; on the side that is written it clears.
    None,
    /// A list that holds this value. It tests as `Any` does.
    Has(Literal),
}

impl Cell {
    /// Whether the cell only tests: it has no value of its own, and leaves what it is written to.
    pub fn is_test(&self) -> bool {
        matches!(self, Self::Any | Self::Some | Self::Has(_))
    }
}

/// What a wire value without a table row reads as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Else {
    /// Nothing.
    None,
    /// Itself.
    Pass,
    /// An error of the import.
    Error,
    /// What the last row of the table says, with a warning.
    Last,
}

/// Several slots tied to several paths.
#[derive(Debug, Clone, PartialEq)]
pub struct Join {
    /// Slots that are read and never written; their cells stand first.
    pub see: Seq<Seq<Step>>,
    /// The slots.
    pub wire: Seq<Seq<Step>>,
    /// The canonical paths.
    pub to: Seq<Str>,
    /// What ties them.
    pub tie: Tie,
}

/// What ties the slots and the paths of a [`Join`].
#[derive(Debug, Clone, PartialEq)]
pub enum Tie {
    /// A table, by index.
    Table(usize),
    /// Rust code.
    Via(Via),
}

/// A pair of Rust functions that stands in for a word the language lacks.
#[derive(Debug, Clone, PartialEq)]
pub struct Via {
    /// The path of the [`Hatch`] in Rust.
    pub name: Str,
    /// The functions, where the map was compiled.
    pub hatch: Option<&'static Hatch>,
}

/// Two functions between the values of some slots and those of some canonical paths.
///
/// They are pure: they see these values and nothing else. What they write is read again, and what
/// does not read back the same is a loss that the report names.
pub struct Hatch {
    /// From the slots, in the order of the join, to the paths.
    pub read: fn(&Given<'_>) -> Made,
    /// From the paths to the slots; the second list is what the slots hold now.
    pub write: fn(&Given<'_>, &Given<'_>) -> Made,
}

/// What a [`Hatch`] is given, one value for each slot or path; none where nothing is there.
pub type Given<'v> = [Option<Value<'v>>];

/// What a [`Hatch`] makes of it, one value for each path or slot; none for nothing.
pub type Made = Vec<Option<Value<'static>>>;

impl PartialEq for Hatch {
    /// A hatch is one place in the code, and like no other.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl std::fmt::Debug for Hatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hatch")
    }
}

/// The range of a `clamp`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clamp {
    /// The least.
    pub min: Number,
    /// The greatest.
    pub max: Number,
}

impl Types {
    /// No type at all.
    pub const NONE: Self = Self(0);
    /// `string`
    pub const STRING: Self = Self(1);
    /// `number`
    pub const NUMBER: Self = Self(2);
    /// `integer`
    pub const INTEGER: Self = Self(4);
    /// `boolean`
    pub const BOOLEAN: Self = Self(8);
    /// `list`
    pub const LIST: Self = Self(16);
    /// `object`
    pub const OBJECT: Self = Self(32);
    /// `null`
    pub const NULL: Self = Self(64);
    /// `blank`: white space, an empty list or object, null.
    pub const BLANK: Self = Self(128);
    /// `any`
    pub const ANY: Self = Self(1 | 2 | 4 | 8 | 16 | 32 | 64);

    /// Both sets together.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the sets share a type.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set without those of another.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is no type in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The bits, for code that writes the set down.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of some bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}

impl std::fmt::Debug for Types {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for Types {
    /// `string|null`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::ANY {
            return f.write_str("any");
        }
        let words = Self::WORDS.iter().filter(|(word, one)| *word != "any" && self.meets(*one));
        f.write_str(&words.map(|(word, _)| *word).collect::<Vec<_>>().join("|"))
    }
}

impl Map {
    /// A named map or the root map, by what a row calls it.
    pub(crate) fn part(&self, index: usize) -> Option<&Part> {
        self.parts.get(index).map(|(_, part)| part)
    }
}

impl Part {
    /// Whether a path of it names a pick.
    pub(crate) fn names(&self, pick: &Pick) -> bool {
        let names = |steps: &[Step]| steps.iter().any(|step| matches!(step, Step::Pick(name) if *name == pick.name));
        let by_row = |row: &Row| {
            let order = match &row.inner {
                Inner::Each(Each { order: Some(order), .. }) => names(&order.at),
                _ => false,
            };
            order || matches!(&row.wire, Wire::At(at) if names(at)) || row.also.iter().any(|also| names(&also.at))
        };
        self.rows.iter().any(by_row) || self.joins.iter().any(|join| join.slots().any(|at| names(at)))
    }
}

impl Row {
    /// Whether a wire constant is read as some value, as far as spellings and tables say.
    pub fn reads(&self, tables: &[Table], literal: &Literal) -> bool {
        if self.spelled == Spelled::default() {
            return true;
        }
        let slot = crate::engine::Slot::new(self, &self.spelled, tables, crate::model::Type::Any, false);
        match literal {
            Literal::Absent | Literal::Null => true,
            Literal::List(items) => {
                items.iter().filter_map(Literal::value).all(|item| slot.is_read(&item.into_owned()))
            }
            literal => literal.value().is_none_or(|value| slot.is_read(&value.into_owned())),
        }
    }
}

/// The words of a row that differ from the most ordinary row, which has none.
impl Default for Row {
    fn default() -> Self {
        Self {
            wire: Wire::At(Cow::Borrowed(&[])),
            to: Cow::Borrowed(&[]),
            also: Cow::Borrowed(&[]),
            or: None,
            need: false,
            omit_blank: false,
            keep_null: false,
            gone: Gone::Remove,
            fresh: None,
            lean: false,
            text: Cow::Borrowed(&[]),
            spelled: Spelled { links: Cow::Borrowed(&[]), table: None },
            clamp: None,
            inner: Inner::Value,
            is: Types::NONE,
            about: Cow::Borrowed(""),
        }
    }
}

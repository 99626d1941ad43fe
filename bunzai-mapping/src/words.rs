//! The words of the language: where each may stand, and what it is for.
//!
//! Names outside this list are refused; the JSON Schema of mapping files is made of it.

use bunzai_runtime::map::{Case, Else, Gone, Ids, Keyed, Spelling, Text, Types, words};

/// One word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it is for, in a phrase.
    pub about: &'static str,
}

/// What a word takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Text.
    Text,
    /// Text, or a list of texts.
    Texts,
    /// A list of texts.
    Listed,
    /// `true` or `false`
    Flag,
    /// A number.
    Number,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Some of these words with `|` between, or a table with the words of a place.
    ChoicesOr(&'static [&'static str], &'static Context),
    /// Some of these words, with `|` between.
    Choices(&'static [&'static str]),
    /// The same, or a list of such.
    Chain(&'static [&'static str]),
    /// The same, or text that begins with a word.
    ChainOr(&'static [&'static str], &'static str),
    /// Any value.
    Value,
    /// A list.
    List,
    /// A table of constants.
    Constants,
    /// A table with the words of a place.
    One(&'static Context),
    /// A list of such tables.
    Many(&'static Context),
    /// A table of such tables, by names or paths.
    Named(&'static Context),
}

/// A place where words may stand.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// What the place is called in a message.
    pub name: &'static str,
    /// The words.
    pub words: &'static [Word],
}

/// Places are told apart by their names: the words of one may lead back to it.
impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Context {}

const CASES: &[&str] = &words(&Case::WORDS);
const ELSE: &[&str] = &words(&Else::WORDS);
const GONE: &[&str] = &words(&Gone::WORDS);
const IDS: &[&str] = &words(&Ids::WORDS);
const KEYED: &[&str] = &words(&Keyed::WORDS);
const SPELLINGS: &[&str] = &words(&Spelling::WORDS);
const TEXTS: &[&str] = &words(&Text::WORDS);
const TYPES: &[&str] = &words(&Types::WORDS);

const fn word(name: &'static str, takes: Takes, about: &'static str) -> Word {
    Word { name, takes, about }
}

/// The top of a mapping file.
pub static FILE: Context = Context {
    name: "a mapping file",
    words: &[
        word("format", Takes::Text, "id of the format, such as `marinara-persona`"),
        word("kind", Takes::Text, "kind of its entities, such as `persona`"),
        word("label", Takes::Text, "what people call it"),
        word("writes", Takes::Listed, "file extensions, the default first"),
        word("about", Takes::Text, "what it is, in a sentence"),
        word("lost", Takes::Listed, "canonical paths that this wire cannot carry"),
        word("detect", Takes::One(&DETECT), "conditions that every shape shares"),
        word("shapes", Takes::Many(&SHAPE), "the ways a document of the format looks from outside"),
        word("fields", Takes::Named(&ROW), "the rows of the root map"),
        word("stamp", Takes::Constants, "canonical paths that every import sets"),
        word("sealed", Takes::Named(&SEALED), "slots that ride in the twin"),
        word("fresh", Takes::Constants, "constants of a fresh file"),
        word("maps", Takes::Named(&MAP), "named maps"),
        word("tables", Takes::Named(&TABLE), "named tables"),
        word("joins", Takes::Many(&JOIN), "slots and paths tied by a table"),
        word("linked", Takes::Many(&LINKED), "slots that hold pieces of another format"),
        word("rest", Takes::Text, "canonical object for the keys that have no row"),
        word("case", Takes::Choice(CASES), "case of the keys that have no row"),
        word("as", Takes::Choices(SPELLINGS), "spelling of the rows of the map that have none of their own"),
        word("like", Takes::Text, "map whose rows it has where it says nothing else"),
        word("use", Takes::Listed, "parts that this file shares with others: paths from its folder on"),
        word("pick", Takes::Named(&PICK), "one row out of many, which wire paths name: `personas[who]`"),
    ],
};

/// The top of a part.
pub static PART: Context = Context {
    name: "a part",
    words: &[
        word("part", Takes::Text, "name of the part, before the names of its values: `@stock.prompts`"),
        word("about", Takes::Text, "what it is, in a sentence"),
        word("use", Takes::Listed, "parts that this one needs: paths from its folder on"),
        word("maps", Takes::Named(&MAP), "named maps"),
        word("tables", Takes::Named(&TABLE), "named tables"),
        word("values", Takes::Constants, "constants by name"),
    ],
};

/// A named map.
pub static MAP: Context = Context {
    name: "a map",
    words: &[
        word("fields", Takes::Named(&ROW), "the rows"),
        word("stamp", Takes::Constants, "canonical paths that every import sets"),
        word("sealed", Takes::Named(&SEALED), "slots that ride in the twin"),
        word("fresh", Takes::Constants, "constants of a fresh row"),
        word("joins", Takes::Many(&JOIN), "slots and paths tied by a table"),
        word("rest", Takes::Text, "canonical object for the keys that have no row"),
        word("case", Takes::Choice(CASES), "case of the keys that have no row"),
        word("as", Takes::Choices(SPELLINGS), "spelling of the rows of the map that have none of their own"),
        word("when", Takes::One(&MODEL), "what a row shows that the map reads, where there are several"),
        word("like", Takes::Text, "map whose rows it has where it says nothing else"),
        word("lean", Takes::One(&MODEL), "what the model shows when a new value leaves out what reads as `or`"),
    ],
};

/// One row out of many.
pub static PICK: Context = Context {
    name: "a pick",
    words: &[
        word("at", Takes::Text, "the object or list of the rows, from the start of the fields on"),
        word("by", Takes::Text, "key in the rows of a list that tells them apart; `@key` where they are members"),
        word("is", Takes::List, "which row it is: the first of these that is there"),
        word("new", Takes::Value, "what tells a new row"),
    ],
};

/// The right side of a row.
pub static ROW: Context = Context {
    name: "a row",
    words: &[
        word("to", Takes::Texts, "canonical path, or a list of them"),
        word("or", Takes::Value, "value when the slot says nothing readable"),
        word("need", Takes::Flag, "the slot must be there"),
        word("blank", Takes::Choice(&["omit"]), "`omit`: a blank reads as nothing"),
        word("null", Takes::Choice(&["keep"]), "`keep`: null reads as null"),
        word("gone", Takes::Choice(GONE), "what nothing writes: `remove`, `null`, `blank` or `keep`"),
        word("fresh", Takes::Value, "value in a new row or file when the model has none"),
        word(
            "as",
            Takes::ChainOr(SPELLINGS, SPLIT),
            "spelling, a chain of them, or `split:` and what stands between items",
        ),
        word("text", Takes::ChoicesOr(TEXTS, &REGEX), "text in the slot: `json`, `plain`, `json|plain`, or a regex"),
        word("table", Takes::Value, "table between slot and model"),
        word("each", Takes::Texts, "named map of the rows of a list, or several: the first reads a row that may"),
        word("by", Takes::Text, "wire key of a row's identity"),
        word("has", Takes::Value, "word of a list that a boolean slot stands for"),
        word("is", Takes::Choices(TYPES), "types of the slot"),
        word("about", Takes::Text, "what the slot is, in a sentence"),
        word("doc", Takes::Text, "more about the slot"),
        word("also", Takes::List, "other places of the same value, tried in order"),
        word("map", Takes::Text, "named map of the object in the slot"),
        word("ids", Takes::Choice(IDS), "what becomes of identities that repeat or are missing"),
        word("keyed", Takes::Choice(KEYED), "the rows are members of an object; the keys of new ones"),
        word("order", Takes::One(&ORDER), "list of identities that keeps the order of the rows"),
        word("clamp", Takes::List, "least and greatest of a number"),
        word("gather", Takes::Choice(&["all"]), "`all`: one flag for a field of every row"),
        word("flags", Takes::Constants, "words of the list, and the booleans they stand for"),
        word("via", Takes::Text, "pair of Rust functions"),
        word("lone", Takes::Flag, "a value that is no list is a list of one"),
        word("lean", Takes::Flag, "a new row or file leaves out what reads as `or`"),
        word("heads", Takes::Many(&HEADS), "rows that open groups, by dialect"),
        word("wrap", Takes::Value, "what stands around the text: two texts, or runs of some characters"),
    ],
};

/// A regex in a text.
pub static REGEX: Context = Context {
    name: "a regex",
    words: &[
        word("regex", Takes::Text, "flags that a literal may have"),
        word("slash", Takes::Choice(SLASHES), "which slash ends the source"),
        word("tail", Takes::Flag, "text behind the flags is no matter"),
    ],
};

/// What stands around a text.
pub static WRAP: Context = Context {
    name: "a decoration",
    words: &[
        word("of", Takes::Text, "characters of the runs on both sides"),
        word("least", Takes::Number, "how many there are at the least"),
        word("new", Takes::Listed, "what stands before and behind a new text"),
    ],
};

/// The start of the word of `as` that splits text into items; the separator follows.
pub(crate) const SPLIT: &str = "split:";

/// Which slash ends the source of a regex literal.
pub(crate) const SLASHES: &[&str] = &["last", "escaped"];

/// Another slot of a row.
pub static ALSO: Context = Context {
    name: "another slot",
    words: &[
        word("at", Takes::Text, "the place"),
        word("as", Takes::Chain(SPELLINGS), "spelling, or a chain of them"),
        word("table", Takes::Value, "table between slot and model"),
    ],
};

/// A list that keeps the order of rows.
pub static ORDER: Context = Context {
    name: "an order",
    words: &[
        word("at", Takes::Text, "the list"),
        word("text", Takes::Choices(TEXTS), "JSON text in the slot: `json`, `plain`, `json|plain`"),
        word("of", Takes::Text, "wire key of a row that the list holds; that of the row's `by` without it"),
        word("by", Takes::Text, "key in an item of the list that holds it; without it the items are the identities"),
        word("map", Takes::Text, "named map that reads an item into the row which it names"),
        word("unlisted", Takes::Constants, "the item that a row is read as having which the list does not name"),
    ],
};

/// Rows that open groups.
pub static HEADS: Context = Context {
    name: "heads",
    words: &[
        word("to", Takes::Text, "canonical list of the groups"),
        word("maps", Takes::Listed, "named maps of the rows that open a group, the outermost level first"),
        word("item", Takes::Text, "named map of the item of such a row in the list that keeps the order"),
        word("fill", Takes::Text, "field of a row that names its group"),
        word("up", Takes::Text, "field of a group that names the one around it"),
        word("write", Takes::One(&MODEL), "what the model shows when a new file has these heads"),
    ],
};

/// Slots and paths tied together.
pub static JOIN: Context = Context {
    name: "a join",
    words: &[
        word("wire", Takes::Texts, "the slots"),
        word("to", Takes::Texts, "the canonical paths"),
        word("table", Takes::Text, "name of a table"),
        word("rows", Takes::List, "rows that hold both ways, wire cells first"),
        word("write", Takes::List, "rows from model to wire, model cells first"),
        word("else", Takes::Choice(&["none", "error"]), "what slots without a row read as"),
        word("via", Takes::Text, "pair of Rust functions"),
        word("see", Takes::Texts, "slots that are read and never written; their cells stand first"),
    ],
};

/// Slots that hold pieces of another format.
pub static LINKED: Context = Context {
    name: "a linked piece",
    words: &[
        word("format", Takes::Text, "id of the format that reads and writes them"),
        word("to", Takes::Text, "canonical list of the ids of such pieces"),
        word("at", Takes::Listed, "the slots of their rows; new rows go to the first"),
        word("name", Takes::Value, "what a piece that is read is called"),
    ],
};

/// A slot that rides in the twin.
pub static SEALED: Context = Context {
    name: "a sealed slot",
    words: &[
        word("is", Takes::Choices(TYPES), "types of the slot"),
        word("about", Takes::Text, "what the slot is, in a sentence"),
        word("doc", Takes::Text, "more about the slot"),
        word("fresh", Takes::Value, "value in a fresh file"),
    ],
};

/// A shape.
pub static SHAPE: Context = Context {
    name: "a shape",
    words: &[
        word("at", Takes::Text, "where the fields start"),
        word("detect", Takes::One(&DETECT), "conditions of this shape"),
        word("fresh", Takes::Constants, "constants around the fields of a fresh file"),
        word("sealed", Takes::Named(&SEALED), "slots around the fields"),
        word("map", Takes::Text, "named map of the fields of this shape"),
        word("write", Takes::One(&MODEL), "what the model shows when a fresh file has this shape"),
    ],
};

/// A gate.
pub static DETECT: Context = Context {
    name: "a gate",
    words: &[
        word("score", Takes::Number, "how surely, up to 1; the best above 0.5 is taken for the format of a file"),
        word("all", Takes::Many(&PREDICATE), "conditions that must all be met"),
        word("any", Takes::Many(&PREDICATE), "conditions of which one must be met"),
        word("none", Takes::Many(&PREDICATE), "conditions of which none may be met"),
        word("only", Takes::Listed, "the only keys that the document has"),
    ],
};

/// Conditions on the model.
pub static MODEL: Context = Context {
    name: "conditions on the model",
    words: &[
        word("all", Takes::Many(&PREDICATE), "conditions that must all be met"),
        word("any", Takes::Many(&PREDICATE), "conditions of which one must be met"),
        word("none", Takes::Many(&PREDICATE), "conditions of which none may be met"),
    ],
};

/// A condition.
pub static PREDICATE: Context = Context {
    name: "a condition",
    words: &[
        word("at", Takes::Text, "the place"),
        word("is", Takes::Choices(TYPES), "types of the value"),
        word("eq", Takes::Value, "the value"),
        word("in", Takes::List, "the values it may be"),
        word("has", Takes::Value, "a word, or words, of which the list there holds one"),
        word("only", Takes::Listed, "the only keys that the object there has"),
        word("all", Takes::Many(&PREDICATE), "conditions that must all be met"),
        word("any", Takes::Many(&PREDICATE), "conditions of which one must be met"),
        word("none", Takes::Many(&PREDICATE), "conditions of which none may be met"),
    ],
};

/// A table.
pub static TABLE: Context = Context {
    name: "a table",
    words: &[
        word("rows", Takes::List, "rows that hold both ways, wire cells first"),
        word("write", Takes::List, "rows from model to wire, model cells first"),
        word(
            "else",
            Takes::ChoicesOr(ELSE, &ELSE_VALUE),
            "what a wire value without a row reads as: `none`, `pass`, `error` or a value",
        ),
    ],
};

/// What a wire value without a row reads as.
pub static ELSE_VALUE: Context =
    Context { name: "a fallback", words: &[word("value", Takes::Value, "what such a value reads as, with a warning")] };

/// A value that is worked out.
pub static DERIVED: Context = Context {
    name: "a derived value",
    words: &[
        word("slug", Takes::Text, "slug of the text at a canonical path"),
        word("sep", Takes::Text, "what stands between the words of a slug"),
        word("of", Takes::Text, "canonical path of a text that `words` have something for"),
        word("words", Takes::Constants, "texts, and what stands for each"),
        word("concat", Takes::List, "texts, and `@path`s, one after another"),
        word("file", Takes::Choice(&["stem", "name"]), "`stem` or `name` of the file"),
        word("count", Takes::Number, "place of the row, counted from this number"),
        word("word", Takes::Text, "word before the count"),
        word("wire", Takes::Text, "value of the file that is written: of the same object, or with `/` of the document"),
    ],
};

/// Every place where words may stand.
pub static CONTEXTS: [&Context; 20] = [
    &FILE,
    &PART,
    &PICK,
    &MAP,
    &ROW,
    &REGEX,
    &WRAP,
    &ALSO,
    &ORDER,
    &HEADS,
    &JOIN,
    &LINKED,
    &SEALED,
    &SHAPE,
    &DETECT,
    &MODEL,
    &PREDICATE,
    &TABLE,
    &ELSE_VALUE,
    &DERIVED,
];

//! The words of the language: where each may stand, and what it is for.
//!
//! Names outside this list are refused; the JSON Schema of mapping files is made of it.

/// One word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it is for, in a phrase.
    pub about: &'static str,
    /// Whether this version carries it out.
    pub built: bool,
}

/// A place where words may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Context {
    /// What the place is called in a message.
    pub name: &'static str,
    /// The words.
    pub words: &'static [Word],
}

const fn word(name: &'static str, about: &'static str) -> Word {
    Word { name, about, built: true }
}

const fn later(name: &'static str, about: &'static str) -> Word {
    Word { name, about, built: false }
}

/// The top of a mapping file.
pub const FILE: Context = Context {
    name: "a mapping file",
    words: &[
        word("format", "id of the format, such as `marinara-persona`"),
        word("kind", "kind of its entities, such as `persona`"),
        word("label", "what people call it"),
        word("writes", "file extensions, the default first"),
        word("about", "what it is, in a sentence"),
        word("lost", "canonical paths that this wire cannot carry"),
        word("detect", "conditions that every shape shares"),
        word("shapes", "the ways a document of the format looks from outside"),
        word("fields", "the rows of the root map"),
        word("stamp", "canonical paths that every import sets"),
        word("sealed", "slots that ride in the twin"),
        word("fresh", "constants of a fresh file"),
        word("maps", "named maps"),
        word("tables", "named tables"),
        later("joins", "slots and paths tied by a table"),
        later("rest", "bag for keys without a row"),
        later("case", "case of keys without a row"),
        later("as", "spelling of all rows of the map"),
        later("use", "shared parts"),
        later("pick", "one row out of many"),
        later("heads", "rows that open groups"),
    ],
};

/// A named map.
pub const MAP: Context = Context {
    name: "a map",
    words: &[
        word("fields", "the rows"),
        word("stamp", "canonical paths that every import sets"),
        word("sealed", "slots that ride in the twin"),
        word("fresh", "constants of a fresh row"),
        later("joins", "slots and paths tied by a table"),
        later("rest", "bag for keys without a row"),
        later("case", "case of keys without a row"),
        later("as", "spelling of all rows of the map"),
        later("when", "which rows the map reads"),
        later("like", "map whose rows it inherits"),
        later("lean", "leaves out what equals `or`"),
    ],
};

/// The right side of a row.
pub const ROW: Context = Context {
    name: "a row",
    words: &[
        word("to", "canonical path, or a list of them"),
        word("or", "value when the slot says nothing readable"),
        word("need", "the slot must be there"),
        word("blank", "`omit`: a blank reads as nothing"),
        word("null", "`keep`: null reads as null"),
        word("gone", "what nothing writes: `remove`, `null`, `blank` or `keep`"),
        word("fresh", "value in a new row or file when the model has none"),
        word("as", "spelling, or a chain of them"),
        word("text", "JSON text in the slot: `json`, `plain`, `json|plain`"),
        word("table", "table between slot and model"),
        word("each", "named map of the rows of a list"),
        word("by", "wire key of a row's identity"),
        word("has", "word of a list that a boolean slot stands for"),
        word("is", "types of the slot"),
        word("about", "what the slot is, in a sentence"),
        word("doc", "more about the slot"),
        later("also", "other places of the same value"),
        later("map", "named map of an object"),
        later("ids", "`verbatim` or `unique`"),
        later("keyed", "rows are members of an object"),
        later("order", "list that keeps the order of the rows"),
        later("clamp", "range of a number"),
        later("gather", "one flag for every row"),
        later("flags", "words of a list as booleans"),
        later("via", "pair of Rust functions"),
        later("lone", "a bare value is a list of one"),
        later("lean", "leaves out what equals `or`"),
        later("heads", "rows that open groups"),
        later("wrap", "decoration around text"),
        later("with", "constants written beside"),
    ],
};

/// A slot that rides in the twin.
pub const SEALED: Context = Context {
    name: "a sealed slot",
    words: &[
        word("is", "types of the slot"),
        word("about", "what the slot is, in a sentence"),
        word("doc", "more about the slot"),
        word("fresh", "value in a fresh file"),
    ],
};

/// A shape.
pub const SHAPE: Context = Context {
    name: "a shape",
    words: &[
        word("at", "where the fields start"),
        word("detect", "conditions of this shape"),
        word("fresh", "constants around the fields of a fresh file"),
        word("sealed", "slots around the fields"),
        later("map", "map of this shape"),
        later("write", "when a fresh file has this shape"),
    ],
};

/// A gate.
pub const DETECT: Context = Context {
    name: "a gate",
    words: &[
        word("score", "how surely, above 0 and up to 1"),
        word("all", "conditions that must all be met"),
        word("any", "conditions of which one must be met"),
        word("none", "conditions of which none may be met"),
        later("only", "the only keys of the document"),
    ],
};

/// A condition.
pub const PREDICATE: Context = Context {
    name: "a condition",
    words: &[
        word("at", "the place"),
        word("is", "types of the value"),
        word("eq", "the value"),
        word("in", "the values it may be"),
        word("has", "a word, or words, of which the list there holds one"),
        later("all", "conditions that must all be met"),
        later("any", "conditions of which one must be met"),
        later("none", "conditions of which none may be met"),
    ],
};

/// A table.
pub const TABLE: Context = Context {
    name: "a table",
    words: &[
        word("rows", "rows that hold both ways, wire cells first"),
        word("write", "rows from model to wire, model cells first"),
        word("else", "what a wire value without a row reads as: `none`, `pass` or `error`"),
        later("words", "words without a meaning of their own"),
    ],
};

/// A value that is worked out.
pub const DERIVED: Context = Context {
    name: "a derived value",
    words: &[
        word("slug", "slug of the text at a canonical path"),
        word("sep", "what stands between the words of a slug"),
        word("concat", "texts, and `@path`s, one after another"),
        word("file", "`stem` or `name` of the file"),
        word("count", "place of the row, counted from this number"),
        word("word", "word before the count"),
        later("wire", "value of the file that is written"),
    ],
};

/// Every place where words may stand.
pub const CONTEXTS: [Context; 9] = [FILE, MAP, ROW, SEALED, SHAPE, DETECT, PREDICATE, TABLE, DERIVED];

//! The words of the closed sets, as a mapping file writes them.

use super::{Case, Else, Gone, Ids, Keyed, Spelling, Text, Types};

impl Types {
    /// The words and the types they stand for.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("string", Self::STRING),
        ("number", Self::NUMBER),
        ("integer", Self::INTEGER),
        ("boolean", Self::BOOLEAN),
        ("list", Self::LIST),
        ("object", Self::OBJECT),
        ("null", Self::NULL),
        ("blank", Self::BLANK),
        ("any", Self::ANY),
    ];
}

impl Spelling {
    /// The words of `as`.
    pub const WORDS: [(&'static str, Self); 8] = [
        ("bool", Self::Bool),
        ("bool:text", Self::BoolText),
        ("bool:int", Self::BoolInt),
        ("number", Self::Number),
        ("number:text", Self::NumberText),
        ("not", Self::Not),
        ("trim", Self::Trim),
        ("unique", Self::Unique),
    ];
}

impl Text {
    /// The words of `text`.
    pub const WORDS: [(&'static str, Self); 2] = [("json", Self::Json), ("plain", Self::Plain)];
}

impl Gone {
    /// The words of `gone`.
    pub const WORDS: [(&'static str, Self); 4] =
        [("remove", Self::Remove), ("null", Self::Null), ("blank", Self::Blank), ("keep", Self::Keep)];
}

impl Ids {
    /// The words of `ids`.
    pub const WORDS: [(&'static str, Self); 2] = [("verbatim", Self::Verbatim), ("unique", Self::Unique)];
}

impl Keyed {
    /// The words of `keyed`.
    pub const WORDS: [(&'static str, Self); 2] = [("id", Self::Id), ("number", Self::Number)];
}

impl Else {
    /// The words of `else`.
    pub const WORDS: [(&'static str, Self); 3] = [("none", Self::None), ("pass", Self::Pass), ("error", Self::Error)];
}

impl Case {
    /// The words of `case`.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("snake_case", Self::Snake),
        ("camelCase", Self::Camel),
        ("PascalCase", Self::Pascal),
        ("kebab-case", Self::Kebab),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
    ];
}

/// The words of a closed set without what they stand for.
pub const fn words<T: Copy, const N: usize>(set: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut n = 0;
    while n < N {
        words[n] = set[n].0;
        n += 1;
    }
    words
}

/// The word that stands for one of a closed set.
pub fn word_of<T: PartialEq>(set: &[(&'static str, T)], one: &T) -> &'static str {
    set.iter().find(|(_, other)| other == one).map_or("", |(word, _)| word)
}

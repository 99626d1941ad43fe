//! A mapping file that uses what is no part.

/// A note.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note", name = title)]
struct Note {
    title: String,
    text: Option<String>,
    tags: Option<Vec<Tag>>,
}

/// A tag.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
struct Tag {
    id: String,
    word: Option<String>,
}

bunzai::codec! { Memo for Note = "mappings/no-part.toml" }

fn main() {}

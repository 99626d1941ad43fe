//! A mapping file of another kind than the type it is used for.

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

bunzai::codec! { Memo for Note = "mappings/other-kind.toml" }

fn main() {}

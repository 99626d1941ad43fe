//! A mapping file, its part and its pick, which do not fit together.

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

bunzai::codec! { Memo for Note = "mappings/parts.toml" }

fn main() {}

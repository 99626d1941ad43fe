//! An enum is no codec.

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

#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Note, label = "Memo")]
enum Memo {
    One,
}

fn main() {}

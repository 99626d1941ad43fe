//! `by` names a key that the map has no row for.

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
#[codec(detect(all(title: string)))]
#[codec(maps(tag(fields(id(to = id, need), word(to = word)))))]
struct Memo {
    #[codec(to = title, need)]
    title: String,
    #[codec(to = text)]
    text: Option<String>,
    #[codec(to = tags, each = tag, by = uid)]
    tags: Vec<String>,
}

fn main() {}

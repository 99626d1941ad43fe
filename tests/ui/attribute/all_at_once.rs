//! Every mistake is told, each at its own place.

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
#[codec(lost = [tags, title])]
#[codec(detect(all(title: string)))]
struct Memo {
    #[codec(to = title, ned)]
    title: String,
    #[codec(to = text, as = trimm)]
    text: Option<String>,
    #[codec(to = text)]
    more: Option<String>,
}

fn main() {}

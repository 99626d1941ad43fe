//! A word that belongs to the language and is not built yet.

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
#[codec(lost = [tags])]
#[codec(detect(all(title: string)))]
struct Memo {
    #[codec(to = title, need)]
    title: String,
    #[codec(to = text, with = (a = 1))]
    text: Option<String>,
}

fn main() {}

//! Every row that does not fit the model is told.

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
struct Memo {
    #[codec(to = titel, need)]
    title: String,
    #[codec(to = txt)]
    text: Option<String>,
    #[codec(to = tags)]
    tags: Vec<String>,
}

fn main() {}

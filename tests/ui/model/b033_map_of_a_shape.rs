//! A required field that the map of one of two shapes never sets.

/// A note.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note", name = title)]
struct Note {
    title: String,
    text: Option<String>,
}

#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Note, label = "Memo")]
#[codec(shapes = [(detect(all(title: string))), (map = old, detect(all(text: string)))])]
#[codec(maps(old(fields(text(to = text)))))]
struct Memo {
    #[codec(to = title, or = "")]
    title: Option<String>,
    #[codec(to = text)]
    text: Option<String>,
}

fn main() {}

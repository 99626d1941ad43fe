//! A map that opens itself.

/// A note.
#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note", name = title)]
struct Note {
    title: String,
    text: Option<String>,
}

#[derive(bunzai::Codec)]
#[codec(format = "memo", kind = Note, label = "Memo", lost = [text])]
#[codec(detect(all(title: string)), maps(more(fields(deep(map = more)))))]
struct Memo {
    #[codec(to = title, need)]
    title: String,
    #[codec(map = more)]
    more: String,
}

fn main() {}

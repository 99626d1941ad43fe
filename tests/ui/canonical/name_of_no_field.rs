//! The name is a field, and text.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note", name = titel)]
struct Note {
    title: String,
}

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "tag", name = word)]
struct Tag {
    word: Option<String>,
}

fn main() {}

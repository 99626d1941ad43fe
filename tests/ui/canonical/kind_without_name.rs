//! A kind needs a name to make ids from.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kind = "note")]
struct Note {
    title: String,
}

fn main() {}

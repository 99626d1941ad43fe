//! Words that mean nothing to the model.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(kinds = "note")]
struct Note {
    #[canonical(renamed = "x")]
    title: String,
}

fn main() {}

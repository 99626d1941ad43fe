//! A name means nothing without a kind.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
#[canonical(name = title)]
struct Note {
    title: String,
}

fn main() {}

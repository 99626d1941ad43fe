//! A variant is a word, holds one value, or is the other.

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
enum Two {
    Pair(String, String),
}

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
enum Named {
    Fields { a: String },
}

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
enum Both {
    Word,
    Value(String),
}

#[derive(Debug, Clone, PartialEq, bunzai::Canonical)]
enum Empty {}

fn main() {}
